set local check_function_bodies = off;

CREATE TABLE "public"."mass_messages" ("id" uuid NOT NULL, "creator_id" uuid NOT NULL, "content" text NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "recipients" integer NOT NULL, "sent" integer, "finished_at" timestamp with time zone, "stopped" boolean NOT NULL DEFAULT false, CONSTRAINT "mass_messages_check1" CHECK (((finished_at IS NOT NULL) OR (NOT stopped))), CONSTRAINT "mass_messages_check" CHECK (((finished_at IS NULL) = (sent IS NULL))), CONSTRAINT "mass_messages_content_check" CHECK ((char_length(content) <= 5000)), CONSTRAINT "mass_messages_pkey" PRIMARY KEY (id), CONSTRAINT "mass_messages_recipients_check" CHECK ((recipients > 0)));

ALTER TABLE "public"."mass_messages" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."messages" ADD COLUMN "mass_message_id" uuid;

CREATE OR REPLACE FUNCTION private.create_mass_message(message_id uuid, new_content text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  stored_creator_id uuid;
  next_at timestamptz;
  recipient_count integer;
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  -- One at a time, so that concurrent requests cannot exceed the limits.
  perform pg_advisory_xact_lock(hashtextextended('mass_messages:' || uid::text, 0));
  select m.creator_id into stored_creator_id from public.mass_messages m where m.id = message_id;
  if found then
    if stored_creator_id <> uid then
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

CREATE OR REPLACE FUNCTION private.finish_mass_message(target_id uuid, is_stopped boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid;
begin
  update public.mass_messages m
  set finished_at = clock_timestamp(), stopped = is_stopped,
      sent = (select count(*) from public.messages s where s.mass_message_id = m.id)
  where m.id = target_id
  returning m.creator_id into owner_id;
  perform private.broadcast_to_user(owner_id, 'mass_message.finished', '{}');
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
    'recipients', (select count(*) from private.messageable_subscribers r where r.creator_id = uid),
    'nextAt', private.next_mass_message_at(),
    'messages', (
      select coalesce(json_agg(private.mass_message_json(m) order by m.created_at desc), '[]')
      from (select * from public.mass_messages m where m.creator_id = uid order by m.created_at desc limit 5) m));
end
$function$;

CREATE OR REPLACE FUNCTION private.mass_message_json(mass_message public.mass_messages)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select json_build_object(
    'id', mass_message.id, 'content', mass_message.content, 'createdAt', mass_message.created_at,
    'recipients', mass_message.recipients,
    'sent', coalesce(mass_message.sent,
                     (select count(*) from public.messages m where m.mass_message_id = mass_message.id)),
    'read', case when mass_message.sent <= 10000 then (
      select count(*) from public.messages m
      join public.conversation_members r on r.conversation_id = m.conversation_id and r.user_id = m.receiver_id
      where m.mass_message_id = mass_message.id and m.seq <= r.last_read_seq
        and m.receiver_id <> all ((select private.blocked_user_ids())::uuid[])) end,
    'finishedAt', mass_message.finished_at, 'stopped', mass_message.stopped)
$function$;

CREATE OR REPLACE FUNCTION private.message_json(message public.messages, receiver_read_seq bigint)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  quoted json;
begin
  if message.reply_to_id is not null then
    select json_build_object(
      'id', q.id, 'seq', q.seq, 'senderId', q.sender_id, 'content', left(q.content, 200),
      'hasImage', q.media_id is not null and q.media_duration is null, 'voiceSeconds', q.media_duration,
      'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return json_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at,
    'isRead', coalesce(message.seq <= receiver_read_seq, false),
    'toSubscribers', message.mass_message_id is not null,
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', case when message.media_duration is null then '/api/media/' || message.media_id end,
    'imageWidth', message.media_width, 'imageHeight', message.media_height,
    'placeholder', case when message.media_duration is null then message.placeholder end,
    'voice', case when message.media_duration is not null then json_build_object(
      'url', '/api/media/' || message.media_id, 'seconds', message.media_duration, 'levels', message.placeholder) end,
    'replyTo', quoted, 'reactions', message.reactions);
end
$function$;

CREATE OR REPLACE FUNCTION private.next_mass_message_at()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.created_at + interval '1 day' from public.mass_messages m
  where m.creator_id = auth.uid() and m.created_at > clock_timestamp() - interval '1 day'
  order by m.created_at desc offset 2 limit 1
$function$;

CREATE OR REPLACE FUNCTION private.on_message_created()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message jsonb := private.message_json(new, null);
  sender_unread_count integer;
  receiver_unread_count integer;
  sender_unread_total integer;
  receiver_unread_total integer;
begin
  with updated as (
    update public.conversation_members m
    set last_message_id = new.id, last_message_at = new.created_at,
        unread_count = m.unread_count + (m.user_id = new.receiver_id)::integer,
        unread_since = case when m.user_id = new.receiver_id then coalesce(m.unread_since, new.created_at)
                            else m.unread_since end
    where m.conversation_id = new.conversation_id
      and (m.user_id = new.receiver_id or (m.has_written and new.mass_message_id is null))
    returning m.user_id, m.unread_count
  )
  select max(u.unread_count) filter (where u.user_id = new.sender_id),
         max(u.unread_count) filter (where u.user_id = new.receiver_id)
  into sender_unread_count, receiver_unread_count
  from updated u;
  if sender_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id,
            case when new.mass_message_id is null then new.id end,
            case when new.mass_message_id is null then new.created_at else 'epoch' end, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
      where new.mass_message_id is null
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast in this conversation: see
    -- private.can_broadcast_to_conversation.
    if found then
      perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                            private.conversation_topic(new.sender_id, new.receiver_id), true);
    end if;
  end if;
  if receiver_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, unread_count, unread_since)
    values (new.receiver_id, new.sender_id, new.conversation_id, new.id, new.created_at, 1, new.created_at)
    returning m.unread_count into receiver_unread_count;
  end if;

  if new.seq = 1 then
    perform private.create_notification(new.receiver_id, new.sender_id, 'message', target_message_id => new.id);
  end if;

  update public.user_counters c set unread_messages = c.unread_messages + 1
  where c.user_id = new.receiver_id
  returning c.unread_messages,
            (select s.unread_messages from public.user_counters s where s.user_id = new.sender_id)
  into receiver_unread_total, sender_unread_total;
  -- Like private.broadcast_to_user, but in one statement for both users, the receiver first. For a mass message, the
  -- sender gets another event: see private.finish_mass_message.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    case when new.mass_message_id is null then realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true) end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_can_send_mass_messages()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  if not exists (select from public.profiles p where p.id = auth.uid() and p.is_creator) then
    raise exception 'Only creators can message their subscribers.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  perform private.require_confirmed_email();
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
  -- private.lock_account_dependents.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(mass_message.creator_id));
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

CREATE OR REPLACE FUNCTION private.stop_mass_message(target_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mass_message public.mass_messages;
begin
  if private.can_use_messages() then
    -- Waits for the message that is being sent, so that the next statement counts it.
    select * into mass_message from public.mass_messages m
    where m.id = target_id and m.creator_id = auth.uid() for no key update;
  end if;
  if mass_message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  if mass_message.finished_at is null then perform private.finish_mass_message(target_id, true); end if;
end
$function$;

ALTER TABLE "public"."mass_messages" ADD CONSTRAINT "mass_messages_creator_id_fkey" FOREIGN KEY (creator_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE VIEW "private"."messageable_subscribers" AS  SELECT s.creator_id,
    s.subscriber_id,
    s.started_at
   FROM ((public.subscriptions s
     JOIN public.profiles p ON (((p.id = s.subscriber_id) AND p.allow_direct_messages)))
     JOIN public.accounts a ON (((a.user_id = s.subscriber_id) AND (a.suspended_at IS NULL))))
  WHERE ((s.state = 'active'::text) AND private.is_subscribed(s.subscriber_id, s.creator_id) AND (NOT (EXISTS ( SELECT
           FROM public.blocks b
          WHERE ((b.blocker_id = s.subscriber_id) AND (b.blocked_id = s.creator_id))))) AND (NOT (EXISTS ( SELECT
           FROM public.blocks b
          WHERE ((b.blocker_id = s.creator_id) AND (b.blocked_id = s.subscriber_id))))));

CREATE INDEX mass_messages_creator_id_idx ON public.mass_messages USING btree (creator_id, created_at DESC);

CREATE UNIQUE INDEX mass_messages_unfinished_key ON public.mass_messages USING btree (creator_id) WHERE (finished_at IS NULL);

CREATE UNIQUE INDEX messages_mass_message_id_key ON public.messages USING btree (mass_message_id, receiver_id) WHERE (mass_message_id IS NOT NULL);

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.mass_messages FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

COMMENT ON TABLE "public"."mass_messages" IS 'Messages that creators sent to all of their subscribers.';

REVOKE ALL ON FUNCTION "private"."create_mass_message"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_mass_message"(uuid, text) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."finish_mass_message"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."finish_mass_message"(uuid, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_mass_messages"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_mass_messages"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."mass_message_json"(public.mass_messages) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."mass_message_json"(public.mass_messages) TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_mass_message_at"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."next_mass_message_at"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_can_send_mass_messages"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_can_send_mass_messages"() TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."send_next_mass_message"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_next_mass_message"(uuid) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."stop_mass_message"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."stop_mass_message"(uuid) TO "authenticated", "postgres";

GRANT SELECT ON TABLE "public"."mass_messages" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."mass_messages" TO "postgres";

GRANT SELECT ON TABLE "public"."mass_messages" TO "service_role";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "private"."messageable_subscribers" TO "postgres";

-- Written by hand, because drafts leave out scheduled jobs.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values ('mass-messages', '* * * * *')) as listed(name, minutes) loop
    perform cron.schedule('ovation-' || job.name, job.minutes, format($job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s?scheduled=1',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;
