-- In which order what several people wait for is held: see private.lock_counters, and private.hold_what_goes for an
-- account that is deleted. People's own rows come last, with what refers to them.

-- What a follow, a request or a block will change of both people, before its row refers to them.
create function private.hold_pair(a uuid, b uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_pair(a, b);
  perform private.lock_counts(a, b);
  perform private.lock_counters(array[a, b]);
end
$$;

create or replace function private.before_follow_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$$;

create or replace function private.before_block_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_pair(new.blocker_id, new.blocked_id);
  return new;
end
$$;

-- The people whom a text names with @username, as far as they may read it: the first ten. A comment is part of what is
-- paid for; of a post, only its public text comes here.
create function private.people_mentioned(written text, post uuid, in_comment boolean) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  owner uuid;
begin
  if position('@' in written) = 0 then return '{}'; end if;
  owner := (select p.author_id from public.posts p where p.id = post);
  return array(
    select p.id
    from (select lower(m[1]) as name, min(place) as place
          from regexp_matches(written, '(?<![[:alnum:]_@#/&])@([A-Za-z0-9_]{3,30})(?![A-Za-z0-9_])', 'g')
            with ordinality as found(m, place)
          group by 1 order by 2 limit 10) named
    join public.profiles p on lower(p.username) = named.name
    where private.may_see(p.id, owner) and (not in_comment or private.may_read_paid(p.id, post))
    order by named.place);
end
$$;

drop function private.notify_mentioned(text, uuid, uuid, uuid, uuid[]);
-- Tells the people whom the public text of a post names.
create function private.notify_mentioned(written text, actor uuid, post uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mentioned uuid[] := private.people_mentioned(written, post, false);
  person uuid;
begin
  perform private.lock_counters(mentioned);
  foreach person in array mentioned loop
    perform private.notify_person(person, actor, 'mention', post);
  end loop;
end
$$;

create or replace function private.on_comment_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  said public.comments := case when tg_op = 'INSERT' then new else old end;
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author uuid;
  answered uuid;
  mentioned uuid[];
  person uuid;
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
  mentioned := private.people_mentioned(said.content, said.post_id, true);
  perform private.lock_counters(mentioned || array[answered, post_author]);
  -- Each hears of it once. Who was answered may have lost sight of the post since.
  if answered is not null and private.may_see(answered, post_author)
     and private.may_read_paid(answered, said.post_id) then
    perform private.notify_person(answered, said.author_id, 'reply', said.post_id, said.id);
  end if;
  if answered is distinct from post_author then
    perform private.notify_person(post_author, said.author_id, 'comment', said.post_id, said.id);
  end if;
  foreach person in array mentioned loop
    if person is distinct from answered and person <> post_author then
      perform private.notify_person(person, said.author_id, 'mention', said.post_id, said.id);
    end if;
  end loop;
  return null;
end
$$;

-- A block ends what tied the two together and closes their conversation's channel.
create or replace function private.on_blocked() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.follows f where (f.follower_id, f.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.follow_requests r where (r.follower_id, r.followee_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.notifications n where (n.user_id, n.actor_id) in
    ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end
$$;

-- What goes with a post: its author's counts, and what others were told about it.
create function private.before_post_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_counts(old.author_id, old.author_id);
  perform private.lock_counters(array(select distinct n.user_id from public.notifications n where n.post_id = old.id));
  return old;
end
$$;
create trigger before_post_deleted before delete on public.posts
  for each row execute function private.before_post_deleted();

-- Deletes a comment, with its replies: the caller's own, or one under the caller's post (also one by somebody who is
-- in a block with them, whom they do not see).
create or replace function private.delete_comment(comment uuid) returns void
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
  perform private.lock_counters(array(
    select n.user_id from public.notifications n where n.comment_id = comment
    union select n.user_id from public.comments c join public.notifications n on n.comment_id = c.id
          where c.parent_comment_id = comment));
  delete from public.comments c where c.id = comment;
end
$$;

revoke execute on all functions in schema private from public;
