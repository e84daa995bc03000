set local check_function_bodies = off;

comment on table private.settings is
  'Settings of this installation: rate_limits, require_approval, require_email_confirmation, sign_in_after_registration, creator_pro_billing (booleans), platform_fee_percent, storage_quota_bytes (numbers), address_salt (text), banned_words (array), auto_posting (object).';

create or replace function private.instance_settings() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select jsonb_object_agg(s.key, s.value) from private.settings s
          where s.key in ('require_approval', 'sign_in_after_registration', 'creator_pro_billing', 'auto_posting',
                          'banned_words'));
end
$$;

create or replace function private.update_instance_settings(changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  setting record;
  old_value jsonb;
  audit_changes jsonb := '[]';
begin
  perform private.require_admin();
  for setting in select e.key, e.value from jsonb_each(changes) e order by e.key loop
    if setting.key not in ('require_approval', 'sign_in_after_registration', 'creator_pro_billing', 'auto_posting',
                           'banned_words') then
      raise exception 'Unknown setting.' using errcode = 'PT400';
    end if;
    select s.value into old_value from private.settings s where s.key = setting.key for update;
    if jsonb_typeof(setting.value) = 'object' then
      setting.value := coalesce(old_value, '{}') || setting.value;
    end if;
    if setting.key = 'auto_posting'
       and (setting.value ->> 'fromHour')::integer >= (setting.value ->> 'toHour')::integer then
      raise exception 'Auto-posting must start before it ends.' using errcode = 'PT400';
    end if;
    if old_value is distinct from setting.value then
      perform private.set_setting(setting.key, setting.value);
      audit_changes := audit_changes || jsonb_build_object('key', setting.key, 'change',
        -- Only the number of banned words is recorded, because the list is long.
        case when setting.key = 'banned_words' then jsonb_build_object('words', jsonb_array_length(setting.value))
             else jsonb_build_object('from', old_value, 'to', setting.value) end);
    end if;
  end loop;
  -- After all other locks are taken: the transaction that holds the lock of the audit log waits for nothing else.
  for setting in
    select e.value ->> 'key' as key, e.value -> 'change' as value from jsonb_array_elements(audit_changes) e
  loop
    perform private.write_audit_entry(auth.uid(), 'settings.change', subject_ref => setting.key,
                                      details => setting.value);
  end loop;
end
$$;

grant execute on function private.is_setting_enabled(text) to service_role;
