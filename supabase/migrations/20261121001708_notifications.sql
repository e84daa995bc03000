-- Notifications in groups ('Ana and 3 others liked your post'), by choice, of more kinds, and by mail.
--
-- A group is what came of one kind about one thing while its receiver had not looked: the rows share `group_id`, and
-- the latest of them is its head, which counts the people in it. A list of groups is a list of heads, so it costs the
-- same however large they are.

alter table public.notifications drop constraint notifications_kind_check;
alter table public.notifications
  add constraint notifications_kind_check check (kind in (
    'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'reaction', 'unlock',
    'subscription', 'tip', 'message', 'sign_in', 'admin')),
  add column message_id uuid,
  -- What a kind says beside who did it: the device of a sign-in, the words of an operator.
  add column detail text check (char_length(detail) <= 500),
  add column group_id uuid default gen_random_uuid(),
  add column is_head boolean not null default true,
  add column people integer not null default 1 check (people >= 1);
update public.notifications n set group_id = n.id;
alter table public.notifications alter column group_id set not null;

create index notifications_message_id_idx on public.notifications (message_id) where message_id is not null;
create index notifications_group_id_idx on public.notifications (group_id, created_at desc, id desc);
create index notifications_group_actor_idx on public.notifications (group_id, actor_id);
create index notifications_heads_idx on public.notifications (user_id, created_at desc, id desc) where is_head;
create index notifications_unread_idx on public.notifications (user_id) where read_at is null;
-- Whatever comes looks for its group here: as one value, so that no other index looks cheaper for a part of it.
create index notifications_unread_heads_idx on public.notifications
  (user_id, kind, coalesce(post_id, '00000000-0000-0000-0000-000000000000'), created_at desc)
  where read_at is null and is_head;
-- Most have no comment, and reading one writes every index that it is in.
drop index public.notifications_comment_id_idx;
create index notifications_comment_id_idx on public.notifications (comment_id) where comment_id is not null;
create index notifications_waiting_idx on public.notifications (created_at) where read_at is null;

-- One row for a cause, however often it comes back; a sign-in or a tip is a new cause each time.
drop index public.notifications_once_key;
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id, message_id) nulls not distinct
  where kind not in ('sign_in', 'admin', 'tip', 'subscription');

-- Whether somebody wants news of a kind. What must be answered or looked into always comes.
create function private.wants(person uuid, notification_kind text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  chosen public.person_settings;
begin
  select s.* into chosen from public.person_settings s where s.user_id = person;
  return coalesce(case notification_kind
    when 'follow' then chosen.new_followers
    when 'comment' then chosen.new_comments
    when 'reply' then chosen.new_comments
    when 'like' then chosen.new_likes
    when 'reaction' then chosen.new_likes
    when 'subscription' then chosen.subscription_updates
    when 'unlock' then chosen.payment_alerts
    when 'tip' then chosen.payment_alerts
    when 'sign_in' then chosen.login_alerts
    else true end, true);
end
$$;

-- Holds the counts of several people, in one order. Whoever changes notifications of more than one person, or deletes
-- them, holds the counts of all of them first: whoever reads them does, so nobody waits in a circle. Counts of unread
-- are held after everything else (conversations, posts, counts of followers).
create function private.lock_counters(people uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.user_counters c where c.user_id = any (people) order by c.user_id for update;
end
$$;

-- How many notifications somebody has not read, a group as one unless they prefer none: counted up to 100, and kept.
-- Null for an account that is going.
create function private.count_notifications(person uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  grouped boolean;
  total integer;
begin
  -- Whoever changes this person's notifications counts one after the other, each what is there by then.
  perform from public.user_counters c where c.user_id = person for update;
  if not found then return null; end if;
  select s.group_notifications into grouped from public.person_settings s where s.user_id = person;
  -- Asked in two ways, so that a large group costs nobody who sees it as one.
  if coalesce(grouped, true) then
    select count(*) into total from (
      select from public.notifications n
      where n.user_id = person and n.read_at is null and n.is_head limit 100) unread;
  else
    select count(*) into total from (
      select from public.notifications n where n.user_id = person and n.read_at is null limit 100) unread;
  end if;
  update public.user_counters c set unread_notifications = total
  where c.user_id = person and c.unread_notifications <> total;
  return total;
end
$$;

-- How often within a day somebody took back what they had notified somebody else of: done and undone over and over, it
-- would be news without end.
create table private.withdrawn (
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  -- The post or message; zeros where there is none.
  about uuid not null,
  times integer not null default 1,
  since timestamptz not null default now(),
  primary key (user_id, actor_id, kind, about)
);
create index withdrawn_actor_id_idx on private.withdrawn (actor_id);
create index withdrawn_since_idx on private.withdrawn (since);

drop function private.notify_person(uuid, uuid, text, uuid, uuid);
-- Notifies somebody of what `actor` did; null where nobody in particular did it.
create function private.notify_person(
  receiver uuid, actor uuid, notification_kind text, post uuid default null, comment uuid default null,
  message uuid default null, said text default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  made uuid := gen_random_uuid();
  known boolean := false;
  nothing constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if receiver = actor or private.are_blocked(receiver, actor) or not private.wants(receiver, notification_kind) then
    return;
  end if;
  -- Two causes at once join one group, one after the other.
  perform from public.user_counters c where c.user_id = receiver for update;
  -- A block may have come while this waited.
  if private.are_blocked(receiver, actor) then return; end if;
  if exists (select from private.withdrawn w
             where w.user_id = receiver and w.actor_id = actor and w.kind = notification_kind
               and w.about = coalesce(post, message, nothing) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    select * into head from public.notifications n
    where n.user_id = receiver and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(post, '00000000-0000-0000-0000-000000000000')
      and n.read_at is null and n.is_head and n.created_at > now() - interval '7 days'
    order by n.created_at desc limit 1;
    known := head.id is not null and exists (
      select from public.notifications n where n.group_id = head.group_id and n.actor_id = actor);
  end if;
  insert into public.notifications
    (id, user_id, actor_id, kind, post_id, comment_id, message_id, detail, group_id, people)
  values (made, receiver, actor, notification_kind, post, comment, message, left(said, 500),
          coalesce(head.group_id, made), coalesce(head.people, 0) + case when known then 0 else 1 end)
  on conflict do nothing;
  if not found then return; end if;
  update public.notifications n set is_head = false, people = 1 where n.id = head.id;
  perform private.tell(receiver, 'notification.created', jsonb_build_object(
    'notificationId', made, 'kind', notification_kind, 'unreadTotal', private.count_notifications(receiver)));
end
$$;

drop function private.withdraw_notification(uuid, uuid, text, uuid);
-- Takes an unseen notification back when its cause is gone (an unlike, a cancelled request).
create function private.withdraw_notification(
  receiver uuid, actor uuid, notification_kind text, post uuid default null, message uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- In the order in which whoever reads them locks.
  perform from public.user_counters c where c.user_id = receiver for update;
  delete from public.notifications n
  where n.user_id = receiver and n.actor_id = actor and n.kind = notification_kind
    and n.post_id is not distinct from post and n.message_id is not distinct from message and n.read_at is null;
  -- Counted where its cause was taken back: a request that was answered was not.
  if not found or actor is distinct from auth.uid() then return; end if;
  insert into private.withdrawn as w (user_id, actor_id, kind, about)
  values (receiver, actor, notification_kind, coalesce(post, message, '00000000-0000-0000-0000-000000000000'))
  on conflict (user_id, actor_id, kind, about) do update
    set times = case when w.since > now() - interval '1 day' then w.times + 1 else 1 end,
        since = case when w.since > now() - interval '1 day' then w.since else now() end;
end
$$;

-- Counts again for somebody whose notifications were read or withdrawn, and tells their open pages.
create function private.tell_fewer_notifications(person uuid, gone uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  total integer := private.count_notifications(person);
begin
  -- Null: the account itself is going, and its notifications with it.
  if total is null then return; end if;
  perform private.tell(person, 'notification.read', jsonb_build_object(
    'notificationId', case when cardinality(gone) = 1 then gone[1] end, 'unreadTotal', total));
end
$$;

drop trigger on_notification_changed on public.notifications;
drop function private.on_notification_changed();
create function private.on_notifications_read() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person uuid;
  changed uuid[];
begin
  -- Nothing is ever unread again, so equal numbers mean that something else changed.
  if (select count(*) from before b where b.read_at is null) = (select count(*) from after a where a.read_at is null) then
    return null;
  end if;
  -- Planned each time: what suits one row would take a day for all of somebody's.
  for person, changed in execute
    'select b.user_id, array_agg(b.id) from before b join after a on a.id = b.id
     where b.read_at is null and a.read_at is not null group by 1 order by 1'
  loop
    perform private.tell_fewer_notifications(person, changed);
  end loop;
  return null;
end
$$;
create trigger on_notifications_read after update on public.notifications
  referencing old table as before new table as after
  for each statement execute function private.on_notifications_read();

-- A group that loses some of its own keeps a head, an unread one if it can, and the right number of people.
create function private.mend_group(damaged uuid, lost_actors uuid[], lost_head_people integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  actor uuid;
  gone integer := 0;
begin
  if lost_head_people is null then
    select * into head from public.notifications n
    where n.group_id = damaged and n.is_head order by n.created_at desc, n.id desc limit 1;
  else
    select * into head from public.notifications n
    where n.group_id = damaged and n.read_at is null order by n.created_at desc, n.id desc limit 1;
    if not found then
      select * into head from public.notifications n
      where n.group_id = damaged order by n.created_at desc, n.id desc limit 1;
    end if;
  end if;
  if head.id is null then return; end if;
  foreach actor in array lost_actors loop
    if not exists (select from public.notifications n where n.group_id = damaged and n.actor_id = actor) then
      gone := gone + 1;
    end if;
  end loop;
  update public.notifications n
  set is_head = true, people = greatest(1, coalesce(lost_head_people, head.people) - gone)
  where n.id = head.id;
end
$$;

create function private.on_notifications_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person uuid;
  unread uuid[];
  lost record;
begin
  perform private.lock_counters(array(select distinct b.user_id from before b));
  for lost in
    select b.group_id, array_agg(distinct b.actor_id) as actors, max(b.people) filter (where b.is_head) as people
    from before b group by 1
  loop
    perform private.mend_group(lost.group_id, lost.actors, lost.people);
  end loop;
  for person, unread in
    select b.user_id, array_agg(b.id) from before b where b.read_at is null group by 1 order by 1
  loop
    perform private.tell_fewer_notifications(person, unread);
  end loop;
  return null;
end
$$;
create trigger on_notifications_deleted after delete on public.notifications
  referencing old table as before
  for each statement execute function private.on_notifications_deleted();

-- Marks one of the caller's notifications read, and with it its group, unless they prefer none; false when there is
-- none of that id.
create or replace function private.read_notification(notification uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  read public.notifications;
begin
  if not private.session_alive() then return false; end if;
  select * into read from public.notifications n where n.id = notification and n.user_id = uid;
  if not found then return false; end if;
  perform from public.user_counters c where c.user_id = uid for update;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = uid and n.read_at is null
    and (n.id = notification or (n.group_id = read.group_id and exists (
      select from public.person_settings s where s.user_id = uid and s.group_notifications)));
  return true;
end
$$;

-- Marks all of the caller's notifications read.
create function private.read_all_notifications() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return; end if;
  perform from public.user_counters c where c.user_id = auth.uid() for update;
  update public.notifications n set read_at = clock_timestamp() where n.user_id = auth.uid() and n.read_at is null;
end
$$;

create or replace function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captchas integer;
  rates integer;
  claims integer;
  empty_conversations integer;
  withdrawals integer;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captchas = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rates = row_count;
  -- No link lives longer than this.
  delete from private.reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics claims = row_count;
  -- Both people have gone: nobody is left who could read it.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics empty_conversations = row_count;
  delete from private.withdrawn where since < now() - interval '1 day';
  get diagnostics withdrawals = row_count;
  return jsonb_build_object('captchas', captchas, 'rateLimits', rates, 'resetClaims', claims,
                            'conversations', empty_conversations, 'withdrawals', withdrawals);
end
$$;

-- By mail -----------------------------------------------------------------------------------------------------

-- Up to when somebody has been written to about what they had not read, and when that was.
create table private.mail_marks (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  mailed_until timestamptz not null,
  mailed_at timestamptz not null
);

-- Since when a thread has been unread, whatever came to it after that: the time of the first unread message that was not
-- taken back; null with none.
alter table public.conversation_members add column unread_since timestamptz;
update public.conversation_members m set unread_since = m.last_message_at where m.unread_count > 0;
alter table public.conversation_members add check (unread_count > 0 or unread_since is null);
create index conversation_members_waiting_idx on public.conversation_members (unread_since)
  where unread_since is not null;

-- Takes up to `most` people whom a mail is due: something has waited unread for a quarter of an hour, no longer than a
-- day, and they were not written to within the hour. Answers of which time to tell what is unread. Marked as written to,
-- so that of two jobs one writes; what could not be sent is given back. A thread is told of once until it is read. Of a
-- first message the thread tells, not its notification; of a sign-in a mail of its own told at once.
create function private.take_due_mails(most integer)
returns table (user_id uuid, waiting_since timestamptz, waiting_until timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due timestamptz := now() - interval '15 minutes';
  oldest timestamptz := due - interval '1 day';
  -- What is younger may still be under way to the table.
  until timestamptz := now() - interval '10 seconds';
begin
  return query
    with waiting as (
      select n.user_id as person, max(n.created_at) as newest from public.notifications n
      where n.read_at is null and n.created_at > oldest and n.created_at <= due
        and n.kind not in ('message', 'sign_in')
      group by 1
      union all
      select m.user_id, max(m.unread_since) from public.conversation_members m
      where m.unread_since > oldest and m.unread_since <= due
        and not private.are_blocked(m.user_id, m.other_id)
      group by 1
    ), chosen as (
      select w.person, greatest(k.mailed_until, oldest) as since
      from (select w.person, max(w.newest) as newest from waiting w group by 1) w
      join public.person_settings s on s.user_id = w.person and s.email_notifications
      left join private.mail_marks k on k.user_id = w.person
      where w.newest > coalesce(k.mailed_until, '-infinity')
        and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
      -- An address that fails again and again stands behind all others.
      order by k.mailed_at nulls first, w.newest, w.person limit most
    ), marked as (
      insert into private.mail_marks as k (user_id, mailed_until, mailed_at)
      select c.person, until, now() from chosen c order by c.person
      on conflict on constraint mail_marks_pkey do update
        set mailed_until = excluded.mailed_until, mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as person
    )
    select c.person, c.since, until from marked d join chosen c on c.person = d.person;
end
$$;

-- A mail that could not be sent is due again in a quarter of an hour.
create function private.give_back_mail(person uuid, since timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.mail_marks k set mailed_until = since, mailed_at = now() - interval '45 minutes'
  where k.user_id = person
$$;

-- Sign-ins ----------------------------------------------------------------------------------------------------

-- From what kind of device somebody has signed in before.
create table private.known_devices (
  user_id uuid not null references public.profiles (id) on delete cascade,
  device text not null check (char_length(device) <= 100),
  first_seen_at timestamptz not null default now(),
  primary key (user_id, device)
);

-- Notes from what somebody signed in; when it is new, tells them, and answers true. The first one that
-- is noted is none: there was nothing to compare it with.
create function private.note_device(person uuid, device_name text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  known boolean := exists (select from private.known_devices d where d.user_id = person);
begin
  insert into private.known_devices (user_id, device) values (person, left(device_name, 100)) on conflict do nothing;
  if not found then return false; end if;
  -- Names of browsers come and go.
  delete from private.known_devices d where d.user_id = person and d.device not in (
    select k.device from private.known_devices k where k.user_id = person order by k.first_seen_at desc limit 50);
  if known then perform private.notify_person(person, null, 'sign_in', said => left(device_name, 100)); end if;
  return known;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.read_all_notifications() to authenticated;
grant execute on function private.take_due_mails(integer), private.give_back_mail(uuid, timestamptz),
  private.note_device(uuid, text) to service_role;

-- As the other jobs: by the database's own clock where it has one.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-mails', '*/5 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/mails',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        -- A hundred mails take their time.
        timeout_milliseconds := 150000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
