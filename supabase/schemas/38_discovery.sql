-- Discovery: trending topics, popular posts and featured creators.
--
-- The rankings cover the last 7 days. Every ten minutes, the `trending` job recomputes the three small tables below
-- with private.refresh_trending.

-- The 50 tags with the most authors. Counts only authors whose profile is public, whose content is discoverable and
-- whose account is not read-only.
create table private.trending_tags (
  tag text primary key,
  posts integer not null,
  people integer not null -- number of distinct authors
);

-- How often other users liked, saved, commented on or unlocked a creator's posts. Each user counts once per post and
-- kind of activity, even with several comments. Creators without any such activity have no row.
create table private.creator_scores (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  score integer not null
);

create index creator_scores_score_idx on private.creator_scores (score desc, user_id);

-- Up to 300 posts of the last 7 days, ranked by the interactions that also count toward private.creator_scores. To vary
-- the authors, the score of an author's second post is divided by 2, that of the third by 3, and so on. Contains only
-- posts by authors who also count toward private.trending_tags. There is no foreign key, so that the job never waits
-- for a post that is being deleted.
create table private.popular_posts (
  post_id uuid primary key,
  place integer not null unique -- counts from 1
);

grant select on private.popular_posts to authenticated;

-- Recomputes the three tables and updates the topics for search (private.refresh_topics). Returns the number of tags
-- and the number of creators.
create function private.refresh_trending() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '7 days';
  tag_count integer;
  creator_count integer;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  -- Tags rank by the number of authors, so that no single user can make a topic trend. Only authors with a public,
  -- discoverable profile count.
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join private.discoverable_profiles p on p.id = t.author_id and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tag_count = row_count;

  create temporary table new_engagement on commit drop as
  select p.id as post_id, p.author_id, p.created_at, count(*)::integer as score
  from (
    -- `union` removes duplicates: each user counts once per post and kind of interaction, even with several comments.
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) engagement (post_id, user_id, kind)
  join public.posts p on p.id = engagement.post_id
  where engagement.user_id <> p.author_id and p.hidden is null
  group by p.id;
  analyze pg_temp.new_engagement;

  delete from private.popular_posts;
  insert into private.popular_posts (post_id, place)
  select ranked.post_id, row_number() over (order by ranked.score desc, ranked.created_at desc, ranked.post_id)
  from (
    select e.post_id, e.created_at, e.score::real / row_number() over (
             partition by e.author_id order by e.score desc, e.created_at desc, e.post_id) as score
    from pg_temp.new_engagement e
    join private.discoverable_profiles p on p.id = e.author_id and p.visibility = 'public'
    join public.accounts a on a.user_id = p.id and a.read_only_reason is null
    where e.created_at > since) ranked
  order by 2 limit 300;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  select e.author_id, sum(e.score)
  from pg_temp.new_engagement e join public.profiles u on u.id = e.author_id and u.is_creator
  group by e.author_id;
  get diagnostics creator_count = row_count;
  drop table pg_temp.new_engagement;

  perform private.refresh_topics(50);
  return jsonb_build_object('tags', tag_count, 'creators', creator_count);
end
$$;

grant execute on function private.refresh_trending() to service_role;

-- Lists trending tags, those with the most authors first.
create function private.list_trending_tags(max_rows integer) returns table (tag text, posts integer, people integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_session_active() then return; end if;
  return query select t.tag, t.posts, t.people from private.trending_tags t
               order by t.people desc, t.posts desc, t.tag limit max_rows;
end
$$;

grant execute on function private.list_trending_tags(integer) to authenticated;

-- Lists other creators whose content is discoverable, whose profile is not private and whose account is not read-only.
-- Excludes users who have blocked the caller or are blocked by the caller. Creators whom the caller already follows
-- come after all others; both groups are sorted by score, then by registration date. `place` counts from 1.
create function private.list_featured_creators(max_rows integer) returns table (user_id uuid, place integer)
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
  is_followed boolean;
  found_count integer := 0;
  query_count integer;
begin
  if not private.is_session_active() then return; end if;
  foreach is_followed in array array[false, true] loop
    return query
      select s.user_id, found_count + row_number() over (order by s.score desc, p.created_at, p.id)::integer
      from private.creator_scores s join private.discoverable_profiles p on p.id = s.user_id
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by s.score desc, p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
    -- Fill the remaining rows with creators who have no score.
    return query
      select p.id, found_count + row_number() over (order by p.created_at, p.id)::integer
      from private.discoverable_profiles p
      where p.is_creator and p.visibility <> 'private'
        and p.id <> uid and p.id <> all (blocked_ids)
        and exists (select from public.accounts a where a.user_id = p.id and a.read_only_reason is null)
        and not exists (select from private.creator_scores s where s.user_id = p.id)
        and is_followed = exists (select from public.follows f where f.follower_id = uid and f.followee_id = p.id)
      order by p.created_at, p.id limit max_rows - found_count;
    get diagnostics query_count = row_count;
    found_count := found_count + query_count;
  end loop;
end
$$;

grant execute on function private.list_featured_creators(integer) to authenticated;

-- Returns one of a user's followers whom the caller follows, and the number of such followers. They are ordered by when
-- the caller followed them, latest first: `turn` 1 selects the first, and numbers beyond the last wrap around. A
-- query that lists creators passes its row numbers as `turn`, so that its rows name different followers. Leaves out
-- followers whose list of followed users the caller may not see. Considers only the 200 users whom the caller followed
-- most recently, so that the cost is bounded. Returns no row if there is no such follower, or if the caller may not see
-- the user's followers.
create function private.find_followed_followers(target_user_id uuid, turn integer)
returns table (user_id uuid, total integer)
language plpgsql stable security definer rows 1 set search_path = ''
as $$
begin
  if not private.is_session_active() or not private.can_view_profile_counts(target_user_id) then return; end if;
  return query
    select found.followee_id, found.total::integer
    from (select latest.followee_id, count(*) over () as total,
                 row_number() over (order by latest.created_at desc, latest.followee_id desc) as place
          from (select f.followee_id, f.created_at from public.follows f where f.follower_id = auth.uid()
                order by f.created_at desc, f.followee_id desc limit 200) latest
          -- A subquery instead of `exists`, for which the planner would read all of the user's followers.
          where (select true from public.follows g
                 where g.follower_id = latest.followee_id and g.followee_id = target_user_id)
            -- Only followers whose list of followed users the caller may see: private.can_view_profile_counts, but
            -- without a function call per row.
            and ((select private.is_admin()) or exists (
              select from private.viewable_profiles v join public.profiles p on p.id = v.id
              where v.id = latest.followee_id and p.show_follower_count))) found
    where found.place = 1 + (turn - 1) % found.total;
end
$$;

grant execute on function private.find_followed_followers(uuid, integer) to authenticated;

-- Lists the images of the free posts among a user's latest 30 posts: first the newest image with each alt text, then
-- the second newest with each, and so on; newest first within each group. So a series of images with the same alt text
-- does not fill the list. An image without an alt text is treated as if its alt text were unique. The list is empty if
-- the caller may not view the profile.
create function private.list_newest_photos(target_user_id uuid, max_rows integer)
returns table (media_id uuid, placeholder text)
language plpgsql stable security definer rows 3 set search_path = ''
as $$
begin
  if not private.is_session_active() or not private.can_view_profile(target_user_id) then return; end if;
  return query
    select photo.media_id, photo.placeholder
    from (select latest.*, row_number() over (partition by coalesce(latest.alt_text, latest.id::text)
                                              order by latest.created_at desc, latest.id desc) as turn
          from (select p.* from public.posts p where p.author_id = target_user_id
                order by p.created_at desc, p.id desc limit 30) latest
          where latest.media_type = 'image' and latest.media_id is not null and not latest.is_premium
            and latest.hidden is null) photo
    order by photo.turn, photo.created_at desc, photo.id desc limit max_rows;
end
$$;

grant execute on function private.list_newest_photos(uuid, integer) to authenticated;

-- Lists the other users who wrote any of the latest 500 posts about a topic: creators first, then by how many of these
-- posts they wrote. Includes only users whose profile is public, whose content is discoverable and whose account is not
-- read-only. Excludes users who have blocked the caller or are blocked by the caller. `place` counts from 1.
create function private.list_topic_authors(topic text, max_rows integer) returns table (user_id uuid, place integer)
language plpgsql stable security definer rows 10 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  blocked_ids uuid[] := private.blocked_user_ids();
begin
  if not private.is_session_active() then return; end if;
  return query
    select p.id, row_number() over (order by p.is_creator desc, found.posts desc, p.created_at, p.id)::integer
    from (select latest.author_id, count(*) as posts
          from (select t.author_id from public.post_tags t where t.tag = private.normalize_tag(topic)
                order by t.created_at desc, t.post_id desc limit 500) latest
          group by latest.author_id) found
    join private.discoverable_profiles p on p.id = found.author_id
    join public.accounts a on a.user_id = p.id and a.read_only_reason is null
    where p.visibility = 'public' and p.id <> uid and p.id <> all (blocked_ids)
    order by 2 limit max_rows;
end
$$;

grant execute on function private.list_topic_authors(text, integer) to authenticated;
