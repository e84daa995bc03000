set local check_function_bodies = off;

DROP FUNCTION "private"."begin_job"(text, integer, integer, boolean);

DROP FUNCTION "private"."list_jobs"();

ALTER TABLE "private"."job_runs" ADD COLUMN "last_seconds" double precision;

CREATE OR REPLACE FUNCTION private.begin_job(job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean DEFAULT false, is_scheduled boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  run_token uuid;
begin
  insert into private.job_runs as j (name, every, started_at, running_until, token)
  values (job_name, interval_seconds, clock_timestamp(), clock_timestamp() + make_interval(secs => lease_seconds),
          gen_random_uuid())
  on conflict (name) do update
    set every = excluded.every, started_at = excluded.started_at, running_until = excluded.running_until,
        token = excluded.token, ended_at = null, outcome = null,
        failures = case when j.running_until is null then j.failures else j.failures + 1 end,
        detail = case when j.running_until is null then j.detail else private.expired_run_detail() end
    where (j.running_until is null or j.running_until < clock_timestamp()
        -- The system clock was set back. The run has crashed or renews its lease within seconds. A small step is
        -- tolerated, so that it does not let another run start.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so the tick that is at most half an interval early is the right one.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator may start the job at any time, and the schedule must not skip the next tick because of that.
        or j.failures + (j.running_until is not null)::integer < 2)
  returning token into run_token;
  return run_token;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_due_digests(max_rows integer)
 RETURNS TABLE(user_id uuid, waiting_since timestamp with time zone, waiting_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Newer rows may not be committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with chosen as (
      select d.recipient_id, d.since from private.due_digests() d
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by d.mailed_at nulls first, d.newest, d.recipient_id limit max_rows
    ), marked as (
      insert into private.notification_mails as k (user_id, mailed_until, mailed_at)
      select c.recipient_id, covered_until, now() from chosen c order by c.recipient_id
      -- Names the constraint, because `user_id` is also an output column.
      on conflict on constraint notification_mails_pkey do update
        set mailed_until = excluded.mailed_until, mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as recipient_id
    )
    select c.recipient_id, c.since, covered_until from marked d join chosen c on c.recipient_id = d.recipient_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.due_digests()
 RETURNS TABLE(recipient_id uuid, since timestamp with time zone, mailed_at timestamp with time zone, newest timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with period as (select now() - interval '1 day 15 minutes' as oldest, now() - interval '15 minutes' as due_before),
  waiting as (
    select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n, period p
    where n.read_at is null and n.created_at > p.oldest and n.created_at <= p.due_before
      and n.kind not in ('message', 'sign_in')
    group by 1
    union all
    select m.user_id, max(m.unread_since) from public.conversation_members m, period p
    where m.unread_since > p.oldest and m.unread_since <= p.due_before
      and not private.are_blocked(m.user_id, m.partner_id)
    group by 1
  )
  select w.recipient_id, greatest(k.mailed_until, p.oldest), k.mailed_at, w.newest
  from (select w.recipient_id, max(w.newest) as newest from waiting w group by 1) w
  cross join period p
  join public.user_settings s on s.user_id = w.recipient_id and s.email_notifications
  left join private.notification_mails k on k.user_id = w.recipient_id
  where w.newest > coalesce(k.mailed_until, '-infinity')
    and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
$function$;

CREATE OR REPLACE FUNCTION private.end_job(job_name text, run_token uuid, succeeded boolean, result json)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.job_runs j
  set ended_at = clock_timestamp(), running_until = null, token = null,
      last_seconds = extract(epoch from clock_timestamp() - j.started_at),
      outcome = case when succeeded then 'done' else 'failed' end, detail = result,
      last_done_at = case when succeeded then clock_timestamp() else j.last_done_at end,
      failures = case when succeeded then 0 else j.failures + 1 end
  where j.name = job_name and j.token = run_token
$function$;

CREATE OR REPLACE FUNCTION private.expired_run_detail()
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select '{"reason": "The run was interrupted."}'::json $function$;

CREATE OR REPLACE FUNCTION private.failing_jobs()
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ select j.name from private.job_statuses j where j.failures > 0 order by j.name $function$;

CREATE OR REPLACE FUNCTION private.job_delay_seconds(interval_seconds integer, failures integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select least(interval_seconds * (2 ^ least(greatest(failures - 1, 0), 20))::bigint, greatest(interval_seconds, 3600))::integer
$function$;

CREATE OR REPLACE FUNCTION private.ledger_imbalance_cents()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (
    (select coalesce(sum(abs(t.cents)), 0)
     from (select sum(e.amount_cents) as cents from public.ledger_entries e group by e.transaction_id) t)
    + (select coalesce(sum(abs(coalesce(b.total_cents, 0) - coalesce(t.cents, 0))), 0)
       from public.creator_balances b
       full join (select l.user_id, sum(l.net_cents) as cents from public.ledger_transactions l
                  where l.user_id is not null group by 1) t on t.user_id = b.user_id))::bigint
$function$;

CREATE OR REPLACE FUNCTION private.renew_job(job_name text, run_token uuid, lease_seconds integer)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with renewed as (
    update private.job_runs j set running_until = clock_timestamp() + make_interval(secs => lease_seconds)
    where j.name = job_name and j.token = run_token
    returning 1
  )
  select exists (select from renewed)
$function$;

CREATE OR REPLACE FUNCTION private.system_status()
 RETURNS json
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select json_build_object(
    'jobs', (
      select coalesce(json_agg(json_build_object(
        'name', j.name, 'every', j.every, 'running', j.is_running, 'doneAt', j.last_done_at,
        'seconds', j.last_seconds, 'failures', j.failures) order by j.name), '[]')
      from private.job_statuses j),
    'queues', json_build_object(
      'file_deletions', (select count(*) from private.file_deletion_queue f where f.due_at <= now()),
      'media_checks', (select count(*) from private.orphaned_media o where o.due <= now()),
      'digest_mails', (select count(*) from private.due_digests()),
      'moderation_cases', (select count(*) from public.moderation_cases m where m.state in ('open', 'appealed')),
      'payouts', (select count(*) from public.payouts p where p.state = 'requested'),
      'auto_posts', (select count(*) from private.auto_post_slots s
                     where s.state in ('planned', 'running') and s.due_at <= now())),
    'notifyQueue', pg_notification_queue_usage(),
    'connections', (
      select coalesce(json_agg(json_build_object('role', a.role, 'state', a.state, 'count', a.count)), '[]')
      from (select coalesce(s.usename, '') as role, coalesce(s.state, 'unknown') as state, count(*)
            from pg_stat_activity s
            where s.datname = current_database() and s.backend_type = 'client backend' group by 1, 2) a),
    'maxConnections', current_setting('max_connections')::integer)
$function$;

CREATE VIEW "private"."job_statuses" WITH (security_invoker=true) AS  SELECT j.name,
    j.every,
    j.started_at,
    j.ended_at,
    ((j.running_until IS NOT NULL) AND (NOT lease.is_expired)) AS is_running,
        CASE
            WHEN lease.is_expired THEN 'failed'::text
            ELSE j.outcome
        END AS outcome,
        CASE
            WHEN lease.is_expired THEN private.expired_run_detail()
            ELSE j.detail
        END AS detail,
    j.last_done_at,
    j.last_seconds,
    counted.failures,
    (j.started_at + make_interval(secs => (private.job_delay_seconds(j.every, counted.failures))::double precision)) AS next_at
   FROM ((private.job_runs j
     CROSS JOIN LATERAL ( SELECT COALESCE((j.running_until <= clock_timestamp()), false) AS is_expired) lease)
     CROSS JOIN LATERAL ( SELECT (j.failures +
                CASE
                    WHEN lease.is_expired THEN 1
                    ELSE 0
                END) AS failures) counted);

CREATE OR REPLACE FUNCTION private.list_jobs()
 RETURNS SETOF private.job_statuses
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query select * from private.job_statuses j order by j.name;
end
$function$;

REVOKE ALL ON FUNCTION "private"."begin_job"(text, integer, integer, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_job"(text, integer, integer, boolean, boolean) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."due_digests"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."due_digests"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."failing_jobs"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."failing_jobs"() TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."job_delay_seconds"(integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."job_delay_seconds"(integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ledger_imbalance_cents"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."ledger_imbalance_cents"() TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."list_jobs"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_jobs"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."renew_job"(text, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."renew_job"(text, uuid, integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."system_status"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."system_status"() TO "postgres", "service_role";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."job_statuses" TO "postgres";

-- Schedules the jobs again on Supabase, so that jobs that keep failing are retried less often.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values
    ('clean-up', '*/10 * * * *'), ('trending', '*/10 * * * *'), ('media', '*/10 * * * *'), ('mails', '*/5 * * * *'),
    ('renewals', '*/10 * * * *'), ('payments', '*/5 * * * *'), ('roll-up', '*/5 * * * *'),
    ('payouts', '*/10 * * * *'), ('moderation', '* * * * *'), ('auto-posts', '*/5 * * * *')) as listed(name, minutes)
  loop
    -- Scheduling by name replaces an existing schedule of the same job.
    perform cron.schedule('ovation-' || job.name, job.minutes, format($job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s?scheduled=1',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;
