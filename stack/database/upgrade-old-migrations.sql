-- Prepares a database that was created by the 49 old migrations, which have since been squashed into one: renames
-- objects, and drops policies, triggers, views and most functions. The initial migration runs next, in the same
-- transaction, and recreates what was dropped (upgrade-old-migrations.ts).

-- Policies, triggers, views and comments.
do $$
declare
  statement text;
begin
  for statement in
    select format('drop policy %I on %s', p.polname, p.polrelid::regclass)
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) or p.polname like 'ovation%'
    union all
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
    from pg_trigger t join pg_proc f on f.oid = t.tgfoid
    where not t.tgisinternal and f.pronamespace = 'private'::regnamespace
    union all
    select format('drop view private.%I', v.viewname) from pg_views v where v.schemaname = 'private'
    union all
    select format('comment on table %s is null', c.oid::regclass) from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'
  loop
    execute statement;
  end loop;
end
$$;

-- Functions used by generated columns, indexes or constraints cannot be dropped, so they are kept. Their parameter
-- names are cleared, because `create or replace` can name unnamed parameters but cannot rename parameters.
alter function private.fold(text) rename to normalize_search;
alter function private.shown_name(text, text, text) rename to profile_search_name;
alter function private.searched_text(text, text, text, text) rename to profile_search_text;
alter function private.searched_words(text, text, text, text) rename to profile_search_vector;
alter function private.is_web_address(text) rename to is_http_url;
update pg_proc set proargnames = null where oid in (
  'private.normalize_search(text)'::regprocedure,
  'private.profile_search_name(text, text, text)'::regprocedure,
  'private.profile_search_text(text, text, text, text)'::regprocedure,
  'private.profile_search_vector(text, text, text, text)'::regprocedure,
  'private.name_skeleton(text)'::regprocedure,
  'private.is_blank(text)'::regprocedure,
  'private.is_http_url(text)'::regprocedure);

do $$
declare
  statement text;
begin
  for statement in
    select format('drop function %s', f.oid::regprocedure) from pg_proc f
    where f.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
      and not exists (
        select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = f.oid
          and d.classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass))
  loop
    execute statement;
  end loop;
end
$$;
drop type private.ledger_line;

-- Tables and columns.
alter table private.barred_addresses rename to banned_emails;
alter table private.doomed_files rename to file_deletion_queue;
alter table private.loose_media rename to orphaned_media;
alter table private.withdrawn rename to notification_withdrawals;
alter table private.mail_marks rename to notification_mails;
alter table private.reset_claims rename to password_reset_claims;
alter table public.person_settings rename to user_settings;
alter table private.roll_ups rename to rollups;
alter table private.auto_posting rename to auto_posting_settings;
alter table private.auto_slots rename to auto_post_slots;
alter table public.auto_runs rename to auto_post_runs;
alter table public.auto_drafts rename to auto_post_drafts;
alter table private.payout_details rename to payout_method_details;
alter table private.payout_targets rename to payout_destinations;
alter table private.view_events rename to post_views;
alter table public.conversation_members rename column other_id to partner_id;
alter table public.creator_balances rename column person_id to user_id;
alter table public.creator_plans rename column provider_knows to provider_state;
alter table public.earning_days rename column person_id to user_id;
alter table public.ledger_entries rename column person_id to user_id;
alter table public.ledger_transactions rename column person_id to user_id;
alter table public.moderation_cases rename column person_id to user_id;
alter table public.payments rename column give_back_tried_at to refund_attempted_at;
alter table public.payments rename column given_back_at to refunded_at;
alter table public.payouts rename column person_id to user_id;
alter table public.subscriptions rename column provider_knows to provider_state;
alter table private.file_deletion_queue rename column since to due_at;

-- Constraints and indexes.
alter table public.auto_post_drafts rename constraint auto_drafts_content_check to auto_post_drafts_content_check;
alter table public.auto_post_drafts rename constraint auto_drafts_check to auto_post_drafts_check;
alter table public.auto_post_drafts rename constraint auto_drafts_state_check to auto_post_drafts_state_check;
alter table public.auto_post_drafts rename constraint auto_drafts_user_id_fkey to auto_post_drafts_user_id_fkey;
alter table public.auto_post_drafts rename constraint auto_drafts_pkey to auto_post_drafts_pkey;
alter table public.auto_post_runs rename constraint auto_runs_check to auto_post_runs_check;
alter table public.auto_post_runs rename constraint auto_runs_answer_check to auto_post_runs_answer_check;
alter table public.auto_post_runs rename constraint auto_runs_detail_check to auto_post_runs_detail_check;
alter table public.auto_post_runs rename constraint auto_runs_kind_check to auto_post_runs_kind_check;
alter table public.auto_post_runs rename constraint auto_runs_outcome_check to auto_post_runs_outcome_check;
alter table public.auto_post_runs rename constraint auto_runs_user_id_fkey to auto_post_runs_user_id_fkey;
alter table public.auto_post_runs rename constraint auto_runs_pkey to auto_post_runs_pkey;
alter table public.creator_plans rename constraint creator_plans_provider_knows_check to creator_plans_provider_state_check;
alter table public.posts rename constraint posts_check5 to posts_product_check;
alter table private.auto_post_slots rename constraint auto_slots_nth_check to auto_post_slots_nth_check;
alter table private.auto_post_slots rename constraint auto_slots_state_check to auto_post_slots_state_check;
alter table private.auto_post_slots rename constraint auto_slots_user_id_fkey to auto_post_slots_user_id_fkey;
alter table private.auto_post_slots rename constraint auto_slots_pkey to auto_post_slots_pkey;
alter table private.auto_posting_settings rename constraint auto_posting_frequency_check to auto_posting_settings_frequency_check;
alter table private.auto_posting_settings rename constraint auto_posting_user_id_fkey to auto_posting_settings_user_id_fkey;
alter table private.auto_posting_settings rename constraint auto_posting_pkey to auto_posting_settings_pkey;
alter table private.banned_emails rename constraint barred_addresses_pkey to banned_emails_pkey;
alter table private.file_deletion_queue rename constraint doomed_files_pkey to file_deletion_queue_pkey;
alter table private.notification_mails rename constraint mail_marks_user_id_fkey to notification_mails_user_id_fkey;
alter table private.notification_mails rename constraint mail_marks_pkey to notification_mails_pkey;
alter table private.notification_withdrawals rename constraint withdrawn_actor_id_fkey to notification_withdrawals_actor_id_fkey;
alter table private.notification_withdrawals rename constraint withdrawn_user_id_fkey to notification_withdrawals_user_id_fkey;
alter table private.notification_withdrawals rename constraint withdrawn_pkey to notification_withdrawals_pkey;
alter table private.orphaned_media rename constraint loose_media_pkey to orphaned_media_pkey;
alter table private.password_reset_claims rename constraint reset_claims_pkey to password_reset_claims_pkey;
alter table private.payout_destinations rename constraint payout_targets_payout_id_fkey to payout_destinations_payout_id_fkey;
alter table private.payout_destinations rename constraint payout_targets_pkey to payout_destinations_pkey;
alter table private.payout_method_details rename constraint payout_details_method_id_fkey to payout_method_details_method_id_fkey;
alter table private.payout_method_details rename constraint payout_details_pkey to payout_method_details_pkey;
alter table private.post_views rename constraint view_events_pkey to post_views_pkey;
alter table private.rollups rename constraint roll_ups_pkey to rollups_pkey;
alter table public.subscriptions rename constraint subscriptions_provider_knows_check to subscriptions_provider_state_check;
alter table public.user_settings rename constraint person_settings_session_timeout_check to user_settings_session_timeout_check;
alter table public.user_settings rename constraint person_settings_user_id_fkey to user_settings_user_id_fkey;
alter table public.user_settings rename constraint person_settings_pkey to user_settings_pkey;
alter index private.auto_slots_day_idx rename to auto_post_slots_day_idx;
alter index private.auto_slots_due_idx rename to auto_post_slots_due_idx;
alter index private.auto_posting_enabled_idx rename to auto_posting_settings_enabled_idx;
alter index private.doomed_files_since_idx rename to file_deletion_queue_due_at_idx;
alter index private.withdrawn_actor_id_idx rename to notification_withdrawals_actor_id_idx;
alter index private.withdrawn_since_idx rename to notification_withdrawals_since_idx;
alter index private.loose_media_due_idx rename to orphaned_media_due_idx;
alter index private.reset_claims_claimed_at_idx rename to password_reset_claims_claimed_at_idx;
alter index private.view_events_hour_idx rename to post_views_hour_idx;
alter index private.view_events_uncounted_idx rename to post_views_uncounted_idx;
alter index public.auto_drafts_waiting_idx rename to auto_post_drafts_waiting_idx;
alter index public.auto_drafts_user_id_idx rename to auto_post_drafts_user_id_idx;
alter index public.auto_runs_counted_on_idx rename to auto_post_runs_counted_on_idx;
alter index public.auto_runs_started_at_idx rename to auto_post_runs_started_at_idx;
alter index public.auto_runs_running_idx rename to auto_post_runs_running_idx;
alter index public.auto_runs_user_id_idx rename to auto_post_runs_user_id_idx;
alter index public.conversation_members_other_id_idx rename to conversation_members_partner_id_idx;
alter index public.creator_plans_untold_idx rename to creator_plans_unsynced_idx;
alter index public.ledger_entries_person_id_idx rename to ledger_entries_user_id_idx;
alter index public.ledger_transactions_person_id_idx rename to ledger_transactions_user_id_idx;
alter index public.moderation_cases_person_id_idx rename to moderation_cases_user_id_idx;
alter index public.payments_to_give_back_idx rename to payments_due_refunds_idx;
alter index public.payouts_person_id_idx rename to payouts_user_id_idx;
alter index public.subscriptions_untold_idx rename to subscriptions_unsynced_idx;
