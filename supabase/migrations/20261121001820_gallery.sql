-- The media gallery: pictures and videos that a person shows on their profile, beside posts.

create table public.gallery_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  media_id uuid not null references public.media (id),
  title text check (char_length(title) between 1 and 100),
  description text check (char_length(description) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  -- Deleted, and can be brought back for a few minutes.
  deleted_at timestamptz
);
create unique index gallery_items_media_id_key on public.gallery_items (media_id);
create index gallery_items_user_id_idx on public.gallery_items (user_id, created_at desc, id desc)
  where deleted_at is null;
create index gallery_items_deleted_at_idx on public.gallery_items (deleted_at) where deleted_at is not null;

alter table public.gallery_items enable row level security;
revoke all on public.gallery_items from anon, authenticated;
grant select on public.gallery_items to anon, authenticated;
grant all on public.gallery_items to service_role;

create policy gallery_items_alive on public.gallery_items as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy gallery_items_select on public.gallery_items for select to anon, authenticated
  using (deleted_at is null and (select true from private.viewable_profiles v where v.id = user_id));

-- Uploads -----------------------------------------------------------------------------------------------------

-- Something refers to this upload. Whatever comes to refer to uploads is asked here, and by the policies below.
create function private.is_used(upload uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts p where p.media_id = upload)
      or exists (select from public.posts p where p.poster_id = upload)
      or exists (select from public.premium_contents c where c.media_id = upload)
      or exists (select from public.premium_contents c where c.poster_id = upload)
      or exists (select from public.messages m where m.media_id = upload)
      or exists (select from public.gallery_items g where g.media_id = upload)
$$;

-- An upload of the caller that nothing uses yet, held until the end of the transaction.
create or replace function private.take_media(upload uuid, wanted_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken public.media;
begin
  select * into taken from public.media m
  where m.id = upload and m.owner_id = auth.uid() and m.kind = wanted_kind and m.state = 'ready'
  for update;
  if not found or private.is_used(upload) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return taken;
end
$$;

-- Looks at `most` uploads that are due, and deletes those in nobody's use. Answers how many it looked at. Runs that
-- happen at the same time take different ones; whoever publishes one of them meanwhile keeps it, or is told in time.
create or replace function private.sweep_media(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  loose uuid;
  looked_at integer := 0;
begin
  -- Nobody can bring these back any more.
  delete from public.gallery_items g where g.deleted_at < clock_timestamp() - interval '10 minutes';
  for loose in
    select l.media_id from private.loose_media l where l.due <= clock_timestamp()
    order by l.due limit most for update skip locked
  loop
    begin
      delete from public.media m where m.id = loose and not private.is_used(loose);
    exception when foreign_key_violation then
      -- Something that took it was committed in between.
      null;
    end;
    delete from private.loose_media l where l.media_id = loose;
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end
$$;

create function private.loosen_gallery_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.loose_media (media_id, due) values (old.media_id, clock_timestamp())
  on conflict (media_id) do update set due = excluded.due;
  return null;
end
$$;
create trigger loosen_gallery_media after delete on public.gallery_items
  for each row execute function private.loosen_gallery_media();

drop policy media_select on public.media;
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
    or exists (select from public.messages m where m.media_id = media.id)
    or exists (select from public.gallery_items g where g.media_id = media.id)
  );
drop policy media_select_anon on public.media;
create policy media_select_anon on public.media for select to anon
  using (exists (select from public.posts p where p.media_id = media.id)
         or exists (select from public.posts p where p.poster_id = media.id)
         or exists (select from public.gallery_items g where g.media_id = media.id));

-- The calls ---------------------------------------------------------------------------------------------------

-- Puts an upload of the caller into their gallery. `kind` is 'image' or 'video'.
create function private.add_gallery_item(item uuid, upload uuid, kind text, named text, described text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken public.media;
begin
  perform private.require_write();
  taken := private.take_media(upload, kind);
  insert into public.gallery_items (id, user_id, media_id, title, description)
  values (item, auth.uid(), taken.id, nullif(named, ''), nullif(described, ''));
end
$$;

-- Deletes one of the caller's items, which they can bring back for ten minutes. A read-only account may, too.
create function private.delete_gallery_item(item uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owner uuid := (select g.user_id from public.gallery_items g where g.id = item);
begin
  perform private.require_session();
  if owner is distinct from auth.uid() then
    if owner is null or not private.can_view(owner)
       or exists (select from public.gallery_items g where g.id = item and g.deleted_at is not null) then
      raise exception 'Not found' using errcode = 'PT404';
    end if;
    raise exception 'Only its owner can delete this.' using errcode = 'PT403';
  end if;
  update public.gallery_items g set deleted_at = clock_timestamp() where g.id = item and g.deleted_at is null;
end
$$;

-- Brings a deleted item back, to its place.
create function private.restore_gallery_item(item uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  update public.gallery_items g set deleted_at = null
  where g.id = item and g.user_id = auth.uid()
    and (g.deleted_at is null or g.deleted_at > clock_timestamp() - interval '10 minutes');
  if not found then raise exception 'It is too late to bring this back.' using errcode = 'PT404'; end if;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.add_gallery_item(uuid, uuid, text, text, text),
  private.delete_gallery_item(uuid), private.restore_gallery_item(uuid) to authenticated;
