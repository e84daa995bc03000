set local check_function_bodies = off;

ALTER TABLE "public"."notifications" DROP CONSTRAINT "notifications_kind_check";

CREATE TABLE "public"."post_quotes" ("post_id" uuid NOT NULL, "quoted_post_id" uuid NOT NULL, CONSTRAINT "post_quotes_pkey" PRIMARY KEY (post_id));

ALTER TABLE "public"."post_quotes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."posts" ADD COLUMN "is_quote" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."user_settings" ADD COLUMN "new_quotes" boolean NOT NULL DEFAULT true;

DROP FUNCTION "private"."insert_post"(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text);

CREATE OR REPLACE FUNCTION private.broadcast_post_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.hidden is distinct from new.hidden then
    perform private.broadcast_to_post(new.id, 'access.changed');
    perform private.broadcast_to_quotes(new.id);
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.pinned <> new.pinned then
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.comments_count <> new.comments_count then
    perform private.broadcast_to_post(new.id, 'comments.changed', jsonb_build_object(
      'likesCount', new.likes_count, 'commentsCount', new.comments_count));
  elsif old.likes_count <> new.likes_count then
    perform private.broadcast_to_post(new.id, 'likes.changed', jsonb_build_object('likesCount', new.likes_count));
  else
    perform private.broadcast_to_post(new.id, 'post.changed');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_quoted_post_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_quotes(old.id);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_to_quotes(quoted_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_post(quote.post_id, 'post.changed')
  from (select x.post_id from public.post_quotes x where x.quoted_post_id = quoted_id limit 200) quote;
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

CREATE OR REPLACE FUNCTION private.is_quote_shown(quoting_post_id uuid, quoted_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.posts p
    join public.posts q on q.id = quoted_id
    where p.id = quoting_post_id and (p.author_id = q.author_id or (
      not private.are_blocked(p.author_id, q.author_id)
      and exists (select from private.discoverable_authors a where a.id = q.author_id))));
end
$function$;

CREATE OR REPLACE FUNCTION private.notification_enabled(recipient_id uuid, notification_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  settings public.user_settings;
begin
  select s.* into settings from public.user_settings s where s.user_id = recipient_id;
  return coalesce(case notification_kind
    when 'follow' then settings.new_followers
    when 'comment' then settings.new_comments
    when 'reply' then settings.new_comments
    when 'quote' then settings.new_quotes
    when 'like' then settings.new_likes
    when 'reaction' then settings.new_likes
    when 'subscription' then settings.subscription_updates
    when 'unlock' then settings.payment_alerts
    when 'tip' then settings.payment_alerts
    when 'sign_in' then settings.login_alerts
    when 'access_token' then settings.login_alerts
    when 'new_post' then settings.new_posts
    else true end, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.on_post_text_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  public_text text := private.post_public_text(new);
begin
  if tg_op = 'UPDATE' then
    if public_text = private.post_public_text(old) then return null; end if;
    delete from public.post_tags t where t.post_id = new.id and t.tag <> all (private.extract_tags(public_text));
  end if;
  if position('#' in public_text) > 0 then
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, new_tag, new.author_id, new.created_at from unnest(private.extract_tags(public_text)) new_tag
    on conflict do nothing;
  end if;
  if position('@' in public_text) > 0 and not (tg_op = 'INSERT' and new.is_quote) then
    perform private.notify_mentioned_users(public_text, new.author_id, new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_quote(quoted_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  quoted public.posts;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  perform private.require_can_publish(price is not null);
  -- As in private.insert_post, a retry waits here. It finds the post stored even if the quoted post is gone by then.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  -- Posts are locked before profile counts.
  select * into quoted from public.posts p where p.id = quoted_id for key share;
  if quoted.id is null or quoted.hidden is not null or not private.can_view_profile(quoted.author_id) then
    raise exception 'The post you are quoting is not available.' using errcode = 'PT404';
  end if;
  if quoted.author_id <> uid and not exists (
       select from private.discoverable_profiles p where p.id = quoted.author_id and p.visibility = 'public') then
    raise exception 'This post can''t be quoted.' using errcode = 'PT403';
  end if;
  if not private.insert_post(uid, uid, new_post_id, content_text, price, teaser_text, image_id, video_id,
                             poster_image_id, alt_description, quoted_id => quoted_id) then
    return false;
  end if;
  mentioned_ids := private.mentioned_users(
    (select private.post_public_text(p) from public.posts p where p.id = new_post_id), new_post_id, false);
  -- All counters are locked at once: see private.lock_user_counters.
  perform private.lock_user_counters(mentioned_ids || quoted.author_id);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, uid, 'mention', new_post_id);
  end loop;
  if private.can_user_view_profile(quoted.author_id, uid) and not exists (
       select from public.notifications n
       where n.user_id = quoted.author_id and n.kind = 'mention' and n.post_id = new_post_id) then
    perform private.create_notification(quoted.author_id, uid, 'quote', new_post_id);
  end if;
  return true;
end
$function$;

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ((kind = ANY (ARRAY['follow'::text, 'follow_request'::text, 'follow_accepted'::text, 'like'::text, 'comment'::text, 'reply'::text, 'mention'::text, 'quote'::text, 'reaction'::text, 'unlock'::text, 'subscription'::text, 'tip'::text, 'message'::text, 'sign_in'::text, 'admin'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text, 'access_token'::text])));

ALTER TABLE "public"."post_quotes" ADD CONSTRAINT "post_quotes_post_id_fkey" FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

ALTER TABLE "public"."post_quotes" ADD CONSTRAINT "post_quotes_quoted_post_id_fkey" FOREIGN KEY (quoted_post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

CREATE INDEX post_quotes_quoted_post_id_idx ON public.post_quotes USING btree (quoted_post_id);

CREATE TRIGGER broadcast_quoted_post_deleted BEFORE DELETE ON public.posts FOR EACH ROW EXECUTE FUNCTION private.broadcast_quoted_post_deleted();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.post_quotes FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

create or replace function private.quoted_post(quoting_post_id uuid, max_text integer) returns json
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select json_build_object('available', true, 'id', q.id,
      'user', json_build_object('id', u.id, 'username', u.username, 'handle', u.username,
        'displayName', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.full_name),
        'fullName', u.full_name, 'firstName', u.first_name, 'lastName', u.last_name,
        'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator,
        'isAdmin', exists (select from private.admins x where x.id = u.id)),
      'text', left(coalesce(nullif(q.content, ''), q.teaser, ''), max_text),
      'productName', q.product ->> 'name',
      'mediaType', q.media_type, 'placeholder', q.placeholder, 'altText', q.alt_text,
      'imageUrl', '/api/media/' || case q.media_type when 'image' then q.media_id when 'video' then q.poster_id end,
      'locked', q.is_premium, 'createdAt', q.created_at)
    from public.post_quotes x
    join public.posts q on q.id = x.quoted_post_id
    join public.profiles u on u.id = q.author_id
    where x.post_id = quoting_post_id);
end
$$;

REVOKE ALL ON FUNCTION "private"."quoted_post"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."quoted_post"(uuid, integer) TO "anon", "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."publish_quote"(uuid, uuid, text, numeric, text, uuid, uuid, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."publish_quote"(uuid, uuid, text, numeric, text, uuid, uuid, uuid, text) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_quoted_post_deleted"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_quoted_post_deleted"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_to_quotes"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_to_quotes"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."insert_post"(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."insert_post"(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text, uuid) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."is_quote_shown"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_quote_shown"(uuid, uuid) TO "anon", "authenticated", "postgres";

GRANT SELECT ON TABLE "public"."post_quotes" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."post_quotes" TO "postgres", "service_role";

REVOKE ALL ("new_quotes") ON TABLE "public"."user_settings" FROM "authenticated";

GRANT UPDATE ("new_quotes") ON TABLE "public"."user_settings" TO "authenticated";
