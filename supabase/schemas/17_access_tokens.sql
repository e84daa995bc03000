-- Personal access tokens let a user's programs call the API and the Data API.
--
-- - A request with a token carries the owner's claims, with the token's id as `session_id` and its scopes as
--   `token_scopes`. private.is_session_active accepts such a request while the token exists and has not expired, so
--   revoking a token takes effect at the next transaction.
-- - The `read` scope allows reading what the owner can read, except conversations; `write` allows changing data;
--   `messages` gives access to conversations. The triggers in 94_access_token_scopes.sql reject every write without the
--   scope `write`, including writes through the Data API.
-- - No token has admin rights, and none can use functions and tables that require a session opened by signing in.
--
-- See docs/decisions/041-personal-access-tokens.md.

-- Claims ------------------------------------------------------------------------------------------------------------
-- Returns whether the caller uses an access token rather than a session opened by signing in.
create function private.is_access_token() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(auth.jwt() ? 'token_scopes', false);
end
$$;

grant execute on function private.is_access_token() to anon, authenticated, service_role;

-- Returns whether the caller has a scope. A caller without an access token has all scopes.
create function private.has_scope(scope text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(auth.jwt() -> 'token_scopes' ? scope, true);
end
$$;

grant execute on function private.has_scope(text) to anon, authenticated, service_role;

-- Returns whether the caller's session is active and may use conversations.
create function private.can_use_messages() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_session_active() and private.has_scope('messages');
end
$$;

grant execute on function private.can_use_messages() to anon, authenticated, service_role;

-- Returns whether the caller's session is active and was opened by signing in.
create function private.is_sign_in_session_active() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_session_active() and not private.is_access_token();
end
$$;

grant execute on function private.is_sign_in_session_active() to anon, authenticated, service_role;

-- Raises an error if the caller's session has ended or the caller uses an access token. Called by functions that access
-- tokens cannot use, such as those for account security, payouts and data export.
create function private.require_sign_in_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if private.is_access_token() then
    raise exception 'Access tokens cannot do this. Sign in on the site.'
      using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
end
$$;

grant execute on function private.require_sign_in_session() to authenticated;

-- Trigger function: rejects a statement if the caller uses an access token without the `write` scope. It runs for every
-- statement that writes, so it checks the claim itself, which is cheaper than calling private.has_scope.
create function private.require_write_scope() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not coalesce(auth.jwt() -> 'token_scopes' ? 'write', true) then
    raise exception 'This access token is read-only.' using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
  return null;
end
$$;

-- Tokens ------------------------------------------------------------------------------------------------------------
create table private.access_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  -- SHA-256. A token has 256 random bits, so it cannot be guessed, not even by someone who knows the hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  scopes text[] not null check (scopes <@ '{read,write,messages}' and scopes @> '{read}'),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz, -- null: never
  last_used_at timestamptz
);

create index access_tokens_user_id_idx on private.access_tokens (user_id, created_at desc);

-- Lists the caller's tokens, latest first.
create function private.list_access_tokens()
returns table (
  id uuid, name text, scopes text[], created_at timestamptz, expires_at timestamptz, last_used_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  return query
    select t.id, t.name, t.scopes, t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t where t.user_id = auth.uid() order by t.created_at desc, t.id;
end
$$;

grant execute on function private.list_access_tokens() to authenticated;

-- Returns a fingerprint that changes whenever the caller's password changes.
create function private.password_fingerprint() returns bytea
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  return (select sha256(convert_to(u.encrypted_password, 'UTF8')) from auth.users u where u.id = auth.uid());
end
$$;

grant execute on function private.password_fingerprint() to authenticated;

-- Creates a token for the caller and notifies them. The API has checked the password; `checked_password` is the
-- fingerprint that was read before that check. The caller's expired tokens are deleted.
create function private.create_access_token(
  checked_password bytea, token_name text, new_token_hash bytea, token_scopes text[], lifetime_days integer
) returns private.access_tokens
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  created private.access_tokens;
begin
  -- Lock the counters before the advisory lock on the tokens, because the notification below changes them.
  perform private.lock_user_counters(array[uid]);
  -- The checks come after the lock. Otherwise, concurrent calls could together exceed the limit, and a call that has
  -- waited for a password change or a suspension (both revoke all tokens under the same lock) could add a token
  -- afterwards.
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || uid::text, 0));
  perform private.require_sign_in_session();
  perform private.require_write();
  if private.password_fingerprint() is distinct from checked_password then
    raise exception 'Your password has been changed. Try again with the new one.' using errcode = 'PT409';
  end if;
  perform private.enforce_rate_limit('access tokens', uid, 30, '1 hour');
  delete from private.access_tokens t where t.user_id = uid and t.expires_at <= clock_timestamp();
  if (select count(*) from private.access_tokens t where t.user_id = uid) >= 20 then
    raise exception 'You can have at most 20 access tokens. Revoke one first.' using errcode = 'PT409';
  end if;
  insert into private.access_tokens (user_id, name, token_hash, scopes, expires_at)
  values (uid, token_name, new_token_hash, token_scopes, clock_timestamp() + make_interval(days => lifetime_days))
  returning * into created;
  perform private.create_notification(uid, null, 'access_token', detail => token_name);
  created.token_hash := null;
  return created;
end
$$;

grant execute on function private.create_access_token(bytea, text, bytea, text[], integer) to authenticated;

-- Revokes one of the caller's tokens. Returns false if the caller has no such token.
create function private.revoke_access_token(token_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  delete from private.access_tokens t where t.id = token_id and t.user_id = auth.uid();
  return found;
end
$$;

grant execute on function private.revoke_access_token(uuid) to authenticated;

-- Finds a token by its hash, counts a request against the token's limit of 300 a minute and, at most once a minute,
-- records when the token was used. `wait` is the number of seconds to wait, or 0. Returns no row for an unknown or
-- expired token.
create function private.use_access_token(requested_hash bytea)
returns table (id uuid, user_id uuid, scopes text[], expires_at timestamptz, wait integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  select t.id, t.user_id, t.scopes, t.expires_at into id, user_id, scopes, expires_at
  from private.access_tokens t
  where t.token_hash = requested_hash and (t.expires_at is null or t.expires_at > clock_timestamp());
  if not found then return; end if;
  -- Requests with the same token wait for each other here and hold a connection while they wait, so the commit must
  -- not wait for the disk. A crash may lose the latest `last_used_at`.
  perform set_config('synchronous_commit', 'off', true);
  wait := private.consume_rate_limit('access_token', id::text, 300, '1 minute');
  -- Another request that is already recording the time must not delay this one.
  update private.access_tokens t set last_used_at = clock_timestamp()
  where t.id = (
    select u.id from private.access_tokens u
    where u.id = use_access_token.id
      and (u.last_used_at is null or u.last_used_at < clock_timestamp() - interval '1 minute')
    for no key update skip locked);
  return next;
end
$$;

grant execute on function private.use_access_token(bytea) to service_role;

-- Revokes all tokens of a user. Waits for a concurrent call that is creating a token, and revokes that token too.
create function private.revoke_access_tokens(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || target_user_id::text, 0));
  delete from private.access_tokens t where t.user_id = target_user_id;
end
$$;

-- Revokes the user's tokens in the transaction that changes the password, so that no token outlives the old password.
create function private.on_password_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.revoke_access_tokens(new.id);
  return null;
end
$$;

create trigger on_password_changed after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password)
  execute function private.on_password_changed();

-- Revokes the user's tokens: a suspended user can still sign in and read, but their programs must not keep reading.
create function private.on_suspension_revoke_access_tokens() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.revoke_access_tokens(new.user_id);
  return null;
end
$$;

create trigger on_suspension_revoke_access_tokens after update of suspended_at on public.accounts
  for each row when (old.suspended_at is null and new.suspended_at is not null)
  execute function private.on_suspension_revoke_access_tokens();
