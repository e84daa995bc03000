-- Reposts: users share a post with their followers.
--
-- * A user reposts a post at most once. `posts.reposts_count` counts the reposts of a post.
-- * A post can be reposted if it can be quoted (33_post_quotes.sql). As with quotes, the policies are evaluated on
--   every read.
-- * Clients write reposts only through private.set_reposted.
-- * The Following feed lists reposts by followed users (private.list_following_posts).
-- See docs/decisions/059-reposts.md.

create table public.reposts (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (post_id, user_id)
);

create index reposts_user_id_idx on public.reposts (user_id, created_at desc, post_id desc);
create index reposts_created_at_idx on public.reposts (created_at);

alter table public.reposts enable row level security;

-- Requires an active session.
create policy reposts_active_session on public.reposts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Returns whether a repost is shown to the caller: they can view the profiles of both users and see the post, and
-- private.is_sharing_shown applies.
create function private.is_repost_shown(reposted_id uuid, reposter_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.posts p
    where p.id = reposted_id and p.hidden is null
      and (select true from private.viewable_profiles v where v.id = p.author_id)
      and (select true from private.viewable_profiles v where v.id = reposter_id)
      and private.is_sharing_shown(reposter_id, p.author_id));
end
$$;

grant execute on function private.is_repost_shown(uuid, uuid) to anon, authenticated;

-- Users always see their own reposts, so that they can undo them.
create policy reposts_select on public.reposts for select to anon, authenticated
  using (user_id = (select auth.uid()) or private.is_repost_shown(post_id, user_id));

revoke all on public.reposts from anon, authenticated, service_role;
grant select on public.reposts to anon, authenticated;
grant all on public.reposts to service_role;

-- At most 120 reposts per minute. Follows, likes, saves and post alerts count toward the same limit.
create trigger limit_reposts before insert on public.reposts
  for each row execute function private.limit_writes('relations', '120');

-- Updates the number of reposts. Notifies the post's author of a new repost if they can view the profile of the user
-- who reposted it, and withdraws the notification when a repost is deleted.
create function private.on_repost_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed_repost public.reposts := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  hidden_state text;
begin
  update public.posts p set reposts_count = greatest(0, p.reposts_count + delta) where p.id = changed_repost.post_id
  returning p.author_id, p.hidden into post_author_id, hidden_state;
  -- If there is no row, the repost is being deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'DELETE' then
    perform private.withdraw_notification(post_author_id, changed_repost.user_id, 'repost', changed_repost.post_id);
    return null;
  end if;
  -- Moderators may have hidden the post while this call waited for its row.
  if hidden_state is not null then raise exception 'Post not found' using errcode = 'PT404'; end if;
  if private.can_user_view_profile(post_author_id, changed_repost.user_id) then
    perform private.create_notification(post_author_id, changed_repost.user_id, 'repost', changed_repost.post_id);
  end if;
  return null;
end
$$;

create trigger on_repost_changed after insert or delete on public.reposts
  for each row execute function private.on_repost_changed();

-- Reposts a post, or undoes the caller's repost. Repeating the call has no effect. Read-only accounts can only undo
-- reposts. Returns the number of reposts, or null if the caller cannot see the post.
create function private.set_reposted(target_post_id uuid, new_reposted boolean) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  post_author_id uuid := (
    select p.author_id from public.posts p
    where p.id = target_post_id and p.hidden is null and private.can_user_view_profile(uid, p.author_id));
begin
  if new_reposted then
    perform private.require_write();
    if post_author_id is null then raise exception 'Post not found' using errcode = 'PT404'; end if;
    if post_author_id <> uid and not exists (
         select from private.discoverable_profiles a where a.id = post_author_id and a.visibility = 'public') then
      raise exception 'This post can''t be reposted.' using errcode = 'PT403';
    end if;
    -- The trigger consumes the rate limit even if the row exists, so an earlier repost is looked up first.
    if not exists (select from public.reposts r where r.post_id = target_post_id and r.user_id = uid) then
      insert into public.reposts (post_id, user_id) values (target_post_id, uid) on conflict do nothing;
    end if;
  elsif private.is_session_active() then
    delete from public.reposts r where r.post_id = target_post_id and r.user_id = uid;
  end if;
  return (select p.reposts_count from public.posts p where p.id = target_post_id and post_author_id is not null);
end
$$;

grant execute on function private.set_reposted(uuid, boolean) to authenticated;

-- Returns whether the caller reposted a post. The API calls this function only for posts that have reposts: a subquery
-- would make every page of a feed slower.
create function private.has_reposted(target_post_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.reposts r where r.post_id = target_post_id and r.user_id = auth.uid());
end
$$;

grant execute on function private.has_reposted(uuid) to authenticated;

-- Returns whether the caller is shown any of a user's 100 latest reposts. The limit bounds the cost for users with many
-- hidden reposts.
create function private.has_shown_repost(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from (
      select r.post_id, r.user_id from public.reposts r where r.user_id = target_user_id
      order by r.created_at desc, r.post_id desc limit 100
    ) latest
    where private.is_repost_shown(latest.post_id, latest.user_id));
end
$$;

grant execute on function private.has_shown_repost(uuid) to anon, authenticated;

-- Returns whether a user whom the caller follows reposted a post after `since`, but not after `until`. Ignores reposts
-- that are not shown to the caller. `offset 0` keeps the planner from checking reposts by other users first.
-- The high cost makes the planner evaluate a query's other conditions before this function.
create function private.has_followed_repost(target_post_id uuid, since timestamptz, until timestamptz) returns boolean
language plpgsql stable security definer cost 10000 set search_path = ''
as $$
begin
  return exists (
    select from (
      select r.post_id, r.user_id from public.reposts r
      join public.follows f on f.follower_id = auth.uid() and f.followee_id = r.user_id
      where r.post_id = target_post_id and r.created_at > since and r.created_at <= until offset 0
    ) followed
    where private.is_repost_shown(followed.post_id, followed.user_id));
end
$$;

-- Returns up to `max_rows` reposts by users whom the caller follows, newest first: those that are not older than
-- `since`, but older than (`before_time`, `before_id`). Ignores reposts that are newer than `until` or not shown to the
-- caller. Of the remaining reposts of each post, only the latest one counts.
--
-- Only the reposts that the page needs are checked. Each pass reads a batch of reposts of each followed user, and goes
-- through them until it reaches the end of any user's batch, because that user may have older reposts. The next pass
-- continues from there with larger batches.
create function private.list_followed_reposts(
  until timestamptz, since timestamptz, before_time timestamptz, before_id uuid, max_rows integer
) returns setof public.reposts
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  repost public.reposts;
  rank integer;
  batch integer := max_rows;
  found_ids uuid[] := '{}';
begin
  loop
    for repost.post_id, repost.user_id, repost.created_at, rank in
      select r.post_id, r.user_id, r.created_at,
             row_number() over (partition by r.user_id order by r.created_at desc, r.post_id desc)::integer
      from public.follows f
      cross join lateral (
        select r.post_id, r.user_id, r.created_at from public.reposts r
        where r.user_id = f.followee_id and (r.created_at, r.post_id) < (before_time, before_id)
          and r.created_at >= since
        order by r.created_at desc, r.post_id desc limit batch) r
      where f.follower_id = auth.uid()
      order by r.created_at desc, r.post_id desc
    loop
      if repost.post_id <> all (found_ids) and private.is_repost_shown(repost.post_id, repost.user_id)
         and not private.has_followed_repost(repost.post_id, repost.created_at, until) then
        return next repost;
        found_ids := found_ids || repost.post_id;
        if cardinality(found_ids) = max_rows then return; end if;
      end if;
      exit when rank = batch;
    end loop;
    -- `rank` is null if the query returned no rows.
    if rank is distinct from batch then return; end if;
    before_time := repost.created_at;
    before_id := repost.post_id;
    -- Larger batches need fewer passes if a user has thousands of reposts that are not shown.
    batch := least(4 * batch, 1000);
  end loop;
end
$$;
