-- Who becomes read-only may no longer write to anybody, so their conversation topics are asked about again at once, as
-- when an inbox is switched off.
create function private.on_account_read_only() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.other_id), true)
  from (select m.user_id, m.other_id from public.conversation_members m where m.user_id = new.user_id
        order by m.last_message_at desc limit 200) m;
  return null;
end
$$;
create trigger on_account_read_only after update of read_only_reason on public.accounts
  for each row when (old.read_only_reason is distinct from new.read_only_reason)
  execute function private.on_account_read_only();

revoke execute on all functions in schema private from public;
