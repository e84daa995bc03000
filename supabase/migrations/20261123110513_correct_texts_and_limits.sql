set local check_function_bodies = off;

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
  -- The admin who answers an appeal sees the content as it was when the case was decided.
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
$function$;

CREATE OR REPLACE FUNCTION private.delete_expired_drafts()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  expired_drafts integer;
  deleted_runs integer;
begin
  update public.auto_post_drafts f set state = 'expired', decided_at = clock_timestamp()
  where f.state = 'waiting' and f.created_at < clock_timestamp() - private.draft_lifetime();
  get diagnostics expired_drafts = row_count;
  delete from public.auto_post_drafts f where f.created_at < clock_timestamp() - interval '90 days';
  delete from public.auto_post_runs r where r.started_at < clock_timestamp() - interval '90 days';
  get diagnostics deleted_runs = row_count;
  delete from private.auto_post_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired_drafts, 'runs', deleted_runs);
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
  -- cleanup job deletes it after a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
end
$function$;

CREATE OR REPLACE FUNCTION private.draft_lifetime()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select interval '3 days' $function$;

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

CREATE OR REPLACE FUNCTION private.hide_subject(subject_kind text, target_subject_id uuid, hidden_state text, extra_user_ids uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- A reply that is already hidden with its parent gets its own state, so that it stays hidden when the parent is
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
$function$;

CREATE OR REPLACE FUNCTION private.moderate_subject(subject_kind text, target_subject_id uuid, new_decision text, reason_text text, suspension_days integer, also_hide boolean, forfeit_balance boolean, client_request_id uuid DEFAULT NULL::uuid, OUT case_id uuid, OUT removed_email text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- The user is not notified of a dismissal, so an admin could use it to read content without the user learning of it.
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
$function$;

CREATE OR REPLACE FUNCTION private.platform_fee_cents(cents integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select round(cents * private.platform_fee_percent() / 100)::integer
$function$;

CREATE OR REPLACE FUNCTION private.publish_draft(target_draft_id uuid, edited_content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  draft public.auto_post_drafts;
begin
  perform private.require_can_publish(false);
  -- The same order as account deletion, to avoid deadlocks.
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
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.auto_post_drafts f set state = 'published', decided_at = clock_timestamp() where f.id = target_draft_id;
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
  -- The posts are locked before the authors, each in the order of their ids, and both before the views: an account
  -- deletion locks posts before the profile, and last deletes the views that the user recorded.
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
$function$;

CREATE OR REPLACE FUNCTION private.snapshot_reported_content(moderation_case public.moderation_cases)
 RETURNS public.moderation_cases
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- Truncated to the hour: the user can read the snapshots after the decision, but must not learn exactly when a report
  -- was filed.
  set snapshots = moderation_case.snapshots
        || jsonb_build_object('at', date_trunc('hour', clock_timestamp()), 'seen', snapshot -> 'seen'),
      media_ids = array(select distinct u from unnest(
        m.media_ids || array(select jsonb_array_elements_text(snapshot -> 'media')::uuid)) u)
  where m.id = moderation_case.id
  returning * into updated_case;
  return updated_case;
end
$function$;

CREATE TRIGGER limit_saves BEFORE INSERT ON public.saves FOR EACH ROW EXECUTE FUNCTION private.limit_writes('relations', '120');

COMMENT ON TABLE "public"."moderation_cases" IS 'Read by admins and, once decided, by the user concerned, unless the case was dismissed. Written only by the functions of the private schema.';

COMMENT ON TABLE "public"."payments" IS 'Begun by the payer, or by the renewal of a subscription or plan; settled by the API once the provider confirms that the money was received.';

COMMENT ON TABLE "public"."profile_counts" IS 'Maintained by triggers. Readable by those who can view the profile; with show_follower_count off, only by the user and admins.';

COMMENT ON TABLE "public"."profiles" IS 'Names, picture and privacy settings of a user. Readable by admins, and by everybody except users in a block with the user.';

REVOKE ALL ON FUNCTION "private"."draft_lifetime"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."draft_lifetime"() TO "authenticated", "postgres";
