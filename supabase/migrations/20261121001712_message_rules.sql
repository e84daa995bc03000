-- Who may change a message, where a thread and the list of threads go on, and who says something on a topic of two.

-- Asked before what somebody sent is looked at, too: whoever may not change a message hears so, whatever they wanted
-- it to say ---------------------------------------------------------------------------------------------------

-- One of the caller's messages or one to the caller, as it is.
create function private.require_message(message uuid) returns public.messages
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  found_message public.messages;
begin
  if private.session_alive() then
    select * into found_message from public.messages m where m.id = message and uid in (m.sender_id, m.receiver_id);
  end if;
  if found_message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  return found_message;
end
$$;

-- Refuses whoever may not, or no longer, edit a message.
create function private.require_edit(message uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'Only its sender can edit a message.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if old.created_at < clock_timestamp() - interval '15 minutes' then
    raise exception 'A message can be edited for 15 minutes.' using errcode = 'PT403', detail = 'edit_window_over';
  end if;
  perform private.require_message_to(old.receiver_id);
end
$$;

-- Refuses whoever may not react to a message.
create function private.require_react(message uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message);
begin
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  perform private.require_message_to(case when old.sender_id = auth.uid() then old.receiver_id else old.sender_id end);
end
$$;

-- Reading -----------------------------------------------------------------------------------------------------

-- Marks the caller's thread with one person read up to its last message; answers whether anything changed.
create or replace function private.read_conversation(reader uuid, other uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  thread public.conversations;
  was_unread integer;
  total integer;
begin
  select c.* into thread from public.conversations c
  where c.user_low = least(reader::text, other::text)::uuid and c.user_high = greatest(reader::text, other::text)::uuid
  for update;
  if not found then return false; end if;
  select m.unread_count into was_unread from public.conversation_members m
  where m.user_id = reader and m.other_id = other;
  update public.conversation_members m set last_read_seq = thread.last_seq, unread_count = 0, unread_since = null
  where m.user_id = reader and m.other_id = other
    and (m.last_read_seq < thread.last_seq or m.unread_count > 0);
  if not found then return false; end if;
  update public.user_counters c set unread_messages = greatest(0, c.unread_messages - was_unread)
  where c.user_id = reader
  returning c.unread_messages into total;
  perform private.tell(reader, 'conversation.read', jsonb_build_object(
    'otherUserId', other, 'readerId', reader, 'lastReadSeq', thread.last_seq, 'unreadTotal', total));
  -- Within a block neither learns when the other is here.
  if private.are_blocked(reader, other) then return true; end if;
  perform private.tell(other, 'conversation.read', jsonb_build_object(
    'otherUserId', reader, 'readerId', reader, 'lastReadSeq', thread.last_seq,
    'unreadTotal', coalesce((select c.unread_messages from public.user_counters c where c.user_id = other), 0)));
  return true;
end
$$;

-- Places in a thread and in the list -------------------------------------------------------------------------
--
-- Read with their owner's rights: the policies ask 'sent or received by the caller', for which the planner may read
-- everything somebody ever wrote rather than follow the order of one thread. Messages are given out as ids; what is
-- shown of them is read by the caller under the policies.

create function private.thread_with(other uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.session_alive() then return null; end if;
  return (select c.id from public.conversations c
          where c.user_low = least(uid::text, other::text)::uuid and c.user_high = greatest(uid::text, other::text)::uuid);
end
$$;

-- The newest messages of the caller's thread with somebody, or those before one of them (with `itself`: up to it), the
-- newest first. None before a message that is not in it.
create function private.thread_back(other uuid, before uuid, itself boolean, most integer)
returns table (id uuid, place bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread uuid := private.thread_with(other);
  beginning bigint := 9223372036854775807;
begin
  if before is not null then
    select m.seq + itself::integer into beginning from public.messages m
    where m.id = before and m.conversation_id = thread;
  end if;
  return query
    select m.id, m.seq from public.messages m
    where m.conversation_id = thread and m.seq < beginning
    order by m.seq desc limit most;
end
$$;

-- Those right after one message, the oldest first.
create function private.thread_forth(other uuid, after uuid, most integer) returns table (id uuid, place bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread uuid := private.thread_with(other);
  beginning bigint := (select m.seq from public.messages m where m.id = after and m.conversation_id = thread);
begin
  return query
    select m.id, m.seq from public.messages m
    where m.conversation_id = thread and m.seq > beginning
    order by m.seq limit most;
end
$$;

-- Those whose last change came after the one of this number, by the numbers of their last changes.
create function private.thread_changes(other uuid, changed_after bigint, most integer)
returns table (id uuid, place bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread uuid := private.thread_with(other);
begin
  return query
    select m.id, m.version from public.messages m
    -- Only what has changed at all is in the index.
    where m.conversation_id = thread and m.version > 0 and m.version > changed_after
    order by m.version limit most;
end
$$;

-- What one says on a conversation's topic --------------------------------------------------------------------------

-- Being here and typing are shown by those who have written in the conversation themselves: writing to somebody who
-- does not answer buys nothing there either.
create function private.may_speak_in(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  other uuid;
begin
  if not coalesce(private.may_use_conversation(topic), false) then return false; end if;
  other := case when split_part(topic, ':', 2) = uid::text then split_part(topic, ':', 3)
                else split_part(topic, ':', 2) end;
  return exists (select from public.conversation_members m
                 where m.user_id = uid and m.other_id = other and m.has_written);
end
$$;

alter policy ovation_insert on realtime.messages
  with check (extension in ('broadcast', 'presence') and (select private.may_speak_in((select realtime.topic()))));

drop index public.conversation_members_list_idx;
create index conversation_members_list_idx on public.conversation_members
  (user_id, last_message_at desc, other_id desc);

-- The caller's conversations, the latest first, from behind one of them.
create function private.latest_conversations(after_time timestamptz, after_id uuid, most integer)
returns table (other_id uuid, last_message_id uuid, last_message_at timestamptz, unread_count integer,
               has_written boolean)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.session_alive() then return; end if;
  return query
    select m.other_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
    from public.conversation_members m
    where m.user_id = uid
      and (m.last_message_at, m.other_id) <
          (coalesce(after_time, 'infinity'), coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by m.last_message_at desc, m.other_id desc limit most;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.require_edit(uuid), private.require_react(uuid), private.require_message_to(uuid),
  private.thread_back(uuid, uuid, boolean, integer), private.thread_forth(uuid, uuid, integer),
  private.thread_changes(uuid, bigint, integer), private.latest_conversations(timestamptz, uuid, integer),
  private.may_speak_in(text)
  to authenticated;
