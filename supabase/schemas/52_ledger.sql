-- The ledger: double-entry and append-only.
--
-- - A ledger transaction has at least two entries, and their amounts add up to 0. This is checked at commit.
-- - Triggers reject every update or deletion of the ledger's rows, even by the owner of the tables. A mistake is
--   corrected by another transaction.
-- - All bookings are made with private.book_transaction, which also updates the totals that the app reads:
--   creator_balances and earning_days. private.rebuild_balances recomputes them from the ledger.
-- - Test money, which was paid through the provider `test`, is marked with `is_test`. It never mixes with real money:
--   each payout takes either only real money or only test money.
-- - Money from a sale is pending for private.clearing_period(), then available for payout.
-- - User ids are not foreign keys, because the ledger outlives accounts.
-- - Lock order: a booking locks the creator's balance after all other rows; only the audit log is locked later.

-- One booking: a sale, a refund, a step of a payout, a balance that was forfeited when its account was deleted, or the
-- removal of test money.
create table public.ledger_transactions (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in
    ('unlock', 'subscription', 'tip', 'creator_pro', 'refund', 'given_up', 'payout', 'payout_paid', 'payout_failed',
     'test_void')),
  payment_id uuid references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  -- The database transaction that wrote the row. Entries can be inserted only in that transaction.
  written_by xid8 not null default pg_current_xact_id(),
  -- The creator whose balance changes; null when no creator's balance changes.
  user_id uuid,
  payout_id uuid,
  -- For a creator's sale or its refund, the kind of the sale; null for all other transactions.
  source text check (source in ('unlock', 'subscription', 'tip')),
  -- `gross_cents` is the amount paid for a creator's sale, and `fee_cents` is the platform's share of it; both are 0
  -- for all other transactions. `net_cents` is the change in the creator's balance. The amounts are computed from the
  -- entries, and are negative for a refund.
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  -- When the amount stops being pending and becomes available.
  clears_at timestamptz not null default now(),
  -- True for test money. The payment or payout, if there is one, has the same value.
  is_test boolean not null default false,
  check (source is null or (user_id is not null and net_cents = gross_cents - fee_cents)),
  check (user_id is not null or net_cents = 0),
  foreign key (payout_id) references public.payouts (id),
  check ((kind in ('payout', 'payout_paid', 'payout_failed')) = (payout_id is not null))
);

create index ledger_transactions_payment_id_idx on public.ledger_transactions (payment_id);

-- A payment is booked at most once and refunded at most once.
create unique index ledger_transactions_once_key on public.ledger_transactions (payment_id, kind);

-- Each step of a payout is booked once.
create unique index ledger_transactions_payout_key on public.ledger_transactions (payout_id, kind);

create index ledger_transactions_user_id_idx on public.ledger_transactions (user_id, created_at desc, id desc)
  where user_id is not null;

create index ledger_transactions_kind_idx on public.ledger_transactions (user_id, kind, created_at desc, id desc)
  where user_id is not null;

-- For private.pending_balance_cents.
create index ledger_transactions_clears_at_idx on public.ledger_transactions (user_id, clears_at)
  include (net_cents, is_test) where user_id is not null;

-- For private.void_test_money.
create index ledger_transactions_is_test_idx on public.ledger_transactions (id) where is_test;

alter table public.ledger_transactions enable row level security;

-- Requires an active session.
create policy ledger_transactions_active_session on public.ledger_transactions as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see the transactions that change their own balance.
create policy ledger_transactions_select on public.ledger_transactions for select to authenticated
  using (user_id = (select auth.uid()));

-- No API role can write directly, not even service_role: all rows are written by private.book_transaction.
revoke all on public.ledger_transactions from anon, authenticated, service_role;
grant select on public.ledger_transactions to authenticated, service_role;

-- The entries of a transaction.
create table public.ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references public.ledger_transactions (id),
  -- 'processor': money held by the payment provider. 'creator': what the platform owes a creator. 'platform': what
  -- the platform keeps. 'payouts': payouts that were requested and not yet settled.
  account text not null check (account in ('processor', 'creator', 'platform', 'payouts')),
  -- The creator of a 'creator' account.
  user_id uuid,
  label text not null check (label in ('payment', 'sale', 'fee', 'creator_pro', 'given_up', 'payout', 'test_void')),
  amount_cents bigint not null check (amount_cents <> 0),
  check ((account = 'creator') = (user_id is not null))
);

comment on table public.ledger_entries is
  'amount_cents is what an account receives (positive) or gives (negative). A transaction''s entries add up to 0.';

create index ledger_entries_transaction_id_idx on public.ledger_entries (transaction_id);

create index ledger_entries_user_id_idx on public.ledger_entries (user_id, id desc) where user_id is not null;

alter table public.ledger_entries enable row level security;

-- Requires an active session.
create policy ledger_entries_active_session on public.ledger_entries as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see the entries of their own account.
create policy ledger_entries_select on public.ledger_entries for select to authenticated
  using (user_id = (select auth.uid()));

-- Written by private.book_transaction.
revoke all on public.ledger_entries from anon, authenticated, service_role;
grant select on public.ledger_entries to authenticated, service_role;

-- Updated by private.book_transaction. As in the ledger, `user_id` is not a foreign key.
create table public.creator_balances (
  user_id uuid primary key,
  -- Pending and available together.
  total_cents bigint not null default 0,
  -- The part of the total that is test money.
  test_cents bigint not null default 0
);

comment on table public.creator_balances is
  'What the platform owes a creator: the sum of net_cents of their ledger transactions. Real money is total_cents less test_cents.';

alter table public.creator_balances enable row level security;

-- Requires an active session.
create policy creator_balances_active_session on public.creator_balances as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own balance.
create policy creator_balances_select on public.creator_balances for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.creator_balances from anon, authenticated, service_role;
grant select on public.creator_balances to authenticated, service_role;

-- A creator's sales less refunds, by day and source, so that a year of earnings can be read without adding up the
-- ledger. Also updated by private.book_transaction. As in the ledger, `user_id` is not a foreign key.
create table public.earning_days (
  user_id uuid not null,
  -- In UTC.
  day date not null,
  source text not null check (source in ('unlock', 'subscription', 'tip')),
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  -- The number of sales less the number of refunds.
  sales integer not null default 0,
  primary key (user_id, day, source)
);

comment on table public.earning_days is 'What a creator sold on a day, less what was refunded on that day.';

alter table public.earning_days enable row level security;

-- Requires an active session.
create policy earning_days_active_session on public.earning_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own earnings.
create policy earning_days_select on public.earning_days for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.earning_days from anon, authenticated, service_role;
grant select on public.earning_days to authenticated, service_role;

-- Rules of the ledger -----------------------------------------------------------------------------------------

-- Trigger function for append-only tables: rejects every update, delete and truncate. The audit log uses it too.
create function private.reject_append_only_change() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin raise exception 'The table % is append-only.', tg_table_name using errcode = '42501'; end $$;

create trigger ledger_is_append_only before update or delete on public.ledger_entries
  for each row execute function private.reject_append_only_change();

create trigger ledger_is_not_truncated before truncate on public.ledger_entries
  for each statement execute function private.reject_append_only_change();

create trigger ledger_is_append_only before update or delete on public.ledger_transactions
  for each row execute function private.reject_append_only_change();

create trigger ledger_is_not_truncated before truncate on public.ledger_transactions
  for each statement execute function private.reject_append_only_change();

-- Rejects entries for a ledger transaction that was written by an earlier database transaction.
create function private.require_open_ledger_transaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.ledger_transactions t
                 where t.id = new.transaction_id and t.written_by = pg_current_xact_id()) then
    raise exception 'Ledger entries can only be added while their ledger transaction is being written.'
      using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger require_open_ledger_transaction before insert on public.ledger_entries
  for each row execute function private.require_open_ledger_transaction();

-- Trigger function: rejects a ledger transaction that does not balance, whose amounts or user do not match its entries,
-- or that marks test money wrongly. Argument: the column that holds the transaction's id.
create function private.check_ledger_balance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  checked_id uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select coalesce(sum(e.amount_cents), 0) <> 0 or count(*) < 2
      from public.ledger_entries e where e.transaction_id = checked_id) then
    raise exception 'Ledger transaction % does not balance.', checked_id using errcode = '23514';
  end if;
  if exists (
    select from public.ledger_transactions t,
    lateral (select coalesce(sum(e.amount_cents), 0) as net,
                    coalesce(sum(e.amount_cents) filter (where e.label = 'sale'), 0) as gross,
                    bool_and(e.user_id is not distinct from t.user_id) as is_same_user
             from public.ledger_entries e where e.transaction_id = t.id and e.account = 'creator') e
    where t.id = checked_id
      and (e.net <> t.net_cents or e.gross <> t.gross_cents or not coalesce(e.is_same_user, true))) then
    raise exception 'Ledger transaction % does not match its entries.', checked_id using errcode = '23514';
  end if;
  if exists (
    select from public.ledger_transactions t
    left join public.payments p on p.id = t.payment_id
    left join public.payouts o on o.id = t.payout_id
    where t.id = checked_id
      and (t.is_test <> (p.provider = 'test') or t.is_test <> o.is_test or (t.kind = 'test_void' and not t.is_test))) then
    raise exception 'Ledger transaction % mixes test money with real money.', checked_id using errcode = '23514';
  end if;
  return null;
end
$$;

-- Both triggers are deferred to commit, when all entries exist. The transaction is checked because it may have no
-- entries at all; each entry is checked because it may be inserted after `set constraints immediate` ran the check
-- early.
create constraint trigger check_ledger_balance after insert on public.ledger_transactions
  deferrable initially deferred for each row execute function private.check_ledger_balance('id');

create constraint trigger check_ledger_balance after insert on public.ledger_entries
  deferrable initially deferred for each row execute function private.check_ledger_balance('transaction_id');

-- Platform fee ------------------------------------------------------------------------------------------------

-- Returns the platform's current share of a sale, in percent; 10 if the setting is missing.
create function private.platform_fee_percent() returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce((select (s.value #>> '{}')::numeric from private.settings s where s.key = 'platform_fee_percent'), 10)
$$;

grant execute on function private.platform_fee_percent() to anon, authenticated;

-- Returns the platform's share of an amount, in cents.
create function private.platform_fee_cents(cents integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select round(cents * private.platform_fee_percent() / 100)::integer
$$;

-- Booking -----------------------------------------------------------------------------------------------------

-- Returns how long money from a sale is pending before it can be paid out.
create function private.clearing_period() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '7 days' $$;

-- An entry to be booked; the columns are those of public.ledger_entries.
create type private.ledger_line as (account text, user_id uuid, label text, amount_cents bigint);

-- Writes a ledger transaction with its entries and updates the totals. `creator_id` is the creator whose balance
-- changes, if any; `sale_source` is the kind of the sale, or of the sale that is refunded, if any; `available_at` is
-- when the amount becomes available (null: immediately). If there is a payment or payout, it determines whether the
-- money is test money, and `test_money` is ignored. The creator's balance stays locked until the end of the database
-- transaction, so take all other locks first, except that on the audit log.
create function private.book_transaction(
  transaction_kind text, creator_id uuid, sale_source text, available_at timestamptz, lines private.ledger_line[],
  booked_payment_id uuid default null, booked_payout_id uuid default null, test_money boolean default false
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  booked_at timestamptz := clock_timestamp();
  booked_id uuid;
  net bigint;
  gross bigint;
  is_test_money boolean := coalesce(
    (select p.provider = 'test' from public.payments p where p.id = booked_payment_id),
    (select o.is_test from public.payouts o where o.id = booked_payout_id), test_money);
begin
  select coalesce(sum(l.amount_cents), 0), coalesce(sum(l.amount_cents) filter (where l.label = 'sale'), 0)
  into net, gross from unnest(lines) l where l.account = 'creator';
  insert into public.ledger_transactions
    (kind, payment_id, payout_id, created_at, user_id, source, gross_cents, fee_cents, net_cents, clears_at, is_test)
  values (transaction_kind, booked_payment_id, booked_payout_id, booked_at, creator_id, sale_source, gross,
          case when sale_source is null then 0 else gross - net end, net, coalesce(available_at, now()), is_test_money)
  returning id into booked_id;
  insert into public.ledger_entries (transaction_id, account, user_id, label, amount_cents)
  select booked_id, l.account, l.user_id, l.label, l.amount_cents from unnest(lines) l where l.amount_cents <> 0;
  if creator_id is null then return; end if;
  insert into public.creator_balances as b (user_id, total_cents, test_cents)
  values (creator_id, net, case when is_test_money then net else 0 end)
  on conflict (user_id) do update set total_cents = b.total_cents + excluded.total_cents,
                                      test_cents = b.test_cents + excluded.test_cents;
  if sale_source is null then return; end if;
  insert into public.earning_days as d (user_id, day, source, gross_cents, fee_cents, sales)
  values (creator_id, (booked_at at time zone 'UTC')::date, sale_source, gross, gross - net, sign(gross))
  on conflict (user_id, day, source) do update
    set gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
        sales = d.sales + excluded.sales;
end
$$;

-- Books a payment (`direction` 1) or its refund (-1). The creator receives the full amount and pays the fee, each as a
-- separate entry; a payment for Creator Pro goes to the platform alone. The refund of a sale that has not cleared is
-- pending until the sale clears, so the two cancel out.
create function private.book_payment(payment public.payments, direction integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  transaction_kind text := case when direction = 1 then payment.kind else 'refund' end;
  cents bigint := direction * payment.amount_cents;
  fee bigint := direction * payment.fee_cents;
begin
  if payment.kind = 'creator_pro' then
    perform private.book_transaction(transaction_kind, null, null, null, array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('platform', null, 'creator_pro', cents)::private.ledger_line], booked_payment_id => payment.id);
    return;
  end if;
  perform private.book_transaction(transaction_kind, payment.payee_id, payment.kind,
    case when direction = 1 then now() + private.clearing_period() else greatest(now(), (
      select t.clears_at from public.ledger_transactions t where t.payment_id = payment.id and t.kind = payment.kind)) end,
    array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('creator', payment.payee_id, 'sale', cents)::private.ledger_line,
      ('creator', payment.payee_id, 'fee', -fee)::private.ledger_line,
      ('platform', null, 'fee', fee)::private.ledger_line], booked_payment_id => payment.id);
end
$$;

-- Recomputes the totals from the ledger, which is locked against concurrent writes. Because it takes this lock before
-- it locks the balances, a rebuild can deadlock with a payment; PostgreSQL then rolls back one of the two.
create function private.rebuild_balances() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  lock table public.ledger_transactions in share row exclusive mode;
  delete from public.creator_balances;
  insert into public.creator_balances (user_id, total_cents, test_cents)
  select t.user_id, sum(t.net_cents), coalesce(sum(t.net_cents) filter (where t.is_test), 0)
  from public.ledger_transactions t where t.user_id is not null group by 1;
  delete from public.earning_days;
  insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
  select t.user_id, (t.created_at at time zone 'UTC')::date, t.source, sum(t.gross_cents), sum(t.fee_cents),
         sum(sign(t.gross_cents))
  from public.ledger_transactions t where t.source is not null group by 1, 2, 3;
end
$$;

grant execute on function private.rebuild_balances() to service_role;

-- Reading -----------------------------------------------------------------------------------------------------

-- Returns a creator's balance of real or test money, in cents, pending and available together.
create function private.balance_cents(target_user_id uuid, test_money boolean) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((select case when test_money then b.test_cents else b.total_cents - b.test_cents end
                   from public.creator_balances b where b.user_id = target_user_id), 0)
$$;

-- Returns the part of a creator's balance of real or test money that has not cleared, in cents. Compares `clears_at`
-- with clock_timestamp() rather than now(), which is the start of the transaction. With now(), a transaction that had
-- waited for a lock would still treat a payout that was booked in the meantime as pending, and would pay out the same
-- money again.
create function private.pending_balance_cents(target_user_id uuid, test_money boolean) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(t.net_cents), 0)::bigint from public.ledger_transactions t
  where t.user_id = target_user_id and t.is_test = test_money and t.clears_at > (select clock_timestamp())
$$;

-- Returns details of one of the caller's sales: the payer (null when either user has blocked the other or the payer's
-- account is deleted), whether the payer's account is deleted, the note of a tip, the post or message, and the months
-- of a subscription.
create function private.own_sale(payment_id uuid)
returns table (payer_id uuid, payer_gone boolean, note text, post_id uuid, message_id uuid, months smallint)
language sql stable rows 1 security definer set search_path = ''
as $$
  select case when not private.are_blocked(p.payer_id, p.payee_id) then u.id end, u.id is null, p.note,
         coalesce(p.post_id, p.about_post_id), p.message_id, p.months
  from public.payments p left join public.profiles u on u.id = p.payer_id
  where p.id = payment_id and p.payee_id = auth.uid() and p.state in ('paid', 'refunded')
$$;

grant execute on function private.own_sale(uuid) to authenticated;

-- Returns what buyers paid for the unlocks and subscriptions that some of the caller's notifications are about, before
-- fees and without refunded payments. Notifications whose payments were all refunded have no row. With `are_grouped`,
-- the amount of a group's head (42_notifications) is that of the whole group; the result has no row for groups of
-- more than 500 notifications, so that a page of the notification list loads fast. A subscription's first payment is
-- recognized by its period, which starts at most a minute before the notification is created.
create function private.own_sale_amounts(notification_ids uuid[], are_grouped boolean)
returns table (notification_id uuid, amount_cents bigint)
language sql stable rows 20 security definer set search_path = ''
as $$
  select head.id, sum(paid.amount_cents)
  from unnest(notification_ids) listed (id)
  join public.notifications head on head.id = listed.id and head.user_id = auth.uid()
    and (select private.is_session_active())
  cross join lateral (
    select head.actor_id, head.created_at, head.message_id, 1 as group_size where not are_grouped
    union all
    select n.actor_id, n.created_at, n.message_id, count(*) over () from (
      select g.actor_id, g.created_at, g.message_id from public.notifications g
      where are_grouped and g.group_id = head.group_id limit 501) n
  ) member
  cross join lateral (
    select p.amount_cents from public.payments p
    where head.kind = 'unlock' and p.payer_id = member.actor_id and p.post_id = head.post_id
      and p.payee_id = head.user_id and p.state = 'paid'
    union all
    select p.amount_cents from public.payments p
    where head.kind = 'unlock' and p.message_id = member.message_id and p.payee_id = head.user_id and p.state = 'paid'
    union all
    select p.amount_cents from public.subscriptions s join public.payments p on p.subscription_id = s.id
    where head.kind = 'subscription' and s.subscriber_id = member.actor_id and s.creator_id = head.user_id
      and p.period_start between member.created_at - interval '1 minute' and member.created_at and p.state = 'paid'
  ) paid
  where member.group_size <= 500
  group by head.id
$$;

grant execute on function private.own_sale_amounts(uuid[], boolean) to authenticated;

-- Returns what a user has paid the caller for posts, photos, subscriptions and tips, in cents of real or test money:
-- before fees and without refunded payments. As in private.own_sale, a payer is hidden after a block and after they
-- delete their account, so the result is then null.
create function private.own_sales_to(user_id uuid, test_money boolean) returns bigint
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(sum(p.amount_cents), 0)::bigint from public.payments p
    where p.payer_id = u.id and p.payee_id = auth.uid() and p.state = 'paid' and (p.provider = 'test') = test_money)
  from public.profiles u
  where u.id = own_sales_to.user_id
    and (select private.is_session_active()) and not (select private.are_blocked(own_sales_to.user_id, auth.uid()))
$$;

grant execute on function private.own_sales_to(uuid, boolean) to authenticated;
