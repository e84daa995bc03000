-- How payments are settled and given back, whatever they are for; how subscriptions are renewed; and what follows for
-- others.

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
  -- A first month begins when it is paid, not when that was begun; so does one after the grace.
  if counted = 1 then
    update public.payments p set period_start = begins where p.id = paid.id;
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

-- What a block ends is held as everybody else holds it: the pair, its subscriptions, and counts only then.
create or replace function private.before_block_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(new.blocker_id, new.blocked_id);
  perform from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by s.id for update;
  perform private.hold_pair(new.blocker_id, new.blocked_id);
  return new;
end
$$;

-- Within a block nobody goes on paying the other, and nothing begins.
create function private.on_block_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.stop_subscription(s) from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;
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

-- As before, and between the two the subscriptions, which change the counts of their creators.
create or replace function private.hold_what_goes(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.hold_written(person);
  perform from public.subscriptions s
  where s.state <> 'ended' and person in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.hold_counted(person, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = person and s.state <> 'ended'));
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
