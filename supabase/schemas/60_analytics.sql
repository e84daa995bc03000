-- Analytics: what creators see about the reach of their own posts.
--
-- * A view means that a signed-in user had another user's post on their screen. It counts once per user, post and hour.
-- * The likes, comments and followers of a day are those that were new on that day and still exist when the day is
--   counted for the last time, at least two hours after its end. Hidden comments and creators' likes and comments on
--   their own posts do not count. The subscribers of a day are those whose subscription began on that day, not those
--   whose subscription resumed after a pause or a late payment.
-- * Days and hours are in UTC.
-- * So that charts read few rows, the `roll-up` job calls the `roll_up_…` functions, which aggregate events into one
--   row per post or creator and day or hour, and followers' ages and countries into one row per creator.
-- * Analytics are visible to the creator alone, not to admins.

-- Views --------------------------------------------------------------------------------------------------------
-- Recorded views, kept only for as long as they are needed to detect duplicates. Unlogged, like rate limits: a crash
-- loses the views that have not been counted yet. There are no foreign keys, so that recording a view never waits for a
-- post or an account that another transaction has locked.
create unlogged table private.post_views (
  viewer_id uuid not null,
  post_id uuid not null,
  hour timestamptz not null,
  counted boolean not null default false, -- whether private.roll_up_views has counted the view
  source text not null default 'other' check (source in (
    'home', 'profile', 'discover', 'search', 'topic', 'notification', 'message', 'link', 'other')),
  primary key (viewer_id, post_id, hour)
);

create index post_views_uncounted_idx on private.post_views (hour) where not counted;

-- For deleting past hours.
create index post_views_hour_idx on private.post_views (hour);

-- Records that the caller had posts on their screen, and where the caller found the posts. Uses the first 50 ids, and
-- ignores the caller's own posts and posts that the caller may not see. If the caller views a post several times in an
-- hour, only the first source counts.
create function private.record_views(viewed_post_ids uuid[], view_source text default 'other') returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  perform private.enforce_rate_limit('views', uid, 120, '1 minute');
  insert into private.post_views (viewer_id, post_id, hour, source)
  select uid, p.id, date_trunc('hour', now(), 'UTC'), view_source
  from (select distinct v.id from unnest(viewed_post_ids[1:50]) v(id)) viewed
  join public.posts p on p.id = viewed.id
  join private.viewable_profiles v on v.id = p.author_id
  where p.author_id <> uid and p.hidden is null
  -- A fixed order, so that two open pages of one user cannot deadlock.
  order by p.id
  on conflict do nothing;
end
$$;

grant execute on function private.record_views(uuid[], text) to authenticated;

-- Deletes the views that a deleted user recorded.
create function private.on_profile_deleted_views() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.post_views e where e.viewer_id = old.id;
  return null;
end
$$;

create trigger on_profile_deleted_views after delete on public.profiles
  for each row execute function private.on_profile_deleted_views();

-- Views per post and day ---------------------------------------------------------------------------------------
-- Rows are deleted with their post. The author's totals in creator_days keep the views.
create table public.post_days (
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid not null,
  day date not null,
  views integer not null default 0,
  primary key (post_id, day)
);

create index post_days_author_id_idx on public.post_days (author_id, day) include (post_id, views);

alter table public.post_days enable row level security;

-- Requires an active session.
create policy post_days_active_session on public.post_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Authors see the counts of their own posts.
create policy post_days_select on public.post_days for select to authenticated
  using (author_id = (select auth.uid()));

revoke all on public.post_days from anon, authenticated, service_role;
grant select on public.post_days to authenticated, service_role;

-- Returns how many times a post was viewed if the caller is its author, otherwise 0. This is a function because an
-- equivalent subquery would slow down lists in which none of the posts is the caller's.
create function private.count_post_views(viewed_post_id uuid) returns bigint
language plpgsql stable set search_path = ''
as $$
begin
  return (select coalesce(sum(d.views), 0) from public.post_days d where d.post_id = viewed_post_id);
end
$$;

grant execute on function private.count_post_views(uuid) to authenticated;

-- Counts per creator and day -----------------------------------------------------------------------------------
create table public.creator_days (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  views integer not null default 0,
  likes integer not null default 0,
  comments integer not null default 0,
  followers integer not null default 0,
  subscribers integer not null default 0,
  primary key (creator_id, day)
);

comment on table public.creator_days is 'Events per creator and day (UTC): new likes, followers and so on, not totals.';

create index creator_days_day_idx on public.creator_days (day);

alter table public.creator_days enable row level security;

-- Requires an active session.
create policy creator_days_active_session on public.creator_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own counts.
create policy creator_days_select on public.creator_days for select to authenticated
  using (creator_id = (select auth.uid()));

revoke all on public.creator_days from anon, authenticated, service_role;
grant select on public.creator_days to authenticated, service_role;

-- Views per creator and hour -----------------------------------------------------------------------------------
create table public.creator_hours (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  views integer not null default 0,
  primary key (creator_id, day, hour)
);

alter table public.creator_hours enable row level security;

-- Requires an active session.
create policy creator_hours_active_session on public.creator_hours as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own counts.
create policy creator_hours_select on public.creator_hours for select to authenticated
  using (creator_id = (select auth.uid()));

revoke all on public.creator_hours from anon, authenticated, service_role;
grant select on public.creator_hours to authenticated, service_role;

-- Views per creator, day and source ----------------------------------------------------------------------------
-- No client can read this table. Otherwise, a creator who sent a link to one person could see whether that person
-- opened it. Views that were counted before the platform recorded sources have no rows here.
create table private.creator_view_sources (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  source text not null, -- private.post_views lists the sources
  views integer not null default 0,
  primary key (creator_id, day, source)
);

-- Returns the views of the caller's posts by source. Leaves out days that have not ended or ended less than two hours
-- ago, because their counts can still grow. On each day, sources with fewer than five views are counted under 'other'.
-- If this applied only to the whole range, the difference between two overlapping ranges could reveal a smaller number.
create function private.own_view_sources(first_day date, last_day date) returns table (source text, views integer)
language sql stable security definer rows 9 set search_path = ''
as $$
  select case when d.views >= 5 then d.source else 'other' end, sum(d.views)::integer
  from private.creator_view_sources d
  where d.creator_id = auth.uid() and d.day between first_day and last_day
    and d.day < ((now() - interval '2 hours') at time zone 'UTC')::date and private.is_session_active()
  group by 1
$$;

grant execute on function private.own_view_sources(date, date) to authenticated;

-- Returns the first day for which the sources of views of the caller's posts were recorded, or null if there is none.
create function private.own_view_sources_since() returns date
language sql stable security definer set search_path = ''
as $$
  select min(d.day) from private.creator_view_sources d
  where d.creator_id = auth.uid() and private.is_session_active()
$$;

grant execute on function private.own_view_sources_since() to authenticated;

-- Audiences ----------------------------------------------------------------------------------------------------
-- The age groups and countries of a creator's followers. Groups of fewer than five people are left out. The sizes of
-- the remaining groups would reveal how many followers were left out, so no client reads this table: the API returns
-- only percentages.
create table private.creator_audiences (
  creator_id uuid primary key references public.profiles (id) on delete cascade,
  counted_at timestamptz not null default '-infinity', -- '-infinity': not counted yet
  age_groups jsonb not null default '[]', -- [{"range": "18-24", "people": 12}], youngest first
  countries jsonb not null default '[]' -- [{"name": "DE", "people": 7}], largest first
);

-- For private.roll_up_audiences.
create index creator_audiences_counted_at_idx on private.creator_audiences (counted_at, creator_id);

-- Adds a row for a new creator, so that their audience is counted. private.roll_up_audiences deletes the rows of users
-- who are no longer creators.
create function private.add_creator_audience() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.creator_audiences (creator_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

create trigger add_creator_audience after insert or update of is_creator on public.profiles
  for each row when (new.is_creator) execute function private.add_creator_audience();

-- Returns the caller's own audience, if it has been counted.
create function private.own_audience() returns setof private.creator_audiences
language sql stable security definer set search_path = ''
as $$
  select a.* from private.creator_audiences a
  where a.creator_id = auth.uid() and a.counted_at > '-infinity' and private.is_session_active()
$$;

grant execute on function private.own_audience() to authenticated;

-- Access -------------------------------------------------------------------------------------------------------
-- Raises an error if the caller asks for another user's analytics (even as an admin) or is not a creator.
create function private.require_analytics_owner(creator uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if creator is distinct from auth.uid() then
    raise exception 'You can only view your own analytics.' using errcode = 'PT403';
  end if;
  if not exists (select from public.profiles p where p.id = creator and p.is_creator) then
    raise exception 'Analytics is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

grant execute on function private.require_analytics_owner(uuid) to authenticated;

-- Roll-up ------------------------------------------------------------------------------------------------------
-- Each of the `roll_up_…` functions processes one step and returns how much it processed or how much is left. The job
-- calls each function repeatedly, each time in a separate transaction, until the function returns 0 or its time budget
-- is used up.

-- The progress of the roll-up. Row 'days': days that ended at least two hours before `done_at` are final.
create table private.rollups (
  name text primary key,
  done_at timestamptz not null
);

-- Returns the time up to which private.roll_up_days has counted events.
create function private.analytics_updated_at() returns timestamptz
language sql stable security definer set search_path = ''
as $$ select r.done_at from private.rollups r where r.name = 'days' $$;

grant execute on function private.analytics_updated_at() to authenticated;

-- Keeps creators' accounts from being deleted until the end of the transaction.
create function private.lock_creators(creator_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profiles p where p.id = any(creator_ids) order by p.id for key share;
end
$$;

-- Adds up to `max_rows` new views to the counts, oldest hour first. Returns the number of views counted.
--
-- Must not share a transaction with private.roll_up_days, because that transaction could deadlock with an account
-- deletion: the deletion would wait for the views locked here while roll_up_days waits for the account.
create function private.roll_up_views(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  viewed_post_ids uuid[];
  view_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  create temporary table new_views on commit drop as
  select e.viewer_id, e.post_id, e.hour from private.post_views e where not e.counted order by e.hour limit max_rows;
  -- Lock the posts and authors until the counts are stored. If one of them is being deleted, wait, then leave it out.
  -- Posts are locked first, then authors, both in the order of their ids, and then views. An account deletion also
  -- locks posts before the profile, and deletes the user's views last.
  viewed_post_ids := array(select distinct n.post_id from pg_temp.new_views n);
  perform from public.posts p where p.id = any(viewed_post_ids) order by p.id for key share;
  perform private.lock_creators(array(
    select distinct p.author_id from public.posts p where p.id = any(viewed_post_ids)));
  -- Skip views that an account deletion has locked. From here on, nothing waits for a lock.
  create temporary table counted_views on commit drop as
  with locked as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.new_views n join private.post_views e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  marked as (
    update private.post_views e set counted = true from locked l
    where e.viewer_id = l.viewer_id and e.post_id = l.post_id and e.hour = l.hour
    returning e.post_id, e.hour, e.source)
  select m.post_id, m.hour, m.source, count(*)::integer as views from marked m group by 1, 2, 3;
  -- Without statistics, the planner would read all profiles for a handful of views.
  analyze pg_temp.counted_views;
  select coalesce(sum(v.views), 0) into view_count from pg_temp.counted_views v;
  -- Leaves out posts and authors that were deleted.
  create temporary table author_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.source, v.views
  from pg_temp.counted_views v join public.posts p on p.id = v.post_id join public.profiles a on a.id = p.author_id;
  insert into public.post_days as d (post_id, author_id, day, views)
  select v.post_id, v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 3
  on conflict (post_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_days as d (creator_id, day, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2 order by 1, 2
  on conflict (creator_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_hours as d (creator_id, day, hour, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, extract(hour from v.hour at time zone 'UTC'), sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, hour) do update set views = d.views + excluded.views;
  insert into private.creator_view_sources as d (creator_id, day, source, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, v.source, sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, source) do update set views = d.views + excluded.views;
  -- Counted views of past hours are no longer needed to detect duplicates. Transactions that began before the end of
  -- the hour get five minutes to finish.
  with finished as (
    select e.viewer_id, e.post_id, e.hour from private.post_views e
    where e.counted and e.hour < date_trunc('hour', now() - interval '5 minutes', 'UTC')
    limit max_rows for update skip locked)
  delete from private.post_views e using finished f
  where e.viewer_id = f.viewer_id and e.post_id = f.post_id and e.hour = f.hour;
  drop table pg_temp.new_views, pg_temp.counted_views, pg_temp.author_views;
  return view_count;
end
$$;

grant execute on function private.roll_up_views(integer) to service_role;

-- Counts the likes, comments, followers and subscribers for the oldest `max_days` days (at least two) that are not
-- final, and replaces the previous counts. Returns the number of days left. A day is final two hours after its end.
-- Days that were missed while the job did not run are counted later. The first run starts 731 days back, which covers a
-- year and the year before it, for comparison.
create function private.roll_up_days(max_days integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done_at timestamptz;
  first_day date;
  last_day date;
  from_time timestamptz;
  to_time timestamptz;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done_at from private.rollups r where r.name = 'days';
  first_day := least(
    today, ((coalesce(last_done_at, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  last_day := least(today, first_day + greatest(2, max_days) - 1);
  from_time := first_day::timestamp at time zone 'UTC';
  to_time := (last_day + 1)::timestamp at time zone 'UTC';
  create temporary table new_days on commit drop as
  select e.creator_id, (e.at at time zone 'UTC')::date as day,
         count(*) filter (where e.kind = 'like')::integer as likes,
         count(*) filter (where e.kind = 'comment')::integer as comments,
         count(*) filter (where e.kind = 'follow')::integer as followers,
         count(*) filter (where e.kind = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as kind
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
      and c.hidden is null
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time
      -- After a pause or a late payment, a subscription starts over, but its subscriber is not new.
      and not exists (select from public.payments b
                      where b.subscription_id = s.id and b.state = 'paid' and b.period_start < s.started_at)) e
  group by 1, 2;
  analyze pg_temp.new_days;
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Resets the days whose events no longer exist.
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between first_day and last_day and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.new_days n where n.creator_id = d.creator_id and n.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select n.creator_id, n.day, n.likes, n.comments, n.followers, n.subscribers
  from pg_temp.new_days n join public.profiles p on p.id = n.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.new_days;
  insert into private.rollups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - last_day;
end
$$;

grant execute on function private.roll_up_days(integer) to service_role;

-- Computes the audiences of up to `max_rows` creators whose audience has not been computed within the last day, least
-- recently computed first. Returns the number of audiences computed or deleted.
create function private.roll_up_audiences(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due_creator_id uuid;
  counted integer := 0;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up-audiences', 0));
  for due_creator_id in
    select a.creator_id from private.creator_audiences a
    where a.counted_at < now() - interval '1 day'
    order by a.counted_at, a.creator_id limit max_rows
  loop
    perform private.lock_creators(array[due_creator_id]);
    delete from private.creator_audiences a
    where a.creator_id = due_creator_id
      and not exists (select from public.profiles p where p.id = due_creator_id and p.is_creator);
    if found then
      counted := counted + 1;
      continue;
    end if;
    insert into private.creator_audiences as a (creator_id, counted_at, age_groups, countries)
    select due_creator_id, now(),
      (select coalesce(jsonb_agg(jsonb_build_object('range', g.range, 'people', g.people) order by g.range), '[]')
       from (select case when b.age < 25 then '18-24' when b.age < 35 then '25-34' when b.age < 45 then '35-44'
                         when b.age < 55 then '45-54' else '55+' end as range, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due_creator_id and b.age >= 18 group by 1 having count(*) >= 5) g),
      (select coalesce(jsonb_agg(jsonb_build_object('name', g.country, 'people', g.people)
                                 order by g.people desc, g.country), '[]')
       from (select b.country, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due_creator_id and b.country is not null group by 1 having count(*) >= 5) g)
    from public.profiles p where p.id = due_creator_id and p.is_creator
    on conflict (creator_id) do update set counted_at = excluded.counted_at, age_groups = excluded.age_groups,
      countries = excluded.countries;
    counted := counted + 1;
  end loop;
  return counted;
end
$$;

grant execute on function private.roll_up_audiences(integer) to service_role;
