import { z } from 'zod'
import { About, AboutShown } from './about.ts'
import { Id, Timestamp } from './common.ts'
import { NotificationSettings } from './notification-settings.ts'

export const ProfileVisibility = z.enum(['public', 'followers', 'private'])
export type ProfileVisibility = z.infer<typeof ProfileVisibility>

export const FollowStatus = z.enum(['following', 'requested', 'none'])
export type FollowStatus = z.infer<typeof FollowStatus>

/** What is shown of a person beside a post, a message or a notification: name, handle and picture. */
export const UserCard = z.object({
  id: Id,
  username: z.string(),
  /** What follows the @ and stands in profile links. */
  handle: z.string(),
  /** First and last name, else full name, else username. */
  displayName: z.string(),
  fullName: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  isCreator: z.boolean(),
  isAdmin: z.boolean(),
})
export type UserCard = z.infer<typeof UserCard>

/** A person as the caller may see them. What they hide from the caller is null. */
export const User = UserCard.extend({
  createdAt: Timestamp,
  profileVisibility: ProfileVisibility,
  allowDirectMessages: z.boolean(),
  showFollowerCount: z.boolean(),
  /** Null when the caller may not read the profile. */
  bio: z.string().nullable(),
  backgroundImageUrl: z.string().nullable(),
  /** True for the accepted follower; `followStatus` tells a request apart. */
  following: z.boolean(),
  followStatus: FollowStatus,
  /** The caller may read this person's posts, About tab and (if shown) counts. */
  canView: z.boolean(),
  /** The caller may send this person a message now. */
  canMessage: z.boolean(),
})
export type User = z.infer<typeof User>

/** One person, with what they tell about themselves. */
export const UserDetails = User.extend({
  ...About.shape,
  /** The caller's subscription to this creator, while it runs. `periodEnd`: it is renewed then, unless `cancelled`. */
  subscription: z.object({ periodEnd: Timestamp, cancelled: z.boolean() }).nullable(),
})
export type UserDetails = z.infer<typeof UserDetails>

export const SessionTimeout = z.union([z.literal(15), z.literal(30), z.literal(60), z.literal(240)])

/** The signed-in person's own record. */
export const OwnUser = User.extend({
  ...About.shape,
  ...AboutShown.shape,
  email: z.string(),
  /** The address that replaces `email` once the link in the mail to it is followed. */
  pendingEmail: z.string().nullable(),
  phoneNumber: z.string(),
  contentDiscoverable: z.boolean(),
  showProfileInDirectory: z.boolean(),
  showOnline: z.boolean(),
  showLastSeen: z.boolean(),
  showTyping: z.boolean(),
  notificationSettings: NotificationSettings,
  /** Two capital letters as in ISO 3166. Shown to nobody: counted with others' for creators' audiences. */
  country: z.string().nullable(),
  /** A program may write posts in this person's name; only drafts that they approve, with `approveAutoPosts`. */
  allowAutoPosting: z.boolean(),
  approveAutoPosts: z.boolean(),
  /** Minutes without a sign of the person after which their pages sign them out; null: never. */
  sessionTimeout: SessionTimeout.nullable(),
  /** Why this account may not change anything (a suspension, an age, an approval that is missing); null when it may. */
  readOnlyReason: z.string().nullable(),
  /** Earned something once: Earnings is open to them, also when they are no creator any more. */
  hasEarned: z.boolean(),
})
export type OwnUser = z.infer<typeof OwnUser>

/** Null where the person hides their counts from the caller. */
export const UserStats = z.object({
  posts: z.number().int().nullable(),
  followers: z.number().int().nullable(),
  following: z.number().int().nullable(),
  subscribers: z.number().int().nullable(),
})
export type UserStats = z.infer<typeof UserStats>

export const FollowAnswer = z.object({
  status: FollowStatus,
  following: z.boolean(),
  followersCount: z.number().int().optional(),
})
export type FollowAnswer = z.infer<typeof FollowAnswer>

export const BlockAnswer = z.object({ blocked: z.boolean() })
