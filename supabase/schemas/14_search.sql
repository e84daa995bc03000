-- Search for users by username or name, built to stay fast with a hundred thousand users.
--
-- - Profiles have generated columns with the text to search (`search_name`, `search_text`, `search_words`; see
--   10_profiles), indexed for prefixes, trigrams and words. The functions below compute them.
-- - Row-level security evaluates conditions that are not leakproof (`like`, `@@`) after the policies, row by row,
--   without an index. So `private.search_users` runs with its owner's privileges, applies the same rules through
--   `private.directory_profiles`, and returns only ids and sort keys. The caller then reads these profiles under the
--   policies.
-- - After a change to one of the immutable functions, the stored columns and indexes must be rebuilt.

-- Searchable text -------------------------------------------------------------------------------------------------

-- Returns text as searches compare it: lowercase, without accents, and with one spelling for equivalent characters.
create function private.normalize_search(value text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
begin
  -- Fast path: ASCII differs only in case.
  if octet_length(value) = char_length(value) then return lower(value collate pg_catalog.pg_c_utf8); end if;
  return replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss');
end
$$;

-- Returns the distinct words of normalized text. Each Chinese, Japanese or Korean character is a word, so that a
-- search for any character of a name finds it.
create function private.search_terms(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct word), '{}')
  from regexp_split_to_table(
    regexp_replace(value, '([\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7A3])', ' \1 ', 'g'), '[\s''.,/()&+-]+') word
  where word <> ''
$$;

-- Returns the normalized display name: first and last name if there are any, otherwise the full name.
create function private.profile_search_name(full_name text, first_name text, last_name text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select left(private.normalize_search(
    coalesce(nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), full_name)), 80)
$$;

-- Returns everything a profile can be found by, as one normalized string.
create function private.profile_search_text(username text, full_name text, first_name text, last_name text)
returns text
language sql immutable parallel safe set search_path = ''
as $$
  select private.normalize_search(
    username || ' ' || full_name || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
$$;

-- Returns the words of `profile_search_text` for the word index.
create function private.profile_search_vector(username text, full_name text, first_name text, last_name text)
returns tsvector
language sql immutable parallel safe set search_path = ''
as $$
  -- A username counts as one word, and so does each of its parts between underscores.
  select array_to_tsvector(private.search_terms(search_text) || private.search_terms(replace(search_text, '_', ' ')))
  from (select private.profile_search_text(username, full_name, first_name, last_name) as search_text) t
$$;

-- Generated columns are computed with the privileges of the role that updates the row. Users update their own privacy
-- settings directly.
grant execute on function private.normalize_search(text), private.search_terms(text),
  private.profile_search_name(text, text, text), private.profile_search_text(text, text, text, text),
  private.profile_search_vector(text, text, text, text)
  to authenticated, service_role;

-- Searching -------------------------------------------------------------------------------------------------------

-- The profiles that the caller can find. Repeats the select policy of profiles. Of the profiles that the policy allows,
-- keeps those in the directory, the caller's own, and those of users with whom the caller has a conversation.
create view private.directory_profiles as
  select p.*
  from public.profiles p
  where (p.id <> all ((select private.blocked_user_ids())::uuid[]) or (select private.is_admin()))
    and (p.show_in_directory or p.id = (select auth.uid()) or exists (
      select from public.conversation_members m where m.user_id = (select auth.uid()) and m.partner_id = p.id));

-- Returns the users that match a query, closest match first:
--   rank 0: the username is the query
--   rank 1: the username starts with it, in alphabetical order
--   rank 2: the name starts with it, in alphabetical order
--   rank 3: every word of the query occurs, in any order; sorted by sign-up
-- In rank 3, a query word of ASCII letters, digits and underscores matches anywhere if it has three letters or digits
-- in a row. Any other query word matches only the start of a word, because trigrams cannot find it. `after_rank`,
-- `after_sort` and `after_id` identify the last row of the previous page; `after_rank` is -1 for the first page.
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
  -- A word that trigrams can find: ASCII, with three letters or digits in a row.
  plain_word constant text := '^(?=.*[a-z0-9]{3})[a-z0-9_]+$';
  -- Plain words are matched anywhere (trigram index), the longest first; all others as prefixes of words.
  like_patterns text[] := array(select '%' || replace(w, '_', '\_') || '%'
                                from unnest(words) w where w ~ plain_word order by length(w) desc);
  prefix_query tsquery := (select string_agg('''' || replace(w, '\', '\\') || ''':*', ' & ')
                           from unnest(words) w where w !~ plain_word)::tsquery;
  remaining integer := max_rows;
  found_rows integer;
  scan_from timestamptz := '-infinity';
  scan_from_id uuid := '00000000-0000-0000-0000-000000000000';
  scan_end timestamptz;
  scan_end_id uuid;
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

  -- Rank 3: all others.
  if remaining <= 0 or cardinality(words) = 0 then return; end if;
  if after_rank = 3 then
    scan_from := after_sort;
    scan_from_id := after_id;
  end if;
  -- First scan the next 2,000 profiles in sign-up order: a common word fills the page there, and sorting all its
  -- matches would be slow. If the page is not full, the word is rare enough to find all matches by index.
  select p.created_at, p.id into scan_end, scan_end_id from public.profiles p
  where (p.created_at, p.id) > (scan_from, scan_from_id) order by p.created_at, p.id offset 1999 limit 1;
  return query
    select p.id, 3, private.timestamp_text(p.created_at) from private.directory_profiles p
    where (p.created_at, p.id) > (scan_from, scan_from_id)
      and (scan_end is null or (p.created_at, p.id) <= (scan_end, scan_end_id))
      and (cardinality(like_patterns) = 0 or p.search_text like all (like_patterns))
      and (prefix_query is null or p.search_words @@ prefix_query)
      and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query)
    order by p.created_at, p.id limit remaining;
  get diagnostics found_rows = row_count;
  remaining := remaining - found_rows;
  if remaining <= 0 or scan_end is null then return; end if;
  return query
    with matches as materialized (
      -- `created_at` must not be in a condition here, or the planner scans the profiles in sign-up order. The two
      -- longest words have separate conditions, because `like all` cannot use the trigram index.
      select p.id, p.created_at from private.directory_profiles p
      where (cardinality(like_patterns) = 0 or p.search_text like like_patterns[1])
        and (cardinality(like_patterns) < 2 or p.search_text like like_patterns[2])
        and (cardinality(like_patterns) < 3 or p.search_text like all (like_patterns))
        and (prefix_query is null or p.search_words @@ prefix_query)
        and not starts_with(lower(p.username), normalized_query) and not starts_with(p.search_name, normalized_query))
    select m.id, 3, private.timestamp_text(m.created_at) from matches m
    where (m.created_at, m.id) > (scan_end, scan_end_id) order by m.created_at, m.id limit remaining;
end
$$;

grant execute on function private.search_users(text, integer, text, uuid, integer) to authenticated;
