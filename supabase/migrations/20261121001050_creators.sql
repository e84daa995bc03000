-- The Creator Account switch.

-- Makes the caller a creator, or no longer one. The column itself is nobody's to write. `limit_settings` counts it.
create function private.set_creator(creator boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if private.setting_on('creator_pro_billing') then
    raise exception 'Creator accounts come with a Creator Pro subscription, which cannot be bought here yet.'
      using errcode = 'PT403';
  end if;
  update public.profiles p set is_creator = creator where p.id = (select auth.uid());
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.set_creator(boolean) to authenticated;
