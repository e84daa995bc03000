import type { Comment, CreateCommentRequest } from '../contract/comment.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asCaller, asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'

const ofCaller = ({ userId }: Caller) => sql`
  'mine', coalesce(c.author_id = ${userId}::text::uuid, false),
  'canDelete', coalesce(c.author_id = ${userId}::text::uuid, false) or p.author_id = ${userId}::text::uuid`

const ofVisitor = sql`'mine', false, 'canDelete', false`

/** A `Comment` as JSON text, of the comment `c`, its author `u` (absent when the account is gone) and its post `p`. */
const comment = (caller: Caller | null) => sql`json_build_object(
  'id', c.id, 'postId', c.post_id, 'content', c.content,
  'user', case when u.id is not null then json_build_object(${card}) end,
  'createdAt', c.created_at, 'parentCommentId', c.parent_comment_id, 'repliesCount', c.replies_count,
  'hidden', c.hidden is not null,
  ${caller ? ofCaller(caller) : ofVisitor})::text`

/** What a comment is read with. The post is one row for a whole page: it is joined by the id that the page is asked by. */
const joined = sql`left join public.profiles u on u.id = c.author_id`

/** What is paid for in a post is there for those who may read it: its own policy decides. */
const locked = (caller: Caller | null) =>
  caller
    ? sql`p.is_premium and not exists (select from public.premium_contents paid where paid.post_id = p.id)`
    : sql`p.is_premium`

/** Refuses whoever may not read, and so not write, the comments on a post. */
export async function requireReadable(caller: Caller, postId: string): Promise<void> {
  const [post] = await asUser(
    caller,
    (tx) => tx<{ locked: boolean }[]>`
      select ${locked(caller)} as locked from public.posts p where p.id = ${postId}::text::uuid`,
  )
  refuseLocked(post)
}

function refuseLocked(post: { locked: boolean } | undefined): void {
  if (!post) throw notFound('Post not found')
  if (post.locked) {
    throw new ApiError(403, 'Unlock this post to read and write comments.', { code: 'post_locked' })
  }
}

/** The comments on a post that are no replies, the newest first. */
export async function listComments(
  caller: Caller | null,
  postId: string,
  range: Range,
): Promise<Page<Comment>> {
  const { after } = range
  const [[post], rows] = await asCaller(caller, (tx) => [
    tx<{ locked: boolean }[]>`
      select ${locked(caller)} as locked from public.posts p where p.id = ${postId}::text::uuid`,
    tx<PageRow[]>`
      select ${comment(caller)} as item, ${keyOf(sql`c.created_at`, sql`c.id`)} as key
      from public.posts p join public.comments c on c.post_id = p.id ${joined}
      where p.id = ${postId}::text::uuid and c.parent_comment_id is null
      ${after ? sql`and (c.created_at, c.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
      order by c.created_at desc, c.id desc ${window(range)}`,
  ])
  refuseLocked(post)
  return toPage(rows, range)
}

/** The replies to a comment, the oldest first. */
export async function listReplies(
  caller: Caller | null,
  commentId: string,
  range: Range,
): Promise<Page<Comment>> {
  const { after } = range
  const [parents, rows] = await asCaller(caller, (tx) => [
    tx`select from public.comments c where c.id = ${commentId}::text::uuid`,
    tx<PageRow[]>`
      select ${comment(caller)} as item, ${keyOf(sql`c.created_at`, sql`c.id`)} as key
      from public.comments c join public.posts p on p.id = c.post_id ${joined}
      where c.parent_comment_id = ${commentId}::text::uuid
      ${after ? sql`and (c.created_at, c.id) > (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
      order by c.created_at, c.id ${window(range)}`,
  ])
  if (parents.count === 0) throw notFound('Comment not found')
  return toPage(rows, range)
}

const selectComment = (tx: Sql, caller: Caller, id: string, postId: string) => tx<
  { item: JsonText<Comment>; same: boolean }[]
>`
  select ${comment(caller)} as item,
         coalesce(c.author_id = ${caller.userId}::text::uuid, false) and c.post_id = ${postId}::text::uuid as same
  from public.comments c join public.posts p on p.id = c.post_id ${joined}
  where c.id = ${id}::text::uuid`

/** Stores a comment once, however often it is sent under the same id. `created` is false for the stored one. */
export async function createComment(
  caller: Caller,
  postId: string,
  { id = crypto.randomUUID(), content, parentCommentId = null }: CreateCommentRequest,
): Promise<{ created: boolean; item: JsonText<Comment> }> {
  const [{ count }, [row]] = await asUser(caller, (tx) => [
    // A stored comment is sent again for free: the triggers that check and count never see it.
    tx`insert into public.comments (id, post_id, author_id, parent_comment_id, content)
       select ${id}::text::uuid, ${postId}::text::uuid, ${caller.userId}::text::uuid,
              ${parentCommentId}::text::uuid, ${content}::text
       where not exists (select from public.comments c where c.id = ${id}::text::uuid)
       on conflict (id) do nothing`,
    selectComment(tx, caller, id, postId),
  ])
  // The id is that of somebody else's comment, seen or unseen, or of one on another post.
  if (!row?.same) throw new ApiError(409, 'This id is taken.')
  return { created: count > 0, item: row.item }
}

/** Deletes a comment with its replies: the caller's own, or one on the caller's post. */
export async function deleteComment(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_comment(${id}::text::uuid)`)
}
