-- What sending a message costs, and nothing of what it means.

-- A function of SQL that cannot be taken into its caller is planned anew in each statement that calls it; one of PL/pgSQL
-- is planned once a connection.
create or replace function private.setting_on(setting text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select s.value = 'true'::jsonb from private.settings s where s.key = setting), false);
end
$$;

create or replace function private.fold(value text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  -- In plain ASCII only the case can differ.
  if octet_length(value) = char_length(value) then return lower(value collate pg_catalog.pg_c_utf8); end if;
  return replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss');
end
$$;

create or replace function private.is_blank(written text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(written, '') !~ '[^\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]';
end
$$;

create or replace function private.tell(receiver uuid, event text, payload jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send(payload, event, 'user:' || receiver::text, true);
end
$$;

-- The receiver and both blocks in one query.
create or replace function private.message_refusal(receiver uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  allows boolean;
  blocked boolean;
begin
  select p.allow_direct_messages,
         exists (select from public.blocks b where b.blocker_id = uid and b.blocked_id = receiver)
         or exists (select from public.blocks b where b.blocker_id = receiver and b.blocked_id = uid)
  into allows, blocked
  from public.profiles p where p.id = receiver;
  if not found or receiver = uid or blocked then return 'recipient_not_found'; end if;
  if not allows then return 'direct_messages_disabled'; end if;
  if not private.may_write() then return 'account_read_only'; end if;
  return null;
end
$$;

-- The conversation is written once for each message: numbering it is what locks it.
create or replace function private.before_message_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  known public.messages;
  picture public.media;
begin
  -- Policies are asked after this trigger: refuse here what they would refuse, before anything is counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages of your own.' using errcode = '42501';
    end if;
    -- Asked again for its words only when there is something to refuse.
    if private.message_refusal(new.receiver_id) is not null then
      perform private.require_message_to(new.receiver_id);
    end if;
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- Not left to the constraint: the database would log a part of what was written with its failure.
    if char_length(new.content) > 5000 then
      raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
    end if;
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.user_low = low and c.user_high = high
  returning c.id, c.last_seq into new.conversation_id, new.seq;
  if not found then
    insert into public.conversations as c (user_low, user_high, last_seq) values (low, high, 1)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq + 1
    returning c.id, c.last_seq into new.conversation_id, new.seq;
  end if;
  -- Asked once nobody else can send here. An id that names another message of another pair is refused, and with it
  -- the conversation that was made for it.
  select * into known from public.messages m where m.id = new.id;
  if found then
    if (known.sender_id, known.receiver_id) is distinct from (new.sender_id, new.receiver_id) then
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
    end if;
    -- Its number was taken when it was stored.
    update public.conversations c set last_seq = c.last_seq - 1 where c.id = new.conversation_id;
    return null;
  end if;
  if new.reply_to_id is not null and not exists (
    select from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise exception 'The message you answer is not in this conversation.' using errcode = 'PT400';
  end if;
  if uid is not null then
    perform private.enforce_rate('messages', uid, 60, '1 minute');
  end if;
  if new.media_id is not null then
    if uid is not null then
      picture := private.take_media(new.media_id, 'image');
    else
      select * into picture from public.media m where m.id = new.media_id;
    end if;
    new.media_width := picture.width;
    new.media_height := picture.height;
    new.placeholder := picture.placeholder;
  end if;
  return new;
end
$$;

-- Both rows are there from the first message on, and the conversation is locked: an update finds them, which costs less
-- than an insert that runs into them.
create or replace function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, false);
  senders_unread integer;
  receivers_unread integer;
  senders_total integer;
  receivers_total integer;
begin
  update public.conversation_members m
  set last_message_id = new.id, last_message_at = new.created_at
  where m.user_id = new.sender_id and m.other_id = new.receiver_id and m.has_written
  returning m.unread_count into senders_unread;
  if not found then
    insert into public.conversation_members as m
      (user_id, other_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
    on conflict (user_id, other_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
    returning m.unread_count into senders_unread;
    -- From the first message on its sender may show that they are here: see private.may_speak_in.
    perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                          private.conversation_topic(new.sender_id, new.receiver_id), true);
  end if;

  update public.conversation_members m
  set last_message_id = new.id, last_message_at = new.created_at,
      unread_count = m.unread_count + 1, unread_since = coalesce(m.unread_since, new.created_at)
  where m.user_id = new.receiver_id and m.other_id = new.sender_id
  returning m.unread_count into receivers_unread;
  if not found then
    insert into public.conversation_members as m
      (user_id, other_id, conversation_id, last_message_id, last_message_at, unread_count, unread_since)
    values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1, new.created_at)
    returning m.unread_count into receivers_unread;
  end if;

  if new.seq = 1 then
    perform private.notify_person(new.receiver_id, new.sender_id, 'message', message => new.id);
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages,
            (select s.unread_messages from public.user_counters s where s.user_id = new.sender_id)
  into receivers_total, senders_total;
  -- As private.tell does, in one statement for both: the receiver hears of it first.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receivers_total, 'unreadCount', receivers_unread),
      'message.created', 'user:' || new.receiver_id::text, true),
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', senders_total, 'unreadCount', senders_unread),
      'message.created', 'user:' || new.sender_id::text, true);
  return null;
end
$$;

-- Sends a message of the caller; answers it as JSON, or null where it is stored already. With its owner's rights, which
-- spare the policies: the trigger above refuses first whatever they would, a session that has ended included.
create function private.send_message(message uuid, receiver uuid, written text, picture uuid, answered uuid)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  item text;
begin
  -- Without a caller the trigger would take it for one of the database's own.
  if uid is null then raise exception 'Only people send messages.' using errcode = '42501'; end if;
  insert into public.messages (id, sender_id, receiver_id, content, media_id, reply_to_id)
  values (message, uid, receiver, written, picture, answered)
  returning private.message_json(messages, false)::text into item;
  return item;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.send_message(uuid, uuid, text, uuid, uuid) to authenticated;
