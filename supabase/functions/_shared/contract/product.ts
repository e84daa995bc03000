import { z } from 'zod'
import { webAddress } from './address.ts'
import { Dollars, Id } from './common.ts'
import { limits } from './limits.ts'

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

/** `id` is made by the client (a UUIDv7), so that sending twice stores once. Answered with the Post that it is. */
export const CreateProductRequest = z.object({
  id: Id.optional(),
  name: z
    .string(fillAllFields)
    .trim()
    .min(1, fillAllFields)
    .max(name, `A name can have at most ${name} characters.`),
  description: z
    .string(fillAllFields)
    .trim()
    .min(1, fillAllFields)
    .max(limits.postContent.max, 'A description can have at most 5000 characters.'),
  price: Dollars(price, `Please enter a price between $${price.min} and $${price.max}.`),
  storeUrl: z.string(fillAllFields).trim().min(1, fillAllFields).pipe(webAddress(invalidStoreUrl)),
  category: z.string().trim().max(category, `A category can have at most ${category} characters.`).nullish(),
  /** What `POST /api/upload` answered. */
  imageUrl: z.string().trim().max(500).nullish(),
  altText: z
    .string()
    .trim()
    .max(limits.altText.max, 'A description can have at most 500 characters.')
    .nullish(),
})
export type CreateProductRequest = z.input<typeof CreateProductRequest>
export type NewProduct = z.output<typeof CreateProductRequest>
