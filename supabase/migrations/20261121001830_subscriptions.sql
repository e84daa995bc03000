-- Subscriptions to creators: paid by the month through the payments port, cancelled for the period's end. A subscription
-- opens the posts that its creator marked as included.
--
-- As in the ledger, people are ids without a foreign key: what was paid stays when an account goes.

-- Cents a month.
create function private.subscription_price() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 999 $$;

-- For how long a renewal that fails is tried again, the subscription going on meanwhile.
create function private.renewal_grace() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '3 days' $$;

create table public.subscriptions (
  id uuid primary key default gen_random_uuid(),
  subscriber_id uuid not null,
  creator_id uuid not null,
  -- 'pending' until its first payment is made.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  price_cents integer not null check (price_cents > 0),
  -- Periods that are paid, of a month each, counted from `started_at`.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  -- It ends with its period, and is not renewed.
  cancelled_at timestamptz,
  -- When its renewal was last begun: one that fails is no other's hindrance.
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (subscriber_id <> creator_id),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);
create unique index subscriptions_live_key on public.subscriptions (subscriber_id, creator_id) where state <> 'ended';
create index subscriptions_subscriber_id_idx on public.subscriptions (subscriber_id, created_at desc, id desc);
create index subscriptions_creator_id_idx on public.subscriptions (creator_id, created_at desc, id desc);
create index subscriptions_period_end_idx on public.subscriptions (period_end) where state = 'active';

alter table public.subscriptions enable row level security;
revoke all on public.subscriptions from anon, authenticated, service_role;
-- Written by the functions below alone.
grant select on public.subscriptions to authenticated, service_role;

create policy subscriptions_alive on public.subscriptions as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy subscriptions_select on public.subscriptions for select to authenticated
  using (subscriber_id = (select auth.uid()) or (creator_id = (select auth.uid()) and state <> 'pending'));

alter table public.payments drop constraint payments_kind_check;
alter table public.payments
  add constraint payments_kind_check check (kind in ('unlock', 'subscription')),
  add column subscription_id uuid references public.subscriptions (id),
  -- Where the period that is paid begins: known for good when it is settled (private.settle_subscription).
  add column period_start timestamptz,
  add check ((kind = 'subscription') = (subscription_id is not null)),
  add check ((kind = 'subscription') = (period_start is not null));
create index payments_subscription_id_idx on public.payments (subscription_id);
-- A period is paid once.
create unique index payments_period_key on public.payments (subscription_id, period_start)
  where state in ('pending', 'paid');

alter table public.ledger_transactions drop constraint ledger_transactions_kind_check;
alter table public.ledger_transactions add constraint ledger_transactions_kind_check
  check (kind in ('unlock', 'subscription', 'refund', 'given_up'));
alter table public.ledger_entries drop constraint ledger_entries_label_check;
alter table public.ledger_entries add constraint ledger_entries_label_check
  check (label in ('payment', 'sale', 'fee', 'given_up'));

-- What it opens -----------------------------------------------------------------------------------------------

-- Somebody, who need not be the caller, subscribes to a creator now.
create function private.is_subscribed(person uuid, creator uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.subscriptions s
    where s.subscriber_id = person and s.creator_id = creator and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now());
end
$$;
-- The caller's own.
create function private.subscribes_to(creator uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_subscribed(auth.uid(), creator); end $$;
grant execute on function private.subscribes_to(uuid) to authenticated;

comment on column public.posts.included_in_subscription is 'Marked by its author: their subscribers read it without paying for it.';

create or replace function private.may_read_premium(post uuid, author uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if author is distinct from uid
     and not exists (select from public.unlocks u where u.user_id = uid and u.post_id = post)
     -- Most posts are not included: then nothing is asked of subscriptions.
     and not exists (select from public.posts p
                     where p.id = post and p.included_in_subscription and private.is_subscribed(uid, author)) then
    return false;
  end if;
  -- Having paid opens nothing that its author no longer shows.
  return private.can_view(author);
end
$$;

-- Whether somebody, who need not be the caller, has a right to what is paid of a post. Not whether they may see it.
create or replace function private.may_read_paid(person uuid, post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
           select from public.posts p
           where p.id = post and (not p.is_premium or p.author_id = person
             or (p.included_in_subscription and private.is_subscribed(person, p.author_id))))
      or exists (select from public.unlocks u where u.user_id = person and u.post_id = post)
$$;

-- Marks a post that the caller publishes in the same transaction. Sent again, it changes nothing of what they edited.
create function private.include_post(post uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set included_in_subscription = true
  where p.id = post and p.author_id = auth.uid() and p.is_premium and p.edited_at is null and private.may_write()
$$;
grant execute on function private.include_post(uuid) to authenticated;

drop policy comments_select on public.comments;
create policy comments_select on public.comments for select to authenticated
  using (
    (author_id is null or author_id <> all ((select private.blocked_ids())::uuid[]))
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.subscribes_to(p.author_id))))
  );
drop policy comments_insert on public.comments;
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.may_write())
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.subscribes_to(p.author_id))))
  );

-- What the caller would pay for a post now, in cents: null where nothing is to be paid, as it is free, theirs, unlocked,
-- or open to them as a subscriber. Refuses whom the post is not shown to, and an `amount` (US dollars) that is not its
-- price.
create or replace function private.quote_unlock(post uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sold public.posts;
begin
  perform private.require_write();
  select * into sold from public.posts p where p.id = post;
  if not found or not private.can_view(sold.author_id) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if private.may_read_paid(auth.uid(), post) then return null; end if;
  if exists (select from public.accounts a where a.user_id = sold.author_id and a.read_only_reason is not null) then
    raise exception 'This post cannot be bought at the moment.' using errcode = 'PT403', detail = 'payment_failed';
  end if;
  if amount is distinct from sold.premium_price then
    raise exception 'This post costs $% now.', to_char(sold.premium_price, 'FM990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  return (sold.premium_price * 100)::integer;
end
$$;

-- Subscribing -------------------------------------------------------------------------------------------------

-- Who locks what, so that nobody waits in a circle: the pair of people (private.lock_pair, which a block and a follow
-- hold, too), the subscription, its payment, profile_counts, user_counters, people's own rows.

-- Refuses a caller who cannot subscribe to somebody.
create function private.require_subscribable(creator uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  sold public.profiles;
begin
  perform private.require_write();
  select * into sold from public.profiles p where p.id = creator;
  if not found or private.are_blocked(auth.uid(), creator) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator = auth.uid() then raise exception 'You cannot subscribe to yourself.' using errcode = 'PT400'; end if;
  if not sold.is_creator then
    raise exception 'Only creators can be subscribed to.' using errcode = 'PT403';
  end if;
  if not private.can_view(creator) then
    raise exception 'This profile is not open to you.' using errcode = 'PT403';
  end if;
  if exists (select from public.accounts a where a.user_id = creator and a.read_only_reason is not null) then
    raise exception 'This creator cannot be subscribed to at the moment.' using errcode = 'PT403';
  end if;
end
$$;

-- For where no payments are taken.
grant execute on function private.require_subscribable(uuid) to authenticated;

-- The caller is about to subscribe. Answers the payment to be settled; null where nothing is to be paid, as they
-- subscribe already: then a cancelled subscription goes on. A repeated call answers the same payment.
create function private.begin_subscription(creator uuid, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  live public.subscriptions;
  people integer;
  payment uuid;
begin
  perform private.require_write();
  perform private.enforce_rate('subscriptions', uid, 30, '1 minute');
  perform private.lock_pair(uid, creator);
  perform private.require_subscribable(creator);
  select * into live from public.subscriptions s
  where s.subscriber_id = uid and s.creator_id = creator and s.state <> 'ended' for update;
  if live.state = 'active' and not private.is_subscribed(uid, creator) then
    -- Over, and the job has not come by yet.
    perform private.end_subscription(live.id);
    live := null;
  end if;
  if live.state = 'active' then
    update public.subscriptions s set cancelled_at = null where s.id = live.id and s.cancelled_at is not null;
    return null;
  end if;
  if live.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents)
    values (uid, creator, private.subscription_price())
    returning * into live;
    -- Whoever is leaving did not see it when they held what they end. With both people's rows held, either this waits
    -- for them and finds nobody, or they wait for this and end it.
    perform from public.profiles p where p.id in (uid, creator) order by p.id for key share;
    get diagnostics people = row_count;
    if people < 2 then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun takes the way of now.
  update public.payments p set provider = payment_provider
  where p.subscription_id = live.id and p.state = 'pending'
  returning p.id into payment;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
    values ('subscription', uid, creator, live.id, clock_timestamp(), live.price_cents,
            private.fee_of(live.price_cents), payment_provider)
    returning id into payment;
  end if;
  return payment;
end
$$;
grant execute on function private.begin_subscription(uuid, text) to authenticated;

-- The caller's subscription ends with its period; one that is not paid, or whose period is over, at once. Also for a
-- read-only account.
create function private.cancel_subscription(creator uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  live public.subscriptions;
begin
  perform private.require_session();
  perform private.lock_pair(auth.uid(), creator);
  select * into live from public.subscriptions s
  where s.subscriber_id = auth.uid() and s.creator_id = creator and s.state <> 'ended' for update;
  if not found then raise exception 'You do not subscribe to this creator.' using errcode = 'PT404'; end if;
  perform private.stop_subscription(live);
end
$$;
grant execute on function private.cancel_subscription(uuid) to authenticated;

-- Ends one with its period; at once where none is paid, with the payment that was begun for it. The caller holds it.
create function private.stop_subscription(live public.subscriptions) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if live.state = 'pending' or live.period_end <= clock_timestamp() then
    perform private.end_subscription(live.id);
  else
    update public.subscriptions s set cancelled_at = clock_timestamp() where s.id = live.id and s.cancelled_at is null;
  end if;
end
$$;

create function private.end_subscription(subscription uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = subscription and s.state <> 'ended'
$$;

revoke execute on all functions in schema private from public;
