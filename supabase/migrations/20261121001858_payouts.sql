-- How creators get their money: where it goes, when, what they asked for and what became of it; and what they aim at.

-- How long a method that was added or changed waits before money goes there: time to notice that somebody else did it.
create function private.payout_wait() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '5 days' $$;

create table public.payout_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('bank', 'paypal')),
  name text not null check (char_length(name) between 1 and 60),
  -- What is shown of the details, as '•••• 6789'.
  masked text not null check (char_length(masked) between 1 and 60),
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create index payout_methods_user_id_idx on public.payout_methods (user_id, created_at);
create unique index payout_methods_default_key on public.payout_methods (user_id) where is_default;

-- The details, encrypted by the API: no role of the Data API reads them.
create table private.payout_details (
  method_id uuid primary key references public.payout_methods (id) on delete cascade,
  secret text not null
);

create table public.payout_schedules (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  weekly boolean not null default true,
  next_at timestamptz not null default now() + interval '7 days'
);
create index payout_schedules_next_at_idx on public.payout_schedules (next_at) where weekly;

-- People are ids without a foreign key: what was paid out outlives the account.
create table public.payouts (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null,
  kind text not null check (kind in ('instant', 'scheduled')),
  amount_cents bigint not null check (amount_cents > 0),
  method_type text not null,
  method_name text not null,
  method_masked text not null,
  state text not null default 'requested' check (state in ('requested', 'paid', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  settled_by uuid,
  -- What the operator's bank calls it, and why it failed: told to its person.
  reference text check (char_length(reference) <= 200),
  failure text check (char_length(failure) <= 500),
  check ((state = 'requested') = (settled_at is null)),
  check ((state = 'failed') = (failure is not null))
);
create index payouts_person_id_idx on public.payouts (person_id, created_at desc, id desc);
create index payouts_requested_idx on public.payouts (created_at desc, id desc) where state = 'requested';
create index payouts_created_at_idx on public.payouts (created_at desc, id desc);

-- The details as they were when the payout was asked for, until it is settled.
create table private.payout_targets (
  payout_id uuid primary key references public.payouts (id) on delete cascade,
  secret text not null
);

alter table public.ledger_transactions
  add foreign key (payout_id) references public.payouts (id),
  add check ((kind in ('payout', 'payout_paid', 'payout_failed')) = (payout_id is not null));
-- Each step of a payout is booked once.
create unique index ledger_transactions_payout_key on public.ledger_transactions (payout_id, kind);

create table public.creator_goals (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  monthly_cents bigint not null default 500000 check (monthly_cents between 100 and 100000000),
  yearly_cents bigint not null default 6000000 check (yearly_cents between 100 and 1200000000),
  subscribers integer not null default 1000 check (subscribers between 1 and 10000000)
);
comment on table public.creator_goals is 'What a creator aims at. Without a row: the defaults.';

-- Rights ------------------------------------------------------------------------------------------------------

alter table public.payout_methods enable row level security;
alter table public.payout_schedules enable row level security;
alter table public.payouts enable row level security;
alter table public.creator_goals enable row level security;
revoke all on public.payout_methods, public.payout_schedules, public.payouts, public.creator_goals
  from anon, authenticated, service_role;
grant select on public.payout_methods, public.payout_schedules, public.payouts, public.creator_goals to service_role;
grant select on public.payout_methods, public.payout_schedules, public.creator_goals to authenticated;
-- Which admin settled it is not for who is paid.
grant select (id, person_id, kind, amount_cents, method_type, method_name, method_masked, state, created_at, settled_at,
  reference, failure) on public.payouts to authenticated;

create policy payout_methods_alive on public.payout_methods as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy payout_methods_select on public.payout_methods for select to authenticated
  using (user_id = (select auth.uid()));
create policy payout_schedules_alive on public.payout_schedules as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy payout_schedules_select on public.payout_schedules for select to authenticated
  using (user_id = (select auth.uid()));
create policy payouts_alive on public.payouts as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy payouts_select on public.payouts for select to authenticated
  using (person_id = (select auth.uid()) or (select private.is_admin()));
create policy creator_goals_alive on public.creator_goals as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy creator_goals_select on public.creator_goals for select to authenticated
  using (user_id = (select auth.uid()));

-- Refuses who has never earned anything and is no creator. Who was one still gets their money.
create function private.require_earner() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator)
     and not exists (select from public.creator_balances b where b.person_id = auth.uid()) then
    raise exception 'Earnings is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;
grant execute on function private.require_earner() to authenticated;

-- Methods -----------------------------------------------------------------------------------------------------

-- Adds one of the caller's payout methods (`method` null), or changes it: what is null stays. One whose details changed
-- waits. `made` is a new one's id, made by the client: sent again, it is the same method. Answers whether it is new.
create function private.save_payout_method(
  method uuid, method_type text, method_name text, shown text, encrypted text, as_default boolean,
  made uuid default gen_random_uuid()
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  saved uuid;
  known public.payout_methods;
begin
  perform private.require_write();
  perform private.require_earner();
  perform private.enforce_rate('payout-methods', uid, 20, '1 hour');
  -- All of one person's, one after the other.
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  if method is null then
    select * into known from public.payout_methods m where m.id = made;
    if found then
      if (known.user_id, known.type, known.name, known.masked) is distinct from (uid, method_type, method_name, shown) then
        raise exception 'This id is taken.' using errcode = 'PT409';
      end if;
      return false;
    end if;
    if (select count(*) from public.payout_methods m where m.user_id = uid) >= 5 then
      raise exception 'You can have at most 5 payout methods.' using errcode = 'PT409';
    end if;
    insert into public.payout_methods (id, user_id, type, name, masked)
    values (made, uid, method_type, method_name, shown) returning id into saved;
    insert into private.payout_details (method_id, secret) values (saved, encrypted);
    insert into public.payout_schedules (user_id) values (uid) on conflict do nothing;
  else
    update public.payout_methods m
    set name = coalesce(method_name, m.name), type = coalesce(method_type, m.type), masked = coalesce(shown, m.masked),
        changed_at = case when encrypted is null then m.changed_at else clock_timestamp() end
    where m.id = method and m.user_id = uid returning m.id into saved;
    if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
    update private.payout_details d set secret = encrypted where d.method_id = saved and encrypted is not null;
  end if;
  if as_default or not exists (select from public.payout_methods m where m.user_id = uid and m.is_default) then
    update public.payout_methods m set is_default = false where m.user_id = uid and m.is_default and m.id <> saved;
    update public.payout_methods m set is_default = true where m.id = saved and not m.is_default;
  end if;
  return method is null;
end
$$;
grant execute on function private.save_payout_method(uuid, text, text, text, text, boolean, uuid) to authenticated;

-- Another one becomes the default, if there is one.
create function private.delete_payout_method(method uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_write();
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  delete from public.payout_methods m where m.id = method and m.user_id = uid;
  if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
  update public.payout_methods m set is_default = true
  where m.id = (select o.id from public.payout_methods o where o.user_id = uid order by o.created_at limit 1)
    and not exists (select from public.payout_methods o where o.user_id = uid and o.is_default);
end
$$;
grant execute on function private.delete_payout_method(uuid) to authenticated;

create function private.set_payout_schedule(every_week boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), every_week)
  -- Switched on again, it is a week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly then excluded.next_at else s.next_at end;
end
$$;
grant execute on function private.set_payout_schedule(boolean) to authenticated;

-- US dollars, and people. What is null stays.
create function private.set_goals(monthly numeric, yearly numeric, people integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.creator_goals (user_id) values (auth.uid()) on conflict do nothing;
  update public.creator_goals g
  set monthly_cents = coalesce((monthly * 100)::bigint, g.monthly_cents),
      yearly_cents = coalesce((yearly * 100)::bigint, g.yearly_cents),
      subscribers = coalesce(people, g.subscribers)
  where g.user_id = auth.uid();
end
$$;
grant execute on function private.set_goals(numeric, numeric, integer) to authenticated;

-- Payouts -----------------------------------------------------------------------------------------------------

-- Takes money out of a balance that the caller of this holds, for a method that may be used.
create function private.take_out(payout uuid, person uuid, payout_kind text, cents bigint, method public.payout_methods)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into public.payouts (id, person_id, kind, amount_cents, method_type, method_name, method_masked)
  values (payout, person, payout_kind, cents, method.type, method.name, method.masked);
  insert into private.payout_targets (payout_id, secret)
  select payout, d.secret from private.payout_details d where d.method_id = method.id;
  perform private.book('payout', person, null, null, array[
    ('creator', person, 'payout', -cents)::private.ledger_line,
    ('payouts', null, 'payout', cents)::private.ledger_line], paid_out_by => payout);
end
$$;

-- The caller wants `amount` US dollars paid out now, or all that is available. `payout` is made by the client: sent
-- again, it is the same one, and false is answered. Without `method` it goes to the default one.
create function private.request_payout(payout uuid, amount numeric default null, method uuid default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  known public.payouts;
  chosen public.payout_methods;
  available bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_write();
  perform private.require_earner();
  perform private.enforce_rate('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Whatever changes the balance waits.
  perform from public.creator_balances b where b.person_id = uid for update;
  select * into known from public.payouts p where p.id = payout;
  if found then
    if known.person_id <> uid or (cents is not null and known.amount_cents <> cents) then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return false;
  end if;
  if amount <> round(amount, 2) then
    raise exception 'An amount has whole cents.' using errcode = 'PT400';
  end if;
  available := private.balance_of(uid) - private.pending_of(uid);
  cents := coalesce(cents, available);
  if cents < private.minimum_payout() then
    raise exception 'The minimum payout is $%.', to_char(private.minimum_payout() / 100.0, 'FM999990.00')
      using errcode = 'PT400', detail = 'payout_minimum';
  end if;
  if cents > available then
    raise exception 'You have $% available.', to_char(greatest(0, available) / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_too_low';
  end if;
  select * into chosen from public.payout_methods m
  where m.user_id = uid and case when method is null then m.is_default else m.id = method end;
  if not found then
    raise exception 'Add a payout method first.' using errcode = 'PT409', detail = 'payout_method_missing';
  end if;
  if chosen.changed_at + private.payout_wait() > clock_timestamp() then
    raise exception 'This payout method was added or changed less than 5 days ago. It can be used from % UTC.',
        to_char((chosen.changed_at + private.payout_wait()) at time zone 'UTC', 'FMMonth FMDD, HH24:MI')
      using errcode = 'PT409', detail = 'payout_method_waiting';
  end if;
  perform private.take_out(payout, uid, 'instant', cents, chosen);
  return true;
end
$$;
grant execute on function private.request_payout(uuid, numeric, uuid) to authenticated;

-- Asks for what is due by everybody's schedule, `most` people at most; answers how many payouts that made. A schedule
-- whose day came while nobody looked is done once, not once for each week.
create function private.make_scheduled_payouts(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due record;
  chosen public.payout_methods;
  available bigint;
  made integer := 0;
begin
  for due in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= clock_timestamp()
    order by s.next_at limit most for update skip locked
  loop
    update public.payout_schedules s
    set next_at = s.next_at + interval '7 days' * (1 + floor(extract(epoch from clock_timestamp() - s.next_at) / 604800))
    where s.user_id = due.user_id;
    perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || due.user_id::text, 0));
    perform from public.creator_balances b where b.person_id = due.user_id for update;
    available := private.balance_of(due.user_id) - private.pending_of(due.user_id);
    if available < private.minimum_payout() then continue; end if;
    select * into chosen from public.payout_methods m
    where m.user_id = due.user_id and m.is_default and m.changed_at + private.payout_wait() <= clock_timestamp();
    if not found or exists (select from public.accounts a where a.user_id = due.user_id and a.read_only_reason is not null)
    then continue; end if;
    perform private.take_out(gen_random_uuid(), due.user_id, 'scheduled', available, chosen);
    made := made + 1;
  end loop;
  return made;
end
$$;
grant execute on function private.make_scheduled_payouts(integer) to service_role;

-- An admin says what became of a payout: 'paid', or 'failed' for a reason, which gives the money back to the balance (to
-- the platform where the account is gone). Once; the same answer again changes nothing. Nobody settles their own.
create function private.settle_payout(payout uuid, outcome text, said text default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  asked public.payouts;
  stays boolean;
begin
  perform private.require_admin();
  select * into asked from public.payouts p where p.id = payout;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  if asked.person_id = uid then
    raise exception 'Another admin has to settle your own payout.' using errcode = 'PT403';
  end if;
  -- In the order in which an account that is deleted holds them: what its person is told comes before their row.
  perform private.lock_counters(array[asked.person_id]);
  select * into asked from public.payouts p where p.id = payout for update;
  if asked.state = outcome then return; end if;
  if asked.state <> 'requested' then
    raise exception 'This payout was settled as % already.', asked.state using errcode = 'PT409';
  end if;
  if outcome = 'failed' and coalesce(btrim(said), '') = '' then
    raise exception 'Please say why it failed.' using errcode = 'PT400';
  end if;
  -- Before anything refers to it: an account that is being deleted is gone then, and the money is the platform's.
  stays := exists (select from public.profiles p where p.id = asked.person_id for key share);
  perform private.notify_person(asked.person_id, null, 'payout',
    said => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(asked.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(said) else '' end)
  where stays;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = uid,
      reference = case when outcome = 'paid' then nullif(btrim(said), '') end,
      failure = case when outcome = 'failed' then btrim(said) end,
      -- What somebody called their account, and what is shown of it, goes with them.
      method_name = case when stays then p.method_name else p.method_type end,
      method_masked = case when stays then p.method_masked else '••••' end
  where p.id = payout;
  delete from private.payout_targets t where t.payout_id = payout;
  if outcome = 'paid' then
    perform private.book('payout_paid', null, null, null, array[
      ('payouts', null, 'payout', -asked.amount_cents)::private.ledger_line,
      ('processor', null, 'payout', asked.amount_cents)::private.ledger_line], paid_out_by => payout);
  elsif stays then
    perform private.book('payout_failed', asked.person_id, null, null, array[
      ('payouts', null, 'payout', -asked.amount_cents)::private.ledger_line,
      ('creator', asked.person_id, 'payout', asked.amount_cents)::private.ledger_line], paid_out_by => payout);
  else
    perform private.book('payout_failed', null, null, null, array[
      ('payouts', null, 'payout', -asked.amount_cents)::private.ledger_line,
      ('platform', null, 'given_up', asked.amount_cents)::private.ledger_line], paid_out_by => payout);
  end if;
  perform private.audit(uid, 'payout.' || outcome, asked.person_id, payout::text,
    jsonb_build_object('amount', asked.amount_cents / 100.0, 'said', nullif(btrim(said), '')));
end
$$;
grant execute on function private.settle_payout(uuid, text, text) to authenticated;

-- The same on what was settled already; what waits keeps it for the operator until it is settled.
create function private.on_profile_gone_payouts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.payouts p set method_name = p.method_type, method_masked = '••••'
  where p.person_id = old.id and p.state <> 'requested';
  return null;
end
$$;
create trigger on_profile_gone_payouts after delete on public.profiles
  for each row execute function private.on_profile_gone_payouts();

-- Where a payout that waits is to go, encrypted: for an admin, and audited.
create function private.reveal_payout(payout uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  asked public.payouts;
  held text;
begin
  perform private.require_admin();
  select * into asked from public.payouts p where p.id = payout;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  select t.secret into held from private.payout_targets t where t.payout_id = payout;
  if not found then
    raise exception 'This payout was settled: its details are gone.' using errcode = 'PT409';
  end if;
  perform private.audit(auth.uid(), 'payout.reveal', asked.person_id, payout::text);
  return held;
end
$$;
grant execute on function private.reveal_payout(uuid) to authenticated;

-- Reading -----------------------------------------------------------------------------------------------------

-- Of a sale of the caller that was booked: who paid (null where that is to stay unknown), whether their account is gone,
-- what they said with it and which post it is about.
create function private.own_sale(payment uuid)
returns table (payer_id uuid, payer_gone boolean, note text, post_id uuid)
language sql stable rows 1 security definer set search_path = ''
as $$
  select case when not private.are_blocked(p.payer_id, p.payee_id) then u.id end, u.id is null, p.note,
         coalesce(p.post_id, p.about_post_id)
  from public.payments p left join public.profiles u on u.id = p.payer_id
  where p.id = payment and p.payee_id = auth.uid() and p.state in ('paid', 'refunded')
$$;
grant execute on function private.own_sale(uuid) to authenticated;

-- The platform's share of what is sold from now on.
create function private.fee_percent() returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce((select (s.value #>> '{}')::numeric from private.settings s where s.key = 'platform_fee_percent'), 10)
$$;
grant execute on function private.fee_percent() to authenticated;

revoke execute on all functions in schema private from public;

do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-payouts', '*/10 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/payouts',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')))
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
