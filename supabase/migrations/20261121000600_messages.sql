-- Direct messages. A conversation counts its messages from 1 without a gap (`seq`), so that a page can tell from
-- the numbers alone whether something is missing. The ids of its two people outlive their accounts.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  user_low uuid not null,
  user_high uuid not null,
  last_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Compared as text, as the names of Realtime topics are.
  check (user_low::text < user_high::text),
  unique (user_low, user_high)
);
create index conversations_user_high_idx on public.conversations (user_high);

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  seq bigint not null,
  sender_id uuid not null default auth.uid(),
  receiver_id uuid not null,
  content text not null check (char_length(content) <= 5000 and content ~ '\S'),
  created_at timestamptz not null default clock_timestamp(),
  -- The thread: read backwards from its end, whatever its length.
  unique (conversation_id, seq)
);

create index messages_sender_id_idx on public.messages (sender_id);
create index messages_receiver_id_idx on public.messages (receiver_id);

create table public.conversation_members (
  user_id uuid not null references public.profiles (id) on delete cascade,
  other_id uuid not null,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  last_message_id uuid,
  last_message_at timestamptz not null default clock_timestamp(),
  last_read_seq bigint not null default 0,
  unread_count integer not null default 0 check (unread_count >= 0),
  primary key (user_id, other_id)
);
comment on table public.conversation_members is 'One row a person and conversation: their list, their read mark, their unread count.';
create index conversation_members_list_idx on public.conversation_members (user_id, last_message_at desc, other_id);
create index conversation_members_conversation_id_idx on public.conversation_members (conversation_id, user_id);
create index conversation_members_other_id_idx on public.conversation_members (other_id);
create index conversation_members_unread_idx on public.conversation_members (user_id) where unread_count > 0;

alter table public.conversations enable row level security;
alter table public.messages enable row level security;
alter table public.conversation_members enable row level security;

revoke all on public.conversations, public.messages, public.conversation_members from anon, authenticated;
grant select on public.conversations, public.messages, public.conversation_members to authenticated;
grant insert (id, sender_id, receiver_id, content) on public.messages to authenticated;
grant all on public.conversations, public.messages, public.conversation_members to service_role;

create policy conversations_alive on public.conversations as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy conversations_select on public.conversations for select to authenticated
  using (user_low = (select auth.uid()) or user_high = (select auth.uid()));

create policy messages_alive on public.messages as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy messages_select on public.messages for select to authenticated
  using (sender_id = (select auth.uid()) or receiver_id = (select auth.uid()));
create policy messages_insert on public.messages for insert to authenticated
  with check (sender_id = (select auth.uid()) and private.message_refusal(receiver_id) is null);

-- The other person's row tells how far they have read, unless the two are in a block.
create policy conversation_members_alive on public.conversation_members as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (
    user_id = (select auth.uid())
    or (other_id = (select auth.uid()) and user_id <> all ((select private.blocked_ids())::uuid[]))
  );

-- Places a message in its conversation. The conversation's row is locked from here to the commit, so numbers are
-- given in the order in which messages become visible, and the same id sent twice is stored once.
create function private.before_message_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  refusal text;
begin
  -- Policies are asked after this trigger: refuse here what they would refuse, before anything is counted.
  if auth.uid() is not null then
    if new.sender_id is distinct from auth.uid() then
      raise exception 'You can only send messages of your own.' using errcode = '42501';
    end if;
    refusal := private.message_refusal(new.receiver_id);
    if refusal is not null then
      raise exception '%', case refusal
          when 'recipient_not_found' then 'Recipient not found'
          when 'direct_messages_disabled' then 'This user has disabled direct messages'
          else 'This account is read-only.' end
        using errcode = case refusal when 'recipient_not_found' then 'PT404' else 'PT403' end, detail = refusal;
    end if;
  end if;
  -- An id that names another message of another pair: refused before an empty conversation is made for it.
  if exists (select from public.messages m where m.id = new.id
             and (m.sender_id, m.receiver_id) is distinct from (new.sender_id, new.receiver_id)) then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  insert into public.conversations as c (user_low, user_high) values (low, high)
  on conflict (user_low, user_high) do update set last_seq = c.last_seq
  returning c.id into new.conversation_id;
  if exists (select from public.messages m where m.id = new.id) then return null; end if;
  if auth.uid() is not null then
    perform private.enforce_rate('messages', auth.uid(), 60, '1 minute');
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.id = new.conversation_id
  returning c.last_seq into new.seq;
  return new;
end
$$;
create trigger before_message_insert before insert on public.messages
  for each row execute function private.before_message_insert();

create function private.message_json(message public.messages, is_read boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at, 'isRead', is_read)
$$;

create function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, false);
  conversation_unread integer;
  total integer;
begin
  insert into public.conversation_members as m
    (user_id, other_id, conversation_id, last_message_id, last_message_at, last_read_seq)
  values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, 0)
  on conflict (user_id, other_id) do update
    set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at;

  insert into public.conversation_members as m
    (user_id, other_id, conversation_id, last_message_id, last_message_at, unread_count)
  values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1)
  on conflict (user_id, other_id) do update
    set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at,
        unread_count = m.unread_count + 1
  returning m.unread_count into conversation_unread;

  if new.seq = 1 then
    perform private.notify_person(new.receiver_id, new.sender_id, 'message');
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages into total;

  perform private.tell(new.receiver_id, 'message.created', jsonb_build_object(
    'message', message, 'otherUserId', new.sender_id, 'unreadTotal', total, 'unreadCount', conversation_unread));
  perform private.tell(new.sender_id, 'message.created', jsonb_build_object(
    'message', message, 'otherUserId', new.receiver_id,
    'unreadTotal', (select c.unread_messages from public.user_counters c where c.user_id = new.sender_id),
    'unreadCount', (select m.unread_count from public.conversation_members m
                    where m.user_id = new.sender_id and m.other_id = new.receiver_id)));
  return null;
end
$$;
create trigger on_message_created after insert on public.messages
  for each row execute function private.on_message_created();

-- Marks the caller's thread with one person read up to its last message; answers whether anything changed.
create function private.read_conversation(reader uuid, other uuid) returns boolean
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
  update public.conversation_members m set last_read_seq = thread.last_seq, unread_count = 0
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

create function private.mark_conversation_read(other uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return false; end if;
  return private.read_conversation((select auth.uid()), other);
end
$$;

-- Marks every thread of the caller read; answers how many there were. All conversations are locked before the first
-- count changes, in the order of their ids: a message that is arriving holds its conversation and waits for the count.
create function private.mark_all_conversations_read() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  others uuid[];
  other uuid;
  done integer := 0;
begin
  if not private.session_alive() then return 0; end if;
  with locked as materialized (
    select c.id, case when c.user_low = uid then c.user_high else c.user_low end as other_id
    from public.conversations c
    where c.id in (select m.conversation_id from public.conversation_members m
                   where m.user_id = uid and m.unread_count > 0)
    order by c.id
    for update
  )
  select array_agg(l.other_id) into others from locked l;
  foreach other in array coalesce(others, '{}') loop
    if private.read_conversation(uid, other) then done := done + 1; end if;
  end loop;
  return done;
end
$$;

-- The card of somebody the caller has a conversation with: a block hides the profile, yet the old thread must
-- still say whose it was. Null for anybody else, and for an account that is gone.
create function private.peer(other uuid) returns public.profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  found_profile public.profiles;
begin
  if exists (select from public.conversation_members m where m.user_id = (select auth.uid()) and m.other_id = other) then
    select p.* into found_profile from public.profiles p where p.id = other;
  end if;
  return found_profile;
end
$$;

create trigger limit_settings before update on public.profiles
  for each row execute function private.limit_writes('settings', '30');

-- Switching direct messages off or on changes who may stay on the person's conversation channels. Those of their
-- latest conversations are asked again at once; an older one, if it is open at all, when its token is next checked.
create function private.on_profile_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell(new.id, 'profile.changed', jsonb_build_object('userId', new.id));
  if old.allow_direct_messages is distinct from new.allow_direct_messages then
    perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.other_id), true)
    from (select m.user_id, m.other_id from public.conversation_members m where m.user_id = new.id
          order by m.last_message_at desc limit 200) m;
  end if;
  return null;
end
$$;
create trigger on_profile_changed after update on public.profiles
  for each row when (old.* is distinct from new.*) execute function private.on_profile_changed();

revoke execute on all functions in schema private from public;
grant execute on function private.message_json(public.messages, boolean)
  to anon, authenticated, service_role;
grant execute on function private.mark_conversation_read(uuid), private.mark_all_conversations_read(),
  private.peer(uuid) to authenticated;
