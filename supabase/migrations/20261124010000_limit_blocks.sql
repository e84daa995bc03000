set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.before_block_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    perform private.enforce_rate_limit('blocks', auth.uid(), 30, '1 minute');
  end if;
  perform private.lock_relation(new.blocker_id, new.blocked_id);
  perform from public.subscriptions s
  where s.state <> 'ended'
    and (s.subscriber_id, s.creator_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by s.id for update;
  perform private.lock_follow_rows(new.blocker_id, new.blocked_id);
  perform private.lock_user_pair(new.blocker_id, new.blocked_id);
  return new;
end
$function$;
