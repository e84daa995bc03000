-- What is asked of somebody before what they sent is looked at: whoever may not change a message hears so, whatever
-- they wanted it to say.

-- One of the caller's messages or one to the caller, as it is.
create function private.require_message(message uuid) returns public.messages
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  found_message public.messages;
begin
  if private.session_alive() then
    select * into found_message from public.messages m where m.id = message and uid in (m.sender_id, m.receiver_id);
  end if;
  if found_message.id is null then raise exception 'Message not found' using errcode = 'PT404'; end if;
  return found_message;
end
$$;

-- Refuses whoever may not, or no longer, edit a message.
create function private.require_edit(message uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'Only its sender can edit a message.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  if old.created_at < clock_timestamp() - interval '15 minutes' then
    raise exception 'A message can be edited for 15 minutes.' using errcode = 'PT403', detail = 'edit_window_over';
  end if;
  perform private.require_message_to(old.receiver_id);
end
$$;

-- Refuses whoever may not react to a message.
create function private.require_react(message uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  old public.messages := private.require_message(message);
begin
  if old.deleted_at is not null then
    raise exception 'This message was deleted.' using errcode = 'PT409', detail = 'message_deleted';
  end if;
  perform private.require_message_to(case when old.sender_id = auth.uid() then old.receiver_id else old.sender_id end);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.require_edit(uuid), private.require_react(uuid), private.require_message_to(uuid)
  to authenticated;
