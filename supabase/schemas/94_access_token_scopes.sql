-- Enforces the `write` scope of access tokens on every table that the Data API exposes: a token without this scope
-- cannot write to any of them, not even through a `security definer` function. (The API also runs such a token's
-- transactions as read-only.) A test checks that no table in `public` is missing here.

create trigger require_write_scope before insert or update or delete on public.profiles
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.profile_details
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.profile_counts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.profile_about
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.user_settings
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.blocks
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.follows
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.follow_requests
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.accounts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.media
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.gallery_items
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.posts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.likes
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.saves
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.reposts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.premium_contents
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.unlocks
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.comments
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.comment_likes
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.post_quotes
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.scheduled_posts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.post_tags
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.conversations
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.messages
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.conversation_members
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.mass_messages
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.welcome_messages
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.user_notes
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.user_counters
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.notifications
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.post_alerts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.payments
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.ledger_transactions
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.ledger_entries
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.creator_balances
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.earning_days
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.subscriptions
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.creator_plans
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.payout_methods
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.payout_schedules
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.payouts
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.creator_goals
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.post_days
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.creator_days
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.creator_hours
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.moderation_cases
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.reports
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.audit_entries
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.auto_post_runs
  for each statement execute function private.require_write_scope();

create trigger require_write_scope before insert or update or delete on public.auto_post_drafts
  for each statement execute function private.require_write_scope();
