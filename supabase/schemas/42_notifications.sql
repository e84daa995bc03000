-- Notifications, unread counters for messages and notifications, and emails about unread activity.
--
-- Rules:
-- * private.create_notification, which respects blocks and the user's settings, creates all notifications except those
--   about new posts (43_post_alerts).
-- * Notifications about likes, reposts, follows, comments and unlocks are grouped when they are created. A new one
--   joins the group about the same subject and becomes its head (the notification that represents the group in lists),
--   if the previous head is unread and less than 7 days old. Otherwise, it starts a new group.
-- * After every change, the number of unread notifications is recomputed from the rows, under a lock on the user's
--   counters, so the stored count cannot drift.
-- * Lock order: before a transaction changes or deletes notifications of several users, it locks the counters of all
--   of them with private.lock_user_counters. If it also locks conversations, posts or profile counts, it locks those
--   first.
-- See docs/decisions/010-messages-and-notifications.md.

-- Unread counters --------------------------------------------------------------------------------------------------
create table public.user_counters (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  unread_messages integer not null default 0 check (unread_messages >= 0),
  unread_notifications integer not null default 0 check (unread_notifications >= 0)
);

comment on table public.user_counters is 'Unread counts, kept up to date in the transaction that changes them.';

alter table public.user_counters enable row level security;
revoke all on public.user_counters from anon, authenticated, service_role;
grant select on public.user_counters to authenticated;
grant all on public.user_counters to service_role;

-- Requires an active session.
create policy user_counters_active_session on public.user_counters as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own counters.
create policy user_counters_select on public.user_counters for select to authenticated
  using (user_id = (select auth.uid()));

-- Locks the counters of several users in the order of their ids. Marking notifications as read locks the counters
-- before the notifications, so other changes have to use the same order: the reverse order could deadlock.
create function private.lock_user_counters(user_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.user_counters c where c.user_id = any (user_ids) order by c.user_id for update;
end
$$;

-- Notifications ----------------------------------------------------------------------------------------------------
create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  -- The recipient.
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- Null if no particular user caused the notification.
  actor_id uuid references public.profiles (id) on delete cascade,
  kind text not null check (kind in (
    'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'quote', 'repost', 'reaction',
    'unlock', 'subscription', 'tip', 'message', 'sign_in', 'admin', 'payout', 'creator_pro', 'moderation', 'report',
    'auto_post', 'scheduled_post', 'new_post', 'access_token')),
  post_id uuid references public.posts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  comment_id uuid references public.comments (id) on delete cascade,
  message_id uuid,
  -- Additional text for some kinds, such as the device of a sign-in, the name of an access token or a tip's amount.
  detail text check (char_length(detail) <= 500),
  -- Every notification belongs to a group; most groups have only one notification.
  group_id uuid not null default gen_random_uuid(),
  -- Whether the notification represents its group in a grouped list.
  is_head boolean not null default true,
  -- Number of distinct actors in the group, stored on its head; 1 on the others.
  people integer not null default 1 check (people >= 1),
  -- For a notification about new posts: the announcement that contains the posts, and whether the notification counts
  -- only highlights. See 43_post_alerts.
  announcement_id uuid references private.post_announcements (id) on delete cascade,
  highlights_only boolean not null default false
);

create index notifications_user_id_idx on public.notifications (user_id, created_at desc, id desc);

create index notifications_heads_idx on public.notifications (user_id, created_at desc, id desc) where is_head;

-- For the filters of the notification list, with and without groups.
create index notifications_kind_idx on public.notifications (user_id, kind, is_head, created_at desc, id desc);

create index notifications_unread_idx on public.notifications (user_id, kind) where read_at is null;

-- Finds the group that a new notification joins. With `coalesce`, the post is matched by a single equality condition,
-- even if there is no post. Otherwise, the planner could choose an index that covers only some of the query's
-- conditions.
create index notifications_unread_heads_idx on public.notifications
  (user_id, kind, coalesce(post_id, '00000000-0000-0000-0000-000000000000'), created_at desc)
  where read_at is null and is_head;

create index notifications_group_id_idx on public.notifications (group_id, created_at desc, id desc);

create index notifications_group_actor_idx on public.notifications (group_id, actor_id);

create index notifications_actor_id_idx on public.notifications (actor_id);

create index notifications_post_id_idx on public.notifications (post_id);

create index notifications_comment_id_idx on public.notifications (comment_id) where comment_id is not null;

create index notifications_message_id_idx on public.notifications (message_id) where message_id is not null;

-- For private.due_digests.
create index notifications_waiting_idx on public.notifications (created_at) where read_at is null;

-- One notification per cause, except for kinds that can occur repeatedly.
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id, message_id) nulls not distinct
  where kind not in ('sign_in', 'admin', 'tip', 'subscription', 'payout', 'creator_pro', 'moderation', 'report',
                     'auto_post', 'scheduled_post', 'new_post', 'access_token');

-- Each follower has at most one notification per announcement.
create unique index notifications_announcement_key on public.notifications (announcement_id, user_id)
  where announcement_id is not null;

alter table public.notifications enable row level security;
revoke all on public.notifications from anon, authenticated, service_role;
grant select on public.notifications to authenticated;
grant all on public.notifications to service_role;

-- Requires an active session.
create policy notifications_active_session on public.notifications as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own notifications, except a notification about new posts if they can see none of those posts. An
-- access token needs the `messages` scope for notifications about messages.
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and (kind <> 'new_post' or exists (
    select from private.visible_announced_posts(user_id, announcement_id, highlights_only)))
    and (message_id is null or (select private.has_scope('messages'))));

-- How often within 24 hours an actor undid an action that a user had been notified of (for example, a like or a
-- follow). After the third time, private.create_notification ignores the action until the 24 hours are over.
create table private.notification_withdrawals (
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  -- The id of the comment, post or message; the nil UUID if there is none.
  about uuid not null,
  times integer not null default 1,
  since timestamptz not null default now(),
  primary key (user_id, actor_id, kind, about)
);

create index notification_withdrawals_actor_id_idx on private.notification_withdrawals (actor_id);

create index notification_withdrawals_since_idx on private.notification_withdrawals (since);

-- Creating and withdrawing notifications ---------------------------------------------------------------------------
-- Returns whether a user has notifications of a kind turned on. Kinds without a setting are always on, because they
-- need a response or the user's attention.
create function private.notification_enabled(recipient_id uuid, notification_kind text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
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
$$;

-- Notifies a user of what another user (the actor) did, unless either has blocked the other, the recipient turned such
-- notifications off, or the actor withdrew the same notification three times within 24 hours. The actor is null if no
-- particular user caused the notification. Does nothing if the recipient's account has been deleted: otherwise the
-- foreign key would make the whole transaction fail, for example the creation of a comment that mentions the recipient.
create function private.create_notification(
  recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid default null,
  target_comment_id uuid default null, target_message_id uuid default null, detail text default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

-- Deletes an unread notification whose cause no longer exists, for example after an unlike or a cancelled follow
-- request.
create function private.withdraw_notification(
  recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid default null,
  target_message_id uuid default null, target_comment_id uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Counters are locked before notifications: see private.lock_user_counters.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  delete from public.notifications n
  where n.user_id = recipient_id and n.actor_id = actor_user_id and n.kind = notification_kind
    and n.post_id is not distinct from target_post_id and n.message_id is not distinct from target_message_id
    and n.comment_id is not distinct from target_comment_id and n.read_at is null;
  -- Counts only what the actor undid themselves, not a follow request that the recipient accepted or declined.
  if not found or actor_user_id is distinct from auth.uid() then return; end if;
  insert into private.notification_withdrawals as w (user_id, actor_id, kind, about)
  values (recipient_id, actor_user_id, notification_kind,
          coalesce(target_comment_id, target_post_id, target_message_id, '00000000-0000-0000-0000-000000000000'))
  on conflict (user_id, actor_id, kind, about) do update
    set times = case when w.since > now() - interval '1 day' then w.times + 1 else 1 end,
        since = case when w.since > now() - interval '1 day' then w.since else now() end;
end
$$;

-- Counting unread notifications ------------------------------------------------------------------------------------
-- Counts a user's unread notifications up to 100 and stores the count. A group counts once, unless the user turned
-- grouping off. Returns null if the account is being deleted.
create function private.count_unread_notifications(recipient_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_grouped boolean;
  total integer;
begin
  -- Transactions that change this user's notifications compute the count one after the other, and each sees what the
  -- previous one committed.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  if not found then return null; end if;
  select s.group_notifications into is_grouped from public.user_settings s where s.user_id = recipient_id;
  -- Two queries rather than one with a condition, so that counting groups does not read all rows of a large group.
  if coalesce(is_grouped, true) then
    select count(*) into total from (
      select from public.notifications n
      where n.user_id = recipient_id and n.read_at is null and n.is_head limit 100) unread;
  else
    select count(*) into total from (
      select from public.notifications n where n.user_id = recipient_id and n.read_at is null limit 100) unread;
  end if;
  update public.user_counters c set unread_notifications = total
  where c.user_id = recipient_id and c.unread_notifications <> total;
  return total;
end
$$;

-- Counts a user's unread notifications again after a change, and sends the count to their open pages.
create function private.refresh_notification_count(recipient_id uuid, notification_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  total integer := private.count_unread_notifications(recipient_id);
begin
  -- The account itself is being deleted, and its notifications with it.
  if total is null then return; end if;
  perform private.broadcast_to_user(recipient_id, 'notification.read', jsonb_build_object(
    'notificationId', case when cardinality(notification_ids) = 1 then notification_ids[1] end,
    'unreadTotal', total));
end
$$;

-- Refreshes the unread count of every user who has notifications that were just read.
create function private.on_notifications_read() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipient_id uuid;
  read_ids uuid[];
begin
  -- No statement marks some notifications as read and others as unread. So if the counts are equal, only other columns
  -- have changed.
  if (select count(*) from before b where b.read_at is null)
     = (select count(*) from after a where a.read_at is null) then
    return null;
  end if;
  -- `execute` plans the query each time: a cached plan for a single row would be extremely slow for thousands.
  for recipient_id, read_ids in execute
    'select b.user_id, array_agg(b.id) from before b join after a on a.id = b.id
     where b.read_at is null and a.read_at is not null group by 1 order by 1'
  loop
    perform private.refresh_notification_count(recipient_id, read_ids);
  end loop;
  return null;
end
$$;

create trigger on_notifications_read after update on public.notifications
  referencing old table as before new table as after
  for each statement execute function private.on_notifications_read();

-- Corrects the head and the number of actors of a group that lost some of its notifications. `lost_head_people` is the
-- number of actors that the deleted head stored, or null if the head still exists. When a new head is chosen, unread
-- notifications come first.
create function private.repair_notification_group(
  damaged_group_id uuid, lost_actor_ids uuid[], lost_head_people integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  lost_actor_id uuid;
  gone_count integer := 0;
begin
  if lost_head_people is null then
    select * into head from public.notifications n
    where n.group_id = damaged_group_id and n.is_head order by n.created_at desc, n.id desc limit 1;
  else
    select * into head from public.notifications n
    where n.group_id = damaged_group_id and n.read_at is null order by n.created_at desc, n.id desc limit 1;
    if not found then
      select * into head from public.notifications n
      where n.group_id = damaged_group_id order by n.created_at desc, n.id desc limit 1;
    end if;
  end if;
  if head.id is null then return; end if;
  foreach lost_actor_id in array lost_actor_ids loop
    if not exists (select from public.notifications n
                   where n.group_id = damaged_group_id and n.actor_id = lost_actor_id) then
      gone_count := gone_count + 1;
    end if;
  end loop;
  update public.notifications n
  set is_head = true, people = greatest(1, coalesce(lost_head_people, head.people) - gone_count)
  where n.id = head.id;
end
$$;

-- Repairs the groups that lost notifications, and refreshes the unread count of every user who lost unread ones.
create function private.on_notifications_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipient_id uuid;
  unread_ids uuid[];
  lost record;
begin
  perform private.lock_user_counters(array(select distinct b.user_id from before b));
  for lost in
    select b.group_id, array_agg(distinct b.actor_id) as actors, max(b.people) filter (where b.is_head) as people
    from before b group by 1
  loop
    perform private.repair_notification_group(lost.group_id, lost.actors, lost.people);
  end loop;
  for recipient_id, unread_ids in
    select b.user_id, array_agg(b.id) from before b where b.read_at is null group by 1 order by 1
  loop
    perform private.refresh_notification_count(recipient_id, unread_ids);
  end loop;
  return null;
end
$$;

create trigger on_notifications_deleted after delete on public.notifications
  referencing old table as before
  for each statement execute function private.on_notifications_deleted();

-- Reading notifications --------------------------------------------------------------------------------------------
-- Marks one of the caller's notifications as read, with its whole group unless the caller turned grouping off.
-- Returns false if the caller has no such notification.
create function private.mark_notification_read(notification_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  notification public.notifications;
begin
  if not private.is_session_active() then return false; end if;
  select * into notification from public.notifications n where n.id = notification_id and n.user_id = uid;
  if not found then return false; end if;
  perform from public.user_counters c where c.user_id = uid for update;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = uid and n.read_at is null
    and (n.id = notification_id or (n.group_id = notification.group_id and exists (
      select from public.user_settings s where s.user_id = uid and s.group_notifications)));
  return true;
end
$$;

grant execute on function private.mark_notification_read(uuid) to authenticated;

-- Marks all of the caller's notifications as read.
create function private.mark_all_notifications_read() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return; end if;
  perform from public.user_counters c where c.user_id = auth.uid() for update;
  update public.notifications n set read_at = clock_timestamp() where n.user_id = auth.uid() and n.read_at is null;
end
$$;

grant execute on function private.mark_all_notifications_read() to authenticated;

-- Emails about unread activity -------------------------------------------------------------------------------------
-- The last email about unread notifications and messages that a job run claimed for each user.
create table private.notification_mails (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  -- The next email covers what is newer than this. A claim does not advance it: private.complete_digest does, after the
  -- email has been sent.
  mailed_until timestamptz not null,
  -- When the email was claimed. A claim sets this before the email is sent, so the email may not have been sent.
  -- private.release_digest sets it to 45 minutes ago, so that the email is due again in 15 minutes.
  mailed_at timestamptz not null
);

-- Returns the users who are due an email: they have confirmed their address, have turned off neither
-- `email_notifications` nor `activity_mails`, and no such email to them has been claimed within the last hour. They
-- must also have a notification or conversation that no earlier email covered and that has been unread for at least 15
-- minutes, but less than 24 hours and 15 minutes. `since` is the start of the period that the email covers.
--
-- A conversation is reported only once until it is read. The notification of a conversation's first message is left
-- out, because the conversation itself is reported. Sign-ins and new access tokens are left out, because emails about
-- them are sent right away.
create function private.due_digests()
returns table (recipient_id uuid, since timestamptz, mailed_at timestamptz, newest timestamptz)
language sql stable set search_path = ''
as $$
  with period as (select now() - interval '1 day 15 minutes' as oldest, now() - interval '15 minutes' as due_before),
  waiting as (
    select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n, period p
    where n.read_at is null and n.created_at > p.oldest and n.created_at <= p.due_before
      and n.kind not in ('message', 'sign_in', 'access_token')
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
  join public.accounts a on a.user_id = w.recipient_id and a.email_confirmed_at is not null
  left join private.notification_mails k on k.user_id = w.recipient_id
  where w.newest > coalesce(k.mailed_until, '-infinity')
    and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
$$;

-- Claims up to `max_rows` users who are due an email. Returns the period that each email covers.
--
-- A claim ends after an hour, and keeps other job runs from emailing the same user. After the email has been sent, pass
-- the user to private.complete_digest; if it cannot be sent, to private.release_digest.
create function private.claim_digests(max_rows integer)
returns table (user_id uuid, waiting_since timestamptz, waiting_until timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- Rows that are newer than this might not be committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with chosen as (
      select d.recipient_id, d.since from private.due_digests() d
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by d.mailed_at nulls first, d.newest, d.recipient_id limit max_rows
    ), marked as (
      insert into private.notification_mails as k (user_id, mailed_until, mailed_at)
      select c.recipient_id, c.since, now() from chosen c order by c.recipient_id
      -- Names the constraint, because `user_id` is also an output column.
      on conflict on constraint notification_mails_pkey do update
        set mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as recipient_id
    )
    select c.recipient_id, c.since, covered_until from marked d join chosen c on c.recipient_id = d.recipient_id;
end
$$;

grant execute on function private.claim_digests(integer) to service_role;

-- Claims nobody. Only for version 0.1.0 of the edge functions, which does not call private.complete_digest and would
-- send the emails again. Remove this function after the release of 0.2.0.
create function private.claim_due_digests(max_rows integer)
returns table (user_id uuid, waiting_since timestamptz, waiting_until timestamptz)
language sql volatile security definer rows 1 set search_path = ''
as $$ select null::uuid, null::timestamptz, null::timestamptz where false $$;

grant execute on function private.claim_due_digests(integer) to service_role;

-- Records that an email was sent. `covered_until` is the end of the period that the email covered.
create function private.complete_digest(recipient_id uuid, covered_until timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.notification_mails k set mailed_until = covered_until where k.user_id = recipient_id
$$;

grant execute on function private.complete_digest(uuid, timestamptz) to service_role;

-- Reschedules an email that could not be sent: it is due again in 15 minutes. `waiting_since` is the start of the
-- period that the email covers.
create function private.release_digest(recipient_id uuid, waiting_since timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.notification_mails k set mailed_until = waiting_since, mailed_at = now() - interval '45 minutes'
  where k.user_id = recipient_id
$$;

grant execute on function private.release_digest(uuid, timestamptz) to service_role;

-- Unsubscribing ----------------------------------------------------------------------------------------------------
-- The tokens of the unsubscribe links in emails. A token lets its bearer turn off one kind of email for one user
-- without signing in, and nothing else. It is random rather than signed with a key, so it stays valid when keys are
-- replaced.
create table private.unsubscribe_tokens (
  token text primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  mail_kind text not null check (mail_kind in ('activity')),
  unique (user_id, mail_kind)
);

-- Returns the token for a user and a kind of email, and creates it if there is none.
create function private.unsubscribe_token(recipient_id uuid, kind_of_mail text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.unsubscribe_tokens (token, user_id, mail_kind)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), recipient_id, kind_of_mail)
  on conflict (user_id, mail_kind) do nothing;
  return (select t.token from private.unsubscribe_tokens t
          where t.user_id = recipient_id and t.mail_kind = kind_of_mail);
end
$$;

grant execute on function private.unsubscribe_token(uuid, text) to service_role;

-- Turns off the kind of email that a token is for. Repeating the call has no effect. Returns false for an unknown
-- token.
create function private.unsubscribe(bearer_token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  recipient_id uuid := (select t.user_id from private.unsubscribe_tokens t where t.token = bearer_token);
begin
  update public.user_settings s set activity_mails = false where s.user_id = recipient_id and s.activity_mails;
  return recipient_id is not null;
end
$$;

grant execute on function private.unsubscribe(text) to service_role;
