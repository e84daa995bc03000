set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.visible_announced_posts(viewer_id uuid, target_announcement_id uuid, highlights_only boolean)
 RETURNS TABLE(posts integer, latest_post_id uuid)
 LANGUAGE sql
 STABLE STRICT SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
  select count(*)::integer, (array_agg(p.id order by p.created_at desc, p.id desc))[1]
  from private.announced_posts q join public.posts p on p.id = q.post_id
  where q.announcement_id = target_announcement_id and p.hidden is null
    and (not highlights_only or private.is_highlight(p))
    and private.can_user_view_profile(viewer_id, p.author_id)
  having count(*) > 0
$function$;
