set local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."lock_relation"(uuid, uuid) FROM "authenticated";

CREATE OR REPLACE FUNCTION private.accept_follow_request(requester_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  perform private.lock_follows(requester_id, (select auth.uid()));
  perform from public.follow_requests r
  where r.follower_id = requester_id and r.followee_id = (select auth.uid()) for update;
  if not found then return false; end if;
  perform private.lock_user_pair(requester_id, (select auth.uid()));
  -- Tells the triggers above that the follow comes from a request.
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = requester_id and r.followee_id = (select auth.uid());
  insert into public.follows (follower_id, followee_id) values (requester_id, (select auth.uid()))
  on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.before_block_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_relation(new.blocker_id, new.blocked_id);
  perform from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by s.id for update;
  perform private.lock_follow_rows(new.blocker_id, new.blocked_id);
  perform private.lock_user_pair(new.blocker_id, new.blocked_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.before_follow_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- The rate limit is consumed before any counts are locked, in the same order as for likes. Otherwise three
  -- transactions could deadlock: a like holds the rate limit and waits for an account deletion, which waits for a
  -- follow by the same user, which waits for the rate limit. While a request is being accepted, the counts are
  -- already locked, and the request itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.follows_lock_key(user_id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select hashtextextended('follows:' || user_id::text, 0)
$function$;

CREATE OR REPLACE FUNCTION private.lock_account_dependents(target_user_id uuid, notified_user_ids uuid[] DEFAULT '{}'::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(private.follows_lock_key(target_user_id));
  perform private.lock_user_conversations_and_posts(target_user_id);
  perform from public.creator_plans s where s.user_id = target_user_id and s.state <> 'ended' for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and target_user_id in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.lock_follow_rows(target_user_id);
  perform private.lock_account_counts(target_user_id, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = target_user_id and s.state <> 'ended'),
    notified_user_ids);
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_follow_rows(user_a uuid, user_b uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.follows f
  where user_a in (f.follower_id, f.followee_id) and (user_b is null or user_b in (f.follower_id, f.followee_id))
  order by f.follower_id, f.followee_id for update;
  perform from public.follow_requests r
  where user_a in (r.follower_id, r.followee_id) and (user_b is null or user_b in (r.follower_id, r.followee_id))
  order by r.follower_id, r.followee_id for update;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_follows(user_a uuid, user_b uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(least(user_a, user_b)));
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(greatest(user_a, user_b)));
  perform private.lock_relation(user_a, user_b);
end
$function$;

CREATE OR REPLACE FUNCTION public.toggle_follow(target uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  target_visibility text;
begin
  perform private.lock_follows(uid, target);
  delete from public.follows f where f.follower_id = uid and f.followee_id = target;
  if found then return 'none'; end if;
  delete from public.follow_requests r where r.follower_id = uid and r.followee_id = target;
  if found then return 'none'; end if;
  perform private.require_write();
  select p.visibility into target_visibility from public.profiles p where p.id = target;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  if target = uid then raise exception 'You cannot follow yourself.' using errcode = 'PT400'; end if;
  if target_visibility = 'public' then
    insert into public.follows (follower_id, followee_id) values (uid, target);
    return 'following';
  end if;
  insert into public.follow_requests (follower_id, followee_id) values (uid, target);
  return 'requested';
end
$function$;

REVOKE ALL ON FUNCTION "private"."follows_lock_key"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."follows_lock_key"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_follow_rows"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_follow_rows"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_follows"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_follows"(uuid, uuid) TO "authenticated", "postgres";
