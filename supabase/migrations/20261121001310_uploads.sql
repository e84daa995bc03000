-- How a file becomes an upload: counted first, recorded as pending, stored, looked at, and only then ready.

-- Where a signed address lets a video be sent. Whoever has that address can use it again until it expires, so a
-- video is moved to `path` before it is looked at: nothing that was looked at can be replaced.
alter table public.media add column incoming_path text unique;

-- A signed address is good for two hours; what is sent to it late is removed too.
create function private.signed_until(signed_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select signed_at + interval '3 hours' $$;

create or replace function private.doom_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.doomed_files (bucket, path) values ('media', old.path) on conflict do nothing;
  if old.incoming_path is not null then
    insert into private.doomed_files (bucket, path, since)
    values ('media', old.incoming_path, private.signed_until(old.created_at)) on conflict do nothing;
  end if;
  return null;
end
$$;

-- Counts an upload of the caller before anything of it is read.
create function private.take_upload() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.enforce_rate('uploads', auth.uid(), 60, '1 hour');
end
$$;

-- Counts a look of the caller at a video that was sent straight to Storage.
create function private.take_look() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.enforce_rate('video looks', auth.uid(), 30, '1 minute');
end
$$;

-- Records a file of the caller that is about to be stored, so that nothing lies in the bucket unrecorded.
-- `sent_to`: where a signed address leads, null for what the API stores itself.
create function private.begin_media(
  upload uuid, wanted_kind text, type text, size bigint, stored_at text, sent_to text,
  pixels_wide integer, pixels_high integer, miniature text
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  insert into public.media (id, owner_id, kind, content_type, bytes, path, incoming_path, width, height, placeholder)
  values (upload, auth.uid(), wanted_kind, type, size, stored_at, sent_to, pixels_wide, pixels_high, miniature);
end
$$;
grant execute on function private.take_upload(), private.take_look(),
  private.begin_media(uuid, text, text, bigint, text, text, integer, integer, text) to authenticated;

-- The file of an upload is stored and has been looked at: `type` is what it is. False when the upload is gone; done twice, it is done once.
create function private.finish_media(upload uuid, size bigint, type text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  done public.media;
begin
  select * into done from public.media m where m.id = upload for update;
  if not found then return false; end if;
  if done.incoming_path is not null then
    insert into private.doomed_files (bucket, path, since)
    values ('media', done.incoming_path, private.signed_until(done.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size, content_type = type, incoming_path = null
  where m.id = upload and m.state = 'pending';
  return true;
end
$$;
grant execute on function private.finish_media(uuid, bigint, text) to service_role;

revoke execute on all functions in schema private from public;
