-- Media: uploaded images, videos and voice recordings.
--
-- An upload is a row in public.media and a file in the private bucket `media`, which no client reads directly. Clients
-- send files to the API. They can also send a video directly to Storage, to a signed URL for its `incoming_path`. The
-- video is moved from there to `path` before it is checked, because the URL stays valid and could be used to replace
-- the file. The row exists before its file, and deleting the row enqueues its files for deletion, so there is a record
-- of every file.
--
-- An upload belongs to at most one post, scheduled post, message or gallery item. Until such a row refers to the
-- upload, only its owner may read it. After that, everybody who may read the referring row may read the file. Admins
-- may also read the uploads in moderation cases. An upload that is still unused after a day is deleted.

create table public.media (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('image', 'video', 'audio')), -- 'audio': the recording of a voice message
  state text not null default 'pending' check (state in ('pending', 'ready')), -- 'ready': stored and checked
  path text not null unique,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  width integer check (width > 0),
  height integer check (height > 0),
  placeholder text,
  created_at timestamptz not null default clock_timestamp(),
  incoming_path text unique, -- target of the signed URL until the upload is ready; null for a file sent to the API
  duration_seconds integer check (duration_seconds > 0), -- of a video or recording; null if unknown
  check (case kind when 'audio' then placeholder ~ '^[0-9a-f]{40}$'
                   else placeholder ~ '^data:image/(webp|png|jpeg);base64,' and length(placeholder) <= 4000 end),
  check (kind <> 'audio' or state = 'pending' or coalesce(duration_seconds, 0) between 1 and 120)
);

comment on table public.media is
  'Uploads. `path` is the file in the bucket `media`. `placeholder` is a tiny blurred image as a data URL or, for a '
  'voice recording, its loudness over time as 40 hexadecimal digits.';

create index media_owner_id_idx on public.media (owner_id, created_at desc);

alter table public.media enable row level security;

-- Requires an active session.
create policy media_active_session on public.media as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The subqueries of both policies run under the policies of the tables that they read, so an upload is visible to
-- everybody who sees a row that refers to it.
create policy media_select_anon on public.media for select to anon
  using (exists (select from public.posts p where p.media_id = media.id)
         or exists (select from public.posts p where p.poster_id = media.id)
         or exists (select from public.gallery_items g where g.media_id = media.id));

-- In addition, owners see their uploads, and admins see the media of moderation cases.
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
    or exists (select from public.messages m where m.media_id = media.id)
    or exists (select from public.gallery_items g where g.media_id = media.id)
    or ((select private.is_admin())
        and exists (select from public.moderation_cases c where c.media_ids @> array[media.id]))
  );

revoke all on public.media from anon, authenticated, service_role;
grant select on public.media to anon, authenticated;
grant all on public.media to service_role;

-- Files to delete from Storage. SQL cannot delete files, so a job deletes them and then removes the rows.
create table private.file_deletion_queue (
  bucket text not null,
  path text not null,
  due_at timestamptz not null default clock_timestamp(), -- when the file may be deleted
  primary key (bucket, path)
);

create index file_deletion_queue_due_at_idx on private.file_deletion_queue (due_at);

-- Uploads that may be unused, and when to check them. A row is added when an upload is created or may have become
-- unused, so that the `media` job does not have to check every upload. A row is only a hint: the check itself
-- determines whether the upload is used.
create table private.orphaned_media (
  media_id uuid primary key,
  due timestamptz not null
);

create index orphaned_media_due_idx on private.orphaned_media (due);

-- Storage quota -----------------------------------------------------------------------------------------------------
-- Uploads count toward an account's quota from the moment they begin. Until a video that the client sends directly to
-- Storage has been checked, it counts at the size that the client declared. Profile and cover images do not count,
-- because a new one replaces the old one.

-- Returns the storage quota of each account in bytes, 5 GiB by default.
create function private.storage_quota() returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce((select (s.value #>> '{}')::numeric::bigint from private.settings s where s.key = 'storage_quota_bytes'),
                  5368709120)
$$;

create function private.storage_used(account_id uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(m.bytes), 0)::bigint from public.media m where m.owner_id = account_id
$$;

-- Returns how many bytes the caller's uploads take up, and how many they may take up.
create function private.own_storage() returns table (used_bytes bigint, quota_bytes bigint)
language sql stable security definer set search_path = ''
as $$
  select private.storage_used(auth.uid()), private.storage_quota()
$$;

grant execute on function private.own_storage() to authenticated;

-- Raises an error if an upload of this size would exceed the account's quota. The lock makes concurrent uploads by the
-- same account wait for each other, so that together they cannot exceed the quota.
create function private.require_storage(account_id uuid, added_bytes bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('storage ' || account_id, 0));
  if private.storage_used(account_id) + added_bytes > private.storage_quota() then
    raise exception 'Your storage is full. Delete posts or gallery images to make room.'
      using errcode = 'PT403', detail = 'storage_quota_reached';
  end if;
end
$$;

-- Uploading ---------------------------------------------------------------------------------------------------------
-- Counts an upload by the caller against the limit of 60 an hour. The API calls this function before it reads any of
-- the request body.
create function private.consume_upload_limit() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.enforce_rate_limit('uploads', auth.uid(), 60, '1 hour');
end
$$;

grant execute on function private.consume_upload_limit() to authenticated;

-- Counts a check of a video that the caller has sent to Storage. The limit is 30 checks a minute.
create function private.consume_video_check() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.enforce_rate_limit('video check', auth.uid(), 30, '1 minute');
end
$$;

grant execute on function private.consume_video_check() to authenticated;

-- Inserts the pending row for one of the caller's files, before the file is stored. `signed_path` is the target of the
-- signed URL, or null for a file that the API stores itself. `placeholder_data` is stored in `placeholder`.
create function private.begin_upload(
  upload_id uuid, media_kind text, mime_type text, size_bytes bigint, storage_path text, signed_path text,
  width_px integer, height_px integer, placeholder_data text
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_storage(auth.uid(), size_bytes);
  insert into public.media (id, owner_id, kind, content_type, bytes, path, incoming_path, width, height, placeholder)
  values (upload_id, auth.uid(), media_kind, mime_type, size_bytes, storage_path, signed_path, width_px, height_px,
          placeholder_data);
end
$$;

grant execute on function private.begin_upload(uuid, text, text, bigint, text, text, integer, integer, text)
  to authenticated;

-- Marks an upload as ready after its file has been stored and checked; `mime_type` is the detected type, `seconds` the
-- duration of a video or voice recording. Returns false if the upload has been deleted. Idempotent.
create function private.finish_upload(upload_id uuid, size_bytes bigint, mime_type text, seconds integer default null)
returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  select * into upload from public.media m where m.id = upload_id for update;
  if not found then return false; end if;
  -- The final size of a streamed file is not known until now.
  if upload.state = 'pending' and size_bytes > upload.bytes then
    perform private.require_storage(upload.owner_id, size_bytes - upload.bytes);
  end if;
  if upload.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', upload.incoming_path, private.upload_url_expires_at(upload.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size_bytes, content_type = mime_type, incoming_path = null,
                            duration_seconds = seconds
  where m.id = upload_id and m.state = 'pending';
  return true;
end
$$;

grant execute on function private.finish_upload(uuid, bigint, text, integer) to service_role;

-- Returns the time after which no more data can arrive at a signed URL. The URL is valid for two hours; the third
-- hour leaves time for an upload that started late.
create function private.upload_url_expires_at(signed_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select signed_at + interval '3 hours' $$;

-- Using uploads -----------------------------------------------------------------------------------------------------
-- Returns whether anything refers to an upload. A new kind of reference must be added here and, if users other than the
-- owner can see it, to the policies above.
create function private.is_media_used(upload_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts p where p.media_id = upload_id)
      or exists (select from public.posts p where p.poster_id = upload_id)
      or exists (select from public.premium_contents c where c.media_id = upload_id)
      or exists (select from public.premium_contents c where c.poster_id = upload_id)
      or exists (select from public.scheduled_posts s where s.media_id = upload_id)
      or exists (select from public.scheduled_posts s where s.poster_id = upload_id)
      or exists (select from public.messages m where m.media_id = upload_id)
      or exists (select from public.gallery_items g where g.media_id = upload_id)
      or exists (select from private.hidden_messages h where h.media_id = upload_id)
      or exists (select from private.paid_photos f where f.media_id = upload_id)
      or private.is_media_in_open_case(upload_id)
$$;

-- Returns an upload and locks it until the end of the transaction. Raises an error unless it belongs to `uploader_id`,
-- is of the kind `media_kind`, is ready and is not used yet.
create function private.claim_media_of(uploader_id uuid, upload_id uuid, media_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  select * into upload from public.media m
  where m.id = upload_id and m.owner_id = uploader_id and m.kind = media_kind and m.state = 'ready'
  for update;
  if not found or private.is_media_used(upload_id) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return upload;
end
$$;

-- Calls private.claim_media_of for the caller.
create function private.claim_media(upload_id uuid, media_kind text) returns public.media
language sql volatile security definer set search_path = ''
as $$ select private.claim_media_of(auth.uid(), upload_id, media_kind) $$;

-- Deleting unused uploads -------------------------------------------------------------------------------------------
-- Schedules a check of a new upload, 24 hours after it was created.
create function private.enqueue_upload_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due) values (new.id, new.created_at + interval '24 hours')
  on conflict do nothing;
  return null;
end
$$;

create trigger enqueue_upload_check after insert on public.media
  for each row execute function private.enqueue_upload_check();

-- Makes the next run of the `media` job check the uploads of a deleted post, scheduled post or premium content.
create function private.enqueue_orphan_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due)
  select used.id, clock_timestamp() from unnest(array[old.media_id, old.poster_id]) used(id) where used.id is not null
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;

create trigger enqueue_orphan_check after delete on public.posts for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.enqueue_orphan_check();

create trigger enqueue_orphan_check after delete on public.premium_contents for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.enqueue_orphan_check();

-- Schedules a check of the upload of a deleted row, so that the `media` job deletes the upload unless it is in use.
create function private.enqueue_media_check() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.orphaned_media (media_id, due) values (old.media_id, clock_timestamp())
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;

-- Checks at most `max_rows` uploads that are due and deletes the unused ones. Before that, deletes gallery items that
-- can no longer be restored. Returns the number of uploads checked. Concurrent runs check different uploads. A
-- transaction that starts to use one of these uploads in the meantime either prevents its deletion or fails in
-- private.claim_media.
create function private.delete_orphaned_media(max_rows integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  candidate_id uuid;
  checked_count integer := 0;
begin
  delete from public.gallery_items g where g.deleted_at < (select clock_timestamp()) - interval '10 minutes';
  for candidate_id in
    select o.media_id from private.orphaned_media o where o.due <= (select clock_timestamp())
    order by o.due limit max_rows for update skip locked
  loop
    begin
      delete from public.media m where m.id = candidate_id and not private.is_media_used(candidate_id);
    exception when foreign_key_violation then
      -- A transaction that uses the upload has committed in the meantime.
      null;
    end;
    delete from private.orphaned_media o where o.media_id = candidate_id;
    checked_count := checked_count + 1;
  end loop;
  return checked_count;
end
$$;

grant execute on function private.delete_orphaned_media(integer) to service_role;

-- Deleting files ----------------------------------------------------------------------------------------------------
-- Enqueues the files of a deleted upload. The file at a signed URL is not due until the URL has expired, because a
-- late upload could otherwise store the file again.
create function private.enqueue_file_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.file_deletion_queue (bucket, path) values ('media', old.path) on conflict do nothing;
  if old.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', old.incoming_path, private.upload_url_expires_at(old.created_at)) on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger enqueue_file_deletion after delete on public.media
  for each row execute function private.enqueue_file_deletion();

-- Returns at most `max_rows` files that are due, as [{bucket, path}].
create function private.due_file_deletions(max_rows integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', d.bucket, 'path', d.path)), '[]')
  from (select f.bucket, f.path from private.file_deletion_queue f where f.due_at <= (select clock_timestamp())
        order by f.due_at limit max_rows) d
$$;

grant execute on function private.due_file_deletions(integer) to service_role;

-- Removes deleted files from the queue. `deleted_files` is [{bucket, path}].
create function private.complete_file_deletions(deleted_files jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.file_deletion_queue f using jsonb_to_recordset(deleted_files) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;

grant execute on function private.complete_file_deletions(jsonb) to service_role;

-- Schedules another attempt in half an hour for files that could not be deleted. `failed_files` is [{bucket, path}].
create function private.postpone_file_deletions(failed_files jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.file_deletion_queue f set due_at = clock_timestamp() + interval '30 minutes'
  from jsonb_to_recordset(failed_files) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;

grant execute on function private.postpone_file_deletions(jsonb) to service_role;
