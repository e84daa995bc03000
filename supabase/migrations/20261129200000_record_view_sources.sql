set local check_function_bodies = off;

alter table private.post_views add column source text not null default 'other'
  constraint post_views_source_check check (source in (
    'home', 'profile', 'discover', 'search', 'topic', 'notification', 'message', 'link', 'other'));

create table private.creator_view_sources (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  source text not null, -- private.post_views lists the sources
  views integer not null default 0,
  primary key (creator_id, day, source)
);

create function private.own_view_sources(first_day date, last_day date) returns table (source text, views integer)
language sql stable security definer rows 9 set search_path = ''
as $$
  select case when total.views >= 5 then total.source else 'other' end, sum(total.views)::integer
  from (select d.source, sum(d.views) as views from private.creator_view_sources d
        where d.creator_id = auth.uid() and d.day between first_day and last_day
        group by d.source) total
  where private.is_session_active()
  group by 1
$$;

revoke execute on function private.own_view_sources(date, date) from public;
grant execute on function private.own_view_sources(date, date) to authenticated;

create function private.own_view_sources_since() returns date
language sql stable security definer set search_path = ''
as $$
  select min(d.day) from private.creator_view_sources d
  where d.creator_id = auth.uid() and private.is_session_active()
$$;

revoke execute on function private.own_view_sources_since() from public;
grant execute on function private.own_view_sources_since() to authenticated;

-- The default of the second parameter lets the previous release of the API call the new function.
drop function private.record_views(uuid[]);

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

revoke execute on function private.record_views(uuid[], text) from public;
grant execute on function private.record_views(uuid[], text) to authenticated;

create or replace function private.roll_up_views(max_rows integer) returns integer
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
  -- The posts are locked before the authors, each in the order of their ids, and both before the views: an account
  -- deletion locks posts before the profile, and last deletes the views that the user recorded.
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
