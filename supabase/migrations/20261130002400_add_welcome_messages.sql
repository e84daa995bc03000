set local check_function_bodies = off;

CREATE TABLE "private"."welcome_queue" ("subscription_id" uuid NOT NULL, "queued_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "welcome_queue_pkey" PRIMARY KEY (subscription_id));

CREATE TABLE "public"."welcome_messages" ("creator_id" uuid NOT NULL, "content" text NOT NULL, "updated_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "welcome_messages_content_check" CHECK ((char_length(content) <= 5000)), CONSTRAINT "welcome_messages_pkey" PRIMARY KEY (creator_id));

ALTER TABLE "public"."welcome_messages" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.list_welcome_queue(max_rows integer)
 RETURNS TABLE(subscription_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$ select q.subscription_id from private.welcome_queue q order by q.queued_at limit max_rows $function$;

CREATE OR REPLACE FUNCTION private.queue_welcome_message(subscription public.subscriptions)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.welcome_queue (subscription_id)
  select subscription.id from public.welcome_messages w where w.creator_id = subscription.creator_id
  on conflict do nothing
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
    raise exception 'The creator''s account is locked.' using errcode = 'lock_not_available';
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

CREATE OR REPLACE FUNCTION private.set_welcome_message(new_content text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  perform private.require_can_send_mass_messages();
  perform private.enforce_rate_limit('welcome messages', uid, 30, '1 minute');
  if private.is_blank(new_content) then
    delete from public.welcome_messages w where w.creator_id = uid;
  else
    perform private.require_message_text(new_content, false);
    insert into public.welcome_messages (creator_id, content) values (uid, new_content)
    on conflict (creator_id) do update set content = excluded.content, updated_at = clock_timestamp();
  end if;
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
  new_periods := subscription.periods + 1;
  -- After the grace period, the count of months starts over, so that nobody pays for time without access.
  if subscription.period_end + private.renewal_grace() <= clock_timestamp() then
    new_start := clock_timestamp();
    new_periods := 1;
  elsif payment.period_start > subscription.started_at + subscription.periods * interval '1 month' then
    -- The first month after a pause.
    new_start := payment.period_start;
    new_periods := 1;
  end if;
  -- A first month starts when it is paid for, not when its payment was begun.
  if new_periods = 1 then
    update public.payments p set period_start = new_start where p.id = payment.id;
  end if;
  update public.subscriptions s
  set state = 'active', started_at = new_start, periods = new_periods,
      -- A month that the provider charged for during a pause is reported after the pause, and may end before
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

ALTER TABLE "private"."welcome_queue" ADD CONSTRAINT "welcome_queue_subscription_id_fkey" FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id) ON DELETE CASCADE;

ALTER TABLE "public"."welcome_messages" ADD CONSTRAINT "welcome_messages_creator_id_fkey" FOREIGN KEY (creator_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX welcome_queue_queued_at_idx ON private.welcome_queue USING btree (queued_at);

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.welcome_messages FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

COMMENT ON TABLE "public"."welcome_messages" IS 'The message that new subscribers of a creator get.';

REVOKE ALL ON FUNCTION "private"."list_welcome_queue"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_welcome_queue"(integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."queue_welcome_message"(public.subscriptions) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."queue_welcome_message"(public.subscriptions) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_welcome_message"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_welcome_message"(uuid) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."set_welcome_message"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_welcome_message"(text) TO "authenticated", "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."welcome_queue" TO "postgres";

GRANT SELECT ON TABLE "public"."welcome_messages" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."welcome_messages" TO "postgres";

GRANT SELECT ON TABLE "public"."welcome_messages" TO "service_role";
