import type { AutoRunOutcome } from '../contract/auto-posting.ts'
import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { saveKeyStatus, type UsableKey } from './ai-key.ts'
import { costMicrosOf, maxInputTokens, maxOutputTokens } from './cost.ts'
import { buildPrompt, type CreatorContext } from './prompt.ts'
import { createProvider, defaultTimeouts, maxTries } from './provider.ts'
import type { ProviderError } from './provider-errors.ts'
import {
  beginRun,
  endRun,
  type Refusal,
  type Rules,
  type RunKind,
  readCreatorContext,
  releaseSlot,
  type Slot,
} from './run-queries.ts'
import { maxAttempts, type WriteResult, writePost } from './write-post.ts'

/** The time limit for a run, less than the 60 s that the gateway waits for a response. */
export const runTimeLimitMs = 50_000

/** The state that the runs of one batch share. */
export type Batch = {
  key: UsableKey
  rules: Rules
  now(): Date
  /** An error of one run that would make every other run fail too; null if there was none. */
  haltedBy: ProviderError | null
}

export type RunResult = {
  userId: string
  outcome: AutoRunOutcome
  postId: string | null
  draftId: string | null
  detail: string | null
  refusal: Refusal | null
  /** Only set for a preview. */
  content: string | null
  costMicros: number
  error: ProviderError | null
  /** Whether the prompt is based on the creator's own data. */
  basedOn: 'person' | 'nothing'
}

/** Returns the result of a run that did not begin. */
export const skippedRun = (userId: string, detail: string | null = null): RunResult => ({
  userId,
  outcome: 'skipped',
  postId: null,
  draftId: null,
  detail,
  refusal: null,
  content: null,
  costMicros: 0,
  error: null,
  basedOn: 'nothing',
})

const refusalMessages: Record<Refusal, string> = {
  not_wanted: 'Auto-posting is no longer on for this creator.',
  slot_taken: 'The worker no longer held this slot.',
  cost_cap: 'The daily cost limit is reached.',
  post_cap: 'The daily post limit is reached.',
  creator_cap: "This creator's daily post limit is reached.",
  busy: 'A post for this creator is being written or was just published.',
}

/**
 * Returns the most that a run may cost, in millionths of a US dollar. Every try counts: the provider may charge for a
 * response that never arrives.
 */
export function reservedCostMicros(creator: CreatorContext | null, rules: Rules): number {
  // The longest prompt is that of the second attempt.
  const longestPrompt = buildPrompt(creator, 0, 'x'.repeat(200))
  return costMicrosOf(maxInputTokens(longestPrompt), maxOutputTokens, rules) * maxAttempts * maxTries
}

/**
 * Writes one post on behalf of a creator and records the run.
 *
 * @param deadline the value of `performance.now()` by which the run has to end
 */
export async function executeRun(
  batch: Batch,
  userId: string,
  kind: RunKind,
  deadline: number,
  slot: Slot | null = null,
): Promise<RunResult> {
  const { key, rules } = batch
  const creator = await readCreatorContext(userId)
  const emptyResult: RunResult = { ...skippedRun(userId), basedOn: creator ? 'person' : 'nothing' }
  const { run, refusal } = await beginRun({
    userId,
    kind,
    now: batch.now(),
    model: rules.model,
    reservedCostMicros: reservedCostMicros(creator, rules),
    slot,
  })
  if (run === null) {
    // The slot is retried if another run of this creator is in progress. It is also retried if a limit is reached,
    // because other runs may end up using less than they reserved.
    const isBusy = refusal === 'busy'
    if (slot) {
      await releaseSlot(userId, slot, batch.now(), { retry: isBusy || isCap(refusal), countsAsTry: !isBusy })
    }
    return { ...emptyResult, refusal, detail: refusalMessages[refusal ?? 'busy'] }
  }

  const provider = createProvider({
    baseUrl: env.openaiBaseUrl,
    apiKey: key.apiKey,
    model: rules.model,
    prices: rules,
    deadline,
    timeouts: defaultTimeouts,
  })
  const write = async () => {
    // Read again, because another run of this creator may have published a post before this run began.
    const { recent = [] } = (await readCreatorContext(userId)) ?? {}
    const checks = { bannedWords: rules.bannedWords, recent, secrets: [key.apiKey] }
    return await writePost(provider, creator, checks, Math.random)
  }
  const written = await write().catch(toFailedResult)
  if (written.error?.affectsAllRuns) batch.haltedBy = written.error
  if (written.error?.isKeyRejected) await trySaveKeyStatus(key, true)
  if (written.outcome !== 'failed') await trySaveKeyStatus(key, false)

  const { content } = written
  const outcome =
    written.outcome === 'good' ? (kind === 'preview' ? 'previewed' : 'published') : written.outcome
  const ended = await endRun({
    run,
    userId,
    written,
    used: provider.used,
    now: batch.now(),
    slot,
    outcome,
  })
  return {
    ...emptyResult,
    ...ended,
    outcome: ended.outcome as AutoRunOutcome,
    content: kind === 'preview' ? content : null,
    costMicros: provider.used.costMicros,
    error: written.error,
  }
}

const isCap = (refusal: Refusal | null) => refusal?.endsWith('_cap') ?? false

/** Saves the key's status. A failure is only logged, so that the written text is not lost. */
const trySaveKeyStatus = (key: UsableKey, isRejected: boolean): Promise<void> =>
  saveKeyStatus(key, isRejected).catch(() => log('warn', 'ai_key_status_save_failed'))

/** The detail of a run that failed with an internal error. The error's own message may contain user data. */
export const internalErrorDetail = 'Something went wrong on our side.'

function toFailedResult(error: unknown): WriteResult {
  log('error', 'auto_post_failed', { kind: error instanceof Error ? error.name : 'unknown' })
  return {
    content: null,
    outcome: 'failed',
    detail: internalErrorDetail,
    error: null,
    prompt: [],
    answer: null,
  }
}
