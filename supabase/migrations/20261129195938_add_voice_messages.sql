set local check_function_bodies = off;

DROP INDEX "public"."messages_photos_idx";

ALTER TABLE "public"."media" DROP CONSTRAINT "media_kind_check";

ALTER TABLE "public"."media" DROP CONSTRAINT "media_placeholder_check";

-- These two functions are created again below with renamed parameters, which the API passes by position.
DROP FUNCTION "private"."begin_upload"(uuid, text, text, bigint, text, text, integer, integer, text);

DROP FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid);

ALTER TABLE "private"."hidden_messages" ADD COLUMN "media_duration" integer;

ALTER TABLE "public"."messages" ADD COLUMN "media_duration" integer;

CREATE OR REPLACE FUNCTION private.before_message_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  low uuid := least(new.sender_id::text, new.receiver_id::text)::uuid;
  high uuid := greatest(new.sender_id::text, new.receiver_id::text)::uuid;
  stored public.messages;
  upload public.media;
begin
  -- Policies are checked after this trigger, so this trigger rejects what they would reject, before anything is
  -- counted.
  if uid is not null then
    if new.sender_id is distinct from uid then
      raise exception 'You can only send messages as yourself.' using errcode = '42501';
    end if;
    -- private.require_can_message looks up the reason again, so call it only if there is one.
    if private.message_refusal(new.receiver_id) is not null then
      perform private.require_can_message(new.receiver_id);
    end if;
    if new.media_id is null and private.is_blank(new.content) then
      raise exception 'Please write a message.' using errcode = 'PT400';
    end if;
    -- A violation of the check constraint would write part of the message to the server's log.
    if char_length(new.content) > 5000 then
      raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
    end if;
  end if;
  update public.conversations c set last_seq = c.last_seq + 1
  where c.user_low = low and c.user_high = high
  returning c.id, c.last_seq into new.conversation_id, new.seq;
  if not found then
    insert into public.conversations as c (user_low, user_high, last_seq) values (low, high, 1)
    on conflict (user_low, user_high) do update set last_seq = c.last_seq + 1
    returning c.id, c.last_seq into new.conversation_id, new.seq;
  end if;
  -- Checked under the lock, when nobody else can send in this conversation. If the id is taken, the error also rolls
  -- back a conversation that was created just above.
  select * into stored from public.messages m where m.id = new.id;
  if found then
    if (stored.sender_id, stored.receiver_id) is distinct from (new.sender_id, new.receiver_id) then
      raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
    end if;
    -- The stored message keeps its number, so release the number that was just assigned.
    update public.conversations c set last_seq = c.last_seq - 1 where c.id = new.conversation_id;
    return null;
  end if;
  if new.reply_to_id is not null and not exists (
    select from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise exception 'The message you are replying to is not in this conversation.' using errcode = 'PT400';
  end if;
  if uid is not null then
    perform private.enforce_rate_limit('messages', uid, 60, '1 minute');
  end if;
  if new.media_id is not null then
    if uid is not null then
      upload := private.claim_media(new.media_id,
        case when exists (select from public.media m where m.id = new.media_id and m.kind = 'audio')
             then 'audio' else 'image' end);
    else
      select * into upload from public.media m where m.id = new.media_id;
    end if;
    if upload.kind = 'audio' and new.content <> '' then
      raise exception 'A voice message cannot contain text or an image.' using errcode = 'PT400';
    end if;
    new.media_width := upload.width;
    new.media_height := upload.height;
    new.media_duration := upload.duration_seconds;
    new.placeholder := upload.placeholder;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.begin_upload(upload_id uuid, media_kind text, mime_type text, size_bytes bigint, storage_path text, signed_path text, width_px integer, height_px integer, placeholder_data text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_write();
  perform private.require_storage(auth.uid(), size_bytes);
  insert into public.media (id, owner_id, kind, content_type, bytes, path, incoming_path, width, height, placeholder)
  values (upload_id, auth.uid(), media_kind, mime_type, size_bytes, storage_path, signed_path, width_px, height_px,
          placeholder_data);
end
$function$;

CREATE OR REPLACE FUNCTION private.hide_subject(subject_kind text, target_subject_id uuid, hidden_state text, extra_user_ids uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.messages;
  container_id uuid;
  post_author_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = hidden_state where p.id = target_subject_id and p.hidden is null
    returning p.author_id into post_author_id;
    if not found then return false; end if;
    perform private.withdraw_notifications_about(target_subject_id, '{}', post_author_id, extra_user_ids);
    return true;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    -- A reply that is already hidden with its parent gets its own state, so that it stays hidden when the parent is
    -- restored.
    update public.comments c set hidden = hidden_state
    where c.id = target_subject_id and (c.hidden is null or c.hidden = 'with_parent');
    if not found then return false; end if;
    update public.comments c set hidden = 'with_parent'
    where c.parent_comment_id = target_subject_id and c.hidden is null;
    perform private.withdraw_notifications_about(null, array(
        select c.id from public.comments c where target_subject_id in (c.id, c.parent_comment_id)), null,
      extra_user_ids);
    return true;
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    select * into message from public.messages m where m.id = target_subject_id and m.deleted_at is null;
    if not found then return false; end if;
    insert into private.hidden_messages (message_id, content, reply_to_id, media_id, media_width, media_height,
                                         media_duration, placeholder, reactions, edited_at)
    values (message.id, message.content, message.reply_to_id, message.media_id, message.media_width,
            message.media_height, message.media_duration, message.placeholder, message.reactions, message.edited_at);
    perform private.redact_message(message);
    return true;
  end if;
  return false;
end
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
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', case when message.media_duration is null then '/api/media/' || message.media_id end,
    'imageWidth', message.media_width, 'imageHeight', message.media_height,
    'placeholder', case when message.media_duration is null then message.placeholder end,
    'voice', case when message.media_duration is not null then json_build_object(
      'url', '/api/media/' || message.media_id, 'seconds', message.media_duration, 'levels', message.placeholder) end,
    'replyTo', quoted, 'reactions', message.reactions);
end
$function$;

CREATE OR REPLACE FUNCTION private.redact_message(old public.messages)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed public.messages;
begin
  update public.messages m
  set content = '', deleted_at = clock_timestamp(), edited_at = null, reply_to_id = null, media_id = null,
      media_width = null, media_height = null, media_duration = null, placeholder = null, reactions = '[]',
      version = private.next_message_version(old.conversation_id)
  where m.id = old.id
  returning * into changed;
  -- No email is sent about a deleted message.
  update public.conversation_members r set unread_since = (
    select m.created_at from public.messages m
    where m.conversation_id = r.conversation_id and m.seq > r.last_read_seq and m.receiver_id = r.user_id
      and m.deleted_at is null
    order by m.seq limit 1)
  where r.user_id = old.receiver_id and r.partner_id = old.sender_id and r.unread_count > 0
    and r.last_read_seq < old.seq;
  -- Counters are locked before notifications change: see private.lock_user_counters.
  perform private.lock_user_counters(array[old.sender_id, old.receiver_id]);
  delete from public.notifications n where n.message_id = old.id;
  perform private.broadcast_message_change(changed, 'message.changed');
end
$function$;

CREATE OR REPLACE FUNCTION private.require_can_edit_message(message_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  old public.messages := private.require_message(message_id);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'You can only edit your own messages.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if old.media_duration is not null then
    raise exception 'You can''t edit a voice message.' using errcode = 'PT403';
  end if;
  if old.created_at < clock_timestamp() - interval '15 minutes' then
    raise exception 'You can edit a message for 15 minutes after sending it.'
      using errcode = 'PT403', detail = 'edit_window_over';
  end if;
  perform private.require_can_message(old.receiver_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_subject(subject_kind text, target_subject_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hidden_message private.hidden_messages;
  restored_message public.messages;
  container_id uuid;
begin
  if subject_kind = 'post' then
    update public.posts p set hidden = null where p.id = target_subject_id and p.hidden is not null;
  elsif subject_kind = 'comment' then
    select c.post_id into container_id from public.comments c where c.id = target_subject_id;
    perform from public.posts p where p.id = container_id for no key update;
    update public.comments c
    set hidden = case when exists (
                        select from public.comments o where o.id = c.parent_comment_id and o.hidden is not null)
                      then 'with_parent' end
    where c.id = target_subject_id and c.hidden is not null;
    update public.comments c set hidden = null
    where c.parent_comment_id = target_subject_id and c.hidden = 'with_parent';
  elsif subject_kind = 'message' then
    select m.conversation_id into container_id from public.messages m where m.id = target_subject_id;
    perform from public.conversations c where c.id = container_id for no key update;
    delete from private.hidden_messages h where h.message_id = target_subject_id returning * into hidden_message;
    if not found then return; end if;
    update public.messages m
    set content = hidden_message.content, deleted_at = null, edited_at = hidden_message.edited_at,
        reply_to_id = hidden_message.reply_to_id, media_id = hidden_message.media_id,
        media_width = hidden_message.media_width, media_height = hidden_message.media_height,
        media_duration = hidden_message.media_duration, placeholder = hidden_message.placeholder,
        reactions = hidden_message.reactions, version = private.next_message_version(m.conversation_id)
    where m.id = target_subject_id
    returning * into restored_message;
    perform private.broadcast_message_change(restored_message, 'message.changed');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_message(message_id uuid, receiver_id uuid, new_content text, upload_id uuid, reply_to_message_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  item text;
begin
  -- The trigger skips its checks if there is no caller, because seeds insert messages too.
  if uid is null then raise exception 'Sending a message requires a signed-in user.' using errcode = '42501'; end if;
  insert into public.messages (id, sender_id, receiver_id, content, media_id, reply_to_id)
  values (message_id, uid, receiver_id, new_content, upload_id, reply_to_message_id)
  returning private.message_json(messages, null)::text into item;
  return item;
end
$function$;

CREATE OR REPLACE FUNCTION private.subject_snapshot(subject_kind text, target_subject_id uuid, include_hidden boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case subject_kind
    when 'post' then (
      select jsonb_build_object('personId', p.author_id,
        'media', to_jsonb(array_remove(
          array[coalesce(c.media_id, p.media_id), coalesce(c.poster_id, p.poster_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object(
          'content', coalesce(c.content, p.content), 'teaser', p.teaser, 'mediaType', p.media_type,
          'mediaId', coalesce(c.media_id, p.media_id), 'posterId', coalesce(c.poster_id, p.poster_id),
          'altText', coalesce(c.alt_text, p.alt_text), 'premiumPrice', p.premium_price, 'product', p.product,
          'madeBy', p.made_by, 'createdAt', p.created_at, 'editedAt', p.edited_at)))
      from public.posts p left join public.premium_contents c on c.post_id = p.id
      where p.id = target_subject_id and (include_hidden or p.hidden is null))
    when 'comment' then (
      select jsonb_build_object('personId', c.author_id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('content', c.content, 'postId', c.post_id,
          'parentCommentId', c.parent_comment_id, 'createdAt', c.created_at)))
      from public.comments c
      where c.id = target_subject_id and c.author_id is not null and (include_hidden or c.hidden is null))
    when 'message' then (
      select jsonb_build_object('personId', m.sender_id,
        'media', to_jsonb(array_remove(array[coalesce(h.media_id, m.media_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object('content', coalesce(h.content, m.content), 'mediaType',
          (select u.kind from public.media u where u.id = coalesce(h.media_id, m.media_id)),
          'mediaId', coalesce(h.media_id, m.media_id),
          'createdAt', m.created_at, 'editedAt', coalesce(h.edited_at, m.edited_at))))
      from public.messages m left join private.hidden_messages h on h.message_id = m.id and include_hidden
      where m.id = target_subject_id and (m.deleted_at is null or h.message_id is not null))
    when 'user' then (
      select jsonb_build_object('personId', p.id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('username', p.username, 'fullName', p.full_name, 'bio', d.bio,
          'profileImageUrl', p.profile_image_url, 'backgroundImageUrl', d.background_image_url,
          'website', t.website, 'createdAt', p.created_at)))
      from public.profiles p join public.profile_details d on d.user_id = p.id
      join public.profile_about t on t.user_id = p.id where p.id = target_subject_id) end;
end
$function$;

CREATE OR REPLACE FUNCTION private.thread_photos(other_user_id uuid, before_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 30
 SET search_path TO ''
AS $function$
declare
  thread record := private.find_thread(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    before_seq := (
      select m.seq from public.messages m where m.id = before_id and m.conversation_id = thread.conversation_id);
  end if;
  return query
    select m.id, json_build_object(
      'messageId', m.id, 'senderId', m.sender_id, 'createdAt', m.created_at, 'url', '/api/media/' || m.media_id,
      'width', m.media_width, 'height', m.media_height, 'placeholder', m.placeholder)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.media_id is not null and m.media_duration is null
      and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$function$;

ALTER TABLE "public"."media" ADD CONSTRAINT "media_check1" CHECK (((kind <> 'audio'::text) OR (state = 'pending'::text) OR ((COALESCE(duration_seconds, 0) >= 1) AND (COALESCE(duration_seconds, 0) <= 120))));

ALTER TABLE "public"."media" ADD CONSTRAINT "media_check" CHECK (
CASE kind
    WHEN 'audio'::text THEN (placeholder ~ '^[0-9a-f]{40}$'::text)
    ELSE ((placeholder ~ '^data:image/(webp|png|jpeg);base64,'::text) AND (length(placeholder) <= 4000))
END);

ALTER TABLE "public"."media" ADD CONSTRAINT "media_kind_check" CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text])));

CREATE INDEX messages_photos_idx ON public.messages USING btree (conversation_id, seq) WHERE ((media_id IS NOT NULL) AND (media_duration IS NULL));

COMMENT ON TABLE "public"."media" IS 'Uploads. `path` is the file in the bucket `media`. `placeholder` is a tiny blurred image as a data URL or, for a voice recording, its loudness over time as 40 hexadecimal digits.';

REVOKE ALL ON FUNCTION "private"."begin_upload"(uuid, text, text, bigint, text, text, integer, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_upload"(uuid, text, text, bigint, text, text, integer, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_message"(uuid, uuid, text, uuid, uuid) TO "authenticated";

-- A new installation gets the bucket, with these types, from supabase/seed.sql.
update storage.buckets
set allowed_mime_types = allowed_mime_types || array['audio/mp4', 'audio/webm']
where id = 'media' and not allowed_mime_types @> array['audio/mp4', 'audio/webm'];
