-- Accounts, sessions, password resets, email changes, account deletion and data exports.
--
-- Auth (the `auth` schema) owns users, passwords and sessions. public.accounts holds other private data, which only
-- the user and admins can read. An account is read-only while it has a `read_only_reason`. Its user can still sign in,
-- read, block, report, appeal, delete their content, export their data and delete the account, among other things.
--
-- Versions of Auth differ in the tables they have (one_time_tokens, identities, audit_log_entries) and in the
-- privileges that they grant, so the code below checks whether it can use such a table. The tables in this file store
-- only hashes of the tokens that are sent by email, because such a token gives access to an account.

-- Accounts ----------------------------------------------------------------------------------------------------------
create table public.accounts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email text not null, -- a copy of auth.users.email
  phone_number text not null check (char_length(phone_number) between 10 and 32),
  adult_confirmed_at timestamptz not null,
  read_only_reason text, -- shown to the user; null if the account is not read-only
  approved_at timestamptz,
  approved_by uuid, -- the admin who approved the account
  suspended_at timestamptz,
  suspended_until timestamptz, -- null: until an admin lifts the suspension
  suspension_reason text check (char_length(suspension_reason) <= 1000),
  suspension_case uuid, -- the moderation case that led to the suspension
  email_confirmed_at timestamptz, -- null: the user has not yet opened the link that was emailed to the address
  onboarded_at timestamptz, -- when the user finished or skipped the welcome steps
  check ((suspended_at is null) = (suspension_reason is null)),
  check (suspended_until is null or suspended_at is not null)
);

comment on table public.accounts is
  'Private data of a user, for the user and admins. An account with a read_only_reason may not write.';

create unique index accounts_email_key on public.accounts (lower(email));

create index accounts_suspended_until_idx on public.accounts (suspended_until) where suspended_until is not null;

alter table public.accounts enable row level security;

-- Requires an active session.
create policy accounts_active_session on public.accounts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

create policy accounts_select on public.accounts for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on public.accounts from anon, authenticated, service_role;
-- All columns except approved_by, which only admins can read, through private.account_approver.
grant select (user_id, email, phone_number, adult_confirmed_at, read_only_reason, approved_at, suspended_at,
  suspended_until, suspension_reason, suspension_case, email_confirmed_at, onboarded_at)
  on public.accounts to authenticated;
grant all on public.accounts to service_role;

-- Keeps the copy of the email address in public.accounts up to date.
create function private.on_user_email_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.accounts set email = new.email where user_id = new.id;
  return null;
end
$$;

create trigger on_user_email_changed after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function private.on_user_email_changed();

-- Registration data -------------------------------------------------------------------------------------------------
-- Auth keeps the registration data as user metadata and puts it into every JWT. This trigger removes the names and the
-- phone number, which our own tables store, because the copy in the metadata would never be updated. The trigger keeps
-- an email address in the metadata up to date. It runs on every update of the metadata, because Auth writes the
-- metadata more than once while it creates an account.
create function private.strip_user_metadata() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  metadata jsonb := new.raw_user_meta_data::jsonb;
begin
  if jsonb_typeof(metadata) is distinct from 'object' then return new; end if;
  metadata := metadata - '{full_name,username,phone_number}'::text[];
  if metadata ? 'email' then metadata := metadata || jsonb_build_object('email', new.email); end if;
  new.raw_user_meta_data := metadata;
  return new;
end
$$;

create trigger strip_user_metadata before update of raw_user_meta_data, email on auth.users
  for each row execute function private.strip_user_metadata();

-- Runs the trigger above for a new user.
create function private.strip_new_user_metadata() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data where u.id = new.id;
  return null;
end
$$;

-- Triggers run in the order of their names, so this trigger runs after on_user_created, which reads the metadata.
create trigger strip_new_user_metadata after insert on auth.users
  for each row execute function private.strip_new_user_metadata();

-- Removes the same fields from the user's identities in Auth, where newer versions of Auth keep a second copy.
create function private.strip_identity_data() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if jsonb_typeof(new.identity_data::jsonb) = 'object' then
    new.identity_data := new.identity_data::jsonb - '{full_name,username,phone_number}'::text[];
  end if;
  return new;
end
$$;

-- pg-topo:phase post_data
-- pg-topo:requires function:private.strip_identity_data()
do $$
begin
  if has_table_privilege(to_regclass('auth.identities'), 'trigger')
     and has_table_privilege(to_regclass('auth.identities'), 'update') then
    create trigger strip_identity_data before insert or update of identity_data on auth.identities
      for each row execute function private.strip_identity_data();
  end if;
end
$$;

-- Read-only accounts ------------------------------------------------------------------------------------------------
-- Returns the `read_only_reason` of accounts whose email address is unconfirmed while the setting
-- `require_email_confirmation` is on. The API's contract contains the same string.
create function private.confirmation_required() returns text
language sql immutable parallel safe set search_path = ''
as $$ select 'Confirm your email address to start using your account.' $$;

-- Returns why an account must be read-only, as a message for its owner, or null if there is no reason. Admins are
-- exempt.
create function private.restriction_reason(account public.accounts) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p.is_admin then null
    when account.suspended_at is not null then
      'Suspended'
      || coalesce(to_char(account.suspended_until at time zone 'UTC', '" until" FMDD FMMonth YYYY, HH24:MI "UTC"'), '')
      || ': ' || account.suspension_reason
    when (select t.age < 18 from public.profile_about t where t.user_id = account.user_id) then
      'You must be 18 or older to use this platform.'
    when account.email_confirmed_at is null and private.is_setting_enabled('require_email_confirmation') then
      private.confirmation_required()
    when account.approved_at is null and private.is_setting_enabled('require_approval') then
      'This account is waiting for approval.' end
  from public.profiles p where p.id = account.user_id
$$;

-- Recomputes read_only_reason after one of its causes has changed. Concurrent changes wait for each other, so that
-- the last one takes all causes into account.
create function private.refresh_restriction(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = target_user_id for update;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.user_id = target_user_id and a.read_only_reason is distinct from private.restriction_reason(a);
end
$$;

-- The progress of refreshing all accounts after a change to a setting. Empty if no refresh is in progress.
create table private.restriction_refreshes (
  one boolean primary key default true check (one),
  -- The last account that was refreshed.
  after_user_id uuid not null
);

-- If a refresh is in progress, checks the next `max_rows` accounts and refreshes the restriction of those that are
-- unapproved or unconfirmed, but not suspended. Returns the number of accounts that it checked; 0 if none are left.
create function private.refresh_restrictions(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  last_user_id uuid;
  account_ids uuid[];
begin
  -- Locks the table before its rows, in the same order as private.on_required_setting_changed. This lock
  -- also keeps the settings from changing until the end of the transaction.
  lock table public.accounts in row exclusive mode;
  select r.after_user_id into last_user_id from private.restriction_refreshes r for update;
  if not found then return 0; end if;
  account_ids := array(
    select a.user_id from public.accounts a where a.user_id > last_user_id order by a.user_id limit max_rows);
  -- The accounts are locked before the causes are read, as in private.refresh_restriction.
  perform from public.accounts a where a.user_id = any (account_ids) order by a.user_id for update;
  update public.accounts a set read_only_reason = r.reason
  from (select c.user_id, private.restriction_reason(c) as reason from public.accounts c
        where c.user_id = any (account_ids) and (c.approved_at is null or c.email_confirmed_at is null)
          and c.suspended_at is null
        offset 0) r
  where a.user_id = r.user_id and a.read_only_reason is distinct from r.reason;
  if cardinality(account_ids) < max_rows then
    delete from private.restriction_refreshes;
  else
    update private.restriction_refreshes set after_user_id = account_ids[max_rows];
  end if;
  return cardinality(account_ids);
end
$$;

grant execute on function private.refresh_restrictions(integer) to service_role;

-- Starts a refresh of all accounts whenever the setting `require_approval` or `require_email_confirmation` is written,
-- and refreshes the first 500 right away. The API and the `moderation` job refresh the others in short transactions,
-- because nobody can register or change an account while this transaction locks `accounts`.
create function private.on_required_setting_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A concurrent transaction that creates or changes an account either commits first, so the refresh includes the
  -- account, or sees the new setting.
  lock table public.accounts in share row exclusive mode;
  insert into private.restriction_refreshes (after_user_id) values ('00000000-0000-0000-0000-000000000000')
  on conflict (one) do update set after_user_id = excluded.after_user_id;
  perform private.refresh_restrictions(500);
  return null;
end
$$;

create trigger on_required_setting_changed after insert or update on private.settings
  for each row when (new.key in ('require_approval', 'require_email_confirmation'))
  execute function private.on_required_setting_changed();

-- Trigger function: refreshes the restriction of a user. Argument: the column that holds the user's id.
create function private.on_restriction_cause_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_restriction((to_jsonb(new) ->> tg_argv[0])::uuid);
  return null;
end
$$;

create trigger on_account_created after insert on public.accounts
  for each row execute function private.on_restriction_cause_changed('user_id');

create trigger on_account_suspended
  after update of approved_at, suspended_at, suspended_until, suspension_reason, email_confirmed_at on public.accounts
  for each row execute function private.on_restriction_cause_changed('user_id');

create trigger on_age_changed after update of age on public.profile_about
  for each row when (old.age is distinct from new.age)
  execute function private.on_restriction_cause_changed('user_id');

create trigger on_admin_changed after update of is_admin on public.profiles
  for each row when (old.is_admin is distinct from new.is_admin)
  execute function private.on_restriction_cause_changed('id');

-- Notifies the user's open pages, so that they immediately show what the user can do. Also sends `access.changed` on
-- the topics of the user's latest conversations, because a user with a read-only account cannot message anybody.
create function private.on_restriction_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.recheck_conversations(new.user_id);
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$$;

create trigger on_restriction_changed after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_restriction_changed();

-- Lifts suspensions that have expired. Returns the number of suspensions lifted.
create function private.lift_expired_suspensions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lifted_count integer;
begin
  update public.accounts a
  set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id in (select d.user_id from public.accounts d where d.suspended_until <= (select clock_timestamp())
                      order by d.user_id for update skip locked);
  get diagnostics lifted_count = row_count;
  return lifted_count;
end
$$;

grant execute on function private.lift_expired_suspensions() to service_role;

-- Banned email addresses --------------------------------------------------------------------------------------------
-- Addresses that no account can be registered with or changed to. An address is banned permanently if an admin removes
-- the account, and until the end of the suspension if the owner deletes the account while it is suspended. Only salted
-- hashes are stored, so that the email address of a deleted account is not kept.
create table private.banned_emails (
  hash bytea primary key,
  until timestamptz, -- null: no end
  case_id uuid -- the moderation case, if any; a granted appeal against it lifts the ban
);

create function private.email_hash(email_address text) returns bytea
language sql stable security definer set search_path = ''
as $$
  select sha256(convert_to(lower(btrim(email_address)) || (s.value #>> '{}'), 'UTF8'))
  from private.settings s where s.key = 'address_salt'
$$;

-- Bans an address until `ends_at`, or permanently if it is null. If the address is already banned, the longer ban
-- applies. The resulting ban is linked to a case only if both bans are, so that a granted appeal does not lift a ban
-- that has no case.
create function private.ban_email(
  email_address text, ends_at timestamptz default null, suspension_case_id uuid default null
) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.banned_emails as b (hash, until, case_id)
  values (private.email_hash(email_address), ends_at, suspension_case_id)
  on conflict (hash) do update
  set until = case when b.until is null or excluded.until is null then null else greatest(b.until, excluded.until) end,
      case_id = case when b.case_id is null or excluded.case_id is null then null else excluded.case_id end
$$;

create function private.is_email_banned(email_address text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.banned_emails b
                 where b.hash = private.email_hash(email_address) and (b.until is null or b.until > now()))
$$;

grant execute on function private.is_email_banned(text) to service_role;

-- Lifts the ban on an email address. For operators, who call it as the database owner; not granted to any API role.
create function private.unban_email(email_address text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.banned_emails b where b.hash = private.email_hash(email_address);
  if not found then raise exception 'The email address % is not banned', email_address; end if;
end
$$;

create function private.reject_banned_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_email_banned(new.email) then
    raise exception 'This email address cannot be used here' using errcode = 'PT400';
  end if;
  return new;
end
$$;

create trigger reject_banned_email before insert on auth.users
  for each row execute function private.reject_banned_email();

-- Bans the email address of a deleted account that was suspended, so that its owner cannot evade the suspension by
-- registering again.
create function private.on_suspended_account_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.ban_email(old.email, old.suspended_until, old.suspension_case);
  return null;
end
$$;

create trigger on_suspended_account_deleted after delete on public.accounts for each row
  when (old.suspended_at is not null and (old.suspended_until is null or old.suspended_until > clock_timestamp()))
  execute function private.on_suspended_account_deleted();

-- Sessions ----------------------------------------------------------------------------------------------------------
-- Lists up to 100 of the caller's sessions: the current one first, then the others, most recently used first.
create function private.list_own_sessions()
returns table (
  id uuid, current boolean, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  -- Auth stores refreshed_at without a time zone, in UTC.
  select s.id, s.id::text = (auth.jwt() ->> 'session_id'), s.user_agent, host(s.ip), s.created_at,
         coalesce(s.refreshed_at at time zone 'UTC', s.created_at)
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by 2 desc, 6 desc, s.id
  limit 100
$$;

grant execute on function private.list_own_sessions() to authenticated;

-- Ends one of the caller's sessions. Returns false if the caller has no such session.
create function private.end_own_session(target_session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  delete from auth.sessions s where s.id = target_session_id and s.user_id = auth.uid();
  return found;
end
$$;

grant execute on function private.end_own_session(uuid) to authenticated;

-- Ends all of the caller's sessions except the current one.
create function private.end_other_sessions() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  delete from auth.sessions s
  where s.user_id = auth.uid() and s.id::text is distinct from (auth.jwt() ->> 'session_id');
end
$$;

grant execute on function private.end_other_sessions() to authenticated;

-- Ends all of the caller's sessions except the current one and cancels a pending email change. Called after the caller
-- has changed their password, which has already revoked their access tokens.
create function private.end_sessions_after_password_change() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.end_other_sessions();
  perform private.cancel_pending_email(auth.uid());
end
$$;

grant execute on function private.end_sessions_after_password_change() to authenticated;

-- Ends all sessions of a user, revokes their access tokens and cancels a pending email change. Called after a password
-- reset, and by operators: someone who took over the account may have opened the sessions, created the tokens or
-- requested the change.
create function private.end_all_sessions(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.cancel_pending_email(target_user_id);
  perform private.revoke_access_tokens(target_user_id);
  delete from auth.sessions s where s.user_id = target_user_id;
end
$$;

grant execute on function private.end_all_sessions(uuid) to service_role;

-- Records the client of a new session. Users sign in through the API, so Auth itself only sees the API's address.
create function private.record_session_client(
  target_session_id uuid, target_user_id uuid, client_user_agent text, network_address text
) returns void
language sql volatile security definer set search_path = ''
as $$
  update auth.sessions s
  set user_agent = left(client_user_agent, 500),
      ip = case when pg_input_is_valid(network_address, 'inet') then network_address::inet end
  where s.id = target_session_id and s.user_id = target_user_id
$$;

grant execute on function private.record_session_client(uuid, uuid, text, text) to service_role;

-- The most recent kinds of device (browser and operating system) from which a user has signed in.
create table private.known_devices (
  user_id uuid not null references public.profiles (id) on delete cascade,
  device text not null check (char_length(device) <= 100),
  first_seen_at timestamptz not null default now(),
  primary key (user_id, device)
);

-- Returns whether the device of a sign-in is known and thus need not be recorded.
create function private.is_known_device(target_user_id uuid, device_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.known_devices d where d.user_id = target_user_id and d.device = left(device_name, 100))
$$;

grant execute on function private.is_known_device(uuid, text) to service_role;

-- Records the device of a sign-in. If it is new, notifies the user and returns true. The first device of an account
-- does not count as new: there is nothing to compare it with.
create function private.record_device(target_user_id uuid, device_name text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  has_known_devices boolean := exists (select from private.known_devices d where d.user_id = target_user_id);
begin
  insert into private.known_devices (user_id, device) values (target_user_id, left(device_name, 100))
  on conflict do nothing;
  if not found then return false; end if;
  -- A client can send any User-Agent header, from which the name is derived, so only the latest 50 names are kept.
  delete from private.known_devices d where d.user_id = target_user_id and d.device not in (
    select k.device from private.known_devices k where k.user_id = target_user_id
    order by k.first_seen_at desc limit 50);
  if has_known_devices then
    perform private.create_notification(target_user_id, null, 'sign_in', detail => left(device_name, 100));
  end if;
  return has_known_devices;
end
$$;

grant execute on function private.record_device(uuid, text) to service_role;

-- Password reset ----------------------------------------------------------------------------------------------------
-- Reset tokens that a request has claimed. A claim keeps other requests from using the same token until Auth has
-- consumed it.
create table private.password_reset_claims (
  token_hash text primary key,
  claimed_at timestamptz not null default clock_timestamp()
);

-- For the `clean-up` job.
create index password_reset_claims_claimed_at_idx on private.password_reset_claims (claimed_at);

create function private.hash_token(token text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(token, 'UTF8')), 'hex') $$;

-- Returns whether Auth would accept a reset token: it is the user's latest token, has not been used, and is less than
-- an hour old. Auth stores it with the user and, in newer versions, in a separate table.
create function private.is_valid_reset_token(token text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- On Supabase, recovery_token is '' for a user without a token.
  if length(token) < 20 then return false; end if;
  if exists (
    select from auth.users u
    -- The conditions on the length and the digits are those of Auth's partial indexes.
    where u.recovery_token = token and length(u.recovery_token) > 6 and u.recovery_token !~ '^[0-9 ]*$'
      and u.recovery_sent_at > now() - interval '1 hour'
  ) then
    return true;
  end if;
  if to_regclass('auth.one_time_tokens') is null then return false; end if;
  return exists (
    select from auth.one_time_tokens t join auth.users u on u.id = t.user_id
    where t.token_hash = token and t.token_type = 'recovery_token'
      and u.recovery_sent_at > now() - interval '1 hour'
  );
end
$$;

-- Counts a password reset email against two limits: 30 an hour for the network address (the client's IPv4 address or
-- the first 64 bits of its IPv6 address) and 3 an hour for the email address, whether or not it belongs to an account.
-- Returns the number of seconds to wait, or 0. Requests from a network address over its limit do not count against the
-- email address.
create function private.consume_reset_mail_limit(email_address text, network_address text) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wait integer := private.consume_rate_limit('reset_mail_address', network_address, 30, '1 hour');
begin
  if wait > 0 then return wait; end if;
  return private.consume_rate_limit('reset_mail', lower(email_address), 3, '1 hour');
end
$$;

grant execute on function private.consume_reset_mail_limit(text, text) to service_role;

-- Checks a reset token and, with `should_claim`, claims it for the caller alone. `valid` is false if the token is
-- invalid or, with `should_claim`, already claimed. `wait` is the number of seconds to wait if the network address is
-- over its limit of 30 invalid tokens an hour, otherwise 0. Every attempt is counted before its token is checked, and
-- the row with the count stays locked until the transaction ends, so that each of many concurrent guesses is counted. A
-- claim expires after two minutes, in case the caller never releases it.
create function private.open_password_reset(token text, network_address text, should_claim boolean)
returns table (wait integer, valid boolean)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  valid := false;
  wait := private.consume_rate_limit('reset_token', network_address, 30, '1 hour');
  if wait = 0 then valid := private.is_valid_reset_token(token); end if;
  if wait > 0 or valid then perform private.refund_rate_limit('reset_token', network_address, '1 hour'); end if;
  if valid and should_claim then
    insert into private.password_reset_claims as c (token_hash) values (private.hash_token(token))
    on conflict on constraint password_reset_claims_pkey do update set claimed_at = clock_timestamp()
      where c.claimed_at < clock_timestamp() - interval '2 minutes';
    valid := found;
  end if;
  return next;
end
$$;

grant execute on function private.open_password_reset(text, text, boolean) to service_role;

-- Releases a claimed token that Auth has not consumed.
create function private.release_password_reset(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.password_reset_claims c where c.token_hash = private.hash_token(token) $$;

grant execute on function private.release_password_reset(text) to service_role;

-- Email confirmation and email change -------------------------------------------------------------------------------
-- Addresses that are not confirmed yet: the one that an account was registered with, or a new one. A new address takes
-- effect when the user follows the link in the email that is sent to it. The link is valid for 24 hours. An account has
-- one link at a time: requesting a new one replaces the previous one.
create table private.email_changes (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  token_hash text not null unique,
  created_at timestamptz not null default clock_timestamp()
);

create function private.on_email_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  target_user_id uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  perform private.broadcast_to_user(target_user_id, 'profile.changed', jsonb_build_object('userId', target_user_id));
  return null;
end
$$;

create trigger on_email_change after insert or update or delete on private.email_changes
  for each row execute function private.on_email_change();

-- Counts a confirmation link against the limit of 10 an hour for its address, so that many accounts together cannot
-- flood somebody's mailbox. Registration links are not counted, because a registration has no signed-in caller. The
-- address is hashed because its rate-limit row can outlive the account: deleting an account deletes only the rows for
-- the account's own address.
create function private.limit_confirmation_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer;
begin
  if auth.uid() is not null then
    wait := private.consume_rate_limit(
      'confirmation_mail', encode(sha256(convert_to(lower(new.email), 'UTF8')), 'hex'), 10, '1 hour');
    if wait > 0 then
      raise exception 'Too many requests. Please wait a moment and try again.'
        using errcode = 'PT429', detail = wait::text;
    end if;
  end if;
  return new;
end
$$;

create trigger limit_confirmation_mails before insert on private.email_changes
  for each row execute function private.limit_confirmation_mails();

-- Returns the new address that the caller has requested but not yet confirmed, or null.
create function private.pending_email() returns text
language sql stable security definer set search_path = ''
as $$
  select c.email from private.email_changes c join public.accounts a on a.user_id = c.user_id
  where c.user_id = auth.uid() and lower(c.email) <> lower(a.email)
    and c.created_at > clock_timestamp() - interval '24 hours'
$$;

grant execute on function private.pending_email() to authenticated, service_role;

-- Cancels the pending email change of a user. A link that confirms the current address stays valid.
create function private.cancel_pending_email(target_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.email_changes c using public.accounts a
  where c.user_id = target_user_id and a.user_id = c.user_id and lower(c.email) <> lower(a.email)
$$;

-- Stores the token that confirms the address of a new account. The token is null if the site does not send mail: then
-- the address counts as confirmed, unless the `require_email_confirmation` setting is on.
create function private.begin_email_confirmation(target_user_id uuid, token text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if token is null then
    update public.accounts a set email_confirmed_at = clock_timestamp()
    where a.user_id = target_user_id and not private.is_setting_enabled('require_email_confirmation');
    return;
  end if;
  insert into private.email_changes (user_id, email, token_hash)
  select a.user_id, a.email, private.hash_token(token) from public.accounts a where a.user_id = target_user_id;
end
$$;

grant execute on function private.begin_email_confirmation(uuid, text) to service_role;

-- Stores a new token for the caller's link, which invalidates the previous link. Returns the address to which the
-- link must be sent: the new address of a pending change or, without one, the unconfirmed address of the account.
-- Returns no row if there is nothing to confirm. Users with a read-only account can confirm their address, too.
create function private.renew_email_token(token text) returns table (email text, is_change boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  email := private.pending_email();
  is_change := email is not null;
  if not is_change then
    select a.email into email from public.accounts a where a.user_id = uid and a.email_confirmed_at is null;
    if not found then return; end if;
  end if;
  perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, renew_email_token.email, private.hash_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return next;
end
$$;

grant execute on function private.renew_email_token(text) to authenticated;

-- Requests a change of the caller's email address. Returns true if an email with the token must be sent to the new
-- address. Requesting the current address cancels a pending change. Users whose account is read-only until its address
-- is confirmed can also request a change, because the current address might be mistyped.
create function private.begin_email_change(new_email text, token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  if not exists (select from public.accounts a
                 where a.user_id = uid and a.read_only_reason = private.confirmation_required()) then
    perform private.require_write();
  end if;
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    perform private.cancel_pending_email(uid);
    return false;
  end if;
  -- If the same address is requested again within two minutes, we assume that the user saved the form to change another
  -- field. After that, the first email may have been lost, so another one is sent if the rate limit allows it.
  if exists (select from private.email_changes c where c.user_id = uid and lower(c.email) = lower(new_email)
                                                   and c.created_at > clock_timestamp() - interval '2 minutes') then
    return false;
  end if;
  if exists (select from public.accounts a where lower(a.email) = lower(new_email)) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  if lower(private.pending_email()) = lower(new_email) then
    if private.consume_rate_limit('email change', uid::text, 5, '1 hour') > 0 then return false; end if;
  else
    perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  end if;
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, lower(new_email), private.hash_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return true;
end
$$;

grant execute on function private.begin_email_change(text, text) to authenticated;

-- Deletes a token that could not be sent by email, and with it the email change, if any.
create function private.cancel_email_change(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.email_changes c where c.token_hash = private.hash_token(token) $$;

grant execute on function private.cancel_email_change(text) to service_role;

-- Consumes a token, changes the account's address if a new one was requested, and records that the address is
-- confirmed. Returns the previous address (null if it was unconfirmed, because it may belong to somebody else) and
-- the confirmed one, or no row for an invalid token. Each network address can try 30 invalid tokens an hour;
-- after that, `wait` is the number of seconds to wait.
create function private.confirm_email_change(token text, network_address text)
returns table (wait integer, old_email text, new_email text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  change private.email_changes;
  was_confirmed boolean;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  select a.email, a.email_confirmed_at is not null into old_email, was_confirmed
  from public.accounts a where a.user_id = change.user_id for update;
  if lower(old_email) <> lower(change.email) then
    perform private.set_account_email(change.user_id, change.email);
  end if;
  update public.accounts a set email_confirmed_at = clock_timestamp()
  where a.user_id = change.user_id and a.email_confirmed_at is null;
  if not was_confirmed then old_email := null; end if;
  new_email := change.email;
  return next;
end
$$;

grant execute on function private.confirm_email_change(text, text) to service_role;

-- Changes the address of an account immediately, and invalidates password reset tokens that were sent to the old
-- address.
create function private.set_account_email(target_user_id uuid, new_email text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.accounts a where a.user_id = target_user_id for update;
  -- A concurrent change to the same address waits here, and then finds the address taken.
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(new_email), 0));
  if exists (select from public.accounts a
             where lower(a.email) = lower(new_email) and a.user_id <> target_user_id) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  if private.is_email_banned(new_email) then
    raise exception 'This email address cannot be used here' using errcode = 'PT400';
  end if;
  -- Newer versions of Auth keep reset tokens in one_time_tokens and need '' where a user has none. The embedded Auth
  -- would find a user by an empty token, so it needs null.
  update auth.users u
  set email = new_email, recovery_token = case when to_regclass('auth.one_time_tokens') is not null then '' end
  where u.id = target_user_id;
  if has_table_privilege(to_regclass('auth.one_time_tokens'), 'select')
     and has_table_privilege(to_regclass('auth.one_time_tokens'), 'delete') then
    delete from auth.one_time_tokens t where t.user_id = target_user_id;
  end if;
  -- Newer versions of Auth keep the address in the identity, too.
  if to_regclass('auth.identities') is not null then
    update auth.identities i
    set identity_data = i.identity_data::jsonb || jsonb_build_object('email', new_email, 'email_verified', true)
    where i.user_id = target_user_id and i.provider = 'email';
  end if;
end
$$;

-- Onboarding --------------------------------------------------------------------------------------------------------
-- Records that the caller has finished or skipped the welcome steps, so that no device shows them again.
create function private.finish_onboarding() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  update public.accounts a set onboarded_at = clock_timestamp() where a.user_id = uid and a.onboarded_at is null;
  if found then perform private.broadcast_to_user(uid, 'profile.changed', jsonb_build_object('userId', uid)); end if;
end
$$;

grant execute on function private.finish_onboarding() to authenticated;

-- Account deletion --------------------------------------------------------------------------------------------------
-- Deletes the caller's account. The API checks the password first. The parameters are those of private.delete_account.
create function private.delete_own_account(forfeit_balance boolean, count_test_money boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  perform private.delete_account(auth.uid(), forfeit_balance, count_test_money);
end
$$;

grant execute on function private.delete_own_account(boolean, boolean) to authenticated;

-- Deletes an account and everything that belongs to it alone. Comments on other users' posts and messages to other
-- users remain, but without the user's name. The ledger and the rows that it refers to remain, too. Any balance is
-- forfeited, but if it is at least the minimum payout and `forfeit_balance` is false, the function raises the error
-- `balance_left` and deletes nothing. Test money is included in this check only if `count_test_money` is true.
create function private.delete_account(
  target_user_id uuid, forfeit_balance boolean default true, count_test_money boolean default true
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
  -- Locks the payout schedule before the balance, in the same order as the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  -- A negative balance of test money does not reduce the balance of real money, or vice versa.
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
$$;

-- Locks the rows that deleting an account changes, including other users' rows, before the account itself. All other
-- transactions lock in the same order; they lock the user's profile last, when foreign keys that refer to it are
-- checked. The order is:
--   1. conversations and posts,
--   2. the creator plan (a payment for the plan locks the plan before the user's counts),
--   3. subscriptions, because ending them changes their creators' counts,
--   4. follows and follow requests,
--   5. profile counts and counters.
-- The advisory lock keeps other users from following the user in the meantime, which would change more counts.
-- `notified_user_ids` are users whom the same transaction notifies of the deletion: step 5 also locks their counters.
create function private.lock_account_dependents(target_user_id uuid, notified_user_ids uuid[] default '{}')
returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(private.follows_lock_key(target_user_id));
  perform private.lock_user_conversations_and_posts(target_user_id);
  perform from public.creator_plans s where s.user_id = target_user_id and s.state <> 'ended' for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and target_user_id in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.lock_follow_rows(target_user_id);
  perform private.lock_account_counts(target_user_id, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = target_user_id and s.state <> 'ended'),
    notified_user_ids);
end
$$;

-- Locks the profile counts and then the counters that deleting an account changes. `other_user_ids` are additional
-- users whose profile counts change.
create function private.lock_account_counts(
  target_user_id uuid, other_user_ids uuid[] default '{}', notified_user_ids uuid[] default '{}'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile_counts c
  where c.user_id in (select target_user_id
                      union select unnest(other_user_ids)
                      union select f.followee_id from public.follows f where f.follower_id = target_user_id
                      union select f.follower_id from public.follows f where f.followee_id = target_user_id)
  order by c.user_id for no key update;
  perform private.lock_user_counters(notified_user_ids || array(
    select target_user_id
    union select n.user_id from public.notifications n where n.actor_id = target_user_id
    union select n.user_id from public.notifications n join public.posts p on p.id = n.post_id
          where p.author_id = target_user_id
    union select p.author_id from public.likes l join public.posts p on p.id = l.post_id
          where l.user_id = target_user_id
    union select p.author_id from public.reposts r join public.posts p on p.id = r.post_id
          where r.user_id = target_user_id
    union select c.author_id from public.comment_likes l join public.comments c on c.id = l.comment_id
          where l.user_id = target_user_id
    union select f.followee_id from public.follows f where f.follower_id = target_user_id
    union select f.follower_id from public.follows f where f.followee_id = target_user_id
    union select r.followee_id from public.follow_requests r where r.follower_id = target_user_id));
end
$$;

-- Trigger function: takes the locks that an account deletion needs and deletes records that no foreign key links to the
-- account, regardless of how the account is deleted.
create function private.before_user_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_account_dependents(old.id);
  perform private.delete_unlinked_records(old.id, old.email);
  return old;
end
$$;

create trigger before_user_deleted before delete on auth.users
  for each row execute function private.before_user_deleted();

-- Takes the locks that an account deletion needs and removes the user's uploads from messages, including messages that
-- moderators have hidden and may restore. The messages remain, but the uploads are deleted with the account's other
-- files. Each of these messages gets a new version, like any changed message.
create function private.before_profile_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_account_dependents(old.id);
  update public.messages m
  set media_id = null, placeholder = null, price_cents = null, version = private.next_message_version(m.conversation_id)
  where m.id in (
    select x.id from public.media u join public.messages x on x.media_id = u.id where u.owner_id = old.id
    union all
    select f.message_id from public.media u join private.paid_photos f on f.media_id = u.id where u.owner_id = old.id);
  update private.hidden_messages h set placeholder = null, price_cents = null
  where h.message_id in (
    select x.message_id from public.media u join private.hidden_messages x on x.media_id = u.id
    where u.owner_id = old.id
    union all
    select f.message_id from public.media u join private.paid_photos f on f.media_id = u.id where u.owner_id = old.id);
  delete from private.paid_photos f using public.media u where u.owner_id = old.id and f.media_id = u.id;
  return old;
end
$$;

create trigger before_profile_deleted before delete on public.profiles
  for each row execute function private.before_profile_deleted();

-- Returns whether the functions in this schema can use Auth's audit log, which records sign-ins and sign-outs with
-- their IP addresses: they have the given privilege, and the log has the expected columns. Hosted projects may
-- keep the log elsewhere or deny access to it.
create function private.can_access_auth_log(privilege text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(has_table_privilege(to_regclass('auth.audit_log_entries'), privilege)
    and (select count(*) = 4 from pg_catalog.pg_attribute a
         where a.attrelid = to_regclass('auth.audit_log_entries') and not a.attisdropped
           and a.attname in ('id', 'payload', 'created_at', 'ip_address')), false)
$$;

-- Deletes records of a user that no foreign key links to the account: entries of Auth's audit log, and rate limits of
-- the user and of their email address. The log is searched as text because its entries have no fixed structure.
create function private.delete_unlinked_records(target_user_id uuid, email_address text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute 'delete from auth.audit_log_entries e
             where strpos(e.payload::text, $1) > 0 or strpos(e.payload::text, $2) > 0'
      using target_user_id::text, to_json(email_address)::text;
  end if;
  -- Skips a rate limit that a concurrent call has locked, because that call may be waiting for this transaction. The
  -- `clean-up` job deletes the row after a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
end
$$;

-- Finds where a user's id is still stored, for example after a deletion: `place` is schema.table.column, and
-- `matching_rows` the number of rows. Meant for operators, because it scans every readable table of five schemas.
create function private.find_user_references(target_user_id uuid) returns table (place text, matching_rows bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  candidate record;
begin
  for candidate in
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
      case candidate.type when 'uuid' then 'select count(*) from %I.%I where %I = $1'
                          when 'uuid[]' then 'select count(*) from %I.%I where $1 = any (%I)'
                          else 'select count(*) from %I.%I where strpos(%I::text, $1::text) > 0' end,
      candidate.nspname, candidate.relname, candidate.attname) into matching_rows using target_user_id;
    place := candidate.nspname || '.' || candidate.relname || '.' || candidate.attname;
    if matching_rows > 0 then return next; end if;
  end loop;
end
$$;

grant execute on function private.find_user_references(uuid) to service_role;

-- Data export -------------------------------------------------------------------------------------------------------
-- Counts an export of the caller's data against the limit of 6 an hour. An export is expensive, because it reads all
-- of the caller's data.
create function private.consume_export_limit() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_sign_in_session();
  perform private.enforce_rate_limit('export', auth.uid(), 6, '1 hour');
end
$$;

grant execute on function private.consume_export_limit() to authenticated;

-- Returns, for the data export, records about the caller from Auth and from tables that users cannot read.
create function private.export_unlinked_records() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  email_address text := (select a.email from public.accounts a where a.user_id = auth.uid());
  sign_ins jsonb := '[]';
begin
  perform private.require_sign_in_session();
  if private.can_access_auth_log('select') then
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
      from private.email_changes c where c.user_id = uid and lower(c.email) <> lower(email_address)),
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = uid),
    'lastMailAboutNewsAt', (select m.mailed_at from private.notification_mails m where m.user_id = uid),
    'devices', (
      select coalesce(jsonb_agg(jsonb_build_object('device', d.device, 'firstSeenAt', d.first_seen_at)
                                order by d.first_seen_at), '[]')
      from private.known_devices d where d.user_id = uid),
    'accessTokens', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', t.name, 'scopes', t.scopes, 'createdAt', t.created_at, 'expiresAt', t.expires_at,
        'lastUsedAt', t.last_used_at) order by t.created_at), '[]')
      from private.access_tokens t where t.user_id = uid),
    'countedCalls', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.bucket, 'since', r.window_start, 'calls', r.hits)
                                order by r.window_start, r.bucket), '[]')
      from private.rate_limits r
      where r.subject = uid::text or lower(r.subject) = lower(email_address)
         or starts_with(lower(r.subject), lower(email_address) || ' ')),
    'recentViews', (
      select coalesce(jsonb_agg(jsonb_build_object('postId', v.post_id, 'hour', v.hour)
                                order by v.hour, v.post_id), '[]')
      from private.post_views v where v.viewer_id = uid),
    'discoverScore', (select s.score from private.creator_scores s where s.user_id = uid),
    'paymentCustomers', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', c.provider, 'reference', c.reference,
                                                   'createdAt', c.created_at) order by c.created_at), '[]')
      from private.payment_customers c where c.user_id = uid),
    'autoPosting', (
      select jsonb_build_object('enabled', x.enabled, 'frequency', x.frequency, 'changedAt', x.changed_at,
                                'lastAutoPost', x.last_auto_post, 'askedAt', x.asked_at)
      from private.auto_posting_settings x where x.user_id = uid),
    'autoPostTimes', (
      select coalesce(jsonb_agg(jsonb_build_object('dueAt', s.due_at, 'state', s.state) order by s.due_at), '[]')
      from private.auto_post_slots s where s.user_id = uid),
    'takenBack', (
      select coalesce(jsonb_agg(jsonb_build_object('news', w.kind, 'to', w.user_id, 'times', w.times, 'since', w.since)
                                order by w.since), '[]')
      from private.notification_withdrawals w where w.actor_id = uid));
end
$$;

grant execute on function private.export_unlinked_records() to authenticated;
