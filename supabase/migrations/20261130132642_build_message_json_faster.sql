set local check_function_bodies = off;

CREATE TYPE "private"."chat_message" AS ("id" uuid, "seq" bigint, "senderId" uuid, "receiverId" uuid, "content" text, "createdAt" timestamp with time zone, "isRead" boolean, "toSubscribers" boolean, "version" bigint, "editedAt" timestamp with time zone, "deleted" boolean, "imageUrl" text, "imageWidth" integer, "imageHeight" integer, "placeholder" text, "voice" json, "paidPhoto" json, "replyTo" json, "reactions" jsonb);

CREATE OR REPLACE FUNCTION private.message_json(message public.messages, receiver_read_seq bigint, reader_id uuid DEFAULT NULL::uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  quoted json;
  paid_photo json;
begin
  if message.price_cents is not null then
    paid_photo := json_build_object('price', message.price_cents / 100.0, 'unlocked', message.media_id is not null);
    if message.media_id is null and message.sender_id = reader_id then
      message.media_id := private.paid_photo_media_id(message.id);
    end if;
  end if;
  if message.reply_to_id is not null then
    select json_build_object(
      'id', q.id, 'seq', q.seq, 'senderId', q.sender_id, 'content', left(q.content, 200),
      'hasImage', (q.media_id is not null or q.price_cents is not null) and q.media_duration is null,
      'voiceSeconds', q.media_duration,
      'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return row_to_json(row(
    message.id, message.seq, message.sender_id, message.receiver_id, message.content, message.created_at,
    coalesce(message.seq <= receiver_read_seq, false), message.mass_message_id is not null,
    message.version, message.edited_at, message.deleted_at is not null,
    case when message.media_duration is null then '/api/media/' || message.media_id end,
    message.media_width, message.media_height,
    case when message.media_duration is null then message.placeholder end,
    case when message.media_duration is not null then json_build_object(
      'url', '/api/media/' || message.media_id, 'seconds', message.media_duration, 'levels', message.placeholder) end,
    paid_photo, quoted, message.reactions
  )::private.chat_message);
end
$function$;

