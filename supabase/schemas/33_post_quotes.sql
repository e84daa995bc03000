-- Quotes: posts that embed another post.
--
-- * The reference is not a column of `posts`, so that users who may not see the quoted post cannot read its id.
--   `posts.is_quote` tells them only that the post is a quote.
-- * A post quotes at most one post, and cannot be changed to quote another.
-- * Users can quote their own posts, and the posts of authors whose profile is public and whose content is
--   discoverable. Authors can change both settings later, so the policies are evaluated on every read.
-- See docs/decisions/056-quotes.md.

create table public.post_quotes (
  post_id uuid primary key references public.posts (id) on delete cascade,
  quoted_post_id uuid not null references public.posts (id) on delete cascade
);

-- For deleting the references to a deleted post.
create index post_quotes_quoted_post_id_idx on public.post_quotes (quoted_post_id);

alter table public.post_quotes enable row level security;

-- Requires an active session.
create policy post_quotes_active_session on public.post_quotes as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Returns whether a user's quotes and reposts of an author's posts are shown to the caller, if the caller can see both
-- users' posts. They are not shown if either of the two users has blocked the other. If the author's content is not
-- discoverable, they are shown only to the author and the author's followers. Users' quotes and reposts of their own
-- posts are always shown.
create function private.is_sharing_shown(sharing_user_id uuid, author_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return sharing_user_id = author_id or (
    not private.are_blocked(sharing_user_id, author_id)
    and exists (select from private.discoverable_authors a where a.id = author_id));
end
$$;

-- Returns whether a quote is shown to a caller who can see both posts.
create function private.is_quote_shown(quoting_post_id uuid, quoted_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.posts p
    join public.posts q on q.id = quoted_id
    where p.id = quoting_post_id and private.is_sharing_shown(p.author_id, q.author_id));
end
$$;

grant execute on function private.is_quote_shown(uuid, uuid) to anon, authenticated;

-- The policies of posts apply to the subqueries.
create policy post_quotes_select on public.post_quotes for select to anon, authenticated
  using ((select true from public.posts p where p.id = post_id)
         and (select true from public.posts q where q.id = quoted_post_id)
         and private.is_quote_shown(post_id, quoted_post_id));

revoke all on public.post_quotes from anon, authenticated, service_role;
grant select on public.post_quotes to anon, authenticated;
grant all on public.post_quotes to service_role;

-- Returns a post that a user may quote, and locks it against deletion. Raises an error if they may not quote it.
create function private.lock_quotable_post(quoting_user_id uuid, quoted_id uuid) returns public.posts
language plpgsql volatile security definer set search_path = ''
as $$
declare
  quoted public.posts;
begin
  select * into quoted from public.posts p where p.id = quoted_id for key share;
  if quoted.id is null or quoted.hidden is not null
     or not private.can_user_view_profile(quoting_user_id, quoted.author_id) then
    raise exception 'The post you are quoting is not available.'
      using errcode = 'PT404', detail = 'quote_unavailable';
  end if;
  if quoted.author_id <> quoting_user_id and not exists (
       select from private.discoverable_profiles p where p.id = quoted.author_id and p.visibility = 'public') then
    raise exception 'This post can''t be quoted.' using errcode = 'PT403', detail = 'quote_unavailable';
  end if;
  return quoted;
end
$$;

-- Notifies the users mentioned in the public text of a new quote, and the author of the quoted post if they can see the
-- quote and have not been notified of a mention in it.
create function private.notify_about_quote(quote_id uuid, quoting_user_id uuid, quoted_author_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mentioned_ids uuid[] := private.mentioned_users(
    (select private.post_public_text(p) from public.posts p where p.id = quote_id), quote_id, false);
  recipient_id uuid;
begin
  -- Lock all counters together: see private.lock_user_counters.
  perform private.lock_user_counters(mentioned_ids || quoted_author_id);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, quoting_user_id, 'mention', quote_id);
  end loop;
  if private.can_user_view_profile(quoted_author_id, quoting_user_id) and not exists (
       select from public.notifications n
       where n.user_id = quoted_author_id and n.kind = 'mention' and n.post_id = quote_id) then
    perform private.create_notification(quoted_author_id, quoting_user_id, 'quote', quote_id);
  end if;
end
$$;

-- Stores a post by the caller that quotes another one, and sends the notifications. The other parameters are those of
-- private.publish_post. Returns false if a post with this id exists.
create function private.publish_quote(
  quoted_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid,
  poster_image_id uuid, alt_description text
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  quoted public.posts;
begin
  perform private.require_can_publish(price is not null);
  -- A retry waits here for the first request, as in private.insert_post. It then finds the stored post, even if the
  -- quoted post has been deleted in the meantime.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  -- Posts are locked before profile counts.
  quoted := private.lock_quotable_post(uid, quoted_id);
  if not private.insert_post(uid, uid, new_post_id, content_text, price, teaser_text, image_id, video_id,
                             poster_image_id, alt_description, quoted_id => quoted_id) then
    return false;
  end if;
  perform private.notify_about_quote(new_post_id, uid, quoted.author_id);
  return true;
end
$$;

grant execute on function private.publish_quote(uuid, uuid, text, numeric, text, uuid, uuid, uuid, text)
  to authenticated;

-- Returns the post that another post quotes, as a `QuotedPost` (see the API contract) with up to `max_text` characters
-- of its text, or null if there is no quote or it is not shown to the caller. Runs with the caller's privileges, so the
-- policies apply. Reads only the public row of the quoted post, which contains no paid content.
create function private.quoted_post(quoting_post_id uuid, max_text integer) returns json
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select json_build_object('available', true, 'id', q.id,
      'user', json_build_object('id', u.id, 'username', u.username, 'handle', u.username,
        'displayName', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.full_name),
        'fullName', u.full_name, 'firstName', u.first_name, 'lastName', u.last_name,
        'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator,
        'isAdmin', exists (select from private.admins x where x.id = u.id)),
      'text', left(coalesce(nullif(q.content, ''), q.teaser, ''), max_text),
      'productName', q.product ->> 'name',
      'mediaType', q.media_type, 'placeholder', q.placeholder, 'altText', q.alt_text,
      'imageUrl', '/api/media/' || case q.media_type when 'image' then q.media_id when 'video' then q.poster_id end,
      'locked', q.is_premium, 'createdAt', q.created_at)
    from public.post_quotes x
    join public.posts q on q.id = x.quoted_post_id
    join public.profiles u on u.id = q.author_id
    where x.post_id = quoting_post_id);
end
$$;

grant execute on function private.quoted_post(uuid, integer) to anon, authenticated;
