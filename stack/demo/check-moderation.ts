import type { TransactionSql } from 'postgres'

/** How many rows break a rule of cases, reports, suspensions, approvals and the audit log, by rule. */
export async function faultsOfModeration(tx: TransactionSql): Promise<Record<string, number>> {
  const [faults] = await tx<Record<string, number>[]>`
    select
      (select count(*) from public.moderation_cases c
        left join (select case_id, count(*) as n, min(created_at) as first, max(created_at) as last from public.reports
                   group by 1) r on r.case_id = c.id
        where (r.n, r.first) is distinct from (c.reports::bigint, c.created_at) or c.decided_at < r.last
           or c.moved_at is distinct from coalesce(c.appeal_decided_at, c.appealed_at, c.decided_at, r.last)
           or c.moved_at > now() or c.appealed_at not between c.decided_at and c.decided_at + interval '30 days'
           or c.appeal_decided_at < c.appealed_at or (c.decision <> 'dismiss' and c.reason is null)
           or c.state is distinct from case when c.decision is null then 'open' when c.appeal is null then 'decided'
                                            when c.appeal_outcome is null then 'appealed' else 'closed' end
      )::int as "course of cases",
      -- What is gone was removed long ago; everything else is there, belongs to that person, and was before.
      (select count(*) from public.moderation_cases c
        cross join lateral (select private.snapshot_of(c.kind, c.subject_id, true) as now) looks
        where (looks.now is null and c.decision is distinct from 'remove')
           or (looks.now ->> 'personId')::uuid <> c.person_id
           or (looks.now -> 'seen' ->> 'createdAt')::timestamptz > c.created_at
           or (looks.now is not null and jsonb_array_length(c.snapshots) = 0)
           or not (select coalesce(array_agg(m::uuid), '{}') <@ c.media_ids
                   from jsonb_array_elements_text(looks.now -> 'media') m))::int as "things of cases",
      (select count(*) from public.reports r
        join public.moderation_cases c on c.id = r.case_id
        left join public.profiles p on p.id = r.reporter_id
        where p.id is null or p.created_at > r.created_at or r.reporter_id = c.person_id
           or (r.kind, r.subject_id) is distinct from (c.kind, c.subject_id) or r.decided_at is distinct from c.decided_at
           or r.outcome is distinct from case when c.decision = 'dismiss' then 'dismissed'
                                              when c.decision is not null then 'acted' end)::int as "reports",
      (select count(*) from (
          select 'post' as kind, p.id from public.posts p where p.hidden is not null
          union all select 'comment', o.id from public.comments o where o.hidden is not null
          union all select 'message', h.message_id from private.hidden_messages h
            join public.messages m on m.id = h.message_id and m.deleted_at is not null) h
        full join (select c.kind, c.subject_id from public.moderation_cases c where c.hid) c
          on (c.kind, c.subject_id) = (h.kind, h.id)
        where h.id is null or c.subject_id is null)::int as "hidden things",
      (select count(*) from public.accounts a
        left join public.moderation_cases c on c.id = a.suspension_case and c.decision = 'suspend'
          and c.person_id = a.user_id and c.appeal_outcome is distinct from 'overturned'
        where (a.suspended_at, a.suspended_until, a.suspension_reason)
                is distinct from (c.decided_at, c.suspended_until, c.reason)
           or a.suspended_until < now() or a.read_only_reason is distinct from private.reason_to_refuse(a)
      )::int as "suspensions",
      (select count(*) from public.accounts a join public.profiles p on p.id = a.user_id
        where (a.approved_at is null) <> (a.approved_by is null) or a.approved_at not between p.created_at and now()
           or (p.is_admin and a.approved_at is not null))::int as "approvals",
      (select count(*) from public.moderation_cases c join public.profiles p on p.id = c.person_id
        where (select count(*) from public.notifications n where n.user_id = p.id and n.kind = 'moderation'
                 and n.created_at in (c.decided_at, c.appeal_decided_at))
           <> (case when c.decision <> 'dismiss' then 1 else 0 end)
            + (case when c.appeal_outcome is not null then 1 else 0 end))::int
      + (select count(*) from public.reports r where r.decided_at is not null and not exists (
          select from public.notifications n where n.user_id = r.reporter_id and n.kind = 'report'
            and n.created_at = r.decided_at))::int as "news of decisions",
      (select count(*) from (
          select decided_by as actor, decided_at as at, 'case.' || decision as action,
            case when decision <> 'dismiss' then person_id end as person_id, id::text as subject
          from public.moderation_cases where decision is not null
          union all select appeal_decided_by, appeal_decided_at,
            'appeal.' || case appeal_outcome when 'overturned' then 'grant' else 'refuse' end, person_id, id::text
          from public.moderation_cases where appeal_outcome is not null
          union all select approved_by, approved_at, 'account.approve', user_id, null from public.accounts
          where approved_at is not null
          union all select changed_by, changed_at, 'auto_posting.set', user_id, null from private.auto_posting) d
        full join (select * from public.audit_entries
                   where action like any ('{case.%,appeal.%,account.approve,auto_posting.set}')) e
          on (e.actor_id, e.created_at, e.action) = (d.actor, d.at, d.action)
         and e.target_id is not distinct from d.person_id and e.subject is not distinct from d.subject
        where e.id is null or d.at is null)::int as "audit of decisions",
      (select count(*) from (
          select e.created_at, lag(e.created_at) over (order by e.id) as before, p.is_admin
          from public.audit_entries e left join public.profiles p on p.id = e.actor_id) e
        where e.before > e.created_at or e.created_at > now() or e.is_admin is distinct from true)::int as "order of the audit",
      (select count(*) from (
          (table private.account_search except table private.searched_accounts)
          union all (table private.searched_accounts except table private.account_search)) s)::int as "accounts to find"`
  return faults ?? { everything: 1 }
}
