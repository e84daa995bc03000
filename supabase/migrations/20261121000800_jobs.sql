-- What the jobs do, and who calls them.
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

-- Ends one session of one person, for a sign-out whose token has expired and which Auth would no longer take.
create function private.end_session(session uuid, person uuid) returns void
language sql volatile security definer set search_path = ''
as $$ delete from auth.sessions s where s.id = session and s.user_id = person $$;
revoke execute on function private.end_session(uuid, uuid) from public;
grant execute on function private.end_session(uuid, uuid) to service_role;

-- On Supabase the job is called by the database's own clock: with the address and the secret that the operator put
-- into the vault as `jobs_url` and `job_secret`. Where the extensions do not exist, somebody else calls it.
do $$
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) = 3 then
    create extension if not exists pg_cron;
    create extension if not exists pg_net;
    perform cron.schedule('ovation-clean-up', '*/10 * * * *', $job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/clean-up',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')))
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$);
  end if;
end
$$;
