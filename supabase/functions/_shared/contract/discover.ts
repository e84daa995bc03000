import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * A hashtag without the #: letters (at least one), marks, digits and underscores of any script. It is lowercased
 * character by character, with final sigma as sigma, as in the database, so that each topic has one URL.
 */
export const Tag = z
  .string()
  .trim()
  .transform((tag) => [...tag.replace(/^#/, '').normalize('NFC')].map(toLower).join(''))
  .pipe(
    z
      .string()
      .regex(/^(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u)
      .max(limits.tag.max),
  )

const exceptions: Record<string, string> = { İ: 'i', ς: 'σ' }
const toLower = (letter: string) => exceptions[letter] ?? letter.toLowerCase()

/**
 * A trending hashtag, with the number of posts that used it in the last 7 days and the number of users who wrote them.
 * Hashtags are ranked by the number of users, then by the number of posts.
 */
export const TrendingTag = z.object({
  tag: z.string(),
  posts: z.number().int().min(1),
  people: z.number().int().min(1),
})
export type TrendingTag = z.infer<typeof TrendingTag>

/**
 * A topic that a search found, with the number of its posts that the caller can find, up to
 * `limits.topicPostsCountCap`.
 */
export const TopicMatch = z.object({
  tag: z.string(),
  posts: z.number().int().min(1).max(limits.topicPostsCountCap),
})
export type TopicMatch = z.infer<typeof TopicMatch>
