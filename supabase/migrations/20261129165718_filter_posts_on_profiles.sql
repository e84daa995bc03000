set local check_function_bodies = off;

DROP TRIGGER "broadcast_counts_changed" ON "public"."profile_counts";

ALTER TABLE "public"."profile_counts" ADD COLUMN "photos" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."profile_counts" ADD COLUMN "videos" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."profile_counts" ADD COLUMN "premium_posts" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.count_post(post public.posts, delta integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.profile_counts c
  set posts = greatest(0, c.posts + delta),
      photos = greatest(0, c.photos + case when post.media_type = 'image' then delta else 0 end),
      videos = greatest(0, c.videos + case when post.media_type = 'video' then delta else 0 end),
      premium_posts = greatest(0, c.premium_posts + case when post.is_premium then delta else 0 end)
  where c.user_id = post.author_id
$function$;

CREATE OR REPLACE FUNCTION private.list_posts_by_user(target_user_id uuid, kind text, query text, until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(post_id uuid, next_key text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  uid uuid := auth.uid();
  prefixes tsquery := private.text_search_query(private.text_search_terms(query), true);
  before_time timestamptz := coalesce(after_time, 'infinity');
  before_id uuid := coalesce(after_id, '00000000-0000-0000-0000-000000000000');
begin
  -- Visitors have no session.
  if (uid is not null and not private.is_session_active()) or not private.can_view_profile(target_user_id) then
    return;
  end if;
  return query
    -- PostgreSQL reads the scan only until `max_rows` matches are found.
    with scan as materialized (
      select p.id, p.created_at from public.posts p
      where p.author_id = target_user_id and (p.created_at, p.id) < (before_time, before_id)
        and p.created_at <= coalesce(until, 'infinity')
        and case kind when 'premium' then p.is_premium else kind is null or coalesce(p.media_type, 'text') = kind end
        -- Hidden posts have no row in `post_search`. Without this condition, a search of all kinds only scans the index.
        and (query is not null or p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
      order by p.created_at desc, p.id desc limit case when query is null then max_rows else 5000 end),
    found as materialized (
      select p.id from scan p
      where query is null or (select s.words @@ prefixes from private.post_search s where s.post_id = p.id)
      order by p.created_at desc, p.id desc limit max_rows)
    select f.id, null from found f
    union all
    (select null, private.timestamp_text(p.created_at) || '_' || p.id from scan p
     where query is not null and (select count(*) from found) < max_rows
     order by p.created_at desc, p.id desc offset 4999);
end
$function$;

CREATE OR REPLACE FUNCTION private.on_post_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.count_post(case when tg_op = 'INSERT' then new else old end,
                             case when tg_op = 'INSERT' then 1 else -1 end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_post_hidden()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  delta integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if delta = 0 then return null; end if;
  perform private.count_post(new, delta);
  if delta < 0 then
    delete from public.post_tags t where t.post_id = new.id;
  else
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, tag, new.author_id, new.created_at
    from unnest(private.extract_tags(private.post_public_text(new))) tag
    on conflict do nothing;
  end if;
  return null;
end
$function$;

ALTER TABLE "public"."profile_counts" ADD CONSTRAINT "profile_counts_photos_check" CHECK ((photos >= 0));

ALTER TABLE "public"."profile_counts" ADD CONSTRAINT "profile_counts_premium_posts_check" CHECK ((premium_posts >= 0));

ALTER TABLE "public"."profile_counts" ADD CONSTRAINT "profile_counts_videos_check" CHECK ((videos >= 0));

CREATE INDEX posts_author_media_type_idx ON public.posts USING btree (author_id, COALESCE(media_type, 'text'::text), created_at DESC, id DESC);

CREATE INDEX posts_author_premium_idx ON public.posts USING btree (author_id, created_at DESC, id DESC) WHERE is_premium;

CREATE TRIGGER broadcast_counts_changed AFTER UPDATE OF posts, followers, following, subscribers ON public.profile_counts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION private.broadcast_counts_changed();

REVOKE ALL ON FUNCTION "private"."count_post"(public.posts, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_post"(public.posts, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_posts_by_user"(uuid, text, text, timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_posts_by_user"(uuid, text, text, timestamp with time zone, timestamp with time zone, uuid, integer) TO "anon", "authenticated", "postgres";
