-- What everything else stands on: extensions, the schema of helpers that no API exposes, instance settings,
-- rate limits, and captcha payloads that were spent.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;

-- Helpers live here: the Data API does not expose this schema, so a function in it can be called only by policies,
-- triggers and the API's own SQL, each by an explicit grant.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- The API signs in as this role. It owns nothing and inherits nothing: a query that forgets to become its caller
-- is refused. Operators give it a password and LOGIN (`alter role gateway login password '…'`).
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway') then
    create role gateway nologin noinherit;
  end if;
end
$$;
grant anon, authenticated, service_role to gateway with inherit false, set true;
-- Times leave the database as JSON text: in UTC, as the contract says.
alter role gateway set timezone = 'UTC';

-- Instance settings -------------------------------------------------------------------------------------------

create table private.settings (
  key text primary key,
  value jsonb not null
);
comment on table private.settings is
  'Switches of this instance: rate_limits (bool), require_approval (bool), creator_pro_billing (bool).';

insert into private.settings (key, value) values
  ('rate_limits', 'true'), ('require_approval', 'false'), ('creator_pro_billing', 'false');

create function private.setting_on(setting text) returns boolean
language sql stable security definer set search_path = ''
as $$ select coalesce((select s.value = 'true'::jsonb from private.settings s where s.key = setting), false) $$;

create function private.set_setting(setting text, new_value jsonb) returns void
language sql security definer set search_path = ''
as $$
  insert into private.settings (key, value) values (setting, new_value)
  on conflict (key) do update set value = excluded.value
$$;
grant execute on function private.set_setting(text, jsonb) to service_role;

-- Rate limits -------------------------------------------------------------------------------------------------

-- Unlogged: a crash may forget a window of a few minutes; every counted request would otherwise wait for the log.
create unlogged table private.rate_limits (
  bucket text not null,
  subject text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, subject, window_start)
);
create index rate_limits_window_start_idx on private.rate_limits (window_start);

-- Counts one hit. Answers the seconds to wait when this hit is over `max_hits`, else 0.
create function private.take_rate(bucket text, subject text, max_hits integer, window_length interval)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  starts timestamptz := pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
  taken integer;
begin
  if not private.setting_on('rate_limits') then return 0; end if;
  insert into private.rate_limits as r (bucket, subject, window_start)
  values (take_rate.bucket, take_rate.subject, starts)
  on conflict on constraint rate_limits_pkey do update set hits = r.hits + 1
  returning r.hits into taken;
  if taken <= max_hits then return 0; end if;
  return greatest(1, ceil(extract(epoch from starts + window_length - clock_timestamp())))::integer;
end
$$;

-- Takes one hit back, for limits that count failures only: taken before the attempt, given back when it succeeds.
create function private.give_back_rate(bucket text, subject text, window_length interval) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.rate_limits r set hits = r.hits - 1
  where r.bucket = give_back_rate.bucket and r.subject = give_back_rate.subject and r.hits > 0
    and r.window_start = pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
end
$$;

-- For triggers: refuses the statement when the limit is reached. `detail` is the number of seconds to wait.
create function private.enforce_rate(bucket text, subject uuid, max_hits integer, window_length interval) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wait integer := private.take_rate(bucket, subject::text, max_hits, window_length);
begin
  if wait > 0 then
    raise exception 'Too many requests. Please wait a moment and try again.'
      using errcode = 'PT429', detail = wait::text;
  end if;
end
$$;

-- The same as a trigger: `limit_writes('bucket', 'hits a minute')`. Seeds and jobs run without a caller, and no limit.
create function private.limit_writes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    perform private.enforce_rate(tg_argv[0], auth.uid(), tg_argv[1]::integer, '1 minute');
  end if;
  return new;
end
$$;

grant execute on function private.take_rate(text, text, integer, interval) to service_role;
grant execute on function private.give_back_rate(text, text, interval) to service_role;

-- Captcha -----------------------------------------------------------------------------------------------------

create table private.spent_captchas (
  signature text primary key,
  expires_at timestamptz not null
);
create index spent_captchas_expires_at_idx on private.spent_captchas (expires_at);

-- True the first time a payload is seen, false ever after.
create function private.use_captcha(payload_signature text, expires timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.spent_captchas (signature, expires_at) values (payload_signature, expires)
  on conflict do nothing;
  return found;
end
$$;
grant execute on function private.use_captcha(text, timestamptz) to service_role;

-- PostgreSQL lets everybody execute a new function: each migration takes that back for those it made.
revoke execute on all functions in schema private from public;
