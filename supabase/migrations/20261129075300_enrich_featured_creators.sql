set local check_function_bodies = off;

create or replace function private.find_followed_followers(target_user_id uuid) returns table (user_id uuid, total integer)
language plpgsql stable security definer rows 1 set search_path = ''
as $$
begin
  if not private.is_session_active() or not private.can_view_profile_counts(target_user_id) then return; end if;
  return query
    select latest.followee_id, (count(*) over ())::integer
    from (select f.followee_id, f.created_at from public.follows f where f.follower_id = auth.uid()
          order by f.created_at desc, f.followee_id desc limit 200) latest
    where exists (select from public.follows g
                  where g.follower_id = latest.followee_id and g.followee_id = target_user_id)
    order by latest.created_at desc, latest.followee_id desc limit 1;
end
$$;

REVOKE ALL ON FUNCTION "private"."find_followed_followers"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."find_followed_followers"(uuid) TO "authenticated", "postgres";

create or replace function private.list_newest_photos(target_user_id uuid, max_rows integer)
returns table (media_id uuid, placeholder text)
language plpgsql stable security definer rows 3 set search_path = ''
as $$
begin
  if not private.is_session_active() or not private.can_view_profile(target_user_id) then return; end if;
  return query
    select latest.media_id, latest.placeholder
    from (select p.* from public.posts p where p.author_id = target_user_id
          order by p.created_at desc, p.id desc limit 30) latest
    where latest.media_type = 'image' and latest.media_id is not null and not latest.is_premium and latest.hidden is null
    order by latest.created_at desc, latest.id desc limit max_rows;
end
$$;

REVOKE ALL ON FUNCTION "private"."list_newest_photos"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_newest_photos"(uuid, integer) TO "authenticated", "postgres";
