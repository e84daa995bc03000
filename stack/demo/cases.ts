import type { ReportReason } from '../../supabase/functions/_shared/contract/moderation.ts'
import { uidOf } from './insert-people.ts'
import { idOf } from './numbers.ts'
import { type CaseText, decidedCases, openCases } from './texts/cases.ts'

interface DemoReport {
  id: string
  case: string
  reporter: string
  reason: ReportReason
  note: string | null
  at: Date
}

/** A case with its times. What it looked like is for the database to say, but for what was changed or is gone. */
export interface DemoCase {
  id: string
  kind: CaseText['kind']
  subject: string
  person: string
  state: 'open' | 'decided' | 'appealed' | 'closed'
  reports: DemoReport[]
  at: Date
  movedAt: Date
  before: string | null
  /** When it was seen as it is now. */
  seenAt: Date | null
  gone: boolean
  said: string | null
  decision: NonNullable<CaseText['decided']>['as'] | null
  reason: string | null
  until: Date | null
  /** It is hidden now. */
  hid: boolean
  decidedAt: Date | null
  appeal: string | null
  appealedAt: Date | null
  outcome: 'upheld' | 'overturned' | null
  answer: string | null
  answeredAt: Date | null
}

const [hour, day] = [3_600_000, 86_400_000]

export const makeCases = (now: Date): DemoCase[] =>
  [...decidedCases, ...openCases].map((text) => makeCase(text, now))

function makeCase(text: CaseText, now: Date): DemoCase {
  const { kind, about, person, age, span = 0, decided, gone } = text
  const id = idOf('case', `${kind} ${about}`)
  const first = now.getTime() - age * day
  const last = first + span * hour
  const step = (last - first) / Math.max(1, text.reports.length - 1)
  const reports = text.reports.map(([reporter, reason, note], index) => ({
    id: idOf('report', `${kind} ${about} ${reporter}`),
    case: id,
    reporter: uidOf(reporter),
    reason,
    note: note ?? null,
    at: new Date(first + index * step),
  }))
  const decision = decide(text, last)
  const hides = decided?.hides === true || decided?.as === 'hide' || decided?.as === 'remove'
  return {
    id,
    kind,
    subject: kind === 'user' ? uidOf(about) : idOf(kind, about),
    person: uidOf(person),
    reports,
    at: new Date(first),
    before: text.before ?? null,
    seenAt: text.before === undefined ? new Date(first) : text.seenSince ? (reports[1]?.at ?? null) : null,
    gone: gone !== undefined,
    said: gone?.said ?? null,
    ...decision,
    movedAt: decision.answeredAt ?? decision.appealedAt ?? decision.decidedAt ?? new Date(last),
    hid: hides && kind !== 'user' && !gone && decision.outcome !== 'overturned',
  }
}

type Decision = Pick<
  DemoCase,
  | 'state'
  | 'decision'
  | 'reason'
  | 'until'
  | 'decidedAt'
  | 'appeal'
  | 'appealedAt'
  | 'outcome'
  | 'answer'
  | 'answeredAt'
>

/** What became of it, some hours after its last report. */
function decide({ decided }: CaseText, last: number): Decision {
  const at = decided ? atWork(last + decided.after * hour) : null
  const appeal = decided?.appeal
  const appealedAt = at !== null && appeal ? at + appeal.after * hour : null
  const answer = appeal?.answer
  const answeredAt = appealedAt !== null && answer ? atWork(appealedAt + answer.after * hour) : null
  return {
    state: !decided ? 'open' : !appeal ? 'decided' : answer ? 'closed' : 'appealed',
    decision: decided?.as ?? null,
    reason: decided?.why ?? null,
    until: at !== null && decided?.days !== undefined ? new Date(at + decided.days * day) : null,
    decidedAt: dated(at),
    appeal: appeal?.words ?? null,
    appealedAt: dated(appealedAt),
    outcome: answer ? (answer.granted ? 'overturned' : 'upheld') : null,
    answer: answer?.words ?? null,
    answeredAt: dated(answeredAt),
  }
}

/** The same time if the admin is up then, or the next morning. */
function atWork(time: number): number {
  const hours = new Date(time).getUTCHours()
  if (hours >= 7 && hours < 20) return time
  return time + ((hours < 7 ? 8 : 32) - hours) * hour
}

const dated = (time: number | null): Date | null => (time === null ? null : new Date(time))
