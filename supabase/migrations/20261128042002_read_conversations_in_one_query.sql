set local check_function_bodies = off;

-- Who may message whom ---------------------------------------------------------------------------------------------
-- Why the caller may not message each user, as an error code of the API; null if they may. A view, so that a list of
-- users reads what concerns the caller (blocks, account, email address) once, rather than once per user.
create view private.message_refusals as
  select p.id as receiver_id,
         case
           when p.id = (select auth.uid()) or p.id = any ((select private.blocked_user_ids())::uuid[])
             then 'recipient_not_found'
           when not p.allow_direct_messages then 'direct_messages_disabled'
           when not (select private.can_write()) then 'account_read_only'
           -- With an unconfirmed address, the caller can only message their followers and answer messages.
           when (select true from public.accounts a
                 where a.user_id = (select auth.uid()) and a.email_confirmed_at is null)
                and (select true from public.follows f
                     where f.follower_id = p.id and f.followee_id = (select auth.uid())) is null
                and (select true from public.conversation_members m
                     where m.user_id = (select auth.uid()) and m.partner_id = p.id) is null
             then 'email_unconfirmed'
         end as refusal
  from public.profiles p;

grant select on private.message_refusals to authenticated;

-- Returns why the caller may not message a user (see private.message_refusals), or null if they may.
create or replace function private.message_refusal(receiver_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  refusal text;
begin
  select r.refusal into refusal from private.message_refusals r where r.receiver_id = message_refusal.receiver_id;
  if not found then return 'recipient_not_found'; end if;
  return refusal;
end
$$;

-- Updates both members' rows and the receiver's counter, notifies the receiver of the first message of a conversation,
-- and sends the message to both users' open pages. Tries an update before an insert: once both have member rows, an
-- update is cheaper than an insert that conflicts.
create or replace function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, false);
  sender_unread_count integer;
  receiver_unread_count integer;
  sender_unread_total integer;
  receiver_unread_total integer;
begin
  with updated as (
    update public.conversation_members m
    set last_message_id = new.id, last_message_at = new.created_at,
        unread_count = m.unread_count + (m.user_id = new.receiver_id)::integer,
        unread_since = case when m.user_id = new.receiver_id then coalesce(m.unread_since, new.created_at)
                            else m.unread_since end
    where m.conversation_id = new.conversation_id and (m.user_id = new.receiver_id or m.has_written)
    returning m.user_id, m.unread_count
  )
  select max(u.unread_count) filter (where u.user_id = new.sender_id),
         max(u.unread_count) filter (where u.user_id = new.receiver_id)
  into sender_unread_count, receiver_unread_count
  from updated u;
  if sender_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast here: see private.can_broadcast_to_conversation.
    perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                          private.conversation_topic(new.sender_id, new.receiver_id), true);
  end if;
  if receiver_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, unread_count, unread_since)
    values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1, new.created_at)
    returning m.unread_count into receiver_unread_count;
  end if;

  if new.seq = 1 then
    perform private.create_notification(new.receiver_id, new.sender_id, 'message', target_message_id => new.id);
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages,
            (select s.unread_messages from public.user_counters s where s.user_id = new.sender_id)
  into receiver_unread_total, sender_unread_total;
  -- Does what private.broadcast_to_user does, in one statement for both users, the receiver first.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true);
  return null;
end
$$;

-- The names and pictures of the users with whom the caller has a conversation. After a block, the policies hide the
-- profile, but the existing thread still has to show the partner. Deleted accounts are missing.
create view private.conversation_partners as
  select p.id, p.username, p.full_name, p.first_name, p.last_name, p.profile_image_url, p.is_creator, p.is_admin
  from public.conversation_members m join public.profiles p on p.id = m.partner_id
  where m.user_id = (select auth.uid());

grant select on private.conversation_partners to authenticated;

drop function private.conversation_partner(uuid);

-- Whether users are online and when they were last seen, as far as their settings allow it: {online, lastSeenAt}. The
-- presence is also hidden from a caller to whom the user has never written, so that messaging a user who does not reply
-- reveals nothing, and if either user has blocked the other.
create view private.visible_presences as
  select s.user_id,
         jsonb_build_object(
           'online', coalesce(seen.is_online and s.show_online, false),
           'lastSeenAt', case
             when seen.at is null or not s.show_last_seen then null
             -- With the online status hidden, the time must not reveal it by being always now, by disappearing while the
             -- user is online, or by changing when they arrive: truncate it to the hour, and never return the current
             -- hour.
             when not s.show_online then least(date_trunc('hour', seen.at, 'UTC'),
                                               date_trunc('hour', now(), 'UTC') - interval '1 hour')
             when not seen.is_online then seen.at end) as presence
  from public.user_settings s
  left join lateral (
    select l.seen_at as at, l.seen_at > now() - interval '75 seconds' as is_online
    from private.last_seen l
    where l.user_id = s.user_id and (s.show_online or s.show_last_seen)
      and (select m.has_written from public.conversation_members m
           where m.user_id = s.user_id and m.partner_id = (select auth.uid()))
      and s.user_id <> all ((select private.blocked_user_ids())::uuid[])
  ) seen on true;

grant select on private.visible_presences to authenticated;

drop function private.visible_presence(uuid);
