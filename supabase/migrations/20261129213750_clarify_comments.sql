set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.before_follow_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- As with likes, the rate limit is consumed before any counts are locked. Otherwise, three transactions could
  -- deadlock: a like holds the rate limit and waits for an account deletion, which waits for a
  -- follow by the same user, which waits for the rate limit. Accepting a request is not counted: the counts are already
  -- locked, and the request itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_job(job_name text, interval_seconds integer, lease_seconds integer, only_if_due boolean DEFAULT false, is_scheduled boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
        -- If the lease ends this far in the future, the system clock was set back. A run that is still alive
        -- corrects its lease within seconds by renewing it. A smaller clock jump is ignored.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so a tick that is at most half an interval early counts as due.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator can start the job at any time, which must not make the schedule skip the next tick.
        or j.failures + (j.running_until is not null)::integer < 2)
  returning token into run_token;
  return run_token;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_plan_renewals(max_rows integer, payment_provider text, are_payments_off boolean DEFAULT false)
 RETURNS TABLE(payment uuid, paused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed_ids uuid[];
  due public.creator_plans;
begin
  perform private.cancel_unrenewable_plans(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.creator_plans s
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.creator_plans s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a plan notifies its user, so lock the counters of all these users in a consistent order.
  perform private.lock_user_counters(
    array(select s.user_id from public.creator_plans s where s.id = any (claimed_ids)));
  for due in select s.* from public.creator_plans s where s.id = any (claimed_ids) order by s.user_id loop
    payment := null;
    paused := are_payments_off and due.cancelled_at is null and private.can_renew_plan(due.user_id);
    if paused then
      with extended as (
        update public.creator_plans s set period_end = private.paused_until() where s.id = due.id returning s.period_end)
      update public.payments p set period_start = extended.period_end from extended
      where p.plan_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    elsif due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       -- If creators no longer have to pay, plans end and creators keep their creator accounts.
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
$function$;

CREATE OR REPLACE FUNCTION private.begin_renewals(max_rows integer, payment_provider text, are_payments_off boolean DEFAULT false)
 RETURNS TABLE(payment uuid, paused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed_ids uuid[];
  due public.subscriptions;
begin
  perform private.cancel_unrenewable_subscriptions(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a subscription changes its creator's counts, so lock the counts of all these creators in a
  -- consistent order.
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (claimed_ids))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (claimed_ids) order by s.period_end loop
    payment := null;
    paused := are_payments_off and due.cancelled_at is null
      and private.can_renew_subscription(due.subscriber_id, due.creator_id);
    if paused then
      with extended as (
        update public.subscriptions s set period_end = private.paused_until() where s.id = due.id returning s.period_end)
      update public.payments p set period_start = extended.period_end from extended
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    elsif due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
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
$function$;

CREATE OR REPLACE FUNCTION private.claim_due_digests(max_rows integer)
 RETURNS TABLE(user_id uuid, waiting_since timestamp with time zone, waiting_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Rows that are newer than this might not be committed yet.
  covered_until timestamptz := now() - interval '10 seconds';
begin
  return query
    with chosen as (
      select d.recipient_id, d.since from private.due_digests() d
      -- Least recently emailed first, so an address that keeps failing does not hold up the others.
      order by d.mailed_at nulls first, d.newest, d.recipient_id limit max_rows
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
$function$;

CREATE OR REPLACE FUNCTION private.close_payout(target_payout_id uuid, outcome text, note text, admin_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout public.payouts;
  account_exists boolean;
begin
  select * into payout from public.payouts p where p.id = target_payout_id;
  -- Locks in the same order as account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return false; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  -- The profile is locked before anything refers to it. If a concurrent deletion commits first, the money goes to the
  -- platform.
  account_exists := exists (select from public.profiles p where p.id = payout.user_id for key share);
  perform private.create_notification(payout.user_id, null, 'payout',
    detail => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(payout.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(note) else '' end)
  where account_exists;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = admin_id,
      reference = case when outcome = 'paid' then nullif(btrim(note), '') end,
      failure = case when outcome = 'failed' then btrim(note) end,
      -- The name and the masked details are personal data, so they are not kept longer than the account.
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
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_access_token(checked_password bytea, token_name text, new_token_hash bytea, token_scopes text[], lifetime_days integer)
 RETURNS private.access_tokens
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  created private.access_tokens;
begin
  -- Lock the counters before the advisory lock on the tokens, because the notification below changes them.
  perform private.lock_user_counters(array[uid]);
  -- The checks come after the lock. Otherwise, concurrent calls could together exceed the limit, and a call that has
  -- waited for a password change or a suspension (both revoke all tokens under the same lock) could add a token
  -- afterwards.
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || uid::text, 0));
  perform private.require_sign_in_session();
  perform private.require_write();
  if private.password_fingerprint() is distinct from checked_password then
    raise exception 'Your password has been changed. Try again with the new one.' using errcode = 'PT409';
  end if;
  perform private.enforce_rate_limit('access tokens', uid, 30, '1 hour');
  delete from private.access_tokens t where t.user_id = uid and t.expires_at <= clock_timestamp();
  if (select count(*) from private.access_tokens t where t.user_id = uid) >= 20 then
    raise exception 'You can have at most 20 access tokens. Revoke one first.' using errcode = 'PT409';
  end if;
  insert into private.access_tokens (user_id, name, token_hash, scopes, expires_at)
  values (uid, token_name, new_token_hash, token_scopes, clock_timestamp() + make_interval(days => lifetime_days))
  returning * into created;
  perform private.create_notification(uid, null, 'access_token', detail => token_name);
  created.token_hash := null;
  return created;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_notification(recipient_id uuid, actor_user_id uuid, notification_kind text, target_post_id uuid DEFAULT NULL::uuid, target_comment_id uuid DEFAULT NULL::uuid, target_message_id uuid DEFAULT NULL::uuid, detail text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- Serializes the recipient's notifications, so that concurrent ones join the same group.
  perform from public.user_counters c where c.user_id = recipient_id for update;
  -- A block or an account deletion may have been committed while this call waited for the lock.
  if not found or private.are_blocked(recipient_id, actor_user_id) then return; end if;
  if exists (select from private.notification_withdrawals w
             where w.user_id = recipient_id and w.actor_id = actor_user_id and w.kind = notification_kind
               and w.about = coalesce(target_comment_id, target_post_id, target_message_id, nil_id) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    -- The literal has to match the one in notifications_unread_heads_idx.
    select * into head from public.notifications n
    where n.user_id = recipient_id and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(target_post_id, '00000000-0000-0000-0000-000000000000')
      -- Likes of the post and likes of each of its comments are separate groups.
      and (notification_kind <> 'like' or n.comment_id is not distinct from target_comment_id)
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
$function$;

CREATE OR REPLACE FUNCTION private.decide_case(target_case_id uuid, new_decision text, reason_text text, suspension_days integer, also_hide boolean, forfeit_balance boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- A case shows premium content to admins. If they could dismiss cases that they reported themselves, they could read
  -- such content without the author being notified.
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
  -- The admin who answers an appeal sees the content as it was when the case was decided.
  moderation_case := private.snapshot_reported_content(moderation_case);
  if new_decision = 'remove' and moderation_case.kind = 'user' then
    -- Locks the reporters' counters too, so that all counters are locked in a consistent order.
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
$function$;

CREATE OR REPLACE FUNCTION private.delete_account(target_user_id uuid, forfeit_balance boolean DEFAULT true, count_test_money boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owed_cents bigint;
  is_test_money boolean;
begin
  if not exists (select from public.profiles p where p.id = target_user_id) then
    raise exception 'User not found' using errcode = 'PT404';
  end if;
  perform private.lock_account_dependents(target_user_id);
  -- Makes sure that there is a row to lock, so that a first sale that is being booked waits for the deletion.
  insert into public.creator_balances (user_id) values (target_user_id) on conflict do nothing;
  -- Locks the payout schedule before the balance, in the same order as the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  -- A negative balance of test money does not reduce the balance of real money, or vice versa.
  owed_cents := greatest(0, private.balance_cents(target_user_id, false))
    + case when count_test_money then greatest(0, private.balance_cents(target_user_id, true)) else 0 end;
  if not forfeit_balance and owed_cents >= private.minimum_payout_cents() then
    raise exception 'You have $% left. Request a payout first, or forfeit it.',
        to_char(owed_cents / 100.0, 'FM999999990.00')
      using errcode = 'PT409', detail = 'balance_left';
  end if;
  foreach is_test_money in array array[false, true] loop
    owed_cents := private.balance_cents(target_user_id, is_test_money);
    continue when owed_cents <= 0;
    perform private.book_transaction('given_up', target_user_id, null, null, array[
      ('creator', target_user_id, 'given_up', -owed_cents)::private.ledger_line,
      ('platform', null, 'given_up', owed_cents)::private.ledger_line], test_money => is_test_money);
  end loop;
  delete from public.creator_balances b
  where b.user_id = target_user_id and not exists (
    select from public.ledger_transactions t where t.user_id = target_user_id);
  -- Cascades to the profile, and from there to everything else.
  delete from auth.users u where u.id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_unlinked_records(target_user_id uuid, email_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute 'delete from auth.audit_log_entries e
             where strpos(e.payload::text, $1) > 0 or strpos(e.payload::text, $2) > 0'
      using target_user_id::text, to_json(email_address)::text;
  end if;
  -- Skips a rate limit that a concurrent call has locked, because that call may be waiting for this transaction. The
  -- `clean-up` job deletes the row after a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_upload(upload_id uuid, size_bytes bigint, mime_type text, seconds integer DEFAULT NULL::integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  upload public.media;
begin
  select * into upload from public.media m where m.id = upload_id for update;
  if not found then return false; end if;
  -- The final size of a streamed file is not known until now.
  if upload.state = 'pending' and size_bytes > upload.bytes then
    perform private.require_storage(upload.owner_id, size_bytes - upload.bytes);
  end if;
  if upload.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', upload.incoming_path, private.upload_url_expires_at(upload.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size_bytes, content_type = mime_type, incoming_path = null,
                            duration_seconds = seconds
  where m.id = upload_id and m.state = 'pending';
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_featured_creators(max_rows integer)
 RETURNS TABLE(user_id uuid, place integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
  is_followed boolean;
  found_count integer := 0;
  query_count integer;
begin
  if not private.is_session_active() then return; end if;
  foreach is_followed in array array[false, true] loop
    return query
      select s.user_id, found_count + row_number() over (order by s.score desc, p.created_at, p.id)::integer
      from private.creator_scores s join private.discoverable_profiles p on p.id = s.user_id
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by s.score desc, p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
    -- Fill the remaining rows with creators who have no score.
    return query
      select p.id, found_count + row_number() over (order by p.created_at, p.id)::integer
      from private.discoverable_profiles p
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and not exists (select from private.creator_scores s where s.user_id = p.id)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_posts_by_user(target_user_id uuid, kind text, query text, until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(post_id uuid, next_key text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  uid uuid := auth.uid();
  prefixes tsquery := private.text_search_query(private.text_search_terms(query), true);
  before_time timestamptz := coalesce(after_time, 'infinity');
  before_id uuid := coalesce(after_id, '00000000-0000-0000-0000-000000000000');
begin
  -- Visitors have no session.
  if (uid is not null and not private.is_session_active()) or not private.can_view_profile(target_user_id) then
    return;
  end if;
  return query
    -- PostgreSQL reads the scan only until `max_rows` matches are found.
    with scan as materialized (
      select p.id, p.created_at from public.posts p
      where p.author_id = target_user_id and (p.created_at, p.id) < (before_time, before_id)
        and p.created_at <= coalesce(until, 'infinity')
        and case kind when 'premium' then p.is_premium else kind is null or coalesce(p.media_type, 'text') = kind end
        -- Searches skip this condition, because hidden posts have no row in `post_search`. Without it, a search of all
        -- kinds scans only the index.
        and (query is not null or p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
      order by p.created_at desc, p.id desc limit case when query is null then max_rows else 5000 end),
    found as materialized (
      select p.id from scan p
      where query is null or (select s.words @@ prefixes from private.post_search s where s.post_id = p.id)
      order by p.created_at desc, p.id desc limit max_rows)
    select f.id, null from found f
    union all
    (select null, private.timestamp_text(p.created_at) || '_' || p.id from scan p
     where query is not null and (select count(*) from found) < max_rows
     order by p.created_at desc, p.id desc offset 4999);
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_quote(quoted_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  quoted public.posts;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  perform private.require_can_publish(price is not null);
  -- A retry waits here for the first request, as in private.insert_post. It then finds the stored post, even if the
  -- quoted post has been deleted in the meantime.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  -- Posts are locked before profile counts.
  select * into quoted from public.posts p where p.id = quoted_id for key share;
  if quoted.id is null or quoted.hidden is not null or not private.can_view_profile(quoted.author_id) then
    raise exception 'The post you are quoting is not available.' using errcode = 'PT404';
  end if;
  if quoted.author_id <> uid and not exists (
       select from private.discoverable_profiles p where p.id = quoted.author_id and p.visibility = 'public') then
    raise exception 'This post can''t be quoted.' using errcode = 'PT403';
  end if;
  if not private.insert_post(uid, uid, new_post_id, content_text, price, teaser_text, image_id, video_id,
                             poster_image_id, alt_description, quoted_id => quoted_id) then
    return false;
  end if;
  mentioned_ids := private.mentioned_users(
    (select private.post_public_text(p) from public.posts p where p.id = new_post_id), new_post_id, false);
  -- Lock all counters together: see private.lock_user_counters.
  perform private.lock_user_counters(mentioned_ids || quoted.author_id);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, uid, 'mention', new_post_id);
  end loop;
  if private.can_user_view_profile(quoted.author_id, uid) and not exists (
       select from public.notifications n
       where n.user_id = quoted.author_id and n.kind = 'mention' and n.post_id = new_post_id) then
    perform private.create_notification(quoted.author_id, uid, 'quote', new_post_id);
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restrictions(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_user_id uuid;
  account_ids uuid[];
begin
  -- Locks the table before its rows, in the same order as private.on_required_setting_changed. This lock
  -- also keeps the settings from changing until the end of the transaction.
  lock table public.accounts in row exclusive mode;
  select r.after_user_id into last_user_id from private.restriction_refreshes r for update;
  if not found then return 0; end if;
  account_ids := array(
    select a.user_id from public.accounts a where a.user_id > last_user_id order by a.user_id limit max_rows);
  -- The accounts are locked before the causes are read, as in private.refresh_restriction.
  perform from public.accounts a where a.user_id = any (account_ids) order by a.user_id for update;
  update public.accounts a set read_only_reason = r.reason
  from (select c.user_id, private.restriction_reason(c) as reason from public.accounts c
        where c.user_id = any (account_ids) and (c.approved_at is null or c.email_confirmed_at is null)
          and c.suspended_at is null
        offset 0) r
  where a.user_id = r.user_id and a.read_only_reason is distinct from r.reason;
  if cardinality(account_ids) < max_rows then
    delete from private.restriction_refreshes;
  else
    update private.restriction_refreshes set after_user_id = account_ids[max_rows];
  end if;
  return cardinality(account_ids);
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_trending()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  since timestamptz := now() - interval '7 days';
  tag_count integer;
  creator_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only authors with a public,
  -- discoverable profile count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join private.discoverable_profiles p on p.id = t.author_id and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tag_count = row_count;

  create temporary table new_engagement on commit drop as
  select p.id as post_id, p.author_id, p.created_at, count(*)::integer as score
  from (
    -- `union` removes duplicates: each user counts once per post and kind of interaction, even with several comments.
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) engagement (post_id, user_id, kind)
  join public.posts p on p.id = engagement.post_id
  where engagement.user_id <> p.author_id and p.hidden is null
  group by p.id;
  analyze pg_temp.new_engagement;

  delete from private.popular_posts;
  insert into private.popular_posts (post_id, place)
  select ranked.post_id, row_number() over (order by ranked.score desc, ranked.created_at desc, ranked.post_id)
  from (
    select e.post_id, e.created_at, e.score::real / row_number() over (
             partition by e.author_id order by e.score desc, e.created_at desc, e.post_id) as score
    from pg_temp.new_engagement e
    join private.discoverable_profiles p on p.id = e.author_id and p.visibility = 'public'
    join public.accounts a on a.user_id = p.id and a.read_only_reason is null
    where e.created_at > since) ranked
  order by 2 limit 300;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  select e.author_id, sum(e.score)
  from pg_temp.new_engagement e join public.profiles u on u.id = e.author_id and u.is_creator
  group by e.author_id;
  get diagnostics creator_count = row_count;
  drop table pg_temp.new_engagement;

  perform private.refresh_topics(50);
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_views(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  viewed_post_ids uuid[];
  view_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  create temporary table new_views on commit drop as
  select e.viewer_id, e.post_id, e.hour from private.post_views e where not e.counted order by e.hour limit max_rows;
  -- Lock the posts and authors until the counts are stored. If one of them is being deleted, wait, then leave it out.
  -- Posts are locked first, then authors, both in the order of their ids, and then views. An account deletion also
  -- locks posts before the profile, and deletes the user's views last.
  viewed_post_ids := array(select distinct n.post_id from pg_temp.new_views n);
  perform from public.posts p where p.id = any(viewed_post_ids) order by p.id for key share;
  perform private.lock_creators(array(
    select distinct p.author_id from public.posts p where p.id = any(viewed_post_ids)));
  -- Skip views that an account deletion has locked. From here on, nothing waits for a lock.
  create temporary table counted_views on commit drop as
  with locked as (
    select e.viewer_id, e.post_id, e.hour
    from pg_temp.new_views n join private.post_views e using (viewer_id, post_id, hour)
    where not e.counted for update of e skip locked),
  marked as (
    update private.post_views e set counted = true from locked l
    where e.viewer_id = l.viewer_id and e.post_id = l.post_id and e.hour = l.hour
    returning e.post_id, e.hour, e.source)
  select m.post_id, m.hour, m.source, count(*)::integer as views from marked m group by 1, 2, 3;
  -- Without statistics, the planner would read all profiles for a handful of views.
  analyze pg_temp.counted_views;
  select coalesce(sum(v.views), 0) into view_count from pg_temp.counted_views v;
  -- Leaves out posts and authors that were deleted.
  create temporary table author_views on commit drop as
  select v.post_id, p.author_id, v.hour, v.source, v.views
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
  insert into private.creator_view_sources as d (creator_id, day, source, views)
  select v.author_id, (v.hour at time zone 'UTC')::date, v.source, sum(v.views)
  from pg_temp.author_views v group by 1, 2, 3 order by 1, 2, 3
  on conflict (creator_id, day, source) do update set views = d.views + excluded.views;
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
$function$;

CREATE OR REPLACE FUNCTION private.search_posts(query text, window_start timestamp with time zone, window_id uuid, after_place integer, max_rows integer)
 RETURNS TABLE(post_id uuid, place integer, this_window text, next_window text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  window_size constant integer := 100;
  query_words text[] := private.text_search_terms(query);
  whole_words tsquery := private.text_search_query(query_words, false);
  prefixes tsquery := private.text_search_query(query_words, true);
  start_time timestamptz := coalesce(window_start, clock_timestamp());
  start_id uuid := coalesce(window_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  scan_rows integer;
  scanned_rows integer := 0;
  scan_from timestamptz := start_time;
  scan_from_id uuid := start_id;
  is_complete boolean;
  rarest tsquery;
  found_ids uuid[] := '{}';
  -- An estimate; -1 before PostgreSQL has counted the rows for the first time.
  post_count real := (select c.reltuples from pg_catalog.pg_class c where c.oid = 'private.post_search'::regclass);
begin
  if cardinality(query_words) = 0 or not private.is_session_active() then return; end if;
  -- The newest posts are searched first: for a common word, they are enough to fill the window, and sorting all matches
  -- of the word would be slow.
  foreach scan_rows in array '{500, 2000, 17500}'::integer[] loop
    found_ids := found_ids || array(
      -- The inner query has no condition on the words. With one, the planner might read all matches through the index.
      select s.post_id
      from (
        select w.post_id, w.created_at, w.words from private.post_search w
        where (w.created_at, w.post_id) < (scan_from, scan_from_id)
        order by w.created_at desc, w.post_id desc limit scan_rows) s
      where s.words @@ prefixes and (select true from private.searchable_posts p where p.id = s.post_id)
      order by s.created_at desc, s.post_id desc limit window_size - cardinality(found_ids));
    is_complete := cardinality(found_ids) = window_size;
    exit when is_complete;
    select s.created_at, s.post_id into scan_from, scan_from_id from private.post_search s
    where (s.created_at, s.post_id) < (scan_from, scan_from_id)
    order by s.created_at desc, s.post_id desc offset scan_rows - 1 limit 1;
    is_complete := scan_from is null;
    exit when is_complete;
    -- The share of matches among the posts read so far gives an estimate of how many more posts would have to be read
    -- to fill the window, and of how many matches there are in total. The index is used if reading all matches through
    -- it would be faster, although reading a post this way takes three times as long. With only a few matches, the
    -- estimate is used only after many posts have been read.
    scanned_rows := scanned_rows + scan_rows;
    exit when (cardinality(found_ids) >= 3 or scanned_rows >= 2500)
      and 3 * post_count * cardinality(found_ids) ^ 2 < (window_size - cardinality(found_ids)) * scanned_rows ^ 2;
  end loop;
  if not is_complete then
    -- If the query has several words, only the one with the fewest matches among the newest posts is looked up in the
    -- index: reading the matches of a common word takes longer than checking the other words in the rows.
    rarest := case when cardinality(query_words) = 1 then prefixes else (
      select w.query
      from (select private.text_search_query(array[word], true) as query from unnest(query_words) word offset 0) w
      order by (
        select count(*)
        from (select s.words from private.post_search s order by s.created_at desc, s.post_id desc limit 1000) s
        where s.words @@ w.query)
      limit 1) end;
    found_ids := found_ids || array(
      -- The inner query has no condition on `created_at`. With one, the planner would scan the posts from the newest to
      -- the oldest. The order of the inner query lets the outer query stop as soon as the window is full.
      select m.post_id
      from (
        with matches as materialized (
          select s.post_id, s.created_at from private.post_search s
          where s.words @@ rarest and (cardinality(query_words) = 1 or (s.words @@ prefixes) is true))
        select * from matches order by created_at desc, post_id desc) m
      where (m.created_at, m.post_id) < (scan_from, scan_from_id)
        and (select true from private.searchable_posts p where p.id = m.post_id)
      order by m.created_at desc, m.post_id desc limit window_size - cardinality(found_ids));
  end if;
  return query
    with found as (
      select s.post_id,
             row_number() over (order by s.words @@ whole_words desc,
               ln(1 + p.likes_count + 2 * p.comments_count) + extract(epoch from s.created_at) / 2592000 desc,
               s.created_at desc, s.post_id desc)::integer as place
      from unnest(found_ids) found (id)
      join private.post_search s on s.post_id = found.id join public.posts p on p.id = found.id)
    select f.post_id, f.place, private.timestamp_text(start_time) || '_' || start_id,
           case when cardinality(found_ids) = window_size then (
             select private.timestamp_text(s.created_at) || '_' || s.post_id
             from private.post_search s where s.post_id = found_ids[window_size]) end
    from found f where f.place > after_place order by f.place limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_creator_plan(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- The count of months can start over, so that nobody pays for time without access (see private.settle_subscription).
  if plan.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > plan.started_at + plan.periods * interval '1 month' then
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  if new_periods = 1 then update public.payments p set period_start = new_start where p.id = payment.id; end if;
  update public.creator_plans s
  set state = 'active', started_at = new_start, periods = new_periods,
      period_end = greatest(new_start + new_periods * interval '1 month', plan.period_end)
  where s.id = plan.id;
  if plan.state = 'pending' then
    update public.profiles p set is_creator = true where p.id = payment.payer_id and not p.is_creator;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_subscription(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- After the grace period, the count of months starts over, so that nobody pays for time without access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first month after a pause.
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  -- A first month starts when it is paid for, not when its payment was begun.
  if new_periods = 1 then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A month that the provider charged for during a pause is reported after the pause, and may end before
      -- period_end.
      period_end = greatest(new_start + new_periods * interval '1 month', subscription.period_end)
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.update_instance_settings(changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.void_test_money()
 RETURNS TABLE(creators integer, amount_cents bigint, payouts integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout record;
  balance record;
  platform_cents bigint;
begin
  creators := 0;
  amount_cents := 0;
  payouts := 0;
  -- Without this lock, two concurrent calls could both book the platform's balance back.
  perform private.lock_test_money();
  -- Locks everything in the same order as a settlement, so that the loops below lock nothing new.
  perform private.lock_user_counters(array(
    select p.user_id from public.payouts p where p.is_test and p.state = 'requested'));
  perform from public.payouts p where p.is_test and p.state = 'requested' order by p.id for update;
  perform from public.profiles u
  where u.id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by u.id for key share;
  perform from public.creator_balances b
  where b.test_cents <> 0
     or b.user_id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by b.user_id for update;
  for payout in select p.id from public.payouts p where p.is_test and p.state = 'requested' order by p.id loop
    perform private.close_payout(payout.id, 'failed', 'It was test money.', null);
    payouts := payouts + 1;
  end loop;
  for balance in
    select b.user_id, b.test_cents from public.creator_balances b where b.test_cents <> 0 order by b.user_id for update
  loop
    perform private.book_transaction('test_void', balance.user_id, null, null, array[
      ('creator', balance.user_id, 'test_void', -balance.test_cents)::private.ledger_line,
      ('processor', null, 'test_void', balance.test_cents)::private.ledger_line], test_money => true);
    creators := creators + 1;
    amount_cents := amount_cents + balance.test_cents;
  end loop;
  select coalesce(sum(e.amount_cents), 0) into platform_cents
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.is_test and e.account = 'platform';
  if platform_cents <> 0 then
    perform private.book_transaction('test_void', null, null, null, array[
      ('platform', null, 'test_void', -platform_cents)::private.ledger_line,
      ('processor', null, 'test_void', platform_cents)::private.ledger_line], test_money => true);
  end if;
  if creators > 0 or payouts > 0 or platform_cents <> 0 then
    perform private.write_audit_entry('00000000-0000-0000-0000-000000000000', 'test_money.void', details =>
      jsonb_build_object('creators', creators, 'amount', amount_cents / 100.0, 'payouts', payouts));
  end if;
  return next;
end
$function$;
