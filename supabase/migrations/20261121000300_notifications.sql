-- Notifications, and how an event reaches a person's open pages.

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('follow', 'follow_request', 'follow_accepted', 'like', 'message')),
  post_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz
);
create index notifications_user_id_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_actor_id_idx on public.notifications (actor_id);
create index notifications_post_id_idx on public.notifications (post_id);
-- One row for a cause, however often it comes back: liking again what was liked before tells nothing new.
create unique index notifications_once_key on public.notifications (user_id, kind, actor_id, post_id) nulls not distinct;

alter table public.notifications enable row level security;
revoke all on public.notifications from anon, authenticated;
grant select on public.notifications to authenticated;
grant all on public.notifications to service_role;

create policy notifications_alive on public.notifications as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()));

-- Sends an event to the open pages of one person. Realtime keeps and delivers it; it never fails the writer.
create function private.tell(receiver uuid, event text, payload jsonb) returns void
language sql volatile security definer set search_path = ''
as $$ select realtime.send(payload, event, 'user:' || receiver::text, true) $$;

create function private.notify_person(receiver uuid, actor uuid, notification_kind text, post uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if receiver = actor or private.are_blocked(receiver, actor) then return; end if;
  insert into public.notifications (user_id, actor_id, kind, post_id)
  values (receiver, actor, notification_kind, post)
  on conflict do nothing;
end
$$;

-- Takes an unseen notification back when its cause is gone (an unlike, a cancelled request).
create function private.withdraw_notification(receiver uuid, actor uuid, notification_kind text, post uuid default null)
returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.notifications n
  where n.user_id = receiver and n.actor_id = actor and n.kind = notification_kind
    and n.post_id is not distinct from post and n.read_at is null
$$;

create function private.on_notification_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  receiver uuid;
  step integer;
  total integer;
begin
  if tg_op = 'INSERT' then
    receiver := new.user_id; step := 1;
  elsif tg_op = 'DELETE' then
    if old.read_at is not null then return null; end if;
    receiver := old.user_id; step := -1;
  else
    if (old.read_at is null) = (new.read_at is null) then return null; end if;
    receiver := new.user_id;
    step := case when new.read_at is null then 1 else -1 end;
  end if;
  update public.user_counters c set unread_notifications = greatest(0, c.unread_notifications + step)
  where c.user_id = receiver
  returning c.unread_notifications into total;
  -- No row: the account itself is going, and its notifications with it.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    perform private.tell(receiver, 'notification.created',
      jsonb_build_object('notificationId', new.id, 'unreadTotal', total));
  else
    perform private.tell(receiver, 'notification.read', jsonb_build_object('unreadTotal', total));
  end if;
  return null;
end
$$;
create trigger on_notification_changed after insert or delete or update of read_at on public.notifications
  for each row execute function private.on_notification_changed();

-- Marks one of the caller's notifications read; false when there is none of that id.
create function private.read_notification(notification uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return false; end if;
  update public.notifications n set read_at = clock_timestamp()
  where n.id = notification and n.user_id = (select auth.uid()) and n.read_at is null;
  return exists (select from public.notifications n where n.id = notification and n.user_id = (select auth.uid()));
end
$$;
grant execute on function private.read_notification(uuid) to authenticated;

revoke execute on all functions in schema private from public;
