set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.before_follow_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- The rate limit is consumed before any counts are locked, in the same order as for likes. Otherwise three
  -- transactions could deadlock: a like holds the rate limit and waits for an account deletion, which waits for a
  -- follow by the same user, which waits for the rate limit. Accepting a request is not counted: the counts are already
  -- locked, and the request itself was counted.
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
  image public.media;
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
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- A violation of the check constraint would write part of the message to the server's log.
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

CREATE OR REPLACE FUNCTION private.begin_announcement_round()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  post public.posts;
  announcement private.post_announcements;
  newest_at timestamptz;
begin
  -- One at a time, so that two runs do not begin two announcements for the same hour.
  perform pg_advisory_xact_lock(hashtextextended('announcement_round', 0));
  select p.* into post from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id is null and not exists (
    select from private.post_announcements a where a.author_id = p.author_id and a.position_at is not null)
  order by q.queued_at, q.post_id limit 1;
  if not found then return false; end if;
  select * into announcement from private.post_announcements a
  where a.author_id = post.author_id and a.opened_at <= post.created_at
    and a.opened_at > post.created_at - interval '1 hour'
  order by a.opened_at desc limit 1;
  if not found then
    insert into private.post_announcements (author_id, opened_at) values (post.author_id, post.created_at)
    returning * into announcement;
  end if;
  with added as (
    update private.announced_posts q set announcement_id = announcement.id, round = announcement.round + 1
    from public.posts p
    where p.id = q.post_id and q.announcement_id is null and p.author_id = post.author_id
      and p.created_at >= announcement.opened_at and p.created_at < announcement.opened_at + interval '1 hour'
    returning p.created_at
  )
  select max(a.created_at) into newest_at from added a;
  -- Users who followed the author after the newest of the posts are not notified. `newest_at` is null if the post has
  -- just been deleted.
  update private.post_announcements a
  set round = a.round + 1, position_at = newest_at, position_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      worked_at = clock_timestamp()
  where a.id = announcement.id;
  return true;
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
      -- Leaves out runs that can no longer publish, because their slot now belongs to the caller or to nobody.
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
        -- If the lease ends this far in the future, the system clock was set back. The previous run has then crashed or
        -- will renew its lease within seconds. A smaller clock jump is ignored.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so a tick that is at most half an interval early counts as due.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator may start the job at any time, which must not make the schedule skip the next tick.
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
       -- If creators no longer have to pay, plans end and creators keep their creator accounts.
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
    -- A concurrent account deletion may have collected the subscriptions that it ends before this row existed. Locking
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
    -- No provider has been called for this payment yet, so the payment switches to the current provider.
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

CREATE OR REPLACE FUNCTION private.check_session()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims jsonb := auth.jwt();
  uid uuid := auth.uid();
  checked_id uuid := nullif(claims ->> 'session_id', '')::uuid;
  is_active boolean;
  remembered text;
begin
  is_active := exists (
    select from auth.sessions s
    where s.id = checked_id and s.user_id = uid and (s.not_after is null or s.not_after > now()));
  if not is_active and claims ? 'token_scopes' then
    is_active := exists (
      select from private.access_tokens t
      where t.id = checked_id and t.user_id = uid and (t.expires_at is null or t.expires_at > now()));
  end if;
  -- An assignment is evaluated directly; `perform` would run a query.
  remembered := set_config('private.active_session', case when is_active
    then 'claims ' || current_setting('request.jwt.claims', true)
         || coalesce(current_setting('request.jwt.claim.sub', true), '')
    else '' end, true);
  return is_active;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_auto_slots(as_of timestamp with time zone, max_rows integer)
 RETURNS TABLE(creator_id uuid, slot_day date, slot_nth smallint, slot_token uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  grace constant interval := interval '3 hours';
  lease constant interval := interval '5 minutes';
begin
  perform private.plan_auto_posts(as_of);
  -- Releases slots whose lease has expired, or that were claimed before the clock was set back.
  update private.auto_post_slots s
  set state = case when s.attempts >= 3 then 'failed' else 'planned' end, token = null, claimed_until = null
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_post_slots r
    where r.state = 'running' and (r.claimed_until < as_of or r.claimed_until > as_of + 2 * lease)
    order by r.due_at for update skip locked);
  update private.auto_post_slots s set state = 'missed'
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_post_slots r
    where r.state = 'planned' and r.due_at <= as_of
      and (r.due_at < as_of - grace
        or exists (
          select from private.auto_post_slots l
          where l.user_id = r.user_id and l.due_at > r.due_at and l.due_at <= as_of))
    order by r.due_at for update skip locked);
  return query
    update private.auto_post_slots s
    set state = 'running', token = gen_random_uuid(), claimed_until = as_of + lease, attempts = s.attempts + 1
    where (s.user_id, s.day, s.nth) in (
      select r.user_id, r.day, r.nth from private.auto_post_slots r
      where r.state = 'planned' and r.due_at <= as_of and coalesce(r.retry_at, r.due_at) <= as_of
        and private.can_auto_post(r.user_id)
      order by r.due_at limit max_rows for update skip locked)
    returning s.user_id, s.day, s.nth, s.token;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_due_digests(max_rows integer)
 RETURNS TABLE(user_id uuid, waiting_since timestamp with time zone, waiting_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Rows newer than this may not have been committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with chosen as (
      select d.recipient_id, d.since from private.due_digests() d
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by d.mailed_at nulls first, d.newest, d.recipient_id limit max_rows
    ), marked as (
      insert into private.notification_mails as k (user_id, mailed_until, mailed_at)
      select c.recipient_id, covered_until, now() from chosen c order by c.recipient_id
      -- Names the constraint, because `user_id` is also an output column.
      on conflict on constraint notification_mails_pkey do update
        set mailed_until = excluded.mailed_until, mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as recipient_id
    )
    select c.recipient_id, c.since, covered_until from marked d join chosen c on c.recipient_id = d.recipient_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.clean_up(kind text, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  deleted integer := 0;
  conversation_ids uuid[];
begin
  case kind
    when 'captchas' then
      delete from private.spent_captchas d where d.ctid = any (array(
        select o.ctid from private.spent_captchas o where o.expires_at < now()
        limit max_rows for update skip locked));
    when 'rateLimits' then
      delete from private.rate_limits d where d.ctid = any (array(
        select o.ctid from private.rate_limits o where o.window_start < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'resetClaims' then
      -- No reset link is valid for more than an hour.
      delete from private.password_reset_claims d where d.ctid = any (array(
        select o.ctid from private.password_reset_claims o where o.claimed_at < now() - interval '1 hour'
        limit max_rows for update skip locked));
    when 'emailChanges' then
      delete from private.email_changes d where d.ctid = any (array(
        select o.ctid from private.email_changes o where o.created_at < now() - interval '24 hours'
        limit max_rows for update skip locked));
    -- If both users have deleted their accounts, nobody is left who can read the conversation. A conversation is
    -- deleted after its messages, because it may have any number of them.
    when 'messages' then
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
        limit max_rows);
      delete from public.messages d where d.ctid = any (array(
        select m.ctid from public.messages m where m.conversation_id = any (conversation_ids)
        limit max_rows for update skip locked));
    when 'conversations' then
      -- A conversation that still has a member is checked again when it loses that member, too.
      delete from private.conversation_checks k
      where exists (select from public.conversation_members p where p.conversation_id = k.conversation_id);
      conversation_ids := array(
        select k.conversation_id from private.conversation_checks k
        where not exists (select from public.conversation_members p where p.conversation_id = k.conversation_id)
          and not exists (select from public.messages m where m.conversation_id = k.conversation_id)
        limit max_rows);
      delete from private.conversation_checks k where k.conversation_id = any (conversation_ids);
      delete from public.conversations c where c.id = any (conversation_ids);
    when 'withdrawals' then
      delete from private.notification_withdrawals d where d.ctid = any (array(
        select o.ctid from private.notification_withdrawals o where o.since < now() - interval '1 day'
        limit max_rows for update skip locked));
    when 'announcements' then
      -- The job `new-posts` deletes these announcements and their notifications.
      insert into private.announcement_checks (announcement_id)
      select a.id from private.post_announcements a
      where a.opened_at <= now() - interval '30 days'
        and not exists (select from private.announcement_checks k where k.announcement_id = a.id)
      order by a.opened_at limit max_rows;
    when 'authLog' then
      -- Auth never deletes entries from its log.
      if not (private.can_access_auth_log('select') and private.can_access_auth_log('delete')) then return 0; end if;
      execute $log$
        delete from auth.audit_log_entries d where d.ctid = any (array(
          select o.ctid from auth.audit_log_entries o where o.created_at < now() - interval '90 days' limit $1))
        $log$ using max_rows;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_payout(target_payout_id uuid, outcome text, note text, admin_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout public.payouts;
  account_exists boolean;
begin
  select * into payout from public.payouts p where p.id = target_payout_id;
  -- The lock order of account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return false; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  -- The profile is locked before anything refers to it. If a concurrent deletion commits first, the money goes to the
  -- platform.
  account_exists := exists (select from public.profiles p where p.id = payout.user_id for key share);
  perform private.create_notification(payout.user_id, null, 'payout',
    detail => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(payout.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(note) else '' end)
  where account_exists;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = admin_id,
      reference = case when outcome = 'paid' then nullif(btrim(note), '') end,
      failure = case when outcome = 'failed' then btrim(note) end,
      -- The name and the masked details are personal data, so they are not kept longer than the account.
      method_name = case when account_exists then p.method_name else p.method_type end,
      method_masked = case when account_exists then p.method_masked else '••••' end
  where p.id = target_payout_id;
  delete from private.payout_destinations t where t.payout_id = target_payout_id;
  if outcome = 'paid' then
    perform private.book_transaction('payout_paid', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('processor', null, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  elsif account_exists then
    perform private.book_transaction('payout_failed', payout.user_id, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('creator', payout.user_id, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  else
    perform private.book_transaction('payout_failed', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('platform', null, 'given_up', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  end if;
  return true;
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
      -- Replaces the notification of an earlier round. The new one gets a new id, because open pages ignore repeated
      -- events.
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

CREATE OR REPLACE FUNCTION private.count_unread_notifications(recipient_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_grouped boolean;
  total integer;
begin
  -- Transactions that change this user's notifications compute the count one after the other, and each sees what the
  -- previous one committed.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  if not found then return null; end if;
  select s.group_notifications into is_grouped from public.user_settings s where s.user_id = recipient_id;
  -- Two queries rather than one with a condition, so that counting groups does not read all rows of a large group.
  if coalesce(is_grouped, true) then
    select count(*) into total from (
      select from public.notifications n
      where n.user_id = recipient_id and n.read_at is null and n.is_head limit 100) unread;
  else
    select count(*) into total from (
      select from public.notifications n where n.user_id = recipient_id and n.read_at is null limit 100) unread;
  end if;
  update public.user_counters c set unread_notifications = total
  where c.user_id = recipient_id and c.unread_notifications <> total;
  return total;
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
  -- The checks come after the lock. Otherwise, concurrent calls could together exceed the limit, and a call that has
  -- waited for a password change or a suspension (both revoke all tokens under the same lock) could add a token
  -- afterwards.
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

CREATE OR REPLACE FUNCTION private.create_notification(recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid DEFAULT NULL::uuid, target_comment_id uuid DEFAULT NULL::uuid, target_message_id uuid DEFAULT NULL::uuid, detail text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  head public.notifications;
  new_id uuid := gen_random_uuid();
  is_known_actor boolean := false;
  nil_id constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if recipient_id = actor_user_id or private.are_blocked(recipient_id, actor_user_id)
     or not private.notification_enabled(recipient_id, notification_kind) then
    return;
  end if;
  -- Serializes the recipient's notifications, so that they join a group one after the other.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  -- A block or an account deletion may have been committed while this call waited for the lock.
  if not found or private.are_blocked(recipient_id, actor_user_id) then return; end if;
  if exists (select from private.notification_withdrawals w
             where w.user_id = recipient_id and w.actor_id = actor_user_id and w.kind = notification_kind
               and w.about = coalesce(target_comment_id, target_post_id, target_message_id, nil_id) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    -- The literal has to match the one in notifications_unread_heads_idx.
    select * into head from public.notifications n
    where n.user_id = recipient_id and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(target_post_id, '00000000-0000-0000-0000-000000000000')
      -- Likes of the post and likes of each of its comments are separate groups.
      and (notification_kind <> 'like' or n.comment_id is not distinct from target_comment_id)
      and n.read_at is null and n.is_head and n.created_at > now() - interval '7 days'
    order by n.created_at desc limit 1;
    is_known_actor := head.id is not null and exists (
      select from public.notifications n where n.group_id = head.group_id and n.actor_id = actor_user_id);
  end if;
  insert into public.notifications
    (id, user_id, actor_id, kind, post_id, comment_id, message_id, detail, group_id, people)
  values (new_id, recipient_id, actor_user_id, notification_kind, target_post_id, target_comment_id,
          target_message_id, left(create_notification.detail, 500), coalesce(head.group_id, new_id),
          coalesce(head.people, 0) + case when is_known_actor then 0 else 1 end)
  on conflict do nothing;
  if not found then return; end if;
  update public.notifications n set is_head = false, people = 1 where n.id = head.id;
  perform private.broadcast_to_user(recipient_id, 'notification.created', jsonb_build_object(
    'notificationId', new_id, 'kind', notification_kind,
    'unreadTotal', private.count_unread_notifications(recipient_id)));
end
$function$;

CREATE OR REPLACE FUNCTION private.decide_case(target_case_id uuid, new_decision text, reason_text text, suspension_days integer, also_hide boolean, forfeit_balance boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  moderation_case public.moderation_cases;
  suspension_end timestamptz;
  was_hidden boolean := false;
  removed_email text;
  reporter_ids uuid[];
  reporter record;
begin
  perform private.require_admin();
  select * into moderation_case from public.moderation_cases m where m.id = target_case_id for update;
  if not found then raise exception 'Case not found' using errcode = 'PT404'; end if;
  if moderation_case.state <> 'open' then
    raise exception 'This case has already been decided.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if moderation_case.user_id = uid then
    raise exception 'Another admin has to decide cases about you.'
      using errcode = 'PT403', detail = 'target_is_admin';
  end if;
  if new_decision <> 'dismiss' and private.is_blank(reason_text) then
    raise exception 'Please enter a reason. The user will see it.' using errcode = 'PT400';
  end if;
  if moderation_case.kind = 'user' and new_decision = 'hide' then
    raise exception 'Users can''t be hidden. Warn, suspend or remove them instead.' using errcode = 'PT400';
  end if;
  if new_decision = 'suspend' or (new_decision = 'remove' and moderation_case.kind = 'user') then
    perform private.require_manageable(moderation_case.user_id);
  end if;

  reporter_ids := array(select r.reporter_id from public.reports r where r.case_id = moderation_case.id);
  -- A case shows premium content to admins. If they could dismiss cases that they reported themselves, they could read
  -- such content without the author being notified.
  if new_decision = 'dismiss' and uid = any (reporter_ids) and exists (
       select from public.profiles p where p.is_admin and p.id not in (uid, moderation_case.user_id)) then
    raise exception 'Another admin has to dismiss a case that you reported.' using errcode = 'PT403';
  end if;
  if new_decision in ('hide', 'remove') and moderation_case.kind <> 'user'
     or (new_decision = 'suspend' and also_hide) then
    was_hidden := private.hide_subject(moderation_case.kind, moderation_case.subject_id,
                                       case new_decision when 'remove' then 'removed' else 'hidden' end,
                                       reporter_ids || moderation_case.user_id);
  end if;
  -- The admin who answers an appeal sees the content as it was when the case was decided.
  moderation_case := private.snapshot_reported_content(moderation_case);
  if new_decision = 'remove' and moderation_case.kind = 'user' then
    -- Locks the reporters' counters too, so that all counters are locked in one order.
    perform private.lock_account_dependents(moderation_case.user_id, reporter_ids);
    select a.email into removed_email from public.accounts a where a.user_id = moderation_case.user_id for update;
    perform private.delete_account(moderation_case.user_id, forfeit_balance);
    perform private.ban_email(removed_email);
  end if;
  perform private.lock_user_counters(reporter_ids || moderation_case.user_id);
  if new_decision = 'suspend' then
    suspension_end := private.suspend_account(moderation_case.user_id, suspension_days, reason_text,
                                              moderation_case.id);
  end if;

  update public.moderation_cases m
  set state = 'decided', decision = new_decision, reason = nullif(btrim(reason_text), ''),
      suspended_until = suspension_end, hid = was_hidden,
      decided_by = uid, decided_at = clock_timestamp(), moved_at = clock_timestamp()
  where m.id = moderation_case.id;
  update public.reports r
  set outcome = case new_decision when 'dismiss' then 'dismissed' else 'acted' end, decided_at = clock_timestamp()
  where r.case_id = moderation_case.id;
  for reporter in
    select r.reporter_id from public.reports r join public.profiles p on p.id = r.reporter_id
    where r.case_id = moderation_case.id order by r.reporter_id
  loop
    perform private.create_notification(reporter.reporter_id, null, 'report', detail => case new_decision
      when 'dismiss' then 'We reviewed what you reported. It does not break our rules.'
      else 'We reviewed what you reported and took action. Thank you.' end);
  end loop;
  if new_decision <> 'dismiss' and exists (select from public.profiles p where p.id = moderation_case.user_id) then
    perform private.create_notification(moderation_case.user_id, null, 'moderation',
      detail => private.decision_message(moderation_case.kind, new_decision, suspension_end, btrim(reason_text)));
  end if;
  perform private.release_case_media(moderation_case.id);
  -- A dismissal affects nobody, so its audit entry has no target user, and the user does not see it in their account
  -- log.
  perform private.write_audit_entry(uid, 'case.' || new_decision,
    case when new_decision <> 'dismiss' then moderation_case.user_id end, moderation_case.id::text,
    jsonb_strip_nulls(jsonb_build_object('kind', moderation_case.kind, 'subjectId', moderation_case.subject_id,
                                         'reason', nullif(btrim(reason_text), ''),
                                         'until', suspension_end, 'hid', was_hidden)));
  return removed_email;
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
  -- Locks the payout schedule before the balance, as the job that runs the schedules does.
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

CREATE OR REPLACE FUNCTION private.delete_orphaned_media(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  candidate_id uuid;
  checked_count integer := 0;
begin
  delete from public.gallery_items g where g.deleted_at < (select clock_timestamp()) - interval '10 minutes';
  for candidate_id in
    select o.media_id from private.orphaned_media o where o.due <= (select clock_timestamp())
    order by o.due limit max_rows for update skip locked
  loop
    begin
      delete from public.media m where m.id = candidate_id and not private.is_media_used(candidate_id);
    exception when foreign_key_violation then
      -- A transaction that uses the upload has committed in the meantime.
      null;
    end;
    delete from private.orphaned_media o where o.media_id = candidate_id;
    checked_count := checked_count + 1;
  end loop;
  return checked_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_unlinked_records(target_user_id uuid, email_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute 'delete from auth.audit_log_entries e
             where strpos(e.payload::text, $1) > 0 or strpos(e.payload::text, $2) > 0'
      using target_user_id::text, to_json(email_address)::text;
  end if;
  -- Skips a rate limit that a concurrent call has locked, because that call may be waiting for this transaction. The
  -- job `clean-up` deletes the row after a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
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
  -- A violation of the check constraint would write part of the message to the server's log.
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

CREATE OR REPLACE FUNCTION private.end_auto_run(ended_run_id uuid, run_outcome text, run_detail text, written_text text, run_usage jsonb, as_of timestamp with time zone, slot_token uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.auto_post_runs;
  final_outcome text := run_outcome;
  final_detail text := run_detail;
  needs_review boolean;
  new_id uuid := gen_random_uuid();
begin
  -- Locks in the same order as account deletion, to avoid deadlocks: the profile's counts before the rows that depend
  -- on it.
  perform from public.profile_counts c
  where c.user_id = (select x.user_id from public.auto_post_runs x where x.id = ended_run_id) for no key update;
  select * into r from public.auto_post_runs x where x.id = ended_run_id for update;
  if not found or r.outcome is not null then return 'lost'; end if;
  if written_text is not null and r.kind <> 'preview' then
    if r.kind = 'slot' then
      update private.auto_post_slots s set state = 'done', token = null, claimed_until = null
      where s.user_id = r.user_id and s.day = r.day and s.nth = r.nth and s.token = slot_token and s.state = 'running';
      if not found then
        final_outcome := 'lost';
        final_detail := 'Another worker took over this slot.';
      end if;
    end if;
    if final_outcome <> 'lost' and not private.can_auto_post(r.user_id) then
      final_outcome := 'refused';
      final_detail := 'Auto-posting is no longer on for this creator.';
    end if;
    if final_outcome not in ('lost', 'refused') then
      select t.approve_auto_posts into needs_review from public.profile_about t where t.user_id = r.user_id;
      if needs_review then
        insert into public.auto_post_drafts (id, user_id, content) values (new_id, r.user_id, written_text);
        final_outcome := 'drafted';
        perform private.lock_user_counters(array[r.user_id]);
        perform private.create_notification(r.user_id, null, 'auto_post',
          detail => 'An AI-written draft is ready for your review.');
      else
        perform private.insert_post(r.user_id, r.user_id, new_id, written_text, null, null, null, null, null, null, 'ai');
        final_outcome := 'published';
      end if;
      update private.auto_posting_settings x set last_auto_post = as_of where x.user_id = r.user_id;
    end if;
  end if;
  update public.auto_post_runs x
  set ended_at = clock_timestamp(), outcome = final_outcome, detail = left(final_detail, 500),
      prompt = run_usage -> 'prompt', answer = left(run_usage ->> 'answer', 10000),
      input_tokens = coalesce((run_usage ->> 'inputTokens')::integer, 0),
      output_tokens = coalesce((run_usage ->> 'outputTokens')::integer, 0),
      cost_micros = coalesce((run_usage ->> 'costMicros')::bigint, 0),
      calls = coalesce((run_usage ->> 'calls')::integer, 0),
      post_id = case when final_outcome = 'published' then new_id end,
      draft_id = case when final_outcome = 'drafted' then new_id end
  where x.id = ended_run_id;
  return final_outcome;
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
  -- Only a subscription or plan that was never paid for ends now. An unpaid renewal has a grace period.
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.subscription_id and s.state = 'pending';
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.plan_id and s.state = 'pending';
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_session_active()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Without the prefix, a setting that has been reset would match empty claims.
  if current_setting('private.active_session', true) = 'claims ' || current_setting('request.jwt.claims', true)
       || coalesce(current_setting('request.jwt.claim.sub', true), '') then
    return true;
  end if;
  return private.check_session();
end
$function$;

CREATE OR REPLACE FUNCTION private.is_valid_display_name(name text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  -- Characters between which a joiner is allowed: those of joining scripts, and pictographs.
  joining_script constant text := '[\u0600-\u109F\u1780-\u18AF\u1A20-\u1BFF\uA840-\uABFF\uFB50-\uFDFF\uFE70-\uFEFC]';
  pictograph constant text := '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2190-\u21FF\u2300-\u23FF\u24C2\u25AA-\u25FE'
    '\u2600-\u27BF\u2934\u2935\u2B00-\u2BFF\u3030\u303D\u3297\u3299\U0001F000-\U0001FAFF]';
  -- Control and format characters, line separators, private use, default-ignorable characters, and unusual spaces.
  forbidden constant text := '[\u0001-\u001F\u007F-\u00A0\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891'
    '\u08E2\u115F-\u1160\u1680\u17B4-\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164'
    '\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFD\U000110BD\U000110CD\U00013430-\U0001343F'
    '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U0010FFFD]';
  -- Combining marks that can be stacked; no script needs four in a row.
  stacked_marks constant text := '[\u0300-\u036F\u0483-\u0489\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0E31-\u0E4E'
    '\u0EB1-\u0ECE\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F]{4}';
  -- Alphabets whose letters look like those of another: Latin, Greek, and others (Cyrillic, Armenian, Georgian,
  -- Cherokee, Canadian Aboriginal, Runic, Glagolitic, Coptic, Tifinagh, Lisu and some ancient ones).
  latin constant text := '[A-Za-z\u00AA\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF'
    '\u2C60-\u2C7F\uA722-\uA7FF\uAB30-\uAB6F\uFB00-\uFB06\uFF21-\uFF3A\uFF41-\uFF5A]';
  greek constant text := '[\u0370-\u03FF\u1F00-\u1FFF]';
  other_alphabet constant text := '[\u0400-\u0482\u048A-\u0588\u10A0-\u10FF\u13A0-\u167F\u16A0-\u16FF\u1C80-\u1CBF'
    '\u2C00-\u2C5F\u2C80-\u2D7F\uA4D0-\uA4FF\uA640-\uA69D\uAB70-\uABBF\uFB13-\uFB17\U00010300-\U0001034F\U00010400-\U000104FF]';
  stripped text := name collate pg_catalog.pg_c_utf8;
begin
  if stripped is not nfc normalized or stripped <> btrim(stripped) or strpos(stripped, '  ') > 0 then
    return false;
  end if;
  stripped := regexp_replace(stripped, '(?<=' || pictograph || '|[0-9#*])[\uFE0E\uFE0F]', '', 'g');
  stripped := regexp_replace(stripped, '(?<=' || pictograph || ')\u200D(?=' || pictograph || ')', '', 'g');
  stripped := regexp_replace(stripped, '(?<=' || joining_script || ')[\u200C\u200D](?=' || joining_script || ')',
                             '', 'g');
  return stripped !~ forbidden
     and unicode_assigned(stripped)
     and stripped !~ stacked_marks
     and stripped collate pg_catalog.pg_c_utf8 ~ '[[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]'
     and not exists (
       select from regexp_split_to_table(stripped, '[ \u2010-\u2015/,.:;()&+|\u00B7\u2022-]+') word
       where (word ~ latin)::integer + (word ~ greek)::integer + (word ~ other_alphabet)::integer > 1);
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
        raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
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

CREATE OR REPLACE FUNCTION private.on_comment_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed public.comments := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  parent_author_id uuid;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  -- The post is always updated before the parent comment, so that concurrent writers wait here.
  update public.posts p set comments_count = greatest(0, p.comments_count + delta) where p.id = changed.post_id
  returning p.author_id into post_author_id;
  if changed.parent_comment_id is not null then
    update public.comments c set replies_count = greatest(0, c.replies_count + delta)
    where c.id = changed.parent_comment_id
    returning c.author_id into parent_author_id;
  end if;
  if tg_op = 'DELETE' or changed.author_id is null or post_author_id is null then return null; end if;
  mentioned_ids := private.mentioned_users(changed.content, changed.post_id, true);
  perform private.lock_user_counters(mentioned_ids || array[parent_author_id, post_author_id]);
  -- The author of the parent comment may have lost access to the post.
  if parent_author_id is not null and private.can_user_read_comment(parent_author_id, changed.id) then
    perform private.create_notification(parent_author_id, changed.author_id, 'reply', changed.post_id, changed.id);
  end if;
  if parent_author_id is distinct from post_author_id then
    perform private.create_notification(post_author_id, changed.author_id, 'comment', changed.post_id, changed.id);
  end if;
  foreach recipient_id in array mentioned_ids loop
    if recipient_id is distinct from parent_author_id and recipient_id <> post_author_id then
      perform private.create_notification(recipient_id, changed.author_id, 'mention', changed.post_id, changed.id);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_like_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  hidden_state text;
begin
  update public.posts p set likes_count = greatest(0, p.likes_count + delta) where p.id = changed_like.post_id
  returning p.author_id, p.hidden into post_author_id, hidden_state;
  -- No row: the like is being deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    -- Moderators may have hidden the post while this call waited for its row.
    if hidden_state = 'removed' or (hidden_state = 'hidden' and post_author_id <> changed_like.user_id) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    perform private.create_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  else
    perform private.withdraw_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  end if;
  return null;
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
    where m.conversation_id = new.conversation_id and (m.user_id = new.receiver_id or m.has_written)
    returning m.user_id, m.unread_count
  )
  select max(u.unread_count) filter (where u.user_id = new.sender_id),
         max(u.unread_count) filter (where u.user_id = new.receiver_id)
  into sender_unread_count, receiver_unread_count
  from updated u;
  if sender_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast in this conversation: see
    -- private.can_broadcast_to_conversation.
    perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                          private.conversation_topic(new.sender_id, new.receiver_id), true);
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
  -- Like private.broadcast_to_user, but in one statement for both users, the receiver first.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_notifications_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  recipient_id uuid;
  read_ids uuid[];
begin
  -- No statement marks some notifications as read and others as unread. So if the counts are equal, only other columns
  -- have changed.
  if (select count(*) from before b where b.read_at is null)
     = (select count(*) from after a where a.read_at is null) then
    return null;
  end if;
  -- `execute` plans the query each time: a cached plan for a single row would be extremely slow for thousands.
  for recipient_id, read_ids in execute
    'select b.user_id, array_agg(b.id) from before b join after a on a.id = b.id
     where b.read_at is null and a.read_at is not null group by 1 order by 1'
  loop
    perform private.refresh_notification_count(recipient_id, read_ids);
  end loop;
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
  -- A concurrent transaction that creates or changes an account either commits first, so the refresh includes the
  -- account, or sees the new setting.
  lock table public.accounts in share row exclusive mode;
  insert into private.restriction_refreshes (after_user_id) values ('00000000-0000-0000-0000-000000000000')
  on conflict (one) do update set after_user_id = excluded.after_user_id;
  perform private.refresh_restrictions(500);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_subscription_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  active_before integer := case when tg_op = 'UPDATE' and old.state = 'active' then 1 else 0 end;
  active_now integer := case when new.state = 'active' then 1 else 0 end;
begin
  if active_now <> active_before then
    -- The creator's profile may be deleted while its counts still exist: one statement can delete both users. In that
    -- case, the counts must not be updated.
    update public.profile_counts c set subscribers = greatest(0, c.subscribers + active_now - active_before)
    where c.user_id = new.creator_id and exists (select from public.profiles p where p.id = new.creator_id);
  end if;
  if new.state = 'ended' then
    update public.payments p set state = 'void', settled_at = clock_timestamp()
    where p.subscription_id = new.id and p.state = 'pending';
  end if;
  -- The subscriber may have gained or lost access. Their account may no longer exist.
  perform private.broadcast_to_user(p.id, 'profile.changed', jsonb_build_object('userId', new.creator_id))
  from public.profiles p where p.id = new.subscriber_id;
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
  -- This setting decides whether groups or single notifications are counted.
  if old.group_notifications is distinct from new.group_notifications then
    perform private.refresh_notification_count(new.user_id, '{}');
  end if;
  return null;
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
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_post_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = target_draft_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_device(target_user_id uuid, device_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  has_known_devices boolean := exists (select from private.known_devices d where d.user_id = target_user_id);
begin
  insert into private.known_devices (user_id, device) values (target_user_id, left(device_name, 100))
  on conflict do nothing;
  if not found then return false; end if;
  -- A client can send any User-Agent header, from which the name is derived, so only the latest 50 names are kept.
  delete from private.known_devices d where d.user_id = target_user_id and d.device not in (
    select k.device from private.known_devices k where k.user_id = target_user_id
    order by k.first_seen_at desc limit 50);
  if has_known_devices then
    perform private.create_notification(target_user_id, null, 'sign_in', detail => left(device_name, 100));
  end if;
  return has_known_devices;
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
  -- The accounts are locked before the causes are read, as in private.refresh_restriction.
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

CREATE OR REPLACE FUNCTION private.refresh_trending()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  since timestamptz := now() - interval '7 days';
  tag_count integer;
  creator_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only authors with a public,
  -- discoverable profile count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join private.discoverable_profiles p on p.id = t.author_id and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tag_count = row_count;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  select p.author_id, count(*)
  from (
    -- `union` removes duplicates: each user counts once per post and kind, even with several comments.
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) engagement (post_id, user_id, kind)
  join public.posts p on p.id = engagement.post_id
  join public.profiles u on u.id = p.author_id and u.is_creator
  where engagement.user_id <> p.author_id and p.hidden is null
  group by p.author_id;
  get diagnostics creator_count = row_count;

  perform private.refresh_topics(50);
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
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
  -- Deleting the unlock changes the post's unlock count, so the post is locked first.
  perform from public.posts p where p.id = payment.post_id for no key update;
  update public.payments p set state = 'refunded' where p.id = payment.id and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment.id;
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

CREATE OR REPLACE FUNCTION private.roll_up_days(max_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done_at timestamptz;
  first_day date;
  last_day date;
  from_time timestamptz;
  to_time timestamptz;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done_at from private.rollups r where r.name = 'days';
  first_day := least(
    today, ((coalesce(last_done_at, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  last_day := least(today, first_day + greatest(2, max_days) - 1);
  from_time := first_day::timestamp at time zone 'UTC';
  to_time := (last_day + 1)::timestamp at time zone 'UTC';
  create temporary table new_days on commit drop as
  select e.creator_id, (e.at at time zone 'UTC')::date as day,
         count(*) filter (where e.kind = 'like')::integer as likes,
         count(*) filter (where e.kind = 'comment')::integer as comments,
         count(*) filter (where e.kind = 'follow')::integer as followers,
         count(*) filter (where e.kind = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as kind
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
      and c.hidden is null
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time
      -- After a pause or a lapsed payment, a subscription starts over, but its subscriber is not new.
      and not exists (select from public.payments b
                      where b.subscription_id = s.id and b.state = 'paid' and b.period_start < s.started_at)) e
  group by 1, 2;
  analyze pg_temp.new_days;
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Resets the days whose events no longer exist.
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between first_day and last_day and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.new_days n where n.creator_id = d.creator_id and n.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select n.creator_id, n.day, n.likes, n.comments, n.followers, n.subscribers
  from pg_temp.new_days n join public.profiles p on p.id = n.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.new_days;
  insert into private.rollups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - last_day;
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_views(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  viewed_post_ids uuid[];
  view_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  create temporary table new_views on commit drop as
  select e.viewer_id, e.post_id, e.hour from private.post_views e where not e.counted order by e.hour limit max_rows;
  -- Lock the posts and authors until the counts are stored. If one of them is being deleted, wait, then leave it out.
  -- The posts are locked before the authors, each in the order of their ids, and both before the views: an account
  -- deletion locks posts before the profile, and last deletes the views that the user recorded.
  viewed_post_ids := array(select distinct n.post_id from pg_temp.new_views n);
  perform from public.posts p where p.id = any(viewed_post_ids) order by p.id for key share;
  perform private.lock_creators(array(
    select distinct p.author_id from public.posts p where p.id = any(viewed_post_ids)));
  -- Skip views that an account deletion has locked. From here on, nothing waits for a lock.
  create temporary table counted_views on commit drop as
  with locked as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.new_views n join private.post_views e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  marked as (
    update private.post_views e set counted = true from locked l
    where e.viewer_id = l.viewer_id and e.post_id = l.post_id and e.hour = l.hour
    returning e.post_id, e.hour)
  select m.post_id, m.hour, count(*)::integer as views from marked m group by 1, 2;
  -- Without statistics, the planner would read all profiles for a handful of views.
  analyze pg_temp.counted_views;
  select coalesce(sum(v.views), 0) into view_count from pg_temp.counted_views v;
  -- Leaves out posts and authors that were deleted.
  create temporary table author_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.views
  from pg_temp.counted_views v join public.posts p on p.id = v.post_id join public.profiles a on a.id = p.author_id;
  insert into public.post_days as d (post_id, author_id, day, views)
  select v.post_id, v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 3
  on conflict (post_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_days as d (creator_id, day, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2 order by 1, 2
  on conflict (creator_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_hours as d (creator_id, day, hour, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, extract(hour from v.hour at time zone 'UTC'), sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, hour) do update set views = d.views + excluded.views;
  -- Counted views of past hours are no longer needed to detect duplicates. Transactions that began before the end of
  -- the hour get five minutes to finish.
  with finished as (
    select e.viewer_id, e.post_id, e.hour from private.post_views e
    where e.counted and e.hour < date_trunc('hour', now() - interval '5 minutes', 'UTC')
    limit max_rows for update skip locked)
  delete from private.post_views e using finished f
  where e.viewer_id = f.viewer_id and e.post_id = f.post_id and e.hour = f.hour;
  drop table pg_temp.new_views, pg_temp.counted_views, pg_temp.author_views;
  return view_count;
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
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$function$;

CREATE OR REPLACE FUNCTION private.search_messages(query_text text, after_created_at timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
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
        and m.created_at > coalesce(scanned_after, '-infinity')
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
    order by m.created_at desc, m.id desc
    limit max_rows - scan_match_count;
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
  -- The newest posts are searched first: for a common word, they are enough to fill the window, and sorting all matches
  -- of the word would be slow.
  foreach scan_rows in array '{500, 2000, 17500}'::integer[] loop
    found_ids := found_ids || array(
      -- The inner query has no condition on the words, because the planner might then read all matches through the
      -- index.
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
    -- The share of matches among the posts read so far gives an estimate of how many more posts would have to be read
    -- to fill the window, and of how many matches there are in total. The index is used if reading all matches through
    -- it would be faster, although reading a post this way takes three times as long. With only a few matches, the
    -- estimate is used only after many posts have been read.
    scanned_rows := scanned_rows + scan_rows;
    exit when (cardinality(found_ids) >= 3 or scanned_rows >= 2500)
      and 3 * post_count * cardinality(found_ids) ^ 2 < (window_size - cardinality(found_ids)) * scanned_rows ^ 2;
  end loop;
  if not is_complete then
    -- If the query has several words, only the one with the fewest matches among the newest posts is looked up in the
    -- index: reading the matches of a common word takes longer than checking the other words in the rows.
    rarest := case when cardinality(query_words) = 1 then prefixes else (
      select w.query
      from (select private.text_search_query(array[word], true) as query from unnest(query_words) word offset 0) w
      order by (
        select count(*)
        from (select s.words from private.post_search s order by s.created_at desc, s.post_id desc limit 1000) s
        where s.words @@ w.query)
      limit 1) end;
    found_ids := found_ids || array(
      -- The inner query has no condition on `created_at`, because the planner would then scan the posts from the newest
      -- to the oldest. Its order lets the outer query stop as soon as the window is full.
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

CREATE OR REPLACE FUNCTION private.search_topics(query text, max_rows integer, max_count integer)
 RETURNS TABLE(tag text, posts integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  key text := private.topic_search_key(query);
  words text[] := private.search_terms(key);
  grams text[] := array(
    select distinct substr(w, start, 2) from unnest(words) w, generate_series(1, greatest(char_length(w) - 1, 1)) start);
begin
  if cardinality(words) = 0 or not private.is_session_active() then return; end if;
  return query
    with candidates as materialized (
      select t.tag, t.search_key, t.people from private.topics t
      where t.search_key collate "C" >= key and t.search_key collate "C" < key || U&'\+10FFFF'
      union all
      select t.tag, t.search_key, t.people from private.topics t
      where char_length(key) > 2 and private.search_grams(t.search_key) @> grams and strpos(t.search_key, key) > 1)
    select f.tag, f.posts
    from (
      select c.tag, c.place, (
        select count(*)::integer from (
          select from public.post_tags u
          where u.tag = c.tag and (select true from private.discoverable_profiles d where d.id = u.author_id)
            and (select true from private.searchable_posts p where p.id = u.post_id)
          limit max_count) counted) as posts
      from (
        select c.tag, row_number() over (
          order by c.search_key <> key, not starts_with(c.search_key, key), c.people desc, c.tag) as place
        from candidates c order by place limit 200) c
      -- `offset 0` keeps the count of a topic from being computed twice. The order lets the query stop counting when
      -- enough topics have posts.
      order by c.place offset 0) f
    where f.posts > 0 order by f.place limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.search_users(query text, after_rank integer, after_sort text, after_id uuid, max_rows integer)
 RETURNS TABLE(user_id uuid, rank integer, sort text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  normalized_query text := btrim(regexp_replace(private.normalize_search(query), '(^|\s)@|\s+', ' ', 'g'));
  upper_bound text := normalized_query || U&'\+10FFFF';
  words text[] := private.search_terms(normalized_query);
  prefix_query tsquery := (select string_agg('''' || replace(w, '\', '\\') || ''':*', ' & ') from unnest(words) w)::tsquery;
  like_patterns text[] := array(
    select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words) w);
  grams text[] := array(
    select distinct substr(w, start, 2) from unnest(words) w, generate_series(1, greatest(char_length(w) - 1, 1)) start);
  bio_query tsquery := private.text_search_query(private.text_search_terms(normalized_query), true);
  remaining integer := max_rows;
  found_rows integer;
  current_rank integer;
  scan_rows integer;
  scan_from timestamptz;
  scan_from_id uuid;
  scan_end timestamptz;
  scan_end_id uuid;
  candidate_ids uuid[];
begin
  if normalized_query = '' or not private.is_session_active() then return; end if;

  -- Ranks 0 and 1: usernames.
  if normalized_query ~ '^[a-z0-9_]{1,30}$' then
    if after_rank < 0 then
      return query select p.id, 0, '' from private.directory_profiles p where lower(p.username) = normalized_query;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
    end if;
    if after_rank <= 1 then
      return query
        select p.id, 1, lower(p.username) from private.directory_profiles p
        where lower(p.username) collate "C" > case when after_rank = 1 then after_sort else normalized_query end
          and lower(p.username) collate "C" < upper_bound
        order by lower(p.username) collate "C" limit remaining;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
    end if;
  end if;

  -- Rank 2: names that start with the query.
  if after_rank <= 2 and remaining > 0 then
    return query
      select p.id, 2, p.search_name from private.directory_profiles p
      where p.search_name collate "C" >= normalized_query and p.search_name collate "C" < upper_bound
        and (after_rank < 2 or (p.search_name collate "C", p.id) > (after_sort, after_id))
        and not starts_with(lower(p.username), normalized_query)
      order by p.search_name collate "C", p.id limit remaining;
    get diagnostics found_rows = row_count;
    remaining := remaining - found_rows;
  end if;

  -- Ranks 3 to 5.
  for current_rank in greatest(after_rank, 3)..5 loop
    if remaining <= 0 or cardinality(words) = 0 then return; end if;
    if current_rank = 5 and bio_query is null then return; end if;
    scan_from := case when after_rank = current_rank then after_sort::timestamptz else '-infinity' end;
    scan_from_id := case when after_rank = current_rank then after_id else '00000000-0000-0000-0000-000000000000' end;
    -- The next profiles in sign-up order are searched first: for a common word, they are enough to fill the page, and
    -- sorting all matches of the word would be slow. If there are hardly any matches among the first 500, all matches
    -- are found through the index.
    foreach scan_rows in array '{500, 1500}'::integer[] loop
      select p.created_at, p.id into scan_end, scan_end_id from public.profiles p
      where (p.created_at, p.id) > (scan_from, scan_from_id) order by p.created_at, p.id offset scan_rows - 1 limit 1;
      return query
        select p.id, current_rank, private.timestamp_text(p.created_at) from private.directory_profiles p
        where (p.created_at, p.id) > (scan_from, scan_from_id)
          and (scan_end is null or (p.created_at, p.id) <= (scan_end, scan_end_id))
          and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
          and case current_rank
                when 3 then p.search_words @@ prefix_query
                when 4 then p.search_text like all (like_patterns) and not p.search_words @@ prefix_query
                else not p.search_text like all (like_patterns) and (
                  select d.search_words @@ bio_query from public.profile_details d where d.user_id = p.id)
                  and (select true from private.viewable_profiles v where v.id = p.id)
              end
        order by p.created_at, p.id limit remaining;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
      exit when remaining <= 0 or scan_end is null;
      scan_from := scan_end;
      scan_from_id := scan_end_id;
      exit when found_rows < 6;
    end loop;
    if remaining <= 0 then return; end if;
    continue when scan_end is null;
    candidate_ids := case current_rank
      when 3 then array(select p.id from public.profiles p where p.search_words @@ prefix_query)
      when 4 then array(select p.id from public.profiles p
                        where private.search_grams(p.search_text) @> grams and p.search_text like all (like_patterns)
                          and not p.search_words @@ prefix_query)
      else array(select d.user_id from public.profile_details d where d.search_words @@ bio_query) end;
    return query
      -- Materialized: with `order by` in the same query, the planner would scan the profiles in sign-up order.
      with matches as materialized (
        select p.id, p.created_at
        from unnest(candidate_ids) candidate (id) join private.directory_profiles p on p.id = candidate.id
        where not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
          and (current_rank < 5 or (not p.search_text like all (like_patterns)
                                    and (select true from private.viewable_profiles v where v.id = p.id))))
      select m.id, current_rank, private.timestamp_text(m.created_at) from matches m
      where (m.created_at, m.id) > (scan_from, scan_from_id) order by m.created_at, m.id limit remaining;
    get diagnostics found_rows = row_count;
    remaining := remaining - found_rows;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_payout_schedule(is_weekly boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), is_weekly)
  -- Turning the payouts off and on again does not change a date in the future. A date that has passed is moved to a
  -- week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly and s.next_at <= clock_timestamp() then excluded.next_at
                   else s.next_at end;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_creator_plan(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  plan public.creator_plans;
  new_start timestamptz;
  new_periods integer;
begin
  select * into plan from public.creator_plans s where s.id = payment.plan_id;
  if plan.state = 'ended' or not exists (select from public.profiles p where p.id = payment.payer_id for key share) then
    return false;
  end if;
  new_start := coalesce(plan.started_at, clock_timestamp());
  new_periods := plan.periods + 1;
  -- As in private.settle_subscription, nobody pays for time without access.
  if plan.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > plan.started_at + plan.periods * interval '1 month' then
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  if new_periods = 1 then update public.payments p set period_start = new_start where p.id = payment.id; end if;
  update public.creator_plans s
  set state = 'active', started_at = new_start, periods = new_periods,
      period_end = greatest(new_start + new_periods * interval '1 month', plan.period_end)
  where s.id = plan.id;
  if plan.state = 'pending' then
    update public.profiles p set is_creator = true where p.id = payment.payer_id and not p.is_creator;
  end if;
  return true;
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
    when 'unlock' then private.settle_unlock(payment)
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

CREATE OR REPLACE FUNCTION private.settle_subscription(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscription public.subscriptions;
  new_start timestamptz;
  new_periods integer;
begin
  select * into subscription from public.subscriptions s where s.id = payment.subscription_id;
  if subscription.state = 'ended' or private.are_blocked(payment.payer_id, payment.payee_id)
     or not exists (select from public.profiles p where p.id = payment.payer_id for key share)
     or not exists (select from public.profiles p where p.id = payment.payee_id for key share) then
    return false;
  end if;
  new_start := coalesce(subscription.started_at, clock_timestamp());
  new_periods := subscription.periods + 1;
  -- After the grace period, the count starts over, so that nobody pays for time without access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first month after a pause.
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  -- A first month starts when it is paid for, not when its payment was begun.
  if new_periods = 1 then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A month that the provider charged for during a pause is reported after the pause, and may end before
      -- period_end.
      period_end = greatest(new_start + new_periods * interval '1 month', subscription.period_end)
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_tip(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Lock the payee's counters before their profile, in the same order as account deletion.
  perform private.lock_user_counters(array[payment.payee_id]);
  if private.are_blocked(payment.payer_id, payment.payee_id)
     or not exists (select from public.profiles p where p.id = payment.payer_id for key share)
     or not exists (select from public.profiles p where p.id = payment.payee_id for key share) then
    return false;
  end if;
  perform private.create_notification(payment.payee_id, payment.payer_id, 'tip',
    (select p.id from public.posts p where p.id = payment.about_post_id),
    detail => '$' || to_char(payment.amount_cents / 100.0, 'FM999990.00') || coalesce(': ' || payment.note, ''));
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_unlock(paid public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.posts p where p.id = paid.post_id and p.hidden is null for no key update) then
    return false;
  end if;
  -- Lock the author's counters before the payer's profile, in the same order as account deletion.
  perform private.lock_user_counters(array[paid.payee_id]);
  if not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.create_notification(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.update_instance_settings(changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  setting record;
  old_value jsonb;
  audit_changes jsonb := '[]';
begin
  perform private.require_admin();
  for setting in select e.key, e.value from jsonb_each(changes) e order by e.key loop
    if setting.key not in ('require_approval', 'sign_in_after_registration', 'creator_pro_billing', 'auto_posting',
                           'banned_words') then
      raise exception 'Unknown setting.' using errcode = 'PT400';
    end if;
    select s.value into old_value from private.settings s where s.key = setting.key for update;
    if jsonb_typeof(setting.value) = 'object' then
      setting.value := coalesce(old_value, '{}') || setting.value;
    end if;
    if setting.key = 'auto_posting'
       and (setting.value ->> 'fromHour')::integer >= (setting.value ->> 'toHour')::integer then
      raise exception 'Auto-posting must start before it ends.' using errcode = 'PT400';
    end if;
    if old_value is distinct from setting.value then
      perform private.set_setting(setting.key, setting.value);
      audit_changes := audit_changes || jsonb_build_object('key', setting.key, 'change',
        -- Only the number of banned words is recorded, because the list can be long.
        case when setting.key = 'banned_words' then jsonb_build_object('words', jsonb_array_length(setting.value))
             else jsonb_build_object('from', old_value, 'to', setting.value) end);
    end if;
  end loop;
  -- Comes after all other locks: a transaction that holds the lock on the audit log must not wait for another lock.
  for setting in
    select e.value ->> 'key' as key, e.value -> 'change' as value from jsonb_array_elements(audit_changes) e
  loop
    perform private.write_audit_entry(auth.uid(), 'settings.change', subject_ref => setting.key,
                                      details => setting.value);
  end loop;
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
  -- not wait for the disk. A crash may lose the latest `last_used_at`.
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

CREATE OR REPLACE FUNCTION private.username_problem(name text, for_user_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  skeleton text := private.name_skeleton(name);
  -- `admin1` and `support24` are as misleading as `admin` and `support`.
  stem text := regexp_replace(name, '[0-9_]+$', '');
begin
  if exists (select from private.reserved_usernames r
             where r.lookalikes and private.name_skeleton(r.name) in (skeleton, private.name_skeleton(stem)))
     or exists (select from private.reserved_usernames r
                where replace(r.name, '_', '') = replace(lower(username_problem.name), '_', ''))
     or private.is_staff_lookalike(name) or private.is_staff_lookalike(stem) then
    return 'reserved';
  end if;
  if exists (select from public.profiles p
             where lower(p.username) = lower(name) and p.id is distinct from for_user_id)
     or exists (select from public.profiles p where private.name_skeleton(p.username) = skeleton
                  and (p.is_creator or p.is_admin) and p.id is distinct from for_user_id) then
    return 'taken';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.void_test_money()
 RETURNS TABLE(creators integer, amount_cents bigint, payouts integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout record;
  balance record;
  platform_cents bigint;
begin
  creators := 0;
  amount_cents := 0;
  payouts := 0;
  -- Otherwise, two concurrent calls could both book the platform's balance back.
  perform private.lock_test_money();
  -- Locks everything in the same order as a settlement, so that the loops below lock nothing new.
  perform private.lock_user_counters(array(
    select p.user_id from public.payouts p where p.is_test and p.state = 'requested'));
  perform from public.payouts p where p.is_test and p.state = 'requested' order by p.id for update;
  perform from public.profiles u
  where u.id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by u.id for key share;
  perform from public.creator_balances b
  where b.test_cents <> 0
     or b.user_id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by b.user_id for update;
  for payout in select p.id from public.payouts p where p.is_test and p.state = 'requested' order by p.id loop
    perform private.close_payout(payout.id, 'failed', 'It was test money.', null);
    payouts := payouts + 1;
  end loop;
  for balance in
    select b.user_id, b.test_cents from public.creator_balances b where b.test_cents <> 0 order by b.user_id for update
  loop
    perform private.book_transaction('test_void', balance.user_id, null, null, array[
      ('creator', balance.user_id, 'test_void', -balance.test_cents)::private.ledger_line,
      ('processor', null, 'test_void', balance.test_cents)::private.ledger_line], test_money => true);
    creators := creators + 1;
    amount_cents := amount_cents + balance.test_cents;
  end loop;
  select coalesce(sum(e.amount_cents), 0) into platform_cents
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.is_test and e.account = 'platform';
  if platform_cents <> 0 then
    perform private.book_transaction('test_void', null, null, null, array[
      ('platform', null, 'test_void', -platform_cents)::private.ledger_line,
      ('processor', null, 'test_void', platform_cents)::private.ledger_line], test_money => true);
  end if;
  if creators > 0 or payouts > 0 or platform_cents <> 0 then
    perform private.write_audit_entry('00000000-0000-0000-0000-000000000000', 'test_money.void', details =>
      jsonb_build_object('creators', creators, 'amount', amount_cents / 100.0, 'payouts', payouts));
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_announcements(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued private.announcement_checks;
  queued_ids bigint[];
  announcement private.post_announcements;
  is_old boolean;
  has_posts boolean;
  has_highlights boolean;
  notification_ids uuid[];
begin
  select * into queued from private.announcement_checks k order by k.id limit 1 for update skip locked;
  if not found then return null; end if;
  -- One check is enough, however many are queued for the same announcement. Checks that are added from now on are kept.
  queued_ids := array(
    select k.id from private.announcement_checks k where k.announcement_id = queued.announcement_id
    for update skip locked);
  select * into announcement from private.post_announcements a where a.id = queued.announcement_id;
  if found and private.lock_announcement(announcement.id, announcement.author_id) then
    is_old := announcement.opened_at <= now() - interval '30 days';
    select c.has_posts, c.has_highlights into has_posts, has_highlights
    from private.announcement_contents(announcement, false) c;
    notification_ids := array(
      select n.id from public.notifications n
      where n.announcement_id = announcement.id
        and (is_old or not has_posts or (n.highlights_only and not has_highlights))
      limit max_rows);
    if cardinality(notification_ids) > 0 then
      perform private.lock_user_counters(array(
        select n.user_id from public.notifications n where n.id = any (notification_ids)));
      delete from public.notifications n where n.id = any (notification_ids);
      return cardinality(notification_ids);
    end if;
    delete from private.post_announcements a where a.id = announcement.id and is_old;
  end if;
  delete from private.announcement_checks k where k.id = any (queued_ids);
  return 0;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_notification(recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid DEFAULT NULL::uuid, target_message_id uuid DEFAULT NULL::uuid, target_comment_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Counters are locked before notifications: see private.lock_user_counters.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  delete from public.notifications n
  where n.user_id = recipient_id and n.actor_id = actor_user_id and n.kind = notification_kind
    and n.post_id is not distinct from target_post_id and n.message_id is not distinct from target_message_id
    and n.comment_id is not distinct from target_comment_id and n.read_at is null;
  -- Counts only what the actor undid themselves, not a follow request that the recipient accepted or declined.
  if not found or actor_user_id is distinct from auth.uid() then return; end if;
  insert into private.notification_withdrawals as w (user_id, actor_id, kind, about)
  values (recipient_id, actor_user_id, notification_kind,
          coalesce(target_comment_id, target_post_id, target_message_id, '00000000-0000-0000-0000-000000000000'))
  on conflict (user_id, actor_id, kind, about) do update
    set times = case when w.since > now() - interval '1 day' then w.times + 1 else 1 end,
        since = case when w.since > now() - interval '1 day' then w.since else now() end;
end
$function$;

COMMENT ON TABLE "public"."moderation_cases" IS 'Read by admins and, once decided, by the user concerned, unless the case was dismissed. Written only by functions in the private schema.';
