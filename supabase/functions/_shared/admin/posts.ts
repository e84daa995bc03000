import type { z } from 'zod'
import type { AdminPostRequest } from '../contract/admin.ts'
import { limits } from '../contract/limits.ts'
import type { Post } from '../contract/post.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { settleVideo, uploadIn } from '../media/settle.ts'
import { selectPost } from '../posts/queries.ts'

/**
 * Publishes a post in a creator's name, with uploads of the admin's, which become the creator's. Once, however often it
 * is sent under the same id: `created` is false for the stored one. What is answered is the post as the admin sees it:
 * they have not paid for a premium one.
 *
 * @throws ApiError 400, and `media_not_usable`, 401, 403 for who is no admin, `target_is_admin`, and `creators_only` for
 *   somebody who could not post themselves, 404, 409 for an id of another post, 413, 415, 429, 503
 */
export async function createPostFor(
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
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const image = uploadIn('imageUrl', rest.imageUrl)
  const video = uploadIn('videoUrl', rest.videoUrl)
  const poster = video && uploadIn('posterUrl', rest.posterUrl)
  const price = isPremium ? (premiumPrice ?? limits.premiumPrice.default) : null
  if (video) {
    // Before anything of the upload is touched.
    await asUser(caller, (tx) => tx`select private.require_post_for(${userId}::text::uuid)`)
    await settleVideo(caller, video)
  }
  const [[published], rows, [row]] = await asUser(caller, (tx) => [
    tx<{ created: boolean }[]>`
      select private.publish_post_for(
        ${userId}::text::uuid, ${id}::text::uuid, ${content}::text,
        ${price === null ? null : price.toFixed(2)}::text::numeric, ${image}::text::uuid, ${video}::text::uuid,
        ${poster}::text::uuid, ${altText ?? null}::text) as created`,
    tx`select from public.posts p where p.id = ${id}::text::uuid and p.author_id = ${userId}::text::uuid`,
    selectPost(tx, caller, id),
  ])
  if (rows.length === 0 || !row) throw new ApiError(409, 'This id is taken.')
  return { created: published?.created ?? false, item: row.item }
}
