set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.withdraw_announcements(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  queued private.announcement_checks;
  queued_ids bigint[];
  announcement private.post_announcements;
  is_old boolean;
  has_posts boolean;
  has_highlights boolean;
  notification_ids uuid[];
begin
  select * into queued from private.announcement_checks k order by k.id limit 1 for update skip locked;
  if not found then return null; end if;
  -- One check is enough, however often the author hides the same posts. Checks that are added from now on are kept.
  queued_ids := array(
    select k.id from private.announcement_checks k where k.announcement_id = queued.announcement_id
    for update skip locked);
  select * into announcement from private.post_announcements a where a.id = queued.announcement_id;
  if found and private.lock_announcement(announcement.id, announcement.author_id) then
    is_old := announcement.opened_at <= now() - interval '30 days';
    select c.has_posts, c.has_highlights into has_posts, has_highlights
    from private.announcement_contents(announcement, false) c;
    notification_ids := array(
      select n.id from public.notifications n
      where n.announcement_id = announcement.id
        and (is_old or not has_posts or (n.highlights_only and not has_highlights))
      limit max_rows);
    if cardinality(notification_ids) > 0 then
      perform private.lock_user_counters(array(
        select n.user_id from public.notifications n where n.id = any (notification_ids)));
      delete from public.notifications n where n.id = any (notification_ids);
      return cardinality(notification_ids);
    end if;
    delete from private.post_announcements a where a.id = announcement.id and is_old;
  end if;
  delete from private.announcement_checks k where k.id = any (queued_ids);
  return 0;
end
$function$;
