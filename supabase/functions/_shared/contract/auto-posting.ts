import { z } from 'zod'
import { Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank, maxCharacters } from './text.ts'
import { UserCard } from './user.ts'

/** Posts per day: low 1–2, moderate 2–3, high 3–4. */
export const AutoPostingFrequency = z.enum(['low', 'moderate', 'high'])
export type AutoPostingFrequency = z.infer<typeof AutoPostingFrequency>

/** The auto-posting state of one creator. */
export const AutoPostingState = z.object({
  enabled: z.boolean(),
  frequency: AutoPostingFrequency,
  /** The creator agreed to auto-posting in Settings. */
  agreed: z.boolean(),
  /** The creator approves each draft before it is published. */
  approves: z.boolean(),
  lastAutoPost: Timestamp.nullable(),
  /** When the next post is due; null if none is scheduled. */
  nextAt: Timestamp.nullable(),
})
export type AutoPostingState = z.infer<typeof AutoPostingState>

/** If `frequency` is omitted, it stays unchanged. The initial value is 'moderate'. */
export const ToggleAutoPostingRequest = z.object({
  enabled: z.boolean('Please choose whether auto-posting is on.'),
  frequency: AutoPostingFrequency.optional(),
})
export type ToggleAutoPostingRequest = z.infer<typeof ToggleAutoPostingRequest>

/** `apiKey` is masked: 'sk-', up to 20 asterisks, and the last 4 characters. */
export const AiKey = z.object({
  hasKey: z.boolean(),
  apiKey: z.string().nullable(),
  setAt: Timestamp.nullable(),
  /**
   * When the provider rejected the key; null if it did not. Until the key is replaced, or the provider accepts it in a
   * run that an admin starts, no auto-posts are written on schedule.
   */
  refusedAt: Timestamp.nullable(),
})
export type AiKey = z.infer<typeof AiKey>

const aiKeyErrors = {
  required: 'API Key is required',
  prefix: "API Key must start with 'sk-'",
} as const

export const AiKeyRequest = z.object({
  apiKey: z
    .string(aiKeyErrors.required)
    .trim()
    .min(1, aiKeyErrors.required)
    .startsWith('sk-', aiKeyErrors.prefix)
    .min(12, 'This API Key is too short.')
    .max(400, 'This API Key is too long.')
    .regex(/^[\x21-\x7e]+$/, 'This API Key contains characters that cannot be used.'),
})
export type AiKeyRequest = z.infer<typeof AiKeyRequest>
/** The full key, for an admin who asked to see it. Clients must not store it. */
export const AiKeyReveal = z.object({ apiKey: z.string() })
export type AiKeyReveal = z.infer<typeof AiKeyReveal>

/**
 * The outcome of one run. 'refused': no text passed the checks, or auto-posting is no longer allowed. 'lost': the
 * worker stopped responding or no longer held the slot (see `AutoRun.kind`), or the account was deleted.
 * 'skipped': the run did not start, for example because a limit is reached, another run is in progress, or the provider
 * rejected the key.
 */
export const AutoRunOutcome = z.enum([
  'published',
  'drafted',
  'previewed',
  'refused',
  'failed',
  'lost',
  'skipped',
])
export type AutoRunOutcome = z.infer<typeof AutoRunOutcome>

/** The result of running auto-posting now for every creator who has agreed to it and for whom it is on. */
export const AutoRound = z.object({
  runs: z.array(
    z.object({
      userId: Id,
      outcome: AutoRunOutcome,
      postId: Id.optional(),
      draftId: Id.optional(),
      /** Why nothing was published. */
      detail: z.string().optional(),
    }),
  ),
})
export type AutoRound = z.infer<typeof AutoRound>

/**
 * A sample post, which is neither published nor stored as a draft. `basedOn` is 'nothing' if none of the creator's data
 * was sent to the provider, because the creator has not agreed to auto-posting.
 */
export const AutoPreview = z.object({
  content: z.string(),
  model: z.string(),
  /** US dollars. */
  cost: z.number(),
  basedOn: z.enum(['person', 'nothing']),
})
export type AutoPreview = z.infer<typeof AutoPreview>

/** A recorded run, for admins. */
export const AutoRun = z.object({
  id: Id,
  userId: Id,
  user: UserCard.nullable(),
  /**
   * Whether the run was for a slot (a time at which a post of the creator is due), for a round that an admin started
   * (`test`), or for a preview.
   */
  kind: z.enum(['slot', 'test', 'preview']),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  /** Null while the run is in progress. */
  outcome: AutoRunOutcome.exclude(['skipped']).nullable(),
  detail: z.string().nullable(),
  model: z.string(),
  prompt: z.array(z.object({ role: z.string(), content: z.string() })).nullable(),
  answer: z.string().nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** US dollars. */
  cost: z.number(),
  /** Calls to the provider. */
  calls: z.number().int(),
  postId: Id.nullable(),
  draftId: Id.nullable(),
})
export type AutoRun = z.infer<typeof AutoRun>

/** How much of today's limits has been used. A day begins at midnight in the `timeZone` of `InstanceSettings`. */
export const AutoPostingToday = z.object({
  /** Posts and drafts, including those in progress. */
  posts: z.number().int(),
  maxPosts: z.number().int(),
  /** US dollars, including what is reserved for runs in progress. */
  cost: z.number(),
  maxCost: z.number(),
  /** A limit is reached: no posts are left, or the remaining budget may not be enough for even the cheapest post. */
  full: z.boolean(),
})
export type AutoPostingToday = z.infer<typeof AutoPostingToday>

export const AutoRunsQuery = PageQuery.extend({ userId: Id.optional() })

/** A post that auto-posting wrote for the caller, to be published after their approval. */
export const AutoDraft = z.object({
  id: Id,
  content: z.string(),
  state: z.enum(['waiting', 'published', 'discarded', 'expired']),
  createdAt: Timestamp,
  decidedAt: Timestamp.nullable(),
  /** When the draft expires. */
  expiresAt: Timestamp,
})
export type AutoDraft = z.infer<typeof AutoDraft>

/** `content` replaces the draft's text. */
export const PublishDraftRequest = z.strictObject({
  content: z
    .string()
    .trim()
    .refine((text) => !isBlank(text), 'Please write something first.')
    .check(maxCharacters(limits.postContent.max, 'A post can have at most 5000 characters.'))
    .optional(),
})
export type PublishDraftRequest = z.infer<typeof PublishDraftRequest>
