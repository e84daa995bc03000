set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.accept_follow_request(requester_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  perform private.lock_follows(requester_id, (select auth.uid()));
  perform from public.follow_requests r
  where r.follower_id = requester_id and r.followee_id = (select auth.uid()) for update;
  if not found then return false; end if;
  perform private.lock_user_pair(requester_id, (select auth.uid()));
  -- Marks the follow as the result of a request, for the triggers above.
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = requester_id and r.followee_id = (select auth.uid());
  insert into public.follows (follower_id, followee_id) values (requester_id, (select auth.uid()))
  on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
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
  image public.media;
begin
  -- Policies are checked after this trigger, so reject what they would reject before anything is counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages as yourself.' using errcode = '42501';
    end if;
    -- The second call, which raises the error, is made only for a refusal.
    if private.message_refusal(new.receiver_id) is not null then
      perform private.require_can_message(new.receiver_id);
    end if;
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- Not left to the check constraint: its violation would write a part of the message into the server's log.
    if char_length(new.content) > 5000 then
      raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
    end if;
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.user_low = low and c.user_high = high
  returning c.id, c.last_seq into new.conversation_id, new.seq;
  if not found then
    insert into public.conversations as c (user_low, user_high, last_seq) values (low, high, 1)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq + 1
    returning c.id, c.last_seq into new.conversation_id, new.seq;
  end if;
  -- Checked under the lock, when nobody else can send in this conversation. If the id belongs to a message of
  -- other users, the error also rolls back a conversation that was created just above.
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
      image := private.claim_media(new.media_id, 'image');
    else
      select * into image from public.media m where m.id = new.media_id;
    end if;
    new.media_width := image.width;
    new.media_height := image.height;
    new.placeholder := image.placeholder;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_auto_run(target_user_id uuid, run_kind text, as_of timestamp with time zone, model_name text, reserved_micros bigint, slot_day date DEFAULT NULL::date, slot_nth smallint DEFAULT NULL::smallint, slot_token uuid DEFAULT NULL::uuid, OUT run_id uuid, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today date := private.auto_posting_day(as_of);
  posts_today integer;
  own_posts_today integer;
  spent_today_micros bigint;
begin
  -- Runs begin one at a time, so that together they stay within the limits.
  perform pg_advisory_xact_lock(hashtextextended('auto_posting', 0));
  update public.auto_post_runs r
  set ended_at = clock_timestamp(), outcome = 'lost', detail = 'The worker stopped responding.'
  where r.outcome is null and r.started_at < clock_timestamp() - interval '15 minutes';
  if run_kind <> 'preview' and not private.can_auto_post(target_user_id) then
    refusal := 'not_wanted';
    return;
  end if;
  if slot_token is not null and not exists (
    select from private.auto_post_slots s where s.user_id = target_user_id and s.day = slot_day and s.nth = slot_nth
      and s.token = slot_token and s.state = 'running') then
    refusal := 'slot_taken';
    return;
  end if;
  select u.all_posts, u.own_posts, u.spent_micros into posts_today, own_posts_today, spent_today_micros
  from private.auto_posting_usage(today, target_user_id) u;
  if spent_today_micros + reserved_micros
    > coalesce((private.auto_posting_setting('maxCostPerDay'))::numeric, 0) * 1000000 then
    refusal := 'cost_cap';
  elsif run_kind <> 'preview'
    and posts_today >= coalesce((private.auto_posting_setting('maxPostsPerDay'))::integer, 0) then
    refusal := 'post_cap';
  elsif run_kind <> 'preview'
    and own_posts_today >= coalesce((private.auto_posting_setting('maxPostsPerCreator'))::integer, 0) then
    refusal := 'creator_cap';
  elsif run_kind <> 'preview' and exists (
    select from public.auto_post_runs r
    where r.user_id = target_user_id and r.outcome is null
      -- A run can no longer publish if its slot now belongs to the caller or to nobody.
      and (r.kind = 'test' or (r.kind = 'slot' and exists (
        select from private.auto_post_slots s
        where s.user_id = target_user_id and s.day = r.day and s.nth = r.nth and s.state = 'running'
          and s.token is distinct from slot_token)))) then
    refusal := 'busy';
  elsif run_kind = 'test' and exists (
    select from public.auto_post_runs r
    where r.user_id = target_user_id and r.outcome in ('published', 'drafted') and r.kind <> 'preview'
      and r.ended_at > clock_timestamp() - interval '1 minute') then
    refusal := 'busy';
  end if;
  if refusal is not null then return; end if;
  insert into public.auto_post_runs (user_id, kind, day, nth, counted_on, model, cost_micros)
  values (target_user_id, run_kind, slot_day, slot_nth, today, model_name, reserved_micros)
  returning id into run_id;
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
  -- The same address again within two minutes means that the form was saved for another field. Later, the first
  -- email may have been lost, so another one is sent if the rate limit allows it.
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

CREATE OR REPLACE FUNCTION private.begin_job(job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean DEFAULT false, is_scheduled boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  run_token uuid;
begin
  insert into private.job_runs as j (name, every, started_at, running_until, token)
  values (job_name, interval_seconds, clock_timestamp(), clock_timestamp() + make_interval(secs => lease_seconds),
          gen_random_uuid())
  on conflict (name) do update
    set every = excluded.every, started_at = excluded.started_at, running_until = excluded.running_until,
        token = excluded.token, ended_at = null, outcome = null,
        failures = case when j.running_until is null then j.failures else j.failures + 1 end,
        detail = case when j.running_until is null then j.detail else private.expired_run_detail() end
    where (j.running_until is null or j.running_until < clock_timestamp()
        -- The system clock was set back: the previous run has crashed or will renew its lease within seconds. A small
        -- step of the clock is ignored, so it does not let another run start.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so a tick that is at most half an interval early counts as due.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator may start the job at any time, and the schedule must not skip the next tick because of that.
        or j.failures + (j.running_until is not null)::integer < 2)
  returning token into run_token;
  return run_token;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_plan_renewals(max_rows integer, payment_provider text, are_payments_off boolean DEFAULT false)
 RETURNS TABLE(payment uuid, paused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed_ids uuid[];
  due public.creator_plans;
begin
  perform private.cancel_unrenewable_plans(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.creator_plans s
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.creator_plans s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a plan notifies its user, so lock the counters of all these users in one order.
  perform private.lock_user_counters(
    array(select s.user_id from public.creator_plans s where s.id = any (claimed_ids)));
  for due in select s.* from public.creator_plans s where s.id = any (claimed_ids) order by s.user_id loop
    payment := null;
    paused := are_payments_off and due.cancelled_at is null and private.can_renew_plan(due.user_id);
    if paused then
      with extended as (
        update public.creator_plans s set period_end = private.paused_until() where s.id = due.id returning s.period_end)
      update public.payments p set period_start = extended.period_end from extended
      where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    elsif due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       -- Once creators no longer pay here, plans end and creators keep their accounts.
       or not private.can_renew_plan(due.user_id)
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end)) then
      perform private.end_creator_plan(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
        values ('creator_pro', due.user_id, due.id, due.period_end, due.price_cents, 0, payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_renewals(max_rows integer, payment_provider text, are_payments_off boolean DEFAULT false)
 RETURNS TABLE(payment uuid, paused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed_ids uuid[];
  due public.subscriptions;
begin
  perform private.cancel_unrenewable_subscriptions(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a subscription changes its creator's counts, so lock the counts of all these creators in one order.
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (claimed_ids))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (claimed_ids) order by s.period_end loop
    payment := null;
    paused := are_payments_off and due.cancelled_at is null
      and private.can_renew_subscription(due.subscriber_id, due.creator_id);
    if paused then
      with extended as (
        update public.subscriptions s set period_end = private.paused_until() where s.id = due.id returning s.period_end)
      update public.payments p set period_start = extended.period_end from extended
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    elsif due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end))
       or not private.can_renew_subscription(due.subscriber_id, due.creator_id) then
      perform private.end_subscription(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments
          (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
        values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.price_cents,
                private.platform_fee_cents(due.price_cents), payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
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
    -- both profiles settles the race: either this transaction waits for the deletion and finds a profile
    -- missing, or the deletion waits for this transaction and ends the new subscription.
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
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    -- No provider has been called for this payment yet, so it switches to the current provider.
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

CREATE OR REPLACE FUNCTION private.begin_unlock(target_post_id uuid, amount numeric, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  price_cents integer;
  pending public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('unlocks', uid, 60, '1 minute');
  perform private.lock_post_purchase(uid, target_post_id);
  price_cents := private.unlock_price(target_post_id, amount);
  if price_cents is null then return null; end if;
  select * into pending from public.payments p
  where p.payer_id = uid and p.post_id = target_post_id and p.state = 'pending' for update;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider)
    select 'unlock', uid, p.author_id, target_post_id, price_cents, private.platform_fee_cents(price_cents),
           payment_provider
    from public.posts p where p.id = target_post_id
    returning * into pending;
  elsif pending.provider_reference is null then
    -- No provider has been called for this payment yet, so it switches to the current provider.
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
  is_read boolean := coalesce((
    select changed.seq <= r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.partner_id = changed.sender_id), false);
  message jsonb := private.message_json(changed, is_read);
begin
  perform private.broadcast_to_user(changed.receiver_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  -- If either user has blocked the other, neither learns when the other is online.
  if is_read and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.broadcast_to_user(changed.sender_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.check_names()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  username_changed boolean := tg_op = 'INSERT' or lower(new.username) is distinct from lower(old.username);
  problem text := case when username_changed then private.username_problem(new.username, new.id) end;
  display_name text;
begin
  -- Admins may use reserved names, because only operators can make a user an admin.
  if problem = 'reserved' and not new.is_admin then
    raise exception 'This username is reserved' using errcode = 'PT400', detail = 'username_reserved';
  elsif problem = 'taken' then
    raise exception 'Username is already taken' using errcode = 'PT409', detail = 'username_taken';
  end if;
  foreach display_name in array array[
    new.full_name, new.first_name, new.last_name, nullif(concat_ws(' ', new.first_name, new.last_name), '')
  ] loop
    -- An update may keep a name that the row already has.
    continue when tg_op = 'UPDATE' and display_name in (
      old.full_name, old.first_name, old.last_name, concat_ws(' ', old.first_name, old.last_name));
    if not private.is_valid_display_name(display_name) then
      raise exception 'This name contains characters that cannot be used'
        using errcode = 'PT400', detail = 'validation_failed';
    elsif private.is_staff_lookalike(display_name) and not new.is_admin then
      raise exception 'This name is reserved' using errcode = 'PT400', detail = 'validation_failed';
    end if;
  end loop;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.confirm_email_change(token text, network_address text)
 RETURNS TABLE(wait integer, target_user_id uuid, old_email text, new_email text)
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
  where c.token_hash = private.hash_reset_token(token)
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
  target_user_id := change.user_id;
  new_email := change.email;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.continue_announcement_round(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  announcement private.post_announcements;
  has_posts boolean;
  has_highlights boolean;
  follower_ids uuid[];
  last_at timestamptz;
  last_id uuid;
  recipient_ids uuid[];
  notification_ids uuid[];
begin
  select * into announcement from private.post_announcements a
  where a.position_at is not null order by a.worked_at limit 1;
  if not found then return null; end if;
  if not private.lock_announcement(announcement.id, announcement.author_id) then return 0; end if;
  select * into announcement from private.post_announcements a
  where a.id = announcement.id and a.position_at is not null;
  if not found then return 0; end if;
  select c.has_posts, c.has_highlights into has_posts, has_highlights
  from private.announcement_contents(announcement, true) c;
  if has_posts then
    select array_agg(f.follower_id), min(f.created_at),
           (array_agg(f.follower_id order by f.created_at, f.follower_id))[1]
    into follower_ids, last_at, last_id
    from (select f.follower_id, f.created_at from public.follows f
          where f.followee_id = announcement.author_id
            and (f.created_at, f.follower_id) < (announcement.position_at, announcement.position_id)
          order by f.created_at desc, f.follower_id desc limit max_rows) f;
    -- Leaves out accounts that were deleted while this query waited for the locks.
    recipient_ids := array(
      select c.user_id from public.user_counters c
      where c.user_id = any (array(
        select r.user_id from private.post_alert_recipients(
          announcement.author_id, follower_ids, has_highlights) r))
      order by c.user_id for update);
    -- The recipients are read again, because they may have unfollowed or blocked the author in the meantime.
    with stored as (
      insert into public.notifications as n (user_id, actor_id, kind, announcement_id, highlights_only)
      select r.user_id, announcement.author_id, 'new_post', announcement.id, r.highlights_only
      from private.post_alert_recipients(announcement.author_id, recipient_ids, has_highlights) r
      -- The notification of an earlier round. It gets a new id, because open pages ignore repeated events.
      on conflict (announcement_id, user_id) where announcement_id is not null do update
        set id = gen_random_uuid(), created_at = clock_timestamp(), read_at = null,
            highlights_only = excluded.highlights_only
      returning n.id
    )
    select array_agg(s.id) into notification_ids from stored s;
    perform private.broadcast_to_user(n.user_id, 'notification.created', jsonb_build_object(
      'notificationId', n.id, 'kind', n.kind, 'unreadTotal', private.count_unread_notifications(n.user_id)))
    from public.notifications n where n.id = any (notification_ids);
  end if;
  update private.post_announcements a
  set position_at = case when cardinality(follower_ids) = max_rows then last_at end, position_id = last_id,
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return coalesce(cardinality(notification_ids), 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.create_access_token(checked_password bytea, token_name text, new_token_hash bytea, token_scopes text[], lifetime_days integer)
 RETURNS private.access_tokens
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  created private.access_tokens;
begin
  -- This lock comes first, as in all functions that notify the user.
  perform private.lock_user_counters(array[uid]);
  -- Concurrent calls must not exceed the limit together. A call that has waited for a password change or a suspension,
  -- which revoke all tokens under the same lock, must not add one afterwards, so the checks come after the lock.
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || uid::text, 0));
  perform private.require_sign_in_session();
  perform private.require_write();
  if private.password_fingerprint() is distinct from checked_password then
    raise exception 'Your password has been changed. Try again with the new one.' using errcode = 'PT409';
  end if;
  perform private.enforce_rate_limit('access tokens', uid, 30, '1 hour');
  delete from private.access_tokens t where t.user_id = uid and t.expires_at <= clock_timestamp();
  if (select count(*) from private.access_tokens t where t.user_id = uid) >= 20 then
    raise exception 'You can have at most 20 access tokens. Revoke one first.' using errcode = 'PT409';
  end if;
  insert into private.access_tokens (user_id, name, token_hash, scopes, expires_at)
  values (uid, token_name, new_token_hash, token_scopes, clock_timestamp() + make_interval(days => lifetime_days))
  returning * into created;
  perform private.create_notification(uid, null, 'access_token', detail => token_name);
  created.token_hash := null;
  return created;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_account(target_user_id uuid, forfeit_balance boolean DEFAULT true, count_test_money boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owed_cents bigint;
  is_test_money boolean;
begin
  if not exists (select from public.profiles p where p.id = target_user_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.lock_account_dependents(target_user_id);
  -- Makes sure that there is a row to lock, so that a first sale that is being booked waits for the deletion.
  insert into public.creator_balances (user_id) values (target_user_id) on conflict do nothing;
  -- Locks the payout schedule before the balance, like the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  -- A debt in one kind of money does not reduce the other.
  owed_cents := greatest(0, private.balance_cents(target_user_id, false))
    + case when count_test_money then greatest(0, private.balance_cents(target_user_id, true)) else 0 end;
  if not forfeit_balance and owed_cents >= private.minimum_payout_cents() then
    raise exception 'You have $% left. Request a payout first, or forfeit it.',
        to_char(owed_cents / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  foreach is_test_money in array array[false, true] loop
    owed_cents := private.balance_cents(target_user_id, is_test_money);
    continue when owed_cents <= 0;
    perform private.book_transaction('given_up', target_user_id, null, null, array[
      ('creator', target_user_id, 'given_up', -owed_cents)::private.ledger_line,
      ('platform', null, 'given_up', owed_cents)::private.ledger_line], test_money => is_test_money);
  end loop;
  delete from public.creator_balances b
  where b.user_id = target_user_id and not exists (
    select from public.ledger_transactions t where t.user_id = target_user_id);
  -- Cascades to the profile, and from there to everything else.
  delete from auth.users u where u.id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_following_posts(until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  after_until timestamptz := coalesce(until + interval '1 microsecond', 'infinity');
  -- Combines both bounds into one key, so that the comparison is always an index condition.
  before_time timestamptz := least(after_time, after_until);
  before_id uuid := case when after_time < after_until then after_id else '00000000-0000-0000-0000-000000000000' end;
  recent_ids uuid[];
begin
  if not private.is_session_active() then return; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500 then
    recent_ids := array(
      select recent.id
      from (
        select p.id, p.author_id, p.created_at, p.hidden from public.posts p
        where (p.created_at, p.id) < (before_time, before_id)
        order by p.created_at desc, p.id desc limit 2000
      ) recent
      where (recent.author_id = uid
             or (select true from public.follows f where f.follower_id = uid and f.followee_id = recent.author_id))
        and (recent.hidden is null or (recent.hidden = 'hidden' and recent.author_id = uid))
        and (select true from private.viewable_profiles v where v.id = recent.author_id)
      order by recent.created_at desc, recent.id desc limit max_rows);
    if cardinality(recent_ids) = max_rows then
      return query select unnest(recent_ids);
      return;
    end if;
  end if;
  return query
    with authors as materialized (
      select newest.author_id
      from (
        select p.author_id, p.created_at, p.id
        from (select f.followee_id from public.follows f where f.follower_id = uid union all select uid) a (id)
        cross join lateral (
          select p.author_id, p.created_at, p.id from public.posts p
          where p.author_id = a.id and (p.created_at, p.id) < (before_time, before_id)
            and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
          order by p.created_at desc, p.id desc limit 1) p
        order by p.created_at desc, p.id desc offset 0
      ) newest
      where (select true from private.viewable_profiles v where v.id = newest.author_id)
      order by newest.created_at desc, newest.id desc limit max_rows
    )
    select p.id
    from authors a
    cross join lateral (
      select p.id, p.created_at from public.posts p
      where p.author_id = a.author_id and (p.created_at, p.id) < (before_time, before_id)
        and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
      order by p.created_at desc, p.id desc limit max_rows) p
    order by p.created_at desc, p.id desc limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_conversation_read_for(reader_id uuid, other_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.normalize_search(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
begin
  -- Fast path: in ASCII, spellings differ only in case.
  if octet_length(value) = char_length(value) then return lower(value collate pg_catalog.pg_c_utf8); end if;
  return replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss');
end
$function$;

CREATE OR REPLACE FUNCTION private.on_post_tags_created()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In a fixed order, so that concurrent posts with the same new topics do not deadlock.
  insert into private.topics (tag, search_key)
  select distinct n.tag, private.topic_search_key(n.tag) from new_tags n order by n.tag
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_user_settings_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  -- Depending on this setting, the unread count is a number of groups or of single notifications.
  if old.group_notifications is distinct from new.group_notifications then
    perform private.refresh_notification_count(new.user_id, '{}');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_case(subject_kind text, target_subject_id uuid)
 RETURNS public.moderation_cases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  snapshot jsonb := private.subject_snapshot(subject_kind, target_subject_id);
  opened_case public.moderation_cases;
begin
  if snapshot is not null then
    insert into public.moderation_cases as c (kind, subject_id, user_id)
    values (subject_kind, target_subject_id, (snapshot ->> 'personId')::uuid)
    on conflict (kind, subject_id) where state = 'open' do update set moved_at = clock_timestamp()
    returning * into opened_case;
    -- Checked again, because an admin may have hidden the subject while this call waited for the lock.
    snapshot := private.subject_snapshot(subject_kind, target_subject_id);
  end if;
  if snapshot is null then
    raise exception '%',
        case subject_kind when 'user' then 'User not found' else initcap(subject_kind) || ' not found' end
      using errcode = 'PT404';
  end if;
  return private.snapshot_reported_content(opened_case);
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_auto_posts(as_of timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  time_zone text := coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC');
  first_hour double precision := coalesce((private.auto_posting_setting('fromHour'))::integer, 8);
  end_hour double precision := coalesce((private.auto_posting_setting('toHour'))::integer, 22);
  today date := (as_of at time zone time_zone)::date;
  planned_count integer;
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
  get diagnostics planned_count = row_count;
  return planned_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restriction(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = target_user_id for update;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.user_id = target_user_id and a.read_only_reason is distinct from private.restriction_reason(a);
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restrictions(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_user_id uuid;
  account_ids uuid[];
begin
  -- Locks the table before its rows, in the same order as private.on_required_setting_changed. The settings cannot
  -- change until the end of the transaction.
  lock table public.accounts in row exclusive mode;
  select r.after_user_id into last_user_id from private.restriction_refreshes r for update;
  if not found then return 0; end if;
  account_ids := array(
    select a.user_id from public.accounts a where a.user_id > last_user_id order by a.user_id limit max_rows);
  -- Locked before the causes are read, as in private.refresh_restriction.
  perform from public.accounts a where a.user_id = any (account_ids) order by a.user_id for update;
  update public.accounts a set read_only_reason = r.reason
  from (select c.user_id, private.restriction_reason(c) as reason from public.accounts c
        where c.user_id = any (account_ids) and (c.approved_at is null or c.email_confirmed_at is null)
          and c.suspended_at is null
        offset 0) r
  where a.user_id = r.user_id and a.read_only_reason is distinct from r.reason;
  if cardinality(account_ids) < max_rows then
    delete from private.restriction_refreshes;
  else
    update private.restriction_refreshes set after_user_id = account_ids[max_rows];
  end if;
  return cardinality(account_ids);
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_topics(max_rows integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_tags text[];
begin
  insert into private.topics (tag, search_key)
  select u.tag, private.topic_search_key(u.tag)
  from (select distinct t.tag from public.post_tags t
        where t.created_at > case when max_rows is null then '-infinity' else now() - interval '1 hour' end) u
  order by u.tag
  on conflict do nothing;
  due_tags := array(
    -- A topic with many people is counted at most once an hour, because its rank hardly changes.
    select t.tag from private.topics t
    where t.tag in (select u.tag from public.post_tags u where u.created_at > now() - interval '1 hour')
      and (t.people < 20 or t.counted_at < now() - interval '1 hour')
    union
    (select t.tag from private.topics t order by t.counted_at, t.tag limit max_rows));
  update private.topics t set people = c.people, counted_at = now()
  from (
    select due.tag, (
      select count(distinct p.id)
      from (select u.author_id from public.post_tags u where u.tag = due.tag
            order by u.created_at desc, u.post_id desc limit 500) latest
      join private.discoverable_profiles p on p.id = latest.author_id and p.visibility = 'public'
      join public.accounts a on a.user_id = p.id and a.read_only_reason is null) as people
    from unnest(due_tags) due (tag) offset 0) c
  where t.tag = c.tag;
  delete from private.topics t
  where t.tag = any (due_tags) and not exists (select from public.post_tags u where u.tag = t.tag);
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
  -- Locked in the usual order: posts, profile counts, notification counters, each by id.
  -- Avoids `or`, with which the planner would scan all posts.
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
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$function$;

CREATE OR REPLACE FUNCTION private.search_posts(query text, window_start timestamp with time zone, window_id uuid, after_place integer, max_rows integer)
 RETURNS TABLE(post_id uuid, place integer, this_window text, next_window text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  window_size constant integer := 100;
  query_words text[] := private.text_search_terms(query);
  whole_words tsquery := private.text_search_query(query_words, false);
  prefixes tsquery := private.text_search_query(query_words, true);
  start_time timestamptz := coalesce(window_start, clock_timestamp());
  start_id uuid := coalesce(window_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  scan_rows integer;
  scanned_rows integer := 0;
  scan_from timestamptz := start_time;
  scan_from_id uuid := start_id;
  is_complete boolean;
  rarest tsquery;
  found_ids uuid[] := '{}';
  -- An estimate; -1 before PostgreSQL has counted the rows for the first time.
  post_count real := (select c.reltuples from pg_catalog.pg_class c where c.oid = 'private.post_search'::regclass);
begin
  if cardinality(query_words) = 0 or not private.is_session_active() then return; end if;
  -- First look at the newest posts: a common word fills the window there, and sorting all its matches would be slow.
  foreach scan_rows in array '{500, 2000, 17500}'::integer[] loop
    found_ids := found_ids || array(
      -- The inner query has no condition on the words, or the planner might read all matches through the index.
      select s.post_id
      from (
        select w.post_id, w.created_at, w.words from private.post_search w
        where (w.created_at, w.post_id) < (scan_from, scan_from_id)
        order by w.created_at desc, w.post_id desc limit scan_rows) s
      where s.words @@ prefixes and (select true from private.searchable_posts p where p.id = s.post_id)
      order by s.created_at desc, s.post_id desc limit window_size - cardinality(found_ids));
    is_complete := cardinality(found_ids) = window_size;
    exit when is_complete;
    select s.created_at, s.post_id into scan_from, scan_from_id from private.post_search s
    where (s.created_at, s.post_id) < (scan_from, scan_from_id)
    order by s.created_at desc, s.post_id desc offset scan_rows - 1 limit 1;
    is_complete := scan_from is null;
    exit when is_complete;
    -- The share of matches among the posts so far tells roughly how many more posts would have to be read to fill the
    -- window, and how many matches there are in total. The index is used if reading all matches, which takes three
    -- times as long for each, takes less time. With only a few matches, no estimate is made until many posts have been read.
    scanned_rows := scanned_rows + scan_rows;
    exit when (cardinality(found_ids) >= 3 or scanned_rows >= 2500)
      and 3 * post_count * cardinality(found_ids) ^ 2 < (window_size - cardinality(found_ids)) * scanned_rows ^ 2;
  end loop;
  if not is_complete then
    -- Of several words, only the one with the fewest matches among the newest posts is searched in the index: reading the
    -- matches of a common word takes longer than checking the other words in the rows.
    rarest := case when cardinality(query_words) = 1 then prefixes else (
      select w.query
      from (select private.text_search_query(array[word], true) as query from unnest(query_words) word offset 0) w
      order by (
        select count(*)
        from (select s.words from private.post_search s order by s.created_at desc, s.post_id desc limit 1000) s
        where s.words @@ w.query)
      limit 1) end;
    found_ids := found_ids || array(
      -- The inner query has no condition on `created_at`, or the planner would scan the posts from the newest to the
      -- oldest. Its order lets the outer one stop as soon as the window is full.
      select m.post_id
      from (
        with matches as materialized (
          select s.post_id, s.created_at from private.post_search s
          where s.words @@ rarest and (cardinality(query_words) = 1 or (s.words @@ prefixes) is true))
        select * from matches order by created_at desc, post_id desc) m
      where (m.created_at, m.post_id) < (scan_from, scan_from_id)
        and (select true from private.searchable_posts p where p.id = m.post_id)
      order by m.created_at desc, m.post_id desc limit window_size - cardinality(found_ids));
  end if;
  return query
    with found as (
      select s.post_id,
             row_number() over (order by s.words @@ whole_words desc,
               ln(1 + p.likes_count + 2 * p.comments_count) + extract(epoch from s.created_at) / 2592000 desc,
               s.created_at desc, s.post_id desc)::integer as place
      from unnest(found_ids) found (id)
      join private.post_search s on s.post_id = found.id join public.posts p on p.id = found.id)
    select f.post_id, f.place, private.timestamp_text(start_time) || '_' || start_id,
           case when cardinality(found_ids) = window_size then (
             select private.timestamp_text(s.created_at) || '_' || s.post_id
             from private.post_search s where s.post_id = found_ids[window_size]) end
    from found f where f.place > after_place order by f.place limit max_rows;
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
    -- Money for a void payment is recorded so that it is refunded. The payment may hold the reference of an earlier
    -- charge, or of a checkout page on which nothing was paid. Test money must not replace a charge that is to be
    -- refunded.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), refunded_at = null
    where p.id = payment_id and p.state = 'void'
      and (p.provider_reference is null or reference not like 'test\_%')
      and reference is not null and p.provider_reference is distinct from reference;
    return payment.state = 'paid';
  end if;
  delivered := case when not private.ensure_period_sellable(payment) then false else case payment.kind
    when 'unlock' then private.settle_unlock(payment)
    when 'subscription' then private.settle_subscription(payment)
    when 'tip' then private.settle_tip(payment)
    else private.settle_creator_plan(payment) end end;
  -- The provider that took the money, which may differ from the one that the payment was begun with.
  update public.payments p
  set state = case when delivered then 'paid' else 'void' end, provider_reference = reference,
      provider = case when reference like 'test\_%' then 'test' else p.provider end, settled_at = clock_timestamp()
  where p.id = payment_id;
  if delivered then perform private.book_payment(payment, 1); end if;
  return delivered;
end
$function$;

CREATE OR REPLACE FUNCTION private.use_access_token(requested_hash bytea)
 RETURNS TABLE(id uuid, user_id uuid, scopes text[], expires_at timestamp with time zone, wait integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select t.id, t.user_id, t.scopes, t.expires_at into id, user_id, scopes, expires_at
  from private.access_tokens t
  where t.token_hash = requested_hash and (t.expires_at is null or t.expires_at > clock_timestamp());
  if not found then return; end if;
  -- Requests with the same token wait for each other here and hold a connection while they wait, so the commit must
  -- not wait for the disk. A crash may lose the latest counts.
  perform set_config('synchronous_commit', 'off', true);
  wait := private.consume_rate_limit('access_token', id::text, 300, '1 minute');
  -- Another request that is already recording the time must not delay this one.
  update private.access_tokens t set last_used_at = clock_timestamp()
  where t.id = (
    select u.id from private.access_tokens u
    where u.id = use_access_token.id
      and (u.last_used_at is null or u.last_used_at < clock_timestamp() - interval '1 minute')
    for no key update skip locked);
  return next;
end
$function$;

COMMENT ON TABLE "public"."profiles" IS 'Names, picture and privacy settings of a user. Readable by admins, and by everybody except users who have blocked the user or are blocked by them.';
