-- Posts, likes and saves.

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  content text not null default '' check (char_length(content) <= 5000),
  teaser text check (char_length(teaser) <= 500),
  is_premium boolean not null default false,
  premium_price numeric(5, 2) check (premium_price between 0.01 and 999.99),
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  check (is_premium = (premium_price is not null))
);
-- Every feed is one walk down one of these two, whatever the number of posts.
create index posts_created_at_idx on public.posts (created_at desc, id desc);
create index posts_author_id_idx on public.posts (author_id, created_at desc, id desc);

create table public.likes (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
create index likes_user_id_idx on public.likes (user_id, created_at desc);

create table public.saves (
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (post_id, user_id)
);
create index saves_user_id_idx on public.saves (user_id, created_at desc);

alter table public.notifications add constraint notifications_post_id_fkey
  foreign key (post_id) references public.posts (id) on delete cascade;

alter table public.posts enable row level security;
alter table public.likes enable row level security;
alter table public.saves enable row level security;

revoke all on public.posts, public.likes, public.saves from anon, authenticated;
grant select on public.posts to anon, authenticated;
-- Counters, times and prices are never the client's to write: only these columns are.
grant insert (id, author_id, content) on public.posts to authenticated;
grant delete on public.posts to authenticated;
grant select, delete on public.likes, public.saves to authenticated;
grant insert (post_id, user_id) on public.likes, public.saves to authenticated;
grant all on public.posts, public.likes, public.saves to service_role;

create policy posts_alive on public.posts as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy posts_select on public.posts for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = author_id));
create policy posts_insert on public.posts for insert to authenticated
  with check (author_id = (select auth.uid()) and (select private.may_write()) and content ~ '\S');
create policy posts_delete on public.posts for delete to authenticated
  using (author_id = (select auth.uid()));

create policy likes_alive on public.likes as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy likes_select on public.likes for select to authenticated
  using (user_id = (select auth.uid()));
-- The select on posts runs under its own policy: what cannot be seen cannot be liked.
create policy likes_insert on public.likes for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.may_write())
              and (select true from public.posts p where p.id = post_id));
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (select auth.uid()));

create policy saves_alive on public.saves as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy saves_select on public.saves for select to authenticated
  using (user_id = (select auth.uid()));
create policy saves_insert on public.saves for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.may_write())
              and (select true from public.posts p where p.id = post_id));
create policy saves_delete on public.saves for delete to authenticated
  using (user_id = (select auth.uid()));

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
create trigger limit_posts before insert on public.posts
  for each row execute function private.limit_writes('posts', '30');

create function private.on_post_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  author uuid := case when tg_op = 'INSERT' then new.author_id else old.author_id end;
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  update public.profile_counts c set posts = greatest(0, c.posts + step) where c.user_id = author;
  return null;
end
$$;
create trigger on_post_changed after insert or delete on public.posts
  for each row execute function private.on_post_changed();

create trigger limit_likes before insert on public.likes
  for each row execute function private.limit_writes('relations', '120');

create function private.on_like_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  edge public.likes := case when tg_op = 'INSERT' then new else old end;
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
  author uuid;
begin
  update public.posts p set likes_count = greatest(0, p.likes_count + step) where p.id = edge.post_id
  returning p.author_id into author;
  -- No row: the post itself is being deleted and takes its likes with it.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    perform private.notify_person(author, edge.user_id, 'like', edge.post_id);
  else
    perform private.withdraw_notification(author, edge.user_id, 'like', edge.post_id);
  end if;
  return null;
end
$$;
create trigger on_like_changed after insert or delete on public.likes
  for each row execute function private.on_like_changed();

-- Likes or takes the like back, as the caller and under their rights; answers the state and the count after it.
create function public.toggle_like(post uuid, out liked boolean, out likes_count integer)
language plpgsql volatile set search_path = ''
as $$
begin
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

create function public.toggle_save(post uuid, out saved boolean)
language plpgsql volatile set search_path = ''
as $$
begin
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

revoke execute on all functions in schema private, public from public;
revoke execute on function public.toggle_like(uuid), public.toggle_save(uuid) from anon, authenticated;
grant execute on function public.toggle_like(uuid), public.toggle_save(uuid) to authenticated;
