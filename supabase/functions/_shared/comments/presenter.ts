import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { userCardFields } from '../users/presenter.ts'

/** SQL that joins the author `u` of the comment `c`. The author is missing if the account was deleted. */
const authorJoin = sql`left join public.profiles u on u.id = c.author_id`

/**
 * SQL that joins what `commentJson` needs. `thread` contains fields of the comment `c` for the subquery that selects
 * the preview reply, because in that subquery `c` is the reply.
 */
export const commentJoins = sql`${authorJoin} cross join lateral (select c.id, c.replies_count) as thread`

const callerFields = ({ userId }: Caller) => sql`
  'mine', coalesce(c.author_id = ${userId}::text::uuid, false),
  'canDelete', coalesce(c.author_id = ${userId}::text::uuid, false) or p.author_id = ${userId}::text::uuid,
  'liked', exists (select from public.comment_likes l
                   where l.comment_id = c.id and l.user_id = ${userId}::text::uuid)`

const visitorFields = sql`'mine', false, 'canDelete', false, 'liked', false`

/** Returns SQL for the fields of a `Reply`, built from the comment `c`, its author `u` and its post `p`. */
const replyFields = (caller: Caller | null) => sql`
  'id', c.id, 'postId', c.post_id, 'content', c.content,
  'user', case when u.id is not null then json_build_object(${userCardFields}) end,
  'createdAt', c.created_at, 'parentCommentId', c.parent_comment_id, 'repliesCount', c.replies_count,
  'likesCount', c.likes_count, 'hidden', c.hidden is not null,
  ${caller ? callerFields(caller) : visitorFields}`

/**
 * Returns SQL for the preview reply of the comment `thread`: the only reply or, if there are several, the first one by
 * the author of the post. The policy on `comments` applies. `replies_count` excludes hidden replies, so a hidden reply
 * is not shown as the preview either, even to its author.
 */
const previewReply = (caller: Caller | null) => sql`case when thread.replies_count > 0 then (
  select json_build_object(${replyFields(caller)}) from public.comments c ${authorJoin}
  where c.id = case when thread.replies_count = 1 then (
    select r.id from public.comments r where r.parent_comment_id = thread.id and r.hidden is null limit 1)
  else (
    select r.id from public.comments r
    where r.parent_comment_id = thread.id and r.author_id = p.author_id and r.hidden is null
    order by r.created_at, r.id limit 1) end) end`

/** Returns SQL for a `Comment` as JSON text, built from the comment `c`, its post `p` and `commentJoins`. */
export const commentJson = (caller: Caller | null) => sql`json_build_object(
  ${replyFields(caller)}, 'previewReply', ${previewReply(caller)})::text`
