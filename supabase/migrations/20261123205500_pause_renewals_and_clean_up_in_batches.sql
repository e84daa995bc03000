set local check_function_bodies = off;

DROP FUNCTION "private"."begin_plan_renewals"(integer, text);

DROP FUNCTION "private"."begin_renewals"(integer, text);

DROP FUNCTION "private"."clean_up"();

DROP FUNCTION "private"."settle_provider_period"(text, text, integer);

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
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.creator_plans s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a plan notifies its user: lock all their counters in one order.
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
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a subscription changes its creator's count: lock them all in one order.
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

CREATE OR REPLACE FUNCTION private.clean_up(kind text, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  deleted integer := 0;
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
      -- No reset link is valid for longer.
      delete from private.password_reset_claims d where d.ctid = any (array(
        select o.ctid from private.password_reset_claims o where o.claimed_at < now() - interval '1 hour'
        limit max_rows for update skip locked));
    when 'emailChanges' then
      delete from private.email_changes d where d.ctid = any (array(
        select o.ctid from private.email_changes o where o.created_at < now() - interval '24 hours'
        limit max_rows for update skip locked));
    -- Both users deleted their accounts: nobody is left who can read the conversation. A conversation is deleted after
    -- its messages, because it may have any number of them.
    when 'messages' then
      delete from public.messages d where d.ctid = any (array(
        select m.ctid from public.conversations c join public.messages m on m.conversation_id = c.id
        where not exists (select from public.conversation_members p where p.conversation_id = c.id)
        limit max_rows for update of m skip locked));
    when 'conversations' then
      delete from public.conversations d where d.ctid = any (array(
        select c.ctid from public.conversations c
        where not exists (select from public.conversation_members p where p.conversation_id = c.id)
          and not exists (select from public.messages m where m.conversation_id = c.id)
        limit max_rows for update of c skip locked));
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
      -- The auth server never deletes its log.
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

CREATE OR REPLACE FUNCTION private.lock_test_money()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ select pg_advisory_xact_lock(hashtextextended('test-money', 0)) $function$;

CREATE OR REPLACE FUNCTION private.paused_until()
 RETURNS timestamp with time zone
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select clock_timestamp() + interval '1 day' $function$;

CREATE OR REPLACE FUNCTION private.provider_period_start(started_at timestamp with time zone, periods integer, period_end timestamp with time zone, invoiced_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select case
    when invoiced_at > counted.until + private.renewal_grace() and period_end > counted.until then invoiced_at
    else coalesce(counted.until, clock_timestamp()) end
  from (select started_at + periods * interval '1 month' as until) counted
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
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Days that have lost all their events.
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
  -- As in private.settle_subscription, time after the grace period is not paid for.
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

CREATE OR REPLACE FUNCTION private.settle_provider_period(subscription_reference text, payment_reference text, paid_cents integer, invoiced_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscription public.subscriptions;
  plan public.creator_plans;
  payment_id uuid;
begin
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if found then return private.settle_payment(payment_id, payment_reference); end if;
  select * into subscription from public.subscriptions s where s.provider_reference = subscription_reference;
  if found then
    perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
    select * into subscription from public.subscriptions s where s.id = subscription.id for update;
    -- Another call for the same invoice may have finished while this one waited for the lock.
    select p.id into payment_id from public.payments p
    where p.provider = 'stripe' and p.provider_reference = payment_reference;
    if not found then
      insert into public.payments
        (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider, state)
      values ('subscription', subscription.subscriber_id, subscription.creator_id, subscription.id,
              private.provider_period_start(
                subscription.started_at, subscription.periods, subscription.period_end, invoiced_at),
              paid_cents, private.platform_fee_cents(paid_cents), 'stripe',
              case when subscription.state = 'ended' then 'void' else 'pending' end)
      on conflict (subscription_id, period_start) where state in ('pending', 'paid')
      do update set provider = 'stripe', amount_cents = excluded.amount_cents, fee_cents = excluded.fee_cents
      returning id into payment_id;
    end if;
    return private.settle_payment(payment_id, payment_reference);
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription_reference;
  if not found then return false; end if;
  perform private.lock_creator_plan(plan.user_id);
  select * into plan from public.creator_plans s where s.id = plan.id for update;
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider, state)
    values ('creator_pro', plan.user_id, plan.id,
            private.provider_period_start(plan.started_at, plan.periods, plan.period_end, invoiced_at), paid_cents, 0,
            'stripe', case when plan.state = 'ended' then 'void' else 'pending' end)
    on conflict (plan_id, period_start) where state in ('pending', 'paid') and plan_id is not null
    do update set provider = 'stripe', amount_cents = excluded.amount_cents
    returning id into payment_id;
  end if;
  return private.settle_payment(payment_id, payment_reference);
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
  -- After the grace period the count starts over: nobody pays for time in which the subscription gave no access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first month after a pause.
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  -- A first month starts when it is paid, not when its payment was begun.
  if new_periods = 1 then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A month that the provider charged during a pause is reported after it, and may end before period_end.
      period_end = greatest(new_start + new_periods * interval '1 month', subscription.period_end)
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
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
  -- Otherwise two calls at the same time could both book the platform's balance back.
  perform private.lock_test_money();
  -- Locks everything in the order of a settlement, so that the loops below lock nothing new.
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

CREATE OR REPLACE FUNCTION private.void_test_refund(payment public.payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  platform_cents bigint := case when payment.kind = 'creator_pro' then payment.amount_cents else payment.fee_cents end;
begin
  if not exists (
    select from public.ledger_transactions v
    where v.is_test and v.kind = 'test_void' and v.payment_id is null and v.created_at > (
      select t.created_at from public.ledger_transactions t where t.payment_id = payment.id and t.kind = payment.kind)) then
    return;
  end if;
  perform private.book_transaction('test_void', payment.payee_id, null, null, array[
    ('creator', payment.payee_id, 'test_void', payment.amount_cents - platform_cents)::private.ledger_line,
    ('platform', null, 'test_void', platform_cents)::private.ledger_line,
    ('processor', null, 'test_void', -payment.amount_cents)::private.ledger_line], booked_payment_id => payment.id);
end
$function$;

REVOKE ALL ON FUNCTION "private"."begin_plan_renewals"(integer, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_plan_renewals"(integer, text, boolean) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."begin_renewals"(integer, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_renewals"(integer, text, boolean) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."clean_up"(text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."clean_up"(text, integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."lock_test_money"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_test_money"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."paused_until"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."paused_until"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."provider_period_start"(timestamp with time zone, integer, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."provider_period_start"(timestamp with time zone, integer, timestamp with time zone, timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."settle_provider_period"(text, text, integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_provider_period"(text, text, integer, timestamp with time zone) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."void_test_refund"(public.payments) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."void_test_refund"(public.payments) TO "postgres";
