-- Keeps digests due until they have been sent, drops the log of webhook events, and simplifies functions.

set local check_function_bodies = off;

DROP TRIGGER "on_account_restricted" ON "public"."accounts";

DROP FUNCTION "private"."confirm_email_change"(text, text);

DROP FUNCTION "private"."hash_reset_token"(text);

DROP FUNCTION "private"."on_account_restricted"();

DROP FUNCTION "private"."plan_auto_posts"(timestamp with time zone);

DROP FUNCTION "private"."record_checkout"(uuid, text);

DROP TABLE "private"."payment_events";

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
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_email_change(new_email text, token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  if not exists (select from public.accounts a
                 where a.user_id = uid and a.read_only_reason = private.confirmation_required()) then
    perform private.require_write();
  end if;
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    perform private.cancel_pending_email(uid);
    return false;
  end if;
  -- If the same address is requested again within two minutes, we assume that the user saved the form to change another
  -- field. After that, the first email may have been lost, so another one is sent if the rate limit allows it.
  if exists (select from private.email_changes c where c.user_id = uid and lower(c.email) = lower(new_email)
                                                   and c.created_at > clock_timestamp() - interval '2 minutes') then
    return false;
  end if;
  if exists (select from public.accounts a where lower(a.email) = lower(new_email)) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  if lower(private.pending_email()) = lower(new_email) then
    if private.consume_rate_limit('email change', uid::text, 5, '1 hour') > 0 then return false; end if;
  else
    perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  end if;
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, lower(new_email), private.hash_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_email_confirmation(target_user_id uuid, token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if token is null then
    update public.accounts a set email_confirmed_at = clock_timestamp()
    where a.user_id = target_user_id and not private.is_setting_enabled('require_email_confirmation');
    return;
  end if;
  insert into private.email_changes (user_id, email, token_hash)
  select a.user_id, a.email, private.hash_token(token) from public.accounts a where a.user_id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_email_change(token text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ delete from private.email_changes c where c.token_hash = private.hash_token(token) $function$;

CREATE OR REPLACE FUNCTION private.claim_digests(max_rows integer)
 RETURNS TABLE(user_id uuid, waiting_since timestamp with time zone, waiting_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Rows that are newer than this might not be committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with chosen as (
      select d.recipient_id, d.since from private.due_digests() d
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by d.mailed_at nulls first, d.newest, d.recipient_id limit max_rows
    ), marked as (
      insert into private.notification_mails as k (user_id, mailed_until, mailed_at)
      select c.recipient_id, c.since, now() from chosen c order by c.recipient_id
      -- Names the constraint, because `user_id` is also an output column.
      on conflict on constraint notification_mails_pkey do update
        set mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as recipient_id
    )
    select c.recipient_id, c.since, covered_until from marked d join chosen c on c.recipient_id = d.recipient_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.complete_digest(recipient_id uuid, covered_until timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.notification_mails k set mailed_until = covered_until where k.user_id = recipient_id
$function$;

CREATE OR REPLACE FUNCTION private.confirm_email_change(token text, network_address text)
 RETURNS TABLE(wait integer, old_email text, new_email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change private.email_changes;
  was_confirmed boolean;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  select a.email, a.email_confirmed_at is not null into old_email, was_confirmed
  from public.accounts a where a.user_id = change.user_id for update;
  if lower(old_email) <> lower(change.email) then
    perform private.set_account_email(change.user_id, change.email);
  end if;
  update public.accounts a set email_confirmed_at = clock_timestamp()
  where a.user_id = change.user_id and a.email_confirmed_at is null;
  if not was_confirmed then old_email := null; end if;
  new_email := change.email;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_mass_message(message_id uuid, new_content text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
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
$function$;

CREATE OR REPLACE FUNCTION private.edit_message(message_id uuid, new_content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.hash_token(token text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(token, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION private.on_profile_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(new.id, 'profile.changed', jsonb_build_object('userId', new.id));
  perform private.broadcast_to_profile(new.id, 'profile.changed');
  if old.visibility <> new.visibility and new.visibility <> 'public' then
    perform private.broadcast_to_profile(new.id, 'access.changed');
    perform private.broadcast_to_post(p.id, 'access.changed')
    from (select p.id from public.posts p where p.author_id = new.id
          order by p.created_at desc, p.id desc limit 200) p;
  end if;
  if old.is_admin and not new.is_admin then perform private.recheck_access(new.id); end if;
  if old.allow_direct_messages is distinct from new.allow_direct_messages then
    perform private.recheck_conversations(new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_restriction_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.recheck_conversations(new.user_id);
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_password_reset(token text, network_address text, should_claim boolean)
 RETURNS TABLE(wait integer, valid boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  valid := false;
  wait := private.consume_rate_limit('reset_token', network_address, 30, '1 hour');
  if wait = 0 then valid := private.is_valid_reset_token(token); end if;
  if wait > 0 or valid then perform private.refund_rate_limit('reset_token', network_address, '1 hour'); end if;
  if valid and should_claim then
    insert into private.password_reset_claims as c (token_hash) values (private.hash_token(token))
    on conflict on constraint password_reset_claims_pkey do update set claimed_at = clock_timestamp()
      where c.claimed_at < clock_timestamp() - interval '2 minutes';
    valid := found;
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_auto_posts(as_of timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  time_zone text := coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC');
  first_hour double precision := coalesce((private.auto_posting_setting('fromHour'))::integer, 8);
  end_hour double precision := coalesce((private.auto_posting_setting('toHour'))::integer, 22);
  today date := (as_of at time zone time_zone)::date;
begin
  -- A shared lock: planners may run in parallel, but not while a creator's settings change.
  perform pg_advisory_xact_lock_shared(hashtextextended('auto_plan', 0));
  insert into private.auto_post_slots (user_id, day, nth, due_at, state)
  select x.user_id, today, n, due.at,
         case when due.at < as_of - interval '15 minutes' then 'missed' else 'planned' end
  from private.auto_posting_settings x
  cross join lateral (
    select case x.frequency when 'low' then 1 when 'moderate' then 2 else 3 end
      + case when private.seeded_random(x.user_id || ':' || today) < 0.5 then 0 else 1 end as posts) quota
  cross join lateral generate_series(1, quota.posts) n
  cross join lateral (
    select (today + make_interval(secs => 3600 * (first_hour + (end_hour - first_hour)
      * (n - 0.9 + 0.8 * private.seeded_random(x.user_id || ':' || today || ':' || n)) / quota.posts)))
      at time zone time_zone as at) due
  where x.enabled and private.can_auto_post(x.user_id)
    and (select count(*) from private.auto_post_slots s where s.user_id = x.user_id and s.day = today) < quota.posts
  on conflict (user_id, day, nth) do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION private.recheck_conversations(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
  from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = target_user_id
        order by m.last_message_at desc limit 200) m;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_checkout(payment_id uuid, reference text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.payments p set provider_reference = reference where p.id = payment_id and p.state = 'pending'
$function$;

CREATE OR REPLACE FUNCTION private.release_password_reset(token text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ delete from private.password_reset_claims c where c.token_hash = private.hash_token(token) $function$;

CREATE OR REPLACE FUNCTION private.renew_email_token(token text)
 RETURNS TABLE(email text, is_change boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  email := private.pending_email();
  is_change := email is not null;
  if not is_change then
    select a.email into email from public.accounts a where a.user_id = uid and a.email_confirmed_at is null;
    if not found then return; end if;
  end if;
  perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, renew_email_token.email, private.hash_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_message_text(content text, has_upload boolean)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if not has_upload and private.is_blank(content) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- A violation of the check constraint would write part of the message to the server's log.
  if char_length(content) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
end
$function$;

REVOKE ALL ON FUNCTION "private"."complete_digest"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."complete_digest"(uuid, timestamp with time zone) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."confirm_email_change"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."confirm_email_change"(text, text) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."hash_token"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."hash_token"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."plan_auto_posts"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plan_auto_posts"(timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."recheck_conversations"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."recheck_conversations"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_checkout"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_checkout"(uuid, text) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."require_message_text"(text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_message_text"(text, boolean) TO "postgres";
