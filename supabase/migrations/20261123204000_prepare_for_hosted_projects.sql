alter role gateway set statement_timeout = '15s';
alter role gateway set lock_timeout = '10s';
alter role gateway set idle_in_transaction_session_timeout = '30s';

-- Older Supabase projects grant new sequences in `public` to the API roles.
revoke all on all sequences in schema public from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

-- pg_net cannot be moved. Requests that are still queued are lost, and the next run of each job sends them again.
do $$
begin
  if exists (select from pg_extension e where e.extname = 'pg_net' and e.extnamespace = 'public'::regnamespace) then
    drop extension pg_net;
    create extension pg_net with schema extensions;
  end if;
end
$$;
