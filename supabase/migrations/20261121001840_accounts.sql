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
-- without a name, and so do the ledger and what refers to it. What is owed to it is given up; without `give_up` a balance
-- that could be paid out refuses instead.
create function private.remove_account(person uuid, give_up boolean default true) returns void
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
  -- Asked only now: a sale that was being booked has been waited for, and is part of it.
  owed := private.balance_of(person);
  if not give_up and owed >= private.minimum_payout() then
    raise exception 'You have $% left. Have it paid out first, or give it up.',
        to_char(owed / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
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
begin
  perform private.require_session();
  perform private.remove_account(auth.uid(), give_up);
end
$$;
grant execute on function private.delete_own_account(boolean) to authenticated;

-- Auth's own log: who signed in and out, with addresses. Hosted projects may keep it elsewhere, or not let us at it.
create function private.may_with_auth_log(privilege text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(has_table_privilege(to_regclass('auth.audit_log_entries'), privilege)
    and (select count(*) = 4 from pg_catalog.pg_attribute a
         where a.attrelid = to_regclass('auth.audit_log_entries') and not a.attisdropped
           and a.attname in ('id', 'payload', 'created_at', 'ip_address')), false)
$$;

-- Forgets what is noted of somebody in places that hang on no account: Auth's log, and how often they called or somebody
-- tried their address. As text: the log is of no fixed shape. A count that a call holds at this moment is passed over
-- rather than waited for, as that call may wait for us; it goes within a day.
create function private.forget_notes(person uuid, address text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if private.may_with_auth_log('select') and private.may_with_auth_log('delete') then
    execute 'delete from auth.audit_log_entries e
             where strpos(e.payload::text, $1) > 0 or strpos(e.payload::text, $2) > 0'
      using person::text, to_json(address)::text;
  end if;
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, person::text) > 0
       or lower(h.subject) = lower(address) or starts_with(lower(h.subject), lower(address) || ' ')
    for update skip locked);
end
$$;

create or replace function private.before_user_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_what_goes(old.id);
  perform private.forget_notes(old.id, old.email);
  return old;
end
$$;

-- Where an id still stands, in which column of which table and in how many rows: the proof of what a deletion leaves.
-- Reads every table that it may, so it is for operators.
create function private.traces_of(person uuid) returns table (place text, held_rows bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  held record;
begin
  for held in
    select n.nspname, c.relname, a.attname, a.atttypid::regtype::text as type
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime') and a.attnum > 0 and not a.attisdropped
      and a.atttypid = any ('{text,varchar,bpchar,json,jsonb,uuid,uuid[],text[]}'::regtype[])
      and has_table_privilege(c.oid, 'select')
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
  sign_ins jsonb := '[]';
begin
  perform private.require_session();
  if private.may_with_auth_log('select') then
    execute $log$
      select coalesce(jsonb_agg(jsonb_build_object('what', l.action, 'at', l.created_at, 'from', l.address)
                                order by l.created_at), '[]')
      from (select e.payload::jsonb ->> 'action' as action, e.created_at, nullif(e.ip_address, '') as address
            from auth.audit_log_entries e
            where strpos(e.payload::text, $1) > 0 and e.payload::jsonb ->> 'actor_id' = $1
              and e.payload::jsonb ->> 'action' in ('login', 'logout')
            order by e.created_at desc limit 5000) l
      $log$ into sign_ins using uid::text;
  end if;
  return jsonb_build_object(
    'signInLog', sign_ins,
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
  log_entries integer := 0;
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
  -- Nothing else ever empties it.
  if private.may_with_auth_log('select') and private.may_with_auth_log('delete') then
    execute $log$delete from auth.audit_log_entries e where e.created_at < now() - interval '90 days'$log$;
    get diagnostics log_entries = row_count;
  end if;
  return jsonb_build_object('captchas', captchas, 'rateLimits', rates, 'resetClaims', claims,
                            'emailChanges', addresses, 'conversations', empty_conversations,
                            'withdrawals', withdrawals, 'authLog', log_entries);
end
$$;

-- Auth keeps what a registration told it, and puts it into every token. What stands in our own tables leaves there: it
-- would be of the first day for ever. Auth writes its copy again while it makes the account, so every write is looked at.
create function private.strip_told() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  told jsonb := new.raw_user_meta_data::jsonb;
begin
  if jsonb_typeof(told) is distinct from 'object' then return new; end if;
  told := told - '{full_name,username,phone_number}'::text[];
  if told ? 'email' then told := told || jsonb_build_object('email', new.email); end if;
  new.raw_user_meta_data := told;
  return new;
end
$$;
create trigger strip_told before update of raw_user_meta_data, email on auth.users
  for each row execute function private.strip_told();

create function private.on_user_told() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data where u.id = new.id;
  return null;
end
$$;
-- Triggers run by name: behind on_user_created, which reads what was told.
create trigger on_user_told after insert on auth.users
  for each row execute function private.on_user_told();
update auth.users set raw_user_meta_data = raw_user_meta_data;

-- Newer versions keep a second copy with the way to sign in.
create function private.strip_identity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if jsonb_typeof(new.identity_data::jsonb) = 'object' then
    new.identity_data := new.identity_data::jsonb - '{full_name,username,phone_number}'::text[];
  end if;
  return new;
end
$$;
do $$
begin
  if has_table_privilege(to_regclass('auth.identities'), 'trigger')
     and has_table_privilege(to_regclass('auth.identities'), 'update') then
    create trigger strip_identity before insert or update of identity_data on auth.identities
      for each row execute function private.strip_identity();
    update auth.identities set identity_data = identity_data;
  end if;
end
$$;

revoke execute on all functions in schema private from public;
