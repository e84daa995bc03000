set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.own_sale_amounts(notification_ids uuid[], are_grouped boolean)
 RETURNS TABLE(notification_id uuid, amount_cents bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select head.id, sum(paid.amount_cents)
  from unnest(notification_ids) listed (id)
  join public.notifications head on head.id = listed.id and head.user_id = auth.uid()
  cross join lateral (
    select head.actor_id, head.created_at where not (are_grouped and head.people > 1)
    union all
    select n.actor_id, n.created_at from public.notifications n
    where are_grouped and head.people between 2 and 500 and n.group_id = head.group_id
  ) member
  cross join lateral (
    select p.amount_cents from public.payments p
    where head.kind = 'unlock' and p.payer_id = member.actor_id and p.post_id = head.post_id
      and p.payee_id = head.user_id and p.state = 'paid'
    union all
    select p.amount_cents from public.subscriptions s join public.payments p on p.subscription_id = s.id
    where head.kind = 'subscription' and s.subscriber_id = member.actor_id and s.creator_id = head.user_id
      and p.period_start between member.created_at - interval '1 minute' and member.created_at and p.state = 'paid'
  ) paid
  group by head.id
$function$;

REVOKE ALL ON FUNCTION "private"."own_sale_amounts"(uuid[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_sale_amounts"(uuid[], boolean) TO "authenticated", "postgres";
