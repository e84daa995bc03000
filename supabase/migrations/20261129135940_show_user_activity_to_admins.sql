set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.account_activity(target_user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then return null; end if;
  return jsonb_build_object(
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = target_user_id),
    'postCount', (select c.posts from public.profile_counts c where c.user_id = target_user_id),
    'openCases', (select count(*) from public.moderation_cases c
                  where c.user_id = target_user_id and c.state = 'open'));
end
$function$;

CREATE OR REPLACE FUNCTION private.platform_counts()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'totalUsers', (select count(*) from private.account_search),
    'creators', (select count(*) from private.account_search t where t.is_creator),
    'admins', (select count(*) from private.account_search t where t.is_admin),
    'suspended', (select count(*) from private.account_search t where t.is_suspended),
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
$function$;

REVOKE ALL ON FUNCTION "private"."account_activity"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."account_activity"(uuid) TO "authenticated", "postgres";
