import type { TransactionSql } from 'postgres'
import { rowsOf, uidOf } from './insert-people.ts'

const admin = 'samira'
const day = 86_400_000

/** What else the admin did: days ago, what, to whom, with what. */
const others: [age: number, action: string, person: string | null, subject: string | null, change: object][] =
  [
    [311, 'account.creator', 'mateus_wrench', null, { isCreator: true }],
    [118.2, 'settings.change', null, 'require_approval', { from: false, to: true }],
    [111.4, 'settings.change', null, 'require_approval', { from: true, to: false }],
    [73.1, 'account.edit', 'walter_f', null, { fields: ['phoneNumber'] }],
    [14.3, 'ai_key.set', null, null, {}],
    [0.1, 'ai_key.remove', null, null, {}],
  ]

/**
 * Vouches for the accounts, each in working hours some time after it came. The latest still wait.
 */
export async function approveAccounts(tx: TransactionSql, now: Date): Promise<void> {
  await tx`
    update public.accounts a
    set approved_by = ${uidOf(admin)}::text::uuid,
        approved_at = least(${now}::timestamptz - interval '20 minutes', case
          when extract(hour from t.soon at time zone 'UTC') < 7 then t.morning
          when extract(hour from t.soon at time zone 'UTC') > 19 then t.morning + interval '1 day'
          else t.soon end)
    from public.profiles p
    cross join lateral (select private.chance('approved ' || p.id) as chance) c
    cross join lateral (select p.created_at + interval '1 hour' * (0.5 + 19 * c.chance) as soon) s
    cross join lateral (
      select s.soon, date_trunc('day', s.soon, 'UTC') + interval '1 minute' * (430 + 110 * c.chance) as morning) t
    where p.id = a.user_id and not p.is_admin
      and p.id not in (select n.id from public.profiles n order by n.created_at desc limit 7)`
}

/**
 * The audit log, as private.audit would have written it: what the rows of payouts, accounts, cases and auto-posting say
 * was done, in the order in which it was.
 */
export async function insertAudit(tx: TransactionSql, now: Date): Promise<void> {
  const rows = others.map(([age, action, person, subject, change]) => ({
    at: new Date(now.getTime() - age * day),
    action,
    person: person && uidOf(person),
    subject,
    change,
  }))
  await tx`
    create function pg_temp.write_audit(admin uuid, others jsonb) returns void language plpgsql as $$
    declare
      entry public.audit_entries;
      deed record;
    begin
      entry.hash := ''::bytea;
      for deed in
        select d.* from (
          select p.settled_at, p.settled_by, 'payout.' || p.state, p.person_id, p.id::text,
            jsonb_build_object('amount', p.amount_cents / 100.0, 'said', coalesce(p.reference, p.failure))
          from public.payouts p where p.state <> 'requested'
          union all
          select a.approved_at, a.approved_by, 'account.approve', a.user_id, null, '{}'
          from public.accounts a where a.approved_at is not null
          union all
          select c.decided_at, c.decided_by, 'case.' || c.decision,
            case when c.decision <> 'dismiss' then c.person_id end, c.id::text,
            jsonb_strip_nulls(jsonb_build_object('kind', c.kind, 'subjectId', c.subject_id, 'reason', c.reason,
              'until', c.suspended_until, 'reports', c.reports,
              -- Then: it may be shown again, or gone for good.
              'hid', c.hid or (c.kind <> 'user' and c.decision in ('hide', 'remove'))))
          from public.moderation_cases c where c.decision is not null
          union all
          select c.appeal_decided_at, c.appeal_decided_by,
            'appeal.' || case c.appeal_outcome when 'overturned' then 'grant' else 'refuse' end, c.person_id, c.id::text,
            jsonb_build_object('answer', c.appeal_answer)
          from public.moderation_cases c where c.appeal_outcome is not null
          union all
          select x.changed_at, x.changed_by, 'auto_posting.set', x.user_id, null,
            jsonb_build_object('enabled', x.enabled, 'frequency', x.frequency)
          from private.auto_posting x
          union all
          select o.at, admin, o.action, o.person, o.subject, o.change
          from jsonb_to_recordset(others) as o (at timestamptz, action text, person uuid, subject text, change jsonb)
        ) d (at, actor, action, person, subject, change)
        order by d.at, d.person
      loop
        entry.previous_hash := entry.hash;
        entry.id := nextval(pg_get_serial_sequence('public.audit_entries', 'id'));
        entry.created_at := deed.at;
        entry.actor_id := deed.actor;
        entry.action := deed.action;
        entry.target_id := deed.person;
        entry.subject := deed.subject;
        entry.change := deed.change;
        entry.hash := sha256(convert_to(private.audit_text(entry), 'UTF8'));
        insert into public.audit_entries overriding system value values (entry.*);
      end loop;
    end
    $$`
  await tx`select pg_temp.write_audit(${uidOf(admin)}::text::uuid, ${rowsOf(rows)}::text::jsonb)`
}

/** What admins find people by, which a trigger keeps of every account. */
export async function fillSearch(tx: TransactionSql): Promise<void> {
  await tx`delete from private.account_search`
  await tx`insert into private.account_search select * from private.searched_accounts`
}
