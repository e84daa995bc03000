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

-- The conversation is written once for each message: locked, then numbered.
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
    perform private.require_message_to(new.receiver_id);
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- Not left to the constraint: the database would log a part of what was written with its failure.
    if char_length(new.content) > 5000 then
      raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
    end if;
  end if;
  select c.id into new.conversation_id from public.conversations c
  where c.user_low = low and c.user_high = high for no key update;
  if not found then
    insert into public.conversations as c (user_low, user_high) values (low, high)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq
    returning c.id into new.conversation_id;
  end if;
  -- Asked once nobody else can send here. An id that names another message of another pair is refused, and with it
  -- the conversation that was made for it.
  select * into known from public.messages m where m.id = new.id;
  if found then
    if (known.sender_id, known.receiver_id) is distinct from (new.sender_id, new.receiver_id) then
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
    end if;
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
  update public.conversations c set last_seq = c.last_seq + 1
  where c.id = new.conversation_id
  returning c.last_seq into new.seq;
  return new;
end
$$;

create or replace function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, false);
  senders_unread integer;
  receivers_unread integer;
  total integer;
begin
  insert into public.conversation_members as m
    (user_id, other_id, conversation_id, last_message_id, last_message_at, has_written)
  values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
  on conflict (user_id, other_id) do update
    set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
  returning m.unread_count into senders_unread;

  insert into public.conversation_members as m
    (user_id, other_id, conversation_id, last_message_id, last_message_at, unread_count, unread_since)
  values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1, new.created_at)
  on conflict (user_id, other_id) do update
    set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at,
        unread_count = m.unread_count + 1, unread_since = coalesce(m.unread_since, excluded.unread_since)
  returning m.unread_count into receivers_unread;

  if new.seq = 1 then
    perform private.notify_person(new.receiver_id, new.sender_id, 'message', message => new.id);
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages into total;
  perform private.tell(new.receiver_id, 'message.created', jsonb_build_object(
    'message', message, 'otherUserId', new.sender_id, 'unreadTotal', total, 'unreadCount', receivers_unread));

  select c.unread_messages into total from public.user_counters c where c.user_id = new.sender_id;
  perform private.tell(new.sender_id, 'message.created', jsonb_build_object(
    'message', message, 'otherUserId', new.receiver_id, 'unreadTotal', total, 'unreadCount', senders_unread));
  return null;
end
$$;
