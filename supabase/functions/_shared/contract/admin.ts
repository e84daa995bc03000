import { z } from 'zod'
import { About, AboutShown, aboutFields, ageFrom } from './about.ts'
import { accountFields } from './auth.ts'
import { AutoPostingState } from './auto-posting.ts'
import { Dollars, Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { CreatePostBase, withinPostRules } from './post.ts'
import { bioField } from './settings.ts'
import { User, UserCard } from './user.ts'

/** How many of what there is. */
export const AdminStats = z.object({
  totalUsers: z.number().int(),
  creators: z.number().int(),
  admins: z.number().int(),
  suspended: z.number().int(),
  newThisWeek: z.number().int(),
  openCases: z.number().int(),
  openAppeals: z.number().int(),
  waitingPayouts: z.number().int(),
})
export type AdminStats = z.infer<typeof AdminStats>

/** A person as admins see them. */
export const AdminUser = User.omit({
  following: true,
  followStatus: true,
  canView: true,
  canMessage: true,
}).extend({
  ...About.shape,
  ...AboutShown.shape,
  email: z.string(),
  phoneNumber: z.string(),
  country: z.string().nullable(),
  showProfileInDirectory: z.boolean(),
  /** What the person's own settings call `contentDiscoverable`. */
  makeProfileDiscoverable: z.boolean(),
  autoPostingEnabled: z.boolean(),
  autoPostingFrequency: AutoPostingState.shape.frequency,
  lastAutoPost: Timestamp.nullable(),
  /** Auto-posting is on, and waits for the person to agree. */
  awaitingConsent: z.boolean(),
  autoPostingAgreed: z.boolean(),
  approvedAt: Timestamp.nullable(),
  /** Who vouched; null where nobody did, or their account is gone. */
  approvedBy: UserCard.nullable(),
  suspended: z.boolean(),
  /** Null: until it is lifted. */
  suspendedUntil: Timestamp.nullable(),
  /** Why the person may not change anything; null when they may. */
  readOnlyReason: z.string().nullable(),
})
export type AdminUser = z.infer<typeof AdminUser>

export const AdminUserFilter = z.enum([
  'all',
  'creators',
  'admins',
  'suspended',
  'unapproved',
  'auto_posting',
])
export type AdminUserFilter = z.infer<typeof AdminUserFilter>
/** `search` looks in name, username and email. */
export const AdminUsersQuery = PageQuery.extend({
  search: z.string().trim().max(limits.searchQuery.max).optional(),
  filter: AdminUserFilter.optional(),
})
export type AdminUsersQuery = z.infer<typeof AdminUsersQuery>

export { totalCountHeader } from './common.ts'

const shown = z.boolean('Please choose whether this is on.')

/** The whole form of the admin's dialog; what is optional and left out stays. `null`, or an empty text, clears it. */
export const AdminProfileRequest = z.strictObject({
  fullName: accountFields.fullName,
  username: accountFields.username,
  email: accountFields.email,
  phoneNumber: accountFields.phoneNumber.optional(),
  bio: bioField.optional(),
  ...aboutFields,
  age: ageFrom(limits.age.adminMin).optional(),
  ...AboutShown.partial().shape,
  allowDirectMessages: shown,
  showFollowerCount: shown,
  showProfileInDirectory: shown,
  makeProfileDiscoverable: shown,
  /** What `POST /api/admin/upload/profile-image` and `…/background-image` answered; the address it has leaves it. */
  profileImageUrl: z.string().max(500).nullish(),
  backgroundImageUrl: z.string().max(500).nullish(),
})
export type AdminProfileRequest = z.output<typeof AdminProfileRequest>

const AdminPostPrice = Dollars(
  { min: limits.premiumPrice.adminMin, max: limits.premiumPrice.max },
  `Please enter a price between $${limits.premiumPrice.adminMin.toFixed(2)} and $${limits.premiumPrice.max}.`,
)

/** A post in a creator's name. The uploads are the admin's own, and become the creator's. */
export const AdminPostRequest = withinPostRules(
  CreatePostBase.omit({ teaser: true, includedInSubscription: true }).extend({
    userId: Id,
    content: z
      .string('Post content is required')
      .trim()
      .min(1, 'Post content is required')
      .max(limits.postContent.max, 'A post can have at most 5000 characters.'),
    premiumPrice: AdminPostPrice.nullish(),
  }),
)
export type AdminPostRequest = z.input<typeof AdminPostRequest>

const reason = z
  .string('Please say why.')
  .trim()
  .min(1, 'Please say why.')
  .max(limits.moderationReason.max, `A reason can have at most ${limits.moderationReason.max} characters.`)

/** A body is optional: `reason` is what the person is written, `giveUpBalance` gives up what could be paid out. */
export const RemoveUserRequest = z.object({
  reason: reason.optional(),
  giveUpBalance: z.boolean().default(false),
})
export type RemoveUserRequest = z.output<typeof RemoveUserRequest>

/** With `isCreator` the wanted state, so that a double click changes it once; without a body, the other one. */
export const ToggleCreatorRequest = z.object({ isCreator: z.boolean().optional() })

/** `days` null: until it is lifted. */
export const SuspendUserRequest = z.strictObject({
  reason,
  days: z
    .number('Please choose for how long.')
    .int('Please choose whole days.')
    .min(1, 'Please choose one day or more.')
    .max(limits.suspensionDays.max, `Please choose at most ${limits.suspensionDays.max} days.`)
    .nullable(),
})
export type SuspendUserRequest = z.infer<typeof SuspendUserRequest>

/** The switches of this instance. Hours are of `timeZone`, prices US dollars a million tokens, costs US dollars. */
export const InstanceSettings = z.object({
  /** New accounts are read-only until an admin approves them. */
  requireApproval: z.boolean(),
  /** The Creator Account switch leads to payment. */
  creatorProBilling: z.boolean(),
  /**
   * Words or phrases, as whole words, that no auto-post may contain: in any case and with any accents. Scripts without
   * spaces between words are searched for them as parts of texts.
   */
  bannedWords: z.array(z.string()),
  autoPosting: z.object({
    maxPostsPerDay: z.number().int(),
    maxPostsPerCreator: z.number().int(),
    maxCostPerDay: z.number(),
    timeZone: z.string(),
    fromHour: z.number().int(),
    toHour: z.number().int(),
    model: z.string(),
    inputPrice: z.number(),
    outputPrice: z.number(),
  }),
})
export type InstanceSettings = z.infer<typeof InstanceSettings>

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)
  } catch {
    return false
  }
}

const whole = (min: number, max: number) =>
  z
    .number(`Please enter a number between ${min} and ${max}.`)
    .int(`Please enter a whole number.`)
    .min(min, `Please enter a number between ${min} and ${max}.`)
    .max(max, `Please enter a number between ${min} and ${max}.`)
const price = z
  .number('Please enter a price.')
  .min(0, 'Please enter a price.')
  .max(1000, 'Please enter a price.')

/** What of them is to change. */
export const InstanceSettingsRequest = z
  .strictObject({
    requireApproval: z.boolean().optional(),
    creatorProBilling: z.boolean().optional(),
    bannedWords: z
      .array(z.string().trim().min(2, 'A banned word has two letters or more.').max(60))
      .max(500, 'There can be at most 500 banned words.')
      .optional(),
    autoPosting: z
      .strictObject({
        maxPostsPerDay: whole(0, 10_000).optional(),
        maxPostsPerCreator: whole(0, 24).optional(),
        maxCostPerDay: price.optional(),
        timeZone: z.string().refine(isTimeZone, 'Please enter a time zone, like Europe/Berlin.').optional(),
        fromHour: whole(0, 23).optional(),
        toHour: whole(1, 24).optional(),
        model: z
          .string()
          .trim()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/, 'Please name a model.')
          .optional(),
        inputPrice: price.optional(),
        outputPrice: price.optional(),
      })
      .optional(),
  })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one setting.',
  )
export type InstanceSettingsRequest = z.infer<typeof InstanceSettingsRequest>

/** How a job of the schedule stands. */
export const JobStatus = z.object({
  name: z.string(),
  /** What it is for, in a sentence. */
  purpose: z.string(),
  /** Seconds between two turns. */
  every: z.number().int(),
  running: z.boolean(),
  /** Null: it has not run yet. */
  lastStartedAt: Timestamp.nullable(),
  lastEndedAt: Timestamp.nullable(),
  lastDoneAt: Timestamp.nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  /** What it did, in numbers, or why it failed. */
  detail: z.string().nullable(),
  /** Failed turns without one that went well between. */
  failures: z.number().int(),
  nextAt: Timestamp.nullable(),
  /** It should have run by now, and has not. */
  late: z.boolean(),
})
export type JobStatus = z.infer<typeof JobStatus>
