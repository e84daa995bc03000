set local check_function_bodies = off;

DROP POLICY "conversation_members_active_session" ON "public"."conversation_members";

DROP POLICY "conversations_active_session" ON "public"."conversations";

DROP POLICY "messages_active_session" ON "public"."messages";

DROP POLICY "moderation_cases_select" ON "public"."moderation_cases";

DROP POLICY "notifications_select" ON "public"."notifications";

DROP POLICY "payout_methods_active_session" ON "public"."payout_methods";

DROP POLICY "payout_schedules_active_session" ON "public"."payout_schedules";

DROP POLICY "payouts_active_session" ON "public"."payouts";

DROP POLICY "profiles_update" ON "public"."profiles";

DROP POLICY "user_settings_update" ON "public"."user_settings";

DROP INDEX "public"."notifications_once_key";

ALTER TABLE "public"."notifications" DROP CONSTRAINT "notifications_kind_check";

CREATE TABLE "private"."access_tokens" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "name" text NOT NULL, "token_hash" bytea NOT NULL, "scopes" text[] NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "expires_at" timestamp with time zone, "last_used_at" timestamp with time zone, CONSTRAINT "access_tokens_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))), CONSTRAINT "access_tokens_pkey" PRIMARY KEY (id), CONSTRAINT "access_tokens_scopes_check" CHECK (((scopes <@ '{read,write,messages}'::text[]) AND (scopes @> '{read}'::text[]))), CONSTRAINT "access_tokens_token_hash_check" CHECK ((octet_length(token_hash) = 32)), CONSTRAINT "access_tokens_token_hash_key" UNIQUE (token_hash));

CREATE OR REPLACE FUNCTION private.begin_email_change(new_email text, token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  if not exists (select from public.accounts a
                 where a.user_id = uid and a.read_only_reason = private.confirmation_required()) then
    perform private.require_write();
  end if;
  if exists (select from public.accounts a where a.user_id = uid and lower(a.email) = lower(new_email)) then
    perform private.cancel_pending_email(uid);
    return false;
  end if;
  -- The same address again within two minutes: the form was saved for another field. After that the email may have
  -- been lost, so another email is sent while the rate limit allows it.
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
$function$;

CREATE OR REPLACE FUNCTION private.can_use_messages()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_session_active() and private.has_scope('messages');
end
$function$;

CREATE OR REPLACE FUNCTION private.consume_export_limit()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  perform private.enforce_rate_limit('export', auth.uid(), 6, '1 hour');
end
$function$;

CREATE OR REPLACE FUNCTION private.password_fingerprint()
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  return (select sha256(convert_to(u.encrypted_password, 'UTF8')) from auth.users u where u.id = auth.uid());
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
  -- First, as in all functions that notify the user.
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

CREATE OR REPLACE FUNCTION private.delete_own_account(forfeit_balance boolean, count_test_money boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  perform private.delete_account(auth.uid(), forfeit_balance, count_test_money);
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_payout_method(target_method_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || uid::text, 0));
  delete from public.payout_methods m where m.id = target_method_id and m.user_id = uid;
  if not found then raise exception 'Payout method not found' using errcode = 'PT404'; end if;
  update public.payout_methods m set is_default = true
  where m.id = (select o.id from public.payout_methods o where o.user_id = uid order by o.created_at limit 1)
    and not exists (select from public.payout_methods o where o.user_id = uid and o.is_default);
end
$function$;

CREATE OR REPLACE FUNCTION private.due_digests()
 RETURNS TABLE(recipient_id uuid, since timestamp with time zone, mailed_at timestamp with time zone, newest timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with period as (select now() - interval '1 day 15 minutes' as oldest, now() - interval '15 minutes' as due_before),
  waiting as (
    select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n, period p
    where n.read_at is null and n.created_at > p.oldest and n.created_at <= p.due_before
      and n.kind not in ('message', 'sign_in', 'access_token')
    group by 1
    union all
    select m.user_id, max(m.unread_since) from public.conversation_members m, period p
    where m.unread_since > p.oldest and m.unread_since <= p.due_before
      and not private.are_blocked(m.user_id, m.partner_id)
    group by 1
  )
  select w.recipient_id, greatest(k.mailed_until, p.oldest), k.mailed_at, w.newest
  from (select w.recipient_id, max(w.newest) as newest from waiting w group by 1) w
  cross join period p
  join public.user_settings s on s.user_id = w.recipient_id and s.email_notifications and s.activity_mails
  join public.accounts a on a.user_id = w.recipient_id and a.email_confirmed_at is not null
  left join private.notification_mails k on k.user_id = w.recipient_id
  where w.newest > coalesce(k.mailed_until, '-infinity')
    and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
$function$;

CREATE OR REPLACE FUNCTION private.end_all_sessions(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.cancel_pending_email(target_user_id);
  perform private.revoke_access_tokens(target_user_id);
  delete from auth.sessions s where s.user_id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_other_sessions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  delete from auth.sessions s
  where s.user_id = auth.uid() and s.id::text is distinct from (auth.jwt() ->> 'session_id');
end
$function$;

CREATE OR REPLACE FUNCTION private.end_own_session(target_session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  delete from auth.sessions s where s.id = target_session_id and s.user_id = auth.uid();
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.export_unlinked_records()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  email_address text := (select a.email from public.accounts a where a.user_id = auth.uid());
  sign_ins jsonb := '[]';
begin
  perform private.require_sign_in_session();
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
      from private.email_changes c where c.user_id = uid and lower(c.email) <> lower(email_address)),
    'lastSeenAt', (select s.seen_at from private.last_seen s where s.user_id = uid),
    'lastMailAboutNewsAt', (select m.mailed_at from private.notification_mails m where m.user_id = uid),
    'devices', (
      select coalesce(jsonb_agg(jsonb_build_object('device', d.device, 'firstSeenAt', d.first_seen_at)
                                order by d.first_seen_at), '[]')
      from private.known_devices d where d.user_id = uid),
    'accessTokens', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', t.name, 'scopes', t.scopes, 'createdAt', t.created_at, 'expiresAt', t.expires_at,
        'lastUsedAt', t.last_used_at) order by t.created_at), '[]')
      from private.access_tokens t where t.user_id = uid),
    'countedCalls', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.bucket, 'since', r.window_start, 'calls', r.hits)
                                order by r.window_start, r.bucket), '[]')
      from private.rate_limits r
      where r.subject = uid::text or lower(r.subject) = lower(email_address)
         or starts_with(lower(r.subject), lower(email_address) || ' ')),
    'recentViews', (
      select coalesce(jsonb_agg(jsonb_build_object('postId', v.post_id, 'hour', v.hour)
                                order by v.hour, v.post_id), '[]')
      from private.post_views v where v.viewer_id = uid),
    'discoverScore', (select s.score from private.creator_scores s where s.user_id = uid),
    'paymentCustomers', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', c.provider, 'reference', c.reference,
                                                   'createdAt', c.created_at) order by c.created_at), '[]')
      from private.payment_customers c where c.user_id = uid),
    'autoPosting', (
      select jsonb_build_object('enabled', x.enabled, 'frequency', x.frequency, 'changedAt', x.changed_at,
                                'lastAutoPost', x.last_auto_post, 'askedAt', x.asked_at)
      from private.auto_posting_settings x where x.user_id = uid),
    'autoPostTimes', (
      select coalesce(jsonb_agg(jsonb_build_object('dueAt', s.due_at, 'state', s.state) order by s.due_at), '[]')
      from private.auto_post_slots s where s.user_id = uid),
    'takenBack', (
      select coalesce(jsonb_agg(jsonb_build_object('news', w.kind, 'to', w.user_id, 'times', w.times, 'since', w.since)
                                order by w.since), '[]')
      from private.notification_withdrawals w where w.actor_id = uid));
end
$function$;

CREATE OR REPLACE FUNCTION private.find_conversation_id(other_user_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then return null; end if;
  return (select c.id from public.conversations c
          where c.user_low = least(uid::text, other_user_id::text)::uuid
            and c.user_high = greatest(uid::text, other_user_id::text)::uuid);
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_onboarding()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  update public.accounts a set onboarded_at = clock_timestamp() where a.user_id = uid and a.onboarded_at is null;
  if found then perform private.broadcast_to_user(uid, 'profile.changed', jsonb_build_object('userId', uid)); end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_scope(scope text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return not private.is_access_token() or coalesce(auth.jwt() -> 'token_scopes' ? scope, false);
end
$function$;

CREATE OR REPLACE FUNCTION private.is_access_token()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return coalesce(auth.jwt() ? 'token_scopes', false);
end
$function$;

CREATE OR REPLACE FUNCTION private.is_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return not private.is_access_token()
    and coalesce((select p.is_admin from public.profiles p where p.id = (select auth.uid())), false);
end
$function$;

CREATE OR REPLACE FUNCTION private.is_session_active()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from auth.sessions s
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  ) then
    return true;
  end if;
  return private.is_access_token() and exists (
    select from private.access_tokens t
    where t.id = nullif(auth.jwt() ->> 'session_id', '')::uuid
      and t.user_id = (select auth.uid())
      and (t.expires_at is null or t.expires_at > now())
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_sign_in_session_active()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_session_active() and not private.is_access_token();
end
$function$;

CREATE OR REPLACE FUNCTION private.list_access_tokens()
 RETURNS TABLE(id uuid, name text, scopes text[], created_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  return query
    select t.id, t.name, t.scopes, t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t where t.user_id = auth.uid() order by t.created_at desc, t.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_conversations(after_message_at timestamp with time zone, after_partner_id uuid, max_rows integer)
 RETURNS TABLE(partner_id uuid, last_message_id uuid, last_message_at timestamp with time zone, unread_count integer, has_written boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 30
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then return; end if;
  return query
    select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
    from public.conversation_members m
    where m.user_id = uid
      and (m.last_message_at, m.partner_id) <
          (coalesce(after_message_at, 'infinity'), coalesce(after_partner_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by m.last_message_at desc, m.partner_id desc limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_message_for_change(message_id uuid)
 RETURNS public.messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if not private.can_use_messages() then
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
$function$;

CREATE OR REPLACE FUNCTION private.mark_all_conversations_read()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  partner_ids uuid[];
  other_user_id uuid;
  changed_count integer := 0;
begin
  if not private.can_use_messages() then return 0; end if;
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
$function$;

CREATE OR REPLACE FUNCTION private.mark_conversation_read(other_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.can_use_messages() then return false; end if;
  return private.mark_conversation_read_for((select auth.uid()), other_user_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.notification_enabled(recipient_id uuid, notification_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    when 'access_token' then settings.login_alerts
    when 'new_post' then settings.new_posts
    else true end, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.on_password_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.revoke_access_tokens(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_suspension_revoke_access_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.revoke_access_tokens(new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_last_seen()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_sign_in_session_active() then return; end if;
  if exists (select from private.last_seen s
             where s.user_id = auth.uid() and s.seen_at > now() - interval '20 seconds') then
    return;
  end if;
  insert into private.last_seen as s (user_id, seen_at) values (auth.uid(), now())
  on conflict (user_id) do update set seen_at = excluded.seen_at;
end
$function$;

CREATE OR REPLACE FUNCTION private.renew_email_token(token text)
 RETURNS TABLE(email text, is_change boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  perform private.require_sign_in_session();
  email := private.pending_email();
  is_change := email is not null;
  if not is_change then
    select a.email into email from public.accounts a where a.user_id = uid and a.email_confirmed_at is null;
    if not found then return; end if;
  end if;
  perform private.enforce_rate_limit('email change', uid, 5, '1 hour');
  insert into private.email_changes as c (user_id, email, token_hash)
  values (uid, renew_email_token.email, private.hash_reset_token(token))
  on conflict (user_id) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = clock_timestamp();
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_payout(new_payout_id uuid, amount numeric DEFAULT NULL::numeric, target_method_id uuid DEFAULT NULL::uuid, test_money boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  existing public.payouts;
  method public.payout_methods;
  available_cents bigint;
  cents bigint := (amount * 100)::bigint;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
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
  available_cents := private.balance_cents(uid, test_money) - private.pending_balance_cents(uid, test_money);
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
  perform private.create_payout(new_payout_id, uid, 'instant', cents, method, test_money);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_message(message_id uuid)
 RETURNS public.messages
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  message public.messages;
begin
  if private.can_use_messages() then
    select * into message from public.messages m where m.id = message_id and uid in (m.sender_id, m.receiver_id);
  end if;
  if message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  return message;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_sign_in_session()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_session();
  if private.is_access_token() then
    raise exception 'Access tokens cannot do this. Sign in on the site.'
      using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_write_scope()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_scope('write') then
    raise exception 'This access token can only read.' using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.revoke_access_token(token_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  delete from private.access_tokens t where t.id = token_id and t.user_id = auth.uid();
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.revoke_access_tokens(target_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || target_user_id::text, 0));
  delete from private.access_tokens t where t.user_id = target_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.save_payout_method(target_method_id uuid, method_type text, method_name text, masked_details text, encrypted_details text, make_default boolean, new_method_id uuid DEFAULT gen_random_uuid())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  saved_id uuid;
  existing public.payout_methods;
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  perform private.require_confirmed_email();
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
$function$;

CREATE OR REPLACE FUNCTION private.search_messages(query_text text, after_created_at timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
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
  if not private.can_use_messages() or private.is_blank(normalized) then return; end if;
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
$function$;

CREATE OR REPLACE FUNCTION private.set_payout_schedule(is_weekly boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_sign_in_session();
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), is_weekly)
  -- Turning it off and on again keeps a date in the future. A date that has passed becomes a week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly and s.next_at <= clock_timestamp() then excluded.next_at
                   else s.next_at end;
end
$function$;

CREATE OR REPLACE FUNCTION private.use_access_token(requested_hash bytea)
 RETURNS TABLE(id uuid, user_id uuid, scopes text[], expires_at timestamp with time zone, wait integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select t.id, t.user_id, t.scopes, t.expires_at into id, user_id, scopes, expires_at
  from private.access_tokens t
  where t.token_hash = requested_hash and (t.expires_at is null or t.expires_at > clock_timestamp());
  if not found then return; end if;
  -- Requests with the same token wait for each other here, and hold a connection meanwhile, so the commit must not wait
  -- for the disk. A crash may lose the last counts.
  perform set_config('synchronous_commit', 'off', true);
  wait := private.consume_rate_limit('access_token', id::text, 300, '1 minute');
  -- A request that is recording the time already must not delay this one.
  update private.access_tokens t set last_used_at = clock_timestamp()
  where t.id = (
    select u.id from private.access_tokens u
    where u.id = use_access_token.id
      and (u.last_used_at is null or u.last_used_at < clock_timestamp() - interval '1 minute')
    for no key update skip locked);
  return next;
end
$function$;

ALTER TABLE "private"."access_tokens" ADD CONSTRAINT "access_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ((kind = ANY (ARRAY['follow'::text, 'follow_request'::text, 'follow_accepted'::text, 'like'::text, 'comment'::text, 'reply'::text, 'mention'::text, 'reaction'::text, 'unlock'::text, 'subscription'::text, 'tip'::text, 'message'::text, 'sign_in'::text, 'admin'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text, 'access_token'::text])));

CREATE INDEX access_tokens_user_id_idx ON private.access_tokens USING btree (user_id, created_at DESC);

CREATE UNIQUE INDEX notifications_once_key ON public.notifications USING btree (user_id, kind, actor_id, post_id, comment_id, message_id) NULLS NOT DISTINCT WHERE (kind <> ALL (ARRAY['sign_in'::text, 'admin'::text, 'tip'::text, 'subscription'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'new_post'::text, 'access_token'::text]));

CREATE TRIGGER on_password_changed AFTER UPDATE OF encrypted_password ON auth.users FOR EACH ROW WHEN (((old.encrypted_password)::text IS DISTINCT FROM (new.encrypted_password)::text)) EXECUTE FUNCTION private.on_password_changed();

CREATE TRIGGER on_suspension_revoke_access_tokens AFTER UPDATE OF suspended_at ON public.accounts FOR EACH ROW WHEN (((old.suspended_at IS NULL) AND (new.suspended_at IS NOT NULL))) EXECUTE FUNCTION private.on_suspension_revoke_access_tokens();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.auto_post_drafts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.auto_post_runs FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.blocks FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.comments FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.conversation_members FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.conversations FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.creator_balances FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.creator_days FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.creator_goals FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.creator_hours FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.creator_plans FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.earning_days FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.follow_requests FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.follows FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.gallery_items FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.likes FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.media FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.messages FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.moderation_cases FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.notifications FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.payout_methods FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.payout_schedules FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.payouts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.post_alerts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.post_days FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.post_tags FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.posts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.premium_contents FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.profile_about FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.profile_counts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.profile_details FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.profiles FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.reports FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.saves FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.subscriptions FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.unlocks FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.user_counters FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.user_settings FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

CREATE POLICY "conversation_members_active_session" ON "public"."conversation_members" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.can_use_messages() AS can_use_messages)) WITH CHECK (( SELECT private.can_use_messages() AS can_use_messages));

CREATE POLICY "conversations_active_session" ON "public"."conversations" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.can_use_messages() AS can_use_messages)) WITH CHECK (( SELECT private.can_use_messages() AS can_use_messages));

CREATE POLICY "messages_active_session" ON "public"."messages" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.can_use_messages() AS can_use_messages)) WITH CHECK (( SELECT private.can_use_messages() AS can_use_messages));

CREATE POLICY "moderation_cases_select" ON "public"."moderation_cases" FOR SELECT TO "authenticated" USING ((((user_id = ( SELECT auth.uid() AS uid)) AND (state <> 'open'::text) AND (decision <> 'dismiss'::text) AND ((kind <> 'message'::text) OR ( SELECT private.has_scope('messages'::text) AS has_scope))) OR ( SELECT private.is_admin() AS is_admin)));

CREATE POLICY "notifications_select" ON "public"."notifications" FOR SELECT TO "authenticated" USING (((user_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'new_post'::text) OR (EXISTS ( SELECT
   FROM private.visible_announced_posts(notifications.user_id, notifications.announcement_id, notifications.highlights_only) visible_announced_posts(posts, latest_post_id)))) AND ((kind <> ALL (ARRAY['message'::text, 'reaction'::text])) OR ( SELECT private.has_scope('messages'::text) AS has_scope))));

CREATE POLICY "payout_methods_active_session" ON "public"."payout_methods" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)) WITH CHECK (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active));

CREATE POLICY "payout_schedules_active_session" ON "public"."payout_schedules" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)) WITH CHECK (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active));

CREATE POLICY "payouts_active_session" ON "public"."payouts" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)) WITH CHECK (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active));

CREATE POLICY "profiles_update" ON "public"."profiles" FOR UPDATE TO "authenticated" USING ((id = ( SELECT auth.uid() AS uid))) WITH CHECK (((id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.can_write() AS can_write) AND ( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)));

CREATE POLICY "user_settings_update" ON "public"."user_settings" FOR UPDATE TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid))) WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)));

REVOKE ALL ON FUNCTION "private"."can_use_messages"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_use_messages"() TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."create_access_token"(bytea, text, bytea, text[], integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_access_token"(bytea, text, bytea, text[], integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."has_scope"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_scope"(text) TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."is_access_token"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_access_token"() TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."is_sign_in_session_active"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_sign_in_session_active"() TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."list_access_tokens"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_access_tokens"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."password_fingerprint"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."password_fingerprint"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."on_password_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_password_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."on_suspension_revoke_access_tokens"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_suspension_revoke_access_tokens"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_sign_in_session"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_sign_in_session"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."require_write_scope"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_write_scope"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."revoke_access_token"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."revoke_access_token"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."revoke_access_tokens"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."revoke_access_tokens"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."use_access_token"(bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."use_access_token"(bytea) TO "postgres", "service_role";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."access_tokens" TO "postgres";

-- Written by hand, because drafts leave out the schema realtime.
alter policy ovation_active_session on realtime.messages
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));
