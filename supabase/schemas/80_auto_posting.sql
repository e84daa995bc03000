-- Auto-posting: posts that an AI writes on behalf of a creator.
--
-- * An admin turns auto-posting on for a creator. Until the creator agrees in their settings, nothing is published and
--   none of their data is sent to the AI provider. Creators who choose to review posts first get drafts instead.
-- * Each day has a few slots per creator, at pseudorandom times within the posting hours. Planning a day again with
--   the same settings gives the same times. Workers claim due slots under a lease; a slot yields at most one post.
-- * Every attempt to write a post is a run. Runs count against daily limits for posts and cost, which hold across all
--   workers because runs begin one at a time.
-- * Drafts expire after 3 days. Drafts, runs and slots are deleted after 90 days.
-- * The API encrypts the key of the AI provider with ENCRYPTION_KEY; the database never sees it in plain text.

-- The API key for the AI provider: at most one row.
create table private.ai_key (
  one boolean primary key default true check (one),
  -- The encrypted key.
  secret text not null,
  -- The masked key, which admins see.
  mask text not null,
  set_by uuid not null,
  set_at timestamptz not null default clock_timestamp(),
  -- When the provider rejected the key; null while it works.
  refused_at timestamptz
);

-- The settings that admins choose for a creator. Whether the creator agrees, and whether they review posts first, is
-- stored in profile_about.
create table private.auto_posting_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  enabled boolean not null default false,
  frequency text not null default 'moderate' check (frequency in ('low', 'moderate', 'high')),
  changed_by uuid,
  changed_at timestamptz not null default clock_timestamp(),
  -- When a post or draft was last written for the creator.
  last_auto_post timestamptz,
  -- When the creator was last asked to agree.
  asked_at timestamptz
);

create index auto_posting_settings_enabled_idx on private.auto_posting_settings (user_id) where enabled;

-- The times at which posts are due. A day is a calendar day in the time zone of the instance's auto-posting settings. A
-- worker claims a slot for the duration of a lease. After that, the slot can be released, which invalidates the
-- worker's token, and claimed again.
create table private.auto_post_slots (
  user_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  -- The number of the slot within its day.
  nth smallint not null check (nth between 1 and 4),
  due_at timestamptz not null,
  state text not null default 'planned' check (state in ('planned', 'running', 'done', 'missed', 'failed')),
  -- Identifies the claim of the worker that runs the slot.
  token uuid,
  -- When the lease ends.
  claimed_until timestamptz,
  attempts smallint not null default 0,
  -- The slot cannot be claimed again before this time.
  retry_at timestamptz,
  primary key (user_id, day, nth)
);

create index auto_post_slots_due_idx on private.auto_post_slots (due_at) where state in ('planned', 'running');

create index auto_post_slots_day_idx on private.auto_post_slots (day);

-- Every attempt to write a post: for a slot, for a round ('test'), or as a preview for admins. A round is started by an
-- admin and writes posts for all eligible creators right away, regardless of their schedule.
create table public.auto_post_runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('slot', 'test', 'preview')),
  -- The slot that the run is for.
  day date,
  nth smallint,
  started_at timestamptz not null default clock_timestamp(),
  -- The day whose limits the run counts against.
  counted_on date not null,
  ended_at timestamptz,
  -- Null while the run is in progress. 'refused': there was no text that passed the checks, or posting is no longer
  -- allowed. 'failed': the provider or our code failed. 'lost': the worker stopped responding, or no longer held the
  -- slot.
  outcome text check (outcome in ('published', 'drafted', 'previewed', 'refused', 'failed', 'lost')),
  -- The reason for the outcome, in human-readable form. Never contains secrets.
  detail text check (char_length(detail) <= 500),
  model text not null,
  -- The messages that were sent to the provider, as [{"role", "content"}], and the provider's answer.
  prompt jsonb,
  answer text check (char_length(answer) <= 10000),
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  -- Millionths of a US dollar: the reserved amount while the run is in progress, then the actual cost.
  cost_micros bigint not null default 0,
  -- How many times the provider was called.
  calls integer not null default 0,
  post_id uuid,
  draft_id uuid,
  check ((ended_at is null) = (outcome is null))
);

comment on table public.auto_post_runs is
  'Every attempt to write a post in a creator''s name. Read by the creator and by admins.';

create index auto_post_runs_started_at_idx on public.auto_post_runs (started_at desc, id desc);

create index auto_post_runs_user_id_idx on public.auto_post_runs (user_id, started_at desc, id desc);

create index auto_post_runs_counted_on_idx on public.auto_post_runs (counted_on);

create index auto_post_runs_running_idx on public.auto_post_runs (started_at) where outcome is null;

alter table public.auto_post_runs enable row level security;

-- Requires an active session that was opened by signing in.
create policy auto_post_runs_active_session on public.auto_post_runs as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Creators read their own runs; admins read all.
create policy auto_post_runs_select on public.auto_post_runs for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

revoke all on public.auto_post_runs from anon, authenticated, service_role;
grant select on public.auto_post_runs to authenticated, service_role;

create table public.auto_post_drafts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 5000),
  state text not null default 'waiting' check (state in ('waiting', 'published', 'discarded', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);

comment on table public.auto_post_drafts is
  'AI-written posts for their creators to review, kept for 90 days. A published draft becomes a post with the same id.';

create index auto_post_drafts_user_id_idx on public.auto_post_drafts (user_id, created_at desc, id desc);

-- For the job that deletes old drafts.
create index auto_post_drafts_created_at_idx on public.auto_post_drafts (created_at);

create index auto_post_drafts_waiting_idx on public.auto_post_drafts (created_at) where state = 'waiting';

alter table public.auto_post_drafts enable row level security;

-- Requires an active session that was opened by signing in.
create policy auto_post_drafts_active_session on public.auto_post_drafts as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Creators read their own drafts; admins do not.
create policy auto_post_drafts_select on public.auto_post_drafts for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.auto_post_drafts from anon, authenticated, service_role;
grant select on public.auto_post_drafts to authenticated, service_role;

-- The key of the AI provider -----------------------------------------------------------------------------------
-- Stores the encrypted key. For admins.
create function private.set_ai_key(encrypted_key text, masked_key text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  insert into private.ai_key as k (secret, mask, set_by) values (encrypted_key, masked_key, auth.uid())
  on conflict (one) do update
    set secret = excluded.secret, mask = excluded.mask, set_by = excluded.set_by, set_at = clock_timestamp(),
        refused_at = null;
  perform private.write_audit_entry(auth.uid(), 'ai_key.set');
end
$$;

grant execute on function private.set_ai_key(text, text) to authenticated;

-- Returns the status of the key as {"mask", "setAt", "refusedAt"}, or null if there is no key. For admins.
create function private.ai_key_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_build_object('mask', k.mask, 'setAt', k.set_at, 'refusedAt', k.refused_at) from private.ai_key k);
end
$$;

grant execute on function private.ai_key_status() to authenticated;

-- Returns the encrypted key to an admin who asked to see it, and writes an audit entry.
create function private.reveal_ai_key() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  encrypted_key text;
begin
  perform private.require_admin();
  select k.secret into encrypted_key from private.ai_key k;
  if not found then raise exception 'There is no API key.' using errcode = 'PT404'; end if;
  perform private.write_audit_entry(auth.uid(), 'ai_key.reveal');
  return encrypted_key;
end
$$;

grant execute on function private.reveal_ai_key() to authenticated;

-- Deletes the key. For admins.
create function private.remove_ai_key() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from private.ai_key k;
  if found then perform private.write_audit_entry(auth.uid(), 'ai_key.remove'); end if;
end
$$;

grant execute on function private.remove_ai_key() to authenticated;

-- Returns the encrypted key for calls to the provider, or null if there is no key. A key that the provider rejected
-- is returned only with `even_if_refused`.
create function private.encrypted_ai_key(even_if_refused boolean default false) returns text
language sql stable security definer set search_path = ''
as $$ select k.secret from private.ai_key k where k.refused_at is null or even_if_refused $$;

grant execute on function private.encrypted_ai_key(boolean) to service_role;

-- Records whether the provider rejects the key. Does nothing if another key was set in the meantime.
create function private.record_ai_key_status(encrypted_key text, is_refused boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.ai_key k set refused_at = case when is_refused then clock_timestamp() end
  where k.secret = encrypted_key and (k.refused_at is not null) is distinct from is_refused
$$;

grant execute on function private.record_ai_key_status(text, boolean) to service_role;

-- Settings and consent -----------------------------------------------------------------------------------------
-- Returns one of the instance's auto-posting settings.
create function private.auto_posting_setting(setting_name text) returns jsonb
language sql stable security definer set search_path = ''
as $$ select s.value -> setting_name from private.settings s where s.key = 'auto_posting' $$;

grant execute on function private.auto_posting_setting(text) to service_role;

-- Returns the model, its prices in US dollars per million tokens, and the banned words: {"model", "inputPrice",
-- "outputPrice", "bannedWords"}.
create function private.auto_posting_rules() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'model', s.value -> 'model', 'inputPrice', s.value -> 'inputPrice', 'outputPrice', s.value -> 'outputPrice',
    'bannedWords', coalesce((select w.value from private.settings w where w.key = 'banned_words'), '[]'))
  from private.settings s where s.key = 'auto_posting'
$$;

grant execute on function private.auto_posting_rules() to service_role;

-- Returns whether posts may be written for a user now: auto-posting is on for them, they are a creator and not an
-- admin, they have agreed, and their account is not read-only.
create function private.can_auto_post(target_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.auto_posting_settings x
    join public.profiles p on p.id = x.user_id
    join public.accounts a on a.user_id = x.user_id
    join public.profile_about t on t.user_id = x.user_id
    where x.user_id = target_user_id and x.enabled and p.is_creator and not p.is_admin and a.read_only_reason is null
      and t.allow_auto_posting)
$$;

grant execute on function private.can_auto_post(uuid) to service_role;

-- Returns a user's auto-posting state, for themselves and for admins: {"enabled", "frequency", "lastAutoPost",
-- "agreed", "approves", "nextAt"}. Null for anyone else.
create function private.auto_posting_status(target_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if target_user_id is distinct from auth.uid() and not private.is_admin() then return null; end if;
  return (
    select jsonb_build_object(
      'enabled', coalesce(x.enabled, false), 'frequency', coalesce(x.frequency, 'moderate'),
      'lastAutoPost', x.last_auto_post, 'agreed', t.allow_auto_posting, 'approves', t.approve_auto_posts,
      'nextAt', case when private.can_auto_post(target_user_id) then (
        select min(s.due_at) from private.auto_post_slots s where s.user_id = target_user_id and s.state = 'planned') end)
    from public.profile_about t left join private.auto_posting_settings x on x.user_id = t.user_id
    where t.user_id = target_user_id);
end
$$;

grant execute on function private.auto_posting_status(uuid) to authenticated;

-- Turns auto-posting on or off for a creator and sets its frequency. Does nothing if both are unchanged. If
-- auto-posting is then on and the creator has not agreed, asks them to agree, at most once a day.
create function private.set_auto_posting(target_user_id uuid, enable boolean, new_frequency text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  previous private.auto_posting_settings;
  has_agreed boolean;
begin
  perform private.require_manageable(target_user_id);
  if enable and not exists (select from public.profiles p where p.id = target_user_id and p.is_creator) then
    raise exception 'Auto-posting is for creators only.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  perform private.lock_user_counters(array[target_user_id]);
  -- Waits for job runs that are planning slots, and keeps others from planning with the previous settings.
  perform pg_advisory_xact_lock(hashtextextended('auto_plan', 0));
  select * into previous from private.auto_posting_settings x where x.user_id = target_user_id for update;
  if previous.enabled is not distinct from enable and previous.frequency is not distinct from new_frequency then
    return;
  end if;
  insert into private.auto_posting_settings as x (user_id, enabled, frequency, changed_by)
  values (target_user_id, enable, new_frequency, auth.uid())
  on conflict (user_id) do update
    set enabled = excluded.enabled, frequency = excluded.frequency, changed_by = excluded.changed_by,
        changed_at = clock_timestamp();
  -- The next run of the job plans these slots again with the new settings.
  delete from private.auto_post_slots s where s.user_id = target_user_id and s.state = 'planned';
  select t.allow_auto_posting into has_agreed from public.profile_about t where t.user_id = target_user_id;
  if enable and not has_agreed and coalesce(previous.asked_at, '-infinity') < clock_timestamp() - interval '1 day' then
    update private.auto_posting_settings x set asked_at = clock_timestamp() where x.user_id = target_user_id;
    perform private.create_notification(target_user_id, null, 'auto_post',
      detail => 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.');
  end if;
  perform private.write_audit_entry(auth.uid(), 'auto_posting.set', target_user_id,
    details => jsonb_build_object('enabled', enable, 'frequency', new_frequency));
end
$$;

grant execute on function private.set_auto_posting(uuid, boolean, text) to authenticated;

-- Returns up to `max_rows` creators for a round that an admin starts: first those without any auto-post, then those
-- whose latest auto-post is the oldest.
create function private.auto_posting_users(max_rows integer) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select x.user_id from private.auto_posting_settings x
  where x.enabled and private.can_auto_post(x.user_id)
  order by x.last_auto_post nulls first, x.user_id limit max_rows
$$;

grant execute on function private.auto_posting_users(integer) to service_role;

-- Returns what is needed to write a post for a creator: {"name", "bio", "posts", "recent"}. Null if they have not
-- agreed. `posts` are their latest free posts, or empty if their profile is not public. `recent` contains the latest
-- free posts whether or not the profile is public, and the latest drafts. It is never sent to the provider, only
-- compared with the new text, which must not repeat it.
create function private.auto_posting_context(target_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.full_name), 'bio', d.bio,
    'posts', case when p.visibility = 'public' then own.posts else '[]' end,
    'recent', own.posts || (select coalesce(jsonb_agg(l.content), '[]') from (
      select f.content from public.auto_post_drafts f where f.user_id = p.id order by f.created_at desc limit 10) l))
  from public.profiles p
  join public.profile_details d on d.user_id = p.id
  join public.profile_about t on t.user_id = p.id and t.allow_auto_posting
  cross join lateral (
    select coalesce(jsonb_agg(l.content order by l.created_at desc), '[]') as posts from (
      select q.content, q.created_at from public.posts q
      where q.author_id = p.id and not q.is_premium and q.hidden is null and q.product is null
        and not private.is_blank(q.content)
      order by q.created_at desc limit 20) l) own
  where p.id = target_user_id
$$;

grant execute on function private.auto_posting_context(uuid) to service_role;

-- Schedule -----------------------------------------------------------------------------------------------------
-- Returns a number from 0 to 1 that depends only on the seed, so that planning a day twice gives the same plan.
create function private.seeded_random(seed text) returns double precision
language sql immutable parallel safe set search_path = ''
as $$ select ('x' || substr(md5(seed), 1, 8))::bit(32)::bigint / 4294967296.0::double precision $$;

-- Plans the day of `as_of` for the creators who do not have all their slots on that day yet. A low frequency means 1–2
-- posts a day, moderate 2–3, high 3–4. The posting hours are divided into as many equal periods as there are posts,
-- with one slot in each. A new slot whose time is more than 15 minutes before `as_of` is marked as missed.
create function private.plan_auto_posts(as_of timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  time_zone text := coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC');
  first_hour double precision := coalesce((private.auto_posting_setting('fromHour'))::integer, 8);
  end_hour double precision := coalesce((private.auto_posting_setting('toHour'))::integer, 22);
  today date := (as_of at time zone time_zone)::date;
begin
  -- A shared lock: planners may run in parallel, but not while a creator's settings change.
  perform pg_advisory_xact_lock_shared(hashtextextended('auto_plan', 0));
  insert into private.auto_post_slots (user_id, day, nth, due_at, state)
  select x.user_id, today, n, due.at,
         case when due.at < as_of - interval '15 minutes' then 'missed' else 'planned' end
  from private.auto_posting_settings x
  cross join lateral (
    select case x.frequency when 'low' then 1 when 'moderate' then 2 else 3 end
      + case when private.seeded_random(x.user_id || ':' || today) < 0.5 then 0 else 1 end as posts) quota
  cross join lateral generate_series(1, quota.posts) n
  cross join lateral (
    select (today + make_interval(secs => 3600 * (first_hour + (end_hour - first_hour)
      * (n - 0.9 + 0.8 * private.seeded_random(x.user_id || ':' || today || ':' || n)) / quota.posts)))
      at time zone time_zone as at) due
  where x.enabled and private.can_auto_post(x.user_id)
    and (select count(*) from private.auto_post_slots s where s.user_id = x.user_id and s.day = today) < quota.posts
  on conflict (user_id, day, nth) do nothing;
end
$$;

-- Claims up to `max_rows` slots that are due at `as_of`, each for one worker and for the duration of a lease. First
-- plans the day and releases the slots whose lease has ended; after three attempts, such a slot fails instead. Slots
-- that are still waiting 3 hours after they were due (the grace period) are marked as missed. If several slots of a
-- creator are due, only the latest is claimed and the others are marked as missed.
create function private.claim_auto_slots(as_of timestamptz, max_rows integer)
returns table (creator_id uuid, slot_day date, slot_nth smallint, slot_token uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  grace constant interval := interval '3 hours';
  lease constant interval := interval '5 minutes';
begin
  perform private.plan_auto_posts(as_of);
  -- Releases slots whose lease has expired, or that were claimed before the clock was set back.
  update private.auto_post_slots s
  set state = case when s.attempts >= 3 then 'failed' else 'planned' end, token = null, claimed_until = null
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_post_slots r
    where r.state = 'running' and (r.claimed_until < as_of or r.claimed_until > as_of + 2 * lease)
    order by r.due_at for update skip locked);
  update private.auto_post_slots s set state = 'missed'
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_post_slots r
    where r.state = 'planned' and r.due_at <= as_of
      and (r.due_at < as_of - grace
        or exists (
          select from private.auto_post_slots l
          where l.user_id = r.user_id and l.due_at > r.due_at and l.due_at <= as_of))
    order by r.due_at for update skip locked);
  return query
    update private.auto_post_slots s
    set state = 'running', token = gen_random_uuid(), claimed_until = as_of + lease, attempts = s.attempts + 1
    where (s.user_id, s.day, s.nth) in (
      select r.user_id, r.day, r.nth from private.auto_post_slots r
      where r.state = 'planned' and r.due_at <= as_of and coalesce(r.retry_at, r.due_at) <= as_of
        and private.can_auto_post(r.user_id)
      order by r.due_at limit max_rows for update skip locked)
    returning s.user_id, s.day, s.nth, s.token;
end
$$;

grant execute on function private.claim_auto_slots(timestamptz, integer) to service_role;

-- Releases a claimed slot whose run could not begin or produced nothing. With `retry`, the slot can be claimed again 5
-- minutes after the first attempt and 15 after the second; otherwise, and after the third, it fails. If `counts_as_try`
-- is false, the slot only had to wait: the attempt is not counted, and with `retry`, the next job run can claim the
-- slot again. Does nothing if the worker no longer holds the slot.
create function private.release_auto_slot(
  target_user_id uuid, slot_day date, slot_nth smallint, slot_token uuid, as_of timestamptz, retry boolean,
  counts_as_try boolean default true
) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.auto_post_slots s
  set state = case when retry and (s.attempts < 3 or not counts_as_try) then 'planned' else 'failed' end, token = null,
      claimed_until = null, attempts = case when counts_as_try then s.attempts else s.attempts - 1 end,
      retry_at = case when not counts_as_try then as_of + interval '4 minutes'
        when retry and s.attempts < 3 then as_of + interval '5 minutes' * (2 * s.attempts - 1) end
  where s.user_id = target_user_id and s.day = slot_day and s.nth = slot_nth and s.token = slot_token
    and s.state = 'running'
$$;

grant execute on function private.release_auto_slot(uuid, date, smallint, uuid, timestamptz, boolean, boolean)
  to service_role;

-- Daily limits -------------------------------------------------------------------------------------------------
-- Returns the day whose limits apply at a point in time.
create function private.auto_posting_day(as_of timestamptz) returns date
language sql stable security definer set search_path = ''
as $$
  select (as_of at time zone coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC'))::date
$$;

-- Returns what counts against the limits of a day: the number of posts and drafts, in total and for the given creator,
-- including runs in progress, and the cost spent or reserved, in millionths of a US dollar. Previews count toward the
-- cost, but not as posts.
create function private.auto_posting_usage(
  usage_day date, target_user_id uuid, out all_posts integer, out own_posts integer, out spent_micros bigint
)
language sql stable security definer set search_path = ''
as $$
  select count(*) filter (where c.counts), count(*) filter (where c.counts and c.user_id = target_user_id),
         coalesce(sum(c.cost_micros), 0)
  from (select r.user_id, r.cost_micros,
               r.outcome in ('published', 'drafted') or (r.outcome is null and r.kind <> 'preview') as counts
        from public.auto_post_runs r where r.counted_on = usage_day) c
$$;

-- Returns today's use of the limits, for admins: {"posts", "maxPosts", "cost", "maxCost"}; costs in US dollars.
create function private.auto_posting_today() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_build_object(
            'posts', u.all_posts, 'maxPosts', coalesce((private.auto_posting_setting('maxPostsPerDay'))::integer, 0),
            'cost', u.spent_micros / 1000000.0,
            'maxCost', coalesce((private.auto_posting_setting('maxCostPerDay'))::numeric, 0))
          from private.auto_posting_usage(private.auto_posting_day(clock_timestamp()), null) u);
end
$$;

grant execute on function private.auto_posting_today() to authenticated;

-- Runs ---------------------------------------------------------------------------------------------------------
-- Begins a run and reserves its maximum cost, in millionths of a US dollar. Returns its id, or the reason why it may
-- not begin:
--   not_wanted   auto-posting is not allowed for this creator
--   slot_taken   the worker no longer holds the slot
--   cost_cap, post_cap, creator_cap   a daily limit is reached
--   busy         another run for this creator is in progress (two posts written at the same time could repeat each
--                other), or a 'test' run would begin less than a minute after a post or draft was written for them
create function private.begin_auto_run(
  target_user_id uuid, run_kind text, as_of timestamptz, model_name text, reserved_micros bigint,
  slot_day date default null, slot_nth smallint default null, slot_token uuid default null,
  out run_id uuid, out refusal text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := private.auto_posting_day(as_of);
  posts_today integer;
  own_posts_today integer;
  spent_today_micros bigint;
begin
  -- Runs begin one at a time, so that together they stay within the limits.
  perform pg_advisory_xact_lock(hashtextextended('auto_posting', 0));
  update public.auto_post_runs r
  set ended_at = clock_timestamp(), outcome = 'lost', detail = 'The worker stopped responding.'
  where r.outcome is null and r.started_at < clock_timestamp() - interval '15 minutes';
  if run_kind <> 'preview' and not private.can_auto_post(target_user_id) then
    refusal := 'not_wanted';
    return;
  end if;
  if slot_token is not null and not exists (
    select from private.auto_post_slots s where s.user_id = target_user_id and s.day = slot_day and s.nth = slot_nth
      and s.token = slot_token and s.state = 'running') then
    refusal := 'slot_taken';
    return;
  end if;
  select u.all_posts, u.own_posts, u.spent_micros into posts_today, own_posts_today, spent_today_micros
  from private.auto_posting_usage(today, target_user_id) u;
  if spent_today_micros + reserved_micros
    > coalesce((private.auto_posting_setting('maxCostPerDay'))::numeric, 0) * 1000000 then
    refusal := 'cost_cap';
  elsif run_kind <> 'preview'
    and posts_today >= coalesce((private.auto_posting_setting('maxPostsPerDay'))::integer, 0) then
    refusal := 'post_cap';
  elsif run_kind <> 'preview'
    and own_posts_today >= coalesce((private.auto_posting_setting('maxPostsPerCreator'))::integer, 0) then
    refusal := 'creator_cap';
  elsif run_kind <> 'preview' and exists (
    select from public.auto_post_runs r
    where r.user_id = target_user_id and r.outcome is null
      -- Leaves out runs that can no longer publish, because their slot now belongs to the caller or to nobody.
      and (r.kind = 'test' or (r.kind = 'slot' and exists (
        select from private.auto_post_slots s
        where s.user_id = target_user_id and s.day = r.day and s.nth = r.nth and s.state = 'running'
          and s.token is distinct from slot_token)))) then
    refusal := 'busy';
  elsif run_kind = 'test' and exists (
    select from public.auto_post_runs r
    where r.user_id = target_user_id and r.outcome in ('published', 'drafted') and r.kind <> 'preview'
      and r.ended_at > clock_timestamp() - interval '1 minute') then
    refusal := 'busy';
  end if;
  if refusal is not null then return; end if;
  insert into public.auto_post_runs (user_id, kind, day, nth, counted_on, model, cost_micros)
  values (target_user_id, run_kind, slot_day, slot_nth, today, model_name, reserved_micros)
  returning id into run_id;
end
$$;

grant execute on function private.begin_auto_run(uuid, text, timestamptz, text, bigint, date, smallint, uuid)
  to service_role;

-- Ends a run and returns its outcome. `written_text` is the text that passed the checks, or null. Unless the run is a
-- preview, the text is published, or stored as a draft for a creator who reviews posts first, and the slot is marked
-- as done in the same transaction. Nothing is published if the worker no longer holds the slot ('lost') or
-- auto-posting is no longer allowed ('refused'). `run_usage` is {"prompt", "answer", "inputTokens", "outputTokens",
-- "costMicros", "calls"}.
create function private.end_auto_run(
  ended_run_id uuid, run_outcome text, run_detail text, written_text text, run_usage jsonb, as_of timestamptz,
  slot_token uuid default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  r public.auto_post_runs;
  final_outcome text := run_outcome;
  final_detail text := run_detail;
  needs_review boolean;
  new_id uuid := gen_random_uuid();
begin
  -- Locks in the same order as account deletion, to avoid deadlocks: the profile's counts before the rows that depend
  -- on the profile.
  perform from public.profile_counts c
  where c.user_id = (select x.user_id from public.auto_post_runs x where x.id = ended_run_id) for no key update;
  select * into r from public.auto_post_runs x where x.id = ended_run_id for update;
  if not found or r.outcome is not null then return 'lost'; end if;
  if written_text is not null and r.kind <> 'preview' then
    if r.kind = 'slot' then
      update private.auto_post_slots s set state = 'done', token = null, claimed_until = null
      where s.user_id = r.user_id and s.day = r.day and s.nth = r.nth and s.token = slot_token and s.state = 'running';
      if not found then
        final_outcome := 'lost';
        final_detail := 'The worker no longer held this slot.';
      end if;
    end if;
    if final_outcome <> 'lost' and not private.can_auto_post(r.user_id) then
      final_outcome := 'refused';
      final_detail := 'Auto-posting is no longer on for this creator.';
    end if;
    if final_outcome not in ('lost', 'refused') then
      select t.approve_auto_posts into needs_review from public.profile_about t where t.user_id = r.user_id;
      if needs_review then
        insert into public.auto_post_drafts (id, user_id, content) values (new_id, r.user_id, written_text);
        final_outcome := 'drafted';
        perform private.lock_user_counters(array[r.user_id]);
        perform private.create_notification(r.user_id, null, 'auto_post',
          detail => 'An AI-written draft is ready for your review.');
      else
        perform private.insert_post(r.user_id, r.user_id, new_id, written_text, null, null, null, null, null, null, 'ai');
        final_outcome := 'published';
      end if;
      update private.auto_posting_settings x set last_auto_post = as_of where x.user_id = r.user_id;
    end if;
  end if;
  update public.auto_post_runs x
  set ended_at = clock_timestamp(), outcome = final_outcome, detail = left(final_detail, 500),
      prompt = run_usage -> 'prompt', answer = left(run_usage ->> 'answer', 10000),
      input_tokens = coalesce((run_usage ->> 'inputTokens')::integer, 0),
      output_tokens = coalesce((run_usage ->> 'outputTokens')::integer, 0),
      cost_micros = coalesce((run_usage ->> 'costMicros')::bigint, 0),
      calls = coalesce((run_usage ->> 'calls')::integer, 0),
      post_id = case when final_outcome = 'published' then new_id end,
      draft_id = case when final_outcome = 'drafted' then new_id end
  where x.id = ended_run_id;
  return final_outcome;
end
$$;

grant execute on function private.end_auto_run(uuid, text, text, text, jsonb, timestamptz, uuid) to service_role;
grant execute on function
  private.insert_post(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text, uuid) to service_role;

-- Drafts -------------------------------------------------------------------------------------------------------
-- Returns how long after its creation a draft can still be published.
create function private.draft_lifetime() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '3 days' $$;

-- The API also calls this function, to return the time at which a draft expires.
grant execute on function private.draft_lifetime() to authenticated;

-- Publishes one of the caller's drafts as a post with the draft's id. `edited_content` replaces the text if not null.
-- Repeating the call has no effect.
create function private.publish_draft(target_draft_id uuid, edited_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  draft public.auto_post_drafts;
begin
  perform private.require_can_publish(false);
  -- Locks in the same order as account deletion, to avoid deadlocks.
  perform from public.profile_counts c where c.user_id = auth.uid() for no key update;
  select * into draft from public.auto_post_drafts f where f.id = target_draft_id and f.user_id = auth.uid() for update;
  if not found then raise exception 'Draft not found' using errcode = 'PT404'; end if;
  if draft.state = 'published' then return; end if;
  -- The job that marks drafts as expired may not have run yet.
  if draft.state <> 'waiting' or draft.created_at < clock_timestamp() - private.draft_lifetime() then
    raise exception 'This draft was discarded or has expired.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.insert_post(auth.uid(), auth.uid(), target_draft_id, coalesce(edited_content, draft.content), null,
                             null, null, null, null, null, 'ai') then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_post_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = target_draft_id;
end
$$;

grant execute on function private.publish_draft(uuid, text) to authenticated;

-- Discards one of the caller's drafts. Repeating the call has no effect.
create function private.discard_draft(target_draft_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  update public.auto_post_drafts f set state = 'discarded', decided_at = clock_timestamp()
  where f.id = target_draft_id and f.user_id = auth.uid() and f.state = 'waiting';
  if not found and not exists (select from public.auto_post_drafts f
                               where f.id = target_draft_id and f.user_id = auth.uid() and f.state = 'discarded') then
    raise exception 'Draft not found' using errcode = 'PT404';
  end if;
end
$$;

grant execute on function private.discard_draft(uuid) to authenticated;

-- Expires drafts that were neither published nor discarded in time, and deletes drafts, runs and slots after 90 days.
-- Returns the numbers of expired drafts and deleted runs.
create function private.tidy_auto_posting() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  expired_drafts integer;
  deleted_runs integer;
begin
  update public.auto_post_drafts f set state = 'expired', decided_at = clock_timestamp()
  where f.state = 'waiting' and f.created_at < (select clock_timestamp()) - private.draft_lifetime();
  get diagnostics expired_drafts = row_count;
  delete from public.auto_post_drafts f where f.created_at < (select clock_timestamp()) - interval '90 days';
  delete from public.auto_post_runs r where r.started_at < (select clock_timestamp()) - interval '90 days';
  get diagnostics deleted_runs = row_count;
  delete from private.auto_post_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired_drafts, 'runs', deleted_runs);
end
$$;

grant execute on function private.tidy_auto_posting() to service_role;
