set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_known_device(target_user_id uuid, device_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from private.known_devices d where d.user_id = target_user_id and d.device = left(device_name, 100))
$function$;

REVOKE ALL ON FUNCTION "private"."is_known_device"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_known_device"(uuid, text) TO "postgres", "service_role";
