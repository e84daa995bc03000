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

-- The caller's subscription ends with its period; one that is not paid yet, at once. Also for a read-only account.
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
  if live.state = 'pending' then
    perform private.end_subscription(live.id);
  else
    update public.subscriptions s set cancelled_at = clock_timestamp() where s.id = live.id and s.cancelled_at is null;
  end if;
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

-- A period of a subscription is paid. False when it was paid for nothing. The caller holds the subscription.
create function private.settle_subscription(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  held public.subscriptions;
  begins timestamptz;
  counted integer;
begin
  select * into held from public.subscriptions s where s.id = paid.subscription_id;
  if held.state = 'ended' or private.are_blocked(paid.payer_id, paid.payee_id)
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or not exists (select from public.profiles p where p.id = paid.payee_id for key share) then
    return false;
  end if;
  begins := coalesce(held.started_at, clock_timestamp());
  counted := held.periods + 1;
  -- What it did not open since the grace was over is not paid for.
  if held.period_end + private.renewal_grace() <= clock_timestamp() then
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
    perform private.lock_pair(payment.payer_id, payment.payee_id);
    perform from public.subscriptions s where s.id = payment.subscription_id for update;
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
  if paid.state <> 'pending' then
    -- Money that came for what had ended meanwhile is noted, for an operator to give back.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp()
    where p.id = payment and p.state = 'void' and p.provider_reference is null and reference is not null;
    return paid.state = 'paid';
  end if;
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
  -- Giving back an earlier month takes nothing of the present one.
  if paid.kind = 'subscription' and not exists (
    select from public.payments p
    where p.subscription_id = paid.subscription_id and p.state = 'paid' and p.period_start > paid.period_start
  ) then
    perform private.end_subscription(paid.subscription_id);
  end if;
  return true;
end
$$;

-- Renewing ----------------------------------------------------------------------------------------------------

-- Takes `most` subscriptions whose period is over, the longest over first, and answers for each the payment that renews
-- it, or null where it ends: when it was cancelled, its creator cannot be subscribed to any more, no payments are taken
-- (`payment_provider` null), or a payment has failed for longer than the grace. One that was taken is not taken again
-- for five minutes, by whomever: what fails is in nobody's way.
create function private.begin_renewals(most integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken uuid[];
  due public.subscriptions;
begin
  select coalesce(array_agg(d.id), '{}') into taken from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit most for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (taken);
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (taken))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (taken) order by s.period_end loop
    payment := null;
    if due.cancelled_at is not null or payment_provider is null
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end))
       or not exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                      where p.id = due.creator_id and p.is_creator and a.read_only_reason is null)
       or not exists (select from public.profiles p where p.id = due.subscriber_id)
       or not private.may_see(due.subscriber_id, due.creator_id) then
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
  -- What the subscriber may read has changed, if they are still there.
  perform private.tell(p.id, 'profile.changed', jsonb_build_object('userId', new.creator_id))
  from public.profiles p where p.id = new.subscriber_id;
  return null;
end
$$;
create trigger on_subscription_changed after insert or update of state, period_end, cancelled_at on public.subscriptions
  for each row execute function private.on_subscription_changed();

-- Within a block nobody goes on paying the other, and nothing begins.
create function private.on_block_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  live public.subscriptions;
begin
  for live in
    select s.* from public.subscriptions s
    where s.state <> 'ended'
      and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
    order by s.id for update
  loop
    if live.state = 'pending' then
      perform private.end_subscription(live.id);
    else
      update public.subscriptions s set cancelled_at = clock_timestamp() where s.id = live.id and s.cancelled_at is null;
    end if;
  end loop;
  return null;
end
$$;
-- By its name it runs before on_blocked, which holds the counts of both.
create trigger on_block_subscriptions after insert on public.blocks
  for each row execute function private.on_block_subscriptions();

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

-- As before, and the subscriptions with the counts that they change.
create or replace function private.hold_what_goes(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = person)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = person
                 union select l.post_id from public.likes l where l.user_id = person
                 union select c.post_id from public.comments c where c.author_id = person)
  order by p.id for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and person in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform from public.profile_counts c
  where c.user_id in (select person
                      union select f.followee_id from public.follows f where f.follower_id = person
                      union select f.follower_id from public.follows f where f.followee_id = person
                      union select s.creator_id from public.subscriptions s
                            where s.subscriber_id = person and s.state <> 'ended')
  order by c.user_id for no key update;
  perform private.lock_counters(array(
    select person
    union select n.user_id from public.notifications n where n.actor_id = person
    union select n.user_id from public.notifications n join public.posts p on p.id = n.post_id
          where p.author_id = person
    union select p.author_id from public.likes l join public.posts p on p.id = l.post_id where l.user_id = person
    union select f.followee_id from public.follows f where f.follower_id = person
    union select r.followee_id from public.follow_requests r where r.follower_id = person));
end
$$;

revoke execute on all functions in schema private from public;

-- As the other jobs: by the database's own clock where it has one.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-renewals', '*/10 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/renewals',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        -- Many charges take their time.
        timeout_milliseconds := 150000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
