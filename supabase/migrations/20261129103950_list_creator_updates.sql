set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.list_creator_updates(max_rows integer)
 RETURNS TABLE(user_id uuid, latest_post_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 5
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return; end if;
  return query
    select newest.author_id, newest.created_at
    from (
      select p.author_id, p.created_at
      from (
        (select f.followee_id from public.follows f where f.follower_id = uid order by f.created_at desc limit 500)
        union
        select s.creator_id from public.subscriptions s
        where s.subscriber_id = uid and s.state = 'active' and private.is_subscribed(uid, s.creator_id)
      ) a (id)
      join public.profiles creator on creator.id = a.id and creator.is_creator
      cross join lateral (
        select p.author_id, p.created_at from public.posts p
        where p.author_id = a.id and p.hidden is null and p.created_at > now() - interval '14 days'
        order by p.created_at desc, p.id desc limit 1) p
      order by p.created_at desc, p.author_id offset 0
    ) newest
    where (select true from private.viewable_profiles v where v.id = newest.author_id)
    order by newest.created_at desc, newest.author_id limit max_rows;
end
$function$;

REVOKE ALL ON FUNCTION "private"."list_creator_updates"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_creator_updates"(integer) TO "authenticated", "postgres";
