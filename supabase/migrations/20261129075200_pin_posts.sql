set local check_function_bodies = off;

ALTER TABLE public.posts ADD COLUMN pinned boolean DEFAULT false NOT NULL;

CREATE UNIQUE INDEX posts_pinned_key ON public.posts USING btree (author_id, pinned) WHERE pinned;

create or replace function private.set_post_pinned(target_post_id uuid, new_pinned boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if new_pinned or not exists (
       select from public.posts p
       where p.id = target_post_id and p.author_id = uid and p.hidden is distinct from 'removed') then
    perform private.require_own_post(target_post_id);
  else
    perform private.require_write();
  end if;
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

REVOKE ALL ON FUNCTION "private"."set_post_pinned"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_post_pinned"(uuid, boolean) TO "authenticated", "postgres";

create or replace function private.broadcast_post_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.hidden is distinct from new.hidden then
    perform private.broadcast_to_post(new.id, 'access.changed');
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.pinned <> new.pinned then
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.comments_count <> new.comments_count then
    perform private.broadcast_to_post(new.id, 'comments.changed', jsonb_build_object(
      'likesCount', new.likes_count, 'commentsCount', new.comments_count));
  elsif old.likes_count <> new.likes_count then
    perform private.broadcast_to_post(new.id, 'likes.changed', jsonb_build_object('likesCount', new.likes_count));
  else
    perform private.broadcast_to_post(new.id, 'post.changed');
  end if;
  return null;
end
$$;
