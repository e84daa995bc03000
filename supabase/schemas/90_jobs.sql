-- Scheduled jobs: the latest run of each job and its result, monitoring, the `clean-up` job, the health check's write
-- test, and the schedule on Supabase.
--
-- The embedded stack's timer, or pg_cron on Supabase, calls the routes of the `jobs` function. Each run is recorded
-- with private.begin_job and private.end_job, so that no run starts while another run of the same job is in progress,
-- and admins can see whether the schedule works. A run holds a short lease and renews it with private.renew_job while
-- it works: a long run keeps its lease, and the lease of a crashed run ends soon.

-- Job runs ---------------------------------------------------------------------------------------------------------
-- The current or latest run of each job.
create table private.job_runs (
  name text primary key,
  -- Seconds between two runs.
  every integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- When the lease ends; set while the job runs. A run that has neither ended nor renewed its lease by this time is
  -- considered failed, and another run may start.
  running_until timestamptz,
  -- Identifies the run, so that an expired run cannot overwrite the result of a later one.
  token uuid,
  outcome text check (outcome in ('done', 'failed')),
  -- What the run did, as the job returns it (`json` keeps the order of the keys), or why it failed.
  detail json,
  last_done_at timestamptz,
  -- Failed runs since the last successful run.
  failures integer not null default 0,
  -- The duration of the last completed run.
  last_seconds double precision
);

-- Returns the `detail` of a run whose lease has expired.
create function private.expired_run_detail() returns json
language sql immutable parallel safe set search_path = ''
as $$ select '{"reason": "The run was interrupted."}'::json $$;

-- Returns the number of seconds from the start of a run to the start of the next one. This delay doubles with each
-- consecutive failure after the first, up to an hour or the job's interval, whichever is longer.
create function private.job_delay_seconds(interval_seconds integer, failures integer) returns integer
language sql immutable parallel safe set search_path = ''
as $$
  select least(interval_seconds * (2 ^ least(greatest(failures - 1, 0), 20))::bigint, greatest(interval_seconds, 3600))::integer
$$;

-- Starts a run of a job and leases the job to it for `lease_seconds`. Returns the token of the run. Returns null if
-- another run holds the lease, if `only_if_due` is true and the latest run started less than `interval_seconds` ago, or
-- if `is_scheduled` is true and the delay after repeated failures has not passed. Counts a previous run whose lease
-- expired as failed.
create function private.begin_job(
  job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean default false,
  is_scheduled boolean default false
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
        -- If the lease ends this far in the future, the system clock was set back. A run that is still alive
        -- corrects its lease within seconds by renewing it. A smaller clock jump is ignored.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so a tick that is at most half an interval early counts as due.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator can start the job at any time, which must not make the schedule skip the next tick.
        or j.failures + (j.running_until is not null)::integer < 2)
  returning token into run_token;
  return run_token;
end
$$;

grant execute on function private.begin_job(text, integer, integer, boolean, boolean) to service_role;

-- Extends the lease of a run. Returns false if the run no longer holds the lease.
create function private.renew_job(job_name text, run_token uuid, lease_seconds integer) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with renewed as (
    update private.job_runs j set running_until = clock_timestamp() + make_interval(secs => lease_seconds)
    where j.name = job_name and j.token = run_token
    returning 1
  )
  select exists (select from renewed)
$$;

grant execute on function private.renew_job(text, uuid, integer) to service_role;

-- Records the result of a run. Does nothing if another run has started in the meantime.
create function private.end_job(job_name text, run_token uuid, succeeded boolean, result json) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.job_runs j
  set ended_at = clock_timestamp(), running_until = null, token = null,
      last_seconds = extract(epoch from clock_timestamp() - j.started_at),
      outcome = case when succeeded then 'done' else 'failed' end, detail = result,
      last_done_at = case when succeeded then clock_timestamp() else j.last_done_at end,
      failures = case when succeeded then 0 else j.failures + 1 end
  where j.name = job_name and j.token = run_token
$$;

grant execute on function private.end_job(text, uuid, boolean, json) to service_role;

-- The status of each job. A run whose lease has expired counts as failed.
create view private.job_statuses with (security_invoker = true) as
  select j.name, j.every, j.started_at, j.ended_at, j.running_until is not null and not lease.is_expired as is_running,
         case when lease.is_expired then 'failed' else j.outcome end as outcome,
         case when lease.is_expired then private.expired_run_detail() else j.detail end as detail,
         j.last_done_at, j.last_seconds, counted.failures,
         j.started_at + make_interval(secs => private.job_delay_seconds(j.every, counted.failures)) as next_at
  from private.job_runs j
  cross join lateral (select coalesce(j.running_until <= clock_timestamp(), false) as is_expired) lease
  cross join lateral (select j.failures + case when lease.is_expired then 1 else 0 end as failures) counted;

-- Lists the status of each job, for admins.
create function private.list_jobs() returns setof private.job_statuses
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select * from private.job_statuses j order by j.name;
end
$$;

grant execute on function private.list_jobs() to authenticated;

-- Monitoring -------------------------------------------------------------------------------------------------------
-- Returns the status of the database for metrics and the admin page "System": jobs, queue lengths and connections.
create function private.system_status() returns json
language sql volatile security definer set search_path = ''
as $$
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
      'new_posts', (select count(*) from private.announced_posts q where q.announcement_id is null)
        + (select count(*) from private.post_announcements a where a.position_at is not null),
      'auto_posts', (select count(*) from private.auto_post_slots s
                     where s.state in ('planned', 'running') and s.due_at <= now())),
    'notifyQueue', pg_notification_queue_usage(),
    'connections', (
      select coalesce(json_agg(json_build_object('role', a.role, 'state', a.state, 'count', a.count)), '[]')
      from (select coalesce(s.usename, '') as role, coalesce(s.state, 'unknown') as state, count(*)
            from pg_stat_activity s
            where s.datname = current_database() and s.backend_type = 'client backend' group by 1, 2) a),
    'maxConnections', current_setting('max_connections')::integer)
$$;

grant execute on function private.system_status() to service_role;

-- Returns the jobs whose last run failed.
create function private.failing_jobs() returns setof text
language sql volatile security definer set search_path = ''
as $$ select j.name from private.job_statuses j where j.failures > 0 order by j.name $$;

grant execute on function private.failing_jobs() to service_role;

-- Returns the total error of the ledger in cents: for each transaction, how far the sum of its entries is from 0, plus,
-- for each creator, how far their balance is from the sum of their transactions. Must be 0. Reads the whole ledger.
create function private.ledger_imbalance_cents() returns bigint
language sql stable security definer set search_path = ''
as $$
  select (
    (select coalesce(sum(abs(t.cents)), 0)
     from (select sum(e.amount_cents) as cents from public.ledger_entries e group by e.transaction_id) t)
    + (select coalesce(sum(abs(coalesce(b.total_cents, 0) - coalesce(t.cents, 0))), 0)
       from public.creator_balances b
       full join (select l.user_id, sum(l.net_cents) as cents from public.ledger_transactions l
                  where l.user_id is not null group by 1) t on t.user_id = b.user_id))::bigint
$$;

grant execute on function private.ledger_imbalance_cents() to service_role;

-- Cleaning up ------------------------------------------------------------------------------------------------------
-- Deletes up to `max_rows` rows of the given kind that are no longer needed. 'announcements' are not deleted here, only
-- queued for the `new-posts` job. Returns the number of deleted or queued rows. The `clean-up` job repeats the call
-- until nothing is left or the time budget for this kind is used up, so that a backlog of any size is deleted step by
-- step.
create function private.clean_up(kind text, max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  deleted integer := 0;
  conversation_ids uuid[];
begin
  case kind
    when 'captchas' then
      delete from private.spent_captchas d where d.ctid = any (array(
        select o.ctid from private.spent_captchas o where o.expires_at < now()
        limit max_rows for update skip locked));
    when 'rateLimits' then
      delete from private.rate_limits d where d.ctid = any (array(
        select o.ctid from private.rate_limits o where o.window_start < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'resetClaims' then
      -- No reset link is valid for more than an hour.
      delete from private.password_reset_claims d where d.ctid = any (array(
        select o.ctid from private.password_reset_claims o where o.claimed_at < now() - interval '1 hour'
        limit max_rows for update skip locked));
    when 'emailChanges' then
      delete from private.email_changes d where d.ctid = any (array(
        select o.ctid from private.email_changes o where o.created_at < now() - interval '24 hours'
        limit max_rows for update skip locked));
    -- If both users have deleted their accounts, nobody is left who can read the conversation. A conversation is
    -- deleted after its messages, because it may have any number of them.
    when 'messages' then
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
        limit max_rows);
      delete from public.messages d where d.ctid = any (array(
        select m.ctid from public.messages m where m.conversation_id = any (conversation_ids)
        limit max_rows for update skip locked));
    when 'conversations' then
      -- A conversation that still has a member is checked again when it loses that member, too.
      delete from private.conversation_checks k
      where exists (select from public.conversation_members p where p.conversation_id = k.conversation_id);
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
          and not exists (select from public.messages m where m.conversation_id = k.conversation_id)
        limit max_rows);
      delete from private.conversation_checks k where k.conversation_id = any (conversation_ids);
      delete from public.conversations c where c.id = any (conversation_ids);
    when 'withdrawals' then
      delete from private.notification_withdrawals d where d.ctid = any (array(
        select o.ctid from private.notification_withdrawals o where o.since < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'announcements' then
      -- The job `new-posts` deletes these announcements and their notifications.
      insert into private.announcement_checks (announcement_id)
      select a.id from private.post_announcements a
      where a.opened_at <= now() - interval '30 days'
        and not exists (select from private.announcement_checks k where k.announcement_id = a.id)
      order by a.opened_at limit max_rows;
    when 'authLog' then
      -- Auth never deletes entries from its log.
      if not (private.can_access_auth_log('select') and private.can_access_auth_log('delete')) then return 0; end if;
      execute $log$
        delete from auth.audit_log_entries d where d.ctid = any (array(
          select o.ctid from auth.audit_log_entries o where o.created_at < now() - interval '90 days' limit $1))
        $log$ using max_rows;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

grant execute on function private.clean_up(text, integer) to service_role;

-- Health -----------------------------------------------------------------------------------------------------------
-- Written by private.probe_write only.
create table private.health_probe (
  id integer primary key,
  content text not null
);

comment on table private.health_probe is 'Written by the health check, to find out whether the database can write.';

-- Writes 24 kB, and raises an error if that is impossible, for example because the disk is full. Truncating the table
-- gives it a new file, so the rows need new space on the disk; an update could reuse the space of old rows.
create function private.probe_write() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  truncate private.health_probe;
  insert into private.health_probe select n, repeat('x', 1000) from generate_series(1, 24) n;
end
$$;

grant execute on function private.probe_write() to service_role;

-- Schedule on Supabase ---------------------------------------------------------------------------------------------
-- Enables pg_cron and pg_net if they and the vault are available, which is the case on Supabase. Elsewhere, this block
-- and the next one do nothing.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron;
    create extension if not exists pg_net with schema extensions;
  end if;
end
$$;

-- Schedules calls to the same job routes that the embedded stack's timer calls. The calls use the URL and the secret
-- that the operator stored in the vault as `jobs_url` and `job_secret`.
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
    ('payouts', '*/10 * * * *'), ('moderation', '* * * * *'), ('auto-posts', '*/5 * * * *'),
    ('new-posts', '* * * * *'), ('mass-messages', '* * * * *'), ('scheduled-posts', '* * * * *')) as listed(name, schedule)
  loop
    -- Scheduling by name replaces an existing schedule of the same job.
    perform cron.schedule('ovation-' || job.name, job.schedule, format($job$
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
