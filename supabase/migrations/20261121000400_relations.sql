-- What following, asking to follow and blocking do beside their own row.

-- Two people's relation changes one step at a time: a follow and a block that come at once cannot pass each other.
create function private.lock_pair(a uuid, b uuid) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('pair:' || least(a::text, b::text) || greatest(a::text, b::text), 0))
$$;

-- The counts of both, the lower id first, before anything else is locked: every function below begins with this, so
-- that two of them cannot wait for each other in a circle.
create function private.lock_counts(a uuid, b uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select 1 from public.profile_counts c where c.user_id in (a, b) order by c.user_id for no key update
$$;

-- Follows and requests by whichever door: one at a time for a pair, and never across a block that was
-- made a moment ago, which the policy's own snapshot might have missed.
create function private.before_follow_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(new.follower_id, new.followee_id);
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
create trigger limit_follows before insert on public.follows
  for each row execute function private.limit_writes('relations', '120');
create trigger limit_follow_requests before insert on public.follow_requests
  for each row execute function private.limit_writes('relations', '120');

create function private.on_follow_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
  edge public.follows := case when tg_op = 'INSERT' then new else old end;
begin
  perform private.lock_counts(edge.follower_id, edge.followee_id);
  update public.profile_counts c set followers = greatest(0, c.followers + step) where c.user_id = edge.followee_id;
  update public.profile_counts c set following = greatest(0, c.following + step) where c.user_id = edge.follower_id;
  perform private.tell(edge.follower_id, 'follow.changed', jsonb_build_object(
    'userId', edge.followee_id, 'status', case when tg_op = 'INSERT' then 'following' else 'none' end));
  if tg_op = 'INSERT' then
    if private.setting_local('private.accepting') = 'on' then
      perform private.notify_person(edge.follower_id, edge.followee_id, 'follow_accepted');
    else
      perform private.notify_person(edge.followee_id, edge.follower_id, 'follow');
    end if;
  else
    perform private.withdraw_notification(edge.followee_id, edge.follower_id, 'follow');
  end if;
  return null;
end
$$;

-- A value that lives for one transaction, '' when it was never set.
create function private.setting_local(name text) returns text
language sql stable set search_path = ''
as $$ select coalesce(current_setting(name, true), '') $$;

create trigger on_follow_changed after insert or delete on public.follows
  for each row execute function private.on_follow_changed();

create function private.on_follow_request_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.tell(new.follower_id, 'follow.changed',
      jsonb_build_object('userId', new.followee_id, 'status', 'requested'));
    perform private.notify_person(new.followee_id, new.follower_id, 'follow_request');
  else
    if private.setting_local('private.accepting') <> 'on' then
      perform private.tell(old.follower_id, 'follow.changed',
        jsonb_build_object('userId', old.followee_id, 'status', 'none'));
    end if;
    perform private.withdraw_notification(old.followee_id, old.follower_id, 'follow_request');
  end if;
  return null;
end
$$;
create trigger on_follow_request_changed after insert or delete on public.follow_requests
  for each row execute function private.on_follow_request_changed();

-- Follows, asks to follow, or takes either back, as the caller and under their rights. Answers the relation after
-- it: 'following', 'requested' or 'none'. A second call waits for the first, so a double click is two clean steps.
create function public.toggle_follow(target uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  shown_to text;
begin
  perform private.lock_pair(uid, target);
  delete from public.follows f where f.follower_id = uid and f.followee_id = target;
  if found then return 'none'; end if;
  delete from public.follow_requests r where r.follower_id = uid and r.followee_id = target;
  if found then return 'none'; end if;
  perform private.require_write();
  select p.visibility into shown_to from public.profiles p where p.id = target;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  if target = uid then raise exception 'You cannot follow yourself.' using errcode = 'PT400'; end if;
  if shown_to = 'public' then
    insert into public.follows (follower_id, followee_id) values (uid, target);
    return 'following';
  end if;
  insert into public.follow_requests (follower_id, followee_id) values (uid, target);
  return 'requested';
end
$$;

-- The caller accepts somebody's request. False when there is none (cancelled, answered already).
create function private.accept_follow_request(follower uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.lock_pair(follower, (select auth.uid()));
  perform private.lock_counts(follower, (select auth.uid()));
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = follower and r.followee_id = (select auth.uid());
  if not found then return false; end if;
  insert into public.follows (follower_id, followee_id) values (follower, (select auth.uid())) on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
end
$$;
grant execute on function private.accept_follow_request(uuid) to authenticated;

create function private.before_block_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(new.blocker_id, new.blocked_id);
  return new;
end
$$;
create trigger before_block_insert before insert on public.blocks
  for each row execute function private.before_block_insert();

-- A block ends what tied the two together and closes their conversation's channel.
create function private.on_blocked() returns trigger
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
create trigger on_blocked after insert on public.blocks
  for each row execute function private.on_blocked();

create function private.conversation_topic(a uuid, b uuid) returns text
language sql immutable set search_path = ''
as $$ select 'conversation:' || least(a::text, b::text) || ':' || greatest(a::text, b::text) $$;

create function private.on_block_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  edge public.blocks := case when tg_op = 'INSERT' then new else old end;
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(edge.blocker_id, edge.blocked_id), true);
  return null;
end
$$;
create trigger on_block_changed after insert or delete on public.blocks
  for each row execute function private.on_block_changed();

-- Who follows `owner` (`side` 'followers') or whom they follow ('following'), the latest first, for a caller to whom
-- the owner shows it; without those in a block with the caller. `after_…` is the last row of the page before.
create function private.list_follows(
  owner uuid, side text, after_since timestamptz, after_id uuid, max_rows integer
) returns table (person_id uuid, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  hidden uuid[] := private.blocked_ids();
begin
  if not private.session_alive() or not private.can_view_counts(owner) then return; end if;
  if side = 'followers' then
    return query
      select f.follower_id, f.created_at from public.follows f
      where f.followee_id = owner and f.follower_id <> all (hidden)
        and (after_id is null or (f.created_at, f.follower_id) < (after_since, after_id))
      order by f.created_at desc, f.follower_id desc limit max_rows;
  else
    return query
      select f.followee_id, f.created_at from public.follows f
      where f.follower_id = owner and f.followee_id <> all (hidden)
        and (after_id is null or (f.created_at, f.followee_id) < (after_since, after_id))
      order by f.created_at desc, f.followee_id desc limit max_rows;
  end if;
end
$$;
create index follows_follower_id_idx on public.follows (follower_id, created_at desc, followee_id desc);

revoke execute on all functions in schema private, public from public;
-- A Supabase project may grant new functions to these by default.
revoke execute on function public.toggle_follow(uuid) from anon, authenticated;
-- The invoker's own toggle calls it.
grant execute on function private.lock_pair(uuid, uuid) to authenticated;
grant execute on function private.list_follows(uuid, text, timestamptz, uuid, integer) to authenticated;
grant execute on function public.toggle_follow(uuid) to authenticated;
