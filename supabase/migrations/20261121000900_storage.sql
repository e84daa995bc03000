-- Where pictures lie. `avatars` holds profile pictures and covers: public, under names that never change their
-- content, written by the API alone (no policy lets a client in).
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 5242880, array['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
on conflict (id) do nothing;
