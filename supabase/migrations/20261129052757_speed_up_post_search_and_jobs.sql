set local check_function_bodies = off;

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
  where f.state = 'waiting' and f.created_at < (select clock_timestamp()) - private.draft_lifetime();
  get diagnostics expired_drafts = row_count;
  delete from public.auto_post_drafts f where f.created_at < (select clock_timestamp()) - interval '90 days';
  delete from public.auto_post_runs r where r.started_at < (select clock_timestamp()) - interval '90 days';
  get diagnostics deleted_runs = row_count;
  delete from private.auto_post_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired_drafts, 'runs', deleted_runs);
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_orphaned_media(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  candidate_id uuid;
  checked_count integer := 0;
begin
  -- The time to restore these items is over.
  delete from public.gallery_items g where g.deleted_at < (select clock_timestamp()) - interval '10 minutes';
  for candidate_id in
    select o.media_id from private.orphaned_media o where o.due <= (select clock_timestamp())
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
$function$;

CREATE OR REPLACE FUNCTION private.due_file_deletions(max_rows integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', d.bucket, 'path', d.path)), '[]')
  from (select f.bucket, f.path from private.file_deletion_queue f where f.due_at <= (select clock_timestamp())
        order by f.due_at limit max_rows) d
$function$;

CREATE OR REPLACE FUNCTION private.lift_expired_suspensions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  lifted_count integer;
begin
  update public.accounts a
  set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
  where a.user_id in (select d.user_id from public.accounts d where d.suspended_until <= (select clock_timestamp())
                      order by d.user_id for update skip locked);
  get diagnostics lifted_count = row_count;
  return lifted_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.run_moderation_maintenance()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- Locked in the usual order: posts, profile counts, notification counters, each by id.
  -- Without `or`, which would scan all posts.
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
  delete from private.hidden_messages h where h.message_id = any (subject_ids);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(expired_cases) d);
  delete from private.banned_emails b where b.until < clock_timestamp();
  perform private.delete_profile_snapshots();
  return jsonb_build_object('deleted', cardinality(expired_cases), 'lifted', private.lift_expired_suspensions());
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
  -- First look at the newest posts: a common word fills the window there, and sorting all its matches would be slow.
  foreach scan_rows in array '{500, 2000, 17500}'::integer[] loop
    found_ids := found_ids || array(
      -- The inner query has no condition on the words, or the planner might read all matches through the index.
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
    -- The share of matches among the posts so far tells roughly how many more posts would have to be read to fill the
    -- window, and how many matches there are in total. The index is used if reading all matches, which takes three
    -- times as long for each, takes less time. Few matches allow no estimate until many posts have been read.
    scanned_rows := scanned_rows + scan_rows;
    exit when (cardinality(found_ids) >= 3 or scanned_rows >= 2500)
      and 3 * post_count * cardinality(found_ids) ^ 2 < (window_size - cardinality(found_ids)) * scanned_rows ^ 2;
  end loop;
  if not is_complete then
    -- Of several words, only the one with the fewest matches among the newest posts is searched in the index: reading the
    -- matches of a common word takes longer than checking the other words in the rows.
    rarest := case when cardinality(query_words) = 1 then prefixes else (
      select w.query
      from (select private.text_search_query(array[word], true) as query from unnest(query_words) word offset 0) w
      order by (
        select count(*)
        from (select s.words from private.post_search s order by s.created_at desc, s.post_id desc limit 1000) s
        where s.words @@ w.query)
      limit 1) end;
    found_ids := found_ids || array(
      -- The inner query has no condition on `created_at`, or the planner would scan the posts from the newest to the
      -- oldest. Its order lets the outer one stop as soon as the window is full.
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

CREATE INDEX auto_post_drafts_created_at_idx ON public.auto_post_drafts USING btree (created_at);
