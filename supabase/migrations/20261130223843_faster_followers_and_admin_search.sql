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
$function$;

CREATE OR REPLACE FUNCTION private.search_accounts(search_term text, account_filter text, sort_order text, after_key text, after_user_id uuid, skip_rows integer, max_rows integer)
 RETURNS TABLE(user_id uuid, sort_key text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  is_by_name constant boolean := sort_order in ('name', 'name_desc');
  is_ascending constant boolean := sort_order in ('oldest', 'name');
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  -- The sort columns of profiles_search_name_idx or of the indexes of account_search.
  sort_column constant text := case when is_by_name then 'p.search_name collate "C"' else 't.created_at' end;
  id_column constant text := case when is_by_name then 'p.id' else 't.user_id' end;
begin
  perform private.require_admin();
  -- Dynamic SQL, so that the planner sees which conditions apply and can choose the matching index. Keys are computed in
  -- the outer query, only for the rows of the page.
  return query execute 'select s.user_id, '
    || case when is_by_name then 's.sort_value' else 'private.timestamp_text(s.sort_value)' end
    || format(' from (select t.user_id, %s as sort_value from private.account_search t', sort_column)
    || case when is_by_name then ' join public.profiles p on p.id = t.user_id' else '' end
    || ' where ' || private.account_search_condition(search_term, account_filter)
    || case when after_user_id is null then '' else
         format(' and (%s, %s) %s (%s, $3)', sort_column, id_column, case when is_ascending then '>' else '<' end,
                case when is_by_name then '$2' else '$2::timestamptz' end) end
    || format(' order by %s %s, %s %2$s offset $4 limit $5) s', sort_column, direction, id_column)
    using private.account_search_pattern(search_term), after_key, after_user_id, skip_rows, max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.void_test_money()
 RETURNS TABLE(creators integer, amount_cents bigint, payouts integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout record;
  balance record;
  platform_cents bigint;
begin
  creators := 0;
  amount_cents := 0;
  payouts := 0;
  -- Without this lock, two concurrent calls could both remove the platform's balance.
  perform private.lock_test_money();
  -- Locks everything in the same order as a settlement, so that the loops below lock nothing new.
  perform private.lock_user_counters(array(
    select p.user_id from public.payouts p where p.is_test and p.state = 'requested'));
  perform from public.payouts p where p.is_test and p.state = 'requested' order by p.id for update;
  perform from public.profiles u
  where u.id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by u.id for key share;
  perform from public.creator_balances b
  where b.test_cents <> 0
     or b.user_id in (select p.user_id from public.payouts p where p.is_test and p.state = 'requested')
  order by b.user_id for update;
  for payout in select p.id from public.payouts p where p.is_test and p.state = 'requested' order by p.id loop
    perform private.close_payout(payout.id, 'failed', 'It was test money.', null);
    payouts := payouts + 1;
  end loop;
  for balance in
    select b.user_id, b.test_cents from public.creator_balances b where b.test_cents <> 0 order by b.user_id for update
  loop
    perform private.book_transaction('test_void', balance.user_id, null, null, array[
      ('creator', balance.user_id, 'test_void', -balance.test_cents)::private.ledger_line,
      ('processor', null, 'test_void', balance.test_cents)::private.ledger_line], test_money => true);
    creators := creators + 1;
    amount_cents := amount_cents + balance.test_cents;
  end loop;
  select coalesce(sum(e.amount_cents), 0) into platform_cents
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.is_test and e.account = 'platform';
  if platform_cents <> 0 then
    perform private.book_transaction('test_void', null, null, null, array[
      ('platform', null, 'test_void', -platform_cents)::private.ledger_line,
      ('processor', null, 'test_void', platform_cents)::private.ledger_line], test_money => true);
  end if;
  if creators > 0 or payouts > 0 or platform_cents <> 0 then
    perform private.write_audit_entry('00000000-0000-0000-0000-000000000000', 'test_money.void', details =>
      jsonb_build_object('creators', creators, 'amount', amount_cents / 100.0, 'payouts', payouts));
  end if;
  return next;
end
$function$;
