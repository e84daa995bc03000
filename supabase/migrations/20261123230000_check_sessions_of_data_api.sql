-- Answers 401 to requests of an ended session, in the format in which PostgREST reads the status and the body from an
-- error. Without it, they would get the empty results of the policies. PostgREST calls it at the start of each request
-- (`db-pre-request`), and so does the embedded Data API. `role` is the role that the request has switched to.
create function private.check_data_api_request() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if current_setting('role', true) = 'authenticated' and not private.is_session_active() then
    raise sqlstate 'PGRST' using
      message = '{"code": "PGRST303", "message": "The session has ended", "details": null, "hint": "Sign in again."}',
      detail = '{"status": 401, "headers": {"WWW-Authenticate": "Bearer error=\"invalid_token\", error_description=\"The session has ended\""}}';
  end if;
end
$$;

revoke all on function private.check_data_api_request() from public;
grant execute on function private.check_data_api_request() to anon, authenticated, service_role;

-- PostgREST reads its settings from the role that it signs in as. The number of rows applies to every list in a response,
-- embedded ones included; supabase/config.toml has the same one. Some hosts reserve the role, and must not fail here.
do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'private.check_data_api_request';
  alter role authenticator set pgrst.db_max_rows = '100';
exception when insufficient_privilege or undefined_object then
  raise warning 'The role authenticator cannot be changed (%). Set db-pre-request and db-max-rows of PostgREST as described in docs/guides/deploy-to-supabase.md.', sqlerrm;
end
$$;

notify pgrst, 'reload config';
notify pgrst, 'reload schema';
