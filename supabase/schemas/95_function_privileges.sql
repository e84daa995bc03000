-- Function privileges.
--
-- By default, PostgreSQL lets everybody execute a new function. These statements run last and revoke that privilege
-- from all functions, so that only the grants next to each function remain.

-- pg-topo:phase privileges
revoke execute on all functions in schema private from public;

-- The functions in `public`, which the Data API exposes.
-- pg-topo:phase privileges
revoke execute on function public.toggle_follow(uuid), public.toggle_like(uuid), public.toggle_save(uuid) from public;
