set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.linked_post_access(message_id uuid, linked_post_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when exists (select from public.unlocks u where u.user_id = receiver.id and u.post_id = p.id) then 'unlocked'
    when p.included_in_subscription and private.is_subscribed(receiver.id, p.author_id) then 'included'
    else 'none' end
  from public.messages m
  join public.posts p
    on p.id = linked_post_id and p.author_id = m.sender_id and p.is_premium and p.hidden is distinct from 'removed'
  join public.profiles receiver on receiver.id = m.receiver_id
  where m.id = message_id and m.sender_id = auth.uid() and (select private.can_use_messages())
    and strpos(lower(m.content), '/post/' || p.id::text) > 0
    and not private.are_blocked(receiver.id, m.sender_id)
$function$;

REVOKE ALL ON FUNCTION "private"."linked_post_access"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."linked_post_access"(uuid, uuid) TO "authenticated", "postgres";
