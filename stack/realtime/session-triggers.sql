-- Closes the sockets of a deleted session or account. Run by the superuser once auth.sessions and auth.users exist.
-- Idempotent, because it runs at every start.

create or replace trigger realtime_session_ended
  after delete on auth.sessions
  for each row execute function realtime.sessions_ended();

create or replace trigger realtime_user_ended
  after delete on auth.users
  for each row execute function realtime.sessions_ended();
