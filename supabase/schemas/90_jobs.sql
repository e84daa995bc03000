-- Scheduled jobs: when each job last ran and with what result, the clean-up job, and the schedule on Supabase.
--
-- The embedded stack's timer, or pg_cron on Supabase, calls the routes of the function `jobs`. Each run is recorded
-- with private.begin_job and private.end_job, so that no run starts while another run of the same job is in progress,
-- unless that one takes too long, and admins can see whether the schedule works.

-- Job runs ---------------------------------------------------------------------------------------------------------
-- The current or latest run of each job.
create table private.job_runs (
  name text primary key,
  -- Seconds between two runs.
  every integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Set while the job runs. A run that has not ended by this time is considered failed, and another run may start.
  running_until timestamptz,
  -- Identifies the run, so that an expired run cannot overwrite the result of a later one.
  token uuid,
  outcome text check (outcome in ('done', 'failed')),
  -- What the run did, as the job returns it (`json` keeps the order of the keys), or why it failed.
  detail json,
  last_done_at timestamptz,
  -- Failed runs since the last successful run.
  failures integer not null default 0
);

-- Returns the `detail` of a run that did not end in time.
create function private.expired_run_detail() returns json
language sql immutable parallel safe set search_path = ''
as $$ select '{"reason": "The run did not finish in time."}'::json $$;

-- Starts a run of a job that may take `lease_seconds`. Returns its token, or null if another run is in progress or,
-- with `only_if_due`, the latest run started less than `interval_seconds` ago. Counts a previous run that did not end
-- in time as failed.
create function private.begin_job(
  job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean default false
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
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
        -- After the system clock was set back, a start in the future does not block the job.
        or j.started_at > clock_timestamp())
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
  returning token into run_token;
  return run_token;
end
$$;

grant execute on function private.begin_job(text, integer, integer, boolean) to service_role;

-- Records the result of a run. Does nothing if another run has started in the meantime.
create function private.end_job(job_name text, run_token uuid, succeeded boolean, result json) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.job_runs j
  set ended_at = clock_timestamp(), running_until = null, token = null,
      outcome = case when succeeded then 'done' else 'failed' end, detail = result,
      last_done_at = case when succeeded then clock_timestamp() else j.last_done_at end,
      failures = case when succeeded then 0 else j.failures + 1 end
  where j.name = job_name and j.token = run_token
$$;

grant execute on function private.end_job(text, uuid, boolean, json) to service_role;

-- Lists the status of each job, for admins.
create function private.list_jobs() returns table (
  name text, every integer, started_at timestamptz, ended_at timestamptz, is_running boolean, outcome text,
  detail json, last_done_at timestamptz, failures integer, next_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select j.name, j.every, j.started_at, j.ended_at, j.running_until is not null and not lease.is_expired,
           case when lease.is_expired then 'failed' else j.outcome end,
           case when lease.is_expired then private.expired_run_detail() else j.detail end, j.last_done_at,
           case when lease.is_expired then j.failures + 1 else j.failures end,
           j.started_at + make_interval(secs => j.every)
    from private.job_runs j
    cross join lateral (select coalesce(j.running_until <= clock_timestamp(), false) as is_expired) lease
    order by j.name;
end
$$;

grant execute on function private.list_jobs() to authenticated;

-- Cleaning up ------------------------------------------------------------------------------------------------------
-- Deletes data that is no longer needed. Returns the number of deleted rows of each kind.
create function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captcha_count integer;
  rate_limit_count integer;
  reset_claim_count integer;
  email_change_count integer;
  conversation_count integer;
  withdrawal_count integer;
  auth_log_count integer := 0;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captcha_count = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rate_limit_count = row_count;
  -- No reset link is valid for longer.
  delete from private.password_reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics reset_claim_count = row_count;
  delete from private.email_changes where created_at < now() - interval '24 hours';
  get diagnostics email_change_count = row_count;
  -- Both users deleted their accounts: nobody is left who can read the conversation.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics conversation_count = row_count;
  delete from private.notification_withdrawals where since < now() - interval '1 day';
  get diagnostics withdrawal_count = row_count;
  -- The auth server never deletes its log.
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute $log$delete from auth.audit_log_entries e where e.created_at < now() - interval '90 days'$log$;
    get diagnostics auth_log_count = row_count;
  end if;
  return jsonb_build_object('captchas', captcha_count, 'rateLimits', rate_limit_count,
                            'resetClaims', reset_claim_count, 'emailChanges', email_change_count,
                            'conversations', conversation_count, 'withdrawals', withdrawal_count,
                            'authLog', auth_log_count);
end
$$;

revoke execute on function private.clean_up() from public;
grant execute on function private.clean_up() to service_role;

-- Schedule on Supabase ---------------------------------------------------------------------------------------------
-- Does nothing unless pg_cron, pg_net and the vault are available, as they are on Supabase.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron;
    create extension if not exists pg_net;
  end if;
end
$$;

-- Schedules calls to the job routes that the embedded stack's timer calls, with the URL and the secret that the
-- operator stored in the vault as `jobs_url` and `job_secret`.
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
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;
