set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.find_followed_followers(target_user_id uuid, turn integer)
 RETURNS TABLE(user_id uuid, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
begin
  if not private.is_session_active() or not private.can_view_profile_counts(target_user_id) then return; end if;
  return query
    select found.followee_id, found.total::integer
    from (select latest.followee_id, count(*) over () as total,
                 row_number() over (order by latest.created_at desc, latest.followee_id desc) as place
          from (select f.followee_id, f.created_at from public.follows f where f.follower_id = auth.uid()
                order by f.created_at desc, f.followee_id desc limit 200) latest
          where exists (select from public.follows g
                        where g.follower_id = latest.followee_id and g.followee_id = target_user_id)
            -- Only followers whose list of followed users the caller may see: private.can_view_profile_counts, but
            -- without a function call per row.
            and ((select private.is_admin()) or exists (
              select from private.viewable_profiles v join public.profiles p on p.id = v.id
              where v.id = latest.followee_id and p.show_follower_count))) found
    where found.place = 1 + (turn - 1) % found.total;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_own_subscriber(user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ begin return private.is_subscribed(user_id, auth.uid()); end $function$;

CREATE OR REPLACE FUNCTION private.own_sale_amounts(notification_ids uuid[], are_grouped boolean)
 RETURNS TABLE(notification_id uuid, amount_cents bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select head.id, sum(paid.amount_cents)
  from unnest(notification_ids) listed (id)
  join public.notifications head on head.id = listed.id and head.user_id = auth.uid()
    and (select private.is_session_active())
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

REVOKE ALL ON FUNCTION "private"."is_own_subscriber"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_own_subscriber"(uuid) TO "authenticated", "postgres";
