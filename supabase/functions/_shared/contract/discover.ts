import { z } from 'zod'
import { PageQuery } from './common.ts'
import { limits } from './limits.ts'
import { FollowedBy, User } from './user.ts'

/**
 * A hashtag without the #: letters (at least one), marks and digits of any script, and underscores. Like the database,
 * this schema lowercases it character by character and replaces final sigma with sigma, so that each topic has only
 * one URL.
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

const lowercaseExceptions: Record<string, string> = { İ: 'i', ς: 'σ' }
const toLower = (letter: string) => lowercaseExceptions[letter] ?? letter.toLowerCase()

/**
 * `latest` lists the newest posts first. `popular` starts with the popular posts of the last 7 days
 * (`private.popular_posts`), as of the last run of the `trending` job, and continues with the others, newest first.
 */
export const DiscoverPostsQuery = PageQuery.extend({
  topic: Tag.optional(),
  sort: z.enum(['latest', 'popular']).default('latest'),
})
export type DiscoverPostsQuery = z.infer<typeof DiscoverPostsQuery>

/**
 * A trending hashtag, with the number of posts that used it in the last 7 days and the number of users who wrote them.
 * Hashtags are ranked by the number of users, then by the number of posts. Users count only if their profile is public,
 * their content is discoverable and their account is not read-only.
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

/** A creator on Discover. */
export const FeaturedCreator = User.extend({
  /** The counts are null if the creator hides them, or if the caller may not view the profile. */
  postsCount: z.number().int().min(0).nullable(),
  followersCount: z.number().int().min(0).nullable(),
  followedBy: FollowedBy.nullable(),
  /**
   * Images of the free posts among the creator's latest posts, newest first, up to `limits.creatorPhotos`. An image
   * that repeats the alt text of a newer one (for example, in a series of images) comes after all images that do not.
   */
  photos: z.array(
    z.object({
      imageUrl: z.string(),
      /** A tiny blurred image as a `data:` URL. */
      placeholder: z.string().nullable(),
    }),
  ),
})
export type FeaturedCreator = z.infer<typeof FeaturedCreator>
