-- Hashtags and their topics, mentions in posts, and what is looked at: trending topics and creators.

create table public.post_tags (
  post_id uuid not null references public.posts (id) on delete cascade,
  tag text not null check (char_length(tag) between 1 and 50),
  author_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  primary key (post_id, tag)
);
-- A topic is one walk down this, as the feed is down its own.
create index post_tags_tag_idx on public.post_tags (tag, created_at desc, post_id desc);
create index post_tags_created_at_idx on public.post_tags (created_at);
create index post_tags_author_id_idx on public.post_tags (author_id);

alter table public.post_tags enable row level security;
revoke all on public.post_tags from anon, authenticated;
grant select on public.post_tags to anon, authenticated;
grant all on public.post_tags to service_role;
create policy post_tags_alive on public.post_tags as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy post_tags_select on public.post_tags for select to anon, authenticated
  using ((select true from public.posts p where p.id = post_id));

-- A tag as it is stored and asked for: in small letters, each by itself, with one sigma.
create function private.tag_of(written text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$ select translate(lower(normalize(written, nfc) collate pg_catalog.pg_c_utf8), 'ς', 'σ') $$;

-- The tags in a text, as `Tag` of the contract has them: letters, marks, digits and underscores of any script, with
-- one letter at least; the first thirty. Marks and digits have no class here, so it says what ends a tag: blanks,
-- punctuation and symbols, and what steers or is for private use.
create function private.tags_in(written text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select tag, min(place) as place from (
      select private.tag_of(m[1]) as tag, place
      from regexp_matches(
        normalize(written, nfc) collate pg_catalog.pg_c_utf8,
        '(?<![[:alnum:]_@#/&])#((?:_|[^[:space:][:punct:][:cntrl:]\u00AD\u0600-\u0605\u061C\u06DD\u070F\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uE000-\uF8FF\uFEFF\uFFF0-\uFFFB])+)',
        'g') with ordinality as found(m, place)) every
    where char_length(tag) <= 50 and tag collate pg_catalog.pg_c_utf8 ~ '[[:alpha:]]'
    group by tag order by min(place) limit 30) first
$$;

-- What everybody who sees a post may read of it: tags and mentions in what is paid for are part of it.
create function private.public_text(post public.posts) returns text
language sql immutable set search_path = ''
as $$ select coalesce(case when post.is_premium then post.teaser else post.content end, '') $$;

create function private.on_post_written() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  written text := private.public_text(new);
begin
  if tg_op = 'UPDATE' then
    if written = private.public_text(old) then return null; end if;
    delete from public.post_tags t where t.post_id = new.id and t.tag <> all (private.tags_in(written));
  end if;
  if position('#' in written) > 0 then
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, tag, new.author_id, new.created_at from unnest(private.tags_in(written)) tag
    on conflict do nothing;
  end if;
  if position('@' in written) > 0 then
    perform private.notify_mentioned(written, new.author_id, new.id);
  end if;
  return null;
end
$$;
create trigger on_post_written after insert or update of content, teaser on public.posts
  for each row execute function private.on_post_written();

insert into public.post_tags (post_id, tag, author_id, created_at)
select p.id, tag, p.author_id, p.created_at
from public.posts p, unnest(private.tags_in(private.public_text(p))) tag;

-- What is looked at ---------------------------------------------------------------------------------------------

create table private.trending_tags (
  tag text primary key,
  posts integer not null,
  people integer not null
);

-- What others did with a creator's posts in the last 7 days. Who is not in it had none.
create table private.creator_scores (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  score integer not null
);
create index creator_scores_score_idx on private.creator_scores (score desc, user_id);
create index likes_created_at_idx on public.likes (created_at);
create index comments_created_at_idx on public.comments (created_at);
create index saves_created_at_idx on public.saves (created_at);
create index unlocks_created_at_idx on public.unlocks (created_at);
-- Those who follow in order of sign-up.
create index profiles_featured_idx on public.profiles (created_at, id)
  where is_creator and content_discoverable and visibility <> 'private';

-- Counts again what is trending. Topics rank by how many people used them, so that nobody makes one alone; of people
-- whose posts everybody may see and who let them be discovered.
create function private.refresh_trending() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '7 days';
  tags integer;
  creators integer;
begin
  -- One at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join public.profiles p on p.id = t.author_id and p.content_discoverable and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tags = row_count;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  -- A person counts once for each thing they did with a post.
  select p.author_id, count(*)
  from (
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) done (post_id, person_id, what)
  join public.posts p on p.id = done.post_id
  join public.profiles u on u.id = p.author_id and u.is_creator
  where done.person_id <> p.author_id
  group by p.author_id;
  get diagnostics creators = row_count;
  return jsonb_build_object('tags', tags, 'creators', creators);
end
$$;
grant execute on function private.refresh_trending() to service_role;

create function private.list_trending_tags(max_rows integer) returns table (tag text, posts integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return; end if;
  return query select t.tag, t.posts from private.trending_tags t
               order by t.people desc, t.posts desc, t.tag limit max_rows;
end
$$;
grant execute on function private.list_trending_tags(integer) to authenticated;
-- The API asks for a topic by it.
grant execute on function private.tag_of(text) to anon, authenticated;

-- Other creators who let themselves be discovered, and may write: by what others did with their posts in the last 7 days, then by
-- sign-up.
create function private.list_featured_creators(max_rows integer) returns table (person_id uuid, place integer)
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  hidden uuid[] := private.blocked_ids();
  given integer;
begin
  if not private.session_alive() then return; end if;
  return query
    select s.user_id, row_number() over (order by s.score desc, p.created_at, p.id)::integer
    from private.creator_scores s join public.profiles p on p.id = s.user_id
    where p.is_creator and p.content_discoverable and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (hidden)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
    order by s.score desc, p.created_at, p.id limit max_rows;
  get diagnostics given = row_count;
  return query
    select p.id, given + row_number() over (order by p.created_at, p.id)::integer
    from public.profiles p
    where p.is_creator and p.content_discoverable and p.visibility <> 'private'
      and p.id <> uid and p.id <> all (hidden)
      and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
      and not exists (select from private.creator_scores s where s.user_id = p.id)
    order by p.created_at, p.id limit max_rows - given;
end
$$;
grant execute on function private.list_featured_creators(integer) to authenticated;

-- Both are counted again every ten minutes; embedded, the stack's own timer calls the job.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-trending', '*/10 * * * *', 'select private.refresh_trending()');
  end if;
end
$$;
select private.refresh_trending();

revoke execute on all functions in schema private from public;
