-- Posts that a program writes in a creator's name: whom it is switched on for, when it is due, what was asked and
-- answered, what it cost, and the drafts that a creator wants to see first. And the key to the AI provider.

-- The key, encrypted by the API with ENCRYPTION_KEY; `mask` is what is shown of it.
create table private.ai_key (
  one boolean primary key default true check (one),
  secret text not null,
  mask text not null,
  set_by uuid not null,
  set_at timestamptz not null default clock_timestamp(),
  -- The provider said that it does not take this key.
  refused_at timestamptz
);

insert into private.settings (key, value) values
  ('auto_posting', '{"maxPostsPerDay": 200, "maxPostsPerCreator": 6, "maxCostPerDay": 5, "timeZone": "UTC",
                     "fromHour": 8, "toHour": 22, "model": "gpt-4o-mini", "inputPrice": 0.15, "outputPrice": 0.6}'),
  ('banned_words', '[]');

create table private.auto_posting (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  enabled boolean not null default false,
  frequency text not null default 'moderate' check (frequency in ('low', 'moderate', 'high')),
  changed_by uuid,
  changed_at timestamptz not null default clock_timestamp(),
  last_auto_post timestamptz,
  -- When they were last asked to agree.
  asked_at timestamptz
);
create index auto_posting_enabled_idx on private.auto_posting (user_id) where enabled;

-- When a post is due: so many a day of the instance's time zone. Claimed by one worker at a time, for the time of a
-- lease; whoever comes back later than that finds that the slot is no longer theirs.
create table private.auto_slots (
  user_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  nth smallint not null check (nth between 1 and 4),
  due_at timestamptz not null,
  state text not null default 'planned' check (state in ('planned', 'running', 'done', 'missed', 'failed')),
  token uuid,
  claimed_until timestamptz,
  attempts smallint not null default 0,
  retry_at timestamptz,
  primary key (user_id, day, nth)
);
create index auto_slots_due_idx on private.auto_slots (due_at) where state in ('planned', 'running');
create index auto_slots_day_idx on private.auto_slots (day);

create table public.auto_runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('slot', 'test', 'preview')),
  -- The slot that it is for.
  day date,
  nth smallint,
  started_at timestamptz not null default clock_timestamp(),
  -- What the caps count it in.
  counted_on date not null,
  ended_at timestamptz,
  -- 'published', 'drafted', 'previewed'; 'refused' by our own checks, 'failed' at the provider, 'lost' where the worker
  -- did not come back or the slot was another's by then; null while it runs.
  outcome text check (outcome in ('published', 'drafted', 'previewed', 'refused', 'failed', 'lost')),
  -- Why, in words; never anything secret.
  detail text check (char_length(detail) <= 500),
  model text not null,
  -- What was sent, as [{"role", "content"}], and what came back.
  prompt jsonb,
  answer text check (char_length(answer) <= 10000),
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  -- Millionths of a US dollar: kept aside while it runs, then what it cost.
  cost_micros bigint not null default 0,
  calls integer not null default 0,
  post_id uuid,
  draft_id uuid,
  check ((ended_at is null) = (outcome is null))
);
comment on table public.auto_runs is 'Each time that a program wrote, or tried to write, in somebody''s name: read by them and admins.';
create index auto_runs_started_at_idx on public.auto_runs (started_at desc, id desc);
create index auto_runs_user_id_idx on public.auto_runs (user_id, started_at desc, id desc);
create index auto_runs_counted_on_idx on public.auto_runs (counted_on);
create index auto_runs_running_idx on public.auto_runs (started_at) where outcome is null;

create table public.auto_drafts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 5000),
  state text not null default 'waiting' check (state in ('waiting', 'published', 'discarded', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
comment on table public.auto_drafts is 'What a program wrote for somebody who wants to see it first. Published, it becomes a post of the same id.';
create index auto_drafts_user_id_idx on public.auto_drafts (user_id, created_at desc, id desc);
create index auto_drafts_waiting_idx on public.auto_drafts (created_at) where state = 'waiting';

alter table public.auto_runs enable row level security;
alter table public.auto_drafts enable row level security;
revoke all on public.auto_runs, public.auto_drafts from anon, authenticated, service_role;
grant select on public.auto_runs, public.auto_drafts to authenticated, service_role;
create policy auto_runs_alive on public.auto_runs as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy auto_runs_select on public.auto_runs for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy auto_drafts_alive on public.auto_drafts as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy auto_drafts_select on public.auto_drafts for select to authenticated
  using (user_id = (select auth.uid()));

-- The key -----------------------------------------------------------------------------------------------------

create function private.set_ai_key(sealed text, shown text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  insert into private.ai_key as k (secret, mask, set_by) values (sealed, shown, auth.uid())
  on conflict (one) do update
    set secret = excluded.secret, mask = excluded.mask, set_by = excluded.set_by, set_at = clock_timestamp(),
        refused_at = null;
  perform private.audit(auth.uid(), 'ai_key.set');
end
$$;

-- What is shown of the key: {"mask", "setAt", "refusedAt"}; null without one.
create function private.ai_key_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_build_object('mask', k.mask, 'setAt', k.set_at, 'refusedAt', k.refused_at) from private.ai_key k);
end
$$;

-- The encrypted key, for an admin who asked to see it: in the audit log.
create function private.reveal_ai_key() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sealed text;
begin
  perform private.require_admin();
  select k.secret into sealed from private.ai_key k;
  if not found then raise exception 'There is no API key.' using errcode = 'PT404'; end if;
  perform private.audit(auth.uid(), 'ai_key.reveal');
  return sealed;
end
$$;

create function private.remove_ai_key() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from private.ai_key k;
  if found then perform private.audit(auth.uid(), 'ai_key.remove'); end if;
end
$$;

-- The encrypted key, for whoever works with it; null without one, and while the provider does not take it.
create function private.sealed_ai_key(even_if_refused boolean default false) returns text
language sql stable security definer set search_path = ''
as $$ select k.secret from private.ai_key k where k.refused_at is null or even_if_refused $$;

-- The provider does not take this key (it did again, with `refused` false). Another one that was set meanwhile is none
-- of that.
create function private.note_ai_key(sealed text, refused boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.ai_key k set refused_at = case when refused then clock_timestamp() end
  where k.secret = sealed and (k.refused_at is not null) is distinct from refused
$$;

grant execute on function private.set_ai_key(text, text), private.ai_key_status(), private.reveal_ai_key(),
  private.remove_ai_key() to authenticated;
grant execute on function private.sealed_ai_key(boolean), private.note_ai_key(text, boolean) to service_role;

-- Whom it is on for -------------------------------------------------------------------------------------------

-- One setting of auto-posting.
create function private.auto_setting(setting text) returns jsonb
language sql stable security definer set search_path = ''
as $$ select s.value -> setting from private.settings s where s.key = 'auto_posting' $$;

-- What the program goes by: {"model", "inputPrice", "outputPrice" (US dollars a million tokens), "bannedWords"}.
create function private.auto_rules() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'model', s.value -> 'model', 'inputPrice', s.value -> 'inputPrice', 'outputPrice', s.value -> 'outputPrice',
    'bannedWords', coalesce((select w.value from private.settings w where w.key = 'banned_words'), '[]'))
  from private.settings s where s.key = 'auto_posting'
$$;
grant execute on function private.auto_rules() to service_role;

-- A program may post for this person now: a creator for whom it is switched on, who has agreed, and may post at all.
create function private.may_auto_post(person uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.auto_posting x
    join public.profiles p on p.id = x.user_id
    join public.accounts a on a.user_id = x.user_id
    join public.profile_about t on t.user_id = x.user_id
    where x.user_id = person and x.enabled and p.is_creator and not p.is_admin and a.read_only_reason is null
      and t.allow_auto_posting)
$$;

-- How it stands with one person, for admins and themselves: {"enabled", "frequency", "lastAutoPost", "agreed",
-- "approves", "nextAt"}.
create function private.auto_posting_of(person uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if person is distinct from auth.uid() and not private.is_admin() then return null; end if;
  return (
    select jsonb_build_object(
      'enabled', coalesce(x.enabled, false), 'frequency', coalesce(x.frequency, 'moderate'),
      'lastAutoPost', x.last_auto_post, 'agreed', t.allow_auto_posting, 'approves', t.approve_auto_posts,
      'nextAt', case when private.may_auto_post(person) then (
        select min(s.due_at) from private.auto_slots s where s.user_id = person and s.state = 'planned') end)
    from public.profile_about t left join private.auto_posting x on x.user_id = t.user_id
    where t.user_id = person);
end
$$;
grant execute on function private.auto_posting_of(uuid) to authenticated;

-- Switches it on or off for a creator. One who has not agreed is asked to, once a day at most.
create function private.set_auto_posting(person uuid, wanted boolean, how_often text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  before private.auto_posting;
  agreed boolean;
begin
  perform private.require_manageable(person);
  if wanted and not exists (select from public.profiles p where p.id = person and p.is_creator) then
    raise exception 'Auto-posting is for creators only.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  perform private.lock_counters(array[person]);
  -- Nobody plans meanwhile by what it was before.
  perform pg_advisory_xact_lock(hashtextextended('auto_plan', 0));
  select * into before from private.auto_posting x where x.user_id = person for update;
  if before.enabled is not distinct from wanted and before.frequency is not distinct from how_often then return; end if;
  insert into private.auto_posting as x (user_id, enabled, frequency, changed_by)
  values (person, wanted, how_often, auth.uid())
  on conflict (user_id) do update
    set enabled = excluded.enabled, frequency = excluded.frequency, changed_by = excluded.changed_by,
        changed_at = clock_timestamp();
  -- What is not due yet is planned anew.
  delete from private.auto_slots s where s.user_id = person and s.state = 'planned';
  select t.allow_auto_posting into agreed from public.profile_about t where t.user_id = person;
  if wanted and not agreed and coalesce(before.asked_at, '-infinity') < clock_timestamp() - interval '1 day' then
    update private.auto_posting x set asked_at = clock_timestamp() where x.user_id = person;
    perform private.notify_person(person, null, 'auto_post',
      said => 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.');
  end if;
  perform private.audit(auth.uid(), 'auto_posting.set', person,
                        changed => jsonb_build_object('enabled', wanted, 'frequency', how_often));
end
$$;
grant execute on function private.set_auto_posting(uuid, boolean, text) to authenticated;

-- When -------------------------------------------------------------------------------------------------------

-- A number from 0 to 1 that is always the same for a text: whoever plans a day again plans the same.
create function private.chance(seed text) returns double precision
language sql immutable parallel safe set search_path = ''
as $$ select ('x' || substr(md5(seed), 1, 8))::bit(32)::bigint / 4294967296.0::double precision $$;

-- Plans the day that is running at `at`, for whom it is not planned yet: low 1–2, moderate 2–3, high 3–4 posts, spread
-- over the waking hours, each somewhere within its share of them. What would have been due before is not made up for.
create function private.plan_auto_posts(at timestamptz) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  zone text := coalesce(private.auto_setting('timeZone') #>> '{}', 'UTC');
  opens double precision := coalesce((private.auto_setting('fromHour'))::integer, 8);
  closes double precision := coalesce((private.auto_setting('toHour'))::integer, 22);
  today date := (at at time zone zone)::date;
  planned integer;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('auto_plan', 0));
  insert into private.auto_slots (user_id, day, nth, due_at, state)
  select x.user_id, today, n, due.at, case when due.at < plan_auto_posts.at - interval '15 minutes' then 'missed' else 'planned' end
  from private.auto_posting x
  cross join lateral (
    select case x.frequency when 'low' then 1 when 'moderate' then 2 else 3 end
      + case when private.chance(x.user_id || ':' || today) < 0.5 then 0 else 1 end as posts) share
  cross join lateral generate_series(1, share.posts) n
  cross join lateral (
    select (today + make_interval(secs => 3600 * (opens + (closes - opens)
      * (n - 0.9 + 0.8 * private.chance(x.user_id || ':' || today || ':' || n)) / share.posts))) at time zone zone as at) due
  where x.enabled and private.may_auto_post(x.user_id)
    and (select count(*) from private.auto_slots s where s.user_id = x.user_id and s.day = today) < share.posts
  on conflict (user_id, day, nth) do nothing;
  get diagnostics planned = row_count;
  return planned;
end
$$;

-- Takes up to `most` slots that are due at `at`, each for one worker and for the time of a lease. Slots that nobody came
-- for in time are missed; of several of one person the latest counts.
create function private.claim_auto_slots(at timestamptz, most integer)
returns table (person uuid, slot_day date, slot_nth smallint, slot_token uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  grace constant interval := interval '3 hours';
  lease constant interval := interval '5 minutes';
begin
  perform private.plan_auto_posts(at);
  -- Whoever had it did not come back (or the clock was set back since). Three times, and it is given up.
  update private.auto_slots s
  set state = case when s.attempts >= 3 then 'failed' else 'planned' end, token = null, claimed_until = null
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_slots r
    where r.state = 'running' and (r.claimed_until < at or r.claimed_until > at + 2 * lease)
    order by r.due_at for update skip locked);
  update private.auto_slots s set state = 'missed'
  where (s.user_id, s.day, s.nth) in (
    select r.user_id, r.day, r.nth from private.auto_slots r
    where r.state = 'planned' and r.due_at <= at
      and (r.due_at < at - grace
        or exists (select from private.auto_slots l where l.user_id = r.user_id and l.due_at > r.due_at and l.due_at <= at))
    order by r.due_at for update skip locked);
  return query
    update private.auto_slots s
    set state = 'running', token = gen_random_uuid(), claimed_until = at + lease, attempts = s.attempts + 1
    where (s.user_id, s.day, s.nth) in (
      select r.user_id, r.day, r.nth from private.auto_slots r
      where r.state = 'planned' and r.due_at <= at and coalesce(r.retry_at, r.due_at) <= at
        and private.may_auto_post(r.user_id)
      order by r.due_at limit most for update skip locked)
    returning s.user_id, s.day, s.nth, s.token;
end
$$;

-- Whom a round is for that does not wait for slots.
create function private.auto_posters(most integer) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select x.user_id from private.auto_posting x
  where x.enabled and private.may_auto_post(x.user_id)
  order by x.last_auto_post nulls first, x.user_id limit most
$$;

-- Running ----------------------------------------------------------------------------------------------------

-- The day of a moment, as the caps count days.
create function private.auto_day(at timestamptz) returns date
language sql stable security definer set search_path = ''
as $$
  select (at at time zone coalesce(private.auto_setting('timeZone') #>> '{}', 'UTC'))::date
$$;

-- What counts against the caps of a day: posts and drafts, those under way included, of all and of one person, and what
-- was spent or is set aside, in millionths of a US dollar.
create function private.auto_use(of_day date, person uuid, out posts integer, out own integer, out spent bigint)
language sql stable security definer set search_path = ''
as $$
  select count(*) filter (where c.counts), count(*) filter (where c.counts and c.user_id = person),
         coalesce(sum(c.cost_micros), 0)
  from (select r.user_id, r.cost_micros,
               r.outcome in ('published', 'drafted') or (r.outcome is null and r.kind <> 'preview') as counts
        from public.auto_runs r where r.counted_on = of_day) c
$$;

-- How much of today's caps is used, for admins; costs in US dollars.
create function private.auto_posting_today() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_build_object(
            'posts', u.posts, 'maxPosts', coalesce((private.auto_setting('maxPostsPerDay'))::integer, 0),
            'cost', u.spent / 1000000.0, 'maxCost', coalesce((private.auto_setting('maxCostPerDay'))::numeric, 0))
          from private.auto_use(private.auto_day(clock_timestamp()), null) u);
end
$$;
grant execute on function private.auto_posting_today() to authenticated;

-- Begins a run, with `keep_aside` millionths of a dollar for what it may cost. Answers its id, or why it may not be: a
-- cap is reached, it is not wanted (any more), or one is under way for the same person, which neither could be compared
-- with.
create function private.begin_auto_run(
  person uuid, run_kind text, at timestamptz, with_model text, keep_aside bigint,
  slot_day date default null, slot_nth smallint default null, slot_token uuid default null,
  out run uuid, out refusal text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := private.auto_day(at);
  posts integer;
  own integer;
  spent bigint;
begin
  -- One after the other, so that caps hold for all of them together.
  perform pg_advisory_xact_lock(hashtextextended('auto_posting', 0));
  update public.auto_runs r set ended_at = clock_timestamp(), outcome = 'lost', detail = 'The worker did not come back.'
  where r.outcome is null and r.started_at < clock_timestamp() - interval '15 minutes';
  if run_kind <> 'preview' and not private.may_auto_post(person) then
    refusal := 'not_wanted';
    return;
  end if;
  if slot_token is not null and not exists (
    select from private.auto_slots s where s.user_id = person and s.day = slot_day and s.nth = slot_nth
      and s.token = slot_token and s.state = 'running') then
    refusal := 'slot_taken';
    return;
  end if;
  select u.posts, u.own, u.spent into posts, own, spent from private.auto_use(today, person) u;
  if spent + keep_aside > coalesce((private.auto_setting('maxCostPerDay'))::numeric, 0) * 1000000 then
    refusal := 'cost_cap';
  elsif run_kind <> 'preview' and posts >= coalesce((private.auto_setting('maxPostsPerDay'))::integer, 0) then
    refusal := 'post_cap';
  elsif run_kind <> 'preview' and own >= coalesce((private.auto_setting('maxPostsPerCreator'))::integer, 0) then
    refusal := 'creator_cap';
  elsif run_kind <> 'preview' and exists (
    select from public.auto_runs r
    where r.user_id = person and r.outcome is null
      -- Of a slot that was given to the caller, or to nobody, nothing comes any more.
      and (r.kind = 'test' or (r.kind = 'slot' and exists (
        select from private.auto_slots s
        where s.user_id = person and s.day = r.day and s.nth = r.nth and s.state = 'running'
          and s.token is distinct from slot_token)))) then
    refusal := 'busy';
  elsif run_kind = 'test' and exists (
    select from public.auto_runs r
    where r.user_id = person and r.outcome in ('published', 'drafted') and r.kind <> 'preview'
      and r.ended_at > clock_timestamp() - interval '1 minute') then
    refusal := 'busy';
  end if;
  if refusal is not null then return; end if;
  insert into public.auto_runs (user_id, kind, day, nth, counted_on, model, cost_micros)
  values (person, run_kind, slot_day, slot_nth, today, with_model, keep_aside)
  returning id into run;
end
$$;

-- A slot whose run could not begin or came to nothing: tried again after a while (5, 15 minutes) with `again`, else given
-- up. With `tried` false it only had to wait: that is none of its three tries, and the next turn takes it, as long as a
-- slot may be late. A slot that is no longer the caller's is left as it is.
create function private.release_auto_slot(
  person uuid, slot_day date, slot_nth smallint, slot_token uuid, at timestamptz, again boolean,
  tried boolean default true
) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.auto_slots s
  set state = case when again and (s.attempts < 3 or not tried) then 'planned' else 'failed' end, token = null,
      claimed_until = null, attempts = case when tried then s.attempts else s.attempts - 1 end,
      retry_at = case when not tried then at + interval '4 minutes'
        when again and s.attempts < 3 then at + interval '5 minutes' * (2 * s.attempts - 1) end
  where s.user_id = person and s.day = slot_day and s.nth = slot_nth and s.token = slot_token and s.state = 'running'
$$;

-- Ends a run. With `content`, that is what was written and found good: it is published, or kept as a draft where its
-- creator wants to see it first (a preview does neither), in the same moment in which the slot is done. Answers the
-- outcome: a slot that is another's by now, and a creator who no longer agrees, get nothing.
-- `used` is {"prompt", "answer", "inputTokens", "outputTokens", "costMicros", "calls"}.
create function private.end_auto_run(
  run uuid, came_to text, why text, content text, used jsonb, at timestamptz, slot_token uuid default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  r public.auto_runs;
  result text := came_to;
  reason text := why;
  draft_first boolean;
  made uuid := gen_random_uuid();
begin
  -- As an account that is being removed holds them: the count of its posts before all that hangs on it.
  perform from public.profile_counts c
  where c.user_id = (select x.user_id from public.auto_runs x where x.id = run) for no key update;
  select * into r from public.auto_runs x where x.id = run for update;
  if not found or r.outcome is not null then return 'lost'; end if;
  if content is not null and r.kind <> 'preview' then
    if r.kind = 'slot' then
      update private.auto_slots s set state = 'done', token = null, claimed_until = null
      where s.user_id = r.user_id and s.day = r.day and s.nth = r.nth and s.token = slot_token and s.state = 'running';
      if not found then
        result := 'lost';
        reason := 'The slot was another worker’s by then.';
      end if;
    end if;
    if result <> 'lost' and not private.may_auto_post(r.user_id) then
      result := 'refused';
      reason := 'It was no longer wanted.';
    end if;
    if result not in ('lost', 'refused') then
      select t.approve_auto_posts into draft_first from public.profile_about t where t.user_id = r.user_id;
      if draft_first then
        insert into public.auto_drafts (id, user_id, content) values (made, r.user_id, end_auto_run.content);
        result := 'drafted';
        perform private.lock_counters(array[r.user_id]);
        perform private.notify_person(r.user_id, null, 'auto_post', said => 'A draft written by AI waits for you to look at it.');
      else
        perform private.store_post(r.user_id, r.user_id, made, end_auto_run.content, null, null, null, null, null, null, 'ai');
        result := 'published';
      end if;
      update private.auto_posting x set last_auto_post = at where x.user_id = r.user_id;
    end if;
  end if;
  update public.auto_runs x
  set ended_at = clock_timestamp(), outcome = result, detail = left(reason, 500), prompt = used -> 'prompt',
      answer = left(used ->> 'answer', 10000), input_tokens = coalesce((used ->> 'inputTokens')::integer, 0),
      output_tokens = coalesce((used ->> 'outputTokens')::integer, 0),
      cost_micros = coalesce((used ->> 'costMicros')::bigint, 0), calls = coalesce((used ->> 'calls')::integer, 0),
      post_id = case when result = 'published' then made end, draft_id = case when result = 'drafted' then made end
  where x.id = run;
  return result;
end
$$;

-- What the program is told of a person: how they are called, what they say of themselves, and their latest posts that
-- everybody may read. `recent` stays here: what a new text must not repeat. Null for who has not agreed: nothing of
-- theirs leaves the platform.
create function private.auto_material(person uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.full_name), 'bio', d.bio,
    'posts', case when p.visibility = 'public' then own.posts else '[]' end,
    'recent', own.posts || (select coalesce(jsonb_agg(l.content), '[]') from (
      select f.content from public.auto_drafts f where f.user_id = p.id order by f.created_at desc limit 10) l))
  from public.profiles p
  join public.profile_details d on d.user_id = p.id
  join public.profile_about t on t.user_id = p.id and t.allow_auto_posting
  cross join lateral (
    select coalesce(jsonb_agg(l.content order by l.created_at desc), '[]') as posts from (
      select q.content, q.created_at from public.posts q
      where q.author_id = p.id and not q.is_premium and q.hidden is null and q.product is null
        and not private.is_blank(q.content)
      order by q.created_at desc limit 20) l) own
  where p.id = person
$$;

grant execute on function private.claim_auto_slots(timestamptz, integer), private.auto_posters(integer),
  private.begin_auto_run(uuid, text, timestamptz, text, bigint, date, smallint, uuid),
  private.release_auto_slot(uuid, date, smallint, uuid, timestamptz, boolean, boolean),
  private.end_auto_run(uuid, text, text, text, jsonb, timestamptz, uuid), private.auto_material(uuid),
  private.plan_auto_posts(timestamptz), private.may_auto_post(uuid), private.auto_setting(text),
  private.store_post(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text) to service_role;

-- Drafts -----------------------------------------------------------------------------------------------------

-- Publishes one of the caller's drafts, as they have changed it; the post has the draft's id. A second call changes
-- nothing.
create function private.publish_draft(draft uuid, written text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept public.auto_drafts;
begin
  perform private.require_publish(false);
  -- As an account that is being removed holds them.
  perform from public.profile_counts c where c.user_id = auth.uid() for no key update;
  select * into kept from public.auto_drafts f where f.id = draft and f.user_id = auth.uid() for update;
  if not found then raise exception 'Draft not found' using errcode = 'PT404'; end if;
  if kept.state = 'published' then return; end if;
  if kept.state <> 'waiting' then
    raise exception 'This draft is gone.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.store_post(auth.uid(), auth.uid(), draft, coalesce(written, kept.content), null, null, null, null,
                            null, null, 'ai') then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = draft;
end
$$;

create function private.discard_draft(draft uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  update public.auto_drafts f set state = 'discarded', decided_at = clock_timestamp()
  where f.id = draft and f.user_id = auth.uid() and f.state = 'waiting';
  if not found and not exists (select from public.auto_drafts f
                               where f.id = draft and f.user_id = auth.uid() and f.state = 'discarded') then
    raise exception 'Draft not found' using errcode = 'PT404';
  end if;
end
$$;
grant execute on function private.publish_draft(uuid, text), private.discard_draft(uuid) to authenticated;

-- Consent can be taken back by whoever may change nothing else.
create or replace function private.edit_profile(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if changes = '{"allow_auto_posting": false}' then
    perform private.require_session();
  else
    perform private.require_write();
  end if;
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

-- What the clock removes: drafts that nobody looked at for 3 days are no longer offered, and go with what else was
-- written after 90.
create function private.tidy_auto_posting() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  expired integer;
  forgotten integer;
begin
  update public.auto_drafts f set state = 'expired', decided_at = clock_timestamp()
  where f.state = 'waiting' and f.created_at < clock_timestamp() - interval '3 days';
  get diagnostics expired = row_count;
  delete from public.auto_drafts f where f.created_at < clock_timestamp() - interval '90 days';
  delete from public.auto_runs r where r.started_at < clock_timestamp() - interval '90 days';
  get diagnostics forgotten = row_count;
  delete from private.auto_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired, 'runs', forgotten);
end
$$;
grant execute on function private.tidy_auto_posting() to service_role;

revoke execute on all functions in schema private from public;
