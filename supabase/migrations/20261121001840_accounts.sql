-- Leaving: what goes with an account, what stays without its name, and how that is shown.

-- What the platform owes a creator, in cents: the sum of their entries.
create function private.balance_of(person uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(e.amount_cents), 0)::bigint from public.ledger_entries e
  where e.account = 'creator' and e.person_id = person
$$;

-- Cents that are paid out at least.
create function private.minimum_payout() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 5000 $$;

-- Deletes an account with everything that is only its own. What it wrote under others' posts and to other people stays
-- without a name, and so do the ledger and what refers to it. What was owed to it is given up.
create function private.remove_account(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owed bigint;
  booked uuid;
begin
  if not exists (select from public.profiles p where p.id = person) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.hold_what_goes(person);
  owed := private.balance_of(person);
  if owed > 0 then
    insert into public.ledger_transactions (kind) values ('given_up') returning id into booked;
    insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
    values (booked, 'creator', person, 'given_up', -owed), (booked, 'platform', null, 'given_up', owed);
  end if;
  -- Everything else hangs on it: the profile, and by that what cascades from there.
  delete from auth.users u where u.id = person;
end
$$;

-- The caller leaves for good. Their password was asked for before. A balance that could be paid out is only given up by
-- saying so.
create function private.delete_own_account(give_up boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  if not give_up and private.balance_of(uid) >= private.minimum_payout() then
    raise exception 'You have $% left. Have it paid out first, or give it up.',
        to_char(private.balance_of(uid) / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  perform private.remove_account(uid);
end
$$;
grant execute on function private.delete_own_account(boolean) to authenticated;

-- Where an id still stands, in which column of which table and in how many rows: the proof of what a deletion leaves.
-- Reads every table, so it is for operators.
create function private.traces_of(person uuid) returns table (place text, held_rows bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  held record;
begin
  for held in
    select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime') and a.attnum > 0 and not a.attisdropped
      and format_type(a.atttypid, a.atttypmod) in ('uuid', 'uuid[]', 'text', 'character varying', 'jsonb')
    order by 1, 2, 3
  loop
    execute format(
      case held.type when 'uuid' then 'select count(*) from %I.%I where %I = $1'
                     when 'uuid[]' then 'select count(*) from %I.%I where $1 = any (%I)'
                     else 'select count(*) from %I.%I where strpos(%I::text, $1::text) > 0' end,
      held.nspname, held.relname, held.attname) into held_rows using person;
    place := held.nspname || '.' || held.relname || '.' || held.attname;
    if held_rows > 0 then return next; end if;
  end loop;
end
$$;
grant execute on function private.traces_of(uuid) to service_role;

-- Counts an archive of the caller's data, which reads all of it: 6 an hour.
create function private.take_export() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  perform private.enforce_rate('export', auth.uid(), 6, '1 hour');
end
$$;
grant execute on function private.take_export() to authenticated;

-- What is noted of the caller where nobody else reads it, for that archive.
create function private.own_notes() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  return jsonb_build_object(
    'registration', (
      select jsonb_build_object('at', u.created_at, 'lastSignInAt', u.last_sign_in_at,
                                'told', coalesce(u.raw_user_meta_data::jsonb, '{}'))
      from auth.users u where u.id = uid),
    'pendingEmail', (
      select jsonb_build_object('email', c.email, 'askedAt', c.created_at)
      from private.email_changes c where c.user_id = uid),
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = uid),
    'lastMailAboutNewsAt', (select k.mailed_at from private.mail_marks k where k.user_id = uid),
    'devices', (
      select coalesce(jsonb_agg(jsonb_build_object('device', d.device, 'firstSeenAt', d.first_seen_at)
                                order by d.first_seen_at), '[]')
      from private.known_devices d where d.user_id = uid),
    'countedCalls', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.bucket, 'since', r.window_start, 'calls', r.hits)
                                order by r.window_start, r.bucket), '[]')
      from private.rate_limits r where r.subject = uid::text),
    'takenBack', (
      select coalesce(jsonb_agg(jsonb_build_object('news', w.kind, 'to', w.user_id, 'times', w.times, 'since', w.since)
                                order by w.since), '[]')
      from private.withdrawn w where w.actor_id = uid));
end
$$;
grant execute on function private.own_notes() to authenticated;

create or replace function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captchas integer;
  rates integer;
  claims integer;
  empty_conversations integer;
  withdrawals integer;
  addresses integer;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captchas = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rates = row_count;
  -- No link lives longer than this.
  delete from private.reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics claims = row_count;
  delete from private.email_changes where created_at < now() - interval '24 hours';
  get diagnostics addresses = row_count;
  -- Both people have gone: nobody is left who could read it.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics empty_conversations = row_count;
  delete from private.withdrawn where since < now() - interval '1 day';
  get diagnostics withdrawals = row_count;
  return jsonb_build_object('captchas', captchas, 'rateLimits', rates, 'resetClaims', claims,
                            'emailChanges', addresses, 'conversations', empty_conversations,
                            'withdrawals', withdrawals);
end
$$;

revoke execute on all functions in schema private from public;
