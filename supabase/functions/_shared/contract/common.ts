import { z } from 'zod'
import { errorCodes } from './errors.ts'
import { limits } from './limits.ts'

export const Id = z.uuid()
/** An ISO 8601 time. Responses use UTC. */
export const Timestamp = z.iso.datetime({ offset: true })

/**
 * The query of a paginated list: `limit` items, starting at `offset` or after `cursor`. `cursor` is the `X-Next-Cursor`
 * of the previous page. The offset is limited, because the database reads all items before it.
 */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
  offset: z.coerce.number().int().min(0).max(limits.page.maxOffset).optional(),
  cursor: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** Returns whether at least one field of a request is given. */
export const hasChange = (fields: object): boolean =>
  Object.values(fields).some((value) => value !== undefined)

export const Count = z.object({ count: z.number().int().min(0) })

/** The body of an error response. `errors` maps each invalid field to its messages. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.enum(errorCodes),
  errors: z.record(z.string(), z.array(z.string())).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

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

/** The number of months that each payment for a subscription covers. */
export const SubscriptionMonths = z.literal([1, 3, 6, 12])
export type SubscriptionMonths = z.infer<typeof SubscriptionMonths>
