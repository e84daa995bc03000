set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.accept_follow_request(requester_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  perform private.lock_follows(requester_id, (select auth.uid()));
  perform from public.follow_requests r
  where r.follower_id = requester_id and r.followee_id = (select auth.uid()) for update;
  if not found then return false; end if;
  perform private.lock_user_pair(requester_id, (select auth.uid()));
  -- Marks the follow as the result of a request, for the triggers above.
  perform set_config('private.accepting', 'on', true);
  delete from public.follow_requests r where r.follower_id = requester_id and r.followee_id = (select auth.uid());
  insert into public.follows (follower_id, followee_id) values (requester_id, (select auth.uid()))
  on conflict do nothing;
  perform set_config('private.accepting', '', true);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.before_message_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  stored public.messages;
  image public.media;
begin
  -- Policies are checked after this trigger, so reject what they would reject before anything is counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages as yourself.' using errcode = '42501';
    end if;
    -- The second call, which raises the error, is made only for a refusal.
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
    -- The stored message keeps its number, so release the number that was just assigned.
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
$function$;

CREATE OR REPLACE FUNCTION private.begin_auto_run(target_user_id uuid, run_kind text, as_of timestamp with time zone, model_name text, reserved_micros bigint, slot_day date DEFAULT NULL::date, slot_nth smallint DEFAULT NULL::smallint, slot_token uuid DEFAULT NULL::uuid, OUT run_id uuid, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      -- A run can no longer publish if its slot now belongs to the caller or to nobody.
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
        -- The system clock was set back. The run has crashed or renews its lease within seconds. A small step is
        -- tolerated, so that it does not let another run start.
        or j.running_until > clock_timestamp() + make_interval(secs => 10 * lease_seconds))
      and (not only_if_due or j.started_at not between
        clock_timestamp() - make_interval(secs => interval_seconds) and clock_timestamp())
      -- Timers are not exact, so a tick that is at most half an interval early counts as due.
      and (not is_scheduled or j.started_at not between
        clock_timestamp() - make_interval(
          secs => private.job_delay_seconds(
            interval_seconds, j.failures + (j.running_until is not null)::integer) - interval_seconds / 2.0)
        and clock_timestamp()
        -- An operator may start the job at any time, and the schedule must not skip the next tick because of that.
        or j.failures + (j.running_until is not null)::integer < 2)
  returning token into run_token;
  return run_token;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_tip(tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text DEFAULT NULL::text, tipped_post_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- No provider has been called for this payment yet, so it switches to the current provider.
    update public.payments p set provider = payment_provider
    where p.id = tip_id and p.state = 'pending' and p.provider_reference is null and p.provider <> payment_provider;
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
$function$;

CREATE OR REPLACE FUNCTION private.begin_unlock(target_post_id uuid, amount numeric, payment_provider text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- No provider has been called for this payment yet, so it switches to the current provider.
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
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_message_change(changed public.messages, event text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_read boolean := coalesce((
    select changed.seq <= r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.partner_id = changed.sender_id), false);
  message jsonb := private.message_json(changed, is_read);
begin
  perform private.broadcast_to_user(changed.receiver_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  -- If either user has blocked the other, neither learns when the other is online.
  if is_read and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.broadcast_to_user(changed.sender_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.check_names()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.confirm_email_change(token text, network_address text)
 RETURNS TABLE(wait integer, target_user_id uuid, old_email text, new_email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change private.email_changes;
  was_confirmed boolean;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_reset_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  select a.email, a.email_confirmed_at is not null into old_email, was_confirmed
  from public.accounts a where a.user_id = change.user_id for update;
  if lower(old_email) <> lower(change.email) then
    perform private.set_account_email(change.user_id, change.email);
  end if;
  update public.accounts a set email_confirmed_at = clock_timestamp()
  where a.user_id = change.user_id and a.email_confirmed_at is null;
  if not was_confirmed then old_email := null; end if;
  target_user_id := change.user_id;
  new_email := change.email;
  return next;
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
  -- This lock comes first, as in all functions that notify the user.
  perform private.lock_user_counters(array[uid]);
  -- Concurrent calls must not exceed the limit together. A call that has waited for a password change or a suspension,
  -- which revoke all tokens under the same lock, must not add one afterwards, so the checks come after the lock.
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
  -- Serializes notifications, so that they join a group one after the other.
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
  -- Locks the payout schedule before the balance, like the job that runs the schedules.
  perform from public.payout_schedules s where s.user_id = target_user_id for update;
  -- The balance is read only under its lock, so that it includes a sale that was being booked.
  perform from public.creator_balances b where b.user_id = target_user_id for update;
  -- A debt in one kind of money does not reduce the other.
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

CREATE OR REPLACE FUNCTION private.mark_conversation_read_for(reader_id uuid, other_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- If either user has blocked the other, neither learns when the other is online.
  if private.are_blocked(reader_id, other_user_id) then return true; end if;
  perform private.broadcast_to_user(other_user_id, 'conversation.read', jsonb_build_object(
    'otherUserId', reader_id, 'readerId', reader_id, 'lastReadSeq', conversation.last_seq,
    'unreadTotal', coalesce((select c.unread_messages from public.user_counters c
                             where c.user_id = other_user_id), 0)));
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_restriction(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Locks the table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  perform from public.accounts a where a.user_id = target_user_id for update;
  update public.accounts a set read_only_reason = private.restriction_reason(a)
  where a.user_id = target_user_id and a.read_only_reason is distinct from private.restriction_reason(a);
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
  -- Locks the table before its rows, in the same order as private.on_required_setting_changed. The settings cannot
  -- change until the end of the transaction.
  lock table public.accounts in row exclusive mode;
  select r.after_user_id into last_user_id from private.restriction_refreshes r for update;
  if not found then return 0; end if;
  account_ids := array(
    select a.user_id from public.accounts a where a.user_id > last_user_id order by a.user_id limit max_rows);
  -- Locked before the causes are read, as in private.refresh_restriction.
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

CREATE OR REPLACE FUNCTION private.refresh_topics(max_rows integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_tags text[];
begin
  insert into private.topics (tag, search_key)
  select u.tag, private.topic_search_key(u.tag)
  from (select distinct t.tag from public.post_tags t
        where t.created_at > case when max_rows is null then '-infinity' else now() - interval '1 hour' end) u
  order by u.tag
  on conflict do nothing;
  due_tags := array(
    -- A topic with many people is counted at most once an hour, because its rank hardly changes.
    select t.tag from private.topics t
    where t.tag in (select u.tag from public.post_tags u where u.created_at > now() - interval '1 hour')
      and (t.people < 20 or t.counted_at < now() - interval '1 hour')
    union
    (select t.tag from private.topics t order by t.counted_at, t.tag limit max_rows));
  update private.topics t set people = c.people, counted_at = now()
  from (
    select due.tag, (
      select count(distinct p.id)
      from (select u.author_id from public.post_tags u where u.tag = due.tag
            order by u.created_at desc, u.post_id desc limit 500) latest
      join private.discoverable_profiles p on p.id = latest.author_id and p.visibility = 'public'
      join public.accounts a on a.user_id = p.id and a.read_only_reason is null) as people
    from unnest(due_tags) due (tag) offset 0) c
  where t.tag = c.tag;
  delete from private.topics t
  where t.tag = any (due_tags) and not exists (select from public.post_tags u where u.tag = t.tag);
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_payment(payment_id uuid, reference text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- charge, or of a checkout page on which nothing was paid. Test money must not replace a charge that is to be
    -- refunded.
    update public.payments p set provider_reference = reference, settled_at = clock_timestamp(), refunded_at = null
    where p.id = payment_id and p.state = 'void'
      and (p.provider_reference is null or reference not like 'test\_%')
      and reference is not null and p.provider_reference is distinct from reference;
    return payment.state = 'paid';
  end if;
  delivered := case when not private.ensure_period_sellable(payment) then false else case payment.kind
    when 'unlock' then private.settle_unlock(payment)
    when 'subscription' then private.settle_subscription(payment)
    when 'tip' then private.settle_tip(payment)
    else private.settle_creator_plan(payment) end end;
  -- The provider that took the money, which may differ from the one that the payment was begun with.
  update public.payments p
  set state = case when delivered then 'paid' else 'void' end, provider_reference = reference,
      provider = case when reference like 'test\_%' then 'test' else p.provider end, settled_at = clock_timestamp()
  where p.id = payment_id;
  if delivered then perform private.book_payment(payment, 1); end if;
  return delivered;
end
$function$;

COMMENT ON TABLE "public"."profiles" IS 'Names, picture and privacy settings of a user. Readable by admins, and by everybody except users who have blocked the user or are blocked by them.';
