-- Payments: one row for each amount that a user pays for an unlock, a period of a subscription, a tip, or a month of
-- Creator Pro.
--
-- - The payer begins a payment (begin_unlock, begin_photo_unlock, begin_tip, begin_subscription, begin_creator_plan);
--   renewals begin the payments for further periods. The API has the provider collect the money, then settles the
--   payment as service_role. settle_payment books the payment in the ledger and delivers what was bought, in one
--   transaction.
-- - Every step can safely be repeated: a payment is booked, and its booking reversed, at most once.
-- - A payment for something that can no longer be bought becomes 'void': nothing is booked, and the provider refunds
--   it.
-- - As in the ledger, ids of users are not foreign keys, and neither are ids of posts and messages: payments outlive
--   them.
-- - Lock order: the payer and what is bought (private.lock_payment), then the payment, then everything else.
--
-- Unlocks of posts are in 32_premium_content, unlocks of photos in messages in 51_paid_photos, subscriptions in
-- 54_subscriptions, Creator Pro in 56_creator_pro, bookings in 52_ledger.

-- A payment for a subscription or plan covers one period.
create table public.payments (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('unlock', 'subscription', 'tip', 'creator_pro')),
  payer_id uuid not null,
  -- Null for Creator Pro, which is paid to the platform alone.
  payee_id uuid,
  -- The post that is unlocked.
  post_id uuid,
  amount_cents integer not null check (amount_cents > 0),
  -- The platform's share of a creator's sale. 0 for Creator Pro, for which the platform gets the whole amount.
  fee_cents integer not null check (fee_cents between 0 and amount_cents),
  provider text not null check (provider in ('test', 'stripe')),
  -- The provider's id for the checkout page while the payment is pending, and later for the charge or invoice.
  provider_reference text,
  -- 'void': cancelled before it was paid, or paid when its purpose no longer existed (for example, the post was
  -- deleted); any money that arrived is refunded. 'expired': not paid in time. 'refunded': booked, then reversed.
  state text not null default 'pending' check (state in ('pending', 'paid', 'void', 'expired', 'refunded')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  subscription_id uuid references public.subscriptions (id),
  -- The start of the paid period. Provisional for a first period: settling moves it to the time of payment.
  period_start timestamptz,
  plan_id uuid references public.creator_plans (id),
  -- The tipper's message.
  note text check (char_length(note) between 1 and 200),
  -- The post that a tip is for, if any.
  about_post_id uuid,
  -- When the money of a void payment was refunded or its checkout page closed, and when that was last attempted.
  refunded_at timestamptz,
  refund_attempted_at timestamptz,
  -- The message whose photo is unlocked.
  message_id uuid,
  -- The length of the paid period in months; 1 for a payment without a period.
  months smallint not null default 1 check (months in (1, 3, 6, 12)),
  check (num_nonnulls(post_id, message_id) = (kind = 'unlock')::integer),
  check ((kind = 'subscription') = (subscription_id is not null)),
  check ((kind = 'creator_pro') = (plan_id is not null)),
  check ((kind = 'creator_pro') = (payee_id is null)),
  check ((kind in ('subscription', 'creator_pro')) = (period_start is not null)),
  check (kind = 'tip' or (note is null and about_post_id is null))
);

comment on table public.payments is
  'Begun by the payer, or by the renewal of a subscription or plan; settled by the API once the provider confirms that the money was received.';

create index payments_payer_id_idx on public.payments (payer_id, created_at desc);

create index payments_payee_id_idx on public.payments (payee_id, created_at desc) where payee_id is not null;

create index payments_subscription_id_idx on public.payments (subscription_id);

create index payments_plan_id_idx on public.payments (plan_id) where plan_id is not null;

create unique index payments_provider_reference_key on public.payments (provider, provider_reference);

-- A payer has at most one pending and one paid payment for a post.
create unique index payments_pending_key on public.payments (payer_id, post_id) where state = 'pending';

create unique index payments_paid_key on public.payments (payer_id, post_id) where state = 'paid';

-- The same for photos in messages. Only a message's receiver can pay for its photo, so the payer is not part of these
-- keys.
create unique index payments_pending_message_key on public.payments (message_id)
  where state = 'pending' and message_id is not null;

create unique index payments_paid_message_key on public.payments (message_id)
  where state = 'paid' and message_id is not null;

-- A period is paid for at most once.
create unique index payments_period_key on public.payments (subscription_id, period_start)
  where state in ('pending', 'paid');

create unique index payments_plan_period_key on public.payments (plan_id, period_start)
  where state in ('pending', 'paid') and plan_id is not null;

-- The queue of private.due_refunds, least recently attempted first.
create index payments_due_refunds_idx on public.payments (coalesce(refund_attempted_at, settled_at))
  where state = 'void' and provider = 'stripe' and provider_reference is not null and refunded_at is null;

alter table public.payments enable row level security;

-- Requires an active session.
create policy payments_active_session on public.payments as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Payers see their own payments. Creators see their sales through private.own_sale, which hides the payer if either
-- user has blocked the other.
create policy payments_select on public.payments for select to authenticated
  using (payer_id = (select auth.uid()));

-- Only functions can write: not even service_role has the privilege to write directly.
revoke all on public.payments from anon, authenticated, service_role;
grant select on public.payments to authenticated, service_role;

-- A user's customer id at a provider. `user_id` is not a foreign key: the row remains after the account is deleted,
-- until the customer is deleted at the provider too.
create table private.payment_customers (
  provider text not null,
  user_id uuid not null,
  reference text not null,
  created_at timestamptz not null default now(),
  primary key (provider, user_id)
);

create unique index payment_customers_reference_key on private.payment_customers (provider, reference);

-- Tips --------------------------------------------------------------------------------------------------------

-- Raises an error unless the caller may tip the creator.
create function private.require_can_tip(creator_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  creator public.profiles;
begin
  perform private.require_write();
  select * into creator from public.profiles p where p.id = creator_id;
  if not found or private.are_blocked(auth.uid(), creator_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator_id = auth.uid() then raise exception 'You can''t tip yourself.' using errcode = 'PT400'; end if;
  if not creator.is_creator then raise exception 'You can only tip creators.' using errcode = 'PT403'; end if;
  if not private.can_view_profile(creator_id) then
    raise exception 'You can''t view this profile.' using errcode = 'PT403';
  end if;
  if exists (select from public.accounts a where a.user_id = creator_id and a.read_only_reason is not null) then
    raise exception 'This creator can''t receive tips right now.' using errcode = 'PT403';
  end if;
end
$$;

grant execute on function private.require_can_tip(uuid) to authenticated;

-- Begins a tip from the caller and returns the id of the payment to settle. `amount` is in US dollars. The client
-- chooses `tip_id`: a repeated call returns the same payment.
create function private.begin_tip(
  tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text default null,
  tipped_post_id uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

grant execute on function private.begin_tip(uuid, uuid, numeric, text, text, uuid) to authenticated;

-- Delivers a paid tip: notifies the creator. Returns false when the payer or the creator no longer exists, or when
-- either has blocked the other.
create function private.settle_tip(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

-- Settling and refunding --------------------------------------------------------------------------------------

-- Serializes all steps that concern a payment or what it buys. For an unlock, locks the purchase and the post or
-- conversation; for Creator Pro, the user's plan; for a subscription or a tip, the pair of users and, if there is one,
-- the subscription that is paid for.
create function private.lock_payment(payment public.payments) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  case payment.kind
    when 'unlock' then
      perform private.lock_purchase(payment.payer_id, coalesce(payment.post_id, payment.message_id));
      perform private.lock_conversation_of(payment.message_id);
      perform from public.posts p where p.id = payment.post_id for no key update;
    when 'creator_pro' then
      perform private.lock_creator_plan(payment.payer_id);
      perform from public.creator_plans s where s.id = payment.plan_id for update;
    else
      perform private.lock_relation(payment.payer_id, payment.payee_id);
      perform from public.subscriptions s where s.id = payment.subscription_id for update;
  end case;
end
$$;

-- Books a payment that the provider has confirmed and delivers what it was for, in one transaction. Returns true when
-- the payment is paid, and false when it is void or refunded. Nothing is delivered for a void payment, and the provider
-- refunds its money. Repeating the call has no effect.
create function private.settle_payment(payment_id uuid, reference text default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
    when 'unlock' then case when payment.message_id is null then private.settle_unlock(payment)
                            else private.settle_photo_unlock(payment) end
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
$$;

grant execute on function private.settle_payment(uuid, text) to service_role;

-- Settles a payment of `paid_cents` that was made on a Stripe checkout page. Sets the provider to Stripe even if the
-- payment was begun with another one, so that it is not booked as test money. The price of a post may have changed
-- since the page was opened, so an unlock is booked at the amount that was actually paid.
create function private.settle_checkout(payment_id uuid, reference text, paid_cents integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  update public.payments p set provider = 'stripe'
  where p.id = payment_id and p.state in ('pending', 'expired') and p.provider <> 'stripe';
  update public.payments p set amount_cents = paid_cents, fee_cents = private.platform_fee_cents(paid_cents)
  where p.id = payment_id and p.kind = 'unlock' and p.state in ('pending', 'expired') and p.amount_cents <> paid_cents;
  return private.settle_payment(payment_id, reference);
end
$$;

grant execute on function private.settle_checkout(uuid, text, integer) to service_role;

-- Returns whether a period that was paid for through Stripe may still be sold; true for any other payment. If not, ends
-- the pending subscription or plan that the period would have started; the calling function voids the payment. Active
-- subscriptions and plans are cancelled by private.cancel_unrenewable_subscriptions and
-- private.cancel_unrenewable_plans.
create function private.ensure_period_sellable(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if payment.provider <> 'stripe'
     or (payment.kind = 'subscription' and private.can_renew_subscription(payment.payer_id, payment.payee_id))
     or (payment.kind = 'creator_pro' and private.can_renew_plan(payment.payer_id))
     or payment.kind not in ('subscription', 'creator_pro') then
    return true;
  end if;
  perform private.end_subscription(s.id) from public.subscriptions s
  where s.id = payment.subscription_id and s.state = 'pending';
  perform private.end_creator_plan(s.id) from public.creator_plans s
  where s.id = payment.plan_id and s.state = 'pending';
  return false;
end
$$;

-- Refunds a paid payment: books reversing entries and takes back what was bought, but moves no money at the provider.
-- Refunding a period ends the subscription or plan, unless a later period has been paid for. Refunding test money that
-- has already been removed changes no balance. Returns true the first time, and false after that or if the payment is
-- not paid.
create function private.refund_payment(payment_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
  perform private.revoke_photo_unlock(payment.id);
  -- Refunding an earlier period does not end the current one.
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
$$;

grant execute on function private.refund_payment(uuid) to service_role;

-- Checkout pages of the provider ------------------------------------------------------------------------------

-- Returns what is needed to open a checkout page for a payment; null if the payment is not pending.
create function private.pending_charge(payment_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'amountCents', p.amount_cents, 'reference', p.provider_reference,
    'payerId', p.payer_id, 'payerEmail', a.email, 'postId', coalesce(p.post_id, p.about_post_id),
    'messageId', p.message_id, 'payeeId', p.payee_id,
    'subscriptionId', p.subscription_id, 'planId', p.plan_id, 'months', p.months,
    'payee', (select r.username from public.profiles r where r.id = p.payee_id),
    'customer', (select c.reference from private.payment_customers c
                 where c.provider = p.provider and c.user_id = p.payer_id))
  from public.payments p left join public.accounts a on a.user_id = p.payer_id
  where p.id = payment_id and p.state = 'pending'
$$;

grant execute on function private.pending_charge(uuid) to service_role;

-- Stores the provider's id for the checkout page of a payment, unless the payment is no longer pending.
create function private.record_checkout(payment_id uuid, reference text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set provider_reference = reference where p.id = payment_id and p.state = 'pending'
$$;

grant execute on function private.record_checkout(uuid, text) to service_role;

-- Expires a payment that was not paid in time, and ends the subscription or plan that it would have started.
-- `reference` is the id of the checkout page that was closed; nothing happens if another page has been opened since.
-- Returns whether the payment expired.
create function private.expire_payment(payment_id uuid, reference text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

grant execute on function private.expire_payment(uuid, text) to service_role;

-- Only for version 0.1.0 of the edge functions, which calls this function before it handles a webhook event. Remove
-- this function after the release of 0.2.0.
create function private.record_payment_event(payment_provider text, event_id text, event_kind text) returns boolean
language sql volatile security definer set search_path = ''
as $$ select true $$;

grant execute on function private.record_payment_event(text, text, text) to service_role;

-- Customers at the provider -----------------------------------------------------------------------------------

-- Stores a user's customer id at a provider, unless the user already has one there. Returns the stored id.
-- `on conflict` names no index because two concurrent first payments of a user can violate either unique index.
create function private.record_payment_customer(payment_provider text, target_user_id uuid, customer text)
returns text
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_customers (provider, user_id, reference)
  values (payment_provider, target_user_id, customer)
  on conflict do nothing;
  select c.reference from private.payment_customers c
  where c.provider = payment_provider and c.user_id = target_user_id
$$;

grant execute on function private.record_payment_customer(text, uuid, text) to service_role;

-- Replaces a user's customer id when that customer no longer exists at the provider, unless the id has been replaced in
-- the meantime.
create function private.replace_payment_customer(
  payment_provider text, target_user_id uuid, missing_customer text, customer text) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.payment_customers c set reference = customer
  where c.provider = payment_provider and c.user_id = target_user_id and c.reference = missing_customer
$$;

grant execute on function private.replace_payment_customer(text, uuid, text, text) to service_role;

-- Returns a user's customer id at a provider, or null.
create function private.payment_customer(payment_provider text, target_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select c.reference from private.payment_customers c
  where c.provider = payment_provider and c.user_id = target_user_id
$$;

grant execute on function private.payment_customer(text, uuid) to service_role;

-- Returns up to `max_rows` customers whose account was deleted. The API deletes each of them at the provider, and then
-- here with private.delete_payment_customer.
create function private.payment_customers_to_delete(max_rows integer) returns table (provider text, reference text)
language sql stable security definer set search_path = ''
as $$
  select c.provider, c.reference from private.payment_customers c
  where not exists (select from public.profiles p where p.id = c.user_id) limit max_rows
$$;

grant execute on function private.payment_customers_to_delete(integer) to service_role;

create function private.delete_payment_customer(payment_provider text, customer text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.payment_customers c where c.provider = payment_provider and c.reference = customer $$;

grant execute on function private.delete_payment_customer(text, text) to service_role;

-- Refunds of void payments ------------------------------------------------------------------------------------

-- Returns void payments that the provider must still refund, or whose checkout page must still be closed. The API does
-- this and then calls private.record_refund. The least recently attempted payment comes first, so that a payment that
-- keeps failing does not block others.
create function private.due_refunds(max_rows integer) returns table (id uuid, reference text)
language sql stable security definer set search_path = ''
as $$
  select p.id, p.provider_reference from public.payments p
  where p.state = 'void' and p.provider = 'stripe' and p.provider_reference is not null and p.refunded_at is null
  order by coalesce(p.refund_attempted_at, p.settled_at) limit max_rows
$$;

grant execute on function private.due_refunds(integer) to service_role;

create function private.record_refund_attempt(payment_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set refund_attempted_at = clock_timestamp()
  where p.id = payment_id and p.state = 'void'
$$;

grant execute on function private.record_refund_attempt(uuid) to service_role;

-- Records that the charge or invoice `reference` of a void payment was refunded, or that the checkout page `reference`
-- was closed. Does nothing if more money has arrived in the meantime and its reference has replaced this one.
create function private.record_refund(payment_id uuid, reference text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set refunded_at = clock_timestamp()
  where p.id = payment_id and p.state = 'void' and p.provider_reference = reference
$$;

grant execute on function private.record_refund(uuid, text) to service_role;

-- Subscriptions and plans that the provider renews ------------------------------------------------------------
-- In these functions, a `subscription_or_plan_id` is the id of a subscription or of a Creator Pro plan, and a
-- `subscription_reference` is the provider's id for either.

-- Locks a subscription or plan at the start of a transaction that takes several steps. For a subscription, if
-- `is_ending` is true, also locks the creator's profile_counts: otherwise, a transaction that settles a period and then
-- ends the subscription would lock the creator's balance before the counts, against the lock order.
create function private.lock_provider_subscription(subscription_or_plan_id uuid, is_ending boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
begin
  select * into subscription from public.subscriptions s where s.id = subscription_or_plan_id;
  if not found then
    perform private.lock_creator_plan(s.user_id) from public.creator_plans s where s.id = subscription_or_plan_id;
    perform from public.creator_plans s where s.id = subscription_or_plan_id for update;
    return;
  end if;
  perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
  perform from public.subscriptions s where s.id = subscription_or_plan_id for update;
  if is_ending then
    perform from public.profile_counts c where c.user_id = subscription.creator_id for no key update;
  end if;
end
$$;

grant execute on function private.lock_provider_subscription(uuid, boolean) to service_role;

-- Stores the provider's id for a subscription or plan.
create function private.record_provider_subscription(subscription_or_plan_id uuid, reference text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set provider_reference = reference
  where s.id = subscription_or_plan_id and s.provider_reference is distinct from reference;
  update public.creator_plans s set provider_reference = reference
  where s.id = subscription_or_plan_id and s.provider_reference is distinct from reference;
end
$$;

grant execute on function private.record_provider_subscription(uuid, text) to service_role;

-- Settles a renewal payment that the provider collected. `payment_reference` is the provider's id for the paid invoice.
-- Returns whether the period is booked.
create function private.settle_provider_period(
  subscription_reference text, payment_reference text, paid_cents integer, invoiced_at timestamptz
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
        (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider, state)
      values ('subscription', subscription.subscriber_id, subscription.creator_id, subscription.id,
              private.provider_period_start(
                subscription.started_at, subscription.periods, subscription.period_end, invoiced_at),
              subscription.months, paid_cents, private.platform_fee_cents(paid_cents), 'stripe',
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
$$;

grant execute on function private.settle_provider_period(text, text, integer, timestamptz) to service_role;

-- Applies the state that a subscription or plan has at the provider: 'active', 'cancelled' (ends with its period) or
-- 'ended'.
create function private.apply_provider_status(subscription_reference text, new_status text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
  plan public.creator_plans;
begin
  select * into subscription from public.subscriptions s where s.provider_reference = subscription_reference;
  if found then
    perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
    update public.subscriptions s set provider_state = new_status where s.id = subscription.id;
    if new_status = 'ended' then
      perform private.end_subscription(subscription.id);
    else
      update public.subscriptions s
      set cancelled_at = case when new_status = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
      where s.id = subscription.id and s.state = 'active'
        and (s.cancelled_at is null) = (new_status = 'cancelled');
    end if;
    return;
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription_reference;
  if not found then return; end if;
  perform private.lock_creator_plan(plan.user_id);
  update public.creator_plans s set provider_state = new_status where s.id = plan.id;
  if new_status = 'ended' then
    perform private.end_creator_plan(plan.id);
  else
    update public.creator_plans s
    set cancelled_at = case when new_status = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
    where s.id = plan.id and s.state = 'active' and (s.cancelled_at is null) = (new_status = 'cancelled');
  end if;
end
$$;

grant execute on function private.apply_provider_status(text, text) to service_role;

-- Returns subscriptions and plans whose state here differs from their state at the provider. The API changes the state
-- at the provider to `wanted`: 'active', 'cancelled' (ends with its period) or 'ended' (immediately). Then it calls
-- private.record_provider_sync.
create function private.unsynced_subscriptions(max_rows integer)
returns table (id uuid, reference text, wanted text)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.provider_reference, u.wanted from (
    select s.id, s.provider_reference, s.provider_state,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled'
                else 'active' end as wanted
    from public.subscriptions s where s.provider_reference is not null and s.provider_state <> 'ended'
    union all
    select s.id, s.provider_reference, s.provider_state,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled' else 'active' end
    from public.creator_plans s where s.provider_reference is not null and s.provider_state <> 'ended') u
  where u.provider_state <> u.wanted limit max_rows
$$;

grant execute on function private.unsynced_subscriptions(integer) to service_role;

-- Records the state that a subscription or plan now has at the provider.
create function private.record_provider_sync(subscription_or_plan_id uuid, synced_state text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set provider_state = synced_state where s.id = subscription_or_plan_id;
  update public.creator_plans s set provider_state = synced_state where s.id = subscription_or_plan_id
$$;

grant execute on function private.record_provider_sync(uuid, text) to service_role;
