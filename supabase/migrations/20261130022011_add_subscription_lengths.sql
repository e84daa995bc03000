set local check_function_bodies = off;

-- Other transactions wait behind this one.
set local lock_timeout = '5s';

DROP FUNCTION "private"."begin_subscription"(uuid, text);

DROP FUNCTION "private"."own_sale"(uuid);

ALTER TABLE "public"."payments" ADD COLUMN "months" smallint NOT NULL DEFAULT 1;

ALTER TABLE "public"."profile_details" ADD COLUMN "quarterly_discount" smallint;

ALTER TABLE "public"."profile_details" ADD COLUMN "half_yearly_discount" smallint;

ALTER TABLE "public"."profile_details" ADD COLUMN "yearly_discount" smallint;

ALTER TABLE "public"."subscriptions" ADD COLUMN "months" smallint NOT NULL DEFAULT 1;

CREATE OR REPLACE FUNCTION private.begin_renewals(max_rows integer, payment_provider text, are_payments_off boolean DEFAULT false)
 RETURNS TABLE(payment uuid, paused boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed_ids uuid[];
  due public.subscriptions;
begin
  perform private.cancel_unrenewable_subscriptions(max_rows);
  select coalesce(array_agg(d.id), '{}') into claimed_ids from (
    select s.id from public.subscriptions s
    where s.state = 'active' and s.period_end <= (select clock_timestamp())
      and (s.provider_reference is null or s.cancelled_at is not null
           or s.period_end + private.renewal_grace() < clock_timestamp())
      and coalesce(s.renewal_begun_at, '-infinity') < clock_timestamp() - interval '5 minutes'
    order by s.period_end limit max_rows for update skip locked) d;
  update public.subscriptions s set renewal_begun_at = clock_timestamp() where s.id = any (claimed_ids);
  -- Ending a subscription changes its creator's counts, so lock the counts of all these creators in a
  -- consistent order.
  perform from public.profile_counts c
  where c.user_id in (select s.creator_id from public.subscriptions s where s.id = any (claimed_ids))
  order by c.user_id for no key update;
  for due in select s.* from public.subscriptions s where s.id = any (claimed_ids) order by s.period_end loop
    payment := null;
    paused := are_payments_off and due.cancelled_at is null
      and private.can_renew_subscription(due.subscriber_id, due.creator_id);
    if paused then
      with extended as (
        update public.subscriptions s set period_end = private.paused_until() where s.id = due.id returning s.period_end)
      update public.payments p set period_start = extended.period_end from extended
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end;
    elsif due.cancelled_at is not null or payment_provider is null or due.provider_reference is not null
       or (due.period_end + private.renewal_grace() < clock_timestamp() and exists (
         select from public.payments p
         where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end))
       or not private.can_renew_subscription(due.subscriber_id, due.creator_id) then
      perform private.end_subscription(due.id);
    else
      update public.payments p set provider = payment_provider
      where p.subscription_id = due.id and p.state = 'pending' and p.period_start = due.period_end
      returning p.id into payment;
      if not found then
        insert into public.payments
          (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider)
        values ('subscription', due.subscriber_id, due.creator_id, due.id, due.period_end, due.months, due.price_cents,
                private.platform_fee_cents(due.price_cents), payment_provider)
        returning id into payment;
      end if;
    end if;
    return next;
  end loop;
end
$function$;

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
    -- A concurrent account deletion may have collected the subscriptions that it ends before this row existed. Locking
    -- both profiles settles the race: either this transaction waits for the deletion and finds a profile
    -- missing, or the deletion waits for this transaction and ends the new subscription.
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

CREATE OR REPLACE FUNCTION private.own_sale(payment_id uuid)
 RETURNS TABLE(payer_id uuid, payer_gone boolean, note text, post_id uuid, message_id uuid, months smallint)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
  select case when not private.are_blocked(p.payer_id, p.payee_id) then u.id end, u.id is null, p.note,
         coalesce(p.post_id, p.about_post_id), p.message_id, p.months
  from public.payments p left join public.profiles u on u.id = p.payer_id
  where p.id = payment_id and p.payee_id = auth.uid() and p.state in ('paid', 'refunded')
$function$;

CREATE OR REPLACE FUNCTION private.pending_charge(payment_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'amountCents', p.amount_cents, 'reference', p.provider_reference,
    'payerId', p.payer_id, 'payerEmail', a.email, 'postId', coalesce(p.post_id, p.about_post_id),
    'messageId', p.message_id, 'payeeId', p.payee_id,
    'subscriptionId', p.subscription_id, 'planId', p.plan_id, 'months', p.months,
    'payee', (select r.username from public.profiles r where r.id = p.payee_id),
    'customer', (select c.reference from private.payment_customers c
                 where c.provider = p.provider and c.user_id = p.payer_id))
  from public.payments p left join public.accounts a on a.user_id = p.payer_id
  where p.id = payment_id and p.state = 'pending'
$function$;

CREATE OR REPLACE FUNCTION private.refund_payment(payment_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  if payment.provider = 'test' then perform private.lock_test_money(); end if;
  perform private.lock_payment(payment);
  update public.payments p set state = 'refunded' where p.id = payment.id and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment.id;
  perform private.revoke_photo_unlock(payment.id);
  -- Refunding an earlier period does not end the current one.
  if payment.period_start is not null and not exists (
    select from public.payments p
    where (p.subscription_id = payment.subscription_id or p.plan_id = payment.plan_id) and p.state = 'paid'
      and p.period_start > (select r.period_start from public.payments r where r.id = payment.id)
  ) then
    perform private.end_subscription(payment.subscription_id);
    perform private.end_creator_plan(payment.plan_id);
  end if;
  perform private.book_payment(payment, -1);
  if payment.provider = 'test' then perform private.void_test_refund(payment); end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_same_subscription(creator_id uuid, chosen_months integer, amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.subscriptions s
    where s.subscriber_id = auth.uid() and s.creator_id = require_same_subscription.creator_id and s.state = 'active'
      and private.is_subscribed(s.subscriber_id, s.creator_id)
      and (chosen_months <> s.months or amount * 100 <> s.price_cents)
  ) then
    raise exception 'You''re already subscribed. You can choose another length when your subscription has ended.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_provider_period(subscription_reference text, payment_reference text, paid_cents integer, invoiced_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscription public.subscriptions;
  plan public.creator_plans;
  payment_id uuid;
begin
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if found then return private.settle_payment(payment_id, payment_reference); end if;
  select * into subscription from public.subscriptions s where s.provider_reference = subscription_reference;
  if found then
    perform private.lock_relation(subscription.subscriber_id, subscription.creator_id);
    select * into subscription from public.subscriptions s where s.id = subscription.id for update;
    -- Another call for the same invoice may have finished while this one waited for the lock.
    select p.id into payment_id from public.payments p
    where p.provider = 'stripe' and p.provider_reference = payment_reference;
    if not found then
      insert into public.payments
        (kind, payer_id, payee_id, subscription_id, period_start, months, amount_cents, fee_cents, provider, state)
      values ('subscription', subscription.subscriber_id, subscription.creator_id, subscription.id,
              private.provider_period_start(
                subscription.started_at, subscription.periods, subscription.period_end, invoiced_at),
              subscription.months, paid_cents, private.platform_fee_cents(paid_cents), 'stripe',
              case when subscription.state = 'ended' then 'void' else 'pending' end)
      on conflict (subscription_id, period_start) where state in ('pending', 'paid')
      do update set provider = 'stripe', amount_cents = excluded.amount_cents, fee_cents = excluded.fee_cents
      returning id into payment_id;
    end if;
    return private.settle_payment(payment_id, payment_reference);
  end if;
  select * into plan from public.creator_plans s where s.provider_reference = subscription_reference;
  if not found then return false; end if;
  perform private.lock_creator_plan(plan.user_id);
  select * into plan from public.creator_plans s where s.id = plan.id for update;
  select p.id into payment_id from public.payments p
  where p.provider = 'stripe' and p.provider_reference = payment_reference;
  if not found then
    insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider, state)
    values ('creator_pro', plan.user_id, plan.id,
            private.provider_period_start(plan.started_at, plan.periods, plan.period_end, invoiced_at), paid_cents, 0,
            'stripe', case when plan.state = 'ended' then 'void' else 'pending' end)
    on conflict (plan_id, period_start) where state in ('pending', 'paid') and plan_id is not null
    do update set provider = 'stripe', amount_cents = excluded.amount_cents
    returning id into payment_id;
  end if;
  return private.settle_payment(payment_id, payment_reference);
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_subscription(payment public.payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscription public.subscriptions;
  new_start timestamptz;
  new_periods integer;
begin
  select * into subscription from public.subscriptions s where s.id = payment.subscription_id;
  if subscription.state = 'ended' or private.are_blocked(payment.payer_id, payment.payee_id)
     or not exists (select from public.profiles p where p.id = payment.payer_id for key share)
     or not exists (select from public.profiles p where p.id = payment.payee_id for key share) then
    return false;
  end if;
  new_start := coalesce(subscription.started_at, clock_timestamp());
  new_periods := subscription.periods + payment.months;
  -- After the grace period, the count of months starts over, so that nobody pays for time without access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := payment.months;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first period after a pause.
    new_start := payment.period_start;
    new_periods := payment.months;
  end if;
  -- A first period starts when it is paid for, not when its payment was begun.
  if new_periods = payment.months then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A period that the provider charged for during a pause is reported after the pause, and may end before
      -- period_end.
      period_end = greatest(new_start + new_periods * interval '1 month', subscription.period_end)
  where s.id = subscription.id;
  if subscription.state = 'pending' then
    perform private.queue_welcome_message(subscription);
    perform private.create_notification(payment.payee_id, payment.payer_id, 'subscription');
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.update_profile(target_user_id uuid, changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  about public.profile_about;
begin
  if changes ?| array['username', 'full_name', 'first_name', 'last_name'] then
    update public.profiles p set
      username = coalesce(changes ->> 'username', p.username),
      full_name = coalesce(changes ->> 'full_name', p.full_name),
      first_name = case when changes ? 'first_name' then changes ->> 'first_name' else p.first_name end,
      last_name = case when changes ? 'last_name' then changes ->> 'last_name' else p.last_name end
    where p.id = target_user_id;
  end if;
  if changes ?| array['bio', 'quarterly_discount', 'half_yearly_discount', 'yearly_discount'] then
    update public.profile_details d
    set (bio, quarterly_discount, half_yearly_discount, yearly_discount) = (
      select r.bio, r.quarterly_discount, r.half_yearly_discount, r.yearly_discount
      from jsonb_populate_record(d, changes) r)
    where d.user_id = target_user_id;
  end if;
  if changes ? 'phone_number' then
    update public.accounts a set phone_number = coalesce(changes ->> 'phone_number', a.phone_number)
    where a.user_id = target_user_id;
  end if;
  select * into about from public.profile_about a where a.user_id = target_user_id for update;
  about := jsonb_populate_record(about, changes - 'user_id');
  update public.profile_about a set
    studied_at = about.studied_at, lives_in = about.lives_in, from_location = about.from_location,
    relationship_status = about.relationship_status, gender = about.gender, age = about.age, website = about.website,
    tiktok_url = about.tiktok_url, x_url = about.x_url, instagram_url = about.instagram_url,
    facebook_url = about.facebook_url, pinterest_url = about.pinterest_url, twitch_url = about.twitch_url,
    snapchat_url = about.snapchat_url, youtube_url = about.youtube_url, onlyfans_url = about.onlyfans_url,
    fanfix_url = about.fanfix_url, show_studied_at = about.show_studied_at, show_lives_in = about.show_lives_in,
    show_from = about.show_from, show_relationship_status = about.show_relationship_status,
    show_gender = about.show_gender, show_age = about.show_age, show_website = about.show_website,
    show_social_links = about.show_social_links, country = about.country,
    allow_auto_posting = about.allow_auto_posting, approve_auto_posts = about.approve_auto_posts
  where a.user_id = target_user_id and a.* is distinct from about;
end
$function$;

ALTER TABLE "public"."payments" ADD CONSTRAINT "payments_months_check" CHECK ((months = ANY (ARRAY[1, 3, 6, 12])));

ALTER TABLE "public"."profile_details" ADD CONSTRAINT "profile_details_half_yearly_discount_check" CHECK (half_yearly_discount between 5 and 50 and half_yearly_discount % 5 = 0);

ALTER TABLE "public"."profile_details" ADD CONSTRAINT "profile_details_quarterly_discount_check" CHECK (quarterly_discount between 5 and 50 and quarterly_discount % 5 = 0);

ALTER TABLE "public"."profile_details" ADD CONSTRAINT "profile_details_yearly_discount_check" CHECK (yearly_discount between 5 and 50 and yearly_discount % 5 = 0);

ALTER TABLE "public"."subscriptions" ADD CONSTRAINT "subscriptions_months_check" CHECK ((months = ANY (ARRAY[1, 3, 6, 12])));

CREATE VIEW "private"."subscription_offers" WITH (security_invoker=true) AS  SELECT d.user_id AS creator_id,
    o.months,
    o.discount,
    (round(((((private.subscription_price_cents() * o.months) * (100 - o.discount)))::numeric / 100.0)))::integer AS price_cents
   FROM (public.profile_details d
     CROSS JOIN LATERAL ( VALUES (1,0), (3,d.quarterly_discount), (6,d.half_yearly_discount), (12,d.yearly_discount)) o(months, discount))
  WHERE (o.discount IS NOT NULL);

COMMENT ON COLUMN "public"."subscriptions"."periods" IS 'The number of paid months since started_at: a period of several months counts as several.';

COMMENT ON TABLE "public"."profile_details" IS 'Bio and cover image of a user, and discounts on subscriptions. Readable by those who can view the profile (profiles.visibility).';

REVOKE ALL ON FUNCTION "private"."begin_subscription"(uuid, text, integer, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_subscription"(uuid, text, integer, numeric) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."own_sale"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_sale"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."require_same_subscription"(uuid, integer, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_same_subscription"(uuid, integer, numeric) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."subscription_price_cents"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "private"."subscription_price_cents"() TO "authenticated";

REVOKE ALL ("months") ON TABLE "public"."subscriptions" FROM "authenticated";

GRANT SELECT ("months") ON TABLE "public"."subscriptions" TO "authenticated";

GRANT SELECT ON TABLE "private"."subscription_offers" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."subscription_offers" TO "postgres";
