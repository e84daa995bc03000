set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.refresh_topics(max_rows integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_tags text[];
begin
  insert into private.topics (tag, search_key)
  select u.tag, private.topic_search_key(u.tag)
  from (select distinct t.tag from public.post_tags t
        where t.created_at > case when max_rows is null then '-infinity' else now() - interval '1 hour' end) u
  order by u.tag
  on conflict do nothing;
  due_tags := array(
    -- A topic with many people is counted at most once an hour, because its place hardly changes.
    select t.tag from private.topics t
    where t.tag in (select u.tag from public.post_tags u where u.created_at > now() - interval '1 hour')
      and (t.people < 20 or t.counted_at < now() - interval '1 hour')
    union
    (select t.tag from private.topics t order by t.counted_at, t.tag limit max_rows));
  update private.topics t set people = c.people, counted_at = now()
  from (
    select due.tag, (
      select count(distinct p.id)
      from (select u.author_id from public.post_tags u where u.tag = due.tag
            order by u.created_at desc, u.post_id desc limit 500) latest
      join private.discoverable_profiles p on p.id = latest.author_id and p.visibility = 'public'
      join public.accounts a on a.user_id = p.id and a.read_only_reason is null) as people
    from unnest(due_tags) due (tag) offset 0) c
  where t.tag = c.tag;
  delete from private.topics t
  where t.tag = any (due_tags) and not exists (select from public.post_tags u where u.tag = t.tag);
end
$function$;

CREATE OR REPLACE FUNCTION private.show_unlocks(target_post_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.posts p set unlocks_count = (select count(*) from public.unlocks u where u.post_id = p.id)
  where p.id = target_post_id and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and p.unlocks_count is null and private.can_write()
$function$;
