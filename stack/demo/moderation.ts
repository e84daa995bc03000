import type { TransactionSql } from 'postgres'
import type { ReportReason } from '../../supabase/functions/_shared/contract/moderation.ts'
import { type CaseText, decidedCases, openCases } from './content/moderation-cases.ts'
import { adminUsername, idOf, userIdOf } from './ids.ts'
import { dayMs, daysBefore, hourMs } from './time.ts'

interface DemoReport {
  id: string
  case: string
  reporter: string
  reason: ReportReason
  note: string | null
  at: Date
}

/** A moderation case. The database creates the snapshots of the content, except those of earlier or deleted content. */
interface DemoCase {
  id: string
  kind: CaseText['kind']
  subject: string
  user: string
  state: 'open' | 'decided' | 'appealed' | 'closed'
  reports: DemoReport[]
  at: Date
  movedAt: Date
  /** The text at the time of the first report, if it has changed since. */
  previousText: string | null
  /** When the current version was first reported; null if only the previous version was reported. */
  currentSeenAt: Date | null
  isGone: boolean
  /** The last known text of deleted content. */
  goneText: string | null
  decision: NonNullable<CaseText['decided']>['as'] | null
  reason: string | null
  until: Date | null
  isHidden: boolean
  decidedAt: Date | null
  appeal: string | null
  appealedAt: Date | null
  outcome: 'upheld' | 'overturned' | null
  answer: string | null
  answeredAt: Date | null
}

export const makeCases = (now: Date): DemoCase[] =>
  [...decidedCases, ...openCases].map((text) => makeCase(text, now))

function makeCase(text: CaseText, now: Date): DemoCase {
  const { kind, about, user, age, span = 0, decided, gone } = text
  const id = idOf('case', `${kind} ${about}`)
  const first = daysBefore(now, age).getTime()
  const last = first + span * hourMs
  const stepMs = (last - first) / Math.max(1, text.reports.length - 1)
  const reports = text.reports.map(([reporter, reason, note], index) => ({
    id: idOf('report', `${kind} ${about} ${reporter}`),
    case: id,
    reporter: userIdOf(reporter),
    reason,
    note: note ?? null,
    at: new Date(first + index * stepMs),
  }))
  const decision = decide(text, last)
  const hides = decided?.hides === true || decided?.as === 'hide' || decided?.as === 'remove'
  return {
    id,
    kind,
    subject: kind === 'user' ? userIdOf(about) : idOf(kind, about),
    user: userIdOf(user),
    reports,
    at: new Date(first),
    previousText: text.before ?? null,
    currentSeenAt:
      text.before === undefined ? new Date(first) : text.reportedSince ? (reports[1]?.at ?? null) : null,
    isGone: gone !== undefined,
    goneText: gone?.content ?? null,
    ...decision,
    movedAt: decision.answeredAt ?? decision.appealedAt ?? decision.decidedAt ?? new Date(last),
    isHidden: hides && kind !== 'user' && !gone && decision.outcome !== 'overturned',
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

function decide({ decided }: CaseText, lastReport: number): Decision {
  const decidedAt = decided ? toWorkingHours(lastReport + decided.after * hourMs) : null
  const appeal = decided?.appeal
  const appealedAt = decidedAt !== null && appeal ? decidedAt + appeal.after * hourMs : null
  const answer = appeal?.answer
  const answeredAt = appealedAt !== null && answer ? toWorkingHours(appealedAt + answer.after * hourMs) : null
  return {
    state: !decided ? 'open' : !appeal ? 'decided' : answer ? 'closed' : 'appealed',
    decision: decided?.as ?? null,
    reason: decided?.why ?? null,
    until:
      decidedAt !== null && decided?.days !== undefined ? new Date(decidedAt + decided.days * dayMs) : null,
    decidedAt: toDate(decidedAt),
    appeal: appeal?.text ?? null,
    appealedAt: toDate(appealedAt),
    outcome: answer ? (answer.granted ? 'overturned' : 'upheld') : null,
    answer: answer?.text ?? null,
    answeredAt: toDate(answeredAt),
  }
}

/** Returns the time if it is within working hours (07:00 to 20:00 UTC), or else a time on the following morning. */
function toWorkingHours(time: number): number {
  const hour = new Date(time).getUTCHours()
  if (hour >= 7 && hour < 20) return time
  return time + ((hour < 7 ? 8 : 32) - hour) * hourMs
}

const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time))

/**
 * Inserts the cases with their reports and applies the decisions. The rows are inserted directly, because the
 * platform's functions need a signed-in reporter or admin. Runs after the reported content is inserted, and before the
 * counters are computed, because the counters exclude hidden content.
 */
export async function insertCases(tx: TransactionSql, cases: DemoCase[], now: Date): Promise<void> {
  const admin = userIdOf(adminUsername)
  await tx`
    insert into public.moderation_cases (id, kind, subject_id, user_id, snapshots, media_ids, reports, state, created_at,
      moved_at, decision, reason, suspended_until, hid, decided_by, decided_at, appeal, appealed_at, appeal_outcome,
      appeal_answer, appeal_decided_by, appeal_decided_at)
    select r.id, r.kind, r.subject, r.user, seen.snapshots,
      array(select jsonb_array_elements_text(current.snapshot -> 'media')::uuid), jsonb_array_length(r.reports), r.state,
      r.at, r."movedAt", r.decision, r.reason, r.until, r."isHidden",
      case when r."decidedAt" is not null then ${admin}::text::uuid end, r."decidedAt", r.appeal, r."appealedAt",
      r.outcome, r.answer, case when r."answeredAt" is not null then ${admin}::text::uuid end, r."answeredAt"
    from jsonb_to_recordset(${JSON.stringify(cases)}::text::jsonb) as r (id uuid, kind text, subject uuid, "user" uuid,
      reports jsonb, at timestamptz, state text, "movedAt" timestamptz, "previousText" text,
      "currentSeenAt" timestamptz, "isGone" boolean, "goneText" text, decision text, reason text, until timestamptz,
      "isHidden" boolean, "decidedAt" timestamptz, appeal text, "appealedAt" timestamptz, outcome text, answer text,
      "answeredAt" timestamptz)
    cross join lateral (select private.subject_snapshot(r.kind, r.subject) as snapshot) current
    cross join lateral (
      select case
        when r."isGone" and r."goneText" is null then '[]'
        when r."isGone" then jsonb_build_array(jsonb_build_object('at', r.at, 'seen',
          jsonb_build_object('content', r."goneText", 'createdAt', r.at - interval '3 hours')))
        else
          case when r."previousText" is null then '[]' else jsonb_build_array(jsonb_build_object('at', r.at, 'seen',
            (current.snapshot -> 'seen') - 'editedAt'
              || jsonb_build_object(case r.kind when 'user' then 'bio' else 'content' end, r."previousText"))) end
          || case when r."currentSeenAt" is null then '[]'
             else jsonb_build_array(jsonb_build_object('at', r."currentSeenAt", 'seen', current.snapshot -> 'seen')) end
        end as snapshots) seen`
  await tx`
    insert into public.reports (id, case_id, reporter_id, kind, subject_id, reason, note, created_at, outcome, decided_at)
    select r.id, c.id, r.reporter, c.kind, c.subject_id, r.reason, r.note, r.at,
      case when c.decision = 'dismiss' then 'dismissed' when c.decision is not null then 'acted' end, c.decided_at
    from jsonb_to_recordset(${JSON.stringify(cases.flatMap(({ reports }) => reports))}::text::jsonb)
      as r (id uuid, "case" uuid, reporter uuid, reason text, note text, at timestamptz)
    join public.moderation_cases c on c.id = r.case`
  await hideContent(tx)
  await tx`
    update public.accounts a set suspended_at = c.decided_at, suspended_until = c.suspended_until,
      suspension_reason = c.reason, suspension_case = c.id
    from public.moderation_cases c
    where c.user_id = a.user_id and c.decision = 'suspend' and c.appeal_outcome is distinct from 'overturned'
      and (c.suspended_until is null or c.suspended_until > ${now})`
  await tx`
    update public.accounts a set read_only_reason = private.restriction_reason(a) where a.suspended_at is not null`
  await notifyOfDecisions(tx, now)
}

async function hideContent(tx: TransactionSql): Promise<void> {
  await tx`
    select count(private.hide_subject(c.kind, c.subject_id, case c.decision when 'remove' then 'removed' else 'hidden' end,
      '{}'))
    from public.moderation_cases c where c.hid`
  // `hide_subject` also broadcasts changes to messages.
  await tx`delete from realtime.messages`
  // The trigger that deletes the tags of hidden posts is off.
  await tx`delete from public.post_tags t using public.posts p where p.id = t.post_id and p.hidden is not null`
  await tx`
    update private.hidden_messages h set hidden_at = c.decided_at
    from public.moderation_cases c where c.hid and c.kind = 'message' and c.subject_id = h.message_id`
  await tx`
    update public.messages m set deleted_at = h.hidden_at
    from private.hidden_messages h where h.message_id = m.id`
}

/**
 * Inserts notifications about decisions and appeals, with the messages of `private.decide_case` and
 * `private.decide_appeal`. Notifications older than four days are marked as read.
 */
async function notifyOfDecisions(tx: TransactionSql, now: Date): Promise<void> {
  await tx`
    insert into public.notifications (id, user_id, kind, detail, created_at, read_at, group_id, is_head, people)
    select n.id, n.recipient, n.kind, n.detail, n.at,
      case when n.at < ${now}::timestamptz - interval '4 days' then n.at + interval '3 hours' end, n.id, true, 1
    from (
      select gen_random_uuid(), r.reporter_id, 'report', case c.decision
          when 'dismiss' then 'We reviewed what you reported. It does not break our rules.'
          else 'We reviewed what you reported and took action. Thank you.' end, c.decided_at
      from public.reports r join public.moderation_cases c on c.id = r.case_id
      where c.decision is not null
      union all
      select gen_random_uuid(), c.user_id, 'moderation',
        private.decision_message(c.kind, c.decision, c.suspended_until, c.reason), c.decided_at
      from public.moderation_cases c where c.decision <> 'dismiss'
      union all
      select gen_random_uuid(), c.user_id, 'moderation', case c.appeal_outcome
          when 'overturned' then 'Your appeal was granted: ' else 'Your appeal was turned down: ' end || c.appeal_answer,
        c.appeal_decided_at
      from public.moderation_cases c where c.appeal_outcome is not null
    ) n (id, recipient, kind, detail, at)
    join public.profiles p on p.id = n.recipient`
}
