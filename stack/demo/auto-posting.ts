import type { TransactionSql } from 'postgres'
import {
  costMicrosOf,
  maxInputTokens,
  maxOutputTokens,
} from '../../supabase/functions/_shared/auto-posting/cost.ts'
import { buildPrompt, type Message } from '../../supabase/functions/_shared/auto-posting/prompt.ts'
import { type AutoPostText, autoPosters, autoPostTexts, type DraftState } from './content/auto-posts.ts'
import { demoUsers } from './content/users.ts'
import { adminUsername, idOf, userIdOf } from './ids.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, seedOf } from './random.ts'
import { dayMs, daysBefore, hourMs, minuteMs } from './time.ts'

/** A run of auto-posting, as `public.auto_post_runs` stores it. `day` is an ISO 8601 date in UTC. */
interface DemoRun {
  id: string
  author: string
  kind: 'slot' | 'test' | 'preview'
  /** The number of the slot within the day. */
  nth: number | null
  day: string
  at: Date
  endedAt: Date
  outcome: 'published' | 'drafted' | 'previewed' | 'refused' | 'failed'
  detail: string | null
  prompt: Message[]
  answer: string | null
  inputTokens: number
  outputTokens: number
  costMicros: number
  calls: number
  post: string | null
  draft: string | null
}

interface DemoDraft {
  id: string
  author: string
  content: string
  state: DraftState
  at: Date
  decidedAt: Date | null
}

interface DemoAutoPosting {
  posts: DemoPost[]
  runs: DemoRun[]
  drafts: DemoDraft[]
}

/** The default model on a new platform. Prices are in US dollars per million tokens. */
const model = { name: 'gpt-4o-mini', inputPrice: 0.15, outputPrice: 0.6 }
/** Days since an admin turned auto-posting on for the creators. */
const enabledDays = 14.1
/** Hours until a draft was decided on or expired. */
const decisionHours: Partial<Record<DraftState, number>> = { published: 4.2, discarded: 2.7, expired: 72 }

/** Creates the runs of the last two weeks. Each prompt is built from the posts that existed at the time of the run. */
export function makeAutoPosting(posts: DemoPost[], now: Date): DemoAutoPosting {
  const result: DemoAutoPosting = { posts: [], runs: [], drafts: [] }
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  for (const text of autoPostTexts) {
    const startedAt = midnight - text.age * dayMs + text.at[0] * hourMs + text.at[1] * minuteMs
    const run = makeRun(text, startedAt, [...posts, ...result.posts])
    if (run.kind === 'slot') {
      run.nth =
        1 +
        result.runs.filter(({ nth, author, day }) => nth !== null && author === run.author && day === run.day)
          .length
    }
    result.runs.push(run)
    const { author, answer } = run
    if (answer === null) continue
    const draft = makeDraft(text, run, answer)
    if (draft) result.drafts.push(draft)
    const at = draft ? draft.decidedAt : run.endedAt
    if (at && (run.outcome === 'published' || draft?.state === 'published')) {
      // A published draft becomes the post with the same id.
      const id = draft?.id ?? idOf('post', run.id)
      result.posts.push({ id, author, content: answer, hasPicture: false, writer: 'ai', at })
    }
  }
  return result
}

function makeDraft({ outcome }: AutoPostText, run: DemoRun, content: string): DemoDraft | null {
  const state = draftStateOf(outcome)
  if (state === null || run.draft === null) return null
  const hours = decisionHours[state]
  return {
    id: run.draft,
    author: run.author,
    content,
    state,
    at: run.endedAt,
    decidedAt: hours === undefined ? null : new Date(run.endedAt.getTime() + hours * hourMs),
  }
}

const draftStateOf = (outcome: AutoPostText['outcome']): DraftState | null =>
  outcome.startsWith('draft ') ? (outcome.slice(6) as DraftState) : null

function makeRun(text: AutoPostText, startedAt: number, posts: DemoPost[]): DemoRun {
  const { author, kind = 'slot', outcome, detail = null, text: answer } = text
  const id = idOf('auto run', `${author} ${text.age} ${text.at.join(':')}`)
  const random = createRandom(seedOf(id))
  const isDraft = draftStateOf(outcome) !== null
  // A refused run stores the prompt of the second attempt, which says what was wrong with the first answer.
  const prompt = buildPrompt(
    contextOf(author, startedAt, posts),
    random.next(),
    outcome === 'refused' ? detail : null,
  )
  const { usage, seconds } = usageOf(text, prompt)
  return {
    id,
    author,
    kind,
    nth: null,
    day: new Date(startedAt).toISOString().slice(0, 10),
    at: new Date(startedAt),
    endedAt: new Date(startedAt + (seconds + random.next() * 3) * 1000),
    outcome: isDraft ? 'drafted' : (outcome as DemoRun['outcome']),
    detail,
    prompt,
    answer,
    ...usage,
    post: outcome === 'published' ? idOf('post', id) : null,
    draft: isDraft ? idOf('auto draft', id) : null,
  }
}

/** Returns what `private.auto_posting_context` would have returned before the run, but with an empty `recent`. */
function contextOf(author: string, before: number, posts: DemoPost[]) {
  const user = demoUsers.find(({ username }) => username === author)
  const ownPosts = posts
    .filter((post) => post.author === author && post.price === undefined && post.at.getTime() < before)
    .sort((a, b) => b.at.getTime() - a.at.getTime())
  return {
    name: user?.name ?? author,
    bio: user?.bio ?? null,
    posts: ownPosts.slice(0, 20).map(({ content }) => content),
    recent: [],
  }
}

/**
 * Estimates tokens, cost and duration, at four characters per token. Each attempt is one call, and an answer that
 * passes the checks leads to a moderation call. A call that timed out is counted at its highest possible cost, because
 * the provider may bill it.
 */
function usageOf({ outcome, detail = '', text }: AutoPostText, prompt: Message[]) {
  if (text === null) {
    const costMicros = detail.includes('in time')
      ? 3 * costMicrosOf(maxInputTokens(prompt), maxOutputTokens, model)
      : 0
    return { usage: { inputTokens: 0, outputTokens: 0, costMicros, calls: 3 }, seconds: 41 }
  }
  const attempts = outcome === 'refused' ? 2 : 1
  const length = prompt.reduce((sum, { content }) => sum + content.length, 0)
  const inputTokens = attempts * (Math.ceil(length / 4) + 11)
  const outputTokens = attempts * (Math.ceil(text.length / 4) + 9)
  const costMicros = costMicrosOf(inputTokens, outputTokens, model)
  return { usage: { inputTokens, outputTokens, costMicros, calls: 2 }, seconds: attempts * 2.2 }
}

/**
 * Inserts the settings, runs and drafts, and notifies the creators. `insertPosts` inserts the posts. The platform has
 * no API key, so no more posts are written until an admin sets one.
 */
export async function insertAutoPosting(
  tx: TransactionSql,
  { runs, drafts }: DemoAutoPosting,
  now: Date,
): Promise<void> {
  const enabledAt = daysBefore(now, enabledDays).getTime()
  const settings = autoPosters.map(({ user, frequency }, index) => ({
    user: userIdOf(user),
    frequency,
    at: new Date(enabledAt + index * 40_000),
    // The first creator is not asked, because that creator had already agreed.
    asked: index > 0,
    lastPostAt: runs
      .filter(({ author, post, draft }) => author === user && (post !== null || draft !== null))
      .at(-1)?.endedAt,
  }))
  await tx`
    insert into private.auto_posting_settings (user_id, enabled, frequency, changed_by, changed_at, last_auto_post, asked_at)
    select r.user, true, r.frequency, ${userIdOf(adminUsername)}::text::uuid, r.at, r."lastPostAt",
      case when r.asked then r.at end
    from jsonb_to_recordset(${JSON.stringify(settings)}::text::jsonb) as r ("user" uuid, frequency text, at timestamptz,
      asked boolean, "lastPostAt" timestamptz)`
  const runRows = runs.map((run) => ({ ...run, author: userIdOf(run.author) }))
  await tx`
    insert into public.auto_post_runs (id, user_id, kind, day, nth, started_at, counted_on, ended_at, outcome, detail, model,
      prompt, answer, input_tokens, output_tokens, cost_micros, calls, post_id, draft_id)
    select r.id, r.author, r.kind, case when r.nth is not null then r.day end, r.nth, r.at, r.day, r."endedAt", r.outcome,
      r.detail, ${model.name}, r.prompt, r.answer, r."inputTokens", r."outputTokens", r."costMicros", r.calls, r.post,
      r.draft
    from jsonb_to_recordset(${JSON.stringify(runRows)}::text::jsonb) as r (id uuid, author uuid, kind text, nth smallint,
      day date, at timestamptz, "endedAt" timestamptz, outcome text, detail text, prompt jsonb, answer text,
      "inputTokens" integer, "outputTokens" integer, "costMicros" bigint, calls integer, post uuid, draft uuid)`
  await tx`
    insert into private.auto_post_slots (user_id, day, nth, due_at, state, attempts)
    select r.user_id, r.day, r.nth, r.started_at - interval '90 seconds',
      case when r.outcome in ('published', 'drafted') then 'done' else 'failed' end,
      case when r.outcome in ('published', 'drafted') then 1 else 3 end
    from public.auto_post_runs r where r.nth is not null`
  const draftRows = drafts.map((draft) => ({ ...draft, author: userIdOf(draft.author) }))
  await tx`
    insert into public.auto_post_drafts (id, user_id, content, state, created_at, decided_at)
    select r.id, r.author, r.content, r.state, r.at, r."decidedAt"
    from jsonb_to_recordset(${JSON.stringify(draftRows)}::text::jsonb) as r (id uuid, author uuid, content text,
      state text, at timestamptz, "decidedAt" timestamptz)`
  const requests = settings
    .filter(({ asked }) => asked)
    .map(({ user, at }) => ({ user, at, isRequest: true }))
  const newDrafts = draftRows.map(({ author, at }) => ({ user: author, at, isRequest: false }))
  await notifyCreators(tx, [...requests, ...newDrafts], now)
}

/** Inserts notifications with the messages of `private.set_auto_posting` and `private.end_auto_run`. */
async function notifyCreators(
  tx: TransactionSql,
  notifications: { user: string; at: Date; isRequest: boolean }[],
  now: Date,
): Promise<void> {
  const lastSeenHours = new Map(
    demoUsers.map(({ username, lastSeen = 24 }) => [userIdOf(username), lastSeen]),
  )
  const rows = notifications.map((notification, index) => {
    const { user, at } = notification
    const seenAt = now.getTime() - (lastSeenHours.get(user) ?? 0) * hourMs
    const readAt = at.getTime() < seenAt ? new Date(seenAt) : null
    return { ...notification, id: idOf('notice', `auto-posting ${index}`), readAt }
  })
  await tx`
    insert into public.notifications (id, user_id, kind, detail, created_at, read_at, group_id, is_head, people)
    select r.id, r.user, 'auto_post', case when r."isRequest"
        then 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.'
        else 'An AI-written draft is ready for your review.' end,
      r.at, r."readAt", r.id, true, 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, "user" uuid, at timestamptz,
      "isRequest" boolean, "readAt" timestamptz)`
}
