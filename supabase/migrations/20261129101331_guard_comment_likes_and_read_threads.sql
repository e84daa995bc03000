set local check_function_bodies = off;

DROP FUNCTION "private"."find_conversation_id"(uuid);

DROP FUNCTION "private"."message_json"(public.messages, boolean);

DROP FUNCTION "private"."messages_after"(uuid, uuid, integer);

DROP FUNCTION "private"."messages_before"(uuid, uuid, boolean, integer);

DROP FUNCTION "private"."messages_changed_since"(uuid, bigint, integer);

CREATE OR REPLACE FUNCTION private.broadcast_message_change(changed public.messages, event text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message jsonb := private.message_json(changed, (
    select r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.partner_id = changed.sender_id));
begin
  perform private.broadcast_to_user(changed.receiver_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  -- If either user has blocked the other, neither learns when the other is online.
  if (message ->> 'isRead')::boolean and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.broadcast_to_user(changed.sender_id, event,
                                    jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$function$;

CREATE OR REPLACE FUNCTION private.can_user_read_comment(target_user_id uuid, target_comment_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.comments c
    join public.posts p on p.id = c.post_id
    left join public.comments parent on parent.id = c.parent_comment_id
    where c.id = target_comment_id
      and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = target_user_id))
      and (c.hidden is null or (c.hidden = 'hidden' and c.author_id = target_user_id))
      and (parent.hidden is null or (parent.hidden = 'hidden' and parent.author_id = target_user_id))
      and not private.are_blocked(target_user_id, c.author_id)
      and not private.are_blocked(target_user_id, parent.author_id)
      and (private.can_user_view_profile(target_user_id, p.author_id)
           or exists (select from public.profiles u where u.id = target_user_id and u.is_admin))
      and private.has_paid_access(target_user_id, p.id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.find_thread(other_user_id uuid, OUT conversation_id uuid, OUT own_read_seq bigint, OUT partner_read_seq bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if not private.can_use_messages() then return; end if;
  select own.conversation_id, own.last_read_seq, partner.last_read_seq
  into find_thread.conversation_id, own_read_seq, partner_read_seq
  from public.conversation_members own
  left join public.conversation_members partner
    on partner.user_id = own.partner_id and partner.partner_id = own.user_id
      and not private.are_blocked(own.user_id, own.partner_id)
  where own.user_id = uid and own.partner_id = other_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_liked_post()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
begin
  perform from public.posts p
  where p.id = (select c.post_id from public.comments c where c.id = changed_like.comment_id) for no key update;
  if tg_op = 'INSERT' and auth.uid() is not null
     and not private.can_user_read_comment(auth.uid(), changed_like.comment_id) then
    raise exception 'Comment not found' using errcode = 'PT404';
  end if;
  return changed_like;
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
      'hasImage', q.media_id is not null, 'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return json_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at,
    'isRead', coalesce(message.seq <= receiver_read_seq, false),
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', '/api/media/' || message.media_id, 'imageWidth', message.media_width,
    'imageHeight', message.media_height, 'placeholder', message.placeholder,
    'replyTo', quoted, 'reactions', message.reactions);
end
$function$;

CREATE OR REPLACE FUNCTION private.messages_after(other_user_id uuid, after_id uuid, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
declare
  thread record := private.find_thread(other_user_id);
  after_seq bigint := (
    select m.seq from public.messages m where m.id = after_id and m.conversation_id = thread.conversation_id);
begin
  return query
    select m.id, m.seq, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.seq > after_seq
    order by m.seq limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.messages_before(other_user_id uuid, before_id uuid, is_inclusive boolean, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
declare
  thread record := private.find_thread(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    -- Null if the message is not in the thread, so that no row matches.
    select m.seq + is_inclusive::integer into before_seq from public.messages m
    where m.id = before_id and m.conversation_id = thread.conversation_id;
  end if;
  return query
    select m.id, m.seq, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.messages_changed_since(other_user_id uuid, since_version bigint, max_rows integer)
 RETURNS TABLE(id uuid, sort_key bigint, item text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
declare
  thread record := private.find_thread(other_user_id);
begin
  return query
    select m.id, m.version, private.message_json(m, case when m.receiver_id = other_user_id
      then thread.partner_read_seq else thread.own_read_seq end)::text
    from public.messages m
    -- `version > 0` is the condition of the partial index.
    where m.conversation_id = thread.conversation_id and m.version > 0 and m.version > since_version
    order by m.version limit max_rows;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_comment_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed public.comments := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  parent_author_id uuid;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  -- Always the post before the parent comment, so that concurrent writers wait here.
  update public.posts p set comments_count = greatest(0, p.comments_count + delta) where p.id = changed.post_id
  returning p.author_id into post_author_id;
  if changed.parent_comment_id is not null then
    update public.comments c set replies_count = greatest(0, c.replies_count + delta)
    where c.id = changed.parent_comment_id
    returning c.author_id into parent_author_id;
  end if;
  if tg_op = 'DELETE' or changed.author_id is null or post_author_id is null then return null; end if;
  mentioned_ids := private.mentioned_users(changed.content, changed.post_id, true);
  perform private.lock_user_counters(mentioned_ids || array[parent_author_id, post_author_id]);
  -- The author of the parent comment may have lost access to the post.
  if parent_author_id is not null and private.can_user_read_comment(parent_author_id, changed.id) then
    perform private.create_notification(parent_author_id, changed.author_id, 'reply', changed.post_id, changed.id);
  end if;
  if parent_author_id is distinct from post_author_id then
    perform private.create_notification(post_author_id, changed.author_id, 'comment', changed.post_id, changed.id);
  end if;
  foreach recipient_id in array mentioned_ids loop
    if recipient_id is distinct from parent_author_id and recipient_id <> post_author_id then
      perform private.create_notification(recipient_id, changed.author_id, 'mention', changed.post_id, changed.id);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_comment_like_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.comment_likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  liked public.comments;
begin
  update public.comments c set likes_count = greatest(0, c.likes_count + delta) where c.id = changed_like.comment_id
  returning c.* into liked;
  -- No row if the comment itself is being deleted; no author if the author's account was deleted.
  if not found or liked.author_id is null then return null; end if;
  if tg_op = 'DELETE' then
    perform private.withdraw_notification(
      liked.author_id, changed_like.user_id, 'like', liked.post_id, target_comment_id => liked.id);
    return null;
  end if;
  -- The author of the comment may have lost access to the post.
  if private.can_user_read_comment(liked.author_id, liked.id) then
    perform private.create_notification(liked.author_id, changed_like.user_id, 'like', liked.post_id, liked.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.on_like_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed_like public.likes := case when tg_op = 'INSERT' then new else old end;
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
  post_author_id uuid;
  hidden_state text;
begin
  update public.posts p set likes_count = greatest(0, p.likes_count + delta) where p.id = changed_like.post_id
  returning p.author_id, p.hidden into post_author_id, hidden_state;
  -- No row: the like is deleted together with its post.
  if not found then return null; end if;
  if tg_op = 'INSERT' then
    -- Moderators may have hidden the post while this call waited for its row.
    if hidden_state = 'removed' or (hidden_state = 'hidden' and post_author_id <> changed_like.user_id) then
      raise exception 'Post not found' using errcode = 'PT404';
    end if;
    perform private.create_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  else
    perform private.withdraw_notification(post_author_id, changed_like.user_id, 'like', changed_like.post_id);
  end if;
  return null;
end
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
    where m.conversation_id = new.conversation_id and (m.user_id = new.receiver_id or m.has_written)
    returning m.user_id, m.unread_count
  )
  select max(u.unread_count) filter (where u.user_id = new.sender_id),
         max(u.unread_count) filter (where u.user_id = new.receiver_id)
  into sender_unread_count, receiver_unread_count
  from updated u;
  if sender_unread_count is null then
    insert into public.conversation_members as m
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, has_written)
    values (new.sender_id, new.receiver_id, new.conversation_id, new.id, new.created_at, true)
    on conflict (user_id, partner_id) do update
      set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, has_written = true
    returning m.unread_count into sender_unread_count;
    -- From their first message on, the sender may broadcast here: see private.can_broadcast_to_conversation.
    perform realtime.send(jsonb_build_object('firstWrittenBy', new.sender_id), 'access.changed',
                          private.conversation_topic(new.sender_id, new.receiver_id), true);
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
  -- Like private.broadcast_to_user, but in one statement for both users, the receiver first.
  perform
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.sender_id,
      'unreadTotal', receiver_unread_total, 'unreadCount', receiver_unread_count),
      'message.created', 'user:' || new.receiver_id::text, true),
    realtime.send(jsonb_build_object(
      'message', message, 'otherUserId', new.receiver_id,
      'unreadTotal', sender_unread_total, 'unreadCount', sender_unread_count),
      'message.created', 'user:' || new.sender_id::text, true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_message(message_id uuid, receiver_id uuid, new_content text, image_id uuid, reply_to_message_id uuid)
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
  values (message_id, uid, receiver_id, new_content, image_id, reply_to_message_id)
  returning private.message_json(messages, null)::text into item;
  return item;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_post_pinned(target_post_id uuid, new_pinned boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if new_pinned or not exists (
       select from public.posts p
       where p.id = target_post_id and p.author_id = uid and p.hidden is distinct from 'removed') then
    perform private.require_own_post(target_post_id);
  else
    perform private.require_write();
  end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Without this lock, two concurrent calls would both find no other pinned post.
  perform pg_advisory_xact_lock(hashtextextended('pinned_post:' || uid::text, 0));
  perform from public.posts p
  where p.author_id = uid and (p.pinned or p.id = target_post_id) order by p.id for update;
  update public.posts p set pinned = false
  where p.author_id = uid and p.pinned and (p.id <> target_post_id) = new_pinned;
  if new_pinned then
    update public.posts p set pinned = true where p.id = target_post_id and p.author_id = uid and not p.pinned;
  end if;
end
$function$;

CREATE INDEX comments_author_replies_idx ON public.comments USING btree (parent_comment_id, author_id, created_at, id) WHERE (parent_comment_id IS NOT NULL);

REVOKE ALL ON FUNCTION "private"."can_user_read_comment"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_user_read_comment"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."find_thread"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."find_thread"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."message_json"(public.messages, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."message_json"(public.messages, bigint) TO "anon", "authenticated", "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."messages_after"(uuid, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."messages_after"(uuid, uuid, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."messages_before"(uuid, uuid, boolean, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."messages_before"(uuid, uuid, boolean, integer) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."messages_changed_since"(uuid, bigint, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."messages_changed_since"(uuid, bigint, integer) TO "authenticated", "postgres";
