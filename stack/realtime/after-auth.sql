-- Closes the sockets of a session or account that is deleted. Run by the superuser once auth.sessions
-- and auth.users exist. Safe to run at every start.

create or replace trigger realtime_session_ended
  after delete on auth.sessions
  for each row execute function realtime.sessions_ended();

create or replace trigger realtime_user_ended
  after delete on auth.users
  for each row execute function realtime.sessions_ended();
