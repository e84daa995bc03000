import { z } from 'zod'
import { type SqlFragment, sql } from '../db/sql.ts'
import { asService } from '../http/run-as.ts'
import { announcedPosts, notificationHref, notificationMessage } from '../notifications/presenter.ts'
import { displayName } from '../users/presenter.ts'

/**
 * A user who is due a digest (an email about unread activity), and the period that it covers. The times are strings in
 * the database's format.
 */
export interface DueDigest {
  userId: string
  since: string
  until: string
}

const Entry = z.object({ text: z.string(), href: z.string() })
const UnreadSummary = z.object({
  email: z.string(),
  unsubscribeToken: z.string(),
  notifications: z.array(Entry),
  notificationCount: z.number(),
  conversations: z.array(Entry),
  messageCount: z.number(),
  conversationCount: z.number(),
})
/**
 * A user's email address and unread activity: the latest notifications and conversations, and the total number of each.
 */
export type UnreadSummary = z.infer<typeof UnreadSummary>

/** Maximum number of notifications, and of conversations, that an email lists. */
const maxEntries = 8

/**
 * SQL for the name of the profile `u` in an email. Mail programs turn text that looks like a URL into a link. If the
 * name that a user chose could become a link, the username is shown instead. Initials, such as 'J.R. Doe', are allowed.
 */
const mailName = sql`case
  when ${displayName} ~* '://|www[.]|[^[:space:].][.。．｡][^[:space:].]{2}' then '@' || u.username
  else ${displayName} end`

/**
 * Claims, for one hour, the digests of up to `limit` users who are due one. Each digest must then be completed or
 * released.
 */
export const claimDueDigests = (limit: number) =>
  asService(
    (tx) => tx<DueDigest[]>`
      select d.user_id as "userId", d.waiting_since::text as since, d.waiting_until::text as until
      from private.claim_digests(${limit}::integer) d`,
  )

/** Records that a digest was sent. */
export const completeDigest = ({ userId, until }: DueDigest) =>
  asService((tx) => tx`select private.complete_digest(${userId}::text::uuid, ${until}::text::timestamptz)`)

/** Reschedules a digest that was not sent: it is due again in 15 minutes. */
export const releaseDigest = ({ userId, since }: DueDigest) =>
  asService((tx) => tx`select private.release_digest(${userId}::text::uuid, ${since}::text::timestamptz)`)

/**
 * Returns a user's unread activity in the period that a digest covers, or null if they have turned these emails off. A
 * group of notifications or a conversation is described in its current state, including what arrived after the period.
 */
export async function readUnread({ userId, since, until }: DueDigest): Promise<UnreadSummary | null> {
  const user = sql`${userId}::text::uuid`
  const inPeriod = (time: SqlFragment) =>
    sql`${time} > ${since}::text::timestamptz and ${time} <= ${until}::text::timestamptz`
  const [row] = await asService(
    (tx) => tx<{ summary: string }[]>`
      with notification as (
        select n.*, s.group_notifications as is_grouped,
               case when s.group_notifications then n.people - 1 else 0 end as others
        from public.notifications n join public.user_settings s on s.user_id = n.user_id
        where n.user_id = ${user} and n.read_at is null and n.kind not in ('message', 'sign_in', 'access_token')
          -- The service role is not subject to the policy that hides notifications without visible posts.
          and (n.kind <> 'new_post' or exists (
            select from private.visible_announced_posts(n.user_id, n.announcement_id, n.highlights_only)))
          -- The head of a group is its latest notification.
          and n.created_at > ${since}::text::timestamptz
          and case when s.group_notifications then n.is_head and exists (
            select from public.notifications g
            where g.group_id = n.group_id and g.read_at is null and ${inPeriod(sql`g.created_at`)})
          else ${inPeriod(sql`n.created_at`)} end
      ), conversation as (
        select m.partner_id, m.last_message_at, unread.count from public.conversation_members m
        cross join lateral (
          select count(*) from public.messages x
          where x.conversation_id = m.conversation_id and x.seq > m.last_read_seq and x.receiver_id = m.user_id
            and x.deleted_at is null) unread
        where m.user_id = ${user} and ${inPeriod(sql`m.unread_since`)} and unread.count > 0
          and not private.are_blocked(m.user_id, m.partner_id)
      )
      select json_build_object(
        'email', a.email, 'unsubscribeToken', private.unsubscribe_token(a.user_id, 'activity'),
        'notifications', coalesce((select json_agg(json_build_object('text', ${notificationMessage(mailName)}, 'href', ${notificationHref})
                                                   order by n.created_at desc, n.id desc)
          from (select * from notification order by created_at desc, id desc limit ${maxEntries}::integer) n
          left join public.profiles u on u.id = n.actor_id ${announcedPosts}), '[]'),
        'notificationCount', (select count(*) from notification),
        'conversations', coalesce((select json_agg(json_build_object(
            'text', c.count || case when c.count = 1 then ' unread message' else ' unread messages' end
                    || ' from ' || coalesce(${mailName}, 'Deleted user'),
            'href', '/messages?user=' || c.partner_id) order by c.last_message_at desc)
          from (select * from conversation order by last_message_at desc limit ${maxEntries}::integer) c
          left join public.profiles u on u.id = c.partner_id), '[]'),
        'conversationCount', (select count(*) from conversation),
        'messageCount', (select coalesce(sum(count), 0) from conversation))::text as summary
      from public.accounts a join public.user_settings s on s.user_id = a.user_id
      where a.user_id = ${user} and s.email_notifications and s.activity_mails`,
  )
  return row ? UnreadSummary.parse(JSON.parse(row.summary)) : null
}
