import type { z } from 'zod'
import type { AdminPostRequest } from '../contract/admin.ts'
import { limits } from '../contract/limits.ts'
import type { Post } from '../contract/post.ts'
import type { JsonText } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { finalizeVideoUpload } from '../media/direct-video-upload.ts'
import { mediaIdFromUrl } from '../media/media-url.ts'
import { announcePostsInBackground } from '../notifications/announce-posts.ts'
import { selectPost } from '../posts/queries.ts'

/**
 * Publishes a post on behalf of a creator, who becomes the owner of the admin's uploads in the post. A repeated call
 * with the same id returns the stored post.
 *
 * @returns the post as the admin sees it, so a premium post is locked; `isNew` is true if this call created the post
 * @throws ApiError 400, with `media_not_usable` for an upload that cannot be used; 401; 403 if the caller is not an
 *   admin, `target_is_admin` if the user is an admin, or `creators_only` if the user is not a creator or their account
 *   is read-only; 404 if there is no such user; 409 if the id is taken; 413 or 415 if the video is not acceptable;
 *   429 after too many video checks; 503 if Storage fails
 */
export async function createPostForUser(
  caller: Caller,
  {
    userId,
    id = crypto.randomUUID(),
    content,
    isPremium,
    premiumPrice,
    altText,
    ...rest
  }: z.output<typeof AdminPostRequest>,
): Promise<{ isNew: boolean; item: JsonText<Post> }> {
  const image = mediaIdFromUrl('imageUrl', rest.imageUrl)
  const video = mediaIdFromUrl('videoUrl', rest.videoUrl)
  const poster = video && mediaIdFromUrl('posterUrl', rest.posterUrl)
  const price = isPremium ? (premiumPrice ?? limits.premiumPrice.default) : null
  if (video) {
    // Processing the upload is expensive, so the permission is checked first.
    await asUser(caller, (tx) => tx`select private.require_can_post_for(${userId}::text::uuid)`)
    await finalizeVideoUpload(caller, video)
  }
  const [[published], rows, [row]] = await asUser(caller, (tx) => [
    tx<{ isNew: boolean }[]>`
      select private.publish_post_for(
        ${userId}::text::uuid, ${id}::text::uuid, ${content}::text,
        ${price === null ? null : price.toFixed(2)}::text::numeric, ${image}::text::uuid, ${video}::text::uuid,
        ${poster}::text::uuid, ${altText ?? null}::text) as "isNew"`,
    tx`select from public.posts p where p.id = ${id}::text::uuid and p.author_id = ${userId}::text::uuid`,
    selectPost(tx, caller, id),
  ])
  if (rows.length === 0 || !row) throw new ApiError(409, 'This ID is already in use.')
  announcePostsInBackground()
  return { isNew: published?.isNew ?? false, item: row.item }
}
