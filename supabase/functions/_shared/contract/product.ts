import { z } from 'zod'
import { Dollars, Id } from './common.ts'
import { limits } from './limits.ts'
import { clearable, nameField } from './text.ts'
import { webAddress } from './web-address.ts'

/** A product in an external store that a post presents. */
export const Product = z.object({
  name: z.string(),
  /** US dollars. */
  price: z.number(),
  storeUrl: z.string(),
  category: z.string().nullable(),
})
export type Product = z.infer<typeof Product>

export const fillAllFields = 'Please fill in all required fields.'
export const invalidStoreUrl = 'Please enter a valid store URL.'

const { name, category, price } = limits.product

/** The fields of a product except its description, shared with the form. */
export const productFields = {
  name: nameField(
    { min: 1, max: name },
    {
      tooShort: fillAllFields,
      tooLong: `A name can have at most ${name} characters.`,
      unusable: 'Please enter a name without hidden characters.',
    },
  ),
  price: Dollars(
    price,
    `Please enter a price between $${price.min} and $${price.max.toLocaleString('en-US')}.`,
    fillAllFields,
  ),
  storeUrl: z.string(fillAllFields).trim().min(1, fillAllFields).pipe(webAddress(invalidStoreUrl)),
  category: clearable(
    nameField(
      { min: 1, max: category },
      {
        tooShort: 'Please enter a category.',
        tooLong: `A category can have at most ${category} characters.`,
        unusable: 'Please enter a category without hidden characters.',
      },
    ),
  ).optional(),
}
export const productDescription = z
  .string(fillAllFields)
  .trim()
  .min(1, fillAllFields)
  .max(limits.postContent.max, `A description can have at most ${limits.postContent.max} characters.`)

/**
 * Creates a post with a product. `id` is a UUIDv7 made by the client: a request that is sent twice creates one post.
 * Products are bought in the external store, so `price` is only shown.
 */
export const CreateProductRequest = z.strictObject({
  id: Id.optional(),
  name: productFields.name,
  description: productDescription,
  price: productFields.price,
  storeUrl: productFields.storeUrl,
  category: productFields.category,
  /** From `POST /api/upload`. */
  imageUrl: z.string().trim().max(500).nullish(),
  /** A description of the image. */
  altText: z
    .string()
    .trim()
    .max(limits.altText.max, `A description can have at most ${limits.altText.max} characters.`)
    .nullish(),
})
export type CreateProductRequest = z.input<typeof CreateProductRequest>
export type NewProduct = z.output<typeof CreateProductRequest>
