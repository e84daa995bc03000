set local check_function_bodies = off;

DROP TRIGGER "on_require_approval_changed" ON "private"."settings";

DROP TRIGGER "on_account_suspended" ON "public"."accounts";

DROP FUNCTION "private"."end_all_sessions"(uuid);

DROP FUNCTION "private"."on_require_approval_changed"();

ALTER TABLE "public"."accounts" ADD COLUMN "email_confirmed_at" timestamp with time zone;

ALTER TABLE "public"."accounts" ADD COLUMN "onboarded_at" timestamp with time zone;

-- The addresses of existing accounts count as confirmed, and their owners do not see the welcome steps.
update public.accounts a set email_confirmed_at = a.adult_confirmed_at, onboarded_at = a.adult_confirmed_at;

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
  perform private.require_confirmed_email();
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
  perform private.require_session();
  if not exists (select from public.accounts a
                 where a.user_id = uid and a.read_only_reason = private.confirmation_required()) then
    perform private.require_write();
  end if;
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    perform private.cancel_pending_email(uid);
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
  select a.user_id, a.email, private.hash_reset_token(token) from public.accounts a where a.user_id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_pending_email(target_user_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.email_changes c using public.accounts a
  where c.user_id = target_user_id and a.user_id = c.user_id and lower(c.email) <> lower(a.email)
$function$;

CREATE OR REPLACE FUNCTION private.confirm_email_change(token text, network_address text)
 RETURNS TABLE(wait integer, target_user_id uuid, old_email text, new_email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change private.email_changes;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_reset_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- The table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  select a.email into old_email from public.accounts a where a.user_id = change.user_id for update;
  if lower(old_email) <> lower(change.email) then
    perform private.set_account_email(change.user_id, change.email);
  end if;
  update public.accounts a set email_confirmed_at = clock_timestamp()
  where a.user_id = change.user_id and a.email_confirmed_at is null;
  target_user_id := change.user_id;
  new_email := change.email;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.confirmation_required()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select 'Confirm your email address to start using your account.' $function$;

CREATE OR REPLACE FUNCTION private.create_scheduled_payouts(max_rows integer, test_money boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_schedule record;
  default_method public.payout_methods;
  usable_from timestamptz;
  available_cents bigint;
  created_count integer := 0;
begin
  for due_schedule in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= clock_timestamp()
    order by s.next_at limit max_rows for update skip locked
  loop
    -- The default method cannot change while it is being used.
    perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || due_schedule.user_id::text, 0));
    select * into default_method from public.payout_methods m
    where m.user_id = due_schedule.user_id and m.is_default;
    usable_from := default_method.changed_at + private.payout_method_delay();
    if usable_from > clock_timestamp() then
      update public.payout_schedules s set next_at = usable_from where s.user_id = due_schedule.user_id;
      continue;
    end if;
    update public.payout_schedules s
    set next_at = s.next_at
      + interval '7 days' * (1 + floor(extract(epoch from clock_timestamp() - s.next_at) / 604800))
    where s.user_id = due_schedule.user_id;
    perform from public.creator_balances b where b.user_id = due_schedule.user_id for update;
    available_cents := private.balance_cents(due_schedule.user_id, test_money)
      - private.pending_balance_cents(due_schedule.user_id, test_money);
    if default_method.id is null or available_cents < private.minimum_payout_cents()
       or not exists (select from public.accounts a where a.user_id = due_schedule.user_id
                        and a.read_only_reason is null and a.email_confirmed_at is not null)
    then continue; end if;
    perform private.create_payout(gen_random_uuid(), due_schedule.user_id, 'scheduled', available_cents,
                                  default_method, test_money);
    created_count := created_count + 1;
  end loop;
  return created_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_all_sessions(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.cancel_pending_email(target_user_id);
  delete from auth.sessions s where s.user_id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_sessions_after_password_change()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_other_sessions();
  perform private.cancel_pending_email(auth.uid());
end
$function$;

CREATE OR REPLACE FUNCTION private.export_unlinked_records()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  email_address text := (select a.email from public.accounts a where a.user_id = auth.uid());
  sign_ins jsonb := '[]';
begin
  perform private.require_session();
  if private.can_access_auth_log('select') then
    execute $log$
      select coalesce(jsonb_agg(jsonb_build_object('what', l.action, 'at', l.created_at, 'from', l.address)
                                order by l.created_at), '[]')
      from (select e.payload::jsonb ->> 'action' as action, e.created_at, nullif(e.ip_address, '') as address
            from auth.audit_log_entries e
            where strpos(e.payload::text, $1) > 0 and e.payload::jsonb ->> 'actor_id' = $1
              and e.payload::jsonb ->> 'action' in ('login', 'logout')
            order by e.created_at desc limit 5000) l
      $log$ into sign_ins using uid::text;
  end if;
  return jsonb_build_object(
    'signInLog', sign_ins,
    'registration', (
      select jsonb_build_object('at', u.created_at, 'lastSignInAt', u.last_sign_in_at,
                                'told', coalesce(u.raw_user_meta_data::jsonb, '{}'))
      from auth.users u where u.id = uid),
    'pendingEmail', (
      select jsonb_build_object('email', c.email, 'askedAt', c.created_at)
      from private.email_changes c where c.user_id = uid and lower(c.email) <> lower(email_address)),
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = uid),
    'lastMailAboutNewsAt', (select m.mailed_at from private.notification_mails m where m.user_id = uid),
    'devices', (
      select coalesce(jsonb_agg(jsonb_build_object('device', d.device, 'firstSeenAt', d.first_seen_at)
                                order by d.first_seen_at), '[]')
      from private.known_devices d where d.user_id = uid),
    'countedCalls', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.bucket, 'since', r.window_start, 'calls', r.hits)
                                order by r.window_start, r.bucket), '[]')
      from private.rate_limits r
      where r.subject = uid::text or lower(r.subject) = lower(email_address)
         or starts_with(lower(r.subject), lower(email_address) || ' ')),
    'recentViews', (
      select coalesce(jsonb_agg(jsonb_build_object('postId', v.post_id, 'hour', v.hour)
                                order by v.hour, v.post_id), '[]')
      from private.post_views v where v.viewer_id = uid),
    'discoverScore', (select s.score from private.creator_scores s where s.user_id = uid),
    'paymentCustomers', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', c.provider, 'reference', c.reference,
                                                   'createdAt', c.created_at) order by c.created_at), '[]')
      from private.payment_customers c where c.user_id = uid),
    'autoPosting', (
      select jsonb_build_object('enabled', x.enabled, 'frequency', x.frequency, 'changedAt', x.changed_at,
                                'lastAutoPost', x.last_auto_post, 'askedAt', x.asked_at)
      from private.auto_posting_settings x where x.user_id = uid),
    'autoPostTimes', (
      select coalesce(jsonb_agg(jsonb_build_object('dueAt', s.due_at, 'state', s.state) order by s.due_at), '[]')
      from private.auto_post_slots s where s.user_id = uid),
    'takenBack', (
      select coalesce(jsonb_agg(jsonb_build_object('news', w.kind, 'to', w.user_id, 'times', w.times, 'since', w.since)
                                order by w.since), '[]')
      from private.notification_withdrawals w where w.actor_id = uid));
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_onboarding()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  update public.accounts a set onboarded_at = clock_timestamp() where a.user_id = uid and a.onboarded_at is null;
  if found then perform private.broadcast_to_user(uid, 'profile.changed', jsonb_build_object('userId', uid)); end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_email_confirmed(target_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.accounts a where a.user_id = target_user_id and a.email_confirmed_at is not null);
end
$function$;

CREATE OR REPLACE FUNCTION private.list_topic_authors(topic text, max_rows integer)
 RETURNS TABLE(user_id uuid, place integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
begin
  if not private.is_session_active() then return; end if;
  return query
    select p.id, row_number() over (order by p.is_creator desc, found.posts desc, p.created_at, p.id)::integer
    from (select latest.author_id, count(*) as posts
          from (select t.author_id from public.post_tags t where t.tag = private.normalize_tag(topic)
                order by t.created_at desc, t.post_id desc limit 500) latest
          group by latest.author_id) found
    join private.discoverable_profiles p on p.id = found.author_id
    join public.accounts a on a.user_id = p.id and a.read_only_reason is null
    where p.visibility = 'public' and p.id <> uid and p.id <> all (blocked_ids)
    order by 2 limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.message_refusal(receiver_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  is_allowed boolean;
  is_blocked boolean;
  must_confirm boolean;
begin
  select p.allow_direct_messages,
         exists (select from public.blocks b where b.blocker_id = uid and b.blocked_id = receiver_id)
         or exists (select from public.blocks b where b.blocker_id = receiver_id and b.blocked_id = uid),
         -- With an unconfirmed address, the caller can only message their followers and answer messages.
         exists (select from public.accounts a where a.user_id = uid and a.email_confirmed_at is null)
         and not exists (select from public.follows f where f.follower_id = receiver_id and f.followee_id = uid)
         and not exists (select from public.conversation_members m
                         where m.user_id = uid and m.partner_id = receiver_id)
  into is_allowed, is_blocked, must_confirm
  from public.profiles p where p.id = receiver_id;
  if not found or receiver_id = uid or is_blocked then return 'recipient_not_found'; end if;
  if not is_allowed then return 'direct_messages_disabled'; end if;
  if not private.can_write() then return 'account_read_only'; end if;
  if must_confirm then return 'email_unconfirmed'; end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_required_setting_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- An account that is created or changed in a concurrent transaction is either included here or sees the new
  -- setting.
  lock table public.accounts in share row exclusive mode;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where (a.approved_at is null or a.email_confirmed_at is null) and a.suspended_at is null
    and a.read_only_reason is distinct from private.restriction_reason(a);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.pending_email()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.email from private.email_changes c join public.accounts a on a.user_id = c.user_id
  where c.user_id = auth.uid() and lower(c.email) <> lower(a.email)
    and c.created_at > clock_timestamp() - interval '24 hours'
$function$;

CREATE OR REPLACE FUNCTION private.publish_product(new_post_id uuid, product_name text, description text, price numeric, store_url text, product_category text, image_id uuid DEFAULT NULL::uuid, image_alt text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  new_product jsonb;
begin
  perform private.require_write();
  perform private.require_confirmed_email();
  if private.is_blank(description) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  new_product := private.validated_product(product_name, price, store_url, product_category);
  if not private.publish_post(new_post_id, description, null, null, image_id, null, null, image_alt) then
    return false;
  end if;
  update public.posts p set product = new_product where p.id = new_post_id;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restriction(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = target_user_id for update;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.user_id = target_user_id and a.read_only_reason is distinct from private.restriction_reason(a);
end
$function$;

CREATE OR REPLACE FUNCTION private.renew_email_token(token text)
 RETURNS TABLE(email text, is_change boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  email := private.pending_email();
  is_change := email is not null;
  if not is_change then
    select a.email into email from public.accounts a where a.user_id = uid and a.email_confirmed_at is null;
    if not found then return; end if;
  end if;
  perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, renew_email_token.email, private.hash_reset_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return next;
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
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
  perform private.enforce_rate_limit('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Blocks every other change of the balance until this transaction ends.
  perform from public.creator_balances b where b.user_id = uid for update;
  select * into existing from public.payouts p where p.id = new_payout_id;
  if found then
    if existing.user_id <> uid or (cents is not null and existing.amount_cents <> cents) then
      raise exception 'This id is taken.' using errcode = 'PT409';
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

CREATE OR REPLACE FUNCTION private.require_can_message(receiver_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.require_can_publish(is_paid boolean)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  if is_paid and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  if is_paid then perform private.require_confirmed_email(); end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_can_subscribe(creator_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  creator public.profiles;
begin
  perform private.require_write();
  select * into creator from public.profiles p where p.id = creator_id;
  if not found or private.are_blocked(auth.uid(), creator_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator_id = auth.uid() then
    raise exception 'You can''t subscribe to yourself.' using errcode = 'PT400';
  end if;
  if not creator.is_creator then
    raise exception 'You can only subscribe to creators.' using errcode = 'PT403';
  end if;
  if not private.can_view_profile(creator_id) then
    raise exception 'You can''t view this profile.' using errcode = 'PT403';
  end if;
  if not exists (select from public.accounts a where a.user_id = creator_id and a.read_only_reason is null
                                                   and a.email_confirmed_at is not null) then
    raise exception 'This creator can''t accept subscriptions right now.' using errcode = 'PT403';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_confirmed_email()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_email_confirmed(auth.uid()) then
    raise exception 'Confirm your email address first.' using errcode = 'PT403', detail = 'email_unconfirmed';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.restriction_reason(account public.accounts)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when p.is_admin then null
    when account.suspended_at is not null then
      'Suspended'
      || coalesce(to_char(account.suspended_until at time zone 'UTC', '" until" FMDD FMMonth YYYY, HH24:MI "UTC"'), '')
      || ': ' || account.suspension_reason
    when (select t.age < 18 from public.profile_about t where t.user_id = account.user_id) then
      'You must be 18 or older to use this platform.'
    when account.email_confirmed_at is null and private.is_setting_enabled('require_email_confirmation') then
      private.confirmation_required()
    when account.approved_at is null and private.is_setting_enabled('require_approval') then
      'This account is waiting for approval.' end
  from public.profiles p where p.id = account.user_id
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
        raise exception 'This id is taken.' using errcode = 'PT409';
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
    raise exception 'Creator accounts come with Creator Pro. Upgrade first.'
      using errcode = 'PT403', detail = 'creator_pro_required';
  end if;
  update public.profiles p set is_creator = new_is_creator
  where p.id = (select auth.uid()) and p.is_creator <> new_is_creator;
end
$function$;

CREATE TRIGGER on_required_setting_changed AFTER INSERT OR UPDATE ON private.settings FOR EACH ROW WHEN ((new.key = ANY (ARRAY['require_approval'::text, 'require_email_confirmation'::text]))) EXECUTE FUNCTION private.on_required_setting_changed();

CREATE TRIGGER on_account_suspended AFTER UPDATE OF approved_at, suspended_at, suspended_until, suspension_reason, email_confirmed_at ON public.accounts FOR EACH ROW EXECUTE FUNCTION private.on_restriction_cause_changed('user_id');

COMMENT ON TABLE "private"."settings" IS 'Settings of this installation: rate_limits, require_approval, require_email_confirmation, creator_pro_billing (booleans), platform_fee_percent, storage_quota_bytes (numbers), address_salt (text), banned_words (array), auto_posting (object).';

REVOKE ALL ON FUNCTION "private"."begin_email_confirmation"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_email_confirmation"(uuid, text) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."cancel_pending_email"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."cancel_pending_email"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."confirmation_required"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."confirmation_required"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_all_sessions"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_all_sessions"(uuid) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."end_sessions_after_password_change"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_sessions_after_password_change"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."finish_onboarding"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."finish_onboarding"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."is_email_confirmed"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_email_confirmed"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_topic_authors"(text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_topic_authors"(text, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."on_required_setting_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_required_setting_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."renew_email_token"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."renew_email_token"(text) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."require_confirmed_email"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_confirmed_email"() TO "postgres";

REVOKE ALL ("email_confirmed_at") ON TABLE "public"."accounts" FROM "authenticated";

GRANT SELECT ("email_confirmed_at") ON TABLE "public"."accounts" TO "authenticated";

REVOKE ALL ("onboarded_at") ON TABLE "public"."accounts" FROM "authenticated";

GRANT SELECT ("onboarded_at") ON TABLE "public"."accounts" TO "authenticated";
