-- Uploads that nothing refers to any more, or never did, and what becomes of their files.

-- Uploads that may be in nobody's use, and when to look. Kept as things happen, so that looking costs what has
-- happened and not what is stored. Only a hint: whether an upload is in use is asked when it is due.
create table private.loose_media (
  media_id uuid primary key,
  due timestamptz not null
);
create index loose_media_due_idx on private.loose_media (due);
create index doomed_files_since_idx on private.doomed_files (since);

-- Who uploads something has a day to use it.
create function private.note_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.loose_media (media_id, due) values (new.id, new.created_at + interval '24 hours')
  on conflict do nothing;
  return null;
end
$$;
create trigger note_upload after insert on public.media for each row execute function private.note_upload();
insert into private.loose_media (media_id, due) select m.id, m.created_at + interval '24 hours' from public.media m;

-- A post, or what is paid for in it, is gone, and its media with it.
create function private.loosen_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.loose_media (media_id, due)
  select used.id, clock_timestamp() from unnest(array[old.media_id, old.poster_id]) used(id) where used.id is not null
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;
create trigger loosen_media after delete on public.posts for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.loosen_media();
create trigger loosen_media after delete on public.premium_contents for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.loosen_media();

-- Looks at `most` uploads that are due, and deletes those in nobody's use. Answers how many it looked at. Runs that
-- happen at the same time take different ones; whoever publishes one of them meanwhile keeps it, or is told in time.
create function private.sweep_media(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  loose uuid;
  looked_at integer := 0;
begin
  for loose in
    select l.media_id from private.loose_media l where l.due <= clock_timestamp()
    order by l.due limit most for update skip locked
  loop
    begin
      delete from public.media m
      where m.id = loose
        and not exists (select from public.posts p where p.media_id = loose)
        and not exists (select from public.posts p where p.poster_id = loose)
        and not exists (select from public.premium_contents c where c.media_id = loose)
        and not exists (select from public.premium_contents c where c.poster_id = loose);
    exception when foreign_key_violation then
      -- A post that took it was committed in between.
      null;
    end;
    delete from private.loose_media l where l.media_id = loose;
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end
$$;

-- Files to remove from Storage, `most` of them, as [{bucket, path}]; those that have been, to be forgotten; and those
-- that could not be, for a later time.
create function private.doomed_files_due(most integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('bucket', d.bucket, 'path', d.path)), '[]')
  from (select f.bucket, f.path from private.doomed_files f where f.since <= clock_timestamp()
        order by f.since limit most) d
$$;
create function private.forget_files(removed jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.doomed_files f using jsonb_to_recordset(removed) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;
create function private.put_off_files(left_over jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  update private.doomed_files f set since = clock_timestamp() + interval '30 minutes'
  from jsonb_to_recordset(left_over) r(bucket text, path text)
  where f.bucket = r.bucket and f.path = r.path
$$;
grant execute on function private.sweep_media(integer), private.doomed_files_due(integer),
  private.forget_files(jsonb), private.put_off_files(jsonb) to service_role;

revoke execute on all functions in schema private from public;

-- As the other jobs: by the database's own clock where it has one.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    perform cron.schedule('ovation-media', '*/10 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/media',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')))
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
