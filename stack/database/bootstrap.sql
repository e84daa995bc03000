-- Creates the parts of a new Supabase project that our migrations depend on.
-- Run by the superuser at every start, so every statement must be idempotent.

do $$
declare
  name text;
begin
  foreach name in array array[
    'anon', 'authenticated', 'service_role', 'authenticator', 'supabase_admin', 'supabase_auth_admin',
    'supabase_storage_admin', 'supabase_realtime_admin', 'dashboard_user', 'gateway', 'lite', 'realtime_admin'
  ] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I nologin noinherit', name);
    end if;
  end loop;
end
$$;

alter role service_role bypassrls;

-- The API connects as this role. It owns and inherits nothing, so a query that does not switch to an API role cannot
-- read any data.
grant anon, authenticated, service_role to gateway with inherit false, set true;

-- Auth, the Data API and Storage connect as this role. It is not a superuser, so an attacker who controls one of these
-- services cannot change grants or policies.
grant anon, authenticated, service_role to lite with inherit true, set true;
alter role lite bypassrls inherit;
alter role lite set statement_timeout = '30s';

-- Realtime connects as this role; see stack/realtime/bootstrap.sql.
grant anon, authenticated, service_role to realtime_admin with inherit false, set true;
alter role realtime_admin bypassrls;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role, gateway, lite;
create extension if not exists citext with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists btree_gin with schema extensions;
create extension if not exists pg_stat_statements with schema extensions;
-- Only the operator may read the statistics. The privileges have to be revoked, because the API roles have usage on the
-- `extensions` schema.
revoke all on extensions.pg_stat_statements, extensions.pg_stat_statements_info from public;
revoke all on function extensions.pg_stat_statements(boolean), extensions.pg_stat_statements_info() from public;

do $$
begin
  execute format('alter database %I set search_path to "$user", public, extensions', current_database());
end
$$;

grant usage on schema public to anon, authenticated, service_role;

-- Makes the Data API reload its schema cache when `public` changes, as on Supabase.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger
language plpgsql set search_path = ''
as $$
begin
  if exists (select from pg_event_trigger_ddl_commands() c where c.schema_name = 'public') then
    notify pgrst, 'reload schema';
  end if;
end
$$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
language plpgsql set search_path = ''
as $$
begin
  if exists (select from pg_event_trigger_dropped_objects() o where o.schema_name = 'public' and not o.is_temporary) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
end
$$;

-- Stores what the stack has applied to this database; see state.ts.
create schema if not exists ovation_stack;
revoke all on schema ovation_stack from public;
create table if not exists ovation_stack.state (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
