set local check_function_bodies = off;

DROP VIEW "private"."messageable_subscribers";

CREATE OR REPLACE FUNCTION private.create_mass_message(message_id uuid, new_content text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  stored public.mass_messages;
  next_at timestamptz;
  recipient_count integer;
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  -- One at a time, so that concurrent requests cannot exceed the limits.
  perform pg_advisory_xact_lock(hashtextextended('mass_messages:' || uid::text, 0));
  select * into stored from public.mass_messages m where m.id = message_id;
  if found then
    if (stored.creator_id, stored.content) <> (uid, new_content) then
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
    end if;
    return false;
  end if;
  perform private.require_can_send_mass_messages();
  if private.is_blank(new_content) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- A violation of the check constraint would write part of the message to the server's log.
  if char_length(new_content) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
  if exists (select from public.mass_messages m where m.creator_id = uid and m.finished_at is null) then
    raise exception 'Your last message to your subscribers is still being sent.'
      using errcode = 'PT409', detail = 'conflict';
  end if;
  next_at := private.next_mass_message_at();
  if next_at is not null then
    raise exception 'You can message your subscribers 3 times a day.'
      using errcode = 'PT429', detail = greatest(1, ceil(extract(epoch from next_at - clock_timestamp())))::text;
  end if;
  select count(*) into recipient_count from private.messageable_subscribers r where r.creator_id = uid;
  if recipient_count = 0 then
    raise exception 'You have no subscribers whom you can message.' using errcode = 'PT409', detail = 'conflict';
  end if;
  insert into public.mass_messages (id, creator_id, content, recipients)
  values (message_id, uid, new_content, recipient_count);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_subscribed(subscriber_id uuid, creator_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.current_subscriptions s
    where s.subscriber_id = is_subscribed.subscriber_id and s.creator_id = is_subscribed.creator_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.list_mass_messages()
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  return json_build_object(
    'subscribers', (select c.subscribers from public.profile_counts c where c.user_id = uid),
    -- Counting takes too long to be repeated each time the page polls for progress.
    'recipients', coalesce(
      (select m.recipients from public.mass_messages m where m.creator_id = uid and m.finished_at is null),
      (select count(*) from private.messageable_subscribers r where r.creator_id = uid)),
    'nextAt', private.next_mass_message_at(),
    'messages', (
      select coalesce(json_agg(private.mass_message_json(m) order by m.created_at desc), '[]')
      from (select * from public.mass_messages m where m.creator_id = uid order by m.created_at desc limit 5) m));
end
$function$;

CREATE OR REPLACE FUNCTION private.search_messages(query_text text, after_created_at timestamp with time zone, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  normalized text := private.normalize_search(btrim(query_text));
  pattern text := '%' || regexp_replace(normalized, '([\\%_])', '\\\1', 'g') || '%';
  cursor_time timestamptz := coalesce(after_created_at, 'infinity');
  cursor_id uuid := coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  -- The scan covers all sent and received messages after this time. Null if it covers all of them.
  scanned_after timestamptz;
  scan_match_count integer;
begin
  if not private.can_use_messages() or private.is_blank(normalized) then return; end if;
  scanned_after := greatest(
    (select m.created_at from public.messages m
     where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1),
    (select m.created_at from public.messages m
     where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1));
  return query
    with latest as materialized (
      select m.id, m.created_at, m.search_text from public.messages m
      where m.sender_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity') and m.mass_message_id is null
      union all
      select m.id, m.created_at, m.search_text from public.messages m
      where m.receiver_id = uid and (m.created_at, m.id) < (cursor_time, cursor_id)
        and m.created_at > coalesce(scanned_after, '-infinity')
    )
    select l.id, l.created_at from latest l
    where l.search_text like pattern
    order by l.created_at desc, l.id desc
    limit max_rows;
  get diagnostics scan_match_count = row_count;
  if scanned_after is null or scan_match_count >= max_rows or char_length(normalized) < 3 then return; end if;
  return query
    select m.id, m.created_at from public.messages m
    where array[m.sender_id, m.receiver_id] @> array[uid] and m.search_text like pattern
      and m.created_at <= scanned_after and (m.created_at, m.id) < (cursor_time, cursor_id)
      and (m.mass_message_id is null or m.receiver_id = uid)
    order by m.created_at desc, m.id desc
    limit max_rows - scan_match_count;
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
  -- private.lock_account_dependents. Does not wait for a deletion to finish, because waiting would delay the messages of
  -- other creators.
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(mass_message.creator_id)) then
    raise exception 'The creator''s account is locked.' using errcode = 'lock_not_available';
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

CREATE VIEW "private"."current_subscriptions" AS  SELECT subscriber_id,
    creator_id,
    started_at
   FROM public.subscriptions s
  WHERE ((state = 'active'::text) AND ((period_end +
        CASE
            WHEN (cancelled_at IS NULL) THEN private.renewal_grace()
            ELSE '00:00:00'::interval
        END) > now()));

CREATE VIEW "private"."messageable_subscribers" AS  SELECT s.creator_id,
    s.subscriber_id,
    s.started_at
   FROM ((private.current_subscriptions s
     JOIN public.profiles p ON (((p.id = s.subscriber_id) AND p.allow_direct_messages)))
     JOIN public.accounts a ON (((a.user_id = s.subscriber_id) AND (a.suspended_at IS NULL))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM public.blocks b
          WHERE ((b.blocker_id = s.subscriber_id) AND (b.blocked_id = s.creator_id))))) AND (NOT (EXISTS ( SELECT
           FROM public.blocks b
          WHERE ((b.blocker_id = s.creator_id) AND (b.blocked_id = s.subscriber_id))))));

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."current_subscriptions" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."messageable_subscribers" TO "postgres";
