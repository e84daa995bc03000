-- Payouts: how creators get their money. This file contains payout methods, the weekly schedule, payouts and their
-- settlement, and the goals that a creator sets.
--
-- - When a payout is requested, its amount is deducted from the creator's available balance. An admin transfers the
--   money manually, then settles the payout as paid or failed. A failed payout returns the money to the balance, or to
--   the platform if the account no longer exists. Admins cannot settle their own payouts.
-- - A payout consists of either real money or test money, never both. The API passes `test_money`, which is true only
--   while the payments provider is `test`. At any other time, a payout of test money can neither be requested nor
--   marked as paid. private.void_test_money removes test money.
-- - A payout method cannot be used until 5 days after it was added or its details were changed, so that the owner has
--   time to notice a change that they did not make. The API emails the owner about every change.
-- - The API encrypts the details of a method; the database never sees them in plain text. A payout keeps a copy of
--   the encrypted details until it is settled. Only admins can read that copy, and every read is audited.
-- - Functions that create payouts lock the row in payout_schedules (if they use it), then take the user's advisory
--   lock `payout-methods:`, then lock the row in creator_balances.

-- Payout methods --------------------------------------------------------------------------------------------------

create table public.payout_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('bank', 'paypal')),
  name text not null check (char_length(name) between 1 and 60),
  -- The part of the details that users see, such as '•••• 6789'.
  masked text not null check (char_length(masked) between 1 and 60),
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- When the details last changed. The waiting period starts at this time.
  changed_at timestamptz not null default clock_timestamp()
);

create index payout_methods_user_id_idx on public.payout_methods (user_id, created_at);

create unique index payout_methods_default_key on public.payout_methods (user_id) where is_default;

alter table public.payout_methods enable row level security;

-- Requires an active session that was opened by signing in.
create policy payout_methods_active_session on public.payout_methods as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Users read their own methods.
create policy payout_methods_select on public.payout_methods for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.payout_methods from anon, authenticated, service_role;
grant select on public.payout_methods to authenticated, service_role;

-- The encrypted details of payout methods, in a separate table so that no role of the Data API can read them.
create table private.payout_method_details (
  method_id uuid primary key references public.payout_methods (id) on delete cascade,
  secret text not null
);

create function private.payout_method_delay() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '5 days' $$;

-- Raises an error if the caller is not a creator and has never earned anything. Former creators can still withdraw
-- their earnings.
create function private.require_earner() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator)
     and not exists (select from public.creator_balances b where b.user_id = auth.uid()) then
    raise exception 'Earnings is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

grant execute on function private.require_earner() to authenticated;

-- Adds a payout method for the caller if `target_method_id` is null. Otherwise changes that method; fields that are
-- null stay unchanged, and new details restart the waiting period. The first method becomes the default. The client
-- generates `new_method_id`, so a repeated request does not add a second method. Returns whether a method was added.
create function private.save_payout_method(
  target_method_id uuid, method_type text, method_name text, masked_details text, encrypted_details text,
  make_default boolean, new_method_id uuid default gen_random_uuid()
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  saved_id uuid;
  existing public.payout_methods;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
  perform private.enforce_rate_limit('payout-methods', uid, 20, '1 hour');
  -- Serializes all changes to the methods of one user.
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  if target_method_id is null then
    select * into existing from public.payout_methods m where m.id = new_method_id;
    if found then
      if (existing.user_id, existing.type, existing.name, existing.masked)
         is distinct from (uid, method_type, method_name, masked_details) then
        raise exception 'This ID is already in use.' using errcode = 'PT409';
      end if;
      return false;
    end if;
    if (select count(*) from public.payout_methods m where m.user_id = uid) >= 5 then
      raise exception 'You can have at most 5 payout methods.' using errcode = 'PT409';
    end if;
    insert into public.payout_methods (id, user_id, type, name, masked)
    values (new_method_id, uid, method_type, method_name, masked_details) returning id into saved_id;
    insert into private.payout_method_details (method_id, secret) values (saved_id, encrypted_details);
    insert into public.payout_schedules (user_id) values (uid) on conflict do nothing;
  else
    update public.payout_methods m
    set name = coalesce(method_name, m.name), type = coalesce(method_type, m.type),
        masked = coalesce(masked_details, m.masked),
        changed_at = case when encrypted_details is null then m.changed_at else clock_timestamp() end
    where m.id = target_method_id and m.user_id = uid returning m.id into saved_id;
    if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
    update private.payout_method_details d set secret = encrypted_details
    where d.method_id = saved_id and encrypted_details is not null;
  end if;
  if make_default or not exists (select from public.payout_methods m where m.user_id = uid and m.is_default) then
    update public.payout_methods m set is_default = false where m.user_id = uid and m.is_default and m.id <> saved_id;
    update public.payout_methods m set is_default = true where m.id = saved_id and not m.is_default;
  end if;
  return target_method_id is null;
end
$$;

grant execute on function private.save_payout_method(uuid, text, text, text, text, boolean, uuid) to authenticated;

-- Deletes one of the caller's methods. If it was the default, the oldest remaining one becomes the default.
create function private.delete_payout_method(target_method_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  delete from public.payout_methods m where m.id = target_method_id and m.user_id = uid;
  if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
  update public.payout_methods m set is_default = true
  where m.id = (select o.id from public.payout_methods o where o.user_id = uid order by o.created_at limit 1)
    and not exists (select from public.payout_methods o where o.user_id = uid and o.is_default);
end
$$;

grant execute on function private.delete_payout_method(uuid) to authenticated;

-- Schedule --------------------------------------------------------------------------------------------------------

-- The weekly payout of a creator. The row is created with the first payout method, or by private.set_payout_schedule.
create table public.payout_schedules (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  weekly boolean not null default true,
  next_at timestamptz not null default now() + interval '7 days'
);

-- For the payout job.
create index payout_schedules_next_at_idx on public.payout_schedules (next_at) where weekly;

alter table public.payout_schedules enable row level security;

-- Requires an active session that was opened by signing in.
create policy payout_schedules_active_session on public.payout_schedules as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Users read their own schedule.
create policy payout_schedules_select on public.payout_schedules for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.payout_schedules from anon, authenticated, service_role;
grant select on public.payout_schedules to authenticated, service_role;

-- Turns the caller's weekly payouts on or off.
create function private.set_payout_schedule(is_weekly boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), is_weekly)
  -- Turning the payouts off and on again does not change a date in the future. A date that has passed is moved to a
  -- week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly and s.next_at <= clock_timestamp() then excluded.next_at
                   else s.next_at end;
end
$$;

grant execute on function private.set_payout_schedule(boolean) to authenticated;

-- Payouts ---------------------------------------------------------------------------------------------------------

-- Users are stored as ids without a foreign key, because payouts outlive accounts.
create table public.payouts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('instant', 'scheduled')),
  amount_cents bigint not null check (amount_cents > 0),
  -- The payout method as it was when the payout was requested.
  method_type text not null,
  method_name text not null,
  method_masked text not null,
  state text not null default 'requested' check (state in ('requested', 'paid', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  settled_by uuid,
  -- The bank's reference for the transfer. The creator sees it.
  reference text check (char_length(reference) <= 200),
  -- Why the payout failed. The creator sees it.
  failure text check (char_length(failure) <= 500),
  -- A payout of test money, for which no money is sent.
  is_test boolean not null default false,
  check ((state = 'requested') = (settled_at is null)),
  check ((state = 'failed') = (failure is not null))
);

create index payouts_user_id_idx on public.payouts (user_id, created_at desc, id desc);

-- For the list of payouts that an admin has to settle.
create index payouts_requested_idx on public.payouts (created_at desc, id desc) where state = 'requested';

create index payouts_created_at_idx on public.payouts (created_at desc, id desc);

alter table public.payouts enable row level security;

-- Requires an active session that was opened by signing in.
create policy payouts_active_session on public.payouts as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Users read their own payouts; admins read all.
create policy payouts_select on public.payouts for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on public.payouts from anon, authenticated, service_role;
grant select on public.payouts to service_role;
-- All columns except settled_by, because creators must not learn which admin settled a payout.
grant select (id, user_id, kind, amount_cents, method_type, method_name, method_masked, state, created_at,
  settled_at, reference, failure, is_test)
  on public.payouts to authenticated;

-- The encrypted details of the method as they were when the payout was requested. The row is deleted when the payout
-- is settled.
create table private.payout_destinations (
  payout_id uuid primary key references public.payouts (id) on delete cascade,
  secret text not null
);

create function private.minimum_payout_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 5000 $$;

-- Inserts a payout and deducts its amount from the balance. The calling function must have checked the amount and the
-- method, and must hold the lock on the user's row in creator_balances.
create function private.create_payout(
  new_payout_id uuid, target_user_id uuid, payout_kind text, cents bigint, method public.payout_methods,
  test_money boolean
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into public.payouts (id, user_id, kind, amount_cents, method_type, method_name, method_masked, is_test)
  values (new_payout_id, target_user_id, payout_kind, cents, method.type, method.name, method.masked, test_money);
  insert into private.payout_destinations (payout_id, secret)
  select new_payout_id, d.secret from private.payout_method_details d where d.method_id = method.id;
  perform private.book_transaction('payout', target_user_id, null, null, array[
    ('creator', target_user_id, 'payout', -cents)::private.ledger_line,
    ('payouts', null, 'payout', cents)::private.ledger_line], booked_payout_id => new_payout_id);
end
$$;

-- Requests an instant payout of `amount` US dollars (null: the whole available balance) to the given payout method
-- (null: the default method). The client generates `new_payout_id`. Returns false if that payout exists already.
create function private.request_payout(
  new_payout_id uuid, amount numeric default null, target_method_id uuid default null,
  test_money boolean default false
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  existing public.payouts;
  method public.payout_methods;
  available_cents bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
  perform private.enforce_rate_limit('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Blocks every other change to the balance until this transaction ends.
  perform from public.creator_balances b where b.user_id = uid for update;
  select * into existing from public.payouts p where p.id = new_payout_id;
  if found then
    if existing.user_id <> uid or (cents is not null and existing.amount_cents <> cents) then
      raise exception 'This ID is already in use.' using errcode = 'PT409';
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
$$;

grant execute on function private.request_payout(uuid, numeric, uuid, boolean) to authenticated;

-- Creates the scheduled payouts that are due, for at most `max_rows` users. Returns how many it created.
--
-- If several weekly payouts of a user were missed, only one is created. If the default method is still in its waiting
-- period, the payout moves to the end of that period, and the weekly schedule continues from there.
create function private.create_scheduled_payouts(max_rows integer, test_money boolean default false) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due_schedule record;
  default_method public.payout_methods;
  usable_from timestamptz;
  available_cents bigint;
  created_count integer := 0;
begin
  for due_schedule in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= (select clock_timestamp())
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
       or not exists (select from public.accounts a where a.user_id = due_schedule.user_id
                        and a.read_only_reason is null and a.email_confirmed_at is not null)
    then continue; end if;
    perform private.create_payout(gen_random_uuid(), due_schedule.user_id, 'scheduled', available_cents,
                                  default_method, test_money);
    created_count := created_count + 1;
  end loop;
  return created_count;
end
$$;

grant execute on function private.create_scheduled_payouts(integer, boolean) to service_role;

-- Settlement ------------------------------------------------------------------------------------------------------

-- Settles a payout as 'paid' or 'failed' and notifies its user. Returns false if it already has this outcome.
create function private.close_payout(target_payout_id uuid, outcome text, note text, admin_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payout public.payouts;
  account_exists boolean;
begin
  select * into payout from public.payouts p where p.id = target_payout_id;
  -- Locks in the same order as account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return false; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  -- The profile is locked before anything refers to it. If a concurrent deletion commits first, the money of a failed
  -- payout goes to the platform.
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
      -- The name and the masked details are personal data, so they are not kept longer than the account.
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
$$;

-- Settles a payout as 'paid' or 'failed', for admins. `note` is the bank's reference for a paid payout, or the reason
-- why a payout failed, which is required. Repeating the same outcome has no effect; the opposite one raises an error.
create function private.settle_payout(
  target_payout_id uuid, outcome text, note text default null, test_money boolean default false
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
    raise exception 'This payout is test money. Don''t send it. Mark the payout as failed.'
      using errcode = 'PT409', detail = 'test_money';
  end if;
  if private.close_payout(target_payout_id, outcome, note, uid) then
    perform private.write_audit_entry(uid, 'payout.' || outcome, payout.user_id, target_payout_id::text,
      jsonb_build_object('amount', payout.amount_cents / 100.0, 'said', nullif(btrim(note), '')));
  end if;
end
$$;

grant execute on function private.settle_payout(uuid, text, text, boolean) to authenticated;

-- Returns the encrypted details of a payout that is not settled yet, for admins, and writes an audit entry.
create function private.reveal_payout_details(target_payout_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payout public.payouts;
  encrypted_details text;
begin
  perform private.require_admin();
  select * into payout from public.payouts p where p.id = target_payout_id;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  select t.secret into encrypted_details from private.payout_destinations t where t.payout_id = target_payout_id;
  if not found then
    raise exception 'This payout is settled. Its details were deleted.' using errcode = 'PT409';
  end if;
  perform private.write_audit_entry(auth.uid(), 'payout.reveal', payout.user_id, target_payout_id::text);
  return encrypted_details;
end
$$;

grant execute on function private.reveal_payout_details(uuid) to authenticated;

-- Test money ------------------------------------------------------------------------------------------------------

-- Returns what private.void_test_money would remove from creators: the number of creators who have test money, the
-- total amount in cents, and the number of unsettled payouts of test money. The amount includes these payouts.
create function private.test_money_status() returns table (creators integer, amount_cents bigint, payouts integer)
language sql stable security definer set search_path = ''
as $$
  select count(distinct m.user_id)::integer, coalesce(sum(m.cents), 0)::bigint, coalesce(sum(m.payouts), 0)::integer
  from (select b.user_id, b.test_cents as cents, 0 as payouts from public.creator_balances b where b.test_cents <> 0
        union all
        select o.user_id, o.amount_cents, 1 from public.payouts o where o.is_test and o.state = 'requested') m
$$;

grant execute on function private.test_money_status() to service_role;

-- Serializes void_test_money and refunds of test money. This lock must be taken before all others.
create function private.lock_test_money() returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('test-money', 0)) $$;

-- Removes all test money, for the operator: marks requested payouts of test money as failed, books every balance of
-- test money, including the platform's, back to the provider, and writes an audit entry that names no admin.
-- Afterwards, the test money in each ledger account adds up to 0. Returns the number of creators' balances that it
-- removed, their total in cents, and the number of payouts that it marked as failed. Repeating the call has no effect.
create function private.void_test_money() returns table (creators integer, amount_cents bigint, payouts integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payout record;
  balance record;
  platform_cents bigint;
begin
  creators := 0;
  amount_cents := 0;
  payouts := 0;
  -- Without this lock, two concurrent calls could both remove the platform's balance.
  perform private.lock_test_money();
  -- Locks everything in the same order as a settlement, so that the loops below lock nothing new.
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
$$;

-- Reverses the entries of a test payment's refund if void_test_money has already removed the money of that payment.
-- Without this reversal, the refund would remove it a second time.
create function private.void_test_refund(payment public.payments) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  platform_cents bigint := case when payment.kind = 'creator_pro' then payment.amount_cents else payment.fee_cents end;
begin
  if not exists (
    select from public.ledger_transactions v
    where v.is_test and v.kind = 'test_void' and v.payment_id is null and v.created_at > (
      select t.created_at from public.ledger_transactions t where t.payment_id = payment.id and t.kind = payment.kind)) then
    return;
  end if;
  perform private.book_transaction('test_void', payment.payee_id, null, null, array[
    ('creator', payment.payee_id, 'test_void', payment.amount_cents - platform_cents)::private.ledger_line,
    ('platform', null, 'test_void', platform_cents)::private.ledger_line,
    ('processor', null, 'test_void', -payment.amount_cents)::private.ledger_line], booked_payment_id => payment.id);
end
$$;

-- Account deletion ------------------------------------------------------------------------------------------------

-- Removes the name and the masked details of the method from settled payouts. A requested payout keeps them for the
-- admin who settles it; private.close_payout then removes them.
create function private.on_profile_deleted_payouts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.payouts p set method_name = p.method_type, method_masked = '••••'
  where p.user_id = old.id and p.state <> 'requested';
  return null;
end
$$;

create trigger on_profile_deleted_payouts after delete on public.profiles
  for each row execute function private.on_profile_deleted_payouts();

-- Goals -----------------------------------------------------------------------------------------------------------

create table public.creator_goals (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  monthly_cents bigint not null default 500000 check (monthly_cents between 100 and 100000000),
  yearly_cents bigint not null default 6000000 check (yearly_cents between 100 and 1200000000),
  subscribers integer not null default 1000 check (subscribers between 1 and 10000000)
);

comment on table public.creator_goals is
  'The revenue and subscriber goals that a creator set. Creators without a row have the defaults.';

alter table public.creator_goals enable row level security;

-- Requires an active session.
create policy creator_goals_active_session on public.creator_goals as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own goals.
create policy creator_goals_select on public.creator_goals for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.creator_goals from anon, authenticated, service_role;
grant select on public.creator_goals to authenticated, service_role;

-- Sets the caller's goals. Revenue is in US dollars; null leaves a goal unchanged.
create function private.set_creator_goals(
  monthly_dollars numeric, yearly_dollars numeric, subscriber_goal integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.creator_goals (user_id) values (auth.uid()) on conflict do nothing;
  update public.creator_goals g
  set monthly_cents = coalesce((monthly_dollars * 100)::bigint, g.monthly_cents),
      yearly_cents = coalesce((yearly_dollars * 100)::bigint, g.yearly_cents),
      subscribers = coalesce(subscriber_goal, g.subscribers)
  where g.user_id = auth.uid();
end
$$;

grant execute on function private.set_creator_goals(numeric, numeric, integer) to authenticated;
