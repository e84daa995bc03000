-- Paid photos: photos in direct messages that the receiver has to pay for.
--
-- * The sender sets the price when sending the message. The price never changes.
-- * Until the receiver has paid, only this table refers to the upload, and no client can read the table. The message
--   contains only what a locked post also shows: the price, the size and the placeholder. Paying copies the reference
--   to `messages.media_id`, so from then on, the photo is like any other photo in a message.
-- * A photo is bought with a payment, like a post: private.begin_photo_unlock creates the payment, and
--   private.settle_photo_unlock unlocks the photo when the payment is settled.
-- See docs/decisions/062-paid-photos-in-messages.md.

-- A row is kept when moderators hide its message, and deleted with the hidden content after 30 days. It is also deleted
-- when the sender deletes the message, and together with the sender's account.
create table private.paid_photos (
  -- Deferred, because the row is inserted before its message: see private.store_paid_photo.
  message_id uuid primary key references public.messages (id) on delete cascade deferrable initially deferred,
  media_id uuid not null unique references public.media (id),
  -- The payment that unlocked the photo; null while it is locked.
  payment_id uuid unique references public.payments (id)
);

create trigger enqueue_orphan_check after delete on private.paid_photos
  for each row execute function private.enqueue_media_check();

-- Sending ----------------------------------------------------------------------------------------------------------

-- Stores the photo of a message that is being inserted. Called by private.before_message_insert, which has claimed the
-- upload; the row must exist before the message is broadcast. Raises an error if the caller cannot sell photos, the
-- message has no photo, or the price is outside the limits.
create function private.store_paid_photo(message public.messages) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if message.media_id is null or message.media_duration is not null then
    raise exception 'Only a photo can have a price.' using errcode = 'PT400';
  end if;
  if message.price_cents not between 100 and 99999 then
    raise exception 'Please enter a price between $1.00 and $999.99.' using errcode = 'PT400';
  end if;
  if auth.uid() is not null then
    if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
      raise exception 'Only creators can sell photos.' using errcode = 'PT403', detail = 'creators_only';
    end if;
    perform private.require_confirmed_email();
  end if;
  insert into private.paid_photos (message_id, media_id) values (message.id, message.media_id);
end
$$;

-- Reading ----------------------------------------------------------------------------------------------------------

-- Returns the upload of a paid photo, locked or unlocked, if the caller sent it.
create function private.paid_photo_media_id(target_message_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select f.media_id from private.paid_photos f join public.messages m on m.id = f.message_id
  where f.message_id = target_message_id and m.sender_id = auth.uid()
$$;

grant execute on function private.paid_photo_media_id(uuid) to authenticated;

-- Adds the URL of a locked photo to the JSON of its message. Used only for events to the sender, no matter which user
-- caused the event.
create function private.with_locked_photo(message_json jsonb, message public.messages) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case when message.media_id is not null then message_json else coalesce(
    (select message_json || jsonb_build_object('imageUrl', '/api/media/' || f.media_id)
     from private.paid_photos f where f.message_id = message.id), message_json) end
$$;

-- Returns the upload of a paid photo if it is unlocked.
create function private.unlocked_media_id(target_message_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select f.media_id from private.paid_photos f where f.message_id = target_message_id and f.payment_id is not null
$$;

-- Unlocking --------------------------------------------------------------------------------------------------------

-- Returns the price of a photo for the caller in cents, or null if there is nothing to pay: the photo is free, the
-- caller's own, or unlocked. Raises an error if the caller cannot write or is not in the conversation, or if the
-- message is deleted. If there is something to pay, also raises an error if the sender cannot sell to the caller now or
-- `amount` (in US dollars) is not the price.
create function private.photo_price(target_message_id uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  message public.messages;
begin
  perform private.require_write();
  message := private.require_message(target_message_id);
  if message.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if message.sender_id = auth.uid() or message.price_cents is null or message.media_id is not null then
    return null;
  end if;
  -- Both cases raise the same error, so that it does not reveal a block.
  if private.are_blocked(message.sender_id, message.receiver_id)
     or not exists (select from public.accounts a
                    where a.user_id = message.sender_id and a.read_only_reason is null) then
    raise exception 'This photo can''t be unlocked right now. Try again later.'
      using errcode = 'PT403', detail = 'payment_failed';
  end if;
  if amount * 100 is distinct from message.price_cents then
    raise exception 'The price of this photo is $%.', to_char(message.price_cents / 100.0, 'FM990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  return message.price_cents;
end
$$;

grant execute on function private.photo_price(uuid, numeric) to authenticated;

-- Creates the caller's payment for the photo of a message and returns its id, or null if there is nothing to pay.
-- Idempotent, like private.begin_unlock.
create function private.begin_photo_unlock(target_message_id uuid, amount numeric, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  price_cents integer;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('unlocks', uid, 60, '1 minute');
  perform private.lock_purchase(uid, target_message_id);
  price_cents := private.photo_price(target_message_id, amount);
  if price_cents is null then return null; end if;
  return private.begin_unlock_payment(
    (select m.sender_id from public.messages m where m.id = target_message_id), null, target_message_id, price_cents,
    payment_provider);
end
$$;

grant execute on function private.begin_photo_unlock(uuid, numeric, text) to authenticated;

-- Locks the conversation of a message. The conversation must be locked before the message or its photo is changed.
create function private.lock_conversation_of(target_message_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select from public.conversations c
  where c.id = (select m.conversation_id from public.messages m where m.id = target_message_id)
  for no key update
$$;

-- Unlocks the photo that a confirmed payment has bought, and notifies its sender. Returns false if the payment has to
-- be refunded instead, because the message was deleted or hidden, the photo is already unlocked, the payer no longer
-- exists, or one user has blocked the other. The calling function has locked the conversation.
create function private.settle_photo_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  changed public.messages;
begin
  -- Lock the sender's counters before the payer's profile, in the same order as account deletion.
  perform private.lock_user_counters(array[paid.payee_id]);
  if private.are_blocked(paid.payer_id, paid.payee_id)
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share) then
    return false;
  end if;
  update private.paid_photos f set payment_id = paid.id
  from public.messages m
  where f.message_id = paid.message_id and f.payment_id is null and m.id = f.message_id and m.deleted_at is null;
  if not found then return false; end if;
  update public.messages m
  set media_id = private.unlocked_media_id(m.id), version = private.next_message_version(m.conversation_id)
  where m.id = paid.message_id
  returning * into changed;
  perform private.broadcast_message_change(changed, 'message.changed');
  perform private.create_notification(paid.payee_id, paid.payer_id, 'unlock', target_message_id => paid.message_id);
  return true;
end
$$;

-- Locks a photo again after its payment was refunded. The calling function has locked the conversation.
create function private.revoke_photo_unlock(refunded_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  target_message_id uuid;
  changed public.messages;
begin
  update private.paid_photos f set payment_id = null where f.payment_id = refunded_payment_id
  returning f.message_id into target_message_id;
  if not found then return; end if;
  update public.messages m set media_id = null, version = private.next_message_version(m.conversation_id)
  where m.id = target_message_id and m.deleted_at is null
  returning * into changed;
  if found then perform private.broadcast_message_change(changed, 'message.changed'); end if;
end
$$;
