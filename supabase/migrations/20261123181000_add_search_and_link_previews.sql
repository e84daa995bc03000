set local check_function_bodies = off;

DROP INDEX "public"."profiles_search_idx";

CREATE TABLE "private"."post_search" ("post_id" uuid NOT NULL, "created_at" timestamp with time zone NOT NULL, "words" tsvector NOT NULL, CONSTRAINT "post_search_pkey" PRIMARY KEY (post_id));

CREATE TABLE "private"."topics" ("tag" text NOT NULL, "search_key" text NOT NULL, "people" integer NOT NULL DEFAULT 0, CONSTRAINT "topics_pkey" PRIMARY KEY (tag));

CREATE OR REPLACE FUNCTION private.on_post_search_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.hidden is null then
    insert into private.post_search (post_id, created_at, words)
    values (new.id, new.created_at, private.post_search_vector(new))
    on conflict (post_id) do update set words = excluded.words;
  else
    delete from private.post_search s where s.post_id = new.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_post_tags_created()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In one order, so that posts with the same new topics do not deadlock.
  insert into private.topics (tag, search_key)
  select distinct n.tag, private.topic_search_key(n.tag) from new_tags n order by n.tag
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.post_preview(target_post_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', p.id, 'text', private.post_public_text(p), 'isPremium', p.is_premium,
    'createdAt', p.created_at, 'editedAt', p.edited_at, 'altText', p.alt_text,
    'imageId', case when p.media_type = 'image' then p.media_id else p.poster_id end,
    'imageWidth', p.media_width, 'imageHeight', p.media_height,
    'author', jsonb_build_object('username', u.username, 'name', u.display_name, 'imageUrl', u.profile_image_url))
  from public.posts p join private.indexable_users u on u.id = p.author_id
  where p.id = target_post_id and p.hidden is null
$function$;

CREATE OR REPLACE FUNCTION private.post_search_vector(post public.posts)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select private.text_search_vector(private.post_public_text(post) || ' ' || coalesce(post.product ->> 'name', '')) $function$;

CREATE OR REPLACE FUNCTION private.profile_preview(target_username text, target_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('username', u.username, 'name', u.display_name, 'imageUrl', u.profile_image_url,
                            'bio', d.bio)
  from public.profiles p
  join private.indexable_users u on u.id = p.id
  join public.profile_details d on d.user_id = p.id
  where (lower(p.username) = lower(target_username) or p.id = target_id) and u.show_in_directory
$function$;

CREATE OR REPLACE FUNCTION private.rebuild_post_search()
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

CREATE OR REPLACE FUNCTION private.refresh_topics()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.topics as t (tag, search_key, people)
  select u.tag, private.topic_search_key(u.tag),
         count(*) filter (where p.visibility = 'public' and a.read_only_reason is null)
  from (select distinct tag, author_id from public.post_tags) u
  left join private.discoverable_profiles p on p.id = u.author_id
  left join public.accounts a on a.user_id = p.id
  group by u.tag order by u.tag
  on conflict (tag) do update set people = excluded.people where t.people <> excluded.people;
  delete from private.topics t where not exists (select from public.post_tags u where u.tag = t.tag);
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
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only public profiles that
  -- chose to be discoverable count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join private.discoverable_profiles p on p.id = t.author_id and p.visibility = 'public'
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

  perform private.refresh_topics();
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$function$;

CREATE OR REPLACE FUNCTION private.search_grams(value text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(distinct substr(word, start, size)), '{}')
  from unnest(private.search_terms(value)) word, generate_series(1, char_length(word)) start, generate_series(1, 2) size
  where start + size - 1 <= char_length(word)
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
  scan_from timestamptz := start_time;
  scan_from_id uuid := start_id;
  is_complete boolean;
  rarest tsquery;
  found_ids uuid[] := '{}';
begin
  if cardinality(query_words) = 0 or not private.is_session_active() then return; end if;
  -- First look at the newest posts: a common word fills the window there, and sorting all its matches would be slow. A
  -- word with hardly any match among the first 2,000 is rare enough to find all matches by index.
  foreach scan_rows in array '{2000, 18000}'::integer[] loop
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
    exit when is_complete or cardinality(found_ids) < 10;
  end loop;
  if not is_complete then
    -- Of several words, only the one with the fewest matches among the newest posts is searched in the index: reading the
    -- matches of a common word takes longer than checking the other words in the rows.
    rarest := (
      select w.query
      from (select private.text_search_query(array[word], true) as query from unnest(query_words) word offset 0) w
      order by (
        select count(*)
        from (select s.words from private.post_search s order by s.created_at desc, s.post_id desc limit 1000) s
        where s.words @@ w.query)
      limit 1);
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

CREATE OR REPLACE FUNCTION private.search_topics(query text, max_rows integer, max_count integer)
 RETURNS TABLE(tag text, posts integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  key text := private.topic_search_key(query);
  words text[] := private.search_terms(key);
  grams text[] := array(
    select distinct substr(w, start, 2) from unnest(words) w, generate_series(1, greatest(char_length(w) - 1, 1)) start);
begin
  if cardinality(words) = 0 or not private.is_session_active() then return; end if;
  return query
    with candidates as materialized (
      select t.tag, t.search_key, t.people from private.topics t
      where t.search_key collate "C" >= key and t.search_key collate "C" < key || U&'\+10FFFF'
      union all
      select t.tag, t.search_key, t.people from private.topics t
      where char_length(key) > 2 and private.search_grams(t.search_key) @> grams and strpos(t.search_key, key) > 1)
    select f.tag, f.posts
    from (
      select c.tag, c.place, (
        select count(*)::integer from (
          select from public.post_tags u
          where u.tag = c.tag and (select true from private.discoverable_profiles d where d.id = u.author_id)
            and (select true from private.searchable_posts p where p.id = u.post_id)
          limit max_count) counted) as posts
      from (
        select c.tag, row_number() over (
          order by c.search_key <> key, not starts_with(c.search_key, key), c.people desc, c.tag) as place
        from candidates c order by place limit 200) c
      -- In order, so that the counts are computed only until enough topics have posts, and each only once.
      order by c.place offset 0) f
    where f.posts > 0 order by f.place limit max_rows;
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
    -- First look at the next profiles in sign-up order: a common word fills the page there, and sorting all its matches
    -- would be slow. A word with hardly any match among the first 500 is rare enough to find all matches by index.
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
      -- Materialized, because with the order in the same query the planner would scan the profiles in sign-up order.
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

CREATE OR REPLACE FUNCTION private.text_search_query(words text[], prefixes boolean)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select string_agg('''' || word || '''' || case when prefixes and char_length(word) > 2 then ':*' else '' end,
                    ' & ')::tsquery
  from unnest(words) word
$function$;

CREATE OR REPLACE FUNCTION private.text_search_terms(value text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(distinct left(word, 64)), '{}')
  from unnest(private.search_terms(regexp_replace(
    private.normalize_search(value) collate pg_catalog.pg_c_utf8,
    '[[:space:][:punct:][:cntrl:]\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]+', ' ', 'g'))) word
$function$;

CREATE OR REPLACE FUNCTION private.text_search_vector(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select coalesce(array_to_tsvector(private.text_search_terms(value)), '') $function$;

CREATE OR REPLACE FUNCTION private.topic_search_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select regexp_replace(private.normalize_search(value) collate pg_catalog.pg_c_utf8, '[[:space:][:punct:]]+', '', 'g')
$function$;

ALTER TABLE "private"."post_search" ADD CONSTRAINT "post_search_post_id_fkey" FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

CREATE VIEW "private"."indexable_users" AS  SELECT id,
    username,
    profile_image_url,
    show_in_directory,
    COALESCE(NULLIF(concat_ws(' '::text, first_name, last_name), ''::text), full_name) AS display_name
   FROM public.profiles p
  WHERE ((visibility = 'public'::text) AND (EXISTS ( SELECT
           FROM private.discoverable_profiles d
          WHERE (d.id = p.id))) AND (EXISTS ( SELECT
           FROM public.accounts a
          WHERE ((a.user_id = p.id) AND (a.read_only_reason IS NULL)))));

CREATE VIEW "private"."searchable_posts" AS  SELECT id,
    likes_count,
    comments_count
   FROM public.posts p
  WHERE ((hidden IS NULL) AND ( SELECT true
           FROM private.viewable_profiles v
          WHERE (v.id = p.author_id)) AND ( SELECT true
           FROM private.discoverable_authors a
          WHERE (a.id = p.author_id)));

CREATE INDEX topics_search_key_idx ON private.topics USING btree (search_key COLLATE "C");

CREATE TRIGGER on_post_tags_created AFTER INSERT ON public.post_tags REFERENCING NEW TABLE AS new_tags FOR EACH STATEMENT EXECUTE FUNCTION private.on_post_tags_created();

CREATE TRIGGER on_post_search_changed AFTER INSERT OR UPDATE OF content, teaser, product, hidden ON public.posts FOR EACH ROW EXECUTE FUNCTION private.on_post_search_changed();

REVOKE ALL ON FUNCTION "private"."on_post_search_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_post_search_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."on_post_tags_created"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."on_post_tags_created"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."post_preview"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."post_preview"(uuid) TO "anon", "postgres";

REVOKE ALL ON FUNCTION "private"."post_search_vector"(public.posts) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."post_search_vector"(public.posts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."profile_preview"(text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."profile_preview"(text, uuid) TO "anon", "postgres";

REVOKE ALL ON FUNCTION "private"."rebuild_post_search"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."rebuild_post_search"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."refresh_topics"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refresh_topics"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."search_grams"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_grams"(text) TO "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."search_posts"(text, timestamp with time zone, uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_posts"(text, timestamp with time zone, uuid, integer, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."search_topics"(text, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_topics"(text, integer, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."text_search_query"(text[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."text_search_query"(text[], boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."text_search_terms"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."text_search_terms"(text) TO "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."text_search_vector"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."text_search_vector"(text) TO "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."topic_search_key"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."topic_search_key"(text) TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."post_search" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."topics" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."indexable_users" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."searchable_posts" TO "postgres";

ALTER TABLE "public"."profile_details" ADD COLUMN "search_words" tsvector GENERATED ALWAYS AS (private.text_search_vector(bio)) STORED NOT NULL;

CREATE INDEX topics_search_grams_idx ON private.topics USING gin (private.search_grams(search_key));

CREATE INDEX profile_details_search_words_idx ON public.profile_details USING gin (search_words);

CREATE INDEX profiles_search_grams_idx ON public.profiles USING gin (private.search_grams(search_text));

-- Not drafted: fills the new tables. The indexes are faster to build afterwards.
select private.rebuild_post_search();

select private.refresh_topics();

CREATE INDEX post_search_created_at_idx ON private.post_search USING btree (created_at DESC, post_id DESC);

CREATE INDEX post_search_words_idx ON private.post_search USING gin (words) WITH (fastupdate=off);
