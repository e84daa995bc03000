import { sql } from '../db/page.ts'
import type { Caller } from '../http/session.ts'
import { address } from './sections.ts'
import { byNumber, byPerson, type Source } from './sources.ts'

/** The people whom the caller has talked with: whose thread it is stays readable within a block. */
export const threads = ({ userId }: Caller): Source =>
  byPerson({
    item: sql`json_build_object('id', m.conversation_id, 'with', json_build_object('id', m.other_id,
      'username', u.username, 'name', coalesce(u.full_name, 'Deleted user')), 'unread', m.unread_count)`,
    from: sql`public.conversation_members m left join lateral private.peer(m.other_id) u on true
              where m.user_id = ${userId}::text::uuid`,
    person: sql`m.other_id`,
  })

/** What was written in one of them, both ways, the oldest first. */
export const messagesOf = ({ userId }: Caller, conversation: string): Source =>
  byNumber({
    item: sql`json_build_object('id', x.id, 'mine', x.sender_id = ${userId}::text::uuid, 'content', x.content,
      'image', ${address(sql`x.media_id`)}, 'answerTo', x.reply_to_id, 'reactions', x.reactions,
      'createdAt', x.created_at, 'editedAt', x.edited_at, 'deletedAt', x.deleted_at)`,
    from: sql`public.messages x where x.conversation_id = ${conversation}::text::uuid`,
    number: sql`x.seq`,
  })
