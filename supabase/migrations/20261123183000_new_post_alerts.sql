set local check_function_bodies = off;

DROP POLICY "notifications_select" ON "public"."notifications";

DROP INDEX "public"."notifications_once_key";

ALTER TABLE "public"."notifications" DROP CONSTRAINT "notifications_kind_check";

CREATE TABLE "private"."announced_posts" ("post_id" uuid NOT NULL, "announcement_id" uuid, "round" integer, "queued_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "announced_posts_pkey" PRIMARY KEY (post_id));

CREATE TABLE "private"."announcement_checks" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "announcement_id" uuid NOT NULL, CONSTRAINT "announcement_checks_pkey" PRIMARY KEY (id));

CREATE TABLE "private"."post_announcements" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "author_id" uuid NOT NULL, "opened_at" timestamp with time zone NOT NULL, "round" integer NOT NULL DEFAULT 0, "position_at" timestamp with time zone, "position_id" uuid, "worked_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "post_announcements_pkey" PRIMARY KEY (id));

CREATE TABLE "private"."unsubscribe_tokens" ("token" text NOT NULL, "user_id" uuid NOT NULL, "mail_kind" text NOT NULL, CONSTRAINT "unsubscribe_tokens_mail_kind_check" CHECK ((mail_kind = 'activity'::text)), CONSTRAINT "unsubscribe_tokens_pkey" PRIMARY KEY (token), CONSTRAINT "unsubscribe_tokens_user_id_mail_kind_key" UNIQUE (user_id, mail_kind));

CREATE TABLE "public"."post_alerts" ("author_id" uuid NOT NULL, "level" text NOT NULL, CONSTRAINT "post_alerts_level_check" CHECK ((level = ANY (ARRAY['all'::text, 'highlights'::text, 'off'::text]))), "user_id" uuid NOT NULL DEFAULT auth.uid(), CONSTRAINT "post_alerts_pkey" PRIMARY KEY (user_id, author_id));

ALTER TABLE "public"."post_alerts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."notifications" ADD COLUMN "announcement_id" uuid;

ALTER TABLE "public"."notifications" ADD COLUMN "highlights_only" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."user_settings" ADD COLUMN "activity_mails" boolean NOT NULL DEFAULT true;

ALTER TABLE "public"."user_settings" ADD COLUMN "new_posts" boolean NOT NULL DEFAULT true;

CREATE OR REPLACE FUNCTION private.announce_posts(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.begin_announcement_round() then return 0; end if;
  return private.continue_announcement_round(max_rows);
end
$function$;

CREATE OR REPLACE FUNCTION private.announcement_contents(announcement private.post_announcements, only_current_round boolean, OUT has_posts boolean, OUT has_highlights boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*) > 0, coalesce(bool_or(private.is_highlight(p)), false)
  from private.announced_posts q join public.posts p on p.id = q.post_id
  join public.profiles u on u.id = p.author_id and u.visibility <> 'private'
  where q.announcement_id = announcement.id and (not only_current_round or q.round = announcement.round)
    and p.hidden is null
$function$;

CREATE OR REPLACE FUNCTION private.begin_announcement_round()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  post public.posts;
  announcement private.post_announcements;
  newest_at timestamptz;
begin
  -- One at a time, so that two runs do not begin two announcements of the same hour.
  perform pg_advisory_xact_lock(hashtextextended('announcement_round', 0));
  select p.* into post from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id is null and not exists (
    select from private.post_announcements a where a.author_id = p.author_id and a.position_at is not null)
  order by q.queued_at, q.post_id limit 1;
  if not found then return false; end if;
  select * into announcement from private.post_announcements a
  where a.author_id = post.author_id and a.opened_at <= post.created_at
    and a.opened_at > post.created_at - interval '1 hour'
  order by a.opened_at desc limit 1;
  if not found then
    insert into private.post_announcements (author_id, opened_at) values (post.author_id, post.created_at)
    returning * into announcement;
  end if;
  with added as (
    update private.announced_posts q set announcement_id = announcement.id, round = announcement.round + 1
    from public.posts p
    where p.id = q.post_id and q.announcement_id is null and p.author_id = post.author_id
      and p.created_at >= announcement.opened_at and p.created_at < announcement.opened_at + interval '1 hour'
    returning p.created_at
  )
  select max(a.created_at) into newest_at from added a;
  -- Users who followed the author after the posts are not notified. `newest_at` is null if the post has just been
  -- deleted.
  update private.post_announcements a
  set round = a.round + 1, position_at = newest_at, position_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_post_alert_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(new.user_id, 'follow.changed', jsonb_build_object(
    'userId', new.author_id, 'status', 'following'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_announcement_of_post()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.announcement_checks (announcement_id)
  select q.announcement_id from private.announced_posts q
  where q.post_id = new.id and q.announcement_id is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_announcements_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.announcement_checks (announcement_id)
  select a.id from private.post_announcements a where a.author_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_up()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  captcha_count integer;
  rate_limit_count integer;
  reset_claim_count integer;
  email_change_count integer;
  conversation_count integer;
  withdrawal_count integer;
  auth_log_count integer := 0;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captcha_count = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rate_limit_count = row_count;
  -- No reset link is valid for longer.
  delete from private.password_reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics reset_claim_count = row_count;
  delete from private.email_changes where created_at < now() - interval '24 hours';
  get diagnostics email_change_count = row_count;
  -- Both users deleted their accounts: nobody is left who can read the conversation.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics conversation_count = row_count;
  delete from private.notification_withdrawals where since < now() - interval '1 day';
  get diagnostics withdrawal_count = row_count;
  -- The job `new-posts` deletes these announcements and their notifications.
  insert into private.announcement_checks (announcement_id)
  select a.id from private.post_announcements a
  where a.opened_at <= now() - interval '30 days'
    and not exists (select from private.announcement_checks k where k.announcement_id = a.id)
  order by a.opened_at limit 1000;
  -- The auth server never deletes its log.
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute $log$delete from auth.audit_log_entries e where e.created_at < now() - interval '90 days'$log$;
    get diagnostics auth_log_count = row_count;
  end if;
  return jsonb_build_object('captchas', captcha_count, 'rateLimits', rate_limit_count,
                            'resetClaims', reset_claim_count, 'emailChanges', email_change_count,
                            'conversations', conversation_count, 'withdrawals', withdrawal_count,
                            'authLog', auth_log_count);
end
$function$;

CREATE OR REPLACE FUNCTION private.continue_announcement_round(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  announcement private.post_announcements;
  has_posts boolean;
  has_highlights boolean;
  follower_ids uuid[];
  last_at timestamptz;
  last_id uuid;
  recipient_ids uuid[];
  notification_ids uuid[];
begin
  select * into announcement from private.post_announcements a
  where a.position_at is not null order by a.worked_at limit 1;
  if not found then return null; end if;
  if not private.lock_announcement(announcement.id, announcement.author_id) then return 0; end if;
  select * into announcement from private.post_announcements a
  where a.id = announcement.id and a.position_at is not null;
  if not found then return 0; end if;
  select c.has_posts, c.has_highlights into has_posts, has_highlights
  from private.announcement_contents(announcement, true) c;
  if has_posts then
    select array_agg(f.follower_id), min(f.created_at),
           (array_agg(f.follower_id order by f.created_at, f.follower_id))[1]
    into follower_ids, last_at, last_id
    from (select f.follower_id, f.created_at from public.follows f
          where f.followee_id = announcement.author_id
            and (f.created_at, f.follower_id) < (announcement.position_at, announcement.position_id)
          order by f.created_at desc, f.follower_id desc limit max_rows) f;
    -- Leaves out accounts that were deleted while this waited for the locks.
    recipient_ids := array(
      select c.user_id from public.user_counters c
      where c.user_id = any (array(
        select r.user_id from private.post_alert_recipients(
          announcement.author_id, follower_ids, has_highlights) r))
      order by c.user_id for update);
    -- The recipients are read again, because they may have unfollowed or blocked the author in the meantime.
    with stored as (
      insert into public.notifications as n (user_id, actor_id, kind, announcement_id, highlights_only)
      select r.user_id, announcement.author_id, 'new_post', announcement.id, r.highlights_only
      from private.post_alert_recipients(announcement.author_id, recipient_ids, has_highlights) r
      -- The notification of an earlier round. It gets a new id, because open pages ignore repeated events.
      on conflict (announcement_id, user_id) where announcement_id is not null do update
        set id = gen_random_uuid(), created_at = clock_timestamp(), read_at = null,
            highlights_only = excluded.highlights_only
      returning n.id
    )
    select array_agg(s.id) into notification_ids from stored s;
    perform private.broadcast_to_user(n.user_id, 'notification.created', jsonb_build_object(
      'notificationId', n.id, 'kind', n.kind, 'unreadTotal', private.count_unread_notifications(n.user_id)))
    from public.notifications n where n.id = any (notification_ids);
  end if;
  update private.post_announcements a
  set position_at = case when cardinality(follower_ids) = max_rows then last_at end, position_id = last_id,
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return coalesce(cardinality(notification_ids), 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.due_digests()
 RETURNS TABLE(recipient_id uuid, since timestamp with time zone, mailed_at timestamp with time zone, newest timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with period as (select now() - interval '1 day 15 minutes' as oldest, now() - interval '15 minutes' as due_before),
  waiting as (
    select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n, period p
    where n.read_at is null and n.created_at > p.oldest and n.created_at <= p.due_before
      and n.kind not in ('message', 'sign_in')
    group by 1
    union all
    select m.user_id, max(m.unread_since) from public.conversation_members m, period p
    where m.unread_since > p.oldest and m.unread_since <= p.due_before
      and not private.are_blocked(m.user_id, m.partner_id)
    group by 1
  )
  select w.recipient_id, greatest(k.mailed_until, p.oldest), k.mailed_at, w.newest
  from (select w.recipient_id, max(w.newest) as newest from waiting w group by 1) w
  cross join period p
  join public.user_settings s on s.user_id = w.recipient_id and s.email_notifications and s.activity_mails
  left join private.notification_mails k on k.user_id = w.recipient_id
  where w.newest > coalesce(k.mailed_until, '-infinity')
    and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
$function$;

CREATE OR REPLACE FUNCTION private.has_posts_to_announce()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.announced_posts q where q.announcement_id is null)
      or exists (select from private.post_announcements a where a.position_at is not null)
      or exists (select from private.announcement_checks)
$function$;

CREATE OR REPLACE FUNCTION private.is_highlight(post public.posts)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select post.is_premium or post.product is not null $function$;

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
    union select f.followee_id from public.follows f where f.follower_id = target_user_id
    union select f.follower_id from public.follows f where f.followee_id = target_user_id
    union select r.followee_id from public.follow_requests r where r.follower_id = target_user_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_announcement(target_announcement_id uuid, author_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(author_id));
  perform from private.post_announcements a where a.id = target_announcement_id for update;
  return found;
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
    when 'like' then settings.new_likes
    when 'reaction' then settings.new_likes
    when 'subscription' then settings.subscription_updates
    when 'unlock' then settings.payment_alerts
    when 'tip' then settings.payment_alerts
    when 'sign_in' then settings.login_alerts
    when 'new_post' then settings.new_posts
    else true end, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.on_announced_post_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.announcement_checks (announcement_id) values (old.announcement_id);
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
    perform private.lock_user_counters(array[follow.follower_id, follow.followee_id]);
    perform private.withdraw_notification(follow.followee_id, follow.follower_id, 'follow');
    delete from public.notifications n
    where n.user_id = follow.follower_id and n.actor_id = follow.followee_id and n.kind = 'new_post'
      and n.read_at is null and n.is_head;
    if exists (select from public.profiles p where p.id = follow.followee_id and p.visibility = 'followers') then
      perform private.recheck_access(follow.follower_id);
    end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_notifications_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  recipient_id uuid;
  read_ids uuid[];
begin
  -- No statement marks some notifications as read and others as unread, so equal counts mean that only other columns
  -- changed.
  if (select count(*) from before b where b.read_at is null)
     = (select count(*) from after a where a.read_at is null) then
    return null;
  end if;
  -- EXECUTE plans the query each time: a plan cached for a single row would be extremely slow for thousands.
  for recipient_id, read_ids in execute
    'select b.user_id, array_agg(b.id) from before b join after a on a.id = b.id
     where b.read_at is null and a.read_at is not null group by 1 order by 1'
  loop
    perform private.refresh_notification_count(recipient_id, read_ids);
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.post_alert_recipients(target_author_id uuid, follower_ids uuid[], has_highlights boolean)
 RETURNS TABLE(user_id uuid, highlights_only boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.follower_id, coalesce(a.level = 'highlights', false)
  from public.follows f
  join public.user_settings s on s.user_id = f.follower_id and s.new_posts
  left join public.post_alerts a on a.user_id = f.follower_id and a.author_id = f.followee_id
  where f.followee_id = target_author_id and f.follower_id = any (follower_ids)
    and case when a.level is null then private.is_subscribed(f.follower_id, f.followee_id)
             else a.level = 'all' or (a.level = 'highlights' and has_highlights) end
    and not private.are_blocked(f.follower_id, f.followee_id)
$function$;

CREATE OR REPLACE FUNCTION private.queue_new_post()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.post_alerts a where a.author_id = new.author_id and a.level <> 'off')
     or exists (select from public.profile_counts c where c.user_id = new.author_id and c.subscribers > 0) then
    insert into private.announced_posts (post_id) values (new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.system_status()
 RETURNS json
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select json_build_object(
    'jobs', (
      select coalesce(json_agg(json_build_object(
        'name', j.name, 'every', j.every, 'running', j.is_running, 'doneAt', j.last_done_at,
        'seconds', j.last_seconds, 'failures', j.failures) order by j.name), '[]')
      from private.job_statuses j),
    'queues', json_build_object(
      'file_deletions', (select count(*) from private.file_deletion_queue f where f.due_at <= now()),
      'media_checks', (select count(*) from private.orphaned_media o where o.due <= now()),
      'digest_mails', (select count(*) from private.due_digests()),
      'moderation_cases', (select count(*) from public.moderation_cases m where m.state in ('open', 'appealed')),
      'payouts', (select count(*) from public.payouts p where p.state = 'requested'),
      'new_posts', (select count(*) from private.announced_posts q where q.announcement_id is null)
        + (select count(*) from private.post_announcements a where a.position_at is not null),
      'auto_posts', (select count(*) from private.auto_post_slots s
                     where s.state in ('planned', 'running') and s.due_at <= now())),
    'notifyQueue', pg_notification_queue_usage(),
    'connections', (
      select coalesce(json_agg(json_build_object('role', a.role, 'state', a.state, 'count', a.count)), '[]')
      from (select coalesce(s.usename, '') as role, coalesce(s.state, 'unknown') as state, count(*)
            from pg_stat_activity s
            where s.datname = current_database() and s.backend_type = 'client backend' group by 1, 2) a),
    'maxConnections', current_setting('max_connections')::integer)
$function$;

CREATE OR REPLACE FUNCTION private.unsubscribe(bearer_token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  recipient_id uuid := (select t.user_id from private.unsubscribe_tokens t where t.token = bearer_token);
begin
  update public.user_settings s set activity_mails = false where s.user_id = recipient_id and s.activity_mails;
  return recipient_id is not null;
end
$function$;

CREATE OR REPLACE FUNCTION private.unsubscribe_token(recipient_id uuid, kind_of_mail text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.unsubscribe_tokens (token, user_id, mail_kind)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), recipient_id, kind_of_mail)
  on conflict (user_id, mail_kind) do nothing;
  return (select t.token from private.unsubscribe_tokens t
          where t.user_id = recipient_id and t.mail_kind = kind_of_mail);
end
$function$;

CREATE OR REPLACE FUNCTION private.visible_announced_posts(viewer_id uuid, target_announcement_id uuid, highlights_only boolean)
 RETURNS TABLE(posts integer, latest_post_id uuid)
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*)::integer, (array_agg(p.id order by p.created_at desc, p.id desc))[1]
  from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id = target_announcement_id and p.hidden is null
    and (not highlights_only or private.is_highlight(p))
    and private.can_user_view_profile(viewer_id, p.author_id)
  having count(*) > 0
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_announcements(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued private.announcement_checks;
  announcement private.post_announcements;
  is_old boolean;
  has_posts boolean;
  has_highlights boolean;
  notification_ids uuid[];
begin
  select * into queued from private.announcement_checks k order by k.id limit 1 for update skip locked;
  if not found then return null; end if;
  select * into announcement from private.post_announcements a where a.id = queued.announcement_id;
  if found and private.lock_announcement(announcement.id, announcement.author_id) then
    is_old := announcement.opened_at <= now() - interval '30 days';
    select c.has_posts, c.has_highlights into has_posts, has_highlights
    from private.announcement_contents(announcement, false) c;
    notification_ids := array(
      select n.id from public.notifications n
      where n.announcement_id = announcement.id
        and (is_old or not has_posts or (n.highlights_only and not has_highlights))
      limit max_rows);
    if cardinality(notification_ids) > 0 then
      perform private.lock_user_counters(array(
        select n.user_id from public.notifications n where n.id = any (notification_ids)));
      delete from public.notifications n where n.id = any (notification_ids);
      return cardinality(notification_ids);
    end if;
    delete from private.post_announcements a where a.id = announcement.id and is_old;
  end if;
  delete from private.announcement_checks k where k.id = queued.id;
  return 0;
end
$function$;

ALTER TABLE "private"."announced_posts" ADD CONSTRAINT "announced_posts_post_id_fkey" FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

ALTER TABLE "private"."post_announcements" ADD CONSTRAINT "post_announcements_author_id_fkey" FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."announced_posts" ADD CONSTRAINT "announced_posts_announcement_id_fkey" FOREIGN KEY (announcement_id) REFERENCES private.post_announcements(id) ON DELETE CASCADE;

ALTER TABLE "private"."unsubscribe_tokens" ADD CONSTRAINT "unsubscribe_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_announcement_id_fkey" FOREIGN KEY (announcement_id) REFERENCES private.post_announcements(id) ON DELETE CASCADE;

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ((kind = ANY (ARRAY['follow'::text, 'follow_request'::text, 'follow_accepted'::text, 'like'::text, 'comment'::text, 'reply'::text, 'mention'::text, 'reaction'::text, 'unlock'::text, 'subscription'::text, 'tip'::text, 'message'::text, 'sign_in'::text, 'admin'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text])));

CREATE INDEX announced_posts_announcement_id_idx ON private.announced_posts USING btree (announcement_id);

CREATE INDEX announced_posts_queued_at_idx ON private.announced_posts USING btree (queued_at) WHERE (announcement_id IS NULL);

CREATE INDEX post_announcements_author_id_idx ON private.post_announcements USING btree (author_id, opened_at DESC);

CREATE INDEX post_announcements_opened_at_idx ON private.post_announcements USING btree (opened_at);

CREATE INDEX post_announcements_worked_at_idx ON private.post_announcements USING btree (worked_at) WHERE (position_at IS NOT NULL);

CREATE UNIQUE INDEX notifications_announcement_key ON public.notifications USING btree (announcement_id, user_id) WHERE (announcement_id IS NOT NULL);

CREATE UNIQUE INDEX notifications_once_key ON public.notifications USING btree (user_id, kind, actor_id, post_id, comment_id, message_id) NULLS NOT DISTINCT WHERE (kind <> ALL (ARRAY['sign_in'::text, 'admin'::text, 'tip'::text, 'subscription'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text]));

CREATE INDEX post_alerts_author_id_idx ON public.post_alerts USING btree (author_id) WHERE (level <> 'off'::text);

CREATE TRIGGER on_announced_post_deleted AFTER DELETE ON private.announced_posts FOR EACH ROW WHEN ((old.announcement_id IS NOT NULL)) EXECUTE FUNCTION private.on_announced_post_deleted();

CREATE TRIGGER broadcast_post_alert_changed AFTER INSERT OR UPDATE ON public.post_alerts FOR EACH ROW EXECUTE FUNCTION private.broadcast_post_alert_changed();

CREATE TRIGGER limit_post_alerts BEFORE INSERT OR UPDATE ON public.post_alerts FOR EACH ROW EXECUTE FUNCTION private.limit_writes('relations', '120');

CREATE TRIGGER check_announcement_of_post AFTER UPDATE OF hidden ON public.posts FOR EACH ROW WHEN (((old.hidden IS NULL) AND (new.hidden IS NOT NULL))) EXECUTE FUNCTION private.check_announcement_of_post();

CREATE TRIGGER queue_new_post AFTER INSERT ON public.posts FOR EACH ROW WHEN (((new.hidden IS NULL) AND (new.created_at > (now() - '1 day'::interval)))) EXECUTE FUNCTION private.queue_new_post();

CREATE TRIGGER check_announcements_of_user AFTER UPDATE OF visibility ON public.profiles FOR EACH ROW WHEN (((old.visibility <> 'private'::text) AND (new.visibility = 'private'::text))) EXECUTE FUNCTION private.check_announcements_of_user();

CREATE POLICY "notifications_select" ON "public"."notifications" FOR SELECT TO "authenticated" USING (((user_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'new_post'::text) OR (EXISTS ( SELECT
   FROM private.visible_announced_posts(notifications.user_id, notifications.announcement_id, notifications.highlights_only) visible_announced_posts(posts, latest_post_id))))));

CREATE POLICY "post_alerts_active_session" ON "public"."post_alerts" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_session_active() AS is_session_active)) WITH CHECK (( SELECT private.is_session_active() AS is_session_active));

COMMENT ON TABLE "public"."post_alerts" IS 'Which new posts of a followed user the follower wants to be notified of.';

REVOKE ALL ON FUNCTION "private"."announce_posts"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."announce_posts"(integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."announcement_contents"(private.post_announcements, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."announcement_contents"(private.post_announcements, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."begin_announcement_round"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_announcement_round"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_post_alert_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_post_alert_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_announcement_of_post"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_announcement_of_post"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_announcements_of_user"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_announcements_of_user"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."continue_announcement_round"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."continue_announcement_round"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_posts_to_announce"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_posts_to_announce"() TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."is_highlight"(public.posts) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_highlight"(public.posts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_announcement"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_announcement"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."on_announced_post_deleted"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_announced_post_deleted"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."post_alert_recipients"(uuid, uuid[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."post_alert_recipients"(uuid, uuid[], boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_new_post"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."queue_new_post"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."unsubscribe"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unsubscribe"(text) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."unsubscribe_token"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unsubscribe_token"(uuid, text) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."visible_announced_posts"(uuid, uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."visible_announced_posts"(uuid, uuid, boolean) TO "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."withdraw_announcements"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdraw_announcements"(integer) TO "postgres", "service_role";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."announced_posts" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."announcement_checks" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."post_announcements" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."unsubscribe_tokens" TO "postgres";

GRANT INSERT ("author_id") ON TABLE "public"."post_alerts" TO "authenticated";

GRANT INSERT ("level"), UPDATE ("level") ON TABLE "public"."post_alerts" TO "authenticated";

GRANT SELECT ON TABLE "public"."post_alerts" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."post_alerts" TO "postgres", "service_role";

REVOKE ALL ("activity_mails") ON TABLE "public"."user_settings" FROM "authenticated";

GRANT UPDATE ("activity_mails") ON TABLE "public"."user_settings" TO "authenticated";

REVOKE ALL ("new_posts") ON TABLE "public"."user_settings" FROM "authenticated";

GRANT UPDATE ("new_posts") ON TABLE "public"."user_settings" TO "authenticated";

ALTER TABLE "public"."post_alerts" ADD CONSTRAINT "post_alerts_user_id_author_id_fkey" FOREIGN KEY (user_id, author_id) REFERENCES public.follows(follower_id, followee_id) ON DELETE CASCADE;

CREATE POLICY "post_alerts_insert" ON "public"."post_alerts" FOR INSERT TO "authenticated" WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "post_alerts_select" ON "public"."post_alerts" FOR SELECT TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "post_alerts_update" ON "public"."post_alerts" FOR UPDATE TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid))) WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

GRANT INSERT ("user_id") ON TABLE "public"."post_alerts" TO "authenticated";

-- Written by hand, because drafts leave out scheduled jobs.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values ('new-posts', '* * * * *')) as listed(name, minutes) loop
    perform cron.schedule('ovation-' || job.name, job.minutes, format($job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s?scheduled=1',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;
