set local check_function_bodies = off;

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
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
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

CREATE OR REPLACE FUNCTION private.cancel_unrenewable_plans(max_rows integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.creator_plans s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.creator_plans d
    where d.state = 'active' and d.period_end < (select clock_timestamp()) + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_plan(d.user_id)
    order by d.period_end limit max_rows for update skip locked);
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_unrenewable_subscriptions(max_rows integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.subscriptions s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.subscriptions d
    where d.state = 'active' and d.period_end < (select clock_timestamp()) + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_subscription(d.subscriber_id, d.creator_id)
    order by d.period_end limit max_rows for update skip locked);
end
$function$;

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
    where s.weekly and s.next_at <= (select clock_timestamp())
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
