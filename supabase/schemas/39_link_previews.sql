-- Link previews: what a shared link to a profile or a post shows, and whether search engines may index the page.
--
-- The server sends the same HTML to everybody. The previews in it therefore contain only what every visitor may see,
-- even if the caller may see more. A profile or post that search engines must not index has no preview, just like one
-- that does not exist.

-- The users whose posts search engines may index: the profile is public, the content is discoverable, and the account
-- is not read-only (for example, suspended or awaiting approval). Search engines may index the profile itself only if
-- `show_in_directory` is true as well.
create view private.indexable_users as
  select p.id, p.username, p.profile_image_url, p.show_in_directory,
         coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.full_name) as display_name
  from public.profiles p
  where p.visibility = 'public' and exists (select from private.discoverable_profiles d where d.id = p.id)
    and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null);

-- Returns the preview of a profile, by username or id, or null. Users who have opted out of the directory have none.
create function private.profile_preview(target_username text, target_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('username', u.username, 'name', u.display_name, 'imageUrl', u.profile_image_url,
                            'bio', d.bio)
  from public.profiles p
  join private.indexable_users u on u.id = p.id
  join public.profile_details d on d.user_id = p.id
  where (lower(p.username) = lower(target_username) or p.id = target_id) and u.show_in_directory
$$;

-- Returns the preview of a post, or null. For a premium post, the text is only the teaser.
create function private.post_preview(target_post_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', p.id, 'text', private.post_public_text(p), 'isPremium', p.is_premium,
    'createdAt', p.created_at, 'editedAt', p.edited_at, 'altText', p.alt_text,
    'imageId', case when p.media_type = 'image' then p.media_id else p.poster_id end,
    'imageWidth', p.media_width, 'imageHeight', p.media_height,
    'author', jsonb_build_object('username', u.username, 'name', u.display_name, 'imageUrl', u.profile_image_url))
  from public.posts p join private.indexable_users u on u.id = p.author_id
  where p.id = target_post_id and p.hidden is null
$$;

grant execute on function private.profile_preview(text, uuid), private.post_preview(uuid) to anon;
