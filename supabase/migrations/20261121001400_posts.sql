-- Posts with pictures, videos and paid content.
--
-- The row of a post is its public part. What is paid for (text, addresses of media, the words about them) lies in
-- `premium_contents`, which only the author and who unlocked it can read: no door has to leave anything out.

alter table public.posts
  -- What is to be seen, its size in pixels and a blurred miniature: told while it is locked, so that the frame stays.
  add column media_type text check (media_type in ('image', 'video')),
  add column media_width integer check (media_width > 0),
  add column media_height integer check (media_height > 0),
  add column placeholder text,
  add column media_id uuid references public.media (id),
  add column poster_id uuid references public.media (id),
  add column alt_text text check (char_length(alt_text) <= 500),
  add column edited_at timestamptz;
-- Who may read an upload is asked of the posts that refer to it. An upload belongs to one post.
create unique index posts_media_id_key on public.posts (media_id);
create unique index posts_poster_id_key on public.posts (poster_id);

create table public.premium_contents (
  post_id uuid primary key references public.posts (id) on delete cascade,
  author_id uuid not null references public.profiles (id) on delete cascade,
  content text not null default '' check (char_length(content) <= 5000),
  media_id uuid references public.media (id),
  poster_id uuid references public.media (id),
  alt_text text check (char_length(alt_text) <= 500)
);
create unique index premium_contents_media_id_key on public.premium_contents (media_id);
create unique index premium_contents_poster_id_key on public.premium_contents (poster_id);
create index premium_contents_author_id_idx on public.premium_contents (author_id);

insert into public.premium_contents (post_id, author_id, content)
select p.id, p.author_id, p.content from public.posts p where p.is_premium;
update public.posts p set content = '' where p.is_premium;
update public.posts p set teaser = null where not p.is_premium and p.teaser is not null;

alter table public.posts
  add check (not is_premium or (content = '' and media_id is null and poster_id is null and alt_text is null)),
  add check (media_type is not null or (media_id is null and poster_id is null)),
  add check (is_premium or teaser is null);

-- Rights ------------------------------------------------------------------------------------------------------

alter table public.premium_contents enable row level security;
revoke all on public.premium_contents from anon, authenticated;
grant select on public.premium_contents to authenticated;
grant all on public.premium_contents to service_role;

create policy premium_contents_alive on public.premium_contents as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- The select on posts runs under its own policy: having paid opens nothing that its author no longer shows.
create policy premium_contents_select on public.premium_contents for select to authenticated
  using (
    (author_id = (select auth.uid())
     or (select true from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = premium_contents.post_id))
    and (select true from public.posts p where p.id = premium_contents.post_id)
  );

-- An upload is its owner's until a post that the reader may see, and has not to pay for, refers to it.
drop policy media_select on public.media;
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
  );
create policy media_select_anon on public.media for select to anon
  using (exists (select from public.posts p where p.media_id = media.id)
         or exists (select from public.posts p where p.poster_id = media.id));

-- Whether somebody, who need not be the caller, has a right to what is paid of a post. Not whether they may see it.
create function private.may_read_paid(person uuid, post uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts p where p.id = post and (not p.is_premium or p.author_id = person))
      or exists (select from public.unlocks u where u.user_id = person and u.post_id = post)
$$;

-- Text that shows nothing: blanks, and what is as invisible as they are.
create function private.is_blank(written text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(written, '') !~ '[^\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]'
$$;
-- Also asked by a constraint, as whoever writes.
grant execute on function private.is_blank(text) to authenticated, service_role;

drop policy posts_insert on public.posts;
create policy posts_insert on public.posts for insert to authenticated
  with check (author_id = (select auth.uid()) and (select private.may_write()) and not private.is_blank(content));

-- Publishing --------------------------------------------------------------------------------------------------

-- Refuses a caller who may not publish, or not for money.
create function private.require_publish(paid boolean) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if paid and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
end
$$;
grant execute on function private.require_publish(boolean) to authenticated;

-- Refuses a caller who is not the author of a post.
create function private.require_own_post(post uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  author uuid := (select p.author_id from public.posts p where p.id = post);
begin
  perform private.require_write();
  if author is null or not private.can_view(author) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if author <> auth.uid() then
    raise exception 'Only its author can edit a post.' using errcode = 'PT403';
  end if;
end
$$;
grant execute on function private.require_own_post(uuid) to authenticated;

-- An upload of the caller that no post uses yet, held until the end of the transaction.
create function private.take_media(upload uuid, wanted_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken public.media;
begin
  select * into taken from public.media m
  where m.id = upload and m.owner_id = auth.uid() and m.kind = wanted_kind and m.state = 'ready'
  for update;
  if not found
     or exists (select from public.posts p where upload in (p.media_id, p.poster_id))
     or exists (select from public.premium_contents c where upload in (c.media_id, c.poster_id)) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return taken;
end
$$;

-- Stores a post of the caller. `price` null: for everybody who may see it, else in US dollars. False when a post of
-- this id is stored already. Who may post what is decided here, so it needs no rights of its caller's on the tables.
create function private.publish_post(
  post uuid, written text, price numeric, shown_teaser text, image uuid, video uuid, still uuid, described text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  seen public.media;
  poster public.media;
  paid boolean := price is not null;
begin
  perform private.require_publish(paid);
  -- Sent again while it is on its way, it waits, and finds itself stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || post::text, 0));
  if exists (select from public.posts p where p.id = post) then return false; end if;
  if private.is_blank(written) and image is null and video is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image is not null then
    seen := private.take_media(image, 'image');
  elsif video is not null then
    seen := private.take_media(video, 'video');
    if still is not null then poster := private.take_media(still, 'image'); end if;
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser,
                            media_type, media_width, media_height, placeholder, media_id, poster_id, alt_text)
  values (post, uid, case when paid then '' else written end, paid, price,
          case when paid then nullif(shown_teaser, '') end,
          seen.kind, coalesce(seen.width, poster.width), coalesce(seen.height, poster.height),
          coalesce(seen.placeholder, poster.placeholder),
          case when not paid then seen.id end, case when not paid then poster.id end,
          case when not paid and seen.id is not null then nullif(described, '') end)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (post, uid, written, seen.id, poster.id, case when seen.id is not null then nullif(described, '') end);
  end if;
  return true;
end
$$;
grant execute on function private.publish_post(uuid, text, numeric, text, uuid, uuid, uuid, text) to authenticated;

-- Changes what `changes` names of one of the caller's posts: content, teaser, altText, premiumPrice.
create function private.edit_post(post uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old public.posts;
  paid public.premium_contents;
  written text;
  described text;
begin
  perform private.require_own_post(post);
  select * into old from public.posts p where p.id = post for update;
  if not found then raise exception 'Post not found' using errcode = 'PT404'; end if;
  perform private.enforce_rate('posts', uid, 30, '1 minute');
  if not old.is_premium and (changes ? 'premiumPrice' or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'This post is free: it has no price and no teaser.' using errcode = 'PT400';
  end if;
  select * into paid from public.premium_contents c where c.post_id = post;
  written := coalesce(changes ->> 'content', paid.content, old.content);
  described := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                    else coalesce(paid.alt_text, old.alt_text) end;
  if private.is_blank(written) and old.media_type is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if old.is_premium then
    update public.premium_contents c
    set content = written, alt_text = case when old.media_type is not null then described end
    where c.post_id = post;
  end if;
  update public.posts p
  set content = case when old.is_premium then '' else written end,
      alt_text = case when not old.is_premium and old.media_type is not null then described end,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else p.teaser end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, p.premium_price),
      edited_at = clock_timestamp()
  where p.id = post;
end
$$;
grant execute on function private.edit_post(uuid, jsonb) to authenticated;

-- How many posts of others the caller has not loaded yet, `most` at most: a walk down the newest of the feed's index.
create function private.count_new_posts(since timestamptz, most integer) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    select from public.posts p
    where p.created_at > since and p.author_id <> (select auth.uid())
    order by p.created_at desc limit most) newer
$$;
grant execute on function private.count_new_posts(timestamptz, integer) to authenticated;

revoke execute on all functions in schema private from public;
