set local check_function_bodies = off;

DROP FUNCTION "private"."list_following_posts"(timestamp with time zone, timestamp with time zone, uuid, integer);

CREATE TABLE "public"."reposts" ("post_id" uuid NOT NULL, "user_id" uuid NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "reposts_pkey" PRIMARY KEY (post_id, user_id));

ALTER TABLE "public"."reposts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."posts" ADD COLUMN "reposts_count" integer NOT NULL DEFAULT 0;

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
  elsif old.reposts_count <> new.reposts_count then
    perform private.broadcast_to_post(new.id, 'reposts.changed', jsonb_build_object('repostsCount', new.reposts_count));
  else
    perform private.broadcast_to_post(new.id, 'post.changed');
  end if;
  return null;
end
$function$;

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
        select r.post_id from public.reposts r
        where r.user_id = f.followee_id and r.created_at > since and private.is_repost_shown(r.post_id, r.user_id)
        limit max_count) r
      where f.follower_id = uid
      limit max_count
    ) counted);
end
$function$;

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
  -- Serializes the recipient's notifications, so that concurrent ones join the same group.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  -- A block or an account deletion may have been committed while this call waited for the lock.
  if not found or private.are_blocked(recipient_id, actor_user_id) then return; end if;
  if exists (select from private.notification_withdrawals w
             where w.user_id = recipient_id and w.actor_id = actor_user_id and w.kind = notification_kind
               and w.about = coalesce(target_comment_id, target_post_id, target_message_id, nil_id) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'repost', 'follow', 'comment', 'unlock') then
    -- The literal has to match the one in notifications_unread_heads_idx.
    select * into head from public.notifications n
    where n.user_id = recipient_id and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(target_post_id, '00000000-0000-0000-0000-000000000000')
      -- Likes of the post and likes of each of its comments are separate groups.
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

CREATE OR REPLACE FUNCTION private.has_followed_repost(target_post_id uuid, since timestamp with time zone, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
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

CREATE OR REPLACE FUNCTION private.has_reposted(target_post_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.reposts r where r.post_id = target_post_id and r.user_id = auth.uid());
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
    where p.id = quoting_post_id and private.is_sharing_shown(p.author_id, q.author_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.is_repost_shown(reposted_id uuid, reposter_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.posts p
    where p.id = reposted_id and p.hidden is null
      and (select true from private.viewable_profiles v where v.id = p.author_id)
      and (select true from private.viewable_profiles v where v.id = reposter_id)
      and private.is_sharing_shown(reposter_id, p.author_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.is_sharing_shown(sharing_user_id uuid, author_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return sharing_user_id = author_id or (
    not private.are_blocked(sharing_user_id, author_id)
    and exists (select from private.discoverable_authors a where a.id = author_id));
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
        order by r.created_at desc, r.post_id desc limit max_rows) r
      where f.follower_id = auth.uid()
      order by r.created_at desc, r.post_id desc
    loop
      if repost.post_id <> all (found_ids) and private.is_repost_shown(repost.post_id, repost.user_id)
         and not private.has_followed_repost(repost.post_id, repost.created_at, until) then
        return next repost;
        found_ids := found_ids || repost.post_id;
        if cardinality(found_ids) = max_rows then return; end if;
      end if;
      exit when rank = max_rows;
    end loop;
    -- `rank` is null if the query returned no rows.
    if rank is distinct from max_rows then return; end if;
    before_time := repost.created_at;
    before_id := repost.post_id;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_following_posts(until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(post_id uuid, reposter_id uuid, listed_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  latest timestamptz := coalesce(until, 'infinity');
  after_until timestamptz := coalesce(until + interval '1 microsecond', 'infinity');
  -- Combines both bounds into one key, so that the comparison is always an index condition.
  before_time timestamptz := least(after_time, after_until);
  before_id uuid := case when after_time < after_until then after_id else '00000000-0000-0000-0000-000000000000' end;
  post_ids uuid[] := '{}';
  since timestamptz := '-infinity';
begin
  if not private.is_session_active() then return; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500 then
    post_ids := array(
      select recent.id
      from (
        select p.id, p.author_id, p.created_at, p.hidden, p.reposts_count from public.posts p
        where (p.created_at, p.id) < (before_time, before_id)
        order by p.created_at desc, p.id desc limit 2000
      ) recent
      where (recent.author_id = uid
             or (select true from public.follows f where f.follower_id = uid and f.followee_id = recent.author_id))
        and (recent.hidden is null or (recent.hidden = 'hidden' and recent.author_id = uid))
        and (select true from private.viewable_profiles v where v.id = recent.author_id)
        and (recent.reposts_count = 0 or not private.has_followed_repost(recent.id, '-infinity', latest))
      order by recent.created_at desc, recent.id desc limit max_rows);
  end if;
  if cardinality(post_ids) < max_rows then
    post_ids := array(
      with authors as materialized (
        select newest.author_id
        from (
          select p.author_id, p.created_at, p.id
          from (select f.followee_id from public.follows f where f.follower_id = uid union all select uid) a (id)
          cross join lateral (
            select p.author_id, p.created_at, p.id from public.posts p
            where p.author_id = a.id and (p.created_at, p.id) < (before_time, before_id)
              and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
              and (p.reposts_count = 0 or not private.has_followed_repost(p.id, '-infinity', latest))
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
          and (p.reposts_count = 0 or not private.has_followed_repost(p.id, '-infinity', latest))
        order by p.created_at desc, p.id desc limit max_rows) p
      order by p.created_at desc, p.id desc limit max_rows);
  end if;
  if cardinality(post_ids) = max_rows then
    since := (select min(p.created_at) from public.posts p where p.id = any (post_ids));
  end if;
  return query
    select listed.id, listed.user_id, listed.at
    from (
      select p.id, null::uuid as user_id, p.created_at as at from public.posts p where p.id = any (post_ids)
      union all
      select r.post_id, r.user_id, r.created_at
      from private.list_followed_reposts(latest, since, before_time, before_id, max_rows) r
    ) listed
    order by listed.at desc, listed.id desc limit max_rows;
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
    union select p.author_id from public.reposts r join public.posts p on p.id = r.post_id
          where r.user_id = target_user_id
    union select c.author_id from public.comment_likes l join public.comments c on c.id = l.comment_id
          where l.user_id = target_user_id
    union select f.followee_id from public.follows f where f.follower_id = target_user_id
    union select f.follower_id from public.follows f where f.followee_id = target_user_id
    union select r.followee_id from public.follow_requests r where r.follower_id = target_user_id));
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
                 union select r.post_id from public.reposts r where r.user_id = target_user_id
                 union select u.post_id from public.unlocks u where u.user_id = target_user_id
                 union select c.post_id from public.comments c where c.author_id = target_user_id
                 union select c.post_id from public.comment_likes l join public.comments c on c.id = l.comment_id
                       where l.user_id = target_user_id)
  order by p.id for update;
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
    when 'repost' then settings.new_quotes
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

CREATE OR REPLACE FUNCTION private.on_repost_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_repost public.reposts := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  hidden_state text;
begin
  update public.posts p set reposts_count = greatest(0, p.reposts_count + delta) where p.id = changed_repost.post_id
  returning p.author_id, p.hidden into post_author_id, hidden_state;
  -- If there is no row, the repost is being deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'DELETE' then
    perform private.withdraw_notification(post_author_id, changed_repost.user_id, 'repost', changed_repost.post_id);
    return null;
  end if;
  -- Moderators may have hidden the post while this call waited for its row.
  if hidden_state is not null then raise exception 'Post not found' using errcode = 'PT404'; end if;
  if private.can_user_view_profile(post_author_id, changed_repost.user_id) then
    perform private.create_notification(post_author_id, changed_repost.user_id, 'repost', changed_repost.post_id);
  end if;
  return null;
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
    where p.id = target_post_id and p.hidden is null and private.can_view_profile(p.author_id));
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

ALTER TABLE "public"."posts" ADD CONSTRAINT "posts_reposts_count_check" CHECK ((reposts_count >= 0));

ALTER TABLE "public"."reposts" ADD CONSTRAINT "reposts_post_id_fkey" FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

ALTER TABLE "public"."reposts" ADD CONSTRAINT "reposts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX reposts_user_id_idx ON public.reposts USING btree (user_id, created_at DESC, post_id DESC);

CREATE TRIGGER limit_reposts BEFORE INSERT ON public.reposts FOR EACH ROW EXECUTE FUNCTION private.limit_writes('relations', '120');

CREATE TRIGGER on_repost_changed AFTER INSERT OR DELETE ON public.reposts FOR EACH ROW EXECUTE FUNCTION private.on_repost_changed();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.reposts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

REVOKE ALL ON FUNCTION "private"."has_followed_repost"(uuid, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_followed_repost"(uuid, timestamp with time zone, timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_reposted"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_reposted"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."is_repost_shown"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_repost_shown"(uuid, uuid) TO "anon", "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."is_sharing_shown"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_sharing_shown"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_followed_reposts"(timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_followed_reposts"(timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_following_posts"(timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_following_posts"(timestamp with time zone, timestamp with time zone, uuid, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."on_repost_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_repost_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."set_reposted"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_reposted"(uuid, boolean) TO "authenticated", "postgres";

GRANT SELECT ON TABLE "public"."reposts" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."reposts" TO "postgres", "service_role";
