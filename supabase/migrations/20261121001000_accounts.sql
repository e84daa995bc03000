-- Accounts: links that reset a password, and the list of places where somebody is signed in.

-- Password reset ----------------------------------------------------------------------------------------------

-- A link that somebody is using right now. Auth spends it; until it has, nobody else may start with the same one.
-- The token itself is not kept: it would open an account.
create table private.reset_claims (
  token_hash text primary key,
  claimed_at timestamptz not null default clock_timestamp()
);
create index reset_claims_claimed_at_idx on private.reset_claims (claimed_at);

create function private.reset_token_hash(token text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(token, 'UTF8')), 'hex') $$;

-- Auth would take this link: it is somebody's last one, unspent and younger than an hour. Auth keeps it with the
-- person and, newer versions, in a table of its own. An account without a link holds an empty text on Supabase, so
-- short texts are never looked for; the two other conditions are those of Auth's indexes.
create function private.is_reset_token(token text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if length(token) < 20 then return false; end if;
  if exists (
    select from auth.users u
    where u.recovery_token = token and length(u.recovery_token) > 6 and u.recovery_token !~ '^[0-9 ]*$'
      and u.recovery_sent_at > now() - interval '1 hour'
  ) then
    return true;
  end if;
  if to_regclass('auth.one_time_tokens') is null then return false; end if;
  return exists (
    select from auth.one_time_tokens t join auth.users u on u.id = t.user_id
    where t.token_hash = token and t.token_type = 'recovery_token'
      and u.recovery_sent_at > now() - interval '1 hour'
  );
end
$$;

-- Says whether a link is good, and with `claiming` takes it for its caller alone. A wrong one counts against the
-- address: 30 an hour. Each is counted before it is looked at, and the row of the count is held until the end, so
-- of many guesses at once none goes uncounted. A claim ends by itself, should its caller have gone.
create function private.open_reset(token text, address text, claiming boolean)
returns table (wait integer, valid boolean)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  valid := false;
  wait := private.take_rate('reset_token', address, 30, '1 hour');
  if wait = 0 then valid := private.is_reset_token(token); end if;
  if wait > 0 or valid then perform private.give_back_rate('reset_token', address, '1 hour'); end if;
  if valid and claiming then
    insert into private.reset_claims as c (token_hash) values (private.reset_token_hash(token))
    on conflict on constraint reset_claims_pkey do update set claimed_at = clock_timestamp()
      where c.claimed_at < clock_timestamp() - interval '2 minutes';
    valid := found;
  end if;
  return next;
end
$$;

-- For a link that Auth did not spend after all.
create function private.give_back_reset(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.reset_claims c where c.token_hash = private.reset_token_hash(token) $$;

-- Counts a reset mail: 30 an hour for a network address, 3 for the address it would go to, whether anybody has it or
-- not. Answers the seconds to wait. Whoever asks too often uses up nothing of others.
create function private.take_reset_mail(email text, address text) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wait integer := private.take_rate('reset_mail_address', address, 30, '1 hour');
begin
  if wait > 0 then return wait; end if;
  return private.take_rate('reset_mail', lower(email), 3, '1 hour');
end
$$;

-- Sessions ----------------------------------------------------------------------------------------------------

-- Refuses everything else in its transaction when the caller's session has ended: functions that act with their
-- owner's rights know no policy that would. The API asks it first in every transaction.
create function private.require_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.session_alive() then
    raise exception 'Unauthorized' using errcode = 'PT401', detail = 'unauthorized';
  end if;
end
$$;

-- Who signed in from where, as far as it can be told: it came through the API, so Auth saw only that.
create function private.describe_session(session uuid, person uuid, agent text, address text) returns void
language sql volatile security definer set search_path = ''
as $$
  update auth.sessions s
  set user_agent = left(agent, 500), ip = case when pg_input_is_valid(address, 'inet') then address::inet end
  where s.id = session and s.user_id = person
$$;

-- Signs a person out everywhere.
create function private.end_sessions(person uuid) returns void
language sql volatile security definer set search_path = ''
as $$ delete from auth.sessions s where s.user_id = person $$;

-- The caller's sessions: the one that asks first, then the last used. Auth keeps `refreshed_at` in UTC, unsaid.
create function private.own_sessions()
returns table (id uuid, current boolean, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.id::text = (auth.jwt() ->> 'session_id'), s.user_agent, host(s.ip), s.created_at,
         coalesce(s.refreshed_at at time zone 'UTC', s.created_at)
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by 2 desc, 6 desc, s.id
  limit 100
$$;

-- Ends one of the caller's sessions; false when there is no such one.
create function private.end_own_session(session uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  delete from auth.sessions s where s.id = session and s.user_id = auth.uid();
  return found;
end
$$;

-- Ends all of the caller's sessions but the one that asks.
create function private.end_other_sessions() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  delete from auth.sessions s
  where s.user_id = auth.uid() and s.id::text is distinct from (auth.jwt() ->> 'session_id');
end
$$;

-- Clean-up ----------------------------------------------------------------------------------------------------

create or replace function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captchas integer;
  rates integer;
  claims integer;
  empty_conversations integer;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captchas = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rates = row_count;
  -- No link lives longer than this.
  delete from private.reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics claims = row_count;
  -- Both people have gone: nobody is left who could read it.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics empty_conversations = row_count;
  return jsonb_build_object('captchas', captchas, 'rateLimits', rates, 'resetClaims', claims,
                            'conversations', empty_conversations);
end
$$;

-- Rights ------------------------------------------------------------------------------------------------------

revoke execute on function private.reset_token_hash(text), private.is_reset_token(text),
  private.open_reset(text, text, boolean), private.give_back_reset(text), private.take_reset_mail(text, text),
  private.describe_session(uuid, uuid, text, text), private.end_sessions(uuid), private.require_session(),
  private.own_sessions(), private.end_own_session(uuid), private.end_other_sessions() from public;
grant execute on function private.open_reset(text, text, boolean), private.give_back_reset(text),
  private.take_reset_mail(text, text), private.describe_session(uuid, uuid, text, text),
  private.end_sessions(uuid) to service_role;
-- A read-only account may still end its sessions: nothing here asks more than who calls.
grant execute on function private.require_session(), private.own_sessions(), private.end_own_session(uuid), private.end_other_sessions()
  to authenticated;
