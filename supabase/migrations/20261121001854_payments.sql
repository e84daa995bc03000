-- Tips; payments that are made elsewhere and told of later, in any order and more than once; and how each kind of
-- payment is settled, given back and renewed.

alter table public.payments
  -- Of a tip: what its giver says with it, and the post it is for, if for one.
  add column note text check (char_length(note) between 1 and 200),
  add column about_post_id uuid,
  add check (kind = 'tip' or (note is null and about_post_id is null)),
  -- When money that came for nothing was given back.
  add column given_back_at timestamptz,
  -- When that was tried last.
  add column give_back_tried_at timestamptz,
  drop constraint payments_state_check,
  -- 'void': paid for nothing (the post was gone, or opened by another payment), or ended before it was paid; what came
  -- is given back. 'expired': its payer did not pay in time.
  add constraint payments_state_check check (state in ('pending', 'paid', 'void', 'expired', 'refunded'));
create index payments_to_give_back_idx on public.payments (coalesce(give_back_tried_at, settled_at))
  where state = 'void' and provider = 'stripe' and provider_reference is not null and given_back_at is null;
create index payments_payee_id_idx on public.payments (payee_id, created_at desc) where payee_id is not null;

-- A subscription, or a plan, that its provider renews: what it calls it, and what it knows of its end. What it does not
-- know yet is told by a job (private.untold_subscriptions).
alter table public.subscriptions
  add column provider_reference text,
  add column provider_knows text not null default 'active' check (provider_knows in ('active', 'cancelled', 'ended'));
alter table public.creator_plans
  add column provider_reference text,
  add column provider_knows text not null default 'active' check (provider_knows in ('active', 'cancelled', 'ended'));
create unique index subscriptions_provider_reference_key on public.subscriptions (provider_reference);
create unique index creator_plans_provider_reference_key on public.creator_plans (provider_reference);
create index subscriptions_untold_idx on public.subscriptions (id)
  where provider_reference is not null and provider_knows <> 'ended';
create index creator_plans_untold_idx on public.creator_plans (id)
  where provider_reference is not null and provider_knows <> 'ended';

-- What a provider calls it, and what it knows, is for neither of the two.
revoke select on public.subscriptions from authenticated;
grant select (id, subscriber_id, creator_id, state, price_cents, periods, started_at, period_end, cancelled_at, ended_at,
  created_at) on public.subscriptions to authenticated;

-- Who somebody is to a provider. Without a foreign key: the provider is told when the account is gone.
create table private.payment_customers (
  provider text not null,
  user_id uuid not null,
  reference text not null,
  created_at timestamptz not null default now(),
  primary key (provider, user_id)
);
create unique index payment_customers_reference_key on private.payment_customers (provider, reference);

-- What a provider told, once each.
create table private.payment_events (
  provider text not null,
  event text not null,
  kind text not null,
  received_at timestamptz not null default now(),
  primary key (provider, event)
);
create index payment_events_received_at_idx on private.payment_events (received_at);

-- Tips --------------------------------------------------------------------------------------------------------

-- Refuses a caller who cannot tip somebody.
create function private.require_tippable(creator uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  liked public.profiles;
begin
  perform private.require_write();
  select * into liked from public.profiles p where p.id = creator;
  if not found or private.are_blocked(auth.uid(), creator) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator = auth.uid() then raise exception 'You cannot tip yourself.' using errcode = 'PT400'; end if;
  if not liked.is_creator then raise exception 'Only creators can be tipped.' using errcode = 'PT403'; end if;
  if not private.can_view(creator) then
    raise exception 'This profile is not open to you.' using errcode = 'PT403';
  end if;
  if exists (select from public.accounts a where a.user_id = creator and a.read_only_reason is not null) then
    raise exception 'This creator cannot be tipped at the moment.' using errcode = 'PT403';
  end if;
end
$$;
grant execute on function private.require_tippable(uuid) to authenticated;

-- The caller is about to tip somebody `amount` (US dollars). `tip` is made by the client: sent again, it is the same
-- payment, which is answered.
create function private.begin_tip(
  tip uuid, creator uuid, amount numeric, payment_provider text, said text default null, post uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  begun public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate('tips', uid, 30, '1 minute');
  perform private.lock_pair(uid, creator);
  select * into begun from public.payments p where p.id = tip;
  if found then
    if begun.kind <> 'tip' or begun.payer_id <> uid or begun.payee_id <> creator
       or begun.amount_cents <> amount * 100 then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return begun.id;
  end if;
  perform private.require_tippable(creator);
  if amount not between 1 and 500 or amount <> round(amount, 2) then
    raise exception 'Please enter an amount between $1.00 and $500.00.' using errcode = 'PT400';
  end if;
  if post is not null and not exists (select from public.posts p where p.id = post and p.author_id = creator) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, provider, note, about_post_id)
  values (tip, 'tip', uid, creator, (amount * 100)::integer, private.fee_of((amount * 100)::integer),
          payment_provider, nullif(btrim(said), ''), post);
  return tip;
end
$$;
grant execute on function private.begin_tip(uuid, uuid, numeric, text, text, uuid) to authenticated;

create function private.settle_tip(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- What somebody is told of comes before their row: an account that is deleted holds them in this order, and with it
  -- what comes for nobody waits.
  perform private.lock_counters(array[paid.payee_id]);
  if private.are_blocked(paid.payer_id, paid.payee_id)
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or not exists (select from public.profiles p where p.id = paid.payee_id for key share) then
    return false;
  end if;
  perform private.notify_person(paid.payee_id, paid.payer_id, 'tip',
    (select p.id from public.posts p where p.id = paid.about_post_id),
    said => '$' || to_char(paid.amount_cents / 100.0, 'FM999990.00') || coalesce(': ' || paid.note, ''));
  return true;
end
$$;

-- Unlocking ---------------------------------------------------------------------------------------------------

-- As before, and a payment that was begun always has the price that its payer agrees to now: a page that was opened for
-- another one is closed.
create or replace function private.begin_unlock(post uuid, amount numeric, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  cents integer;
  begun public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate('unlocks', uid, 60, '1 minute');
  perform private.lock_unlock(uid, post);
  cents := private.quote_unlock(post, amount);
  if cents is null then return null; end if;
  select * into begun from public.payments p
  where p.payer_id = uid and p.post_id = post and p.state = 'pending' for update;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider)
    select 'unlock', uid, p.author_id, post, cents, private.fee_of(cents), payment_provider
    from public.posts p where p.id = post
    returning * into begun;
  elsif begun.provider_reference is null then
    -- Its provider was never asked for money: it takes the way of now, too.
    update public.payments p
    set amount_cents = cents, fee_cents = private.fee_of(cents), provider = payment_provider,
        created_at = clock_timestamp()
    where p.id = begun.id;
  elsif begun.amount_cents <> cents then
    update public.payments p set amount_cents = cents, fee_cents = private.fee_of(cents) where p.id = begun.id;
  end if;
  return begun.id;
end
$$;

-- Settling ----------------------------------------------------------------------------------------------------

create or replace function private.lock_payment(payment public.payments) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  case payment.kind
    when 'unlock' then
      perform private.lock_unlock(payment.payer_id, payment.post_id);
    when 'creator_pro' then
      perform private.lock_plan(payment.payer_id);
      perform from public.creator_plans s where s.id = payment.plan_id for update;
    else
      perform private.lock_pair(payment.payer_id, payment.payee_id);
      perform from public.subscriptions s where s.id = payment.subscription_id for update;
  end case;
end
$$;

-- Whether somebody may go on paying a creator; and whether somebody goes on paying for being one.
create function private.is_sold_to(subscriber uuid, creator uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                 where p.id = creator and p.is_creator and a.read_only_reason is null)
    and exists (select from public.profiles p where p.id = subscriber) and private.may_see(subscriber, creator);
end
$$;
create function private.is_plan_sold_to(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.setting_on('creator_pro_billing') and exists (select from public.profiles p where p.id = person);
end
$$;

-- False for a month that was paid elsewhere and cannot be sold any more, as things are now; what was to begin with it
-- ends. What goes on is ended by private.cancel_unsold.
create function private.heed_unsold(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if paid.provider <> 'stripe'
     or (paid.kind = 'subscription' and private.is_sold_to(paid.payer_id, paid.payee_id))
     or (paid.kind = 'creator_pro' and private.is_plan_sold_to(paid.payer_id))
     or paid.kind not in ('subscription', 'creator_pro') then
    return true;
  end if;
  perform private.end_subscription(s.id) from public.subscriptions s
  where s.id = paid.subscription_id and s.state = 'pending';
  perform private.end_creator_plan(s.id) from public.creator_plans s where s.id = paid.plan_id and s.state = 'pending';
  return false;
end
$$;

-- Books a payment that the provider has confirmed, and opens what it was for, in one transaction. True when it is
-- open because of this payment; a repeated call changes nothing and answers the same.
create or replace function private.settle_payment(payment uuid, reference text default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
  good boolean;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(paid);
  select * into paid from public.payments p where p.id = payment for update;
  if paid.state not in ('pending', 'expired') then
    -- Money that came for what had ended meanwhile is noted, to be given back; so is what came after other money, or
    -- after a page that brought nothing.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), given_back_at = null
    where p.id = payment and p.state = 'void'
      and reference is not null and p.provider_reference is distinct from reference;
    return paid.state = 'paid';
  end if;
  good := case when not private.heed_unsold(paid) then false else case paid.kind
    when 'unlock' then private.settle_unlock(paid)
    when 'subscription' then private.settle_subscription(paid)
    when 'tip' then private.settle_tip(paid)
    else private.settle_creator_plan(paid) end end;
  update public.payments p
  set state = case when good then 'paid' else 'void' end, provider_reference = reference, settled_at = clock_timestamp()
  where p.id = payment;
  if good then perform private.book_payment(paid, 1); end if;
  return good;
end
$$;

-- The same for a payment that was made on a page, where `cents` were agreed on: a post may have got another price since.
create function private.settle_page(payment uuid, reference text, cents integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(paid);
  update public.payments p set amount_cents = cents, fee_cents = private.fee_of(cents)
  where p.id = payment and p.kind = 'unlock' and p.state in ('pending', 'expired') and p.amount_cents <> cents;
  return private.settle_payment(payment, reference);
end
$$;

-- Gives a payment back: entries that reverse it, and what it opened is closed. True once, false ever after.
create or replace function private.refund_payment(payment uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(paid);
  update public.payments p set state = 'refunded' where p.id = payment and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment;
  -- Giving back an earlier month takes nothing of the present one.
  if paid.period_start is not null and not exists (
    select from public.payments p
    where (p.subscription_id = paid.subscription_id or p.plan_id = paid.plan_id) and p.state = 'paid'
      and p.period_start > (select r.period_start from public.payments r where r.id = payment)
  ) then
    perform private.end_subscription(paid.subscription_id);
    perform private.end_creator_plan(paid.plan_id);
  end if;
  perform private.book_payment(paid, -1);
  return true;
end
$$;

-- Payments made elsewhere -------------------------------------------------------------------------------------

-- What a provider is to be told of a payment that was begun; null when it is not pending.
create function private.payment_to_charge(payment uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'amountCents', p.amount_cents, 'reference', p.provider_reference,
    'payerId', p.payer_id, 'payerEmail', a.email, 'postId', coalesce(p.post_id, p.about_post_id),
    'subscriptionId', p.subscription_id, 'planId', p.plan_id,
    'payee', (select r.username from public.profiles r where r.id = p.payee_id),
    'customer', (select c.reference from private.payment_customers c
                 where c.provider = p.provider and c.user_id = p.payer_id))
  from public.payments p left join public.accounts a on a.user_id = p.payer_id
  where p.id = payment and p.state = 'pending'
$$;

-- The provider has a page where a payment is made, and calls it `reference`. False when it is not pending any more.
create function private.note_checkout(payment uuid, reference text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.payments p set provider_reference = reference where p.id = payment and p.state = 'pending';
  return found;
end
$$;

-- A payment was not made in time: what was begun for it ends. `reference`: the page that closed; another one may have
-- been opened since. False when there was nothing to end.
create function private.expire_payment(payment uuid, reference text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  begun public.payments;
begin
  select * into begun from public.payments p where p.id = payment;
  if not found then return false; end if;
  perform private.lock_payment(begun);
  update public.payments p set state = 'expired', settled_at = clock_timestamp()
  where p.id = payment and p.state = 'pending' and p.provider_reference = reference;
  if not found then return false; end if;
  -- One that was never paid. A renewal that is not paid has its grace.
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = begun.subscription_id and s.state = 'pending';
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = begun.plan_id and s.state = 'pending';
  return true;
end
$$;

create function private.note_customer(payment_provider text, person uuid, customer text) returns text
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_customers as c (provider, user_id, reference) values (payment_provider, person, customer)
  on conflict (provider, user_id) do update set reference = c.reference
  returning c.reference
$$;

create function private.customer_of(payment_provider text, person uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select c.reference from private.payment_customers c where c.provider = payment_provider and c.user_id = person
$$;

-- True the first time an event is told, false ever after. In the transaction that acts on it.
create function private.take_payment_event(payment_provider text, event text, kind text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.payment_events (provider, event, kind) values (payment_provider, take_payment_event.event,
    take_payment_event.kind) on conflict do nothing;
  return found;
end
$$;

-- What the provider calls a subscription or a plan that it renews, by our id of either.
create function private.note_provider_subscription(ours uuid, reference text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set provider_reference = reference
  where s.id = ours and s.provider_reference is distinct from reference;
  update public.creator_plans s set provider_reference = reference
  where s.id = ours and s.provider_reference is distinct from reference;
end
$$;

-- Holds a subscription, or a plan, by our id of either, ahead of several steps in one transaction; with `ending` the
-- counts of its creator, too: a month that is booked on the way to the end would hold the balance before them.
create function private.hold_provided(ours uuid, ending boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sold public.subscriptions;
begin
  select * into sold from public.subscriptions s where s.id = ours;
  if not found then
    perform private.lock_plan(s.user_id) from public.creator_plans s where s.id = ours;
    perform from public.creator_plans s where s.id = ours for update;
    return;
  end if;
  perform private.lock_pair(sold.subscriber_id, sold.creator_id);
  perform from public.subscriptions s where s.id = ours for update;
  if ending then
    perform from public.profile_counts c where c.user_id = sold.creator_id for no key update;
  end if;
end
$$;

-- The provider was paid for another period of what it calls `subscription`; `reference` is what it calls that payment.
-- True when it is booked by now.
create function private.settle_period(subscription text, reference text, cents integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sold public.subscriptions;
  plan public.creator_plans;
  payment uuid;
begin
  select p.id into payment from public.payments p where p.provider = 'stripe' and p.provider_reference = reference;
  if found then return private.settle_payment(payment, reference); end if;
  select * into sold from public.subscriptions s where s.provider_reference = subscription;
  if found then
    perform private.lock_pair(sold.subscriber_id, sold.creator_id);
    select * into sold from public.subscriptions s where s.id = sold.id for update;
    -- Told twice at once.
    select p.id into payment from public.payments p where p.provider = 'stripe' and p.provider_reference = reference;
    if not found then
      insert into public.payments
        (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider, state)
      values ('subscription', sold.subscriber_id, sold.creator_id, sold.id,
              coalesce(sold.period_end, clock_timestamp()), cents, private.fee_of(cents), 'stripe',
              case when sold.state = 'ended' then 'void' else 'pending' end)
      on conflict (subscription_id, period_start) where state in ('pending', 'paid')
      do update set provider = 'stripe', amount_cents = excluded.amount_cents, fee_cents = excluded.fee_cents
      returning id into payment;
    end if;
    return private.settle_payment(payment, reference);
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription;
  if not found then return false; end if;
  perform private.lock_plan(plan.user_id);
  select * into plan from public.creator_plans s where s.id = plan.id for update;
  select p.id into payment from public.payments p where p.provider = 'stripe' and p.provider_reference = reference;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider, state)
    values ('creator_pro', plan.user_id, plan.id, coalesce(plan.period_end, clock_timestamp()), cents, 0, 'stripe',
            case when plan.state = 'ended' then 'void' else 'pending' end)
    on conflict (plan_id, period_start) where state in ('pending', 'paid') and plan_id is not null
    do update set provider = 'stripe', amount_cents = excluded.amount_cents
    returning id into payment;
  end if;
  return private.settle_payment(payment, reference);
end
$$;

-- The provider says what has become of what it calls `subscription`: it goes on, ends with its period, or has ended.
create function private.heed_provider(subscription text, said text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sold public.subscriptions;
  plan public.creator_plans;
begin
  select * into sold from public.subscriptions s where s.provider_reference = subscription;
  if found then
    perform private.lock_pair(sold.subscriber_id, sold.creator_id);
    update public.subscriptions s set provider_knows = said where s.id = sold.id;
    if said = 'ended' then
      perform private.end_subscription(sold.id);
    else
      update public.subscriptions s
      set cancelled_at = case when said = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
      where s.id = sold.id and s.state = 'active' and (s.cancelled_at is null) = (said = 'cancelled');
    end if;
    return;
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription;
  if not found then return; end if;
  perform private.lock_plan(plan.user_id);
  update public.creator_plans s set provider_knows = said where s.id = plan.id;
  if said = 'ended' then
    perform private.end_creator_plan(plan.id);
  else
    update public.creator_plans s
    set cancelled_at = case when said = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
    where s.id = plan.id and s.state = 'active' and (s.cancelled_at is null) = (said = 'cancelled');
  end if;
end
$$;

-- What the provider does not know yet: to be told, and then noted with private.note_told. `wanted` is 'active',
-- 'cancelled' (with its period) or 'ended' (at once).
create function private.untold_subscriptions(most integer)
returns table (id uuid, reference text, wanted text)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.provider_reference, u.wanted from (
    select s.id, s.provider_reference, s.provider_knows,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled' else 'active' end as wanted
    from public.subscriptions s where s.provider_reference is not null and s.provider_knows <> 'ended'
    union all
    select s.id, s.provider_reference, s.provider_knows,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled' else 'active' end
    from public.creator_plans s where s.provider_reference is not null and s.provider_knows <> 'ended') u
  where u.provider_knows <> u.wanted limit most
$$;

create function private.note_told(told uuid, said text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set provider_knows = said where s.id = told;
  update public.creator_plans s set provider_knows = said where s.id = told
$$;

-- Money that came for nothing: to be given back by the provider, and then noted with private.note_given_back. Also pages
-- that are still open for what has ended. What was tried last comes last: one that cannot be given back stops no other.
create function private.payments_to_give_back(most integer) returns table (id uuid, reference text)
language sql stable security definer set search_path = ''
as $$
  select p.id, p.provider_reference from public.payments p
  where p.state = 'void' and p.provider = 'stripe' and p.provider_reference is not null and p.given_back_at is null
  order by coalesce(p.give_back_tried_at, p.settled_at) limit most
$$;

create function private.note_give_back_tried(payment uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set give_back_tried_at = clock_timestamp() where p.id = payment and p.state = 'void'
$$;

create function private.note_given_back(payment uuid, said text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set given_back_at = clock_timestamp()
  where p.id = payment and p.state = 'void' and p.provider_reference = said
$$;

-- Customers whose account is gone, whom the provider is to forget; then private.forget_customer.
create function private.customers_to_forget(most integer) returns table (provider text, reference text)
language sql stable security definer set search_path = ''
as $$
  select c.provider, c.reference from private.payment_customers c
  where not exists (select from public.profiles p where p.id = c.user_id) limit most
$$;
create function private.forget_customer(payment_provider text, customer text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.payment_customers c where c.provider = payment_provider and c.reference = customer $$;

grant execute on function private.settle_page(uuid, text, integer), private.hold_provided(uuid, boolean),
  private.note_give_back_tried(uuid), private.payment_to_charge(uuid), private.note_checkout(uuid, text),
  private.expire_payment(uuid, text), private.note_customer(text, uuid, text), private.customer_of(text, uuid),
  private.take_payment_event(text, text, text), private.note_provider_subscription(uuid, text),
  private.settle_period(text, text, integer), private.heed_provider(text, text), private.untold_subscriptions(integer),
  private.note_told(uuid, text), private.payments_to_give_back(integer), private.note_given_back(uuid, text),
  private.customers_to_forget(integer), private.forget_customer(text, text) to service_role;

-- Renewing ----------------------------------------------------------------------------------------------------

-- What a provider renews within a day, and what may not be sold any more, ends with its period: the provider is told of
-- it (private.untold_subscriptions) before it charges again.
create function private.cancel_unsold(most integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.subscriptions d
    where d.state = 'active' and d.period_end < clock_timestamp() + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.is_sold_to(d.subscriber_id, d.creator_id)
    order by d.period_end limit most for update skip locked);
end
$$;
create function private.cancel_unsold_plans(most integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.creator_plans s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.creator_plans d
    where d.state = 'active' and d.period_end < clock_timestamp() + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.is_plan_sold_to(d.user_id)
    order by d.period_end limit most for update skip locked);
end
$$;

-- As before, but what its provider renews is its provider's: it ends here when it was cancelled, or when nothing was
-- heard of a payment for longer than the grace.
create or replace function private.begin_renewals(most integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken uuid[];
  due public.subscriptions;
begin
  perform private.cancel_unsold(most);
  select coalesce(array_agg(d.id), '{}') into taken from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit most for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (taken);
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (taken))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (taken) order by s.period_end loop
    payment := null;
    if due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end))
       or not private.is_sold_to(due.subscriber_id, due.creator_id) then
      perform private.end_subscription(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments
          (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
        values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.price_cents,
                private.fee_of(due.price_cents), payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- The same for plans.
create function private.begin_plan_renewals(most integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken uuid[];
  due public.creator_plans;
begin
  perform private.cancel_unsold_plans(most);
  select coalesce(array_agg(d.id), '{}') into taken from (
    select s.id from public.creator_plans s
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit most for update skip locked) d;
  update public.creator_plans s set renewal_begun_at = clock_timestamp() where s.id = any (taken);
  perform private.lock_counters(array(select s.user_id from public.creator_plans s where s.id = any (taken)));
  for due in select s.* from public.creator_plans s where s.id = any (taken) order by s.user_id loop
    payment := null;
    if due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       -- Where nothing is to be paid any more, what was paid ends, and everybody keeps what they are.
       or not private.is_plan_sold_to(due.user_id)
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
grant execute on function private.begin_plan_renewals(integer, text) to service_role;

-- Renewing through a provider that renews by itself does not begin here: it tells (private.settle_period).

revoke execute on all functions in schema private from public;

do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-payments', '*/5 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/payments',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 150000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
