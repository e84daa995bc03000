import type { Post } from '../contract/post.ts'
import type { NewProduct } from '../contract/product.ts'
import type { JsonText } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { mediaIdFromUrl } from '../media/media-url.ts'
import { announcePostsInBackground } from '../notifications/announce-posts.ts'
import { selectPost } from '../posts/queries.ts'

/**
 * Stores a product as a post. Idempotent: a repeated `id` returns the stored post, with `created` set to false.
 *
 * @throws ApiError 400 if the caller cannot use the image; 403; 409 if the id is taken; 429
 */
export async function createProduct(
  caller: Caller,
  { id = crypto.randomUUID(), name, description, price, storeUrl, category, imageUrl, altText }: NewProduct,
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const image = mediaIdFromUrl('imageUrl', imageUrl)
  const [[published], [row]] = await asUser(caller, (tx) => [
    tx<{ created: boolean }[]>`
      select private.publish_product(
        ${id}::text::uuid, ${name}::text, ${description}::text, ${price.toFixed(2)}::text::numeric,
        ${storeUrl}::text, ${category ?? null}::text, ${image}::text::uuid, ${altText ?? null}::text) as created`,
    selectPost(tx, caller, id),
  ])
  if (!row?.mine) throw new ApiError(409, 'This ID is already in use.')
  announcePostsInBackground()
  return { created: published?.created ?? false, item: row.item }
}
