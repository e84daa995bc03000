import { z } from 'zod'
import { About, AboutVisibility, aboutFields, ageField } from './about.ts'
import { accountFields } from './auth.ts'
import { AutoPostingState } from './auto-posting.ts'
import { Dollars, hasChange, Id, PageQuery, Timestamp } from './common.ts'
import { Health } from './config.ts'
import { limits } from './limits.ts'
import { CreatePostBase, withPostRules } from './post.ts'
import { bioField } from './settings.ts'
import { maxCharacters } from './text.ts'
import { Suspension, User, UserCard } from './user.ts'

export const AdminStats = z.object({
  totalUsers: z.number().int(),
  creators: z.number().int(),
  admins: z.number().int(),
  suspended: z.number().int(),
  unapproved: z.number().int(),
  autoPosting: z.number().int(),
  newThisWeek: z.number().int(),
  /** New users on each of the last 30 days in UTC, oldest first. The last day is today. */
  signUps: z.array(z.number().int()),
  openCases: z.number().int(),
  openAppeals: z.number().int(),
  waitingPayouts: z.number().int(),
})
export type AdminStats = z.infer<typeof AdminStats>

/** A user as admins see them. */
export const AdminUser = User.omit({
  following: true,
  followStatus: true,
  canView: true,
  canMessage: true,
}).extend({
  ...About.shape,
  ...AboutVisibility.shape,
  email: z.string(),
  phoneNumber: z.string(),
  country: z.string().nullable(),
  showProfileInDirectory: z.boolean(),
  /** The same as `contentDiscoverable` in the user's own settings. */
  makeProfileDiscoverable: z.boolean(),
  autoPostingEnabled: z.boolean(),
  autoPostingFrequency: AutoPostingState.shape.frequency,
  lastAutoPost: Timestamp.nullable(),
  /** Auto-posting is on, but the user has not agreed to it yet. */
  awaitingConsent: z.boolean(),
  autoPostingAgreed: z.boolean(),
  approvedAt: Timestamp.nullable(),
  /** The admin who approved the account. Null if the account is not approved, or if the admin's account was deleted. */
  approvedBy: UserCard.nullable(),
  suspended: z.boolean(),
  /** Null for a suspension without an end date. */
  suspendedUntil: Timestamp.nullable(),
  /** When the user last had a page of the site open and visible. Null if this has not been recorded. */
  lastSeenAt: Timestamp.nullable(),
  postCount: z.number().int(),
  /** The number of open moderation cases about the user or their content. */
  openCases: z.number().int(),
  /** Why the account is read-only; null if it is not. */
  readOnlyReason: z.string().nullable(),
  /** The suspension, if `readOnlyReason` describes one. */
  suspension: Suspension.nullish(),
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
/** The order of the list: by registration date or by display name. */
export const AdminUserSort = z.enum(['newest', 'oldest', 'name', 'name_desc'])
export type AdminUserSort = z.infer<typeof AdminUserSort>
/**
 * `search` matches name, username and email. A cursor is valid only with the `sort` of the request that returned it.
 */
export const AdminUsersQuery = PageQuery.extend({
  /** Longer than in other lists, because it can contain a name. */
  cursor: z.string().max(800).optional(),
  offset: z.coerce.number().int().min(0).max(limits.page.adminMaxOffset).optional(),
  search: z.string().trim().max(limits.searchQuery.max).optional(),
  filter: AdminUserFilter.optional(),
  sort: AdminUserSort.optional(),
})
export type AdminUsersQuery = z.infer<typeof AdminUsersQuery>

const toggle = z.boolean('Please choose whether this is on.')

/**
 * The form in which an admin edits a profile. Optional fields that are omitted stay unchanged. Null or an empty string
 * clears a field that may be empty.
 */
export const AdminProfileRequest = z.strictObject({
  fullName: accountFields.fullName,
  username: accountFields.username,
  email: accountFields.email,
  phoneNumber: accountFields.phoneNumber.optional(),
  bio: bioField.optional(),
  ...aboutFields,
  age: ageField(limits.age.adminMin).optional(),
  ...AboutVisibility.partial().shape,
  allowDirectMessages: toggle,
  showFollowerCount: toggle,
  showProfileInDirectory: toggle,
  makeProfileDiscoverable: toggle,
  /** From `POST /api/admin/upload/profile-image` and `…/background-image`, or the current URL to keep the image. */
  profileImageUrl: z.string().max(500).nullish(),
  backgroundImageUrl: z.string().max(500).nullish(),
})
export type AdminProfileRequest = z.output<typeof AdminProfileRequest>

const AdminPostPrice = Dollars(
  { min: limits.premiumPrice.adminMin, max: limits.premiumPrice.max },
  `Please enter a price between $${limits.premiumPrice.adminMin.toFixed(2)} and $${limits.premiumPrice.max}.`,
)

/** A post that an admin creates for a creator. The admin's uploads in the post become the creator's. */
export const AdminPostRequest = withPostRules(
  CreatePostBase.omit({
    teaser: true,
    includedInSubscription: true,
    showUnlocks: true,
    quotedPostId: true,
  }).extend({
    userId: Id,
    content: z
      .string('Post content is required')
      .trim()
      .min(1, 'Post content is required')
      .check(maxCharacters(limits.postContent.max, 'A post can have at most 5000 characters.')),
    premiumPrice: AdminPostPrice.nullish(),
  }),
)
export type AdminPostRequest = z.input<typeof AdminPostRequest>

const reason = z
  .string('Please say why.')
  .trim()
  .min(1, 'Please say why.')
  .check(
    maxCharacters(
      limits.moderationReason.max,
      `A reason can have at most ${limits.moderationReason.max} characters.`,
    ),
  )

/**
 * The body is optional. `reason` is included in the email to the user. `giveUpBalance` forfeits a balance of at least
 * the minimum payout, which otherwise prevents the removal.
 */
export const RemoveUserRequest = z.object({
  reason: reason.optional(),
  giveUpBalance: z.boolean().default(false),
})
export type RemoveUserRequest = z.output<typeof RemoveUserRequest>

/** `isCreator` is the new state, so a double click changes it only once. Without a body, the state is toggled. */
export const ToggleCreatorRequest = z.object({ isCreator: z.boolean().optional() })

/** `days` is null for a suspension without an end date. */
export const SuspendUserRequest = z.strictObject({
  reason,
  days: z
    .number('Please choose a duration.')
    .int('Please choose whole days.')
    .min(1, 'Please choose at least one day.')
    .max(limits.suspensionDays.max, `Please choose at most ${limits.suspensionDays.max} days.`)
    .nullable(),
})
export type SuspendUserRequest = z.infer<typeof SuspendUserRequest>

/**
 * Settings of this instance. Hours are in `timeZone`, prices in US dollars per million tokens, costs in US dollars.
 */
export const InstanceSettings = z.object({
  /** New accounts are read-only until an admin approves them. */
  requireApproval: z.boolean(),
  /** A new account is signed in right after registering. Otherwise, its owner signs in on the sign-in page. */
  signInAfterRegistration: z.boolean(),
  /** Turning on the Creator Account switch requires a paid plan. */
  creatorProBilling: z.boolean(),
  /**
   * Words or phrases that no auto-post may contain. They are matched as whole words, ignoring case and accents; in
   * scripts without spaces between words, they are matched anywhere in the text.
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

const wholeNumber = (min: number, max: number) =>
  z
    .number(`Please enter a number between ${min} and ${max}.`)
    .int(`Please enter a whole number.`)
    .min(min, `Please enter a number between ${min} and ${max}.`)
    .max(max, `Please enter a number between ${min} and ${max}.`)
const price = z
  .number('Please enter an amount between $0 and $1,000.')
  .min(0, 'Please enter an amount between $0 and $1,000.')
  .max(1000, 'Please enter an amount between $0 and $1,000.')

export const InstanceSettingsRequest = z
  .strictObject({
    requireApproval: z.boolean().optional(),
    signInAfterRegistration: z.boolean().optional(),
    creatorProBilling: z.boolean().optional(),
    bannedWords: z
      .array(z.string().trim().min(2, 'A banned word must have at least 2 characters.').max(60))
      .max(500, 'There can be at most 500 banned words.')
      .optional(),
    autoPosting: z
      .strictObject({
        maxPostsPerDay: wholeNumber(0, 10_000).optional(),
        maxPostsPerCreator: wholeNumber(0, 24).optional(),
        maxCostPerDay: price.optional(),
        timeZone: z.string().refine(isTimeZone, 'Please enter a time zone, like Europe/Berlin.').optional(),
        fromHour: wholeNumber(0, 23).optional(),
        toHour: wholeNumber(1, 24).optional(),
        model: z
          .string()
          .trim()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/, 'Please enter a valid model name.')
          .optional(),
        inputPrice: price.optional(),
        outputPrice: price.optional(),
      })
      .optional(),
  })
  .refine(hasChange, 'Please change at least one setting.')
export type InstanceSettingsRequest = z.infer<typeof InstanceSettingsRequest>

export const JobStatus = z.object({
  name: z.string(),
  /** What the job does, in one sentence. */
  purpose: z.string(),
  /** Seconds between the starts of two runs. */
  every: z.number().int(),
  running: z.boolean(),
  /** Null if the job has not run yet. */
  lastStartedAt: Timestamp.nullable(),
  lastEndedAt: Timestamp.nullable(),
  lastDoneAt: Timestamp.nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  /** The counts that the last run returned, or why the run failed. */
  detail: z.string().nullable(),
  /** The duration in seconds of the last run that ended. */
  lastSeconds: z.number().nullable(),
  /** Consecutive failed runs. From the second one on, the job waits longer with each failure. */
  failures: z.number().int(),
  nextAt: Timestamp.nullable(),
  /** The next run is overdue by more than two intervals. */
  late: z.boolean(),
})
export type JobStatus = z.infer<typeof JobStatus>

/** The state of the instance, for the admin page "System". */
export const SystemStatus = z.object({
  checks: Health.shape.checks,
  /** The number of items that are due but not yet processed. */
  queues: z.object({
    fileDeletions: z.number().int(),
    mediaChecks: z.number().int(),
    digestMails: z.number().int(),
    moderationCases: z.number().int(),
    payouts: z.number().int(),
    autoPosts: z.number().int(),
    newPosts: z.number().int(),
  }),
  /** The database connections of all programs. */
  connections: z.number().int(),
  maxConnections: z.number().int(),
  /** The connections of the API. */
  pool: z.object({ size: z.number().int(), inUse: z.number().int(), waiting: z.number().int() }),
  /** Null on a platform without its own disk. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
  /**
   * When the last backup ended; `lastAt` is null if none has ended yet. `backup` is null if no backup is scheduled and
   * none was ever made, or if Supabase makes the backups.
   */
  backup: z.object({ lastAt: Timestamp.nullable() }).nullable(),
  /** By how many cents the ledger is out of balance. Null if it could not be checked. */
  ledgerImbalanceCents: z.number().int().nullable(),
  /** The last warnings and errors, newest first. On Supabase, only those of the function instance that responds. */
  errors: z.array(
    z.object({
      time: Timestamp,
      level: z.enum(['warn', 'error']),
      event: z.string(),
      requestId: z.string().nullable(),
      detail: z.string(),
    }),
  ),
})
export type SystemStatus = z.infer<typeof SystemStatus>

/** The IP address of the client as the API sees it, for an admin who checks the proxy settings. */
export const SeenClientAddress = z.object({
  /** `unknown` if no proxy reported one. */
  address: z.string(),
  /** The network that rate limits apply to: an IPv4 address, or the /64 of an IPv6 address. */
  network: z.string(),
  /** `proxy`: sent with PROXY_SECRET. `forwarded`: a hop of `X-Forwarded-For`. */
  source: z.enum(['proxy', 'forwarded', 'none']),
  /** The last 20 hops of `X-Forwarded-For`, of which the first ones may be forged. */
  forwardedFor: z.array(z.string()),
})
export type SeenClientAddress = z.infer<typeof SeenClientAddress>
