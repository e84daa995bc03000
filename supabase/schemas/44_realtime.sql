-- Events to open pages: Realtime Broadcast on private topics.
--
-- * `user:<user id>` is read by that user and written by the database only.
-- * `conversation:<lower user id>:<higher user id>` can be read by each of its two users while that user may message
--   the other. A client can broadcast presence and typing there once its user has sent a message in the conversation.
--
-- Realtime checks the policies below when a client joins a topic and when its token is refreshed. The embedded
-- Realtime server also checks all members of a topic immediately when it receives the event `access.changed` there.

-- Topics -----------------------------------------------------------------------------------------------------------
-- Returns the topic of the conversation of two users.
create function private.conversation_topic(a uuid, b uuid) returns text
language sql immutable set search_path = ''
as $$ select 'conversation:' || least(a::text, b::text) || ':' || greatest(a::text, b::text) $$;

-- Returns whether the caller may join a topic as one of the two users of a conversation.
create function private.can_join_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid text := auth.uid()::text;
  parts text[] := string_to_array(topic, ':');
  other_user_id text;
begin
  if uid is null or array_length(parts, 1) <> 3 or parts[1] <> 'conversation' or parts[2] >= parts[3] then
    return false;
  end if;
  if parts[2] = uid then
    other_user_id := parts[3];
  elsif parts[3] = uid then
    other_user_id := parts[2];
  else
    return false;
  end if;
  if other_user_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  return private.message_refusal(other_user_id::uuid) is null;
end
$$;

grant execute on function private.can_join_conversation(text) to authenticated;

-- Returns whether the caller may read a topic.
create function private.can_read_topic(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return topic = 'user:' || auth.uid()::text or private.can_join_conversation(topic);
end
$$;

grant execute on function private.can_read_topic(text) to authenticated;

-- Returns whether the caller may broadcast (presence, typing) on a topic: only in a conversation in which they have
-- sent a message themselves.
create function private.can_broadcast_to_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  other_user_id uuid;
begin
  if not coalesce(private.can_join_conversation(topic), false) then return false; end if;
  other_user_id := case when split_part(topic, ':', 2) = uid::text then split_part(topic, ':', 3)
                        else split_part(topic, ':', 2) end;
  return exists (select from public.conversation_members m
                 where m.user_id = uid and m.partner_id = other_user_id and m.has_written);
end
$$;

grant execute on function private.can_broadcast_to_conversation(text) to authenticated;

-- Policies ---------------------------------------------------------------------------------------------------------
-- Requires an active session.
create policy ovation_active_session on realtime.messages as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users receive events on their own topic and on those of conversations that they may join.
create policy ovation_select on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.can_read_topic((select realtime.topic()))));

-- Users broadcast in conversations in which they have sent a message.
create policy ovation_insert on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence')
              and (select private.can_broadcast_to_conversation((select realtime.topic()))));

-- Sending events ---------------------------------------------------------------------------------------------------
-- Sends an event to a user's open pages. Realtime stores and delivers the event; an error there never fails the
-- transaction.
create function private.broadcast_to_user(recipient_id uuid, event text, payload jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send(payload, event, 'user:' || recipient_id::text, true);
end
$$;

-- Sends `access.changed` on the topics of a user's 200 latest conversations when the account's `read_only_reason`
-- changes, because a read-only account may not message anybody. private.on_profile_changed does the same when a user
-- turns direct messages on or off.
create function private.on_account_restricted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
  from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = new.user_id
        order by m.last_message_at desc limit 200) m;
  return null;
end
$$;

create trigger on_account_restricted after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_account_restricted();
