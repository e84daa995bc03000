set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.count_new_following_posts(since timestamp with time zone, max_count integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return 0; end if;
  return (
    select count(*) from (
      select from (
        select f.followee_id as author_id
        from public.follows f
        cross join lateral (
          select from public.posts p
          where p.author_id = f.followee_id and p.created_at > since and p.hidden is null limit max_count) p
        where f.follower_id = uid offset 0
      ) newer
      where (select true from private.viewable_profiles v where v.id = newer.author_id)
      limit max_count
    ) counted);
end
$function$;

CREATE OR REPLACE FUNCTION private.count_new_posts(since timestamp with time zone, max_count integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from (
    select from public.posts p
    where p.created_at > since and p.author_id <> (select auth.uid())
      and (select true from private.discoverable_authors h where h.id = p.author_id)
    order by p.created_at desc limit max_count) newer
$function$;

CREATE OR REPLACE FUNCTION private.list_featured_creators(max_rows integer)
 RETURNS TABLE(user_id uuid, place integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
  scored_count integer;
begin
  if not private.is_session_active() then return; end if;
  return query
    select s.user_id, row_number() over (order by s.score desc, p.created_at, p.id)::integer
    from private.creator_scores s join private.discoverable_profiles p on p.id = s.user_id
    where p.is_creator and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (blocked_ids)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
    order by s.score desc, p.created_at, p.id limit max_rows;
  get diagnostics scored_count = row_count;
  -- Fill up with creators who have no score.
  return query
    select p.id, scored_count + row_number() over (order by p.created_at, p.id)::integer
    from private.discoverable_profiles p
    where p.is_creator and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (blocked_ids)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
      and not exists (select from private.creator_scores s where s.user_id = p.id)
    order by p.created_at, p.id limit max_rows - scored_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_following_posts(until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  after_until timestamptz := coalesce(until + interval '1 microsecond', 'infinity');
  -- Both conditions as one key, so that it is always an index condition.
  before_time timestamptz := least(after_time, after_until);
  before_id uuid := case when after_time < after_until then after_id else '00000000-0000-0000-0000-000000000000' end;
  recent_ids uuid[];
begin
  if not private.is_session_active() then return; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500 then
    recent_ids := array(
      select recent.id
      from (
        select p.id, p.author_id, p.created_at, p.hidden from public.posts p
        where (p.created_at, p.id) < (before_time, before_id)
        order by p.created_at desc, p.id desc limit 2000
      ) recent
      where (recent.author_id = uid
             or (select true from public.follows f where f.follower_id = uid and f.followee_id = recent.author_id))
        and (recent.hidden is null or (recent.hidden = 'hidden' and recent.author_id = uid))
        and (select true from private.viewable_profiles v where v.id = recent.author_id)
      order by recent.created_at desc, recent.id desc limit max_rows);
    if cardinality(recent_ids) = max_rows then
      return query select unnest(recent_ids);
      return;
    end if;
  end if;
  return query
    with authors as materialized (
      select newest.author_id
      from (
        select p.author_id, p.created_at, p.id
        from (select f.followee_id from public.follows f where f.follower_id = uid union all select uid) a (id)
        cross join lateral (
          select p.author_id, p.created_at, p.id from public.posts p
          where p.author_id = a.id and (p.created_at, p.id) < (before_time, before_id)
            and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
          order by p.created_at desc, p.id desc limit 1) p
        order by p.created_at desc, p.id desc offset 0
      ) newest
      where (select true from private.viewable_profiles v where v.id = newest.author_id)
      order by newest.created_at desc, newest.id desc limit max_rows
    )
    select p.id
    from authors a
    cross join lateral (
      select p.id, p.created_at from public.posts p
      where p.author_id = a.author_id and (p.created_at, p.id) < (before_time, before_id)
        and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
      order by p.created_at desc, p.id desc limit max_rows) p
    order by p.created_at desc, p.id desc limit max_rows;
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
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$function$;

CREATE VIEW "private"."discoverable_profiles" AS  SELECT id,
    is_creator,
    visibility,
    created_at
   FROM public.profiles p
  WHERE content_discoverable;

CREATE VIEW "private"."discoverable_authors" AS  SELECT id
   FROM public.profiles p
  WHERE (content_discoverable OR (id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
           FROM public.follows f
          WHERE ((f.follower_id = ( SELECT auth.uid() AS uid)) AND (f.followee_id = p.id)))));

REVOKE ALL ON FUNCTION "private"."count_new_following_posts"(timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_new_following_posts"(timestamp with time zone, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."list_following_posts"(timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_following_posts"(timestamp with time zone, timestamp with time zone, uuid, integer) TO "authenticated", "postgres";

GRANT SELECT ON TABLE "private"."discoverable_profiles" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."discoverable_profiles" TO "postgres";

GRANT SELECT ON TABLE "private"."discoverable_profiles" TO "service_role";

GRANT SELECT ON TABLE "private"."discoverable_authors" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."discoverable_authors" TO "postgres";

GRANT SELECT ON TABLE "private"."discoverable_authors" TO "service_role";
