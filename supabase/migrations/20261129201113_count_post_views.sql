set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.count_post_views(viewed_post_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(d.views), 0) from public.post_days d where d.post_id = viewed_post_id);
end
$function$;

REVOKE ALL ON FUNCTION "private"."count_post_views"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_post_views"(uuid) TO "authenticated", "postgres";
