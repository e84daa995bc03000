set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.list_featured_creators(max_rows integer)
 RETURNS TABLE(user_id uuid, place integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
  is_followed boolean;
  found_count integer := 0;
  query_count integer;
begin
  if not private.is_session_active() then return; end if;
  foreach is_followed in array array[false, true] loop
    return query
      select s.user_id, found_count + row_number() over (order by s.score desc, p.created_at, p.id)::integer
      from private.creator_scores s join private.discoverable_profiles p on p.id = s.user_id
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by s.score desc, p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
    -- Fill up with creators who have no score.
    return query
      select p.id, found_count + row_number() over (order by p.created_at, p.id)::integer
      from private.discoverable_profiles p
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and not exists (select from private.creator_scores s where s.user_id = p.id)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
  end loop;
end
$function$;
