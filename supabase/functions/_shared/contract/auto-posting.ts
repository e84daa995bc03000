import { z } from 'zod'
import { Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** Posts a day: low 1–2, moderate 2–3, high 3–4. */
export const AutoPostingFrequency = z.enum(['low', 'moderate', 'high'])
export type AutoPostingFrequency = z.infer<typeof AutoPostingFrequency>

/** How auto-posting stands with one creator. */
export const AutoPostingState = z.object({
  enabled: z.boolean(),
  frequency: AutoPostingFrequency,
  /** They agreed in Settings, and want to see each draft first. */
  agreed: z.boolean(),
  approves: z.boolean(),
  lastAutoPost: Timestamp.nullable(),
  /** When the next one is due, as far as that is planned. */
  nextAt: Timestamp.nullable(),
})
export type AutoPostingState = z.infer<typeof AutoPostingState>

/** `frequency` left out stays, 'moderate' at first. */
export const ToggleAutoPostingRequest = z.object({
  enabled: z.boolean('Please choose whether auto-posting is on.'),
  frequency: AutoPostingFrequency.optional(),
})
export type ToggleAutoPostingRequest = z.infer<typeof ToggleAutoPostingRequest>

/** `apiKey` is masked: 'sk-', up to 20 stars, the last 4 characters. */
export const AiKey = z.object({
  hasKey: z.boolean(),
  apiKey: z.string().nullable(),
  setAt: Timestamp.nullable(),
  /** When the provider said that it does not take this key; auto-posting waits for another one. */
  refusedAt: Timestamp.nullable(),
})
export type AiKey = z.infer<typeof AiKey>

const aiKeyTexts = {
  required: 'API Key is required',
  prefix: "API Key must start with 'sk-'",
} as const

export const AiKeyRequest = z.object({
  apiKey: z
    .string(aiKeyTexts.required)
    .trim()
    .min(1, aiKeyTexts.required)
    .startsWith('sk-', aiKeyTexts.prefix)
    .min(12, 'This API Key is too short.')
    .max(400, 'This API Key is too long.')
    .regex(/^[\x21-\x7e]+$/, 'This API Key contains characters that cannot be used.'),
})
export type AiKeyRequest = z.infer<typeof AiKeyRequest>
/** The key in full, for an admin who asked to see it: never kept by the page. */
export const AiKeyReveal = z.object({ apiKey: z.string() })
export type AiKeyReveal = z.infer<typeof AiKeyReveal>

/**
 * What became of one run. 'skipped': it did not begin, as a cap is reached, one is under way, or the provider refused
 * the key for everybody.
 */
export const AutoOutcome = z.enum([
  'published',
  'drafted',
  'previewed',
  'refused',
  'failed',
  'lost',
  'skipped',
])
export type AutoOutcome = z.infer<typeof AutoOutcome>

/** One round, now, for everyone enabled and agreed. */
export const AutoRound = z.object({
  runs: z.array(
    z.object({
      userId: Id,
      outcome: AutoOutcome,
      postId: Id.optional(),
      draftId: Id.optional(),
      /** Why, where nothing was published. */
      detail: z.string().optional(),
    }),
  ),
})
export type AutoRound = z.infer<typeof AutoRound>

/** A draft that is published nowhere. `basedOn` 'nothing': the person has not agreed, so nothing of theirs was sent. */
export const AutoPreview = z.object({
  content: z.string(),
  model: z.string(),
  /** US dollars. */
  cost: z.number(),
  basedOn: z.enum(['person', 'nothing']),
})
export type AutoPreview = z.infer<typeof AutoPreview>

/** One recorded run, for admins. */
export const AutoRun = z.object({
  id: Id,
  userId: Id,
  user: UserCard.nullable(),
  kind: z.enum(['slot', 'test', 'preview']),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  /** Null while it runs. */
  outcome: AutoOutcome.exclude(['skipped']).nullable(),
  detail: z.string().nullable(),
  model: z.string(),
  prompt: z.array(z.object({ role: z.string(), content: z.string() })).nullable(),
  answer: z.string().nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** US dollars. */
  cost: z.number(),
  /** Calls of the provider that it took. */
  calls: z.number().int(),
  postId: Id.nullable(),
  draftId: Id.nullable(),
})
export type AutoRun = z.infer<typeof AutoRun>

/** How much of today's caps is used; days are those of the settings' time zone. */
export const AutoPostingToday = z.object({
  /** Posts and drafts, those under way included. */
  posts: z.number().int(),
  maxPosts: z.number().int(),
  /** US dollars, what is set aside for runs under way included. */
  cost: z.number(),
  maxCost: z.number(),
  /** No more posts may be written: as many were, or less is left than is set aside for the cheapest one. */
  full: z.boolean(),
})
export type AutoPostingToday = z.infer<typeof AutoPostingToday>

export const AutoRunsQuery = PageQuery.extend({ userId: Id.optional() })

/** What a program wrote for the caller, who wants to see it first. */
export const AutoDraft = z.object({
  id: Id,
  content: z.string(),
  state: z.enum(['waiting', 'published', 'discarded', 'expired']),
  createdAt: Timestamp,
  decidedAt: Timestamp.nullable(),
  /** Until then it is offered. */
  expiresAt: Timestamp,
})
export type AutoDraft = z.infer<typeof AutoDraft>

/** `content`: as its creator changed it. */
export const PublishDraftRequest = z.strictObject({
  content: z
    .string()
    .trim()
    .refine((text) => !isBlank(text), 'Please write something first.')
    .max(limits.postContent.max, 'A post can have at most 5000 characters.')
    .optional(),
})
export type PublishDraftRequest = z.infer<typeof PublishDraftRequest>
