set local check_function_bodies = off;

-- The tables are locked in the order in which deleting an account locks them. Other transactions wait behind this one.
set local lock_timeout = '5s';

ALTER TABLE "public"."messages" ADD COLUMN "price_cents" integer;

ALTER TABLE "public"."payments" DROP CONSTRAINT "payments_check1";

ALTER FUNCTION "private"."enqueue_gallery_orphan_check"() RENAME TO "enqueue_media_check";

DROP FUNCTION "private"."lock_post_purchase"(uuid, uuid);

DROP FUNCTION "private"."message_json"(public.messages, bigint);

DROP FUNCTION "private"."own_sale"(uuid);

DROP FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid);

CREATE TABLE "private"."paid_photos" ("message_id" uuid NOT NULL, "media_id" uuid NOT NULL, "payment_id" uuid, CONSTRAINT "paid_photos_media_id_key" UNIQUE (media_id), CONSTRAINT "paid_photos_payment_id_key" UNIQUE (payment_id), CONSTRAINT "paid_photos_pkey" PRIMARY KEY (message_id));

ALTER TABLE "private"."hidden_messages" ADD COLUMN "price_cents" integer;

ALTER TABLE "public"."payments" ADD COLUMN "message_id" uuid;

CREATE OR REPLACE FUNCTION private.before_message_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
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
$function$;

CREATE OR REPLACE FUNCTION private.before_profile_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_account_dependents(old.id);
  update public.messages m
  set media_id = null, placeholder = null, price_cents = null, version = private.next_message_version(m.conversation_id)
  where m.id in (
    select x.id from public.media u join public.messages x on x.media_id = u.id where u.owner_id = old.id
    union all
    select f.message_id from public.media u join private.paid_photos f on f.media_id = u.id where u.owner_id = old.id);
  update private.hidden_messages h set placeholder = null, price_cents = null
  where h.message_id in (
    select x.message_id from public.media u join private.hidden_messages x on x.media_id = u.id
    where u.owner_id = old.id
    union all
    select f.message_id from public.media u join private.paid_photos f on f.media_id = u.id where u.owner_id = old.id);
  delete from private.paid_photos f using public.media u where u.owner_id = old.id and f.media_id = u.id;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_photo_unlock(target_message_id uuid, amount numeric, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.begin_unlock(target_post_id uuid, amount numeric, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  price_cents integer;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('unlocks', uid, 60, '1 minute');
  perform private.lock_purchase(uid, target_post_id);
  price_cents := private.unlock_price(target_post_id, amount);
  if price_cents is null then return null; end if;
  return private.begin_unlock_payment(
    (select p.author_id from public.posts p where p.id = target_post_id), target_post_id, null, price_cents,
    payment_provider);
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_unlock_payment(seller_id uuid, target_post_id uuid, target_message_id uuid, price_cents integer, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pending public.payments;
begin
  select * into pending from public.payments p
  where p.payer_id = auth.uid() and p.state = 'pending'
    and (p.post_id = target_post_id or p.message_id = target_message_id) for update;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, post_id, message_id, amount_cents, fee_cents, provider)
    values ('unlock', auth.uid(), seller_id, target_post_id, target_message_id, price_cents,
            private.platform_fee_cents(price_cents), payment_provider)
    returning * into pending;
  elsif pending.provider_reference is null then
    -- No provider has been called for this payment yet, so the payment switches to the current provider.
    update public.payments p
    set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents), provider = payment_provider,
        created_at = clock_timestamp()
    where p.id = pending.id;
  elsif pending.amount_cents <> price_cents then
    update public.payments p set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents)
    where p.id = pending.id;
  end if;
  return pending.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_message_change(changed public.messages, event text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.delete_message(message_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.hide_subject(subject_kind text, target_subject_id uuid, hidden_state text, extra_user_ids uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.messages;
  container_id uuid;
  post_author_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = hidden_state where p.id = target_subject_id and p.hidden is null
    returning p.author_id into post_author_id;
    if not found then return false; end if;
    perform private.withdraw_notifications_about(target_subject_id, '{}', post_author_id, extra_user_ids);
    return true;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    -- A reply that is already hidden with its parent gets its own state, so that it stays hidden when the parent is
    -- restored.
    update public.comments c set hidden = hidden_state
    where c.id = target_subject_id and (c.hidden is null or c.hidden = 'with_parent');
    if not found then return false; end if;
    update public.comments c set hidden = 'with_parent'
    where c.parent_comment_id = target_subject_id and c.hidden is null;
    perform private.withdraw_notifications_about(null, array(
        select c.id from public.comments c where target_subject_id in (c.id, c.parent_comment_id)), null,
      extra_user_ids);
    return true;
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    select * into message from public.messages m where m.id = target_subject_id and m.deleted_at is null;
    if not found then return false; end if;
    insert into private.hidden_messages (message_id, content, reply_to_id, media_id, media_width, media_height,
                                         media_duration, placeholder, price_cents, reactions, edited_at)
    values (message.id, message.content, message.reply_to_id, message.media_id, message.media_width,
            message.media_height, message.media_duration, message.placeholder, message.price_cents, message.reactions,
            message.edited_at);
    perform private.redact_message(message);
    return true;
  end if;
  return false;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_media_used(upload_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.posts p where p.media_id = upload_id)
      or exists (select from public.posts p where p.poster_id = upload_id)
      or exists (select from public.premium_contents c where c.media_id = upload_id)
      or exists (select from public.premium_contents c where c.poster_id = upload_id)
      or exists (select from public.scheduled_posts s where s.media_id = upload_id)
      or exists (select from public.scheduled_posts s where s.poster_id = upload_id)
      or exists (select from public.messages m where m.media_id = upload_id)
      or exists (select from public.gallery_items g where g.media_id = upload_id)
      or exists (select from private.hidden_messages h where h.media_id = upload_id)
      or exists (select from private.paid_photos f where f.media_id = upload_id)
      or private.is_media_in_open_case(upload_id)
$function$;

CREATE OR REPLACE FUNCTION private.lock_conversation_of(target_message_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select from public.conversations c
  where c.id = (select m.conversation_id from public.messages m where m.id = target_message_id)
  for no key update
$function$;

CREATE OR REPLACE FUNCTION private.lock_payment(payment public.payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  case payment.kind
    when 'unlock' then
      perform private.lock_purchase(payment.payer_id, coalesce(payment.post_id, payment.message_id));
      perform private.lock_conversation_of(payment.message_id);
      perform from public.posts p where p.id = payment.post_id for no key update;
    when 'creator_pro' then
      perform private.lock_creator_plan(payment.payer_id);
      perform from public.creator_plans s where s.id = payment.plan_id for update;
    else
      perform private.lock_relation(payment.payer_id, payment.payee_id);
      perform from public.subscriptions s where s.id = payment.subscription_id for update;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_purchase(payer_id uuid, item_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ select pg_advisory_xact_lock(hashtextextended('unlock:' || payer_id::text || item_id::text, 0)) $function$;

CREATE OR REPLACE FUNCTION private.message_json(message public.messages, receiver_read_seq bigint, reader_id uuid DEFAULT NULL::uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
  return json_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at,
    'isRead', coalesce(message.seq <= receiver_read_seq, false),
    'toSubscribers', message.mass_message_id is not null,
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', case when message.media_duration is null then '/api/media/' || message.media_id end,
    'imageWidth', message.media_width, 'imageHeight', message.media_height,
    'placeholder', case when message.media_duration is null then message.placeholder end,
    'voice', case when message.media_duration is not null then json_build_object(
      'url', '/api/media/' || message.media_id, 'seconds', message.media_duration, 'levels', message.placeholder) end,
    'paidPhoto', paid_photo,
    'replyTo', quoted, 'reactions', message.reactions);
end
$function$;

CREATE OR REPLACE FUNCTION private.messages_after(other_user_id uuid, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.messages_before(other_user_id uuid, before_id uuid, is_inclusive boolean, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.messages_changed_since(other_user_id uuid, since_version bigint, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.on_message_created()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.own_sale(payment_id uuid)
 RETURNS TABLE(payer_id uuid, payer_gone boolean, note text, post_id uuid, message_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
  select case when not private.are_blocked(p.payer_id, p.payee_id) then u.id end, u.id is null, p.note,
         coalesce(p.post_id, p.about_post_id), p.message_id
  from public.payments p left join public.profiles u on u.id = p.payer_id
  where p.id = payment_id and p.payee_id = auth.uid() and p.state in ('paid', 'refunded')
$function$;

CREATE OR REPLACE FUNCTION private.own_sale_amounts(notification_ids uuid[], are_grouped boolean)
 RETURNS TABLE(notification_id uuid, amount_cents bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select head.id, sum(paid.amount_cents)
  from unnest(notification_ids) listed (id)
  join public.notifications head on head.id = listed.id and head.user_id = auth.uid()
    and (select private.is_session_active())
  cross join lateral (
    select head.actor_id, head.created_at, head.message_id, 1 as group_size where not are_grouped
    union all
    select n.actor_id, n.created_at, n.message_id, count(*) over () from (
      select g.actor_id, g.created_at, g.message_id from public.notifications g
      where are_grouped and g.group_id = head.group_id limit 501) n
  ) member
  cross join lateral (
    select p.amount_cents from public.payments p
    where head.kind = 'unlock' and p.payer_id = member.actor_id and p.post_id = head.post_id
      and p.payee_id = head.user_id and p.state = 'paid'
    union all
    select p.amount_cents from public.payments p
    where head.kind = 'unlock' and p.message_id = member.message_id and p.payee_id = head.user_id and p.state = 'paid'
    union all
    select p.amount_cents from public.subscriptions s join public.payments p on p.subscription_id = s.id
    where head.kind = 'subscription' and s.subscriber_id = member.actor_id and s.creator_id = head.user_id
      and p.period_start between member.created_at - interval '1 minute' and member.created_at and p.state = 'paid'
  ) paid
  where member.group_size <= 500
  group by head.id
$function$;

CREATE OR REPLACE FUNCTION private.paid_photo_media_id(target_message_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.media_id from private.paid_photos f join public.messages m on m.id = f.message_id
  where f.message_id = target_message_id and m.sender_id = auth.uid()
$function$;

CREATE OR REPLACE FUNCTION private.pending_charge(payment_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'amountCents', p.amount_cents, 'reference', p.provider_reference,
    'payerId', p.payer_id, 'payerEmail', a.email, 'postId', coalesce(p.post_id, p.about_post_id),
    'messageId', p.message_id, 'payeeId', p.payee_id,
    'subscriptionId', p.subscription_id, 'planId', p.plan_id,
    'payee', (select r.username from public.profiles r where r.id = p.payee_id),
    'customer', (select c.reference from private.payment_customers c
                 where c.provider = p.provider and c.user_id = p.payer_id))
  from public.payments p left join public.accounts a on a.user_id = p.payer_id
  where p.id = payment_id and p.state = 'pending'
$function$;

CREATE OR REPLACE FUNCTION private.photo_price(target_message_id uuid, amount numeric)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.redact_message(old public.messages)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.refund_payment(payment_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  if payment.provider = 'test' then perform private.lock_test_money(); end if;
  perform private.lock_payment(payment);
  update public.payments p set state = 'refunded' where p.id = payment.id and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment.id;
  perform private.revoke_photo_unlock(payment.id);
  -- Refunding an earlier month does not end the current one.
  if payment.period_start is not null and not exists (
    select from public.payments p
    where (p.subscription_id = payment.subscription_id or p.plan_id = payment.plan_id) and p.state = 'paid'
      and p.period_start > (select r.period_start from public.payments r where r.id = payment.id)
  ) then
    perform private.end_subscription(payment.subscription_id);
    perform private.end_creator_plan(payment.plan_id);
  end if;
  perform private.book_payment(payment, -1);
  if payment.provider = 'test' then perform private.void_test_refund(payment); end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_subject(subject_kind text, target_subject_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hidden_message private.hidden_messages;
  restored_message public.messages;
  container_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = null where p.id = target_subject_id and p.hidden is not null;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    update public.comments c
    set hidden = case when exists (
                        select from public.comments o where o.id = c.parent_comment_id and o.hidden is not null)
                      then 'with_parent' end
    where c.id = target_subject_id and c.hidden is not null;
    update public.comments c set hidden = null
    where c.parent_comment_id = target_subject_id and c.hidden = 'with_parent';
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    delete from private.hidden_messages h where h.message_id = target_subject_id returning * into hidden_message;
    if not found then return; end if;
    update public.messages m
    set content = hidden_message.content, deleted_at = null, edited_at = hidden_message.edited_at,
        reply_to_id = hidden_message.reply_to_id, price_cents = hidden_message.price_cents,
        -- The payment for a paid photo may have been refunded while the message was hidden.
        media_id = case when hidden_message.price_cents is null then hidden_message.media_id
                        else private.unlocked_media_id(m.id) end,
        media_width = hidden_message.media_width, media_height = hidden_message.media_height,
        media_duration = hidden_message.media_duration, placeholder = hidden_message.placeholder,
        reactions = hidden_message.reactions, version = private.next_message_version(m.conversation_id)
    where m.id = target_subject_id
    returning * into restored_message;
    perform private.broadcast_message_change(restored_message, 'message.changed');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.revoke_photo_unlock(refunded_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.run_moderation_maintenance()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  expired_cases public.moderation_cases[] := array(
    select c from public.moderation_cases c
    where c.hid and (c.decision = 'remove' or c.kind = 'message') and c.state in ('decided', 'closed')
      and c.decided_at < (select clock_timestamp()) - interval '30 days'
    order by c.decided_at limit 200 for update skip locked);
  subject_ids uuid[] := array(select d.subject_id from unnest(expired_cases) d);
  removed_post_ids uuid[] := array(
    select p.id from public.posts p where p.id = any (subject_ids) and p.hidden = 'removed');
  removed_comment_ids uuid[] := array(
    select m.id from public.comments m where m.id = any (subject_ids) and m.hidden = 'removed');
  locked_post_ids uuid[];
begin
  -- The rows are locked in the usual order: posts, profile counts, notification counters, each by id.
  -- `or` is avoided, because the planner would then scan all posts.
  locked_post_ids := removed_post_ids || array(
    select m.post_id from public.comments m where m.id = any (removed_comment_ids));
  perform from public.posts p where p.id = any (locked_post_ids) order by p.id for update;
  perform from public.profile_counts c
  where c.user_id in (select p.author_id from public.posts p where p.id = any (removed_post_ids))
  order by c.user_id for no key update;
  perform private.lock_user_counters(array(
    select n.user_id from public.notifications n where n.post_id = any (removed_post_ids)
    union select n.user_id from public.notifications n where n.comment_id in (
      select m.id from public.comments m
      where m.id = any (removed_comment_ids) or m.parent_comment_id = any (removed_comment_ids))));
  delete from public.posts p where p.id = any (removed_post_ids);
  delete from public.comments m where m.id = any (removed_comment_ids);
  insert into private.orphaned_media (media_id, due)
  select h.media_id, clock_timestamp() from private.hidden_messages h
  where h.message_id = any (subject_ids) and h.media_id is not null
  on conflict (media_id) do update set due = excluded.due;
  delete from private.paid_photos f using private.hidden_messages h
  where h.message_id = any (subject_ids) and f.message_id = h.message_id;
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$function$;

CREATE OR REPLACE FUNCTION private.send_message(message_id uuid, receiver_id uuid, new_content text, upload_id uuid, reply_to_message_id uuid, price numeric DEFAULT NULL::numeric)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.settle_payment(payment_id uuid, reference text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payment public.payments;
  delivered boolean;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  select * into payment from public.payments p where p.id = payment_id for update;
  if payment.state not in ('pending', 'expired') then
    -- The reference of money that arrives for a void payment is stored, so that the money is refunded. It replaces the
    -- reference of an earlier charge, or of a checkout page on which nothing was paid. A reference of test money must
    -- not replace that of a charge that is to be refunded.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), refunded_at = null
    where p.id = payment_id and p.state = 'void'
      and (p.provider_reference is null or reference not like 'test\_%')
      and reference is not null and p.provider_reference is distinct from reference;
    return payment.state = 'paid';
  end if;
  delivered := case when not private.ensure_period_sellable(payment) then false else case payment.kind
    when 'unlock' then case when payment.message_id is null then private.settle_unlock(payment)
                            else private.settle_photo_unlock(payment) end
    when 'subscription' then private.settle_subscription(payment)
    when 'tip' then private.settle_tip(payment)
    else private.settle_creator_plan(payment) end end;
  -- Stores the provider that took the money, which may differ from the one that the payment was begun with.
  update public.payments p
  set state = case when delivered then 'paid' else 'void' end, provider_reference = reference,
      provider = case when reference like 'test\_%' then 'test' else p.provider end, settled_at = clock_timestamp()
  where p.id = payment_id;
  if delivered then perform private.book_payment(payment, 1); end if;
  return delivered;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_photo_unlock(paid public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_paid_photo(message public.messages)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.subject_snapshot(subject_kind text, target_subject_id uuid, include_hidden boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case subject_kind
    when 'post' then (
      select jsonb_build_object('personId', p.author_id,
        'media', to_jsonb(array_remove(
          array[coalesce(c.media_id, p.media_id), coalesce(c.poster_id, p.poster_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object(
          'content', coalesce(c.content, p.content), 'teaser', p.teaser, 'mediaType', p.media_type,
          'mediaId', coalesce(c.media_id, p.media_id), 'posterId', coalesce(c.poster_id, p.poster_id),
          'altText', coalesce(c.alt_text, p.alt_text), 'premiumPrice', p.premium_price, 'product', p.product,
          'madeBy', p.made_by, 'createdAt', p.created_at, 'editedAt', p.edited_at)))
      from public.posts p left join public.premium_contents c on c.post_id = p.id
      where p.id = target_subject_id and (include_hidden or p.hidden is null))
    when 'comment' then (
      select jsonb_build_object('personId', c.author_id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('content', c.content, 'postId', c.post_id,
          'parentCommentId', c.parent_comment_id, 'createdAt', c.created_at)))
      from public.comments c
      where c.id = target_subject_id and c.author_id is not null and (include_hidden or c.hidden is null))
    when 'message' then (
      select jsonb_build_object('personId', m.sender_id,
        'media', to_jsonb(array_remove(array[coalesce(h.media_id, m.media_id, f.media_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object('content', coalesce(h.content, m.content), 'mediaType',
          (select u.kind from public.media u where u.id = coalesce(h.media_id, m.media_id, f.media_id)),
          'mediaId', coalesce(h.media_id, m.media_id, f.media_id),
          'premiumPrice', round(coalesce(h.price_cents, m.price_cents) / 100.0, 2),
          'createdAt', m.created_at, 'editedAt', coalesce(h.edited_at, m.edited_at))))
      from public.messages m left join private.hidden_messages h on h.message_id = m.id and include_hidden
      left join private.paid_photos f on f.message_id = m.id
      where m.id = target_subject_id and (m.deleted_at is null or h.message_id is not null))
    when 'user' then (
      select jsonb_build_object('personId', p.id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('username', p.username, 'fullName', p.full_name, 'bio', d.bio,
          'profileImageUrl', p.profile_image_url, 'backgroundImageUrl', d.background_image_url,
          'website', t.website, 'createdAt', p.created_at)))
      from public.profiles p join public.profile_details d on d.user_id = p.id
      join public.profile_about t on t.user_id = p.id where p.id = target_subject_id) end;
end
$function$;

CREATE OR REPLACE FUNCTION private.unlocked_media_id(target_message_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.media_id from private.paid_photos f where f.message_id = target_message_id and f.payment_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.with_locked_photo(message_json jsonb, message public.messages)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when message.media_id is not null then message_json else coalesce(
    (select message_json || jsonb_build_object('imageUrl', '/api/media/' || f.media_id)
     from private.paid_photos f where f.message_id = message.id), message_json) end
$function$;

ALTER TABLE "private"."paid_photos" ADD CONSTRAINT "paid_photos_media_id_fkey" FOREIGN KEY (media_id) REFERENCES public.media(id);

ALTER TABLE "private"."paid_photos" ADD CONSTRAINT "paid_photos_message_id_fkey" FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE "private"."paid_photos" ADD CONSTRAINT "paid_photos_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.payments(id);

ALTER TABLE "public"."messages" ADD CONSTRAINT "messages_price_cents_check" CHECK (((price_cents >= 100) AND (price_cents <= 99999)));

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_check1" CHECK ((num_nonnulls(post_id, message_id) = ((kind = 'unlock'::text))::integer));

CREATE UNIQUE INDEX payments_paid_message_key ON public.payments USING btree (message_id) WHERE ((state = 'paid'::text) AND (message_id IS NOT NULL));

CREATE UNIQUE INDEX payments_pending_message_key ON public.payments USING btree (message_id) WHERE ((state = 'pending'::text) AND (message_id IS NOT NULL));

CREATE TRIGGER enqueue_orphan_check AFTER DELETE ON private.paid_photos FOR EACH ROW EXECUTE FUNCTION private.enqueue_media_check();

REVOKE ALL ON FUNCTION "private"."begin_photo_unlock"(uuid, numeric, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_photo_unlock"(uuid, numeric, text) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."begin_unlock_payment"(uuid, uuid, uuid, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_unlock_payment"(uuid, uuid, uuid, integer, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_conversation_of"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_conversation_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."paid_photo_media_id"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."paid_photo_media_id"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."lock_purchase"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_purchase"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."message_json"(public.messages, bigint, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."message_json"(public.messages, bigint, uuid) TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."own_sale"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_sale"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."photo_price"(uuid, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."photo_price"(uuid, numeric) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."revoke_photo_unlock"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."revoke_photo_unlock"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid, numeric) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."settle_photo_unlock"(public.payments) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_photo_unlock"(public.payments) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_paid_photo"(public.messages) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."store_paid_photo"(public.messages) TO "postgres";

REVOKE ALL ON FUNCTION "private"."unlocked_media_id"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unlocked_media_id"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."with_locked_photo"(jsonb, public.messages) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."with_locked_photo"(jsonb, public.messages) TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."paid_photos" TO "postgres";
