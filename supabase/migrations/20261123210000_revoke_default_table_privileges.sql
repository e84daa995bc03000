-- Supabase grants privileges on new tables to the API roles: all of them in older projects, and TRUNCATE, REFERENCES,
-- TRIGGER and MAINTAIN in newer ones. Each table grants what is needed itself.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- The API calls them as a user.
revoke execute on function public.toggle_follow(uuid), public.toggle_like(uuid), public.toggle_save(uuid) from service_role;

-- Created by a migration that relied on the embedded database, which has no such default.
revoke all on public.post_alerts from anon, authenticated, service_role;
grant select on public.post_alerts to authenticated;
grant insert (user_id, author_id, level), update (level) on public.post_alerts to authenticated;
grant all on public.post_alerts to service_role;
