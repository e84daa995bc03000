-- Search for users, posts and topics, built to stay fast with a hundred thousand users and a million posts.
--
-- - Under row-level security, conditions that are not leakproof (`like`, `@@`) are evaluated after the policies, row by
--   row, without an index. So the search functions run with their owner's privileges, apply the same rules themselves
--   through the views below, and return only ids and sort keys, which the caller uses to read the rows under the
--   policies. (Topic search returns the tags themselves and their post counts, so there are no rows to read.)
-- - What is searched: names and usernames (columns of profiles, see 10_profiles), the words of bios (a column of
--   profile_details), the public text and product names of posts (`private.post_search`), and topics
--   (`private.topics`). The paid content of premium posts is not searched, so that no result, rank or count depends on
--   it.
-- - After a change to one of the immutable functions, the stored columns and indexes must be rebuilt, and three tables
--   must be emptied and filled again: `private.post_search` (with `private.fill_post_search`), `private.topics`
--   (with `private.refresh_topics`) and `private.account_search` (from the view `private.account_search_source`, see
--   70_admin).

-- Searchable text -------------------------------------------------------------------------------------------------

-- Normalizes a string for comparison in searches: returns it in lowercase, without accents, and with one spelling for
-- equivalent characters.
create function private.normalize_search(value text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  -- Fast path: in ASCII, spellings differ only in case.
  if octet_length(value) = char_length(value) then return lower(value collate pg_catalog.pg_c_utf8); end if;
  return replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss');
end
$$;

-- Returns the distinct words of normalized text. Each Chinese, Japanese or Korean character is a word, so that a
-- search for any character of a name finds the name.
create function private.search_terms(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct word), '{}')
  from regexp_split_to_table(
    regexp_replace(value, '([\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7A3])', ' \1 ', 'g'), '[\s''.,/()&+-]+') word
  where word <> ''
$$;

-- Returns the letters and pairs of adjacent letters of each word in normalized text. With an index on them, a search
-- finds any part of a word in any script, even if the query is a single letter. Trigram indexes need at least three
-- letters and, in a database with the C locale, handle only ASCII letters.
create function private.search_grams(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct substr(word, start, size)), '{}')
  from unnest(private.search_terms(value)) word, generate_series(1, char_length(word)) start, generate_series(1, 2) size
  where start + size - 1 <= char_length(word)
$$;

-- Returns the distinct words of a string, such as the text of a post or a query: normalized, without punctuation and
-- symbols, and each shortened to at most 64 characters.
create function private.text_search_terms(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct left(word, 64)), '{}')
  from unnest(private.search_terms(regexp_replace(
    private.normalize_search(value) collate pg_catalog.pg_c_utf8,
    '[[:space:][:punct:][:cntrl:]\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]+', ' ', 'g'))) word
$$;

-- Returns the words of a string as a tsvector for a word index; an empty tsvector for null.
create function private.text_search_vector(value text) returns tsvector
language sql immutable parallel safe set search_path = ''
as $$ select coalesce(array_to_tsvector(private.text_search_terms(value)), '') $$;

-- Returns a tsquery that requires every word. With `prefixes`, a word of three or more letters also matches longer
-- words that start with it. Shorter words do not, because they are prefixes of too many other words. The words come
-- from `private.text_search_terms`, so they contain no quotes or backslashes. Returns null if there are no words.
create function private.text_search_query(words text[], prefixes boolean) returns tsquery
language sql immutable parallel safe set search_path = ''
as $$
  select string_agg('''' || word || '''' || case when prefixes and char_length(word) > 2 then ':*' else '' end,
                    ' & ')::tsquery
  from unnest(words) word
$$;

-- Returns the normalized display name, cut to 80 characters: the first and last name if either is set, otherwise the
-- full name.
create function private.profile_search_name(full_name text, first_name text, last_name text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select left(private.normalize_search(
    coalesce(nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), full_name)), 80)
$$;

-- Returns the username and all names of a profile, as one normalized string.
create function private.profile_search_text(username text, full_name text, first_name text, last_name text)
returns text
language sql immutable parallel safe set search_path = ''
as $$
  select private.normalize_search(
    username || ' ' || full_name || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
$$;

-- Returns the words of `profile_search_text` as a tsvector for the word index.
create function private.profile_search_vector(username text, full_name text, first_name text, last_name text)
returns tsvector
language sql immutable parallel safe set search_path = ''
as $$
  -- A username counts as one word, and so does each of its parts between underscores.
  select array_to_tsvector(private.search_terms(search_text) || private.search_terms(replace(search_text, '_', ' ')))
  from (select private.profile_search_text(username, full_name, first_name, last_name) as search_text) t
$$;

-- Generated columns are computed with the privileges of the role that updates the row, and users update their own
-- privacy settings directly.
grant execute on function private.normalize_search(text), private.search_terms(text),
  private.profile_search_name(text, text, text), private.profile_search_text(text, text, text, text),
  private.profile_search_vector(text, text, text, text), private.search_grams(text),
  private.text_search_terms(text), private.text_search_vector(text)
  to authenticated, service_role;

-- Users -----------------------------------------------------------------------------------------------------------

-- The profiles that the caller can find. Repeats the select policy of profiles. Of the profiles that the policy allows,
-- the view contains those in the directory, the caller's own, and those of users with whom the caller has a
-- conversation.
create view private.directory_profiles as
  select p.*
  from public.profiles p
  where (p.id <> all ((select private.blocked_user_ids())::uuid[]) or (select private.is_admin()))
    and (p.show_in_directory or p.id = (select auth.uid()) or exists (
      select from public.conversation_members m where m.user_id = (select auth.uid()) and m.partner_id = p.id));

-- Returns the users that match a query, closest matches first:
--   rank 0: the username is the query
--   rank 1: the username starts with it, in alphabetical order
--   rank 2: the name starts with it, in alphabetical order
--   rank 3: every word of the query is a prefix of a word in the name or username
--   rank 4: every word of the query occurs anywhere in the name or username
--   rank 5: every word of the query matches a word of the bio (see `private.text_search_query`); only if the caller can
--           view the profile
-- Within ranks 3 to 5, users are sorted by sign-up time. `after_rank`, `after_sort` and `after_id` identify the last
-- row of the previous page; `after_rank` is -1 for the first page.
create function private.search_users(query text, after_rank integer, after_sort text, after_id uuid, max_rows integer)
returns table (user_id uuid, rank integer, sort text)
language plpgsql stable security definer rows 20 set search_path = ''
-- The best plan depends on the query text, so a generic plan is never used.
set plan_cache_mode = force_custom_plan
as $$
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
$$;

grant execute on function private.search_users(text, integer, text, uuid, integer) to authenticated;

-- Posts -----------------------------------------------------------------------------------------------------------

-- The words that a post can be found by: those of its public text and of its product's name. Hidden posts have no row.
create table private.post_search (
  post_id uuid primary key references public.posts (id) on delete cascade,
  created_at timestamptz not null, -- of the post
  words tsvector not null
);

-- For reading the newest posts, which a search looks at first.
create index post_search_created_at_idx on private.post_search (created_at desc, post_id desc);

-- `fastupdate` is off, because otherwise every search would have to read the index's whole pending list.
create index post_search_words_idx on private.post_search using gin (words) with (fastupdate = off);

-- Returns the words that a post can be found by.
create function private.post_search_vector(post public.posts) returns tsvector
language sql immutable set search_path = ''
as $$ select private.text_search_vector(private.post_public_text(post) || ' ' || coalesce(post.product ->> 'name', '')) $$;

-- Adds the missing rows of posts that were inserted without triggers. Returns the number of rows added.
create function private.fill_post_search() returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

create function private.on_post_search_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;

create trigger on_post_search_changed after insert or update of content, teaser, product, hidden on public.posts
  for each row execute function private.on_post_search_changed();

-- The posts that the caller can find: those that are not hidden, that the select policy of posts lets the caller read,
-- and whose author is in private.discoverable_authors.
create view private.searchable_posts as
  select p.id, p.likes_count, p.comments_count
  from public.posts p
  where p.hidden is null
    and (select true from private.viewable_profiles v where v.id = p.author_id)
    and (select true from private.discoverable_authors a where a.id = p.author_id);

-- Returns posts that contain all words of a query in their public text or product name (see
-- `private.text_search_query`), in windows of 100: the first window contains the 100 newest matches, the next window
-- the 100 newest of the others, and so on. Within a window, the best match comes first: posts that contain the query's
-- words in full (not just as prefixes) come before the others, and each of these two groups is sorted by a score of
-- likes, comments (which count twice) and age. Ten times as many likes and comments make up for about ten weeks of age.
-- The order does not depend on the current time, so that pages do not overlap or leave gaps as time passes.
--
-- `window_start` and `window_id` identify the post after which the window starts, null for the newest posts;
-- `after_place` is the place of the previous page's last post in its window. Returns each post's place in the window,
-- the start of the window, and the start of the next window (null if this window contains fewer than 100 posts).
create function private.search_posts(
  query text, window_start timestamptz, window_id uuid, after_place integer, max_rows integer
) returns table (post_id uuid, place integer, this_window text, next_window text)
language plpgsql stable security definer rows 20 set search_path = ''
-- The best plan depends on the query text, so a generic plan is never used.
set plan_cache_mode = force_custom_plan
as $$
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
$$;

grant execute on function private.search_posts(text, timestamptz, uuid, integer, integer) to authenticated;

-- Returns a user's posts, newest first. `kind` selects those with that type of media, those without media ('text'), or
-- the premium ones ('premium'). `query` selects those that contain all its words in their public text or product name.
-- Both may be null. The user need not be discoverable, because everyone who can view the profile sees the posts there.
-- A search reads at most 5,000 posts after the cursor. If it reads that many and finds fewer than `max_rows` matches,
-- the last row has no post, only the cursor at which the next search continues. The other arguments are those of
-- private.list_following_posts, and the function runs with its owner's privileges for the same reason as that function.
create function private.list_posts_by_user(
  target_user_id uuid, kind text, query text, until timestamptz, after_time timestamptz, after_id uuid, max_rows integer
) returns table (post_id uuid, next_key text)
language plpgsql stable security definer rows 20 set search_path = ''
-- The condition on `kind` matches an index only if the query is planned for the actual value of `kind`.
set plan_cache_mode = force_custom_plan
as $$
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
$$;

grant execute on function private.list_posts_by_user(uuid, text, text, timestamptz, timestamptz, uuid, integer)
  to anon, authenticated;

-- Topics ----------------------------------------------------------------------------------------------------------

-- Every tag in post_tags. `people` counts the authors of the tag's latest 500 posts, but only those whose profile is
-- public and discoverable and whose account is not read-only.
create table private.topics (
  tag text primary key,
  search_key text not null, -- see private.topic_search_key
  people integer not null default 0,
  counted_at timestamptz not null default '-infinity' -- when `people` was last computed
);

create index topics_counted_at_idx on private.topics (counted_at, tag);

create index topics_search_key_idx on private.topics ((search_key collate "C"));

create index topics_search_grams_idx on private.topics using gin (private.search_grams(search_key));

-- Returns a tag or a query in the form that is used to compare topics: normalized, and without spaces or punctuation
-- (including underscores).
create function private.topic_search_key(value text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select regexp_replace(private.normalize_search(value) collate pg_catalog.pg_c_utf8, '[[:space:][:punct:]]+', '', 'g')
$$;

-- Adds new topics immediately, so that they can be found before the next run of the `trending` job.
create function private.on_post_tags_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- In a fixed order, so that concurrent posts with the same new topics do not deadlock.
  insert into private.topics (tag, search_key)
  select distinct n.tag, private.topic_search_key(n.tag) from new_tags n order by n.tag
  on conflict do nothing;
  return null;
end
$$;

create trigger on_post_tags_created after insert on public.post_tags referencing new table as new_tags
  for each statement execute function private.on_post_tags_created();

-- Recounts the authors (`people`) of two groups of topics: those in the last hour's posts (a topic with 20 or more
-- authors at most once an hour), and the `max_rows` topics that were counted longest ago. Deletes recounted topics that
-- have no posts. The `trending` job calls this function. The last hour's topics are added first if they are missing,
-- because the previous run may have deleted a topic without posts while a new post with this topic was being inserted.
-- Without `max_rows`, adds and counts all topics, including those of posts that were inserted without triggers.
create function private.refresh_topics(max_rows integer default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;

-- Returns the topics that match a query: the topic that equals it, topics that start with it and, for a query of at
-- least three letters, topics that contain it. They are sorted in this order and, within each of these groups, by the
-- number of people. `posts` counts the posts that the caller can find and whose authors are discoverable, up to
-- `max_count`; topics without such posts are left out.
create function private.search_topics(query text, max_rows integer, max_count integer)
returns table (tag text, posts integer)
language plpgsql stable security definer rows 20 set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
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
      -- `offset 0` keeps the count of a topic from being computed twice. The order lets the query stop counting when
      -- enough topics have posts.
      order by c.place offset 0) f
    where f.posts > 0 order by f.place limit max_rows;
end
$$;

grant execute on function private.search_topics(text, integer, integer) to authenticated;
