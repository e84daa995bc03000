-- Profile pictures and covers. Their files are public and never change: a new picture is a new file, and the one before
-- goes once nothing names it any more.

-- Where a public file lies, by the address that profiles keep; null for any other address.
create function private.avatar_path(address text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$ select substring(address from '^/storage/v1/object/public/avatars/(.+)$') $$;

create function private.doom_avatar(address text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.doomed_files (bucket, path)
  select 'avatars', private.avatar_path(address) where private.avatar_path(address) is not null
  on conflict do nothing
$$;

-- Notes a file of the caller that is about to be stored, so that it goes again should nothing come to name it.
create function private.begin_own_image(path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  insert into private.doomed_files (bucket, path, since)
  values ('avatars', begin_own_image.path, clock_timestamp() + interval '1 hour');
end
$$;
grant execute on function private.begin_own_image(text) to authenticated;

-- Makes a stored file somebody's profile picture (`which` 'profile') or cover ('background'); null takes it away.
create function private.write_image(person uuid, which text, path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  address text := '/storage/v1/object/public/avatars/' || write_image.path;
  old_address text;
begin
  if which = 'profile' then
    select p.profile_image_url into old_address from public.profiles p where p.id = person for update;
    update public.profiles p set profile_image_url = address where p.id = person;
  else
    select d.background_image_url into old_address from public.profile_details d where d.user_id = person for update;
    update public.profile_details d set background_image_url = address where d.user_id = person;
  end if;
  delete from private.doomed_files f where f.bucket = 'avatars' and f.path = write_image.path;
  if old_address is distinct from address then perform private.doom_avatar(old_address); end if;
end
$$;

-- The same for the caller, with a file that was stored for them.
create function private.set_own_image(which text, path text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if set_own_image.path is not null and not exists (
    select from private.doomed_files f
    where f.bucket = 'avatars' and f.path = set_own_image.path and f.path like auth.uid()::text || '/%'
    for update
  ) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  perform private.write_image(auth.uid(), which, set_own_image.path);
end
$$;
grant execute on function private.set_own_image(text, text) to authenticated;

-- With their person, the files go.
create function private.on_profile_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.doom_avatar(to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;
create trigger doom_profile_image after delete on public.profiles
  for each row when (old.profile_image_url is not null) execute function private.on_profile_gone('profile_image_url');
create trigger doom_background_image after delete on public.profile_details
  for each row when (old.background_image_url is not null)
  execute function private.on_profile_gone('background_image_url');

revoke execute on all functions in schema private from public;
