set local check_function_bodies = off;

DROP FUNCTION "private"."withdraw_notification"(uuid, uuid, text, uuid, uuid);

CREATE TABLE "public"."comment_likes" ("comment_id" uuid NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), "user_id" uuid NOT NULL DEFAULT auth.uid(), CONSTRAINT "comment_likes_pkey" PRIMARY KEY (comment_id, user_id));

ALTER TABLE "public"."comment_likes" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."comments" ADD COLUMN "likes_count" integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.create_notification(recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid DEFAULT NULL::uuid, target_comment_id uuid DEFAULT NULL::uuid, target_message_id uuid DEFAULT NULL::uuid, detail text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  head public.notifications;
  new_id uuid := gen_random_uuid();
  is_known_actor boolean := false;
  nil_id constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if recipient_id = actor_user_id or private.are_blocked(recipient_id, actor_user_id)
     or not private.notification_enabled(recipient_id, notification_kind) then
    return;
  end if;
  -- Serializes notifications, so that they join a group one after the other.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  -- A block or an account deletion may have been committed while this call waited for the lock.
  if not found or private.are_blocked(recipient_id, actor_user_id) then return; end if;
  if exists (select from private.notification_withdrawals w
             where w.user_id = recipient_id and w.actor_id = actor_user_id and w.kind = notification_kind
               and w.about = coalesce(target_comment_id, target_post_id, target_message_id, nil_id) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    -- The literal has to match the expression of notifications_unread_heads_idx.
    select * into head from public.notifications n
    where n.user_id = recipient_id and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(target_post_id, '00000000-0000-0000-0000-000000000000')
      -- A like belongs to a post or to one comment.
      and (notification_kind <> 'like' or n.comment_id is not distinct from target_comment_id)
      and n.read_at is null and n.is_head and n.created_at > now() - interval '7 days'
    order by n.created_at desc limit 1;
    is_known_actor := head.id is not null and exists (
      select from public.notifications n where n.group_id = head.group_id and n.actor_id = actor_user_id);
  end if;
  insert into public.notifications
    (id, user_id, actor_id, kind, post_id, comment_id, message_id, detail, group_id, people)
  values (new_id, recipient_id, actor_user_id, notification_kind, target_post_id, target_comment_id,
          target_message_id, left(create_notification.detail, 500), coalesce(head.group_id, new_id),
          coalesce(head.people, 0) + case when is_known_actor then 0 else 1 end)
  on conflict do nothing;
  if not found then return; end if;
  update public.notifications n set is_head = false, people = 1 where n.id = head.id;
  perform private.broadcast_to_user(recipient_id, 'notification.created', jsonb_build_object(
    'notificationId', new_id, 'kind', notification_kind,
    'unreadTotal', private.count_unread_notifications(recipient_id)));
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_account_counts(target_user_id uuid, other_user_ids uuid[] DEFAULT '{}'::uuid[], notified_user_ids uuid[] DEFAULT '{}'::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.profile_counts c
  where c.user_id in (select target_user_id
                      union select unnest(other_user_ids)
                      union select f.followee_id from public.follows f where f.follower_id = target_user_id
                      union select f.follower_id from public.follows f where f.followee_id = target_user_id)
  order by c.user_id for no key update;
  perform private.lock_user_counters(notified_user_ids || array(
    select target_user_id
    union select n.user_id from public.notifications n where n.actor_id = target_user_id
    union select n.user_id from public.notifications n join public.posts p on p.id = n.post_id
          where p.author_id = target_user_id
    union select p.author_id from public.likes l join public.posts p on p.id = l.post_id
          where l.user_id = target_user_id
    union select c.author_id from public.comment_likes l join public.comments c on c.id = l.comment_id
          where l.user_id = target_user_id
    union select f.followee_id from public.follows f where f.follower_id = target_user_id
    union select f.follower_id from public.follows f where f.followee_id = target_user_id
    union select r.followee_id from public.follow_requests r where r.follower_id = target_user_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_liked_post()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
begin
  perform from public.posts p
  where p.id = (select c.post_id from public.comments c where c.id = changed_like.comment_id) for no key update;
  return changed_like;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_user_conversations_and_posts(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = target_user_id)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = target_user_id
                 union select l.post_id from public.likes l where l.user_id = target_user_id
                 union select u.post_id from public.unlocks u where u.user_id = target_user_id
                 union select c.post_id from public.comments c where c.author_id = target_user_id
                 union select c.post_id from public.comment_likes l join public.comments c on c.id = l.comment_id
                       where l.user_id = target_user_id)
  order by p.id for update;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_comment_like_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  liked public.comments;
  post_author_id uuid;
begin
  update public.comments c set likes_count = greatest(0, c.likes_count + delta) where c.id = changed_like.comment_id
  returning c.* into liked;
  -- No row if the comment itself is being deleted; no author if the author's account was deleted.
  if not found or liked.author_id is null then return null; end if;
  if tg_op = 'DELETE' then
    perform private.withdraw_notification(
      liked.author_id, changed_like.user_id, 'like', liked.post_id, target_comment_id => liked.id);
    return null;
  end if;
  select p.author_id into post_author_id from public.posts p where p.id = liked.post_id;
  -- The author of the comment may have lost access to the post.
  if private.can_user_view_profile(liked.author_id, post_author_id)
     and private.has_paid_access(liked.author_id, liked.post_id) then
    perform private.create_notification(liked.author_id, changed_like.user_id, 'like', liked.post_id, liked.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_notification(recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid DEFAULT NULL::uuid, target_message_id uuid DEFAULT NULL::uuid, target_comment_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Counters are locked before notifications: see private.lock_user_counters.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  delete from public.notifications n
  where n.user_id = recipient_id and n.actor_id = actor_user_id and n.kind = notification_kind
    and n.post_id is not distinct from target_post_id and n.message_id is not distinct from target_message_id
    and n.comment_id is not distinct from target_comment_id and n.read_at is null;
  -- Counts only what the actor took back themselves, not a follow request that the recipient answered.
  if not found or actor_user_id is distinct from auth.uid() then return; end if;
  insert into private.notification_withdrawals as w (user_id, actor_id, kind, about)
  values (recipient_id, actor_user_id, notification_kind,
          coalesce(target_comment_id, target_post_id, target_message_id, '00000000-0000-0000-0000-000000000000'))
  on conflict (user_id, actor_id, kind, about) do update
    set times = case when w.since > now() - interval '1 day' then w.times + 1 else 1 end,
        since = case when w.since > now() - interval '1 day' then w.since else now() end;
end
$function$;

CREATE OR REPLACE FUNCTION public.toggle_comment_like(comment uuid, OUT liked boolean, OUT likes_count integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('comment-like:' || auth.uid()::text || comment::text, 0));
  delete from public.comment_likes l where l.comment_id = comment and l.user_id = auth.uid();
  liked := not found;
  if liked then
    perform private.require_write();
    if not exists (
      select from public.comments c where c.id = comment and (c.parent_comment_id is null
        or exists (select from public.comments o where o.id = c.parent_comment_id))) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    insert into public.comment_likes (comment_id, user_id) values (comment, auth.uid());
  end if;
  select c.likes_count into toggle_comment_like.likes_count from public.comments c where c.id = comment;
end
$function$;

ALTER TABLE "public"."comment_likes" ADD CONSTRAINT "comment_likes_comment_id_fkey" FOREIGN KEY (comment_id) REFERENCES public.comments(id) ON DELETE CASCADE;

ALTER TABLE "public"."comments" ADD CONSTRAINT "comments_likes_count_check" CHECK ((likes_count >= 0));

CREATE TRIGGER limit_comment_likes BEFORE INSERT ON public.comment_likes FOR EACH ROW EXECUTE FUNCTION private.limit_writes('relations', '120');

CREATE TRIGGER lock_liked_post BEFORE INSERT OR DELETE ON public.comment_likes FOR EACH ROW EXECUTE FUNCTION private.lock_liked_post();

CREATE TRIGGER on_comment_like_changed AFTER INSERT OR DELETE ON public.comment_likes FOR EACH ROW EXECUTE FUNCTION private.on_comment_like_changed();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.comment_likes FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

REVOKE ALL ON FUNCTION "private"."lock_liked_post"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_liked_post"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."on_comment_like_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_comment_like_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_notification"(uuid, uuid, text, uuid, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdraw_notification"(uuid, uuid, text, uuid, uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "public"."toggle_comment_like"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."toggle_comment_like"(uuid) TO "authenticated", "postgres";

GRANT INSERT ("comment_id") ON TABLE "public"."comment_likes" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."comment_likes" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."comment_likes" TO "postgres", "service_role";

ALTER TABLE "public"."comment_likes" ADD CONSTRAINT "comment_likes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX comment_likes_user_id_idx ON public.comment_likes USING btree (user_id, created_at DESC);

GRANT INSERT ("user_id") ON TABLE "public"."comment_likes" TO "authenticated";
