-- What people tell about themselves, each part shown or hidden as they chose, and how a mail address changes.

create function private.is_web_address(address text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select address ~ '^https?://[^\s<>"]+$' and char_length(address) <= 300 $$;

create table public.profile_about (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  studied_at text check (char_length(studied_at) between 1 and 100),
  lives_in text check (char_length(lives_in) between 1 and 100),
  from_location text check (char_length(from_location) between 1 and 100),
  relationship_status text check (relationship_status in
    ('single', 'in-relationship', 'married', 'engaged', 'complicated', 'prefer-not-to-say')),
  gender text check (gender in ('male', 'female', 'non-binary', 'other', 'prefer-not-to-say')),
  age smallint check (age between 13 and 120),
  website text check (private.is_web_address(website)),
  tiktok_url text check (private.is_web_address(tiktok_url)),
  x_url text check (private.is_web_address(x_url)),
  instagram_url text check (private.is_web_address(instagram_url)),
  facebook_url text check (private.is_web_address(facebook_url)),
  pinterest_url text check (private.is_web_address(pinterest_url)),
  twitch_url text check (private.is_web_address(twitch_url)),
  snapchat_url text check (private.is_web_address(snapchat_url)),
  youtube_url text check (private.is_web_address(youtube_url)),
  onlyfans_url text check (private.is_web_address(onlyfans_url)),
  fanfix_url text check (private.is_web_address(fanfix_url)),
  show_studied_at boolean not null default true,
  show_lives_in boolean not null default true,
  show_from boolean not null default true,
  show_relationship_status boolean not null default true,
  show_gender boolean not null default true,
  show_age boolean not null default true,
  show_website boolean not null default true,
  show_social_links boolean not null default true,
  -- Never shown to anybody: only feeds what creators are told of their audience as a whole.
  country text check (country ~ '^[A-Z]{2}$'),
  -- Their consent to posts that a program writes in their name, and whether they see each one first.
  allow_auto_posting boolean not null default false,
  approve_auto_posts boolean not null default false
);
comment on table public.profile_about is
  'What a person told about themselves, with what is hidden: read by them and admins. Others get private.about_of.';

insert into public.profile_about (user_id) select p.id from public.profiles p;

create or replace function private.on_profile_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.person_settings (user_id) values (new.id) on conflict do nothing;
  insert into public.profile_about (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

-- Minutes without a sign of the person after which their pages sign them out; null: never.
alter table public.person_settings add column session_timeout integer check (session_timeout in (15, 30, 60, 240));
grant update (session_timeout) on public.person_settings to authenticated;

alter table public.profile_about enable row level security;
revoke all on public.profile_about from anon, authenticated;
grant select on public.profile_about to authenticated;
grant all on public.profile_about to service_role;

create policy profile_about_alive on public.profile_about as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy profile_about_select on public.profile_about for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- What the caller may know of what somebody told about themselves: null where it is hidden from them, or not told.
-- The person and admins see all of it.
create function private.about_of(owner uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  told public.profile_about;
  everything boolean := coalesce(owner = auth.uid(), false) or private.is_admin();
  links boolean;
begin
  if private.can_view(owner) then select * into told from public.profile_about a where a.user_id = owner; end if;
  links := everything or told.show_social_links;
  return jsonb_build_object(
    'studiedAt', case when everything or told.show_studied_at then told.studied_at end,
    'livesIn', case when everything or told.show_lives_in then told.lives_in end,
    'fromLocation', case when everything or told.show_from then told.from_location end,
    'relationshipStatus', case when everything or told.show_relationship_status then told.relationship_status end,
    'gender', case when everything or told.show_gender then told.gender end,
    'age', case when everything or told.show_age then told.age end,
    'website', case when everything or told.show_website then told.website end,
    'tiktokUrl', case when links then told.tiktok_url end,
    'xUrl', case when links then told.x_url end,
    'instagramUrl', case when links then told.instagram_url end,
    'facebookUrl', case when links then told.facebook_url end,
    'pinterestUrl', case when links then told.pinterest_url end,
    'twitchUrl', case when links then told.twitch_url end,
    'snapchatUrl', case when links then told.snapchat_url end,
    'youtubeUrl', case when links then told.youtube_url end,
    'onlyfansUrl', case when links then told.onlyfans_url end,
    'fanfixUrl', case when links then told.fanfix_url end);
end
$$;
grant execute on function private.about_of(uuid) to anon, authenticated, service_role;

-- Changing ----------------------------------------------------------------------------------------------------

-- Writes what `changes` names of somebody's profile, and leaves the rest: columns of profiles (names), profile_details
-- (bio) and profile_about. Who may do that is for the caller of this function to know.
create function private.write_profile(person uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  told public.profile_about;
begin
  if changes ?| array['username', 'full_name', 'first_name', 'last_name'] then
    update public.profiles p set
      username = coalesce(changes ->> 'username', p.username),
      full_name = coalesce(changes ->> 'full_name', p.full_name),
      first_name = case when changes ? 'first_name' then changes ->> 'first_name' else p.first_name end,
      last_name = case when changes ? 'last_name' then changes ->> 'last_name' else p.last_name end
    where p.id = person;
  end if;
  if changes ? 'bio' then
    update public.profile_details d set bio = changes ->> 'bio' where d.user_id = person;
  end if;
  if changes ? 'phone_number' then
    update public.accounts a set phone_number = coalesce(changes ->> 'phone_number', a.phone_number)
    where a.user_id = person;
  end if;
  select * into told from public.profile_about a where a.user_id = person for update;
  told := jsonb_populate_record(told, changes - 'user_id');
  update public.profile_about a set
    studied_at = told.studied_at, lives_in = told.lives_in, from_location = told.from_location,
    relationship_status = told.relationship_status, gender = told.gender, age = told.age, website = told.website,
    tiktok_url = told.tiktok_url, x_url = told.x_url, instagram_url = told.instagram_url,
    facebook_url = told.facebook_url, pinterest_url = told.pinterest_url, twitch_url = told.twitch_url,
    snapchat_url = told.snapchat_url, youtube_url = told.youtube_url, onlyfans_url = told.onlyfans_url,
    fanfix_url = told.fanfix_url, show_studied_at = told.show_studied_at, show_lives_in = told.show_lives_in,
    show_from = told.show_from, show_relationship_status = told.show_relationship_status,
    show_gender = told.show_gender, show_age = told.show_age, show_website = told.show_website,
    show_social_links = told.show_social_links, country = told.country,
    allow_auto_posting = told.allow_auto_posting, approve_auto_posts = told.approve_auto_posts
  where a.user_id = person and a.* is distinct from told;
end
$$;

-- Changes what `changes` names of the caller's own profile. `is_creator` is the Creator Account switch.
create function private.edit_profile(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.enforce_rate('profile', auth.uid(), 30, '1 minute');
  if (changes ->> 'age')::integer < 18 then
    raise exception 'You must be 18 or older to use this platform.' using errcode = 'PT400';
  end if;
  perform private.write_profile(auth.uid(), changes);
  if (changes ->> 'is_creator')::boolean is distinct from
     (select p.is_creator from public.profiles p where p.id = auth.uid()) and changes ->> 'is_creator' is not null then
    perform private.set_creator((changes ->> 'is_creator')::boolean);
  end if;
end
$$;
grant execute on function private.edit_profile(jsonb) to authenticated;

create function private.on_profile_part_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$$;
create trigger on_profile_details_changed after update on public.profile_details
  for each row when (old.* is distinct from new.*) execute function private.on_profile_part_changed();
create trigger on_profile_about_changed after update on public.profile_about
  for each row when (old.* is distinct from new.*) execute function private.on_profile_part_changed();

-- Another mail address ----------------------------------------------------------------------------------------

-- An address that its owner has yet to confirm, with the link that was mailed to it. The token itself is not kept.
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
  person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  perform private.tell(person, 'profile.changed', jsonb_build_object('userId', person));
  return null;
end
$$;
create trigger on_email_change after insert or update or delete on private.email_changes
  for each row execute function private.on_email_change();

-- The address that the caller wants and has not confirmed yet, null without one.
create function private.pending_email() returns text
language sql stable security definer set search_path = ''
as $$
  select c.email from private.email_changes c
  where c.user_id = auth.uid() and c.created_at > clock_timestamp() - interval '24 hours'
$$;
grant execute on function private.pending_email() to authenticated, service_role;

-- The caller wants another address. True when a mail with the link is to be sent to it; their own address takes back
-- what they wanted before.
create function private.begin_email_change(wanted text, token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_write();
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(wanted)) then
    delete from private.email_changes c where c.user_id = uid;
    return false;
  end if;
  -- Asked for already: the form was saved again for something else. Later the mail may have been lost, and another one
  -- is sent while there are any left.
  if exists (select from private.email_changes c where c.user_id = uid and lower(c.email) = lower(wanted)
                                                   and c.created_at > clock_timestamp() - interval '2 minutes') then
    return false;
  end if;
  if exists (select from public.accounts a where lower(a.email) = lower(wanted)) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  if lower(private.pending_email()) = lower(wanted) then
    if private.take_rate('email change', uid::text, 5, '1 hour') > 0 then return false; end if;
  else
    perform private.enforce_rate('email change', uid, 5, '1 hour');
  end if;
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, lower(wanted), private.reset_token_hash(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return true;
end
$$;
grant execute on function private.begin_email_change(text, text) to authenticated;

-- Takes back what was wanted with a link that could not be mailed.
create function private.drop_email_change(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.email_changes c where c.token_hash = private.reset_token_hash(token) $$;
grant execute on function private.drop_email_change(text) to service_role;

-- Spends the link of an address: from now on it is the person's. Wrong links count against the network address, as
-- those for passwords do. Answers who it was and their address of before; no row for a link that is not good.
create function private.confirm_email_change(token text, address text)
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
  select a.email into old_email from public.accounts a where a.user_id = changing.user_id for update;
  if exists (select from public.accounts a where lower(a.email) = lower(changing.email)) then
    raise exception 'Email is already registered' using errcode = 'PT409', detail = 'email_taken';
  end if;
  -- Whoever reads the old mailbox holds no link to a new password any more. Newer versions of Auth keep such links in a
  -- table of their own, and want an empty text for none; ours would find an empty text, and wants null.
  update auth.users u
  set email = changing.email, recovery_token = case when to_regclass('auth.one_time_tokens') is not null then '' end
  where u.id = changing.user_id;
  if has_table_privilege(to_regclass('auth.one_time_tokens'), 'select')
     and has_table_privilege(to_regclass('auth.one_time_tokens'), 'delete') then
    delete from auth.one_time_tokens t where t.user_id = changing.user_id;
  end if;
  -- Newer versions of Auth keep the address of the way to sign in, too.
  if to_regclass('auth.identities') is not null then
    update auth.identities i
    set identity_data = i.identity_data::jsonb || jsonb_build_object('email', changing.email, 'email_verified', true)
    where i.user_id = changing.user_id and i.provider = 'email';
  end if;
  person := changing.user_id;
  new_email := changing.email;
  return next;
end
$$;
grant execute on function private.confirm_email_change(text, text) to service_role;

-- Signs a person out everywhere. Whoever takes their account back this way takes back, too, what a thief asked for.
create or replace function private.end_sessions(person uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.email_changes c where c.user_id = person;
  delete from auth.sessions s where s.user_id = person;
$$;

revoke execute on all functions in schema private from public;
