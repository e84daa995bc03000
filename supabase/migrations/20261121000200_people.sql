-- People: what everybody may know of them, what their profile shows to whom, and what only they and admins see.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,30}$'),
  full_name text not null check (char_length(full_name) between 2 and 80),
  first_name text check (char_length(first_name) between 1 and 80),
  last_name text check (char_length(last_name) between 1 and 80),
  profile_image_url text,
  is_creator boolean not null default false,
  is_admin boolean not null default false,
  visibility text not null default 'public' check (visibility in ('public', 'followers', 'private')),
  allow_direct_messages boolean not null default true,
  show_follower_count boolean not null default true,
  content_discoverable boolean not null default true,
  show_in_directory boolean not null default true,
  created_at timestamptz not null default now(),
  search_text text not null generated always as (lower(username || ' ' || full_name)) stored
);
comment on table public.profiles is 'Name, picture and privacy of a person: readable by everybody but those in a block with them.';
create unique index profiles_username_key on public.profiles (lower(username));
create index profiles_created_at_idx on public.profiles (created_at, id);
create index profiles_search_idx on public.profiles using gin (search_text extensions.gin_trgm_ops);

create table public.profile_details (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  bio text check (char_length(bio) <= 500),
  background_image_url text
);
comment on table public.profile_details is 'What profileVisibility covers.';

create table public.profile_counts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  posts integer not null default 0 check (posts >= 0),
  followers integer not null default 0 check (followers >= 0),
  following integer not null default 0 check (following >= 0),
  subscribers integer not null default 0 check (subscribers >= 0)
);
comment on table public.profile_counts is 'Kept by triggers; hidden from others when show_follower_count is off.';

create table public.accounts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  phone_number text not null check (char_length(phone_number) between 10 and 32),
  adult_confirmed_at timestamptz not null,
  read_only_reason text
);
comment on table public.accounts is 'What only the person and admins may read. A read_only_reason refuses every write.';
create unique index accounts_email_key on public.accounts (lower(email));

create table public.user_counters (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  unread_messages integer not null default 0 check (unread_messages >= 0),
  unread_notifications integer not null default 0 check (unread_notifications >= 0)
);
comment on table public.user_counters is 'Unread counts, kept by triggers in the transaction that changes them.';

create table public.blocks (
  blocker_id uuid not null references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked_id_idx on public.blocks (blocked_id, blocker_id);

create table public.follows (
  follower_id uuid not null references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
create index follows_followee_id_idx on public.follows (followee_id, created_at desc, follower_id desc);

create table public.follow_requests (
  follower_id uuid not null references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
create index follow_requests_followee_id_idx on public.follow_requests (followee_id, created_at desc);

-- Rules -------------------------------------------------------------------------------------------------------

-- The caller's token belongs to a session that has not been ended. Asked by a restrictive policy on every table,
-- so that signing out, removal and suspension hold at the next statement whatever the token's own life.
create function private.session_alive() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from auth.sessions s
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  );
end
$$;

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select p.is_admin from public.profiles p where p.id = (select auth.uid())), false);
end
$$;

-- The caller may change things at all: a living session of an account that is not read-only.
create function private.may_write() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.session_alive() and exists (
    select from public.accounts a where a.user_id = (select auth.uid()) and a.read_only_reason is null
  );
end
$$;

-- For functions and triggers: says in words what the policies would refuse without any.
create function private.require_write() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.session_alive() then
    raise exception 'This session has been ended.' using errcode = '42501';
  end if;
  if not private.may_write() then
    raise exception 'This account is read-only.' using errcode = 'PT403', detail = 'account_read_only';
  end if;
end
$$;

-- Everybody who is in a block with the caller, whichever side made it.
create function private.blocked_ids() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  return array(
    select b.blocked_id from public.blocks b where b.blocker_id = uid
    union all
    select b.blocker_id from public.blocks b where b.blocked_id = uid
  );
end
$$;

create function private.are_blocked(a uuid, b uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.blocks x where x.blocker_id = a and x.blocked_id = b)
      or exists (select from public.blocks x where x.blocker_id = b and x.blocked_id = a);
end
$$;

-- The rule of profileVisibility and of blocks, the only place where it stands: the people whose profile, posts and
-- (unless hidden) counts the caller may read. Decided when reading, so going private also hides what was there
-- before. A view with its owner's rights, in a schema that no API exposes: policies on hot tables look one row up in
-- it, which costs less than a function call for each row.
create view private.viewable_profiles as
  select p.id
  from public.profiles p
  where p.id = (select auth.uid())
     or (
       (p.visibility = 'public' or (p.visibility = 'followers' and exists (
         select from public.follows f where f.follower_id = (select auth.uid()) and f.followee_id = p.id)))
       and p.id <> all ((select private.blocked_ids())::uuid[])
     )
     or (select private.is_admin());
grant select on private.viewable_profiles to anon, authenticated, service_role;

-- The same question for one person, for functions and the API.
create function private.can_view(owner uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from private.viewable_profiles v where v.id = owner);
end
$$;

-- The caller may see this person's counts, followers and following.
create function private.can_view_counts(owner uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if owner = auth.uid() or private.is_admin() then return true; end if;
  return private.can_view(owner)
     and exists (select from public.profiles p where p.id = owner and p.show_follower_count);
end
$$;

-- Why the caller may not write to this person now; null when they may. The texts are the API's error codes.
create function private.message_refusal(receiver uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  allows boolean;
begin
  select p.allow_direct_messages into allows from public.profiles p where p.id = receiver;
  if not found or receiver = uid or private.are_blocked(uid, receiver) then return 'recipient_not_found'; end if;
  if not allows then return 'direct_messages_disabled'; end if;
  if not private.may_write() then return 'account_read_only'; end if;
  return null;
end
$$;

grant execute on function private.session_alive(), private.is_admin(), private.may_write(),
  private.require_write(), private.blocked_ids(),
  private.are_blocked(uuid, uuid), private.can_view(uuid), private.can_view_counts(uuid),
  private.message_refusal(uuid) to anon, authenticated, service_role;

-- Rights ------------------------------------------------------------------------------------------------------

alter table public.profiles enable row level security;
alter table public.profile_details enable row level security;
alter table public.profile_counts enable row level security;
alter table public.accounts enable row level security;
alter table public.user_counters enable row level security;
alter table public.blocks enable row level security;
alter table public.follows enable row level security;
alter table public.follow_requests enable row level security;

revoke all on public.profiles, public.profile_details, public.profile_counts, public.accounts, public.user_counters,
  public.blocks, public.follows, public.follow_requests from anon, authenticated;
grant select on public.profiles, public.profile_details, public.profile_counts to anon, authenticated;
grant select on public.accounts, public.user_counters to authenticated;
grant update (visibility, allow_direct_messages, show_follower_count, content_discoverable, show_in_directory)
  on public.profiles to authenticated;
grant select, delete on public.blocks, public.follows, public.follow_requests to authenticated;
grant insert (blocker_id, blocked_id) on public.blocks to authenticated;
grant insert (follower_id, followee_id) on public.follows, public.follow_requests to authenticated;
grant all on public.profiles, public.profile_details, public.profile_counts, public.accounts, public.user_counters,
  public.blocks, public.follows, public.follow_requests to service_role;

alter table public.blocks alter column blocker_id set default auth.uid();
alter table public.follows alter column follower_id set default auth.uid();
alter table public.follow_requests alter column follower_id set default auth.uid();

create policy profiles_alive on public.profiles as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy profiles_select on public.profiles for select to anon, authenticated
  using (id <> all ((select private.blocked_ids())::uuid[]) or (select private.is_admin()));
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()) and (select private.may_write()));

create policy profile_details_alive on public.profile_details as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy profile_details_select on public.profile_details for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = user_id));

create policy profile_counts_alive on public.profile_counts as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy profile_counts_select on public.profile_counts for select to anon, authenticated
  using (private.can_view_counts(user_id));

create policy accounts_alive on public.accounts as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy accounts_select on public.accounts for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create policy user_counters_alive on public.user_counters as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy user_counters_select on public.user_counters for select to authenticated
  using (user_id = (select auth.uid()));

create policy blocks_alive on public.blocks as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (select auth.uid()) or (select private.is_admin()));
-- A read-only account may still protect itself: blocking asks for a living session only.
create policy blocks_insert on public.blocks for insert to authenticated
  with check (blocker_id = (select auth.uid()));
create policy blocks_delete on public.blocks for delete to authenticated
  using (blocker_id = (select auth.uid()));

create policy follows_alive on public.follows as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- Lists of others come from private.list_follows, which knows who shows theirs.
create policy follows_select on public.follows for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));
-- The select on profiles runs under its own policy, so a blocked person is not found there.
create policy follows_insert on public.follows for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.may_write())
    and (select p.visibility = 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
  );
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

create policy follow_requests_alive on public.follow_requests as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy follow_requests_select on public.follow_requests for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.may_write())
    and (select p.visibility <> 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
    and not exists (select from public.follows f where f.follower_id = follow_requests.follower_id
                                                   and f.followee_id = follow_requests.followee_id)
  );
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Sign-up -----------------------------------------------------------------------------------------------------

-- One row of everything for each new account, from what the registration put into its metadata. A wrong value
-- breaks a check above and takes the whole sign-up back, so no account is ever without its profile.
create function private.on_user_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  meta jsonb := coalesce(new.raw_user_meta_data::jsonb, '{}');
begin
  if (meta ->> 'adult_confirmed') is distinct from 'true' then
    raise exception 'You must be 18 or older to use this platform.' using errcode = 'PT400';
  end if;
  insert into public.profiles (id, username, full_name)
  values (new.id, meta ->> 'username', btrim(meta ->> 'full_name'));
  insert into public.profile_details (user_id) values (new.id);
  insert into public.profile_counts (user_id) values (new.id);
  insert into public.user_counters (user_id) values (new.id);
  insert into public.accounts (user_id, email, phone_number, adult_confirmed_at)
  values (new.id, new.email, meta ->> 'phone_number', now());
  return null;
end
$$;
create trigger on_user_created after insert on auth.users
  for each row execute function private.on_user_created();

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

-- The operator's way to make the first admin. Not granted to any API role.
create function private.grant_admin(account_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p set is_admin = true
  from public.accounts a
  where a.user_id = p.id and lower(a.email) = lower(account_email);
  if not found then raise exception 'No account has the address %', account_email; end if;
end
$$;

revoke execute on all functions in schema private from public;
