-- Subscriptions to creators, paid by the month or for 3, 6 or 12 months at a time. A subscription unlocks the premium
-- posts that its creator marked as included.
--
-- - A period is what one payment buys: `months` months, for `price_cents`. Neither changes while the subscription
--   lasts, whatever the creator offers later.
-- - begin_subscription creates a pending subscription and the payment of its first period (50_payments). Settling the
--   payment activates the subscription; each further period is another payment.
-- - The `renewals` job renews subscriptions that are due. A subscription with a `provider_reference` is renewed by
--   the provider's own billing (Stripe) instead; private.settle_provider_period books each period that the provider
--   reports.
-- - While payments are off, renewals are paused: subscriptions continue without payment, day by day. The first
--   period that is paid for after a pause begins when the last of these days ends or, if the provider renews the
--   subscription, when the provider invoices it.
-- - Cancelling takes effect at the end of the paid period. A failed renewal is retried for private.renewal_grace(),
--   while the subscription continues.
-- - As in the ledger, user ids are not foreign keys, because subscriptions outlive the accounts.
-- - Lock order, to avoid deadlocks: the pair of users (private.lock_relation, as for follows and blocks), the
--   subscription, its payment, profile_counts, user_counters, the users' profiles.

create table public.subscriptions (
  id uuid primary key default gen_random_uuid(),
  subscriber_id uuid not null,
  creator_id uuid not null,
  -- 'pending' until the first payment is settled.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  -- The price of a period.
  price_cents integer not null check (price_cents > 0),
  -- Periods are computed from `started_at`, so that a subscription that began on the 31st does not drift to earlier
  -- days. After a pause or a gap, `started_at` is set again, and `periods` starts over.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  -- Set if the subscription is to end with its period instead of renewing.
  cancelled_at timestamptz,
  -- When a renewal was last attempted: a failing renewal is not retried for a while, so that it does not block others.
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- If the provider renews the subscription: the provider's id for it, and its state at the provider.
  provider_reference text,
  provider_state text not null default 'active' check (provider_state in ('active', 'cancelled', 'ended')),
  -- The length of a period in months.
  months smallint not null default 1 check (months in (1, 3, 6, 12)),
  check (subscriber_id <> creator_id),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);

comment on column public.subscriptions.periods is
  'The number of months paid for since started_at: a payment for three months adds three.';

-- At most one pending or active subscription for each subscriber and creator.
create unique index subscriptions_live_key on public.subscriptions (subscriber_id, creator_id) where state <> 'ended';

create index subscriptions_subscriber_id_idx on public.subscriptions (subscriber_id, created_at desc, id desc);

create index subscriptions_creator_id_idx on public.subscriptions (creator_id, created_at desc, id desc);

-- For the filter of the conversation list that shows only subscribers.
create index subscriptions_active_creator_id_idx on public.subscriptions (creator_id, subscriber_id)
  where state = 'active';

-- For renewals.
create index subscriptions_period_end_idx on public.subscriptions (period_end) where state = 'active';

-- For analytics: new subscriptions by day.
create index subscriptions_started_at_idx on public.subscriptions (started_at) where started_at is not null;

create unique index subscriptions_provider_reference_key on public.subscriptions (provider_reference);

-- For private.unsynced_subscriptions.
create index subscriptions_unsynced_idx on public.subscriptions (id)
  where provider_reference is not null and provider_state <> 'ended';

alter table public.subscriptions enable row level security;

-- Requires an active session.
create policy subscriptions_active_session on public.subscriptions as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Subscribers see their subscriptions. Creators see the subscriptions to them, except those that were never paid for.
create policy subscriptions_select on public.subscriptions for select to authenticated
  using (subscriber_id = (select auth.uid()) or (creator_id = (select auth.uid()) and started_at is not null));

-- Only functions can write. Neither the subscriber nor the creator can see the `provider_…` columns.
revoke all on public.subscriptions from anon, authenticated, service_role;
grant select on public.subscriptions to service_role;
grant select (id, subscriber_id, creator_id, state, price_cents, months, periods, started_at, period_end,
  cancelled_at, ended_at, created_at)
  on public.subscriptions to authenticated;

-- Returns the price of a month, in cents.
create function private.subscription_price_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 999 $$;

grant execute on function private.subscription_price_cents() to authenticated;

-- The lengths in months that creators offer, with the discount in percent and the price of a period. Every creator
-- offers one month. Has rows for all users whose profile the caller can view, even for those who are not creators.
create view private.subscription_offers with (security_invoker = true) as
  select d.user_id as creator_id, o.months, o.discount,
         round(private.subscription_price_cents() * o.months * (100 - o.discount) / 100.0)::integer as price_cents
  from public.profile_details d
  cross join lateral (values (1, 0), (3, d.quarterly_discount), (6, d.half_yearly_discount), (12, d.yearly_discount))
    o (months, discount)
  where o.discount is not null;

grant select on private.subscription_offers to authenticated;

-- Returns how long a failed renewal is retried while the subscription continues.
create function private.renewal_grace() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '3 days' $$;

-- Access ------------------------------------------------------------------------------------------------------

-- The subscriptions that give access to the creator's included posts now. The grace period counts, unless the
-- subscription was cancelled.
create view private.current_subscriptions as
  select s.subscriber_id, s.creator_id, s.started_at
  from public.subscriptions s
  where s.state = 'active'
    and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now();

-- Returns whether a user is subscribed to a creator now.
create function private.is_subscribed(subscriber_id uuid, creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from private.current_subscriptions s
    where s.subscriber_id = is_subscribed.subscriber_id and s.creator_id = is_subscribed.creator_id);
end
$$;

-- Returns whether the caller is subscribed to a creator now.
create function private.is_subscribed_to(creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_subscribed(auth.uid(), creator_id); end $$;

grant execute on function private.is_subscribed_to(uuid) to authenticated;

-- Returns whether a user is subscribed to the caller now.
create function private.is_own_subscriber(user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_subscribed(user_id, auth.uid()); end $$;

grant execute on function private.is_own_subscriber(uuid) to authenticated;

-- Returns up to `max_rows` creators whom the caller follows or is subscribed to and who posted in the last 14 days,
-- each with the time of their newest post that the caller can see. Sorted by that time, newest first. Considers only
-- the 500 latest follows, which limits the number of index lookups.
create function private.list_creator_updates(max_rows integer)
returns table (user_id uuid, latest_post_at timestamptz)
language plpgsql stable security definer rows 5 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return; end if;
  return query
    select newest.author_id, newest.created_at
    from (
      select p.author_id, p.created_at
      from (
        (select f.followee_id from public.follows f where f.follower_id = uid order by f.created_at desc limit 500)
        union
        select s.creator_id from public.subscriptions s
        where s.subscriber_id = uid and s.state = 'active' and private.is_subscribed(uid, s.creator_id)
      ) a (id)
      join public.profiles creator on creator.id = a.id and creator.is_creator
      cross join lateral (
        select p.author_id, p.created_at from public.posts p
        where p.author_id = a.id and p.hidden is null and p.created_at > now() - interval '14 days'
        order by p.created_at desc, p.id desc limit 1) p
      order by p.created_at desc, p.author_id offset 0
    ) newest
    where (select true from private.viewable_profiles v where v.id = newest.author_id)
    order by newest.created_at desc, newest.author_id limit max_rows;
end
$$;

grant execute on function private.list_creator_updates(integer) to authenticated;

-- Returns the newest posts by the creators whom the caller is subscribed to, newest first: those published after
-- `since`, no later than `until`, and listed after the post `after_id` (published at `after_time`). These
-- parameters may be null. Like private.list_following_posts, this function applies the rules of the policies itself.
create function private.list_subscription_posts(
  since timestamptz, until timestamptz, after_time timestamptz, after_id uuid, max_rows integer
) returns table (post_id uuid)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return; end if;
  return query
    select newest.id
    from private.current_subscriptions s
    join private.viewable_profiles v on v.id = s.creator_id
    cross join lateral (
      select p.id, p.created_at from public.posts p
      where p.author_id = s.creator_id and p.hidden is null
        and p.created_at > coalesce(since, '-infinity') and p.created_at <= coalesce(until, 'infinity')
        and (p.created_at, p.id) < (coalesce(after_time, 'infinity'), after_id)
      order by p.created_at desc, p.id desc limit max_rows) newest
    where s.subscriber_id = uid
    order by newest.created_at desc, newest.id desc limit max_rows;
end
$$;

grant execute on function private.list_subscription_posts(timestamptz, timestamptz, timestamptz, uuid, integer)
  to authenticated;

-- Subscribing -------------------------------------------------------------------------------------------------

-- Raises an error unless the caller may subscribe to the creator. The API also calls this function before it returns
-- the price of a subscription, and when the caller tries to subscribe while payments are off.
create function private.require_can_subscribe(creator_id uuid) returns void
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
$$;

grant execute on function private.require_can_subscribe(uuid) to authenticated;

-- Raises an error if the caller's active subscription to the creator differs in length or price from what they chose,
-- which happens on an outdated page that does not show the subscription yet. `chosen_months` and `amount` may be null.
-- The API also calls this function while payments are off.
create function private.require_same_subscription(creator_id uuid, chosen_months integer, amount numeric) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = auth.uid() and s.creator_id = require_same_subscription.creator_id and s.state = 'active'
      and private.is_subscribed(s.subscriber_id, s.creator_id)
      and (chosen_months <> s.months or amount * 100 <> s.price_cents)
  ) then
    raise exception 'You''re already subscribed. You can choose another length when your subscription has ended.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
end
$$;

grant execute on function private.require_same_subscription(uuid, integer, numeric) to authenticated;

-- Begins the caller's subscription to a creator and returns the id of the payment to settle. A repeated call returns
-- the same payment. Returns null when there is nothing to pay because the caller is subscribed already; a cancelled
-- subscription is then resumed. `chosen_months` is the length of a period, by default a month. `amount` is the price of
-- a period in US dollars that the caller agreed to, by default that of a month.
create function private.begin_subscription(
  creator_id uuid, payment_provider text, chosen_months integer default null, amount numeric default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  subscription public.subscriptions;
  offer private.subscription_offers;
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
    perform private.require_same_subscription(begin_subscription.creator_id, chosen_months, amount);
    update public.subscriptions s set cancelled_at = null where s.id = subscription.id and s.cancelled_at is not null;
    return null;
  end if;
  select * into offer from private.subscription_offers o
  where o.creator_id = begin_subscription.creator_id and o.months = coalesce(chosen_months, 1);
  if not found then
    raise exception 'This creator no longer offers subscriptions for % months.', chosen_months
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  if coalesce(amount * 100, private.subscription_price_cents()) <> offer.price_cents then
    raise exception 'The price of this subscription is now $%.', to_char(offer.price_cents / 100.0, 'FM9990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  if (subscription.months, subscription.price_cents) <> (offer.months, offer.price_cents) then
    -- The pending subscription has another length, or a price that has changed since.
    perform private.end_subscription(subscription.id);
    subscription := null;
  end if;
  if subscription.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents, months)
    values (uid, begin_subscription.creator_id, offer.price_cents, offer.months)
    returning * into subscription;
    -- A concurrent account deletion may have read the list of subscriptions to end before this row existed. Locking
    -- both profiles settles the race: either this transaction waits for the deletion and finds a profile missing, or
    -- the deletion waits for this transaction and ends the new subscription.
    perform from public.profiles p where p.id in (uid, begin_subscription.creator_id) order by p.id for key share;
    get diagnostics profile_count = row_count;
    if profile_count < 2 then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.subscription_id = subscription.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments
      (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider)
    values ('subscription', uid, begin_subscription.creator_id, subscription.id, clock_timestamp(), subscription.months,
            subscription.price_cents, private.platform_fee_cents(subscription.price_cents), payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
end
$$;

grant execute on function private.begin_subscription(uuid, text, integer, numeric) to authenticated;

-- Cancels the caller's subscription: it runs until the end of its period, or ends now if it is unpaid or its period is
-- over. Read-only accounts may cancel too.
create function private.cancel_subscription(creator_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
begin
  perform private.require_session();
  perform private.lock_relation(auth.uid(), cancel_subscription.creator_id);
  select * into subscription from public.subscriptions s
  where s.subscriber_id = auth.uid() and s.creator_id = cancel_subscription.creator_id and s.state <> 'ended'
  for update;
  if not found then raise exception 'You aren''t subscribed to this creator.' using errcode = 'PT404'; end if;
  perform private.cancel_or_end_subscription(subscription);
end
$$;

grant execute on function private.cancel_subscription(uuid) to authenticated;

-- Cancels a subscription, so that it ends with its period. If the subscription is unpaid or its period is over, ends
-- it now and voids its pending payment. The calling function holds the subscription's lock.
create function private.cancel_or_end_subscription(subscription public.subscriptions) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if subscription.state = 'pending' or subscription.period_end <= clock_timestamp() then
    perform private.end_subscription(subscription.id);
  else
    update public.subscriptions s set cancelled_at = clock_timestamp()
    where s.id = subscription.id and s.cancelled_at is null;
  end if;
end
$$;

-- Ends a subscription now. The trigger on_subscription_changed voids its pending payment.
create function private.end_subscription(subscription_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = subscription_id and s.state <> 'ended'
$$;

-- Settling ----------------------------------------------------------------------------------------------------

-- Delivers a paid period: activates or extends the subscription. Returns false if the period cannot be delivered: the
-- subscription has ended, a profile no longer exists, or either user has blocked the other. The calling function holds
-- the subscription's lock.
create function private.settle_subscription(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
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
  new_periods := subscription.periods + payment.months;
  -- After the grace period, the count of months starts over, so that nobody pays for time without access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := payment.months;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first period after a pause.
    new_start := payment.period_start;
    new_periods := payment.months;
  end if;
  -- A first period starts when it is paid for, not when its payment was begun.
  if new_periods = payment.months then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A period that the provider charged for during a pause is reported after the pause, and may end before
      -- period_end.
      period_end = greatest(new_start + new_periods * interval '1 month', subscription.period_end)
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.queue_welcome_message(subscription);
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
end
$$;

-- Returns the start of the period that the provider invoiced. Normally, this is the end of the months that have been
-- paid for so far, which can differ from `period_end`, because a pause moves `period_end`. If the provider charged
-- nothing during a pause, the period begins when it was invoiced.
create function private.provider_period_start(
  started_at timestamptz, periods integer, period_end timestamptz, invoiced_at timestamptz
) returns timestamptz
language sql volatile set search_path = ''
as $$
  select case
    when invoiced_at > counted.until + private.renewal_grace() and period_end > counted.until then invoiced_at
    else coalesce(counted.until, clock_timestamp()) end
  from (select started_at + periods * interval '1 month' as until) counted
$$;

-- Renewing ----------------------------------------------------------------------------------------------------

-- Returns whether a subscription may renew: the creator still has a creator account that is not read-only, and the
-- subscriber exists and may view the creator's profile.
create function private.can_renew_subscription(subscriber_id uuid, creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                 where p.id = creator_id and p.is_creator and a.read_only_reason is null)
    and exists (select from public.profiles p where p.id = subscriber_id)
    and private.can_user_view_profile(subscriber_id, creator_id);
end
$$;

-- Cancels subscriptions that the provider would renew within a day, but that are no longer allowed to renew
-- (private.can_renew_subscription). The API sends the cancellation to the provider (private.unsynced_subscriptions)
-- before the next charge.
create function private.cancel_unrenewable_subscriptions(max_rows integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.subscriptions d
    where d.state = 'active' and d.period_end < (select clock_timestamp()) + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_subscription(d.subscriber_id, d.creator_id)
    order by d.period_end limit max_rows for update skip locked);
end
$$;

-- Returns the new end of the period of a subscription or plan whose renewal is paused: one day from now, so that the
-- renewal takes place soon after payments are turned back on.
create function private.paused_until() returns timestamptz
language sql volatile set search_path = ''
as $$ select clock_timestamp() + interval '1 day' $$;

-- Claims up to `max_rows` subscriptions whose period is over, the longest overdue first. For each of them, returns the
-- payment that renews it. The payment is null if the subscription ended instead, because it was cancelled, is not
-- allowed to renew, cannot be renewed by this function (`payment_provider` is null), or was still unpaid when the grace
-- period ended. With `are_payments_off`, a subscription that could renew is paused instead, and its payment is null
-- too. A claimed subscription is not claimed again for five minutes, so that a renewal that keeps failing does not
-- block others.
--
-- Does not renew subscriptions that the provider renews. Ends such a subscription only if it was cancelled, or if no
-- payment was reported before the grace period ended.
create function private.begin_renewals(
  max_rows integer, payment_provider text, are_payments_off boolean default false
) returns table (payment uuid, paused boolean)
language plpgsql volatile security definer set search_path = ''
as $$
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
  -- Ending a subscription changes its creator's counts, so lock the counts of all these creators in a
  -- consistent order.
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
          (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider)
        values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.months, due.price_cents,
                private.platform_fee_cents(due.price_cents), payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$$;

grant execute on function private.begin_renewals(integer, text, boolean) to service_role;

-- Effects on other tables -------------------------------------------------------------------------------------

-- Updates the creator's subscriber count, voids the pending payment of an ended subscription, and notifies the
-- subscriber's open pages.
create function private.on_subscription_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;

create trigger on_subscription_changed after insert or update of state, period_end, cancelled_at on public.subscriptions
  for each row execute function private.on_subscription_changed();

-- Cancels the subscriptions between two users when one blocks the other. Ends those that are unpaid or whose period is
-- over.
create function private.on_block_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.cancel_or_end_subscription(s) from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;

create trigger on_block_subscriptions after insert on public.blocks
  for each row execute function private.on_block_subscriptions();

-- Ends all subscriptions of a deleted account, both as a subscriber and as a creator.
create function private.on_profile_deleted_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_subscription(s.id) from public.subscriptions s
  where old.id in (s.subscriber_id, s.creator_id) and s.state <> 'ended';
  return null;
end
$$;

create trigger on_profile_deleted_subscriptions after delete on public.profiles
  for each row execute function private.on_profile_deleted_subscriptions();
