-- Relations between two users: follows, follow requests and blocks.
--
-- A user with a public profile is followed immediately; any other user receives a follow request and can accept it.
-- A block is one row, but it works in both directions: neither user can follow, message, tip or subscribe to the other,
-- and only an admin can still see the other's profile.
--
-- Lock order. A transaction that changes the relation between two users locks
--   1. if the change is a follow, the follows of both users (private.lock_follows), so that neither account can be
--      deleted,
--   2. the pair (private.lock_relation), so that a concurrent follow and block of the same two users run one after
--      the other,
--   3. the pair's subscriptions, if the change is a block,
--   4. the rows that it deletes from follows and follow_requests,
--   5. the profile_counts rows of both users, in the order of their ids,
--   6. the user_counters rows of both users (private.lock_user_counters).
-- Account deletion (private.lock_account_dependents) takes the locks of steps 1 and 3 to 6 in the same order. The
-- foreign keys of the inserted row lock the profiles themselves last.

-- Blocks ------------------------------------------------------------------------------------------------------------
create table public.blocks (
  blocker_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);

-- Finds who has blocked a user; most checks look up both directions.
create index blocks_blocked_id_idx on public.blocks (blocked_id, blocker_id);

alter table public.blocks enable row level security;

-- Requires an active session.
create policy blocks_active_session on public.blocks as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see the blocks that they created, but not those against them. Admins see all blocks.
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (select auth.uid()) or (select private.is_admin()));

-- Users with a read-only account can still protect themselves: blocking requires only an active session.
create policy blocks_insert on public.blocks for insert to authenticated
  with check (blocker_id = (select auth.uid()));

create policy blocks_delete on public.blocks for delete to authenticated
  using (blocker_id = (select auth.uid()));

revoke all on public.blocks from anon, authenticated, service_role;
grant select, delete on public.blocks to authenticated;
grant insert (blocker_id, blocked_id) on public.blocks to authenticated;
grant all on public.blocks to service_role;

-- Follows -----------------------------------------------------------------------------------------------------------
create table public.follows (
  follower_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);

-- Lists of followers and of followed users, latest first.
create index follows_followee_id_idx on public.follows (followee_id, created_at desc, follower_id desc);
create index follows_follower_id_idx on public.follows (follower_id, created_at desc, followee_id desc);

-- For analytics, which count a day's follows across all creators.
create index follows_created_at_idx on public.follows (created_at);

alter table public.follows enable row level security;

create policy follows_active_session on public.follows as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Both users see the row. To list another user's follows, the API calls private.list_follows, which checks that user's
-- privacy settings.
create policy follows_select on public.follows for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Only public profiles can be followed without a request. The subquery runs under the policy of profiles, which hides
-- users who have blocked the caller or are blocked by the caller.
create policy follows_insert on public.follows for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.can_write())
    and (select p.visibility = 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
  );

-- Followers can unfollow, and followees can remove followers, even with a read-only account.
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

revoke all on public.follows from anon, authenticated, service_role;
grant select, delete on public.follows to authenticated;
grant insert (follower_id, followee_id) on public.follows to authenticated;
grant all on public.follows to service_role;

-- Follow requests ---------------------------------------------------------------------------------------------------
-- Pending requests to follow a user. Accepting a request turns it into a row in `follows`.
create table public.follow_requests (
  follower_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);

create index follow_requests_followee_id_idx on public.follow_requests (followee_id, created_at desc);

alter table public.follow_requests enable row level security;

create policy follow_requests_active_session on public.follow_requests as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

create policy follow_requests_select on public.follow_requests for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Only for profiles that are not public, and not for users whom the caller already follows.
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.can_write())
    and (select p.visibility <> 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
    and not exists (select from public.follows f where f.follower_id = follow_requests.follower_id
                                                   and f.followee_id = follow_requests.followee_id)
  );

-- Followers can cancel their requests, and followees can decline them.
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

revoke all on public.follow_requests from anon, authenticated, service_role;
grant select, delete on public.follow_requests to authenticated;
grant insert (follower_id, followee_id) on public.follow_requests to authenticated;
grant all on public.follow_requests to service_role;

-- Locks -------------------------------------------------------------------------------------------------------------
-- Locks the relation between two users until the end of the transaction, so that concurrent changes to it run one after
-- the other.
create function private.lock_relation(user_a uuid, user_b uuid) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(
    hashtextextended('pair:' || least(user_a::text, user_b::text) || greatest(user_a::text, user_b::text), 0))
$$;

-- Returns the key of the advisory lock on a user's follows.
create function private.follows_lock_key(user_id uuid) returns bigint
language sql immutable set search_path = ''
as $$
  select hashtextextended('follows:' || user_id::text, 0)
$$;

-- Locks the relation between two users, and prevents the deletion of either account until the end of the transaction.
-- Without this lock, account deletion could miss the counts of a user who has just followed the deleted user.
create function private.lock_follows(user_a uuid, user_b uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(least(user_a, user_b)));
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(greatest(user_a, user_b)));
  perform private.lock_relation(user_a, user_b);
end
$$;

-- public.toggle_follow calls this function with the caller's own privileges.
grant execute on function private.lock_follows(uuid, uuid) to authenticated;

-- Locks the follows and follow requests of a user, or only those between two users.
create function private.lock_follow_rows(user_a uuid, user_b uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.follows f
  where user_a in (f.follower_id, f.followee_id) and (user_b is null or user_b in (f.follower_id, f.followee_id))
  order by f.follower_id, f.followee_id for update;
  perform from public.follow_requests r
  where user_a in (r.follower_id, r.followee_id) and (user_b is null or user_b in (r.follower_id, r.followee_id))
  order by r.follower_id, r.followee_id for update;
end
$$;

-- Locks the counts of two users in the order of their ids, so that two transactions cannot deadlock.
create function private.lock_profile_counts(user_a uuid, user_b uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select 1 from public.profile_counts c where c.user_id in (user_a, user_b) order by c.user_id for no key update
$$;

-- Locks a pair of users, their counts and their counters. Called before a follow, a follow request or a block is
-- inserted: the foreign keys of the new row lock the profiles, which must be locked last.
create function private.lock_user_pair(user_a uuid, user_b uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_relation(user_a, user_b);
  perform private.lock_profile_counts(user_a, user_b);
  perform private.lock_user_counters(array[user_a, user_b]);
end
$$;

-- Following ---------------------------------------------------------------------------------------------------------
-- Locks the pair, and rejects a follow or request if either user has blocked the other, regardless of how the row is
-- inserted. The policies check for a block too, but their snapshot may be older than a block that has just been
-- committed.
create function private.before_follow_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- As with likes, the rate limit is consumed before any counts are locked. Otherwise, three transactions could
  -- deadlock: a like holds the rate limit and waits for an account deletion, which waits for a follow by the same user,
  -- which waits for the rate limit. Accepting a request is not counted: the counts are already locked, and the request
  -- itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger before_follow_insert before insert on public.follows
  for each row execute function private.before_follow_insert();

create trigger before_follow_request_insert before insert on public.follow_requests
  for each row execute function private.before_follow_insert();

-- Updates the counts of both users and broadcasts the new relation to the follower. Unfollowing a followers-only
-- profile makes Realtime check all topics that the follower has joined (see 44_realtime). A new follow notifies the
-- follower if it comes from an accepted request, otherwise the followee. An unfollow withdraws the followee's
-- notification of the follow and the follower's unread notifications of the followee's new posts.
create function private.on_follow_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  follow public.follows := case when tg_op = 'INSERT' then new else old end;
begin
  perform private.lock_profile_counts(follow.follower_id, follow.followee_id);
  update public.profile_counts c set followers = greatest(0, c.followers + delta)
  where c.user_id = follow.followee_id;
  update public.profile_counts c set following = greatest(0, c.following + delta)
  where c.user_id = follow.follower_id;
  perform private.broadcast_to_user(follow.follower_id, 'follow.changed', jsonb_build_object(
    'userId', follow.followee_id, 'status', case when tg_op = 'INSERT' then 'following' else 'none' end));
  if tg_op = 'INSERT' then
    if private.transaction_setting('private.accepting') = 'on' then
      perform private.create_notification(follow.follower_id, follow.followee_id, 'follow_accepted');
    else
      perform private.create_notification(follow.followee_id, follow.follower_id, 'follow');
    end if;
  else
    perform private.lock_user_counters(array[follow.follower_id, follow.followee_id]);
    perform private.withdraw_notification(follow.followee_id, follow.follower_id, 'follow');
    delete from public.notifications n
    where n.user_id = follow.follower_id and n.actor_id = follow.followee_id and n.kind = 'new_post'
      and n.read_at is null and n.is_head;
    if exists (select from public.profiles p where p.id = follow.followee_id and p.visibility = 'followers') then
      perform private.recheck_access(follow.follower_id);
    end if;
  end if;
  return null;
end
$$;

create trigger on_follow_changed after insert or delete on public.follows
  for each row execute function private.on_follow_changed();

-- Broadcasts the relation to the follower. Also notifies the followee of a new request, or withdraws the notification
-- of a deleted one. An accepted request is not broadcast here, because private.on_follow_changed broadcasts the new
-- follow.
create function private.on_follow_request_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.broadcast_to_user(new.follower_id, 'follow.changed',
      jsonb_build_object('userId', new.followee_id, 'status', 'requested'));
    perform private.create_notification(new.followee_id, new.follower_id, 'follow_request');
  else
    if private.transaction_setting('private.accepting') <> 'on' then
      perform private.broadcast_to_user(old.follower_id, 'follow.changed',
        jsonb_build_object('userId', old.followee_id, 'status', 'none'));
    end if;
    perform private.withdraw_notification(old.followee_id, old.follower_id, 'follow_request');
  end if;
  return null;
end
$$;

create trigger on_follow_request_changed after insert or delete on public.follow_requests
  for each row execute function private.on_follow_request_changed();

-- Follows a user or sends a follow request; if a follow or a request exists, deletes it instead. Runs with the caller's
-- own privileges, under the policies above. Returns the new relation: 'following', 'requested' or 'none'. A concurrent
-- second call waits for the first, so a double click toggles twice.
create function public.toggle_follow(target uuid) returns text
language plpgsql volatile set search_path = ''
as $$
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
$$;

-- Older Supabase projects let all API roles execute new functions in `public`. 95_function_privileges revokes that
-- privilege from `service_role`.
revoke execute on function public.toggle_follow(uuid) from anon, authenticated;
grant execute on function public.toggle_follow(uuid) to authenticated;

-- Accepts another user's request to follow the caller. Returns false if there is no such request, for example because
-- it was cancelled.
create function private.accept_follow_request(requester_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.lock_follows(requester_id, (select auth.uid()));
  perform from public.follow_requests r
  where r.follower_id = requester_id and r.followee_id = (select auth.uid()) for update;
  if not found then return false; end if;
  perform private.lock_user_pair(requester_id, (select auth.uid()));
  -- Marks the follow as the result of a request, for the triggers above.
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = requester_id and r.followee_id = (select auth.uid());
  insert into public.follows (follower_id, followee_id) values (requester_id, (select auth.uid()))
  on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
end
$$;

grant execute on function private.accept_follow_request(uuid) to authenticated;

-- Lists the followers of `owner_id` (`side` 'followers') or the users whom `owner_id` follows ('following'), latest
-- first, without users who have blocked the caller or are blocked by the caller. The list is empty if the caller is not
-- allowed to see it. `after_since` and `after_id` identify the last row of the previous page.
create function private.list_follows(
  owner_id uuid, side text, after_since timestamptz, after_id uuid, max_rows integer
) returns table (user_id uuid, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  blocked_ids uuid[] := private.blocked_user_ids();
begin
  if not private.is_session_active() or not private.can_view_profile_counts(owner_id) then return; end if;
  if side = 'followers' then
    return query
      select f.follower_id, f.created_at from public.follows f
      where f.followee_id = owner_id and f.follower_id <> all (blocked_ids)
        and (after_id is null or (f.created_at, f.follower_id) < (after_since, after_id))
      order by f.created_at desc, f.follower_id desc limit max_rows;
  else
    return query
      select f.followee_id, f.created_at from public.follows f
      where f.follower_id = owner_id and f.followee_id <> all (blocked_ids)
        and (after_id is null or (f.created_at, f.followee_id) < (after_since, after_id))
      order by f.created_at desc, f.followee_id desc limit max_rows;
  end if;
end
$$;

grant execute on function private.list_follows(uuid, text, timestamptz, uuid, integer) to authenticated;

-- Blocking ----------------------------------------------------------------------------------------------------------
-- Locks what a block changes, in the order given at the top of this file: the pair, its subscriptions, its follows and
-- requests, the counts and the counters of both users. A user can block at most 30 users a minute, because each block
-- makes Realtime check all topics that either user has joined.
create function private.before_block_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    perform private.enforce_rate_limit('blocks', auth.uid(), 30, '1 minute');
  end if;
  perform private.lock_relation(new.blocker_id, new.blocked_id);
  perform from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by s.id for update;
  perform private.lock_follow_rows(new.blocker_id, new.blocked_id);
  perform private.lock_user_pair(new.blocker_id, new.blocked_id);
  return new;
end
$$;

create trigger before_block_insert before insert on public.blocks
  for each row execute function private.before_block_insert();

-- Deletes follows, requests and notifications between the two users. private.on_block_subscriptions cancels their
-- subscriptions to each other.
create function private.on_block_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.follows f where (f.follower_id, f.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.follow_requests r where (r.follower_id, r.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.notifications n where (n.user_id, n.actor_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;

create trigger on_block_created after insert on public.blocks
  for each row execute function private.on_block_created();

-- Sends `access.changed` on the topic of the two users' conversation, because the block changes who can join it. A new
-- block also ends their access to the topics of each other's profiles and posts. See 44_realtime.
create function private.on_block_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block public.blocks := case when tg_op = 'INSERT' then new else old end;
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(block.blocker_id, block.blocked_id), true);
  if tg_op = 'INSERT' then
    perform private.recheck_access(block.blocker_id);
    perform private.recheck_access(block.blocked_id);
  end if;
  return null;
end
$$;

create trigger on_block_changed after insert or delete on public.blocks
  for each row execute function private.on_block_changed();
