-- The schedule: when each job last ran and how it went, so that one never runs beside itself and an admin sees that the
-- clock is going.

create table private.job_runs (
  name text primary key,
  -- Seconds between two turns.
  every integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- While it runs; whoever does not come back by then is no longer waited for, and has failed.
  running_until timestamptz,
  token uuid,
  outcome text check (outcome in ('done', 'failed')),
  -- What it did, as the job answers it, in its order; or why it failed.
  detail json,
  last_done_at timestamptz,
  failures integer not null default 0
);

-- What is said of a turn whose process is gone.
create function private.never_came_back() returns json
language sql immutable parallel safe set search_path = ''
as $$ select '{"reason": "It did not come back."}'::json $$;

-- Begins a turn of a job. Null while another turn runs, and with `only_if_due` where the last one began less than the
-- usual time ago: then nothing is to be done. A turn before that never came back has failed.
create function private.begin_job(
  job text, seconds_between integer, lease integer, only_if_due boolean default false
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken uuid;
begin
  insert into private.job_runs as j (name, every, started_at, running_until, token)
  values (job, seconds_between, clock_timestamp(), clock_timestamp() + make_interval(secs => lease), gen_random_uuid())
  on conflict (name) do update
    set every = excluded.every, started_at = excluded.started_at, running_until = excluded.running_until,
        token = excluded.token, ended_at = null, outcome = null,
        failures = case when j.running_until is null then j.failures else j.failures + 1 end,
        detail = case when j.running_until is null then j.detail else private.never_came_back() end
    where (j.running_until is null or j.running_until < clock_timestamp()
        -- A clock that was set back does not stop a job for as long.
        or j.started_at > clock_timestamp())
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => seconds_between) and clock_timestamp())
  returning token into taken;
  return taken;
end
$$;

create function private.end_job(job text, turn uuid, well boolean, what json) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.job_runs j
  set ended_at = clock_timestamp(), running_until = null, token = null,
      outcome = case when well then 'done' else 'failed' end, detail = what,
      last_done_at = case when well then clock_timestamp() else j.last_done_at end,
      failures = case when well then 0 else j.failures + 1 end
  where j.name = job and j.token = turn
$$;
grant execute on function private.begin_job(text, integer, integer, boolean), private.end_job(text, uuid, boolean, json) to service_role;

-- How each job stands, for admins.
create function private.list_jobs() returns table (
  name text, every integer, started_at timestamptz, ended_at timestamptz, is_running boolean, outcome text, detail json,
  last_done_at timestamptz, failures integer, next_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select j.name, j.every, j.started_at, j.ended_at, j.running_until is not null and not gone,
           case when gone then 'failed' else j.outcome end,
           case when gone then private.never_came_back() else j.detail end, j.last_done_at,
           case when gone then j.failures + 1 else j.failures end, j.started_at + make_interval(secs => j.every)
    from private.job_runs j
    cross join lateral (select coalesce(j.running_until <= clock_timestamp(), false) as gone) turn
    order by j.name;
end
$$;
grant execute on function private.list_jobs() to authenticated;

-- On Supabase the database's own clock calls the same jobs as the embedded stack's timer does, with the address and the
-- secret that the operator put into the vault as `jobs_url` and `job_secret`.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values
    ('clean-up', '*/10 * * * *'), ('trending', '*/10 * * * *'), ('media', '*/10 * * * *'), ('mails', '*/5 * * * *'),
    ('renewals', '*/10 * * * *'), ('payments', '*/5 * * * *'), ('roll-up', '*/5 * * * *'), ('payouts', '*/10 * * * *'),
    ('moderation', '* * * * *'), ('auto-posts', '*/5 * * * *')) as listed(name, minutes)
  loop
    -- By the name, so an older schedule of the same job is replaced.
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

-- The audit log -----------------------------------------------------------------------------------------------

-- What admins filter by.
create index audit_entries_action_idx on public.audit_entries (action, id desc);
create index audit_entries_created_at_idx on public.audit_entries (created_at);

-- Checks the chain for an admin: how many rows there are, the hash of the last one (to be kept elsewhere: missing rows at
-- the end show only beside it), and the first row that is not as it was written, null when all is well.
create function private.audit_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'entries', (select count(*) from public.audit_entries),
    'lastHash', (select encode(e.hash, 'hex') from public.audit_entries e order by e.id desc limit 1),
    'brokenAt', private.check_audit());
end
$$;
grant execute on function private.audit_status() to authenticated;

revoke execute on all functions in schema private from public;
