set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_upload(upload_id uuid, media_kind text, mime_type text, size_bytes bigint, storage_path text, signed_path text, width_px integer, height_px integer, blurred_image text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  perform private.require_storage(auth.uid(), size_bytes);
  insert into public.media (id, owner_id, kind, content_type, bytes, path, incoming_path, width, height, placeholder)
  values (upload_id, auth.uid(), media_kind, mime_type, size_bytes, storage_path, signed_path, width_px, height_px,
          blurred_image);
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_upload(upload_id uuid, size_bytes bigint, mime_type text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  upload public.media;
begin
  select * into upload from public.media m where m.id = upload_id for update;
  if not found then return false; end if;
  -- The size of a streamed file is only known now.
  if upload.state = 'pending' and size_bytes > upload.bytes then
    perform private.require_storage(upload.owner_id, size_bytes - upload.bytes);
  end if;
  if upload.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', upload.incoming_path, private.upload_url_expires_at(upload.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size_bytes, content_type = mime_type, incoming_path = null
  where m.id = upload_id and m.state = 'pending';
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_storage()
 RETURNS TABLE(used_bytes bigint, quota_bytes bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.storage_used(auth.uid()), private.storage_quota()
$function$;

CREATE OR REPLACE FUNCTION private.require_storage(account_id uuid, added_bytes bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('storage ' || account_id, 0));
  if private.storage_used(account_id) + added_bytes > private.storage_quota() then
    raise exception 'Your storage is full. Delete posts or gallery images to make room.'
      using errcode = 'PT403', detail = 'storage_quota_reached';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.storage_quota()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select (s.value #>> '{}')::numeric::bigint from private.settings s where s.key = 'storage_quota_bytes'),
                  5368709120)
$function$;

CREATE OR REPLACE FUNCTION private.storage_used(account_id uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(m.bytes), 0)::bigint from public.media m where m.owner_id = account_id
$function$;

ALTER TABLE "private"."settings" ADD CONSTRAINT "settings_storage_quota_check" CHECK (
CASE
    WHEN ((key = 'storage_quota_bytes'::text) AND (jsonb_typeof(value) = 'number'::text)) THEN ((value #>> '{}'::text[])::numeric between 0 and 1e15)
    ELSE (key <> 'storage_quota_bytes'::text)
END);

COMMENT ON TABLE "private"."settings" IS 'Settings of this installation: rate_limits, require_approval, creator_pro_billing (booleans), platform_fee_percent, storage_quota_bytes (numbers), address_salt (text), banned_words (array), auto_posting (object).';

REVOKE ALL ON FUNCTION "private"."own_storage"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_storage"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."require_storage"(uuid, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_storage"(uuid, bigint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."storage_quota"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."storage_quota"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."storage_used"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."storage_used"(uuid) TO "postgres";
