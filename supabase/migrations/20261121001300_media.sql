-- What people upload: one row a file. The bytes lie in the private bucket `media`, which no client reads or writes by
-- itself: they come and go through the API, or by an address that it signed.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('media', 'media', false, 104857600,
        array['image/jpeg', 'image/png', 'image/gif', 'video/mp4', 'video/webm', 'video/quicktime'])
on conflict (id) do nothing;

create table public.media (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('image', 'video')),
  -- 'pending' until its bytes are stored and have been looked at.
  state text not null default 'pending' check (state in ('pending', 'ready')),
  path text not null unique,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  width integer check (width > 0),
  height integer check (height > 0),
  placeholder text check (placeholder ~ '^data:image/(webp|png|jpeg);base64,' and length(placeholder) <= 4000),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.media is 'Uploads. `path` is where a file lies in the bucket `media`; `placeholder` a blurred miniature.';
create index media_owner_id_idx on public.media (owner_id, created_at desc);

-- Files whose row is gone: the bucket is not reached by SQL, so a job removes them and then their rows here.
create table private.doomed_files (
  bucket text not null,
  path text not null,
  since timestamptz not null default clock_timestamp(),
  primary key (bucket, path)
);

create function private.doom_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.doomed_files (bucket, path) values ('media', old.path) on conflict do nothing;
  return null;
end
$$;
create trigger doom_file after delete on public.media for each row execute function private.doom_file();

alter table public.media enable row level security;
revoke all on public.media from anon, authenticated;
grant select on public.media to anon, authenticated;
grant all on public.media to service_role;

create policy media_alive on public.media as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- An upload is its owner's alone until something that others may see refers to it.
create policy media_select on public.media for select to authenticated
  using (owner_id = (select auth.uid()));

revoke execute on all functions in schema private from public;
