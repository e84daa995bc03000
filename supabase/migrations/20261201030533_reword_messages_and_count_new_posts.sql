set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.before_follow_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- As with likes, the rate limit is consumed before any counts are locked. Otherwise, three transactions could
  -- deadlock: a like holds the rate limit and waits for an account deletion, which waits for a follow by the same user,
  -- which waits for the rate limit. Accepting a request is not counted: the counts are already locked, and the request
  -- itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$function$;

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
$function$;

CREATE OR REPLACE FUNCTION private.begin_tip(tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text DEFAULT NULL::text, tipped_post_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  existing public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('tips', uid, 30, '1 minute');
  perform private.lock_relation(uid, creator_id);
  select * into existing from public.payments p where p.id = tip_id;
  if found then
    if existing.kind <> 'tip' or existing.payer_id <> uid or existing.payee_id <> creator_id
       or existing.amount_cents <> amount * 100 then
      raise exception 'This ID is already in use.' using errcode = 'PT409';
    end if;
    -- If no provider has been called for this payment yet, the payment switches to the current provider.
    update public.payments p set provider = payment_provider
    where p.id = tip_id and p.state = 'pending' and p.provider_reference is null and p.provider <> payment_provider;
    return existing.id;
  end if;
  perform private.require_can_tip(creator_id);
  if amount not between 1 and 500 or amount <> round(amount, 2) then
    raise exception 'Please enter an amount between $1.00 and $500.00.' using errcode = 'PT400';
  end if;
  if tipped_post_id is not null and not exists (
    select from public.posts p where p.id = tipped_post_id and p.author_id = creator_id and p.hidden is null) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, provider, note, about_post_id)
  values (tip_id, 'tip', uid, creator_id, (amount * 100)::integer,
          private.platform_fee_cents((amount * 100)::integer), payment_provider, nullif(btrim(message), ''), tipped_post_id);
  return tip_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_new_following_posts(since timestamp with time zone, max_count integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return 0; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500
     and not exists (
       select from public.posts p where p.created_at > since order by p.created_at desc, p.id desc offset 2000)
     and not exists (select from public.reposts r where r.created_at > since order by r.created_at offset 2000)
  then
    return (
      select count(*) from (
        select p.id from public.posts p
        where p.created_at > since and p.hidden is null
          and (select true from public.follows f where f.follower_id = uid and f.followee_id = p.author_id)
          and (select true from private.viewable_profiles v where v.id = p.author_id)
        union
        select followed.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.created_at > since
            and (select true from public.follows f where f.follower_id = uid and f.followee_id = r.user_id) offset 0
        ) followed
        where private.is_repost_shown(followed.post_id, followed.user_id)
        limit max_count
      ) counted);
  end if;
  return (
    select count(*) from (
      select newer.id from (
        select f.followee_id as author_id, p.id
        from public.follows f
        cross join lateral (
          select p.id from public.posts p
          where p.author_id = f.followee_id and p.created_at > since and p.hidden is null limit max_count) p
        where f.follower_id = uid offset 0
      ) newer
      where (select true from private.viewable_profiles v where v.id = newer.author_id)
      union
      select r.post_id
      from public.follows f
      cross join lateral (
        select latest.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.user_id = f.followee_id and r.created_at > since
          order by r.created_at desc, r.post_id desc limit 100
        ) latest
        where private.is_repost_shown(latest.post_id, latest.user_id) limit max_count) r
      where f.follower_id = uid
      limit max_count
    ) counted);
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
$function$;

CREATE OR REPLACE FUNCTION private.moderate_subject(subject_kind text, target_subject_id uuid, new_decision text, reason_text text, suspension_days integer, also_hide boolean, forfeit_balance boolean, client_request_id uuid DEFAULT NULL::uuid, OUT case_id uuid, OUT removed_email text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  existing_case public.moderation_cases;
begin
  perform private.require_admin();
  if client_request_id is not null then
    -- A repeated request waits for the first one, and then finds its case.
    perform pg_advisory_xact_lock(hashtextextended('moderate:' || auth.uid() || client_request_id, 0));
    select * into existing_case from public.moderation_cases c
    where c.decided_by = auth.uid() and c.request_id = client_request_id;
    if found then
      if (existing_case.kind, existing_case.subject_id, existing_case.decision, existing_case.reason)
         is distinct from (subject_kind, target_subject_id, new_decision, nullif(btrim(reason_text), '')) then
        raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
      end if;
      case_id := existing_case.id;
      return;
    end if;
  end if;
  -- Users are not notified of dismissals, so an admin could use one to read content without its author learning of it.
  if new_decision = 'dismiss' then raise exception 'There is nothing to dismiss.' using errcode = 'PT400'; end if;
  -- Admins can decide a case about a message only if it was reported or if they are in the conversation.
  if subject_kind = 'message' and not exists (
       select from public.moderation_cases c
       where c.kind = 'message' and c.subject_id = target_subject_id and c.state = 'open')
     and not exists (
       select from public.messages m join public.conversations v on v.id = m.conversation_id
       where m.id = target_subject_id and auth.uid() in (v.user_low, v.user_high)) then
    raise exception 'Message not found' using errcode = 'PT404';
  end if;
  case_id := (private.open_case(subject_kind, target_subject_id)).id;
  removed_email := private.decide_case(case_id, new_decision, reason_text, suspension_days, also_hide,
                                       forfeit_balance);
  update public.moderation_cases c set request_id = client_request_id
  where c.id = case_id and client_request_id is not null;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_draft(target_draft_id uuid, edited_content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  draft public.auto_post_drafts;
begin
  perform private.require_can_publish(false);
  -- Locks in the same order as account deletion, to avoid deadlocks.
  perform from public.profile_counts c where c.user_id = auth.uid() for no key update;
  select * into draft from public.auto_post_drafts f where f.id = target_draft_id and f.user_id = auth.uid() for update;
  if not found then raise exception 'Draft not found' using errcode = 'PT404'; end if;
  if draft.state = 'published' then return; end if;
  -- The job that marks drafts as expired may not have run yet.
  if draft.state <> 'waiting' or draft.created_at < clock_timestamp() - private.draft_lifetime() then
    raise exception 'This draft was discarded or has expired.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.insert_post(auth.uid(), auth.uid(), target_draft_id, coalesce(edited_content, draft.content), null,
                             null, null, null, null, null, 'ai') then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_post_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = target_draft_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_scheduled(scheduled public.scheduled_posts)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_paid boolean := scheduled.premium_price is not null;
  media_kind text := (select m.kind from public.media m where m.id = scheduled.media_id);
  quoted public.posts;
begin
  if is_paid and not exists (select from public.profiles p where p.id = scheduled.author_id and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  if is_paid and not private.is_email_confirmed(scheduled.author_id) then
    raise exception 'Confirm your email address first.' using errcode = 'PT403', detail = 'email_unconfirmed';
  end if;
  -- Deleted first, because the id and the uploads can be used only once.
  delete from public.scheduled_posts s where s.id = scheduled.id;
  -- Posts are locked before profile counts.
  if scheduled.quoted_post_id is not null then
    quoted := private.lock_quotable_post(scheduled.author_id, scheduled.quoted_post_id);
  end if;
  if not private.insert_post(
       scheduled.author_id, scheduled.author_id, scheduled.id, scheduled.content, scheduled.premium_price,
       scheduled.teaser, case when media_kind = 'image' then scheduled.media_id end,
       case when media_kind = 'video' then scheduled.media_id end, scheduled.poster_id, scheduled.alt_text,
       quoted_id => scheduled.quoted_post_id) then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.posts p
  set included_in_subscription = scheduled.included_in_subscription,
      unlocks_count = case when scheduled.show_unlocks then 0 end
  where p.id = scheduled.id and (scheduled.included_in_subscription or scheduled.show_unlocks);
  if scheduled.quoted_post_id is not null then
    perform private.notify_about_quote(scheduled.id, scheduled.author_id, quoted.author_id);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reject_reused_id()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.moderation_cases c where c.kind = tg_argv[0] and c.subject_id = new.id) then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_payout(new_payout_id uuid, amount numeric DEFAULT NULL::numeric, target_method_id uuid DEFAULT NULL::uuid, test_money boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  existing public.payouts;
  method public.payout_methods;
  available_cents bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
  perform private.enforce_rate_limit('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Blocks every other change to the balance until this transaction ends.
  perform from public.creator_balances b where b.user_id = uid for update;
  select * into existing from public.payouts p where p.id = new_payout_id;
  if found then
    if existing.user_id <> uid or (cents is not null and existing.amount_cents <> cents) then
      raise exception 'This ID is already in use.' using errcode = 'PT409';
    end if;
    return false;
  end if;
  if amount <> round(amount, 2) then
    raise exception 'Please enter an amount in whole cents.' using errcode = 'PT400';
  end if;
  available_cents := private.balance_cents(uid, test_money) - private.pending_balance_cents(uid, test_money);
  cents := coalesce(cents, available_cents);
  if cents < private.minimum_payout_cents() then
    raise exception 'The minimum payout is $%.', to_char(private.minimum_payout_cents() / 100.0, 'FM999990.00')
      using errcode = 'PT400', detail = 'payout_minimum';
  end if;
  if cents > available_cents then
    raise exception 'You have $% available.', to_char(greatest(0, available_cents) / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_too_low';
  end if;
  select * into method from public.payout_methods m
  where m.user_id = uid and case when target_method_id is null then m.is_default else m.id = target_method_id end;
  if not found then
    raise exception 'Add a payout method first.' using errcode = 'PT409', detail = 'payout_method_missing';
  end if;
  if method.changed_at + private.payout_method_delay() > clock_timestamp() then
    raise exception 'This payout method was added or changed less than 5 days ago. It can be used from % UTC.',
        to_char((method.changed_at + private.payout_method_delay()) at time zone 'UTC', 'FMMonth FMDD, HH24:MI')
      using errcode = 'PT409', detail = 'payout_method_waiting';
  end if;
  perform private.create_payout(new_payout_id, uid, 'instant', cents, method, test_money);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_write_scope()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not coalesce(auth.jwt() -> 'token_scopes' ? 'write', true) then
    raise exception 'This access token is read-only.' using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.save_payout_method(target_method_id uuid, method_type text, method_name text, masked_details text, encrypted_details text, make_default boolean, new_method_id uuid DEFAULT gen_random_uuid())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  saved_id uuid;
  existing public.payout_methods;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
  perform private.enforce_rate_limit('payout-methods', uid, 20, '1 hour');
  -- Serializes all changes to the methods of one user.
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  if target_method_id is null then
    select * into existing from public.payout_methods m where m.id = new_method_id;
    if found then
      if (existing.user_id, existing.type, existing.name, existing.masked)
         is distinct from (uid, method_type, method_name, masked_details) then
        raise exception 'This ID is already in use.' using errcode = 'PT409';
      end if;
      return false;
    end if;
    if (select count(*) from public.payout_methods m where m.user_id = uid) >= 5 then
      raise exception 'You can have at most 5 payout methods.' using errcode = 'PT409';
    end if;
    insert into public.payout_methods (id, user_id, type, name, masked)
    values (new_method_id, uid, method_type, method_name, masked_details) returning id into saved_id;
    insert into private.payout_method_details (method_id, secret) values (saved_id, encrypted_details);
    insert into public.payout_schedules (user_id) values (uid) on conflict do nothing;
  else
    update public.payout_methods m
    set name = coalesce(method_name, m.name), type = coalesce(method_type, m.type),
        masked = coalesce(masked_details, m.masked),
        changed_at = case when encrypted_details is null then m.changed_at else clock_timestamp() end
    where m.id = target_method_id and m.user_id = uid returning m.id into saved_id;
    if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
    update private.payout_method_details d set secret = encrypted_details
    where d.method_id = saved_id and encrypted_details is not null;
  end if;
  if make_default or not exists (select from public.payout_methods m where m.user_id = uid and m.is_default) then
    update public.payout_methods m set is_default = false where m.user_id = uid and m.is_default and m.id <> saved_id;
    update public.payout_methods m set is_default = true where m.id = saved_id and not m.is_default;
  end if;
  return target_method_id is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.schedule_post(new_post_id uuid, publish_time timestamp with time zone, quoted_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, is_included boolean, shows_unlocks boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  is_paid boolean := price is not null;
  upload_id uuid := coalesce(image_id, video_id);
  stored_author_id uuid;
begin
  perform private.require_can_publish(is_paid);
  -- Keeps the account from being deleted until the end of the transaction: see private.lock_account_dependents.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  -- A retry waits here for the first request, as in private.insert_post.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  stored_author_id := coalesce((select s.author_id from public.scheduled_posts s where s.id = new_post_id),
                               (select p.author_id from public.posts p where p.id = new_post_id));
  if stored_author_id = uid then return; end if;
  if stored_author_id is not null then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  perform private.require_publish_time(publish_time);
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Serializes requests by the same author, so that they cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('scheduled_posts:' || uid::text, 0));
  if (select count(*) from public.scheduled_posts s where s.author_id = uid) >= 100 then
    raise exception 'You can have at most 100 scheduled posts.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(content_text) and upload_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if quoted_id is not null then perform private.lock_quotable_post(uid, quoted_id); end if;
  if upload_id is not null then
    perform private.claim_media(upload_id, case when image_id is not null then 'image' else 'video' end);
    if image_id is null and poster_image_id is not null then
      perform private.claim_media(poster_image_id, 'image');
    end if;
  end if;
  insert into public.scheduled_posts (id, author_id, publish_at, content, premium_price, teaser,
                                      included_in_subscription, show_unlocks, media_id, poster_id, alt_text,
                                      quoted_post_id)
  values (new_post_id, uid, publish_time, content_text, price, case when is_paid then nullif(teaser_text, '') end,
          is_paid and is_included, is_paid and shows_unlocks, upload_id,
          case when image_id is null and video_id is not null then poster_image_id end,
          case when upload_id is not null then nullif(alt_description, '') end, quoted_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.set_own_creator_status(new_is_creator boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  if new_is_creator then perform private.require_confirmed_email(); end if;
  if new_is_creator and private.is_setting_enabled('creator_pro_billing') and not private.has_creator_plan(auth.uid())
     and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Creator accounts require Creator Pro. Upgrade first.'
      using errcode = 'PT403', detail = 'creator_pro_required';
  end if;
  update public.profiles p set is_creator = new_is_creator
  where p.id = (select auth.uid()) and p.is_creator <> new_is_creator;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_payout(target_payout_id uuid, outcome text, note text DEFAULT NULL::text, test_money boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  payout public.payouts;
begin
  perform private.require_admin();
  select * into payout from public.payouts p where p.id = target_payout_id;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  if payout.user_id = uid then
    raise exception 'Another admin has to settle your own payout.' using errcode = 'PT403';
  end if;
  if outcome = 'failed' and coalesce(btrim(note), '') = '' then
    raise exception 'Please say why it failed.' using errcode = 'PT400';
  end if;
  if outcome = 'paid' and payout.state = 'requested' and payout.is_test and not test_money then
    raise exception 'This payout is test money. Don''t send it. Mark the payout as failed.'
      using errcode = 'PT409', detail = 'test_money';
  end if;
  if private.close_payout(target_payout_id, outcome, note, uid) then
    perform private.write_audit_entry(uid, 'payout.' || outcome, payout.user_id, target_payout_id::text,
      jsonb_build_object('amount', payout.amount_cents / 100.0, 'said', nullif(btrim(note), '')));
  end if;
end
$function$;

CREATE INDEX reposts_created_at_idx ON public.reposts USING btree (created_at);

-- The admin's list of runs translates these texts, so stored runs get the new wording too.
update public.auto_post_runs set detail = 'The API key lacks permission for this request (403).'
where detail = 'The provider does not allow this API key to do this (403).';
update public.auto_post_runs set detail = 'The rate limit of the provider was reached (429).'
where detail = 'The provider is limiting the rate of requests (429).';
