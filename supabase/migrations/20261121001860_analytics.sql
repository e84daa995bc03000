-- What a creator is told of how their posts are doing: counted by a job from what happened, kept by day, and read by one
-- walk down one index.
--
-- A view: a signed-in person, not the author, had the post on their screen; once for each person and hour. Likes,
-- comments and followers of a day are those that were made on it and still stand when it is counted last, two hours
-- after its end. Days and hours are in UTC.

-- Views as they come, for as long as they are needed to count each once. Unlogged, as rate limits: a crash may forget
-- some minutes. No foreign keys: a view must not wait for a post that is being liked, nor for a person who leaves.
create unlogged table private.view_events (
  viewer_id uuid not null,
  post_id uuid not null,
  hour timestamptz not null,
  counted boolean not null default false,
  primary key (viewer_id, post_id, hour)
);
create index view_events_uncounted_idx on private.view_events (hour) where not counted;
create index view_events_hour_idx on private.view_events (hour);

-- Views of a post on a day. They go with the post; what its author was told of their days stays.
create table public.post_days (
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid not null,
  day date not null,
  views integer not null default 0,
  primary key (post_id, day)
);
create index post_days_author_id_idx on public.post_days (author_id, day) include (post_id, views);

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
comment on table public.creator_days is 'What a creator got on a day (UTC): new ones, not totals.';
create index creator_days_day_idx on public.creator_days (day);

create table public.creator_hours (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  views integer not null default 0,
  primary key (creator_id, day, hour)
);

-- Of whom a creator's followers consist: groups of at least five people, and nothing that would tell of smaller ones.
-- How many people a group has would tell how many are in none: nobody reads it, and the API tells shares.
create table private.creator_audiences (
  creator_id uuid primary key references public.profiles (id) on delete cascade,
  counted_at timestamptz not null,
  -- [{"range": "18-24", "people": 12}, …] and [{"name": "DE", "people": 7}, …], the largest first.
  age_groups jsonb not null default '[]',
  countries jsonb not null default '[]'
);

-- When what was counted last.
create table private.roll_ups (
  name text primary key,
  done_at timestamptz not null
);

alter table public.post_days enable row level security;
alter table public.creator_days enable row level security;
alter table public.creator_hours enable row level security;
revoke all on public.post_days, public.creator_days, public.creator_hours from anon, authenticated, service_role;
grant select on public.post_days, public.creator_days, public.creator_hours to authenticated, service_role;

create policy post_days_alive on public.post_days as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy post_days_select on public.post_days for select to authenticated
  using (author_id = (select auth.uid()));
create policy creator_days_alive on public.creator_days as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy creator_days_select on public.creator_days for select to authenticated
  using (creator_id = (select auth.uid()));
create policy creator_hours_alive on public.creator_hours as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy creator_hours_select on public.creator_hours for select to authenticated
  using (creator_id = (select auth.uid()));
-- Analytics are of creators, for themselves: not for admins, and not by an id that is somebody else's.
create function private.require_own_figures(creator uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if creator is distinct from auth.uid() then
    raise exception 'Only a creator sees their own figures.' using errcode = 'PT403';
  end if;
  if not exists (select from public.profiles p where p.id = creator and p.is_creator) then
    raise exception 'Analytics is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;
grant execute on function private.require_own_figures(uuid) to authenticated;

-- The caller's own audience.
create function private.own_audience() returns setof private.creator_audiences
language sql stable security definer set search_path = ''
as $$ select a.* from private.creator_audiences a where a.creator_id = auth.uid() and private.session_alive() $$;
grant execute on function private.own_audience() to authenticated;

-- The caller had these posts on their screen: 50 at most are looked at. What they may not see, and what is their own,
-- counts for nothing.
create function private.record_views(seen uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  perform private.enforce_rate('views', uid, 120, '1 minute');
  insert into private.view_events (viewer_id, post_id, hour)
  select uid, p.id, date_trunc('hour', now(), 'UTC')
  from (select distinct s.id from unnest(seen[1:50]) s(id)) named
  join public.posts p on p.id = named.id
  join private.viewable_profiles v on v.id = p.author_id
  where p.author_id <> uid
  -- In one order, so that two pages of theirs do not wait for each other in a circle.
  order by p.id
  on conflict do nothing;
end
$$;
grant execute on function private.record_views(uuid[]) to authenticated;

-- Keeps these creators from being deleted until the transaction ends.
create function private.hold_creators(creators uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profiles p where p.id = any(creators) order by p.id for key share;
end
$$;

-- Counts views that came since the last time, `most` of them at most and those of the oldest hour first, and answers how
-- many it took: again until it is 0, each time in a transaction of its own. Not in one with the days: whoever goes would
-- wait for their views, and the days for them. Another one that counts is waited for.
create function private.roll_up_views(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  looked_at uuid[];
  rolled integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  create temporary table looked_views on commit drop as
  select e.viewer_id, e.post_id, e.hour from private.view_events e where not e.counted order by e.hour limit most;
  -- What is counted for stays until the count is stored: a post or an author that is being deleted is waited for, and
  -- left out when it is gone. Held in the order of everybody who holds several rows, and before the views: whoever goes
  -- holds posts first, and deletes their views last.
  looked_at := array(select distinct l.post_id from pg_temp.looked_views l);
  perform from public.posts p where p.id = any(looked_at) order by p.id for key share;
  perform private.hold_creators(array(select distinct p.author_id from public.posts p where p.id = any(looked_at)));
  -- Views that somebody is deleting are theirs: from here on nothing is waited for.
  create temporary table rolled_views on commit drop as
  with held as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.looked_views l join private.view_events e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  taken as (
    update private.view_events e set counted = true from held h
    where e.viewer_id = h.viewer_id and e.post_id = h.post_id and e.hour = h.hour
    returning e.post_id, e.hour)
  select t.post_id, t.hour, count(*)::integer as views from taken t group by 1, 2;
  select coalesce(sum(v.views), 0) into rolled from pg_temp.rolled_views v;
  create temporary table kept_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.views
  from pg_temp.rolled_views v join public.posts p on p.id = v.post_id join public.profiles a on a.id = p.author_id;
  insert into public.post_days as d (post_id, author_id, day, views)
  select v.post_id, v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.kept_views v group by 1, 2, 3 order by 1, 3
  on conflict (post_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_days as d (creator_id, day, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views) from pg_temp.kept_views v group by 1, 2 order by 1, 2
  on conflict (creator_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_hours as d (creator_id, day, hour, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, extract(hour from v.hour at time zone 'UTC'), sum(v.views)
  from pg_temp.kept_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, hour) do update set views = d.views + excluded.views;
  -- An hour that is over needs no more telling apart, once nobody can still be at writing it.
  with over as (
    select e.viewer_id, e.post_id, e.hour from private.view_events e
    where e.counted and e.hour < date_trunc('hour', now() - interval '5 minutes', 'UTC')
    limit most for update skip locked)
  delete from private.view_events e using over o
  where e.viewer_id = o.viewer_id and e.post_id = o.post_id and e.hour = o.hour;
  drop table pg_temp.looked_views, pg_temp.rolled_views, pg_temp.kept_views;
  return rolled;
end
$$;
grant execute on function private.roll_up_views(integer) to service_role;

create index follows_created_at_idx on public.follows (created_at);
create index subscriptions_started_at_idx on public.subscriptions (started_at) where started_at is not null;

-- Counts likes, comments, followers and subscribers of `most` days anew, two at least: of those that are not done with,
-- the oldest first. Answers how many are left: again until it is 0, each time in a transaction of its own. A day is
-- counted until two hours after its end; what was missed while nothing ran is caught up with, and the first time as far
-- back as a year and the year before it.
create function private.roll_up_days(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done timestamptz;
  since date;
  until date;
  from_time timestamptz;
  to_time timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done from private.roll_ups r where r.name = 'days';
  since := least(today,
                 ((coalesce(last_done, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  until := least(today, since + greatest(2, most) - 1);
  from_time := since::timestamp at time zone 'UTC';
  to_time := (until + 1)::timestamp at time zone 'UTC';
  create temporary table rolled_days on commit drop as
  select c.creator_id, (c.at at time zone 'UTC')::date as day,
         count(*) filter (where c.what = 'like')::integer as likes,
         count(*) filter (where c.what = 'comment')::integer as comments,
         count(*) filter (where c.what = 'follow')::integer as followers,
         count(*) filter (where c.what = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as what
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time) c
  group by 1, 2;
  perform private.hold_creators(array(select r.creator_id from pg_temp.rolled_days r));
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between since and until and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.rolled_days r where r.creator_id = d.creator_id and r.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select r.creator_id, r.day, r.likes, r.comments, r.followers, r.subscribers
  from pg_temp.rolled_days r join public.profiles p on p.id = r.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.rolled_days;
  -- Done with it is two hours after its end.
  insert into private.roll_ups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - until;
end
$$;
grant execute on function private.roll_up_days(integer) to service_role;

-- Counts of whom the followers of `most` creators consist whose count is older than a day, the oldest first. Groups of
-- fewer than five are left out, and so is how many were. Answers how many it counted: again until it is 0.
create function private.roll_up_audiences(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due uuid;
  counted integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('roll-up-audiences', 0));
  for due in
    select p.id from public.profiles p left join private.creator_audiences a on a.creator_id = p.id
    where p.is_creator and coalesce(a.counted_at, '-infinity') < now() - interval '1 day'
    order by coalesce(a.counted_at, '-infinity'), p.id limit most
  loop
    perform private.hold_creators(array[due]);
    insert into private.creator_audiences as a (creator_id, counted_at, age_groups, countries)
    select due, now(),
      (select coalesce(jsonb_agg(jsonb_build_object('range', g.range, 'people', g.people) order by g.range), '[]')
       from (select case when b.age < 25 then '18-24' when b.age < 35 then '25-34' when b.age < 45 then '35-44'
                         when b.age < 55 then '45-54' else '55+' end as range, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due and b.age >= 18 group by 1 having count(*) >= 5) g),
      (select coalesce(jsonb_agg(jsonb_build_object('name', g.country, 'people', g.people)
                                 order by g.people desc, g.country), '[]')
       from (select b.country, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due and b.country is not null group by 1 having count(*) >= 5) g)
    from public.profiles p where p.id = due
    on conflict (creator_id) do update set counted_at = excluded.counted_at, age_groups = excluded.age_groups,
      countries = excluded.countries;
    counted := counted + 1;
  end loop;
  return counted;
end
$$;
grant execute on function private.roll_up_audiences(integer) to service_role;

-- When a creator's figures were counted last.
create function private.figures_counted_at() returns timestamptz
language sql stable security definer set search_path = ''
as $$ select r.done_at from private.roll_ups r where r.name = 'days' $$;
grant execute on function private.figures_counted_at() to authenticated;

-- What somebody looked at goes with them.
create function private.on_profile_gone_views() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.view_events e where e.viewer_id = old.id;
  return null;
end
$$;
create trigger on_profile_gone_views after delete on public.profiles
  for each row execute function private.on_profile_gone_views();

revoke execute on all functions in schema private from public;

do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-roll-up', '*/5 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/roll-up',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 60000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
