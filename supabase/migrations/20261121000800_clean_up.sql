-- What the job `clean-up` removes; answers how many rows of each kind.
create function private.clean_up() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  captchas integer;
  rates integer;
  empty_conversations integer;
begin
  delete from private.spent_captchas where expires_at < now();
  get diagnostics captchas = row_count;
  delete from private.rate_limits where window_start < now() - interval '1 day';
  get diagnostics rates = row_count;
  -- Both people have gone: nobody is left who could read it.
  delete from public.conversations c
  where not exists (select from public.conversation_members m where m.conversation_id = c.id);
  get diagnostics empty_conversations = row_count;
  return jsonb_build_object('captchas', captchas, 'rateLimits', rates, 'conversations', empty_conversations);
end
$$;
revoke execute on function private.clean_up() from public;
grant execute on function private.clean_up() to service_role;
