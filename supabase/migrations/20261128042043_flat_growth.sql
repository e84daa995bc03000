set local check_function_bodies = off;

-- The triggers at the end wait for the transactions that write to their tables, and others wait behind them.
set local lock_timeout = '5s';

DROP FUNCTION "private"."refresh_topics"();

CREATE TABLE "private"."conversation_checks" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "conversation_id" uuid NOT NULL, CONSTRAINT "conversation_checks_pkey" PRIMARY KEY (id));

CREATE TABLE "private"."profile_snapshot_deletions" ("case_id" uuid NOT NULL, CONSTRAINT "profile_snapshot_deletions_pkey" PRIMARY KEY (case_id));

CREATE TABLE "private"."restriction_refreshes" ("one" boolean NOT NULL DEFAULT true, "after_user_id" uuid NOT NULL, CONSTRAINT "restriction_refreshes_one_check" CHECK (one), CONSTRAINT "restriction_refreshes_pkey" PRIMARY KEY (one));

ALTER TABLE "private"."topics" ADD COLUMN "counted_at" timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone;

ALTER TABLE "private"."creator_audiences" ALTER COLUMN "counted_at" SET DEFAULT '-infinity'::timestamp with time zone;

CREATE OR REPLACE FUNCTION private.add_creator_audience()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.creator_audiences (creator_id) values (new.id) on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_up(kind text, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  deleted integer := 0;
  conversation_ids uuid[];
begin
  case kind
    when 'captchas' then
      delete from private.spent_captchas d where d.ctid = any (array(
        select o.ctid from private.spent_captchas o where o.expires_at < now()
        limit max_rows for update skip locked));
    when 'rateLimits' then
      delete from private.rate_limits d where d.ctid = any (array(
        select o.ctid from private.rate_limits o where o.window_start < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'resetClaims' then
      -- No reset link is valid for longer.
      delete from private.password_reset_claims d where d.ctid = any (array(
        select o.ctid from private.password_reset_claims o where o.claimed_at < now() - interval '1 hour'
        limit max_rows for update skip locked));
    when 'emailChanges' then
      delete from private.email_changes d where d.ctid = any (array(
        select o.ctid from private.email_changes o where o.created_at < now() - interval '24 hours'
        limit max_rows for update skip locked));
    -- Both users deleted their accounts: nobody is left who can read the conversation. A conversation is deleted after
    -- its messages, because it may have any number of them.
    when 'messages' then
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
        limit max_rows);
      delete from public.messages d where d.ctid = any (array(
        select m.ctid from public.messages m where m.conversation_id = any (conversation_ids)
        limit max_rows for update skip locked));
    when 'conversations' then
      -- A conversation that still has a member is checked again when it loses that member, too.
      delete from private.conversation_checks k
      where exists (select from public.conversation_members p where p.conversation_id = k.conversation_id);
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
          and not exists (select from public.messages m where m.conversation_id = k.conversation_id)
        limit max_rows);
      delete from private.conversation_checks k where k.conversation_id = any (conversation_ids);
      delete from public.conversations c where c.id = any (conversation_ids);
    when 'withdrawals' then
      delete from private.notification_withdrawals d where d.ctid = any (array(
        select o.ctid from private.notification_withdrawals o where o.since < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'announcements' then
      -- The job `new-posts` deletes these announcements and their notifications.
      insert into private.announcement_checks (announcement_id)
      select a.id from private.post_announcements a
      where a.opened_at <= now() - interval '30 days'
        and not exists (select from private.announcement_checks k where k.announcement_id = a.id)
      order by a.opened_at limit max_rows;
    when 'authLog' then
      -- The auth server never deletes its log.
      if not (private.can_access_auth_log('select') and private.can_access_auth_log('delete')) then return 0; end if;
      execute $log$
        delete from auth.audit_log_entries d where d.ctid = any (array(
          select o.ctid from auth.audit_log_entries o where o.created_at < now() - interval '90 days' limit $1))
        $log$ using max_rows;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_profile_snapshots()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  case_ids uuid[] := array(
    select d.case_id from private.profile_snapshot_deletions d
    union
    select c.id from public.moderation_cases c
    where c.moved_at > now() - interval '1 day' and c.kind = 'user'
      and not exists (select from public.profiles p where p.id = c.user_id));
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.id = any (case_ids) and o.snapshots <> '[]'
                 for update skip locked);
  delete from private.profile_snapshot_deletions d
  where not exists (select from public.moderation_cases c where c.id = d.case_id and c.snapshots <> '[]');
end
$function$;

CREATE OR REPLACE FUNCTION private.on_conversation_members_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.conversation_checks (conversation_id) select b.conversation_id from before b;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_profile_deleted_cases()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.user_id = old.id and o.kind = 'user'
                 for update skip locked);
  insert into private.profile_snapshot_deletions (case_id)
  select c.id from public.moderation_cases c where c.user_id = old.id and c.kind = 'user' and c.snapshots <> '[]'
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_required_setting_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- An account that is created or changed in a concurrent transaction is either included in the refresh or sees the new
  -- setting.
  lock table public.accounts in share row exclusive mode;
  insert into private.restriction_refreshes (after_user_id) values ('00000000-0000-0000-0000-000000000000')
  on conflict (one) do update set after_user_id = excluded.after_user_id;
  perform private.refresh_restrictions(500);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_audience()
 RETURNS SETOF private.creator_audiences
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.* from private.creator_audiences a
  where a.creator_id = auth.uid() and a.counted_at > '-infinity' and private.is_session_active()
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restrictions(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_user_id uuid;
  account_ids uuid[];
begin
  -- The table before its rows, in the same order as in private.on_required_setting_changed. The settings cannot change
  -- until the end of the transaction.
  lock table public.accounts in row exclusive mode;
  select r.after_user_id into last_user_id from private.restriction_refreshes r for update;
  if not found then return 0; end if;
  account_ids := array(
    select a.user_id from public.accounts a where a.user_id > last_user_id order by a.user_id limit max_rows);
  -- Locked before the causes are read, as in private.refresh_restriction.
  perform from public.accounts a where a.user_id = any (account_ids) order by a.user_id for update;
  update public.accounts a set read_only_reason = r.reason
  from (select c.user_id, private.restriction_reason(c) as reason from public.accounts c
        where c.user_id = any (account_ids) and (c.approved_at is null or c.email_confirmed_at is null)
          and c.suspended_at is null
        offset 0) r
  where a.user_id = r.user_id and a.read_only_reason is distinct from r.reason;
  if cardinality(account_ids) < max_rows then
    delete from private.restriction_refreshes;
  else
    update private.restriction_refreshes set after_user_id = account_ids[max_rows];
  end if;
  return cardinality(account_ids);
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_topics(max_rows integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_tags text[];
begin
  if max_rows is null then
    insert into private.topics (tag, search_key)
    select u.tag, private.topic_search_key(u.tag) from (select distinct tag from public.post_tags) u order by u.tag
    on conflict do nothing;
  end if;
  due_tags := array(
    -- A topic with many people is counted at most once an hour, because its place hardly changes.
    select t.tag from private.topics t
    where t.tag in (select u.tag from public.post_tags u where u.created_at > now() - interval '1 hour')
      and (t.people < 20 or t.counted_at < now() - interval '1 hour')
    union
    (select t.tag from private.topics t order by t.counted_at, t.tag limit max_rows));
  update private.topics t set people = c.people, counted_at = now()
  from (
    select due.tag, (
      select count(distinct p.id)
      from (select u.author_id from public.post_tags u where u.tag = due.tag
            order by u.created_at desc, u.post_id desc limit 500) latest
      join private.discoverable_profiles p on p.id = latest.author_id and p.visibility = 'public'
      join public.accounts a on a.user_id = p.id and a.read_only_reason is null) as people
    from unnest(due_tags) due (tag) offset 0) c
  where t.tag = c.tag;
  delete from private.topics t
  where t.tag = any (due_tags) and not exists (select from public.post_tags u where u.tag = t.tag);
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_trending()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  since timestamptz := now() - interval '7 days';
  tag_count integer;
  creator_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only public profiles that
  -- chose to be discoverable count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join private.discoverable_profiles p on p.id = t.author_id and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tag_count = row_count;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  select p.author_id, count(*)
  from (
    -- `union` removes duplicates: each user counts once per post and kind, even with several comments.
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) engagement (post_id, user_id, kind)
  join public.posts p on p.id = engagement.post_id
  join public.profiles u on u.id = p.author_id and u.is_creator
  where engagement.user_id <> p.author_id and p.hidden is null
  group by p.author_id;
  get diagnostics creator_count = row_count;

  perform private.refresh_topics(50);
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_audiences(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_days(max_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      -- After a pause or a lapsed payment, a subscription starts over, but its subscriber is not new.
      and not exists (select from public.payments b
                      where b.subscription_id = s.id and b.state = 'paid' and b.period_start < s.started_at)) e
  group by 1, 2;
  analyze pg_temp.new_days;
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Days that have lost all their events.
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
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_views(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- Skip views that an account deletion has locked. From here on nothing waits for a lock.
  create temporary table counted_views on commit drop as
  with locked as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.new_views n join private.post_views e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  marked as (
    update private.post_views e set counted = true from locked l
    where e.viewer_id = l.viewer_id and e.post_id = l.post_id and e.hour = l.hour
    returning e.post_id, e.hour)
  select m.post_id, m.hour, count(*)::integer as views from marked m group by 1, 2;
  -- Without statistics, the planner would read all profiles for a handful of views.
  analyze pg_temp.counted_views;
  select coalesce(sum(v.views), 0) into view_count from pg_temp.counted_views v;
  -- Without posts and authors that were deleted.
  create temporary table author_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.views
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
$function$;

CREATE OR REPLACE FUNCTION private.run_moderation_maintenance()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  expired_cases public.moderation_cases[] := array(
    select c from public.moderation_cases c
    where c.hid and (c.decision = 'remove' or c.kind = 'message') and c.state in ('decided', 'closed')
      and c.decided_at < clock_timestamp() - interval '30 days'
    order by c.decided_at limit 200 for update skip locked);
  subject_ids uuid[] := array(select d.subject_id from unnest(expired_cases) d);
  removed_post_ids uuid[] := array(
    select p.id from public.posts p where p.id = any (subject_ids) and p.hidden = 'removed');
  removed_comment_ids uuid[] := array(
    select m.id from public.comments m where m.id = any (subject_ids) and m.hidden = 'removed');
  locked_post_ids uuid[];
begin
  -- Locked in the usual order: posts, profile counts, notification counters, each by id.
  -- Without `or`, which would scan all posts.
  locked_post_ids := removed_post_ids || array(
    select m.post_id from public.comments m where m.id = any (removed_comment_ids));
  perform from public.posts p where p.id = any (locked_post_ids) order by p.id for update;
  perform from public.profile_counts c
  where c.user_id in (select p.author_id from public.posts p where p.id = any (removed_post_ids))
  order by c.user_id for no key update;
  perform private.lock_user_counters(array(
    select n.user_id from public.notifications n where n.post_id = any (removed_post_ids)
    union select n.user_id from public.notifications n where n.comment_id in (
      select m.id from public.comments m
      where m.id = any (removed_comment_ids) or m.parent_comment_id = any (removed_comment_ids))));
  delete from public.posts p where p.id = any (removed_post_ids);
  delete from public.comments m where m.id = any (removed_comment_ids);
  insert into private.orphaned_media (media_id, due)
  select h.media_id, clock_timestamp() from private.hidden_messages h
  where h.message_id = any (subject_ids) and h.media_id is not null
  on conflict (media_id) do update set due = excluded.due;
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$function$;

CREATE INDEX creator_audiences_counted_at_idx ON private.creator_audiences USING btree (counted_at, creator_id);

CREATE INDEX topics_counted_at_idx ON private.topics USING btree (counted_at, tag);

CREATE TRIGGER on_conversation_members_deleted AFTER DELETE ON public.conversation_members REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION private.on_conversation_members_deleted();

CREATE TRIGGER add_creator_audience AFTER INSERT OR UPDATE OF is_creator ON public.profiles FOR EACH ROW WHEN (new.is_creator) EXECUTE FUNCTION private.add_creator_audience();

-- What the jobs used to search for in each run.
insert into private.creator_audiences (creator_id) select p.id from public.profiles p where p.is_creator on conflict do nothing;

insert into private.profile_snapshot_deletions (case_id)
select c.id from public.moderation_cases c
where c.kind = 'user' and c.snapshots <> '[]' and not exists (select from public.profiles p where p.id = c.user_id);

insert into private.conversation_checks (conversation_id)
select c.id from public.conversations c
where not exists (select from public.conversation_members m where m.conversation_id = c.id);

REVOKE ALL ON FUNCTION "private"."add_creator_audience"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."add_creator_audience"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_profile_snapshots"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_profile_snapshots"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."on_conversation_members_deleted"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_conversation_members_deleted"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."refresh_restrictions"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refresh_restrictions"(integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."refresh_topics"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refresh_topics"(integer) TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."conversation_checks" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."profile_snapshot_deletions" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."restriction_refreshes" TO "postgres";
