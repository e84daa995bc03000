-- Comments on posts, and replies to them: one level deep.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  -- Null when the account was deleted: what was said under others' posts stays, without a name.
  author_id uuid default auth.uid() references public.profiles (id) on delete set null,
  parent_comment_id uuid references public.comments (id) on delete cascade,
  content text not null check (char_length(content) <= 500 and not private.is_blank(content)),
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at timestamptz not null default clock_timestamp()
);
create index comments_post_id_idx on public.comments (post_id, created_at desc, id desc)
  where parent_comment_id is null;
create index comments_post_id_all_idx on public.comments (post_id);
create index comments_parent_comment_id_idx on public.comments (parent_comment_id, created_at, id);
create index comments_author_id_idx on public.comments (author_id, created_at desc);

alter table public.notifications add constraint notifications_comment_id_fkey
  foreign key (comment_id) references public.comments (id) on delete cascade;

alter table public.comments enable row level security;
revoke all on public.comments from anon, authenticated;
grant select on public.comments to anon, authenticated;
grant insert (id, post_id, author_id, parent_comment_id, content) on public.comments to authenticated;
-- No client deletes by itself: `private.delete_comment` locks in the order that writing does.
grant all on public.comments to service_role;

create policy comments_alive on public.comments as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- The select on posts runs under its own policy. Of a locked post, comments are part of what is paid for.
create policy comments_select on public.comments for select to authenticated
  using (
    (author_id is null or author_id <> all ((select private.blocked_ids())::uuid[]))
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)))
  );
create policy comments_select_anon on public.comments for select to anon
  using ((select true from public.posts p where p.id = post_id and not p.is_premium));
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and (select private.may_write())
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)))
  );

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
  -- Its count is about to change. Locked here, before the comment that is replied to, as `delete_comment` does: the
  -- two would wait for each other in a circle.
  select * into post from public.posts p where p.id = new.post_id for no key update;
  if not found or not private.can_view(post.author_id) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if not private.may_read_paid(uid, post.id) then
    raise exception 'Unlock this post to read and write comments.' using errcode = 'PT403', detail = 'post_locked';
  end if;
  if new.parent_comment_id is not null then
    select * into parent from public.comments c where c.id = new.parent_comment_id and c.post_id = new.post_id;
    if not found or private.are_blocked(uid, parent.author_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    if parent.parent_comment_id is not null then
      raise exception 'A reply cannot be replied to.' using errcode = 'PT400';
    end if;
  end if;
  return new;
end
$$;
create trigger before_comment_insert before insert on public.comments
  for each row execute function private.before_comment_insert();
-- Posts and comments share a limit.
create trigger limit_comments before insert on public.comments
  for each row execute function private.limit_writes('posts', '30');

create function private.on_comment_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  said public.comments := case when tg_op = 'INSERT' then new else old end;
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author uuid;
  answered uuid;
begin
  -- The post first, always: whoever changes both rows waits for the other one here.
  update public.posts p set comments_count = greatest(0, p.comments_count + step) where p.id = said.post_id
  returning p.author_id into post_author;
  if said.parent_comment_id is not null then
    update public.comments c set replies_count = greatest(0, c.replies_count + step)
    where c.id = said.parent_comment_id
    returning c.author_id into answered;
  end if;
  if tg_op = 'DELETE' or said.author_id is null or post_author is null then return null; end if;
  -- Each hears of it once. Who was answered may have lost sight of the post since.
  if answered is not null and private.may_see(answered, post_author)
     and private.may_read_paid(answered, said.post_id) then
    perform private.notify_person(answered, said.author_id, 'reply', said.post_id, said.id);
  end if;
  if answered is distinct from post_author then
    perform private.notify_person(post_author, said.author_id, 'comment', said.post_id, said.id);
  end if;
  if position('@' in said.content) > 0 then
    perform private.notify_mentioned(
      said.content, said.author_id, said.post_id, said.id, array_remove(array[answered, post_author], null));
  end if;
  return null;
end
$$;
create trigger on_comment_changed after insert or delete on public.comments
  for each row execute function private.on_comment_changed();

-- Deletes a comment, with its replies: the caller's own, or one under the caller's post (also one by somebody who is
-- in a block with them, whom they do not see).
create function private.delete_comment(comment uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  said public.comments;
  post_author uuid;
begin
  if not private.session_alive() then
    raise exception 'This session has been ended.' using errcode = '42501';
  end if;
  select * into said from public.comments c where c.id = comment;
  select p.author_id into post_author from public.posts p where p.id = said.post_id;
  if uid is distinct from said.author_id and uid is distinct from post_author then
    if said.id is null or not private.can_view(post_author) or not private.may_read_paid(uid, said.post_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    raise exception 'Only its author, or the author of the post, can delete a comment.' using errcode = 'PT403';
  end if;
  -- Its replies are locked with it, behind the post: as when they were written.
  perform from public.posts p where p.id = said.post_id for no key update;
  delete from public.comments c where c.id = comment;
end
$$;
grant execute on function private.delete_comment(uuid) to authenticated;

revoke execute on all functions in schema private from public;
