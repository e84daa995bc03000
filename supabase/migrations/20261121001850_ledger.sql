-- The ledger, grown: every transaction says whose money it is about, when that money is cleared and what it came of;
-- and totals beside it, so that no screen has to add up a year.

-- How long money from a sale is pending before it can be paid out.
create function private.clearing_time() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '7 days' $$;

alter table public.payments drop constraint payments_kind_check;
alter table public.payments
  add constraint payments_kind_check check (kind in ('unlock', 'subscription', 'tip', 'creator_pro'));

alter table public.ledger_transactions drop constraint ledger_transactions_kind_check;
alter table public.ledger_transactions
  add constraint ledger_transactions_kind_check check (kind in
    ('unlock', 'subscription', 'tip', 'creator_pro', 'refund', 'given_up', 'payout', 'payout_paid', 'payout_failed')),
  -- The creator whose money it changes; null where it changes no creator's.
  add column person_id uuid,
  add column payout_id uuid,
  -- What the money came of, also where it is given back.
  add column source text check (source in ('unlock', 'subscription', 'tip')),
  -- What was paid, the platform's share of it, and what it makes of the creator's balance: as its entries say.
  add column gross_cents bigint not null default 0,
  add column fee_cents bigint not null default 0,
  add column net_cents bigint not null default 0,
  -- From when it counts as available rather than pending.
  add column clears_at timestamptz not null default now(),
  add check (source is null or (person_id is not null and net_cents = gross_cents - fee_cents)),
  add check (person_id is not null or net_cents = 0);

alter table public.ledger_entries drop constraint ledger_entries_label_check;
alter table public.ledger_entries drop constraint ledger_entries_account_check;
alter table public.ledger_entries
  add constraint ledger_entries_label_check
    check (label in ('payment', 'sale', 'fee', 'creator_pro', 'given_up', 'payout')),
  -- 'payouts': what was asked to be paid out and has not left yet.
  add constraint ledger_entries_account_check check (account in ('processor', 'creator', 'platform', 'payouts'));

-- What was booked before says it of itself, once.
alter table public.ledger_transactions disable trigger ledger_is_append_only;
update public.ledger_transactions t
set person_id = e.person_id, net_cents = e.net,
    gross_cents = case when t.kind <> 'given_up' then e.gross else 0 end,
    fee_cents = case when t.kind <> 'given_up' then e.gross - e.net else 0 end,
    source = (select p.kind from public.payments p where p.id = t.payment_id),
    clears_at = case when t.kind = 'given_up' then t.created_at else (
      select min(s.created_at) + private.clearing_time() from public.ledger_transactions s
      where s.payment_id = t.payment_id) end
from (select l.transaction_id, l.person_id, sum(l.amount_cents) as net,
             sum(l.amount_cents) filter (where l.label = 'sale') as gross
      from public.ledger_entries l where l.account = 'creator' group by 1, 2) e
where e.transaction_id = t.id;
alter table public.ledger_transactions enable trigger ledger_is_append_only;

create index ledger_transactions_person_id_idx on public.ledger_transactions (person_id, created_at desc, id desc)
  where person_id is not null;
create index ledger_transactions_kind_idx on public.ledger_transactions (person_id, kind, created_at desc, id desc)
  where person_id is not null;
create index ledger_transactions_clears_at_idx on public.ledger_transactions (person_id, clears_at)
  include (net_cents) where person_id is not null;

drop policy ledger_transactions_select on public.ledger_transactions;
create policy ledger_transactions_select on public.ledger_transactions for select to authenticated
  using (person_id = (select auth.uid()));

-- What a transaction says of itself has to be what its entries say.
create or replace function private.check_ledger_balance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  booked uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select coalesce(sum(e.amount_cents), 0) <> 0 or count(*) < 2
      from public.ledger_entries e where e.transaction_id = booked) then
    raise exception 'Ledger transaction % does not balance.', booked using errcode = '23514';
  end if;
  if exists (
    select from public.ledger_transactions t,
    lateral (select coalesce(sum(e.amount_cents), 0) as net,
                    coalesce(sum(e.amount_cents) filter (where e.label = 'sale'), 0) as gross,
                    bool_and(e.person_id is not distinct from t.person_id) as theirs
             from public.ledger_entries e where e.transaction_id = t.id and e.account = 'creator') e
    where t.id = booked and (e.net <> t.net_cents or e.gross <> t.gross_cents or not coalesce(e.theirs, true))) then
    raise exception 'Ledger transaction % does not say what its entries say.', booked using errcode = '23514';
  end if;
  return null;
end
$$;

-- Totals ------------------------------------------------------------------------------------------------------

-- Derived from the ledger and kept by private.book alone; private.recount_money makes them anew. No foreign keys, as in
-- the ledger.
create table public.creator_balances (
  person_id uuid primary key,
  -- All of it, pending and available.
  total_cents bigint not null default 0
);
comment on table public.creator_balances is 'What the platform owes somebody: the sum of their ledger transactions.';

create table public.earning_days (
  person_id uuid not null,
  -- In UTC.
  day date not null,
  source text not null check (source in ('unlock', 'subscription', 'tip')),
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  -- How many were sold less how many were given back.
  sales integer not null default 0,
  primary key (person_id, day, source)
);
comment on table public.earning_days is 'What a creator sold on a day, less what was given back on it.';

alter table public.creator_balances enable row level security;
alter table public.earning_days enable row level security;
revoke all on public.creator_balances, public.earning_days from anon, authenticated, service_role;
grant select on public.creator_balances, public.earning_days to authenticated, service_role;
create policy creator_balances_alive on public.creator_balances as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy creator_balances_select on public.creator_balances for select to authenticated
  using (person_id = (select auth.uid()));
create policy earning_days_alive on public.earning_days as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy earning_days_select on public.earning_days for select to authenticated
  using (person_id = (select auth.uid()));

-- Makes the totals from the ledger. Nothing may be booked meanwhile.
create function private.recount_money() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  lock table public.ledger_transactions in share row exclusive mode;
  delete from public.creator_balances;
  insert into public.creator_balances (person_id, total_cents)
  select t.person_id, sum(t.net_cents) from public.ledger_transactions t where t.person_id is not null group by 1;
  delete from public.earning_days;
  insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
  select t.person_id, (t.created_at at time zone 'UTC')::date, t.source, sum(t.gross_cents), sum(t.fee_cents),
         sum(sign(t.gross_cents))
  from public.ledger_transactions t where t.source is not null group by 1, 2, 3;
end
$$;
grant execute on function private.recount_money() to service_role;
select private.recount_money();

create or replace function private.balance_of(person uuid) returns bigint
language sql stable security definer set search_path = ''
as $$ select coalesce((select b.total_cents from public.creator_balances b where b.person_id = person), 0) $$;

-- What of it is not cleared yet, in cents: by the clock, not by when the transaction began. One that had to wait would
-- take for pending what was booked meanwhile, and a payout that took money out for money that is still there.
create function private.pending_of(person uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(t.net_cents), 0)::bigint from public.ledger_transactions t
  where t.person_id = person and t.clears_at > (select clock_timestamp())
$$;

-- Booking -----------------------------------------------------------------------------------------------------

create type private.ledger_line as (account text, person_id uuid, label text, amount_cents bigint);

-- Writes a transaction with its entries, and the totals beside it: the only way into the ledger. `concerns` is the
-- creator whose money it changes. A creator's balance is held from here to the end, after everything else.
create function private.book(
  booked_kind text, concerns uuid, came_of text, clears timestamptz, lines private.ledger_line[],
  paid_by uuid default null, paid_out_by uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  written timestamptz := clock_timestamp();
  booked uuid;
  net bigint;
  gross bigint;
begin
  select coalesce(sum(l.amount_cents), 0), coalesce(sum(l.amount_cents) filter (where l.label = 'sale'), 0)
  into net, gross from unnest(lines) l where l.account = 'creator';
  insert into public.ledger_transactions
    (kind, payment_id, payout_id, created_at, person_id, source, gross_cents, fee_cents, net_cents, clears_at)
  values (booked_kind, paid_by, paid_out_by, written, concerns, came_of, gross,
          case when came_of is null then 0 else gross - net end, net, coalesce(clears, now()))
  returning id into booked;
  insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
  select booked, l.account, l.person_id, l.label, l.amount_cents from unnest(lines) l where l.amount_cents <> 0;
  if concerns is null then return; end if;
  insert into public.creator_balances as b (person_id, total_cents) values (concerns, net)
  on conflict (person_id) do update set total_cents = b.total_cents + excluded.total_cents;
  if came_of is null then return; end if;
  insert into public.earning_days as d (person_id, day, source, gross_cents, fee_cents, sales)
  values (concerns, (written at time zone 'UTC')::date, came_of, gross, gross - net, sign(gross))
  on conflict (person_id, day, source) do update
    set gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
        sales = d.sales + excluded.sales;
end
$$;

-- A payment that came (`direction` 1) or is given back (-1). A creator gets all and gives the fee, each an entry of its
-- own; what is given back before it was cleared is pending as long as it was.
create function private.book_payment(paid public.payments, direction integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  booked_kind text := case when direction = 1 then paid.kind else 'refund' end;
  cents bigint := direction * paid.amount_cents;
  fee bigint := direction * paid.fee_cents;
begin
  if paid.kind = 'creator_pro' then
    perform private.book(booked_kind, null, null, null, array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('platform', null, 'creator_pro', cents)::private.ledger_line], paid_by => paid.id);
    return;
  end if;
  perform private.book(booked_kind, paid.payee_id, paid.kind,
    case when direction = 1 then now() + private.clearing_time() else greatest(now(), (
      select t.clears_at from public.ledger_transactions t where t.payment_id = paid.id and t.kind = paid.kind)) end,
    array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('creator', paid.payee_id, 'sale', cents)::private.ledger_line,
      ('creator', paid.payee_id, 'fee', -fee)::private.ledger_line,
      ('platform', null, 'fee', fee)::private.ledger_line], paid_by => paid.id);
end
$$;
drop function private.book_sale(uuid, public.payments, integer);

-- Deletes an account with everything that is only its own. What it wrote under others' posts and to other people stays
-- without a name, and so do the ledger and what refers to it. What is owed to it is given up; without `give_up` a balance
-- that could be paid out refuses instead.
create or replace function private.remove_account(person uuid, give_up boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owed bigint;
begin
  if not exists (select from public.profiles p where p.id = person) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.hold_what_goes(person);
  -- So that there is one to hold: what is being booked for somebody who never earned anything waits for this.
  insert into public.creator_balances (person_id) values (person) on conflict do nothing;
  -- As the schedule of payouts holds them, in its order.
  perform from public.payout_schedules s where s.user_id = person for update;
  -- Held and asked only now: a sale that was being booked has been waited for, and is part of it.
  perform from public.creator_balances b where b.person_id = person for update;
  owed := private.balance_of(person);
  if not give_up and owed >= private.minimum_payout() then
    raise exception 'You have $% left. Have it paid out first, or give it up.',
        to_char(owed / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  if owed > 0 then
    perform private.book('given_up', person, null, null, array[
      ('creator', person, 'given_up', -owed)::private.ledger_line,
      ('platform', null, 'given_up', owed)::private.ledger_line]);
  end if;
  delete from public.creator_balances b
  where b.person_id = person and not exists (
    select from public.ledger_transactions t where t.person_id = person);
  -- Everything else hangs on it: the profile, and by that what cascades from there.
  delete from auth.users u where u.id = person;
end
$$;

revoke execute on all functions in schema private from public;
