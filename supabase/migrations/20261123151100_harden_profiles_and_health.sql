set local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."profiles" FROM "anon";

GRANT SELECT (id, username, full_name, first_name, last_name, profile_image_url, is_creator, visibility,
  allow_direct_messages, show_follower_count, created_at) ON TABLE "public"."profiles" TO "anon";

CREATE TABLE "private"."health_probe" (
  "id" integer NOT NULL,
  "content" text NOT NULL
);

ALTER TABLE "private"."health_probe" ADD CONSTRAINT "health_probe_pkey" PRIMARY KEY (id);

CREATE OR REPLACE FUNCTION private.probe_write()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  truncate private.health_probe;
  insert into private.health_probe select n, repeat('x', 1000) from generate_series(1, 24) n;
end
$function$;

CREATE VIEW "private"."admins" AS  SELECT id
   FROM public.profiles p
  WHERE is_admin;

CREATE INDEX profiles_admins_idx ON public.profiles USING btree (id) WHERE is_admin;

COMMENT ON TABLE "private"."health_probe" IS 'Written by the health check, to find out whether the database can write.';

REVOKE ALL ON FUNCTION "private"."probe_write"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."probe_write"() TO "postgres", "service_role";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."health_probe" TO "postgres";

GRANT SELECT ON TABLE "private"."admins" TO "anon", "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."admins" TO "postgres";

GRANT SELECT ON TABLE "private"."admins" TO "service_role";
