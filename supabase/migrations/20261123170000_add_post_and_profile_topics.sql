set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.broadcast_counts_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.profiles p where p.id = new.user_id and p.show_follower_count) then
    perform private.broadcast_to_profile(new.user_id, 'counts.changed');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_post_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.hidden is distinct from new.hidden then
    perform private.broadcast_to_post(new.id, 'access.changed');
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

CREATE OR REPLACE FUNCTION private.broadcast_post_created()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_profile(new.author_id, 'post.created');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_posts_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_post(d.id, 'post.deleted') from deleted_posts d;
  perform private.broadcast_to_profile(a.author_id, 'posts.changed')
  from (select distinct d.author_id from deleted_posts d) a;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_profile_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  perform private.broadcast_to_profile(new.user_id, 'profile.changed');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_to_post(post_id uuid, event text, payload jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(payload, event, 'post:' || post_id::text, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_to_profile(user_id uuid, event text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send('{}', event, 'profile:' || user_id::text, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.can_read_content_topic(topic text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  kind text := split_part(topic, ':', 1);
  target_id text := substr(topic, length(kind) + 2);
begin
  if target_id is null or target_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  if kind = 'post' then return exists (select from public.posts p where p.id = target_id::uuid); end if;
  if kind = 'profile' then
    return exists (select from private.viewable_profiles v where v.id = target_id::uuid);
  end if;
  return false;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_block_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  block public.blocks := case when tg_op = 'INSERT' then new else old end;
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(block.blocker_id, block.blocked_id), true);
  if tg_op = 'INSERT' then
    perform private.recheck_access(block.blocker_id);
    perform private.recheck_access(block.blocked_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_follow_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  follow public.follows := case when tg_op = 'INSERT' then new else old end;
begin
  perform private.lock_profile_counts(follow.follower_id, follow.followee_id);
  update public.profile_counts c set followers = greatest(0, c.followers + delta)
  where c.user_id = follow.followee_id;
  update public.profile_counts c set following = greatest(0, c.following + delta)
  where c.user_id = follow.follower_id;
  perform private.broadcast_to_user(follow.follower_id, 'follow.changed', jsonb_build_object(
    'userId', follow.followee_id, 'status', case when tg_op = 'INSERT' then 'following' else 'none' end));
  if tg_op = 'INSERT' then
    if private.transaction_setting('private.accepting') = 'on' then
      perform private.create_notification(follow.follower_id, follow.followee_id, 'follow_accepted');
    else
      perform private.create_notification(follow.followee_id, follow.follower_id, 'follow');
    end if;
  else
    perform private.withdraw_notification(follow.followee_id, follow.follower_id, 'follow');
    if exists (select from public.profiles p where p.id = follow.followee_id and p.visibility = 'followers') then
      perform private.recheck_access(follow.follower_id);
    end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_profile_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(new.id, 'profile.changed', jsonb_build_object('userId', new.id));
  perform private.broadcast_to_profile(new.id, 'profile.changed');
  if old.visibility <> new.visibility and new.visibility <> 'public' then
    perform private.broadcast_to_profile(new.id, 'access.changed');
    perform private.broadcast_to_post(p.id, 'access.changed')
    from (select p.id from public.posts p where p.author_id = new.id
          order by p.created_at desc, p.id desc limit 200) p;
  end if;
  if old.is_admin and not new.is_admin then perform private.recheck_access(new.id); end if;
  if old.allow_direct_messages is distinct from new.allow_direct_messages then
    perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
    from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = new.id
          order by m.last_message_at desc limit 200) m;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.recheck_access(user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send('{}', 'access.changed', 'access:' || user_id::text, true);
end
$function$;

CREATE TRIGGER broadcast_post_changed AFTER UPDATE ON public.posts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION private.broadcast_post_changed();

CREATE TRIGGER broadcast_post_created AFTER INSERT ON public.posts FOR EACH ROW WHEN ((new.hidden IS NULL)) EXECUTE FUNCTION private.broadcast_post_created();

CREATE TRIGGER broadcast_posts_deleted AFTER DELETE ON public.posts REFERENCING OLD TABLE AS deleted_posts FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_posts_deleted();

CREATE TRIGGER broadcast_counts_changed AFTER UPDATE ON public.profile_counts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION private.broadcast_counts_changed();

REVOKE ALL ON FUNCTION "private"."broadcast_counts_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_counts_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_post_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_post_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_post_created"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_post_created"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_posts_deleted"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_posts_deleted"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_to_post"(uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_to_post"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_to_profile"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_to_profile"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."can_read_content_topic"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_read_content_topic"(text) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."recheck_access"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."recheck_access"(uuid) TO "postgres";

-- Written by hand, because drafts leave out the schema realtime.
create policy ovation_select_content on realtime.messages for select to authenticated
  using (extension = 'broadcast' and (select private.can_read_content_topic((select realtime.topic()))));
