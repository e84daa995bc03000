import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * A tag without the sign before it: letters, marks, digits and underscores of any script. Small letters are made each
 * by itself and with one sigma, as the database does, so that one topic has one address.
 */
export const Tag = z
  .string()
  .trim()
  .transform((tag) => [...tag.replace(/^#/, '').normalize('NFC')].map(small).join(''))
  .pipe(
    z
      .string()
      .regex(/^(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u)
      .max(limits.tag.max),
  )

const single: Record<string, string> = { İ: 'i', ς: 'σ' }
const small = (letter: string) => single[letter] ?? letter.toLowerCase()

/** `posts` counts what was posted with it in the last 7 days, `people` who did: by these topics rank. */
export const TrendingTag = z.object({
  tag: z.string(),
  posts: z.number().int().min(1),
  people: z.number().int().min(1),
})
export type TrendingTag = z.infer<typeof TrendingTag>
