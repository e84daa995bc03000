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
  -- The period that is paid: it begins here.
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
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.subscriptions s
    where s.subscriber_id = person and s.creator_id = creator and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now())
$$;
-- The caller's own.
create function private.subscribes_to(creator uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_subscribed(auth.uid(), creator) $$;
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
     and not (private.is_subscribed(uid, author)
              and exists (select from public.posts p where p.id = post and p.included_in_subscription)) then
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
-- The caller's own right to it.
create function private.reads_paid(post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select private.may_read_paid(auth.uid(), post) $$;
grant execute on function private.reads_paid(uuid) to authenticated;

drop policy comments_select on public.comments;
create policy comments_select on public.comments for select to authenticated
  using (
    (author_id is null or author_id <> all ((select private.blocked_ids())::uuid[]))
    and (select true from public.posts p where p.id = post_id and (not p.is_premium or private.reads_paid(p.id)))
  );
drop policy comments_insert on public.comments;
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.may_write())
    and (select true from public.posts p where p.id = post_id and (not p.is_premium or private.reads_paid(p.id)))
  );

-- Subscribing -------------------------------------------------------------------------------------------------

-- All steps of one person's subscription to one creator happen one after the other.
create function private.lock_subscription(subscriber uuid, creator uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('subscription:' || subscriber::text || creator::text, 0)) $$;

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

-- The caller is about to subscribe. Answers the payment to be settled; null where nothing is to be paid, as they
-- subscribe already: then a cancelled subscription goes on. A repeated call answers the same payment.
create function private.begin_subscription(creator uuid, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  live public.subscriptions;
  payment uuid;
  price integer := private.subscription_price();
begin
  perform private.require_subscribable(creator);
  perform private.enforce_rate('subscriptions', uid, 30, '1 minute');
  perform private.lock_subscription(uid, creator);
  select * into live from public.subscriptions s
  where s.subscriber_id = uid and s.creator_id = creator and s.state <> 'ended' for update;
  if found and live.state = 'active' and not private.is_subscribed(uid, creator) then
    -- Over, and the job has not come by yet.
    perform private.end_subscription(live.id);
    live := null;
  end if;
  if live.state = 'active' then
    update public.subscriptions s set cancelled_at = null where s.id = live.id and s.cancelled_at is not null;
    return null;
  end if;
  if live.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents) values (uid, creator, price)
    returning * into live;
  end if;
  select p.id into payment from public.payments p where p.subscription_id = live.id and p.state = 'pending';
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

-- The caller's subscription ends with its period.
create function private.cancel_subscription(creator uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  live public.subscriptions;
begin
  perform private.require_session();
  perform private.lock_subscription(auth.uid(), creator);
  select * into live from public.subscriptions s
  where s.subscriber_id = auth.uid() and s.creator_id = creator and s.state = 'active' for update;
  if not found then raise exception 'You do not subscribe to this creator.' using errcode = 'PT404'; end if;
  update public.subscriptions s set cancelled_at = clock_timestamp() where s.id = live.id and s.cancelled_at is null;
end
$$;
grant execute on function private.cancel_subscription(uuid) to authenticated;

create function private.end_subscription(subscription uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = subscription and s.state <> 'ended'
$$;

-- Settling ----------------------------------------------------------------------------------------------------

-- A period of a subscription is paid. False when it was paid for nothing.
create function private.settle_subscription(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  held public.subscriptions;
  begins timestamptz;
  counted integer;
begin
  select * into held from public.subscriptions s where s.id = paid.subscription_id for update;
  if held.state = 'ended'
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or not exists (select from public.profiles p where p.id = paid.payee_id for key share) then
    return false;
  end if;
  begins := coalesce(held.started_at, clock_timestamp());
  counted := held.periods + 1;
  -- Months in which nobody could renew it were not had, and are not paid for.
  if begins + counted * interval '1 month' <= clock_timestamp() then
    begins := clock_timestamp();
    counted := 1;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = begins, periods = counted, period_end = begins + counted * interval '1 month'
  where s.id = held.id;
  if held.state = 'pending' then
    perform private.notify_person(paid.payee_id, paid.payer_id, 'subscription');
  end if;
  return true;
end
$$;

-- What an unlock that is paid opens. False when it was paid for nothing.
create function private.settle_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id for key share)
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.notify_person(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;

create function private.lock_payment(payment public.payments) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if payment.kind = 'unlock' then
    perform private.lock_unlock(payment.payer_id, payment.post_id);
  else
    perform private.lock_subscription(payment.payer_id, payment.payee_id);
  end if;
end
$$;

-- Books a payment that the provider has confirmed, and opens what it was for, in one transaction. True when it is
-- open because of this payment; a repeated call changes nothing and answers the same.
create or replace function private.settle_payment(payment uuid, reference text default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
  booked uuid;
  good boolean;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(paid);
  select * into paid from public.payments p where p.id = payment for update;
  if paid.state <> 'pending' then return paid.state = 'paid'; end if;
  good := case paid.kind when 'unlock' then private.settle_unlock(paid) else private.settle_subscription(paid) end;
  update public.payments p
  set state = case when good then 'paid' else 'void' end, provider_reference = reference, settled_at = clock_timestamp()
  where p.id = payment;
  if good then
    insert into public.ledger_transactions (kind, payment_id) values (paid.kind, payment) returning id into booked;
    perform private.book_sale(booked, paid, 1);
  end if;
  return good;
end
$$;

-- Gives a payment back: entries that reverse it, and what it opened is closed. True once, false ever after.
create or replace function private.refund_payment(payment uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
  booked uuid;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(paid);
  update public.payments p set state = 'refunded' where p.id = payment and p.state = 'paid';
  if not found then return false; end if;
  insert into public.ledger_transactions (kind, payment_id) values ('refund', payment) returning id into booked;
  perform private.book_sale(booked, paid, -1);
  delete from public.unlocks u where u.payment_id = payment;
  if paid.kind = 'subscription' then perform private.end_subscription(paid.subscription_id); end if;
  return true;
end
$$;

-- Renewing ----------------------------------------------------------------------------------------------------

-- Ends what is not to be renewed, and answers the payments that renew the others: `most` subscriptions whose period is
-- over, the longest over first. Called again before they are settled, it answers the same payments.
create function private.begin_renewals(most integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.subscriptions;
begin
  for due in
    select s.* from public.subscriptions s where s.state = 'active' and s.period_end <= clock_timestamp()
    order by s.period_end limit most for update skip locked
  loop
    if due.cancelled_at is not null or payment_provider is null
       or due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p where p.subscription_id = due.id and p.state = 'pending'
           and p.period_start = due.period_end)
       or not exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                      where p.id = due.creator_id and p.is_creator and a.read_only_reason is null)
       or not exists (select from public.profiles p where p.id = due.subscriber_id)
       or not private.may_see(due.subscriber_id, due.creator_id) then
      perform private.end_subscription(due.id);
      continue;
    end if;
    select p.id into payment from public.payments p
    where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    if not found then
      insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
      values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.price_cents,
              private.fee_of(due.price_cents), payment_provider)
      returning id into payment;
    end if;
    return next;
  end loop;
end
$$;
grant execute on function private.begin_renewals(integer, text) to service_role;

-- What follows from it ----------------------------------------------------------------------------------------

create function private.on_subscription_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was integer := case when tg_op = 'UPDATE' and old.state = 'active' then 1 else 0 end;
  is_now integer := case when new.state = 'active' then 1 else 0 end;
begin
  if is_now <> was then
    update public.profile_counts c set subscribers = greatest(0, c.subscribers + is_now - was)
    where c.user_id = new.creator_id;
  end if;
  if new.state = 'ended' then
    update public.payments p set state = 'void', settled_at = clock_timestamp()
    where p.subscription_id = new.id and p.state = 'pending';
  end if;
  -- What the subscriber may read has changed.
  perform private.tell(new.subscriber_id, 'profile.changed', jsonb_build_object('userId', new.creator_id));
  return null;
end
$$;
create trigger on_subscription_changed after insert or update on public.subscriptions
  for each row execute function private.on_subscription_changed();

-- Within a block nobody goes on paying the other.
create function private.on_blocked_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.subscriptions s set cancelled_at = clock_timestamp()
  where s.state = 'active' and s.cancelled_at is null
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;
create trigger on_blocked_subscriptions after insert on public.blocks
  for each row execute function private.on_blocked_subscriptions();

-- An account that goes ends what it paid for, and what others paid it for.
create function private.on_profile_gone_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_subscription(s.id) from public.subscriptions s
  where old.id in (s.subscriber_id, s.creator_id) and s.state <> 'ended';
  return null;
end
$$;
create trigger on_profile_gone_subscriptions after delete on public.profiles
  for each row execute function private.on_profile_gone_subscriptions();

revoke execute on all functions in schema private from public;

-- As the other jobs: by the database's own clock where it has one.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-renewals', '*/10 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/renewals',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')))
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
