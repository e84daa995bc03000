import { limits } from '../contract/limits.ts'
import { sql } from '../db/sql.ts'
import { userCardOf } from '../users/presenter.ts'

/** SQL for a `Report` as JSON text, read from the report `r`. */
export const reportJson = sql`json_build_object(
  'id', r.id, 'kind', r.kind, 'subjectId', r.subject_id, 'reason', r.reason, 'note', r.note,
  'createdAt', r.created_at, 'outcome', r.outcome, 'decidedAt', r.decided_at)::text`

const excerptLength = 300
const appealUntil = sql`d.decided_at + make_interval(days => ${limits.appeal.days}::integer)`

/** SQL for a `Decision` as JSON text, read from the case `d`. */
export const decisionJson = sql`json_build_object(
  'id', d.id, 'kind', d.kind, 'subjectId', d.subject_id, 'decision', d.decision, 'reason', d.reason,
  'excerpt', (select left(coalesce(nullif(s.seen ->> 'content', ''), nullif(s.seen ->> 'teaser', ''),
                                   nullif(s.seen ->> 'bio', '')), ${excerptLength}::integer)
              from (select d.snapshots -> -1 -> 'seen' as seen) s),
  'decidedAt', d.decided_at, 'suspendedUntil', d.suspended_until, 'appeal', d.appeal, 'appealedAt', d.appealed_at,
  'appealOutcome', d.appeal_outcome, 'appealAnswer', d.appeal_answer,
  'mayAppealUntil', case when d.appealed_at is null and ${appealUntil} > now() then ${appealUntil} end)::text`

/**
 * SQL for the joins that an `AdminCase` needs besides the case `m`. `w` contains the fields that only admins may read,
 * and `s` the current state of the case's subject: whether it has changed, was deleted or is hidden.
 */
export const adminCaseJoins = sql`
  cross join lateral private.case_admin_details(m.id) w
  cross join lateral private.subject_state(m.id) s`

const adminCaseFields = sql`
  'id', m.id, 'kind', m.kind, 'subjectId', m.subject_id, 'personId', m.user_id,
  'person', ${userCardOf(sql`m.user_id`)}, 'state', m.state, 'snapshots', m.snapshots, 'since', s.since,
  'hidden', s.hidden, 'reports', w.reports,
  'reasons', (select coalesce(json_agg(json_build_object('reason', g.reason, 'count', g.count)
                                       order by g.count desc, g.reason), '[]')
              from (select r.reason, count(*) from public.reports r where r.case_id = m.id group by r.reason) g),
  'createdAt', w.created_at, 'movedAt', m.moved_at, 'decision', m.decision, 'reason', m.reason,
  'decidedBy', ${userCardOf(sql`w.decided_by`)}, 'decidedAt', m.decided_at, 'suspendedUntil', m.suspended_until,
  'appeal', m.appeal, 'mayAnswer', m.state = 'appealed' and private.can_answer_appeal(w.decided_by, m.user_id),
  'appealedAt', m.appealed_at, 'appealOutcome', m.appeal_outcome,
  'appealAnswer', m.appeal_answer, 'appealDecidedBy', ${userCardOf(sql`w.appeal_decided_by`)},
  'priorDecisions', (
    select count(*) from public.moderation_cases o
    where o.user_id = m.user_id and o.id <> m.id and o.decision <> 'dismiss'
      and o.decided_at < coalesce(m.decided_at, now()) and o.appeal_outcome is distinct from 'overturned')`

/** SQL for an `AdminCase` as JSON text, read from the case `m` and `adminCaseJoins`. */
export const adminCaseJson = sql`json_build_object(${adminCaseFields})::text`

/** Maximum number of reports that a case lists, newest first. Its `reports` field counts all reports. */
const maxListedReports = 200

/** SQL for an `AdminCaseDetails` as JSON text, read from the case `m` and `adminCaseJoins`. */
export const adminCaseDetailsJson = sql`json_build_object(${adminCaseFields}, 'reportList', (
  select coalesce(json_agg(json_build_object(
      'id', r.id, 'reporter', ${userCardOf(sql`r.reporter_id`)}, 'reason', r.reason, 'note', r.note,
      'createdAt', r.created_at) order by r.created_at desc, r.id desc), '[]')
  from (select * from public.reports r where r.case_id = m.id
        order by r.created_at desc, r.id desc limit ${maxListedReports}::integer) r))::text`
