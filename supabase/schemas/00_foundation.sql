-- Foundation: extensions, the private schema, the API's database role, instance settings, rate limits, captchas, and
-- small helpers that any other file may call.
--
-- Rules that apply to the whole schema:
-- - Every table in `public` has row-level security. Its policies and grants decide what visitors and users can read and
--   write directly.
-- - The Data API does not expose the `private` schema. The API's roles can use the schema, but they can call a function
--   in it only after an explicit grant. Policies, triggers and the API's own SQL call these functions.
-- - `security definer` functions bypass row-level security. A function that acts for a caller checks the caller's
--   permissions, unless the function that calls it has already done so.

create schema if not exists extensions;

create extension if not exists pg_trgm with schema extensions;

create schema if not exists private;

revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- The role that the API connects as. It owns no objects and inherits no privileges, so queries on the project's tables
-- are refused until the connection switches to the caller's role. `npm start`, `npm run deploy` or an operator gives
-- `gateway` LOGIN and a password with `alter role`.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway') then
    create role gateway nologin noinherit;
  end if;
end
$$;

grant anon, authenticated, service_role to gateway with inherit false, set true;

-- In the API's contract, all timestamps are in UTC.
alter role gateway set timezone = 'UTC';

-- A statement or a transaction that hangs must not block one of the API's few connections. Calls that need longer, such
-- as account deletion, raise `statement_timeout` for their transaction. The lock timeout is shorter, so that the API
-- can respond before the client gives up. The timeouts are set on the role, because connection poolers reject them as
-- connection parameters.
alter role gateway set statement_timeout = '15s';
alter role gateway set lock_timeout = '10s';
alter role gateway set idle_in_transaction_session_timeout = '30s';

-- The time limits for queries through the Data API: PostgREST and the embedded Data API apply the timeout of the
-- caller's role. These timeouts do not apply to the API, which connects as `gateway`.
alter role anon set statement_timeout = '1s';
alter role authenticated set statement_timeout = '3s';

-- Instance settings -----------------------------------------------------------------------------------------------

-- Settings of this installation, one row each. `supabase/seed.sql` inserts the defaults.
create table private.settings (
  key text primary key,
  value jsonb not null,
  constraint settings_platform_fee_percent_check check (
    case when key = 'platform_fee_percent' and jsonb_typeof(value) = 'number'
         then (value #>> '{}')::numeric between 0 and 100
         else key <> 'platform_fee_percent' end),
  constraint settings_storage_quota_check check (
    case when key = 'storage_quota_bytes' and jsonb_typeof(value) = 'number'
         then (value #>> '{}')::numeric between 0 and 1e15 else key <> 'storage_quota_bytes' end)
);

comment on table private.settings is
  'Settings of this installation: rate_limits, require_approval, require_email_confirmation, sign_in_after_registration, creator_pro_billing (booleans), platform_fee_percent, storage_quota_bytes (numbers), address_salt (text), banned_words (array), auto_posting (object).';

-- Returns whether a boolean setting is true; false if it is not set. Written in PL/pgSQL, which caches plans for the
-- whole connection; a SQL function that cannot be inlined is planned again in every statement that calls it.
create function private.is_setting_enabled(setting text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select s.value = 'true'::jsonb from private.settings s where s.key = setting), false);
end
$$;

-- The API calls this function as the service role during registration, when the new account has no session yet.
grant execute on function private.is_setting_enabled(text) to service_role;

-- Sets the value of a setting. Does not write the row if the setting already has this value, because the embedded stack
-- calls this function at every start, and writing some settings fires a trigger that refreshes all accounts.
create function private.set_setting(setting text, new_value jsonb) returns void
language sql security definer set search_path = ''
as $$
  insert into private.settings as s (key, value) values (setting, new_value)
  on conflict (key) do update set value = excluded.value where s.value <> excluded.value
$$;

grant execute on function private.set_setting(text, jsonb) to service_role;

-- Rate limits -----------------------------------------------------------------------------------------------------

-- Hits per bucket and subject (such as a user, an email address or a network) in fixed time windows. The table is
-- unlogged, so that counting a request does not wait for the write-ahead log; a crash only resets the limits. The
-- `clean-up` job deletes old rows.
create unlogged table private.rate_limits (
  bucket text not null,
  subject text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, subject, window_start)
);

-- For the `clean-up` job.
create index rate_limits_window_start_idx on private.rate_limits (window_start);

-- Counts one hit. Returns 0 if the limit is not exceeded, otherwise the seconds until the window ends. If rate limits
-- are off, counts nothing and returns 0.
create function private.consume_rate_limit(bucket text, subject text, max_hits integer, window_length interval)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  window_starts_at timestamptz := pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
  hit_count integer;
begin
  if not private.is_setting_enabled('rate_limits') then return 0; end if;
  insert into private.rate_limits as r (bucket, subject, window_start)
  values (consume_rate_limit.bucket, consume_rate_limit.subject, window_starts_at)
  on conflict on constraint rate_limits_pkey do update set hits = r.hits + 1
  returning r.hits into hit_count;
  if hit_count <= max_hits then return 0; end if;
  return greatest(1, ceil(extract(epoch from window_starts_at + window_length - clock_timestamp())))::integer;
end
$$;

grant execute on function private.consume_rate_limit(text, text, integer, interval) to service_role;

-- Subtracts one hit from the current window. Limits that count only failures consume a hit before the attempt and
-- refund it on success.
create function private.refund_rate_limit(bucket text, subject text, window_length interval) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.rate_limits r set hits = r.hits - 1
  where r.bucket = refund_rate_limit.bucket and r.subject = refund_rate_limit.subject and r.hits > 0
    and r.window_start = pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
end
$$;

grant execute on function private.refund_rate_limit(text, text, interval) to service_role;

-- Counts one hit and raises an error if the limit is exceeded. The error's `detail` is the number of seconds to wait.
create function private.enforce_rate_limit(bucket text, subject uuid, max_hits integer, window_length interval)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wait_seconds integer := private.consume_rate_limit(bucket, subject::text, max_hits, window_length);
begin
  if wait_seconds > 0 then
    raise exception 'Too many requests. Please wait a moment and try again.'
      using errcode = 'PT429', detail = wait_seconds::text;
  end if;
end
$$;

-- Trigger function: limits how many rows the caller writes. Arguments: the bucket, which several tables can share, and
-- the maximum number of rows per minute. Seeds and jobs have no caller and are not limited.
create function private.limit_writes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    perform private.enforce_rate_limit(tg_argv[0], auth.uid(), tg_argv[1]::integer, '1 minute');
  end if;
  return new;
end
$$;

-- Captcha ---------------------------------------------------------------------------------------------------------

-- Captcha solutions that have been used. Each is accepted once; the `clean-up` job deletes expired ones.
create table private.spent_captchas (
  signature text primary key,
  expires_at timestamptz not null
);

create index spent_captchas_expires_at_idx on private.spent_captchas (expires_at);

-- Marks a captcha solution as used. Returns false if it has already been used.
create function private.use_captcha(payload_signature text, payload_expires_at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.spent_captchas (signature, expires_at) values (payload_signature, payload_expires_at)
  on conflict do nothing;
  return found;
end
$$;

grant execute on function private.use_captcha(text, timestamptz) to service_role;

-- Helpers ---------------------------------------------------------------------------------------------------------

-- Returns the value of a custom setting, such as one set for the transaction with set_config; '' if it is not set.
create function private.transaction_setting(name text) returns text
language sql stable set search_path = ''
as $$ select coalesce(current_setting(name, true), '') $$;

-- Formats a timestamp with microseconds, in the form used in the API's cursors.
create function private.timestamp_text(value timestamptz) returns text
language sql stable strict set search_path = ''
as $$ select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- Returns whether a string is null or contains only whitespace and invisible characters.
create function private.is_blank(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(value, '') !~ '[^\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]';
end
$$;

-- Users need this privilege because they can insert posts and comments directly, and a policy on posts and a check
-- constraint on comments call this function.
grant execute on function private.is_blank(text) to authenticated, service_role;

-- Returns whether a string is an HTTP or HTTPS URL of at most 300 characters.
create function private.is_http_url(value text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select value ~ '^https?://[^\s<>"]+$' and char_length(value) <= 300 $$;

-- Users need this privilege because they can insert posts directly, and a check constraint on posts calls this
-- function.
grant execute on function private.is_http_url(text) to authenticated;
