import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { userCardFields } from '../users/presenter.ts'

/** SQL that joins the author `u` of the comment `c`. The author is missing if the account was deleted. */
export const authorJoin = sql`left join public.profiles u on u.id = c.author_id`

const callerFields = ({ userId }: Caller) => sql`
  'mine', coalesce(c.author_id = ${userId}::text::uuid, false),
  'canDelete', coalesce(c.author_id = ${userId}::text::uuid, false) or p.author_id = ${userId}::text::uuid,
  'liked', exists (select from public.comment_likes l
                   where l.comment_id = c.id and l.user_id = ${userId}::text::uuid)`

const visitorFields = sql`'mine', false, 'canDelete', false, 'liked', false`

/** Returns SQL for a `Comment` as JSON text, built from the comment `c`, its post `p` and `authorJoin`. */
export const commentJson = (caller: Caller | null) => sql`json_build_object(
  'id', c.id, 'postId', c.post_id, 'content', c.content,
  'user', case when u.id is not null then json_build_object(${userCardFields}) end,
  'createdAt', c.created_at, 'parentCommentId', c.parent_comment_id, 'repliesCount', c.replies_count,
  'likesCount', c.likes_count, 'hidden', c.hidden is not null,
  ${caller ? callerFields(caller) : visitorFields})::text`
