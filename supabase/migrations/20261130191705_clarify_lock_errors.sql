set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_subscription(creator_id uuid, payment_provider text, chosen_months integer DEFAULT NULL::integer, amount numeric DEFAULT NULL::numeric)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  subscription public.subscriptions;
  offer private.subscription_offers;
  profile_count integer;
  payment_id uuid;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('subscriptions', uid, 30, '1 minute');
  perform private.lock_relation(uid, begin_subscription.creator_id);
  perform private.require_can_subscribe(begin_subscription.creator_id);
  select * into subscription from public.subscriptions s
  where s.subscriber_id = uid and s.creator_id = begin_subscription.creator_id and s.state <> 'ended' for update;
  if subscription.state = 'active' and not private.is_subscribed(uid, begin_subscription.creator_id) then
    -- The subscription has expired, but the renewals job has not ended it yet.
    perform private.end_subscription(subscription.id);
    subscription := null;
  end if;
  if subscription.state = 'active' then
    perform private.require_same_subscription(begin_subscription.creator_id, chosen_months, amount);
    update public.subscriptions s set cancelled_at = null where s.id = subscription.id and s.cancelled_at is not null;
    return null;
  end if;
  select * into offer from private.subscription_offers o
  where o.creator_id = begin_subscription.creator_id and o.months = coalesce(chosen_months, 1);
  if not found then
    raise exception 'This creator no longer offers subscriptions for % months.', chosen_months
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  if coalesce(amount * 100, private.subscription_price_cents()) <> offer.price_cents then
    raise exception 'The price of this subscription is now $%.', to_char(offer.price_cents / 100.0, 'FM9990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  if (subscription.months, subscription.price_cents) <> (offer.months, offer.price_cents) then
    -- The pending subscription has another length, or a price that has changed since.
    perform private.end_subscription(subscription.id);
    subscription := null;
  end if;
  if subscription.id is null then
    insert into public.subscriptions (subscriber_id, creator_id, price_cents, months)
    values (uid, begin_subscription.creator_id, offer.price_cents, offer.months)
    returning * into subscription;
    -- A concurrent account deletion may have read the list of subscriptions to end before this row existed. Locking
    -- both profiles settles the race: either this transaction waits for the deletion and finds a profile missing, or
    -- the deletion waits for this transaction and ends the new subscription.
    perform from public.profiles p where p.id in (uid, begin_subscription.creator_id) order by p.id for key share;
    get diagnostics profile_count = row_count;
    if profile_count < 2 then raise exception 'User not found' using errcode = 'PT404'; end if;
  end if;
  -- A payment that was begun with another provider switches to the current one.
  update public.payments p set provider = payment_provider
  where p.subscription_id = subscription.id and p.state = 'pending'
  returning p.id into payment_id;
  if not found then
    insert into public.payments
      (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider)
    values ('subscription', uid, begin_subscription.creator_id, subscription.id, clock_timestamp(), subscription.months,
            subscription.price_cents, private.platform_fee_cents(subscription.price_cents), payment_provider)
    returning id into payment_id;
  end if;
  return payment_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_payout(target_payout_id uuid, outcome text, note text, admin_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payout public.payouts;
  account_exists boolean;
begin
  select * into payout from public.payouts p where p.id = target_payout_id;
  -- Locks in the same order as account deletion: the counters, which the notification changes, before the profile.
  perform private.lock_user_counters(array[payout.user_id]);
  select * into payout from public.payouts p where p.id = target_payout_id for update;
  if payout.state = outcome then return false; end if;
  if payout.state <> 'requested' then
    raise exception 'This payout was already settled as %.', payout.state using errcode = 'PT409';
  end if;
  -- The profile is locked before anything refers to it. If a concurrent deletion commits first, the money of a failed
  -- payout goes to the platform.
  account_exists := exists (select from public.profiles p where p.id = payout.user_id for key share);
  perform private.create_notification(payout.user_id, null, 'payout',
    detail => case outcome when 'paid' then 'paid ' else 'failed ' end
            || '$' || to_char(payout.amount_cents / 100.0, 'FM999999990.00')
            || case when outcome = 'failed' then ': ' || btrim(note) else '' end)
  where account_exists;
  update public.payouts p
  set state = outcome, settled_at = clock_timestamp(), settled_by = admin_id,
      reference = case when outcome = 'paid' then nullif(btrim(note), '') end,
      failure = case when outcome = 'failed' then btrim(note) end,
      -- The name and the masked details are personal data, so they are not kept longer than the account.
      method_name = case when account_exists then p.method_name else p.method_type end,
      method_masked = case when account_exists then p.method_masked else '••••' end
  where p.id = target_payout_id;
  delete from private.payout_destinations t where t.payout_id = target_payout_id;
  if outcome = 'paid' then
    perform private.book_transaction('payout_paid', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('processor', null, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  elsif account_exists then
    perform private.book_transaction('payout_failed', payout.user_id, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('creator', payout.user_id, 'payout', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  else
    perform private.book_transaction('payout_failed', null, null, null, array[
      ('payouts', null, 'payout', -payout.amount_cents)::private.ledger_line,
      ('platform', null, 'given_up', payout.amount_cents)::private.ledger_line],
      booked_payout_id => target_payout_id);
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.consume_video_check()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.enforce_rate_limit('video check', auth.uid(), 30, '1 minute');
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_due_post(target_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid := (select s.author_id from public.scheduled_posts s where s.id = target_id);
  scheduled public.scheduled_posts;
  problem text;
  state text;
  code text;
begin
  if owner_id is null then return 'skipped'; end if;
  -- Does not wait for the deletion of the account, because waiting would delay the posts of other users.
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(owner_id)) then
    raise exception 'Another transaction has locked the author''s account.' using errcode = 'lock_not_available';
  end if;
  -- Does not wait for an edit that is in progress either.
  select * into scheduled from public.scheduled_posts s
  where s.id = target_id and s.failure is null and s.publish_at <= clock_timestamp() for update skip locked;
  if not found then return 'skipped'; end if;
  if exists (select from public.accounts a where a.user_id = owner_id and a.read_only_reason is null) then
    begin
      perform private.publish_scheduled(scheduled);
      return 'published';
    exception when others then
      get stacked diagnostics state = returned_sqlstate, code = pg_exception_detail;
      -- These are errors that our functions raise, invalid data and violated constraints. A retry would fail again.
      if state !~ '^(PT4|22|23)' then raise; end if;
      problem := case when code in ('creators_only', 'email_unconfirmed', 'quote_unavailable') then code
                      when code = 'media_not_usable' then 'media_unavailable' else 'other' end;
    end;
  elsif scheduled.publish_at > clock_timestamp() - private.scheduled_post_grace() then
    return 'skipped';
  else
    problem := 'account_restricted';
  end if;
  update public.scheduled_posts s set failure = problem where s.id = target_id;
  perform private.create_notification(owner_id, null, 'scheduled_post');
  return 'failed';
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_days(max_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done_at timestamptz;
  first_day date;
  last_day date;
  from_time timestamptz;
  to_time timestamptz;
begin
  -- One run at a time.
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done_at from private.rollups r where r.name = 'days';
  first_day := least(
    today, ((coalesce(last_done_at, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  last_day := least(today, first_day + greatest(2, max_days) - 1);
  from_time := first_day::timestamp at time zone 'UTC';
  to_time := (last_day + 1)::timestamp at time zone 'UTC';
  create temporary table new_days on commit drop as
  select e.creator_id, (e.at at time zone 'UTC')::date as day,
         count(*) filter (where e.kind = 'like')::integer as likes,
         count(*) filter (where e.kind = 'comment')::integer as comments,
         count(*) filter (where e.kind = 'follow')::integer as followers,
         count(*) filter (where e.kind = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as kind
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
      and c.hidden is null
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time
      -- After a pause or a late payment, a subscription starts over, but its subscriber is not new.
      and not exists (select from public.payments b
                      where b.subscription_id = s.id and b.state = 'paid' and b.period_start < s.started_at)) e
  group by 1, 2;
  analyze pg_temp.new_days;
  perform private.lock_creators(array(select n.creator_id from pg_temp.new_days n));
  -- Resets the days whose events no longer exist.
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between first_day and last_day and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.new_days n where n.creator_id = d.creator_id and n.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select n.creator_id, n.day, n.likes, n.comments, n.followers, n.subscribers
  from pg_temp.new_days n join public.profiles p on p.id = n.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.new_days;
  insert into private.rollups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - last_day;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_next_mass_message(target_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mass_message public.mass_messages;
  last_recipient_id uuid;
  recipient_id uuid;
begin
  select * into mass_message from public.mass_messages m where m.id = target_id;
  -- Keeps the creator's account from being deleted until the end of the transaction: see
  -- private.lock_account_dependents. Does not wait for a deletion to finish, because waiting would delay the messages
  -- of other creators.
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(mass_message.creator_id)) then
    raise exception 'Another transaction has locked the creator''s account.' using errcode = 'lock_not_available';
  end if;
  perform from public.mass_messages m where m.id = target_id and m.finished_at is null for no key update;
  if not found then return false; end if;
  if not exists (select from public.accounts a join public.profiles p on p.id = a.user_id
                 where a.user_id = mass_message.creator_id and a.read_only_reason is null and p.is_creator) then
    perform private.finish_mass_message(target_id, true);
    return false;
  end if;
  select m.receiver_id into last_recipient_id from public.messages m
  where m.mass_message_id = target_id order by m.receiver_id desc limit 1;
  select r.subscriber_id into recipient_id from private.messageable_subscribers r
  where r.creator_id = mass_message.creator_id and r.started_at <= mass_message.created_at
    and r.subscriber_id > coalesce(last_recipient_id, '00000000-0000-0000-0000-000000000000')
  order by r.subscriber_id limit 1;
  if not found then
    perform private.finish_mass_message(target_id, false);
    return false;
  end if;
  insert into public.messages (sender_id, receiver_id, content, mass_message_id)
  values (mass_message.creator_id, recipient_id, mass_message.content, target_id);
  return true;
exception when foreign_key_violation then
  -- The recipient's account has just been deleted. The next call skips it.
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_welcome_message(target_subscription_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscription public.subscriptions;
begin
  select * into subscription from public.subscriptions s where s.id = target_subscription_id;
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(subscription.creator_id)) then
    raise exception 'Another transaction has locked the creator''s account.' using errcode = 'lock_not_available';
  end if;
  delete from private.welcome_queue q where q.subscription_id = target_subscription_id;
  if not found then return false; end if;
  insert into public.messages (sender_id, receiver_id, content)
  select w.creator_id, r.subscriber_id, w.content
  from public.welcome_messages w
  join public.profiles p on p.id = w.creator_id and p.is_creator
  join public.accounts a on a.user_id = w.creator_id and a.read_only_reason is null
  join private.messageable_subscribers r on r.creator_id = w.creator_id
  join public.subscriptions s on s.id = target_subscription_id and s.state = 'active'
  where w.creator_id = subscription.creator_id and r.subscriber_id = subscription.subscriber_id;
  return found;
exception when foreign_key_violation then
  -- The subscriber's account has just been deleted. The next call removes the subscription from the queue.
  return false;
end
$function$;

COMMENT ON COLUMN "public"."conversations"."last_change" IS 'Number of the latest change, such as an edit, deletion or reaction.';
