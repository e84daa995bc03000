-- Finding people by name, as fast among a hundred thousand as among a hundred.
--
-- A condition that row-level security does not trust (`like`, `@@`) is asked after the policies, row by row, and no
-- index helps. So `private.find_people` looks with its owner's rights, keeps to the same rules (`listed_profiles`),
-- and gives out ids only; what is shown of them is read by the caller under the policies.

-- Text as a search compares it: small letters without accents, one spelling for what means the same.
create function private.fold(value text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select replace(translate(normalize(lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036F]', '', 'g')
           collate pg_catalog.pg_c_utf8), nfkc), 'łøđðıςʼ’‘', 'loddiσ'''''''), 'ß', 'ss')
$$;

-- The words of a text. Scripts without spaces count each sign as a word, so that the second one is found as well.
create function private.words_of(value text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(distinct word), '{}')
  from regexp_split_to_table(
    regexp_replace(value, '([\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7A3])', ' \1 ', 'g'), '[\s''.,/()&+-]+') word
  where word <> ''
$$;

create function private.shown_name(full_name text, first_name text, last_name text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select left(private.fold(coalesce(nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''),
                                    full_name)), 80)
$$;

create function private.searched_text(username text, full_name text, first_name text, last_name text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select private.fold(username || ' ' || full_name || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
$$;

create function private.searched_words(username text, full_name text, first_name text, last_name text) returns tsvector
language sql immutable parallel safe set search_path = ''
as $$
  -- A username is one word, and what its underscores part are words as well.
  select array_to_tsvector(private.words_of(whole) || private.words_of(replace(whole, '_', ' ')))
  from (select private.searched_text(username, full_name, first_name, last_name) as whole) t
$$;

alter table public.profiles
  alter column search_text set expression as (private.searched_text(username, full_name, first_name, last_name)),
  add column search_name text not null
    generated always as (private.shown_name(full_name, first_name, last_name)) stored,
  add column search_words tsvector not null
    generated always as (private.searched_words(username, full_name, first_name, last_name)) stored;

create index profiles_search_username_idx on public.profiles ((lower(username) collate "C"));
create index profiles_search_name_idx on public.profiles ((search_name collate "C"), id);
create index profiles_search_words_idx on public.profiles using gin (search_words);

-- Whom the caller may find: the rule of the directory, under the policy of profiles.
create view private.listed_profiles as
  select p.*
  from public.profiles p
  where (p.id <> all ((select private.blocked_ids())::uuid[]) or (select private.is_admin()))
    and (p.show_in_directory or p.id = (select auth.uid()) or exists (
      select from public.conversation_members m where m.user_id = (select auth.uid()) and m.other_id = p.id));

-- People by name or username, the closest first: the very username (0), usernames (1) and then names (2) that begin
-- with the text, by alphabet; then, by sign-up, all others with every word of it in any order (3). A word of three
-- plain letters or more is found anywhere, a shorter or other one where words begin: what trigrams cannot find.
-- `after_…` is the last row of the page before, `after_rank` -1 for the first page.
create function private.find_people(query text, after_rank integer, after_sort text, after_id uuid, max_rows integer)
returns table (person_id uuid, rank integer, sort text)
language plpgsql stable security definer rows 20 set search_path = ''
-- What a text matches decides how to look for it.
set plan_cache_mode = force_custom_plan
as $$
declare
  whole text := btrim(regexp_replace(private.fold(query), '(^|\s)@|\s+', ' ', 'g'));
  beyond text := whole || U&'\+10FFFF';
  words text[] := private.words_of(whole);
  plain constant text := '^(?=.*[a-z0-9]{3})[a-z0-9_]+$';
  parts text[] := array(select '%' || replace(w, '_', '\_') || '%'
                        from unnest(words) w where w ~ plain order by length(w) desc);
  beginnings tsquery := (select string_agg('''' || replace(w, '\', '\\') || ''':*', ' & ')
                         from unnest(words) w where w !~ plain)::tsquery;
  missing integer := max_rows;
  given integer;
  since timestamptz := '-infinity';
  since_id uuid := '00000000-0000-0000-0000-000000000000';
  edge timestamptz;
  edge_id uuid;
begin
  if whole = '' or not private.session_alive() then return; end if;

  if whole ~ '^[a-z0-9_]{1,30}$' then
    if after_rank < 0 then
      return query select p.id, 0, '' from private.listed_profiles p where lower(p.username) = whole;
      get diagnostics given = row_count;
      missing := missing - given;
    end if;
    if after_rank <= 1 then
      return query
        select p.id, 1, lower(p.username) from private.listed_profiles p
        where lower(p.username) collate "C" > case when after_rank = 1 then after_sort else whole end
          and lower(p.username) collate "C" < beyond
        order by lower(p.username) collate "C" limit missing;
      get diagnostics given = row_count;
      missing := missing - given;
    end if;
  end if;

  if after_rank <= 2 and missing > 0 then
    return query
      select p.id, 2, p.search_name from private.listed_profiles p
      where p.search_name collate "C" >= whole and p.search_name collate "C" < beyond
        and (after_rank < 2 or (p.search_name collate "C", p.id) > (after_sort, after_id))
        and not starts_with(lower(p.username), whole)
      order by p.search_name collate "C", p.id limit missing;
    get diagnostics given = row_count;
    missing := missing - given;
  end if;

  if missing <= 0 or cardinality(words) = 0 then return; end if;
  if after_rank = 3 then
    since := after_sort;
    since_id := after_id;
  end if;
  -- What many bear is met soon by walking along the sign-ups; what few bear, the indexes know.
  select p.created_at, p.id into edge, edge_id from public.profiles p
  where (p.created_at, p.id) > (since, since_id) order by p.created_at, p.id offset 1999 limit 1;
  return query
    select p.id, 3, private.time_text(p.created_at) from private.listed_profiles p
    where (p.created_at, p.id) > (since, since_id)
      and (edge is null or (p.created_at, p.id) <= (edge, edge_id))
      and (cardinality(parts) = 0 or p.search_text like all (parts))
      and (beginnings is null or p.search_words @@ beginnings)
      and not starts_with(lower(p.username), whole) and not starts_with(p.search_name, whole)
    order by p.created_at, p.id limit missing;
  get diagnostics given = row_count;
  missing := missing - given;
  if missing <= 0 or edge is null then return; end if;
  return query
    with others as materialized (
      -- Nothing about sign-ups in here: the planner would take to walking along them.
      select p.id, p.created_at from private.listed_profiles p
      where (cardinality(parts) = 0 or p.search_text like parts[1])
        and (cardinality(parts) < 2 or p.search_text like parts[2])
        and (cardinality(parts) < 3 or p.search_text like all (parts))
        and (beginnings is null or p.search_words @@ beginnings)
        and not starts_with(lower(p.username), whole) and not starts_with(p.search_name, whole))
    select o.id, 3, private.time_text(o.created_at) from others o
    where (o.created_at, o.id) > (edge, edge_id) order by o.created_at, o.id limit missing;
end
$$;

-- A moment to the microsecond, as the API's cursors write it.
create function private.time_text(moment timestamptz) returns text
language sql stable strict set search_path = ''
as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

revoke execute on all functions in schema private from public;
grant execute on function private.find_people(text, integer, text, uuid, integer) to authenticated;
-- Whoever changes a row computes its columns: people too, with their privacy.
grant execute on function private.fold(text), private.words_of(text), private.shown_name(text, text, text),
  private.searched_text(text, text, text, text), private.searched_words(text, text, text, text)
  to authenticated, service_role;
