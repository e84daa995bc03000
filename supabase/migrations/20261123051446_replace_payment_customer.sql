set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_creator_plan(payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  plan public.creator_plans;
  payment_id uuid;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('subscriptions', uid, 30, '1 minute');
  perform private.lock_creator_plan(uid);
  select * into plan from public.creator_plans s where s.user_id = uid and s.state <> 'ended' for update;
  if plan.state = 'active' and not private.has_creator_plan(uid) then
    -- The plan has expired, but the renewals job has not ended it yet.
    perform private.end_creator_plan(plan.id);
    plan := null;
  end if;
  if plan.state = 'active' then
    update public.creator_plans s set cancelled_at = null where s.id = plan.id and s.cancelled_at is not null;
    return null;
  end if;
  if not private.is_setting_enabled('creator_pro_billing') then
    raise exception 'Creator accounts are free here. Switch yours on in Settings.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  if plan.id is null then
    insert into public.creator_plans (user_id, price_cents) values (uid, private.creator_pro_price_cents())
    returning * into plan;
    -- Detects a concurrent account deletion, as in private.begin_subscription.
    perform from public.profiles p where p.id = uid for key share;
    if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.plan_id = plan.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
    values ('creator_pro', uid, plan.id, clock_timestamp(), plan.price_cents, 0, payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
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
  perform private.require_write();
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    delete from private.email_changes c where c.user_id = uid;
    return false;
  end if;
  -- The same address again within two minutes: the form was saved for another field. After that the email may have
  -- been lost, so another email is sent while the rate limit allows it.
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
  values (uid, lower(new_email), private.hash_reset_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_subscription(creator_id uuid, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  subscription public.subscriptions;
  profile_count integer;
  payment_id uuid;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('subscriptions', uid, 30, '1 minute');
  perform private.lock_relation(uid, begin_subscription.creator_id);
  perform private.require_can_subscribe(begin_subscription.creator_id);
  select * into subscription from public.subscriptions s
  where s.subscriber_id = uid and s.creator_id = begin_subscription.creator_id and s.state <> 'ended' for update;
  if subscription.state = 'active' and not private.is_subscribed(uid, begin_subscription.creator_id) then
    -- The subscription has expired, but the renewals job has not ended it yet.
    perform private.end_subscription(subscription.id);
    subscription := null;
  end if;
  if subscription.state = 'active' then
    update public.subscriptions s set cancelled_at = null where s.id = subscription.id and s.cancelled_at is not null;
    return null;
  end if;
  if subscription.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents)
    values (uid, begin_subscription.creator_id, private.subscription_price_cents())
    returning * into subscription;
    -- A concurrent account deletion may have collected the subscriptions it ends before this row existed. Locking
    -- both profiles settles the race: either this waits for the deletion and finds a profile missing, or the deletion
    -- waits for this and ends the new row.
    perform from public.profiles p where p.id in (uid, begin_subscription.creator_id) order by p.id for key share;
    get diagnostics profile_count = row_count;
    if profile_count < 2 then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.subscription_id = subscription.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
    values ('subscription', uid, begin_subscription.creator_id, subscription.id, clock_timestamp(),
            subscription.price_cents, private.platform_fee_cents(subscription.price_cents), payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
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
  if old.media_width is null and private.is_blank(new_content) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- Not left to the check constraint: its violation would write a part of the message into the server's log.
  if char_length(new_content) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
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

CREATE OR REPLACE FUNCTION private.expire_payment(payment_id uuid, reference text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then return false; end if;
  perform private.lock_payment(payment);
  update public.payments p set state = 'expired', settled_at = clock_timestamp()
  where p.id = payment_id and p.state = 'pending' and p.provider_reference = reference;
  if not found then return false; end if;
  -- Only a subscription or plan that was never paid ends now. An unpaid renewal has a grace period.
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.subscription_id and s.state = 'pending';
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.plan_id and s.state = 'pending';
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_valid_reset_token(token text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- On Supabase, recovery_token is '' for a user without a token.
  if length(token) < 20 then return false; end if;
  if exists (
    select from auth.users u
    -- The conditions on the length and the digits are those of Auth's partial indexes.
    where u.recovery_token = token and length(u.recovery_token) > 6 and u.recovery_token !~ '^[0-9 ]*$'
      and u.recovery_sent_at > now() - interval '1 hour'
  ) then
    return true;
  end if;
  if to_regclass('auth.one_time_tokens') is null then return false; end if;
  return exists (
    select from auth.one_time_tokens t join auth.users u on u.id = t.user_id
    where t.token_hash = token and t.token_type = 'recovery_token'
      and u.recovery_sent_at > now() - interval '1 hour'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.replace_payment_customer(payment_provider text, target_user_id uuid, missing_customer text, customer text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.payment_customers c set reference = customer
  where c.provider = payment_provider and c.user_id = target_user_id and c.reference = missing_customer
$function$;

CREATE OR REPLACE FUNCTION private.set_auto_posting(target_user_id uuid, enable boolean, new_frequency text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  previous private.auto_posting_settings;
  has_agreed boolean;
begin
  perform private.require_manageable(target_user_id);
  if enable and not exists (select from public.profiles p where p.id = target_user_id and p.is_creator) then
    raise exception 'Auto-posting is for creators only.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  perform private.lock_user_counters(array[target_user_id]);
  -- Waits for job runs that are planning slots, and keeps others from planning with the previous settings.
  perform pg_advisory_xact_lock(hashtextextended('auto_plan', 0));
  select * into previous from private.auto_posting_settings x where x.user_id = target_user_id for update;
  if previous.enabled is not distinct from enable and previous.frequency is not distinct from new_frequency then
    return;
  end if;
  insert into private.auto_posting_settings as x (user_id, enabled, frequency, changed_by)
  values (target_user_id, enable, new_frequency, auth.uid())
  on conflict (user_id) do update
    set enabled = excluded.enabled, frequency = excluded.frequency, changed_by = excluded.changed_by,
        changed_at = clock_timestamp();
  -- The next run of the job plans these slots again with the new settings.
  delete from private.auto_post_slots s where s.user_id = target_user_id and s.state = 'planned';
  select t.allow_auto_posting into has_agreed from public.profile_about t where t.user_id = target_user_id;
  if enable and not has_agreed and coalesce(previous.asked_at, '-infinity') < clock_timestamp() - interval '1 day' then
    update private.auto_posting_settings x set asked_at = clock_timestamp() where x.user_id = target_user_id;
    perform private.create_notification(target_user_id, null, 'auto_post',
      detail => 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.');
  end if;
  perform private.write_audit_entry(auth.uid(), 'auto_posting.set', target_user_id,
    details => jsonb_build_object('enabled', enable, 'frequency', new_frequency));
end
$function$;

CREATE OR REPLACE FUNCTION private.snapshot_reported_content(moderation_case public.moderation_cases)
 RETURNS public.moderation_cases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  snapshot jsonb := private.subject_snapshot(moderation_case.kind, moderation_case.subject_id, true);
  updated_case public.moderation_cases;
begin
  if snapshot is null or snapshot -> 'seen' = moderation_case.snapshots -> -1 -> 'seen' then
    return moderation_case;
  end if;
  if jsonb_array_length(moderation_case.snapshots) >= 20 then
    moderation_case.snapshots := moderation_case.snapshots - -1;
  end if;
  update public.moderation_cases m
  -- Truncated to the hour: the user can read the snapshots after the decision, but not learn exactly when someone
  -- reported them.
  set snapshots = moderation_case.snapshots
        || jsonb_build_object('at', date_trunc('hour', clock_timestamp()), 'seen', snapshot -> 'seen'),
      media_ids = array(select distinct u from unnest(
        m.media_ids || array(select jsonb_array_elements_text(snapshot -> 'media')::uuid)) u)
  where m.id = moderation_case.id
  returning * into updated_case;
  return updated_case;
end
$function$;

CREATE OR REPLACE FUNCTION private.visible_presence(target_user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  preferences public.user_settings;
  last_seen_at timestamptz;
  is_online boolean;
begin
  select s.* into preferences from public.user_settings s where s.user_id = target_user_id;
  if found and (preferences.show_online or preferences.show_last_seen)
     and exists (select from public.conversation_members m
                 where m.user_id = target_user_id and m.partner_id = uid and m.has_written)
     and not private.are_blocked(uid, target_user_id) then
    select s.seen_at into last_seen_at from private.last_seen s where s.user_id = target_user_id;
  end if;
  is_online := coalesce(last_seen_at > now() - interval '75 seconds', false);
  return jsonb_build_object(
    'online', is_online and preferences.show_online,
    'lastSeenAt', case
      when last_seen_at is null or not preferences.show_last_seen then null
      -- With the online status hidden, the time must not reveal it by being always now, by disappearing while the
      -- user is online, or by changing when they arrive: truncate it to the hour, and never return the current hour.
      when not preferences.show_online then least(date_trunc('hour', last_seen_at, 'UTC'),
                                                   date_trunc('hour', now(), 'UTC') - interval '1 hour')
      when not is_online then last_seen_at end);
end
$function$;

COMMENT ON TABLE "private"."reserved_usernames" IS 'Usernames that nobody can register. With lookalikes, usernames that look similar are reserved as well. Operators can add names; existing accounts keep theirs.';

COMMENT ON TABLE "public"."payments" IS 'Begun by the payer, settled by the API once the provider confirms that the money was received.';

REVOKE ALL ON FUNCTION "private"."replace_payment_customer"(text, uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."replace_payment_customer"(text, uuid, text, text) TO "postgres", "service_role";
