import type { TransactionSql } from 'postgres'

/** How many rows break a rule of what becomes of messages, by rule. */
export async function faultsOfMessages(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from public.conversations c
        left join (select conversation_id, max(version) as last, count(*) filter (where version > 0) as changed,
                          count(distinct version) filter (where version > 0) as numbers
                   from public.messages group by 1) m on m.conversation_id = c.id
        where (c.last_change, m.changed) is distinct from (coalesce(m.last, 0), m.numbers))::int as "numbers of changes",
      (select count(*) from public.messages m
        where (m.version > 0) <> (m.edited_at is not null or m.deleted_at is not null or m.reactions <> '[]')
      )::int as "changes without a number",
      (select count(*) from public.messages m
        where (m.deleted_at is not null and (m.content <> '' or m.edited_at is not null or m.media_id is not null
                or m.reply_to_id is not null or m.reactions <> '[]'))
           or (m.deleted_at is null and m.media_id is null and private.is_blank(m.content))
           or m.edited_at not between m.created_at and m.created_at + interval '15 minutes'
           or greatest(m.edited_at, m.deleted_at) > now())::int as "messages in no state",
      (select count(*) from public.messages m join public.messages q on q.id = m.reply_to_id
        where q.conversation_id <> m.conversation_id or q.seq >= m.seq)::int
      + (select count(*) from public.messages m where m.reply_to_id is not null
          and not exists (select from public.messages q where q.id = m.reply_to_id))::int as "answers to nothing",
      (select count(*) from public.messages m cross join lateral jsonb_array_elements(m.reactions) r
        where (r ->> 'userId')::uuid not in (m.sender_id, m.receiver_id))::int as "reactions of others",
      (select count(*) from public.messages m left join public.media f on f.id = m.media_id
        where m.media_id is not null and (f.owner_id, f.state, f.width, f.height, f.placeholder) is distinct from
              (m.sender_id, 'ready', m.media_width, m.media_height, m.placeholder))::int as "pictures of messages"`
  return faults ?? { everything: 1 }
}
