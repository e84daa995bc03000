import type { AutoOutcome } from '../contract/auto-posting.ts'
import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { costOf, mostInput, mostOutput } from './cost.ts'
import { noteKey, type WorkingKey } from './key.ts'
import type { ProviderProblem } from './problem.ts'
import { type Material, promptFor } from './prompt.ts'
import { mostTries, openProvider, usualPatience } from './provider.ts'
import {
  beginRun,
  endRun,
  type Refusal,
  type Rules,
  type RunKind,
  readMaterial,
  releaseSlot,
  type Slot,
} from './store.ts'
import { mostAttempts, type Written, writePost } from './write.ts'

/** Milliseconds that one run may take: a call of the API is waited for 60 s. */
export const runTime = 50_000

/** What all runs of a round, or of a turn of the schedule, have in common. */
export type Round = {
  key: WorkingKey
  rules: Rules
  /** What the clock says now. */
  now(): Date
  /** Why nobody else will fare better; null while they may. */
  halted: ProviderProblem | null
}

export type Outcome = {
  userId: string
  outcome: AutoOutcome
  postId: string | null
  draftId: string | null
  detail: string | null
  refusal: Refusal | null
  /** Of a preview alone. */
  content: string | null
  costMicros: number
  problem: ProviderProblem | null
  basedOn: 'person' | 'nothing'
}

/** What a run comes to that did not begin. */
export const skipped = (userId: string, detail: string | null = null): Outcome => ({
  userId,
  outcome: 'skipped',
  postId: null,
  draftId: null,
  detail,
  refusal: null,
  content: null,
  costMicros: 0,
  problem: null,
  basedOn: 'nothing',
})

const refusals: Record<Refusal, string> = {
  not_wanted: 'It is not wanted any more.',
  slot_taken: 'Another worker took it over.',
  cost_cap: 'The most that a day may cost is reached.',
  post_cap: 'The most posts of a day are reached.',
  creator_cap: 'The most posts of a day for this creator are reached.',
  busy: 'A post for them is being written, or was published just now.',
}

/** Millionths of a US dollar that are set aside for a run: every try may be charged for, whether its answer comes or not. */
export function keptAside(material: Material | null, rules: Rules): number {
  // The longest prompt is the second attempt's.
  const one = costOf(mostInput(promptFor(material, 0, 'x'.repeat(200))), mostOutput, rules)
  return one * mostAttempts * mostTries
}

/**
 * Has one post written in somebody's name, from its beginning in the books to its end there.
 *
 * @param deadline the moment, of `performance.now()`, by which it is over
 */
export async function runOne(
  round: Round,
  userId: string,
  kind: RunKind,
  deadline: number,
  slot: Slot | null = null,
): Promise<Outcome> {
  const { key, rules } = round
  const material = await readMaterial(userId)
  const nothing: Outcome = { ...skipped(userId), basedOn: material ? 'person' : 'nothing' }
  const { run, refusal } = await beginRun({
    person: userId,
    kind,
    at: round.now(),
    model: rules.model,
    keepAside: keptAside(material, rules),
    slot,
  })
  if (run === null) {
    // What others keep aside for a moment may fill a cap, so that is tried again, and another run of this person is
    // waited for; what is another's is left alone.
    const busy = refusal === 'busy'
    if (slot) await releaseSlot(userId, slot, round.now(), busy || isCap(refusal), !busy)
    return { ...nothing, refusal, detail: refusals[refusal ?? 'busy'] }
  }

  const provider = openProvider({
    baseUrl: env.openaiBaseUrl,
    apiKey: key.apiKey,
    model: rules.model,
    prices: rules,
    deadline,
    patience: usualPatience,
  })
  const write = async () => {
    // Read again: no other run of this person begins from here on, so that nothing is missing that it would repeat.
    const { recent = [] } = (await readMaterial(userId)) ?? {}
    const against = { bannedWords: rules.bannedWords, recent, secrets: [key.apiKey] }
    return await writePost(provider, material, against, Math.random)
  }
  const written = await write().catch(unforeseen)
  if (written.problem?.forEverybody) round.halted = written.problem
  if (written.problem?.keyRefused) await note(key, true)
  if (written.outcome !== 'failed') await note(key, false)

  const { content, outcome } = written
  const cameTo = outcome === 'good' ? (kind === 'preview' ? 'previewed' : 'published') : outcome
  const ended = await endRun({
    run,
    person: userId,
    written,
    used: provider.used,
    at: round.now(),
    slot,
    cameTo,
  })
  return {
    ...nothing,
    ...ended,
    outcome: ended.outcome as AutoOutcome,
    content: kind === 'preview' ? content : null,
    costMicros: provider.used.costMicros,
    problem: written.problem,
  }
}

const isCap = (refusal: Refusal | null) => refusal?.endsWith('_cap') ?? false

/** Notes what the provider said of the key; where that fails, the text is not lost because of it. */
const note = (key: WorkingKey, refused: boolean): Promise<void> =>
  noteKey(key, refused).catch(() => log('warn', 'ai_key_not_noted'))

/** What is told of a fault of our own: its own words may be anybody's. */
export const ourFault = 'Something went wrong on our side.'

/** A fault of our own: the run ends as a failed one. */
function unforeseen(error: unknown): Written {
  log('error', 'auto_post_failed', { kind: error instanceof Error ? error.name : 'unknown' })
  return { content: null, outcome: 'failed', detail: ourFault, problem: null, prompt: [], answer: null }
}
