import { z } from 'zod'
import { About, AboutVisibility } from './about.ts'
import { Id, SubscriptionMonths, Timestamp } from './common.ts'
import { NotificationSettings } from './notification-settings.ts'
import { ProfileVisibility } from './profile-visibility.ts'

export const FollowStatus = z.enum(['following', 'requested', 'none'])
export type FollowStatus = z.infer<typeof FollowStatus>

/**
 * Which new posts by a followed user the follower is notified about. `highlights` are premium posts and products. The
 * default is `all` for subscribers and `off` for other followers.
 */
export const PostAlerts = z.enum(['all', 'highlights', 'off'])
export type PostAlerts = z.infer<typeof PostAlerts>

export const PostAlertsRequest = z.strictObject({ postAlerts: PostAlerts })
export const PostAlertsResponse = z.object({ postAlerts: PostAlerts })

/** The name, handle and avatar of a user, shown with a post, a message or a notification. */
export const UserCard = z.object({
  id: Id,
  username: z.string(),
  /** The same as `username`: the name after the @ and in profile URLs. */
  handle: z.string(),
  /** The first and last name if either is set, otherwise the full name. */
  displayName: z.string(),
  fullName: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  isCreator: z.boolean(),
  isAdmin: z.boolean(),
})
export type UserCard = z.infer<typeof UserCard>

/** A user card with the fields that a follow button needs. */
export const FollowCard = UserCard.extend({
  profileVisibility: ProfileVisibility,
  followStatus: FollowStatus,
})
export type FollowCard = z.infer<typeof FollowCard>

/** A user as visible to the caller. Fields hidden from the caller are null. */
export const User = FollowCard.extend({
  createdAt: Timestamp,
  allowDirectMessages: z.boolean(),
  /** Whether others see the counts in `UserStats` (not only that of followers) and the lists behind them. */
  showFollowerCount: z.boolean(),
  /** Null if not set, or if the caller may not view the profile. The same applies to `backgroundImageUrl`. */
  bio: z.string().nullable(),
  backgroundImageUrl: z.string().nullable(),
  /** Whether the caller follows the user. False while a follow request is pending; see `followStatus`. */
  following: z.boolean(),
  /** Whether the caller may see the user's posts, About tab and (if not hidden) counts. */
  canView: z.boolean(),
  canMessage: z.boolean(),
})
export type User = z.infer<typeof User>

/**
 * A creator whom the caller follows or is subscribed to, with the time and a preview of their newest post. If the post
 * is `locked`, the preview contains the teaser instead of the text, and no image.
 */
export const CreatorUpdate = z.object({
  user: UserCard,
  latestPostAt: Timestamp,
  latestPost: z.object({
    id: Id,
    /**
     * The start of the text or, for a product post, of the product's name, up to `limits.creatorUpdateText` characters.
     * Empty if there is neither.
     */
    text: z.string(),
    isPremium: z.boolean(),
    locked: z.boolean(),
    mediaType: z.enum(['image', 'video']).nullable(),
    /** The image, or the still image of the video. */
    imageUrl: z.string().nullable(),
    /** A tiny blurred image as a `data:` URL. */
    placeholder: z.string().nullable(),
  }),
})
export type CreatorUpdate = z.infer<typeof CreatorUpdate>

/**
 * A user whom the caller follows and who follows the user in question, and the number of other such users. Only the 200
 * users whom the caller followed most recently are considered. A field of this type is null if there is no such user,
 * or if the caller may not see who follows the user in question.
 */
export const FollowedBy = z.object({ user: UserCard, othersCount: z.number().int().min(0) })
export type FollowedBy = z.infer<typeof FollowedBy>

/** A user with their About section. */
export const UserDetails = User.extend({
  ...About.shape,
  /**
   * The caller's active subscription to this creator, or null. It renews at `periodEnd`, unless `cancelled`. `price` is
   * in US dollars for `months` months.
   */
  subscription: z
    .object({ periodEnd: Timestamp, cancelled: z.boolean(), price: z.number(), months: SubscriptionMonths })
    .nullable(),
  /** Null if the caller does not follow the user. */
  postAlerts: PostAlerts.nullable(),
  followedBy: FollowedBy.nullable(),
})
export type UserDetails = z.infer<typeof UserDetails>

export const SessionTimeout = z.union([z.literal(15), z.literal(30), z.literal(60), z.literal(240)])

/** A suspension that makes an account read-only. */
export const Suspension = z.object({
  reason: z.string(),
  /** Null if it lasts until an admin lifts it. */
  until: Timestamp.nullable(),
})

/** The signed-in user's own record. */
export const OwnUser = User.extend({
  ...About.shape,
  ...AboutVisibility.shape,
  email: z.string(),
  /** The new email address, until it is confirmed and replaces `email`. Null if no change is pending. */
  pendingEmail: z.string().nullable(),
  /**
   * Whether the user has confirmed `email` with the link sent to it. If the site sends no mail, the address of a new
   * account counts as confirmed, unless the site requires confirmation. While this is false, selling, payouts and new
   * conversations with people who do not follow the user are refused with `email_unconfirmed`.
   */
  emailConfirmed: z.boolean(),
  /** Whether the user has finished or skipped the onboarding. */
  onboarded: z.boolean(),
  phoneNumber: z.string(),
  /**
   * Whether people who do not follow the user find the user's posts: in their feeds, in Discover, on topic pages, in
   * searches and in search engines. If not, the posts still appear on the profile and in the feeds of followers.
   */
  contentDiscoverable: z.boolean(),
  /** Whether the directory of people lists the user. */
  showProfileInDirectory: z.boolean(),
  showOnline: z.boolean(),
  showLastSeen: z.boolean(),
  showTyping: z.boolean(),
  notificationSettings: NotificationSettings,
  /**
   * A two-letter ISO 3166 code, visible only to the user and admins. Creators see what percentage of their followers
   * is in each country with at least five of them.
   */
  country: z.string().nullable(),
  /**
   * Whether auto-posting may write posts for this user. With `approveAutoPosts`, it publishes only drafts that the user
   * approves.
   */
  allowAutoPosting: z.boolean(),
  approveAutoPosts: z.boolean(),
  /**
   * The discounts on subscriptions to the user for 3, 6 and 12 months, in percent. Null for a length that the user does
   * not offer.
   */
  quarterlyDiscount: z.number().nullable(),
  halfYearlyDiscount: z.number().nullable(),
  yearlyDiscount: z.number().nullable(),
  /** Minutes of inactivity after which the app signs the user out; null for never. */
  sessionTimeout: SessionTimeout.nullable(),
  /**
   * Why the account is read-only (a suspension, an age under 18, an unconfirmed email address where the site requires
   * confirmation, a pending approval); null if it is not.
   */
  readOnlyReason: z.string().nullable(),
  /** The suspension, if that is why the account is read-only. */
  suspension: Suspension.nullish(),
  /**
   * Whether the user has ever earned anything. If so, Earnings stays available even if they are no longer a creator.
   */
  hasEarned: z.boolean(),
  /** Whether the user has an active subscription to any creator. */
  isSubscriber: z.boolean(),
  /**
   * The tabs that the user pinned to the home feed, in order: `subscriptions`, or a topic such as `#jazz`. Null
   * if the user has not chosen any. Later versions may add other tabs.
   */
  homeTabs: z.array(z.string()).nullable(),
})
export type OwnUser = z.infer<typeof OwnUser>

/** All counts are null if the caller may not see them. */
export const UserStats = z.object({
  posts: z.number().int().nullable(),
  followers: z.number().int().nullable(),
  following: z.number().int().nullable(),
  subscribers: z.number().int().nullable(),
  /**
   * The photo posts, video posts and premium posts among `posts`. A premium post with a photo or video counts as both.
   * Posts without a photo or video are text posts.
   */
  photos: z.number().int().nullable(),
  videos: z.number().int().nullable(),
  premiumPosts: z.number().int().nullable(),
  /** Views of the user's posts in the last 7 days (UTC), including today. Null unless the caller is the user. */
  viewsThisWeek: z.number().int().nullable(),
  /** Whether the user reposted a post that the caller can see. Not hidden with the counts. */
  hasReposts: z.boolean(),
})
export type UserStats = z.infer<typeof UserStats>

export const FollowResponse = z.object({
  status: FollowStatus,
  following: z.boolean(),
  followersCount: z.number().int().optional(),
})
export type FollowResponse = z.infer<typeof FollowResponse>

export const BlockResponse = z.object({ blocked: z.boolean() })
