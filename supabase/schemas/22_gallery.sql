-- The media gallery: images and videos that users show on their profiles, separately from posts.
--
-- Deleting an item hides it immediately. Its owner can restore it for ten minutes; after that, a job deletes the row
-- and, unless something else needs it, the upload. Clients can change the gallery only through the functions below.

create table public.gallery_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  media_id uuid not null references public.media (id),
  title text check (char_length(title) between 1 and 100),
  description text check (char_length(description) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz -- the item can be restored for ten minutes after this time
);

-- An upload is in the gallery at most once.
create unique index gallery_items_media_id_key on public.gallery_items (media_id);

-- A user's gallery, latest first.
create index gallery_items_user_id_idx on public.gallery_items (user_id, created_at desc, id desc)
  where deleted_at is null;

-- For the job that deletes the rows.
create index gallery_items_deleted_at_idx on public.gallery_items (deleted_at) where deleted_at is not null;

alter table public.gallery_items enable row level security;

-- Requires an active session.
create policy gallery_items_active_session on public.gallery_items as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Everyone who may view the profile sees its gallery, except deleted items.
create policy gallery_items_select on public.gallery_items for select to anon, authenticated
  using (deleted_at is null and (select true from private.viewable_profiles v where v.id = user_id));

revoke all on public.gallery_items from anon, authenticated, service_role;
grant select on public.gallery_items to anon, authenticated;
grant all on public.gallery_items to service_role;

-- Changing the gallery ----------------------------------------------------------------------------------------------
-- Adds one of the caller's uploads to their gallery. `media_kind` is 'image' or 'video'.
create function private.add_gallery_item(
  item_id uuid, upload_id uuid, media_kind text, item_title text, item_description text
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  perform private.require_write();
  upload := private.claim_media(upload_id, media_kind);
  insert into public.gallery_items (id, user_id, media_id, title, description)
  values (item_id, auth.uid(), upload.id, nullif(item_title, ''), nullif(item_description, ''));
end
$$;

grant execute on function private.add_gallery_item(uuid, uuid, text, text, text) to authenticated;

-- Hides one of the caller's items. A read-only account may do this too. Raises an error with status 404 for an item
-- that the caller cannot see, and 403 for another user's visible item.
create function private.delete_gallery_item(item_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owner_id uuid := (select g.user_id from public.gallery_items g where g.id = item_id);
begin
  perform private.require_session();
  if owner_id is distinct from auth.uid() then
    if owner_id is null or not private.can_view_profile(owner_id)
       or exists (select from public.gallery_items g where g.id = item_id and g.deleted_at is not null) then
      raise exception 'Not found' using errcode = 'PT404';
    end if;
    raise exception 'You can only delete your own items.' using errcode = 'PT403';
  end if;
  update public.gallery_items g set deleted_at = clock_timestamp() where g.id = item_id and g.deleted_at is null;
end
$$;

grant execute on function private.delete_gallery_item(uuid) to authenticated;

-- Restores one of the caller's deleted items, which reappears in its old position.
create function private.restore_gallery_item(item_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  update public.gallery_items g set deleted_at = null
  where g.id = item_id and g.user_id = auth.uid()
    and (g.deleted_at is null or g.deleted_at > clock_timestamp() - interval '10 minutes');
  if not found then raise exception 'This item can no longer be restored.' using errcode = 'PT404'; end if;
end
$$;

grant execute on function private.restore_gallery_item(uuid) to authenticated;

create trigger enqueue_gallery_orphan_check after delete on public.gallery_items
  for each row execute function private.enqueue_media_check();
