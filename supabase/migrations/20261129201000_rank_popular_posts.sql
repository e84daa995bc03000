set local check_function_bodies = off;

create table private.popular_posts (
  post_id uuid primary key,
  place integer not null unique
);

grant select on private.popular_posts to authenticated;

create or replace function private.refresh_trending() returns jsonb
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
    -- `union` removes duplicates: each user counts once per post and kind, even with several comments.
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
