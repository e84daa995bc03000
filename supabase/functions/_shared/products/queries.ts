import type { Post } from '../contract/post.ts'
import type { NewProduct } from '../contract/product.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { uploadIn } from '../media/settle.ts'
import { selectPost } from '../posts/queries.ts'

/**
 * Stores a product once, as a post, however often it is sent under the same id. `created` is false for the stored one.
 *
 * @throws ApiError 400 for an image that is not the caller's to use, 409 where the id is somebody else's, 429
 */
export async function createProduct(
  caller: Caller,
  { id = crypto.randomUUID(), name, description, price, storeUrl, category, imageUrl, altText }: NewProduct,
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const image = uploadIn('imageUrl', imageUrl)
  const [[published], [row]] = await asUser(caller, (tx) => [
    tx<{ created: boolean }[]>`
      select private.publish_product(
        ${id}::text::uuid, ${name}::text, ${description}::text, ${price.toFixed(2)}::text::numeric,
        ${storeUrl}::text, ${category ?? null}::text, ${image}::text::uuid, ${altText ?? null}::text) as created`,
    selectPost(tx, caller, id),
  ])
  if (!row?.mine) throw new ApiError(409, 'This id is taken.')
  return { created: published?.created ?? false, item: row.item }
}
