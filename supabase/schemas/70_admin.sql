-- Admin: managing accounts and instance settings. Moderation cases are in 72_moderation, the audit log in 74_audit.
--
-- - Every function that users can execute checks that the caller is an admin, and every change is audited.
-- - Admins cannot be approved, suspended, removed or made creators by other admins, so that no admin can lock out
--   another. Admins can, however, edit each other's profiles.

-- Finding accounts ------------------------------------------------------------------------------------------------

-- One narrow row per account with most of what admins search and filter by. A search for one or two letters cannot use
-- an index; it reads this whole table, which is fast enough for 100,000 accounts. Triggers keep the rows up to date.
create table private.account_search (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  is_creator boolean not null,
  is_admin boolean not null,
  is_approved boolean not null,
  is_suspended boolean not null,
  -- Name, username and email, normalized by private.normalize_search.
  words text not null
);

create index account_search_created_at_idx on private.account_search (created_at desc, user_id desc);

create index account_search_creators_idx on private.account_search (created_at desc, user_id desc) where is_creator;

create index account_search_admins_idx on private.account_search (created_at desc, user_id desc) where is_admin;

create index account_search_suspended_idx on private.account_search (created_at desc, user_id desc)
  where is_suspended;

create index account_search_unapproved_idx on private.account_search (created_at desc, user_id desc)
  where not is_approved and not is_admin;

create index account_search_words_idx on private.account_search using gin (words extensions.gin_trgm_ops);

-- What account_search contains, computed from the accounts.
create view private.account_search_source as
  select p.id as user_id, p.created_at, p.is_creator, p.is_admin, a.approved_at is not null as is_approved,
         a.suspended_at is not null as is_suspended,
         p.search_text || ' ' || private.normalize_search(a.email) as words
  from public.profiles p join public.accounts a on a.user_id = p.id;

-- Trigger function: refreshes the row of one user. Argument: the column that holds the user's id.
create function private.refresh_account_search() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_search as t
  select * from private.account_search_source s where s.user_id = (to_jsonb(new) ->> tg_argv[0])::uuid
  on conflict (user_id) do update
    set created_at = excluded.created_at, is_creator = excluded.is_creator, is_admin = excluded.is_admin,
        is_approved = excluded.is_approved, is_suspended = excluded.is_suspended, words = excluded.words
    where t.* is distinct from excluded.*;
  return null;
end
$$;

create trigger refresh_account_search after update on public.profiles
  for each row when ((old.created_at, old.is_creator, old.is_admin, old.search_text)
                     is distinct from (new.created_at, new.is_creator, new.is_admin, new.search_text))
  execute function private.refresh_account_search('id');

create trigger refresh_account_search after insert or update of email, approved_at, suspended_at on public.accounts
  for each row execute function private.refresh_account_search('user_id');

-- Returns the SQL condition for a search on account_search with the alias `t`. In the condition, $1 stands for the
-- pattern that private.account_search_pattern returns.
create function private.account_search_condition(search_term text, account_filter text) returns text
language sql immutable set search_path = ''
as $$
  select case when btrim(search_term) = '' then 'true' else 't.words like $1' end || case account_filter
    when 'creators' then ' and t.is_creator'
    when 'admins' then ' and t.is_admin'
    when 'suspended' then ' and t.is_suspended'
    when 'unapproved' then ' and not t.is_approved and not t.is_admin'
    when 'auto_posting' then ' and t.user_id in (select x.user_id from private.auto_posting_settings x where x.enabled)'
    else '' end
$$;

-- Returns the LIKE pattern for a search term: normalized, without the @ of usernames, and escaped.
create function private.account_search_pattern(search_term text) returns text
language sql immutable set search_path = ''
as $$
  select '%' || replace(replace(replace(t.normalized_term, '\', '\\'), '%', '\%'), '_', '\_') || '%'
  from (select btrim(regexp_replace(private.normalize_search(search_term), '(^|\s)@|\s+', ' ', 'g'))
               as normalized_term) t
$$;

-- Returns a page of the accounts whose name, username or email contains `search_term`. An empty term matches all.
-- `account_filter` is all, creators, admins, suspended, unapproved or auto_posting. `sort_order` is newest, oldest,
-- name or name_desc. The page starts after the account with `after_key` and `after_user_id`, or with the first account
-- if they are null, and skips `skip_rows` accounts. An account's key is its creation time or its normalized name,
-- depending on `sort_order`. Each account is returned with its key, for requesting the next page.
create function private.search_accounts(
  search_term text, account_filter text, sort_order text, after_key text, after_user_id uuid, skip_rows integer,
  max_rows integer
) returns table (user_id uuid, sort_key text)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  is_by_name constant boolean := sort_order in ('name', 'name_desc');
  is_ascending constant boolean := sort_order in ('oldest', 'name');
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  -- The sort columns of profiles_search_name_idx or of the indexes of account_search.
  sort_column constant text := case when is_by_name then 'p.search_name collate "C"' else 't.created_at' end;
  id_column constant text := case when is_by_name then 'p.id' else 't.user_id' end;
begin
  perform private.require_admin();
  -- Dynamic SQL, so that the planner sees which conditions apply and can choose the matching index. Keys are computed in
  -- the outer query, only for the rows of the page.
  return query execute 'select s.user_id, '
    || case when is_by_name then 's.sort_value' else 'private.timestamp_text(s.sort_value)' end
    || format(' from (select t.user_id, %s as sort_value from private.account_search t', sort_column)
    || case when is_by_name then ' join public.profiles p on p.id = t.user_id' else '' end
    || ' where ' || private.account_search_condition(search_term, account_filter)
    || case when after_user_id is null then '' else
         format(' and (%s, %s) %s (%s, $3)', sort_column, id_column, case when is_ascending then '>' else '<' end,
                case when is_by_name then '$2' else '$2::timestamptz' end) end
    || format(' order by %s %s, %s %2$s offset $4 limit $5) s', sort_column, direction, id_column)
    using private.account_search_pattern(search_term), after_key, after_user_id, skip_rows, max_rows;
end
$$;

grant execute on function private.search_accounts(text, text, text, text, uuid, integer, integer) to authenticated;

-- Returns the number of accounts that private.search_accounts finds.
create function private.count_accounts(search_term text, account_filter text) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  account_count integer;
begin
  perform private.require_admin();
  execute 'select count(*) from private.account_search t where '
      || private.account_search_condition(search_term, account_filter)
    into account_count using private.account_search_pattern(search_term);
  return account_count;
end
$$;

grant execute on function private.count_accounts(text, text) to authenticated;

-- Returns the counts that the admin dashboard shows.
create function private.platform_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'totalUsers', (select count(*) from private.account_search),
    'creators', (select count(*) from private.account_search t where t.is_creator),
    'admins', (select count(*) from private.account_search t where t.is_admin),
    'suspended', (select count(*) from private.account_search t where t.is_suspended),
    'unapproved', (select count(*) from private.account_search t where not t.is_approved and not t.is_admin),
    'autoPosting', (select count(*) from private.auto_posting_settings x where x.enabled),
    'newThisWeek', (select count(*) from private.account_search t where t.created_at > now() - interval '7 days'),
    -- New accounts on each of the last 30 days in UTC, oldest first and including today.
    'signUps', (
      select json_agg(coalesce(c.sign_ups, 0) order by d.age desc)
      from generate_series(0, 29) d(age)
      left join (
        select (now() at time zone 'UTC')::date - (t.created_at at time zone 'UTC')::date as age,
               count(*) as sign_ups
        from private.account_search t
        where t.created_at >= date_trunc('day', now(), 'UTC') - interval '29 days'
        group by 1) c using (age)),
    'openCases', (select count(*) from public.moderation_cases c where c.state = 'open'),
    'openAppeals', (select count(*) from public.moderation_cases c where c.state = 'appealed'),
    'waitingPayouts', (select count(*) from public.payouts p where p.state = 'requested'));
end
$$;

grant execute on function private.platform_counts() to authenticated;

-- Managing accounts -----------------------------------------------------------------------------------------------

-- Raises an error if the caller is not an admin, or if the user does not exist or is an admin.
create function private.require_manageable(target_user_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  target_is_admin boolean;
begin
  perform private.require_admin();
  select p.is_admin into target_is_admin from public.profiles p where p.id = target_user_id;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  if target_is_admin then
    raise exception 'Admins are exempt from this.' using errcode = 'PT403', detail = 'target_is_admin';
  end if;
end
$$;

grant execute on function private.require_manageable(uuid) to authenticated;

-- Approves an account. Repeating the call has no effect.
create function private.approve_account(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(target_user_id);
  update public.accounts a set approved_at = clock_timestamp(), approved_by = auth.uid()
  where a.user_id = target_user_id and a.approved_at is null;
  if found then perform private.write_audit_entry(auth.uid(), 'account.approve', target_user_id); end if;
end
$$;

grant execute on function private.approve_account(uuid) to authenticated;

-- Returns the admin who approved an account; null for callers who are not admins.
create function private.account_approver(target_user_id uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return null; end if;
  return (select a.approved_by from public.accounts a where a.user_id = target_user_id);
end
$$;

grant execute on function private.account_approver(uuid) to authenticated;

-- Returns what admins see of a user's activity: {lastSeenAt, postCount, openCases}. Null for callers who are not
-- admins. The settings that hide a user's presence and counts from others do not apply to admins.
create function private.account_activity(target_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return null; end if;
  return jsonb_build_object(
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = target_user_id),
    'postCount', (select c.posts from public.profile_counts c where c.user_id = target_user_id),
    'openCases', (select count(*) from public.moderation_cases c
                  where c.user_id = target_user_id and c.state = 'open'));
end
$$;

grant execute on function private.account_activity(uuid) to authenticated;

-- Suspends a user through private.moderate_subject, for `suspension_days` days or, if that is null, until an admin
-- lifts the suspension. Repeating the same suspension within a minute counts as a double click and has no effect.
create function private.suspend_user(target_user_id uuid, reason_text text, suspension_days integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(target_user_id);
  perform pg_advisory_xact_lock(hashtextextended('suspend:' || target_user_id::text, 0));
  if not exists (
    select from public.accounts a
    where a.user_id = target_user_id and a.suspended_at > clock_timestamp() - interval '1 minute'
      and a.suspension_reason = btrim(reason_text)
      and coalesce(a.suspended_until - a.suspended_at, '0') - make_interval(days => coalesce(suspension_days, 0))
          between interval '-1 second' and interval '1 second') then
    perform private.moderate_subject('user', target_user_id, 'suspend', reason_text, suspension_days, false, false);
  end if;
end
$$;

grant execute on function private.suspend_user(uuid, text, integer) to authenticated;

-- Ends a suspension early and notifies the user.
create function private.lift_suspension(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_manageable(target_user_id);
  perform private.lock_user_counters(array[target_user_id]);
  update public.accounts a
  set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id = target_user_id and a.suspended_at is not null;
  if not found then return; end if;
  perform private.create_notification(target_user_id, null, 'moderation',
    detail => 'Your suspension was lifted. Welcome back.');
  perform private.write_audit_entry(auth.uid(), 'account.unsuspend', target_user_id);
end
$$;

grant execute on function private.lift_suspension(uuid) to authenticated;

-- Deletes an account as if its owner had done so, and bans its email address. Raises `balance_left` if the balance is
-- at least the minimum payout, unless `forfeit_balance` is true. Returns the email address, so that the API can email
-- the user.
create function private.remove_user(target_user_id uuid, reason_text text, forfeit_balance boolean) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  removed_email text;
begin
  perform private.require_manageable(target_user_id);
  -- Waits for a concurrent removal of the same user; delete_account then raises 'User not found'.
  perform private.lock_account_dependents(target_user_id);
  select a.email into removed_email from public.accounts a where a.user_id = target_user_id for update;
  perform private.delete_account(target_user_id, forfeit_balance);
  perform private.ban_email(removed_email);
  perform private.write_audit_entry(auth.uid(), 'account.remove', target_user_id,
    details => jsonb_build_object('reason', btrim(reason_text), 'gaveUpBalance', forfeit_balance));
  return removed_email;
end
$$;

grant execute on function private.remove_user(uuid, text, boolean) to authenticated;

-- Turns a user's creator account on or off. Toggles it if `make_creator` is null.
create function private.set_creator(target_user_id uuid, make_creator boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_now_creator boolean;
begin
  perform private.require_manageable(target_user_id);
  update public.profiles p set is_creator = not p.is_creator
  where p.id = target_user_id and p.is_creator is distinct from make_creator
  returning p.is_creator into is_now_creator;
  if found then
    perform private.write_audit_entry(auth.uid(), 'account.creator', target_user_id,
      details => jsonb_build_object('isCreator', is_now_creator));
  end if;
end
$$;

grant execute on function private.set_creator(uuid, boolean) to authenticated;

-- Returns the fields of a user's profile, for finding those that an edit changed. Fields of profile_about are keyed by
-- their column names, all others by their names in the API.
create function private.audited_profile_fields(target_user_id uuid) returns jsonb
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
  where p.id = target_user_id
$$;

-- Edits a user's profile. `changes` accepts the keys of private.update_profile and also email, allow_direct_messages,
-- show_follower_count, content_discoverable, show_in_directory, profile_image_url and background_image_url. An image
-- URL must be that of one of the caller's own uploads; null removes the image, and the current URL leaves it unchanged.
-- Returns the previous email if it changed, otherwise null.
--
-- An admin's email cannot be changed here, because the owner of the new mailbox could take over the account. Only
-- users themselves can consent to auto-posting, so the keys for that are ignored. The audit log records the names of
-- the changed fields but not their values, because it outlives the account.
create function private.update_user_profile(target_user_id uuid, changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  previous_email text;
  upload_path text;
  image_kind text;
  old_fields jsonb;
  new_fields jsonb;
begin
  perform private.require_admin();
  -- Serializes concurrent edits, so that each audit entry lists only its own changes.
  perform from public.profiles p where p.id = target_user_id for no key update;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  old_fields := private.audited_profile_fields(target_user_id);
  perform private.update_profile(target_user_id, changes
    - '{email,profile_image_url,background_image_url,allow_auto_posting,approve_auto_posts}'::text[]);
  update public.profiles p set
    allow_direct_messages = coalesce((changes ->> 'allow_direct_messages')::boolean, p.allow_direct_messages),
    show_follower_count = coalesce((changes ->> 'show_follower_count')::boolean, p.show_follower_count),
    content_discoverable = coalesce((changes ->> 'content_discoverable')::boolean, p.content_discoverable),
    show_in_directory = coalesce((changes ->> 'show_in_directory')::boolean, p.show_in_directory)
  where p.id = target_user_id
    and changes ?| array['allow_direct_messages', 'show_follower_count', 'content_discoverable', 'show_in_directory'];
  foreach image_kind in array array['profile', 'background'] loop
    continue when not changes ? (image_kind || '_image_url')
      or changes ->> (image_kind || '_image_url') is not distinct from old_fields ->> (image_kind || 'ImageUrl');
    upload_path := private.avatar_path(changes ->> (image_kind || '_image_url'));
    -- An upload stays in the deletion queue until it is used.
    if changes ->> (image_kind || '_image_url') is not null and not exists (
      select from private.file_deletion_queue f
      where f.bucket = 'avatars' and f.path = upload_path and f.path like auth.uid()::text || '/%' for update) then
      raise exception 'This upload cannot be used. Please choose the file again.'
        using errcode = 'PT400', detail = 'media_not_usable';
    end if;
    perform private.set_profile_image(target_user_id, image_kind, upload_path);
  end loop;
  if changes ->> 'email' is not null then
    lock table public.accounts in row exclusive mode;
    select a.email into previous_email from public.accounts a where a.user_id = target_user_id for update;
    if lower(previous_email) <> lower(changes ->> 'email')
       and exists (select from public.profiles p where p.id = target_user_id and p.is_admin) then
      raise exception 'Only admins themselves can change their email address, in their settings.'
        using errcode = 'PT403', detail = 'target_is_admin';
    end if;
    if previous_email is distinct from changes ->> 'email' then
      delete from private.email_changes c where c.user_id = target_user_id;
      perform private.set_account_email(target_user_id, changes ->> 'email');
    else
      previous_email := null;
    end if;
  end if;
  new_fields := private.audited_profile_fields(target_user_id);
  if new_fields is distinct from old_fields then
    perform private.write_audit_entry(auth.uid(), 'account.edit', target_user_id,
      details => jsonb_build_object('fields', (
        select jsonb_agg(f.key order by f.key) from jsonb_each(new_fields) f
        where f.value is distinct from old_fields -> f.key)));
  end if;
  return previous_email;
end
$$;

grant execute on function private.update_user_profile(uuid, jsonb) to authenticated;

-- Posting for creators --------------------------------------------------------------------------------------------

-- Raises an error unless the caller may post for this user: the caller must be an admin, and the user must be a creator
-- whose account is not read-only, and must not be an admin.
create function private.require_can_post_for(target_user_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_manageable(target_user_id);
  if not exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                 where p.id = target_user_id and p.is_creator and a.read_only_reason is null) then
    raise exception 'You can only post for creators whose account is not read-only.'
      using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

grant execute on function private.require_can_post_for(uuid) to authenticated;

-- Publishes a post in a creator's name, like private.publish_post but with the admin's uploads. Notifies the creator.
-- `price` is in US dollars; null publishes a free post. Returns false if a post with this id exists already.
create function private.publish_post_for(
  target_user_id uuid, new_post_id uuid, content_text text, price numeric, image_id uuid, video_id uuid,
  poster_image_id uuid, alt_description text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_can_post_for(target_user_id);
  if not private.insert_post(target_user_id, auth.uid(), new_post_id, content_text, price, null, image_id, video_id,
                             poster_image_id, alt_description) then
    return false;
  end if;
  perform private.lock_user_counters(array[target_user_id]);
  perform private.create_notification(target_user_id, null, 'admin', new_post_id,
    detail => 'The team published a post in your name.');
  perform private.write_audit_entry(auth.uid(), 'post.create', target_user_id, new_post_id::text,
    jsonb_build_object('premium', price is not null));
  return true;
end
$$;

grant execute on function private.publish_post_for(uuid, uuid, text, numeric, uuid, uuid, uuid, text)
  to authenticated;

-- Instance settings -----------------------------------------------------------------------------------------------

-- Returns the settings that admins can change: require_approval, sign_in_after_registration, creator_pro_billing,
-- auto_posting and banned_words.
create function private.instance_settings() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_object_agg(s.key, s.value) from private.settings s
          where s.key in ('require_approval', 'sign_in_after_registration', 'creator_pro_billing', 'auto_posting',
                          'banned_words'));
end
$$;

grant execute on function private.instance_settings() to authenticated;

-- Changes the settings in `changes`. If a setting is an object, the given fields are merged into its current value.
create function private.update_instance_settings(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  setting record;
  old_value jsonb;
  audit_changes jsonb := '[]';
begin
  perform private.require_admin();
  for setting in select e.key, e.value from jsonb_each(changes) e order by e.key loop
    if setting.key not in ('require_approval', 'sign_in_after_registration', 'creator_pro_billing', 'auto_posting',
                           'banned_words') then
      raise exception 'Unknown setting.' using errcode = 'PT400';
    end if;
    select s.value into old_value from private.settings s where s.key = setting.key for update;
    if jsonb_typeof(setting.value) = 'object' then
      setting.value := coalesce(old_value, '{}') || setting.value;
    end if;
    if setting.key = 'auto_posting'
       and (setting.value ->> 'fromHour')::integer >= (setting.value ->> 'toHour')::integer then
      raise exception 'Auto-posting must start before it ends.' using errcode = 'PT400';
    end if;
    if old_value is distinct from setting.value then
      perform private.set_setting(setting.key, setting.value);
      audit_changes := audit_changes || jsonb_build_object('key', setting.key, 'change',
        -- Only the number of banned words is recorded, because the list can be long.
        case when setting.key = 'banned_words' then jsonb_build_object('words', jsonb_array_length(setting.value))
             else jsonb_build_object('from', old_value, 'to', setting.value) end);
    end if;
  end loop;
  -- The audit entries come after all other locks: a transaction that holds the lock on the audit log must not wait for
  -- another lock.
  for setting in
    select e.value ->> 'key' as key, e.value -> 'change' as value from jsonb_array_elements(audit_changes) e
  loop
    perform private.write_audit_entry(auth.uid(), 'settings.change', subject_ref => setting.key,
                                      details => setting.value);
  end loop;
end
$$;

grant execute on function private.update_instance_settings(jsonb) to authenticated;
