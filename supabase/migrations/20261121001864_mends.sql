-- What an unlock that is paid opens. As before, but what its author is told of is held before its payer: an account that
-- is deleted holds them in this order.
create or replace function private.settle_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id for key share) then return false; end if;
  perform private.lock_counters(array[paid.payee_id]);
  if not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.notify_person(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;

-- How often somebody does something is counted before anything of others is held, as where they like a post: a like held
-- the count, and waited for a deletion, which waited for a follow of the same person, which waited for the count.
create or replace function private.before_follow_insert() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_pair(new.follower_id, new.followee_id);
  -- Who accepts a request holds both people already; there was one request for it.
  if auth.uid() is not null and private.setting_local('private.accepting') <> 'on' then
    perform private.enforce_rate('relations', auth.uid(), 120, '1 minute');
  end if;
  perform private.hold_pair(new.follower_id, new.followee_id);
  if private.are_blocked(new.follower_id, new.followee_id) then
    raise exception 'User not found' using errcode = '42501';
  end if;
  return new;
end
$$;
drop trigger limit_follows on public.follows;
drop trigger limit_follow_requests on public.follow_requests;

-- What a subscription changes. As before, but nothing is counted for a creator whose profile is gone: where both are
-- deleted by one statement their counts are still there, and may not be written any more.
create or replace function private.on_subscription_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  was integer := case when tg_op = 'UPDATE' and old.state = 'active' then 1 else 0 end;
  is_now integer := case when new.state = 'active' then 1 else 0 end;
begin
  if is_now <> was then
    update public.profile_counts c set subscribers = greatest(0, c.subscribers + is_now - was)
    where c.user_id = new.creator_id and exists (select from public.profiles p where p.id = new.creator_id);
  end if;
  if new.state = 'ended' then
    update public.payments p set state = 'void', settled_at = clock_timestamp()
    where p.subscription_id = new.id and p.state = 'pending';
  end if;
  -- What the subscriber may read has changed, if they are still there.
  perform private.tell(p.id, 'profile.changed', jsonb_build_object('userId', new.creator_id))
  from public.profiles p where p.id = new.subscriber_id;
  return null;
end
$$;

-- Notifies somebody of what `actor` did; null where nobody in particular did it. As before, but who is gone by the time
-- that it is their turn is told nothing: a comment that named them failed as a whole.
create or replace function private.notify_person(
  receiver uuid, actor uuid, notification_kind text, post uuid default null, comment uuid default null,
  message uuid default null, said text default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  head public.notifications;
  made uuid := gen_random_uuid();
  known boolean := false;
  nothing constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if receiver = actor or private.are_blocked(receiver, actor) or not private.wants(receiver, notification_kind) then
    return;
  end if;
  -- Two causes at once join one group, one after the other.
  perform from public.user_counters c where c.user_id = receiver for update;
  -- A block, or the end of an account, may have come while this waited.
  if not found or private.are_blocked(receiver, actor) then return; end if;
  if exists (select from private.withdrawn w
             where w.user_id = receiver and w.actor_id = actor and w.kind = notification_kind
               and w.about = coalesce(post, message, nothing) and w.times >= 3
               and w.since > now() - interval '1 day') then
    return;
  end if;
  if notification_kind in ('like', 'follow', 'comment', 'unlock') then
    select * into head from public.notifications n
    where n.user_id = receiver and n.kind = notification_kind
      and coalesce(n.post_id, '00000000-0000-0000-0000-000000000000')
        = coalesce(post, '00000000-0000-0000-0000-000000000000')
      and n.read_at is null and n.is_head and n.created_at > now() - interval '7 days'
    order by n.created_at desc limit 1;
    known := head.id is not null and exists (
      select from public.notifications n where n.group_id = head.group_id and n.actor_id = actor);
  end if;
  insert into public.notifications
    (id, user_id, actor_id, kind, post_id, comment_id, message_id, detail, group_id, people)
  values (made, receiver, actor, notification_kind, post, comment, message, left(said, 500),
          coalesce(head.group_id, made), coalesce(head.people, 0) + case when known then 0 else 1 end)
  on conflict do nothing;
  if not found then return; end if;
  update public.notifications n set is_head = false, people = 1 where n.id = head.id;
  perform private.tell(receiver, 'notification.created', jsonb_build_object(
    'notificationId', made, 'kind', notification_kind, 'unreadTotal', private.count_notifications(receiver)));
end
$$;

-- Who somebody is to a provider; what was noted first stays. Two first payments of one person note the same at once:
-- without naming the key, as the other unique one is no smaller a conflict.
create or replace function private.note_customer(payment_provider text, person uuid, customer text) returns text
language sql volatile security definer set search_path = ''
as $$
  insert into private.payment_customers (provider, user_id, reference) values (payment_provider, person, customer)
  on conflict do nothing;
  select c.reference from private.payment_customers c where c.provider = payment_provider and c.user_id = person
$$;

-- Switches the weekly payouts on or off. As before, but a day that was set and has not come yet stays: who switched them
-- off and on again waited for up to a week more.
create or replace function private.set_payout_schedule(every_week boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  perform private.require_earner();
  insert into public.payout_schedules as s (user_id, weekly) values (auth.uid(), every_week)
  -- Switched on again after its day, it is a week from now.
  on conflict (user_id) do update set weekly = excluded.weekly,
    next_at = case when excluded.weekly and not s.weekly and s.next_at <= clock_timestamp() then excluded.next_at
                   else s.next_at end;
end
$$;

-- Asks for what is due by everybody's schedule, `most` people at most; answers how many payouts that made. As before, but
-- while the default method waits, the payout waits for it, and the weeks after count from there: it was left out for that
-- week, and nobody was told. Which method is the default is asked while all changes of them wait.
create or replace function private.make_scheduled_payouts(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due record;
  chosen public.payout_methods;
  usable_from timestamptz;
  available bigint;
  made integer := 0;
begin
  for due in
    select s.user_id from public.payout_schedules s
    where s.weekly and s.next_at <= clock_timestamp()
    order by s.next_at limit most for update skip locked
  loop
    perform pg_advisory_xact_lock(hashtextextended('payout-methods:' || due.user_id::text, 0));
    select * into chosen from public.payout_methods m where m.user_id = due.user_id and m.is_default;
    usable_from := chosen.changed_at + private.payout_wait();
    if usable_from > clock_timestamp() then
      update public.payout_schedules s set next_at = usable_from where s.user_id = due.user_id;
      continue;
    end if;
    update public.payout_schedules s
    set next_at = s.next_at + interval '7 days' * (1 + floor(extract(epoch from clock_timestamp() - s.next_at) / 604800))
    where s.user_id = due.user_id;
    perform from public.creator_balances b where b.person_id = due.user_id for update;
    available := private.balance_of(due.user_id) - private.pending_of(due.user_id);
    if chosen.id is null or available < private.minimum_payout()
       or exists (select from public.accounts a where a.user_id = due.user_id and a.read_only_reason is not null)
    then continue; end if;
    perform private.take_out(gen_random_uuid(), due.user_id, 'scheduled', available, chosen);
    made := made + 1;
  end loop;
  return made;
end
$$;

revoke execute on all functions in schema private from public;
