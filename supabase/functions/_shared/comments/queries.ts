import type { Comment, CommentSort, CreateCommentRequest, LinkedComment } from '../contract/comment.ts'
import type { LikeResponse } from '../contract/post.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { asCaller, asUser } from '../http/run-as.ts'
import { commentJoins, commentJson } from './presenter.ts'

/**
 * Returns an SQL condition that is true if the post `p` is locked for the caller, that is, if it is premium and its
 * paid content is hidden from them. The policy on `premium_contents` decides what is hidden.
 */
const isLocked = (caller: Caller | null) =>
  caller
    ? sql`p.is_premium and not exists (select from public.premium_contents paid where paid.post_id = p.id)`
    : sql`p.is_premium`

/**
 * Checks that the caller may read the comments on a post, which is also required for commenting on it.
 *
 * @throws ApiError 403 `post_locked`, 404
 */
export async function requireCommentAccess(caller: Caller, postId: string): Promise<void> {
  const [post] = await asUser(
    caller,
    (tx) => tx<{ locked: boolean }[]>`
      select ${isLocked(caller)} as locked from public.posts p where p.id = ${postId}::text::uuid`,
  )
  assertUnlocked(post)
}

function assertUnlocked(post: { locked: boolean } | undefined): void {
  if (!post) throw notFound('Post not found')
  if (post.locked) {
    throw new ApiError(403, 'Unlock this post to read and write comments.', { code: 'post_locked' })
  }
}

/**
 * Lists the top-level comments on a post. With `sort` set to `top`, the rank in the cursor is the comment's number of
 * likes.
 *
 * @throws ApiError 403 `post_locked`, 404
 */
export async function listComments(
  caller: Caller | null,
  postId: string,
  range: PageRange,
  sort: CommentSort = 'newest',
): Promise<Page<Comment>> {
  const { after } = range
  const newestKey = cursorKey(sql`c.created_at`, sql`c.id`)
  const [key, isAfter, order] =
    sort === 'top'
      ? [
          sql`${newestKey} || '_' || c.likes_count`,
          after
            ? sql`and (c.likes_count, c.created_at, c.id)
                    < (${after.rank}::int, ${after.at}::text::timestamptz, ${after.id}::text::uuid)`
            : sql``,
          sql`c.likes_count desc, c.created_at desc, c.id desc`,
        ]
      : [newestKey, afterCursor(range, sql`c.created_at`, sql`c.id`), sql`c.created_at desc, c.id desc`]
  const [[post], rows] = await asCaller(caller, (tx) => [
    tx<{ locked: boolean }[]>`
      select ${isLocked(caller)} as locked from public.posts p where p.id = ${postId}::text::uuid`,
    tx<PageRow[]>`
      select ${commentJson(caller)} as item, ${key} as key
      -- Joined from the post, so that its row is read only once for the whole page.
      from public.posts p join public.comments c on c.post_id = p.id ${commentJoins}
      where p.id = ${postId}::text::uuid and c.parent_comment_id is null
      ${isAfter} order by ${order} ${limitClause(range)}`,
  ])
  assertUnlocked(post)
  return toPage(rows, range)
}

/**
 * Lists the replies to a comment, oldest first.
 *
 * @throws ApiError 404
 */
export async function listReplies(
  caller: Caller | null,
  commentId: string,
  range: PageRange,
): Promise<Page<Comment>> {
  const [parents, rows] = await asCaller(caller, (tx) => [
    tx`select from public.comments c where c.id = ${commentId}::text::uuid`,
    tx<PageRow[]>`
      select ${commentJson(caller)} as item, ${cursorKey(sql`c.created_at`, sql`c.id`)} as key
      from public.comments c join public.posts p on p.id = c.post_id ${commentJoins}
      where c.parent_comment_id = ${commentId}::text::uuid
      ${afterCursor(range, sql`c.created_at`, sql`c.id`, 'oldest')}
      order by c.created_at, c.id ${limitClause(range)}`,
  ])
  if (parents.count === 0) throw notFound('Comment not found')
  return toPage(rows, range)
}

/**
 * Returns a comment and, for a reply, the comment that it replies to.
 *
 * @throws ApiError 404
 */
export async function readComment(caller: Caller | null, id: string): Promise<LinkedComment> {
  const rows = await asCaller(
    caller,
    (tx) => tx<{ item: string; isTarget: boolean }[]>`
      select ${commentJson(caller)} as item, c.id = ${id}::text::uuid as "isTarget"
      from public.comments c join public.posts p on p.id = c.post_id ${commentJoins}
      where c.id = ${id}::text::uuid
         or c.id = (select r.parent_comment_id from public.comments r where r.id = ${id}::text::uuid)`,
  )
  const find = (isTarget: boolean): Comment | null => {
    const row = rows.find((candidate) => candidate.isTarget === isTarget)
    return row ? JSON.parse(row.item) : null
  }
  const [comment, parent] = [find(true), find(false)]
  // As in the lists, a reply is hidden if the caller cannot see its parent comment, for example because of a block.
  if (!comment || (comment.parentCommentId !== null && !parent)) throw notFound('Comment not found')
  return { comment, parent }
}

const selectComment = (tx: Sql, caller: Caller, id: string, postId: string) => tx<
  { item: JsonText<Comment>; isSame: boolean }[]
>`
  select ${commentJson(caller)} as item,
         coalesce(c.author_id = ${caller.userId}::text::uuid, false) and c.post_id = ${postId}::text::uuid as "isSame"
  from public.comments c join public.posts p on p.id = c.post_id ${commentJoins}
  where c.id = ${id}::text::uuid`

/**
 * Stores a comment. Idempotent: a repeated `id` returns the stored comment with `created` false.
 *
 * @throws ApiError 400 for a reply to a reply; 403 if the account is read-only or the post is locked; 404 for a post or
 *   a parent comment that the caller cannot see; 409 if the id belongs to another comment; 429 if a rate limit is
 *   reached
 */
export async function createComment(
  caller: Caller,
  postId: string,
  { id = crypto.randomUUID(), content, parentCommentId = null }: CreateCommentRequest,
): Promise<{ created: boolean; item: JsonText<Comment> }> {
  const [{ count }, [row]] = await asUser(caller, (tx) => [
    // With `where not exists`, a repeated request skips the triggers that check permissions and the rate limit.
    tx`insert into public.comments (id, post_id, author_id, parent_comment_id, content)
       select ${id}::text::uuid, ${postId}::text::uuid, ${caller.userId}::text::uuid,
              ${parentCommentId}::text::uuid, ${content}::text
       where not exists (select from public.comments c where c.id = ${id}::text::uuid)
       on conflict (id) do nothing`,
    selectComment(tx, caller, id, postId),
  ])
  // The id belongs to another user's comment, visible or not, or to the caller's comment on another post.
  if (!row?.isSame) throw new ApiError(409, 'This ID is already in use.')
  return { created: count > 0, item: row.item }
}

/**
 * Deletes a comment and its replies. The caller must be the author of the comment or of the post.
 *
 * @throws ApiError 403, 404
 */
export async function deleteComment(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_comment(${id}::text::uuid)`)
}

/**
 * Likes a comment, or removes the caller's like.
 *
 * @throws ApiError 403 if the account is read-only; 404 if the caller cannot see the comment; 429 if a rate limit is
 *   reached
 */
export async function toggleLike(caller: Caller, id: string): Promise<LikeResponse> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ liked: boolean; count: number | null }[]>`
      select t.liked, t.likes_count as count from public.toggle_comment_like(${id}::text::uuid) t`,
  )
  if (!row) throw notFound('Comment not found')
  // The count is null when the caller removes a like from a comment that they can no longer read.
  return { liked: row.liked, likesCount: row.count ?? 0 }
}
