-- Privileges on functions, on the sequences in `public`, and on objects that are created in `public` later.
--
-- By default, PostgreSQL lets everybody execute a new function. The statements in this file run last and revoke that
-- privilege on the functions in `private` and `public`, so that only the grants next to each function remain.

-- pg-topo:phase privileges
revoke execute on all functions in schema private from public;

-- The Data API exposes the functions in `public`. Older Supabase projects let `service_role` execute them.
-- pg-topo:phase privileges
revoke execute on function public.toggle_follow(uuid), public.toggle_like(uuid), public.toggle_comment_like(uuid),
  public.toggle_save(uuid)
  from public, service_role;

-- Older Supabase projects grant privileges on new sequences in `public` to the API roles. No role needs them: only
-- identity columns and `security definer` functions use sequences.
-- pg-topo:phase privileges
revoke all on all sequences in schema public from anon, authenticated, service_role;
-- pg-topo:phase privileges
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

-- Supabase grants the API roles privileges on new objects in `public`: all privileges in older projects, and TRUNCATE,
-- REFERENCES, TRIGGER and MAINTAIN on tables in newer ones. Migrations that create tables later rely on these
-- statements: migrations are drafted against the embedded database, which has no such grants, so they contain no
-- `revoke`.
-- pg-topo:phase privileges
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
-- pg-topo:phase privileges
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
