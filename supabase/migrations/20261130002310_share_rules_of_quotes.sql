set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.notify_about_quote(quote_id uuid, quoting_user_id uuid, quoted_author_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mentioned_ids uuid[] := private.mentioned_users(
    (select private.post_public_text(p) from public.posts p where p.id = quote_id), quote_id, false);
  recipient_id uuid;
begin
  -- Lock all counters together: see private.lock_user_counters.
  perform private.lock_user_counters(mentioned_ids || quoted_author_id);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, quoting_user_id, 'mention', quote_id);
  end loop;
  if private.can_user_view_profile(quoted_author_id, quoting_user_id) and not exists (
       select from public.notifications n
       where n.user_id = quoted_author_id and n.kind = 'mention' and n.post_id = quote_id) then
    perform private.create_notification(quoted_author_id, quoting_user_id, 'quote', quote_id);
  end if;
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
  perform private.require_can_publish(price is not null);
  -- A retry waits here for the first request, as in private.insert_post. It then finds the stored post, even if the
  -- quoted post has been deleted in the meantime.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  -- Posts are locked before profile counts.
  quoted := private.lock_quotable_post(uid, quoted_id);
  if not private.insert_post(uid, uid, new_post_id, content_text, price, teaser_text, image_id, video_id,
                             poster_image_id, alt_description, quoted_id => quoted_id) then
    return false;
  end if;
  perform private.notify_about_quote(new_post_id, uid, quoted.author_id);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_scheduled(scheduled public.scheduled_posts)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_paid boolean := scheduled.premium_price is not null;
  media_kind text := (select m.kind from public.media m where m.id = scheduled.media_id);
  quoted public.posts;
begin
  if is_paid and not exists (select from public.profiles p where p.id = scheduled.author_id and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  if is_paid and not private.is_email_confirmed(scheduled.author_id) then
    raise exception 'Confirm your email address first.' using errcode = 'PT403', detail = 'email_unconfirmed';
  end if;
  -- Deleted first, because the id and the uploads can be used only once.
  delete from public.scheduled_posts s where s.id = scheduled.id;
  -- Posts are locked before profile counts.
  if scheduled.quoted_post_id is not null then
    quoted := private.lock_quotable_post(scheduled.author_id, scheduled.quoted_post_id);
  end if;
  if not private.insert_post(
       scheduled.author_id, scheduled.author_id, scheduled.id, scheduled.content, scheduled.premium_price,
       scheduled.teaser, case when media_kind = 'image' then scheduled.media_id end,
       case when media_kind = 'video' then scheduled.media_id end, scheduled.poster_id, scheduled.alt_text,
       quoted_id => scheduled.quoted_post_id) then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.posts p
  set included_in_subscription = scheduled.included_in_subscription,
      unlocks_count = case when scheduled.show_unlocks then 0 end
  where p.id = scheduled.id and (scheduled.included_in_subscription or scheduled.show_unlocks);
  if scheduled.quoted_post_id is not null then
    perform private.notify_about_quote(scheduled.id, scheduled.author_id, quoted.author_id);
  end if;
end
$function$;

REVOKE ALL ON FUNCTION "private"."notify_about_quote"(uuid, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."notify_about_quote"(uuid, uuid, uuid) TO "postgres";
