CREATE OR REPLACE FUNCTION private.find_followed_followers(target_user_id uuid, turn integer)
 RETURNS TABLE(user_id uuid, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
begin
  if not private.is_session_active() or not private.can_view_profile_counts(target_user_id) then return; end if;
  return query
    select found.followee_id, found.total::integer
    from (select latest.followee_id, count(*) over () as total,
                 row_number() over (order by latest.created_at desc, latest.followee_id desc) as place
          from (select f.followee_id, f.created_at from public.follows f where f.follower_id = auth.uid()
                order by f.created_at desc, f.followee_id desc limit 200) latest
          where exists (select from public.follows g
                        where g.follower_id = latest.followee_id and g.followee_id = target_user_id)
            -- Only followers whose list of followed users the caller may see.
            and private.can_view_profile_counts(latest.followee_id)) found
    where found.place = 1 + (turn - 1) % found.total;
end
$function$;
