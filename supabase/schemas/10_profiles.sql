-- Profiles: users' names, pictures and personal details, the rules for who can see which of these, and settings that
-- only the user reads. Private account data (email, phone number, approval, suspension) is in 16_accounts_and_sessions.
--
-- - Each user has one row in each public table in this file, inserted by triggers at registration and deleted with
--   the row in `profiles`.
-- - Username, name, picture and privacy settings are visible to everybody except users who have blocked the profile's
--   owner or are blocked by them. Visitors cannot read the columns that reveal who is an admin or has opted out of the
--   directory or Discover.
-- - `profiles.visibility` decides who can view the rest of a profile and the user's posts: everybody, followers or only
--   the owner. The rule is `private.viewable_profiles`. It is evaluated on every read, so making a profile private also
--   hides its older content.
-- - The owner and admins see every part of a profile. Only the owner sees `user_settings`.
-- - Clients write only privacy settings and `user_settings` directly. Names, bio and details are changed with
--   `private.update_own_profile`, and profile and cover images with `private.set_own_profile_image`.

-- Profiles --------------------------------------------------------------------------------------------------------

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,30}$'),
  full_name text not null check (char_length(full_name) between 2 and 80),
  first_name text check (char_length(first_name) between 1 and 80),
  last_name text check (char_length(last_name) between 1 and 80),
  -- The URL path of a file in the `avatars` bucket: /storage/v1/object/public/avatars/…
  profile_image_url text,
  is_creator boolean not null default false,
  is_admin boolean not null default false,
  visibility text not null default 'public' check (visibility in ('public', 'followers', 'private')),
  allow_direct_messages boolean not null default true,
  -- Also determines whether others can see the user's lists of followers and followed users.
  show_follower_count boolean not null default true,
  -- Whether people who do not follow the user can find the user's posts in feeds, topics, search and search engines.
  -- See private.discoverable_profiles.
  content_discoverable boolean not null default true,
  -- Whether user search and the user directory include the profile. For exceptions, see private.directory_profiles.
  show_in_directory boolean not null default true,
  created_at timestamptz not null default now(),
  -- Columns for search. See 14_search.
  search_text text not null
    generated always as (private.profile_search_text(username, full_name, first_name, last_name)) stored,
  search_name text not null
    generated always as (private.profile_search_name(full_name, first_name, last_name)) stored,
  search_words tsvector not null
    generated always as (private.profile_search_vector(username, full_name, first_name, last_name)) stored
);

comment on table public.profiles is
  'Names, picture and privacy settings of a user. Readable by admins, and by everybody except users who have blocked the user or are blocked by them.';

create unique index profiles_username_key on public.profiles (lower(username));

-- Indexes for user search: sign-up order, parts of words, prefixes of usernames, prefixes of names, and words.
create index profiles_created_at_idx on public.profiles (created_at, id);

create index profiles_search_grams_idx on public.profiles using gin (private.search_grams(search_text));

create index profiles_search_username_idx on public.profiles ((lower(username) collate "C"));

create index profiles_search_name_idx on public.profiles ((search_name collate "C"), id);

create index profiles_search_words_idx on public.profiles using gin (search_words);

-- Finds lookalikes of a new username. Only creators and admins are worth impersonating.
create index profiles_lookalikes_idx on public.profiles (private.name_skeleton(username))
  where is_creator or is_admin;

create index profiles_admins_idx on public.profiles (id) where is_admin;

-- Featured creators in order of sign-up.
create index profiles_featured_idx on public.profiles (created_at, id)
  where is_creator and content_discoverable and visibility <> 'private';

alter table public.profiles enable row level security;

-- Requires an active session.
create policy profiles_active_session on public.profiles as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody sees a profile, except users who have blocked its owner or are blocked by them. Admins see all profiles.
create policy profiles_select on public.profiles for select to anon, authenticated
  using (id <> all ((select private.blocked_user_ids())::uuid[]) or (select private.is_admin()));

-- Users update their own profile while they can write, but not with an access token.
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()) and (select private.can_write())
              and (select private.is_sign_in_session_active()));

revoke all on public.profiles from anon, authenticated, service_role;
grant select on public.profiles to authenticated;
grant select (id, username, full_name, first_name, last_name, profile_image_url, is_creator, visibility,
  allow_direct_messages, show_follower_count, created_at)
  on public.profiles to anon;
grant all on public.profiles to service_role;
grant update (visibility, allow_direct_messages, show_follower_count, content_discoverable, show_in_directory)
  on public.profiles to authenticated;

create trigger limit_settings before update on public.profiles
  for each row execute function private.limit_writes('settings', '30');

-- The ids of all admins, for the admin badge that visitors see: visitors cannot read `profiles.is_admin`. The view runs
-- with its owner's privileges. The Data API does not expose its schema, so visitors cannot list all admins.
create view private.admins as
  select p.id from public.profiles p where p.is_admin;

grant select on private.admins to anon, authenticated, service_role;

-- Profile details -------------------------------------------------------------------------------------------------

-- The parts of a profile page's header that `profiles.visibility` protects. Counts have a rule of their own; see
-- private.can_view_profile_counts.
create table public.profile_details (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  bio text check (char_length(bio) <= 500),
  background_image_url text,
  -- The words of the bio, for search. See 14_search.
  search_words tsvector not null generated always as (private.text_search_vector(bio)) stored,
  -- The discounts on subscriptions to the user for 3, 6 and 12 months, in percent. Null for a length that the user does
  -- not offer. See 54_subscriptions.
  quarterly_discount smallint check (quarterly_discount between 5 and 50 and quarterly_discount % 5 = 0),
  half_yearly_discount smallint check (half_yearly_discount between 5 and 50 and half_yearly_discount % 5 = 0),
  yearly_discount smallint check (yearly_discount between 5 and 50 and yearly_discount % 5 = 0)
);

create index profile_details_search_words_idx on public.profile_details using gin (search_words);

comment on table public.profile_details is
  'Bio and cover image of a user, and discounts on subscriptions. Readable by those who can view the profile (profiles.visibility).';

alter table public.profile_details enable row level security;

-- Requires an active session.
create policy profile_details_active_session on public.profile_details as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody who can view the profile sees its details.
create policy profile_details_select on public.profile_details for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = user_id));

revoke all on public.profile_details from anon, authenticated, service_role;
grant select on public.profile_details to anon, authenticated;
grant all on public.profile_details to service_role;

-- Profile counts --------------------------------------------------------------------------------------------------

-- Maintained by triggers on posts, follows and subscriptions.
create table public.profile_counts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  posts integer not null default 0 check (posts >= 0),
  followers integer not null default 0 check (followers >= 0),
  following integer not null default 0 check (following >= 0),
  subscribers integer not null default 0 check (subscribers >= 0),
  -- How many of the `posts` have a photo, how many have a video, and how many are premium. A premium post with a photo
  -- or video is counted twice. Posts with neither a photo nor a video are text posts.
  photos integer not null default 0 check (photos >= 0),
  videos integer not null default 0 check (videos >= 0),
  premium_posts integer not null default 0 check (premium_posts >= 0)
);

comment on table public.profile_counts is
  'Maintained by triggers. Readable by those who can view the profile; with show_follower_count off, only by the user and admins.';

alter table public.profile_counts enable row level security;

-- Requires an active session.
create policy profile_counts_active_session on public.profile_counts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody who can view the profile sees its counts, unless the owner hides them. Owners and admins always see them.
create policy profile_counts_select on public.profile_counts for select to anon, authenticated
  using (private.can_view_profile_counts(user_id));

revoke all on public.profile_counts from anon, authenticated, service_role;
grant select on public.profile_counts to anon, authenticated;
grant all on public.profile_counts to service_role;

-- About -----------------------------------------------------------------------------------------------------------

-- Personal details that the user can hide (`show_…`). Only the user and admins can read the table: others get the
-- visible details from private.visible_profile_about.
create table public.profile_about (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  studied_at text check (char_length(studied_at) between 1 and 100),
  lives_in text check (char_length(lives_in) between 1 and 100),
  from_location text check (char_length(from_location) between 1 and 100),
  relationship_status text check (relationship_status in
      ('single', 'in-relationship', 'married', 'engaged', 'complicated', 'prefer-not-to-say')),
  gender text check (gender in ('male', 'female', 'non-binary', 'other', 'prefer-not-to-say')),
  age smallint check (age between 13 and 120),
  website text check (private.is_http_url(website)),
  tiktok_url text check (private.is_http_url(tiktok_url)),
  x_url text check (private.is_http_url(x_url)),
  instagram_url text check (private.is_http_url(instagram_url)),
  facebook_url text check (private.is_http_url(facebook_url)),
  pinterest_url text check (private.is_http_url(pinterest_url)),
  twitch_url text check (private.is_http_url(twitch_url)),
  snapchat_url text check (private.is_http_url(snapchat_url)),
  youtube_url text check (private.is_http_url(youtube_url)),
  onlyfans_url text check (private.is_http_url(onlyfans_url)),
  fanfix_url text check (private.is_http_url(fanfix_url)),
  show_studied_at boolean not null default true,
  show_lives_in boolean not null default true,
  show_from boolean not null default true,
  show_relationship_status boolean not null default true,
  show_gender boolean not null default true,
  show_age boolean not null default true,
  show_website boolean not null default true,
  show_social_links boolean not null default true,
  -- Not shown on the profile, only counted in creators' audience analytics.
  country text check (country ~ '^[A-Z]{2}$'),
  -- Whether posts may be generated in the user's name, and whether the user approves each one first.
  allow_auto_posting boolean not null default false,
  approve_auto_posts boolean not null default false
);

comment on table public.profile_about is
  'Personal details of a user and which of them are hidden. Read by the user and admins; others get private.visible_profile_about.';

alter table public.profile_about enable row level security;

-- Requires an active session.
create policy profile_about_active_session on public.profile_about as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own row; admins see all rows.
create policy profile_about_select on public.profile_about for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on public.profile_about from anon, authenticated, service_role;
grant select on public.profile_about to authenticated;
grant all on public.profile_about to service_role;

-- User settings ---------------------------------------------------------------------------------------------------

-- Notification, presence, session and feed preferences. Separate from profiles because only the owner can read them.
create table public.user_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email_notifications boolean not null default true,
  -- Set to false by the unsubscribe link in emails about unread activity. Unlike `email_notifications`, it does not
  -- turn off security alerts, because anyone to whom such an email is forwarded can open the link.
  activity_mails boolean not null default true,
  push_notifications boolean not null default true,
  new_followers boolean not null default true,
  new_comments boolean not null default true,
  new_likes boolean not null default true,
  subscription_updates boolean not null default true,
  payment_alerts boolean not null default true,
  new_posts boolean not null default true,
  -- Whether similar notifications are shown as one group.
  group_notifications boolean not null default true,
  message_sounds boolean not null default false,
  login_alerts boolean not null default true,
  show_online boolean not null default true,
  show_last_seen boolean not null default true,
  show_typing boolean not null default true,
  -- Minutes of inactivity until the app signs the user out; null for never.
  session_timeout integer check (session_timeout in (15, 30, 60, 240)),
  new_quotes boolean not null default true,
  -- The tabs that the user pinned to the home feed, in their order: 'subscriptions', or a topic with '#'. Null for the
  -- default tabs.
  home_tabs text[] check (
    cardinality(home_tabs) <= 5 and array_ndims(home_tabs) = 1 and array_position(home_tabs, null) is null
    and array_to_string(home_tabs, ' ') ~ '^((subscriptions|#\S{1,50})( |$))*$')
);

comment on table public.user_settings is
  'Notification, presence, session and feed preferences of a user. Readable only by that user.';

alter table public.user_settings enable row level security;

-- Requires an active session.
create policy user_settings_active_session on public.user_settings as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own settings.
create policy user_settings_select on public.user_settings for select to authenticated
  using (user_id = (select auth.uid()));

-- Users update their own settings, even with a read-only account. An access token is not enough, because it could be
-- used to turn off login alerts.
create policy user_settings_update on public.user_settings for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()) and (select private.is_sign_in_session_active()));

revoke all on public.user_settings from anon, authenticated, service_role;
grant select on public.user_settings to authenticated;
grant all on public.user_settings to service_role;
grant update (email_notifications, activity_mails, push_notifications, new_followers, new_comments, new_likes,
  subscription_updates, payment_alerts, new_posts, group_notifications, message_sounds, login_alerts, show_online,
  show_last_seen, show_typing, session_timeout, new_quotes, home_tabs)
  on public.user_settings to authenticated;

create trigger limit_user_settings before update on public.user_settings
  for each row execute function private.limit_writes('settings', '30');

-- Who can view a profile ------------------------------------------------------------------------------------------

-- The profiles whose details and posts the caller can view. For the caller, the rule (`profiles.visibility` and blocks)
-- is defined only here; private.can_user_view_profile repeats it for any other user. This is a view because policies on
-- frequently read tables look up one row in it, which is cheaper than a function call per row. The view runs with its
-- owner's privileges. The Data API does not expose its schema.
create view private.viewable_profiles as
  select p.id
  from public.profiles p
  where p.id = (select auth.uid())
     or (
       (p.visibility = 'public' or (p.visibility = 'followers' and exists (
         select from public.follows f where f.follower_id = (select auth.uid()) and f.followee_id = p.id)))
       and p.id <> all ((select private.blocked_user_ids())::uuid[])
     )
     or (select private.is_admin());

grant select on private.viewable_profiles to anon, authenticated, service_role;

-- Returns whether the caller can view a profile.
create function private.can_view_profile(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from private.viewable_profiles v where v.id = target_user_id);
end
$$;

grant execute on function private.can_view_profile(uuid) to anon, authenticated, service_role;

-- Returns whether the caller can see a user's counts and the lists of their followers and followed users.
create function private.can_view_profile_counts(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if target_user_id = auth.uid() or private.is_admin() then return true; end if;
  return private.can_view_profile(target_user_id)
     and exists (select from public.profiles p where p.id = target_user_id and p.show_follower_count);
end
$$;

grant execute on function private.can_view_profile_counts(uuid) to anon, authenticated, service_role;

-- Returns whether the given user (rather than the caller) can view a profile. The rule is that of
-- private.viewable_profiles, but without the exception for admins.
create function private.can_user_view_profile(viewer_id uuid, target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return viewer_id = target_user_id or exists (
    select from public.profiles p
    where p.id = target_user_id and not private.are_blocked(viewer_id, target_user_id)
      and (p.visibility = 'public' or (p.visibility = 'followers' and exists (
        select from public.follows f where f.follower_id = viewer_id and f.followee_id = target_user_id))));
end
$$;

-- Whose content is discoverable -------------------------------------------------------------------------------------

-- The profiles of users who let people discover their content (`content_discoverable`). Discover and topic pages
-- contain only posts of these authors, and search engines may index only those. The home feed and post search also
-- contain posts of the caller and of users whom the caller follows (private.discoverable_authors). This is not an
-- access rule: anyone who can view a profile can still open its posts, from the profile or through a link. The view
-- runs with its owner's privileges, because visitors cannot read `content_discoverable`. It contains only columns that
-- visitors can read.
create view private.discoverable_profiles as
  select p.id, p.is_creator, p.visibility, p.created_at from public.profiles p where p.content_discoverable;

grant select on private.discoverable_profiles to anon, authenticated, service_role;

-- The authors whose posts can appear in the caller's home feed and post search: the discoverable ones, those whom the
-- caller follows, and the caller. Does not check whether the caller may see the posts.
create view private.discoverable_authors as
  select p.id
  from public.profiles p
  where p.content_discoverable or p.id = (select auth.uid()) or exists (
    select from public.follows f where f.follower_id = (select auth.uid()) and f.followee_id = p.id);

grant select on private.discoverable_authors to anon, authenticated, service_role;

-- Registration ----------------------------------------------------------------------------------------------------

-- Inserts the rows of a new account from the metadata that the registration passed to Auth. A value that violates a
-- check rolls back the whole registration, so no account exists without its profile.
create function private.on_user_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  metadata jsonb := coalesce(new.raw_user_meta_data::jsonb, '{}');
begin
  if (metadata ->> 'adult_confirmed') is distinct from 'true' then
    raise exception 'You must be 18 or older to use this platform.' using errcode = 'PT400';
  end if;
  insert into public.profiles (id, username, full_name)
  values (new.id, metadata ->> 'username', btrim(metadata ->> 'full_name'));
  insert into public.profile_details (user_id) values (new.id);
  insert into public.profile_counts (user_id) values (new.id);
  insert into public.user_counters (user_id) values (new.id);
  insert into public.accounts (user_id, email, phone_number, adult_confirmed_at)
  values (new.id, new.email, metadata ->> 'phone_number', now());
  return null;
end
$$;

create trigger on_user_created after insert on auth.users
  for each row execute function private.on_user_created();

-- Inserts the user settings and personal details of a new profile, even if the profile was not inserted by a
-- registration.
create function private.on_profile_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.user_settings (user_id) values (new.id) on conflict do nothing;
  insert into public.profile_about (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

create trigger on_profile_created after insert on public.profiles
  for each row execute function private.on_profile_created();

-- Usernames -------------------------------------------------------------------------------------------------------

-- Usernames that cannot be registered. Operators can add names. Accounts that already have a reserved name keep it.
create table private.reserved_usernames (
  name text primary key check (name ~ '^[a-z0-9_]{1,30}$'),
  -- Whether usernames that look similar are reserved as well.
  lookalikes boolean not null default true
);

comment on table private.reserved_usernames is
  'Usernames that nobody can register. With lookalikes, usernames that look similar are reserved as well. Operators can add names; existing accounts keep theirs.';

create index reserved_usernames_plain_idx on private.reserved_usernames (replace(name, '_', ''));

create index reserved_usernames_skeleton_idx on private.reserved_usernames (private.name_skeleton(name))
  where lookalikes;

-- Replaces ASCII characters that look alike with the same character, so that confusable usernames have the same
-- skeleton.
create function private.name_skeleton(name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select translate(replace(replace(replace(lower(name collate pg_catalog.pg_c_utf8), '_', ''), 'rn', 'm'), 'vv', 'w'),
                   '0123456789l', 'oizeas6tbgi')
$$;

-- Index expressions are computed with the privileges of the role that updates the row. Users need this privilege
-- because they update their own privacy settings directly.
grant execute on function private.name_skeleton(text) to authenticated, service_role;

-- Returns why a user cannot have a username: 'reserved', 'taken', or null if they can. `for_user_id` is null for a
-- new account. A lookalike of an existing username is refused only if the existing user is a creator or an admin,
-- because unrelated names often share a skeleton.
create function private.username_problem(name text, for_user_id uuid default null) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  skeleton text := private.name_skeleton(name);
  -- `admin1` and `support24` are as misleading as `admin` and `support`.
  stem text := regexp_replace(name, '[0-9_]+$', '');
begin
  if exists (select from private.reserved_usernames r
             where r.lookalikes and private.name_skeleton(r.name) in (skeleton, private.name_skeleton(stem)))
     or exists (select from private.reserved_usernames r
                where replace(r.name, '_', '') = replace(lower(username_problem.name), '_', ''))
     or private.is_staff_lookalike(name) or private.is_staff_lookalike(stem) then
    return 'reserved';
  end if;
  if exists (select from public.profiles p
             where lower(p.username) = lower(name) and p.id is distinct from for_user_id)
     or exists (select from public.profiles p where private.name_skeleton(p.username) = skeleton
                  and (p.is_creator or p.is_admin) and p.id is distinct from for_user_id) then
    return 'taken';
  end if;
  return null;
end
$$;

-- Display names ---------------------------------------------------------------------------------------------------

-- Returns a skeleton of a name that is the same for names that look alike. Removes accents, replaces full-width and
-- decorative characters and lookalikes of Latin letters with plain letters, removes everything except letters and
-- digits, and applies private.name_skeleton.
create function private.confusable_skeleton(name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select private.name_skeleton(regexp_replace(
    translate(
      lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036F]', '', 'g') collate pg_catalog.pg_c_utf8),
      'авекмнорстухѕіјһӏԁԛԝѵпıłøđɑɡᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ',
      'abekmhopctyxsijhldqwvnilodagabcdefghijklmnoprstuvwyz'),
    '[^[:alnum:]]', '', 'g'))
$$;

-- Returns whether a name could be mistaken for the platform or its staff: it contains a check mark, which looks like a
-- verified badge, or it consists only of words from the first list below and contains a term from the second list.
create function private.is_staff_lookalike(name text) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select name ~ '[\u2611\u2705\u2713\u2714\U0001F5F8\U0001F5F9]' or
         skeleton ~ private.name_skeleton('^(the|real|original|only|a|and|of|at|your|ovation|admins?|administrators?|administration|moderators?|moderation|mods?|support|staff|team|officials?|help|helpdesk|desk|helpers?|customers?|clients?|services?|system|sysadmin|security|billing|payments?|payouts?|accounts?|trust|safety|care|cent(er|re)|app|hq|news|alerts?|notifications?|verified|verification|verify|bot|ceo|founder|owner|legal|community|managers?|inc|llc)+$')
     and skeleton ~ private.name_skeleton('(ovation|admin|moderator|support|staff|official|system|helpdesk|helpcent|customerservice|customercare)')
  from (select private.confusable_skeleton(name) as skeleton) g
$$;

-- Returns whether a name can be displayed safely: it is in NFC, contains a letter or digit, and has only single spaces.
-- It must not contain invisible characters, stacks of combining marks, characters that change the direction of text, or
-- words that mix alphabets whose letters look alike. The API's contract checks part of this rule (`nameField`).
create function private.is_valid_display_name(name text) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
  -- Characters between which a joiner is allowed: those of joining scripts, and pictographs.
  joining_script constant text := '[\u0600-\u109F\u1780-\u18AF\u1A20-\u1BFF\uA840-\uABFF\uFB50-\uFDFF\uFE70-\uFEFC]';
  pictograph constant text := '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2190-\u21FF\u2300-\u23FF\u24C2\u25AA-\u25FE'
    '\u2600-\u27BF\u2934\u2935\u2B00-\u2BFF\u3030\u303D\u3297\u3299\U0001F000-\U0001FAFF]';
  -- Control and format characters, line separators, private use, default-ignorable characters, and unusual spaces.
  forbidden constant text := '[\u0001-\u001F\u007F-\u00A0\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891'
    '\u08E2\u115F-\u1160\u1680\u17B4-\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164'
    '\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFD\U000110BD\U000110CD\U00013430-\U0001343F'
    '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U0010FFFD]';
  -- Combining marks that can be stacked; no script needs four in a row.
  stacked_marks constant text := '[\u0300-\u036F\u0483-\u0489\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0E31-\u0E4E'
    '\u0EB1-\u0ECE\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F]{4}';
  -- Alphabets whose letters look like those of another: Latin, Greek, and others (Cyrillic, Armenian, Georgian,
  -- Cherokee, Canadian Aboriginal, Runic, Glagolitic, Coptic, Tifinagh, Lisu and some ancient ones).
  latin constant text := '[A-Za-z\u00AA\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF'
    '\u2C60-\u2C7F\uA722-\uA7FF\uAB30-\uAB6F\uFB00-\uFB06\uFF21-\uFF3A\uFF41-\uFF5A]';
  greek constant text := '[\u0370-\u03FF\u1F00-\u1FFF]';
  other_alphabet constant text := '[\u0400-\u0482\u048A-\u0588\u10A0-\u10FF\u13A0-\u167F\u16A0-\u16FF\u1C80-\u1CBF'
    '\u2C00-\u2C5F\u2C80-\u2D7F\uA4D0-\uA4FF\uA640-\uA69D\uAB70-\uABBF\uFB13-\uFB17\U00010300-\U0001034F\U00010400-\U000104FF]';
  stripped text := name collate pg_catalog.pg_c_utf8;
begin
  if stripped is not nfc normalized or stripped <> btrim(stripped) or strpos(stripped, '  ') > 0 then
    return false;
  end if;
  stripped := regexp_replace(stripped, '(?<=' || pictograph || '|[0-9#*])[\uFE0E\uFE0F]', '', 'g');
  stripped := regexp_replace(stripped, '(?<=' || pictograph || ')\u200D(?=' || pictograph || ')', '', 'g');
  stripped := regexp_replace(stripped, '(?<=' || joining_script || ')[\u200C\u200D](?=' || joining_script || ')',
                             '', 'g');
  return stripped !~ forbidden
     and unicode_assigned(stripped)
     and stripped !~ stacked_marks
     and stripped collate pg_catalog.pg_c_utf8 ~ '[[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]'
     and not exists (
       select from regexp_split_to_table(stripped, '[ \u2010-\u2015/,.:;()&+|\u00B7\u2022-]+') word
       where (word ~ latin)::integer + (word ~ greek)::integer + (word ~ other_alphabet)::integer > 1);
end
$$;

-- The API checks names before it creates an account, so that the form can show the error next to the field.
grant execute on function private.username_problem(text, uuid), private.is_valid_display_name(text),
  private.confusable_skeleton(text), private.is_staff_lookalike(text) to service_role;

-- Checks new and changed usernames and display names.
-- - The check is a trigger rather than a constraint, so that a row can still be updated if a newer rule would reject
--   its name.
-- - Concurrent requests for the same username conflict in the unique index on usernames. Concurrent registrations of
--   lookalikes may both succeed, because neither user is a creator yet.
create function private.check_names() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  username_changed boolean := tg_op = 'INSERT' or lower(new.username) is distinct from lower(old.username);
  problem text := case when username_changed then private.username_problem(new.username, new.id) end;
  display_name text;
begin
  -- Admins may use reserved names, because only operators can make a user an admin.
  if problem = 'reserved' and not new.is_admin then
    raise exception 'This username is reserved' using errcode = 'PT400', detail = 'username_reserved';
  elsif problem = 'taken' then
    raise exception 'Username is already taken' using errcode = 'PT409', detail = 'username_taken';
  end if;
  foreach display_name in array array[
    new.full_name, new.first_name, new.last_name, nullif(concat_ws(' ', new.first_name, new.last_name), '')
  ] loop
    -- An update may keep a name that the row already has.
    continue when tg_op = 'UPDATE' and display_name in (
      old.full_name, old.first_name, old.last_name, concat_ws(' ', old.first_name, old.last_name));
    if not private.is_valid_display_name(display_name) then
      raise exception 'This name contains characters that cannot be used'
        using errcode = 'PT400', detail = 'validation_failed';
    elsif private.is_staff_lookalike(display_name) and not new.is_admin then
      raise exception 'This name is reserved' using errcode = 'PT400', detail = 'validation_failed';
    end if;
  end loop;
  return new;
end
$$;

create trigger check_names before insert or update of username, full_name, first_name, last_name on public.profiles
  for each row execute function private.check_names();

-- Updating a profile ----------------------------------------------------------------------------------------------

-- Updates the given fields of a profile: columns of profiles (names), profile_details (bio, discounts), accounts
-- (phone_number) and profile_about. The calling function checks permissions.
create function private.update_profile(target_user_id uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  about public.profile_about;
begin
  if changes ?| array['username', 'full_name', 'first_name', 'last_name'] then
    update public.profiles p set
      username = coalesce(changes ->> 'username', p.username),
      full_name = coalesce(changes ->> 'full_name', p.full_name),
      first_name = case when changes ? 'first_name' then changes ->> 'first_name' else p.first_name end,
      last_name = case when changes ? 'last_name' then changes ->> 'last_name' else p.last_name end
    where p.id = target_user_id;
  end if;
  if changes ?| array['bio', 'quarterly_discount', 'half_yearly_discount', 'yearly_discount'] then
    update public.profile_details d
    set (bio, quarterly_discount, half_yearly_discount, yearly_discount) = (
      select r.bio, r.quarterly_discount, r.half_yearly_discount, r.yearly_discount
      from jsonb_populate_record(d, changes) r)
    where d.user_id = target_user_id;
  end if;
  if changes ? 'phone_number' then
    update public.accounts a set phone_number = coalesce(changes ->> 'phone_number', a.phone_number)
    where a.user_id = target_user_id;
  end if;
  select * into about from public.profile_about a where a.user_id = target_user_id for update;
  about := jsonb_populate_record(about, changes - 'user_id');
  update public.profile_about a set
    studied_at = about.studied_at, lives_in = about.lives_in, from_location = about.from_location,
    relationship_status = about.relationship_status, gender = about.gender, age = about.age, website = about.website,
    tiktok_url = about.tiktok_url, x_url = about.x_url, instagram_url = about.instagram_url,
    facebook_url = about.facebook_url, pinterest_url = about.pinterest_url, twitch_url = about.twitch_url,
    snapchat_url = about.snapchat_url, youtube_url = about.youtube_url, onlyfans_url = about.onlyfans_url,
    fanfix_url = about.fanfix_url, show_studied_at = about.show_studied_at, show_lives_in = about.show_lives_in,
    show_from = about.show_from, show_relationship_status = about.show_relationship_status,
    show_gender = about.show_gender, show_age = about.show_age, show_website = about.show_website,
    show_social_links = about.show_social_links, country = about.country,
    allow_auto_posting = about.allow_auto_posting, approve_auto_posts = about.approve_auto_posts
  where a.user_id = target_user_id and a.* is distinct from about;
end
$$;

-- Turns the caller's creator account on or off. Users have no update privilege on the `is_creator` column itself. The
-- trigger `limit_settings` limits how often they can do this.
create function private.set_own_creator_status(new_is_creator boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if new_is_creator then perform private.require_confirmed_email(); end if;
  if new_is_creator and private.is_setting_enabled('creator_pro_billing') and not private.has_creator_plan(auth.uid())
     and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Creator accounts require Creator Pro. Upgrade first.'
      using errcode = 'PT403', detail = 'creator_pro_required';
  end if;
  update public.profiles p set is_creator = new_is_creator
  where p.id = (select auth.uid()) and p.is_creator <> new_is_creator;
end
$$;

grant execute on function private.set_own_creator_status(boolean) to authenticated;

-- Updates the given fields of the caller's profile. `is_creator` turns the creator account on or off. A user with a
-- read-only account can still withdraw their consent to automatic posts.
create function private.update_own_profile(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if changes = '{"allow_auto_posting": false}' then
    perform private.require_session();
  else
    perform private.require_write();
  end if;
  perform private.enforce_rate_limit('profile', auth.uid(), 30, '1 minute');
  if (changes ->> 'age')::integer < 18 then
    raise exception 'You must be 18 or older to use this platform.' using errcode = 'PT400';
  end if;
  perform private.update_profile(auth.uid(), changes);
  if (changes ->> 'is_creator')::boolean is distinct from
     (select p.is_creator from public.profiles p where p.id = auth.uid())
     and changes ->> 'is_creator' is not null then
    perform private.set_own_creator_status((changes ->> 'is_creator')::boolean);
  end if;
end
$$;

grant execute on function private.update_own_profile(jsonb) to authenticated;

-- Returns a user's personal details. A detail is null if it is not set or is hidden from the caller; the owner and
-- admins see all details.
create function private.visible_profile_about(target_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  about public.profile_about;
  sees_all boolean := coalesce(target_user_id = auth.uid(), false) or private.is_admin();
  sees_links boolean;
begin
  if private.can_view_profile(target_user_id) then
    select * into about from public.profile_about a where a.user_id = target_user_id;
  end if;
  sees_links := sees_all or about.show_social_links;
  return jsonb_build_object(
    'studiedAt', case when sees_all or about.show_studied_at then about.studied_at end,
    'livesIn', case when sees_all or about.show_lives_in then about.lives_in end,
    'fromLocation', case when sees_all or about.show_from then about.from_location end,
    'relationshipStatus', case when sees_all or about.show_relationship_status then about.relationship_status end,
    'gender', case when sees_all or about.show_gender then about.gender end,
    'age', case when sees_all or about.show_age then about.age end,
    'website', case when sees_all or about.show_website then about.website end,
    'tiktokUrl', case when sees_links then about.tiktok_url end,
    'xUrl', case when sees_links then about.x_url end,
    'instagramUrl', case when sees_links then about.instagram_url end,
    'facebookUrl', case when sees_links then about.facebook_url end,
    'pinterestUrl', case when sees_links then about.pinterest_url end,
    'twitchUrl', case when sees_links then about.twitch_url end,
    'snapchatUrl', case when sees_links then about.snapchat_url end,
    'youtubeUrl', case when sees_links then about.youtube_url end,
    'onlyfansUrl', case when sees_links then about.onlyfans_url end,
    'fanfixUrl', case when sees_links then about.fanfix_url end);
end
$$;

grant execute on function private.visible_profile_about(uuid) to anon, authenticated, service_role;

-- Realtime updates ------------------------------------------------------------------------------------------------

-- Broadcasts a profile change to the user's open pages and to open pages that show the profile. Also sends
-- `access.changed` (see 44_realtime) for topics to which somebody may have lost or gained access: the topics of the
-- profile and its 200 latest posts if the profile becomes followers-only or private; the topics of the user's 200
-- latest conversations if direct messages are turned on or off; and all topics that the user has joined if the user is
-- no longer an admin. Access to older posts and conversations is checked again when a client's token is refreshed.
create function private.on_profile_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.id, 'profile.changed', jsonb_build_object('userId', new.id));
  perform private.broadcast_to_profile(new.id, 'profile.changed');
  if old.visibility <> new.visibility and new.visibility <> 'public' then
    perform private.broadcast_to_profile(new.id, 'access.changed');
    perform private.broadcast_to_post(p.id, 'access.changed')
    from (select p.id from public.posts p where p.author_id = new.id
          order by p.created_at desc, p.id desc limit 200) p;
  end if;
  if old.is_admin and not new.is_admin then perform private.recheck_access(new.id); end if;
  if old.allow_direct_messages is distinct from new.allow_direct_messages then
    perform private.recheck_conversations(new.id);
  end if;
  return null;
end
$$;

create trigger on_profile_changed after update on public.profiles
  for each row when (old.* is distinct from new.*) execute function private.on_profile_changed();

create function private.broadcast_profile_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  perform private.broadcast_to_profile(new.user_id, 'profile.changed');
  return null;
end
$$;

create trigger on_profile_details_changed after update on public.profile_details
  for each row when (old.* is distinct from new.*) execute function private.broadcast_profile_changed();

create trigger on_profile_about_changed after update on public.profile_about
  for each row when (old.* is distinct from new.*) execute function private.broadcast_profile_changed();

create function private.on_user_settings_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  -- This setting decides whether groups or single notifications are counted.
  if old.group_notifications is distinct from new.group_notifications then
    perform private.refresh_notification_count(new.user_id, '{}');
  end if;
  return null;
end
$$;

create trigger on_user_settings_changed after update on public.user_settings
  for each row when (old.* is distinct from new.*) execute function private.on_user_settings_changed();

-- Profile images --------------------------------------------------------------------------------------------------

-- Profile pictures and cover images are public files in the `avatars` bucket. A file never changes: a new picture is
-- stored as a new file, and the previous file is deleted.

-- Returns the path in the `avatars` bucket that a public URL points to; null for any other URL.
create function private.avatar_path(url text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$ select substring(url from '^/storage/v1/object/public/avatars/(.+)$') $$;

create function private.enqueue_avatar_deletion(url text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.file_deletion_queue (bucket, path)
  select 'avatars', private.avatar_path(url) where private.avatar_path(url) is not null
  on conflict do nothing
$$;

-- Registers a file that is about to be stored for the caller. It is deleted after an hour unless a profile uses it by
-- then.
create function private.begin_profile_image_upload(path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  insert into private.file_deletion_queue (bucket, path, due_at)
  values ('avatars', begin_profile_image_upload.path, clock_timestamp() + interval '1 hour');
end
$$;

grant execute on function private.begin_profile_image_upload(text) to authenticated;

-- Sets a stored file as the profile picture (`image_kind` 'profile') or cover image ('background') of a user. A null
-- path removes the image.
create function private.set_profile_image(target_user_id uuid, image_kind text, path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  new_url text := '/storage/v1/object/public/avatars/' || set_profile_image.path;
  old_url text;
begin
  if image_kind = 'profile' then
    select p.profile_image_url into old_url from public.profiles p where p.id = target_user_id for update;
    update public.profiles p set profile_image_url = new_url where p.id = target_user_id;
  else
    select d.background_image_url into old_url from public.profile_details d
    where d.user_id = target_user_id for update;
    update public.profile_details d set background_image_url = new_url where d.user_id = target_user_id;
  end if;
  delete from private.file_deletion_queue f where f.bucket = 'avatars' and f.path = set_profile_image.path;
  if old_url is distinct from new_url then perform private.enqueue_avatar_deletion(old_url); end if;
end
$$;

-- Sets or removes the caller's profile picture or cover image. Accepts only files of the caller that are in the
-- deletion queue, that is, files that no profile uses; private.begin_profile_image_upload adds each new upload to the
-- queue.
create function private.set_own_profile_image(image_kind text, path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if set_own_profile_image.path is not null and not exists (
    select from private.file_deletion_queue f
    where f.bucket = 'avatars' and f.path = set_own_profile_image.path and f.path like auth.uid()::text || '/%'
    for update
  ) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  perform private.set_profile_image(auth.uid(), image_kind, set_own_profile_image.path);
end
$$;

grant execute on function private.set_own_profile_image(text, text) to authenticated;

-- Trigger function: enqueues the deletion of a deleted row's file. Argument: the column with the file's URL.
create function private.enqueue_profile_file_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_avatar_deletion(to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;

create trigger enqueue_profile_image_deletion after delete on public.profiles
  for each row when (old.profile_image_url is not null)
  execute function private.enqueue_profile_file_deletion('profile_image_url');

create trigger enqueue_background_image_deletion after delete on public.profile_details
  for each row when (old.background_image_url is not null)
  execute function private.enqueue_profile_file_deletion('background_image_url');

-- Presence --------------------------------------------------------------------------------------------------------

-- When one of the user's pages last polled the unread message count. An open, visible page polls every 30 seconds. The
-- fill factor leaves room for HOT updates: a row is updated up to three times a minute.
create table private.last_seen (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  seen_at timestamptz not null default now()
) with (fillfactor = 70);

-- Records that the caller is online. Writes at most every 20 seconds, regardless of how many pages are open. A request
-- with an access token does not make its owner appear online.
create function private.record_last_seen() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_sign_in_session_active() then return; end if;
  if exists (select from private.last_seen s
             where s.user_id = auth.uid() and s.seen_at > now() - interval '20 seconds') then
    return;
  end if;
  insert into private.last_seen as s (user_id, seen_at) values (auth.uid(), now())
  on conflict (user_id) do update set seen_at = excluded.seen_at;
end
$$;

grant execute on function private.record_last_seen() to authenticated;

-- Whether users are online and when they were last seen, if their settings allow others to see it: {online,
-- lastSeenAt}. A user's presence is also hidden if the user or the caller has blocked the other, or if the user has
-- never written to the caller. A caller therefore learns nothing by sending a message to a user who does not reply.
create view private.visible_presences as
  select s.user_id,
         jsonb_build_object(
           'online', coalesce(seen.is_online and s.show_online, false),
           'lastSeenAt', case
             when seen.at is null or not s.show_last_seen then null
             -- If the online status is hidden, this time must not reveal it: the time must not be missing while the
             -- user is online, and must not change when the user comes online. The time is therefore truncated to the
             -- hour, and the current hour is never returned.
             when not s.show_online then least(date_trunc('hour', seen.at, 'UTC'),
                                               date_trunc('hour', now(), 'UTC') - interval '1 hour')
             when not seen.is_online then seen.at end) as presence
  from public.user_settings s
  left join lateral (
    select l.seen_at as at, l.seen_at > now() - interval '75 seconds' as is_online
    from private.last_seen l
    where l.user_id = s.user_id and (s.show_online or s.show_last_seen)
      and (select m.has_written from public.conversation_members m
           where m.user_id = s.user_id and m.partner_id = (select auth.uid()))
      and s.user_id <> all ((select private.blocked_user_ids())::uuid[])
  ) seen on true;

grant select on private.visible_presences to authenticated;
