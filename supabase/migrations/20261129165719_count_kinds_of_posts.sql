do $$
begin
  -- Posts that are stored, deleted or hidden during the count would be missed.
  lock table public.posts in share row exclusive mode;
  update public.profile_counts c
  set photos = p.photos, videos = p.videos, premium_posts = p.premium_posts
  from (
    select author_id, count(*) filter (where media_type = 'image') as photos,
           count(*) filter (where media_type = 'video') as videos, count(*) filter (where is_premium) as premium_posts
    from public.posts where hidden is null group by author_id) p
  where c.user_id = p.author_id;
end
$$;
