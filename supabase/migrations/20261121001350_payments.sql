-- Money: who paid for what, what that opened, and the ledger of it all.
--
-- Amounts are whole US cents. The ledger is double-entry (the entries of a transaction add up to nothing) and
-- append-only: whatever has to be put right is put right by new entries. People in it are ids without a foreign key,
-- so that a deleted account leaves every sum as it was.

-- The platform's share of a sale, in percent.
insert into private.settings (key, value) values ('platform_fee_percent', '10') on conflict (key) do nothing;
alter table private.settings add constraint settings_platform_fee_percent_check check (
  case when key = 'platform_fee_percent' and jsonb_typeof(value) = 'number'
       then (value #>> '{}')::numeric between 0 and 100
       else key <> 'platform_fee_percent' end);

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('unlock')),
  payer_id uuid not null,
  payee_id uuid not null,
  post_id uuid,
  amount_cents integer not null check (amount_cents > 0),
  fee_cents integer not null check (fee_cents between 0 and amount_cents),
  provider text not null check (provider in ('test', 'stripe')),
  -- What the provider calls it.
  provider_reference text,
  -- 'void': paid for nothing (the post was gone, or opened by another payment), for an operator to give back.
  state text not null default 'pending' check (state in ('pending', 'paid', 'void', 'refunded')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  check ((kind = 'unlock') = (post_id is not null))
);
comment on table public.payments is
  'Begun by the payer, settled by the payments port when the provider says that money came.';
create index payments_payer_id_idx on public.payments (payer_id, created_at desc);
create unique index payments_provider_reference_key on public.payments (provider, provider_reference);
create unique index payments_pending_key on public.payments (payer_id, post_id) where state = 'pending';
create unique index payments_paid_key on public.payments (payer_id, post_id) where state = 'paid';

create table public.unlocks (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  payment_id uuid not null references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, post_id)
);
create index unlocks_post_id_idx on public.unlocks (post_id);
create index unlocks_payment_id_idx on public.unlocks (payment_id);

create table public.ledger_transactions (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('unlock', 'refund')),
  payment_id uuid references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  -- All its entries are written with it: nothing is added to a transaction of the past.
  written_by xid8 not null default pg_current_xact_id()
);
create index ledger_transactions_payment_id_idx on public.ledger_transactions (payment_id);
-- A payment is booked once.
create unique index ledger_transactions_once_key on public.ledger_transactions (payment_id, kind);

create table public.ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references public.ledger_transactions (id),
  -- Whose money: what the provider holds for us ('processor'), what we owe a creator, what the platform keeps.
  account text not null check (account in ('processor', 'creator', 'platform')),
  person_id uuid,
  label text not null check (label in ('payment', 'sale', 'fee')),
  amount_cents bigint not null check (amount_cents <> 0),
  check ((account = 'creator') = (person_id is not null))
);
comment on table public.ledger_entries is
  'amount_cents: what an account gets (positive) or gives (negative). The entries of a transaction add up to 0.';
create index ledger_entries_transaction_id_idx on public.ledger_entries (transaction_id);
create index ledger_entries_person_id_idx on public.ledger_entries (person_id, id desc) where person_id is not null;

-- Rules of the ledger -----------------------------------------------------------------------------------------

create function private.refuse_ledger_change() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin raise exception 'The ledger is append-only.' using errcode = '42501'; end $$;

create trigger ledger_is_append_only before update or delete on public.ledger_entries
  for each row execute function private.refuse_ledger_change();
create trigger ledger_is_not_emptied before truncate on public.ledger_entries
  for each statement execute function private.refuse_ledger_change();
create trigger ledger_is_append_only before update or delete on public.ledger_transactions
  for each row execute function private.refuse_ledger_change();
create trigger ledger_is_not_emptied before truncate on public.ledger_transactions
  for each statement execute function private.refuse_ledger_change();

create function private.before_ledger_entry() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.ledger_transactions t
                 where t.id = new.transaction_id and t.written_by = pg_current_xact_id()) then
    raise exception 'Entries are written together with their transaction.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger before_ledger_entry before insert on public.ledger_entries
  for each row execute function private.before_ledger_entry();

create function private.check_ledger_balance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  booked uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select coalesce(sum(e.amount_cents), 0) <> 0 or count(*) < 2
      from public.ledger_entries e where e.transaction_id = booked) then
    raise exception 'Ledger transaction % does not balance.', booked using errcode = '23514';
  end if;
  return null;
end
$$;
-- At the end of the writing transaction, when all entries are there. For a transaction, as it may have none; and for
-- each entry, as one could come after the constraints were checked early.
create constraint trigger check_ledger_balance after insert on public.ledger_transactions
  deferrable initially deferred for each row execute function private.check_ledger_balance('id');
create constraint trigger check_ledger_balance after insert on public.ledger_entries
  deferrable initially deferred for each row execute function private.check_ledger_balance('transaction_id');

-- Rights ------------------------------------------------------------------------------------------------------

alter table public.payments enable row level security;
alter table public.unlocks enable row level security;
alter table public.ledger_transactions enable row level security;
alter table public.ledger_entries enable row level security;
revoke all on public.payments, public.unlocks, public.ledger_transactions, public.ledger_entries
  from anon, authenticated, service_role;
-- Nobody writes them but the functions below: not even the service role opens a post that nobody paid for.
grant select on public.payments, public.unlocks, public.ledger_transactions, public.ledger_entries
  to authenticated, service_role;

create policy payments_alive on public.payments as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy payments_select on public.payments for select to authenticated
  using (payer_id = (select auth.uid()));
create policy unlocks_alive on public.unlocks as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy unlocks_select on public.unlocks for select to authenticated
  using (user_id = (select auth.uid()));
create policy ledger_entries_alive on public.ledger_entries as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- A creator reads what concerns their own money.
create policy ledger_entries_select on public.ledger_entries for select to authenticated
  using (person_id = (select auth.uid()));
create policy ledger_transactions_alive on public.ledger_transactions as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy ledger_transactions_select on public.ledger_transactions for select to authenticated
  using (exists (select from public.ledger_entries e
                 where e.transaction_id = ledger_transactions.id and e.person_id = (select auth.uid())));

-- Unlocking ---------------------------------------------------------------------------------------------------

-- All steps of one person's payments for one post happen one after the other.
create function private.lock_unlock(payer uuid, post uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('unlock:' || payer::text || post::text, 0)) $$;

-- What the caller would pay for a post now, in cents: null where nothing is to be paid, as it is free, theirs, or
-- unlocked. Refuses whom the post is not shown to, and an `amount` (US dollars) that is not its price.
create function private.quote_unlock(post uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  sold public.posts;
begin
  perform private.require_write();
  select * into sold from public.posts p where p.id = post;
  if not found or not private.can_view(sold.author_id) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if not sold.is_premium or sold.author_id = uid
     or exists (select from public.unlocks u where u.user_id = uid and u.post_id = post) then
    return null;
  end if;
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
grant execute on function private.quote_unlock(uuid, numeric) to authenticated;

-- The caller is about to pay `amount` (US dollars) for a post. Answers the payment to be settled, null where nothing
-- is to be paid. A repeated call answers the same payment.
create function private.begin_unlock(post uuid, amount numeric, payment_provider text) returns uuid
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
    -- Its provider was never asked for money: it takes the price, and the way, of now.
    update public.payments p
    set amount_cents = cents, fee_cents = private.fee_of(cents), provider = payment_provider,
        created_at = clock_timestamp()
    where p.id = begun.id;
  end if;
  return begun.id;
end
$$;
grant execute on function private.begin_unlock(uuid, numeric, text) to authenticated;

-- The platform's share of an amount, in cents.
create function private.fee_of(cents integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select round(cents * (s.value #>> '{}')::numeric / 100)::integer
  from private.settings s where s.key = 'platform_fee_percent'
$$;

-- Books a payment that the provider has confirmed, and opens what it was for, in one transaction. True when it is
-- open because of this payment; a repeated call changes nothing and answers the same.
create function private.settle_payment(payment uuid, reference text default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
  booked uuid;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_unlock(paid.payer_id, paid.post_id);
  select * into paid from public.payments p where p.id = payment for update;
  if paid.state <> 'pending' then return paid.state = 'paid'; end if;

  if not exists (select from public.posts p where p.id = paid.post_id for key share)
     or not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    update public.payments p set state = 'void', provider_reference = reference, settled_at = clock_timestamp()
    where p.id = payment;
    return false;
  end if;

  update public.payments p set state = 'paid', provider_reference = reference, settled_at = clock_timestamp()
  where p.id = payment;
  insert into public.ledger_transactions (kind, payment_id) values ('unlock', payment) returning id into booked;
  perform private.book_sale(booked, paid, 1);
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, payment);
  perform private.notify_person(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;
grant execute on function private.settle_payment(uuid, text) to service_role;

-- The entries of a sale (`direction` 1) or of taking it back (-1): the creator gets all and gives the fee, each an
-- entry of its own.
create function private.book_sale(booked uuid, sale public.payments, direction integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
  values (booked, 'processor', null, 'payment', -direction * sale.amount_cents),
         (booked, 'creator', sale.payee_id, 'sale', direction * sale.amount_cents);
  if sale.fee_cents > 0 then
    insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
    values (booked, 'creator', sale.payee_id, 'fee', -direction * sale.fee_cents),
           (booked, 'platform', null, 'fee', direction * sale.fee_cents);
  end if;
end
$$;

-- Gives a payment back: entries that reverse it, and what it opened is closed. True once, false ever after.
create function private.refund_payment(payment uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid public.payments;
  booked uuid;
begin
  select * into paid from public.payments p where p.id = payment;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_unlock(paid.payer_id, paid.post_id);
  update public.payments p set state = 'refunded' where p.id = payment and p.state = 'paid';
  if not found then return false; end if;
  insert into public.ledger_transactions (kind, payment_id) values ('refund', payment) returning id into booked;
  perform private.book_sale(booked, paid, -1);
  delete from public.unlocks u where u.payment_id = payment;
  return true;
end
$$;
grant execute on function private.refund_payment(uuid) to service_role;

revoke execute on all functions in schema private from public;
