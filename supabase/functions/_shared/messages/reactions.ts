import type { z } from 'zod'
import type { MessageReaction, ReactionEmoji, ReactionsAnswer } from '../contract/message.ts'
import { sql } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { card, goneCard } from '../users/card.ts'
import { messageNotFound } from './item.ts'

/** Refuses whoever may not react to a message. */
export async function requireReact(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_react(${id}::text::uuid)`)
}

/**
 * Who reacted to a message how, the oldest first. As in the list of conversations, a block hides a profile but not
 * whom an old thread is with, and of an account that is gone only its id is left.
 */
export async function listReactions(caller: Caller, id: string): Promise<JsonText<MessageReaction[]>> {
  const [seen, rows] = await asUser(caller, (tx) => [
    tx`select from public.messages m where m.id = ${id}::text::uuid`,
    tx<{ item: string }[]>`
      select json_build_object(
               'emoji', one ->> 'emoji', 'userId', who.id,
               'user', case when u.id is not null then json_build_object(${card})
                            else json_build_object(${goneCard(sql`who.id`)}) end)::text as item
      from public.messages m
      cross join lateral jsonb_array_elements(m.reactions) with ordinality r(one, place)
      cross join lateral (select (one ->> 'userId')::uuid as id) who
      left join lateral (
        select p.* from public.profiles p where p.id = who.id and who.id = ${caller.userId}::text::uuid
        union all
        select p.* from private.peer(who.id) p where who.id <> ${caller.userId}::text::uuid
      ) u on true
      where m.id = ${id}::text::uuid
      order by r.place`,
  ])
  if (seen.count === 0) throw messageNotFound()
  return `[${rows.map((row) => row.item).join(',')}]`
}

/** Reacts to a message, or takes that reaction back; answers all its reactions. */
export async function toggleReaction(
  caller: Caller,
  id: string,
  emoji: ReactionEmoji,
): Promise<JsonText<z.infer<typeof ReactionsAnswer>>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select jsonb_build_object('reactions',
               private.react_to_message(${id}::text::uuid, ${emoji}::text))::text as item`,
  )
  if (!row) throw messageNotFound()
  return row.item
}
