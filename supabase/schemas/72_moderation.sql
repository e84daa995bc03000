-- Moderation: reports, cases, decisions and appeals.
--
-- - Reports about the same subject (a post, comment, message or user) are collected in one open case. An admin
--   decides a case once. Unless the case is dismissed, the user concerned is notified of the decision and its reason,
--   and can appeal once, within 30 days. Reporters are notified of the outcome.
-- - A case stores snapshots of its subject, so that a decision can be reviewed after the subject was changed or
--   deleted. The uploads in a case are kept while it is open or appealed.
-- - Hidden and removed content is not deleted right away, so that an appeal can restore it. Removed content and the
--   content of hidden messages are deleted after 30 days. Removing a user is immediate and final.
-- - A suspended account is read-only; see private.refresh_restriction.
-- - Users are stored as ids without a foreign key, because cases and reports outlive accounts.
-- - Lock order: the case, the content (posts, conversations), profile counts, notification counters, the audit log.
--   The rows of each group are locked in the order of their ids.

-- Cases -----------------------------------------------------------------------------------------------------------

create table public.moderation_cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('post', 'comment', 'message', 'user')),
  subject_id uuid not null,
  -- The author of the content, or the reported user.
  user_id uuid not null,
  -- How the subject looked when it was reported and when the case was decided, oldest first, as [{at, seen}]. A
  -- snapshot is added if the subject has changed since the last snapshot.
  snapshots jsonb not null default '[]',
  -- The uploads in the snapshots. Admins can see them, and they are not deleted while the case is open or appealed.
  media_ids uuid[] not null default '{}',
  reports integer not null default 0 check (reports >= 0),
  -- 'closed' means that an appeal was decided.
  state text not null default 'open' check (state in ('open', 'decided', 'appealed', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  -- The time of the last report, decision, appeal or answer to an appeal. The list of cases is ordered by this time.
  moved_at timestamptz not null default clock_timestamp(),
  decision text check (decision in ('dismiss', 'warn', 'hide', 'remove', 'suspend')),
  -- The reason for the decision, which the user sees.
  reason text check (char_length(reason) between 1 and 400),
  suspended_until timestamptz,
  -- Whether this case hid the subject and a granted appeal can still restore it.
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

comment on table public.moderation_cases is
  'Read by admins and, once decided, by the user concerned, unless the case was dismissed. Written only by functions in the private schema.';

-- One open case per subject.
create unique index moderation_cases_open_key on public.moderation_cases (kind, subject_id) where state = 'open';

create unique index moderation_cases_request_key on public.moderation_cases (decided_by, request_id)
  where request_id is not null;

create index moderation_cases_state_idx on public.moderation_cases (state, moved_at desc, id desc);

create index moderation_cases_moved_at_idx on public.moderation_cases (moved_at desc, id desc);

create index moderation_cases_user_id_idx on public.moderation_cases (user_id, decided_at desc, id desc);

create index moderation_cases_subject_idx on public.moderation_cases (kind, subject_id);

create index moderation_cases_media_ids_idx on public.moderation_cases using gin (media_ids);

-- For private.cases_by_attention.
create index moderation_cases_attention_idx
  on public.moderation_cases ((-reports), (coalesce(appealed_at, created_at)), id)
  where state in ('open', 'appealed');

-- For private.run_moderation_maintenance.
create index moderation_cases_hid_idx on public.moderation_cases (decided_at)
  where hid and state in ('decided', 'closed');

alter table public.moderation_cases enable row level security;

-- Requires an active session.
create policy moderation_cases_active_session on public.moderation_cases as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read the decisions about them, except dismissals. With an access token, reading a case about a message needs
-- the `messages` scope, because the case contains the message's text. Admins read all cases.
create policy moderation_cases_select on public.moderation_cases for select to authenticated
  using ((user_id = (select auth.uid()) and state <> 'open' and decision <> 'dismiss'
          and (kind <> 'message' or (select private.has_scope('messages'))))
    or (select private.is_admin()));

revoke all on public.moderation_cases from anon, authenticated, service_role;
grant select on public.moderation_cases to service_role;
-- All columns except the number of reports, the time when the case was opened, the admins who decided and the request
-- id. Admins read the excluded columns, apart from the request id, through private.case_admin_details.
grant select (id, kind, subject_id, user_id, snapshots, media_ids, state, moved_at, decision, reason,
  suspended_until, hid, decided_at, appeal, appealed_at, appeal_outcome, appeal_answer, appeal_decided_at)
  on public.moderation_cases to authenticated;

-- Returns a page of the open cases and appeals: those with the most reports first, then those that have waited longest
-- for a decision or an answer. A filter that is null matches every case. `after_reports`, `after_time` and `after_id`
-- describe the last case of the previous page.
create function private.cases_by_attention(
  case_state text, subject_kind text, reported_user_id uuid, after_reports integer, after_time timestamptz,
  after_id uuid, skip_rows integer, max_rows integer
) returns table (case_id uuid, reports integer, waiting_since timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select c.id, c.reports, coalesce(c.appealed_at, c.created_at) from public.moderation_cases c
    where c.state in ('open', 'appealed') and (case_state is null or c.state = case_state)
      and (subject_kind is null or c.kind = subject_kind)
      and (reported_user_id is null or c.user_id = reported_user_id)
      and (after_id is null
        or (-c.reports, coalesce(c.appealed_at, c.created_at), c.id) > (-after_reports, after_time, after_id))
    order by -c.reports, coalesce(c.appealed_at, c.created_at), c.id offset skip_rows limit max_rows;
end
$$;

grant execute on function private.cases_by_attention(text, text, uuid, integer, timestamptz, uuid, integer, integer)
  to authenticated;

-- Returns the columns of a case that only admins may read; all are null for other callers.
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

grant execute on function private.case_admin_details(uuid) to authenticated;

-- Returns whether an upload belongs to an open or appealed case. Such uploads are not deleted.
create function private.is_media_in_open_case(target_media_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.moderation_cases c
                 where c.media_ids @> array[target_media_id] and c.state in ('open', 'appealed'))
$$;

-- Queues the uploads of a decided or closed case for the orphan check, which deletes those that nothing uses.
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
        'media', to_jsonb(array_remove(array[coalesce(h.media_id, m.media_id, f.media_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object('content', coalesce(h.content, m.content), 'mediaType',
          (select u.kind from public.media u where u.id = coalesce(h.media_id, m.media_id, f.media_id)),
          'mediaId', coalesce(h.media_id, m.media_id, f.media_id),
          'premiumPrice', round(coalesce(h.price_cents, m.price_cents) / 100.0, 2),
          'createdAt', m.created_at, 'editedAt', coalesce(h.edited_at, m.edited_at))))
      from public.messages m left join private.hidden_messages h on h.message_id = m.id and include_hidden
      left join private.paid_photos f on f.message_id = m.id
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

-- Returns, for admins, how the subject of a case compares with its last snapshot (`since`: 'same', 'changed' or
-- 'gone') and whether it is hidden: by this case, by another case, or because its post or parent comment is hidden.
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

grant execute on function private.subject_state(uuid) to authenticated;

-- Adds a snapshot to a case if its subject has changed since the last snapshot, and returns the case. The calling
-- function has locked the case. A case has at most 20 snapshots: a further snapshot replaces the latest, so that the
-- early snapshots are kept.
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
$$;

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
  -- A user can report the same subject once while its case is open.
  unique (case_id, reporter_id),
  check ((outcome is null) = (decided_at is null))
);

create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc, id desc);

alter table public.reports enable row level security;

-- Requires an active session.
create policy reports_active_session on public.reports as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users read their own reports; admins read all.
create policy reports_select on public.reports for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));

revoke all on public.reports from anon, authenticated, service_role;
grant select on public.reports to authenticated, service_role;

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
    -- Checked again, because an admin may have hidden the subject while this call waited for the lock.
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

-- Stores a report by the caller, or finds the report that they already filed in the open case. Does not check whether
-- the caller can see the subject; private.file_report does.
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

grant execute on function private.store_report(text, uuid, text, text) to authenticated;

-- Reports something that the caller can see. Runs with the caller's privileges, so that the policies apply. Read-only
-- accounts can report too, and users can report somebody whom they have blocked.
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

grant execute on function private.file_report(text, uuid, text, text) to authenticated;

-- Hiding content --------------------------------------------------------------------------------------------------

-- Posts and comments are hidden by their column `hidden`, which the policies check. A message cannot be hidden that way
-- without leaving a gap in its conversation. It is instead redacted like a deleted message, and its content is kept
-- here until the message is restored or the content is permanently deleted.
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
  hidden_at timestamptz not null default clock_timestamp(),
  media_duration integer,
  price_cents integer
);

create index hidden_messages_media_id_idx on private.hidden_messages (media_id) where media_id is not null;

create index hidden_messages_reply_to_id_idx on private.hidden_messages (reply_to_id) where reply_to_id is not null;

-- When a post is hidden or restored, updates the author's post counts and the post's hashtags (post_tags). Hidden
-- posts are not counted, so deleting one changes no count.
create function private.on_post_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if delta = 0 then return null; end if;
  perform private.count_post(new, delta);
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

create trigger on_post_hidden after update of hidden on public.posts
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_post_hidden();

-- Updates the numbers of comments and replies when a comment is hidden or restored. Hidden comments are not counted.
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

create trigger on_comment_hidden after update of hidden on public.comments
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_comment_hidden();

-- Deletes notifications about hidden comments or a hidden post, because their links no longer work. The post's author
-- keeps the notifications about the post. `extra_user_ids` are users whose counters the calling function changes next:
-- they are locked here too, so that all counters are locked together, in the order of the users' ids.
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

-- Hides a post, comment or message. `hidden_state` is 'hidden' (the author still sees a post or comment) or 'removed'.
-- `extra_user_ids` are users whose counters the calling function changes next; see
-- private.withdraw_notifications_about. Returns false if the subject does not exist or is already hidden.
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
                                         media_duration, placeholder, price_cents, reactions, edited_at)
    values (message.id, message.content, message.reply_to_id, message.media_id, message.media_width,
            message.media_height, message.media_duration, message.placeholder, message.price_cents, message.reactions,
            message.edited_at);
    perform private.redact_message(message);
    return true;
  end if;
  return false;
end
$$;

-- Restores a hidden post, comment or message. Replies that were hidden with a comment are restored with it; a reply
-- stays hidden while its parent comment is hidden. Deleted notifications are not restored.
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
        reply_to_id = hidden_message.reply_to_id, price_cents = hidden_message.price_cents,
        -- The payment for a paid photo may have been refunded while the message was hidden.
        media_id = case when hidden_message.price_cents is null then hidden_message.media_id
                        else private.unlocked_media_id(m.id) end,
        media_width = hidden_message.media_width, media_height = hidden_message.media_height,
        media_duration = hidden_message.media_duration, placeholder = hidden_message.placeholder,
        reactions = hidden_message.reactions, version = private.next_message_version(m.conversation_id)
    where m.id = target_subject_id
    returning * into restored_message;
    perform private.broadcast_message_change(restored_message, 'message.changed');
  end if;
end
$$;

-- Decisions -------------------------------------------------------------------------------------------------------

-- Suspends an account for `suspension_days` days or, if that is null, until an admin lifts the suspension. A longer
-- suspension that is already in effect is not shortened. Returns the end of the suspension, or null if it has none.
-- Called by private.decide_case.
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

-- Decides an open case. A decided case cannot be decided again. Notifies the reporters and, unless the case is
-- dismissed, the user. `new_decision` is one of:
-- - 'dismiss' or 'warn'.
-- - 'hide' or 'remove', which hide content. A user cannot be hidden. Removing a user deletes the account in
--   the same way as private.remove_user, and raises `balance_left` under the same condition.
-- - 'suspend', which suspends the user for `suspension_days` days or, if that is null, until an admin lifts the
--   suspension. It also hides the content if `also_hide` is true.
--
-- Returns the email of an account that was removed, otherwise null.
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
$$;

grant execute on function private.decide_case(uuid, text, text, integer, boolean, boolean) to authenticated;

-- Moderates a subject, whether or not it was reported: opens a case, or uses the open one, and decides it with
-- private.decide_case. A message needs an open case, unless the caller is a member of its conversation. Returns
-- the id of the case and, if an account was removed, its email. A repeated call by the same admin with the same
-- `client_request_id` returns the id of the same case and has no other effect.
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
        raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
      end if;
      case_id := existing_case.id;
      return;
    end if;
  end if;
  -- Users are not notified of dismissals, so an admin could use one to read content without its author learning of it.
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

grant execute on function private.moderate_subject(text, uuid, text, text, integer, boolean, boolean, uuid)
  to authenticated;

-- Appeals ---------------------------------------------------------------------------------------------------------

-- Appeals a decision about the caller. A decision can be appealed only once, within 30 days.
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

grant execute on function private.appeal_case(uuid, text) to authenticated;

-- Returns whether the caller may answer the appeal in a case about `target_user_id` that `decider_id` decided. Admins
-- may not answer their own appeal, and may answer an appeal against their own decision only if no other admin can.
create function private.can_answer_appeal(decider_id uuid, target_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_admin() and target_user_id <> auth.uid()
    and (decider_id is distinct from auth.uid() or not exists (
      select from public.profiles p where p.is_admin and p.id not in (auth.uid(), target_user_id)))
$$;

grant execute on function private.can_answer_appeal(uuid, uuid) to authenticated;

-- Answers an appeal and notifies the user. The answer is final. `overturn` grants the appeal: content that the case
-- hid is restored, and the case's suspension and email ban end.
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

grant execute on function private.decide_appeal(uuid, boolean, text) to authenticated;

-- Maintenance and account deletion --------------------------------------------------------------------------------

-- Deletes the snapshots of deleted profiles in the cases that private.on_profile_deleted_cases left out: cases that it
-- skipped because they were locked, and cases that it could not see yet because a concurrent report was opening them.
-- Cases of the latter kind are looked for only among those that changed within the last day.
create function private.delete_profile_snapshots() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  case_ids uuid[] := array(
    select d.case_id from private.profile_snapshot_deletions d
    union
    select c.id from public.moderation_cases c
    where c.moved_at > now() - interval '1 day' and c.kind = 'user'
      and not exists (select from public.profiles p where p.id = c.user_id));
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.id = any (case_ids) and o.snapshots <> '[]'
                 for update skip locked);
  delete from private.profile_snapshot_deletions d
  where not exists (select from public.moderation_cases c where c.id = d.case_id and c.snapshots <> '[]');
end
$$;

-- Deletes removed content and the content of hidden messages 30 days after the decision, unless an appeal is open or
-- was granted. Ends suspensions and email bans that have expired. Calls private.delete_profile_snapshots. Returns the
-- counts for the result of the `moderation` job.
create function private.run_moderation_maintenance() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  expired_cases public.moderation_cases[] := array(
    select c from public.moderation_cases c
    where c.hid and (c.decision = 'remove' or c.kind = 'message') and c.state in ('decided', 'closed')
      and c.decided_at < (select clock_timestamp()) - interval '30 days'
    order by c.decided_at limit 200 for update skip locked);
  subject_ids uuid[] := array(select d.subject_id from unnest(expired_cases) d);
  removed_post_ids uuid[] := array(
    select p.id from public.posts p where p.id = any (subject_ids) and p.hidden = 'removed');
  removed_comment_ids uuid[] := array(
    select m.id from public.comments m where m.id = any (subject_ids) and m.hidden = 'removed');
  locked_post_ids uuid[];
begin
  -- The rows are locked in the usual order: posts, profile counts, notification counters, each by id.
  -- `or` is avoided, because the planner would then scan all posts.
  locked_post_ids := removed_post_ids || array(
    select m.post_id from public.comments m where m.id = any (removed_comment_ids));
  perform from public.posts p where p.id = any (locked_post_ids) order by p.id for update;
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
  delete from private.paid_photos f using private.hidden_messages h
  where h.message_id = any (subject_ids) and f.message_id = h.message_id;
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
end
$$;

grant execute on function private.run_moderation_maintenance() to service_role;

-- Cases about deleted profiles whose snapshots are still to be deleted. There is no foreign key, because adding a row
-- would then wait for a case that is being decided.
create table private.profile_snapshot_deletions (
  case_id uuid primary key
);

-- Deletes the snapshots of a deleted profile. Skips a case that is being decided, because the transaction that decides
-- it may be waiting for this one; the `moderation` job deletes the snapshots of that case later.
create function private.on_profile_deleted_cases() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.user_id = old.id and o.kind = 'user'
                 for update skip locked);
  insert into private.profile_snapshot_deletions (case_id)
  select c.id from public.moderation_cases c where c.user_id = old.id and c.kind = 'user' and c.snapshots <> '[]'
  on conflict do nothing;
  return null;
end
$$;

create trigger on_profile_deleted_cases after delete on public.profiles
  for each row execute function private.on_profile_deleted_cases();
