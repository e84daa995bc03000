import { z } from 'zod'
import { limits } from './limits.ts'

export const Id = z.uuid()
/** An ISO 8601 time. Responses use UTC. */
export const Timestamp = z.iso.datetime({ offset: true })

/**
 * The query of a paginated list: `limit` items, starting at `offset` or after `cursor`, the `X-Next-Cursor` of the
 * previous page.
 */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  offset: z.coerce.number().int().min(0).max(100_000).optional(),
  cursor: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export const Count = z.object({ count: z.number().int().min(0) })
/** The header with the cursor of a list's next page. Omitted on the last page. */
export const nextCursorHeader = 'X-Next-Cursor'
/** The header with the number of items on all pages, sent with some lists. */
export const totalCountHeader = 'X-Total-Count'

/**
 * Accepts an amount of US dollars in whole cents. `message` is the error for an invalid amount, `missing` the error for
 * a missing one.
 */
export const Dollars = ({ min, max }: { min: number; max: number }, message: string, missing = message) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? missing : message) })
    .min(min, message)
    .max(max, message)
    .refine(
      (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
      'Please enter an amount in whole cents.',
    )
