-- Creator Pro: what an instance with `creator_pro_billing` has creators pay the platform by the month. It lapses at its
-- period's end, which takes the flag and keeps the content. Without the switch everybody is a creator who wants to.
--
-- As with subscriptions, people are ids without a foreign key: what was paid stays when an account goes.

-- Cents a month.
create function private.creator_pro_price() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 1999 $$;

create table public.creator_plans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  -- 'pending' until its first payment is made.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  price_cents integer not null check (price_cents > 0),
  -- Periods that are paid, of a month each, counted from `started_at`.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  cancelled_at timestamptz,
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);
create unique index creator_plans_live_key on public.creator_plans (user_id) where state <> 'ended';
create index creator_plans_user_id_idx on public.creator_plans (user_id, created_at desc);
create index creator_plans_period_end_idx on public.creator_plans (period_end) where state = 'active';

alter table public.creator_plans enable row level security;
revoke all on public.creator_plans from anon, authenticated, service_role;
-- Written by the functions below alone.
grant select on public.creator_plans to authenticated, service_role;
create policy creator_plans_alive on public.creator_plans as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy creator_plans_select on public.creator_plans for select to authenticated
  using (user_id = (select auth.uid()));

alter table public.payments
  -- Nobody but the platform gets it.
  alter column payee_id drop not null,
  add column plan_id uuid references public.creator_plans (id),
  add check ((kind = 'creator_pro') = (plan_id is not null)),
  add check ((kind = 'creator_pro') = (payee_id is null)),
  drop constraint payments_check3,
  add check ((kind in ('subscription', 'creator_pro')) = (period_start is not null));
create index payments_plan_id_idx on public.payments (plan_id) where plan_id is not null;
-- A period is paid once.
create unique index payments_plan_period_key on public.payments (plan_id, period_start)
  where state in ('pending', 'paid') and plan_id is not null;

-- All steps of one person's plan happen one after the other.
create function private.lock_plan(person uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('creator-plan:' || person::text, 0)) $$;

create function private.has_creator_plan(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.creator_plans s
    where s.user_id = person and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now());
end
$$;

-- Makes the caller a creator, or no longer one. The column itself is nobody's to write. `limit_settings` counts it.
create or replace function private.set_creator(creator boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if creator and private.setting_on('creator_pro_billing') and not private.has_creator_plan(auth.uid())
     and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Creator accounts come with Creator Pro. Upgrade first.'
      using errcode = 'PT403', detail = 'creator_pro_required';
  end if;
  update public.profiles p set is_creator = creator where p.id = (select auth.uid()) and p.is_creator <> creator;
end
$$;

-- Whether creators pay for being one here, and for how much.
create function private.creator_pro_billing() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.setting_on('creator_pro_billing') $$;
grant execute on function private.creator_pro_billing(), private.creator_pro_price() to authenticated, service_role;

-- The caller is about to upgrade. Answers the payment to be settled; null where nothing is to be paid, as they have
-- Creator Pro already: then a cancelled plan goes on. A repeated call answers the same payment.
create function private.begin_creator_plan(payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  live public.creator_plans;
  payment uuid;
begin
  perform private.require_write();
  perform private.enforce_rate('subscriptions', uid, 30, '1 minute');
  perform private.lock_plan(uid);
  select * into live from public.creator_plans s where s.user_id = uid and s.state <> 'ended' for update;
  if live.state = 'active' and not private.has_creator_plan(uid) then
    -- Over, and the job has not come by yet.
    perform private.end_creator_plan(live.id);
    live := null;
  end if;
  if live.state = 'active' then
    update public.creator_plans s set cancelled_at = null where s.id = live.id and s.cancelled_at is not null;
    return null;
  end if;
  if not private.setting_on('creator_pro_billing') then
    raise exception 'Nothing is to be paid for a Creator Account here: switch it on in Settings.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  if live.id is null then
    insert into public.creator_plans (user_id, price_cents) values (uid, private.creator_pro_price()) returning * into live;
    perform from public.profiles p where p.id = uid for key share;
    if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  update public.payments p set provider = payment_provider
  where p.plan_id = live.id and p.state = 'pending'
  returning p.id into payment;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
    values ('creator_pro', uid, live.id, clock_timestamp(), live.price_cents, 0, payment_provider)
    returning id into payment;
  end if;
  return payment;
end
$$;
grant execute on function private.begin_creator_plan(text) to authenticated;

-- The caller's plan ends with its period; one that is not paid, or whose period is over, at once. Also for a read-only
-- account.
create function private.cancel_creator_plan() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  live public.creator_plans;
begin
  perform private.require_session();
  perform private.lock_plan(auth.uid());
  select * into live from public.creator_plans s where s.user_id = auth.uid() and s.state <> 'ended' for update;
  if not found then raise exception 'You do not have Creator Pro.' using errcode = 'PT404'; end if;
  if live.state = 'pending' or live.period_end <= clock_timestamp() then
    perform private.end_creator_plan(live.id);
  else
    update public.creator_plans s set cancelled_at = clock_timestamp() where s.id = live.id and s.cancelled_at is null;
  end if;
end
$$;
grant execute on function private.cancel_creator_plan() to authenticated;

-- A plan that was paid and ends takes the flag, where creators pay for it. The content stays.
create function private.end_creator_plan(plan uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  ended public.creator_plans;
begin
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = plan and s.state <> 'ended' returning * into ended;
  if not found then return; end if;
  update public.payments p set state = 'void', settled_at = clock_timestamp()
  where p.plan_id = plan and p.state = 'pending';
  if ended.periods = 0 or not private.setting_on('creator_pro_billing') then return; end if;
  perform private.notify_person(ended.user_id, null, 'creator_pro', said => 'lapsed');
  update public.profiles p set is_creator = false where p.id = ended.user_id and p.is_creator;
end
$$;

-- A period of a plan is paid. False when it was paid for nothing. The caller holds the plan.
create function private.settle_creator_plan(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  held public.creator_plans;
  begins timestamptz;
  counted integer;
begin
  select * into held from public.creator_plans s where s.id = paid.plan_id;
  if held.state = 'ended' or not exists (select from public.profiles p where p.id = paid.payer_id for key share) then
    return false;
  end if;
  begins := coalesce(held.started_at, clock_timestamp());
  counted := held.periods + 1;
  if held.period_end + private.renewal_grace() <= clock_timestamp() then
    begins := clock_timestamp();
    counted := 1;
  end if;
  if counted = 1 then update public.payments p set period_start = begins where p.id = paid.id; end if;
  update public.creator_plans s
  set state = 'active', started_at = begins, periods = counted, period_end = begins + counted * interval '1 month'
  where s.id = held.id;
  if held.state = 'pending' then
    update public.profiles p set is_creator = true where p.id = paid.payer_id and not p.is_creator;
  end if;
  return true;
end
$$;

create function private.on_creator_plan_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell(p.id, 'profile.changed', jsonb_build_object('userId', p.id))
  from public.profiles p where p.id = new.user_id;
  return null;
end
$$;
create trigger on_creator_plan_changed after insert or update of state, period_end, cancelled_at on public.creator_plans
  for each row execute function private.on_creator_plan_changed();

-- An account that goes ends its plan.
create function private.on_profile_gone_plan() returns trigger
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
create trigger on_profile_gone_plan after delete on public.profiles
  for each row execute function private.on_profile_gone_plan();

-- As before, and the plan, which who settles its payment holds before the person.
create or replace function private.hold_what_goes(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.hold_written(person);
  perform from public.creator_plans s where s.user_id = person and s.state <> 'ended' for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and person in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.hold_counted(person, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = person and s.state <> 'ended'));
end
$$;

alter table public.notifications drop constraint notifications_kind_check;
alter table public.notifications
  add constraint notifications_kind_check check (kind in (
    'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'reaction', 'unlock',
    'subscription', 'tip', 'message', 'sign_in', 'admin', 'payout', 'creator_pro'));
-- One row for a cause, however often it comes back; what has no cause of its own is a new one each time.
drop index public.notifications_once_key;
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id, message_id) nulls not distinct
  where kind not in ('sign_in', 'admin', 'tip', 'subscription', 'payout', 'creator_pro');

revoke execute on all functions in schema private from public;
