-- The whole schema, generated from supabase/schemas.

set check_function_bodies = off;

-- Foundation: extensions, the private schema, the role that the API signs in as, instance settings, rate limits, used
-- captchas, and small helpers that every other file may call.
--
-- Rules of the whole schema:
-- - Every table in `public` has row-level security. Its policies decide what a caller reads and writes.
-- - The Data API does not expose the schema `private`. Roles can use the schema, but each function in it is callable
--   only after an explicit grant. Policies, triggers and the API's own SQL call them.
-- - Functions that are `security definer` bypass row-level security and therefore check the caller themselves.

create schema if not exists extensions;

create schema if not exists private;

create extension if not exists pg_trgm with schema extensions;

-- The role of the API's connections. It owns nothing and inherits nothing, so a query that does not switch to the
-- caller's role is refused. An operator gives it LOGIN and a password with `alter role`.
do $$
begin
  if not exists (select from pg_roles where rolname = 'gateway') then
    create role gateway nologin noinherit;
  end if;
end
$$;

-- Schedule on Supabase ---------------------------------------------------------------------------------------------
-- Does nothing unless pg_cron, pg_net and the vault are available, as they are on Supabase.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron;
    create extension if not exists pg_net;
  end if;
end
$$;

-- Calls the same job routes as the embedded stack's timer, with the URL and the secret that the operator stored in
-- the vault as `jobs_url` and `job_secret`.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values
    ('clean-up', '*/10 * * * *'), ('trending', '*/10 * * * *'), ('media', '*/10 * * * *'), ('mails', '*/5 * * * *'),
    ('renewals', '*/10 * * * *'), ('payments', '*/5 * * * *'), ('roll-up', '*/5 * * * *'),
    ('payouts', '*/10 * * * *'), ('moderation', '* * * * *'), ('auto-posts', '*/5 * * * *')) as listed(name, minutes)
  loop
    -- Scheduling by name replaces an existing schedule of the same job.
    perform cron.schedule('ovation-' || job.name, job.minutes, format($job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;

-- An entry to be booked; the columns are those of public.ledger_entries.
create type private.ledger_line as (account text, user_id uuid, label text, amount_cents bigint);

-- Instance settings -----------------------------------------------------------------------------------------------

-- Settings of this installation, one row each. `supabase/seed.sql` inserts the defaults.
create table private.settings (
  key text primary key,
  value jsonb not null,
  constraint settings_platform_fee_percent_check check (
    case when key = 'platform_fee_percent' and jsonb_typeof(value) = 'number'
         then (value #>> '{}')::numeric between 0 and 100
         else key <> 'platform_fee_percent' end)
);

-- Rate limits -----------------------------------------------------------------------------------------------------

-- Hits per bucket and subject (a user, an email or a network) in fixed time windows. Unlogged, so that counting a
-- request does not wait for the write-ahead log; a crash only loses the counts of the current windows. Old rows are
-- deleted by the cleanup job.
create unlogged table private.rate_limits (
  bucket text not null,
  subject text not null,
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, subject, window_start)
);

-- Captcha ---------------------------------------------------------------------------------------------------------

-- Captcha solutions that were used. Each is accepted once; the cleanup job deletes expired ones.
create table private.spent_captchas (
  signature text primary key,
  expires_at timestamptz not null
);

-- Discovery: trending topics and featured creators.
--
-- Both rankings cover the last 7 days. The job `trending` recounts them every ten minutes with
-- private.refresh_trending, and the lists read the two small tables below.

-- The 50 tags with the most authors.
create table private.trending_tags (
  tag text primary key,
  posts integer not null,
  people integer not null -- number of different authors
);

-- Direct messages between two users.
--
-- Rules:
-- * A conversation numbers its messages from 1 without gaps (`seq`), so a client that sees a gap knows that a message
--   is missing. Later changes (edits, deletions, reactions) are numbered separately (`version`).
-- * A transaction that adds or changes a message first locks the conversation's row until it ends, so both numbers
--   follow the commit order.
-- * The client chooses a message's id. Sending the same message twice stores it once.
-- * Conversations and messages outlive their users' accounts, so user ids are stored without foreign keys.
-- * Functions that read threads run as definer: under the policies ("sent or received by the caller") the planner may
--   read everything a user ever wrote instead of following one index.
-- See docs/decisions/010-messages-and-notifications.md.

-- Conversations ----------------------------------------------------------------------------------------------------
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  user_low uuid not null,
  user_high uuid not null,
  -- Number of the latest message.
  last_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  last_change bigint not null default 0,
  -- Compared as text, like the ids in the names of Realtime topics.
  check (user_low::text < user_high::text),
  unique (user_low, user_high)
);

-- A user's customer id at a provider. Not a foreign key: the row stays after the account is deleted, until the
-- customer is deleted at the provider too.
create table private.payment_customers (
  provider text not null,
  user_id uuid not null,
  reference text not null,
  created_at timestamptz not null default now(),
  primary key (provider, user_id)
);

-- Webhook events that were processed, so that each one takes effect once.
create table private.payment_events (
  provider text not null,
  event text not null,
  kind text not null,
  received_at timestamptz not null default now(),
  primary key (provider, event)
);

-- What the platform owes each creator: a total of ledger_transactions, written by private.book_transaction and
-- private.rebuild_balances. No foreign key, as in the ledger.
create table public.creator_balances (
  user_id uuid primary key,
  -- Pending and available together.
  total_cents bigint not null default 0
);

-- A creator's sales less refunds by day and source, so that a year of earnings is read without adding up the ledger.
-- Written by the same two functions as creator_balances. No foreign key, as in the ledger.
create table public.earning_days (
  user_id uuid not null,
  -- In UTC.
  day date not null,
  source text not null check (source in ('unlock', 'subscription', 'tip')),
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  -- The number of sales less the number of refunds.
  sales integer not null default 0,
  primary key (user_id, day, source)
);

-- Subscriptions to creators, paid by the month. A subscription unlocks the premium posts that its creator marked as
-- included.
--
-- - begin_subscription creates a pending subscription and the payment of its first month (50_payments). Settling the
--   payment activates it; each further month is another payment.
-- - The job `renewals` renews what is due. A provider with its own billing (Stripe) renews what it has a reference
--   for, and reports each month to private.settle_provider_period.
-- - Cancelling takes effect at the end of the paid period. A failed renewal is retried for private.renewal_grace(),
--   while the subscription continues.
-- - User ids are not foreign keys, as in the ledger: what was paid outlives the accounts.
-- - Lock order, to avoid deadlocks: the pair of users (private.lock_relation, which follows and blocks take too), the
--   subscription, its payment, profile_counts, user_counters, the users' own rows.

create table public.subscriptions (
  id uuid primary key default gen_random_uuid(),
  subscriber_id uuid not null,
  creator_id uuid not null,
  -- 'pending' until the first payment is settled.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  price_cents integer not null check (price_cents > 0),
  -- The number of paid months since `started_at`. Periods are computed from there, so that a start on the 31st does
  -- not drift to earlier days.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  -- Set when the subscription ends with its period instead of renewing.
  cancelled_at timestamptz,
  -- When a renewal was last attempted: a failing one is not retried for a while, so that it does not block others.
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- The provider's id, when the provider renews the subscription, and the state that the provider knows.
  provider_reference text,
  provider_state text not null default 'active' check (provider_state in ('active', 'cancelled', 'ended')),
  check (subscriber_id <> creator_id),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);

-- Creator Pro: the monthly plan that creators pay to the platform where the setting `creator_pro_billing` is on.
-- Without it, every user can switch on their creator account for free.
--
-- - A plan works like a subscription (54_subscriptions), with the platform as the payee: begin_creator_plan, one
--   payment a month, the same renewals and grace period.
-- - A paid plan that ends switches the creator account off and keeps its content.
-- - User ids are not foreign keys, as in the ledger: what was paid outlives the account.

create table public.creator_plans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  -- 'pending' until the first payment is settled.
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  price_cents integer not null check (price_cents > 0),
  -- The number of paid months since `started_at`.
  periods integer not null default 0 check (periods >= 0),
  started_at timestamptz,
  period_end timestamptz,
  -- Set when the plan ends with its period instead of renewing.
  cancelled_at timestamptz,
  -- When a renewal was last attempted.
  renewal_begun_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- The provider's id, when the provider renews the plan, and the state that the provider knows.
  provider_reference text,
  provider_state text not null default 'active' check (provider_state in ('active', 'cancelled', 'ended')),
  check (state = 'pending' or state = 'ended' or (started_at is not null and period_end is not null)),
  check ((state = 'ended') = (ended_at is not null))
);

-- Payments: one row for each amount that a user pays for an unlock, a month of a subscription, a tip, or a month of
-- Creator Pro.
--
-- - The payer begins a payment (begin_unlock, begin_tip, begin_subscription, begin_creator_plan). The payments port
--   in the edge functions has the provider collect the money, then settles the payment as service_role.
--   settle_payment books it in the ledger and delivers what was bought, in one transaction.
-- - Every step may be repeated: a payment is settled, booked and refunded at most once.
-- - A payment whose money no longer buys anything becomes 'void': nothing is booked, and the provider refunds it.
-- - Ids of users and posts are not foreign keys, as in the ledger: payments outlive accounts and posts.
-- - Lock order: the payer and what is bought (private.lock_payment), then the payment, then everything else.
--
-- Unlocks are in 32_premium_content, months of subscriptions in 54_subscriptions and 56_creator_pro, bookings in
-- 52_ledger.

-- One payment. A payment for a subscription or plan covers one period (a month).
create table public.payments (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('unlock', 'subscription', 'tip', 'creator_pro')),
  payer_id uuid not null,
  -- Null for Creator Pro, which is paid to the platform alone.
  payee_id uuid,
  -- The post that is unlocked.
  post_id uuid,
  amount_cents integer not null check (amount_cents > 0),
  -- The platform's share of the amount.
  fee_cents integer not null check (fee_cents between 0 and amount_cents),
  provider text not null check (provider in ('test', 'stripe')),
  -- The provider's id: of the checkout page while pending, then of the charge or invoice.
  provider_reference text,
  -- 'void': ended before it was paid, or paid for nothing (the post is deleted or already unlocked); any money that
  -- arrived is refunded. 'expired': not paid in time. 'refunded': booked, then reversed.
  state text not null default 'pending' check (state in ('pending', 'paid', 'void', 'expired', 'refunded')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  subscription_id uuid references public.subscriptions (id),
  -- The start of the paid period. Provisional for a first period: settling moves it to the time of payment.
  period_start timestamptz,
  plan_id uuid references public.creator_plans (id),
  -- The tipper's message.
  note text check (char_length(note) between 1 and 200),
  -- The post that a tip is for, if any.
  about_post_id uuid,
  -- When the money of a void payment was refunded, and when that was last attempted.
  refunded_at timestamptz,
  refund_attempted_at timestamptz,
  check ((kind = 'unlock') = (post_id is not null)),
  check ((kind = 'subscription') = (subscription_id is not null)),
  check ((kind = 'creator_pro') = (plan_id is not null)),
  check ((kind = 'creator_pro') = (payee_id is null)),
  check ((kind in ('subscription', 'creator_pro')) = (period_start is not null)),
  check (kind = 'tip' or (note is null and about_post_id is null))
);

-- Usernames -------------------------------------------------------------------------------------------------------

-- Usernames that cannot be registered. Operators can add some. Accounts that already have such a name keep it.
create table private.reserved_usernames (
  name text primary key check (name ~ '^[a-z0-9_]{1,30}$'),
  -- Whether usernames that look similar are reserved as well.
  lookalikes boolean not null default true
);

-- Payouts ---------------------------------------------------------------------------------------------------------

-- Users are stored as ids without a foreign key, because payouts outlive the account.
create table public.payouts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('instant', 'scheduled')),
  amount_cents bigint not null check (amount_cents > 0),
  -- The method when the payout was requested.
  method_type text not null,
  method_name text not null,
  method_masked text not null,
  state text not null default 'requested' check (state in ('requested', 'paid', 'failed')),
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  settled_by uuid,
  -- The bank's reference of the transfer. The creator sees it.
  reference text check (char_length(reference) <= 200),
  -- Why the payout failed. The creator sees it.
  failure text check (char_length(failure) <= 500),
  check ((state = 'requested') = (settled_at is null)),
  check ((state = 'failed') = (failure is not null))
);

-- The ledger: double-entry and append-only.
--
-- - A ledger transaction has at least two entries, and their amounts add up to 0. This is checked at commit.
-- - Nothing is ever changed or deleted, not even by the owner of the tables. A mistake is corrected by another
--   transaction.
-- - private.book_transaction is the only way to write. It also keeps the totals that the app reads: creator_balances
--   and earning_days. private.rebuild_balances recomputes them from the ledger.
-- - Money from a sale is pending for private.clearing_period(), then available for payout.
-- - User ids are not foreign keys: deleting an account does not change any balance.
-- - Lock order: a creator's balance is locked last, after everything else.

-- One booking: a sale, a refund, a step of a payout, or a balance that was forfeited when its account was deleted.
create table public.ledger_transactions (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in
    ('unlock', 'subscription', 'tip', 'creator_pro', 'refund', 'given_up', 'payout', 'payout_paid', 'payout_failed')),
  payment_id uuid references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  -- The database transaction that wrote the row. Entries can only be inserted in the same one.
  written_by xid8 not null default pg_current_xact_id(),
  -- The creator whose balance changes; null when no creator's does.
  user_id uuid,
  payout_id uuid,
  -- What was sold, also for a refund; null when nothing was.
  source text check (source in ('unlock', 'subscription', 'tip')),
  -- The amount paid, the platform's share, and the change of the creator's balance, as the entries say. Negative for
  -- a refund.
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  -- When the amount stops being pending and becomes available.
  clears_at timestamptz not null default now(),
  check (source is null or (user_id is not null and net_cents = gross_cents - fee_cents)),
  check (user_id is not null or net_cents = 0),
  foreign key (payout_id) references public.payouts (id),
  check ((kind in ('payout', 'payout_paid', 'payout_failed')) = (payout_id is not null))
);

-- The entries of a transaction.
create table public.ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references public.ledger_transactions (id),
  -- 'processor': money held by the payment provider. 'creator': what the platform owes a creator. 'platform': what
  -- the platform keeps. 'payouts': payouts that were requested and not yet settled.
  account text not null check (account in ('processor', 'creator', 'platform', 'payouts')),
  -- The creator of a 'creator' account.
  user_id uuid,
  label text not null check (label in ('payment', 'sale', 'fee', 'creator_pro', 'given_up', 'payout')),
  amount_cents bigint not null check (amount_cents <> 0),
  check ((account = 'creator') = (user_id is not null))
);

-- The encrypted details of the method when the payout was requested. The row is deleted when the payout is settled.
create table private.payout_destinations (
  payout_id uuid primary key references public.payouts (id) on delete cascade,
  secret text not null
);

-- Analytics: what creators see about the reach of their own posts.
--
-- * A view: a signed-in user other than the author had the post on their screen. Counted once per user, post and
--   hour.
-- * Likes, comments, followers and subscribers of a day are those created on that day that still exist when the day
--   is counted for the last time, two hours after its end.
-- * Days and hours are in UTC.
-- * The job `roll-up` calls the roll_up functions, which add events up into the tables of days and hours. Every chart
--   is a range scan of the key of one of these tables.
-- * Analytics are visible to the creator alone, not to admins.

-- Views --------------------------------------------------------------------------------------------------------
-- Recorded views, kept only as long as duplicates have to be detected. Unlogged, like rate limits: a crash may lose a
-- few minutes. No foreign keys: a view must not wait for a post that is being liked or an account that is being
-- deleted.
create unlogged table private.post_views (
  viewer_id uuid not null,
  post_id uuid not null,
  hour timestamptz not null,
  counted boolean not null default false, -- private.roll_up_views has added it up
  primary key (viewer_id, post_id, hour)
);

-- Roll-up ------------------------------------------------------------------------------------------------------
-- The functions below process one step and return how much they did or how much is left. The job calls them, each
-- time in a separate transaction, until they return 0.

-- The progress of the roll-up. Row 'days': days that ended more than two hours before `done_at` are final.
create table private.rollups (
  name text primary key,
  done_at timestamptz not null
);

-- Moderation: reports, cases, decisions and appeals.
--
-- - Reports about the same subject (a post, comment, message or user) are collected in one open case. An admin
--   decides a case once. The user concerned is notified of the decision and its reason, and can appeal once, within
--   30 days. Reporters are notified of the outcome.
-- - A case stores snapshots of its subject, so that a decision can be reviewed after the subject was changed or
--   deleted. The uploads in a case are kept while it is open or appealed.
-- - Content is hidden first ('hidden', or 'removed') so that an appeal can restore it. Removed content is deleted
--   after 30 days. Removing a user is immediate and final.
-- - A suspended account is read-only; see private.refresh_restriction.
-- - Users are stored as ids without a foreign key, because cases and reports outlive accounts.
-- - Lock order: the case, the content (posts, conversations), profile counts, notification counters, the audit log.
--   Each group is locked in the order of the ids.

-- Cases -----------------------------------------------------------------------------------------------------------

create table public.moderation_cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('post', 'comment', 'message', 'user')),
  subject_id uuid not null,
  -- The author of the content, or the reported user.
  user_id uuid not null,
  -- How the subject looked when it was reported and when it was decided, oldest first, as [{at, seen}]. One is added
  -- whenever the subject has changed since the last one.
  snapshots jsonb not null default '[]',
  -- The uploads in the snapshots. Admins can see them, and they are not deleted while the case is open or appealed.
  media_ids uuid[] not null default '{}',
  reports integer not null default 0 check (reports >= 0),
  -- 'closed' means that an appeal was decided.
  state text not null default 'open' check (state in ('open', 'decided', 'appealed', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  -- The last report, decision or appeal. The list of cases is ordered by it.
  moved_at timestamptz not null default clock_timestamp(),
  decision text check (decision in ('dismiss', 'warn', 'hide', 'remove', 'suspend')),
  -- The reason that the user gets.
  reason text check (char_length(reason) between 1 and 400),
  suspended_until timestamptz,
  -- Whether this case hid the subject. If so, a granted appeal restores it.
  hid boolean not null default false,
  decided_by uuid,
  decided_at timestamptz,
  -- The client-generated id of a decision by private.moderate_subject, so that a repeated request is recognized.
  request_id uuid,
  appeal text check (char_length(appeal) between 1 and 1000),
  appealed_at timestamptz,
  appeal_outcome text check (appeal_outcome in ('upheld', 'overturned')),
  appeal_answer text check (char_length(appeal_answer) between 1 and 400),
  appeal_decided_by uuid,
  appeal_decided_at timestamptz,
  check ((state = 'open') = (decision is null)),
  check ((decision is null) = (decided_at is null)),
  check ((appeal is null) = (appealed_at is null)),
  check ((appeal_outcome is null) = (appeal_decided_at is null))
);

-- Reporting -------------------------------------------------------------------------------------------------------

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references public.moderation_cases (id) on delete cascade,
  reporter_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  reason text not null check (reason in
      ('spam', 'harassment', 'hate', 'violence', 'sexual', 'minor', 'self_harm', 'illegal', 'impersonation', 'other')),
  note text check (char_length(note) between 1 and 1000),
  created_at timestamptz not null default clock_timestamp(),
  outcome text check (outcome in ('acted', 'dismissed')),
  decided_at timestamptz,
  -- A user reports the same subject once while its case is open.
  unique (case_id, reporter_id),
  check ((outcome is null) = (decided_at is null))
);

-- Audit log: what admins do.
--
-- - The log is append-only and a hash chain: every entry contains the hash of the entry before it, so a changed or
--   missing entry can be detected. Entries missing at the end are only detected by comparing the last hash with a
--   copy that is kept elsewhere.
-- - private.write_audit_entry is the only writer. Appending takes a lock until the end of the transaction, so
--   functions write their entry as their last step.

create table public.audit_entries (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  actor_id uuid not null,
  action text not null check (char_length(action) between 1 and 60),
  -- The user whom the action affects.
  target_id uuid,
  -- What the action affects: the id of a case, payout or post, or the key of a setting.
  subject text,
  -- Details of the change, without secrets.
  change jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null unique
);

-- Auto-posting: posts that an AI writes on behalf of a creator.
--
-- * An admin turns auto-posting on for a creator. Before the creator agrees in their settings, nothing is published
--   and none of their data is sent to the AI provider. Creators who review posts first get drafts instead of posts.
-- * Each day has a few slots per creator, at times that depend only on the creator and the day. Workers claim due
--   slots under a lease; a slot yields at most one post.
-- * Every attempt is a run. Runs count against daily limits for posts and cost, which hold across all workers because
--   runs begin one at a time.
-- * Drafts expire after 3 days. Drafts, runs and slots are deleted after 90 days.
-- * The API encrypts the key of the AI provider with ENCRYPTION_KEY; the database never sees it in plain text.

-- The key of the AI provider: at most one row.
create table private.ai_key (
  one boolean primary key default true check (one),
  -- The encrypted key.
  secret text not null,
  -- What admins see of the key.
  mask text not null,
  set_by uuid not null,
  set_at timestamptz not null default clock_timestamp(),
  -- When the provider rejected the key; null while it works.
  refused_at timestamptz
);

-- Scheduled jobs: when each job last ran and with what result, the clean-up job, and the schedule on Supabase.
--
-- The embedded stack's timer, or pg_cron on Supabase, calls the API's job routes. The API records each run with
-- private.begin_job and private.end_job, so that a job never runs twice at the same time and admins see whether the
-- schedule works.

-- Job runs ---------------------------------------------------------------------------------------------------------
-- The current or latest run of each job.
create table private.job_runs (
  name text primary key,
  -- Seconds between two runs.
  every integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Set while the job runs. A run that has not ended by then is considered failed, and another one may start.
  running_until timestamptz,
  -- Identifies the run, so that an expired run cannot overwrite the result of a later one.
  token uuid,
  outcome text check (outcome in ('done', 'failed')),
  -- What the run did, as the job returns it (`json` keeps the order of the keys), or why it failed.
  detail json,
  last_done_at timestamptz,
  -- Failed runs since the last one that succeeded.
  failures integer not null default 0
);

-- Banned email addresses --------------------------------------------------------------------------------------------
-- Addresses that cannot register: those of accounts that an admin has removed, and those of suspended accounts that
-- their owner has deleted, until the suspension would have ended. Stored as salted hashes, because nothing else of a
-- deleted account is kept.
create table private.banned_emails (
  hash bytea primary key,
  until timestamptz, -- null: until an operator calls private.unban_email
  case_id uuid -- the case that suspended the account; null if the account was removed
);

-- Password reset ----------------------------------------------------------------------------------------------------
-- Reset tokens that a request is using. Until Auth has consumed the token, no other request may use it.
create table private.password_reset_claims (
  token_hash text primary key,
  claimed_at timestamptz not null default clock_timestamp()
);

-- Files to delete from Storage. SQL cannot delete them, so a job does and then removes the rows.
create table private.file_deletion_queue (
  bucket text not null,
  path text not null,
  due_at timestamptz not null default clock_timestamp(), -- the file is due from this time on
  primary key (bucket, path)
);

-- Uploads that may be unused, and when to check them. Triggers add rows as things happen, so that a check reads what
-- has changed and not everything that is stored. A row is only a hint: the check itself decides whether the upload is
-- used.
create table private.orphaned_media (
  media_id uuid primary key,
  due timestamptz not null
);

alter table public.conversations enable row level security;

alter table public.payments enable row level security;

alter table public.ledger_transactions enable row level security;

alter table public.ledger_entries enable row level security;

alter table public.creator_balances enable row level security;

alter table public.earning_days enable row level security;

alter table public.subscriptions enable row level security;

alter table public.creator_plans enable row level security;

alter table public.payouts enable row level security;

alter table public.moderation_cases enable row level security;

alter table public.reports enable row level security;

alter table public.audit_entries enable row level security;

grant anon, authenticated, service_role to gateway with inherit false, set true;

-- The API's contract has all timestamps in UTC.
alter role gateway set timezone = 'UTC';

-- Returns whether a boolean setting is true; false if it is not set. PL/pgSQL, because a SQL function that cannot be
-- inlined is planned again in every statement that calls it, and a PL/pgSQL one only once per connection.
create function private.is_setting_enabled(setting text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select s.value = 'true'::jsonb from private.settings s where s.key = setting), false);
end
$$;

create function private.set_setting(setting text, new_value jsonb) returns void
language sql security definer set search_path = ''
as $$
  insert into private.settings (key, value) values (setting, new_value)
  on conflict (key) do update set value = excluded.value
$$;

-- Counts one hit. Returns 0 within the limit, otherwise the seconds until the window ends.
create function private.consume_rate_limit(bucket text, subject text, max_hits integer, window_length interval)
returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  window_starts_at timestamptz := pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
  hit_count integer;
begin
  if not private.is_setting_enabled('rate_limits') then return 0; end if;
  insert into private.rate_limits as r (bucket, subject, window_start)
  values (consume_rate_limit.bucket, consume_rate_limit.subject, window_starts_at)
  on conflict on constraint rate_limits_pkey do update set hits = r.hits + 1
  returning r.hits into hit_count;
  if hit_count <= max_hits then return 0; end if;
  return greatest(1, ceil(extract(epoch from window_starts_at + window_length - clock_timestamp())))::integer;
end
$$;

-- Takes one hit back. Limits that count only failures consume a hit before the attempt and refund it on success.
create function private.refund_rate_limit(bucket text, subject text, window_length interval) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.rate_limits r set hits = r.hits - 1
  where r.bucket = refund_rate_limit.bucket and r.subject = refund_rate_limit.subject and r.hits > 0
    and r.window_start = pg_catalog.date_bin(window_length, clock_timestamp(), 'epoch'::timestamptz);
end
$$;

-- Counts one hit and raises an error above the limit. The error's `detail` is the number of seconds to wait.
create function private.enforce_rate_limit(bucket text, subject uuid, max_hits integer, window_length interval)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wait_seconds integer := private.consume_rate_limit(bucket, subject::text, max_hits, window_length);
begin
  if wait_seconds > 0 then
    raise exception 'Too many requests. Please wait a moment and try again.'
      using errcode = 'PT429', detail = wait_seconds::text;
  end if;
end
$$;

-- Trigger function: limits the caller's writes to a table. Arguments: the bucket and the maximum of rows a minute.
-- Seeds and jobs have no caller and are not limited.
create function private.limit_writes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    perform private.enforce_rate_limit(tg_argv[0], auth.uid(), tg_argv[1]::integer, '1 minute');
  end if;
  return new;
end
$$;

-- Marks a captcha solution as used. Returns false if it was used before.
create function private.use_captcha(payload_signature text, payload_expires_at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.spent_captchas (signature, expires_at) values (payload_signature, payload_expires_at)
  on conflict do nothing;
  return found;
end
$$;

-- Helpers ---------------------------------------------------------------------------------------------------------

-- Returns a custom setting, such as one set for the transaction with set_config; '' if it was never set.
create function private.transaction_setting(name text) returns text
language sql stable set search_path = ''
as $$ select coalesce(current_setting(name, true), '') $$;

-- Formats a timestamp with microseconds, as the API's cursors contain it.
create function private.timestamp_text(value timestamptz) returns text
language sql stable strict set search_path = ''
as $$ select to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- Returns whether a text is null or has only whitespace and invisible characters.
create function private.is_blank(value text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(value, '') !~ '[^\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]';
end
$$;

create function private.is_http_url(value text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select value ~ '^https?://[^\s<>"]+$' and char_length(value) <= 300 $$;

-- Roles and helpers: who the caller is and what they may do. Policies, functions and triggers of all subjects call
-- these.
--
-- - A session is active until it is signed out, revoked or expires. A restrictive policy on every table that a user
--   reads requires an active session, so ending one takes effect at the next statement, even if its access token is
--   still valid.
-- - A user can write while their session is active and their account is not read-only (see 16_accounts_and_sessions).
-- - An admin is a profile with `is_admin`. Only an operator makes the first one.
-- - A block hides both users from each other, regardless of who created it.
--
-- `is_…`, `can_…` and `are_…` return a boolean; `require_…` raise an error with a message for the user.

-- Sessions --------------------------------------------------------------------------------------------------------

-- Returns whether the session of the caller's access token exists and has not ended.
create function private.is_session_active() returns boolean
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

-- Raises an error, and so refuses the whole transaction, if the caller's session has ended. The API calls it first in
-- every transaction, because `security definer` functions are not subject to the policies that check the session.
create function private.require_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then
    raise exception 'Unauthorized' using errcode = 'PT401', detail = 'unauthorized';
  end if;
end
$$;

-- Returns a tag in the form in which it is stored and compared: in lower case, character by character, with a single
-- form of the sigma.
create function private.normalize_tag(raw_tag text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$ select translate(lower(normalize(raw_tag, nfc) collate pg_catalog.pg_c_utf8), 'ς', 'σ') $$;

-- Returns the first 30 tags of a text, in the format of `Tag` in the API contract: letters, marks, digits and
-- underscores of any script, with at least one letter. PostgreSQL's regular expressions have no class for marks or
-- for the digits of all scripts, so the pattern lists what ends a tag instead: white space, punctuation, symbols,
-- control and format characters, and private use.
create function private.extract_tags(source_text text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(tag order by ordinal), '{}') from (
    select tag, min(ordinal) as ordinal from (
      select private.normalize_tag(groups[1]) as tag, ordinal
      from regexp_matches(
        normalize(source_text, nfc) collate pg_catalog.pg_c_utf8,
        '(?<![[:alnum:]_@#/&])#((?:_|[^[:space:][:punct:][:cntrl:]\u00AD\u0600-\u0605\u061C\u06DD\u070F\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uE000-\uF8FF\uFEFF\uFFF0-\uFFFB])+)',
        'g') with ordinality as matches(groups, ordinal)) all_tags
    where char_length(tag) <= 50 and tag collate pg_catalog.pg_c_utf8 ~ '[[:alpha:]]'
    group by tag order by min(ordinal) limit 30) first_tags
$$;

-- Lists trending tags, those with the most authors first.
create function private.list_trending_tags(max_rows integer) returns table (tag text, posts integer, people integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return; end if;
  return query select t.tag, t.posts, t.people from private.trending_tags t
               order by t.people desc, t.posts desc, t.tag limit max_rows;
end
$$;

-- Lists other creators who chose to be discoverable and whose account is not read-only: by score, then by
-- registration date. `place` counts from 1.
create function private.list_featured_creators(max_rows integer) returns table (user_id uuid, place integer)
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
  scored_count integer;
begin
  if not private.is_session_active() then return; end if;
  return query
    select s.user_id, row_number() over (order by s.score desc, p.created_at, p.id)::integer
    from private.creator_scores s join public.profiles p on p.id = s.user_id
    where p.is_creator and p.content_discoverable and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (blocked_ids)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
    order by s.score desc, p.created_at, p.id limit max_rows;
  get diagnostics scored_count = row_count;
  -- Fill up with creators who have no score.
  return query
    select p.id, scored_count + row_number() over (order by p.created_at, p.id)::integer
    from public.profiles p
    where p.is_creator and p.content_discoverable and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (blocked_ids)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
      and not exists (select from private.creator_scores s where s.user_id = p.id)
    order by p.created_at, p.id limit max_rows - scored_count;
end
$$;

-- Validates a message and assigns its conversation and number. Numbering locks the conversation's row until the
-- transaction ends, so messages become visible in the order of their numbers. The same message sent twice is stored
-- once.
create function private.before_message_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  stored public.messages;
  image public.media;
begin
  -- Policies are checked after this trigger: reject what they would reject before anything is counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages as yourself.' using errcode = '42501';
    end if;
    -- Only a refusal pays for the second call, which raises the error.
    if private.message_refusal(new.receiver_id) is not null then
      perform private.require_can_message(new.receiver_id);
    end if;
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- Not left to the check constraint: its violation would write a part of the message into the server's log.
    if char_length(new.content) > 5000 then
      raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
    end if;
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.user_low = low and c.user_high = high
  returning c.id, c.last_seq into new.conversation_id, new.seq;
  if not found then
    insert into public.conversations as c (user_low, user_high, last_seq) values (low, high, 1)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq + 1
    returning c.id, c.last_seq into new.conversation_id, new.seq;
  end if;
  -- Checked under the lock, when nobody else can send in this conversation. If the id belongs to a message of
  -- other users, the error also rolls back a conversation that was created just now.
  select * into stored from public.messages m where m.id = new.id;
  if found then
    if (stored.sender_id, stored.receiver_id) is distinct from (new.sender_id, new.receiver_id) then
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
    end if;
    -- The stored message has its number: return the one just taken.
    update public.conversations c set last_seq = c.last_seq - 1 where c.id = new.conversation_id;
    return null;
  end if;
  if new.reply_to_id is not null and not exists (
    select from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise exception 'The message you are replying to is not in this conversation.' using errcode = 'PT400';
  end if;
  if uid is not null then
    perform private.enforce_rate_limit('messages', uid, 60, '1 minute');
  end if;
  if new.media_id is not null then
    if uid is not null then
      image := private.claim_media(new.media_id, 'image');
    else
      select * into image from public.media m where m.id = new.media_id;
    end if;
    new.media_width := image.width;
    new.media_height := image.height;
    new.placeholder := image.placeholder;
  end if;
  return new;
end
$$;

-- Lists the caller's conversations, latest first. `after_…` is the last row of the previous page, or null.
create function private.list_conversations(after_message_at timestamptz, after_partner_id uuid, max_rows integer)
returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz, unread_count integer,
               has_written boolean)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return; end if;
  return query
    select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
    from public.conversation_members m
    where m.user_id = uid
      and (m.last_message_at, m.partner_id) <
          (coalesce(after_message_at, 'infinity'), coalesce(after_partner_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by m.last_message_at desc, m.partner_id desc limit max_rows;
end
$$;

-- Returns the id of the caller's conversation with a user, or null.
create function private.find_conversation_id(other_user_id uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return null; end if;
  return (select c.id from public.conversations c
          where c.user_low = least(uid::text, other_user_id::text)::uuid
            and c.user_high = greatest(uid::text, other_user_id::text)::uuid);
end
$$;

-- The three functions below return ids only. The caller then reads the messages themselves under the policies.

-- Returns the newest messages of the caller's thread with a user, or those before the message `before_id` (with
-- `is_inclusive`, that message too), newest first. Returns nothing if `before_id` is not in the thread.
create function private.messages_before(other_user_id uuid, before_id uuid, is_inclusive boolean, max_rows integer)
returns table (id uuid, sort_key bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread_id uuid := private.find_conversation_id(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    -- Null if the message is not in the thread, so that no row matches.
    select m.seq + is_inclusive::integer into before_seq from public.messages m
    where m.id = before_id and m.conversation_id = thread_id;
  end if;
  return query
    select m.id, m.seq from public.messages m
    where m.conversation_id = thread_id and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$$;

-- Returns the messages that follow the message `after_id`, oldest first.
create function private.messages_after(other_user_id uuid, after_id uuid, max_rows integer)
returns table (id uuid, sort_key bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread_id uuid := private.find_conversation_id(other_user_id);
  after_seq bigint := (select m.seq from public.messages m where m.id = after_id and m.conversation_id = thread_id);
begin
  return query
    select m.id, m.seq from public.messages m
    where m.conversation_id = thread_id and m.seq > after_seq
    order by m.seq limit max_rows;
end
$$;

-- Returns the messages that changed after the change number `since_version`, ordered by their latest change.
create function private.messages_changed_since(other_user_id uuid, since_version bigint, max_rows integer)
returns table (id uuid, sort_key bigint)
language plpgsql stable security definer rows 50 set search_path = ''
as $$
declare
  thread_id uuid := private.find_conversation_id(other_user_id);
begin
  return query
    select m.id, m.version from public.messages m
    -- `version > 0` is the condition of the partial index.
    where m.conversation_id = thread_id and m.version > 0 and m.version > since_version
    order by m.version limit max_rows;
end
$$;

-- Assigns the next change number of a conversation.
create function private.next_message_version(conversation_id uuid) returns bigint
language sql volatile security definer set search_path = ''
as $$
  update public.conversations c set last_change = c.last_change + 1
  where c.id = next_message_version.conversation_id
  returning c.last_change
$$;

-- Searching messages -----------------------------------------------------------------------------------------------
-- Returns the ids of the caller's messages that contain a text, ignoring case and accents, latest first. `after_…` is
-- the last row of the previous page, or null. Runs as definer: row-level security would check its policies on every
-- message before it evaluates LIKE.
--
-- The latest 2,500 sent and the latest 2,500 received messages are scanned: a frequent text is found among them, and
-- the index would return every occurrence. Only older messages are looked up in the index. It cannot look up fewer
-- than three characters, so a shorter text is searched for in those 5,000 messages only.
create function private.search_messages(
  query_text text, after_created_at timestamptz, after_id uuid, max_rows integer
) returns table (id uuid, created_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  normalized text := private.normalize_search(btrim(query_text));
  pattern text := '%' || regexp_replace(normalized, '([\\%_])', '\\\1', 'g') || '%';
  cursor_time timestamptz := coalesce(after_created_at, 'infinity');
  cursor_id uuid := coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  -- The scan covers all messages later than this, sent and received. Null if it covers everything.
  scanned_after timestamptz;
  scan_match_count integer;
begin
  if not private.is_session_active() or private.is_blank(normalized) then return; end if;
  scanned_after := greatest(
    (select m.created_at from public.messages m
     where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1),
    (select m.created_at from public.messages m
     where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1));
  return query
    with latest as materialized (
      select m.id, m.created_at, m.search_text from public.messages m
      where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity')
      union all
      select m.id, m.created_at, m.search_text from public.messages m
      where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity')
    )
    select l.id, l.created_at from latest l
    where l.search_text like pattern
    order by l.created_at desc, l.id desc
    limit max_rows;
  get diagnostics scan_match_count = row_count;
  if scanned_after is null or scan_match_count >= max_rows or char_length(normalized) < 3 then return; end if;
  return query
    select m.id, m.created_at from public.messages m
    where array[m.sender_id, m.receiver_id] @> array[uid] and m.search_text like pattern
      and m.created_at <= scanned_after and (m.created_at, m.id) < (cursor_time, cursor_id)
    order by m.created_at desc, m.id desc
    limit max_rows - scan_match_count;
end
$$;

-- Claims up to `max_rows` users who are due an email: something has been unread for at least 15 minutes and at most a
-- day, and they have not been emailed within the last hour. Returns the period that each email covers.
--
-- Claiming marks the users as emailed, so that two job runs do not email the same user. If an email could not be
-- sent, pass its user to private.release_digest. A thread is reported once until it is read. A first message is reported
-- as a thread, not as a notification. A sign-in is left out, because it is emailed on its own right away.
create function private.claim_due_digests(max_rows integer)
returns table (user_id uuid, waiting_since timestamptz, waiting_until timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due_before timestamptz := now() - interval '15 minutes';
  oldest timestamptz := due_before - interval '1 day';
  -- Newer rows may not be committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with waiting as (
      select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n
      where n.read_at is null and n.created_at > oldest and n.created_at <= due_before
        and n.kind not in ('message', 'sign_in')
      group by 1
      union all
      select m.user_id, max(m.unread_since) from public.conversation_members m
      where m.unread_since > oldest and m.unread_since <= due_before
        and not private.are_blocked(m.user_id, m.partner_id)
      group by 1
    ), chosen as (
      select w.recipient_id, greatest(k.mailed_until, oldest) as since
      from (select w.recipient_id, max(w.newest) as newest from waiting w group by 1) w
      join public.user_settings s on s.user_id = w.recipient_id and s.email_notifications
      left join private.notification_mails k on k.user_id = w.recipient_id
      where w.newest > coalesce(k.mailed_until, '-infinity')
        and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by k.mailed_at nulls first, w.newest, w.recipient_id limit max_rows
    ), marked as (
      insert into private.notification_mails as k (user_id, mailed_until, mailed_at)
      select c.recipient_id, covered_until, now() from chosen c order by c.recipient_id
      -- Names the constraint, because `user_id` is also an output column.
      on conflict on constraint notification_mails_pkey do update
        set mailed_until = excluded.mailed_until, mailed_at = excluded.mailed_at
        where k.mailed_at < now() - interval '1 hour'
      returning k.user_id as recipient_id
    )
    select c.recipient_id, c.since, covered_until from marked d join chosen c on c.recipient_id = d.recipient_id;
end
$$;

-- Makes an email that could not be sent due again in 15 minutes. `waiting_since` is the start of the period that it
-- covers.
create function private.release_digest(recipient_id uuid, waiting_since timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.notification_mails k set mailed_until = waiting_since, mailed_at = now() - interval '45 minutes'
  where k.user_id = recipient_id
$$;

-- Events to open pages: Realtime Broadcast on private topics.
--
-- * `user:<user id>` is read by that user and written by the database only.
-- * `conversation:<lower user id>:<higher user id>` is read by its two users while one may message the other. Clients
--   broadcast presence and typing there once they have sent a message in the conversation.
--
-- Realtime checks the policies below when a client joins a topic. On the event `access.changed`, a conversation's
-- topic is checked again immediately.

-- Topics -----------------------------------------------------------------------------------------------------------
-- Returns the topic of the conversation of two users.
create function private.conversation_topic(a uuid, b uuid) returns text
language sql immutable set search_path = ''
as $$ select 'conversation:' || least(a::text, b::text) || ':' || greatest(a::text, b::text) $$;

-- Sending events ---------------------------------------------------------------------------------------------------
-- Sends an event to a user's open pages. Realtime stores and delivers it; a failure never fails the transaction.
create function private.broadcast_to_user(recipient_id uuid, event text, payload jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send(payload, event, 'user:' || recipient_id::text, true);
end
$$;

-- Stores the provider's id of the checkout page that was opened for a payment. Returns false when the payment is no
-- longer pending.
create function private.record_checkout(payment_id uuid, reference text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.payments p set provider_reference = reference where p.id = payment_id and p.state = 'pending';
  return found;
end
$$;

-- Webhook events ----------------------------------------------------------------------------------------------

-- Records a webhook event, in the transaction that acts on it. Returns true the first time, false after that.
create function private.record_payment_event(payment_provider text, event_id text, event_kind text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.payment_events (provider, event, kind) values (payment_provider, event_id, event_kind)
  on conflict do nothing;
  return found;
end
$$;

-- Customers at the provider -----------------------------------------------------------------------------------

-- Stores a user's customer id at a provider and returns the stored one: the first one wins. `on conflict` names no
-- index because two concurrent first payments of a user can violate either unique index.
create function private.record_payment_customer(payment_provider text, target_user_id uuid, customer text)
returns text
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_customers (provider, user_id, reference)
  values (payment_provider, target_user_id, customer)
  on conflict do nothing;
  select c.reference from private.payment_customers c
  where c.provider = payment_provider and c.user_id = target_user_id
$$;

-- Returns a user's customer id at a provider, or null.
create function private.payment_customer(payment_provider text, target_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select c.reference from private.payment_customers c
  where c.provider = payment_provider and c.user_id = target_user_id
$$;

create function private.delete_payment_customer(payment_provider text, customer text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.payment_customers c where c.provider = payment_provider and c.reference = customer $$;

-- Refunds of void payments ------------------------------------------------------------------------------------

-- Returns void payments that the provider must still refund, or whose checkout page must still be closed; then
-- private.record_refund is called. Least recently attempted first, so that one that keeps failing does not block
-- others.
create function private.due_refunds(max_rows integer) returns table (id uuid, reference text)
language sql stable security definer set search_path = ''
as $$
  select p.id, p.provider_reference from public.payments p
  where p.state = 'void' and p.provider = 'stripe' and p.provider_reference is not null and p.refunded_at is null
  order by coalesce(p.refund_attempted_at, p.settled_at) limit max_rows
$$;

create function private.record_refund_attempt(payment_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set refund_attempted_at = clock_timestamp()
  where p.id = payment_id and p.state = 'void'
$$;

-- Marks the money or page `reference` as refunded or closed, unless other money has arrived since.
create function private.record_refund(payment_id uuid, reference text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.payments p set refunded_at = clock_timestamp()
  where p.id = payment_id and p.state = 'void' and p.provider_reference = reference
$$;

-- Stores the provider's id of a subscription or plan.
create function private.record_provider_subscription(subscription_or_plan_id uuid, reference text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set provider_reference = reference
  where s.id = subscription_or_plan_id and s.provider_reference is distinct from reference;
  update public.creator_plans s set provider_reference = reference
  where s.id = subscription_or_plan_id and s.provider_reference is distinct from reference;
end
$$;

-- Returns subscriptions and plans whose state here differs from the one the provider knows. The provider is updated
-- to `wanted`: 'active', 'cancelled' (ends with its period) or 'ended' (immediately); then
-- private.record_provider_sync is called.
create function private.unsynced_subscriptions(max_rows integer)
returns table (id uuid, reference text, wanted text)
language sql stable security definer set search_path = ''
as $$
  select u.id, u.provider_reference, u.wanted from (
    select s.id, s.provider_reference, s.provider_state,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled'
                else 'active' end as wanted
    from public.subscriptions s where s.provider_reference is not null and s.provider_state <> 'ended'
    union all
    select s.id, s.provider_reference, s.provider_state,
           case when s.state = 'ended' then 'ended' when s.cancelled_at is not null then 'cancelled' else 'active' end
    from public.creator_plans s where s.provider_reference is not null and s.provider_state <> 'ended') u
  where u.provider_state <> u.wanted limit max_rows
$$;

-- Records the state that the provider now has.
create function private.record_provider_sync(subscription_or_plan_id uuid, synced_state text) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set provider_state = synced_state where s.id = subscription_or_plan_id;
  update public.creator_plans s set provider_state = synced_state where s.id = subscription_or_plan_id
$$;

-- Rules of the ledger -----------------------------------------------------------------------------------------

-- Trigger function of append-only tables: rejects every update, delete and truncate. The audit log uses it too.
create function private.reject_append_only_change() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin raise exception 'The table % is append-only.', tg_table_name using errcode = '42501'; end $$;

-- Rejects entries for a ledger transaction that an earlier database transaction wrote.
create function private.require_open_ledger_transaction() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.ledger_transactions t
                 where t.id = new.transaction_id and t.written_by = pg_current_xact_id()) then
    raise exception 'Ledger entries can only be added while their ledger transaction is being written.'
      using errcode = '42501';
  end if;
  return new;
end
$$;

-- Rejects a ledger transaction that does not balance, or whose amounts or user differ from its entries. The trigger
-- argument names the column that holds the transaction's id.
create function private.check_ledger_balance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  checked_id uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select coalesce(sum(e.amount_cents), 0) <> 0 or count(*) < 2
      from public.ledger_entries e where e.transaction_id = checked_id) then
    raise exception 'Ledger transaction % does not balance.', checked_id using errcode = '23514';
  end if;
  if exists (
    select from public.ledger_transactions t,
    lateral (select coalesce(sum(e.amount_cents), 0) as net,
                    coalesce(sum(e.amount_cents) filter (where e.label = 'sale'), 0) as gross,
                    bool_and(e.user_id is not distinct from t.user_id) as is_same_user
             from public.ledger_entries e where e.transaction_id = t.id and e.account = 'creator') e
    where t.id = checked_id
      and (e.net <> t.net_cents or e.gross <> t.gross_cents or not coalesce(e.is_same_user, true))) then
    raise exception 'Ledger transaction % does not match its entries.', checked_id using errcode = '23514';
  end if;
  return null;
end
$$;

-- Platform fee ------------------------------------------------------------------------------------------------

-- Returns the platform's current share of a sale, in percent.
create function private.platform_fee_percent() returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce((select (s.value #>> '{}')::numeric from private.settings s where s.key = 'platform_fee_percent'), 10)
$$;

-- Returns the platform's share of an amount, in cents.
create function private.platform_fee_cents(cents integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select round(cents * (s.value #>> '{}')::numeric / 100)::integer
  from private.settings s where s.key = 'platform_fee_percent'
$$;

-- Booking -----------------------------------------------------------------------------------------------------

-- How long money from a sale is pending before it can be paid out.
create function private.clearing_period() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '7 days' $$;

-- Writes a ledger transaction with its entries and updates the totals. `creator_id` is the creator whose balance
-- changes, if any; `sale_source` is what was sold or refunded, if anything; `available_at` is when the amount becomes
-- available, null for now. The creator's balance stays locked until the end of the database transaction, so this is
-- called last.
create function private.book_transaction(
  transaction_kind text, creator_id uuid, sale_source text, available_at timestamptz, lines private.ledger_line[],
  booked_payment_id uuid default null, booked_payout_id uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  booked_at timestamptz := clock_timestamp();
  booked_id uuid;
  net bigint;
  gross bigint;
begin
  select coalesce(sum(l.amount_cents), 0), coalesce(sum(l.amount_cents) filter (where l.label = 'sale'), 0)
  into net, gross from unnest(lines) l where l.account = 'creator';
  insert into public.ledger_transactions
    (kind, payment_id, payout_id, created_at, user_id, source, gross_cents, fee_cents, net_cents, clears_at)
  values (transaction_kind, booked_payment_id, booked_payout_id, booked_at, creator_id, sale_source, gross,
          case when sale_source is null then 0 else gross - net end, net, coalesce(available_at, now()))
  returning id into booked_id;
  insert into public.ledger_entries (transaction_id, account, user_id, label, amount_cents)
  select booked_id, l.account, l.user_id, l.label, l.amount_cents from unnest(lines) l where l.amount_cents <> 0;
  if creator_id is null then return; end if;
  insert into public.creator_balances as b (user_id, total_cents) values (creator_id, net)
  on conflict (user_id) do update set total_cents = b.total_cents + excluded.total_cents;
  if sale_source is null then return; end if;
  insert into public.earning_days as d (user_id, day, source, gross_cents, fee_cents, sales)
  values (creator_id, (booked_at at time zone 'UTC')::date, sale_source, gross, gross - net, sign(gross))
  on conflict (user_id, day, source) do update
    set gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
        sales = d.sales + excluded.sales;
end
$$;

-- Books a payment (`direction` 1) or its refund (-1). The creator receives the full amount and gives the fee, each as
-- a separate entry. The refund of a sale that has not cleared is pending until the sale clears, so the two cancel
-- out.
create function private.book_payment(payment public.payments, direction integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  transaction_kind text := case when direction = 1 then payment.kind else 'refund' end;
  cents bigint := direction * payment.amount_cents;
  fee bigint := direction * payment.fee_cents;
begin
  if payment.kind = 'creator_pro' then
    perform private.book_transaction(transaction_kind, null, null, null, array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('platform', null, 'creator_pro', cents)::private.ledger_line], booked_payment_id => payment.id);
    return;
  end if;
  perform private.book_transaction(transaction_kind, payment.payee_id, payment.kind,
    case when direction = 1 then now() + private.clearing_period() else greatest(now(), (
      select t.clears_at from public.ledger_transactions t where t.payment_id = payment.id and t.kind = payment.kind)) end,
    array[
      ('processor', null, 'payment', -cents)::private.ledger_line,
      ('creator', payment.payee_id, 'sale', cents)::private.ledger_line,
      ('creator', payment.payee_id, 'fee', -fee)::private.ledger_line,
      ('platform', null, 'fee', fee)::private.ledger_line], booked_payment_id => payment.id);
end
$$;

-- Recomputes the totals from the ledger. Locks the ledger against concurrent bookings; stop the API and the jobs
-- first, because this lock is taken before those of the balances and can deadlock with a booking.
create function private.rebuild_balances() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  lock table public.ledger_transactions in share row exclusive mode;
  delete from public.creator_balances;
  insert into public.creator_balances (user_id, total_cents)
  select t.user_id, sum(t.net_cents) from public.ledger_transactions t where t.user_id is not null group by 1;
  delete from public.earning_days;
  insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
  select t.user_id, (t.created_at at time zone 'UTC')::date, t.source, sum(t.gross_cents), sum(t.fee_cents),
         sum(sign(t.gross_cents))
  from public.ledger_transactions t where t.source is not null group by 1, 2, 3;
end
$$;

-- Reading -----------------------------------------------------------------------------------------------------

-- Returns what the platform owes a creator, in cents, pending and available together.
create function private.balance_cents(target_user_id uuid) returns bigint
language sql stable security definer set search_path = ''
as $$ select coalesce((select b.total_cents from public.creator_balances b where b.user_id = target_user_id), 0) $$;

-- Returns the part of a creator's balance that has not cleared, in cents. Compares with clock_timestamp() rather than
-- now(): a transaction that waited for a lock would count a payout that was booked in the meantime as pending, and
-- pay the same money out again.
create function private.pending_balance_cents(target_user_id uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(t.net_cents), 0)::bigint from public.ledger_transactions t
  where t.user_id = target_user_id and t.clears_at > (select clock_timestamp())
$$;

-- Returns the price of a month, in cents.
create function private.subscription_price_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 999 $$;

-- How long a failed renewal is retried while the subscription continues.
create function private.renewal_grace() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '3 days' $$;

-- Access ------------------------------------------------------------------------------------------------------

-- Returns whether a user is subscribed to a creator now, grace period included.
create function private.is_subscribed(subscriber_id uuid, creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.subscriptions s
    where s.subscriber_id = is_subscribed.subscriber_id and s.creator_id = is_subscribed.creator_id
      and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now());
end
$$;

-- Returns whether the caller is subscribed to a creator now.
create function private.is_subscribed_to(creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_subscribed(auth.uid(), creator_id); end $$;

-- Ends a subscription now. The trigger on_subscription_changed voids its pending payment.
create function private.end_subscription(subscription_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = subscription_id and s.state <> 'ended'
$$;

-- Cancels a subscription for the end of its period, or ends it now, with its pending payment, if it is unpaid
-- or its period is over. The caller holds its lock.
create function private.cancel_or_end_subscription(subscription public.subscriptions) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if subscription.state = 'pending' or subscription.period_end <= clock_timestamp() then
    perform private.end_subscription(subscription.id);
  else
    update public.subscriptions s set cancelled_at = clock_timestamp()
    where s.id = subscription.id and s.cancelled_at is null;
  end if;
end
$$;

-- Claims up to `max_rows` subscriptions whose period is over, the longest overdue first. Returns for each the payment
-- that renews it, or null when it ended instead: it was cancelled, may not renew, no payments are taken
-- (`payment_provider` is null), or its payment failed until the grace period was over. A claimed subscription is not
-- claimed again for five minutes, by any run, so that one that keeps failing does not block others.
--
-- A subscription that its provider renews is left to the provider. It ends here only when it was cancelled, or when
-- no payment was reported until the grace period was over.
create function private.begin_renewals(max_rows integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  claimed_ids uuid[];
  due public.subscriptions;
begin
  perform private.cancel_unrenewable_subscriptions(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a subscription changes its creator's count: lock them all in one order.
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (claimed_ids))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (claimed_ids) order by s.period_end loop
    payment := null;
    if due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end))
       or not private.can_renew_subscription(due.subscriber_id, due.creator_id) then
      perform private.end_subscription(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments
          (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
        values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.price_cents,
                private.platform_fee_cents(due.price_cents), payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- Cancels the subscriptions between two users when one blocks the other, and ends pending ones.
create function private.on_block_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.cancel_or_end_subscription(s) from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;

-- Ends all subscriptions of and to a deleted account.
create function private.on_profile_deleted_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_subscription(s.id) from public.subscriptions s
  where old.id in (s.subscriber_id, s.creator_id) and s.state <> 'ended';
  return null;
end
$$;

-- Returns the price of a month, in cents.
create function private.creator_pro_price_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 1999 $$;

-- Returns whether creators pay for their account here.
create function private.creator_pro_billing() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_setting_enabled('creator_pro_billing') $$;

-- Serializes all steps of a user's plan.
create function private.lock_creator_plan(target_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('creator-plan:' || target_user_id::text, 0)) $$;

-- Returns whether a user has an active plan now, grace period included.
create function private.has_creator_plan(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.creator_plans s
    where s.user_id = target_user_id and s.state = 'active'
      and s.period_end + case when s.cancelled_at is null then private.renewal_grace() else interval '0' end > now());
end
$$;

-- Claims plans that are due and returns for each the payment that renews it, or null when it ended, as
-- private.begin_renewals does for subscriptions.
create function private.begin_plan_renewals(max_rows integer, payment_provider text)
returns table (payment uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  claimed_ids uuid[];
  due public.creator_plans;
begin
  perform private.cancel_unrenewable_plans(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.creator_plans s
    where s.state = 'active' and s.period_end <= clock_timestamp()
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.creator_plans s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a plan notifies its user: lock all their counters in one order.
  perform private.lock_user_counters(
    array(select s.user_id from public.creator_plans s where s.id = any (claimed_ids)));
  for due in select s.* from public.creator_plans s where s.id = any (claimed_ids) order by s.user_id loop
    payment := null;
    if due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       -- Once creators no longer pay here, plans end and creators keep their accounts.
       or not private.can_renew_plan(due.user_id)
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end)) then
      perform private.end_creator_plan(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
        values ('creator_pro', due.user_id, due.id, due.period_end, due.price_cents, 0, payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- Ends the plan of a deleted account and voids its pending payment.
create function private.on_profile_deleted_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.user_id = old.id and s.state <> 'ended';
  update public.payments p set state = 'void', settled_at = clock_timestamp()
  where p.payer_id = old.id and p.kind = 'creator_pro' and p.state = 'pending';
  return null;
end
$$;

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

-- User settings and details exist for every profile, even one that was not inserted by a registration.
create function private.on_profile_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.user_settings (user_id) values (new.id) on conflict do nothing;
  insert into public.profile_about (user_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

-- Replaces ASCII characters that look alike by the same one, so that usernames that could be confused have the same
-- skeleton.
create function private.name_skeleton(name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select translate(replace(replace(replace(lower(name collate pg_catalog.pg_c_utf8), '_', ''), 'rn', 'm'), 'vv', 'w'),
                   '0123456789l', 'oizeas6tbgi')
$$;

-- Display names ---------------------------------------------------------------------------------------------------

-- Returns what a name looks like at a glance: without accents, width variants and decoration, with lookalikes of
-- Latin letters replaced, and only letters and digits.
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

-- Returns whether a name pretends to be the platform or its staff: it consists only of words such as these, at least
-- one of them strong, or it contains a check mark, as a verified badge does.
create function private.is_staff_lookalike(name text) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select name ~ '[\u2611\u2705\u2713\u2714\U0001F5F8\U0001F5F9]' or
         skeleton ~ private.name_skeleton('^(the|real|original|only|a|and|of|at|your|ovation|admins?|administrators?|administration|moderators?|moderation|mods?|support|staff|team|officials?|help|helpdesk|desk|helpers?|customers?|clients?|services?|system|sysadmin|security|billing|payments?|payouts?|accounts?|trust|safety|care|cent(er|re)|app|hq|news|alerts?|notifications?|verified|verification|verify|bot|ceo|founder|owner|legal|community|managers?|inc|llc)+$')
     and skeleton ~ private.name_skeleton('(ovation|admin|moderator|support|staff|official|system|helpdesk|helpcent|customerservice|customercare)')
  from (select private.confusable_skeleton(name) as skeleton) g
$$;

-- Returns whether a name displays as intended: NFC, single spaces, at least one letter or digit, and no characters
-- that are invisible, change the direction of the text, stack up, or mix lookalike alphabets in one word. The schema
-- `personName` of the API's contract applies the same rule.
create function private.is_valid_display_name(name text) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
  -- Characters that may be on both sides of a joiner: those of joining scripts, and pictographs.
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

create function private.broadcast_profile_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$$;

-- Profile images --------------------------------------------------------------------------------------------------

-- Profile pictures and cover images are public files in the bucket `avatars`. A file never changes: a new picture is
-- a new file, and the previous one is deleted when no profile uses it any more.

-- Returns the path in the bucket of a public URL; null for any other URL.
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

-- Trigger function: deletes the file of a deleted row. Argument: the column with the URL.
create function private.enqueue_profile_file_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_avatar_deletion(to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;

create function private.payout_method_delay() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '5 days' $$;

create function private.minimum_payout_cents() returns integer
language sql immutable parallel safe set search_path = ''
as $$ select 5000 $$;

-- Account deletion ------------------------------------------------------------------------------------------------

-- Removes the name and the masked details of the method from settled payouts. A requested payout keeps them for the
-- admin who settles it; settle_payout then removes them.
create function private.on_profile_deleted_payouts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.payouts p set method_name = p.method_type, method_masked = '••••'
  where p.user_id = old.id and p.state <> 'requested';
  return null;
end
$$;

-- Deletes the views of a deleted account.
create function private.on_profile_deleted_views() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.post_views e where e.viewer_id = old.id;
  return null;
end
$$;

-- Returns the time up to which the days were counted.
create function private.analytics_updated_at() returns timestamptz
language sql stable security definer set search_path = ''
as $$ select r.done_at from private.rollups r where r.name = 'days' $$;

-- Returns the SQL condition of a search on account_search `t`. $1 is the pattern of private.account_search_pattern.
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

-- Returns a page of the accounts whose name, username or email contains `search_term`, newest first. An empty term
-- matches all. `account_filter` is all, creators, admins, suspended, unapproved or auto_posting. The page starts
-- after (`after_created_at`, `after_user_id`), or at the newest account if they are null.
create function private.search_accounts(
  search_term text, account_filter text, after_created_at timestamptz, after_user_id uuid, skip_rows integer,
  max_rows integer
) returns table (user_id uuid, joined_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
begin
  perform private.require_admin();
  -- Dynamic SQL, so that the planner sees which conditions apply and can choose the matching index.
  return query execute 'select t.user_id, t.created_at from private.account_search t where '
    || private.account_search_condition(search_term, account_filter)
    || case when after_user_id is not null then ' and (t.created_at, t.user_id) < ($2, $3)' else '' end
    || ' order by t.created_at desc, t.user_id desc offset $4 limit $5'
    using private.account_search_pattern(search_term), after_created_at, after_user_id, skip_rows, max_rows;
end
$$;

-- Returns the columns of a case that only admins read; nulls for other callers.
create function private.case_admin_details(
  target_case_id uuid, out reports integer, out created_at timestamptz, out decided_by uuid,
  out appeal_decided_by uuid
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return; end if;
  select c.reports, c.created_at, c.decided_by, c.appeal_decided_by
  into case_admin_details.reports, case_admin_details.created_at, case_admin_details.decided_by,
       case_admin_details.appeal_decided_by
  from public.moderation_cases c where c.id = target_case_id;
end
$$;

-- Returns whether an upload belongs to an open or appealed case. Such uploads are not deleted.
create function private.is_media_in_open_case(target_media_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.moderation_cases c
                 where c.media_ids @> array[target_media_id] and c.state in ('open', 'appealed'))
$$;

-- Returns, for admins, how the subject of a case compares with its last snapshot (`since`: 'same', 'changed' or
-- 'gone') and whether it is hidden: by this case, by another one, or because it is a comment under a hidden post.
create function private.subject_state(target_case_id uuid, out since text, out hidden boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  moderation_case public.moderation_cases;
  snapshot jsonb;
begin
  if not private.is_admin() then return; end if;
  select * into moderation_case from public.moderation_cases m where m.id = target_case_id;
  snapshot := private.subject_snapshot(moderation_case.kind, moderation_case.subject_id, true);
  since := case
    when snapshot is null then 'gone'
    when snapshot -> 'seen' = moderation_case.snapshots -> -1 -> 'seen' then 'same'
    else 'changed' end;
  hidden := snapshot is not null
    and (private.subject_snapshot(moderation_case.kind, moderation_case.subject_id) is null or exists (
      select from public.comments m join public.posts p on p.id = m.post_id
      where moderation_case.kind = 'comment' and m.id = moderation_case.subject_id and p.hidden is not null));
end
$$;

-- Adds a snapshot to a case if its subject has changed since the last one, and returns the case. The calling function
-- has locked the case. A case keeps at most 20 snapshots; beyond that, the newest replaces the one before it, so that
-- the first ones are kept.
create function private.snapshot_reported_content(moderation_case public.moderation_cases)
returns public.moderation_cases
language plpgsql volatile security definer set search_path = ''
as $$
declare
  snapshot jsonb := private.subject_snapshot(moderation_case.kind, moderation_case.subject_id, true);
  updated_case public.moderation_cases;
begin
  if snapshot is null or snapshot -> 'seen' = moderation_case.snapshots -> -1 -> 'seen' then
    return moderation_case;
  end if;
  if jsonb_array_length(moderation_case.snapshots) >= 20 then
    moderation_case.snapshots := moderation_case.snapshots - -1;
  end if;
  update public.moderation_cases m
  -- Rounded to the hour: the user can read the snapshots after the decision, but not when exactly somebody reported.
  set snapshots = moderation_case.snapshots
        || jsonb_build_object('at', date_trunc('hour', clock_timestamp()), 'seen', snapshot -> 'seen'),
      media_ids = array(select distinct u from unnest(
        m.media_ids || array(select jsonb_array_elements_text(snapshot -> 'media')::uuid)) u)
  where m.id = moderation_case.id
  returning * into updated_case;
  return updated_case;
end
$$;

-- Stores a report of the caller, or finds the one they made while the same case is open. Does not check whether the
-- caller can see the subject; private.file_report does.
create function private.store_report(
  subject_kind text, target_subject_id uuid, report_reason text, report_note text, out report_id uuid,
  out is_new boolean
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  opened_case public.moderation_cases;
begin
  perform private.require_session();
  perform private.enforce_rate_limit('reports', uid, 30, '1 hour');
  opened_case := private.open_case(subject_kind, target_subject_id);
  if opened_case.user_id = uid then
    raise exception 'You can''t report yourself or your own content.' using errcode = 'PT400';
  end if;
  insert into public.reports as r (case_id, reporter_id, kind, subject_id, reason, note)
  values (opened_case.id, uid, subject_kind, target_subject_id, report_reason, nullif(btrim(report_note), ''))
  on conflict (case_id, reporter_id) do nothing
  returning r.id into report_id;
  is_new := found;
  if is_new then
    update public.moderation_cases c set reports = c.reports + 1 where c.id = opened_case.id;
  else
    select r.id into report_id from public.reports r where r.case_id = opened_case.id and r.reporter_id = uid;
  end if;
end
$$;

-- Reports something that the caller can see. Runs with the caller's privileges, so the policies decide what that is.
-- Read-only accounts can report too, and users can report somebody they blocked.
create function private.file_report(
  subject_kind text, target_subject_id uuid, report_reason text, report_note text, out report_id uuid,
  out is_new boolean
)
language plpgsql volatile set search_path = ''
as $$
begin
  if not coalesce(case subject_kind
    when 'post' then exists (select from public.posts p where p.id = target_subject_id)
    when 'comment' then exists (select from public.comments c where c.id = target_subject_id)
    when 'message' then exists (
      select from public.messages m where m.id = target_subject_id and m.receiver_id = auth.uid())
    when 'user' then exists (select from public.profiles p where p.id = target_subject_id)
      or exists (
        select from public.blocks b where b.blocked_id = target_subject_id and b.blocker_id = auth.uid()) end,
    false) then
    raise exception '%',
        case subject_kind when 'user' then 'User not found' else initcap(subject_kind) || ' not found' end
      using errcode = 'PT404';
  end if;
  select s.report_id, s.is_new into file_report.report_id, file_report.is_new
  from private.store_report(subject_kind, target_subject_id, report_reason, report_note) s;
end
$$;

-- Updates the numbers of comments and replies in the same way.
create function private.on_comment_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if delta = 0 then return null; end if;
  update public.posts p set comments_count = greatest(0, p.comments_count + delta) where p.id = new.post_id;
  update public.comments c set replies_count = greatest(0, c.replies_count + delta)
  where c.id = new.parent_comment_id;
  return null;
end
$$;

-- Returns the text of the notification about a decision.
create function private.decision_message(
  subject_kind text, new_decision text, suspension_end timestamptz, reason_text text
) returns text
language sql stable set search_path = ''
as $$
  select case new_decision
    when 'warn' then
      'You were warned about your ' || case subject_kind when 'user' then 'profile' else subject_kind end
    when 'hide' then 'Your ' || subject_kind || ' was hidden'
    when 'remove' then 'Your ' || subject_kind || ' was removed'
    else 'Your account was suspended'
      || coalesce(to_char(suspension_end at time zone 'UTC', '" until" FMDD FMMonth YYYY'), '') end
    || ': ' || reason_text
$$;

-- Decides on a subject, whether or not it was reported: opens a case, or takes the open one, and decides it with
-- private.decide_case. Returns the case and the email of an account that was removed. For the same
-- `client_request_id` of the same admin it returns the case again and has no other effect.
create function private.moderate_subject(
  subject_kind text, target_subject_id uuid, new_decision text, reason_text text, suspension_days integer,
  also_hide boolean, forfeit_balance boolean, client_request_id uuid default null,
  out case_id uuid, out removed_email text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  existing_case public.moderation_cases;
begin
  perform private.require_admin();
  if client_request_id is not null then
    -- A repeated request waits for the first one, and then finds its case.
    perform pg_advisory_xact_lock(hashtextextended('moderate:' || auth.uid() || client_request_id, 0));
    select * into existing_case from public.moderation_cases c
    where c.decided_by = auth.uid() and c.request_id = client_request_id;
    if found then
      if (existing_case.kind, existing_case.subject_id, existing_case.decision, existing_case.reason)
         is distinct from (subject_kind, target_subject_id, new_decision, nullif(btrim(reason_text), '')) then
        raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
      end if;
      case_id := existing_case.id;
      return;
    end if;
  end if;
  -- Nobody is notified of a dismissal, so an admin could use it to read content without leaving a trace.
  if new_decision = 'dismiss' then raise exception 'There is nothing to dismiss.' using errcode = 'PT400'; end if;
  -- Admins can decide a case about a message only if it was reported or if they are in the conversation.
  if subject_kind = 'message' and not exists (
       select from public.moderation_cases c
       where c.kind = 'message' and c.subject_id = target_subject_id and c.state = 'open')
     and not exists (
       select from public.messages m join public.conversations v on v.id = m.conversation_id
       where m.id = target_subject_id and auth.uid() in (v.user_low, v.user_high)) then
    raise exception 'Message not found' using errcode = 'PT404';
  end if;
  case_id := (private.open_case(subject_kind, target_subject_id)).id;
  removed_email := private.decide_case(case_id, new_decision, reason_text, suspension_days, also_hide,
                                       forfeit_balance);
  update public.moderation_cases c set request_id = client_request_id
  where c.id = case_id and client_request_id is not null;
end
$$;

-- Appeals ---------------------------------------------------------------------------------------------------------

-- Appeals a decision about the caller: once, and within 30 days.
create function private.appeal_case(target_case_id uuid, appeal_text text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  moderation_case public.moderation_cases;
begin
  perform private.require_session();
  perform private.enforce_rate_limit('reports', auth.uid(), 30, '1 hour');
  select * into moderation_case from public.moderation_cases m
  where m.id = target_case_id and m.user_id = auth.uid() and m.state <> 'open' and m.decision <> 'dismiss' for update;
  if not found then raise exception 'Decision not found' using errcode = 'PT404'; end if;
  if private.is_blank(appeal_text) then
    raise exception 'Please say why you disagree.' using errcode = 'PT400';
  end if;
  if moderation_case.appealed_at is not null then
    raise exception 'You have already appealed this decision.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if moderation_case.decided_at < clock_timestamp() - interval '30 days' then
    raise exception 'You can only appeal within 30 days of the decision.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.moderation_cases m
  set state = 'appealed', appeal = btrim(appeal_text), appealed_at = clock_timestamp(), moved_at = clock_timestamp()
  where m.id = moderation_case.id;
end
$$;

-- Deletes the snapshots of a deleted profile. Skips a case that is being decided, because that transaction may be
-- waiting for this one; the job clears it later.
create function private.on_profile_deleted_cases() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.user_id = old.id and o.kind = 'user'
                 for update skip locked);
  return null;
end
$$;

-- Writing ---------------------------------------------------------------------------------------------------------

-- Returns the text of an entry that is hashed: all columns but the hash itself. The fixed time zone keeps the format
-- of the timestamp the same in every session.
create function private.audit_entry_text(entry public.audit_entries) returns text
language sql stable security definer set search_path = '' set timezone = 'UTC'
as $$
  select jsonb_build_array(entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject,
                           entry.change, encode(entry.previous_hash, 'hex'))::text
$$;

-- Appends an entry. Call it in the transaction of the action, as its last step: the advisory lock is held until
-- commit, so that entries are appended one at a time.
create function private.write_audit_entry(
  actor_user_id uuid, action_name text, target_user_id uuid default null, subject_ref text default null,
  details jsonb default '{}'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry public.audit_entries;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', 0));
  entry.id := nextval(pg_get_serial_sequence('public.audit_entries', 'id'));
  entry.created_at := clock_timestamp();
  entry.actor_id := actor_user_id;
  entry.action := action_name;
  entry.target_id := target_user_id;
  entry.subject := subject_ref;
  entry.change := details;
  entry.previous_hash := coalesce((select e.hash from public.audit_entries e order by e.id desc limit 1), ''::bytea);
  insert into public.audit_entries (id, created_at, actor_id, action, target_id, subject, change, previous_hash, hash)
  overriding system value
  values (entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject, entry.change,
          entry.previous_hash, sha256(convert_to(private.audit_entry_text(entry), 'UTF8')));
end
$$;

-- Verification ----------------------------------------------------------------------------------------------------

-- Returns the id of the first entry that was changed or whose predecessor is missing, or null if the chain is intact.
create function private.verify_audit_chain() returns bigint
language sql stable security definer set search_path = ''
as $$
  select c.id from (
    select e.id, e.hash, e.previous_hash, lag(e.hash) over (order by e.id) as preceding_hash,
           sha256(convert_to(private.audit_entry_text(e), 'UTF8')) as computed_hash
    from public.audit_entries e) c
  where c.computed_hash <> c.hash or c.previous_hash <> coalesce(c.preceding_hash, ''::bytea)
  order by c.id limit 1
$$;

-- Returns the encrypted key for calls to the provider. Null without a key, and for a rejected one unless
-- `even_if_refused`.
create function private.encrypted_ai_key(even_if_refused boolean default false) returns text
language sql stable security definer set search_path = ''
as $$ select k.secret from private.ai_key k where k.refused_at is null or even_if_refused $$;

-- Records whether the provider rejects the key. Does nothing if another key was set in the meantime.
create function private.record_ai_key_status(encrypted_key text, is_refused boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.ai_key k set refused_at = case when is_refused then clock_timestamp() end
  where k.secret = encrypted_key and (k.refused_at is not null) is distinct from is_refused
$$;

-- Settings and consent -----------------------------------------------------------------------------------------
-- Returns one of the instance's auto-posting settings.
create function private.auto_posting_setting(setting_name text) returns jsonb
language sql stable security definer set search_path = ''
as $$ select s.value -> setting_name from private.settings s where s.key = 'auto_posting' $$;

-- Returns {"model", "inputPrice", "outputPrice", "bannedWords"}; prices in US dollars per million tokens.
create function private.auto_posting_rules() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'model', s.value -> 'model', 'inputPrice', s.value -> 'inputPrice', 'outputPrice', s.value -> 'outputPrice',
    'bannedWords', coalesce((select w.value from private.settings w where w.key = 'banned_words'), '[]'))
  from private.settings s where s.key = 'auto_posting'
$$;

-- Schedule -----------------------------------------------------------------------------------------------------
-- Returns a number from 0 to 1 that depends only on the seed, so that planning a day twice gives the same plan.
create function private.seeded_random(seed text) returns double precision
language sql immutable parallel safe set search_path = ''
as $$ select ('x' || substr(md5(seed), 1, 8))::bit(32)::bigint / 4294967296.0::double precision $$;

-- Claims up to `max_rows` slots that are due at `as_of`, each for one worker and for the duration of a lease. Slots
-- that nobody claimed within the grace period are missed; of several due slots of a creator only the latest is run.
create function private.claim_auto_slots(as_of timestamptz, max_rows integer)
returns table (creator_id uuid, slot_day date, slot_nth smallint, slot_token uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  grace constant interval := interval '3 hours';
  lease constant interval := interval '5 minutes';
begin
  perform private.plan_auto_posts(as_of);
  -- The lease has expired, or the clock was set back since the claim. After three attempts the slot fails.
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

-- Releases a claimed slot whose run could not begin or produced nothing. With `retry` it is planned again, 5 minutes
-- after the first attempt and 15 after the second; otherwise, and after the third, it fails. Without `counts_as_try`
-- the slot only had to wait: the attempt is not counted, and the next job run claims it again until the grace period
-- ends. Does nothing if another worker has taken over the slot.
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

-- Daily limits -------------------------------------------------------------------------------------------------
-- Returns the day whose limits apply at a point in time.
create function private.auto_posting_day(as_of timestamptz) returns date
language sql stable security definer set search_path = ''
as $$
  select (as_of at time zone coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC'))::date
$$;

-- Runs ---------------------------------------------------------------------------------------------------------
-- Begins a run and reserves what it may cost at most, in millionths of a US dollar. Returns its id, or the reason why
-- it may not begin:
--   not_wanted   auto-posting is not allowed for this creator
--   slot_taken   the slot belongs to another worker
--   cost_cap, post_cap, creator_cap   a daily limit is reached
--   busy         a run of this creator is in progress or has just ended; two texts written at the same time could not
--                be compared with each other
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
      -- A run whose slot the caller has now, or nobody has, can no longer publish.
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

-- Expires drafts that were not decided on within 3 days, and deletes drafts, runs and slots after 90 days. Returns
-- the numbers of expired drafts and deleted runs.
create function private.delete_expired_drafts() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  expired_drafts integer;
  deleted_runs integer;
begin
  update public.auto_post_drafts f set state = 'expired', decided_at = clock_timestamp()
  where f.state = 'waiting' and f.created_at < clock_timestamp() - interval '3 days';
  get diagnostics expired_drafts = row_count;
  delete from public.auto_post_drafts f where f.created_at < clock_timestamp() - interval '90 days';
  delete from public.auto_post_runs r where r.started_at < clock_timestamp() - interval '90 days';
  get diagnostics deleted_runs = row_count;
  delete from private.auto_post_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired_drafts, 'runs', deleted_runs);
end
$$;

-- The `detail` of a run that did not end in time.
create function private.expired_run_detail() returns json
language sql immutable parallel safe set search_path = ''
as $$ select '{"reason": "The run did not finish in time."}'::json $$;

-- Starts a run of a job that may take `lease_seconds`. Returns its token, or null if another run is in progress or,
-- with `only_if_due`, the latest run started less than `interval_seconds` ago. Counts a previous run that did not end
-- in time as failed.
create function private.begin_job(
  job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean default false
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  run_token uuid;
begin
  insert into private.job_runs as j (name, every, started_at, running_until, token)
  values (job_name, interval_seconds, clock_timestamp(), clock_timestamp() + make_interval(secs => lease_seconds),
          gen_random_uuid())
  on conflict (name) do update
    set every = excluded.every, started_at = excluded.started_at, running_until = excluded.running_until,
        token = excluded.token, ended_at = null, outcome = null,
        failures = case when j.running_until is null then j.failures else j.failures + 1 end,
        detail = case when j.running_until is null then j.detail else private.expired_run_detail() end
    where (j.running_until is null or j.running_until < clock_timestamp()
        -- After the system clock was set back, a start in the future does not block the job.
        or j.started_at > clock_timestamp())
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
  returning token into run_token;
  return run_token;
end
$$;

-- Records the result of a run. Does nothing if another run has started in the meantime.
create function private.end_job(job_name text, run_token uuid, succeeded boolean, result json) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.job_runs j
  set ended_at = clock_timestamp(), running_until = null, token = null,
      outcome = case when succeeded then 'done' else 'failed' end, detail = result,
      last_done_at = case when succeeded then clock_timestamp() else j.last_done_at end,
      failures = case when succeeded then 0 else j.failures + 1 end
  where j.name = job_name and j.token = run_token
$$;

-- Lists the status of each job, for admins.
create function private.list_jobs() returns table (
  name text, every integer, started_at timestamptz, ended_at timestamptz, is_running boolean, outcome text,
  detail json, last_done_at timestamptz, failures integer, next_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select j.name, j.every, j.started_at, j.ended_at, j.running_until is not null and not lease.is_expired,
           case when lease.is_expired then 'failed' else j.outcome end,
           case when lease.is_expired then private.expired_run_detail() else j.detail end, j.last_done_at,
           case when lease.is_expired then j.failures + 1 else j.failures end,
           j.started_at + make_interval(secs => j.every)
    from private.job_runs j
    cross join lateral (select coalesce(j.running_until <= clock_timestamp(), false) as is_expired) lease
    order by j.name;
end
$$;

-- Locks -------------------------------------------------------------------------------------------------------------
-- Locks the relation of two users until the end of the transaction, so that it changes one step at a time.
create function private.lock_relation(user_a uuid, user_b uuid) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(
    hashtextextended('pair:' || least(user_a::text, user_b::text) || greatest(user_a::text, user_b::text), 0))
$$;

-- Cancels the caller's subscription: it ends with its period, or now if it is unpaid or its period is over.
-- Restricted accounts may cancel too.
create function private.cancel_subscription(creator_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
begin
  perform private.require_session();
  perform private.lock_relation(auth.uid(), cancel_subscription.creator_id);
  select * into subscription from public.subscriptions s
  where s.subscriber_id = auth.uid() and s.creator_id = cancel_subscription.creator_id and s.state <> 'ended'
  for update;
  if not found then raise exception 'You aren''t subscribed to this creator.' using errcode = 'PT404'; end if;
  perform private.cancel_or_end_subscription(subscription);
end
$$;

-- Lists the followers of `owner_id` (`side` 'followers') or the users whom they follow ('following'), latest first,
-- without users in a block with the caller. The list is empty if the caller may not see it. `after_since` and
-- `after_id` identify the last row of the previous page.
create function private.list_follows(
  owner_id uuid, side text, after_since timestamptz, after_id uuid, max_rows integer
) returns table (user_id uuid, since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  blocked_ids uuid[] := private.blocked_user_ids();
begin
  if not private.is_session_active() or not private.can_view_profile_counts(owner_id) then return; end if;
  if side = 'followers' then
    return query
      select f.follower_id, f.created_at from public.follows f
      where f.followee_id = owner_id and f.follower_id <> all (blocked_ids)
        and (after_id is null or (f.created_at, f.follower_id) < (after_since, after_id))
      order by f.created_at desc, f.follower_id desc limit max_rows;
  else
    return query
      select f.followee_id, f.created_at from public.follows f
      where f.follower_id = owner_id and f.followee_id <> all (blocked_ids)
        and (after_id is null or (f.created_at, f.followee_id) < (after_since, after_id))
      order by f.created_at desc, f.followee_id desc limit max_rows;
  end if;
end
$$;

-- Deletes follows, requests and notifications between the two users. Subscriptions are stopped by
-- private.on_block_subscriptions.
create function private.on_block_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.follows f where (f.follower_id, f.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.follow_requests r where (r.follower_id, r.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.notifications n where (n.user_id, n.actor_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;

-- Makes the realtime server check again who may stay on the channel of the two users' conversation.
create function private.on_block_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block public.blocks := case when tg_op = 'INSERT' then new else old end;
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(block.blocker_id, block.blocked_id), true);
  return null;
end
$$;

-- Search: finding users by username or name, equally fast with a hundred users and a hundred thousand.
--
-- - Profiles have generated columns with the text to search (`search_name`, `search_text`, `search_words`; see
--   10_profiles), indexed for prefixes, trigrams and words. The functions below compute them.
-- - Row-level security evaluates conditions that are not leakproof (`like`, `@@`) after the policies, row by row,
--   without an index. So `private.search_users` runs with its owner's privileges, applies the same rules through
--   `private.directory_profiles`, and returns only ids. The caller then reads these profiles under the policies.
-- - After a change to one of the immutable functions, the stored columns and indexes must be rebuilt.

-- Searchable text -------------------------------------------------------------------------------------------------

-- Returns text as searches compare it: lowercase, without accents, and with one spelling for equivalent characters.
create function private.normalize_search(value text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  -- Fast path: ASCII differs only in case.
  if octet_length(value) = char_length(value) then return lower(value collate pg_catalog.pg_c_utf8); end if;
  return replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss');
end
$$;

-- Returns the LIKE pattern of a search term: normalized, without the @ of usernames, and escaped.
create function private.account_search_pattern(search_term text) returns text
language sql immutable set search_path = ''
as $$
  select '%' || replace(replace(replace(t.normalized_term, '\', '\\'), '%', '\%'), '_', '\_') || '%'
  from (select btrim(regexp_replace(private.normalize_search(search_term), '(^|\s)@|\s+', ' ', 'g'))
               as normalized_term) t
$$;

-- Returns the distinct words of a normalized text. In scripts without spaces each character is a word, so that a
-- search also finds the second one.
create function private.search_terms(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct word), '{}')
  from regexp_split_to_table(
    regexp_replace(value, '([\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7A3])', ' \1 ', 'g'), '[\s''.,/()&+-]+') word
  where word <> ''
$$;

-- Returns the normalized display name: first and last name if there are any, otherwise the full name.
create function private.profile_search_name(full_name text, first_name text, last_name text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select left(private.normalize_search(
    coalesce(nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), full_name)), 80)
$$;

-- Returns everything a profile can be found by, as one normalized text.
create function private.profile_search_text(username text, full_name text, first_name text, last_name text)
returns text
language sql immutable parallel safe set search_path = ''
as $$
  select private.normalize_search(
    username || ' ' || full_name || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
$$;

-- Returns the words of `profile_search_text` for the word index.
create function private.profile_search_vector(username text, full_name text, first_name text, last_name text)
returns tsvector
language sql immutable parallel safe set search_path = ''
as $$
  -- A username counts as one word, and so does each of its parts between underscores.
  select array_to_tsvector(private.search_terms(search_text) || private.search_terms(replace(search_text, '_', ' ')))
  from (select private.profile_search_text(username, full_name, first_name, last_name) as search_text) t
$$;

-- Profiles: what everybody may know about a user, what the profile shows to whom, and settings that only the user
-- reads. Private account data (email, phone number, approval, suspension) is in 16_accounts_and_sessions.
--
-- - Each user has one row in each public table of this file, inserted by triggers at registration and deleted with
--   the row in `profiles`.
-- - Username, name, picture and privacy settings are visible to everybody except users in a block with the owner.
-- - `profiles.visibility` decides who views the rest of a profile, and the user's posts: everybody, followers or only
--   the owner. The rule is `private.viewable_profiles`. It is evaluated on every read, so a profile that becomes
--   private also hides what was visible before.
-- - The owner and admins see everything.
-- - Clients write directly only privacy settings and `user_settings`. Names, bio and details go through
--   `private.update_own_profile`, pictures through `private.set_own_profile_image`.

-- Profiles --------------------------------------------------------------------------------------------------------

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,30}$'),
  full_name text not null check (char_length(full_name) between 2 and 80),
  first_name text check (char_length(first_name) between 1 and 80),
  last_name text check (char_length(last_name) between 1 and 80),
  -- The path of a file in the bucket `avatars`: /storage/v1/object/public/avatars/…
  profile_image_url text,
  is_creator boolean not null default false,
  is_admin boolean not null default false,
  visibility text not null default 'public' check (visibility in ('public', 'followers', 'private')),
  allow_direct_messages boolean not null default true,
  -- Also whether others see the lists of followers and followed users.
  show_follower_count boolean not null default true,
  -- Whether discovery pages (trending, topics, featured creators) include the user and their posts.
  content_discoverable boolean not null default true,
  -- Whether user search finds the profile. See private.directory_profiles.
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

-- How often other users liked, saved, commented on or unlocked a creator's posts. Creators without a row had no such
-- event.
create table private.creator_scores (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  score integer not null
);

-- Conversation members ---------------------------------------------------------------------------------------------
-- Kept up to date in the transaction that writes a message, so the cost of listing conversations does not depend on
-- the number of messages. The row is deleted with the account.
create table public.conversation_members (
  user_id uuid not null references public.profiles (id) on delete cascade,
  partner_id uuid not null,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  last_message_id uuid,
  last_message_at timestamptz not null default clock_timestamp(),
  last_read_seq bigint not null default 0,
  unread_count integer not null default 0 check (unread_count >= 0),
  -- When the first unread message arrived that was not deleted since. Emails about unread messages go by this.
  unread_since timestamptz,
  -- Whether the user has sent a message in the conversation.
  has_written boolean not null default false,
  primary key (user_id, partner_id),
  check (unread_count > 0 or unread_since is null)
);

-- Notifications, the unread counters of messages and notifications, and emails about unread activity.
--
-- Rules:
-- * private.create_notification is the only way to notify a user. It respects blocks and the user's settings.
-- * Likes, follows, comments and unlocks are grouped when they are written: a new one joins the unread group about
--   the same subject and becomes its head. Reading a group closes it.
-- * Unread notifications are counted from the rows at every change, under a lock on the user's counters, so the
--   stored count cannot drift.
-- * Lock order: a transaction that changes or deletes notifications of several users first locks the counters of all
--   of them with private.lock_user_counters, after any conversations, posts and profile counts.
-- See docs/decisions/010-messages-and-notifications.md.

-- Unread counters --------------------------------------------------------------------------------------------------
create table public.user_counters (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  unread_messages integer not null default 0 check (unread_messages >= 0),
  unread_notifications integer not null default 0 check (unread_notifications >= 0)
);

-- How often within a day an actor took back what they had notified a user of (an unlike, an unfollow, …). After three
-- times, private.create_notification ignores the next one.
create table private.notification_withdrawals (
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  -- The post or message; the nil UUID if there is none.
  about uuid not null,
  times integer not null default 1,
  since timestamptz not null default now(),
  primary key (user_id, actor_id, kind, about)
);

-- Emails about unread activity -------------------------------------------------------------------------------------
-- The last email that each user was sent about unread notifications and messages.
create table private.notification_mails (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  -- End of the period that the email covered.
  mailed_until timestamptz not null,
  mailed_at timestamptz not null
);

-- Profile details -------------------------------------------------------------------------------------------------

-- The part of the page header that profile visibility covers. Counts have their own visibility.
create table public.profile_details (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  bio text check (char_length(bio) <= 500),
  background_image_url text
);

-- Profile counts --------------------------------------------------------------------------------------------------

-- Maintained by the triggers of posts, follows and subscriptions.
create table public.profile_counts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  posts integer not null default 0 check (posts >= 0),
  followers integer not null default 0 check (followers >= 0),
  following integer not null default 0 check (following >= 0),
  subscribers integer not null default 0 check (subscribers >= 0)
);

-- About -----------------------------------------------------------------------------------------------------------

-- Personal details, each of which the user can hide (`show_…`). Others never read the table: they get the visible
-- details from private.visible_profile_about.
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
  -- Not part of the profile: only counted in creators' audience analytics.
  country text check (country ~ '^[A-Z]{2}$'),
  -- Whether posts may be generated in the user's name, and whether the user approves each one first.
  allow_auto_posting boolean not null default false,
  approve_auto_posts boolean not null default false
);

-- User settings ---------------------------------------------------------------------------------------------------

-- Notification, presence and session preferences. Separate from profiles because only the owner reads them.
create table public.user_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email_notifications boolean not null default true,
  push_notifications boolean not null default true,
  new_followers boolean not null default true,
  new_comments boolean not null default true,
  new_likes boolean not null default true,
  subscription_updates boolean not null default true,
  payment_alerts boolean not null default true,
  -- Whether similar notifications are shown as one group.
  group_notifications boolean not null default true,
  message_sounds boolean not null default false,
  login_alerts boolean not null default true,
  show_online boolean not null default true,
  show_last_seen boolean not null default true,
  show_typing boolean not null default true,
  -- Minutes of inactivity until the app signs out; null for never.
  session_timeout integer check (session_timeout in (15, 30, 60, 240))
);

-- Presence --------------------------------------------------------------------------------------------------------

-- When a page of the user last polled for its counts, which an open, visible page does every 30 seconds. The fill
-- factor leaves room for HOT updates: a row is updated up to three times a minute.
create table private.last_seen (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  seen_at timestamptz not null default now()
) with (fillfactor = 70);

-- Payouts: how creators get their money. Payout methods, the weekly schedule, payouts and their settlement, and the
-- goals that a creator sets.
--
-- - A payout takes its amount out of the creator's available balance when it is requested. An admin transfers the
--   money by hand, then settles the payout as paid or failed. A failed payout returns the money to the balance, or to
--   the platform if the account no longer exists. Nobody settles their own payout.
-- - A payout method can be used 5 days after it was added or its details changed, which leaves the owner time to
--   notice a change that they did not make. The API mails them about every change.
-- - The API encrypts the details of a method; the database never sees them in plain text. A payout keeps a copy of
--   the details until it is settled. Only admins can read that copy, and every read is audited.
-- - Functions that create payouts lock the row in payout_schedules (if they use it), then take the user's advisory
--   lock `payout-methods:`, then lock the row in creator_balances.

-- Payout methods --------------------------------------------------------------------------------------------------

create table public.payout_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('bank', 'paypal')),
  name text not null check (char_length(name) between 1 and 60),
  -- The part of the details that users see, such as '•••• 6789'.
  masked text not null check (char_length(masked) between 1 and 60),
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- The last change of the details. The waiting period starts here.
  changed_at timestamptz not null default clock_timestamp()
);

-- The encrypted details. In a separate table, so that no role of the Data API can read them.
create table private.payout_method_details (
  method_id uuid primary key references public.payout_methods (id) on delete cascade,
  secret text not null
);

-- Schedule --------------------------------------------------------------------------------------------------------

-- The weekly payout of a creator. The row is created with the first payout method.
create table public.payout_schedules (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  weekly boolean not null default true,
  next_at timestamptz not null default now() + interval '7 days'
);

-- Goals -----------------------------------------------------------------------------------------------------------

create table public.creator_goals (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  monthly_cents bigint not null default 500000 check (monthly_cents between 100 and 100000000),
  yearly_cents bigint not null default 6000000 check (yearly_cents between 100 and 1200000000),
  subscribers integer not null default 1000 check (subscribers between 1 and 10000000)
);

-- Counts per creator and day -----------------------------------------------------------------------------------
create table public.creator_days (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  views integer not null default 0,
  likes integer not null default 0,
  comments integer not null default 0,
  followers integer not null default 0,
  subscribers integer not null default 0,
  primary key (creator_id, day)
);

-- Views per creator and hour -----------------------------------------------------------------------------------
create table public.creator_hours (
  creator_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  views integer not null default 0,
  primary key (creator_id, day, hour)
);

-- Audiences ----------------------------------------------------------------------------------------------------
-- The age groups and countries of a creator's followers. Groups of fewer than five people are left out, with nothing
-- that could reveal them. The sizes of the other groups would reveal how many people are in none, so no client reads
-- this table: the API returns shares only.
create table private.creator_audiences (
  creator_id uuid primary key references public.profiles (id) on delete cascade,
  counted_at timestamptz not null,
  age_groups jsonb not null default '[]', -- [{"range": "18-24", "people": 12}], youngest first
  countries jsonb not null default '[]' -- [{"name": "DE", "people": 7}], largest first
);

-- Admin: what admins do with accounts and instance settings. Moderation cases are in 72_moderation, the audit log in
-- 74_audit.
--
-- - Every function checks that the caller is an admin, and every change is audited.
-- - Admins are exempt from being approved, suspended, removed or made a creator by other admins, so that no admin can
--   lock another one out. Their profiles can be edited.

-- Finding accounts ------------------------------------------------------------------------------------------------

-- One narrow row per account with what admins search and filter by. A search of one or two letters cannot use an
-- index; it reads this whole table, which is fast enough for 100,000 accounts. Triggers keep the rows up to date.
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

-- Whether auto-posting is on for a creator, as admins set it. Whether the creator agrees, and whether they review
-- posts first, is in profile_about.
create table private.auto_posting_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  enabled boolean not null default false,
  frequency text not null default 'moderate' check (frequency in ('low', 'moderate', 'high')),
  changed_by uuid,
  changed_at timestamptz not null default clock_timestamp(),
  -- When a post or draft was last written for them.
  last_auto_post timestamptz,
  -- When they were last asked to agree.
  asked_at timestamptz
);

-- The times at which posts are due. A day is a calendar day in the instance's time zone. One worker at a time claims
-- a slot, for the duration of a lease. A worker that returns after its lease has ended may find that its token is no
-- longer valid.
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
  -- A planned slot is not claimed before this time.
  retry_at timestamptz,
  primary key (user_id, day, nth)
);

-- Every attempt to write a post: for a slot, for a round that an admin starts ('test'), or as a preview for admins.
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
  -- Null while the run is in progress. 'refused': our checks rejected the text, or posting is no longer allowed.
  -- 'failed': the provider failed. 'lost': the worker stopped responding, or another one had taken over the slot.
  outcome text check (outcome in ('published', 'drafted', 'previewed', 'refused', 'failed', 'lost')),
  -- The reason, in readable form. Never contains secrets.
  detail text check (char_length(detail) <= 500),
  model text not null,
  -- What was sent, as [{"role", "content"}], and the provider's answer.
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

create table public.auto_post_drafts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 5000),
  state text not null default 'waiting' check (state in ('waiting', 'published', 'discarded', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);

-- Relations between two users: follows, follow requests and blocks.
--
-- A public profile is followed immediately; any other profile receives a follow request, which its owner can accept.
-- A block is one row, but it works in both directions: neither user finds, follows, messages or pays the other.
--
-- Lock order. A function that changes the relation of two users locks
--   1. the pair (private.lock_relation), so that a concurrent follow and block of the same two users run one after
--      the other,
--   2. the pair's subscriptions, if it is a block,
--   3. the profile_counts rows of both, in the order of their ids,
--   4. the user_counters rows of both (private.lock_user_counters).
-- Account deletion (private.lock_account_dependents) locks the rows of steps 2 to 4 in the same order. The foreign
-- keys to the profiles themselves are locked last, by the insert.

-- Blocks ------------------------------------------------------------------------------------------------------------
create table public.blocks (
  blocker_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);

-- Follows -----------------------------------------------------------------------------------------------------------
create table public.follows (
  follower_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);

-- Follow requests ---------------------------------------------------------------------------------------------------
-- A request exists until it is accepted, declined or cancelled. Accepting it turns it into a row of `follows`.
create table public.follow_requests (
  follower_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  followee_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);

-- Accounts, sessions, password resets, email changes, account deletion and data exports.
--
-- Auth (the schema `auth`) owns users, passwords and sessions. public.accounts holds the rest of the private data of
-- a user: what only the user and admins may read. An account is read-only while it has a `read_only_reason`: its user
-- may still sign in, read, block, report, appeal, delete things, export the data and delete the account.
--
-- Versions of Auth differ in the tables they have (one_time_tokens, identities, audit_log_entries) and in the
-- privileges that they grant. The functions below check for these before they use them. Tokens that are sent by mail
-- are stored as hashes: a token would open an account.

-- Accounts ----------------------------------------------------------------------------------------------------------
create table public.accounts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email text not null, -- a copy of auth.users.email
  phone_number text not null check (char_length(phone_number) between 10 and 32),
  adult_confirmed_at timestamptz not null,
  read_only_reason text, -- shown to the user; null if the account may write
  approved_at timestamptz,
  approved_by uuid, -- the admin who approved it
  suspended_at timestamptz,
  suspended_until timestamptz, -- null: until an admin lifts the suspension
  suspension_reason text check (char_length(suspension_reason) <= 1000),
  suspension_case uuid, -- the moderation case that led to the suspension
  check ((suspended_at is null) = (suspension_reason is null)),
  check (suspended_until is null or suspended_at is not null)
);

-- The kinds of device (browser and operating system) from which a user has signed in.
create table private.known_devices (
  user_id uuid not null references public.profiles (id) on delete cascade,
  device text not null check (char_length(device) <= 100),
  first_seen_at timestamptz not null default now(),
  primary key (user_id, device)
);

-- Email change ------------------------------------------------------------------------------------------------------
-- A new address takes effect when its owner follows the link that was mailed to it, within 24 hours.
create table private.email_changes (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  email text not null,
  token_hash text not null unique,
  created_at timestamptz not null default clock_timestamp()
);

-- Media: uploaded images and videos.
--
-- An upload is a row of public.media and a file in the private bucket `media`, which no client reads directly.
-- Clients send the file to the API, or a video directly to Storage: to a signed URL for its `incoming_path`. It is
-- moved from there to `path` before it is checked, because the URL stays valid and the file behind it could be
-- replaced. The row exists before its file, and a deleted row enqueues its files for deletion: no file is without a
-- record.
--
-- An upload belongs to at most one post, message or gallery item. Until one refers to it, only its owner may read it.
-- After that, everybody who may read the referring row may read the file. Unused uploads are deleted after a day.

create table public.media (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('image', 'video')),
  state text not null default 'pending' check (state in ('pending', 'ready')), -- 'ready': stored and checked
  path text not null unique,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  width integer check (width > 0),
  height integer check (height > 0),
  placeholder text check (placeholder ~ '^data:image/(webp|png|jpeg);base64,' and length(placeholder) <= 4000),
  created_at timestamptz not null default clock_timestamp(),
  incoming_path text unique -- where a signed URL leads, until the upload is ready; null for a file sent to the API
);

-- Messages ---------------------------------------------------------------------------------------------------------
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  seq bigint not null,
  sender_id uuid not null default auth.uid(),
  receiver_id uuid not null,
  content text not null check (char_length(content) <= 5000),
  created_at timestamptz not null default clock_timestamp(),
  version bigint not null default 0,
  edited_at timestamptz,
  -- A deleted message keeps its place and number; everything else is cleared.
  deleted_at timestamptz,
  reply_to_id uuid references public.messages (id) on delete set null,
  media_id uuid references public.media (id),
  -- Size and placeholder are copied from the image when the message is sent.
  media_width integer check (media_width > 0),
  media_height integer check (media_height > 0),
  placeholder text,
  -- [{"emoji", "userId"}], oldest first, sixteen at most. Written only by private.toggle_reaction.
  reactions jsonb not null default '[]',
  -- Stored, because normalizing thousands of texts takes longer than reading them.
  search_text text not null generated always as (private.normalize_search(content)) stored,
  -- Also the index that every page of a thread is read from.
  unique (conversation_id, seq)
);

-- Hiding content --------------------------------------------------------------------------------------------------

-- Posts and comments are hidden by their column `hidden`, which the policies check. A message cannot be hidden that
-- way without a gap in its conversation: it is redacted like a deleted one, and its content is kept here until it is
-- restored or permanently deleted.
create table private.hidden_messages (
  message_id uuid primary key references public.messages (id) on delete cascade,
  content text not null,
  reply_to_id uuid references public.messages (id) on delete set null,
  media_id uuid references public.media (id) on delete set null,
  media_width integer,
  media_height integer,
  placeholder text,
  reactions jsonb not null,
  edited_at timestamptz,
  hidden_at timestamptz not null default clock_timestamp()
);

-- The media gallery: images and videos that users show on their profile, apart from posts.
--
-- Deleting an item hides it immediately. Its owner can restore it for ten minutes; after that a job deletes the row
-- and the upload. Clients can change the gallery only through the functions below.

create table public.gallery_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  media_id uuid not null references public.media (id),
  title text check (char_length(title) between 1 and 100),
  description text check (char_length(description) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz -- can still be restored for ten minutes
);

-- Posts, likes and saves.
--
-- * A row of `posts` is visible to everyone who may view the author's profile. The paid part of a premium post (text,
--   media, alt text) is stored in `premium_contents` (32_premium_content.sql).
-- * The functions below publish and edit posts. A direct insert through the Data API can only create a free text
--   post.
-- * Clients generate the ids of posts, so publishing is idempotent.
-- * Triggers maintain `likes_count`, `comments_count` and `profile_counts.posts`.
-- * Lock order: posts, then `profile_counts`, then `user_counters`, each in the order of their ids.

-- Posts --------------------------------------------------------------------------------------------------------
create table public.posts (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  content text not null default '' check (char_length(content) <= 5000),
  teaser text check (char_length(teaser) <= 500),
  is_premium boolean not null default false,
  premium_price numeric(5, 2) check (premium_price between 0.01 and 999.99), -- US dollars
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Type, size in pixels and tiny blurred image of the media. Premium posts have them too, so that the page can
  -- reserve the space while the post is locked.
  media_type text check (media_type in ('image', 'video')),
  media_width integer check (media_width > 0),
  media_height integer check (media_height > 0),
  placeholder text,
  media_id uuid references public.media (id), -- free posts only, like poster_id and alt_text
  poster_id uuid references public.media (id), -- preview image of a video
  alt_text text check (char_length(alt_text) <= 500),
  edited_at timestamptz,
  included_in_subscription boolean not null default false,
  product jsonb, -- {name, price, storeUrl, category?}, see private.validated_product
  made_by text check (made_by in ('ai')), -- null: written by a user
  -- Set by moderators. 'hidden': only the author sees the post; 'removed': nobody does.
  hidden text check (hidden in ('hidden', 'removed')),
  check (is_premium = (premium_price is not null)),
  check (not is_premium or (content = '' and media_id is null and poster_id is null and alt_text is null)),
  check (media_type is not null or (media_id is null and poster_id is null)),
  check (is_premium or teaser is null),
  check (is_premium or not included_in_subscription),
  constraint posts_product_check check (product is null or (
      not is_premium and jsonb_typeof(product) = 'object'
      and char_length(product ->> 'name') between 1 and 100
      and (product ->> 'price')::numeric between 0.01 and 99999.99
      and private.is_http_url(product ->> 'storeUrl')
      and coalesce(char_length(product ->> 'category'), 1) between 1 and 60))
);

-- Comments on posts, and replies to them. Replies are one level deep.
--
-- * A comment can be read by everyone who can see the post and, on a premium post, its paid content, except by users
--   in a block with its author.
-- * Clients insert comments through the Data API and delete them with private.delete_comment.
-- * Comments outlive the account of their author; `author_id` is null then.
-- * Lock order: the post, the comments, then `user_counters`. Everything that writes comments locks the post first.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid default auth.uid() references public.profiles (id) on delete set null, -- null: account deleted
  parent_comment_id uuid references public.comments (id) on delete cascade,
  content text not null check (char_length(content) <= 500 and not private.is_blank(content)),
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Set by moderators. 'hidden': only the author sees the comment; 'removed': nobody does; 'with_parent': nobody
  -- does, because the comment that it replies to is hidden.
  hidden text check (hidden in ('hidden', 'removed', 'with_parent'))
);

-- Topics (hashtags) and mentions in posts.
--
-- * Tags and mentions come from the public text of a post only: the teaser of a premium post, the content of a free
--   one, so they reveal no paid content.
-- * The trigger on_post_text_changed keeps `post_tags` in step with the posts and notifies mentioned users.
-- * Trending topics are counted in 38_discovery.sql.

-- Tags ---------------------------------------------------------------------------------------------------------
-- The tags of each post, with the post's author and time, so that a topic page is a range scan of one index.
create table public.post_tags (
  post_id uuid not null references public.posts (id) on delete cascade,
  tag text not null check (char_length(tag) between 1 and 50), -- as returned by private.normalize_tag, without '#'
  author_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  primary key (post_id, tag)
);

-- Notifications ----------------------------------------------------------------------------------------------------
create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  -- The recipient.
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- Null if no particular user caused it.
  actor_id uuid references public.profiles (id) on delete cascade,
  kind text not null check (kind in (
    'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'reaction', 'unlock',
    'subscription', 'tip', 'message', 'sign_in', 'admin', 'payout', 'creator_pro', 'moderation', 'report',
    'auto_post')),
  post_id uuid references public.posts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  comment_id uuid references public.comments (id) on delete cascade,
  message_id uuid,
  -- Additional text of some kinds: the device of a sign-in, the text of an admin's message.
  detail text check (char_length(detail) <= 500),
  -- Every notification is in a group, most of them alone.
  group_id uuid not null default gen_random_uuid(),
  -- The notification that represents its group in a grouped list.
  is_head boolean not null default true,
  -- Number of different actors in the group, kept on its head; 1 on the others.
  people integer not null default 1 check (people >= 1)
);

-- Counts per post and day --------------------------------------------------------------------------------------
-- Deleted with the post. The author's totals in creator_days keep the views.
create table public.post_days (
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid not null,
  day date not null,
  views integer not null default 0,
  primary key (post_id, day)
);

-- Likes --------------------------------------------------------------------------------------------------------
create table public.likes (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);

-- Saves --------------------------------------------------------------------------------------------------------
-- A user's private bookmarks.
create table public.saves (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);

-- Premium posts: the paid content, and unlocks (purchases of single posts). The price and the teaser are columns of
-- public.posts (30_posts.sql).
--
-- * The paid content can be read by the author, by users who unlocked the post and, if the author included the post
--   in subscriptions, by active subscribers. All of them must also be able to view the author's profile.
-- * A hidden or removed post hides its paid content in the same way.
-- * Comments on a premium post follow the same rule.
-- * The payment of an unlock (50_payments.sql) is created here by private.begin_unlock and completed by
--   private.settle_unlock.

-- Paid content -------------------------------------------------------------------------------------------------
-- In a separate table, so that no query or realtime event on posts can reveal it.
create table public.premium_contents (
  post_id uuid primary key references public.posts (id) on delete cascade,
  author_id uuid not null references public.profiles (id) on delete cascade, -- the post's author, for the policy
  content text not null default '' check (char_length(content) <= 5000),
  media_id uuid references public.media (id),
  poster_id uuid references public.media (id), -- preview image of a video
  alt_text text check (char_length(alt_text) <= 500)
);

-- Unlocks ------------------------------------------------------------------------------------------------------
create table public.unlocks (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  payment_id uuid not null references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, post_id)
);

alter table public.comments enable row level security;

alter table public.post_tags enable row level security;

alter table public.messages enable row level security;

alter table public.conversation_members enable row level security;

alter table public.user_counters enable row level security;

alter table public.notifications enable row level security;

alter table public.profiles enable row level security;

alter table public.profile_details enable row level security;

alter table public.profile_counts enable row level security;

alter table public.profile_about enable row level security;

alter table public.user_settings enable row level security;

alter table public.payout_methods enable row level security;

alter table public.payout_schedules enable row level security;

alter table public.creator_goals enable row level security;

alter table public.post_days enable row level security;

alter table public.creator_days enable row level security;

alter table public.creator_hours enable row level security;

alter table public.auto_post_runs enable row level security;

alter table public.auto_post_drafts enable row level security;

alter table public.blocks enable row level security;

alter table public.follows enable row level security;

alter table public.follow_requests enable row level security;

alter table public.accounts enable row level security;

alter table public.media enable row level security;

alter table public.gallery_items enable row level security;

alter table public.posts enable row level security;

alter table public.likes enable row level security;

alter table public.saves enable row level security;

alter table public.premium_contents enable row level security;

alter table public.unlocks enable row level security;

-- Write access ----------------------------------------------------------------------------------------------------

-- Returns whether the caller may change anything: an active session of an account that is not read-only.
create function private.can_write() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_session_active() and exists (
    select from public.accounts a where a.user_id = (select auth.uid()) and a.read_only_reason is null
  );
end
$$;

-- Raises an error unless the caller can write. Functions and triggers call it, because it can give the reason.
create function private.require_write() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  if not private.can_write() then
    raise exception 'This account is read-only.' using errcode = 'PT403', detail = 'account_read_only';
  end if;
end
$$;

-- Admins ----------------------------------------------------------------------------------------------------------

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select p.is_admin from public.profiles p where p.id = (select auth.uid())), false);
end
$$;

-- Raises an error unless the caller is an admin. Admin functions call it before they read their input.
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if not private.is_admin() then
    raise exception 'Only admins can do this.' using errcode = 'PT403', detail = 'forbidden';
  end if;
end
$$;

-- Makes the user with this email an admin. For operators; not granted to any API role.
create function private.grant_admin(account_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p set is_admin = true
  from public.accounts a
  where a.user_id = p.id and lower(a.email) = lower(account_email);
  if not found then raise exception 'No account has the email %', account_email; end if;
end
$$;

-- Blocks ----------------------------------------------------------------------------------------------------------

-- Returns everybody in a block with the caller, in either direction.
create function private.blocked_user_ids() returns uuid[]
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

-- Returns whether either of two users has blocked the other.
create function private.are_blocked(user_a uuid, user_b uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.blocks b where b.blocker_id = user_a and b.blocked_id = user_b)
      or exists (select from public.blocks b where b.blocker_id = user_b and b.blocked_id = user_a);
end
$$;

-- Rejects a comment on a hidden post and a reply to a hidden comment. `security definer` functions bypass the
-- policies that hide them.
create function private.check_comment_target_visible() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is null then return new; end if;
  if exists (select from public.posts p where p.id = new.post_id and p.hidden is not null
             and (p.hidden = 'removed' or p.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if new.parent_comment_id is not null and exists (
    select from public.comments c where c.id = new.parent_comment_id and c.hidden is not null) then
    raise exception 'Comment not found' using errcode = 'PT404';
  end if;
  return new;
end
$$;

-- Recounts both tables and returns the number of rows in each.
create function private.refresh_trending() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '7 days';
  tag_count integer;
  creator_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only public profiles that
  -- chose to be discoverable count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join public.profiles p on p.id = t.author_id and p.content_discoverable and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tag_count = row_count;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  select p.author_id, count(*)
  from (
    -- `union` removes duplicates: each user counts once per post and kind, even with several comments.
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) engagement (post_id, user_id, kind)
  join public.posts p on p.id = engagement.post_id
  join public.profiles u on u.id = p.author_id and u.is_creator
  where engagement.user_id <> p.author_id and p.hidden is null
  group by p.author_id;
  get diagnostics creator_count = row_count;
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$$;

-- Who may message whom ---------------------------------------------------------------------------------------------
-- Returns why the caller may not message a user, as an error code of the API, or null if they may. Reads the receiver
-- and both directions of a block in one query.
create function private.message_refusal(receiver_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  is_allowed boolean;
  is_blocked boolean;
begin
  select p.allow_direct_messages,
         exists (select from public.blocks b where b.blocker_id = uid and b.blocked_id = receiver_id)
         or exists (select from public.blocks b where b.blocker_id = receiver_id and b.blocked_id = uid)
  into is_allowed, is_blocked
  from public.profiles p where p.id = receiver_id;
  if not found or receiver_id = uid or is_blocked then return 'recipient_not_found'; end if;
  if not is_allowed then return 'direct_messages_disabled'; end if;
  if not private.can_write() then return 'account_read_only'; end if;
  return null;
end
$$;

-- Raises an error if the caller may not message a user.
create function private.require_can_message(receiver_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  refusal text := private.message_refusal(receiver_id);
begin
  if refusal is null then return; end if;
  raise exception '%', case refusal
      when 'recipient_not_found' then 'Recipient not found'
      when 'direct_messages_disabled' then 'This user has disabled direct messages'
      else 'This account is read-only.' end
    using errcode = case refusal when 'recipient_not_found' then 'PT404' else 'PT403' end, detail = refusal;
end
$$;

-- Reading conversations --------------------------------------------------------------------------------------------
-- Builds the JSON of a message. Runs with the caller's privileges, so policies apply to the quoted message.
create function private.message_json(message public.messages, is_read boolean) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  quoted jsonb;
begin
  if message.reply_to_id is not null then
    select jsonb_build_object(
      'id', q.id, 'seq', q.seq, 'senderId', q.sender_id, 'content', left(q.content, 200),
      'hasImage', q.media_id is not null, 'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return jsonb_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at, 'isRead', is_read,
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', '/api/media/' || message.media_id, 'imageWidth', message.media_width,
    'imageHeight', message.media_height, 'placeholder', message.placeholder,
    'replyTo', quoted, 'reactions', message.reactions);
end
$$;

-- Sending messages -------------------------------------------------------------------------------------------------
-- Sends a message from the caller. Returns it as JSON text, or null if it is already stored. Runs as definer to save
-- the policies' cost: the trigger private.before_message_insert rejects everything that they would, an ended session
-- included.
create function private.send_message(
  message_id uuid, receiver_id uuid, new_content text, image_id uuid, reply_to_message_id uuid
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  item text;
begin
  -- The trigger skips its checks if there is no caller, because seeds insert messages too.
  if uid is null then raise exception 'Sending a message requires a signed-in user.' using errcode = '42501'; end if;
  insert into public.messages (id, sender_id, receiver_id, content, media_id, reply_to_id)
  values (message_id, uid, receiver_id, new_content, image_id, reply_to_message_id)
  returning private.message_json(messages, false)::text into item;
  return item;
end
$$;

-- Returns the profile of a user the caller has a conversation with, else null. A block hides the profile from the
-- policies, but the existing thread still has to show who it is with. Null if the account was deleted.
create function private.conversation_partner(other_user_id uuid) returns public.profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  partner public.profiles;
begin
  if exists (select from public.conversation_members m
             where m.user_id = (select auth.uid()) and m.partner_id = other_user_id) then
    select p.* into partner from public.profiles p where p.id = other_user_id;
  end if;
  return partner;
end
$$;

-- Marking conversations as read ------------------------------------------------------------------------------------
-- Marks a user's thread with another user as read up to its last message. Returns whether anything changed.
create function private.mark_conversation_read_for(reader_id uuid, other_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  conversation public.conversations;
  previously_unread integer;
  unread_total integer;
begin
  select c.* into conversation from public.conversations c
  where c.user_low = least(reader_id::text, other_user_id::text)::uuid
    and c.user_high = greatest(reader_id::text, other_user_id::text)::uuid
  for update;
  if not found then return false; end if;
  select m.unread_count into previously_unread from public.conversation_members m
  where m.user_id = reader_id and m.partner_id = other_user_id;
  update public.conversation_members m
  set last_read_seq = conversation.last_seq, unread_count = 0, unread_since = null
  where m.user_id = reader_id and m.partner_id = other_user_id
    and (m.last_read_seq < conversation.last_seq or m.unread_count > 0);
  if not found then return false; end if;
  update public.user_counters c set unread_messages = greatest(0, c.unread_messages - previously_unread)
  where c.user_id = reader_id
  returning c.unread_messages into unread_total;
  perform private.broadcast_to_user(reader_id, 'conversation.read', jsonb_build_object(
    'otherUserId', other_user_id, 'readerId', reader_id, 'lastReadSeq', conversation.last_seq,
    'unreadTotal', unread_total));
  -- Within a block, neither user learns when the other is online.
  if private.are_blocked(reader_id, other_user_id) then return true; end if;
  perform private.broadcast_to_user(other_user_id, 'conversation.read', jsonb_build_object(
    'otherUserId', reader_id, 'readerId', reader_id, 'lastReadSeq', conversation.last_seq,
    'unreadTotal', coalesce((select c.unread_messages from public.user_counters c
                             where c.user_id = other_user_id), 0)));
  return true;
end
$$;

-- Marks the caller's thread with a user as read. Returns whether anything changed.
create function private.mark_conversation_read(other_user_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return false; end if;
  return private.mark_conversation_read_for((select auth.uid()), other_user_id);
end
$$;

-- Marks all of the caller's threads as read. Returns how many changed. Locks all conversations, in the order of their
-- ids, before the first counter changes: a message being sent holds its conversation and then waits for the counter,
-- so the other order could deadlock.
create function private.mark_all_conversations_read() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  partner_ids uuid[];
  other_user_id uuid;
  changed_count integer := 0;
begin
  if not private.is_session_active() then return 0; end if;
  with locked as materialized (
    select c.id, case when c.user_low = uid then c.user_high else c.user_low end as partner_id
    from public.conversations c
    where c.id in (select m.conversation_id from public.conversation_members m
                   where m.user_id = uid and m.unread_count > 0)
    order by c.id
    for update
  )
  select array_agg(l.partner_id) into partner_ids from locked l;
  foreach other_user_id in array coalesce(partner_ids, '{}') loop
    if private.mark_conversation_read_for(uid, other_user_id) then changed_count := changed_count + 1; end if;
  end loop;
  return changed_count;
end
$$;

-- Changing messages ------------------------------------------------------------------------------------------------
-- The API also calls the `require_can_…` functions before it validates a request, so that a user who may not change a
-- message gets that error even if the request is invalid.

-- Returns a message that the caller sent or received. Raises an error if there is none.
create function private.require_message(message_id uuid) returns public.messages
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if private.is_session_active() then
    select * into message from public.messages m where m.id = message_id and uid in (m.sender_id, m.receiver_id);
  end if;
  if message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  return message;
end
$$;

-- Returns a message that the caller sent or received, and locks its conversation until the transaction ends, so that
-- changes become visible in the order of their numbers.
create function private.lock_message_for_change(message_id uuid) returns public.messages
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if not private.is_session_active() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  perform from public.conversations c
  where c.id = (select m.conversation_id from public.messages m
                where m.id = message_id and uid in (m.sender_id, m.receiver_id))
  for no key update;
  if not found then raise exception 'Message not found' using errcode = 'PT404'; end if;
  select * into message from public.messages m where m.id = message_id;
  return message;
end
$$;

-- Sends a changed message to both users' open pages.
create function private.broadcast_message_change(changed public.messages, event text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_read boolean := coalesce((
    select changed.seq <= r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.partner_id = changed.sender_id), false);
  message jsonb := private.message_json(changed, is_read);
begin
  perform private.broadcast_to_user(changed.receiver_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  -- Within a block, neither user learns when the other is online.
  if is_read and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.broadcast_to_user(changed.sender_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$$;

-- Raises an error unless the caller may edit a message: their own, not deleted, sent within the last 15 minutes, to a
-- user whom they may still message.
create function private.require_can_edit_message(message_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message_id);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'You can only edit your own messages.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if old.created_at < clock_timestamp() - interval '15 minutes' then
    raise exception 'You can edit a message for 15 minutes after sending it.'
      using errcode = 'PT403', detail = 'edit_window_over';
  end if;
  perform private.require_can_message(old.receiver_id);
end
$$;

-- Changes the text of one of the caller's messages. The same text has no effect.
create function private.edit_message(message_id uuid, new_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.lock_message_for_change(message_id);
  changed public.messages;
begin
  perform private.require_can_edit_message(message_id);
  if old.media_width is null and private.is_blank(new_content) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- Not left to the check constraint: its violation would repeat the text.
  if char_length(new_content) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
  if new_content = old.content then return; end if;
  perform private.enforce_rate_limit('message changes', auth.uid(), 120, '1 minute');
  update public.messages m
  set content = new_content, edited_at = clock_timestamp(),
      version = private.next_message_version(old.conversation_id)
  where m.id = message_id
  returning * into changed;
  perform private.broadcast_message_change(changed, 'message.changed');
end
$$;

-- Raises an error unless the caller may react to a message.
create function private.require_can_react(message_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message_id);
begin
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  perform private.require_can_message(
    case when old.sender_id = auth.uid() then old.receiver_id else old.sender_id end);
end
$$;

-- Account deletion -------------------------------------------------------------------------------------------------
-- Locks the conversations of a user, and the posts that they wrote, liked or commented on, in the order of their ids.
-- The first step of private.lock_account_dependents.
create function private.lock_user_conversations_and_posts(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = target_user_id)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = target_user_id
                 union select l.post_id from public.likes l where l.user_id = target_user_id
                 union select c.post_id from public.comments c where c.author_id = target_user_id)
  order by p.id for update;
end
$$;

-- Locks the counters of several users in the order of their ids. Marking notifications as read locks the counters
-- before the notifications, so other changes have to use the same order: the reverse order could
-- deadlock.
create function private.lock_user_counters(user_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.user_counters c where c.user_id = any (user_ids) order by c.user_id for update;
end
$$;

-- Removes everything of a message but its place and number, for both users. The caller has locked its conversation.
create function private.redact_message(old public.messages) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  changed public.messages;
begin
  update public.messages m
  set content = '', deleted_at = clock_timestamp(), edited_at = null, reply_to_id = null, media_id = null,
      media_width = null, media_height = null, placeholder = null, reactions = '[]',
      version = private.next_message_version(old.conversation_id)
  where m.id = old.id
  returning * into changed;
  -- No email is sent about a deleted message.
  update public.conversation_members r set unread_since = (
    select m.created_at from public.messages m
    where m.conversation_id = r.conversation_id and m.seq > r.last_read_seq and m.receiver_id = r.user_id
      and m.deleted_at is null
    order by m.seq limit 1)
  where r.user_id = old.receiver_id and r.partner_id = old.sender_id and r.unread_count > 0
    and r.last_read_seq < old.seq;
  -- Counters are locked before notifications change: see private.lock_user_counters.
  perform private.lock_user_counters(array[old.sender_id, old.receiver_id]);
  delete from public.notifications n where n.message_id = old.id;
  perform private.broadcast_message_change(changed, 'message.changed');
end
$$;

-- Deletes one of the caller's messages for both users, even if the caller may no longer message the receiver. Keeps
-- an image that an open moderation case needs.
create function private.delete_message(message_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.lock_message_for_change(message_id);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'You can only delete your own messages.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then return; end if;
  perform private.enforce_rate_limit('message changes', auth.uid(), 120, '1 minute');
  perform private.redact_message(old);
  if private.is_media_in_open_case(old.media_id) then return; end if;
  delete from public.media m where m.id = old.media_id;
end
$$;

-- Creating and withdrawing notifications ---------------------------------------------------------------------------
-- Returns whether a user has notifications of a kind turned on. Kinds without a setting are always delivered: they
-- need a response or the user's attention.
create function private.notification_enabled(recipient_id uuid, notification_kind text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  settings public.user_settings;
begin
  select s.* into settings from public.user_settings s where s.user_id = recipient_id;
  return coalesce(case notification_kind
    when 'follow' then settings.new_followers
    when 'comment' then settings.new_comments
    when 'reply' then settings.new_comments
    when 'like' then settings.new_likes
    when 'reaction' then settings.new_likes
    when 'subscription' then settings.subscription_updates
    when 'unlock' then settings.payment_alerts
    when 'tip' then settings.payment_alerts
    when 'sign_in' then settings.login_alerts
    else true end, true);
end
$$;

-- Deletes an unread notification whose cause no longer exists (an unlike, a cancelled follow request).
create function private.withdraw_notification(
  recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid default null,
  target_message_id uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Counters are locked before notifications: see private.lock_user_counters.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  delete from public.notifications n
  where n.user_id = recipient_id and n.actor_id = actor_user_id and n.kind = notification_kind
    and n.post_id is not distinct from target_post_id and n.message_id is not distinct from target_message_id
    and n.read_at is null;
  -- Counts only what the actor took back themselves, not a follow request that the recipient answered.
  if not found or actor_user_id is distinct from auth.uid() then return; end if;
  insert into private.notification_withdrawals as w (user_id, actor_id, kind, about)
  values (recipient_id, actor_user_id, notification_kind,
          coalesce(target_post_id, target_message_id, '00000000-0000-0000-0000-000000000000'))
  on conflict (user_id, actor_id, kind, about) do update
    set times = case when w.since > now() - interval '1 day' then w.times + 1 else 1 end,
        since = case when w.since > now() - interval '1 day' then w.since else now() end;
end
$$;

-- Counting unread notifications ------------------------------------------------------------------------------------
-- Counts a user's unread notifications up to 100 and stores the count. A group counts once, unless the user turned
-- grouping off. Returns null if the account is being deleted.
create function private.count_unread_notifications(recipient_id uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_grouped boolean;
  total integer;
begin
  -- Transactions that change this user's notifications count one after the other, and each sees what the previous one
  -- committed.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  if not found then return null; end if;
  select s.group_notifications into is_grouped from public.user_settings s where s.user_id = recipient_id;
  -- Two queries rather than one with a condition, so that counting groups does not read all rows of a large group.
  if coalesce(is_grouped, true) then
    select count(*) into total from (
      select from public.notifications n
      where n.user_id = recipient_id and n.read_at is null and n.is_head limit 100) unread;
  else
    select count(*) into total from (
      select from public.notifications n where n.user_id = recipient_id and n.read_at is null limit 100) unread;
  end if;
  update public.user_counters c set unread_notifications = total
  where c.user_id = recipient_id and c.unread_notifications <> total;
  return total;
end
$$;

-- Notifies a user of what an actor did, unless the two are in a block or the user turned such notifications off. The
-- actor is null if no particular user did it. Does nothing if the recipient's account has been deleted:
-- otherwise the foreign key would fail the whole transaction, for example a comment that mentions the recipient.
create function private.create_notification(
  recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid default null,
  target_comment_id uuid default null, target_message_id uuid default null, detail text default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  new_id uuid := gen_random_uuid();
  is_known_actor boolean := false;
  nil_id constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if recipient_id = actor_user_id or private.are_blocked(recipient_id, actor_user_id)
     or not private.notification_enabled(recipient_id, notification_kind) then
    return;
  end if;
  -- Simultaneous notifications join a group one after the other.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  -- A block or an account deletion may have been committed while this waited for the lock.
  if not found or private.are_blocked(recipient_id, actor_user_id) then return; end if;
  if exists (select from private.notification_withdrawals w
             where w.user_id = recipient_id and w.actor_id = actor_user_id and w.kind = notification_kind
               and w.about = coalesce(target_post_id, target_message_id, nil_id) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    -- The literal has to match the expression of notifications_unread_heads_idx.
    select * into head from public.notifications n
    where n.user_id = recipient_id and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(target_post_id, '00000000-0000-0000-0000-000000000000')
      and n.read_at is null and n.is_head and n.created_at > now() - interval '7 days'
    order by n.created_at desc limit 1;
    is_known_actor := head.id is not null and exists (
      select from public.notifications n where n.group_id = head.group_id and n.actor_id = actor_user_id);
  end if;
  insert into public.notifications
    (id, user_id, actor_id, kind, post_id, comment_id, message_id, detail, group_id, people)
  values (new_id, recipient_id, actor_user_id, notification_kind, target_post_id, target_comment_id,
          target_message_id, left(create_notification.detail, 500), coalesce(head.group_id, new_id),
          coalesce(head.people, 0) + case when is_known_actor then 0 else 1 end)
  on conflict do nothing;
  if not found then return; end if;
  update public.notifications n set is_head = false, people = 1 where n.id = head.id;
  perform private.broadcast_to_user(recipient_id, 'notification.created', jsonb_build_object(
    'notificationId', new_id, 'kind', notification_kind,
    'unreadTotal', private.count_unread_notifications(recipient_id)));
end
$$;

-- Updates both members' rows and counters and sends the message to both users' open pages. Tries an update before an
-- insert: once both have member rows, an update is cheaper than an insert that conflicts.
create function private.on_message_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  message jsonb := private.message_json(new, false);
  sender_unread_count integer;
  receiver_unread_count integer;
  sender_unread_total integer;
  receiver_unread_total integer;
begin
  update public.conversation_members m
  set last_message_id = new.id, last_message_at = new.created_at
  where m.user_id = new.sender_id and m.partner_id = new.receiver_id and m.has_written
  returning m.unread_count into sender_unread_count;
  if not found then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast here: see private.can_broadcast_to_conversation.
    perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                          private.conversation_topic(new.sender_id, new.receiver_id), true);
  end if;

  update public.conversation_members m
  set last_message_id = new.id, last_message_at = new.created_at,
      unread_count = m.unread_count + 1, unread_since = coalesce(m.unread_since, new.created_at)
  where m.user_id = new.receiver_id and m.partner_id = new.sender_id
  returning m.unread_count into receiver_unread_count;
  if not found then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, unread_count, unread_since)
    values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1, new.created_at)
    returning m.unread_count into receiver_unread_count;
  end if;

  if new.seq = 1 then
    perform private.create_notification(new.receiver_id, new.sender_id, 'message', target_message_id => new.id);
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages,
            (select s.unread_messages from public.user_counters s where s.user_id = new.sender_id)
  into receiver_unread_total, sender_unread_total;
  -- Does what private.broadcast_to_user does, in one statement for both users, the receiver first.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true);
  return null;
end
$$;

-- Adds the caller's reaction to a message, or removes it. Returns all reactions to the message.
create function private.toggle_reaction(message_id uuid, emoji text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old public.messages := private.lock_message_for_change(message_id);
  changed public.messages;
  own_reaction jsonb := jsonb_build_object('emoji', emoji, 'userId', uid);
  is_adding boolean := not old.reactions @> jsonb_build_array(own_reaction);
begin
  if emoji is null or emoji <> all ('{👍,❤️,😂,😮,😢,😡,👏,🔥}') then
    raise exception 'Please choose one of the offered reactions.' using errcode = 'PT400';
  end if;
  perform private.require_can_react(message_id);
  perform private.enforce_rate_limit('message changes', uid, 120, '1 minute');
  update public.messages m
  set version = private.next_message_version(old.conversation_id),
      reactions = case when is_adding then old.reactions || own_reaction else
        (select coalesce(jsonb_agg(r.reaction order by r.ordinal), '[]')
         from jsonb_array_elements(old.reactions) with ordinality as r(reaction, ordinal)
         where r.reaction <> own_reaction) end
  where m.id = message_id
  returning * into changed;
  if old.sender_id <> uid then
    -- Counters are locked before notifications change: see private.lock_user_counters.
    perform from public.user_counters c where c.user_id = old.sender_id for update;
    if is_adding then
      perform private.create_notification(old.sender_id, uid, 'reaction', target_message_id => message_id);
    elsif not changed.reactions @> jsonb_build_array(jsonb_build_object('userId', uid)) then
      perform private.withdraw_notification(old.sender_id, uid, 'reaction', target_message_id => message_id);
    end if;
  end if;
  perform private.broadcast_message_change(changed, 'reaction.changed');
  return changed.reactions;
end
$$;

-- Counts a user's unread notifications after some were read or deleted, and sends the count to their open pages.
create function private.refresh_notification_count(recipient_id uuid, notification_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  total integer := private.count_unread_notifications(recipient_id);
begin
  -- The account itself is being deleted, and its notifications with it.
  if total is null then return; end if;
  perform private.broadcast_to_user(recipient_id, 'notification.read', jsonb_build_object(
    'notificationId', case when cardinality(notification_ids) = 1 then notification_ids[1] end,
    'unreadTotal', total));
end
$$;

-- Recounts for every user who has notifications that were just read.
create function private.on_notifications_read() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipient_id uuid;
  read_ids uuid[];
begin
  -- A read notification never becomes unread again, so equal counts mean that only other columns changed.
  if (select count(*) from before b where b.read_at is null)
     = (select count(*) from after a where a.read_at is null) then
    return null;
  end if;
  -- EXECUTE plans the query each time: a plan cached for a single row would be extremely slow for thousands.
  for recipient_id, read_ids in execute
    'select b.user_id, array_agg(b.id) from before b join after a on a.id = b.id
     where b.read_at is null and a.read_at is not null group by 1 order by 1'
  loop
    perform private.refresh_notification_count(recipient_id, read_ids);
  end loop;
  return null;
end
$$;

-- Gives a group that lost some of its notifications a head and the right number of actors. `lost_head_people` is that
-- number as the deleted head had it, or null if the head is still there. A new head is unread if possible.
create function private.repair_notification_group(
  damaged_group_id uuid, lost_actor_ids uuid[], lost_head_people integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  lost_actor_id uuid;
  gone_count integer := 0;
begin
  if lost_head_people is null then
    select * into head from public.notifications n
    where n.group_id = damaged_group_id and n.is_head order by n.created_at desc, n.id desc limit 1;
  else
    select * into head from public.notifications n
    where n.group_id = damaged_group_id and n.read_at is null order by n.created_at desc, n.id desc limit 1;
    if not found then
      select * into head from public.notifications n
      where n.group_id = damaged_group_id order by n.created_at desc, n.id desc limit 1;
    end if;
  end if;
  if head.id is null then return; end if;
  foreach lost_actor_id in array lost_actor_ids loop
    if not exists (select from public.notifications n
                   where n.group_id = damaged_group_id and n.actor_id = lost_actor_id) then
      gone_count := gone_count + 1;
    end if;
  end loop;
  update public.notifications n
  set is_head = true, people = greatest(1, coalesce(lost_head_people, head.people) - gone_count)
  where n.id = head.id;
end
$$;

-- Repairs the groups that lost notifications, and recounts for every user who lost unread ones.
create function private.on_notifications_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recipient_id uuid;
  unread_ids uuid[];
  lost record;
begin
  perform private.lock_user_counters(array(select distinct b.user_id from before b));
  for lost in
    select b.group_id, array_agg(distinct b.actor_id) as actors, max(b.people) filter (where b.is_head) as people
    from before b group by 1
  loop
    perform private.repair_notification_group(lost.group_id, lost.actors, lost.people);
  end loop;
  for recipient_id, unread_ids in
    select b.user_id, array_agg(b.id) from before b where b.read_at is null group by 1 order by 1
  loop
    perform private.refresh_notification_count(recipient_id, unread_ids);
  end loop;
  return null;
end
$$;

-- Reading notifications --------------------------------------------------------------------------------------------
-- Marks one of the caller's notifications as read, with its whole group unless the caller turned grouping off.
-- Returns false if the caller has no such notification.
create function private.mark_notification_read(notification_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  notification public.notifications;
begin
  if not private.is_session_active() then return false; end if;
  select * into notification from public.notifications n where n.id = notification_id and n.user_id = uid;
  if not found then return false; end if;
  perform from public.user_counters c where c.user_id = uid for update;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = uid and n.read_at is null
    and (n.id = notification_id or (n.group_id = notification.group_id and exists (
      select from public.user_settings s where s.user_id = uid and s.group_notifications)));
  return true;
end
$$;

-- Marks all of the caller's notifications as read.
create function private.mark_all_notifications_read() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return; end if;
  perform from public.user_counters c where c.user_id = auth.uid() for update;
  update public.notifications n set read_at = clock_timestamp() where n.user_id = auth.uid() and n.read_at is null;
end
$$;

-- Returns whether the caller may join a topic as one of the two users of a conversation.
create function private.can_join_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid text := auth.uid()::text;
  parts text[] := string_to_array(topic, ':');
  other_user_id text;
begin
  if uid is null or array_length(parts, 1) <> 3 or parts[1] <> 'conversation' or parts[2] >= parts[3] then
    return false;
  end if;
  if parts[2] = uid then
    other_user_id := parts[3];
  elsif parts[3] = uid then
    other_user_id := parts[2];
  else
    return false;
  end if;
  if other_user_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  return private.message_refusal(other_user_id::uuid) is null;
end
$$;

-- Returns whether the caller may read a topic.
create function private.can_read_topic(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return topic = 'user:' || auth.uid()::text or private.can_join_conversation(topic);
end
$$;

-- Returns whether the caller may broadcast (presence, typing) on a topic: only in a conversation in which they have
-- sent a message themselves.
create function private.can_broadcast_to_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  other_user_id uuid;
begin
  if not coalesce(private.can_join_conversation(topic), false) then return false; end if;
  other_user_id := case when split_part(topic, ':', 2) = uid::text then split_part(topic, ':', 3)
                        else split_part(topic, ':', 2) end;
  return exists (select from public.conversation_members m
                 where m.user_id = uid and m.partner_id = other_user_id and m.has_written);
end
$$;

-- Makes Realtime check the topics of a user's latest conversations again when the account becomes read-only or stops
-- being so, since a read-only account may not message anybody. private.on_profile_changed does the same when a user
-- turns direct messages on or off.
create function private.on_account_restricted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
  from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = new.user_id
        order by m.last_message_at desc limit 200) m;
  return null;
end
$$;

-- Delivers a paid tip: notifies the creator. Returns false when payer or creator no longer exists or they are in a
-- block.
create function private.settle_tip(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The payee's counters are locked before their profile: deleting an account locks in this order.
  perform private.lock_user_counters(array[payment.payee_id]);
  if private.are_blocked(payment.payer_id, payment.payee_id)
     or not exists (select from public.profiles p where p.id = payment.payer_id for key share)
     or not exists (select from public.profiles p where p.id = payment.payee_id for key share) then
    return false;
  end if;
  perform private.create_notification(payment.payee_id, payment.payer_id, 'tip',
    (select p.id from public.posts p where p.id = payment.about_post_id),
    detail => '$' || to_char(payment.amount_cents / 100.0, 'FM999990.00') || coalesce(': ' || payment.note, ''));
  return true;
end
$$;

-- Checkout pages of the provider ------------------------------------------------------------------------------

-- Returns what is needed to open a checkout page for a payment; null when the payment is not pending.
create function private.pending_charge(payment_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'amountCents', p.amount_cents, 'reference', p.provider_reference,
    'payerId', p.payer_id, 'payerEmail', a.email, 'postId', coalesce(p.post_id, p.about_post_id),
    'subscriptionId', p.subscription_id, 'planId', p.plan_id,
    'payee', (select r.username from public.profiles r where r.id = p.payee_id),
    'customer', (select c.reference from private.payment_customers c
                 where c.provider = p.provider and c.user_id = p.payer_id))
  from public.payments p left join public.accounts a on a.user_id = p.payer_id
  where p.id = payment_id and p.state = 'pending'
$$;

-- Returns customers whose account was deleted. The provider deletes them, then private.delete_payment_customer does.
create function private.deleted_payment_customers(max_rows integer) returns table (provider text, reference text)
language sql stable security definer set search_path = ''
as $$
  select c.provider, c.reference from private.payment_customers c
  where not exists (select from public.profiles p where p.id = c.user_id) limit max_rows
$$;

-- Subscriptions and plans that the provider renews ------------------------------------------------------------
-- These functions take the id of a subscription or of a Creator Pro plan, or the provider's id of either.

-- Locks a subscription or plan before several steps in one transaction. With `is_ending` it also locks the creator's
-- profile_counts: a month that is settled before the end locks the creator's balance, which comes after the counts.
create function private.lock_provider_subscription(subscription_or_plan_id uuid, is_ending boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
begin
  select * into subscription from public.subscriptions s where s.id = subscription_or_plan_id;
  if not found then
    perform private.lock_creator_plan(s.user_id) from public.creator_plans s where s.id = subscription_or_plan_id;
    perform from public.creator_plans s where s.id = subscription_or_plan_id for update;
    return;
  end if;
  perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
  perform from public.subscriptions s where s.id = subscription_or_plan_id for update;
  if is_ending then
    perform from public.profile_counts c where c.user_id = subscription.creator_id for no key update;
  end if;
end
$$;

-- Returns details of one of the caller's sales: the payer (null when they are blocked or their account is deleted),
-- whether the payer's account is deleted, the note of a tip, and the post.
create function private.own_sale(payment_id uuid)
returns table (payer_id uuid, payer_gone boolean, note text, post_id uuid)
language sql stable rows 1 security definer set search_path = ''
as $$
  select case when not private.are_blocked(p.payer_id, p.payee_id) then u.id end, u.id is null, p.note,
         coalesce(p.post_id, p.about_post_id)
  from public.payments p left join public.profiles u on u.id = p.payer_id
  where p.id = payment_id and p.payee_id = auth.uid() and p.state in ('paid', 'refunded')
$$;

-- Settling ----------------------------------------------------------------------------------------------------

-- Delivers a paid month: activates or extends the subscription. Returns false when it cannot: the subscription has
-- ended, a profile no longer exists, or the two users are in a block. The caller holds the subscription's lock.
create function private.settle_subscription(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
  new_start timestamptz;
  new_periods integer;
begin
  select * into subscription from public.subscriptions s where s.id = payment.subscription_id;
  if subscription.state = 'ended' or private.are_blocked(payment.payer_id, payment.payee_id)
     or not exists (select from public.profiles p where p.id = payment.payer_id for key share)
     or not exists (select from public.profiles p where p.id = payment.payee_id for key share) then
    return false;
  end if;
  new_start := coalesce(subscription.started_at, clock_timestamp());
  new_periods := subscription.periods + 1;
  -- After the grace period the count starts over: nobody pays for time in which the subscription gave no access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  end if;
  -- A first month starts when it is paid, not when its payment was begun.
  if new_periods = 1 then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      period_end = new_start + new_periods * interval '1 month'
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
end
$$;

-- Effects on other tables -------------------------------------------------------------------------------------

-- Keeps the creator's subscriber count, voids the pending payment of an ended subscription, and notifies the
-- subscriber's open pages.
create function private.on_subscription_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  active_before integer := case when tg_op = 'UPDATE' and old.state = 'active' then 1 else 0 end;
  active_now integer := case when new.state = 'active' then 1 else 0 end;
begin
  if active_now <> active_before then
    -- The creator's profile may be deleted while its counts still exist: one statement can delete both users. Then
    -- the counts must not be updated.
    update public.profile_counts c set subscribers = greatest(0, c.subscribers + active_now - active_before)
    where c.user_id = new.creator_id and exists (select from public.profiles p where p.id = new.creator_id);
  end if;
  if new.state = 'ended' then
    update public.payments p set state = 'void', settled_at = clock_timestamp()
    where p.subscription_id = new.id and p.state = 'pending';
  end if;
  -- What the subscriber may read has changed, if their account still exists.
  perform private.broadcast_to_user(p.id, 'profile.changed', jsonb_build_object('userId', new.creator_id))
  from public.profiles p where p.id = new.subscriber_id;
  return null;
end
$$;

-- Ends a plan now and voids its pending payment. Where creators pay, the end of a paid plan also switches the creator
-- account off and notifies the user; the content stays.
create function private.end_creator_plan(plan_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  plan public.creator_plans;
begin
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = end_creator_plan.plan_id and s.state <> 'ended' returning * into plan;
  if not found then return; end if;
  update public.payments p set state = 'void', settled_at = clock_timestamp()
  where p.plan_id = plan.id and p.state = 'pending';
  if plan.periods = 0 or not private.is_setting_enabled('creator_pro_billing') then return; end if;
  perform private.create_notification(plan.user_id, null, 'creator_pro', detail => 'lapsed');
  update public.profiles p set is_creator = false where p.id = plan.user_id and p.is_creator;
end
$$;

-- Applies the state of a subscription or plan at the provider: 'active', 'cancelled' (ends with its period) or
-- 'ended'.
create function private.apply_provider_status(subscription_reference text, new_status text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
  plan public.creator_plans;
begin
  select * into subscription from public.subscriptions s where s.provider_reference = subscription_reference;
  if found then
    perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
    update public.subscriptions s set provider_state = new_status where s.id = subscription.id;
    if new_status = 'ended' then
      perform private.end_subscription(subscription.id);
    else
      update public.subscriptions s
      set cancelled_at = case when new_status = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
      where s.id = subscription.id and s.state = 'active'
        and (s.cancelled_at is null) = (new_status = 'cancelled');
    end if;
    return;
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription_reference;
  if not found then return; end if;
  perform private.lock_creator_plan(plan.user_id);
  update public.creator_plans s set provider_state = new_status where s.id = plan.id;
  if new_status = 'ended' then
    perform private.end_creator_plan(plan.id);
  else
    update public.creator_plans s
    set cancelled_at = case when new_status = 'cancelled' then coalesce(s.cancelled_at, clock_timestamp()) end
    where s.id = plan.id and s.state = 'active' and (s.cancelled_at is null) = (new_status = 'cancelled');
  end if;
end
$$;

-- Beginning and cancelling ------------------------------------------------------------------------------------

-- Begins the caller's plan and returns the id of the payment to settle. A repeated call returns the same payment.
-- Returns null when there is nothing to pay because the caller has Creator Pro already; a cancelled plan is then
-- resumed.
create function private.begin_creator_plan(payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  plan public.creator_plans;
  payment_id uuid;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('subscriptions', uid, 30, '1 minute');
  perform private.lock_creator_plan(uid);
  select * into plan from public.creator_plans s where s.user_id = uid and s.state <> 'ended' for update;
  if plan.state = 'active' and not private.has_creator_plan(uid) then
    -- Its time is over, but the renewals job has not ended it yet.
    perform private.end_creator_plan(plan.id);
    plan := null;
  end if;
  if plan.state = 'active' then
    update public.creator_plans s set cancelled_at = null where s.id = plan.id and s.cancelled_at is not null;
    return null;
  end if;
  if not private.is_setting_enabled('creator_pro_billing') then
    raise exception 'Creator accounts are free here. Switch yours on in Settings.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  if plan.id is null then
    insert into public.creator_plans (user_id, price_cents) values (uid, private.creator_pro_price_cents())
    returning * into plan;
    -- Detects a concurrent account deletion, as in private.begin_subscription.
    perform from public.profiles p where p.id = uid for key share;
    if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.plan_id = plan.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
    values ('creator_pro', uid, plan.id, clock_timestamp(), plan.price_cents, 0, payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
end
$$;

-- Cancels the caller's plan: it ends with its period, or now if it is unpaid or its period is over. Restricted
-- accounts may cancel too.
create function private.cancel_creator_plan() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  plan public.creator_plans;
begin
  perform private.require_session();
  perform private.lock_creator_plan(auth.uid());
  select * into plan from public.creator_plans s where s.user_id = auth.uid() and s.state <> 'ended' for update;
  if not found then raise exception 'You don''t have Creator Pro.' using errcode = 'PT404'; end if;
  if plan.state = 'pending' or plan.period_end <= clock_timestamp() then
    perform private.end_creator_plan(plan.id);
  else
    update public.creator_plans s set cancelled_at = clock_timestamp() where s.id = plan.id and s.cancelled_at is null;
  end if;
end
$$;

-- Settling ----------------------------------------------------------------------------------------------------

-- Delivers a paid month: activates or extends the plan, and switches the creator account on with the first month.
-- Returns false when it cannot: the plan has ended or the account no longer exists. The caller holds the lock.
create function private.settle_creator_plan(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  plan public.creator_plans;
  new_start timestamptz;
  new_periods integer;
begin
  select * into plan from public.creator_plans s where s.id = payment.plan_id;
  if plan.state = 'ended' or not exists (select from public.profiles p where p.id = payment.payer_id for key share) then
    return false;
  end if;
  new_start := coalesce(plan.started_at, clock_timestamp());
  new_periods := plan.periods + 1;
  -- As in private.settle_subscription, time after the grace period is not paid for.
  if plan.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  end if;
  if new_periods = 1 then update public.payments p set period_start = new_start where p.id = payment.id; end if;
  update public.creator_plans s
  set state = 'active', started_at = new_start, periods = new_periods,
      period_end = new_start + new_periods * interval '1 month'
  where s.id = plan.id;
  if plan.state = 'pending' then
    update public.profiles p set is_creator = true where p.id = payment.payer_id and not p.is_creator;
  end if;
  return true;
end
$$;

-- Renewing ----------------------------------------------------------------------------------------------------

-- Returns whether a plan may renew: creators pay here and the account exists.
create function private.can_renew_plan(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_setting_enabled('creator_pro_billing')
    and exists (select from public.profiles p where p.id = target_user_id);
end
$$;

-- Cancels plans that the provider would renew within a day but that may no longer renew, as
-- private.cancel_unrenewable_subscriptions does for subscriptions.
create function private.cancel_unrenewable_plans(max_rows integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.creator_plans s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.creator_plans d
    where d.state = 'active' and d.period_end < clock_timestamp() + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_plan(d.user_id)
    order by d.period_end limit max_rows for update skip locked);
end
$$;

-- Effects on other tables -------------------------------------------------------------------------------------

-- Notifies the user's open pages.
create function private.on_creator_plan_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(p.id, 'profile.changed', jsonb_build_object('userId', p.id))
  from public.profiles p where p.id = new.user_id;
  return null;
end
$$;

-- Returns whether a given user, not the caller, can view a profile: the rule of private.viewable_profiles, except
-- that it does not exempt admins.
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

-- Renewing ----------------------------------------------------------------------------------------------------

-- Returns whether a subscription may renew: the creator is still one and not restricted, and the subscriber exists
-- and may view their profile.
create function private.can_renew_subscription(subscriber_id uuid, creator_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p join public.accounts a on a.user_id = p.id
                 where p.id = creator_id and p.is_creator and a.read_only_reason is null)
    and exists (select from public.profiles p where p.id = subscriber_id)
    and private.can_user_view_profile(subscriber_id, creator_id);
end
$$;

-- Returns false for a month paid at Stripe that may no longer be sold, so that it is refunded, and ends the pending
-- subscription or plan that the month would have started. Active ones are cancelled by
-- private.cancel_unrenewable_subscriptions and private.cancel_unrenewable_plans.
create function private.ensure_period_sellable(payment public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if payment.provider <> 'stripe'
     or (payment.kind = 'subscription' and private.can_renew_subscription(payment.payer_id, payment.payee_id))
     or (payment.kind = 'creator_pro' and private.can_renew_plan(payment.payer_id))
     or payment.kind not in ('subscription', 'creator_pro') then
    return true;
  end if;
  perform private.end_subscription(s.id) from public.subscriptions s
  where s.id = payment.subscription_id and s.state = 'pending';
  perform private.end_creator_plan(s.id) from public.creator_plans s
  where s.id = payment.plan_id and s.state = 'pending';
  return false;
end
$$;

-- Cancels subscriptions that the provider would renew within a day but that may no longer renew. The provider learns
-- of it (private.unsynced_subscriptions) before it charges again.
create function private.cancel_unrenewable_subscriptions(max_rows integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.subscriptions s set cancelled_at = clock_timestamp() where s.id in (
    select d.id from public.subscriptions d
    where d.state = 'active' and d.period_end < clock_timestamp() + interval '1 day' and d.provider_reference is not null
      and d.cancelled_at is null and not private.can_renew_subscription(d.subscriber_id, d.creator_id)
    order by d.period_end limit max_rows for update skip locked);
end
$$;

-- Returns why a user cannot have a username: 'reserved', 'taken', or null if they can. `for_user_id` is null for a
-- new account. A lookalike of an existing username is refused only if that belongs to somebody worth impersonating:
-- unrelated names often share a skeleton.
create function private.username_problem(name text, for_user_id uuid default null) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  skeleton text := private.name_skeleton(name);
  -- `admin1` and `support24` are as misleading as the word alone.
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

-- Checks usernames and display names on every write.
-- - A trigger rather than a check constraint: rows with names from before a rule keep them and can still be updated.
-- - Concurrent requests for the same username conflict in its unique index. Concurrent requests for lookalikes may
--   both succeed: neither user is a creator yet, so there is nothing to lock.
create function private.check_names() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  username_changed boolean := tg_op = 'INSERT' or lower(new.username) is distinct from lower(old.username);
  problem text := case when username_changed then private.username_problem(new.username, new.id) end;
  display_name text;
begin
  -- Only operators make admins, who speak for the platform and may use its names.
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

-- Updating a profile ----------------------------------------------------------------------------------------------

-- Updates the given fields of a profile: columns of profiles (names), profile_details (bio), accounts (phone_number)
-- and profile_about. The calling function checks the permission.
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
  if changes ? 'bio' then
    update public.profile_details d set bio = changes ->> 'bio' where d.user_id = target_user_id;
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

-- Turns the caller's creator account on or off. Users have no update privilege on the column itself. The trigger
-- `limit_settings` limits how often.
create function private.set_own_creator_status(new_is_creator boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if new_is_creator and private.is_setting_enabled('creator_pro_billing') and not private.has_creator_plan(auth.uid())
     and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Creator accounts come with Creator Pro. Upgrade first.'
      using errcode = 'PT403', detail = 'creator_pro_required';
  end if;
  update public.profiles p set is_creator = new_is_creator
  where p.id = (select auth.uid()) and p.is_creator <> new_is_creator;
end
$$;

-- Updates the given fields of the caller's profile. `is_creator` turns the creator account on or off. A user with a
-- read-only account can still withdraw the consent to automatic posts.
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

-- Realtime updates ------------------------------------------------------------------------------------------------

-- Notifies the user's open pages that the profile changed. Turning direct messages on or off also changes who can use
-- the channels of the user's conversations: the 200 latest are re-authorized now, and an older one, if it is open at
-- all, when its token is next checked.
create function private.on_profile_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.id, 'profile.changed', jsonb_build_object('userId', new.id));
  if old.allow_direct_messages is distinct from new.allow_direct_messages then
    perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
    from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = new.id
          order by m.last_message_at desc limit 200) m;
  end if;
  return null;
end
$$;

create function private.on_user_settings_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  -- The unread count counts groups or single notifications.
  if old.group_notifications is distinct from new.group_notifications then
    perform private.refresh_notification_count(new.user_id, '{}');
  end if;
  return null;
end
$$;

-- Registers a file of the caller that is about to be stored. It is deleted after an hour unless a profile uses it by
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

-- The same for the caller. Accepts only a file that was stored for them and that no profile uses yet.
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

-- Records that the caller is online. Writes at most every 20 seconds, regardless of how many pages are open.
create function private.record_last_seen() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return; end if;
  if exists (select from private.last_seen s
             where s.user_id = auth.uid() and s.seen_at > now() - interval '20 seconds') then
    return;
  end if;
  insert into private.last_seen as s (user_id, seen_at) values (auth.uid(), now())
  on conflict (user_id) do update set seen_at = excluded.seen_at;
end
$$;

-- Returns whether a user is online and when they were last seen, if their settings allow it: {online, lastSeenAt}.
-- Only for a user who has written to the caller, so that messaging a user who never replies does not reveal it, and
-- not for users in a block with each other.
create function private.visible_presence(target_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  preferences public.user_settings;
  last_seen_at timestamptz;
  is_online boolean;
begin
  select s.* into preferences from public.user_settings s where s.user_id = target_user_id;
  if found and (preferences.show_online or preferences.show_last_seen)
     and exists (select from public.conversation_members m
                 where m.user_id = target_user_id and m.partner_id = uid and m.has_written)
     and not private.are_blocked(uid, target_user_id) then
    select s.seen_at into last_seen_at from private.last_seen s where s.user_id = target_user_id;
  end if;
  is_online := coalesce(last_seen_at > now() - interval '75 seconds', false);
  return jsonb_build_object(
    'online', is_online and preferences.show_online,
    'lastSeenAt', case
      when last_seen_at is null or not preferences.show_last_seen then null
      -- With the online status hidden, the time must not reveal it by being always now, by disappearing while the
      -- user is online, or by changing when they arrive: round it to the hour, and never return the current hour.
      when not preferences.show_online then least(date_trunc('hour', last_seen_at, 'UTC'),
                                                   date_trunc('hour', now(), 'UTC') - interval '1 hour')
      when not is_online then last_seen_at end);
end
$$;

-- Refuses a caller who is not a creator and has never earned anything. Former creators can still withdraw.
create function private.require_earner() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator)
     and not exists (select from public.creator_balances b where b.user_id = auth.uid()) then
    raise exception 'Earnings is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

-- Adds a payout method for the caller (`target_method_id` null) or changes one; null leaves a field unchanged. New
-- details restart the waiting period. The first method becomes the default. The client generates `new_method_id`, so
-- a repeated request does not add a second method. Returns whether this call added a method.
create function private.save_payout_method(
  target_method_id uuid, method_type text, method_name text, masked_details text, encrypted_details text,
  make_default boolean, new_method_id uuid default gen_random_uuid()
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  saved_id uuid;
  existing public.payout_methods;
begin
  perform private.require_write();
  perform private.require_earner();
  perform private.enforce_rate_limit('payout-methods', uid, 20, '1 hour');
  -- Serializes all changes to the methods of one user.
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  if target_method_id is null then
    select * into existing from public.payout_methods m where m.id = new_method_id;
    if found then
      if (existing.user_id, existing.type, existing.name, existing.masked)
         is distinct from (uid, method_type, method_name, masked_details) then
        raise exception 'This id is taken.' using errcode = 'PT409';
      end if;
      return false;
    end if;
    if (select count(*) from public.payout_methods m where m.user_id = uid) >= 5 then
      raise exception 'You can have at most 5 payout methods.' using errcode = 'PT409';
    end if;
    insert into public.payout_methods (id, user_id, type, name, masked)
    values (new_method_id, uid, method_type, method_name, masked_details) returning id into saved_id;
    insert into private.payout_method_details (method_id, secret) values (saved_id, encrypted_details);
    insert into public.payout_schedules (user_id) values (uid) on conflict do nothing;
  else
    update public.payout_methods m
    set name = coalesce(method_name, m.name), type = coalesce(method_type, m.type),
        masked = coalesce(masked_details, m.masked),
        changed_at = case when encrypted_details is null then m.changed_at else clock_timestamp() end
    where m.id = target_method_id and m.user_id = uid returning m.id into saved_id;
    if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
    update private.payout_method_details d set secret = encrypted_details
    where d.method_id = saved_id and encrypted_details is not null;
  end if;
  if make_default or not exists (select from public.payout_methods m where m.user_id = uid and m.is_default) then
    update public.payout_methods m set is_default = false where m.user_id = uid and m.is_default and m.id <> saved_id;
    update public.payout_methods m set is_default = true where m.id = saved_id and not m.is_default;
  end if;
  return target_method_id is null;
end
$$;

-- Deletes one of the caller's methods. If it was the default, the oldest remaining one becomes the default.
create function private.delete_payout_method(target_method_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_write();
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  delete from public.payout_methods m where m.id = target_method_id and m.user_id = uid;
  if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
  update public.payout_methods m set is_default = true
  where m.id = (select o.id from public.payout_methods o where o.user_id = uid order by o.created_at limit 1)
    and not exists (select from public.payout_methods o where o.user_id = uid and o.is_default);
end
$$;

-- Turns the caller's weekly payouts on or off.
create function private.set_payout_schedule(is_weekly boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), is_weekly)
  -- Turning it off and on again keeps a date in the future. A date that has passed becomes a week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly and s.next_at <= clock_timestamp() then excluded.next_at
                   else s.next_at end;
end
$$;

-- Inserts a payout and deducts its amount from the balance. The calling function has checked the amount and the
-- method, and holds the lock on the user's row in creator_balances.
create function private.create_payout(
  new_payout_id uuid, target_user_id uuid, payout_kind text, cents bigint, method public.payout_methods
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into public.payouts (id, user_id, kind, amount_cents, method_type, method_name, method_masked)
  values (new_payout_id, target_user_id, payout_kind, cents, method.type, method.name, method.masked);
  insert into private.payout_destinations (payout_id, secret)
  select new_payout_id, d.secret from private.payout_method_details d where d.method_id = method.id;
  perform private.book_transaction('payout', target_user_id, null, null, array[
    ('creator', target_user_id, 'payout', -cents)::private.ledger_line,
    ('payouts', null, 'payout', cents)::private.ledger_line], booked_payout_id => new_payout_id);
end
$$;

-- Requests an instant payout of `amount` US dollars, or of all that is available if it is null, to the given method
-- or the default one. The client generates `new_payout_id`. Returns false if that payout exists already.
create function private.request_payout(
  new_payout_id uuid, amount numeric default null, target_method_id uuid default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  existing public.payouts;
  method public.payout_methods;
  available_cents bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_write();
  perform private.require_earner();
  perform private.enforce_rate_limit('payouts', uid, 20, '1 hour');
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  -- Blocks every other change of the balance until this transaction ends.
  perform from public.creator_balances b where b.user_id = uid for update;
  select * into existing from public.payouts p where p.id = new_payout_id;
  if found then
    if existing.user_id <> uid or (cents is not null and existing.amount_cents <> cents) then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return false;
  end if;
  if amount <> round(amount, 2) then
    raise exception 'Please enter an amount in whole cents.' using errcode = 'PT400';
  end if;
  available_cents := private.balance_cents(uid) - private.pending_balance_cents(uid);
  cents := coalesce(cents, available_cents);
  if cents < private.minimum_payout_cents() then
    raise exception 'The minimum payout is $%.', to_char(private.minimum_payout_cents() / 100.0, 'FM999990.00')
      using errcode = 'PT400', detail = 'payout_minimum';
  end if;
  if cents > available_cents then
    raise exception 'You have $% available.', to_char(greatest(0, available_cents) / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_too_low';
  end if;
  select * into method from public.payout_methods m
  where m.user_id = uid and case when target_method_id is null then m.is_default else m.id = target_method_id end;
  if not found then
    raise exception 'Add a payout method first.' using errcode = 'PT409', detail = 'payout_method_missing';
  end if;
  if method.changed_at + private.payout_method_delay() > clock_timestamp() then
    raise exception 'This payout method was added or changed less than 5 days ago. It can be used from % UTC.',
        to_char((method.changed_at + private.payout_method_delay()) at time zone 'UTC', 'FMMonth FMDD, HH24:MI')
      using errcode = 'PT409', detail = 'payout_method_waiting';
  end if;
  perform private.create_payout(new_payout_id, uid, 'instant', cents, method);
  return true;
end
$$;

-- Creates the payouts that are due by schedule, for at most `max_rows` users. Returns how many it created.
--
-- A schedule that missed several weeks is run once. If the default method is still in its waiting period, the payout
-- moves to the end of that period, and the following weeks count from there.
create function private.create_scheduled_payouts(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due_schedule record;
  default_method public.payout_methods;
  usable_from timestamptz;
  available_cents bigint;
  created_count integer := 0;
begin
  for due_schedule in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= clock_timestamp()
    order by s.next_at limit max_rows for update skip locked
  loop
    -- The default method cannot change while it is being used.
    perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || due_schedule.user_id::text, 0));
    select * into default_method from public.payout_methods m
    where m.user_id = due_schedule.user_id and m.is_default;
    usable_from := default_method.changed_at + private.payout_method_delay();
    if usable_from > clock_timestamp() then
      update public.payout_schedules s set next_at = usable_from where s.user_id = due_schedule.user_id;
      continue;
    end if;
    update public.payout_schedules s
    set next_at = s.next_at
      + interval '7 days' * (1 + floor(extract(epoch from clock_timestamp() - s.next_at) / 604800))
    where s.user_id = due_schedule.user_id;
    perform from public.creator_balances b where b.user_id = due_schedule.user_id for update;
    available_cents := private.balance_cents(due_schedule.user_id)
      - private.pending_balance_cents(due_schedule.user_id);
    if default_method.id is null or available_cents < private.minimum_payout_cents()
       or exists (select from public.accounts a
                  where a.user_id = due_schedule.user_id and a.read_only_reason is not null)
    then continue; end if;
    perform private.create_payout(gen_random_uuid(), due_schedule.user_id, 'scheduled', available_cents,
                                  default_method);
    created_count := created_count + 1;
  end loop;
  return created_count;
end
$$;

-- Settlement ------------------------------------------------------------------------------------------------------

-- Settles a payout as 'paid' or 'failed', for admins. `note` is the bank's reference of a paid payout, and the reason
-- of a failed one, which is required. Repeating the same outcome has no effect; the opposite one is refused.
create function private.settle_payout(target_payout_id uuid, outcome text, note text default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  payout public.payouts;
  account_exists boolean;
begin
  perform private.require_admin();
  select * into payout from public.payouts p where p.id = target_payout_id;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  if payout.user_id = uid then
    raise exception 'Another admin has to settle your own payout.' using errcode = 'PT403';
  end if;
  -- The lock order of an account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  if outcome = 'failed' and coalesce(btrim(note), '') = '' then
    raise exception 'Please say why it failed.' using errcode = 'PT400';
  end if;
  -- Locked before anything references the profile. If a concurrent deletion commits first, the money goes to the
  -- platform.
  account_exists := exists (select from public.profiles p where p.id = payout.user_id for key share);
  perform private.create_notification(payout.user_id, null, 'payout',
    detail => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(payout.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(note) else '' end)
  where account_exists;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = uid,
      reference = case when outcome = 'paid' then nullif(btrim(note), '') end,
      failure = case when outcome = 'failed' then btrim(note) end,
      -- The name and the masked details are personal data, so they are not kept after the account.
      method_name = case when account_exists then p.method_name else p.method_type end,
      method_masked = case when account_exists then p.method_masked else '••••' end
  where p.id = target_payout_id;
  delete from private.payout_destinations t where t.payout_id = target_payout_id;
  if outcome = 'paid' then
    perform private.book_transaction('payout_paid', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('processor', null, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  elsif account_exists then
    perform private.book_transaction('payout_failed', payout.user_id, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('creator', payout.user_id, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  else
    perform private.book_transaction('payout_failed', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('platform', null, 'given_up', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  end if;
  perform private.write_audit_entry(uid, 'payout.' || outcome, payout.user_id, target_payout_id::text,
    jsonb_build_object('amount', payout.amount_cents / 100.0, 'said', nullif(btrim(note), '')));
end
$$;

-- Returns the encrypted details of a payout that is not settled yet, for admins. Every call is audited.
create function private.reveal_payout_details(target_payout_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payout public.payouts;
  encrypted_details text;
begin
  perform private.require_admin();
  select * into payout from public.payouts p where p.id = target_payout_id;
  if not found then raise exception 'Payout not found' using errcode = 'PT404'; end if;
  select t.secret into encrypted_details from private.payout_destinations t where t.payout_id = target_payout_id;
  if not found then
    raise exception 'This payout is settled. Its details were deleted.' using errcode = 'PT409';
  end if;
  perform private.write_audit_entry(auth.uid(), 'payout.reveal', payout.user_id, target_payout_id::text);
  return encrypted_details;
end
$$;

-- Sets the caller's goals. Revenue is in US dollars; null leaves a goal unchanged.
create function private.set_creator_goals(
  monthly_dollars numeric, yearly_dollars numeric, subscriber_goal integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.creator_goals (user_id) values (auth.uid()) on conflict do nothing;
  update public.creator_goals g
  set monthly_cents = coalesce((monthly_dollars * 100)::bigint, g.monthly_cents),
      yearly_cents = coalesce((yearly_dollars * 100)::bigint, g.yearly_cents),
      subscribers = coalesce(subscriber_goal, g.subscribers)
  where g.user_id = auth.uid();
end
$$;

-- Returns the caller's own audience.
create function private.own_audience() returns setof private.creator_audiences
language sql stable security definer set search_path = ''
as $$ select a.* from private.creator_audiences a where a.creator_id = auth.uid() and private.is_session_active() $$;

-- Access -------------------------------------------------------------------------------------------------------
-- Rejects a caller who asks for another user's analytics, admins included, or who is not a creator.
create function private.require_analytics_owner(creator uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_session();
  if creator is distinct from auth.uid() then
    raise exception 'You can only view your own analytics.' using errcode = 'PT403';
  end if;
  if not exists (select from public.profiles p where p.id = creator and p.is_creator) then
    raise exception 'Analytics is a Creator Pro exclusive feature.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

-- Prevents the deletion of creators until the end of the transaction.
create function private.lock_creators(creator_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profiles p where p.id = any(creator_ids) order by p.id for key share;
end
$$;

-- Adds up to `max_rows` new views to the counts, oldest hour first. Returns the number of views counted.
--
-- Must not share a transaction with private.roll_up_days: the deletion of an account would wait for the views locked
-- here while roll_up_days waits for the account.
create function private.roll_up_views(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  viewed_post_ids uuid[];
  view_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  create temporary table new_views on commit drop as
  select e.viewer_id, e.post_id, e.hour from private.post_views e where not e.counted order by e.hour limit max_rows;
  -- Lock the posts and authors until the counts are stored. If one of them is being deleted, wait, then leave it out.
  -- Posts and authors in the order of their ids, and both before the views: an account deletion locks posts first and
  -- deletes its views last.
  viewed_post_ids := array(select distinct n.post_id from pg_temp.new_views n);
  perform from public.posts p where p.id = any(viewed_post_ids) order by p.id for key share;
  perform private.lock_creators(array(
    select distinct p.author_id from public.posts p where p.id = any(viewed_post_ids)));
  -- Skip views that an account deletion has locked. From here on nothing waits for a lock.
  create temporary table counted_views on commit drop as
  with locked as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.new_views n join private.post_views e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  marked as (
    update private.post_views e set counted = true from locked l
    where e.viewer_id = l.viewer_id and e.post_id = l.post_id and e.hour = l.hour
    returning e.post_id, e.hour)
  select m.post_id, m.hour, count(*)::integer as views from marked m group by 1, 2;
  select coalesce(sum(v.views), 0) into view_count from pg_temp.counted_views v;
  -- Without posts and authors that were deleted.
  create temporary table author_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.views
  from pg_temp.counted_views v join public.posts p on p.id = v.post_id join public.profiles a on a.id = p.author_id;
  insert into public.post_days as d (post_id, author_id, day, views)
  select v.post_id, v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 3
  on conflict (post_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_days as d (creator_id, day, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, sum(v.views)
  from pg_temp.author_views v group by 1, 2 order by 1, 2
  on conflict (creator_id, day) do update set views = d.views + excluded.views;
  insert into public.creator_hours as d (creator_id, day, hour, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, extract(hour from v.hour at time zone 'UTC'), sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, hour) do update set views = d.views + excluded.views;
  -- Counted views of past hours are no longer needed to detect duplicates. Transactions that began before the end of
  -- the hour get five minutes to finish.
  with finished as (
    select e.viewer_id, e.post_id, e.hour from private.post_views e
    where e.counted and e.hour < date_trunc('hour', now() - interval '5 minutes', 'UTC')
    limit max_rows for update skip locked)
  delete from private.post_views e using finished f
  where e.viewer_id = f.viewer_id and e.post_id = f.post_id and e.hour = f.hour;
  drop table pg_temp.new_views, pg_temp.counted_views, pg_temp.author_views;
  return view_count;
end
$$;

-- Recounts the likes, comments, followers and subscribers of the oldest `max_days` days (at least two) that are not
-- final. Returns the number of days left. A day is final two hours after its end. Days that were missed while the job
-- did not run are counted later; the first run starts 731 days back: one year, and the year before it for comparison.
create function private.roll_up_days(max_days integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done_at timestamptz;
  first_day date;
  last_day date;
  from_time timestamptz;
  to_time timestamptz;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done_at from private.rollups r where r.name = 'days';
  first_day := least(
    today, ((coalesce(last_done_at, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  last_day := least(today, first_day + greatest(2, max_days) - 1);
  from_time := first_day::timestamp at time zone 'UTC';
  to_time := (last_day + 1)::timestamp at time zone 'UTC';
  create temporary table new_days on commit drop as
  select e.creator_id, (e.at at time zone 'UTC')::date as day,
         count(*) filter (where e.kind = 'like')::integer as likes,
         count(*) filter (where e.kind = 'comment')::integer as comments,
         count(*) filter (where e.kind = 'follow')::integer as followers,
         count(*) filter (where e.kind = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as kind
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
      and c.hidden is null
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time) e
  group by 1, 2;
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Days that have lost all their events.
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between first_day and last_day and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.new_days n where n.creator_id = d.creator_id and n.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select n.creator_id, n.day, n.likes, n.comments, n.followers, n.subscribers
  from pg_temp.new_days n join public.profiles p on p.id = n.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.new_days;
  insert into private.rollups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - last_day;
end
$$;

-- Recounts the audiences of up to `max_rows` creators that are older than a day, oldest first. Returns how many it
-- counted.
create function private.roll_up_audiences(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due_creator_id uuid;
  counted integer := 0;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up-audiences', 0));
  for due_creator_id in
    select p.id from public.profiles p left join private.creator_audiences a on a.creator_id = p.id
    where p.is_creator and coalesce(a.counted_at, '-infinity') < now() - interval '1 day'
    order by coalesce(a.counted_at, '-infinity'), p.id limit max_rows
  loop
    perform private.lock_creators(array[due_creator_id]);
    insert into private.creator_audiences as a (creator_id, counted_at, age_groups, countries)
    select due_creator_id, now(),
      (select coalesce(jsonb_agg(jsonb_build_object('range', g.range, 'people', g.people) order by g.range), '[]')
       from (select case when b.age < 25 then '18-24' when b.age < 35 then '25-34' when b.age < 45 then '35-44'
                         when b.age < 55 then '45-54' else '55+' end as range, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due_creator_id and b.age >= 18 group by 1 having count(*) >= 5) g),
      (select coalesce(jsonb_agg(jsonb_build_object('name', g.country, 'people', g.people)
                                 order by g.people desc, g.country), '[]')
       from (select b.country, count(*) as people
             from public.follows f join public.profile_about b on b.user_id = f.follower_id
             where f.followee_id = due_creator_id and b.country is not null group by 1 having count(*) >= 5) g)
    from public.profiles p where p.id = due_creator_id
    on conflict (creator_id) do update set counted_at = excluded.counted_at, age_groups = excluded.age_groups,
      countries = excluded.countries;
    counted := counted + 1;
  end loop;
  return counted;
end
$$;

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
    'newThisWeek', (select count(*) from private.account_search t where t.created_at > now() - interval '7 days'),
    'openCases', (select count(*) from public.moderation_cases c where c.state = 'open'),
    'openAppeals', (select count(*) from public.moderation_cases c where c.state = 'appealed'),
    'waitingPayouts', (select count(*) from public.payouts p where p.state = 'requested'));
end
$$;

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

-- Returns the admin who approved an account; null for callers who are not admins.
create function private.account_approver(target_user_id uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return null; end if;
  return (select a.approved_by from public.accounts a where a.user_id = target_user_id);
end
$$;

-- Suspends a user through private.moderate_subject, for a number of days or, with null, until an admin lifts it.
-- Repeating the same suspension within a minute counts as a double click and has no effect.
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

-- Makes a user a creator or takes that away. With null, toggles it.
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

-- Returns the fields that an admin can edit, by their names in the API.
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

-- Posting for creators --------------------------------------------------------------------------------------------

-- Raises an error if the caller may not post for this user: the user has to be a creator whose account is not
-- read-only.
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

-- Instance settings -----------------------------------------------------------------------------------------------

-- Returns the settings that admins can change: require_approval, creator_pro_billing, auto_posting and banned_words.
create function private.instance_settings() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_object_agg(s.key, s.value) from private.settings s
          where s.key in ('require_approval', 'creator_pro_billing', 'auto_posting', 'banned_words'));
end
$$;

-- Changes the settings in `changes`. The fields of an object setting are merged into the current value.
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
    if setting.key not in ('require_approval', 'creator_pro_billing', 'auto_posting', 'banned_words') then
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
        -- Only the number of banned words is recorded, because the list is long.
        case when setting.key = 'banned_words' then jsonb_build_object('words', jsonb_array_length(setting.value))
             else jsonb_build_object('from', old_value, 'to', setting.value) end);
    end if;
  end loop;
  -- After all other locks are taken: the transaction that holds the lock of the audit log waits for nothing else.
  for setting in
    select e.value ->> 'key' as key, e.value -> 'change' as value from jsonb_array_elements(audit_changes) e
  loop
    perform private.write_audit_entry(auth.uid(), 'settings.change', subject_ref => setting.key,
                                      details => setting.value);
  end loop;
end
$$;

-- Queues the uploads of a closed case for the orphan check, which deletes those that nothing uses.
create function private.release_case_media(target_case_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.orphaned_media (media_id, due)
  select m.id, clock_timestamp() from public.moderation_cases c join public.media m on m.id = any (c.media_ids)
  where c.id = target_case_id
  on conflict (media_id) do update set due = excluded.due
$$;

-- Snapshots -------------------------------------------------------------------------------------------------------

-- Returns how a subject looks now, as {personId: its author, media: [upload ids], seen: {…}}, or null if it is
-- deleted. Also null if it is hidden, unless `include_hidden` is true.
create function private.subject_snapshot(
  subject_kind text, target_subject_id uuid, include_hidden boolean default false
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case subject_kind
    when 'post' then (
      select jsonb_build_object('personId', p.author_id,
        'media', to_jsonb(array_remove(
          array[coalesce(c.media_id, p.media_id), coalesce(c.poster_id, p.poster_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object(
          'content', coalesce(c.content, p.content), 'teaser', p.teaser, 'mediaType', p.media_type,
          'mediaId', coalesce(c.media_id, p.media_id), 'posterId', coalesce(c.poster_id, p.poster_id),
          'altText', coalesce(c.alt_text, p.alt_text), 'premiumPrice', p.premium_price, 'product', p.product,
          'madeBy', p.made_by, 'createdAt', p.created_at, 'editedAt', p.edited_at)))
      from public.posts p left join public.premium_contents c on c.post_id = p.id
      where p.id = target_subject_id and (include_hidden or p.hidden is null))
    when 'comment' then (
      select jsonb_build_object('personId', c.author_id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('content', c.content, 'postId', c.post_id,
          'parentCommentId', c.parent_comment_id, 'createdAt', c.created_at)))
      from public.comments c
      where c.id = target_subject_id and c.author_id is not null and (include_hidden or c.hidden is null))
    when 'message' then (
      select jsonb_build_object('personId', m.sender_id,
        'media', to_jsonb(array_remove(array[coalesce(h.media_id, m.media_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object('content', coalesce(h.content, m.content), 'mediaType',
          case when coalesce(h.media_id, m.media_id) is not null then 'image' end,
          'mediaId', coalesce(h.media_id, m.media_id),
          'createdAt', m.created_at, 'editedAt', coalesce(h.edited_at, m.edited_at))))
      from public.messages m left join private.hidden_messages h on h.message_id = m.id and include_hidden
      where m.id = target_subject_id and (m.deleted_at is null or h.message_id is not null))
    when 'user' then (
      select jsonb_build_object('personId', p.id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('username', p.username, 'fullName', p.full_name, 'bio', d.bio,
          'profileImageUrl', p.profile_image_url, 'backgroundImageUrl', d.background_image_url,
          'website', t.website, 'createdAt', p.created_at)))
      from public.profiles p join public.profile_details d on d.user_id = p.id
      join public.profile_about t on t.user_id = p.id where p.id = target_subject_id) end;
end
$$;

-- Returns the open case about a subject, locked and with a current snapshot. Creates the case if there is none.
create function private.open_case(subject_kind text, target_subject_id uuid) returns public.moderation_cases
language plpgsql volatile security definer set search_path = ''
as $$
declare
  snapshot jsonb := private.subject_snapshot(subject_kind, target_subject_id);
  opened_case public.moderation_cases;
begin
  if snapshot is not null then
    insert into public.moderation_cases as c (kind, subject_id, user_id)
    values (subject_kind, target_subject_id, (snapshot ->> 'personId')::uuid)
    on conflict (kind, subject_id) where state = 'open' do update set moved_at = clock_timestamp()
    returning * into opened_case;
    -- Checked again, because an admin may have hidden the subject while this waited for the lock.
    snapshot := private.subject_snapshot(subject_kind, target_subject_id);
  end if;
  if snapshot is null then
    raise exception '%',
        case subject_kind when 'user' then 'User not found' else initcap(subject_kind) || ' not found' end
      using errcode = 'PT404';
  end if;
  return private.snapshot_reported_content(opened_case);
end
$$;

-- Deletes other users' notifications about a hidden post or hidden comments, because their links no longer work.
-- `extra_user_ids` are users whose counters the caller changes next: all counters are locked together, in one order.
create function private.withdraw_notifications_about(
  hidden_post_id uuid, hidden_comment_ids uuid[], post_author_id uuid, extra_user_ids uuid[]
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_user_counters(extra_user_ids || array(
    select n.user_id from public.notifications n where n.post_id = hidden_post_id and n.user_id <> post_author_id
    union select n.user_id from public.notifications n where n.comment_id = any (hidden_comment_ids)));
  delete from public.notifications n where n.post_id = hidden_post_id and n.user_id <> post_author_id;
  delete from public.notifications n where n.comment_id = any (hidden_comment_ids);
end
$$;

-- Hides a post, comment or message. `hidden_state` is 'hidden', which leaves the author their own copy, or 'removed'.
-- `extra_user_ids` as in private.withdraw_notifications_about. Returns false if the subject does not exist or is
-- hidden already.
create function private.hide_subject(
  subject_kind text, target_subject_id uuid, hidden_state text, extra_user_ids uuid[]
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  message public.messages;
  container_id uuid;
  post_author_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = hidden_state where p.id = target_subject_id and p.hidden is null
    returning p.author_id into post_author_id;
    if not found then return false; end if;
    perform private.withdraw_notifications_about(target_subject_id, '{}', post_author_id, extra_user_ids);
    return true;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    -- A reply that is hidden with its parent gets a separate state, so that it stays hidden when the parent is
    -- restored.
    update public.comments c set hidden = hidden_state
    where c.id = target_subject_id and (c.hidden is null or c.hidden = 'with_parent');
    if not found then return false; end if;
    update public.comments c set hidden = 'with_parent'
    where c.parent_comment_id = target_subject_id and c.hidden is null;
    perform private.withdraw_notifications_about(null, array(
        select c.id from public.comments c where target_subject_id in (c.id, c.parent_comment_id)), null,
      extra_user_ids);
    return true;
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    select * into message from public.messages m where m.id = target_subject_id and m.deleted_at is null;
    if not found then return false; end if;
    insert into private.hidden_messages (message_id, content, reply_to_id, media_id, media_width, media_height,
                                         placeholder, reactions, edited_at)
    values (message.id, message.content, message.reply_to_id, message.media_id, message.media_width,
            message.media_height, message.placeholder, message.reactions, message.edited_at);
    perform private.redact_message(message);
    return true;
  end if;
  return false;
end
$$;

-- Restores a hidden post, comment or message. Replies that were hidden with a comment are restored with it; a reply
-- under a hidden comment stays hidden with its parent. Deleted notifications do not come back.
create function private.restore_subject(subject_kind text, target_subject_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hidden_message private.hidden_messages;
  restored_message public.messages;
  container_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = null where p.id = target_subject_id and p.hidden is not null;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    update public.comments c
    set hidden = case when exists (
                        select from public.comments o where o.id = c.parent_comment_id and o.hidden is not null)
                      then 'with_parent' end
    where c.id = target_subject_id and c.hidden is not null;
    update public.comments c set hidden = null
    where c.parent_comment_id = target_subject_id and c.hidden = 'with_parent';
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    delete from private.hidden_messages h where h.message_id = target_subject_id returning * into hidden_message;
    if not found then return; end if;
    update public.messages m
    set content = hidden_message.content, deleted_at = null, edited_at = hidden_message.edited_at,
        reply_to_id = hidden_message.reply_to_id, media_id = hidden_message.media_id,
        media_width = hidden_message.media_width, media_height = hidden_message.media_height,
        placeholder = hidden_message.placeholder, reactions = hidden_message.reactions,
        version = private.next_message_version(m.conversation_id)
    where m.id = target_subject_id
    returning * into restored_message;
    perform private.broadcast_message_change(restored_message, 'message.changed');
  end if;
end
$$;

-- Decisions -------------------------------------------------------------------------------------------------------

-- Suspends an account for a number of days or, with null, until an admin lifts it. A longer suspension that is
-- already in effect is not shortened. Returns the end of the suspension. For private.decide_case.
create function private.suspend_account(
  target_user_id uuid, suspension_days integer, reason_text text, source_case_id uuid
) returns timestamptz
language sql volatile security definer set search_path = ''
as $$
  update public.accounts a
  set suspended_at = clock_timestamp(), suspended_until = clock_timestamp() + make_interval(days => suspension_days),
      suspension_reason = btrim(reason_text), suspension_case = source_case_id
  where a.user_id = target_user_id
    and (a.suspended_at is null
      or a.suspended_until < coalesce(clock_timestamp() + make_interval(days => suspension_days), 'infinity'));
  -- Cancels a pending email change. Otherwise the new address would be banned instead of the current one if the user
  -- confirmed the change and then deleted the account.
  delete from private.email_changes e where e.user_id = target_user_id;
  select a.suspended_until from public.accounts a where a.user_id = target_user_id
$$;

-- Returns whether the caller may answer the appeal of a case about `target_user_id` that `decider_id` decided. Admins
-- never answer their own appeal, and answer one against their own decision only if there is no other admin.
create function private.can_answer_appeal(decider_id uuid, target_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_admin() and target_user_id <> auth.uid()
    and (decider_id is distinct from auth.uid() or not exists (
      select from public.profiles p where p.is_admin and p.id not in (auth.uid(), target_user_id)))
$$;

-- Answers an appeal, which is final, and notifies the user. `overturn` grants it: what the case hid is restored, and
-- its suspension and email ban end.
create function private.decide_appeal(target_case_id uuid, overturn boolean, answer_text text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  moderation_case public.moderation_cases;
begin
  perform private.require_admin();
  select * into moderation_case from public.moderation_cases m where m.id = target_case_id for update;
  if not found then raise exception 'Case not found' using errcode = 'PT404'; end if;
  if moderation_case.state <> 'appealed' then
    raise exception 'This case has no open appeal.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.can_answer_appeal(moderation_case.decided_by, moderation_case.user_id) then
    raise exception 'Another admin has to answer this appeal.' using errcode = 'PT403';
  end if;
  if private.is_blank(answer_text) then
    raise exception 'Please enter a reason. The user will see it.' using errcode = 'PT400';
  end if;
  if overturn and moderation_case.hid then
    perform private.restore_subject(moderation_case.kind, moderation_case.subject_id);
  end if;
  perform private.lock_user_counters(array[moderation_case.user_id]);
  if overturn then
    update public.accounts a
    set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
    where a.user_id = moderation_case.user_id and a.suspension_case = moderation_case.id;
    delete from private.banned_emails b where b.case_id = moderation_case.id;
  end if;
  update public.moderation_cases m
  set state = 'closed', appeal_outcome = case when overturn then 'overturned' else 'upheld' end,
      appeal_answer = btrim(answer_text), appeal_decided_by = uid, appeal_decided_at = clock_timestamp(),
      moved_at = clock_timestamp(), hid = m.hid and not overturn
  where m.id = moderation_case.id;
  if exists (select from public.profiles p where p.id = moderation_case.user_id) then
    perform private.create_notification(moderation_case.user_id, null, 'moderation', detail => case when overturn
      then 'Your appeal was granted: ' else 'Your appeal was turned down: ' end || btrim(answer_text));
  end if;
  perform private.release_case_media(moderation_case.id);
  perform private.write_audit_entry(uid, 'appeal.' || case when overturn then 'grant' else 'refuse' end,
    moderation_case.user_id, moderation_case.id::text, jsonb_build_object('answer', btrim(answer_text)));
end
$$;

-- Returns the state of the log for admins: the number of entries, the last hash (for a copy that is kept elsewhere),
-- and the id of the first broken entry, or null.
create function private.audit_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'entries', (select count(*) from public.audit_entries),
    'lastHash', (select encode(e.hash, 'hex') from public.audit_entries e order by e.id desc limit 1),
    'brokenAt', private.verify_audit_chain());
end
$$;

-- The key of the AI provider -----------------------------------------------------------------------------------
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

-- Returns {"mask", "setAt", "refusedAt"}, or null without a key.
create function private.ai_key_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_build_object('mask', k.mask, 'setAt', k.set_at, 'refusedAt', k.refused_at) from private.ai_key k);
end
$$;

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

create function private.remove_ai_key() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from private.ai_key k;
  if found then perform private.write_audit_entry(auth.uid(), 'ai_key.remove'); end if;
end
$$;

-- Returns whether posts may be written for a user now: auto-posting is on for them, they are a creator and no admin,
-- they have agreed, and their account is not restricted.
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

-- Turns auto-posting on or off for a creator. A creator who has not agreed is asked to, at most once a day.
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
  -- Waits for running plans, and keeps others from planning with the previous settings.
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

-- Returns the creators that a round started by an admin writes for, those without a recent auto-post first.
create function private.auto_posting_users(max_rows integer) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select x.user_id from private.auto_posting_settings x
  where x.enabled and private.can_auto_post(x.user_id)
  order by x.last_auto_post nulls first, x.user_id limit max_rows
$$;

-- Returns what the AI may use to write for a creator, or null if they have not agreed: {"name", "bio", "posts",
-- "recent"}. `posts` are the latest free posts of a public profile. `recent` includes drafts; it is never sent to the
-- provider, only compared with the new text, which must not repeat it.
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

-- Plans the day of `as_of` for the creators whose day is not planned yet, and returns the number of new slots. Low is
-- 1–2 posts a day, moderate 2–3, high 3–4. The posting hours are divided into as many parts as there are posts, and
-- each slot falls within its part. Slots that would have been due more than 15 minutes ago are missed.
create function private.plan_auto_posts(as_of timestamptz) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  time_zone text := coalesce(private.auto_posting_setting('timeZone') #>> '{}', 'UTC');
  first_hour double precision := coalesce((private.auto_posting_setting('fromHour'))::integer, 8);
  end_hour double precision := coalesce((private.auto_posting_setting('toHour'))::integer, 22);
  today date := (as_of at time zone time_zone)::date;
  planned_count integer;
begin
  -- Shared: planners may run in parallel, but not while a creator's settings change.
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
  get diagnostics planned_count = row_count;
  return planned_count;
end
$$;

-- Returns what counts against the limits of a day: the posts and drafts of all creators and of one, including those
-- in progress, and the cost spent or reserved, in millionths of a US dollar. Previews cost money but are not posts.
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

-- Locks the counts of two users in the order of their ids, so that two transactions cannot deadlock.
create function private.lock_profile_counts(user_a uuid, user_b uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select 1 from public.profile_counts c where c.user_id in (user_a, user_b) order by c.user_id for no key update
$$;

-- Locks everything that a follow, a request or a block of two users changes, before its row refers to them.
create function private.lock_user_pair(user_a uuid, user_b uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_relation(user_a, user_b);
  perform private.lock_profile_counts(user_a, user_b);
  perform private.lock_user_counters(array[user_a, user_b]);
end
$$;

-- Following ---------------------------------------------------------------------------------------------------------
-- Locks the pair and rejects a follow or request across a block, however the row is inserted. It checks the block
-- again because the snapshot of the policy may be older than a block that has just been committed.
create function private.before_follow_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_relation(new.follower_id, new.followee_id);
  -- The rate limit is consumed before any counts are locked, in the same order as for likes. Otherwise three
  -- transactions could deadlock: a like holds the rate limit and waits for an account deletion, which waits for a
  -- follow by the same user, which waits for the rate limit. While a request is being accepted, the counts are
  -- already locked, and the request itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$$;

-- Updates the counts of both users, broadcasts the new relation to the follower and notifies the user concerned: the
-- follower if a request was accepted, otherwise the followee.
create function private.on_follow_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  follow public.follows := case when tg_op = 'INSERT' then new else old end;
begin
  perform private.lock_profile_counts(follow.follower_id, follow.followee_id);
  update public.profile_counts c set followers = greatest(0, c.followers + delta)
  where c.user_id = follow.followee_id;
  update public.profile_counts c set following = greatest(0, c.following + delta)
  where c.user_id = follow.follower_id;
  perform private.broadcast_to_user(follow.follower_id, 'follow.changed', jsonb_build_object(
    'userId', follow.followee_id, 'status', case when tg_op = 'INSERT' then 'following' else 'none' end));
  if tg_op = 'INSERT' then
    if private.transaction_setting('private.accepting') = 'on' then
      perform private.create_notification(follow.follower_id, follow.followee_id, 'follow_accepted');
    else
      perform private.create_notification(follow.followee_id, follow.follower_id, 'follow');
    end if;
  else
    perform private.withdraw_notification(follow.followee_id, follow.follower_id, 'follow');
  end if;
  return null;
end
$$;

-- Broadcasts the relation to the follower, and notifies the followee of a new request. An accepted request is not
-- broadcast here, because the new follow is.
create function private.on_follow_request_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.broadcast_to_user(new.follower_id, 'follow.changed',
      jsonb_build_object('userId', new.followee_id, 'status', 'requested'));
    perform private.create_notification(new.followee_id, new.follower_id, 'follow_request');
  else
    if private.transaction_setting('private.accepting') <> 'on' then
      perform private.broadcast_to_user(old.follower_id, 'follow.changed',
        jsonb_build_object('userId', old.followee_id, 'status', 'none'));
    end if;
    perform private.withdraw_notification(old.followee_id, old.follower_id, 'follow_request');
  end if;
  return null;
end
$$;

-- Follows a user or requests to, or undoes either. Runs with the caller's own privileges, under the policies above.
-- Returns the new relation: 'following', 'requested' or 'none'. A concurrent second call waits for the first, so a
-- double click is two separate toggles.
create function public.toggle_follow(target uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  target_visibility text;
begin
  perform private.lock_relation(uid, target);
  delete from public.follows f where f.follower_id = uid and f.followee_id = target;
  if found then return 'none'; end if;
  delete from public.follow_requests r where r.follower_id = uid and r.followee_id = target;
  if found then return 'none'; end if;
  perform private.require_write();
  select p.visibility into target_visibility from public.profiles p where p.id = target;
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
  if target = uid then raise exception 'You cannot follow yourself.' using errcode = 'PT400'; end if;
  if target_visibility = 'public' then
    insert into public.follows (follower_id, followee_id) values (uid, target);
    return 'following';
  end if;
  insert into public.follow_requests (follower_id, followee_id) values (uid, target);
  return 'requested';
end
$$;

-- Accepts a follow request to the caller. Returns false if there is none: it was cancelled or already answered.
create function private.accept_follow_request(requester_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.lock_relation(requester_id, (select auth.uid()));
  perform private.lock_profile_counts(requester_id, (select auth.uid()));
  -- Tells the triggers above that the follow comes from a request.
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = requester_id and r.followee_id = (select auth.uid());
  if not found then return false; end if;
  insert into public.follows (follower_id, followee_id) values (requester_id, (select auth.uid()))
  on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
end
$$;

-- Blocking ----------------------------------------------------------------------------------------------------------
-- Locks what a block ends, in the common order: the pair, its subscriptions, and only then the counts.
create function private.before_block_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_relation(new.blocker_id, new.blocked_id);
  perform from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by s.id for update;
  perform private.lock_user_pair(new.blocker_id, new.blocked_id);
  return new;
end
$$;

-- Returns the users that match a query, closest match first:
--   rank 0: the username is the query
--   rank 1: the username starts with it, in alphabetical order
--   rank 2: the name starts with it, in alphabetical order
--   rank 3: every word of the query occurs, in any order; sorted by sign-up
-- In rank 3 a word of at least three ASCII letters or digits matches anywhere, any other word only at the start of a
-- word, because trigrams cannot find it.
-- `after_rank`, `after_sort` and `after_id` are the last row of the previous page; `after_rank` is -1 for the first.
create function private.search_users(query text, after_rank integer, after_sort text, after_id uuid, max_rows integer)
returns table (user_id uuid, rank integer, sort text)
language plpgsql stable security definer rows 20 set search_path = ''
-- The best plan depends on the query text, so a generic plan is never used.
set plan_cache_mode = force_custom_plan
as $$
declare
  normalized_query text := btrim(regexp_replace(private.normalize_search(query), '(^|\s)@|\s+', ' ', 'g'));
  upper_bound text := normalized_query || U&'\+10FFFF';
  words text[] := private.search_terms(normalized_query);
  -- A word that trigrams can find: ASCII, with three letters or digits in a row.
  plain_word constant text := '^(?=.*[a-z0-9]{3})[a-z0-9_]+$';
  -- Plain words are matched anywhere (trigram index), the longest first; all others as prefixes of words.
  like_patterns text[] := array(select '%' || replace(w, '_', '\_') || '%'
                                from unnest(words) w where w ~ plain_word order by length(w) desc);
  prefix_query tsquery := (select string_agg('''' || replace(w, '\', '\\') || ''':*', ' & ')
                           from unnest(words) w where w !~ plain_word)::tsquery;
  remaining integer := max_rows;
  found_rows integer;
  scan_from timestamptz := '-infinity';
  scan_from_id uuid := '00000000-0000-0000-0000-000000000000';
  scan_end timestamptz;
  scan_end_id uuid;
begin
  if normalized_query = '' or not private.is_session_active() then return; end if;

  -- Ranks 0 and 1: usernames.
  if normalized_query ~ '^[a-z0-9_]{1,30}$' then
    if after_rank < 0 then
      return query select p.id, 0, '' from private.directory_profiles p where lower(p.username) = normalized_query;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
    end if;
    if after_rank <= 1 then
      return query
        select p.id, 1, lower(p.username) from private.directory_profiles p
        where lower(p.username) collate "C" > case when after_rank = 1 then after_sort else normalized_query end
          and lower(p.username) collate "C" < upper_bound
        order by lower(p.username) collate "C" limit remaining;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
    end if;
  end if;

  -- Rank 2: names that start with the query.
  if after_rank <= 2 and remaining > 0 then
    return query
      select p.id, 2, p.search_name from private.directory_profiles p
      where p.search_name collate "C" >= normalized_query and p.search_name collate "C" < upper_bound
        and (after_rank < 2 or (p.search_name collate "C", p.id) > (after_sort, after_id))
        and not starts_with(lower(p.username), normalized_query)
      order by p.search_name collate "C", p.id limit remaining;
    get diagnostics found_rows = row_count;
    remaining := remaining - found_rows;
  end if;

  -- Rank 3: all others.
  if remaining <= 0 or cardinality(words) = 0 then return; end if;
  if after_rank = 3 then
    scan_from := after_sort;
    scan_from_id := after_id;
  end if;
  -- First scan the next 2,000 profiles in sign-up order: a common word fills the page there, and sorting all its
  -- matches would be slow. If the page is not full, the word is rare enough to find all matches by index.
  select p.created_at, p.id into scan_end, scan_end_id from public.profiles p
  where (p.created_at, p.id) > (scan_from, scan_from_id) order by p.created_at, p.id offset 1999 limit 1;
  return query
    select p.id, 3, private.timestamp_text(p.created_at) from private.directory_profiles p
    where (p.created_at, p.id) > (scan_from, scan_from_id)
      and (scan_end is null or (p.created_at, p.id) <= (scan_end, scan_end_id))
      and (cardinality(like_patterns) = 0 or p.search_text like all (like_patterns))
      and (prefix_query is null or p.search_words @@ prefix_query)
      and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
    order by p.created_at, p.id limit remaining;
  get diagnostics found_rows = row_count;
  remaining := remaining - found_rows;
  if remaining <= 0 or scan_end is null then return; end if;
  return query
    with matches as materialized (
      -- `created_at` must not be in a condition here, or the planner scans the profiles in sign-up order. The two
      -- longest words have separate conditions, because `like all` cannot use the trigram index.
      select p.id, p.created_at from private.directory_profiles p
      where (cardinality(like_patterns) = 0 or p.search_text like like_patterns[1])
        and (cardinality(like_patterns) < 2 or p.search_text like like_patterns[2])
        and (cardinality(like_patterns) < 3 or p.search_text like all (like_patterns))
        and (prefix_query is null or p.search_words @@ prefix_query)
        and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query))
    select m.id, 3, private.timestamp_text(m.created_at) from matches m
    where (m.created_at, m.id) > (scan_end, scan_end_id) order by m.created_at, m.id limit remaining;
end
$$;

-- Keeps the copy of the email address up to date.
create function private.on_user_email_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.accounts set email = new.email where user_id = new.id;
  return null;
end
$$;

-- Registration data -------------------------------------------------------------------------------------------------
-- Auth keeps the data of a registration as user metadata and puts it into every token. The trigger removes what our
-- own tables store, because the copy in the metadata would never change again. It runs on every write: Auth writes
-- the metadata more than once while it creates an account.
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

-- Runs the trigger above for a new user.
create function private.strip_new_user_metadata() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data where u.id = new.id;
  return null;
end
$$;

-- Newer versions of Auth keep a second copy with the identity (the way to sign in).
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

-- Read-only accounts ------------------------------------------------------------------------------------------------
-- Returns why an account may not write, as a text for its owner, or null if it may. Admins are exempt.
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
    when account.approved_at is null and private.is_setting_enabled('require_approval') then
      'This account is waiting for approval.' end
  from public.profiles p where p.id = account.user_id
$$;

-- Sets read_only_reason again after one of its causes has changed. Concurrent changes wait for each other, so that
-- the last one sees all of them.
create function private.refresh_restriction(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The table before its row, in the same order as private.on_require_approval_changed.
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = target_user_id for update;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.user_id = target_user_id and a.read_only_reason is distinct from private.restriction_reason(a);
end
$$;

-- Refreshes the restriction of every account that is not approved when an admin turns the approval of new accounts on
-- or off.
create function private.on_require_approval_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- An account that is created or changed in a concurrent transaction is either included here or sees the new
  -- setting.
  lock table public.accounts in share row exclusive mode;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.approved_at is null and a.suspended_at is null
    and a.read_only_reason is distinct from private.restriction_reason(a);
  return null;
end
$$;

-- The argument of a trigger is the name of the column that holds the user's id.
create function private.on_restriction_cause_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refresh_restriction((to_jsonb(new) ->> tg_argv[0])::uuid);
  return null;
end
$$;

-- Notifies the user's open pages, so that they immediately show what the user may do.
create function private.on_restriction_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(new.user_id, 'profile.changed', jsonb_build_object('userId', new.user_id));
  return null;
end
$$;

-- Lifts suspensions that have expired. Returns how many.
create function private.lift_expired_suspensions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lifted_count integer;
begin
  update public.accounts a
  set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id in (select d.user_id from public.accounts d where d.suspended_until <= clock_timestamp()
                      order by d.user_id for update skip locked);
  get diagnostics lifted_count = row_count;
  return lifted_count;
end
$$;

-- Maintenance and account deletion --------------------------------------------------------------------------------

-- Run by a job. Deletes removed content and the content of hidden messages 30 days after the decision, unless an
-- appeal is open or was granted. Ends suspensions and email bans that have expired. Deletes the snapshots of deleted
-- profiles that private.on_profile_deleted_cases skipped. Returns the counts for the job's log.
create function private.run_moderation_maintenance() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  expired_cases public.moderation_cases[] := array(
    select c from public.moderation_cases c
    where c.hid and (c.decision = 'remove' or c.kind = 'message') and c.state in ('decided', 'closed')
      and c.decided_at < clock_timestamp() - interval '30 days'
    order by c.decided_at limit 200 for update skip locked);
  subject_ids uuid[] := array(select d.subject_id from unnest(expired_cases) d);
  removed_post_ids uuid[] := array(
    select p.id from public.posts p where p.id = any (subject_ids) and p.hidden = 'removed');
  removed_comment_ids uuid[] := array(
    select m.id from public.comments m where m.id = any (subject_ids) and m.hidden = 'removed');
begin
  -- Locked in the usual order: posts, profile counts, notification counters, each by id.
  perform from public.posts p
  where p.id = any (removed_post_ids)
     or p.id in (select m.post_id from public.comments m where m.id = any (removed_comment_ids))
  order by p.id for update;
  perform from public.profile_counts c
  where c.user_id in (select p.author_id from public.posts p where p.id = any (removed_post_ids))
  order by c.user_id for no key update;
  perform private.lock_user_counters(array(
    select n.user_id from public.notifications n where n.post_id = any (removed_post_ids)
    union select n.user_id from public.notifications n where n.comment_id in (
      select m.id from public.comments m
      where m.id = any (removed_comment_ids) or m.parent_comment_id = any (removed_comment_ids))));
  delete from public.posts p where p.id = any (removed_post_ids);
  delete from public.comments m where m.id = any (removed_comment_ids);
  insert into private.orphaned_media (media_id, due)
  select h.media_id, clock_timestamp() from private.hidden_messages h
  where h.message_id = any (subject_ids) and h.media_id is not null
  on conflict (media_id) do update set due = excluded.due;
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (
    select o.id from public.moderation_cases o
    where o.kind = 'user' and o.snapshots <> '[]'
      and not exists (select from public.profiles p where p.id = o.user_id)
    for update skip locked);
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$$;

create function private.email_hash(email_address text) returns bytea
language sql stable security definer set search_path = ''
as $$
  select sha256(convert_to(lower(btrim(email_address)) || (s.value #>> '{}'), 'UTF8'))
  from private.settings s where s.key = 'address_salt'
$$;

-- Bans an address until `ends_at`, or permanently if it is null. The longer of two bans counts. A ban without a case
-- is not lifted with one.
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

-- For operators, who call it as the database owner: it is granted to no API role.
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

-- Keeps users from ending a suspension by deleting their account and registering again.
create function private.on_suspended_account_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.ban_email(old.email, old.suspended_until, old.suspension_case);
  return null;
end
$$;

-- Sessions ----------------------------------------------------------------------------------------------------------
-- Lists the caller's sessions: the current one first, then the most recently used.
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

-- Ends one of the caller's sessions. Returns false if the caller has no such session.
create function private.end_own_session(target_session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  delete from auth.sessions s where s.id = target_session_id and s.user_id = auth.uid();
  return found;
end
$$;

-- Ends all of the caller's sessions except the current one.
create function private.end_other_sessions() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  delete from auth.sessions s
  where s.user_id = auth.uid() and s.id::text is distinct from (auth.jwt() ->> 'session_id');
end
$$;

-- Ends all sessions of a user, and cancels a pending email change: a user who takes back a stolen account also takes
-- back what the thief requested.
create function private.end_all_sessions(target_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.email_changes c where c.user_id = target_user_id;
  delete from auth.sessions s where s.user_id = target_user_id;
$$;

-- Records the client of a new session. Users sign in through the API, so Auth itself only saw the API's address.
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
  -- Browsers change their names, so only the latest devices are kept.
  delete from private.known_devices d where d.user_id = target_user_id and d.device not in (
    select k.device from private.known_devices k where k.user_id = target_user_id
    order by k.first_seen_at desc limit 50);
  if has_known_devices then
    perform private.create_notification(target_user_id, null, 'sign_in', detail => left(device_name, 100));
  end if;
  return has_known_devices;
end
$$;

create function private.hash_reset_token(token text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(token, 'UTF8')), 'hex') $$;

-- Returns whether Auth would accept a reset token: it is the user's latest, unused and less than an hour old. Auth
-- stores it with the user and, in newer versions, in a separate table.
create function private.is_valid_reset_token(token text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- On Supabase, a user without a token has an empty text.
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

-- Counts a reset mail: 30 an hour for a network address and 3 for an email address, whether an account has it or not.
-- Returns the number of seconds to wait, or 0. A network over its limit does not use up the limit of the email
-- address.
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

-- Checks a reset token and, with `should_claim`, claims it for the caller alone. `wait` is the number of seconds to
-- wait if the network address is over its limit of 30 invalid tokens an hour. Every attempt is counted before it is
-- checked, and the row of the count stays locked until the end, so that none of many concurrent guesses goes
-- uncounted. A claim expires after two minutes, in case the caller never releases it.
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
    insert into private.password_reset_claims as c (token_hash) values (private.hash_reset_token(token))
    on conflict on constraint password_reset_claims_pkey do update set claimed_at = clock_timestamp()
      where c.claimed_at < clock_timestamp() - interval '2 minutes';
    valid := found;
  end if;
  return next;
end
$$;

-- Releases a claimed token that Auth has not consumed.
create function private.release_password_reset(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.password_reset_claims c where c.token_hash = private.hash_reset_token(token) $$;

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

-- Returns the address that the caller has yet to confirm, or null.
create function private.pending_email() returns text
language sql stable security definer set search_path = ''
as $$
  select c.email from private.email_changes c
  where c.user_id = auth.uid() and c.created_at > clock_timestamp() - interval '24 hours'
$$;

-- Requests a new address for the caller. Returns true if a mail with the token must be sent to it. Requesting the
-- current address cancels a pending change.
create function private.begin_email_change(new_email text, token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_write();
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    delete from private.email_changes c where c.user_id = uid;
    return false;
  end if;
  -- The same address again within two minutes: the form was saved for another field. After that the mail may have
  -- been lost, so another one is sent while the rate limit allows it.
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
  values (uid, lower(new_email), private.hash_reset_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return true;
end
$$;

-- Cancels an email change whose token could not be mailed.
create function private.cancel_email_change(token text) returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.email_changes c where c.token_hash = private.hash_reset_token(token) $$;

-- Consumes a token and gives the account its address. Returns the user and both addresses, or no row for an invalid
-- token. Invalid tokens count against the network address: 30 an hour, then `wait` is the number of seconds to wait.
create function private.confirm_email_change(token text, network_address text)
returns table (wait integer, target_user_id uuid, old_email text, new_email text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  change private.email_changes;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_reset_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- The table before its row, in the same order as private.on_require_approval_changed.
  lock table public.accounts in row exclusive mode;
  select a.email into old_email from public.accounts a where a.user_id = change.user_id for update;
  perform private.set_account_email(change.user_id, change.email);
  target_user_id := change.user_id;
  new_email := change.email;
  return next;
end
$$;

-- Changes the address of an account immediately, and invalidates password reset tokens that were mailed to the old
-- one.
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

-- Edits a user's profile. `changes` has the keys of private.update_profile, and in addition: email,
-- allow_direct_messages, show_follower_count, content_discoverable, show_in_directory, profile_image_url and
-- background_image_url. An image URL is that of the caller's own upload; null removes the image, and the current URL
-- leaves it unchanged. Returns the previous email if it changed, else null.
--
-- Only admins themselves can change their email, because the owner of the new mailbox could take the account over.
-- Only users themselves can consent to auto-posting, so its keys are ignored. The audit log records the names of the
-- changed fields but not their values, because it outlives the account.
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

-- Locks the profile counts and then the counters that the deletion changes. `other_user_ids` are more users whose
-- profile counts change.
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
    union select f.followee_id from public.follows f where f.follower_id = target_user_id
    union select r.followee_id from public.follow_requests r where r.follower_id = target_user_id));
end
$$;

-- Locks the rows that the deletion of an account changes, also those of other users, before the account itself. The
-- order is that of all other transactions, which lock the user's own rows last, through their foreign keys:
--   1. conversations and posts,
--   2. the creator plan (a payment of the plan locks the plan before the user's counts),
--   3. subscriptions, because ending them changes the counts of their creators,
--   4. profile counts and counters.
-- `notified_user_ids` are users whom the same transaction notifies of the deletion: step 4 locks their counters.
create function private.lock_account_dependents(target_user_id uuid, notified_user_ids uuid[] default '{}')
returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_user_conversations_and_posts(target_user_id);
  perform from public.creator_plans s where s.user_id = target_user_id and s.state <> 'ended' for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and target_user_id in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.lock_account_counts(target_user_id, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = target_user_id and s.state <> 'ended'),
    notified_user_ids);
end
$$;

-- Deletes an account with everything that belongs to it alone. Comments on other users' posts and messages to other
-- users remain without a name, and so do the ledger and the rows that it refers to. The balance is forfeited. Without
-- `forfeit_balance`, a balance of at least the minimum payout raises `balance_left` instead.
create function private.delete_account(target_user_id uuid, forfeit_balance boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owed_cents bigint;
begin
  if not exists (select from public.profiles p where p.id = target_user_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.lock_account_dependents(target_user_id);
  -- Makes sure that there is a row to lock, so that a first sale that is being booked waits for the deletion.
  insert into public.creator_balances (user_id) values (target_user_id) on conflict do nothing;
  -- The payout schedule before the balance, in the order of the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  owed_cents := private.balance_cents(target_user_id);
  if not forfeit_balance and owed_cents >= private.minimum_payout_cents() then
    raise exception 'You have $% left. Request a payout first, or forfeit it.',
        to_char(owed_cents / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  if owed_cents > 0 then
    perform private.book_transaction('given_up', target_user_id, null, null, array[
      ('creator', target_user_id, 'given_up', -owed_cents)::private.ledger_line,
      ('platform', null, 'given_up', owed_cents)::private.ledger_line]);
  end if;
  delete from public.creator_balances b
  where b.user_id = target_user_id and not exists (
    select from public.ledger_transactions t where t.user_id = target_user_id);
  -- Cascades to the profile, and from there to everything else.
  delete from auth.users u where u.id = target_user_id;
end
$$;

-- Deletes an account, as its owner could, and bans its email. Refused while the balance can be paid out, unless
-- `forfeit_balance` is true. Returns the email, so that the API can mail the user.
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

-- Decides an open case, once, and notifies the user and the reporters. `new_decision` is one of:
-- - 'dismiss', 'warn';
-- - 'hide' and 'remove', which hide content; 'remove' of a user deletes the account as private.remove_user does, and
--   is refused while their balance can be paid out, unless `forfeit_balance` is true;
-- - 'suspend', for `suspension_days` days or, with null, until an admin lifts it; `also_hide` hides the content too.
--
-- Returns the email of an account that was removed, else null.
create function private.decide_case(
  target_case_id uuid, new_decision text, reason_text text, suspension_days integer, also_hide boolean,
  forfeit_balance boolean
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  moderation_case public.moderation_cases;
  suspension_end timestamptz;
  was_hidden boolean := false;
  removed_email text;
  reporter_ids uuid[];
  reporter record;
begin
  perform private.require_admin();
  select * into moderation_case from public.moderation_cases m where m.id = target_case_id for update;
  if not found then raise exception 'Case not found' using errcode = 'PT404'; end if;
  if moderation_case.state <> 'open' then
    raise exception 'This case has already been decided.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if moderation_case.user_id = uid then
    raise exception 'Another admin has to decide cases about you.'
      using errcode = 'PT403', detail = 'target_is_admin';
  end if;
  if new_decision <> 'dismiss' and private.is_blank(reason_text) then
    raise exception 'Please enter a reason. The user will see it.' using errcode = 'PT400';
  end if;
  if moderation_case.kind = 'user' and new_decision = 'hide' then
    raise exception 'Users can''t be hidden. Warn, suspend or remove them instead.' using errcode = 'PT400';
  end if;
  if new_decision = 'suspend' or (new_decision = 'remove' and moderation_case.kind = 'user') then
    perform private.require_manageable(moderation_case.user_id);
  end if;

  reporter_ids := array(select r.reporter_id from public.reports r where r.case_id = moderation_case.id);
  -- A case shows premium content to admins. If they could dismiss their own reports, they could read such content
  -- without anybody being notified.
  if new_decision = 'dismiss' and uid = any (reporter_ids) and exists (
       select from public.profiles p where p.is_admin and p.id not in (uid, moderation_case.user_id)) then
    raise exception 'Another admin has to dismiss a case that you reported.' using errcode = 'PT403';
  end if;
  if new_decision in ('hide', 'remove') and moderation_case.kind <> 'user'
     or (new_decision = 'suspend' and also_hide) then
    was_hidden := private.hide_subject(moderation_case.kind, moderation_case.subject_id,
                                       case new_decision when 'remove' then 'removed' else 'hidden' end,
                                       reporter_ids || moderation_case.user_id);
  end if;
  -- The admin who answers an appeal sees the reported content.
  moderation_case := private.snapshot_reported_content(moderation_case);
  if new_decision = 'remove' and moderation_case.kind = 'user' then
    -- Together with the reporters, so that all counters are locked in one order.
    perform private.lock_account_dependents(moderation_case.user_id, reporter_ids);
    select a.email into removed_email from public.accounts a where a.user_id = moderation_case.user_id for update;
    perform private.delete_account(moderation_case.user_id, forfeit_balance);
    perform private.ban_email(removed_email);
  end if;
  perform private.lock_user_counters(reporter_ids || moderation_case.user_id);
  if new_decision = 'suspend' then
    suspension_end := private.suspend_account(moderation_case.user_id, suspension_days, reason_text,
                                              moderation_case.id);
  end if;

  update public.moderation_cases m
  set state = 'decided', decision = new_decision, reason = nullif(btrim(reason_text), ''),
      suspended_until = suspension_end, hid = was_hidden,
      decided_by = uid, decided_at = clock_timestamp(), moved_at = clock_timestamp()
  where m.id = moderation_case.id;
  update public.reports r
  set outcome = case new_decision when 'dismiss' then 'dismissed' else 'acted' end, decided_at = clock_timestamp()
  where r.case_id = moderation_case.id;
  for reporter in
    select r.reporter_id from public.reports r join public.profiles p on p.id = r.reporter_id
    where r.case_id = moderation_case.id order by r.reporter_id
  loop
    perform private.create_notification(reporter.reporter_id, null, 'report', detail => case new_decision
      when 'dismiss' then 'We reviewed what you reported. It does not break our rules.'
      else 'We reviewed what you reported and took action. Thank you.' end);
  end loop;
  if new_decision <> 'dismiss' and exists (select from public.profiles p where p.id = moderation_case.user_id) then
    perform private.create_notification(moderation_case.user_id, null, 'moderation',
      detail => private.decision_message(moderation_case.kind, new_decision, suspension_end, btrim(reason_text)));
  end if;
  perform private.release_case_media(moderation_case.id);
  -- A dismissal affects nobody, so its audit entry has no target user, and the user does not see it in their account
  -- log.
  perform private.write_audit_entry(uid, 'case.' || new_decision,
    case when new_decision <> 'dismiss' then moderation_case.user_id end, moderation_case.id::text,
    jsonb_strip_nulls(jsonb_build_object('kind', moderation_case.kind, 'subjectId', moderation_case.subject_id,
                                         'reason', nullif(btrim(reason_text), ''),
                                         'until', suspension_end, 'hid', was_hidden)));
  return removed_email;
end
$$;

-- Account deletion --------------------------------------------------------------------------------------------------
-- Deletes the caller's account. The API has checked the password. Without `forfeit_balance`, a balance that could be
-- paid out raises `balance_left`.
create function private.delete_own_account(forfeit_balance boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  perform private.delete_account(auth.uid(), forfeit_balance);
end
$$;

-- Messages to other users remain, but their images are deleted with the account's other files. Each message gets a
-- new version, like any changed message.
create function private.before_profile_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_account_dependents(old.id);
  update public.messages m
  set media_id = null, placeholder = null, version = private.next_message_version(m.conversation_id)
  where m.media_id in (select u.id from public.media u where u.owner_id = old.id);
  return old;
end
$$;

-- Returns whether we have a privilege on Auth's audit log, which records sign-ins and sign-outs with their network
-- addresses. Hosted projects may keep the log elsewhere, or deny access to it.
create function private.can_access_auth_log(privilege text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(has_table_privilege(to_regclass('auth.audit_log_entries'), privilege)
    and (select count(*) = 4 from pg_catalog.pg_attribute a
         where a.attrelid = to_regclass('auth.audit_log_entries') and not a.attisdropped
           and a.attname in ('id', 'payload', 'created_at', 'ip_address')), false)
$$;

-- Cleaning up ------------------------------------------------------------------------------------------------------
-- Deletes data that is no longer needed. Returns the number of deleted rows of each kind.
create function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captcha_count integer;
  rate_limit_count integer;
  reset_claim_count integer;
  email_change_count integer;
  conversation_count integer;
  withdrawal_count integer;
  auth_log_count integer := 0;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captcha_count = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rate_limit_count = row_count;
  -- No reset link is valid for longer.
  delete from private.password_reset_claims where claimed_at < now() - interval '1 hour';
  get diagnostics reset_claim_count = row_count;
  delete from private.email_changes where created_at < now() - interval '24 hours';
  get diagnostics email_change_count = row_count;
  -- Both users deleted their accounts: nobody is left who can read the conversation.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics conversation_count = row_count;
  delete from private.notification_withdrawals where since < now() - interval '1 day';
  get diagnostics withdrawal_count = row_count;
  -- The auth server never deletes its log.
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute $log$delete from auth.audit_log_entries e where e.created_at < now() - interval '90 days'$log$;
    get diagnostics auth_log_count = row_count;
  end if;
  return jsonb_build_object('captchas', captcha_count, 'rateLimits', rate_limit_count,
                            'resetClaims', reset_claim_count, 'emailChanges', email_change_count,
                            'conversations', conversation_count, 'withdrawals', withdrawal_count,
                            'authLog', auth_log_count);
end
$$;

-- Deletes records of a user that no foreign key links to the account: Auth's audit log, and rate limits of the user
-- and of their email address. The log is searched as text because its entries have no fixed structure.
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
  -- cleanup job deletes it within a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
end
$$;

-- Takes the locks and deletes records without a foreign key whenever an account is deleted, in any way.
create function private.before_user_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_account_dependents(old.id);
  perform private.delete_unlinked_records(old.id, old.email);
  return old;
end
$$;

-- Finds where the id of a user is still stored: `place` is schema.table.column, with the number of rows. Shows what
-- remains after a deletion. Reads every table that it may read in full, so it is for operators.
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

-- Data export -------------------------------------------------------------------------------------------------------
-- Counts an export of the caller's data, which reads all of it: 6 an hour.
create function private.consume_export_limit() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_session();
  perform private.enforce_rate_limit('export', auth.uid(), 6, '1 hour');
end
$$;

-- Returns the records about the caller that no API call shows, for the data export.
create function private.export_unlinked_records() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  sign_ins jsonb := '[]';
begin
  perform private.require_session();
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
      from private.email_changes c where c.user_id = uid),
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = uid),
    'lastMailAboutNewsAt', (select m.mailed_at from private.notification_mails m where m.user_id = uid),
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
      from private.notification_withdrawals w where w.actor_id = uid));
end
$$;

-- Uploading ---------------------------------------------------------------------------------------------------------
-- Counts an upload of the caller, before any of its body is read: 60 an hour.
create function private.consume_upload_limit() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.enforce_rate_limit('uploads', auth.uid(), 60, '1 hour');
end
$$;

-- Counts a check of a video that the caller has sent to Storage: 30 a minute.
create function private.consume_video_check() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.enforce_rate_limit('video looks', auth.uid(), 30, '1 minute');
end
$$;

-- Inserts the pending row of a file of the caller, before the file is stored. `signed_path` is where a signed URL
-- leads, null for a file that the API stores itself.
create function private.begin_upload(
  upload_id uuid, media_kind text, mime_type text, size_bytes bigint, storage_path text, signed_path text,
  width_px integer, height_px integer, blurred_image text
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  insert into public.media (id, owner_id, kind, content_type, bytes, path, incoming_path, width, height, placeholder)
  values (upload_id, auth.uid(), media_kind, mime_type, size_bytes, storage_path, signed_path, width_px, height_px,
          blurred_image);
end
$$;

-- When nothing can be sent to a signed URL any more. It is valid for two hours; the third leaves time for an upload
-- that started late.
create function private.upload_url_expires_at(signed_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select signed_at + interval '3 hours' $$;

-- Marks an upload as ready after its file has been stored and checked; `mime_type` is the detected type. Returns
-- false if the upload has been deleted. Idempotent.
create function private.finish_upload(upload_id uuid, size_bytes bigint, mime_type text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  select * into upload from public.media m where m.id = upload_id for update;
  if not found then return false; end if;
  if upload.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', upload.incoming_path, private.upload_url_expires_at(upload.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size_bytes, content_type = mime_type, incoming_path = null
  where m.id = upload_id and m.state = 'pending';
  return true;
end
$$;

-- Using uploads -----------------------------------------------------------------------------------------------------
-- Returns whether anything refers to an upload. A new kind of reference must be added here and to the policies above.
create function private.is_media_used(upload_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts p where p.media_id = upload_id)
      or exists (select from public.posts p where p.poster_id = upload_id)
      or exists (select from public.premium_contents c where c.media_id = upload_id)
      or exists (select from public.premium_contents c where c.poster_id = upload_id)
      or exists (select from public.messages m where m.media_id = upload_id)
      or exists (select from public.gallery_items g where g.media_id = upload_id)
      or exists (select from private.hidden_messages h where h.media_id = upload_id)
      or private.is_media_in_open_case(upload_id)
$$;

-- Returns a ready upload of `uploader_id` that nothing uses yet, and locks it until the end of the transaction.
create function private.claim_media_of(uploader_id uuid, upload_id uuid, media_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  select * into upload from public.media m
  where m.id = upload_id and m.owner_id = uploader_id and m.kind = media_kind and m.state = 'ready'
  for update;
  if not found or private.is_media_used(upload_id) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return upload;
end
$$;

-- The same for the caller's own upload.
create function private.claim_media(upload_id uuid, media_kind text) returns public.media
language sql volatile security definer set search_path = ''
as $$ select private.claim_media_of(auth.uid(), upload_id, media_kind) $$;

-- Deleting unused uploads -------------------------------------------------------------------------------------------
-- A new upload is checked after a day.
create function private.enqueue_upload_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due) values (new.id, new.created_at + interval '24 hours')
  on conflict do nothing;
  return null;
end
$$;

-- The media of a deleted post or of deleted premium content are checked at the next run.
create function private.enqueue_orphan_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due)
  select used.id, clock_timestamp() from unnest(array[old.media_id, old.poster_id]) used(id) where used.id is not null
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;

-- Checks at most `max_rows` uploads that are due and deletes the unused ones. Returns how many it has checked.
-- Concurrent runs check different uploads. A transaction that starts to use one of them in the meantime either keeps
-- it or fails in private.claim_media.
create function private.delete_orphaned_media(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  candidate_id uuid;
  checked_count integer := 0;
begin
  -- The time to restore these items is over.
  delete from public.gallery_items g where g.deleted_at < clock_timestamp() - interval '10 minutes';
  for candidate_id in
    select o.media_id from private.orphaned_media o where o.due <= clock_timestamp()
    order by o.due limit max_rows for update skip locked
  loop
    begin
      delete from public.media m where m.id = candidate_id and not private.is_media_used(candidate_id);
    exception when foreign_key_violation then
      -- A transaction that uses the upload has committed in the meantime.
      null;
    end;
    delete from private.orphaned_media o where o.media_id = candidate_id;
    checked_count := checked_count + 1;
  end loop;
  return checked_count;
end
$$;

-- Deleting files ----------------------------------------------------------------------------------------------------
-- Enqueues the files of a deleted upload. A file at a signed URL is due only when the URL has expired, or a late
-- upload would stay.
create function private.enqueue_file_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.file_deletion_queue (bucket, path) values ('media', old.path) on conflict do nothing;
  if old.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', old.incoming_path, private.upload_url_expires_at(old.created_at)) on conflict do nothing;
  end if;
  return null;
end
$$;

-- Returns at most `max_rows` files that are due, as [{bucket, path}].
create function private.due_file_deletions(max_rows integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', d.bucket, 'path', d.path)), '[]')
  from (select f.bucket, f.path from private.file_deletion_queue f where f.due_at <= clock_timestamp()
        order by f.due_at limit max_rows) d
$$;

-- Removes deleted files from the queue. `deleted_files` is [{bucket, path}].
create function private.complete_file_deletions(deleted_files jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.file_deletion_queue f using jsonb_to_recordset(deleted_files) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;

-- Postpones files that could not be deleted by half an hour. `failed_files` is [{bucket, path}].
create function private.postpone_file_deletions(failed_files jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.file_deletion_queue f set due_at = clock_timestamp() + interval '30 minutes'
  from jsonb_to_recordset(failed_files) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;

-- Changing the gallery ----------------------------------------------------------------------------------------------
-- Adds an upload of the caller to their gallery. `media_kind` is 'image' or 'video'.
create function private.add_gallery_item(
  item_id uuid, upload_id uuid, media_kind text, item_title text, item_description text
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  perform private.require_write();
  upload := private.claim_media(upload_id, media_kind);
  insert into public.gallery_items (id, user_id, media_id, title, description)
  values (item_id, auth.uid(), upload.id, nullif(item_title, ''), nullif(item_description, ''));
end
$$;

-- Restores a deleted item of the caller, which reappears at its old position.
create function private.restore_gallery_item(item_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  update public.gallery_items g set deleted_at = null
  where g.id = item_id and g.user_id = auth.uid()
    and (g.deleted_at is null or g.deleted_at > clock_timestamp() - interval '10 minutes');
  if not found then raise exception 'This item can no longer be restored.' using errcode = 'PT404'; end if;
end
$$;

-- Queues the upload of a deleted row, so that the next run of the job `media` deletes it unless it is in use.
create function private.enqueue_gallery_orphan_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due) values (old.media_id, clock_timestamp())
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;

create function private.before_post_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Seeds and jobs run without a caller.
  if auth.uid() is not null then
    perform private.require_write();
  end if;
  return new;
end
$$;

-- Rejects the id of a deleted row if a moderation case still refers to it: the case would then be about a different
-- row, possibly by a different author. Argument: the `kind` of the case.
create function private.reject_reused_id() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.moderation_cases c where c.kind = tg_argv[0] and c.subject_id = new.id) then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  return new;
end
$$;

-- Updates the author's number of posts.
create function private.on_post_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  post_author_id uuid := case when tg_op = 'INSERT' then new.author_id else old.author_id end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  update public.profile_counts c set posts = greatest(0, c.posts + delta) where c.user_id = post_author_id;
  return null;
end
$$;

-- Locks the counters that deleting the post will change: those of the author, and the unread counts of the users
-- whose notifications about the post are deleted with it.
create function private.before_post_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_profile_counts(old.author_id, old.author_id);
  perform private.lock_user_counters(array(
    select distinct n.user_id from public.notifications n where n.post_id = old.id));
  return old;
end
$$;

-- Publishing ---------------------------------------------------------------------------------------------------
-- Rejects a caller who may not publish posts, or premium posts if `is_paid`.
create function private.require_can_publish(is_paid boolean) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if is_paid and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;

-- Stores a post of `post_author_id` with uploads of `uploader_id`, which then belong to the author. A `price` in US
-- dollars makes it a premium post. Returns false if a post with this id exists. Does not check permissions: callers
-- must.
create function private.insert_post(
  post_author_id uuid, uploader_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text,
  image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, written_by text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  main_media public.media;
  poster public.media;
  is_paid boolean := price is not null;
begin
  -- A retry waits here for the first request, then finds the post stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  if private.is_blank(content_text) and image_id is null and video_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image_id is not null then
    main_media := private.claim_media_of(uploader_id, image_id, 'image');
  elsif video_id is not null then
    main_media := private.claim_media_of(uploader_id, video_id, 'video');
    if poster_image_id is not null then
      poster := private.claim_media_of(uploader_id, poster_image_id, 'image');
    end if;
  end if;
  if post_author_id <> uploader_id then
    update public.media m set owner_id = post_author_id where m.id in (main_media.id, poster.id);
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, made_by,
                            media_type, media_width, media_height, placeholder, media_id, poster_id, alt_text)
  values (new_post_id, post_author_id, case when is_paid then '' else content_text end, is_paid, price,
          case when is_paid then nullif(teaser_text, '') end, written_by,
          main_media.kind, coalesce(main_media.width, poster.width), coalesce(main_media.height, poster.height),
          coalesce(main_media.placeholder, poster.placeholder),
          case when not is_paid then main_media.id end, case when not is_paid then poster.id end,
          case when not is_paid and main_media.id is not null then nullif(alt_description, '') end)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if is_paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (new_post_id, post_author_id, content_text, main_media.id, poster.id,
            case when main_media.id is not null then nullif(alt_description, '') end);
  end if;
  return true;
end
$$;

-- Publishes a post as a creator, like private.publish_post but with the admin's uploads, and notifies the creator.
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

-- Ends a run and returns its outcome. `written_text` is a text that passed the checks, or null. Unless the run is a
-- preview, it is published, or stored as a draft for a creator who reviews posts first, and the slot is done in the
-- same transaction. Nothing is published if another worker has taken over the slot ('lost') or auto-posting is no
-- longer allowed ('refused'). `run_usage` is {"prompt", "answer", "inputTokens", "outputTokens", "costMicros",
-- "calls"}.
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
  -- The same order as account deletion, to avoid deadlocks: the profile's counts before the rows that depend on it.
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
        final_detail := 'Another worker took over this slot.';
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

-- Drafts -------------------------------------------------------------------------------------------------------
-- Publishes one of the caller's drafts as a post with the draft's id. `edited_content` replaces the text if not null.
-- Repeating the call has no effect.
create function private.publish_draft(target_draft_id uuid, edited_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  draft public.auto_post_drafts;
begin
  perform private.require_can_publish(false);
  -- The same order as account deletion, to avoid deadlocks.
  perform from public.profile_counts c where c.user_id = auth.uid() for no key update;
  select * into draft from public.auto_post_drafts f where f.id = target_draft_id and f.user_id = auth.uid() for update;
  if not found then raise exception 'Draft not found' using errcode = 'PT404'; end if;
  if draft.state = 'published' then return; end if;
  if draft.state <> 'waiting' then
    raise exception 'This draft was discarded or has expired.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.insert_post(auth.uid(), auth.uid(), target_draft_id, coalesce(edited_content, draft.content), null,
                             null, null, null, null, null, 'ai') then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_post_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = target_draft_id;
end
$$;

-- Stores a post of the caller. A `price` in US dollars makes it a premium post. Returns false if a post with this id
-- exists. A definer function: it checks permissions itself, so callers need no table privileges.
create function private.publish_post(
  new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid,
  poster_image_id uuid, alt_description text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_can_publish(price is not null);
  return private.insert_post(auth.uid(), auth.uid(), new_post_id, content_text, price, teaser_text, image_id,
                             video_id, poster_image_id, alt_description);
end
$$;

-- Products -----------------------------------------------------------------------------------------------------
-- A product is a free post that links to an offer in an external store. The post's text is the product's description.

-- Returns a product in the format of `posts.product`. Rejects store URLs with a user name
-- (https://example.com@example.net): they lead to a different host than they seem to.
create function private.validated_product(product_name text, price numeric, store_url text, product_category text)
returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if private.is_blank(product_name) or price is null or private.is_blank(store_url) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if not private.is_http_url(store_url) or store_url ~ '^https?://[^/?#]*@' then
    raise exception 'Please enter a valid store URL.' using errcode = 'PT400';
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'name', btrim(product_name), 'price', round(price, 2), 'storeUrl', store_url,
    'category', case when not private.is_blank(product_category) then btrim(product_category) end));
end
$$;

-- Stores a product of the caller. Returns false if a post with this id exists.
create function private.publish_product(
  new_post_id uuid, product_name text, description text, price numeric, store_url text, product_category text,
  image_id uuid default null, image_alt text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  new_product jsonb;
begin
  perform private.require_write();
  if private.is_blank(description) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  new_product := private.validated_product(product_name, price, store_url, product_category);
  if not private.publish_post(new_post_id, description, null, null, image_id, null, null, image_alt) then
    return false;
  end if;
  update public.posts p set product = new_product where p.id = new_post_id;
  return true;
end
$$;

-- Reading ------------------------------------------------------------------------------------------------------
-- Counts the posts by other users that are newer than `since`, up to `max_count`: a scan of the newest part of the
-- feed's index.
create function private.count_new_posts(since timestamptz, max_count integer) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    select from public.posts p
    where p.created_at > since and p.author_id <> (select auth.uid())
    order by p.created_at desc limit max_count) newer
$$;

-- Returns the text that everyone who sees the post can read: the teaser of a premium post, the content of a free one.
create function private.post_public_text(post public.posts) returns text
language sql immutable set search_path = ''
as $$ select coalesce(case when post.is_premium then post.teaser else post.content end, '') $$;

-- Updates the author's number of posts and the topics of a post that is hidden or restored. Hidden posts are not
-- counted, so deleting one changes no count.
create function private.on_post_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if delta = 0 then return null; end if;
  update public.profile_counts c set posts = greatest(0, c.posts + delta) where c.user_id = new.author_id;
  if delta < 0 then
    delete from public.post_tags t where t.post_id = new.id;
  else
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, tag, new.author_id, new.created_at
    from unnest(private.extract_tags(private.post_public_text(new))) tag
    on conflict do nothing;
  end if;
  return null;
end
$$;

-- Updates the number of likes and notifies the author, or withdraws the notification.
create function private.on_like_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed_like public.likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
begin
  update public.posts p set likes_count = greatest(0, p.likes_count + delta) where p.id = changed_like.post_id
  returning p.author_id into post_author_id;
  -- No row: the like is deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    perform private.create_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  else
    perform private.withdraw_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  end if;
  return null;
end
$$;

-- Likes a post, or removes the caller's like. Runs with the caller's privileges and returns the new state.
-- `likes_count` is null if the caller can no longer see the post.
create function public.toggle_like(post uuid, out liked boolean, out likes_count integer)
language plpgsql volatile set search_path = ''
as $$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('like:' || auth.uid()::text || post::text, 0));
  delete from public.likes l where l.post_id = post and l.user_id = auth.uid();
  liked := not found;
  if liked then
    perform private.require_write();
    if not exists (select from public.posts p where p.id = post) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    insert into public.likes (post_id, user_id) values (post, auth.uid());
  end if;
  select p.likes_count into toggle_like.likes_count from public.posts p where p.id = post;
end
$$;

-- Saves a post, or removes it from the caller's saved posts. Runs with the caller's privileges and returns the new
-- state.
create function public.toggle_save(post uuid, out saved boolean)
language plpgsql volatile set search_path = ''
as $$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('save:' || auth.uid()::text || post::text, 0));
  delete from public.saves s where s.post_id = post and s.user_id = auth.uid();
  saved := not found;
  if saved then
    perform private.require_write();
    if not exists (select from public.posts p where p.id = post) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    insert into public.saves (post_id, user_id) values (post, auth.uid());
  end if;
end
$$;

-- Rejects a row whose author is not the post's author: private.can_read_premium relies on `author_id`.
create function private.check_premium_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = new.post_id and p.author_id = new.author_id) then
    raise exception 'Premium content must have the same author as its post.' using errcode = '23514';
  end if;
  return new;
end
$$;

-- Includes in subscriptions a post that the caller publishes in the same transaction. A repeated call does not
-- overwrite a later edit.
create function private.set_included_in_subscription(target_post_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set included_in_subscription = true
  where p.id = target_post_id and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and private.can_write()
$$;

-- Access -------------------------------------------------------------------------------------------------------
-- Returns whether a user, not necessarily the caller, is entitled to the paid content of a post: always for a free
-- post, else as the author, a subscriber or a buyer. Does not check whether they may see the post.
create function private.has_paid_access(target_user_id uuid, target_post_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
           select from public.posts p
           where p.id = target_post_id and (not p.is_premium or p.author_id = target_user_id
             or (p.included_in_subscription and private.is_subscribed(target_user_id, p.author_id))))
      or exists (select from public.unlocks u where u.user_id = target_user_id and u.post_id = target_post_id)
$$;

-- Mentions -----------------------------------------------------------------------------------------------------
-- Returns the ids of the users that a text mentions with @username: the first ten names, as far as they exist and may
-- read the text. A mention in a comment (`in_comment`) also requires paid access, because comments on a premium post
-- are part of the paid content. The text of a post passed here must be its public text.
create function private.mentioned_users(source_text text, source_post_id uuid, in_comment boolean) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  post_author_id uuid;
begin
  if position('@' in source_text) = 0 then return '{}'; end if;
  post_author_id := (select p.author_id from public.posts p where p.id = source_post_id);
  return array(
    select p.id
    from (select lower(groups[1]) as username, min(ordinal) as ordinal
          from regexp_matches(source_text, '(?<![[:alnum:]_@#/&])@([A-Za-z0-9_]{3,30})(?![A-Za-z0-9_])', 'g')
            with ordinality as matches(groups, ordinal)
          group by 1 order by 2 limit 10) mentions
    join public.profiles p on lower(p.username) = mentions.username
    where private.can_user_view_profile(p.id, post_author_id)
      and (not in_comment or private.has_paid_access(p.id, source_post_id))
    order by mentions.ordinal);
end
$$;

-- Updates the counters of the post and of the parent comment, and notifies the author of the parent comment, the
-- author of the post and mentioned users, each of them once.
create function private.on_comment_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed public.comments := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  parent_author_id uuid;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  -- Always the post before the parent comment, so that concurrent writers wait here.
  update public.posts p set comments_count = greatest(0, p.comments_count + delta) where p.id = changed.post_id
  returning p.author_id into post_author_id;
  if changed.parent_comment_id is not null then
    update public.comments c set replies_count = greatest(0, c.replies_count + delta)
    where c.id = changed.parent_comment_id
    returning c.author_id into parent_author_id;
  end if;
  if tg_op = 'DELETE' or changed.author_id is null or post_author_id is null then return null; end if;
  mentioned_ids := private.mentioned_users(changed.content, changed.post_id, true);
  perform private.lock_user_counters(mentioned_ids || array[parent_author_id, post_author_id]);
  -- The author of the parent comment may have lost access to the post.
  if parent_author_id is not null and private.can_user_view_profile(parent_author_id, post_author_id)
     and private.has_paid_access(parent_author_id, changed.post_id) then
    perform private.create_notification(parent_author_id, changed.author_id, 'reply', changed.post_id, changed.id);
  end if;
  if parent_author_id is distinct from post_author_id then
    perform private.create_notification(post_author_id, changed.author_id, 'comment', changed.post_id, changed.id);
  end if;
  foreach recipient_id in array mentioned_ids loop
    if recipient_id is distinct from parent_author_id and recipient_id <> post_author_id then
      perform private.create_notification(recipient_id, changed.author_id, 'mention', changed.post_id, changed.id);
    end if;
  end loop;
  return null;
end
$$;

-- Notifies the users that the public text of a post mentions.
create function private.notify_mentioned_users(public_text text, actor_id uuid, source_post_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mentioned_ids uuid[] := private.mentioned_users(public_text, source_post_id, false);
  recipient_id uuid;
begin
  perform private.lock_user_counters(mentioned_ids);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, actor_id, 'mention', source_post_id);
  end loop;
end
$$;

-- Updates when a post is written -------------------------------------------------------------------------------
-- Stores the tags of a new or edited post and notifies the users it mentions.
create function private.on_post_text_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  public_text text := private.post_public_text(new);
begin
  if tg_op = 'UPDATE' then
    if public_text = private.post_public_text(old) then return null; end if;
    delete from public.post_tags t where t.post_id = new.id and t.tag <> all (private.extract_tags(public_text));
  end if;
  if position('#' in public_text) > 0 then
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, new_tag, new.author_id, new.created_at from unnest(private.extract_tags(public_text)) new_tag
    on conflict do nothing;
  end if;
  if position('@' in public_text) > 0 then
    perform private.notify_mentioned_users(public_text, new.author_id, new.id);
  end if;
  return null;
end
$$;

-- Unlocking ----------------------------------------------------------------------------------------------------
-- Serializes the payments of one user for one post, until the end of the transaction.
create function private.lock_post_purchase(payer_id uuid, target_post_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('unlock:' || payer_id::text || target_post_id::text, 0)) $$;

-- Settling and refunding --------------------------------------------------------------------------------------

-- Serializes all steps of a payment and of what it buys: locks the purchase, the plan, or the pair of users and the
-- subscription between them.
create function private.lock_payment(payment public.payments) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  case payment.kind
    when 'unlock' then
      perform private.lock_post_purchase(payment.payer_id, payment.post_id);
    when 'creator_pro' then
      perform private.lock_creator_plan(payment.payer_id);
      perform from public.creator_plans s where s.id = payment.plan_id for update;
    else
      perform private.lock_relation(payment.payer_id, payment.payee_id);
      perform from public.subscriptions s where s.id = payment.subscription_id for update;
  end case;
end
$$;

-- Refunds a paid payment: books reversing entries and takes back what it bought. Moving the money is up to the
-- provider. Returns true the first time, false after that or when the payment is not paid.
create function private.refund_payment(payment_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  update public.payments p set state = 'refunded' where p.id = payment.id and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment.id;
  -- Refunding an earlier month does not end the current one.
  if payment.period_start is not null and not exists (
    select from public.payments p
    where (p.subscription_id = payment.subscription_id or p.plan_id = payment.plan_id) and p.state = 'paid'
      and p.period_start > (select r.period_start from public.payments r where r.id = payment.id)
  ) then
    perform private.end_subscription(payment.subscription_id);
    perform private.end_creator_plan(payment.plan_id);
  end if;
  perform private.book_payment(payment, -1);
  return true;
end
$$;

-- Expires a payment that was not paid in time, and ends what it would have started. `reference` is the page that
-- closed; nothing happens when another page has been opened since. Returns whether the payment expired.
create function private.expire_payment(payment_id uuid, reference text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then return false; end if;
  perform private.lock_payment(payment);
  update public.payments p set state = 'expired', settled_at = clock_timestamp()
  where p.id = payment_id and p.state = 'pending' and p.provider_reference = reference;
  if not found then return false; end if;
  -- Only one that was never paid ends now. An unpaid renewal has its grace period.
  update public.subscriptions s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.subscription_id and s.state = 'pending';
  update public.creator_plans s set state = 'ended', ended_at = clock_timestamp()
  where s.id = payment.plan_id and s.state = 'pending';
  return true;
end
$$;

-- Stores the unlock of a confirmed payment and notifies the author. Returns false if there is nothing to unlock, and
-- the payment has to be refunded: the post or the payer no longer exists, the post has been hidden, or it is unlocked
-- already.
create function private.settle_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id and p.hidden is null for key share) then
    return false;
  end if;
  -- The author's counters before the payer's profile: an account deletion locks them in this order.
  perform private.lock_user_counters(array[paid.payee_id]);
  if not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.create_notification(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;

-- Books a payment that the provider has confirmed and delivers what it was for, in one transaction. Returns true when
-- the payment is paid; false when its money bought nothing and has to be refunded. Calling it again has no effect
-- and returns the same.
create function private.settle_payment(payment_id uuid, reference text default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
  delivered boolean;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  select * into payment from public.payments p where p.id = payment_id for update;
  if payment.state not in ('pending', 'expired') then
    -- Money for a void payment is recorded so that it is refunded. The payment may hold the reference of an earlier
    -- charge, or of a checkout page that brought no money.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), refunded_at = null
    where p.id = payment_id and p.state = 'void'
      and reference is not null and p.provider_reference is distinct from reference;
    return payment.state = 'paid';
  end if;
  delivered := case when not private.ensure_period_sellable(payment) then false else case payment.kind
    when 'unlock' then private.settle_unlock(payment)
    when 'subscription' then private.settle_subscription(payment)
    when 'tip' then private.settle_tip(payment)
    else private.settle_creator_plan(payment) end end;
  update public.payments p
  set state = case when delivered then 'paid' else 'void' end, provider_reference = reference,
      settled_at = clock_timestamp()
  where p.id = payment_id;
  if delivered then perform private.book_payment(payment, 1); end if;
  return delivered;
end
$$;

-- Settles a payment that was made on a checkout page for `paid_cents`. The price of a post may have changed since
-- that page was opened, so an unlock is booked at what was actually paid.
create function private.settle_checkout(payment_id uuid, reference text, paid_cents integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  perform private.lock_payment(payment);
  update public.payments p set amount_cents = paid_cents, fee_cents = private.platform_fee_cents(paid_cents)
  where p.id = payment_id and p.kind = 'unlock' and p.state in ('pending', 'expired') and p.amount_cents <> paid_cents;
  return private.settle_payment(payment_id, reference);
end
$$;

-- Settles a renewal that the provider collected. `payment_reference` is the provider's id of that payment (an
-- invoice). Returns whether the period is booked.
create function private.settle_provider_period(
  subscription_reference text, payment_reference text, paid_cents integer
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscription public.subscriptions;
  plan public.creator_plans;
  payment_id uuid;
begin
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if found then return private.settle_payment(payment_id, payment_reference); end if;
  select * into subscription from public.subscriptions s where s.provider_reference = subscription_reference;
  if found then
    perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
    select * into subscription from public.subscriptions s where s.id = subscription.id for update;
    -- Another call for the same invoice may have finished while this one waited for the lock.
    select p.id into payment_id from public.payments p
    where p.provider = 'stripe' and p.provider_reference = payment_reference;
    if not found then
      insert into public.payments
        (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider, state)
      values ('subscription', subscription.subscriber_id, subscription.creator_id, subscription.id,
              coalesce(subscription.period_end, clock_timestamp()), paid_cents, private.platform_fee_cents(paid_cents),
              'stripe', case when subscription.state = 'ended' then 'void' else 'pending' end)
      on conflict (subscription_id, period_start) where state in ('pending', 'paid')
      do update set provider = 'stripe', amount_cents = excluded.amount_cents, fee_cents = excluded.fee_cents
      returning id into payment_id;
    end if;
    return private.settle_payment(payment_id, payment_reference);
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription_reference;
  if not found then return false; end if;
  perform private.lock_creator_plan(plan.user_id);
  select * into plan from public.creator_plans s where s.id = plan.id for update;
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider, state)
    values ('creator_pro', plan.user_id, plan.id, coalesce(plan.period_end, clock_timestamp()), paid_cents, 0,
            'stripe', case when plan.state = 'ended' then 'void' else 'pending' end)
    on conflict (plan_id, period_start) where state in ('pending', 'paid') and plan_id is not null
    do update set provider = 'stripe', amount_cents = excluded.amount_cents
    returning id into payment_id;
  end if;
  return private.settle_payment(payment_id, payment_reference);
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

-- Who can view a profile ------------------------------------------------------------------------------------------

-- The profiles whose details and posts the caller can view. This is the only definition of the rule of
-- `profiles.visibility` and blocks for the caller; private.can_user_view_profile applies it to another user.
-- It is a view that runs with its owner's privileges, in a schema that no API exposes: policies on hot tables look up
-- one row in it, which is cheaper than a function call per row.
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

-- Returns whether the caller can view a profile.
create function private.can_view_profile(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from private.viewable_profiles v where v.id = target_user_id);
end
$$;

-- Writing comments ---------------------------------------------------------------------------------------------
-- The before-insert triggers run in the order of their names: before_comment_insert locks the post first.

-- Rejects a comment that its author may not write, with a clearer error than the policy's.
create function private.before_comment_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  post public.posts;
  parent public.comments;
begin
  -- Seeds and jobs run without a caller.
  if uid is null then return new; end if;
  perform private.require_write();
  -- The insert will update the post's counter. Lock the post now, before the parent comment: private.delete_comment
  -- does the same, and the opposite order could deadlock.
  select * into post from public.posts p where p.id = new.post_id for no key update;
  if not found or not private.can_view_profile(post.author_id) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if not private.has_paid_access(uid, post.id) then
    raise exception 'Unlock this post to read and write comments.' using errcode = 'PT403', detail = 'post_locked';
  end if;
  if new.parent_comment_id is not null then
    select * into parent from public.comments c where c.id = new.parent_comment_id and c.post_id = new.post_id;
    if not found or private.are_blocked(uid, parent.author_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    if parent.parent_comment_id is not null then
      raise exception 'You can''t reply to a reply.' using errcode = 'PT400';
    end if;
  end if;
  return new;
end
$$;

-- Deleting comments --------------------------------------------------------------------------------------------
-- Deletes a comment and its replies. Callers may delete their own comments and all comments on their own posts,
-- including those of users in a block with them, which they do not see.
create function private.delete_comment(target_comment_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  target public.comments;
  post_author_id uuid;
begin
  if not private.is_session_active() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  select * into target from public.comments c
  where c.id = target_comment_id and (c.hidden is null or (c.hidden = 'hidden' and c.author_id = uid));
  select p.author_id into post_author_id from public.posts p where p.id = target.post_id;
  if uid is distinct from target.author_id and uid is distinct from post_author_id then
    if target.id is null or not private.can_view_profile(post_author_id)
       or not private.has_paid_access(uid, target.post_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    raise exception 'Only the author of the comment or of the post can delete it.' using errcode = 'PT403';
  end if;
  -- The delete locks the replies too. Lock the post first, as an insert does.
  perform from public.posts p where p.id = target.post_id for no key update;
  perform private.lock_user_counters(array(
    select n.user_id from public.notifications n where n.comment_id = target_comment_id
    union select n.user_id from public.comments c join public.notifications n on n.comment_id = c.id
          where c.parent_comment_id = target_comment_id));
  delete from public.comments c where c.id = target_comment_id;
end
$$;

-- Tips --------------------------------------------------------------------------------------------------------

-- Raises an error unless the caller may tip the creator.
create function private.require_can_tip(creator_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  creator public.profiles;
begin
  perform private.require_write();
  select * into creator from public.profiles p where p.id = creator_id;
  if not found or private.are_blocked(auth.uid(), creator_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator_id = auth.uid() then raise exception 'You can''t tip yourself.' using errcode = 'PT400'; end if;
  if not creator.is_creator then raise exception 'You can only tip creators.' using errcode = 'PT403'; end if;
  if not private.can_view_profile(creator_id) then
    raise exception 'You can''t view this profile.' using errcode = 'PT403';
  end if;
  if exists (select from public.accounts a where a.user_id = creator_id and a.read_only_reason is not null) then
    raise exception 'This creator can''t receive tips right now.' using errcode = 'PT403';
  end if;
end
$$;

-- Begins a tip from the caller and returns the id of the payment to settle. `amount` is in US dollars. The client
-- chooses `tip_id`: a repeated call returns the same payment.
create function private.begin_tip(
  tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text default null,
  tipped_post_id uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  existing public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('tips', uid, 30, '1 minute');
  perform private.lock_relation(uid, creator_id);
  select * into existing from public.payments p where p.id = tip_id;
  if found then
    if existing.kind <> 'tip' or existing.payer_id <> uid or existing.payee_id <> creator_id
       or existing.amount_cents <> amount * 100 then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return existing.id;
  end if;
  perform private.require_can_tip(creator_id);
  if amount not between 1 and 500 or amount <> round(amount, 2) then
    raise exception 'Please enter an amount between $1.00 and $500.00.' using errcode = 'PT400';
  end if;
  if tipped_post_id is not null and not exists (
    select from public.posts p where p.id = tipped_post_id and p.author_id = creator_id and p.hidden is null) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, provider, note, about_post_id)
  values (tip_id, 'tip', uid, creator_id, (amount * 100)::integer,
          private.platform_fee_cents((amount * 100)::integer), payment_provider, nullif(btrim(message), ''), tipped_post_id);
  return tip_id;
end
$$;

-- Subscribing -------------------------------------------------------------------------------------------------

-- Raises an error unless the caller may subscribe to the creator. The API also calls it to show an offer, and where
-- payments are off.
create function private.require_can_subscribe(creator_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  creator public.profiles;
begin
  perform private.require_write();
  select * into creator from public.profiles p where p.id = creator_id;
  if not found or private.are_blocked(auth.uid(), creator_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  if creator_id = auth.uid() then
    raise exception 'You can''t subscribe to yourself.' using errcode = 'PT400';
  end if;
  if not creator.is_creator then
    raise exception 'You can only subscribe to creators.' using errcode = 'PT403';
  end if;
  if not private.can_view_profile(creator_id) then
    raise exception 'You can''t view this profile.' using errcode = 'PT403';
  end if;
  if exists (select from public.accounts a where a.user_id = creator_id and a.read_only_reason is not null) then
    raise exception 'This creator can''t accept subscriptions right now.' using errcode = 'PT403';
  end if;
end
$$;

-- Begins the caller's subscription to a creator and returns the id of the payment to settle. A repeated call returns
-- the same payment. Returns null when there is nothing to pay because the caller is subscribed already; a cancelled
-- subscription is then resumed.
create function private.begin_subscription(creator_id uuid, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  subscription public.subscriptions;
  profile_count integer;
  payment_id uuid;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('subscriptions', uid, 30, '1 minute');
  perform private.lock_relation(uid, begin_subscription.creator_id);
  perform private.require_can_subscribe(begin_subscription.creator_id);
  select * into subscription from public.subscriptions s
  where s.subscriber_id = uid and s.creator_id = begin_subscription.creator_id and s.state <> 'ended' for update;
  if subscription.state = 'active' and not private.is_subscribed(uid, begin_subscription.creator_id) then
    -- Its time is over, but the renewals job has not ended it yet.
    perform private.end_subscription(subscription.id);
    subscription := null;
  end if;
  if subscription.state = 'active' then
    update public.subscriptions s set cancelled_at = null where s.id = subscription.id and s.cancelled_at is not null;
    return null;
  end if;
  if subscription.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents)
    values (uid, begin_subscription.creator_id, private.subscription_price_cents())
    returning * into subscription;
    -- A concurrent account deletion may have collected the subscriptions it ends before this row existed. Locking
    -- both profiles settles the race: either this waits for the deletion and finds a profile missing, or the deletion
    -- waits for this and ends the new row.
    perform from public.profiles p where p.id in (uid, begin_subscription.creator_id) order by p.id for key share;
    get diagnostics profile_count = row_count;
    if profile_count < 2 then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.subscription_id = subscription.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
    values ('subscription', uid, begin_subscription.creator_id, subscription.id, clock_timestamp(),
            subscription.price_cents, private.platform_fee_cents(subscription.price_cents), payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
end
$$;

-- Returns whether the caller sees the user's counts and the lists of followers and followed users.
create function private.can_view_profile_counts(target_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if target_user_id = auth.uid() or private.is_admin() then return true; end if;
  return private.can_view_profile(target_user_id)
     and exists (select from public.profiles p where p.id = target_user_id and p.show_follower_count);
end
$$;

-- Returns the details of a user that the caller may see; null where one is hidden or not set. The owner and admins
-- see all of them.
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

-- Records that the caller had posts on their screen. Uses the first 50 ids, and ignores posts that the caller may not
-- see and their own.
create function private.record_views(viewed_post_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  perform private.enforce_rate_limit('views', uid, 120, '1 minute');
  insert into private.post_views (viewer_id, post_id, hour)
  select uid, p.id, date_trunc('hour', now(), 'UTC')
  from (select distinct v.id from unnest(viewed_post_ids[1:50]) v(id)) viewed
  join public.posts p on p.id = viewed.id
  join private.viewable_profiles v on v.id = p.author_id
  where p.author_id <> uid and p.hidden is null
  -- A fixed order, so that two open pages of one user cannot deadlock.
  order by p.id
  on conflict do nothing;
end
$$;

-- Hides one of the caller's items, which they can restore for ten minutes. A read-only account may do this. An item
-- that the caller cannot see is not found.
create function private.delete_gallery_item(item_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owner_id uuid := (select g.user_id from public.gallery_items g where g.id = item_id);
begin
  perform private.require_session();
  if owner_id is distinct from auth.uid() then
    if owner_id is null or not private.can_view_profile(owner_id)
       or exists (select from public.gallery_items g where g.id = item_id and g.deleted_at is not null) then
      raise exception 'Not found' using errcode = 'PT404';
    end if;
    raise exception 'You can only delete your own items.' using errcode = 'PT403';
  end if;
  update public.gallery_items g set deleted_at = clock_timestamp() where g.id = item_id and g.deleted_at is null;
end
$$;

-- Editing ------------------------------------------------------------------------------------------------------
-- Rejects a caller who may not edit a post: with 404 if they cannot see it, with 403 if they did not write it or if
-- moderators hid it.
create function private.require_own_post(target_post_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  post_author_id uuid := (
    select p.author_id from public.posts p where p.id = target_post_id and p.hidden is distinct from 'removed');
begin
  perform private.require_write();
  if post_author_id is null or not private.can_view_profile(post_author_id)
     or (post_author_id <> auth.uid()
         and exists (select from public.posts p where p.id = target_post_id and p.hidden is not null)) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if post_author_id <> auth.uid() then
    raise exception 'Only the author can edit a post.' using errcode = 'PT403';
  end if;
  if exists (select from public.posts p where p.id = target_post_id and p.hidden is not null) then
    raise exception 'Moderators hid this post, so you can''t edit it.' using errcode = 'PT403';
  end if;
end
$$;

-- Edits one of the caller's own posts. Keys of `changes`: content, teaser, altText, premiumPrice,
-- includedInSubscription, product. Fields without a key keep their value; a product is replaced as a whole (name,
-- price, storeUrl, category).
create function private.edit_post(target_post_id uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old_post public.posts;
  old_premium public.premium_contents;
  new_content text;
  new_alt_text text;
begin
  perform private.require_own_post(target_post_id);
  select * into old_post from public.posts p where p.id = target_post_id for update;
  if not found then raise exception 'Post not found' using errcode = 'PT404'; end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  if not old_post.is_premium
     and (changes ? 'premiumPrice' or changes ? 'includedInSubscription' or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'Only premium posts can have a price or a teaser, or be included in subscriptions.'
      using errcode = 'PT400';
  end if;
  if old_post.product is null and changes ? 'product' then
    raise exception 'This post has no product.' using errcode = 'PT400';
  end if;
  select * into old_premium from public.premium_contents c where c.post_id = target_post_id;
  new_content := coalesce(changes ->> 'content', old_premium.content, old_post.content);
  new_alt_text := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                       else coalesce(old_premium.alt_text, old_post.alt_text) end;
  if private.is_blank(new_content) and old_post.product is not null then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if private.is_blank(new_content) and old_post.media_type is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if old_post.is_premium then
    update public.premium_contents c
    set content = new_content, alt_text = case when old_post.media_type is not null then new_alt_text end
    where c.post_id = target_post_id;
  end if;
  update public.posts p
  set content = case when old_post.is_premium then '' else new_content end,
      alt_text = case when not old_post.is_premium and old_post.media_type is not null then new_alt_text end,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else p.teaser end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, p.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, p.included_in_subscription),
      product = case when changes ? 'product' then private.validated_product(
                  changes #>> '{product,name}', (changes #>> '{product,price}')::numeric,
                  changes #>> '{product,storeUrl}', changes #>> '{product,category}') else p.product end,
      edited_at = clock_timestamp()
  where p.id = target_post_id;
end
$$;

-- Returns whether the caller may read the paid content of a post. A function instead of subqueries on posts and
-- unlocks, which would evaluate their policies: a page of the feed then pays for the check only for premium posts.
create function private.can_read_premium(target_post_id uuid, post_author_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if post_author_id is distinct from uid
     and not exists (select from public.unlocks u where u.user_id = uid and u.post_id = target_post_id)
     -- Most posts are not included in subscriptions, and need no look-up of the subscription.
     and not exists (select from public.posts p
                     where p.id = target_post_id and p.included_in_subscription
                       and private.is_subscribed(uid, post_author_id)) then
    return false;
  end if;
  -- The policies of posts do not apply in here, so `hidden` is checked again.
  if exists (select from public.posts p where p.id = target_post_id and p.hidden is not null
             and (p.hidden = 'removed' or post_author_id is distinct from uid)) then
    return false;
  end if;
  -- Having paid does not help a caller who can no longer view the author's profile.
  return private.can_view_profile(post_author_id);
end
$$;

-- Returns the price of a post for the caller in cents, or null if there is nothing to pay: the post is free, their
-- own, unlocked, or included in their subscription. Rejects a caller who cannot see the post, an author whose account
-- is read-only, and an `amount` (US dollars) that is not the current price.
create function private.unlock_price(target_post_id uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  target_post public.posts;
begin
  perform private.require_write();
  select * into target_post from public.posts p where p.id = target_post_id;
  if not found or not private.can_view_profile(target_post.author_id)
     or (target_post.hidden is not null
         and (target_post.hidden = 'removed' or target_post.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if private.has_paid_access(auth.uid(), target_post_id) then return null; end if;
  if exists (select from public.accounts a
             where a.user_id = target_post.author_id and a.read_only_reason is not null) then
    raise exception 'This post can''t be unlocked right now. Try again later.'
      using errcode = 'PT403', detail = 'payment_failed';
  end if;
  if amount is distinct from target_post.premium_price then
    raise exception 'The price of this post is now $%.', to_char(target_post.premium_price, 'FM990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  return (target_post.premium_price * 100)::integer;
end
$$;

-- Creates the caller's payment for a post and returns its id, or null if there is nothing to pay. `amount` is the
-- price in US dollars that the caller agreed to. Idempotent: returns the pending payment if there is one, updated to
-- that price. A checkout page that was opened for another price is replaced when the payment is charged.
create function private.begin_unlock(target_post_id uuid, amount numeric, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  price_cents integer;
  pending public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('unlocks', uid, 60, '1 minute');
  perform private.lock_post_purchase(uid, target_post_id);
  price_cents := private.unlock_price(target_post_id, amount);
  if price_cents is null then return null; end if;
  select * into pending from public.payments p
  where p.payer_id = uid and p.post_id = target_post_id and p.state = 'pending' for update;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider)
    select 'unlock', uid, p.author_id, target_post_id, price_cents, private.platform_fee_cents(price_cents),
           payment_provider
    from public.posts p where p.id = target_post_id
    returning * into pending;
  elsif pending.provider_reference is null then
    -- No provider has been asked for the money yet: start over with the current provider.
    update public.payments p
    set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents), provider = payment_provider,
        created_at = clock_timestamp()
    where p.id = pending.id;
  elsif pending.amount_cents <> price_cents then
    update public.payments p set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents)
    where p.id = pending.id;
  end if;
  return pending.id;
end
$$;

-- What account_search contains, computed from the accounts.
create view private.account_search_source as
  select p.id as user_id, p.created_at, p.is_creator, p.is_admin, a.approved_at is not null as is_approved,
         a.suspended_at is not null as is_suspended,
         p.search_text || ' ' || private.normalize_search(a.email) as words
  from public.profiles p join public.accounts a on a.user_id = p.id;

-- Refreshes the row of one user. The trigger's argument names the column with the user's id.
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

-- Searching -------------------------------------------------------------------------------------------------------

-- The profiles that the caller can find: the select policy of profiles, and of these only the ones in the directory,
-- the caller's own and those the caller has a conversation with.
create view private.directory_profiles as
  select p.*
  from public.profiles p
  where (p.id <> all ((select private.blocked_user_ids())::uuid[]) or (select private.is_admin()))
    and (p.show_in_directory or p.id = (select auth.uid()) or exists (
      select from public.conversation_members m where m.user_id = (select auth.uid()) and m.partner_id = p.id));

-- For the cleanup job.
create index rate_limits_window_start_idx on private.rate_limits (window_start);

create index spent_captchas_expires_at_idx on private.spent_captchas (expires_at);

-- Comments of a post, newest first.
create index comments_post_id_idx on public.comments (post_id, created_at desc, id desc)
  where parent_comment_id is null;

-- For the deletion of a post, which also deletes the replies.
create index comments_post_id_all_idx on public.comments (post_id);

-- Replies to a comment, oldest first.
create index comments_parent_comment_id_idx on public.comments (parent_comment_id, created_at, id);

create index comments_author_id_idx on public.comments (author_id, created_at desc);

-- For the jobs that count recent comments (trending, analytics).
create index comments_created_at_idx on public.comments (created_at);

create index post_tags_tag_idx on public.post_tags (tag, created_at desc, post_id desc);

-- For the job that counts trending topics.
create index post_tags_created_at_idx on public.post_tags (created_at);

create index post_tags_author_id_idx on public.post_tags (author_id);

create index creator_scores_score_idx on private.creator_scores (score desc, user_id);

create index conversations_user_high_idx on public.conversations (user_high);

create index messages_reply_to_id_idx on public.messages (reply_to_id) where reply_to_id is not null;

-- The policy on media finds the message that an image belongs to.
create unique index messages_media_id_key on public.messages (media_id) where media_id is not null;

create index messages_changes_idx on public.messages (conversation_id, version) where version > 0;

-- Covers both conditions of a search, the user and the text: a word that is frequent on the whole platform costs no
-- more than a rare one.
create index messages_search_idx on public.messages
  using gin ((array[sender_id, receiver_id]), search_text extensions.gin_trgm_ops);

create index messages_sender_id_idx on public.messages (sender_id, created_at desc, id desc);

create index messages_receiver_id_idx on public.messages (receiver_id, created_at desc, id desc);

create index conversation_members_conversation_id_idx on public.conversation_members (conversation_id, user_id);

create index conversation_members_partner_id_idx on public.conversation_members (partner_id);

create index conversation_members_list_idx on public.conversation_members
  (user_id, last_message_at desc, partner_id desc);

create index conversation_members_unread_idx on public.conversation_members (user_id) where unread_count > 0;

-- For private.claim_due_digests.
create index conversation_members_waiting_idx on public.conversation_members (unread_since)
  where unread_since is not null;

create index notifications_user_id_idx on public.notifications (user_id, created_at desc, id desc);

create index notifications_heads_idx on public.notifications (user_id, created_at desc, id desc) where is_head;

create index notifications_unread_idx on public.notifications (user_id) where read_at is null;

-- Finds the group that a new notification joins. `coalesce` compares the post as one value in either case: otherwise
-- an index that covers only a part of the conditions could look cheaper to the planner.
create index notifications_unread_heads_idx on public.notifications
  (user_id, kind, coalesce(post_id, '00000000-0000-0000-0000-000000000000'), created_at desc)
  where read_at is null and is_head;

create index notifications_group_id_idx on public.notifications (group_id, created_at desc, id desc);

create index notifications_group_actor_idx on public.notifications (group_id, actor_id);

create index notifications_actor_id_idx on public.notifications (actor_id);

create index notifications_post_id_idx on public.notifications (post_id);

create index notifications_comment_id_idx on public.notifications (comment_id) where comment_id is not null;

create index notifications_message_id_idx on public.notifications (message_id) where message_id is not null;

-- For private.claim_due_digests.
create index notifications_waiting_idx on public.notifications (created_at) where read_at is null;

-- One notification per cause, except for the kinds that may happen repeatedly.
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id, message_id) nulls not distinct
  where kind not in ('sign_in', 'admin', 'tip', 'subscription', 'payout', 'creator_pro', 'moderation', 'report',
                     'auto_post');

create index notification_withdrawals_actor_id_idx on private.notification_withdrawals (actor_id);

create index notification_withdrawals_since_idx on private.notification_withdrawals (since);

create index payments_payer_id_idx on public.payments (payer_id, created_at desc);

create index payments_payee_id_idx on public.payments (payee_id, created_at desc) where payee_id is not null;

create index payments_subscription_id_idx on public.payments (subscription_id);

create index payments_plan_id_idx on public.payments (plan_id) where plan_id is not null;

create unique index payments_provider_reference_key on public.payments (provider, provider_reference);

-- A payer has at most one pending and one paid payment for a post.
create unique index payments_pending_key on public.payments (payer_id, post_id) where state = 'pending';

create unique index payments_paid_key on public.payments (payer_id, post_id) where state = 'paid';

-- A period is paid once.
create unique index payments_period_key on public.payments (subscription_id, period_start)
  where state in ('pending', 'paid');

create unique index payments_plan_period_key on public.payments (plan_id, period_start)
  where state in ('pending', 'paid') and plan_id is not null;

-- The queue of private.due_refunds, least recently attempted first.
create index payments_due_refunds_idx on public.payments (coalesce(refund_attempted_at, settled_at))
  where state = 'void' and provider = 'stripe' and provider_reference is not null and refunded_at is null;

create unique index payment_customers_reference_key on private.payment_customers (provider, reference);

create index payment_events_received_at_idx on private.payment_events (received_at);

create index ledger_transactions_payment_id_idx on public.ledger_transactions (payment_id);

-- A payment is booked once and refunded once.
create unique index ledger_transactions_once_key on public.ledger_transactions (payment_id, kind);

-- Each step of a payout is booked once.
create unique index ledger_transactions_payout_key on public.ledger_transactions (payout_id, kind);

create index ledger_transactions_user_id_idx on public.ledger_transactions (user_id, created_at desc, id desc)
  where user_id is not null;

create index ledger_transactions_kind_idx on public.ledger_transactions (user_id, kind, created_at desc, id desc)
  where user_id is not null;

-- For private.pending_balance_cents.
create index ledger_transactions_clears_at_idx on public.ledger_transactions (user_id, clears_at)
  include (net_cents) where user_id is not null;

create index ledger_entries_transaction_id_idx on public.ledger_entries (transaction_id);

create index ledger_entries_user_id_idx on public.ledger_entries (user_id, id desc) where user_id is not null;

-- At most one current subscription for each pair.
create unique index subscriptions_live_key on public.subscriptions (subscriber_id, creator_id) where state <> 'ended';

create index subscriptions_subscriber_id_idx on public.subscriptions (subscriber_id, created_at desc, id desc);

create index subscriptions_creator_id_idx on public.subscriptions (creator_id, created_at desc, id desc);

-- For renewals.
create index subscriptions_period_end_idx on public.subscriptions (period_end) where state = 'active';

-- For analytics: new subscriptions by day.
create index subscriptions_started_at_idx on public.subscriptions (started_at) where started_at is not null;

create unique index subscriptions_provider_reference_key on public.subscriptions (provider_reference);

-- For private.unsynced_subscriptions.
create index subscriptions_unsynced_idx on public.subscriptions (id)
  where provider_reference is not null and provider_state <> 'ended';

-- At most one current plan for each user.
create unique index creator_plans_live_key on public.creator_plans (user_id) where state <> 'ended';

create index creator_plans_user_id_idx on public.creator_plans (user_id, created_at desc);

-- For renewals.
create index creator_plans_period_end_idx on public.creator_plans (period_end) where state = 'active';

create unique index creator_plans_provider_reference_key on public.creator_plans (provider_reference);

-- For private.unsynced_subscriptions.
create index creator_plans_unsynced_idx on public.creator_plans (id)
  where provider_reference is not null and provider_state <> 'ended';

create unique index profiles_username_key on public.profiles (lower(username));

-- User search: in order of sign-up, anywhere in the text, usernames and names that start with the query, and words.
create index profiles_created_at_idx on public.profiles (created_at, id);

create index profiles_search_idx on public.profiles using gin (search_text extensions.gin_trgm_ops);

create index profiles_search_username_idx on public.profiles ((lower(username) collate "C"));

create index profiles_search_name_idx on public.profiles ((search_name collate "C"), id);

create index profiles_search_words_idx on public.profiles using gin (search_words);

-- Lookalike usernames, queried at every registration. Only creators and admins are worth impersonating.
create index profiles_lookalikes_idx on public.profiles (private.name_skeleton(username))
  where is_creator or is_admin;

-- Featured creators in order of sign-up.
create index profiles_featured_idx on public.profiles (created_at, id)
  where is_creator and content_discoverable and visibility <> 'private';

create index reserved_usernames_plain_idx on private.reserved_usernames (replace(name, '_', ''));

create index reserved_usernames_skeleton_idx on private.reserved_usernames (private.name_skeleton(name))
  where lookalikes;

create index payout_methods_user_id_idx on public.payout_methods (user_id, created_at);

create unique index payout_methods_default_key on public.payout_methods (user_id) where is_default;

-- For the payout job.
create index payout_schedules_next_at_idx on public.payout_schedules (next_at) where weekly;

create index payouts_user_id_idx on public.payouts (user_id, created_at desc, id desc);

-- For the list of payouts that an admin has to settle.
create index payouts_requested_idx on public.payouts (created_at desc, id desc) where state = 'requested';

create index payouts_created_at_idx on public.payouts (created_at desc, id desc);

create index post_views_uncounted_idx on private.post_views (hour) where not counted;

-- For the removal of past hours.
create index post_views_hour_idx on private.post_views (hour);

create index post_days_author_id_idx on public.post_days (author_id, day) include (post_id, views);

create index creator_days_day_idx on public.creator_days (day);

create index account_search_created_at_idx on private.account_search (created_at desc, user_id desc);

create index account_search_creators_idx on private.account_search (created_at desc, user_id desc) where is_creator;

create index account_search_admins_idx on private.account_search (created_at desc, user_id desc) where is_admin;

create index account_search_suspended_idx on private.account_search (created_at desc, user_id desc)
  where is_suspended;

create index account_search_unapproved_idx on private.account_search (created_at desc, user_id desc)
  where not is_approved and not is_admin;

create index account_search_words_idx on private.account_search using gin (words extensions.gin_trgm_ops);

-- One open case per subject.
create unique index moderation_cases_open_key on public.moderation_cases (kind, subject_id) where state = 'open';

create unique index moderation_cases_request_key on public.moderation_cases (decided_by, request_id)
  where request_id is not null;

create index moderation_cases_state_idx on public.moderation_cases (state, moved_at desc, id desc);

create index moderation_cases_moved_at_idx on public.moderation_cases (moved_at desc, id desc);

create index moderation_cases_user_id_idx on public.moderation_cases (user_id, decided_at desc, id desc);

create index moderation_cases_subject_idx on public.moderation_cases (kind, subject_id);

create index moderation_cases_media_ids_idx on public.moderation_cases using gin (media_ids);

-- For the maintenance job.
create index moderation_cases_hid_idx on public.moderation_cases (decided_at)
  where hid and state in ('decided', 'closed');

create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc, id desc);

create index hidden_messages_media_id_idx on private.hidden_messages (media_id) where media_id is not null;

create index hidden_messages_reply_to_id_idx on private.hidden_messages (reply_to_id) where reply_to_id is not null;

create index audit_entries_target_id_idx on public.audit_entries (target_id, id desc) where target_id is not null;

create index audit_entries_actor_id_idx on public.audit_entries (actor_id, id desc);

-- For the filters of the audit page.
create index audit_entries_action_idx on public.audit_entries (action, id desc);

create index audit_entries_created_at_idx on public.audit_entries (created_at);

create index auto_posting_settings_enabled_idx on private.auto_posting_settings (user_id) where enabled;

create index auto_post_slots_due_idx on private.auto_post_slots (due_at) where state in ('planned', 'running');

create index auto_post_slots_day_idx on private.auto_post_slots (day);

create index auto_post_runs_started_at_idx on public.auto_post_runs (started_at desc, id desc);

create index auto_post_runs_user_id_idx on public.auto_post_runs (user_id, started_at desc, id desc);

create index auto_post_runs_counted_on_idx on public.auto_post_runs (counted_on);

create index auto_post_runs_running_idx on public.auto_post_runs (started_at) where outcome is null;

create index auto_post_drafts_user_id_idx on public.auto_post_drafts (user_id, created_at desc, id desc);

create index auto_post_drafts_waiting_idx on public.auto_post_drafts (created_at) where state = 'waiting';

-- For the reverse lookup of most checks: who has blocked this user?
create index blocks_blocked_id_idx on public.blocks (blocked_id, blocker_id);

-- Lists of followers and of followed users, latest first.
create index follows_followee_id_idx on public.follows (followee_id, created_at desc, follower_id desc);

create index follows_follower_id_idx on public.follows (follower_id, created_at desc, followee_id desc);

-- Analytics count the follows of a day over all creators.
create index follows_created_at_idx on public.follows (created_at);

create index follow_requests_followee_id_idx on public.follow_requests (followee_id, created_at desc);

create unique index accounts_email_key on public.accounts (lower(email));

create index accounts_suspended_until_idx on public.accounts (suspended_until) where suspended_until is not null;

-- For the cleanup job.
create index password_reset_claims_claimed_at_idx on private.password_reset_claims (claimed_at);

create index media_owner_id_idx on public.media (owner_id, created_at desc);

create index file_deletion_queue_due_at_idx on private.file_deletion_queue (due_at);

create index orphaned_media_due_idx on private.orphaned_media (due);

-- An upload is in the gallery at most once.
create unique index gallery_items_media_id_key on public.gallery_items (media_id);

-- A user's gallery, latest first.
create index gallery_items_user_id_idx on public.gallery_items (user_id, created_at desc, id desc)
  where deleted_at is null;

-- For the job that deletes the rows.
create index gallery_items_deleted_at_idx on public.gallery_items (deleted_at) where deleted_at is not null;

-- Every feed is a range scan of one of these two indexes.
create index posts_created_at_idx on public.posts (created_at desc, id desc);

create index posts_author_id_idx on public.posts (author_id, created_at desc, id desc);

-- An upload belongs to one post. The policies of media look posts up by these.
create unique index posts_media_id_key on public.posts (media_id);

create unique index posts_poster_id_key on public.posts (poster_id);

create index likes_user_id_idx on public.likes (user_id, created_at desc);

-- For the jobs that count recent likes (trending, analytics).
create index likes_created_at_idx on public.likes (created_at);

create index saves_user_id_idx on public.saves (user_id, created_at desc);

-- For the job that counts recent saves (trending).
create index saves_created_at_idx on public.saves (created_at);

-- An upload belongs to one post. The policies of media look posts up by these.
create unique index premium_contents_media_id_key on public.premium_contents (media_id);

create unique index premium_contents_poster_id_key on public.premium_contents (poster_id);

create index premium_contents_author_id_idx on public.premium_contents (author_id);

create index unlocks_post_id_idx on public.unlocks (post_id);

create index unlocks_payment_id_idx on public.unlocks (payment_id);

-- For the job that counts recent unlocks (trending).
create index unlocks_created_at_idx on public.unlocks (created_at);

create trigger before_comment_insert before insert on public.comments
  for each row execute function private.before_comment_insert();

create trigger check_comment_target_visible before insert on public.comments
  for each row execute function private.check_comment_target_visible();

-- 30 per minute, shared with posts.
create trigger limit_comments before insert on public.comments
  for each row execute function private.limit_writes('posts', '30');

create trigger reject_reused_id before insert on public.comments
  for each row execute function private.reject_reused_id('comment');

create trigger on_comment_created after insert on public.comments
  for each row execute function private.on_comment_changed();

-- private.on_comment_hidden has already subtracted a hidden comment.
create trigger on_comment_deleted after delete on public.comments
  for each row when (old.hidden is null) execute function private.on_comment_changed();

create trigger on_post_text_changed after insert or update of content, teaser on public.posts
  for each row when (new.hidden is null) execute function private.on_post_text_changed();

create trigger before_message_insert before insert on public.messages
  for each row execute function private.before_message_insert();

create trigger on_message_created after insert on public.messages
  for each row execute function private.on_message_created();

create trigger on_notifications_read after update on public.notifications
  referencing old table as before new table as after
  for each statement execute function private.on_notifications_read();

create trigger on_notifications_deleted after delete on public.notifications
  referencing old table as before
  for each statement execute function private.on_notifications_deleted();

create trigger on_account_restricted after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_account_restricted();

create trigger ledger_is_append_only before update or delete on public.ledger_entries
  for each row execute function private.reject_append_only_change();

create trigger ledger_is_not_truncated before truncate on public.ledger_entries
  for each statement execute function private.reject_append_only_change();

create trigger ledger_is_append_only before update or delete on public.ledger_transactions
  for each row execute function private.reject_append_only_change();

create trigger ledger_is_not_truncated before truncate on public.ledger_transactions
  for each statement execute function private.reject_append_only_change();

create trigger require_open_ledger_transaction before insert on public.ledger_entries
  for each row execute function private.require_open_ledger_transaction();

-- Both are deferred to commit, when all entries exist. The transaction is checked because it may have no entries at
-- all; each entry is checked because it may be inserted after `set constraints immediate` ran the check early.
create constraint trigger check_ledger_balance after insert on public.ledger_transactions
  deferrable initially deferred for each row execute function private.check_ledger_balance('id');

create constraint trigger check_ledger_balance after insert on public.ledger_entries
  deferrable initially deferred for each row execute function private.check_ledger_balance('transaction_id');

create trigger on_subscription_changed after insert or update of state, period_end, cancelled_at on public.subscriptions
  for each row execute function private.on_subscription_changed();

create trigger on_block_subscriptions after insert on public.blocks
  for each row execute function private.on_block_subscriptions();

create trigger on_profile_deleted_subscriptions after delete on public.profiles
  for each row execute function private.on_profile_deleted_subscriptions();

create trigger on_creator_plan_changed after insert or update of state, period_end, cancelled_at on public.creator_plans
  for each row execute function private.on_creator_plan_changed();

create trigger on_profile_deleted_plan after delete on public.profiles
  for each row execute function private.on_profile_deleted_plan();

create trigger limit_settings before update on public.profiles
  for each row execute function private.limit_writes('settings', '30');

create trigger limit_user_settings before update on public.user_settings
  for each row execute function private.limit_writes('settings', '30');

create trigger on_user_created after insert on auth.users
  for each row execute function private.on_user_created();

create trigger on_profile_created after insert on public.profiles
  for each row execute function private.on_profile_created();

create trigger check_names before insert or update of username, full_name, first_name, last_name on public.profiles
  for each row execute function private.check_names();

create trigger on_profile_changed after update on public.profiles
  for each row when (old.* is distinct from new.*) execute function private.on_profile_changed();

create trigger on_profile_details_changed after update on public.profile_details
  for each row when (old.* is distinct from new.*) execute function private.broadcast_profile_changed();

create trigger on_profile_about_changed after update on public.profile_about
  for each row when (old.* is distinct from new.*) execute function private.broadcast_profile_changed();

create trigger on_user_settings_changed after update on public.user_settings
  for each row when (old.* is distinct from new.*) execute function private.on_user_settings_changed();

create trigger enqueue_profile_image_deletion after delete on public.profiles
  for each row when (old.profile_image_url is not null)
  execute function private.enqueue_profile_file_deletion('profile_image_url');

create trigger enqueue_background_image_deletion after delete on public.profile_details
  for each row when (old.background_image_url is not null)
  execute function private.enqueue_profile_file_deletion('background_image_url');

create trigger on_profile_deleted_payouts after delete on public.profiles
  for each row execute function private.on_profile_deleted_payouts();

create trigger on_profile_deleted_views after delete on public.profiles
  for each row execute function private.on_profile_deleted_views();

create trigger refresh_account_search after update on public.profiles
  for each row when ((old.created_at, old.is_creator, old.is_admin, old.search_text)
                     is distinct from (new.created_at, new.is_creator, new.is_admin, new.search_text))
  execute function private.refresh_account_search('id');

create trigger refresh_account_search after insert or update of email, approved_at, suspended_at on public.accounts
  for each row execute function private.refresh_account_search('user_id');

create trigger on_post_hidden after update of hidden on public.posts
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_post_hidden();

create trigger on_comment_hidden after update of hidden on public.comments
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_comment_hidden();

create trigger on_profile_deleted_cases after delete on public.profiles
  for each row execute function private.on_profile_deleted_cases();

create trigger audit_is_append_only before update or delete on public.audit_entries
  for each row execute function private.reject_append_only_change();

create trigger audit_is_not_truncated before truncate on public.audit_entries
  for each statement execute function private.reject_append_only_change();

create trigger before_follow_insert before insert on public.follows
  for each row execute function private.before_follow_insert();

create trigger before_follow_request_insert before insert on public.follow_requests
  for each row execute function private.before_follow_insert();

create trigger on_follow_changed after insert or delete on public.follows
  for each row execute function private.on_follow_changed();

create trigger on_follow_request_changed after insert or delete on public.follow_requests
  for each row execute function private.on_follow_request_changed();

create trigger before_block_insert before insert on public.blocks
  for each row execute function private.before_block_insert();

create trigger on_block_created after insert on public.blocks
  for each row execute function private.on_block_created();

create trigger on_block_changed after insert or delete on public.blocks
  for each row execute function private.on_block_changed();

create trigger on_user_email_changed after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function private.on_user_email_changed();

create trigger strip_user_metadata before update of raw_user_meta_data, email on auth.users
  for each row execute function private.strip_user_metadata();

-- Triggers run in the order of their names: this one after on_user_created, which reads the metadata.
create trigger strip_new_user_metadata after insert on auth.users
  for each row execute function private.strip_new_user_metadata();

create trigger on_require_approval_changed after insert or update on private.settings
  for each row when (new.key = 'require_approval') execute function private.on_require_approval_changed();

create trigger on_account_created after insert on public.accounts
  for each row execute function private.on_restriction_cause_changed('user_id');

create trigger on_account_suspended
  after update of approved_at, suspended_at, suspended_until, suspension_reason on public.accounts
  for each row execute function private.on_restriction_cause_changed('user_id');

create trigger on_age_changed after update of age on public.profile_about
  for each row when (old.age is distinct from new.age)
  execute function private.on_restriction_cause_changed('user_id');

create trigger on_admin_changed after update of is_admin on public.profiles
  for each row when (old.is_admin is distinct from new.is_admin)
  execute function private.on_restriction_cause_changed('id');

create trigger on_restriction_changed after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_restriction_changed();

create trigger reject_banned_email before insert on auth.users
  for each row execute function private.reject_banned_email();

create trigger on_suspended_account_deleted after delete on public.accounts for each row
  when (old.suspended_at is not null and (old.suspended_until is null or old.suspended_until > clock_timestamp()))
  execute function private.on_suspended_account_deleted();

create trigger on_email_change after insert or update or delete on private.email_changes
  for each row execute function private.on_email_change();

create trigger before_user_deleted before delete on auth.users
  for each row execute function private.before_user_deleted();

create trigger before_profile_deleted before delete on public.profiles
  for each row execute function private.before_profile_deleted();

create trigger enqueue_upload_check after insert on public.media
  for each row execute function private.enqueue_upload_check();

create trigger enqueue_orphan_check after delete on public.posts for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.enqueue_orphan_check();

create trigger enqueue_orphan_check after delete on public.premium_contents for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.enqueue_orphan_check();

create trigger enqueue_file_deletion after delete on public.media
  for each row execute function private.enqueue_file_deletion();

create trigger enqueue_gallery_orphan_check after delete on public.gallery_items
  for each row execute function private.enqueue_gallery_orphan_check();

create trigger before_post_insert before insert on public.posts
  for each row execute function private.before_post_insert();

-- 30 per minute, shared with comments and edits.
create trigger limit_posts before insert on public.posts
  for each row execute function private.limit_writes('posts', '30');

create trigger reject_reused_id before insert on public.posts
  for each row execute function private.reject_reused_id('post');

create trigger on_post_created after insert on public.posts
  for each row execute function private.on_post_changed();

-- private.on_post_hidden has already subtracted a hidden post.
create trigger on_post_deleted after delete on public.posts
  for each row when (old.hidden is null) execute function private.on_post_changed();

create trigger before_post_deleted before delete on public.posts
  for each row execute function private.before_post_deleted();

-- 120 per minute, shared with follows.
create trigger limit_likes before insert on public.likes
  for each row execute function private.limit_writes('relations', '120');

create trigger on_like_changed after insert or delete on public.likes
  for each row execute function private.on_like_changed();

create trigger check_premium_author before insert or update of post_id, author_id on public.premium_contents
  for each row execute function private.check_premium_author();

-- Requires an active session.
create policy comments_active_session on public.comments as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see comments on posts that they can see and have paid access to, but not those of users in a block with them.
create policy comments_select on public.comments for select to authenticated
  using (
    (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid())))
    and (author_id is null or author_id <> all ((select private.blocked_user_ids())::uuid[]))
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.is_subscribed_to(p.author_id))))
  );

-- Visitors see comments on free posts that they can see.
create policy comments_select_anon on public.comments for select to anon
  using (hidden is null and (select true from public.posts p where p.id = post_id and not p.is_premium));

-- Users with write access comment on posts that they can see and have paid access to.
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.can_write())
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.is_subscribed_to(p.author_id))))
  );

-- Requires an active session.
create policy post_tags_active_session on public.post_tags as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who can see the post sees its tags.
create policy post_tags_select on public.post_tags for select to anon, authenticated
  using ((select true from public.posts p where p.id = post_id));

-- Requires an active session.
create policy conversations_active_session on public.conversations as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own conversations.
create policy conversations_select on public.conversations for select to authenticated
  using (user_low = (select auth.uid()) or user_high = (select auth.uid()));

-- Requires an active session.
create policy messages_active_session on public.messages as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see the messages that they sent or received.
create policy messages_select on public.messages for select to authenticated
  using (sender_id = (select auth.uid()) or receiver_id = (select auth.uid()));

-- Users send as themselves, and only to users whom they may message.
create policy messages_insert on public.messages for insert to authenticated
  with check (sender_id = (select auth.uid()) and private.message_refusal(receiver_id) is null);

-- Requires an active session.
create policy conversation_members_active_session on public.conversation_members as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own row, and their partner's row, which shows how far the partner has read; not within a block.
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (
    user_id = (select auth.uid())
    or (partner_id = (select auth.uid()) and user_id <> all ((select private.blocked_user_ids())::uuid[]))
  );

-- Requires an active session.
create policy user_counters_active_session on public.user_counters as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own counters.
create policy user_counters_select on public.user_counters for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy notifications_active_session on public.notifications as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own notifications.
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()));

-- Policies ---------------------------------------------------------------------------------------------------------
-- Requires an active session.
create policy ovation_active_session on realtime.messages as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users receive events on their own topic and on those of conversations that they may join.
create policy ovation_select on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.can_read_topic((select realtime.topic()))));

-- Users broadcast in conversations in which they have sent a message.
create policy ovation_insert on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence')
              and (select private.can_broadcast_to_conversation((select realtime.topic()))));

-- Requires an active session.
create policy payments_active_session on public.payments as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Payers see their own payments. Creators see their sales through private.own_sale, which hides blocked payers.
create policy payments_select on public.payments for select to authenticated
  using (payer_id = (select auth.uid()));

-- Requires an active session.
create policy ledger_transactions_active_session on public.ledger_transactions as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see the transactions that change their own balance.
create policy ledger_transactions_select on public.ledger_transactions for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy ledger_entries_active_session on public.ledger_entries as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see the entries of their own account.
create policy ledger_entries_select on public.ledger_entries for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy creator_balances_active_session on public.creator_balances as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own balance.
create policy creator_balances_select on public.creator_balances for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy earning_days_active_session on public.earning_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own earnings.
create policy earning_days_select on public.earning_days for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy subscriptions_active_session on public.subscriptions as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Subscribers see their subscriptions; creators see theirs once the first month is paid.
create policy subscriptions_select on public.subscriptions for select to authenticated
  using (subscriber_id = (select auth.uid()) or (creator_id = (select auth.uid()) and state <> 'pending'));

-- Requires an active session.
create policy creator_plans_active_session on public.creator_plans as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see their own plans.
create policy creator_plans_select on public.creator_plans for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy profiles_active_session on public.profiles as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody except users in a block with the owner; admins read all.
create policy profiles_select on public.profiles for select to anon, authenticated
  using (id <> all ((select private.blocked_user_ids())::uuid[]) or (select private.is_admin()));

-- Users update their own profile while they can write.
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()) and (select private.can_write()));

-- Requires an active session.
create policy profile_details_active_session on public.profile_details as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody who can view the profile.
create policy profile_details_select on public.profile_details for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = user_id));

-- Requires an active session.
create policy profile_counts_active_session on public.profile_counts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everybody who can view the profile, unless the owner hides the counts.
create policy profile_counts_select on public.profile_counts for select to anon, authenticated
  using (private.can_view_profile_counts(user_id));

-- Requires an active session.
create policy profile_about_active_session on public.profile_about as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The owner and admins.
create policy profile_about_select on public.profile_about for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Requires an active session.
create policy user_settings_active_session on public.user_settings as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The owner.
create policy user_settings_select on public.user_settings for select to authenticated
  using (user_id = (select auth.uid()));

-- The owner, even with a read-only account.
create policy user_settings_update on public.user_settings for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Requires an active session.
create policy payout_methods_active_session on public.payout_methods as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own methods.
create policy payout_methods_select on public.payout_methods for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy payout_schedules_active_session on public.payout_schedules as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own schedule.
create policy payout_schedules_select on public.payout_schedules for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy payouts_active_session on public.payouts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own payouts, admins read all.
create policy payouts_select on public.payouts for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Requires an active session.
create policy creator_goals_active_session on public.creator_goals as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own goals.
create policy creator_goals_select on public.creator_goals for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy post_days_active_session on public.post_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Authors see the counts of their own posts.
create policy post_days_select on public.post_days for select to authenticated
  using (author_id = (select auth.uid()));

-- Requires an active session.
create policy creator_days_active_session on public.creator_days as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own counts.
create policy creator_days_select on public.creator_days for select to authenticated
  using (creator_id = (select auth.uid()));

-- Requires an active session.
create policy creator_hours_active_session on public.creator_hours as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators see their own counts.
create policy creator_hours_select on public.creator_hours for select to authenticated
  using (creator_id = (select auth.uid()));

-- Requires an active session.
create policy moderation_cases_active_session on public.moderation_cases as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read the decisions about them, except dismissals. Admins read all cases.
create policy moderation_cases_select on public.moderation_cases for select to authenticated
  using ((user_id = (select auth.uid()) and state <> 'open' and decision <> 'dismiss')
    or (select private.is_admin()));

-- Requires an active session.
create policy reports_active_session on public.reports as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own reports, admins read all.
create policy reports_select on public.reports for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));

-- Requires an active session.
create policy audit_entries_active_session on public.audit_entries as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Only admins read the log.
create policy audit_entries_select on public.audit_entries for select to authenticated
  using ((select private.is_admin()));

-- Requires an active session.
create policy auto_post_runs_active_session on public.auto_post_runs as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators read their own runs, admins read all.
create policy auto_post_runs_select on public.auto_post_runs for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Requires an active session.
create policy auto_post_drafts_active_session on public.auto_post_drafts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Creators read their own drafts; admins do not.
create policy auto_post_drafts_select on public.auto_post_drafts for select to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy blocks_active_session on public.blocks as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The blocked user cannot see the block.
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (select auth.uid()) or (select private.is_admin()));

-- Users of a read-only account may still protect themselves: blocking only needs an active session.
create policy blocks_insert on public.blocks for insert to authenticated
  with check (blocker_id = (select auth.uid()));

create policy blocks_delete on public.blocks for delete to authenticated
  using (blocker_id = (select auth.uid()));

create policy follows_active_session on public.follows as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Both users see the row. Lists of other users come from private.list_follows, which checks their privacy.
create policy follows_select on public.follows for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Only public profiles can be followed without a request. The subquery runs under the policy of profiles, which hides
-- users in a block with the caller.
create policy follows_insert on public.follows for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.can_write())
    and (select p.visibility = 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
  );

-- The follower unfollows; the followee removes a follower. A read-only account may do both.
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

create policy follow_requests_active_session on public.follow_requests as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

create policy follow_requests_select on public.follow_requests for select to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Only for profiles that are not public, and not for users whom the caller already follows.
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (
    follower_id = (select auth.uid()) and (select private.can_write())
    and (select p.visibility <> 'public' from public.profiles p where p.id = followee_id)
    and not private.are_blocked(follower_id, followee_id)
    and not exists (select from public.follows f where f.follower_id = follow_requests.follower_id
                                                   and f.followee_id = follow_requests.followee_id)
  );

-- The follower cancels the request; the followee declines it.
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (follower_id = (select auth.uid()) or followee_id = (select auth.uid()));

-- Requires an active session.
create policy accounts_active_session on public.accounts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

create policy accounts_select on public.accounts for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Requires an active session.
create policy media_active_session on public.media as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The subqueries of both policies run under the policies of their tables: a file is visible if the viewer sees
-- something that refers to it.
create policy media_select_anon on public.media for select to anon
  using (exists (select from public.posts p where p.media_id = media.id)
         or exists (select from public.posts p where p.poster_id = media.id)
         or exists (select from public.gallery_items g where g.media_id = media.id));

-- Owners see their uploads, and admins see the media of moderation cases.
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
    or exists (select from public.messages m where m.media_id = media.id)
    or exists (select from public.gallery_items g where g.media_id = media.id)
    or ((select private.is_admin())
        and exists (select from public.moderation_cases c where c.media_ids @> array[media.id]))
  );

-- Requires an active session.
create policy gallery_items_active_session on public.gallery_items as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who may view the profile sees its gallery.
create policy gallery_items_select on public.gallery_items for select to anon, authenticated
  using (deleted_at is null and (select true from private.viewable_profiles v where v.id = user_id));

-- Requires an active session.
create policy posts_active_session on public.posts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who may view the author's profile sees the post, unless moderators hid it.
create policy posts_select on public.posts for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = author_id)
         and (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid()))));

-- Users with write access publish their own text posts.
create policy posts_insert on public.posts for insert to authenticated
  with check (author_id = (select auth.uid()) and (select private.can_write()) and not private.is_blank(content));

-- Authors delete their own posts, even from a read-only account.
create policy posts_delete on public.posts for delete to authenticated
  using (author_id = (select auth.uid()));

-- Requires an active session.
create policy likes_active_session on public.likes as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see only their own likes.
create policy likes_select on public.likes for select to authenticated
  using (user_id = (select auth.uid()));

-- Users like only posts that they can see: the policies of posts apply to the subquery.
create policy likes_insert on public.likes for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.can_write())
              and (select true from public.posts p where p.id = post_id));

-- Users remove their own likes.
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy saves_active_session on public.saves as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see only their own saves.
create policy saves_select on public.saves for select to authenticated
  using (user_id = (select auth.uid()));

-- Users save only posts that they can see: the policies of posts apply to the subquery.
create policy saves_insert on public.saves for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.can_write())
              and (select true from public.posts p where p.id = post_id));

-- Users remove their own saves.
create policy saves_delete on public.saves for delete to authenticated
  using (user_id = (select auth.uid()));

-- Requires an active session.
create policy premium_contents_active_session on public.premium_contents as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The author and everyone with paid access read the content.
create policy premium_contents_select on public.premium_contents for select to authenticated
  using (private.can_read_premium(post_id, author_id));

-- Requires an active session.
create policy unlocks_active_session on public.unlocks as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Buyers see their own unlocks.
create policy unlocks_select on public.unlocks for select to authenticated
  using (user_id = (select auth.uid()));

comment on table private.settings is
  'Settings of this installation: rate_limits, require_approval, creator_pro_billing (booleans), platform_fee_percent (number), address_salt (text), banned_words (array), auto_posting (object).';

comment on column public.conversations.last_change is 'Number of the latest change (edit, deletion or reaction).';

comment on column public.messages.version is
  'Number of the latest change to this message within the conversation; 0 if it never changed.';

comment on table public.conversation_members is
  'One row per user and conversation: list order, read position and unread count.';

comment on table public.user_counters is 'Unread counts, kept up to date in the transaction that changes them.';

comment on table public.payments is
  'Begun by the payer, settled by the payments port once the provider confirms the money.';

comment on table public.ledger_entries is
  'amount_cents is what an account receives (positive) or gives (negative). A transaction''s entries add up to 0.';

comment on table public.creator_balances is
  'What the platform owes a creator: the sum of net_cents of their ledger transactions.';

comment on table public.earning_days is 'What a creator sold on a day, less what was refunded on that day.';

comment on table public.profiles is
  'Name, picture and privacy settings of a user. Readable by everybody except users in a block with them.';

comment on table public.profile_details is
  'Bio and cover image of a user. Readable by those who can view the profile (profiles.visibility).';

comment on table public.profile_counts is
  'Maintained by triggers. Hidden from others when show_follower_count is off.';

comment on table public.profile_about is
  'Personal details of a user and which of them are hidden. Read by the user and admins; others get private.visible_profile_about.';

comment on table public.user_settings is
  'Notification, presence and session preferences of a user. Readable only by that user.';

comment on table private.reserved_usernames is
  'Usernames that nobody can register. With lookalikes, usernames that look similar are reserved as well. Operators can add some; existing accounts keep their names.';

comment on table public.creator_goals is
  'The revenue and subscriber goals that a creator set. Creators without a row have the defaults.';

comment on table public.creator_days is 'Events per creator and day (UTC): new likes, followers and so on, not totals.';

comment on table public.moderation_cases is
  'Read by admins and, once decided, by the user concerned. Written only by the functions of the private schema.';

comment on table public.audit_entries is
  'Written only by private.write_audit_entry. Users are ids without a foreign key, because entries outlive accounts.';

comment on table public.auto_post_runs is
  'Every attempt to write a post in a creator''s name. Read by the creator and by admins.';

comment on table public.auto_post_drafts is
  'AI-written posts that wait for their creator''s review. A published draft becomes a post with the same id.';

comment on table public.accounts is
  'Private data of a user, for the user and admins. An account with a read_only_reason may not write.';

comment on table public.media is
  'Uploads. `path` is the file in the bucket `media`; `placeholder` is a tiny blurred image as a data URL.';

comment on column public.posts.included_in_subscription is
  'Set by the author: subscribers read this premium post without buying it.';

revoke all on schema private from public;

grant usage on schema private to anon, authenticated, service_role;

grant execute on function private.set_setting(text, jsonb) to service_role;

grant execute on function private.consume_rate_limit(text, text, integer, interval) to service_role;

grant execute on function private.refund_rate_limit(text, text, interval) to service_role;

grant execute on function private.use_captcha(text, timestamptz) to service_role;

-- Check constraints and policies on tables that users write call it with the user's privileges.
grant execute on function private.is_blank(text) to authenticated, service_role;

-- A check constraint on posts, which users write directly, calls it with the user's privileges.
grant execute on function private.is_http_url(text) to authenticated;

grant execute on function private.is_session_active() to anon, authenticated, service_role;

grant execute on function private.require_session() to authenticated;

grant execute on function private.can_write() to anon, authenticated, service_role;

grant execute on function private.require_write() to anon, authenticated, service_role;

grant execute on function private.is_admin() to anon, authenticated, service_role;

grant execute on function private.require_admin() to authenticated;

grant execute on function private.blocked_user_ids() to anon, authenticated, service_role;

grant execute on function private.are_blocked(uuid, uuid) to anon, authenticated, service_role;

revoke all on public.comments from anon, authenticated, service_role;

-- Clients have no delete privilege: private.delete_comment takes the locks in the same order as an insert.
grant select on public.comments to anon, authenticated;

grant insert (id, post_id, author_id, parent_comment_id, content) on public.comments to authenticated;

grant all on public.comments to service_role;

grant execute on function private.delete_comment(uuid) to authenticated;

revoke all on public.post_tags from anon, authenticated, service_role;

grant select on public.post_tags to anon, authenticated;

grant all on public.post_tags to service_role;

-- The API calls it to look a topic up.
grant execute on function private.normalize_tag(text) to anon, authenticated;

grant execute on function private.refresh_trending() to service_role;

grant execute on function private.list_trending_tags(integer) to authenticated;

grant execute on function private.list_featured_creators(integer) to authenticated;

revoke all on public.conversations from anon, authenticated, service_role;

grant select on public.conversations to authenticated;

grant all on public.conversations to service_role;

revoke all on public.messages from anon, authenticated, service_role;

grant select on public.messages to authenticated;

grant all on public.messages to service_role;

-- private.before_message_insert sets the other columns.
grant insert (id, sender_id, receiver_id, content, reply_to_id, media_id) on public.messages to authenticated;

revoke all on public.conversation_members from anon, authenticated, service_role;

grant select on public.conversation_members to authenticated;

grant all on public.conversation_members to service_role;

grant execute on function private.message_refusal(uuid) to anon, authenticated, service_role;

grant execute on function private.require_can_message(uuid) to authenticated;

grant execute on function private.send_message(uuid, uuid, text, uuid, uuid) to authenticated;

grant execute on function private.message_json(public.messages, boolean) to anon, authenticated, service_role;

grant execute on function private.list_conversations(timestamptz, uuid, integer) to authenticated;

grant execute on function private.conversation_partner(uuid) to authenticated;

grant execute on function private.messages_before(uuid, uuid, boolean, integer) to authenticated;

grant execute on function private.messages_after(uuid, uuid, integer) to authenticated;

grant execute on function private.messages_changed_since(uuid, bigint, integer) to authenticated;

grant execute on function private.mark_conversation_read(uuid) to authenticated;

grant execute on function private.mark_all_conversations_read() to authenticated;

grant execute on function private.require_can_edit_message(uuid) to authenticated;

grant execute on function private.edit_message(uuid, text) to authenticated;

grant execute on function private.delete_message(uuid) to authenticated;

grant execute on function private.require_can_react(uuid) to authenticated;

grant execute on function private.toggle_reaction(uuid, text) to authenticated;

grant execute on function private.search_messages(text, timestamptz, uuid, integer) to authenticated;

revoke all on public.user_counters from anon, authenticated, service_role;

grant select on public.user_counters to authenticated;

grant all on public.user_counters to service_role;

revoke all on public.notifications from anon, authenticated, service_role;

grant select on public.notifications to authenticated;

grant all on public.notifications to service_role;

grant execute on function private.mark_notification_read(uuid) to authenticated;

grant execute on function private.mark_all_notifications_read() to authenticated;

grant execute on function private.claim_due_digests(integer) to service_role;

grant execute on function private.release_digest(uuid, timestamptz) to service_role;

grant execute on function private.can_join_conversation(text) to authenticated;

grant execute on function private.can_read_topic(text) to authenticated;

grant execute on function private.can_broadcast_to_conversation(text) to authenticated;

-- Only functions write: not even service_role can unlock a post that nobody paid for.
revoke all on public.payments from anon, authenticated, service_role;

grant select on public.payments to authenticated, service_role;

grant execute on function private.require_can_tip(uuid) to authenticated;

grant execute on function private.begin_tip(uuid, uuid, numeric, text, text, uuid) to authenticated;

grant execute on function private.settle_payment(uuid, text) to service_role;

grant execute on function private.settle_checkout(uuid, text, integer) to service_role;

grant execute on function private.refund_payment(uuid) to service_role;

grant execute on function private.pending_charge(uuid) to service_role;

grant execute on function private.record_checkout(uuid, text) to service_role;

grant execute on function private.expire_payment(uuid, text) to service_role;

grant execute on function private.record_payment_event(text, text, text) to service_role;

grant execute on function private.record_payment_customer(text, uuid, text) to service_role;

grant execute on function private.payment_customer(text, uuid) to service_role;

grant execute on function private.deleted_payment_customers(integer) to service_role;

grant execute on function private.delete_payment_customer(text, text) to service_role;

grant execute on function private.due_refunds(integer) to service_role;

grant execute on function private.record_refund_attempt(uuid) to service_role;

grant execute on function private.record_refund(uuid, text) to service_role;

grant execute on function private.lock_provider_subscription(uuid, boolean) to service_role;

grant execute on function private.record_provider_subscription(uuid, text) to service_role;

grant execute on function private.settle_provider_period(text, text, integer) to service_role;

grant execute on function private.apply_provider_status(text, text) to service_role;

grant execute on function private.unsynced_subscriptions(integer) to service_role;

grant execute on function private.record_provider_sync(uuid, text) to service_role;

-- Only private.book_transaction writes: no API role can, not even service_role.
revoke all on public.ledger_transactions from anon, authenticated, service_role;

grant select on public.ledger_transactions to authenticated, service_role;

-- Only private.book_transaction writes.
revoke all on public.ledger_entries from anon, authenticated, service_role;

grant select on public.ledger_entries to authenticated, service_role;

revoke all on public.creator_balances from anon, authenticated, service_role;

grant select on public.creator_balances to authenticated, service_role;

revoke all on public.earning_days from anon, authenticated, service_role;

grant select on public.earning_days to authenticated, service_role;

grant execute on function private.platform_fee_percent() to authenticated;

grant execute on function private.rebuild_balances() to service_role;

grant execute on function private.own_sale(uuid) to authenticated;

-- Only functions write. The provider's columns are visible to neither the subscriber nor the creator.
revoke all on public.subscriptions from anon, authenticated, service_role;

grant select on public.subscriptions to service_role;

grant select (id, subscriber_id, creator_id, state, price_cents, periods, started_at, period_end, cancelled_at,
  ended_at, created_at)
  on public.subscriptions to authenticated;

grant execute on function private.is_subscribed_to(uuid) to authenticated;

grant execute on function private.require_can_subscribe(uuid) to authenticated;

grant execute on function private.begin_subscription(uuid, text) to authenticated;

grant execute on function private.cancel_subscription(uuid) to authenticated;

grant execute on function private.begin_renewals(integer, text) to service_role;

-- Only functions write.
revoke all on public.creator_plans from anon, authenticated, service_role;

grant select on public.creator_plans to authenticated, service_role;

grant execute on function private.creator_pro_price_cents() to authenticated, service_role;

grant execute on function private.creator_pro_billing() to authenticated, service_role;

grant execute on function private.begin_creator_plan(text) to authenticated;

grant execute on function private.cancel_creator_plan() to authenticated;

grant execute on function private.begin_plan_renewals(integer, text) to service_role;

revoke all on public.profiles from anon, authenticated, service_role;

grant select on public.profiles to anon, authenticated;

grant all on public.profiles to service_role;

grant update (visibility, allow_direct_messages, show_follower_count, content_discoverable, show_in_directory)
  on public.profiles to authenticated;

revoke all on public.profile_details from anon, authenticated, service_role;

grant select on public.profile_details to anon, authenticated;

grant all on public.profile_details to service_role;

revoke all on public.profile_counts from anon, authenticated, service_role;

grant select on public.profile_counts to anon, authenticated;

grant all on public.profile_counts to service_role;

revoke all on public.profile_about from anon, authenticated, service_role;

grant select on public.profile_about to authenticated;

grant all on public.profile_about to service_role;

revoke all on public.user_settings from anon, authenticated, service_role;

grant select on public.user_settings to authenticated;

grant all on public.user_settings to service_role;

grant update (email_notifications, push_notifications, new_followers, new_comments, new_likes,
  subscription_updates, payment_alerts, group_notifications, message_sounds, login_alerts, show_online,
  show_last_seen, show_typing, session_timeout)
  on public.user_settings to authenticated;

grant select on private.viewable_profiles to anon, authenticated, service_role;

grant execute on function private.can_view_profile(uuid) to anon, authenticated, service_role;

grant execute on function private.can_view_profile_counts(uuid) to anon, authenticated, service_role;

-- Index expressions are computed with the privileges of the role that updates the row. Users update their own privacy
-- settings directly.
grant execute on function private.name_skeleton(text) to authenticated, service_role;

-- The API checks names before it creates an account, so that the form can show the error at its field.
grant execute on function private.username_problem(text, uuid), private.is_valid_display_name(text),
  private.confusable_skeleton(text), private.is_staff_lookalike(text) to service_role;

grant execute on function private.set_own_creator_status(boolean) to authenticated;

grant execute on function private.update_own_profile(jsonb) to authenticated;

grant execute on function private.visible_profile_about(uuid) to anon, authenticated, service_role;

grant execute on function private.begin_profile_image_upload(text) to authenticated;

grant execute on function private.set_own_profile_image(text, text) to authenticated;

grant execute on function private.record_last_seen() to authenticated;

grant execute on function private.visible_presence(uuid) to authenticated;

revoke all on public.payout_methods from anon, authenticated, service_role;

grant select on public.payout_methods to authenticated, service_role;

grant execute on function private.require_earner() to authenticated;

grant execute on function private.save_payout_method(uuid, text, text, text, text, boolean, uuid) to authenticated;

grant execute on function private.delete_payout_method(uuid) to authenticated;

revoke all on public.payout_schedules from anon, authenticated, service_role;

grant select on public.payout_schedules to authenticated, service_role;

grant execute on function private.set_payout_schedule(boolean) to authenticated;

revoke all on public.payouts from anon, authenticated, service_role;

grant select on public.payouts to service_role;

-- All columns but settled_by: creators do not learn which admin settled a payout.
grant select (id, user_id, kind, amount_cents, method_type, method_name, method_masked, state, created_at,
  settled_at, reference, failure)
  on public.payouts to authenticated;

grant execute on function private.request_payout(uuid, numeric, uuid) to authenticated;

grant execute on function private.create_scheduled_payouts(integer) to service_role;

grant execute on function private.settle_payout(uuid, text, text) to authenticated;

grant execute on function private.reveal_payout_details(uuid) to authenticated;

revoke all on public.creator_goals from anon, authenticated, service_role;

grant select on public.creator_goals to authenticated, service_role;

grant execute on function private.set_creator_goals(numeric, numeric, integer) to authenticated;

grant execute on function private.record_views(uuid[]) to authenticated;

revoke all on public.post_days from anon, authenticated, service_role;

grant select on public.post_days to authenticated, service_role;

revoke all on public.creator_days from anon, authenticated, service_role;

grant select on public.creator_days to authenticated, service_role;

revoke all on public.creator_hours from anon, authenticated, service_role;

grant select on public.creator_hours to authenticated, service_role;

grant execute on function private.own_audience() to authenticated;

grant execute on function private.require_analytics_owner(uuid) to authenticated;

grant execute on function private.analytics_updated_at() to authenticated;

grant execute on function private.roll_up_views(integer) to service_role;

grant execute on function private.roll_up_days(integer) to service_role;

grant execute on function private.roll_up_audiences(integer) to service_role;

grant execute on function private.search_accounts(text, text, timestamptz, uuid, integer, integer) to authenticated;

grant execute on function private.count_accounts(text, text) to authenticated;

grant execute on function private.platform_counts() to authenticated;

grant execute on function private.require_manageable(uuid) to authenticated;

grant execute on function private.approve_account(uuid) to authenticated;

grant execute on function private.account_approver(uuid) to authenticated;

grant execute on function private.suspend_user(uuid, text, integer) to authenticated;

grant execute on function private.lift_suspension(uuid) to authenticated;

grant execute on function private.remove_user(uuid, text, boolean) to authenticated;

grant execute on function private.set_creator(uuid, boolean) to authenticated;

grant execute on function private.update_user_profile(uuid, jsonb) to authenticated;

grant execute on function private.require_can_post_for(uuid) to authenticated;

grant execute on function private.publish_post_for(uuid, uuid, text, numeric, uuid, uuid, uuid, text)
  to authenticated;

grant execute on function private.instance_settings() to authenticated;

grant execute on function private.update_instance_settings(jsonb) to authenticated;

revoke all on public.moderation_cases from anon, authenticated, service_role;

grant select on public.moderation_cases to service_role;

-- Without the number of reports, the time of the first one and the admins who decided: only admins read these,
-- through private.case_admin_details.
grant select (id, kind, subject_id, user_id, snapshots, media_ids, state, moved_at, decision, reason,
  suspended_until, hid, decided_at, appeal, appealed_at, appeal_outcome, appeal_answer, appeal_decided_at)
  on public.moderation_cases to authenticated;

grant execute on function private.case_admin_details(uuid) to authenticated;

grant execute on function private.subject_state(uuid) to authenticated;

revoke all on public.reports from anon, authenticated, service_role;

grant select on public.reports to authenticated, service_role;

grant execute on function private.store_report(text, uuid, text, text) to authenticated;

grant execute on function private.file_report(text, uuid, text, text) to authenticated;

grant execute on function private.decide_case(uuid, text, text, integer, boolean, boolean) to authenticated;

grant execute on function private.moderate_subject(text, uuid, text, text, integer, boolean, boolean, uuid)
  to authenticated;

grant execute on function private.appeal_case(uuid, text) to authenticated;

grant execute on function private.can_answer_appeal(uuid, uuid) to authenticated;

grant execute on function private.decide_appeal(uuid, boolean, text) to authenticated;

grant execute on function private.run_moderation_maintenance() to service_role;

revoke all on public.audit_entries from anon, authenticated, service_role;

grant select on public.audit_entries to authenticated, service_role;

grant execute on function private.verify_audit_chain() to service_role;

grant execute on function private.audit_status() to authenticated;

revoke all on public.auto_post_runs from anon, authenticated, service_role;

grant select on public.auto_post_runs to authenticated, service_role;

revoke all on public.auto_post_drafts from anon, authenticated, service_role;

grant select on public.auto_post_drafts to authenticated, service_role;

grant execute on function private.set_ai_key(text, text) to authenticated;

grant execute on function private.ai_key_status() to authenticated;

grant execute on function private.reveal_ai_key() to authenticated;

grant execute on function private.remove_ai_key() to authenticated;

grant execute on function private.encrypted_ai_key(boolean) to service_role;

grant execute on function private.record_ai_key_status(text, boolean) to service_role;

grant execute on function private.auto_posting_setting(text) to service_role;

grant execute on function private.auto_posting_rules() to service_role;

grant execute on function private.can_auto_post(uuid) to service_role;

grant execute on function private.auto_posting_status(uuid) to authenticated;

grant execute on function private.set_auto_posting(uuid, boolean, text) to authenticated;

grant execute on function private.auto_posting_users(integer) to service_role;

grant execute on function private.auto_posting_context(uuid) to service_role;

grant execute on function private.plan_auto_posts(timestamptz) to service_role;

grant execute on function private.claim_auto_slots(timestamptz, integer) to service_role;

grant execute on function private.release_auto_slot(uuid, date, smallint, uuid, timestamptz, boolean, boolean)
  to service_role;

grant execute on function private.auto_posting_today() to authenticated;

grant execute on function private.begin_auto_run(uuid, text, timestamptz, text, bigint, date, smallint, uuid)
  to service_role;

grant execute on function private.end_auto_run(uuid, text, text, text, jsonb, timestamptz, uuid) to service_role;

grant execute on function
  private.insert_post(uuid, uuid, uuid, text, numeric, text, uuid, uuid, uuid, text, text) to service_role;

grant execute on function private.publish_draft(uuid, text) to authenticated;

grant execute on function private.discard_draft(uuid) to authenticated;

grant execute on function private.delete_expired_drafts() to service_role;

grant execute on function private.begin_job(text, integer, integer, boolean) to service_role;

grant execute on function private.end_job(text, uuid, boolean, json) to service_role;

grant execute on function private.list_jobs() to authenticated;

revoke execute on function private.clean_up() from public;

grant execute on function private.clean_up() to service_role;

-- Function privileges.
--
-- By default, PostgreSQL lets everybody execute a new function. These statements run last and revoke that privilege
-- from all functions, so that only the grants next to each function remain.

-- pg-topo:phase privileges
revoke execute on all functions in schema private from public;

-- The functions of `public` that supabase-js may call.
-- pg-topo:phase privileges
revoke execute on function public.toggle_follow(uuid), public.toggle_like(uuid), public.toggle_save(uuid) from public;

revoke all on public.blocks from anon, authenticated, service_role;

grant select, delete on public.blocks to authenticated;

grant insert (blocker_id, blocked_id) on public.blocks to authenticated;

grant all on public.blocks to service_role;

revoke all on public.follows from anon, authenticated, service_role;

grant select, delete on public.follows to authenticated;

grant insert (follower_id, followee_id) on public.follows to authenticated;

grant all on public.follows to service_role;

revoke all on public.follow_requests from anon, authenticated, service_role;

grant select, delete on public.follow_requests to authenticated;

grant insert (follower_id, followee_id) on public.follow_requests to authenticated;

grant all on public.follow_requests to service_role;

-- public.toggle_follow calls it with the caller's own privileges.
grant execute on function private.lock_relation(uuid, uuid) to authenticated;

-- The default privileges of a Supabase project may grant new functions to these roles.
revoke execute on function public.toggle_follow(uuid) from anon, authenticated;

grant execute on function public.toggle_follow(uuid) to authenticated;

grant execute on function private.accept_follow_request(uuid) to authenticated;

grant execute on function private.list_follows(uuid, text, timestamptz, uuid, integer) to authenticated;

-- Generated columns are computed with the privileges of the role that updates the row. Users update their own privacy
-- settings directly.
grant execute on function private.normalize_search(text), private.search_terms(text),
  private.profile_search_name(text, text, text), private.profile_search_text(text, text, text, text),
  private.profile_search_vector(text, text, text, text)
  to authenticated, service_role;

grant execute on function private.search_users(text, integer, text, uuid, integer) to authenticated;

revoke all on public.accounts from anon, authenticated, service_role;

-- All columns except approved_by, which only admins may read, through private.account_approver.
grant select (user_id, email, phone_number, adult_confirmed_at, read_only_reason, approved_at, suspended_at,
  suspended_until, suspension_reason, suspension_case)
  on public.accounts to authenticated;

grant all on public.accounts to service_role;

grant execute on function private.lift_expired_suspensions() to service_role;

grant execute on function private.is_email_banned(text) to service_role;

grant execute on function private.list_own_sessions() to authenticated;

grant execute on function private.end_own_session(uuid) to authenticated;

grant execute on function private.end_other_sessions() to authenticated;

grant execute on function private.end_all_sessions(uuid) to service_role;

grant execute on function private.record_session_client(uuid, uuid, text, text) to service_role;

grant execute on function private.record_device(uuid, text) to service_role;

grant execute on function private.consume_reset_mail_limit(text, text) to service_role;

grant execute on function private.open_password_reset(text, text, boolean) to service_role;

grant execute on function private.release_password_reset(text) to service_role;

grant execute on function private.pending_email() to authenticated, service_role;

grant execute on function private.begin_email_change(text, text) to authenticated;

grant execute on function private.cancel_email_change(text) to service_role;

grant execute on function private.confirm_email_change(text, text) to service_role;

grant execute on function private.delete_own_account(boolean) to authenticated;

grant execute on function private.find_user_references(uuid) to service_role;

grant execute on function private.consume_export_limit() to authenticated;

grant execute on function private.export_unlinked_records() to authenticated;

revoke all on public.media from anon, authenticated, service_role;

grant select on public.media to anon, authenticated;

grant all on public.media to service_role;

grant execute on function private.consume_upload_limit() to authenticated;

grant execute on function private.consume_video_check() to authenticated;

grant execute on function private.begin_upload(uuid, text, text, bigint, text, text, integer, integer, text)
  to authenticated;

grant execute on function private.finish_upload(uuid, bigint, text) to service_role;

grant execute on function private.delete_orphaned_media(integer) to service_role;

grant execute on function private.due_file_deletions(integer) to service_role;

grant execute on function private.complete_file_deletions(jsonb) to service_role;

grant execute on function private.postpone_file_deletions(jsonb) to service_role;

revoke all on public.gallery_items from anon, authenticated, service_role;

grant select on public.gallery_items to anon, authenticated;

grant all on public.gallery_items to service_role;

grant execute on function private.add_gallery_item(uuid, uuid, text, text, text) to authenticated;

grant execute on function private.delete_gallery_item(uuid) to authenticated;

grant execute on function private.restore_gallery_item(uuid) to authenticated;

revoke all on public.posts from anon, authenticated, service_role;

grant select on public.posts to anon;

grant select, delete on public.posts to authenticated;

-- Clients never write counters, times or prices.
grant insert (id, author_id, content) on public.posts to authenticated;

grant all on public.posts to service_role;

grant execute on function private.require_can_publish(boolean) to authenticated;

grant execute on function private.publish_post(uuid, text, numeric, text, uuid, uuid, uuid, text) to authenticated;

grant execute on function private.require_own_post(uuid) to authenticated;

grant execute on function private.edit_post(uuid, jsonb) to authenticated;

grant execute on function private.publish_product(uuid, text, text, numeric, text, text, uuid, text) to authenticated;

grant execute on function private.count_new_posts(timestamptz, integer) to authenticated;

revoke all on public.likes from anon, authenticated, service_role;

grant select, delete on public.likes to authenticated;

grant insert (post_id, user_id) on public.likes to authenticated;

grant all on public.likes to service_role;

-- Supabase grants new functions in `public` to all API roles, so revoke that first.
revoke execute on function public.toggle_like(uuid) from anon, authenticated;

grant execute on function public.toggle_like(uuid) to authenticated;

revoke all on public.saves from anon, authenticated, service_role;

grant select, delete on public.saves to authenticated;

grant insert (post_id, user_id) on public.saves to authenticated;

grant all on public.saves to service_role;

revoke execute on function public.toggle_save(uuid) from anon, authenticated;

grant execute on function public.toggle_save(uuid) to authenticated;

revoke all on public.premium_contents from anon, authenticated, service_role;

grant select on public.premium_contents to authenticated;

grant all on public.premium_contents to service_role;

grant execute on function private.set_included_in_subscription(uuid) to authenticated;

revoke all on public.unlocks from anon, authenticated, service_role;

grant select on public.unlocks to authenticated, service_role;

grant execute on function private.can_read_premium(uuid, uuid) to authenticated;

grant execute on function private.unlock_price(uuid, numeric) to authenticated;

grant execute on function private.begin_unlock(uuid, numeric, text) to authenticated;
