set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.before_follow_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_follows(new.follower_id, new.followee_id);
  -- As with likes, the rate limit is consumed before any counts are locked. Otherwise, three transactions could
  -- deadlock: a like holds the rate limit and waits for an account deletion, which waits for a follow by the same user,
  -- which waits for the rate limit. Accepting a request is not counted: the counts are already locked, and the request
  -- itself was counted.
  if auth.uid() is not null and private.transaction_setting('private.accepting') <> 'on' then
    perform private.enforce_rate_limit('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.lock_user_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_new_following_posts(since timestamp with time zone, max_count integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.is_session_active() then return 0; end if;
  if (select c.following from public.profile_counts c where c.user_id = uid) > 500
     and not exists (
       select from public.posts p where p.created_at > since order by p.created_at desc, p.id desc offset 2000)
     and not exists (select from public.reposts r where r.created_at > since order by r.created_at offset 2000)
  then
    return (
      select count(*) from (
        select p.id from public.posts p
        where p.created_at > since and p.hidden is null
          and (select true from public.follows f where f.follower_id = uid and f.followee_id = p.author_id)
          and (select true from private.viewable_profiles v where v.id = p.author_id)
        union
        select r.post_id from public.reposts r
        where r.created_at > since
          and (select true from public.follows f where f.follower_id = uid and f.followee_id = r.user_id)
          and private.is_repost_shown(r.post_id, r.user_id)
        limit max_count
      ) counted);
  end if;
  return (
    select count(*) from (
      select newer.id from (
        select f.followee_id as author_id, p.id
        from public.follows f
        cross join lateral (
          select p.id from public.posts p
          where p.author_id = f.followee_id and p.created_at > since and p.hidden is null limit max_count) p
        where f.follower_id = uid offset 0
      ) newer
      where (select true from private.viewable_profiles v where v.id = newer.author_id)
      union
      select r.post_id
      from public.follows f
      cross join lateral (
        select latest.post_id from (
          select r.post_id, r.user_id from public.reposts r
          where r.user_id = f.followee_id and r.created_at > since
          order by r.created_at desc, r.post_id desc limit 100
        ) latest
        where private.is_repost_shown(latest.post_id, latest.user_id) limit max_count) r
      where f.follower_id = uid
      limit max_count
    ) counted);
end
$function$;

CREATE OR REPLACE FUNCTION private.require_write_scope()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not coalesce(auth.jwt() -> 'token_scopes' ? 'write', true) then
    raise exception 'This access token is read-only.' using errcode = 'PT403', detail = 'insufficient_scope';
  end if;
  return null;
end
$function$;

CREATE INDEX reposts_created_at_idx ON public.reposts USING btree (created_at);
