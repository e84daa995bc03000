import { costOf, mostInput, mostOutput } from '../../supabase/functions/_shared/auto-posting/cost.ts'
import { type Message, promptFor } from '../../supabase/functions/_shared/auto-posting/prompt.ts'
import { createRandom, idOf, seedOf } from './numbers.ts'
import { people } from './people.ts'
import type { DemoPost } from './posts.ts'
import { type AutoText, autoTexts, type DraftState } from './texts/auto-posts.ts'

/** One time that a program wrote, as `public.auto_runs` keeps it. Times in ISO 8601, days in UTC. */
interface DemoRun {
  id: string
  author: string
  kind: 'slot' | 'test' | 'preview'
  /** The slot of its day. */
  nth: number | null
  day: string
  at: Date
  endedAt: Date
  outcome: 'published' | 'drafted' | 'previewed' | 'refused' | 'failed'
  detail: string | null
  prompt: Message[]
  answer: string | null
  input: number
  output: number
  micros: number
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

export interface DemoAutoPosting {
  posts: DemoPost[]
  runs: DemoRun[]
  drafts: DemoDraft[]
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** As a new instance has it: US dollars a million tokens. */
export const model = { name: 'gpt-4o-mini', inputPrice: 0.15, outputPrice: 0.6 }
/** Hours until its creator had looked at a draft; nobody did at those that expired. */
const looked: Partial<Record<DraftState, number>> = { published: 4.2, discarded: 2.7, expired: 72 }

/** What was written in the last two weeks, with what was asked: made of the posts that were there at the time. */
export function makeAutoPosting(posts: DemoPost[], now: Date): DemoAutoPosting {
  const made: DemoAutoPosting = { posts: [], runs: [], drafts: [] }
  const midnight = Math.floor(now.getTime() / day) * day
  for (const text of autoTexts) {
    const started = midnight - text.age * day + text.at[0] * hour + text.at[1] * minute
    const run = makeRun(text, started, [...posts, ...made.posts])
    if (run.kind === 'slot') {
      run.nth =
        1 +
        made.runs.filter((one) => one.nth !== null && one.author === run.author && one.day === run.day).length
    }
    made.runs.push(run)
    const { author, answer } = run
    if (answer === null) continue
    const draft = draftOf(text, run, answer)
    if (draft) made.drafts.push(draft)
    const at = draft ? draft.decidedAt : run.endedAt
    if (at && (run.outcome === 'published' || draft?.state === 'published')) {
      made.posts.push({
        id: draft?.id ?? idOf('post', `${run.id}`),
        author,
        content: answer,
        pictured: false,
        at,
      })
    }
  }
  return made
}

/** A draft that is published becomes the post of the same id. */
function draftOf({ outcome }: AutoText, run: DemoRun, content: string): DemoDraft | null {
  const state = readDraft(outcome)
  if (state === null || run.draft === null) return null
  const wait = looked[state]
  return {
    id: run.draft,
    author: run.author,
    content,
    state,
    at: run.endedAt,
    decidedAt: wait === undefined ? null : new Date(run.endedAt.getTime() + wait * hour),
  }
}

const readDraft = (outcome: AutoText['outcome']): DraftState | null =>
  outcome.startsWith('draft ') ? (outcome.slice(6) as DraftState) : null

function makeRun(text: AutoText, started: number, posts: DemoPost[]): DemoRun {
  const { author, kind = 'slot', outcome, detail = null, text: answer } = text
  const id = idOf('auto run', `${author} ${text.age} ${text.at.join(':')}`)
  const random = createRandom(seedOf(id))
  const drafted = readDraft(outcome) !== null
  // Refused by our own checks, it was written a second time and told why.
  const prompt = promptFor(
    materialOf(author, started, posts),
    random.next(),
    outcome === 'refused' ? detail : null,
  )
  const { used, seconds } = spentOn(text, prompt)
  return {
    id,
    author,
    kind,
    nth: null,
    day: new Date(started).toISOString().slice(0, 10),
    at: new Date(started),
    endedAt: new Date(started + (seconds + random.next() * 3) * 1000),
    outcome: drafted ? 'drafted' : (outcome as DemoRun['outcome']),
    detail,
    prompt,
    answer,
    ...used,
    post: outcome === 'published' ? idOf('post', id) : null,
    draft: drafted ? idOf('auto draft', id) : null,
  }
}

/** What the program was told, as private.auto_material tells it. */
function materialOf(author: string, before: number, posts: DemoPost[]) {
  const person = people.find(({ username }) => username === author)
  const theirs = posts
    .filter((post) => post.author === author && post.price === undefined && post.at.getTime() < before)
    .sort((a, b) => b.at.getTime() - a.at.getTime())
  return {
    name: person?.name ?? author,
    bio: person?.bio ?? null,
    posts: theirs.slice(0, 20).map(({ content }) => content),
    recent: [],
  }
}

/**
 * Around four characters are a token. Each attempt is one call, and a good one is followed by the moderation's. What did
 * not come in time may have been worked for.
 */
function spentOn({ outcome, detail = '', text }: AutoText, prompt: Message[]) {
  if (text === null) {
    const micros = detail.includes('in time') ? 3 * costOf(mostInput(prompt), mostOutput, model) : 0
    return { used: { input: 0, output: 0, micros, calls: 3 }, seconds: 41 }
  }
  const attempts = outcome === 'refused' ? 2 : 1
  const length = prompt.reduce((sum, { content }) => sum + content.length, 0)
  const input = attempts * (Math.ceil(length / 4) + 11)
  const output = attempts * (Math.ceil(text.length / 4) + 9)
  return {
    used: { input, output, micros: costOf(input, output, model), calls: 2 },
    seconds: attempts * 2.2,
  }
}
