import type { TransactionSql } from 'postgres'
import { adminUsername, userIdOf } from './ids.ts'
import { daysBefore } from './time.ts'

/** Admin actions that cannot be derived from other tables. */
const otherActions: [
  daysAgo: number,
  action: string,
  user: string | null,
  subject: string | null,
  change: object,
][] = [
  [311, 'account.creator', 'mateus_wrench', null, { isCreator: true }],
  [118.2, 'settings.change', null, 'require_approval', { from: false, to: true }],
  [111.4, 'settings.change', null, 'require_approval', { from: true, to: false }],
  [73.1, 'account.edit', 'walter_f', null, { fields: ['phoneNumber'] }],
  [14.3, 'ai_key.set', null, null, {}],
  [0.1, 'ai_key.remove', null, null, {}],
]

/**
 * Writes the audit log from the payouts, accounts, cases and auto-posting settings, and from `otherActions`.
 * `private.write_audit_entry` cannot be used: it stores the current time, on which the hash of the entry depends.
 */
export async function insertAuditLog(tx: TransactionSql, now: Date): Promise<void> {
  const rows = otherActions.map(([daysAgo, action, user, subject, change]) => ({
    at: daysBefore(now, daysAgo),
    action,
    user: user && userIdOf(user),
    subject,
    change,
  }))
  await tx`
    create function pg_temp.write_audit_log(admin uuid, others jsonb) returns void language plpgsql as $$
    declare
      entry public.audit_entries;
      event record;
    begin
      entry.hash := ''::bytea;
      for event in
        select e.* from (
          select p.settled_at, p.settled_by, 'payout.' || p.state, p.user_id, p.id::text,
            jsonb_build_object('amount', p.amount_cents / 100.0, 'said', coalesce(p.reference, p.failure))
          from public.payouts p where p.state <> 'requested'
          union all
          select a.approved_at, a.approved_by, 'account.approve', a.user_id, null, '{}'
          from public.accounts a where a.approved_at is not null
          union all
          select c.decided_at, c.decided_by, 'case.' || c.decision,
            case when c.decision <> 'dismiss' then c.user_id end, c.id::text,
            jsonb_strip_nulls(jsonb_build_object('kind', c.kind, 'subjectId', c.subject_id, 'reason', c.reason,
              'until', c.suspended_until, 'reports', c.reports,
              -- Whether the decision hid the content. The column alone can be false later, for example after an appeal.
              'hid', c.hid or (c.kind <> 'user' and c.decision in ('hide', 'remove'))))
          from public.moderation_cases c where c.decision is not null
          union all
          select c.appeal_decided_at, c.appeal_decided_by,
            'appeal.' || case c.appeal_outcome when 'overturned' then 'grant' else 'refuse' end, c.user_id, c.id::text,
            jsonb_build_object('answer', c.appeal_answer)
          from public.moderation_cases c where c.appeal_outcome is not null
          union all
          select x.changed_at, x.changed_by, 'auto_posting.set', x.user_id, null,
            jsonb_build_object('enabled', x.enabled, 'frequency', x.frequency)
          from private.auto_posting_settings x
          union all
          select o.at, admin, o.action, o.user, o.subject, o.change
          from jsonb_to_recordset(others) as o (at timestamptz, action text, "user" uuid, subject text, change jsonb)
        ) e (at, actor, action, target, subject, change)
        order by e.at, e.target
      loop
        entry.previous_hash := entry.hash;
        entry.id := nextval(pg_get_serial_sequence('public.audit_entries', 'id'));
        entry.created_at := event.at;
        entry.actor_id := event.actor;
        entry.action := event.action;
        entry.target_id := event.target;
        entry.subject := event.subject;
        entry.change := event.change;
        entry.hash := sha256(convert_to(private.audit_entry_text(entry), 'UTF8'));
        insert into public.audit_entries overriding system value values (entry.*);
      end loop;
    end
    $$`
  await tx`select pg_temp.write_audit_log(${userIdOf(adminUsername)}::text::uuid, ${JSON.stringify(rows)}::text::jsonb)`
}
