set local check_function_bodies = off;

DROP FUNCTION "private"."message_json"(public.messages, boolean);

CREATE OR REPLACE FUNCTION private.message_json(message public.messages, is_read boolean)
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
      'hasImage', q.media_id is not null, 'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return json_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at, 'isRead', is_read,
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', '/api/media/' || message.media_id, 'imageWidth', message.media_width,
    'imageHeight', message.media_height, 'placeholder', message.placeholder,
    'replyTo', quoted, 'reactions', message.reactions);
end
$function$;

REVOKE ALL ON FUNCTION "private"."message_json"(public.messages, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."message_json"(public.messages, boolean) TO "anon", "authenticated", "postgres", "service_role";
