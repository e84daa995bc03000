set local check_function_bodies = off;

DROP TRIGGER "reject_scheduled_id" ON "public"."posts";

DROP FUNCTION "private"."claim_due_digests"(integer);

DROP FUNCTION "private"."record_payment_event"(text, text, text);

DROP FUNCTION "private"."reject_scheduled_id"();

CREATE OR REPLACE FUNCTION private.claim_due_digests(max_rows integer)
 RETURNS TABLE(user_id uuid, waiting_since timestamp with time zone, waiting_until timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$ select null::uuid, null::timestamptz, null::timestamptz where false $function$;

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
      select newer.id from (
        select f.followee_id as author_id, p.id
        from public.follows f
        cross join lateral (
          select p.id from public.posts p
          where p.author_id = f.followee_id and p.created_at > since and p.hidden is null limit max_count) p
        where f.follower_id = uid offset 0
      ) newer
      where (select true from private.viewable_profiles v where v.id = newer.author_id)
      union
      select r.post_id
      from public.follows f
      cross join lateral (
        select latest.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.user_id = f.followee_id and r.created_at > since
          order by r.created_at desc, r.post_id desc limit 100
        ) latest
        where private.is_repost_shown(latest.post_id, latest.user_id) limit max_count) r
      where f.follower_id = uid
      limit max_count
    ) counted);
end
$function$;

CREATE OR REPLACE FUNCTION private.edit_scheduled_post(target_id uuid, changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  old_post public.scheduled_posts;
  new_content text;
  new_quoted_id uuid;
begin
  perform private.require_write();
  -- As in private.schedule_post.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  select * into old_post from public.scheduled_posts s where s.id = target_id and s.author_id = uid for update;
  if not found then raise exception 'Scheduled post not found' using errcode = 'PT404'; end if;
  perform private.require_can_publish(old_post.premium_price is not null);
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  if old_post.premium_price is null
     and (changes ?| array['premiumPrice', 'includedInSubscription', 'showUnlocks']
          or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'Only premium posts can have a price or a teaser, or be included in subscriptions.'
      using errcode = 'PT400';
  end if;
  new_content := coalesce(changes ->> 'content', old_post.content);
  if private.is_blank(new_content) and old_post.media_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  new_quoted_id := case when not changes ? 'quotedPostId' then old_post.quoted_post_id end;
  if changes ? 'publishAt' then
    perform private.require_publish_time((changes ->> 'publishAt')::timestamptz);
    if new_quoted_id is not null then perform private.lock_quotable_post(uid, new_quoted_id); end if;
  end if;
  update public.scheduled_posts s
  set content = new_content,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else s.teaser end,
      alt_text = case when s.media_id is not null and changes ? 'altText' then nullif(changes ->> 'altText', '')
                      else s.alt_text end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, s.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, s.included_in_subscription),
      show_unlocks = coalesce((changes ->> 'showUnlocks')::boolean, s.show_unlocks),
      quoted_post_id = new_quoted_id,
      publish_at = coalesce((changes ->> 'publishAt')::timestamptz, s.publish_at),
      failure = case when not changes ? 'publishAt' then s.failure end
  where s.id = target_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_followed_repost(target_post_id uuid, since timestamp with time zone, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 10000
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from (
      select r.post_id, r.user_id from public.reposts r
      join public.follows f on f.follower_id = auth.uid() and f.followee_id = r.user_id
      where r.post_id = target_post_id and r.created_at > since and r.created_at <= until offset 0
    ) followed
    where private.is_repost_shown(followed.post_id, followed.user_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.has_shown_repost(target_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from (
      select r.post_id, r.user_id from public.reposts r where r.user_id = target_user_id
      order by r.created_at desc, r.post_id desc limit 100
    ) latest
    where private.is_repost_shown(latest.post_id, latest.user_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.insert_post(post_author_id uuid, uploader_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, written_by text DEFAULT NULL::text, quoted_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  main_media public.media;
  poster public.media;
  is_paid boolean := price is not null;
begin
  -- A retry waits here for the first request, then finds the post stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  if exists (select from public.scheduled_posts s where s.id = new_post_id) then
    raise exception 'This post is already scheduled.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(content_text) and image_id is null and video_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image_id is not null then
    main_media := private.claim_media_of(uploader_id, image_id, 'image');
  elsif video_id is not null then
    main_media := private.claim_media_of(uploader_id, video_id, 'video');
    if poster_image_id is not null then
      poster := private.claim_media_of(uploader_id, poster_image_id, 'image');
    end if;
  end if;
  if post_author_id <> uploader_id then
    update public.media m set owner_id = post_author_id where m.id in (main_media.id, poster.id);
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, made_by,
                            media_type, media_width, media_height, media_duration, placeholder, media_id, poster_id,
                            alt_text, paid_text_length, is_quote)
  values (new_post_id, post_author_id, case when is_paid then '' else content_text end, is_paid, price,
          case when is_paid then nullif(teaser_text, '') end, written_by,
          main_media.kind, coalesce(main_media.width, poster.width), coalesce(main_media.height, poster.height),
          main_media.duration_seconds, coalesce(main_media.placeholder, poster.placeholder),
          case when not is_paid then main_media.id end, case when not is_paid then poster.id end,
          case when not is_paid and main_media.id is not null then nullif(alt_description, '') end,
          case when is_paid then private.approximate_length(content_text) end, quoted_id is not null)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if quoted_id is not null then
    insert into public.post_quotes (post_id, quoted_post_id) values (new_post_id, quoted_id);
  end if;
  if is_paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (new_post_id, post_author_id, content_text, main_media.id, poster.id,
            case when main_media.id is not null then nullif(alt_description, '') end);
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_followed_reposts(until timestamp with time zone, since timestamp with time zone, before_time timestamp with time zone, before_id uuid, max_rows integer)
 RETURNS SETOF public.reposts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.publish_scheduled_post(target_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  scheduled public.scheduled_posts;
begin
  perform private.require_write();
  -- As in private.schedule_post.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  select * into scheduled from public.scheduled_posts s where s.id = target_id and s.author_id = uid for update;
  if found then
    perform private.publish_scheduled(scheduled);
  elsif not exists (select from public.posts p where p.id = target_id and p.author_id = uid) then
    raise exception 'Scheduled post not found' using errcode = 'PT404';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_payment_event(payment_provider text, event_id text, event_kind text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ select true $function$;

CREATE OR REPLACE FUNCTION private.schedule_post(new_post_id uuid, publish_time timestamp with time zone, quoted_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, is_included boolean, shows_unlocks boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  is_paid boolean := price is not null;
  upload_id uuid := coalesce(image_id, video_id);
  stored_author_id uuid;
begin
  perform private.require_can_publish(is_paid);
  -- Keeps the account from being deleted until the end of the transaction: see private.lock_account_dependents.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  -- A retry waits here for the first request, as in private.insert_post.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  stored_author_id := coalesce((select s.author_id from public.scheduled_posts s where s.id = new_post_id),
                               (select p.author_id from public.posts p where p.id = new_post_id));
  if stored_author_id = uid then return; end if;
  if stored_author_id is not null then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  perform private.require_publish_time(publish_time);
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Serializes requests by the same author, so that they cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('scheduled_posts:' || uid::text, 0));
  if (select count(*) from public.scheduled_posts s where s.author_id = uid) >= 100 then
    raise exception 'You can have at most 100 scheduled posts.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(content_text) and upload_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if quoted_id is not null then perform private.lock_quotable_post(uid, quoted_id); end if;
  if upload_id is not null then
    perform private.claim_media(upload_id, case when image_id is not null then 'image' else 'video' end);
    if image_id is null and poster_image_id is not null then
      perform private.claim_media(poster_image_id, 'image');
    end if;
  end if;
  insert into public.scheduled_posts (id, author_id, publish_at, content, premium_price, teaser,
                                      included_in_subscription, show_unlocks, media_id, poster_id, alt_text,
                                      quoted_post_id)
  values (new_post_id, uid, publish_time, content_text, price, case when is_paid then nullif(teaser_text, '') end,
          is_paid and is_included, is_paid and shows_unlocks, upload_id,
          case when image_id is null and video_id is not null then poster_image_id end,
          case when upload_id is not null then nullif(alt_description, '') end, quoted_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.set_reposted(target_post_id uuid, new_reposted boolean)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "private"."claim_digests"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_digests"(integer) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."claim_digests"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."claim_due_digests"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_due_digests"(integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."has_shown_repost"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_shown_repost"(uuid) TO "anon", "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."record_payment_event"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_payment_event"(text, text, text) TO "postgres", "service_role";

CREATE TRIGGER reject_reused_id BEFORE INSERT ON public.scheduled_posts FOR EACH ROW EXECUTE FUNCTION private.reject_reused_id('post');
