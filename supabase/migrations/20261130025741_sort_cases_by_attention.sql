-- For private.cases_by_attention.
create index moderation_cases_attention_idx
  on public.moderation_cases ((-reports), (coalesce(appealed_at, created_at)), id)
  where state in ('open', 'appealed');

-- Returns a page of the open cases and appeals: those with the most reports first, then those that have waited longest
-- for a decision or an answer. A filter that is null matches every case. `after_reports`, `after_time` and `after_id`
-- describe the last case of the previous page.
create function private.cases_by_attention(
  case_state text, subject_kind text, reported_user_id uuid, after_reports integer, after_time timestamptz,
  after_id uuid, skip_rows integer, max_rows integer
) returns table (case_id uuid, reports integer, waiting_since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select c.id, c.reports, coalesce(c.appealed_at, c.created_at) from public.moderation_cases c
    where c.state in ('open', 'appealed') and (case_state is null or c.state = case_state)
      and (subject_kind is null or c.kind = subject_kind)
      and (reported_user_id is null or c.user_id = reported_user_id)
      and (after_id is null
        or (-c.reports, coalesce(c.appealed_at, c.created_at), c.id) > (-after_reports, after_time, after_id))
    order by -c.reports, coalesce(c.appealed_at, c.created_at), c.id offset skip_rows limit max_rows;
end
$$;

revoke all on function private.cases_by_attention(text, text, uuid, integer, timestamptz, uuid, integer, integer)
  from public;

grant execute on function private.cases_by_attention(text, text, uuid, integer, timestamptz, uuid, integer, integer)
  to authenticated;

create or replace function private.platform_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'totalUsers', (select count(*) from private.account_search),
    'creators', (select count(*) from private.account_search t where t.is_creator),
    'admins', (select count(*) from private.account_search t where t.is_admin),
    'suspended', (select count(*) from private.account_search t where t.is_suspended),
    'unapproved', (select count(*) from private.account_search t where not t.is_approved and not t.is_admin),
    'autoPosting', (select count(*) from private.auto_posting_settings x where x.enabled),
    'newThisWeek', (select count(*) from private.account_search t where t.created_at > now() - interval '7 days'),
    -- New accounts on each of the last 30 days in UTC, oldest first and including today.
    'signUps', (
      select json_agg(coalesce(c.sign_ups, 0) order by d.age desc)
      from generate_series(0, 29) d(age)
      left join (
        select (now() at time zone 'UTC')::date - (t.created_at at time zone 'UTC')::date as age,
               count(*) as sign_ups
        from private.account_search t
        where t.created_at >= date_trunc('day', now(), 'UTC') - interval '29 days'
        group by 1) c using (age)),
    'openCases', (select count(*) from public.moderation_cases c where c.state = 'open'),
    'openAppeals', (select count(*) from public.moderation_cases c where c.state = 'appealed'),
    'waitingPayouts', (select count(*) from public.payouts p where p.state = 'requested'));
end
$$;
