set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.confirm_email_change(token text, network_address text)
 RETURNS TABLE(wait integer, target_user_id uuid, old_email text, new_email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change private.email_changes;
  was_confirmed boolean;
begin
  wait := private.consume_rate_limit('email_token', network_address, 30, '1 hour');
  if wait > 0 then return next; return; end if;
  delete from private.email_changes c
  where c.token_hash = private.hash_reset_token(token)
  returning * into change;
  if not found or change.created_at <= clock_timestamp() - interval '24 hours' then return; end if;
  perform private.refund_rate_limit('email_token', network_address, '1 hour');
  -- The table before its row, in the same order as private.on_required_setting_changed.
  lock table public.accounts in row exclusive mode;
  select a.email, a.email_confirmed_at is not null into old_email, was_confirmed
  from public.accounts a where a.user_id = change.user_id for update;
  if lower(old_email) <> lower(change.email) then
    perform private.set_account_email(change.user_id, change.email);
  end if;
  update public.accounts a set email_confirmed_at = clock_timestamp()
  where a.user_id = change.user_id and a.email_confirmed_at is null;
  if not was_confirmed then old_email := null; end if;
  target_user_id := change.user_id;
  new_email := change.email;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.due_digests()
 RETURNS TABLE(recipient_id uuid, since timestamp with time zone, mailed_at timestamp with time zone, newest timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with period as (select now() - interval '1 day 15 minutes' as oldest, now() - interval '15 minutes' as due_before),
  waiting as (
    select n.user_id as recipient_id, max(n.created_at) as newest from public.notifications n, period p
    where n.read_at is null and n.created_at > p.oldest and n.created_at <= p.due_before
      and n.kind not in ('message', 'sign_in')
    group by 1
    union all
    select m.user_id, max(m.unread_since) from public.conversation_members m, period p
    where m.unread_since > p.oldest and m.unread_since <= p.due_before
      and not private.are_blocked(m.user_id, m.partner_id)
    group by 1
  )
  select w.recipient_id, greatest(k.mailed_until, p.oldest), k.mailed_at, w.newest
  from (select w.recipient_id, max(w.newest) as newest from waiting w group by 1) w
  cross join period p
  join public.user_settings s on s.user_id = w.recipient_id and s.email_notifications and s.activity_mails
  join public.accounts a on a.user_id = w.recipient_id and a.email_confirmed_at is not null
  left join private.notification_mails k on k.user_id = w.recipient_id
  where w.newest > coalesce(k.mailed_until, '-infinity')
    and coalesce(k.mailed_at, '-infinity') < now() - interval '1 hour'
$function$;

CREATE OR REPLACE FUNCTION private.limit_confirmation_mails()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wait integer;
begin
  if auth.uid() is not null then
    wait := private.consume_rate_limit(
      'confirmation_mail', encode(sha256(convert_to(lower(new.email), 'UTF8')), 'hex'), 10, '1 hour');
    if wait > 0 then
      raise exception 'Too many requests. Please wait a moment and try again.'
        using errcode = 'PT429', detail = wait::text;
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_setting(setting text, new_value jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.settings as s (key, value) values (setting, new_value)
  on conflict (key) do update set value = excluded.value where s.value <> excluded.value
$function$;

CREATE TRIGGER limit_confirmation_mails BEFORE INSERT ON private.email_changes FOR EACH ROW EXECUTE FUNCTION private.limit_confirmation_mails();

REVOKE ALL ON FUNCTION "private"."limit_confirmation_mails"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."limit_confirmation_mails"() TO "postgres";
