-- Roles and helpers: functions that determine who the caller is and what they may do. The policies, functions and
-- triggers in the other files call them.
--
-- - A session is active until the user signs out, or until it is revoked or expires. A restrictive policy on every
--   table in `public` requires users to have an active session, so ending a session takes effect at the next
--   transaction, even if the session's JWT has not expired.
-- - A user can write while their session is active and their account is not read-only (see 16_accounts_and_sessions).
-- - An admin is a user whose profile has `is_admin`. Only operators can make a user an admin.
-- - A block hides both users from each other, regardless of who created it. If one of them is an admin, the admin can
--   still see the other's profile. In an existing conversation, the partner's name and picture stay visible.
--
-- Functions named `is_…`, `can_…` or `are_…` return a boolean. Functions named `require_…` raise an error if their
-- condition is not met.

-- Sessions --------------------------------------------------------------------------------------------------------

-- Returns whether the caller's session is active or, if the caller uses a personal access token, whether the token is
-- still valid (see 17_access_tokens).
--
-- The policies of every table in a statement call this function, so a positive result is cached until the transaction
-- ends. The cache is a transaction-local setting that contains the claims of the caller's JWT: if the claims change
-- within the transaction, the new session is checked. A caller who could change this setting could also change the
-- claims; the Data API allows neither. See docs/decisions/046-costs-of-policies-and-messages.md.
create function private.is_session_active() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Without the prefix, a setting that has been reset would match empty claims.
  if current_setting('private.active_session', true) = 'claims ' || current_setting('request.jwt.claims', true)
       || coalesce(current_setting('request.jwt.claim.sub', true), '') then
    return true;
  end if;
  return private.check_session();
end
$$;

grant execute on function private.is_session_active() to anon, authenticated, service_role;

-- Returns whether the caller's session is active, like private.is_session_active, but checks it even if a result is
-- cached, and updates the cache. For use after waiting for a lock, when a cached result may be out of date.
create function private.check_session() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  claims jsonb := auth.jwt();
  uid uuid := auth.uid();
  checked_id uuid := nullif(claims ->> 'session_id', '')::uuid;
  is_active boolean;
  remembered text;
begin
  is_active := exists (
    select from auth.sessions s
    where s.id = checked_id and s.user_id = uid and (s.not_after is null or s.not_after > now()));
  if not is_active and claims ? 'token_scopes' then
    is_active := exists (
      select from private.access_tokens t
      where t.id = checked_id and t.user_id = uid and (t.expires_at is null or t.expires_at > now()));
  end if;
  -- An assignment is evaluated directly; `perform` would run a query.
  remembered := set_config('private.active_session', case when is_active
    then 'claims ' || current_setting('request.jwt.claims', true)
         || coalesce(current_setting('request.jwt.claim.sub', true), '')
    else '' end, true);
  return is_active;
end
$$;

-- Raises an error, which aborts the transaction, if the caller's session has ended. `security definer` functions bypass
-- the policies that check the session, so the API calls this function at the start of a user's transaction, unless its
-- statements check the session themselves.
create function private.require_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.check_session() then
    raise exception 'Unauthorized' using errcode = 'PT401', detail = 'unauthorized';
  end if;
end
$$;

grant execute on function private.require_session() to authenticated;

-- Rejects, with status 401, requests that use an ended session. PostgREST takes the body of the response from the
-- error's message, and the status and the headers from its detail. Without this check, such a request would get empty
-- results, because the policies hide all rows. PostgREST and the embedded Data API call this function at the start of
-- each request (`db-pre-request`). The `role` setting is the role that the request runs as.
create function private.check_data_api_request() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if current_setting('role', true) = 'authenticated' and not private.is_session_active() then
    raise sqlstate 'PGRST' using
      message = '{"code": "PGRST303", "message": "The session has ended", "details": null, "hint": "Sign in again."}',
      detail = '{"status": 401, "headers": {"WWW-Authenticate": "Bearer error=\"invalid_token\", error_description=\"The session has ended\""}}';
  end if;
end
$$;

grant execute on function private.check_data_api_request() to anon, authenticated, service_role;

-- PostgREST reads its settings from the role that it connects as. `db_max_rows` applies to every list in a response,
-- including embedded ones; supabase/config.toml has the same limit. If the hosting provider does not allow changes to
-- the role, this block only raises a warning.
do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'private.check_data_api_request';
  alter role authenticator set pgrst.db_max_rows = '100';
exception when insufficient_privilege or undefined_object then
  raise warning 'The role authenticator cannot be changed (%). Set db-pre-request and db-max-rows of PostgREST as described in docs/guides/deploy-to-supabase.md.', sqlerrm;
end
$$;

notify pgrst, 'reload config';
notify pgrst, 'reload schema';

-- Write access ----------------------------------------------------------------------------------------------------

-- Returns whether the caller can write: their session is active and their account is not read-only. Changes that are
-- allowed even with a read-only account do not depend on this function (see 16_accounts_and_sessions).
create function private.can_write() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_session_active() and exists (
    select from public.accounts a where a.user_id = (select auth.uid()) and a.read_only_reason is null
  );
end
$$;

grant execute on function private.can_write() to anon, authenticated, service_role;

-- Raises an error unless the caller can write. Most functions and triggers call it rather than private.can_write,
-- because its error gives the reason.
create function private.require_write() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  if not private.can_write() then
    raise exception 'This account is read-only.' using errcode = 'PT403', detail = 'account_read_only';
  end if;
end
$$;

grant execute on function private.require_write() to anon, authenticated, service_role;

-- Confirmed email addresses ---------------------------------------------------------------------------------------

-- Returns whether a user has confirmed their email address. Until then, they cannot sell, request payouts, or start a
-- conversation with people who do not follow them (see docs/decisions/035-email-confirmation-and-onboarding.md).
create function private.is_email_confirmed(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.accounts a where a.user_id = target_user_id and a.email_confirmed_at is not null);
end
$$;

-- Raises an error unless the caller has confirmed their email address. Functions call it after private.require_write.
create function private.require_confirmed_email() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_email_confirmed(auth.uid()) then
    raise exception 'Confirm your email address first.' using errcode = 'PT403', detail = 'email_unconfirmed';
  end if;
end
$$;

-- Admins ----------------------------------------------------------------------------------------------------------

-- Returns whether the caller is an admin; false if the caller uses an access token, even one that belongs to an admin.
create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return not private.is_access_token()
    and coalesce((select p.is_admin from public.profiles p where p.id = (select auth.uid())), false);
end
$$;

grant execute on function private.is_admin() to anon, authenticated, service_role;

-- Raises an error unless the caller is an admin who can write. Admin functions call it before anything else.
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if not private.is_admin() then
    raise exception 'Only admins can do this.' using errcode = 'PT403', detail = 'forbidden';
  end if;
end
$$;

grant execute on function private.require_admin() to authenticated;

-- Makes the user with this email an admin. For operators; not granted to any API role.
create function private.grant_admin(account_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p set is_admin = true
  from public.accounts a
  where a.user_id = p.id and lower(a.email) = lower(account_email);
  if not found then raise exception 'No account has the email %', account_email; end if;
end
$$;

-- Blocks ----------------------------------------------------------------------------------------------------------

-- Returns the ids of all users whom the caller has blocked and of all users who have blocked the caller.
create function private.blocked_user_ids() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  return array(
    select b.blocked_id from public.blocks b where b.blocker_id = uid
    union all
    select b.blocker_id from public.blocks b where b.blocked_id = uid
  );
end
$$;

grant execute on function private.blocked_user_ids() to anon, authenticated, service_role;

-- Returns whether either of two users has blocked the other.
create function private.are_blocked(user_a uuid, user_b uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.blocks b where b.blocker_id = user_a and b.blocked_id = user_b)
      or exists (select from public.blocks b where b.blocker_id = user_b and b.blocked_id = user_a);
end
$$;

grant execute on function private.are_blocked(uuid, uuid) to anon, authenticated, service_role;
