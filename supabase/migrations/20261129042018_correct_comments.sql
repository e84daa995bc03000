set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.delete_unlinked_records(target_user_id uuid, email_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.can_access_auth_log('select') and private.can_access_auth_log('delete') then
    execute 'delete from auth.audit_log_entries e
             where strpos(e.payload::text, $1) > 0 or strpos(e.payload::text, $2) > 0'
      using target_user_id::text, to_json(email_address)::text;
  end if;
  -- Skips a rate limit that a concurrent call has locked, because that call may be waiting for this transaction. The
  -- job `clean-up` deletes it after a day.
  delete from private.rate_limits r
  where r.ctid in (
    select h.ctid from private.rate_limits h
    where strpos(h.subject, target_user_id::text) > 0
       or lower(h.subject) = lower(email_address) or starts_with(lower(h.subject), lower(email_address) || ' ')
    for update skip locked);
end
$function$;

COMMENT ON TABLE "public"."audit_entries" IS 'Written only by private.write_audit_entry. The ids of users have no foreign keys, because entries outlive accounts.';
