-- What a person has chosen for themselves: which news they want and how, and what of their presence they show. Beside
-- the profile, because nobody else is to read it.

create table public.person_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email_notifications boolean not null default true,
  push_notifications boolean not null default true,
  new_followers boolean not null default true,
  new_comments boolean not null default true,
  new_likes boolean not null default true,
  subscription_updates boolean not null default true,
  payment_alerts boolean not null default true,
  group_notifications boolean not null default true,
  message_sounds boolean not null default false,
  login_alerts boolean not null default true,
  show_online boolean not null default true,
  show_last_seen boolean not null default true,
  show_typing boolean not null default true
);
comment on table public.person_settings is 'Which news a person wants, and what they show of being here. Read by that person alone.';

insert into public.person_settings (user_id) select p.id from public.profiles p;

create function private.on_profile_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.person_settings (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;
create trigger on_profile_created after insert on public.profiles
  for each row execute function private.on_profile_created();

alter table public.person_settings enable row level security;
revoke all on public.person_settings from anon, authenticated;
grant select on public.person_settings to authenticated;
grant update (email_notifications, push_notifications, new_followers, new_comments, new_likes, subscription_updates,
              payment_alerts, group_notifications, message_sounds, login_alerts, show_online, show_last_seen,
              show_typing) on public.person_settings to authenticated;
grant all on public.person_settings to service_role;

create policy person_settings_alive on public.person_settings as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy person_settings_select on public.person_settings for select to authenticated
  using (user_id = (select auth.uid()));
create policy person_settings_update on public.person_settings for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create trigger limit_person_settings before update on public.person_settings
  for each row execute function private.limit_writes('settings', '30');

create function private.on_person_settings_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  -- What is one unread group is several unread notifications, and the other way round.
  if old.group_notifications is distinct from new.group_notifications then
    perform private.tell_fewer_notifications(new.user_id, '{}');
  end if;
  return null;
end
$$;
create trigger on_person_settings_changed after update on public.person_settings
  for each row when (old.* is distinct from new.*) execute function private.on_person_settings_changed();

-- Presence ----------------------------------------------------------------------------------------------------

-- When somebody's page last asked for the counts, which an open and visible one does every 30 seconds.
create table private.last_seen (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  seen_at timestamptz not null default now()
) with (fillfactor = 70);

-- The caller is here. Written at most every 20 seconds, however many pages ask.
create function private.note_seen() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return; end if;
  if exists (select from private.last_seen s
             where s.user_id = auth.uid() and s.seen_at > now() - interval '20 seconds') then
    return;
  end if;
  insert into private.last_seen as s (user_id, seen_at) values (auth.uid(), now())
  on conflict (user_id) do update set seen_at = excluded.seen_at;
end
$$;

-- Whether somebody who has written to the caller is here, and when they last were, as far as they show it: as
-- {online, lastSeenAt}. Writing to somebody who does not answer buys nothing, and within a block neither learns when
-- the other is here.
create function private.presence_of(other uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  chosen public.person_settings;
  seen timestamptz;
  here boolean;
begin
  select s.* into chosen from public.person_settings s where s.user_id = other;
  if found and (chosen.show_online or chosen.show_last_seen)
     and exists (select from public.conversation_members m
                 where m.user_id = other and m.other_id = uid and m.has_written)
     and not private.are_blocked(uid, other) then
    select s.seen_at into seen from private.last_seen s where s.user_id = other;
  end if;
  here := coalesce(seen > now() - interval '75 seconds', false);
  return jsonb_build_object(
    'online', here and chosen.show_online,
    'lastSeenAt', case
      when seen is null or not chosen.show_last_seen then null
      -- Someone who hides being here is not given away by a time that is always now, that goes while they are, or that
      -- moves when they come: the hour that is running is never told.
      when not chosen.show_online then least(date_trunc('hour', seen, 'UTC'),
                                             date_trunc('hour', now(), 'UTC') - interval '1 hour')
      when not here then seen end);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.note_seen(), private.presence_of(uuid) to authenticated;
