-- Who may join and send on Realtime's private topics. `user:<uid>` is read by that person and written by the
-- database alone; `conversation:<lower uid>:<higher uid>` is read and written by its two people, as long as the one
-- may write to the other.

create function private.may_use_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid text := auth.uid()::text;
  parts text[] := string_to_array(topic, ':');
  other text;
begin
  if uid is null or array_length(parts, 1) <> 3 or parts[1] <> 'conversation' or parts[2] >= parts[3] then
    return false;
  end if;
  if parts[2] = uid then other := parts[3]; elsif parts[3] = uid then other := parts[2]; else return false; end if;
  if other !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  return private.message_refusal(other::uuid) is null;
end
$$;

create function private.may_read_topic(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return topic = 'user:' || auth.uid()::text or private.may_use_conversation(topic);
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.may_use_conversation(text), private.may_read_topic(text) to authenticated;

create policy ovation_alive on realtime.messages as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy ovation_select on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.may_read_topic((select realtime.topic()))));
create policy ovation_insert on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence')
              and (select private.may_use_conversation((select realtime.topic()))));
