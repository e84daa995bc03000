import { z } from 'zod'
import { limits } from './limits.ts'

/** A tag as posts hold it: small letters, digits and underscores of any script, without the sign before it. */
export const Tag = z
  .string()
  .trim()
  .transform((tag) => tag.replace(/^#/, '').normalize('NFC').toLowerCase())
  .pipe(
    z
      .string()
      .regex(/^(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u)
      .max(limits.tag.max),
  )

/** `posts` counts what was posted with it in the last 7 days. */
export const TrendingTag = z.object({ tag: z.string(), posts: z.number().int().min(1) })
export type TrendingTag = z.infer<typeof TrendingTag>
