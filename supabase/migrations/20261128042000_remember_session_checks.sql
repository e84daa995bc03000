set local check_function_bodies = off;

-- Returns whether the caller's session exists and has not ended, or their personal access token has not been revoked
-- and has not expired (see 17_access_tokens).
--
-- The policies of every table in a statement call it, so the answer is remembered until the transaction ends, in a
-- transaction-local setting that contains the claims: if they change within the transaction, the new session is checked.
-- Who can change this setting can change the claims as well. The Data API lets nobody do either. See
-- docs/decisions/046-costs-of-policies-and-messages.md.
create or replace function private.is_session_active() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The prefix makes the value differ from that of a setting that has been reset.
  if current_setting('private.active_session', true) = 'claims ' || current_setting('request.jwt.claims', true)
       || coalesce(current_setting('request.jwt.claim.sub', true), '') then
    return true;
  end if;
  return private.check_session();
end
$$;

-- Checks the session even if it was active earlier in the transaction, for functions that have waited for a lock, and
-- remembers an active one for private.is_session_active.
create or replace function private.check_session() returns boolean
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
  -- An assignment is evaluated directly, whereas `perform` would run a query.
  remembered := set_config('private.active_session', case when is_active
    then 'claims ' || current_setting('request.jwt.claims', true)
         || coalesce(current_setting('request.jwt.claim.sub', true), '')
    else '' end, true);
  return is_active;
end
$$;

revoke all on function private.check_session() from public;

-- Raises an error, which aborts the transaction, if the caller's session has ended. The API calls it at the start of
-- a user's transaction unless the statements check the session themselves, because `security definer` functions are
-- not subject to the policies that check it.
create or replace function private.require_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.check_session() then
    raise exception 'Unauthorized' using errcode = 'PT401', detail = 'unauthorized';
  end if;
end
$$;

-- Returns whether the caller has a scope. Without an access token, every caller has all scopes.
create or replace function private.has_scope(scope text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(auth.jwt() -> 'token_scopes' ? scope, true);
end
$$;

-- Trigger function: rejects a statement of an access token without the scope `write`. Runs for every statement that
-- writes, so it does not call private.has_scope.
create or replace function private.require_write_scope() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not coalesce(auth.jwt() -> 'token_scopes' ? 'write', true) then
    raise exception 'This access token can only read.' using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
  return null;
end
$$;

-- The premium posts whose paid content the caller may read: their own, the unlocked ones and, if included, those of the
-- creators to whom they are subscribed. Having paid does not help a caller who can no longer view the author's profile.
-- This is a view, because the policy looks up one row in it, which costs less than a function call per row and makes the
-- planner avoid a scan of the table. It runs with its owner's privileges, so it checks `hidden` like the policy of posts.
create view private.readable_premium_posts as
  select p.id
  from public.posts p
  where p.is_premium
    and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = (select auth.uid())))
    and (p.author_id = (select auth.uid())
         or (select true from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
         or (p.included_in_subscription and private.is_subscribed_to(p.author_id)))
    and (select true from private.viewable_profiles v where v.id = p.author_id);

grant select on private.readable_premium_posts to authenticated;
