set local check_function_bodies = off;

ALTER TABLE "public"."notifications" DROP CONSTRAINT "notifications_kind_check";

CREATE TABLE "public"."post_quotes" ("post_id" uuid NOT NULL, "quoted_post_id" uuid NOT NULL, CONSTRAINT "post_quotes_pkey" PRIMARY KEY (post_id));

ALTER TABLE "public"."post_quotes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."posts" ADD COLUMN "is_quote" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."user_settings" ADD COLUMN "new_quotes" boolean NOT NULL DEFAULT true;

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

CREATE OR REPLACE FUNCTION private.publish_quote(quoted_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  quoted public.posts;
begin
  -- Posts are locked before profile counts.
  select * into quoted from public.posts p where p.id = quoted_id for key share;
  if not private.publish_post(new_post_id, content_text, price, teaser_text, image_id, video_id, poster_image_id,
                              alt_description) then
    return false;
  end if;
  if quoted.id is null or quoted.hidden is not null or not private.can_view_profile(quoted.author_id) then
    raise exception 'The post you are quoting is not available.' using errcode = 'PT404';
  end if;
  if quoted.author_id <> uid
     and not exists (select from public.profiles p where p.id = quoted.author_id and p.visibility = 'public') then
    raise exception 'You can only quote posts from public profiles.' using errcode = 'PT403';
  end if;
  insert into public.post_quotes (post_id, quoted_post_id) values (new_post_id, quoted_id);
  update public.posts p set is_quote = true where p.id = new_post_id;
  if private.can_user_view_profile(quoted.author_id, uid) then
    perform private.create_notification(quoted.author_id, uid, 'quote', new_post_id);
  end if;
  return true;
end
$function$;

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ((kind = ANY (ARRAY['follow'::text, 'follow_request'::text, 'follow_accepted'::text, 'like'::text, 'comment'::text, 'reply'::text, 'mention'::text, 'quote'::text, 'reaction'::text, 'unlock'::text, 'subscription'::text, 'tip'::text, 'message'::text, 'sign_in'::text, 'admin'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text, 'access_token'::text])));

ALTER TABLE "public"."post_quotes" ADD CONSTRAINT "post_quotes_post_id_fkey" FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

ALTER TABLE "public"."post_quotes" ADD CONSTRAINT "post_quotes_quoted_post_id_fkey" FOREIGN KEY (quoted_post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

CREATE INDEX post_quotes_quoted_post_id_idx ON public.post_quotes USING btree (quoted_post_id);

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
      'text', left(coalesce(nullif(q.content, ''), q.teaser, q.product ->> 'name', ''), max_text),
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

GRANT SELECT ON TABLE "public"."post_quotes" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."post_quotes" TO "postgres", "service_role";

REVOKE ALL ("new_quotes") ON TABLE "public"."user_settings" FROM "authenticated";

GRANT UPDATE ("new_quotes") ON TABLE "public"."user_settings" TO "authenticated";
