import type { TransactionSql } from 'postgres'
import type { DemoCase } from './cases.ts'
import { rowsOf, uidOf } from './insert-people.ts'

/** Who decided. */
const admin = 'samira'

/**
 * The cases with their reports, what was done because of them, and what people were told. Comes after everything that
 * was reported, and before it is counted: what is hidden is counted nowhere.
 */
export async function insertCases(tx: TransactionSql, cases: DemoCase[], now: Date): Promise<void> {
  await tx`
    insert into public.moderation_cases (id, kind, subject_id, person_id, snapshots, media_ids, reports, state, created_at,
      moved_at, decision, reason, suspended_until, hid, decided_by, decided_at, appeal, appealed_at, appeal_outcome,
      appeal_answer, appeal_decided_by, appeal_decided_at)
    select r.id, r.kind, r.subject, r.person, looks.snapshots,
      array(select jsonb_array_elements_text(looks.now -> 'media')::uuid), jsonb_array_length(r.reports), r.state, r.at,
      r."movedAt", r.decision, r.reason, r.until, r.hid,
      case when r."decidedAt" is not null then ${uidOf(admin)}::text::uuid end, r."decidedAt", r.appeal, r."appealedAt",
      r.outcome, r.answer, case when r."answeredAt" is not null then ${uidOf(admin)}::text::uuid end, r."answeredAt"
    from jsonb_to_recordset(${rowsOf(cases)}::text::jsonb) as r (id uuid, kind text, subject uuid, person uuid,
      reports jsonb, at timestamptz, state text, "movedAt" timestamptz, before text, "seenAt" timestamptz, gone boolean,
      said text, decision text, reason text, until timestamptz, hid boolean, "decidedAt" timestamptz, appeal text,
      "appealedAt" timestamptz, outcome text, answer text, "answeredAt" timestamptz)
    cross join lateral (select private.snapshot_of(r.kind, r.subject) as now) found
    cross join lateral (
      select found.now, case
        when r.gone and r.said is null then '[]'
        when r.gone then jsonb_build_array(jsonb_build_object('at', r.at, 'seen',
          jsonb_build_object('content', r.said, 'createdAt', r.at - interval '3 hours')))
        else
          case when r.before is null then '[]' else jsonb_build_array(jsonb_build_object('at', r.at, 'seen',
            (found.now -> 'seen') - 'editedAt'
              || jsonb_build_object(case r.kind when 'user' then 'bio' else 'content' end, r.before))) end
          || case when r."seenAt" is null then '[]'
             else jsonb_build_array(jsonb_build_object('at', r."seenAt", 'seen', found.now -> 'seen')) end
        end as snapshots) looks`
  await tx`
    insert into public.reports (id, case_id, reporter_id, kind, subject_id, reason, note, created_at, outcome, decided_at)
    select r.id, c.id, r.reporter, c.kind, c.subject_id, r.reason, r.note, r.at,
      case when c.decision = 'dismiss' then 'dismissed' when c.decision is not null then 'acted' end, c.decided_at
    from jsonb_to_recordset(${rowsOf(cases.flatMap(({ reports }) => reports))}::text::jsonb)
      as r (id uuid, "case" uuid, reporter uuid, reason text, note text, at timestamptz)
    join public.moderation_cases c on c.id = r.case`
  await hideThings(tx)
  await tx`
    update public.accounts a set suspended_at = c.decided_at, suspended_until = c.suspended_until,
      suspension_reason = c.reason, suspension_case = c.id
    from public.moderation_cases c
    where c.person_id = a.user_id and c.decision = 'suspend' and c.appeal_outcome is distinct from 'overturned'
      and (c.suspended_until is null or c.suspended_until > ${now})`
  await tx`
    update public.accounts a set read_only_reason = private.reason_to_refuse(a) where a.suspended_at is not null`
  await tellPeople(tx, now)
}

/** Takes away what decisions took away. */
async function hideThings(tx: TransactionSql): Promise<void> {
  await tx`
    update public.posts p set hidden = case c.decision when 'remove' then 'removed' else 'hidden' end
    from public.moderation_cases c where c.hid and c.kind = 'post' and c.subject_id = p.id`
  await tx`delete from public.post_tags t using public.posts p where p.id = t.post_id and p.hidden is not null`
  await tx`
    update public.comments o set hidden = case c.decision when 'remove' then 'removed' else 'hidden' end
    from public.moderation_cases c where c.hid and c.kind = 'comment' and c.subject_id = o.id`
  await tx`
    insert into private.hidden_messages (message_id, content, reply_to_id, media_id, media_width, media_height,
      placeholder, reactions, edited_at, hidden_at)
    select m.id, m.content, m.reply_to_id, m.media_id, m.media_width, m.media_height, m.placeholder, m.reactions,
      m.edited_at, c.decided_at
    from public.messages m
    join public.moderation_cases c on c.hid and c.kind = 'message' and c.subject_id = m.id`
  await tx`
    update public.messages m set content = '', deleted_at = h.hidden_at, edited_at = null, reply_to_id = null,
      media_id = null, media_width = null, media_height = null, placeholder = null, reactions = '[]',
      version = c.last_change + 1
    from private.hidden_messages h, public.conversations c
    where h.message_id = m.id and c.id = m.conversation_id`
  await tx`
    update public.conversations c set last_change = m.version
    from public.messages m join private.hidden_messages h on h.message_id = m.id
    where m.conversation_id = c.id`
}

/** What reporters and those concerned were told, in the words of private.decide_case. They have read what is older. */
async function tellPeople(tx: TransactionSql, now: Date): Promise<void> {
  await tx`
    insert into public.notifications (id, user_id, kind, detail, created_at, read_at, group_id, is_head, people)
    select n.id, n.person, n.kind, n.said, n.at,
      case when n.at < ${now}::timestamptz - interval '4 days' then n.at + interval '3 hours' end, n.id, true, 1
    from (
      select pg_temp.id_of('told ' || r.id), r.reporter_id, 'report', case c.decision
          when 'dismiss' then 'We looked at what you reported, and found that it may stay.'
          else 'We looked at what you reported, and acted. Thank you.' end, c.decided_at
      from public.reports r join public.moderation_cases c on c.id = r.case_id
      where c.decision is not null
      union all
      select pg_temp.id_of('decided ' || c.id), c.person_id, 'moderation',
        private.decision_words(c.kind, c.decision, c.suspended_until, c.reason), c.decided_at
      from public.moderation_cases c where c.decision <> 'dismiss'
      union all
      select pg_temp.id_of('answered ' || c.id), c.person_id, 'moderation', case c.appeal_outcome
          when 'overturned' then 'Your appeal was granted: ' else 'Your appeal was turned down: ' end || c.appeal_answer,
        c.appeal_decided_at
      from public.moderation_cases c where c.appeal_outcome is not null
    ) n (id, person, kind, said, at)
    join public.profiles p on p.id = n.person`
}
