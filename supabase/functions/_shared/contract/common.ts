import { z } from 'zod'
import { limits } from './limits.ts'

export const Id = z.uuid()
/** ISO 8601 in UTC, as JSON carries it. */
export const Timestamp = z.iso.datetime({ offset: true })

/** The query of every list: `limit` items, from `cursor` (the `X-Next-Cursor` of the page before) or `offset`. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  offset: z.coerce.number().int().min(0).max(100_000).optional(),
  cursor: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export const Count = z.object({ count: z.number().int().min(0) })
/** Where a list says how to go on; absent on the last page. */
export const nextCursorHeader = 'X-Next-Cursor'
/** Of some lists: how many there are on all pages, said on each. */
export const totalCountHeader = 'X-Total-Count'

/** US dollars with whole cents; `text` says what is wrong with any other, `missing` that there is none. */
export const Dollars = ({ min, max }: { min: number; max: number }, text: string, missing = text) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? missing : text) })
    .min(min, text)
    .max(max, text)
    .refine(
      (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
      'An amount has whole cents.',
    )
