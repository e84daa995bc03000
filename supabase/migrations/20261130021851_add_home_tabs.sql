set local check_function_bodies = off;

ALTER TABLE "public"."user_settings" ADD COLUMN "home_tabs" text[];

CREATE OR REPLACE FUNCTION private.list_subscription_posts(since timestamp with time zone, until timestamp with time zone, after_time timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(post_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return; end if;
  return query
    select newest.id
    from private.current_subscriptions s
    join private.viewable_profiles v on v.id = s.creator_id
    cross join lateral (
      select p.id, p.created_at from public.posts p
      where p.author_id = s.creator_id and p.hidden is null
        and p.created_at > coalesce(since, '-infinity') and p.created_at <= coalesce(until, 'infinity')
        and (p.created_at, p.id) < (coalesce(after_time, 'infinity'), after_id)
      order by p.created_at desc, p.id desc limit max_rows) newest
    where s.subscriber_id = uid
    order by newest.created_at desc, newest.id desc limit max_rows;
end
$function$;

ALTER TABLE "public"."user_settings" ADD CONSTRAINT "user_settings_home_tabs_check" CHECK (((cardinality(home_tabs) <= 5) AND (array_ndims(home_tabs) = 1) AND (array_position(home_tabs, NULL::text) IS NULL) AND (array_to_string(home_tabs, ' '::text) ~ '^((subscriptions|#\S{1,50})( |$))*$'::text)));

COMMENT ON TABLE "public"."user_settings" IS 'Notification, presence, session and feed preferences of a user. Readable only by that user.';

REVOKE ALL ON FUNCTION "private"."list_subscription_posts"(timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_subscription_posts"(timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, integer) TO "authenticated", "postgres";

REVOKE ALL ("home_tabs") ON TABLE "public"."user_settings" FROM "authenticated";

GRANT UPDATE ("home_tabs") ON TABLE "public"."user_settings" TO "authenticated";
