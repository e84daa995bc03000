-- Direct messages between two users.
--
-- Rules:
-- * The messages of a conversation are numbered from 1 without gaps (`seq`), so a client that sees a gap knows that a
--   message is missing. Later changes, such as edits, deletions and reactions, are numbered separately (`version`).
-- * Adding or changing a message first locks the conversation's row until the end of the transaction, so both numbers
--   follow the commit order.
-- * The client chooses a message's id. Sending the same message twice stores it once.
-- * Conversations and messages outlive their users' accounts, so user ids are stored without foreign keys.
-- * If the photo of a message has a price, the message does not refer to the upload until the receiver has paid. Until
--   then, only private.paid_photos contains the reference, so nothing that reads messages can reveal the photo: see
--   51_paid_photos.
-- * Functions that read threads run with their owner's privileges: under the policies ("sent or received by the
--   caller"), the planner might read everything that a user has ever written instead of using one index.
-- See docs/decisions/010-messages-and-notifications.md.

-- Conversations ----------------------------------------------------------------------------------------------------
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  user_low uuid not null,
  user_high uuid not null,
  -- Number of the latest message.
  last_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  last_change bigint not null default 0,
  -- Compared as text, like the ids in the names of Realtime topics.
  check (user_low::text < user_high::text),
  unique (user_low, user_high)
);

comment on column public.conversations.last_change is 'Number of the latest change, such as an edit, deletion or reaction.';

create index conversations_user_high_idx on public.conversations (user_high);

alter table public.conversations enable row level security;
revoke all on public.conversations from anon, authenticated, service_role;
grant select on public.conversations to authenticated;
grant all on public.conversations to service_role;

-- Requires an active session; an access token also needs the `messages` scope.
create policy conversations_active_session on public.conversations as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Users see their own conversations.
create policy conversations_select on public.conversations for select to authenticated
  using (user_low = (select auth.uid()) or user_high = (select auth.uid()));

-- Messages ---------------------------------------------------------------------------------------------------------
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  seq bigint not null,
  sender_id uuid not null default auth.uid(),
  receiver_id uuid not null,
  content text not null check (char_length(content) <= 5000),
  created_at timestamptz not null default clock_timestamp(),
  version bigint not null default 0,
  edited_at timestamptz,
  -- A deleted message keeps its place and number, but its content is cleared.
  deleted_at timestamptz,
  reply_to_id uuid references public.messages (id) on delete set null,
  media_id uuid references public.media (id),
  -- Size, duration and placeholder are copied from the upload when the message is sent. Only a voice message has a
  -- duration.
  media_width integer check (media_width > 0),
  media_height integer check (media_height > 0),
  placeholder text,
  -- [{"emoji", "userId"}], oldest first, at most sixteen. Written by private.toggle_reaction; cleared when the message
  -- is deleted or hidden.
  reactions jsonb not null default '[]',
  -- Set if the message was sent to all of the sender's subscribers (see 41_mass_messages). Not a foreign key, because
  -- the message outlives the sender's account.
  mass_message_id uuid,
  -- Stored, because normalizing the text of thousands of messages takes longer than reading the normalized text.
  search_text text not null generated always as (private.normalize_search(content)) stored,
  media_duration integer, -- seconds
  -- The price of a paid photo. While `media_id` is null, the photo is locked.
  price_cents integer check (price_cents between 100 and 99999),
  -- The index of this constraint is also used to read the pages of a thread.
  unique (conversation_id, seq)
);

comment on column public.messages.version is
  'Number of the latest change to this message within the conversation; 0 if it never changed.';

create index messages_reply_to_id_idx on public.messages (reply_to_id) where reply_to_id is not null;

-- The policy on media uses this index to find the message that an upload belongs to.
create unique index messages_media_id_key on public.messages (media_id) where media_id is not null;

-- For the photos of a thread.
create index messages_photos_idx on public.messages (conversation_id, seq)
  where media_id is not null and media_duration is null;

create unique index messages_mass_message_id_key on public.messages (mass_message_id, receiver_id)
  where mass_message_id is not null;

create index messages_changes_idx on public.messages (conversation_id, version) where version > 0;

-- Covers both conditions of a search, the user and the text, so that a word that is frequent on the whole platform does
-- not slow down the search.
create index messages_search_idx on public.messages
  using gin ((array[sender_id, receiver_id]), search_text extensions.gin_trgm_ops);

create index messages_sender_id_idx on public.messages (sender_id, created_at desc, id desc);

create index messages_receiver_id_idx on public.messages (receiver_id, created_at desc, id desc);

alter table public.messages enable row level security;
revoke all on public.messages from anon, authenticated, service_role;
grant select on public.messages to authenticated;
grant all on public.messages to service_role;
-- The other columns have defaults or are set by private.before_message_insert.
grant insert (id, sender_id, receiver_id, content, reply_to_id, media_id) on public.messages to authenticated;

-- Requires an active session; an access token also needs the `messages` scope.
create policy messages_active_session on public.messages as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Users see the messages that they sent or received.
create policy messages_select on public.messages for select to authenticated
  using (sender_id = (select auth.uid()) or receiver_id = (select auth.uid()));

-- Users send as themselves, and only to users whom they may message.
create policy messages_insert on public.messages for insert to authenticated
  with check (sender_id = (select auth.uid()) and private.message_refusal(receiver_id) is null);

-- Conversation members ---------------------------------------------------------------------------------------------
-- Kept up to date in the transaction that writes a message, so the cost of listing conversations does not depend on
-- the number of messages. A row is deleted with its user's account.
create table public.conversation_members (
  user_id uuid not null references public.profiles (id) on delete cascade,
  partner_id uuid not null,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- Null if the conversation contains only mass messages that the user sent.
  last_message_id uuid,
  last_message_at timestamptz not null default clock_timestamp(),
  last_read_seq bigint not null default 0,
  unread_count integer not null default 0 check (unread_count >= 0),
  -- When the first unread message arrived, not counting deleted messages. Determines when an email about unread
  -- messages is due.
  unread_since timestamptz,
  -- Whether the user has sent a message in the conversation.
  has_written boolean not null default false,
  primary key (user_id, partner_id),
  check (unread_count > 0 or unread_since is null)
);

comment on table public.conversation_members is
  'One row per user and conversation: list order, read position and unread count.';

create index conversation_members_conversation_id_idx on public.conversation_members (conversation_id, user_id);

create index conversation_members_partner_id_idx on public.conversation_members (partner_id);

create index conversation_members_list_idx on public.conversation_members
  (user_id, last_message_at desc, partner_id desc);

-- For the filters of the conversation list.
create index conversation_members_unread_idx on public.conversation_members
  (user_id, last_message_at desc, partner_id desc) where unread_count > 0;

create index conversation_members_requests_idx on public.conversation_members
  (user_id, last_message_at desc, partner_id desc) where not has_written;

-- For private.due_digests.
create index conversation_members_waiting_idx on public.conversation_members (unread_since)
  where unread_since is not null;

alter table public.conversation_members enable row level security;
revoke all on public.conversation_members from anon, authenticated, service_role;
grant select on public.conversation_members to authenticated;
grant all on public.conversation_members to service_role;

-- Requires an active session; an access token also needs the `messages` scope.
create policy conversation_members_active_session on public.conversation_members as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Users see their own rows and, in the same conversations, the rows of their partners, which show how far a partner has
-- read. A block hides the partner's row.
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (
    user_id = (select auth.uid())
    or (partner_id = (select auth.uid()) and user_id <> all ((select private.blocked_user_ids())::uuid[]))
  );

-- Who may message whom ---------------------------------------------------------------------------------------------
-- For each user, why the caller may not message them, as an API error code; null if the caller may. This is a view so
-- that a query for many users reads the caller's own data (blocks, account, email address) once, rather than once per
-- user.
create view private.message_refusals as
  select p.id as receiver_id,
         case
           when p.id = (select auth.uid()) or p.id = any ((select private.blocked_user_ids())::uuid[])
             then 'recipient_not_found'
           when not p.allow_direct_messages then 'direct_messages_disabled'
           when not (select private.can_write()) then 'account_read_only'
           -- With an unconfirmed address, the caller can only message their followers and reply in existing
           -- conversations.
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
create function private.message_refusal(receiver_id uuid) returns text
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

grant execute on function private.message_refusal(uuid) to anon, authenticated, service_role;

-- Raises an error if the caller may not message a user.
create function private.require_can_message(receiver_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  refusal text := private.message_refusal(receiver_id);
begin
  if refusal is null then return; end if;
  raise exception '%', case refusal
      when 'recipient_not_found' then 'Recipient not found'
      when 'direct_messages_disabled' then 'This user has disabled direct messages'
      when 'email_unconfirmed' then 'Confirm your email address before you message people who don''t follow you.'
      else 'This account is read-only.' end
    using errcode = case refusal when 'recipient_not_found' then 'PT404' else 'PT403' end, detail = refusal;
end
$$;

grant execute on function private.require_can_message(uuid) to authenticated;

-- Raises an error if a message cannot have this text. Only a message with an upload may be blank.
create function private.require_message_text(content text, has_upload boolean) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if not has_upload and private.is_blank(content) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- A violation of the check constraint would write part of the message to the server's log.
  if char_length(content) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
end
$$;

-- Sending messages -------------------------------------------------------------------------------------------------
-- Sends a message from the caller. Returns it as JSON text, or null if it is already stored. Runs with its owner's
-- privileges to save the cost of the policies: the trigger private.before_message_insert rejects everything that they
-- would reject, including an ended session. The only exception is an access token without the `messages` scope, which
-- the API rejects.
--
-- `price` is the price of the photo in US dollars, or null.
create function private.send_message(
  message_id uuid, receiver_id uuid, new_content text, upload_id uuid, reply_to_message_id uuid,
  price numeric default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  item text;
begin
  -- The trigger skips its checks if there is no caller, because seeds insert messages too.
  if uid is null then raise exception 'Sending a message requires a signed-in user.' using errcode = '42501'; end if;
  insert into public.messages (id, sender_id, receiver_id, content, media_id, reply_to_id, price_cents)
  values (message_id, uid, receiver_id, new_content, upload_id, reply_to_message_id, (price * 100)::integer)
  returning private.message_json(messages, null)::text into item;
  -- The paid photo was stored during the insert, so `returning` does not see it.
  if price is not null and item is not null then
    select private.message_json(m, null, uid)::text into item from public.messages m where m.id = message_id;
  end if;
  return item;
end
$$;

grant execute on function private.send_message(uuid, uuid, text, uuid, uuid, numeric) to authenticated;

-- Validates a message and assigns its conversation and number. Numbering locks the conversation's row until the
-- transaction ends, so messages become visible in the order of their numbers. The same message sent twice is stored
-- once.
create function private.before_message_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  stored public.messages;
  upload public.media;
begin
  -- Policies are checked after this trigger, so this trigger rejects what they would reject, before anything is
  -- counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages as yourself.' using errcode = '42501';
    end if;
    -- private.require_can_message looks up the reason again, so call it only if there is one.
    if private.message_refusal(new.receiver_id) is not null then
      perform private.require_can_message(new.receiver_id);
    end if;
    perform private.require_message_text(new.content, new.media_id is not null);
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.user_low = low and c.user_high = high
  returning c.id, c.last_seq into new.conversation_id, new.seq;
  if not found then
    insert into public.conversations as c (user_low, user_high, last_seq) values (low, high, 1)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq + 1
    returning c.id, c.last_seq into new.conversation_id, new.seq;
  end if;
  -- Checked under the lock, when nobody else can send in this conversation. If the id is taken, the error also rolls
  -- back a conversation that was created just above.
  select * into stored from public.messages m where m.id = new.id;
  if found then
    if (stored.sender_id, stored.receiver_id) is distinct from (new.sender_id, new.receiver_id) then
      raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
    end if;
    -- The stored message keeps its number, so release the number that was just assigned.
    update public.conversations c set last_seq = c.last_seq - 1 where c.id = new.conversation_id;
    return null;
  end if;
  if new.reply_to_id is not null and not exists (
    select from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise exception 'The message you are replying to is not in this conversation.' using errcode = 'PT400';
  end if;
  if uid is not null then
    perform private.enforce_rate_limit('messages', uid, 60, '1 minute');
  end if;
  if new.media_id is not null then
    if uid is not null then
      upload := private.claim_media(new.media_id,
        case when exists (select from public.media m where m.id = new.media_id and m.kind = 'audio')
             then 'audio' else 'image' end);
    else
      select * into upload from public.media m where m.id = new.media_id;
    end if;
    if upload.kind = 'audio' and new.content <> '' then
      raise exception 'A voice message cannot contain text or an image.' using errcode = 'PT400';
    end if;
    new.media_width := upload.width;
    new.media_height := upload.height;
    new.media_duration := upload.duration_seconds;
    new.placeholder := upload.placeholder;
  end if;
  if new.price_cents is not null then
    perform private.store_paid_photo(new);
    new.media_id := null;
  end if;
  return new;
end
$$;

create trigger before_message_insert before insert on public.messages
  for each row execute function private.before_message_insert();

-- Updates both members' rows and the receiver's counter, notifies the receiver of a conversation's first message, and
-- sends the message to both users' open pages. Tries an update before an insert: once both have member rows, an update
-- is cheaper than an insert that conflicts. A mass message does not move up the sender's existing conversations, and
-- adds new ones at the end of the sender's list, so that it does not push conversations with unread messages out of
-- sight.
create function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, null);
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
    where m.conversation_id = new.conversation_id
      and (m.user_id = new.receiver_id or (m.has_written and new.mass_message_id is null))
    returning m.user_id, m.unread_count
  )
  select max(u.unread_count) filter (where u.user_id = new.sender_id),
         max(u.unread_count) filter (where u.user_id = new.receiver_id)
  into sender_unread_count, receiver_unread_count
  from updated u;
  if sender_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id,
            case when new.mass_message_id is null then new.id end,
            case when new.mass_message_id is null then new.created_at else 'epoch' end, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
      where new.mass_message_id is null
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast in this conversation: see
    -- private.can_broadcast_to_conversation.
    if found then
      perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                            private.conversation_topic(new.sender_id, new.receiver_id), true);
    end if;
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
  -- Like private.broadcast_to_user, but in one statement for both users, the receiver first. For a mass message, the
  -- sender gets another event: see private.finish_mass_message.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    case when new.mass_message_id is null then realtime.send(jsonb_build_object(
      'message', case when new.price_cents is null then message else private.with_locked_photo(message, new) end,
      'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true) end;
  return null;
end
$$;

create trigger on_message_created after insert on public.messages
  for each row execute function private.on_message_created();

-- Reading conversations --------------------------------------------------------------------------------------------
-- A message as the API returns it: a `ChatMessage`.
create type private.chat_message as (
  id uuid,
  seq bigint,
  "senderId" uuid,
  "receiverId" uuid,
  content text,
  "createdAt" timestamptz,
  "isRead" boolean,
  "toSubscribers" boolean,
  version bigint,
  "editedAt" timestamptz,
  deleted boolean,
  "imageUrl" text,
  "imageWidth" integer,
  "imageHeight" integer,
  placeholder text,
  voice json,
  "paidPhoto" json,
  "replyTo" json,
  reactions jsonb
);

-- Builds the JSON of a message for the user `reader_id`. `receiver_read_seq` is how far the receiver has read the
-- conversation, or null. Runs with the privileges of the calling query, so when a user runs the query, the policies
-- apply to the quoted message. Contains a locked photo only if the reader is its sender. Returns json and uses
-- row_to_json, because building jsonb or using json_build_object takes twice as long.
create function private.message_json(message public.messages, receiver_read_seq bigint, reader_id uuid default null)
returns json
language plpgsql stable set search_path = ''
as $$
declare
  quoted json;
  paid_photo json;
begin
  if message.price_cents is not null then
    paid_photo := json_build_object('price', message.price_cents / 100.0, 'unlocked', message.media_id is not null);
    if message.media_id is null and message.sender_id = reader_id then
      message.media_id := private.paid_photo_media_id(message.id);
    end if;
  end if;
  if message.reply_to_id is not null then
    select json_build_object(
      'id', q.id, 'seq', q.seq, 'senderId', q.sender_id, 'content', left(q.content, 200),
      'hasImage', (q.media_id is not null or q.price_cents is not null) and q.media_duration is null,
      'voiceSeconds', q.media_duration,
      'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return row_to_json(row(
    message.id, message.seq, message.sender_id, message.receiver_id, message.content, message.created_at,
    coalesce(message.seq <= receiver_read_seq, false), message.mass_message_id is not null,
    message.version, message.edited_at, message.deleted_at is not null,
    case when message.media_duration is null then '/api/media/' || message.media_id end,
    message.media_width, message.media_height,
    case when message.media_duration is null then message.placeholder end,
    case when message.media_duration is not null then json_build_object(
      'url', '/api/media/' || message.media_id, 'seconds', message.media_duration, 'levels', message.placeholder) end,
    paid_photo, quoted, message.reactions
  )::private.chat_message);
end
$$;

grant execute on function private.message_json(public.messages, bigint, uuid) to anon, authenticated, service_role;

-- Returns whether the receiver of one of the caller's messages has access to the premium post that the message links
-- to: 'none', 'unlocked', or 'included' in their subscription. Returns null if the post is not the caller's, if either
-- user has blocked the other, or if the receiver's account was deleted. This reveals no additional sales: the caller's
-- earnings show the same ones.
create function private.linked_post_access(message_id uuid, linked_post_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when exists (select from public.unlocks u where u.user_id = receiver.id and u.post_id = p.id) then 'unlocked'
    when p.included_in_subscription and private.is_subscribed(receiver.id, p.author_id) then 'included'
    else 'none' end
  from public.messages m
  join public.posts p
    on p.id = linked_post_id and p.author_id = m.sender_id and p.is_premium and p.hidden is distinct from 'removed'
  join public.profiles receiver on receiver.id = m.receiver_id
  where m.id = message_id and m.sender_id = auth.uid() and (select private.can_use_messages())
    and strpos(lower(m.content), '/post/' || p.id::text) > 0
    and not private.are_blocked(receiver.id, m.sender_id)
$$;

grant execute on function private.linked_post_access(uuid, uuid) to authenticated;

-- Lists the caller's conversations, latest first. The `after_…` parameters identify the last row of the previous
-- page, or are null for the first page.
create function private.list_conversations(after_message_at timestamptz, after_partner_id uuid, max_rows integer)
returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz, unread_count integer,
               has_written boolean)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then return; end if;
  return query
    select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
    from public.conversation_members m
    where m.user_id = uid
      and (m.last_message_at, m.partner_id) <
          (coalesce(after_message_at, 'infinity'), coalesce(after_partner_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by m.last_message_at desc, m.partner_id desc limit max_rows;
end
$$;

grant execute on function private.list_conversations(timestamptz, uuid, integer) to authenticated;

-- Like private.list_conversations, but for one filter: 'unread', 'requests' for the conversations in which the caller
-- has not written, or 'subscribers' for those with users who are subscribed to the caller. Each filter has a partial
-- index (for 'subscribers', on subscriptions), which the planner uses only if the query repeats the index's condition.
create function private.list_filtered_conversations(
  list_filter text, after_message_at timestamptz, after_partner_id uuid, max_rows integer
) returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz, unread_count integer,
                 has_written boolean)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  after_at timestamptz := coalesce(after_message_at, 'infinity');
  after_id uuid := coalesce(after_partner_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.can_use_messages() then return; end if;
  if list_filter = 'unread' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and m.unread_count > 0 and (m.last_message_at, m.partner_id) < (after_at, after_id)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  elsif list_filter = 'requests' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and not m.has_written and (m.last_message_at, m.partner_id) < (after_at, after_id)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  elsif list_filter = 'subscribers' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and (m.last_message_at, m.partner_id) < (after_at, after_id)
        and m.partner_id in (
          select s.subscriber_id from public.subscriptions s where s.creator_id = uid and s.state = 'active')
        and private.is_subscribed(m.partner_id, uid)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  end if;
end
$$;

grant execute on function private.list_filtered_conversations(text, timestamptz, uuid, integer) to authenticated;

-- The names and pictures of the users with whom the caller has a conversation. After a block, the policies hide the
-- profile, but the existing thread still has to show the partner. Contains no users whose accounts were deleted.
create view private.conversation_partners as
  select p.id, p.username, p.full_name, p.first_name, p.last_name, p.profile_image_url, p.is_creator, p.is_admin
  from public.conversation_members m join public.profiles p on p.id = m.partner_id
  where m.user_id = (select auth.uid());

grant select on private.conversation_partners to authenticated;

-- Returns the caller's conversation with a user, how far the caller has read, and how far the partner has read, or
-- nulls if there is no conversation. After a block, the partner's position is null.
create function private.find_thread(
  other_user_id uuid, out conversation_id uuid, out own_read_seq bigint, out partner_read_seq bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then return; end if;
  select own.conversation_id, own.last_read_seq, partner.last_read_seq
  into find_thread.conversation_id, own_read_seq, partner_read_seq
  from public.conversation_members own
  left join public.conversation_members partner
    on partner.user_id = own.partner_id and partner.partner_id = own.user_id
      and not private.are_blocked(own.user_id, own.partner_id)
  where own.user_id = uid and own.partner_id = other_user_id;
end
$$;

-- The functions below return messages from the caller's thread with a user, as JSON. They run with their owner's
-- privileges, because finding the caller's conversation once costs less than applying the policies to each message.

-- Returns the newest messages, or those before the message `before_id` (with `is_inclusive`, that message too), newest
-- first. Returns nothing if `before_id` is not in the thread.
create function private.messages_before(other_user_id uuid, before_id uuid, is_inclusive boolean, max_rows integer)
returns table (id uuid, sort_key bigint, item text)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  thread record := private.find_thread(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    -- Null if the message is not in the thread, so that no row matches.
    select m.seq + is_inclusive::integer into before_seq from public.messages m
    where m.id = before_id and m.conversation_id = thread.conversation_id;
  end if;
  return query
    select m.id, m.seq, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end, uid)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$$;

grant execute on function private.messages_before(uuid, uuid, boolean, integer) to authenticated;

-- Returns the messages that follow the message `after_id`, oldest first.
create function private.messages_after(other_user_id uuid, after_id uuid, max_rows integer)
returns table (id uuid, sort_key bigint, item text)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  thread record := private.find_thread(other_user_id);
  after_seq bigint := (
    select m.seq from public.messages m where m.id = after_id and m.conversation_id = thread.conversation_id);
begin
  return query
    select m.id, m.seq, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end, uid)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.seq > after_seq
    order by m.seq limit max_rows;
end
$$;

grant execute on function private.messages_after(uuid, uuid, integer) to authenticated;

-- Returns the messages that changed after the change number `since_version`, ordered by their latest change.
create function private.messages_changed_since(other_user_id uuid, since_version bigint, max_rows integer)
returns table (id uuid, sort_key bigint, item text)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  thread record := private.find_thread(other_user_id);
begin
  return query
    select m.id, m.version, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end, uid)::text
    from public.messages m
    -- `version > 0` is the condition of the partial index.
    where m.conversation_id = thread.conversation_id and m.version > 0 and m.version > since_version
    order by m.version limit max_rows;
end
$$;

grant execute on function private.messages_changed_since(uuid, bigint, integer) to authenticated;

-- Returns the photos that were sent in the caller's thread with a user, or those before the message `before_id`, newest
-- first. Deleted messages have no photo. Returns nothing if `before_id` is not in the thread.
create function private.thread_photos(other_user_id uuid, before_id uuid, max_rows integer)
returns table (id uuid, item text)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  thread record := private.find_thread(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    before_seq := (
      select m.seq from public.messages m where m.id = before_id and m.conversation_id = thread.conversation_id);
  end if;
  return query
    select m.id, json_build_object(
      'messageId', m.id, 'senderId', m.sender_id, 'createdAt', m.created_at, 'url', '/api/media/' || m.media_id,
      'width', m.media_width, 'height', m.media_height, 'placeholder', m.placeholder)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.media_id is not null and m.media_duration is null
      and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$$;

grant execute on function private.thread_photos(uuid, uuid, integer) to authenticated;

-- Marking conversations as read ------------------------------------------------------------------------------------
-- Marks a user's thread with another user as read up to its last message. Returns whether anything changed.
create function private.mark_conversation_read_for(reader_id uuid, other_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  previously_unread integer;
  unread_total integer;
begin
  select c.* into conversation from public.conversations c
  where c.user_low = least(reader_id::text, other_user_id::text)::uuid
    and c.user_high = greatest(reader_id::text, other_user_id::text)::uuid
  for update;
  if not found then return false; end if;
  select m.unread_count into previously_unread from public.conversation_members m
  where m.user_id = reader_id and m.partner_id = other_user_id;
  update public.conversation_members m
  set last_read_seq = conversation.last_seq, unread_count = 0, unread_since = null
  where m.user_id = reader_id and m.partner_id = other_user_id
    and (m.last_read_seq < conversation.last_seq or m.unread_count > 0);
  if not found then return false; end if;
  update public.user_counters c set unread_messages = greatest(0, c.unread_messages - previously_unread)
  where c.user_id = reader_id
  returning c.unread_messages into unread_total;
  perform private.broadcast_to_user(reader_id, 'conversation.read', jsonb_build_object(
    'otherUserId', other_user_id, 'readerId', reader_id, 'lastReadSeq', conversation.last_seq,
    'unreadTotal', unread_total));
  -- If either user has blocked the other, neither learns when the other is online.
  if private.are_blocked(reader_id, other_user_id) then return true; end if;
  perform private.broadcast_to_user(other_user_id, 'conversation.read', jsonb_build_object(
    'otherUserId', reader_id, 'readerId', reader_id, 'lastReadSeq', conversation.last_seq,
    'unreadTotal', coalesce((select c.unread_messages from public.user_counters c
                             where c.user_id = other_user_id), 0)));
  return true;
end
$$;

-- Marks the caller's thread with a user as read. Returns whether anything changed.
create function private.mark_conversation_read(other_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.can_use_messages() then return false; end if;
  return private.mark_conversation_read_for((select auth.uid()), other_user_id);
end
$$;

grant execute on function private.mark_conversation_read(uuid) to authenticated;

-- Marks all of the caller's threads as read. Returns how many changed. Locks all conversations with unread messages, in
-- the order of their ids, before the first counter changes: sending a message locks its conversation and then the
-- receiver's counter, so the opposite order could deadlock.
create function private.mark_all_conversations_read() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  partner_ids uuid[];
  other_user_id uuid;
  changed_count integer := 0;
begin
  if not private.can_use_messages() then return 0; end if;
  with locked as materialized (
    select c.id, case when c.user_low = uid then c.user_high else c.user_low end as partner_id
    from public.conversations c
    where c.id in (select m.conversation_id from public.conversation_members m
                   where m.user_id = uid and m.unread_count > 0)
    order by c.id
    for update
  )
  select array_agg(l.partner_id) into partner_ids from locked l;
  foreach other_user_id in array coalesce(partner_ids, '{}') loop
    if private.mark_conversation_read_for(uid, other_user_id) then changed_count := changed_count + 1; end if;
  end loop;
  return changed_count;
end
$$;

grant execute on function private.mark_all_conversations_read() to authenticated;

-- Changing messages ------------------------------------------------------------------------------------------------
-- The API also calls the `require_can_…` functions before it validates a request, so that a user who may not change a
-- message learns this even if the request is also invalid.

-- Returns a message that the caller sent or received. Raises an error if there is none.
create function private.require_message(message_id uuid) returns public.messages
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if private.can_use_messages() then
    select * into message from public.messages m where m.id = message_id and uid in (m.sender_id, m.receiver_id);
  end if;
  if message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  return message;
end
$$;

-- Returns a message that the caller sent or received, and locks its conversation until the transaction ends, so that
-- changes become visible in the order of their numbers.
create function private.lock_message_for_change(message_id uuid) returns public.messages
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  perform from public.conversations c
  where c.id = (select m.conversation_id from public.messages m
                where m.id = message_id and uid in (m.sender_id, m.receiver_id))
  for no key update;
  if not found then raise exception 'Message not found' using errcode = 'PT404'; end if;
  select * into message from public.messages m where m.id = message_id;
  return message;
end
$$;

-- Assigns the next change number of a conversation.
create function private.next_message_version(conversation_id uuid) returns bigint
language sql volatile security definer set search_path = ''
as $$
  update public.conversations c set last_change = c.last_change + 1
  where c.id = next_message_version.conversation_id
  returning c.last_change
$$;

-- Sends a changed message to both users' open pages.
create function private.broadcast_message_change(changed public.messages, event text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  read_seq bigint := (
    select r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.partner_id = changed.sender_id);
  message jsonb := private.message_json(changed, read_seq);
begin
  perform private.broadcast_to_user(changed.receiver_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  if changed.price_cents is not null then message := private.with_locked_photo(message, changed); end if;
  -- If either user has blocked the other, neither learns when the other is online.
  if (message ->> 'isRead')::boolean and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.broadcast_to_user(changed.sender_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$$;

-- Raises an error unless the caller may edit a message: it must be their own, not deleted, not a voice message, sent
-- within the last 15 minutes, and addressed to a user whom they may still message.
create function private.require_can_edit_message(message_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message_id);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'You can only edit your own messages.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if old.media_duration is not null then
    raise exception 'You can''t edit a voice message.' using errcode = 'PT403';
  end if;
  if old.created_at < clock_timestamp() - interval '15 minutes' then
    raise exception 'You can edit a message for 15 minutes after sending it.'
      using errcode = 'PT403', detail = 'edit_window_over';
  end if;
  perform private.require_can_message(old.receiver_id);
end
$$;

grant execute on function private.require_can_edit_message(uuid) to authenticated;

-- Changes the text of one of the caller's messages. Does nothing if the text is unchanged.
create function private.edit_message(message_id uuid, new_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.lock_message_for_change(message_id);
  changed public.messages;
begin
  perform private.require_can_edit_message(message_id);
  perform private.require_message_text(new_content, old.media_width is not null);
  if new_content = old.content then return; end if;
  perform private.enforce_rate_limit('message changes', auth.uid(), 120, '1 minute');
  update public.messages m
  set content = new_content, edited_at = clock_timestamp(),
      version = private.next_message_version(old.conversation_id)
  where m.id = message_id
  returning * into changed;
  perform private.broadcast_message_change(changed, 'message.changed');
end
$$;

grant execute on function private.edit_message(uuid, text) to authenticated;

-- Deletes one of the caller's messages for both users, even if the caller is no longer allowed to message the receiver.
-- Keeps an upload that an open moderation case needs.
create function private.delete_message(message_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.lock_message_for_change(message_id);
  upload_id uuid := old.media_id;
begin
  if old.sender_id <> auth.uid() then
    raise exception 'You can only delete your own messages.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then return; end if;
  -- Otherwise, a sender could keep the money and take the photo back.
  if old.price_cents is not null and old.media_id is not null then
    raise exception 'You can''t delete a message whose photo was bought.' using errcode = 'PT409', detail = 'conflict';
  end if;
  perform private.enforce_rate_limit('message changes', auth.uid(), 120, '1 minute');
  perform private.redact_message(old);
  if old.price_cents is not null then
    delete from private.paid_photos f where f.message_id = old.id returning f.media_id into upload_id;
  end if;
  if private.is_media_in_open_case(upload_id) then return; end if;
  delete from public.media m where m.id = upload_id;
end
$$;

grant execute on function private.delete_message(uuid) to authenticated;

-- Clears a message for both users, but keeps its place and number. The calling function has locked the conversation.
create function private.redact_message(old public.messages) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  changed public.messages;
begin
  update public.messages m
  set content = '', deleted_at = clock_timestamp(), edited_at = null, reply_to_id = null, media_id = null,
      media_width = null, media_height = null, media_duration = null, placeholder = null, price_cents = null,
      reactions = '[]', version = private.next_message_version(old.conversation_id)
  where m.id = old.id
  returning * into changed;
  -- No email is sent about a deleted message.
  update public.conversation_members r set unread_since = (
    select m.created_at from public.messages m
    where m.conversation_id = r.conversation_id and m.seq > r.last_read_seq and m.receiver_id = r.user_id
      and m.deleted_at is null
    order by m.seq limit 1)
  where r.user_id = old.receiver_id and r.partner_id = old.sender_id and r.unread_count > 0
    and r.last_read_seq < old.seq;
  -- Counters are locked before notifications change: see private.lock_user_counters.
  perform private.lock_user_counters(array[old.sender_id, old.receiver_id]);
  delete from public.notifications n where n.message_id = old.id;
  perform private.broadcast_message_change(changed, 'message.changed');
end
$$;

-- Raises an error unless the caller may react to a message.
create function private.require_can_react(message_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message_id);
begin
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  perform private.require_can_message(
    case when old.sender_id = auth.uid() then old.receiver_id else old.sender_id end);
end
$$;

grant execute on function private.require_can_react(uuid) to authenticated;

-- Adds the caller's reaction to a message, or removes it. Returns all reactions to the message.
create function private.toggle_reaction(message_id uuid, emoji text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old public.messages := private.lock_message_for_change(message_id);
  changed public.messages;
  own_reaction jsonb := jsonb_build_object('emoji', emoji, 'userId', uid);
  is_adding boolean := not old.reactions @> jsonb_build_array(own_reaction);
begin
  if emoji is null or emoji <> all ('{👍,❤️,😂,😮,😢,😡,👏,🔥}') then
    raise exception 'Please choose one of the offered reactions.' using errcode = 'PT400';
  end if;
  perform private.require_can_react(message_id);
  perform private.enforce_rate_limit('message changes', uid, 120, '1 minute');
  update public.messages m
  set version = private.next_message_version(old.conversation_id),
      reactions = case when is_adding then old.reactions || own_reaction else
        (select coalesce(jsonb_agg(r.reaction order by r.ordinal), '[]')
         from jsonb_array_elements(old.reactions) with ordinality as r(reaction, ordinal)
         where r.reaction <> own_reaction) end
  where m.id = message_id
  returning * into changed;
  if old.sender_id <> uid then
    -- Counters are locked before notifications change: see private.lock_user_counters.
    perform from public.user_counters c where c.user_id = old.sender_id for update;
    if is_adding then
      perform private.create_notification(old.sender_id, uid, 'reaction', target_message_id => message_id);
    elsif not changed.reactions @> jsonb_build_array(jsonb_build_object('userId', uid)) then
      perform private.withdraw_notification(old.sender_id, uid, 'reaction', target_message_id => message_id);
    end if;
  end if;
  perform private.broadcast_message_change(changed, 'reaction.changed');
  return changed.reactions;
end
$$;

grant execute on function private.toggle_reaction(uuid, text) to authenticated;

-- Searching messages -----------------------------------------------------------------------------------------------
-- Returns the ids of the caller's messages that contain `query_text`, ignoring case and accents, latest first. The
-- `after_…` parameters identify the last row of the previous page, or are null for the first page. Runs with its
-- owner's privileges: otherwise, PostgreSQL would check the policies on every message before it evaluates LIKE.
--
-- Leaves out the copies of the caller's own mass messages, which would fill the first pages.
--
-- The latest messages are scanned, back to the 2,500th sent or the 2,500th received message, whichever is more recent.
-- The scan quickly finds a frequent string, whereas the index would return every occurrence. Only older messages are
-- looked up in the index. The index cannot look up fewer than three characters, so a shorter string is searched for
-- only in the scanned messages.
create function private.search_messages(
  query_text text, after_created_at timestamptz, after_id uuid, max_rows integer
) returns table (id uuid, created_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  normalized text := private.normalize_search(btrim(query_text));
  pattern text := '%' || regexp_replace(normalized, '([\\%_])', '\\\1', 'g') || '%';
  cursor_time timestamptz := coalesce(after_created_at, 'infinity');
  cursor_id uuid := coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  -- The scan covers all sent and received messages after this time. Null if it covers all of them.
  scanned_after timestamptz;
  scan_match_count integer;
begin
  if not private.can_use_messages() or private.is_blank(normalized) then return; end if;
  scanned_after := greatest(
    (select m.created_at from public.messages m
     where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1),
    (select m.created_at from public.messages m
     where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1));
  return query
    with latest as materialized (
      select m.id, m.created_at, m.search_text from public.messages m
      where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity') and m.mass_message_id is null
      union all
      select m.id, m.created_at, m.search_text from public.messages m
      where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity')
    )
    select l.id, l.created_at from latest l
    where l.search_text like pattern
    order by l.created_at desc, l.id desc
    limit max_rows;
  get diagnostics scan_match_count = row_count;
  if scanned_after is null or scan_match_count >= max_rows or char_length(normalized) < 3 then return; end if;
  return query
    select m.id, m.created_at from public.messages m
    where array[m.sender_id, m.receiver_id] @> array[uid] and m.search_text like pattern
      and m.created_at <= scanned_after and (m.created_at, m.id) < (cursor_time, cursor_id)
      and (m.mass_message_id is null or m.receiver_id = uid)
    order by m.created_at desc, m.id desc
    limit max_rows - scan_match_count;
end
$$;

grant execute on function private.search_messages(text, timestamptz, uuid, integer) to authenticated;

-- Account deletion -------------------------------------------------------------------------------------------------
-- Conversations that have lost a member. The `clean-up` job deletes those that have no member left. The table has
-- neither a foreign key nor a unique key on the conversation, so that concurrent deletions of both members' accounts do
-- not wait for each other.
create table private.conversation_checks (
  id bigint primary key generated always as identity,
  conversation_id uuid not null
);

create function private.on_conversation_members_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.conversation_checks (conversation_id) select b.conversation_id from before b;
  return null;
end
$$;

create trigger on_conversation_members_deleted after delete on public.conversation_members
  referencing old table as before
  for each statement execute function private.on_conversation_members_deleted();

-- Locks a user's conversations in the order of their ids, then the posts that the user wrote, liked, reposted, unlocked
-- or commented on, or on which the user liked a comment, also in the order of their ids. This is step 1 of
-- private.lock_account_dependents.
create function private.lock_user_conversations_and_posts(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = target_user_id)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = target_user_id
                 union select l.post_id from public.likes l where l.user_id = target_user_id
                 union select r.post_id from public.reposts r where r.user_id = target_user_id
                 union select u.post_id from public.unlocks u where u.user_id = target_user_id
                 union select c.post_id from public.comments c where c.author_id = target_user_id
                 union select c.post_id from public.comment_likes l join public.comments c on c.id = l.comment_id
                       where l.user_id = target_user_id)
  order by p.id for update;
end
$$;
