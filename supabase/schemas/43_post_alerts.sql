-- Notifications about new posts, for followers who want them.
--
-- * A follower chooses a level for each user whom they follow (post_alerts): all posts, highlights (premium posts and
--   products) or none. Without a choice, subscribers are notified of all posts and other followers of none. The choice
--   is deleted with the follow.
-- * Publishing a post only adds it to a queue (announced_posts), which takes the same time for any number of followers.
--   The `new-posts` job notifies the followers in batches.
-- * The posts that an author publishes within an hour form an announcement. Each follower gets one notification per
--   announcement. Another post in the same hour makes the notification new and unread again.
-- * A notification does not store its posts. The posts that the recipient can see are counted each time the
--   notification is loaded, so posts that are deleted or hidden disappear from it immediately. A notification without
--   visible posts is hidden by the policy notifications_select. The job deletes it if no follower can see the posts.
-- * Lock order: the author's follows (private.follows_lock_key), the announcement, then the counters of the recipients.
-- See docs/decisions/036-new-post-notifications.md.

-- Levels -----------------------------------------------------------------------------------------------------------
create table public.post_alerts (
  user_id uuid not null default auth.uid(),
  author_id uuid not null,
  level text not null check (level in ('all', 'highlights', 'off')),
  primary key (user_id, author_id),
  foreign key (user_id, author_id) references public.follows (follower_id, followee_id) on delete cascade
);

comment on table public.post_alerts is 'Which new posts of a followed user the follower wants to be notified of.';

-- Used to check whether anybody wants to be notified of an author's posts.
create index post_alerts_author_id_idx on public.post_alerts (author_id) where level <> 'off';

alter table public.post_alerts enable row level security;

-- Requires an active session.
create policy post_alerts_active_session on public.post_alerts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Only the follower sees the level, not the author.
create policy post_alerts_select on public.post_alerts for select to authenticated
  using (user_id = (select auth.uid()));

-- The foreign key requires a follow. As with other notification settings, users can change levels even while their
-- account is read-only.
create policy post_alerts_insert on public.post_alerts for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy post_alerts_update on public.post_alerts for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

revoke all on public.post_alerts from anon, authenticated, service_role;
grant select on public.post_alerts to authenticated;
grant insert (user_id, author_id, level), update (level) on public.post_alerts to authenticated;
grant all on public.post_alerts to service_role;

-- At most 120 changes per minute. Follows, likes, saves and reposts count toward the same limit.
create trigger limit_post_alerts before insert or update on public.post_alerts
  for each row execute function private.limit_writes('relations', '120');

-- Sends `follow.changed` to the follower's open pages, which then refresh the author's profile.
create function private.broadcast_post_alert_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'follow.changed', jsonb_build_object(
    'userId', new.author_id, 'status', 'following'));
  return null;
end
$$;

create trigger broadcast_post_alert_changed after insert or update on public.post_alerts
  for each row execute function private.broadcast_post_alert_changed();

-- Announcements ----------------------------------------------------------------------------------------------------
-- The posts that a user published within an hour.
create table private.post_announcements (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  -- When the first of the posts was published.
  opened_at timestamptz not null,
  -- The followers are notified in rounds. A round covers the posts that were queued when it began.
  round integer not null default 0,
  -- How far the current round has got in the list of followers, latest first. `position_at` is null between rounds.
  position_at timestamptz,
  position_id uuid,
  -- When the job last worked on the announcement. Announcements take turns, so that one with many followers does not
  -- delay the others.
  worked_at timestamptz not null default clock_timestamp()
);

create index post_announcements_author_id_idx on private.post_announcements (author_id, opened_at desc);

create index post_announcements_opened_at_idx on private.post_announcements (opened_at);

create index post_announcements_worked_at_idx on private.post_announcements (worked_at) where position_at is not null;

-- The posts of announcements, and the queue of posts that do not belong to one yet.
create table private.announced_posts (
  post_id uuid primary key references public.posts (id) on delete cascade,
  announcement_id uuid references private.post_announcements (id) on delete cascade,
  -- The round that covers this post; null while the post is queued.
  round integer,
  queued_at timestamptz not null default clock_timestamp()
);

create index announced_posts_announcement_id_idx on private.announced_posts (announcement_id);

create index announced_posts_queued_at_idx on private.announced_posts (queued_at) where announcement_id is null;

-- Announcements whose notifications may have to be deleted, because a post was deleted or hidden, the author's profile
-- became private, or the announcement is older than 30 days. The table has neither a foreign key nor a unique key on
-- the announcement, so that adding a row never waits for the job.
create table private.announcement_checks (
  id bigint primary key generated always as identity,
  announcement_id uuid not null
);

-- Returns whether a post is a highlight.
create function private.is_highlight(post public.posts) returns boolean
language sql immutable set search_path = ''
as $$ select post.is_premium or post.product is not null $$;

-- Returns the number of an announcement's posts that a user can see, and the latest of them. Returns no row if there
-- are none.
create function private.visible_announced_posts(
  viewer_id uuid, target_announcement_id uuid, highlights_only boolean
) returns table (posts integer, latest_post_id uuid)
language sql stable strict security definer rows 1 set search_path = ''
as $$
  select count(*)::integer, (array_agg(p.id order by p.created_at desc, p.id desc))[1]
  from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id = target_announcement_id and p.hidden is null
    and (not highlights_only or private.is_highlight(p))
    and private.can_user_view_profile(viewer_id, p.author_id)
  having count(*) > 0
$$;

-- For the policy of notifications, and for emails about unread notifications.
grant execute on function private.visible_announced_posts(uuid, uuid, boolean) to authenticated, service_role;

-- Queues a new post if somebody may want to be notified of it. The trigger skips posts that are dated more than a day
-- ago, such as imported ones.
create function private.queue_new_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.post_alerts a where a.author_id = new.author_id and a.level <> 'off')
     or exists (select from public.profile_counts c where c.user_id = new.author_id and c.subscribers > 0) then
    insert into private.announced_posts (post_id) values (new.id);
  end if;
  return null;
end
$$;

create trigger queue_new_post after insert on public.posts
  for each row when (new.hidden is null and new.created_at > now() - interval '1 day')
  execute function private.queue_new_post();

-- Queues a check of a hidden post's announcement.
create function private.check_announcement_of_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.announcement_checks (announcement_id)
  select q.announcement_id from private.announced_posts q
  where q.post_id = new.id and q.announcement_id is not null;
  return null;
end
$$;

create trigger check_announcement_of_post after update of hidden on public.posts
  for each row when (old.hidden is null and new.hidden is not null)
  execute function private.check_announcement_of_post();

-- Queues a check of a deleted post's announcement.
create function private.on_announced_post_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.announcement_checks (announcement_id) values (old.announcement_id);
  return null;
end
$$;

create trigger on_announced_post_deleted after delete on private.announced_posts
  for each row when (old.announcement_id is not null) execute function private.on_announced_post_deleted();

-- Queues checks of all announcements of a user whose profile is now private.
create function private.check_announcements_of_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.announcement_checks (announcement_id)
  select a.id from private.post_announcements a where a.author_id = new.id;
  return null;
end
$$;

create trigger check_announcements_of_user after update of visibility on public.profiles
  for each row when (old.visibility <> 'private' and new.visibility = 'private')
  execute function private.check_announcements_of_user();

-- Notifying --------------------------------------------------------------------------------------------------------
-- Begins a round for the queued post that has waited longest, together with the other queued posts of the same author
-- and hour. Skips authors with a round in progress. Returns whether a round began.
create function private.begin_announcement_round() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  post public.posts;
  announcement private.post_announcements;
  newest_at timestamptz;
begin
  -- One at a time, so that two runs do not begin two announcements for the same hour.
  perform pg_advisory_xact_lock(hashtextextended('announcement_round', 0));
  select p.* into post from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id is null and not exists (
    select from private.post_announcements a where a.author_id = p.author_id and a.position_at is not null)
  order by q.queued_at, q.post_id limit 1;
  if not found then return false; end if;
  select * into announcement from private.post_announcements a
  where a.author_id = post.author_id and a.opened_at <= post.created_at
    and a.opened_at > post.created_at - interval '1 hour'
  order by a.opened_at desc limit 1;
  if not found then
    insert into private.post_announcements (author_id, opened_at) values (post.author_id, post.created_at)
    returning * into announcement;
  end if;
  with added as (
    update private.announced_posts q set announcement_id = announcement.id, round = announcement.round + 1
    from public.posts p
    where p.id = q.post_id and q.announcement_id is null and p.author_id = post.author_id
      and p.created_at >= announcement.opened_at and p.created_at < announcement.opened_at + interval '1 hour'
    returning p.created_at
  )
  select max(a.created_at) into newest_at from added a;
  -- Users who followed the author after the newest of the posts are not notified. `newest_at` is null if the post has
  -- just been deleted.
  update private.post_announcements a
  set round = a.round + 1, position_at = newest_at, position_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return true;
end
$$;

-- Returns whether followers can see any posts and any highlights of an announcement or, with `only_current_round`, of
-- its current round. Both are false if the author's profile is private.
create function private.announcement_contents(
  announcement private.post_announcements, only_current_round boolean, out has_posts boolean, out has_highlights boolean
)
language sql stable security definer set search_path = ''
as $$
  select count(*) > 0, coalesce(bool_or(private.is_highlight(p)), false)
  from private.announced_posts q join public.posts p on p.id = q.post_id
  join public.profiles u on u.id = p.author_id and u.visibility <> 'private'
  where q.announcement_id = announcement.id and (not only_current_round or q.round = announcement.round)
    and p.hidden is null
$$;

-- Returns which of the given followers of an author want to be notified of posts, and whether only of highlights.
create function private.post_alert_recipients(target_author_id uuid, follower_ids uuid[], has_highlights boolean)
returns table (user_id uuid, highlights_only boolean)
language sql stable security definer set search_path = ''
as $$
  select f.follower_id, coalesce(a.level = 'highlights', false)
  from public.follows f
  join public.user_settings s on s.user_id = f.follower_id and s.new_posts
  left join public.post_alerts a on a.user_id = f.follower_id and a.author_id = f.followee_id
  where f.followee_id = target_author_id and f.follower_id = any (follower_ids)
    and case when a.level is null then private.is_subscribed(f.follower_id, f.followee_id)
             else a.level = 'all' or (a.level = 'highlights' and has_highlights) end
    and not private.are_blocked(f.follower_id, f.followee_id)
$$;

-- Takes the announcement that has waited longest, and notifies those of the author's next `max_rows` followers who want
-- to be notified. Returns how many were notified; null if there is nothing to do. All of this happens in one
-- transaction: after a crash, the round continues with the same followers, and nobody is notified twice.
create function private.continue_announcement_round(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  announcement private.post_announcements;
  has_posts boolean;
  has_highlights boolean;
  follower_ids uuid[];
  last_at timestamptz;
  last_id uuid;
  recipient_ids uuid[];
  notification_ids uuid[];
begin
  select * into announcement from private.post_announcements a
  where a.position_at is not null order by a.worked_at limit 1;
  if not found then return null; end if;
  if not private.lock_announcement(announcement.id, announcement.author_id) then return 0; end if;
  select * into announcement from private.post_announcements a
  where a.id = announcement.id and a.position_at is not null;
  if not found then return 0; end if;
  select c.has_posts, c.has_highlights into has_posts, has_highlights
  from private.announcement_contents(announcement, true) c;
  if has_posts then
    select array_agg(f.follower_id), min(f.created_at),
           (array_agg(f.follower_id order by f.created_at, f.follower_id))[1]
    into follower_ids, last_at, last_id
    from (select f.follower_id, f.created_at from public.follows f
          where f.followee_id = announcement.author_id
            and (f.created_at, f.follower_id) < (announcement.position_at, announcement.position_id)
          order by f.created_at desc, f.follower_id desc limit max_rows) f;
    -- Leaves out accounts that were deleted while this query waited for the locks.
    recipient_ids := array(
      select c.user_id from public.user_counters c
      where c.user_id = any (array(
        select r.user_id from private.post_alert_recipients(
          announcement.author_id, follower_ids, has_highlights) r))
      order by c.user_id for update);
    -- The recipients are read again, because they may have unfollowed or blocked the author in the meantime.
    with stored as (
      insert into public.notifications as n (user_id, actor_id, kind, announcement_id, highlights_only)
      select r.user_id, announcement.author_id, 'new_post', announcement.id, r.highlights_only
      from private.post_alert_recipients(announcement.author_id, recipient_ids, has_highlights) r
      -- Replaces the notification of an earlier round. The new one gets a new id, because open pages ignore repeated
      -- events.
      on conflict (announcement_id, user_id) where announcement_id is not null do update
        set id = gen_random_uuid(), created_at = clock_timestamp(), read_at = null,
            highlights_only = excluded.highlights_only
      returning n.id
    )
    select array_agg(s.id) into notification_ids from stored s;
    perform private.broadcast_to_user(n.user_id, 'notification.created', jsonb_build_object(
      'notificationId', n.id, 'kind', n.kind, 'unreadTotal', private.count_unread_notifications(n.user_id)))
    from public.notifications n where n.id = any (notification_ids);
  end if;
  update private.post_announcements a
  set position_at = case when cardinality(follower_ids) = max_rows then last_at end, position_id = last_id,
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return coalesce(cardinality(notification_ids), 0);
end
$$;

-- Locks an announcement, and keeps its author's account from being deleted until the end of the transaction: see
-- private.lock_account_dependents. Returns false if the announcement no longer exists.
create function private.lock_announcement(target_announcement_id uuid, author_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(author_id));
  perform from private.post_announcements a where a.id = target_announcement_id for update;
  return found;
end
$$;

-- Begins or continues a round. Returns how many followers were notified; null if there is nothing to do.
create function private.announce_posts(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if private.begin_announcement_round() then return 0; end if;
  return private.continue_announcement_round(max_rows);
end
$$;

grant execute on function private.announce_posts(integer) to service_role;

-- Takes the oldest queued check and deletes up to `max_rows` notifications of its announcement: any of them if none of
-- the announcement's posts is visible or the announcement is older than 30 days, and those that count only highlights
-- if no highlight is visible. Once none are left to delete, deletes the announcement's queued checks, and the
-- announcement itself if it is older than 30 days. Returns how many notifications were deleted; null if there is
-- nothing to do.
create function private.withdraw_announcements(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  queued private.announcement_checks;
  queued_ids bigint[];
  announcement private.post_announcements;
  is_old boolean;
  has_posts boolean;
  has_highlights boolean;
  notification_ids uuid[];
begin
  select * into queued from private.announcement_checks k order by k.id limit 1 for update skip locked;
  if not found then return null; end if;
  -- One check is enough, however many are queued for the same announcement. Checks that are added from now on are kept.
  queued_ids := array(
    select k.id from private.announcement_checks k where k.announcement_id = queued.announcement_id
    for update skip locked);
  select * into announcement from private.post_announcements a where a.id = queued.announcement_id;
  if found and private.lock_announcement(announcement.id, announcement.author_id) then
    is_old := announcement.opened_at <= now() - interval '30 days';
    select c.has_posts, c.has_highlights into has_posts, has_highlights
    from private.announcement_contents(announcement, false) c;
    notification_ids := array(
      select n.id from public.notifications n
      where n.announcement_id = announcement.id
        and (is_old or not has_posts or (n.highlights_only and not has_highlights))
      limit max_rows);
    if cardinality(notification_ids) > 0 then
      perform private.lock_user_counters(array(
        select n.user_id from public.notifications n where n.id = any (notification_ids)));
      delete from public.notifications n where n.id = any (notification_ids);
      return cardinality(notification_ids);
    end if;
    delete from private.post_announcements a where a.id = announcement.id and is_old;
  end if;
  delete from private.announcement_checks k where k.id = any (queued_ids);
  return 0;
end
$$;

grant execute on function private.withdraw_announcements(integer) to service_role;

-- Returns whether the `new-posts` job has work.
create function private.has_posts_to_announce() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.announced_posts q where q.announcement_id is null)
      or exists (select from private.post_announcements a where a.position_at is not null)
      or exists (select from private.announcement_checks)
$$;

grant execute on function private.has_posts_to_announce() to service_role;
