-- Topics (hashtags) in posts, and mentions in posts and comments.
--
-- * The tags and mentions of a post come from its public text only: the teaser of a premium post, the content of a free
--   one. So they reveal no paid content.
-- * The trigger on_post_text_changed stores the tags of new and edited posts and notifies mentioned users. The trigger
--   on_post_hidden removes the tags of a hidden post, and stores them again when the post is restored.
-- * Trending topics are counted in 38_discovery.sql.

-- Tags ---------------------------------------------------------------------------------------------------------
-- The tags of each post, with the post's author and time, so that a topic page is a range scan of one index.
create table public.post_tags (
  post_id uuid not null references public.posts (id) on delete cascade,
  tag text not null check (char_length(tag) between 1 and 50), -- as returned by private.normalize_tag, without '#'
  author_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  primary key (post_id, tag)
);

create index post_tags_tag_idx on public.post_tags (tag, created_at desc, post_id desc);

-- For the job that counts trending topics.
create index post_tags_created_at_idx on public.post_tags (created_at);

create index post_tags_author_id_idx on public.post_tags (author_id);

alter table public.post_tags enable row level security;

-- Requires an active session.
create policy post_tags_active_session on public.post_tags as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who can see the post sees its tags.
create policy post_tags_select on public.post_tags for select to anon, authenticated
  using ((select true from public.posts p where p.id = post_id));

revoke all on public.post_tags from anon, authenticated, service_role;
grant select on public.post_tags to anon, authenticated;
grant all on public.post_tags to service_role;

-- Returns a tag in the form in which it is stored and compared: NFC, lowercased character by character, with each final
-- sigma (ς) replaced by σ.
create function private.normalize_tag(raw_tag text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$ select translate(lower(normalize(raw_tag, nfc) collate pg_catalog.pg_c_utf8), 'ς', 'σ') $$;

-- The API calls this function to look up a topic.
grant execute on function private.normalize_tag(text) to anon, authenticated;

-- Returns the first 30 tags in `source_text`, in the format of `Tag` in the API contract: up to 50 letters, marks,
-- digits and underscores of any script, with at least one letter. PostgreSQL's regular expressions have no class for
-- marks or for the digits of all scripts, so the pattern lists what ends a tag instead: white space, punctuation,
-- symbols, and control, format and private-use characters.
create function private.extract_tags(source_text text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
  select coalesce(array_agg(tag order by ordinal), '{}') from (
    select tag, min(ordinal) as ordinal from (
      select private.normalize_tag(groups[1]) as tag, ordinal
      from regexp_matches(
        normalize(source_text, nfc) collate pg_catalog.pg_c_utf8,
        '(?<![[:alnum:]_@#/&])#((?:_|[^[:space:][:punct:][:cntrl:]\u00AD\u0600-\u0605\u061C\u06DD\u070F\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uE000-\uF8FF\uFEFF\uFFF0-\uFFFB])+)',
        'g') with ordinality as matches(groups, ordinal)) all_tags
    where char_length(tag) <= 50 and tag collate pg_catalog.pg_c_utf8 ~ '[[:alpha:]]'
    group by tag order by min(ordinal) limit 30) first_tags
$$;

-- Mentions -----------------------------------------------------------------------------------------------------
-- Returns the ids of the users whom `source_text` mentions with @username. Only the first ten names count, and only
-- users who may view the profile of the post's author are returned. A mention in a comment (`in_comment`) also requires
-- paid access, because comments on a premium post are part of the paid content. For a post, `source_text` must be its
-- public text.
create function private.mentioned_users(source_text text, source_post_id uuid, in_comment boolean) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  post_author_id uuid;
begin
  if position('@' in source_text) = 0 then return '{}'; end if;
  post_author_id := (select p.author_id from public.posts p where p.id = source_post_id);
  return array(
    select p.id
    from (select lower(groups[1]) as username, min(ordinal) as ordinal
          from regexp_matches(source_text, '(?<![[:alnum:]_@#/&])@([A-Za-z0-9_]{3,30})(?![A-Za-z0-9_])', 'g')
            with ordinality as matches(groups, ordinal)
          group by 1 order by 2 limit 10) mentions
    join public.profiles p on lower(p.username) = mentions.username
    where private.can_user_view_profile(p.id, post_author_id)
      and (not in_comment or private.has_paid_access(p.id, source_post_id))
    order by mentions.ordinal);
end
$$;

-- Notifies the users who are mentioned in the public text of a post.
create function private.notify_mentioned_users(public_text text, actor_id uuid, source_post_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mentioned_ids uuid[] := private.mentioned_users(public_text, source_post_id, false);
  recipient_id uuid;
begin
  perform private.lock_user_counters(mentioned_ids);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, actor_id, 'mention', source_post_id);
  end loop;
end
$$;

-- Tags and mentions of new and edited posts --------------------------------------------------------------------
-- Stores the tags of a new or edited post and notifies the users whom it mentions. For a new quote,
-- private.notify_about_quote sends these notifications instead.
create function private.on_post_text_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  public_text text := private.post_public_text(new);
begin
  if tg_op = 'UPDATE' then
    if public_text = private.post_public_text(old) then return null; end if;
    delete from public.post_tags t where t.post_id = new.id and t.tag <> all (private.extract_tags(public_text));
  end if;
  if position('#' in public_text) > 0 then
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, new_tag, new.author_id, new.created_at from unnest(private.extract_tags(public_text)) new_tag
    on conflict do nothing;
  end if;
  if position('@' in public_text) > 0 and not (tg_op = 'INSERT' and new.is_quote) then
    perform private.notify_mentioned_users(public_text, new.author_id, new.id);
  end if;
  return null;
end
$$;

create trigger on_post_text_changed after insert or update of content, teaser on public.posts
  for each row when (new.hidden is null) execute function private.on_post_text_changed();
