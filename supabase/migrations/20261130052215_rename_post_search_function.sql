set local check_function_bodies = off;

DROP FUNCTION "private"."rebuild_post_search"();

CREATE OR REPLACE FUNCTION private.fill_post_search()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  added bigint;
begin
  insert into private.post_search (post_id, created_at, words)
  select p.id, p.created_at, private.post_search_vector(p) from public.posts p
  where p.hidden is null and not exists (select from private.post_search s where s.post_id = p.id)
  order by p.created_at, p.id;
  get diagnostics added = row_count;
  return added;
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
    -- PostgreSQL reads `scan` only until `max_rows` matches are found.
    with scan as materialized (
      select p.id, p.created_at from public.posts p
      where p.author_id = target_user_id and (p.created_at, p.id) < (before_time, before_id)
        and p.created_at <= coalesce(until, 'infinity')
        and case kind when 'premium' then p.is_premium else kind is null or coalesce(p.media_type, 'text') = kind end
        -- Searches skip this condition, because hidden posts have no row in `post_search`. Without it, a search with no
        -- `kind` needs only the index.
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
    -- it would be faster, assuming that reading a post this way takes three times as long. With only a few matches, the
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

CREATE OR REPLACE FUNCTION private.search_users(query text, after_rank integer, after_sort text, after_id uuid, max_rows integer)
 RETURNS TABLE(user_id uuid, rank integer, sort text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  normalized_query text := btrim(regexp_replace(private.normalize_search(query), '(^|\s)@|\s+', ' ', 'g'));
  upper_bound text := normalized_query || U&'\+10FFFF';
  words text[] := private.search_terms(normalized_query);
  prefix_query tsquery := (select string_agg('''' || replace(w, '\', '\\') || ''':*', ' & ') from unnest(words) w)::tsquery;
  like_patterns text[] := array(
    select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words) w);
  grams text[] := array(
    select distinct substr(w, start, 2) from unnest(words) w, generate_series(1, greatest(char_length(w) - 1, 1)) start);
  bio_query tsquery := private.text_search_query(private.text_search_terms(normalized_query), true);
  remaining integer := max_rows;
  found_rows integer;
  current_rank integer;
  scan_rows integer;
  scan_from timestamptz;
  scan_from_id uuid;
  scan_end timestamptz;
  scan_end_id uuid;
  candidate_ids uuid[];
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

  -- Ranks 3 to 5.
  for current_rank in greatest(after_rank, 3)..5 loop
    if remaining <= 0 or cardinality(words) = 0 then return; end if;
    if current_rank = 5 and bio_query is null then return; end if;
    scan_from := case when after_rank = current_rank then after_sort::timestamptz else '-infinity' end;
    scan_from_id := case when after_rank = current_rank then after_id else '00000000-0000-0000-0000-000000000000' end;
    -- The next profiles in sign-up order are searched first: for a common word, they are enough to fill the page, and
    -- sorting all matches of the word would be slow. If the first 500 contain fewer than 6 matches, or the first 2,000
    -- do not fill the page, the remaining matches are found through the index.
    foreach scan_rows in array '{500, 1500}'::integer[] loop
      select p.created_at, p.id into scan_end, scan_end_id from public.profiles p
      where (p.created_at, p.id) > (scan_from, scan_from_id) order by p.created_at, p.id offset scan_rows - 1 limit 1;
      return query
        select p.id, current_rank, private.timestamp_text(p.created_at) from private.directory_profiles p
        where (p.created_at, p.id) > (scan_from, scan_from_id)
          and (scan_end is null or (p.created_at, p.id) <= (scan_end, scan_end_id))
          and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
          and case current_rank
                when 3 then p.search_words @@ prefix_query
                when 4 then p.search_text like all (like_patterns) and not p.search_words @@ prefix_query
                else not p.search_text like all (like_patterns) and (
                  select d.search_words @@ bio_query from public.profile_details d where d.user_id = p.id)
                  and (select true from private.viewable_profiles v where v.id = p.id)
              end
        order by p.created_at, p.id limit remaining;
      get diagnostics found_rows = row_count;
      remaining := remaining - found_rows;
      exit when remaining <= 0 or scan_end is null;
      scan_from := scan_end;
      scan_from_id := scan_end_id;
      exit when found_rows < 6;
    end loop;
    if remaining <= 0 then return; end if;
    continue when scan_end is null;
    candidate_ids := case current_rank
      when 3 then array(select p.id from public.profiles p where p.search_words @@ prefix_query)
      when 4 then array(select p.id from public.profiles p
                        where private.search_grams(p.search_text) @> grams and p.search_text like all (like_patterns)
                          and not p.search_words @@ prefix_query)
      else array(select d.user_id from public.profile_details d where d.search_words @@ bio_query) end;
    return query
      -- Materialized: with `order by` in the same query, the planner would scan the profiles in sign-up order.
      with matches as materialized (
        select p.id, p.created_at
        from unnest(candidate_ids) candidate (id) join private.directory_profiles p on p.id = candidate.id
        where not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
          and (current_rank < 5 or (not p.search_text like all (like_patterns)
                                    and (select true from private.viewable_profiles v where v.id = p.id))))
      select m.id, current_rank, private.timestamp_text(m.created_at) from matches m
      where (m.created_at, m.id) > (scan_from, scan_from_id) order by m.created_at, m.id limit remaining;
    get diagnostics found_rows = row_count;
    remaining := remaining - found_rows;
  end loop;
end
$function$;

REVOKE ALL ON FUNCTION "private"."fill_post_search"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."fill_post_search"() TO "postgres";
