-- Comments on posts, replies to comments, and likes on comments and replies. Replies are one level deep.
--
-- * A comment can be read by everyone who can see the post and, if it is a premium post, its paid content, except users
--   who have blocked the comment's author or are blocked by them. Moderators can hide a comment.
-- * Comments are inserted under the policies below and deleted with private.delete_comment.
-- * Comments on other users' posts outlive their author's account; `author_id` is then null.
-- * Lock order: the post, the comments, then `user_counters`. Everything that writes comments or their likes locks the
--   post first.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  author_id uuid default auth.uid() references public.profiles (id) on delete set null, -- null: account deleted
  parent_comment_id uuid references public.comments (id) on delete cascade,
  content text not null check (char_length(content) <= 500 and not private.is_blank(content)),
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Set by moderators. 'hidden': only the author sees the comment; 'removed': nobody does; 'with_parent': nobody
  -- does, because the comment that it replies to is hidden.
  hidden text check (hidden in ('hidden', 'removed', 'with_parent')),
  likes_count integer not null default 0 check (likes_count >= 0)
);

-- Comments of a post, newest first.
create index comments_post_id_idx on public.comments (post_id, created_at desc, id desc)
  where parent_comment_id is null;

-- Comments of a post, most liked first.
create index comments_top_idx on public.comments (post_id, likes_count desc, created_at desc, id desc)
  where parent_comment_id is null;

-- For deleting a post, which also deletes the replies.
create index comments_post_id_all_idx on public.comments (post_id);

-- Replies to a comment, oldest first.
create index comments_parent_comment_id_idx on public.comments (parent_comment_id, created_at, id);

-- For finding the first reply by the post's author, which is shown together with the comment.
create index comments_author_replies_idx on public.comments (parent_comment_id, author_id, created_at, id)
  where parent_comment_id is not null;

create index comments_author_id_idx on public.comments (author_id, created_at desc);

-- For the jobs that count recent comments (trending, analytics).
create index comments_created_at_idx on public.comments (created_at);

alter table public.comments enable row level security;

-- Requires an active session.
create policy comments_active_session on public.comments as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see comments on posts that they can see and have paid access to, except comments that moderators hid from them
-- and comments by users who have blocked them or are blocked by them.
create policy comments_select on public.comments for select to authenticated
  using (
    (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid())))
    and (author_id is null or author_id <> all ((select private.blocked_user_ids())::uuid[]))
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.is_subscribed_to(p.author_id))))
  );

-- Visitors see comments on free posts that they can see.
create policy comments_select_anon on public.comments for select to anon
  using (hidden is null and (select true from public.posts p where p.id = post_id and not p.is_premium));

-- Users with write access can comment on posts that they can see and have paid access to.
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.can_write())
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.is_subscribed_to(p.author_id))))
  );

revoke all on public.comments from anon, authenticated, service_role;
-- Clients have no delete privilege: comments are deleted with private.delete_comment, which locks in the same order as
-- an insert.
grant select on public.comments to anon, authenticated;
grant insert (id, post_id, author_id, parent_comment_id, content) on public.comments to authenticated;
grant all on public.comments to service_role;

-- Writing comments ---------------------------------------------------------------------------------------------
-- The before-insert triggers run in the order of their names, so before_comment_insert runs first and locks the post.

-- Locks the post, and rejects a comment that the caller may not write, with a clearer error than the policy's.
create function private.before_comment_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  post public.posts;
  parent public.comments;
begin
  -- Seeds and jobs run without a caller.
  if uid is null then return new; end if;
  perform private.require_write();
  -- The insert will update the post's counter. Lock the post now, before the parent comment: private.delete_comment
  -- does the same, and the opposite order could deadlock.
  select * into post from public.posts p where p.id = new.post_id for no key update;
  if not found or not private.can_view_profile(post.author_id) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if not private.has_paid_access(uid, post.id) then
    raise exception 'Unlock this post to read and write comments.' using errcode = 'PT403', detail = 'post_locked';
  end if;
  if new.parent_comment_id is not null then
    select * into parent from public.comments c where c.id = new.parent_comment_id and c.post_id = new.post_id;
    if not found or private.are_blocked(uid, parent.author_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    if parent.parent_comment_id is not null then
      raise exception 'You can''t reply to a reply.' using errcode = 'PT400';
    end if;
  end if;
  return new;
end
$$;

create trigger before_comment_insert before insert on public.comments
  for each row execute function private.before_comment_insert();

-- Rejects a comment on a post that is hidden from the caller, and a reply to a hidden comment. The policies that hide
-- them do not apply in private.before_comment_insert, because that function is `security definer`.
create function private.check_comment_target_visible() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is null then return new; end if;
  if exists (select from public.posts p where p.id = new.post_id and p.hidden is not null
             and (p.hidden = 'removed' or p.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if new.parent_comment_id is not null and exists (
    select from public.comments c where c.id = new.parent_comment_id and c.hidden is not null) then
    raise exception 'Comment not found' using errcode = 'PT404';
  end if;
  return new;
end
$$;

create trigger check_comment_target_visible before insert on public.comments
  for each row execute function private.check_comment_target_visible();

-- At most 30 comments per minute. Publishing, scheduling, editing and pinning posts count toward the same limit.
create trigger limit_comments before insert on public.comments
  for each row execute function private.limit_writes('posts', '30');

create trigger reject_reused_id before insert on public.comments
  for each row execute function private.reject_reused_id('comment');

-- Returns whether a user can read a comment and the comment that it replies to. The policy on comments applies the same
-- rules to the caller, but does not check the parent comment.
create function private.can_user_read_comment(target_user_id uuid, target_comment_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.comments c
    join public.posts p on p.id = c.post_id
    left join public.comments parent on parent.id = c.parent_comment_id
    where c.id = target_comment_id
      and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = target_user_id))
      and (c.hidden is null or (c.hidden = 'hidden' and c.author_id = target_user_id))
      and (parent.hidden is null or (parent.hidden = 'hidden' and parent.author_id = target_user_id))
      and not private.are_blocked(target_user_id, c.author_id)
      and not private.are_blocked(target_user_id, parent.author_id)
      and (private.can_user_view_profile(target_user_id, p.author_id)
           or exists (select from public.profiles u where u.id = target_user_id and u.is_admin))
      and private.has_paid_access(target_user_id, p.id)
  );
end
$$;

-- Updates the counters of the post and of the parent comment. For a new comment, also notifies the author of the parent
-- comment, the author of the post and mentioned users, each of them at most once.
create function private.on_comment_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed public.comments := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  parent_author_id uuid;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  -- The post is always updated before the parent comment, so that concurrent writers wait here.
  update public.posts p set comments_count = greatest(0, p.comments_count + delta) where p.id = changed.post_id
  returning p.author_id into post_author_id;
  if changed.parent_comment_id is not null then
    update public.comments c set replies_count = greatest(0, c.replies_count + delta)
    where c.id = changed.parent_comment_id
    returning c.author_id into parent_author_id;
  end if;
  if tg_op = 'DELETE' or changed.author_id is null or post_author_id is null then return null; end if;
  mentioned_ids := private.mentioned_users(changed.content, changed.post_id, true);
  perform private.lock_user_counters(mentioned_ids || array[parent_author_id, post_author_id]);
  -- The author of the parent comment may have lost access to the post.
  if parent_author_id is not null and private.can_user_read_comment(parent_author_id, changed.id) then
    perform private.create_notification(parent_author_id, changed.author_id, 'reply', changed.post_id, changed.id);
  end if;
  if parent_author_id is distinct from post_author_id then
    perform private.create_notification(post_author_id, changed.author_id, 'comment', changed.post_id, changed.id);
  end if;
  foreach recipient_id in array mentioned_ids loop
    if recipient_id is distinct from parent_author_id and recipient_id <> post_author_id then
      perform private.create_notification(recipient_id, changed.author_id, 'mention', changed.post_id, changed.id);
    end if;
  end loop;
  return null;
end
$$;

create trigger on_comment_created after insert on public.comments
  for each row execute function private.on_comment_changed();

-- private.on_comment_hidden has already subtracted a hidden comment from the counts.
create trigger on_comment_deleted after delete on public.comments
  for each row when (old.hidden is null) execute function private.on_comment_changed();

-- Deleting comments --------------------------------------------------------------------------------------------
-- Deletes a comment and its replies. Callers may delete their own comments and all comments on their own posts,
-- including comments that they do not see because of a block between them and the comment's author, but not comments
-- that moderators hid from them.
create function private.delete_comment(target_comment_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  target public.comments;
  post_author_id uuid;
begin
  if not private.is_session_active() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  select * into target from public.comments c
  where c.id = target_comment_id and (c.hidden is null or (c.hidden = 'hidden' and c.author_id = uid));
  select p.author_id into post_author_id from public.posts p where p.id = target.post_id;
  if uid is distinct from target.author_id and uid is distinct from post_author_id then
    if target.id is null or not private.can_view_profile(post_author_id)
       or not private.has_paid_access(uid, target.post_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    raise exception 'Only the author of the comment or of the post can delete it.' using errcode = 'PT403';
  end if;
  -- The delete locks the replies too. Lock the post first, as an insert does.
  perform from public.posts p where p.id = target.post_id for no key update;
  perform private.lock_user_counters(array(
    select n.user_id from public.notifications n where n.comment_id = target_comment_id
    union select n.user_id from public.comments c join public.notifications n on n.comment_id = c.id
          where c.parent_comment_id = target_comment_id));
  delete from public.comments c where c.id = target_comment_id;
end
$$;

grant execute on function private.delete_comment(uuid) to authenticated;

-- Comment likes ------------------------------------------------------------------------------------------------
create table public.comment_likes (
  comment_id uuid not null references public.comments (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (comment_id, user_id)
);

create index comment_likes_user_id_idx on public.comment_likes (user_id, created_at desc);

alter table public.comment_likes enable row level security;

-- Requires an active session.
create policy comment_likes_active_session on public.comment_likes as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Users see only their own likes.
create policy comment_likes_select on public.comment_likes for select to authenticated
  using (user_id = (select auth.uid()));

-- Users can like only comments that they can read, and replies only if they can also read the parent comment: the
-- policies of comments apply to the subqueries.
create policy comment_likes_insert on public.comment_likes for insert to authenticated
  with check (
    user_id = (select auth.uid()) and (select private.can_write())
    and (select true from public.comments c
         where c.id = comment_id and (c.parent_comment_id is null
           or exists (select from public.comments o where o.id = c.parent_comment_id)))
  );

-- Users remove their own likes.
create policy comment_likes_delete on public.comment_likes for delete to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.comment_likes from anon, authenticated, service_role;
grant select, delete on public.comment_likes to authenticated;
grant insert (comment_id, user_id) on public.comment_likes to authenticated;
grant all on public.comment_likes to service_role;

-- The before triggers run in the order of their names, so the rate limit is consumed before the post is locked. Post
-- likes use the same order.

-- At most 120 likes per minute. Follows, post likes, saves, reposts and post alerts count toward the same limit.
create trigger limit_comment_likes before insert on public.comment_likes
  for each row execute function private.limit_writes('relations', '120');

-- Locks the post of a liked comment, because the post must be locked before the comment, which is locked when its
-- counter is updated. Then rejects a like if the caller can no longer read the comment, for example because moderators
-- have hidden it: the policy on comment_likes does not see what was committed while this call waited for the lock.
create function private.lock_liked_post() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
begin
  perform from public.posts p
  where p.id = (select c.post_id from public.comments c where c.id = changed_like.comment_id) for no key update;
  if tg_op = 'INSERT' and auth.uid() is not null
     and not private.can_user_read_comment(auth.uid(), changed_like.comment_id) then
    raise exception 'Comment not found' using errcode = 'PT404';
  end if;
  return changed_like;
end
$$;

create trigger lock_liked_post before insert or delete on public.comment_likes
  for each row execute function private.lock_liked_post();

-- Updates the number of likes and notifies the author of the comment, or withdraws the notification.
create function private.on_comment_like_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  liked public.comments;
begin
  update public.comments c set likes_count = greatest(0, c.likes_count + delta) where c.id = changed_like.comment_id
  returning c.* into liked;
  -- No row if the comment itself is being deleted; no author if the author's account was deleted.
  if not found or liked.author_id is null then return null; end if;
  if tg_op = 'DELETE' then
    perform private.withdraw_notification(
      liked.author_id, changed_like.user_id, 'like', liked.post_id, target_comment_id => liked.id);
    return null;
  end if;
  -- The author of the comment may have lost access to the post.
  if private.can_user_read_comment(liked.author_id, liked.id) then
    perform private.create_notification(liked.author_id, changed_like.user_id, 'like', liked.post_id, liked.id);
  end if;
  return null;
end
$$;

create trigger on_comment_like_changed after insert or delete on public.comment_likes
  for each row execute function private.on_comment_like_changed();

-- Likes a comment, or removes the caller's like. Runs with the caller's privileges and returns the new state.
-- `likes_count` is null if the caller can no longer read the comment.
create function public.toggle_comment_like(comment uuid, out liked boolean, out likes_count integer)
language plpgsql volatile set search_path = ''
as $$
begin
  -- Serializes concurrent calls, such as a double click.
  perform pg_advisory_xact_lock(hashtextextended('comment-like:' || auth.uid()::text || comment::text, 0));
  delete from public.comment_likes l where l.comment_id = comment and l.user_id = auth.uid();
  liked := not found;
  if liked then
    perform private.require_write();
    if not exists (
      select from public.comments c where c.id = comment and (c.parent_comment_id is null
        or exists (select from public.comments o where o.id = c.parent_comment_id))) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    insert into public.comment_likes (comment_id, user_id) values (comment, auth.uid());
  end if;
  select c.likes_count into toggle_comment_like.likes_count from public.comments c where c.id = comment;
end
$$;

-- Older Supabase projects let all API roles execute new functions in `public`. 95_function_privileges revokes that
-- privilege from `service_role`.
revoke execute on function public.toggle_comment_like(uuid) from anon, authenticated;
grant execute on function public.toggle_comment_like(uuid) to authenticated;
