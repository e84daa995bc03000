import { z } from 'zod'
import { webAddress } from './address.ts'
import { Dollars, Id } from './common.ts'
import { limits } from './limits.ts'
import { clearable, personName } from './text.ts'

/** What a post offers in a store elsewhere. */
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

/** What is asked about a product beside its description; a form asks for the same. */
export const productFields = {
  name: personName(
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
    personName(
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
 * `id` is made by the client (a UUIDv7), so that sending twice stores once. Answered with the Post that it is. Nothing
 * of a product is paid for here: it knows no price of a post's own.
 */
export const CreateProductRequest = z.strictObject({
  id: Id.optional(),
  name: productFields.name,
  description: productDescription,
  price: productFields.price,
  storeUrl: productFields.storeUrl,
  category: productFields.category,
  /** What `POST /api/upload` answered. */
  imageUrl: z.string().trim().max(500).nullish(),
  /** What the image shows, in words. */
  altText: z
    .string()
    .trim()
    .max(limits.altText.max, `A description can have at most ${limits.altText.max} characters.`)
    .nullish(),
})
export type CreateProductRequest = z.input<typeof CreateProductRequest>
export type NewProduct = z.output<typeof CreateProductRequest>
