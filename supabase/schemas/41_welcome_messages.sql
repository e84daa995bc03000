-- Welcome messages: a message that each new subscriber gets from the creator.
--
-- * Settling the first payment of a subscription only queues the message (private.queue_welcome_message), so that
--   sending it cannot delay the payment or make it fail. Renewals do not queue anything. A user who subscribes again
--   after their subscription ended gets another welcome message.
-- * Sending removes the subscription from the queue and stores an ordinary message in one transaction, so each
--   subscription gets the message at most once. The API sends the message after the payment; the `mass-messages` job
--   sends those that the API did not send.
-- * The text is read when the message is sent. Nothing is sent if the creator has cleared the text, is no longer a
--   creator or has a read-only account, or if the subscription has ended or the subscriber cannot be messaged
--   (private.messageable_subscribers).
-- See docs/decisions/058-mass-messages.md.

-- Creators without a row send no welcome message.
create table public.welcome_messages (
  creator_id uuid primary key references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) <= 5000),
  updated_at timestamptz not null default clock_timestamp()
);

comment on table public.welcome_messages is 'The message that new subscribers of a creator get.';

alter table public.welcome_messages enable row level security;
revoke all on public.welcome_messages from anon, authenticated, service_role;
-- Only functions write to this table.
grant select on public.welcome_messages to authenticated, service_role;

-- Requires an active session; an access token also needs the `messages` scope.
create policy welcome_messages_active_session on public.welcome_messages as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Only the creator can read it.
create policy welcome_messages_select on public.welcome_messages for select to authenticated
  using (creator_id = (select auth.uid()));

-- Sets the caller's welcome message. Blank text turns it off.
create function private.set_welcome_message(new_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  perform private.require_can_send_mass_messages();
  perform private.enforce_rate_limit('welcome messages', uid, 30, '1 minute');
  if private.is_blank(new_content) then
    delete from public.welcome_messages w where w.creator_id = uid;
  else
    perform private.require_message_text(new_content, false);
    insert into public.welcome_messages (creator_id, content) values (uid, new_content)
    on conflict (creator_id) do update set content = excluded.content, updated_at = clock_timestamp();
  end if;
end
$$;

grant execute on function private.set_welcome_message(text) to authenticated;

-- Sending ----------------------------------------------------------------------------------------------------------
-- The subscriptions whose welcome message has not been sent yet.
create table private.welcome_queue (
  subscription_id uuid primary key references public.subscriptions (id) on delete cascade,
  queued_at timestamptz not null default clock_timestamp()
);

create index welcome_queue_queued_at_idx on private.welcome_queue (queued_at);

-- Queues the welcome message of a subscription that has just started, if the creator has one.
create function private.queue_welcome_message(subscription public.subscriptions) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.welcome_queue (subscription_id)
  select subscription.id from public.welcome_messages w where w.creator_id = subscription.creator_id
  on conflict do nothing
$$;

-- Returns the subscriptions in the queue, the longest-waiting first.
create function private.list_welcome_queue(max_rows integer) returns table (subscription_id uuid)
language sql stable security definer rows 1 set search_path = ''
as $$ select q.subscription_id from private.welcome_queue q order by q.queued_at limit max_rows $$;

grant execute on function private.list_welcome_queue(integer) to service_role;

-- Removes a subscription from the queue and sends its subscriber the welcome message. Returns whether a message was
-- sent. Takes the same locks as private.send_next_mass_message.
create function private.send_welcome_message(target_subscription_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
begin
  select * into subscription from public.subscriptions s where s.id = target_subscription_id;
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(subscription.creator_id)) then
    raise exception 'Another transaction has locked the creator''s account.' using errcode = 'lock_not_available';
  end if;
  delete from private.welcome_queue q where q.subscription_id = target_subscription_id;
  if not found then return false; end if;
  insert into public.messages (sender_id, receiver_id, content)
  select w.creator_id, r.subscriber_id, w.content
  from public.welcome_messages w
  join public.profiles p on p.id = w.creator_id and p.is_creator
  join public.accounts a on a.user_id = w.creator_id and a.read_only_reason is null
  join private.messageable_subscribers r on r.creator_id = w.creator_id
  join public.subscriptions s on s.id = target_subscription_id and s.state = 'active'
  where w.creator_id = subscription.creator_id and r.subscriber_id = subscription.subscriber_id;
  return found;
exception when foreign_key_violation then
  -- The subscriber's account has just been deleted. The next call removes the subscription from the queue.
  return false;
end
$$;

grant execute on function private.send_welcome_message(uuid) to service_role;
