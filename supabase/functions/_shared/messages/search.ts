import { z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import type { FoundMessage } from '../contract/message.ts'
import { keyOf, type PageRow, type Range, sql, toPage } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { card, goneCard } from '../users/card.ts'
import { message, readMark } from './item.ts'

export const SearchQuery = PageQuery.extend({
  q: z.string().trim().max(limits.searchQuery.max).default(''),
})

/** The caller's messages that contain a text, accents and case aside, the latest first. */
export async function searchMessages(
  caller: Caller,
  text: string,
  range: Range,
): Promise<Page<FoundMessage>> {
  const { limit, offset, after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select json_build_object(
               'message', one.item, 'otherUserId', one.other_id,
               'otherUser', case when u.id is not null then json_build_object(${card})
                                 else json_build_object(${goneCard(sql`one.other_id`)}) end)::text as item,
             ${keyOf(sql`found.created_at`, sql`found.id`)} as key
      from private.find_messages(
        ${text}::text, ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid,
        ${limit + offset + 1}::int
      ) found
      -- One by one, as in a thread.
      cross join lateral (
        select ${message} as item,
               case when m.sender_id = ${caller.userId}::text::uuid then m.receiver_id else m.sender_id end as other_id
        from public.messages m ${readMark} where m.id = found.id limit 1
      ) one
      left join lateral private.peer(one.other_id) u on true
      order by found.created_at desc, found.id desc offset ${offset}::int`,
  )
  return toPage(rows, range)
}
