-- What admins do with people: approve, suspend, remove, make creators, edit. Admins themselves are exempt from all but
-- the editing, and each deed is a row of the audit log.

alter table public.accounts
  -- Who vouched for it, and when.
  add column approved_at timestamptz,
  add column approved_by uuid,
  -- A suspension without an end is lifted by hand.
  add column suspended_at timestamptz,
  add column suspended_until timestamptz,
  add column suspension_reason text check (char_length(suspension_reason) <= 1000),
  -- The case that it came of.
  add column suspension_case uuid,
  add check ((suspended_at is null) = (suspension_reason is null)),
  add check (suspended_until is null or suspended_at is not null);
create index accounts_suspended_until_idx on public.accounts (suspended_until) where suspended_until is not null;
-- All but who vouched: which admin it was is for admins, through private.approver_of.
revoke select on public.accounts from authenticated;
grant select (user_id, email, phone_number, adult_confirmed_at, read_only_reason, approved_at, suspended_at,
              suspended_until, suspension_reason, suspension_case)
  on public.accounts to authenticated;

-- Read-only ---------------------------------------------------------------------------------------------------

-- Why an account may not change anything, in words for its owner; null when it may. Admins are exempt.
create function private.reason_to_refuse(held public.accounts) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p.is_admin then null
    when held.suspended_at is not null then
      'Suspended' || coalesce(to_char(held.suspended_until at time zone 'UTC', '" until" FMDD FMMonth YYYY, HH24:MI "UTC"'), '')
      || ': ' || held.suspension_reason
    when (select t.age < 18 from public.profile_about t where t.user_id = held.user_id) then
      'You must be 18 or older to use this platform.'
    when held.approved_at is null and private.setting_on('require_approval') then
      'This account waits to be approved by the team.' end
  from public.profiles p where p.id = held.user_id
$$;

-- Looks again at what an account may do, after something changed that decides it. Of two such changes at once the second
-- waits, and sees both.
create function private.weigh_account(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = person for update;
  update public.accounts a set read_only_reason = private.reason_to_refuse(a)
  where a.user_id = person and a.read_only_reason is distinct from private.reason_to_refuse(a);
end
$$;

create function private.on_account_weight_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.weigh_account((to_jsonb(new) ->> tg_argv[0])::uuid);
  return null;
end
$$;
create trigger on_account_made after insert on public.accounts
  for each row execute function private.on_account_weight_changed('user_id');
create trigger on_account_held after update of approved_at, suspended_at, suspended_until, suspension_reason on public.accounts
  for each row execute function private.on_account_weight_changed('user_id');
create trigger on_age_changed after update of age on public.profile_about
  for each row when (old.age is distinct from new.age) execute function private.on_account_weight_changed('user_id');
create trigger on_admin_made after update of is_admin on public.profiles
  for each row when (old.is_admin is distinct from new.is_admin) execute function private.on_account_weight_changed('id');

-- Their own pages show at once what they may do, and why not.
create function private.on_read_only_told() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$$;
create trigger on_read_only_told after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_read_only_told();

-- Whoever has to be approved is looked at again when that is switched on or off.
create function private.on_setting_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- An account that is being made or changed meanwhile is seen, or sees this.
  lock table public.accounts in share row exclusive mode;
  update public.accounts a set read_only_reason = private.reason_to_refuse(a)
  where a.approved_at is null and a.suspended_at is null
    and a.read_only_reason is distinct from private.reason_to_refuse(a);
  return null;
end
$$;
create trigger on_setting_changed after insert or update on private.settings
  for each row when (new.key = 'require_approval') execute function private.on_setting_changed();

-- Suspensions that are over end. Answers how many.
create function private.lift_suspensions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lifted integer;
begin
  update public.accounts a set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id in (select d.user_id from public.accounts d where d.suspended_until <= clock_timestamp()
                      order by d.user_id for update skip locked);
  get diagnostics lifted = row_count;
  return lifted;
end
$$;
grant execute on function private.lift_suspensions() to service_role;

-- Admins' deeds -----------------------------------------------------------------------------------------------

-- Refuses whoever is no admin, a person that there is not, and one who is an admin.
create function private.require_manageable(person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  exempt boolean;
begin
  perform private.require_admin();
  select p.is_admin into exempt from public.profiles p where p.id = person;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  if exempt then
    raise exception 'Admins are exempt from this.' using errcode = 'PT403', detail = 'target_is_admin';
  end if;
end
$$;
grant execute on function private.require_manageable(uuid) to authenticated;

-- Vouches for an account. Again, it changes nothing.
create function private.approve_account(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(person);
  update public.accounts a set approved_at = clock_timestamp(), approved_by = auth.uid()
  where a.user_id = person and a.approved_at is null;
  if found then perform private.audit(auth.uid(), 'account.approve', person); end if;
end
$$;

-- Who vouched for an account, for admins; null to everybody else.
create function private.approver_of(person uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return null; end if;
  return (select a.approved_by from public.accounts a where a.user_id = person);
end
$$;
grant execute on function private.approver_of(uuid) to authenticated;

-- Suspends somebody, as private.moderate does: `days` long, with null until it is lifted. The same said again within a
-- minute is a second click, and changes nothing.
create function private.suspend_person(person uuid, why text, days integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(person);
  perform pg_advisory_xact_lock(hashtextextended('suspend:' || person::text, 0));
  if not exists (
    select from public.accounts a
    where a.user_id = person and a.suspended_at > clock_timestamp() - interval '1 minute'
      and a.suspension_reason = btrim(why)
      and coalesce(a.suspended_until - a.suspended_at, '0') - make_interval(days => coalesce(days, 0))
          between interval '-1 second' and interval '1 second') then
    perform private.moderate('user', person, 'suspend', why, days, false, false);
  end if;
end
$$;

-- Ends a suspension before its time.
create function private.lift_suspension(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(person);
  perform private.lock_counters(array[person]);
  update public.accounts a set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id = person and a.suspended_at is not null;
  if not found then return; end if;
  perform private.notify_person(person, null, 'moderation', said => 'Your suspension was lifted. Welcome back.');
  perform private.audit(auth.uid(), 'account.unsuspend', person);
end
$$;

-- Addresses with which nobody registers: of accounts that an admin removed, and of suspended ones that left by
-- themselves, until the suspension would have ended. Kept as salted hashes, as nothing else of the person is.
create table private.barred_addresses (
  hash bytea primary key,
  -- Null: until an operator admits it.
  until timestamptz,
  -- The case that suspended the account: granted an appeal, it bars no longer. Null for one that was removed.
  case_id uuid
);
insert into private.settings (key, value) values ('address_salt', to_jsonb(gen_random_uuid()));

create function private.address_hash(address text) returns bytea
language sql stable security definer set search_path = ''
as $$
  select sha256(convert_to(lower(btrim(address)) || (s.value #>> '{}'), 'UTF8'))
  from private.settings s where s.key = 'address_salt'
$$;

create function private.bar_address(address text, ending timestamptz default null, suspending uuid default null)
returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.barred_addresses as b (hash, until, case_id)
  values (private.address_hash(address), ending, suspending)
  on conflict (hash) do update
  set until = case when b.until is null or excluded.until is null then null else greatest(b.until, excluded.until) end,
      case_id = case when b.case_id is null or excluded.case_id is null then null else excluded.case_id end
$$;

create function private.is_barred(address text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.barred_addresses b
                 where b.hash = private.address_hash(address) and (b.until is null or b.until > now()))
$$;
grant execute on function private.is_barred(text) to service_role;

-- The operator's way to let somebody register again. Not granted to any API role.
create function private.admit_address(address text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.barred_addresses b where b.hash = private.address_hash(address);
  if not found then raise exception 'The address % is not barred', address; end if;
end
$$;

create function private.refuse_barred() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_barred(new.email) then
    raise exception 'This email address cannot be used here' using errcode = 'PT400';
  end if;
  return new;
end
$$;
create trigger refuse_barred before insert on auth.users for each row execute function private.refuse_barred();

create function private.on_suspended_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.bar_address(old.email, old.suspended_until, old.suspension_case);
  return null;
end
$$;
create trigger on_suspended_gone after delete on public.accounts for each row
  when (old.suspended_at is not null and (old.suspended_until is null or old.suspended_until > clock_timestamp()))
  execute function private.on_suspended_gone();

-- Removes an account, as its owner's own deletion does, and bars its address. A balance that could be paid out refuses, unless it is given up
-- explicitly. Answers the address that is to be written to about it.
create function private.remove_person(person uuid, why text, give_up boolean) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  address text;
begin
  perform private.require_manageable(person);
  -- Whoever removes them at the same moment is waited for: then there is nobody left to remove.
  perform private.hold_what_goes(person);
  select a.email into address from public.accounts a where a.user_id = person for update;
  perform private.remove_account(person, give_up);
  perform private.bar_address(address);
  perform private.audit(auth.uid(), 'account.remove', person,
                        changed => jsonb_build_object('reason', btrim(why), 'gaveUpBalance', give_up));
  return address;
end
$$;

-- Makes somebody a creator (`wanted` true), or no longer one; without `wanted`, the other than they are.
create function private.set_creator_of(person uuid, wanted boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  target boolean;
begin
  perform private.require_manageable(person);
  update public.profiles p set is_creator = not p.is_creator
  where p.id = person and p.is_creator is distinct from wanted
  returning p.is_creator into target;
  if found then
    perform private.audit(auth.uid(), 'account.creator', person, changed => jsonb_build_object('isCreator', target));
  end if;
end
$$;

-- Another address for somebody, from now on. Whoever reads the old mailbox holds no link to a new password any more.
create function private.move_email(person uuid, address text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.accounts a where a.user_id = person for update;
  -- Whoever asks for the same address at this moment waits, and finds it taken.
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(address), 0));
  if exists (select from public.accounts a where lower(a.email) = lower(address) and a.user_id <> person) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  if private.is_barred(address) then
    raise exception 'This email address cannot be used here' using errcode = 'PT400';
  end if;
  -- Newer versions of Auth keep such links in a table of their own, and want an empty text for none; ours would find an
  -- empty text, and wants null.
  update auth.users u
  set email = address, recovery_token = case when to_regclass('auth.one_time_tokens') is not null then '' end
  where u.id = person;
  if has_table_privilege(to_regclass('auth.one_time_tokens'), 'select')
     and has_table_privilege(to_regclass('auth.one_time_tokens'), 'delete') then
    delete from auth.one_time_tokens t where t.user_id = person;
  end if;
  -- Newer versions of Auth keep the address of the way to sign in, too.
  if to_regclass('auth.identities') is not null then
    update auth.identities i
    set identity_data = i.identity_data::jsonb || jsonb_build_object('email', address, 'email_verified', true)
    where i.user_id = person and i.provider = 'email';
  end if;
end
$$;

create or replace function private.confirm_email_change(token text, address text)
returns table (wait integer, person uuid, old_email text, new_email text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  changing private.email_changes;
begin
  wait := private.take_rate('email_token', address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.reset_token_hash(token)
  returning * into changing;
  if not found or changing.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.give_back_rate('email_token', address, '1 hour');
  -- The table before its row: the switch for approvals holds it, and then each row.
  lock table public.accounts in row exclusive mode;
  select a.email into old_email from public.accounts a where a.user_id = changing.user_id for update;
  perform private.move_email(changing.user_id, changing.email);
  person := changing.user_id;
  new_email := changing.email;
  return next;
end
$$;

-- Changes what `changes` names of somebody's profile, as private.write_profile takes it, and beside it: email,
-- allow_direct_messages, show_follower_count, content_discoverable, show_in_directory, and the addresses of pictures that
-- the caller uploaded (profile_image_url, background_image_url; null takes a picture away, the present one stays).
-- An admin's address is changed by themselves alone, in their settings: who reads the mailbox can become its owner. Nobody
-- agrees to auto-posting for somebody else. Answers the mail address of before where it was changed. The log says which fields, not what was in them: it outlives
-- the account.
create function private.edit_person(person uuid, changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  before_email text;
  uploaded text;
  which text;
  before jsonb;
  after jsonb;
begin
  perform private.require_admin();
  -- Held, so that of two edits at once the log says what each of them changed.
  perform from public.profiles p where p.id = person for no key update;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  before := private.profile_facts(person);
  perform private.write_profile(person, changes
    - '{email,profile_image_url,background_image_url,allow_auto_posting,approve_auto_posts}'::text[]);
  update public.profiles p set
    allow_direct_messages = coalesce((changes ->> 'allow_direct_messages')::boolean, p.allow_direct_messages),
    show_follower_count = coalesce((changes ->> 'show_follower_count')::boolean, p.show_follower_count),
    content_discoverable = coalesce((changes ->> 'content_discoverable')::boolean, p.content_discoverable),
    show_in_directory = coalesce((changes ->> 'show_in_directory')::boolean, p.show_in_directory)
  where p.id = person
    and changes ?| array['allow_direct_messages', 'show_follower_count', 'content_discoverable', 'show_in_directory'];
  foreach which in array array['profile', 'background'] loop
    continue when not changes ? (which || '_image_url')
      or changes ->> (which || '_image_url') is not distinct from before ->> (which || 'ImageUrl');
    uploaded := private.avatar_path(changes ->> (which || '_image_url'));
    if changes ->> (which || '_image_url') is not null and not exists (
      select from private.doomed_files f
      where f.bucket = 'avatars' and f.path = uploaded and f.path like auth.uid()::text || '/%' for update) then
      raise exception 'This upload cannot be used. Please choose the file again.'
        using errcode = 'PT400', detail = 'media_not_usable';
    end if;
    perform private.write_image(person, which, uploaded);
  end loop;
  if changes ->> 'email' is not null then
    lock table public.accounts in row exclusive mode;
    select a.email into before_email from public.accounts a where a.user_id = person for update;
    if lower(before_email) <> lower(changes ->> 'email')
       and exists (select from public.profiles p where p.id = person and p.is_admin) then
      raise exception 'An admin’s email address is changed by themselves, in their settings.'
        using errcode = 'PT403', detail = 'target_is_admin';
    end if;
    if before_email is distinct from changes ->> 'email' then
      delete from private.email_changes c where c.user_id = person;
      perform private.move_email(person, changes ->> 'email');
    else
      before_email := null;
    end if;
  end if;
  after := private.profile_facts(person);
  if after is distinct from before then
    perform private.audit(auth.uid(), 'account.edit', person, changed => jsonb_build_object('fields', (
      select jsonb_agg(a.key order by a.key) from jsonb_each(after) a
      where a.value is distinct from before -> a.key)));
  end if;
  return before_email;
end
$$;

-- What an admin may have changed, by the names that the API gives it.
create function private.profile_facts(person uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
      'username', p.username, 'fullName', p.full_name, 'firstName', p.first_name, 'lastName', p.last_name,
      'profileImageUrl', p.profile_image_url, 'backgroundImageUrl', d.background_image_url, 'bio', d.bio,
      'email', a.email, 'phoneNumber', a.phone_number, 'allowDirectMessages', p.allow_direct_messages,
      'showFollowerCount', p.show_follower_count, 'makeProfileDiscoverable', p.content_discoverable,
      'showProfileInDirectory', p.show_in_directory)
    || (to_jsonb(t) - 'user_id')
  from public.profiles p
  join public.profile_details d on d.user_id = p.id
  join public.accounts a on a.user_id = p.id
  join public.profile_about t on t.user_id = p.id
  where p.id = person
$$;

grant execute on function private.approve_account(uuid), private.suspend_person(uuid, text, integer),
  private.lift_suspension(uuid),
  private.remove_person(uuid, text, boolean), private.set_creator_of(uuid, boolean),
  private.edit_person(uuid, jsonb) to authenticated;

-- Finding people ----------------------------------------------------------------------------------------------

-- What admins look for and filter by, of each account, in one narrow place: among a hundred thousand of them even two
-- letters, for which no index helps, are found in the time of reading it once. Kept by triggers.
create table private.account_search (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  is_creator boolean not null,
  is_admin boolean not null,
  is_approved boolean not null,
  is_suspended boolean not null,
  -- Name, username and mail address, as private.fold writes them.
  words text not null
);
create index account_search_created_at_idx on private.account_search (created_at desc, user_id desc);
create index account_search_creators_idx on private.account_search (created_at desc, user_id desc) where is_creator;
create index account_search_admins_idx on private.account_search (created_at desc, user_id desc) where is_admin;
create index account_search_suspended_idx on private.account_search (created_at desc, user_id desc) where is_suspended;
create index account_search_unapproved_idx on private.account_search (created_at desc, user_id desc)
  where not is_approved and not is_admin;
create index account_search_words_idx on private.account_search using gin (words extensions.gin_trgm_ops);

-- What belongs there, of everybody.
create view private.searched_accounts as
  select p.id as user_id, p.created_at, p.is_creator, p.is_admin, a.approved_at is not null as is_approved,
         a.suspended_at is not null as is_suspended, p.search_text || ' ' || private.fold(a.email) as words
  from public.profiles p join public.accounts a on a.user_id = p.id;

insert into private.account_search select * from private.searched_accounts;

create function private.on_account_to_find() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_search as t
  select * from private.searched_accounts s where s.user_id = (to_jsonb(new) ->> tg_argv[0])::uuid
  on conflict (user_id) do update
    set created_at = excluded.created_at, is_creator = excluded.is_creator, is_admin = excluded.is_admin,
        is_approved = excluded.is_approved, is_suspended = excluded.is_suspended, words = excluded.words
    where t.* is distinct from excluded.*;
  return null;
end
$$;
create trigger on_account_to_find after insert or update of email, approved_at, suspended_at on public.accounts
  for each row execute function private.on_account_to_find('user_id');
create trigger on_profile_to_find after update on public.profiles
  for each row when ((old.created_at, old.is_creator, old.is_admin, old.search_text)
                     is distinct from (new.created_at, new.is_creator, new.is_admin, new.search_text))
  execute function private.on_account_to_find('id');

-- Which of them, `t`, a search finds: the condition as text, with the pattern of private.found_by as $1.
create function private.search_condition(term text, only_these text) returns text
language sql immutable set search_path = ''
as $$
  select case when btrim(term) = '' then 'true' else 't.words like $1' end || case only_these
    when 'creators' then ' and t.is_creator'
    when 'admins' then ' and t.is_admin'
    when 'suspended' then ' and t.is_suspended'
    when 'unapproved' then ' and not t.is_approved and not t.is_admin'
    when 'auto_posting' then ' and t.user_id in (select x.user_id from private.auto_posting x where x.enabled)'
    else '' end
$$;

create function private.found_by(term text) returns text
language sql immutable set search_path = ''
as $$
  select '%' || replace(replace(replace(w, '\', '\\'), '%', '\%'), '_', '\_') || '%'
  from (select btrim(regexp_replace(private.fold(term), '(^|\s)@|\s+', ' ', 'g')) as w) t
$$;

-- The accounts that `term` finds in name, username or email (all with an empty one), of those that `only_these` names
-- (all, creators, admins, suspended, unapproved, auto_posting): a page of them, the newest first, behind `after_time`
-- and `after_id` (from the first with null).
create function private.find_accounts(
  term text, only_these text, after_time timestamptz, after_id uuid, skipped integer, most integer
) returns table (person_id uuid, joined_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
begin
  perform private.require_admin();
  return query execute 'select t.user_id, t.created_at from private.account_search t where '
    || private.search_condition(term, only_these)
    || case when after_id is not null then ' and (t.created_at, t.user_id) < ($2, $3)' else '' end
    || ' order by t.created_at desc, t.user_id desc offset $4 limit $5'
    using private.found_by(term), after_time, after_id, skipped, most;
end
$$;

-- How many there are of them.
create function private.count_accounts(term text, only_these text) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  found integer;
begin
  perform private.require_admin();
  execute 'select count(*) from private.account_search t where ' || private.search_condition(term, only_these)
    into found using private.found_by(term);
  return found;
end
$$;

-- How many of what there is, for the head of the panel.
create function private.count_platform() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'totalUsers', (select count(*) from private.account_search),
    'creators', (select count(*) from private.account_search t where t.is_creator),
    'admins', (select count(*) from private.account_search t where t.is_admin),
    'suspended', (select count(*) from private.account_search t where t.is_suspended),
    'newThisWeek', (select count(*) from private.account_search t where t.created_at > now() - interval '7 days'),
    'openCases', (select count(*) from public.moderation_cases c where c.state = 'open'),
    'openAppeals', (select count(*) from public.moderation_cases c where c.state = 'appealed'),
    'waitingPayouts', (select count(*) from public.payouts p where p.state = 'requested'));
end
$$;
grant execute on function private.find_accounts(text, text, timestamptz, uuid, integer, integer),
  private.count_accounts(text, text), private.count_platform() to authenticated;

-- Settings of the instance ------------------------------------------------------------------------------------

-- The switches that admins see and turn: require_approval, creator_pro_billing, and those of auto-posting.
create function private.instance_settings() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_object_agg(s.key, s.value) from private.settings s
          where s.key in ('require_approval', 'creator_pro_billing', 'auto_posting', 'banned_words'));
end
$$;

-- Changes those that `changes` names: a setting that holds several things is changed in those that are named.
create function private.change_settings(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  named record;
  now_set jsonb;
  done jsonb := '[]';
begin
  perform private.require_admin();
  for named in select e.key, e.value from jsonb_each(changes) e order by e.key loop
    if named.key not in ('require_approval', 'creator_pro_billing', 'auto_posting', 'banned_words') then
      raise exception 'There is no such setting.' using errcode = 'PT400';
    end if;
    select s.value into now_set from private.settings s where s.key = named.key for update;
    if jsonb_typeof(named.value) = 'object' then named.value := coalesce(now_set, '{}') || named.value; end if;
    if named.key = 'auto_posting' and (named.value ->> 'fromHour')::integer >= (named.value ->> 'toHour')::integer then
      raise exception 'Auto-posting has to begin before it ends.' using errcode = 'PT400';
    end if;
    if now_set is distinct from named.value then
      perform private.set_setting(named.key, named.value);
      done := done || jsonb_build_object('key', named.key, 'change',
        -- Which words are banned is no secret, and long.
        case when named.key = 'banned_words' then jsonb_build_object('words', jsonb_array_length(named.value))
             else jsonb_build_object('from', now_set, 'to', named.value) end);
    end if;
  end loop;
  -- Last: who holds the log waits for nobody.
  for named in select e.value ->> 'key' as key, e.value -> 'change' as value from jsonb_array_elements(done) e loop
    perform private.audit(auth.uid(), 'settings.change', thing => named.key, changed => named.value);
  end loop;
end
$$;
grant execute on function private.instance_settings(), private.change_settings(jsonb) to authenticated;

-- Posts on behalf of somebody ---------------------------------------------------------------------------------

-- An upload of somebody's that nothing uses yet, held until the end of the transaction.
create function private.take_media_of(uploader uuid, upload uuid, wanted_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken public.media;
begin
  select * into taken from public.media m
  where m.id = upload and m.owner_id = uploader and m.kind = wanted_kind and m.state = 'ready'
  for update;
  if not found or private.is_used(upload) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return taken;
end
$$;

create or replace function private.take_media(upload uuid, wanted_kind text) returns public.media
language sql volatile security definer set search_path = ''
as $$ select private.take_media_of(auth.uid(), upload, wanted_kind) $$;

-- What wrote it, where it was not its author: 'ai'.
alter table public.posts add column made_by text check (made_by in ('ai'));

-- Stores a post of `author` with uploads of `uploader`, which become the author's. `price` null: for everybody who may
-- see it, else in US dollars. False when a post of this id is stored already. Who may do that is for its callers to know.
create function private.store_post(
  author uuid, uploader uuid, post uuid, written text, price numeric, shown_teaser text, image uuid, video uuid,
  still uuid, described text, writer text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  seen public.media;
  poster public.media;
  paid boolean := price is not null;
begin
  -- Sent again while it is on its way, it waits, and finds itself stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || post::text, 0));
  if exists (select from public.posts p where p.id = post) then return false; end if;
  if private.is_blank(written) and image is null and video is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image is not null then
    seen := private.take_media_of(uploader, image, 'image');
  elsif video is not null then
    seen := private.take_media_of(uploader, video, 'video');
    if still is not null then poster := private.take_media_of(uploader, still, 'image'); end if;
  end if;
  if author <> uploader then
    update public.media m set owner_id = author where m.id in (seen.id, poster.id);
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, made_by,
                            media_type, media_width, media_height, placeholder, media_id, poster_id, alt_text)
  values (post, author, case when paid then '' else written end, paid, price,
          case when paid then nullif(shown_teaser, '') end, writer,
          seen.kind, coalesce(seen.width, poster.width), coalesce(seen.height, poster.height),
          coalesce(seen.placeholder, poster.placeholder),
          case when not paid then seen.id end, case when not paid then poster.id end,
          case when not paid and seen.id is not null then nullif(described, '') end)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (post, author, written, seen.id, poster.id, case when seen.id is not null then nullif(described, '') end);
  end if;
  return true;
end
$$;

create or replace function private.publish_post(
  post uuid, written text, price numeric, shown_teaser text, image uuid, video uuid, still uuid, described text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_publish(price is not null);
  return private.store_post(auth.uid(), auth.uid(), post, written, price, shown_teaser, image, video, still, described);
end
$$;

-- Refuses whoever may not post for this person: it is for creators, and for those who may post themselves.
create function private.require_post_for(person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_manageable(person);
  if not exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                 where p.id = person and p.is_creator and a.read_only_reason is null) then
    raise exception 'Posts can be created for creators only, while they may post themselves.'
      using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;
grant execute on function private.require_post_for(uuid) to authenticated;

-- The same for a creator, by an admin, with uploads of the admin's. The creator is told.
create function private.publish_post_for(
  person uuid, post uuid, written text, price numeric, image uuid, video uuid, still uuid, described text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_post_for(person);
  if not private.store_post(person, auth.uid(), post, written, price, null, image, video, still, described) then
    return false;
  end if;
  perform private.lock_counters(array[person]);
  perform private.notify_person(person, null, 'admin', post, said => 'The team published a post in your name.');
  perform private.audit(auth.uid(), 'post.create', person, post::text,
                        jsonb_build_object('premium', price is not null));
  return true;
end
$$;
grant execute on function private.publish_post_for(uuid, uuid, text, numeric, uuid, uuid, uuid, text) to authenticated;

revoke execute on all functions in schema private from public;
