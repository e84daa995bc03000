-- Posts, likes and saves.
--
-- * A row in `posts` is visible to everyone who may view the author's profile, unless moderators hid it. The paid part
--   of a premium post (text, media, alt text) is stored in `premium_contents` (32_premium_content.sql).
-- * The functions below publish and edit posts. A direct insert through the Data API can only create a free post
--   without media.
-- * A post may quote another one. The reference is stored in `post_quotes` (33_post_quotes.sql). Reposts are in
--   35_reposts.sql.
-- * Clients generate the ids of their posts, so publishing is idempotent.
-- * Triggers maintain `likes_count`, `comments_count`, `reposts_count`, `unlocks_count` and the post counts in
--   `profile_counts`.
-- * Lock order: posts, then `profile_counts`, then `user_counters`; the rows of each table in the order of their ids.

-- Posts --------------------------------------------------------------------------------------------------------
create table public.posts (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  content text not null default '' check (char_length(content) <= 5000),
  teaser text check (char_length(teaser) <= 500),
  is_premium boolean not null default false,
  premium_price numeric(5, 2) check (premium_price between 0.01 and 999.99), -- US dollars
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Type, size in pixels and tiny blurred image of the media. Premium posts have them too, so that the page can
  -- reserve the space while the post is locked.
  media_type text check (media_type in ('image', 'video')),
  media_width integer check (media_width > 0),
  media_height integer check (media_height > 0),
  placeholder text,
  media_id uuid references public.media (id), -- free posts only, like poster_id and alt_text
  poster_id uuid references public.media (id), -- preview image of a video
  alt_text text check (char_length(alt_text) <= 500),
  edited_at timestamptz,
  included_in_subscription boolean not null default false,
  product jsonb, -- {name, price, storeUrl, category?}, see private.validated_product
  made_by text check (made_by in ('ai')), -- null: written by a user
  -- Set by moderators. 'hidden': only the author sees the post; 'removed': nobody does.
  hidden text check (hidden in ('hidden', 'removed')),
  media_duration integer check (media_duration > 0), -- seconds of a video; null if unknown
  paid_text_length integer, -- of a premium post, see private.approximate_length
  unlocks_count integer check (unlocks_count >= 0), -- null unless the author shows it
  pinned boolean not null default false, -- at the top of the author's profile
  is_quote boolean not null default false, -- stays true after the quoted post is deleted, see 33_post_quotes.sql
  reposts_count integer not null default 0 check (reposts_count >= 0),
  check (is_premium = (premium_price is not null)),
  check (not is_premium or (content = '' and media_id is null and poster_id is null and alt_text is null)),
  check (media_type is not null or (media_id is null and poster_id is null)),
  check (is_premium or teaser is null),
  check (is_premium or not included_in_subscription),
  constraint posts_premium_facts_check check (
    is_premium or (paid_text_length is null and unlocks_count is null)),
  constraint posts_product_check check (product is null or (
      not is_premium and jsonb_typeof(product) = 'object'
      and char_length(product ->> 'name') between 1 and 100
      and (product ->> 'price')::numeric between 0.01 and 99999.99
      and private.is_http_url(product ->> 'storeUrl')
      and coalesce(char_length(product ->> 'category'), 1) between 1 and 60))
);

comment on column public.posts.included_in_subscription is
  'Set by the author: subscribers read this premium post without buying it.';

-- The feed of all posts and the feed of one author are range scans of these two indexes.
create index posts_created_at_idx on public.posts (created_at desc, id desc);

create index posts_author_id_idx on public.posts (author_id, created_at desc, id desc);

-- One author's posts of one type ('image', 'video' or 'text'), and premium posts: see private.list_posts_by_user.
create index posts_author_media_type_idx on public.posts (
  author_id, coalesce(media_type, 'text'), created_at desc, id desc);

create index posts_author_premium_idx on public.posts (author_id, created_at desc, id desc) where is_premium;

-- An author pins at most one post. With a unique index on `author_id` alone, the Data API would treat the relation from
-- profiles to posts as one-to-one, and embed only a single post per profile.
create unique index posts_pinned_key on public.posts (author_id, pinned) where pinned;

-- An upload belongs to at most one post. The policies of media use these indexes to find the post.
create unique index posts_media_id_key on public.posts (media_id);

create unique index posts_poster_id_key on public.posts (poster_id);

alter table public.posts enable row level security;

-- Requires an active session.
create policy posts_active_session on public.posts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who may view the author's profile (private.viewable_profiles in 10_profiles) sees the post, unless
-- moderators hid it (see the `hidden` column).
create policy posts_select on public.posts for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = author_id)
         and (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid()))));

-- Users with write access publish their own text posts.
create policy posts_insert on public.posts for insert to authenticated
  with check (author_id = (select auth.uid()) and (select private.can_write()) and not private.is_blank(content));

-- Authors delete their own posts, even from a read-only account.
create policy posts_delete on public.posts for delete to authenticated
  using (author_id = (select auth.uid()));

revoke all on public.posts from anon, authenticated, service_role;
grant select on public.posts to anon;
grant select, delete on public.posts to authenticated;
-- Clients cannot write counters, times or prices directly.
grant insert (id, author_id, content) on public.posts to authenticated;
grant all on public.posts to service_role;

-- Rejects a post if the caller has no write access, even if a `security definer` function inserts it.
create function private.before_post_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Seeds and jobs run without a caller.
  if auth.uid() is not null then
    perform private.require_write();
  end if;
  return new;
end
$$;

create trigger before_post_insert before insert on public.posts
  for each row execute function private.before_post_insert();

-- At most 30 posts per minute. Comments, scheduled posts, edits and pinning count toward the same limit.
create trigger limit_posts before insert on public.posts
  for each row execute function private.limit_writes('posts', '30');

-- Rejects the id of a deleted row if a moderation case still refers to that id: the case would otherwise be about a
-- different row, possibly by a different author. Argument: the `kind` of the case.
create function private.reject_reused_id() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.moderation_cases c where c.kind = tg_argv[0] and c.subject_id = new.id) then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  return new;
end
$$;

create trigger reject_reused_id before insert on public.posts
  for each row execute function private.reject_reused_id('post');

-- Adds `delta` to each of the author's post counts in which the post is included.
create function private.count_post(post public.posts, delta integer) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.profile_counts c
  set posts = greatest(0, c.posts + delta),
      photos = greatest(0, c.photos + case when post.media_type = 'image' then delta else 0 end),
      videos = greatest(0, c.videos + case when post.media_type = 'video' then delta else 0 end),
      premium_posts = greatest(0, c.premium_posts + case when post.is_premium then delta else 0 end)
  where c.user_id = post.author_id
$$;

-- Updates the author's post counts.
create function private.on_post_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.count_post(case when tg_op = 'INSERT' then new else old end,
                             case when tg_op = 'INSERT' then 1 else -1 end);
  return null;
end
$$;

create trigger on_post_created after insert on public.posts
  for each row execute function private.on_post_changed();

-- private.on_post_hidden has already subtracted a hidden post from the counts.
create trigger on_post_deleted after delete on public.posts
  for each row when (old.hidden is null) execute function private.on_post_changed();

-- Locks the counts that deleting the post will change: the profile counts of the author, and the unread counts of the
-- users whose notifications about the post are deleted with it.
create function private.before_post_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_profile_counts(old.author_id, old.author_id);
  perform private.lock_user_counters(array(
    select distinct n.user_id from public.notifications n where n.post_id = old.id));
  return old;
end
$$;

create trigger before_post_deleted before delete on public.posts
  for each row execute function private.before_post_deleted();

-- Publishing ---------------------------------------------------------------------------------------------------
-- Raises an error unless the caller may publish posts or, if `is_paid` is true, premium posts.
create function private.require_can_publish(is_paid boolean) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if is_paid and not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  if is_paid then perform private.require_confirmed_email(); end if;
end
$$;

grant execute on function private.require_can_publish(boolean) to authenticated;

-- Returns the approximate length of a paid text: the number of characters, rounded to tens below 1000 and to hundreds
-- from 1000; at least 10. Returns null for a blank text. Everyone may see the length, even before paying.
create function private.approximate_length(paid_text text) returns integer
language sql immutable set search_path = ''
as $$
  select case when not private.is_blank(paid_text) then
    greatest(10, round(char_length(paid_text)::numeric, case when char_length(paid_text) < 1000 then -1 else -2 end))
  end::integer
$$;

-- Stores a post by `post_author_id` with uploads by `uploader_id`, which then belong to the author. A `price` in US
-- dollars makes it a premium post, and a `quoted_id` a quote. Returns false if a post with this id exists, and
-- raises an error if one is scheduled. Does not check permissions: the calling functions must.
create function private.insert_post(
  post_author_id uuid, uploader_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text,
  image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, written_by text default null,
  quoted_id uuid default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  main_media public.media;
  poster public.media;
  is_paid boolean := price is not null;
begin
  -- A retry waits here for the first request, then finds the post stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  if exists (select from public.scheduled_posts s where s.id = new_post_id) then
    raise exception 'This post is already scheduled.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(content_text) and image_id is null and video_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image_id is not null then
    main_media := private.claim_media_of(uploader_id, image_id, 'image');
  elsif video_id is not null then
    main_media := private.claim_media_of(uploader_id, video_id, 'video');
    if poster_image_id is not null then
      poster := private.claim_media_of(uploader_id, poster_image_id, 'image');
    end if;
  end if;
  if post_author_id <> uploader_id then
    update public.media m set owner_id = post_author_id where m.id in (main_media.id, poster.id);
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, made_by,
                            media_type, media_width, media_height, media_duration, placeholder, media_id, poster_id,
                            alt_text, paid_text_length, is_quote)
  values (new_post_id, post_author_id, case when is_paid then '' else content_text end, is_paid, price,
          case when is_paid then nullif(teaser_text, '') end, written_by,
          main_media.kind, coalesce(main_media.width, poster.width), coalesce(main_media.height, poster.height),
          main_media.duration_seconds, coalesce(main_media.placeholder, poster.placeholder),
          case when not is_paid then main_media.id end, case when not is_paid then poster.id end,
          case when not is_paid and main_media.id is not null then nullif(alt_description, '') end,
          case when is_paid then private.approximate_length(content_text) end, quoted_id is not null)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if quoted_id is not null then
    insert into public.post_quotes (post_id, quoted_post_id) values (new_post_id, quoted_id);
  end if;
  if is_paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (new_post_id, post_author_id, content_text, main_media.id, poster.id,
            case when main_media.id is not null then nullif(alt_description, '') end);
  end if;
  return true;
end
$$;

-- Stores a post by the caller. A `price` in US dollars makes it a premium post. Returns false if a post with this id
-- exists. Runs with its owner's privileges and checks permissions itself, so callers need no table privileges.
create function private.publish_post(
  new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid,
  poster_image_id uuid, alt_description text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_can_publish(price is not null);
  return private.insert_post(auth.uid(), auth.uid(), new_post_id, content_text, price, teaser_text, image_id,
                             video_id, poster_image_id, alt_description);
end
$$;

grant execute on function private.publish_post(uuid, text, numeric, text, uuid, uuid, uuid, text) to authenticated;

-- Editing ------------------------------------------------------------------------------------------------------
-- Raises an error unless the caller can write and may edit the post: 404 if they cannot see it, 403 if they did not
-- write it or if moderators hid it.
create function private.require_can_edit_post(target_post_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  post_author_id uuid := (
    select p.author_id from public.posts p where p.id = target_post_id and p.hidden is distinct from 'removed');
begin
  perform private.require_write();
  if post_author_id is null or not private.can_view_profile(post_author_id)
     or (post_author_id <> auth.uid()
         and exists (select from public.posts p where p.id = target_post_id and p.hidden is not null)) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if post_author_id <> auth.uid() then
    raise exception 'Only the author can edit a post.' using errcode = 'PT403';
  end if;
  if exists (select from public.posts p where p.id = target_post_id and p.hidden is not null) then
    raise exception 'Moderators hid this post, so you can''t edit it.' using errcode = 'PT403';
  end if;
end
$$;

grant execute on function private.require_can_edit_post(uuid) to authenticated;

-- Pins one of the caller's own posts to the top of their profile, replacing any other pinned post, or unpins it.
-- Repeating the call has no effect. A hidden post can be unpinned, but not pinned.
create function private.set_post_pinned(target_post_id uuid, new_pinned boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if new_pinned or not exists (
       select from public.posts p
       where p.id = target_post_id and p.author_id = uid and p.hidden is distinct from 'removed') then
    perform private.require_can_edit_post(target_post_id);
  else
    perform private.require_write();
  end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Without this lock, two concurrent calls would both find no other pinned post.
  perform pg_advisory_xact_lock(hashtextextended('pinned_post:' || uid::text, 0));
  perform from public.posts p
  where p.author_id = uid and (p.pinned or p.id = target_post_id) order by p.id for update;
  update public.posts p set pinned = false
  where p.author_id = uid and p.pinned and (p.id <> target_post_id) = new_pinned;
  if new_pinned then
    update public.posts p set pinned = true where p.id = target_post_id and p.author_id = uid and not p.pinned;
  end if;
end
$$;

grant execute on function private.set_post_pinned(uuid, boolean) to authenticated;

-- Edits one of the caller's own posts. Keys of `changes`: content, teaser, altText, premiumPrice,
-- includedInSubscription, showUnlocks, product. Fields without a key keep their value; a product is replaced as a whole
-- (name, price, storeUrl, category).
create function private.edit_post(target_post_id uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old_post public.posts;
  old_premium public.premium_contents;
  new_content text;
  new_alt_text text;
begin
  perform private.require_can_edit_post(target_post_id);
  select * into old_post from public.posts p where p.id = target_post_id for update;
  if not found then raise exception 'Post not found' using errcode = 'PT404'; end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  if not old_post.is_premium
     and (changes ?| array['premiumPrice', 'includedInSubscription', 'showUnlocks']
          or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'Only premium posts can have a price or a teaser, or be included in subscriptions.'
      using errcode = 'PT400';
  end if;
  if old_post.product is null and changes ? 'product' then
    raise exception 'This post has no product.' using errcode = 'PT400';
  end if;
  select * into old_premium from public.premium_contents c where c.post_id = target_post_id;
  new_content := coalesce(changes ->> 'content', old_premium.content, old_post.content);
  new_alt_text := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                       else coalesce(old_premium.alt_text, old_post.alt_text) end;
  if private.is_blank(new_content) and old_post.product is not null then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if private.is_blank(new_content) and old_post.media_type is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if old_post.is_premium then
    update public.premium_contents c
    set content = new_content, alt_text = case when old_post.media_type is not null then new_alt_text end
    where c.post_id = target_post_id;
  end if;
  update public.posts p
  set content = case when old_post.is_premium then '' else new_content end,
      alt_text = case when not old_post.is_premium and old_post.media_type is not null then new_alt_text end,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else p.teaser end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, p.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, p.included_in_subscription),
      paid_text_length = case when p.is_premium then private.approximate_length(new_content) end,
      unlocks_count = case (changes ->> 'showUnlocks')::boolean
        when true then (select count(*) from public.unlocks u where u.post_id = p.id)
        when false then null else p.unlocks_count end,
      product = case when changes ? 'product' then private.validated_product(
                  changes #>> '{product,name}', (changes #>> '{product,price}')::numeric,
                  changes #>> '{product,storeUrl}', changes #>> '{product,category}') else p.product end,
      edited_at = clock_timestamp()
  where p.id = target_post_id;
end
$$;

grant execute on function private.edit_post(uuid, jsonb) to authenticated;

-- Products -----------------------------------------------------------------------------------------------------
-- A product is a free post that links to an offer in an external store. The post's text is the product's description.

-- Returns a product in the format of `posts.product`. Rejects store URLs with a user name
-- (https://example.com@example.net), because they lead to a different host than they appear to.
create function private.validated_product(product_name text, price numeric, store_url text, product_category text)
returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if private.is_blank(product_name) or price is null or private.is_blank(store_url) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if not private.is_http_url(store_url) or store_url ~ '^https?://[^/?#]*@' then
    raise exception 'Please enter a valid store URL.' using errcode = 'PT400';
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'name', btrim(product_name), 'price', round(price, 2), 'storeUrl', store_url,
    'category', case when not private.is_blank(product_category) then btrim(product_category) end));
end
$$;

-- Stores a product post by the caller. Returns false if a post with this id exists.
create function private.publish_product(
  new_post_id uuid, product_name text, description text, price numeric, store_url text, product_category text,
  image_id uuid default null, image_alt text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  new_product jsonb;
begin
  perform private.require_write();
  perform private.require_confirmed_email();
  if private.is_blank(description) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  new_product := private.validated_product(product_name, price, store_url, product_category);
  if not private.publish_post(new_post_id, description, null, null, image_id, null, null, image_alt) then
    return false;
  end if;
  update public.posts p set product = new_product where p.id = new_post_id;
  return true;
end
$$;

grant execute on function private.publish_product(uuid, text, text, numeric, text, text, uuid, text) to authenticated;

-- Reading ------------------------------------------------------------------------------------------------------
-- Counts the posts by other users in the caller's home feed that are newer than `since`, up to `max_count`. Scans only
-- the newest part of the feed's index.
create function private.count_new_posts(since timestamptz, max_count integer) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    select from public.posts p
    where p.created_at > since and p.author_id <> (select auth.uid())
      and (select true from private.discoverable_authors h where h.id = p.author_id)
    order by p.created_at desc limit max_count) newer
$$;

grant execute on function private.count_new_posts(timestamptz, integer) to authenticated;

-- The Following feed contains the posts by the users whom the caller follows, the caller's own, and the posts that
-- followed users reposted. Each post is listed once: at the time of the latest repost by a followed user or, without
-- such a repost, at the time of the post. See docs/decisions/059-reposts.md.
--
-- A scan of all posts might have to read very far back, because followed users may rarely post. The query therefore
-- starts from the followed users: an index lookup per user finds their newest post, and only the users with the most
-- recent of these can have posts on the page. For a caller who follows many users, a scan of the newest posts of
-- all users is tried first. See docs/decisions/033-feeds.md.
--
-- The two functions below run with their owner's privileges, because the policies would look up the author of each post
-- that is read. They apply the same rules: private.viewable_profiles once per author, and the `hidden` column.
-- `offset 0` keeps the planner from looking up authors who are not on the page.

-- Returns the newest posts in the Following feed that come after the post `after_id` (listed at `after_time`), newest
-- first. Posts and reposts that are newer than `until` are ignored. These three parameters may be null.
-- `reposter_id` is null if the post is not listed because of a repost.
create function private.list_following_posts(until timestamptz, after_time timestamptz, after_id uuid, max_rows integer)
returns table (post_id uuid, reposter_id uuid, listed_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  latest timestamptz := coalesce(until, 'infinity');
  after_until timestamptz := coalesce(until + interval '1 microsecond', 'infinity');
  -- Combines both bounds into one key, so that the comparison is always an index condition.
  before_time timestamptz := least(after_time, after_until);
  before_id uuid := case when after_time < after_until then after_id else '00000000-0000-0000-0000-000000000000' end;
  post_ids uuid[] := '{}';
  since timestamptz := '-infinity';
begin
  if not private.is_session_active() then return; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500 then
    post_ids := array(
      select recent.id
      from (
        select p.id, p.author_id, p.created_at, p.hidden, p.reposts_count from public.posts p
        where (p.created_at, p.id) < (before_time, before_id)
        order by p.created_at desc, p.id desc limit 2000
      ) recent
      where (recent.author_id = uid
             or (select true from public.follows f where f.follower_id = uid and f.followee_id = recent.author_id))
        and (recent.hidden is null or (recent.hidden = 'hidden' and recent.author_id = uid))
        and (select true from private.viewable_profiles v where v.id = recent.author_id)
        and (recent.reposts_count = 0 or not private.has_followed_repost(recent.id, '-infinity', latest))
      order by recent.created_at desc, recent.id desc limit max_rows);
  end if;
  if cardinality(post_ids) < max_rows then
    post_ids := array(
      with authors as materialized (
        select newest.author_id
        from (
          select p.author_id, p.created_at, p.id
          from (select f.followee_id from public.follows f where f.follower_id = uid union all select uid) a (id)
          cross join lateral (
            select p.author_id, p.created_at, p.id from public.posts p
            where p.author_id = a.id and (p.created_at, p.id) < (before_time, before_id)
              and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
              and (p.reposts_count = 0 or not private.has_followed_repost(p.id, '-infinity', latest))
            order by p.created_at desc, p.id desc limit 1) p
          order by p.created_at desc, p.id desc offset 0
        ) newest
        where (select true from private.viewable_profiles v where v.id = newest.author_id)
        order by newest.created_at desc, newest.id desc limit max_rows
      )
      select p.id
      from authors a
      cross join lateral (
        select p.id, p.created_at from public.posts p
        where p.author_id = a.author_id and (p.created_at, p.id) < (before_time, before_id)
          and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = uid))
          and (p.reposts_count = 0 or not private.has_followed_repost(p.id, '-infinity', latest))
        order by p.created_at desc, p.id desc limit max_rows) p
      order by p.created_at desc, p.id desc limit max_rows);
  end if;
  if cardinality(post_ids) = max_rows then
    since := (select min(p.created_at) from public.posts p where p.id = any (post_ids));
  end if;
  return query
    select listed.id, listed.user_id, listed.at
    from (
      select p.id, null::uuid as user_id, p.created_at as at from public.posts p where p.id = any (post_ids)
      union all
      select r.post_id, r.user_id, r.created_at
      from private.list_followed_reposts(latest, since, before_time, before_id, max_rows) r
    ) listed
    order by listed.at desc, listed.id desc limit max_rows;
end
$$;

grant execute on function private.list_following_posts(timestamptz, timestamptz, uuid, integer) to authenticated;

-- Counts the posts in the caller's Following feed that other users published or reposted after `since`, up to
-- `max_count`. For a caller who follows many users, looks at all posts and reposts since then instead of at those of
-- each followed user, unless there are too many.
create function private.count_new_following_posts(since timestamptz, max_count integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return 0; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500
     and not exists (
       select from public.posts p where p.created_at > since order by p.created_at desc, p.id desc offset 2000)
     and not exists (select from public.reposts r where r.created_at > since order by r.created_at offset 2000)
  then
    return (
      select count(*) from (
        select p.id from public.posts p
        where p.created_at > since and p.hidden is null
          and (select true from public.follows f where f.follower_id = uid and f.followee_id = p.author_id)
          and (select true from private.viewable_profiles v where v.id = p.author_id)
        union
        select followed.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.created_at > since
            and (select true from public.follows f where f.follower_id = uid and f.followee_id = r.user_id) offset 0
        ) followed
        where private.is_repost_shown(followed.post_id, followed.user_id)
        limit max_count
      ) counted);
  end if;
  return (
    select count(*) from (
      select newer.id from (
        select f.followee_id as author_id, p.id
        from public.follows f
        cross join lateral (
          select p.id from public.posts p
          where p.author_id = f.followee_id and p.created_at > since and p.hidden is null limit max_count) p
        where f.follower_id = uid offset 0
      ) newer
      where (select true from private.viewable_profiles v where v.id = newer.author_id)
      union
      select r.post_id
      from public.follows f
      cross join lateral (
        select latest.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.user_id = f.followee_id and r.created_at > since
          order by r.created_at desc, r.post_id desc limit 100
        ) latest
        where private.is_repost_shown(latest.post_id, latest.user_id) limit max_count) r
      where f.follower_id = uid
      limit max_count
    ) counted);
end
$$;

grant execute on function private.count_new_following_posts(timestamptz, integer) to authenticated;

-- Returns the text that everyone who sees the post can read: the teaser of a premium post, the content of a free one.
create function private.post_public_text(post public.posts) returns text
language sql immutable set search_path = ''
as $$ select coalesce(case when post.is_premium then post.teaser else post.content end, '') $$;

-- Likes --------------------------------------------------------------------------------------------------------
create table public.likes (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);

create index likes_user_id_idx on public.likes (user_id, created_at desc);

-- For the jobs that count recent likes (trending, analytics).
create index likes_created_at_idx on public.likes (created_at);

alter table public.likes enable row level security;

-- Requires an active session.
create policy likes_active_session on public.likes as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see only their own likes.
create policy likes_select on public.likes for select to authenticated
  using (user_id = (select auth.uid()));

-- Users like only posts that they can see: the policies of posts apply to the subquery.
create policy likes_insert on public.likes for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.can_write())
              and (select true from public.posts p where p.id = post_id));

-- Users remove their own likes.
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.likes from anon, authenticated, service_role;
grant select, delete on public.likes to authenticated;
grant insert (post_id, user_id) on public.likes to authenticated;
grant all on public.likes to service_role;

-- At most 120 likes per minute. Follows, comment likes, saves, reposts and post alerts count toward the same limit.
create trigger limit_likes before insert on public.likes
  for each row execute function private.limit_writes('relations', '120');

-- Updates the number of likes and notifies the author, or withdraws the notification.
create function private.on_like_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed_like public.likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  hidden_state text;
begin
  update public.posts p set likes_count = greatest(0, p.likes_count + delta) where p.id = changed_like.post_id
  returning p.author_id, p.hidden into post_author_id, hidden_state;
  -- No row: the like is being deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    -- Moderators may have hidden the post while this call waited for its row.
    if hidden_state = 'removed' or (hidden_state = 'hidden' and post_author_id <> changed_like.user_id) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    perform private.create_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  else
    perform private.withdraw_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  end if;
  return null;
end
$$;

create trigger on_like_changed after insert or delete on public.likes
  for each row execute function private.on_like_changed();

-- Likes a post, or removes the caller's like. Runs with the caller's privileges and returns the new state.
-- `likes_count` is null if the caller can no longer see the post.
create function public.toggle_like(post uuid, out liked boolean, out likes_count integer)
language plpgsql volatile set search_path = ''
as $$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('like:' || auth.uid()::text || post::text, 0));
  delete from public.likes l where l.post_id = post and l.user_id = auth.uid();
  liked := not found;
  if liked then
    perform private.require_write();
    if not exists (select from public.posts p where p.id = post) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    insert into public.likes (post_id, user_id) values (post, auth.uid());
  end if;
  select p.likes_count into toggle_like.likes_count from public.posts p where p.id = post;
end
$$;

-- Older Supabase projects let all API roles execute new functions in `public`. 95_function_privileges revokes that
-- privilege from `service_role`.
revoke execute on function public.toggle_like(uuid) from anon, authenticated;
grant execute on function public.toggle_like(uuid) to authenticated;

-- Saves --------------------------------------------------------------------------------------------------------
-- A user's private bookmarks.
create table public.saves (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);

create index saves_user_id_idx on public.saves (user_id, created_at desc);

-- For the job that counts recent saves (trending).
create index saves_created_at_idx on public.saves (created_at);

alter table public.saves enable row level security;

-- Requires an active session.
create policy saves_active_session on public.saves as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see only their own saves.
create policy saves_select on public.saves for select to authenticated
  using (user_id = (select auth.uid()));

-- Users save only posts that they can see: the policies of posts apply to the subquery.
create policy saves_insert on public.saves for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.can_write())
              and (select true from public.posts p where p.id = post_id));

-- Users remove their own saves.
create policy saves_delete on public.saves for delete to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.saves from anon, authenticated, service_role;
grant select, delete on public.saves to authenticated;
grant insert (post_id, user_id) on public.saves to authenticated;
grant all on public.saves to service_role;

-- At most 120 saves per minute. Follows, likes, reposts and post alerts count toward the same limit.
create trigger limit_saves before insert on public.saves
  for each row execute function private.limit_writes('relations', '120');

-- Saves a post, or removes it from the caller's saved posts. Runs with the caller's privileges and returns the new
-- state.
create function public.toggle_save(post uuid, out saved boolean)
language plpgsql volatile set search_path = ''
as $$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('save:' || auth.uid()::text || post::text, 0));
  delete from public.saves s where s.post_id = post and s.user_id = auth.uid();
  saved := not found;
  if saved then
    perform private.require_write();
    if not exists (select from public.posts p where p.id = post) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    insert into public.saves (post_id, user_id) values (post, auth.uid());
  end if;
end
$$;

revoke execute on function public.toggle_save(uuid) from anon, authenticated;
grant execute on function public.toggle_save(uuid) to authenticated;
