set local check_function_bodies = off;

DROP INDEX "public"."ledger_transactions_clears_at_idx";

ALTER TABLE "public"."ledger_entries" DROP CONSTRAINT "ledger_entries_label_check";

ALTER TABLE "public"."ledger_transactions" DROP CONSTRAINT "ledger_transactions_kind_check";

DROP FUNCTION "private"."balance_cents"(uuid);

DROP FUNCTION "private"."book_transaction"(text, uuid, text, timestamp with time zone, private.ledger_line[], uuid, uuid);

DROP FUNCTION "private"."create_payout"(uuid, uuid, text, bigint, public.payout_methods);

DROP FUNCTION "private"."create_scheduled_payouts"(integer);

DROP FUNCTION "private"."delete_account"(uuid, boolean);

DROP FUNCTION "private"."delete_own_account"(boolean);

DROP FUNCTION "private"."pending_balance_cents"(uuid);

DROP FUNCTION "private"."request_payout"(uuid, numeric, uuid);

DROP FUNCTION "private"."settle_payout"(uuid, text, text);

ALTER TABLE "public"."creator_balances" ADD COLUMN "test_cents" bigint NOT NULL DEFAULT 0;

ALTER TABLE "public"."ledger_transactions" ADD COLUMN "is_test" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."payouts" ADD COLUMN "is_test" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.balance_cents(target_user_id uuid, test_money boolean)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select case when test_money then b.test_cents else b.total_cents - b.test_cents end
                   from public.creator_balances b where b.user_id = target_user_id), 0)
$function$;

CREATE OR REPLACE FUNCTION private.begin_tip(tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text DEFAULT NULL::text, tipped_post_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    -- No provider has been asked for the money yet: start over with the current provider.
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
$function$;

CREATE OR REPLACE FUNCTION private.book_transaction(transaction_kind text, creator_id uuid, sale_source text, available_at timestamp with time zone, lines private.ledger_line[], booked_payment_id uuid DEFAULT NULL::uuid, booked_payout_id uuid DEFAULT NULL::uuid, test_money boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.check_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.close_payout(target_payout_id uuid, outcome text, note text, admin_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout public.payouts;
  account_exists boolean;
begin
  select * into payout from public.payouts p where p.id = target_payout_id;
  -- The lock order of an account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return false; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  -- Locked before anything references the profile. If a concurrent deletion commits first, the money goes to the
  -- platform.
  account_exists := exists (select from public.profiles p where p.id = payout.user_id for key share);
  perform private.create_notification(payout.user_id, null, 'payout',
    detail => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(payout.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(note) else '' end)
  where account_exists;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = admin_id,
      reference = case when outcome = 'paid' then nullif(btrim(note), '') end,
      failure = case when outcome = 'failed' then btrim(note) end,
      -- The name and the masked details are personal data, so they are not kept after the account.
      method_name = case when account_exists then p.method_name else p.method_type end,
      method_masked = case when account_exists then p.method_masked else '••••' end
  where p.id = target_payout_id;
  delete from private.payout_destinations t where t.payout_id = target_payout_id;
  if outcome = 'paid' then
    perform private.book_transaction('payout_paid', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('processor', null, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  elsif account_exists then
    perform private.book_transaction('payout_failed', payout.user_id, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('creator', payout.user_id, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  else
    perform private.book_transaction('payout_failed', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('platform', null, 'given_up', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_payout(new_payout_id uuid, target_user_id uuid, payout_kind text, cents bigint, method public.payout_methods, test_money boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.payouts (id, user_id, kind, amount_cents, method_type, method_name, method_masked, is_test)
  values (new_payout_id, target_user_id, payout_kind, cents, method.type, method.name, method.masked, test_money);
  insert into private.payout_destinations (payout_id, secret)
  select new_payout_id, d.secret from private.payout_method_details d where d.method_id = method.id;
  perform private.book_transaction('payout', target_user_id, null, null, array[
    ('creator', target_user_id, 'payout', -cents)::private.ledger_line,
    ('payouts', null, 'payout', cents)::private.ledger_line], booked_payout_id => new_payout_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.create_scheduled_payouts(max_rows integer, test_money boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_schedule record;
  default_method public.payout_methods;
  usable_from timestamptz;
  available_cents bigint;
  created_count integer := 0;
begin
  for due_schedule in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= clock_timestamp()
    order by s.next_at limit max_rows for update skip locked
  loop
    -- The default method cannot change while it is being used.
    perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || due_schedule.user_id::text, 0));
    select * into default_method from public.payout_methods m
    where m.user_id = due_schedule.user_id and m.is_default;
    usable_from := default_method.changed_at + private.payout_method_delay();
    if usable_from > clock_timestamp() then
      update public.payout_schedules s set next_at = usable_from where s.user_id = due_schedule.user_id;
      continue;
    end if;
    update public.payout_schedules s
    set next_at = s.next_at
      + interval '7 days' * (1 + floor(extract(epoch from clock_timestamp() - s.next_at) / 604800))
    where s.user_id = due_schedule.user_id;
    perform from public.creator_balances b where b.user_id = due_schedule.user_id for update;
    available_cents := private.balance_cents(due_schedule.user_id, test_money)
      - private.pending_balance_cents(due_schedule.user_id, test_money);
    if default_method.id is null or available_cents < private.minimum_payout_cents()
       or exists (select from public.accounts a
                  where a.user_id = due_schedule.user_id and a.read_only_reason is not null)
    then continue; end if;
    perform private.create_payout(gen_random_uuid(), due_schedule.user_id, 'scheduled', available_cents,
                                  default_method, test_money);
    created_count := created_count + 1;
  end loop;
  return created_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_account(target_user_id uuid, forfeit_balance boolean DEFAULT true, count_test_money boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owed_cents bigint;
  is_test_money boolean;
begin
  if not exists (select from public.profiles p where p.id = target_user_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.lock_account_dependents(target_user_id);
  -- Makes sure that there is a row to lock, so that a first sale that is being booked waits for the deletion.
  insert into public.creator_balances (user_id) values (target_user_id) on conflict do nothing;
  -- The payout schedule before the balance, in the order of the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  -- A debt in one kind of money does not reduce the other.
  owed_cents := greatest(0, private.balance_cents(target_user_id, false))
    + case when count_test_money then greatest(0, private.balance_cents(target_user_id, true)) else 0 end;
  if not forfeit_balance and owed_cents >= private.minimum_payout_cents() then
    raise exception 'You have $% left. Request a payout first, or forfeit it.',
        to_char(owed_cents / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  foreach is_test_money in array array[false, true] loop
    owed_cents := private.balance_cents(target_user_id, is_test_money);
    continue when owed_cents <= 0;
    perform private.book_transaction('given_up', target_user_id, null, null, array[
      ('creator', target_user_id, 'given_up', -owed_cents)::private.ledger_line,
      ('platform', null, 'given_up', owed_cents)::private.ledger_line], test_money => is_test_money);
  end loop;
  delete from public.creator_balances b
  where b.user_id = target_user_id and not exists (
    select from public.ledger_transactions t where t.user_id = target_user_id);
  -- Cascades to the profile, and from there to everything else.
  delete from auth.users u where u.id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(forfeit_balance boolean, count_test_money boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_session();
  perform private.delete_account(auth.uid(), forfeit_balance, count_test_money);
end
$function$;

CREATE OR REPLACE FUNCTION private.pending_balance_cents(target_user_id uuid, test_money boolean)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(t.net_cents), 0)::bigint from public.ledger_transactions t
  where t.user_id = target_user_id and t.is_test = test_money and t.clears_at > (select clock_timestamp())
$function$;

CREATE OR REPLACE FUNCTION private.rebuild_balances()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.request_payout(new_payout_id uuid, amount numeric DEFAULT NULL::numeric, target_method_id uuid DEFAULT NULL::uuid, test_money boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  existing public.payouts;
  method public.payout_methods;
  available_cents bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_write();
  perform private.require_earner();
  perform private.enforce_rate_limit('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Blocks every other change of the balance until this transaction ends.
  perform from public.creator_balances b where b.user_id = uid for update;
  select * into existing from public.payouts p where p.id = new_payout_id;
  if found then
    if existing.user_id <> uid or (cents is not null and existing.amount_cents <> cents) then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return false;
  end if;
  if amount <> round(amount, 2) then
    raise exception 'Please enter an amount in whole cents.' using errcode = 'PT400';
  end if;
  available_cents := private.balance_cents(uid, test_money) - private.pending_balance_cents(uid, test_money);
  cents := coalesce(cents, available_cents);
  if cents < private.minimum_payout_cents() then
    raise exception 'The minimum payout is $%.', to_char(private.minimum_payout_cents() / 100.0, 'FM999990.00')
      using errcode = 'PT400', detail = 'payout_minimum';
  end if;
  if cents > available_cents then
    raise exception 'You have $% available.', to_char(greatest(0, available_cents) / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_too_low';
  end if;
  select * into method from public.payout_methods m
  where m.user_id = uid and case when target_method_id is null then m.is_default else m.id = target_method_id end;
  if not found then
    raise exception 'Add a payout method first.' using errcode = 'PT409', detail = 'payout_method_missing';
  end if;
  if method.changed_at + private.payout_method_delay() > clock_timestamp() then
    raise exception 'This payout method was added or changed less than 5 days ago. It can be used from % UTC.',
        to_char((method.changed_at + private.payout_method_delay()) at time zone 'UTC', 'FMMonth FMDD, HH24:MI')
      using errcode = 'PT409', detail = 'payout_method_waiting';
  end if;
  perform private.create_payout(new_payout_id, uid, 'instant', cents, method, test_money);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_checkout(payment_id uuid, reference text, paid_cents integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.settle_payment(payment_id uuid, reference text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payment public.payments;
  delivered boolean;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  select * into payment from public.payments p where p.id = payment_id for update;
  if payment.state not in ('pending', 'expired') then
    -- Money for a void payment is recorded so that it is refunded. The payment may hold the reference of an earlier
    -- charge, or of a checkout page that brought no money. Test money must not replace a charge that is to be refunded.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), refunded_at = null
    where p.id = payment_id and p.state = 'void'
      and (p.provider_reference is null or reference not like 'test\_%')
      and reference is not null and p.provider_reference is distinct from reference;
    return payment.state = 'paid';
  end if;
  delivered := case when not private.ensure_period_sellable(payment) then false else case payment.kind
    when 'unlock' then private.settle_unlock(payment)
    when 'subscription' then private.settle_subscription(payment)
    when 'tip' then private.settle_tip(payment)
    else private.settle_creator_plan(payment) end end;
  -- The provider that took the money, which may differ from the one that the payment was begun with.
  update public.payments p
  set state = case when delivered then 'paid' else 'void' end, provider_reference = reference,
      provider = case when reference like 'test\_%' then 'test' else p.provider end, settled_at = clock_timestamp()
  where p.id = payment_id;
  if delivered then perform private.book_payment(payment, 1); end if;
  return delivered;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_payout(target_payout_id uuid, outcome text, note text DEFAULT NULL::text, test_money boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  payout public.payouts;
begin
  perform private.require_admin();
  select * into payout from public.payouts p where p.id = target_payout_id;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  if payout.user_id = uid then
    raise exception 'Another admin has to settle your own payout.' using errcode = 'PT403';
  end if;
  if outcome = 'failed' and coalesce(btrim(note), '') = '' then
    raise exception 'Please say why it failed.' using errcode = 'PT400';
  end if;
  if outcome = 'paid' and payout.state = 'requested' and payout.is_test and not test_money then
    raise exception 'This payout is test money. Don''t send any money, and mark it as failed.'
      using errcode = 'PT409', detail = 'test_money';
  end if;
  if private.close_payout(target_payout_id, outcome, note, uid) then
    perform private.write_audit_entry(uid, 'payout.' || outcome, payout.user_id, target_payout_id::text,
      jsonb_build_object('amount', payout.amount_cents / 100.0, 'said', nullif(btrim(note), '')));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.test_money_status()
 RETURNS TABLE(creators integer, amount_cents bigint, payouts integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(distinct m.user_id)::integer, coalesce(sum(m.cents), 0)::bigint, coalesce(sum(m.payouts), 0)::integer
  from (select b.user_id, b.test_cents as cents, 0 as payouts from public.creator_balances b where b.test_cents <> 0
        union all
        select o.user_id, o.amount_cents, 1 from public.payouts o where o.is_test and o.state = 'requested') m
$function$;

CREATE OR REPLACE FUNCTION private.void_test_money()
 RETURNS TABLE(creators integer, amount_cents bigint, payouts integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout record;
  balance record;
  platform_cents bigint;
begin
  creators := 0;
  amount_cents := 0;
  payouts := 0;
  -- Otherwise two calls at the same time could both book the platform's balance back.
  perform pg_advisory_xact_lock(hashtextextended('test-money', 0));
  -- Locks everything in the order of a settlement, so that the loops below lock nothing new.
  perform private.lock_user_counters(array(
    select p.user_id from public.payouts p where p.is_test and p.state = 'requested'));
  perform from public.payouts p where p.is_test and p.state = 'requested' order by p.id for update;
  perform from public.profiles u
  where u.id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by u.id for key share;
  perform from public.creator_balances b
  where b.test_cents <> 0
     or b.user_id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by b.user_id for update;
  for payout in select p.id from public.payouts p where p.is_test and p.state = 'requested' order by p.id loop
    perform private.close_payout(payout.id, 'failed', 'It was test money.', null);
    payouts := payouts + 1;
  end loop;
  for balance in
    select b.user_id, b.test_cents from public.creator_balances b where b.test_cents <> 0 order by b.user_id for update
  loop
    perform private.book_transaction('test_void', balance.user_id, null, null, array[
      ('creator', balance.user_id, 'test_void', -balance.test_cents)::private.ledger_line,
      ('processor', null, 'test_void', balance.test_cents)::private.ledger_line], test_money => true);
    creators := creators + 1;
    amount_cents := amount_cents + balance.test_cents;
  end loop;
  select coalesce(sum(e.amount_cents), 0) into platform_cents
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.is_test and e.account = 'platform';
  if platform_cents <> 0 then
    perform private.book_transaction('test_void', null, null, null, array[
      ('platform', null, 'test_void', -platform_cents)::private.ledger_line,
      ('processor', null, 'test_void', platform_cents)::private.ledger_line], test_money => true);
  end if;
  if creators > 0 or payouts > 0 or platform_cents <> 0 then
    perform private.write_audit_entry('00000000-0000-0000-0000-000000000000', 'test_money.void', details =>
      jsonb_build_object('creators', creators, 'amount', amount_cents / 100.0, 'payouts', payouts));
  end if;
  return next;
end
$function$;

ALTER TABLE "public"."ledger_entries" ADD CONSTRAINT "ledger_entries_label_check" CHECK ((label = ANY (ARRAY['payment'::text, 'sale'::text, 'fee'::text, 'creator_pro'::text, 'given_up'::text, 'payout'::text, 'test_void'::text])));

ALTER TABLE "public"."ledger_transactions" ADD CONSTRAINT "ledger_transactions_kind_check" CHECK ((kind = ANY (ARRAY['unlock'::text, 'subscription'::text, 'tip'::text, 'creator_pro'::text, 'refund'::text, 'given_up'::text, 'payout'::text, 'payout_paid'::text, 'payout_failed'::text, 'test_void'::text])));

CREATE INDEX ledger_transactions_clears_at_idx ON public.ledger_transactions USING btree (user_id, clears_at) INCLUDE (net_cents, is_test) WHERE (user_id IS NOT NULL);

CREATE INDEX ledger_transactions_is_test_idx ON public.ledger_transactions USING btree (id) WHERE is_test;

COMMENT ON TABLE "public"."creator_balances" IS 'What the platform owes a creator: the sum of net_cents of their ledger transactions. Real money is total_cents less test_cents.';

REVOKE ALL ON FUNCTION "private"."balance_cents"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."balance_cents"(uuid, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."book_transaction"(text, uuid, text, timestamp with time zone, private.ledger_line[], uuid, uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."book_transaction"(text, uuid, text, timestamp with time zone, private.ledger_line[], uuid, uuid, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."close_payout"(uuid, text, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."close_payout"(uuid, text, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_payout"(uuid, uuid, text, bigint, public.payout_methods, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_payout"(uuid, uuid, text, bigint, public.payout_methods, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_scheduled_payouts"(integer, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_scheduled_payouts"(integer, boolean) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."delete_account"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_account"(uuid, boolean, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_own_account"(boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_own_account"(boolean, boolean) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."pending_balance_cents"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."pending_balance_cents"(uuid, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_payout"(uuid, numeric, uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."request_payout"(uuid, numeric, uuid, boolean) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."settle_payout"(uuid, text, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_payout"(uuid, text, text, boolean) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."test_money_status"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."test_money_status"() TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."void_test_money"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."void_test_money"() TO "postgres";

REVOKE ALL ("is_test") ON TABLE "public"."payouts" FROM "authenticated";

GRANT SELECT ("is_test") ON TABLE "public"."payouts" TO "authenticated";

-- Marks the test money of existing payments, payouts and balances. An existing payout is test money if its creator had
-- not sold anything for real money before it. Otherwise it counts as real money, because an admin may have sent it. The
-- same applies to a forfeited balance.
update public.payments p set provider = 'test' where p.provider = 'stripe' and p.provider_reference like 'test\_%';

update public.payouts o set is_test = true
where not exists (
  select from public.ledger_transactions t join public.payments p on p.id = t.payment_id
  where t.user_id = o.user_id and p.provider <> 'test' and t.created_at < o.created_at);

alter table public.ledger_transactions disable trigger ledger_is_append_only;

update public.ledger_transactions t set is_test = true
where exists (select from public.payments p where p.id = t.payment_id and p.provider = 'test')
   or exists (select from public.payouts o where o.id = t.payout_id and o.is_test)
   or (t.kind = 'given_up' and not exists (
     select from public.ledger_transactions s join public.payments p on p.id = s.payment_id
     where s.user_id = t.user_id and p.provider <> 'test' and s.created_at < t.created_at));

-- An unsettled payout that the creator's real money does not cover is test money too: an admin can only mark it as
-- failed, and then the creator can request the real money again.
with uncovered as (
  update public.payouts o set is_test = true
  where o.state = 'requested' and not o.is_test
    and exists (select from public.ledger_transactions t where t.user_id = o.user_id and t.is_test)
    and (select sum(t.net_cents) from public.ledger_transactions t where t.user_id = o.user_id and not t.is_test) < 0
  returning o.id)
update public.ledger_transactions t set is_test = true from uncovered u where t.payout_id = u.id;

alter table public.ledger_transactions enable trigger ledger_is_append_only;

update public.creator_balances b set test_cents = t.cents
from (select t.user_id, sum(t.net_cents) as cents from public.ledger_transactions t where t.is_test group by 1) t
where t.user_id = b.user_id;
