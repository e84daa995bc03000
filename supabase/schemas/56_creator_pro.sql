-- Creator Pro: the monthly plan that creators buy from the platform if the `creator_pro_billing` setting is on. If it
-- is off, every user can switch on their creator account for free.
--
-- - A plan works like a subscription (54_subscriptions), except that the payee is the platform.
--   private.begin_creator_plan begins it; renewals and the grace period are the same.
-- - When a paid plan ends while the setting is on, the creator account is switched off; its content is kept.
-- - As in the ledger, user ids are not foreign keys, because plans outlive accounts.

create table public.creator_plans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  -- 'pending' until the first payment is settled.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  price_cents integer not null check (price_cents > 0),
  -- The number of paid months since `started_at`.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  -- Set if the plan is to end with its period instead of renewing.
  cancelled_at timestamptz,
  -- When a renewal was last attempted.
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- The provider's id for the plan, if the provider renews it, and the plan's state at the provider.
  provider_reference text,
  provider_state text not null default 'active' check (provider_state in ('active', 'cancelled', 'ended')),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);

-- At most one pending or active plan for each user.
create unique index creator_plans_live_key on public.creator_plans (user_id) where state <> 'ended';

create index creator_plans_user_id_idx on public.creator_plans (user_id, created_at desc);

-- For renewals.
create index creator_plans_period_end_idx on public.creator_plans (period_end) where state = 'active';

create unique index creator_plans_provider_reference_key on public.creator_plans (provider_reference);

-- For private.unsynced_subscriptions.
create index creator_plans_unsynced_idx on public.creator_plans (id)
  where provider_reference is not null and provider_state <> 'ended';

alter table public.creator_plans enable row level security;

-- Requires an active session.
create policy creator_plans_active_session on public.creator_plans as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own plans.
create policy creator_plans_select on public.creator_plans for select to authenticated
  using (user_id = (select auth.uid()));

-- Only functions write.
revoke all on public.creator_plans from anon, authenticated, service_role;
grant select on public.creator_plans to authenticated, service_role;

-- Returns the price of a month, in cents.
create function private.creator_pro_price_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 1999 $$;

grant execute on function private.creator_pro_price_cents() to authenticated, service_role;

-- Returns whether creators have to pay for their account on this installation.
create function private.creator_pro_billing() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_setting_enabled('creator_pro_billing') $$;

grant execute on function private.creator_pro_billing() to authenticated, service_role;

-- Serializes purchases, cancellations and payments of a user's plan. Renewals lock only the plan's row.
create function private.lock_creator_plan(target_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('creator-plan:' || target_user_id::text, 0)) $$;

-- Returns whether a user has an active plan now, including the grace period.
create function private.has_creator_plan(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.creator_plans s
    where s.user_id = target_user_id and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now());
end
$$;

-- Beginning and cancelling ------------------------------------------------------------------------------------

-- Begins the caller's plan and returns the id of the payment to settle. A repeated call returns the same payment.
-- Returns null when there is nothing to pay because the caller has Creator Pro already; a cancelled plan is then
-- resumed.
create function private.begin_creator_plan(payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

grant execute on function private.begin_creator_plan(text) to authenticated;

-- Cancels the caller's plan: it runs until the end of its period, or ends now if it is unpaid or its period is over.
-- Read-only accounts may cancel too.
create function private.cancel_creator_plan() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  plan public.creator_plans;
begin
  perform private.require_session();
  perform private.lock_creator_plan(auth.uid());
  select * into plan from public.creator_plans s where s.user_id = auth.uid() and s.state <> 'ended' for update;
  if not found then raise exception 'You don''t have Creator Pro.' using errcode = 'PT404'; end if;
  if plan.state = 'pending' or plan.period_end <= clock_timestamp() then
    perform private.end_creator_plan(plan.id);
  else
    update public.creator_plans s set cancelled_at = clock_timestamp() where s.id = plan.id and s.cancelled_at is null;
  end if;
end
$$;

grant execute on function private.cancel_creator_plan() to authenticated;

-- Ends a plan now and voids its pending payment. If creators have to pay for their account, the end of a paid plan
-- also switches the creator account off and notifies the user; the content is kept.
create function private.end_creator_plan(plan_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  plan public.creator_plans;
begin
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = end_creator_plan.plan_id and s.state <> 'ended' returning * into plan;
  if not found then return; end if;
  update public.payments p set state = 'void', settled_at = clock_timestamp()
  where p.plan_id = plan.id and p.state = 'pending';
  if plan.periods = 0 or not private.is_setting_enabled('creator_pro_billing') then return; end if;
  perform private.create_notification(plan.user_id, null, 'creator_pro', detail => 'lapsed');
  update public.profiles p set is_creator = false where p.id = plan.user_id and p.is_creator;
end
$$;

-- Settling ----------------------------------------------------------------------------------------------------

-- Delivers a paid month: activates or extends the plan, and switches the creator account on with the first month.
-- Returns false if the month cannot be delivered: the plan has ended or the account no longer exists. The calling
-- function holds the plan's lock.
create function private.settle_creator_plan(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
  -- The count of months can start over, so that nobody pays for time without access (see private.settle_subscription).
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
$$;

-- Renewing ----------------------------------------------------------------------------------------------------

-- Returns whether a user's plan may renew: creators have to pay for their account, and the user still exists.
create function private.can_renew_plan(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_setting_enabled('creator_pro_billing')
    and exists (select from public.profiles p where p.id = target_user_id);
end
$$;

-- Cancels the plans that the provider would renew within a day although private.can_renew_plan no longer allows it.
-- The counterpart for subscriptions is private.cancel_unrenewable_subscriptions.
create function private.cancel_unrenewable_plans(max_rows integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.creator_plans s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.creator_plans d
    where d.state = 'active' and d.period_end < (select clock_timestamp()) + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_plan(d.user_id)
    order by d.period_end limit max_rows for update skip locked);
end
$$;

-- Claims plans that are due. For each plan, returns the payment that renews it, or null if the plan ended or its
-- renewal is paused. The counterpart for subscriptions is private.begin_renewals, whose comment explains the rules.
create function private.begin_plan_renewals(
  max_rows integer, payment_provider text, are_payments_off boolean default false
) returns table (payment uuid, paused boolean)
language plpgsql volatile security definer set search_path = ''
as $$
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
  -- Ending a plan notifies its user, so lock the counters of all these users in a consistent order.
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
$$;

grant execute on function private.begin_plan_renewals(integer, text, boolean) to service_role;

-- Effects on other tables -------------------------------------------------------------------------------------

-- Notifies the user's open pages.
create function private.on_creator_plan_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(p.id, 'profile.changed', jsonb_build_object('userId', p.id))
  from public.profiles p where p.id = new.user_id;
  return null;
end
$$;

create trigger on_creator_plan_changed after insert or update of state, period_end, cancelled_at on public.creator_plans
  for each row execute function private.on_creator_plan_changed();

-- Ends the plan of a deleted account and voids its pending payment.
create function private.on_profile_deleted_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.user_id = old.id and s.state <> 'ended';
  update public.payments p set state = 'void', settled_at = clock_timestamp()
  where p.payer_id = old.id and p.kind = 'creator_pro' and p.state = 'pending';
  return null;
end
$$;

create trigger on_profile_deleted_plan after delete on public.profiles
  for each row execute function private.on_profile_deleted_plan();
