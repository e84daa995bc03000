import { z } from 'zod'
import { sql } from '../db/page.ts'
import { asService } from '../db/run.ts'
import { href, message } from '../notifications/text.ts'
import { displayName } from '../users/card.ts'

/** Whom a mail is due, and of which time it tells. The times are the database's own text of them. */
export interface Due {
  userId: string
  since: string
  until: string
}

const Entry = z.object({ text: z.string(), href: z.string() })
const Waiting = z.object({
  email: z.string(),
  notices: z.array(Entry),
  noticeCount: z.number(),
  threads: z.array(Entry),
  messageCount: z.number(),
  threadCount: z.number(),
})
/** What somebody has not read, and their address: the latest of each kind, and how much there is of it. */
export type Waiting = z.infer<typeof Waiting>

/** Entries of each kind that a mail names. */
const shown = 8

/**
 * How a mail calls the profile `u`: programs that read mail make a link of whatever looks like an address, and a name
 * of somebody's must not lead anywhere. Initials, as of 'J.R. Doe', do not look like one.
 */
const mailName = sql`case
  when ${displayName} ~* '://|www[.]|[^[:space:].][.。．｡][^[:space:].]{2}' then '@' || u.username
  else ${displayName} end`

/** Takes up to `most` people whom a mail is due; what is not sent to them must be given back. */
export const takeDue = (most: number) =>
  asService(
    'who is to be written to is nobody’s own to see',
    (tx) => tx<Due[]>`
      select d.user_id as "userId", d.waiting_since::text as since, d.waiting_until::text as until
      from private.take_due_mails(${most}::integer) d`,
  )

/** Has somebody written to a little later: the mail did not leave, or there was nothing in it. */
export const giveBack = ({ userId, since }: Due) =>
  asService(
    'see above',
    (tx) => tx`select private.give_back_mail(${userId}::text::uuid, ${since}::text::timestamptz)`,
  )

/**
 * What somebody has not read of the time that a mail is about; null when they want no mails any more. A group, or a
 * thread, is told of as it is now, whatever came to it after that time.
 */
export async function readWaiting({ userId, since, until }: Due): Promise<Waiting | null> {
  const person = sql`${userId}::text::uuid`
  const inTime = (time: ReturnType<typeof sql>) =>
    sql`${time} > ${since}::text::timestamptz and ${time} <= ${until}::text::timestamptz`
  const [row] = await asService(
    'a job reads for somebody who is not here',
    (tx) => tx<{ waiting: string }[]>`
      with notice as (
        select n.*, case when s.group_notifications then n.people - 1 else 0 end as others
        from public.notifications n join public.person_settings s on s.user_id = n.user_id
        where n.user_id = ${person} and n.read_at is null and n.kind not in ('message', 'sign_in')
          -- The head of a group is the latest of it.
          and n.created_at > ${since}::text::timestamptz
          and case when s.group_notifications then n.is_head and exists (
            select from public.notifications g
            where g.group_id = n.group_id and g.read_at is null and ${inTime(sql`g.created_at`)})
          else ${inTime(sql`n.created_at`)} end
      ), thread as (
        select m.other_id, m.last_message_at, unread.count from public.conversation_members m
        cross join lateral (
          select count(*) from public.messages x
          where x.conversation_id = m.conversation_id and x.seq > m.last_read_seq and x.receiver_id = m.user_id
            and x.deleted_at is null) unread
        where m.user_id = ${person} and ${inTime(sql`m.unread_since`)} and unread.count > 0
          and not private.are_blocked(m.user_id, m.other_id)
      )
      select json_build_object(
        'email', a.email,
        'notices', coalesce((select json_agg(json_build_object('text', ${message(mailName)}, 'href', ${href})
                                             order by n.created_at desc, n.id desc)
          from (select * from notice order by created_at desc, id desc limit ${shown}::integer) n
          left join public.profiles u on u.id = n.actor_id), '[]'),
        'noticeCount', (select count(*) from notice),
        'threads', coalesce((select json_agg(json_build_object(
            'text', t.count || case when t.count = 1 then ' unread message' else ' unread messages' end
                    || ' from ' || coalesce(${mailName}, 'Deleted user'),
            'href', '/messages?user=' || t.other_id) order by t.last_message_at desc)
          from (select * from thread order by last_message_at desc limit ${shown}::integer) t
          left join public.profiles u on u.id = t.other_id), '[]'),
        'threadCount', (select count(*) from thread),
        'messageCount', (select coalesce(sum(count), 0) from thread))::text as waiting
      from public.accounts a join public.person_settings s on s.user_id = a.user_id
      where a.user_id = ${person} and s.email_notifications`,
  )
  return row ? Waiting.parse(JSON.parse(row.waiting)) : null
}
