-- Mass messages: a message that a creator sends to all of their subscribers at once.
--
-- * Each subscriber gets an ordinary message in their own conversation with the creator, so that they can reply
--   privately. These messages have a `mass_message_id`, and the unique key on it and the receiver prevents a second
--   delivery to the same subscriber.
-- * Creating a mass message only stores it. The `mass-messages` job then messages the subscribers in the order of their
--   ids, each in a transaction of its own, which holds its locks no longer than sending any other message does. After a
--   crash, the job continues after the last subscriber who has the message.
-- * A subscriber gets the mass message only if they subscribed before it was created and, when their turn comes, are
--   still subscribed and can be messaged by the creator (private.messageable_subscribers).
-- * If the creator's account becomes read-only or is deleted, or the user stops being a creator or stops the mass
--   message, the remaining subscribers do not get it.
-- See docs/decisions/058-mass-messages.md.

create table public.mass_messages (
  -- Chosen by the client, so that sending the same request twice creates one mass message.
  id uuid primary key,
  creator_id uuid not null references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) <= 5000),
  created_at timestamptz not null default clock_timestamp(),
  -- How many subscribers could be messaged when the mass message was created.
  recipients integer not null check (recipients > 0),
  -- How many subscribers got the message. Null until it is finished; until then, the messages are counted.
  sent integer,
  finished_at timestamptz,
  -- Whether it ended before all subscribers had received it.
  stopped boolean not null default false,
  check ((finished_at is null) = (sent is null)),
  check (finished_at is not null or not stopped)
);

comment on table public.mass_messages is 'Messages that creators sent to all of their subscribers.';

create index mass_messages_creator_id_idx on public.mass_messages (creator_id, created_at desc);

-- At most one unfinished mass message for each creator.
create unique index mass_messages_unfinished_key on public.mass_messages (creator_id) where finished_at is null;

alter table public.mass_messages enable row level security;
revoke all on public.mass_messages from anon, authenticated, service_role;
-- Only functions write to this table.
grant select on public.mass_messages to authenticated, service_role;

-- Requires an active session; an access token also needs the `messages` scope.
create policy mass_messages_active_session on public.mass_messages as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Only the creator can read them.
create policy mass_messages_select on public.mass_messages for select to authenticated
  using (creator_id = (select auth.uid()));

-- Recipients -------------------------------------------------------------------------------------------------------
-- The subscribers who get a creator's mass messages: those whose accounts are not suspended, who accept direct
-- messages, and who neither blocked the creator nor are blocked by them.
create view private.messageable_subscribers as
  select s.creator_id, s.subscriber_id, s.started_at
  from private.current_subscriptions s
  join public.profiles p on p.id = s.subscriber_id and p.allow_direct_messages
  join public.accounts a on a.user_id = s.subscriber_id and a.suspended_at is null
  where not exists (select from public.blocks b
                    where b.blocker_id = s.subscriber_id and b.blocked_id = s.creator_id)
    and not exists (select from public.blocks b
                    where b.blocker_id = s.creator_id and b.blocked_id = s.subscriber_id);

-- Creating ---------------------------------------------------------------------------------------------------------
-- Raises an error unless the caller may send mass messages.
create function private.require_can_send_mass_messages() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can message their subscribers.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  perform private.require_confirmed_email();
end
$$;

grant execute on function private.require_can_send_mass_messages() to authenticated;

-- Returns when the caller may send the next mass message, or null if they may send one now. At most 3 are allowed in
-- 24 hours.
create function private.next_mass_message_at() returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select m.created_at + interval '1 day' from public.mass_messages m
  where m.creator_id = auth.uid() and m.created_at > clock_timestamp() - interval '1 day'
  order by m.created_at desc offset 2 limit 1
$$;

-- Creates a mass message to the caller's subscribers. Returns false if the caller has already created it. Raises an
-- error if the id is stored with different text, because the new text will not be sent.
create function private.create_mass_message(message_id uuid, new_content text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  stored public.mass_messages;
  next_at timestamptz;
  recipient_count integer;
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  -- One at a time, so that concurrent requests cannot exceed the limits.
  perform pg_advisory_xact_lock(hashtextextended('mass_messages:' || uid::text, 0));
  select * into stored from public.mass_messages m where m.id = message_id;
  if found then
    if (stored.creator_id, stored.content) <> (uid, new_content) then
      raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
    end if;
    return false;
  end if;
  perform private.require_can_send_mass_messages();
  perform private.require_message_text(new_content, false);
  if exists (select from public.mass_messages m where m.creator_id = uid and m.finished_at is null) then
    raise exception 'Your last message to your subscribers is still being sent.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  next_at := private.next_mass_message_at();
  if next_at is not null then
    raise exception 'You can message your subscribers 3 times a day.'
      using errcode = 'PT429', detail = greatest(1, ceil(extract(epoch from next_at - clock_timestamp())))::text;
  end if;
  select count(*) into recipient_count from private.messageable_subscribers r where r.creator_id = uid;
  if recipient_count = 0 then
    raise exception 'You have no subscribers whom you can message.' using errcode = 'PT409', detail = 'conflict';
  end if;
  insert into public.mass_messages (id, creator_id, content, recipients)
  values (message_id, uid, new_content, recipient_count);
  return true;
end
$$;

grant execute on function private.create_mass_message(uuid, text) to authenticated;

-- Sending ----------------------------------------------------------------------------------------------------------
-- Sends a mass message to the next subscriber, or finishes it if there are no more. Returns false once it is finished.
create function private.send_next_mass_message(target_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mass_message public.mass_messages;
  last_recipient_id uuid;
  recipient_id uuid;
begin
  select * into mass_message from public.mass_messages m where m.id = target_id;
  -- Keeps the creator's account from being deleted until the end of the transaction: see
  -- private.lock_account_dependents. Does not wait for a deletion to finish, because waiting would delay the messages
  -- of other creators.
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(mass_message.creator_id)) then
    raise exception 'Another transaction has locked the creator''s account.' using errcode = 'lock_not_available';
  end if;
  perform from public.mass_messages m where m.id = target_id and m.finished_at is null for no key update;
  if not found then return false; end if;
  if not exists (select from public.accounts a join public.profiles p on p.id = a.user_id
                 where a.user_id = mass_message.creator_id and a.read_only_reason is null and p.is_creator) then
    perform private.finish_mass_message(target_id, true);
    return false;
  end if;
  select m.receiver_id into last_recipient_id from public.messages m
  where m.mass_message_id = target_id order by m.receiver_id desc limit 1;
  select r.subscriber_id into recipient_id from private.messageable_subscribers r
  where r.creator_id = mass_message.creator_id and r.started_at <= mass_message.created_at
    and r.subscriber_id > coalesce(last_recipient_id, '00000000-0000-0000-0000-000000000000')
  order by r.subscriber_id limit 1;
  if not found then
    perform private.finish_mass_message(target_id, false);
    return false;
  end if;
  insert into public.messages (sender_id, receiver_id, content, mass_message_id)
  values (mass_message.creator_id, recipient_id, mass_message.content, target_id);
  return true;
exception when foreign_key_violation then
  -- The recipient's account has just been deleted. The next call skips it.
  return true;
end
$$;

grant execute on function private.send_next_mass_message(uuid) to service_role;

-- Finishes a mass message that the transaction has locked. The creator's open pages get one event, rather than
-- `message.created` for each message, because that could be thousands of events.
create function private.finish_mass_message(target_id uuid, is_stopped boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owner_id uuid;
begin
  update public.mass_messages m
  set finished_at = clock_timestamp(), stopped = is_stopped,
      sent = (select count(*) from public.messages s where s.mass_message_id = m.id)
  where m.id = target_id
  returning m.creator_id into owner_id;
  perform private.broadcast_to_user(owner_id, 'mass_message.finished', '{}');
end
$$;

-- Stops one of the caller's mass messages. Does nothing if it has finished.
create function private.stop_mass_message(target_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mass_message public.mass_messages;
begin
  if private.can_use_messages() then
    -- Waits for the message that is being sent, so that the next statement counts it.
    select * into mass_message from public.mass_messages m
    where m.id = target_id and m.creator_id = auth.uid() for no key update;
  end if;
  if mass_message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  if mass_message.finished_at is null then perform private.finish_mass_message(target_id, true); end if;
end
$$;

grant execute on function private.stop_mass_message(uuid) to authenticated;

-- Reading ----------------------------------------------------------------------------------------------------------
-- Returns how many subscribers the caller has, how many of them can be messaged, when the caller may send the next
-- mass message (null if now), and the last 5 mass messages, latest first. The recipients who have read a finished
-- message are counted on each call, because a stored counter would be locked whenever a recipient opens the
-- conversation. If more than 10,000 users got the message, its readers are not counted. Runs with its owner's
-- privileges for the same reason as the functions that read threads (see 40_messages.sql).
create function private.list_mass_messages() returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  return json_build_object(
    'subscribers', (select c.subscribers from public.profile_counts c where c.user_id = uid),
    -- Counting takes too long to be repeated each time the page polls for progress.
    'recipients', coalesce(
      (select m.recipients from public.mass_messages m where m.creator_id = uid and m.finished_at is null),
      (select count(*) from private.messageable_subscribers r where r.creator_id = uid)),
    'nextAt', private.next_mass_message_at(),
    'messages', (
      select coalesce(json_agg(private.mass_message_json(m) order by m.created_at desc), '[]')
      from (select * from public.mass_messages m where m.creator_id = uid order by m.created_at desc limit 5) m));
end
$$;

grant execute on function private.list_mass_messages() to authenticated;

-- Builds the JSON of one of the caller's mass messages. If there is a block between the caller and a recipient, `read`
-- does not count the recipient.
create function private.mass_message_json(mass_message public.mass_messages) returns json
language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'id', mass_message.id, 'content', mass_message.content, 'createdAt', mass_message.created_at,
    'recipients', mass_message.recipients,
    'sent', coalesce(mass_message.sent,
                     (select count(*) from public.messages m where m.mass_message_id = mass_message.id)),
    'read', case when mass_message.sent <= 10000 then (
      select count(*) from public.messages m
      join public.conversation_members r on r.conversation_id = m.conversation_id and r.user_id = m.receiver_id
      where m.mass_message_id = mass_message.id and m.seq <= r.last_read_seq
        and m.receiver_id <> all ((select private.blocked_user_ids())::uuid[])) end,
    'finishedAt', mass_message.finished_at, 'stopped', mass_message.stopped)
$$;
