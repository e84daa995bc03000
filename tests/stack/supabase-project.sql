-- Recreates the parts of a new Supabase project's database that our migrations and tests depend on: roles, memberships,
-- schemas, tables, functions, owners, privileges and default privileges. `supabase_admin`, the only superuser, runs
-- this file on a new cluster.
--
-- Based on the documentation and tests of supabase/postgres, auth, storage and realtime as of autumn 2026. This file
-- lacks:
-- - the extension supautils, which lets `postgres` manage policies of tables that it does not own (see
--   tests/stack/hosted.test.ts) and protects the platform's roles.
-- - the extension safeupdate, which PostgREST loads to reject an UPDATE or DELETE without WHERE.
-- - the extensions pg_cron, pg_net and supabase_vault, which embedded PostgreSQL does not include. Without them, our
--   migrations schedule no jobs. The `vault` schema has the functions that the CLI calls, but stores secrets
--   unencrypted.
-- - features that our migrations and edge functions do not use: pg_graphql, Realtime's publication, MFA, SSO, S3
--   uploads.

-- Roles -----------------------------------------------------------------------------------------------------------

alter role supabase_admin set search_path = "$user", public, auth, extensions;

create role postgres login createdb createrole replication bypassrls;
alter role postgres set search_path = "$user", public, extensions;
create role anon nologin inherit;
create role authenticated nologin inherit;
create role service_role nologin inherit bypassrls;
create role authenticator login noinherit;
create role dashboard_user nologin createdb createrole replication;
create role pgbouncer login;
create role supabase_auth_admin login noinherit createrole;
create role supabase_storage_admin login noinherit createrole;
create role supabase_realtime_admin login noinherit createrole replication;
create role supabase_functions_admin login noinherit createrole;
create role supabase_replication_admin login replication;
create role supabase_etl_admin login replication;
create role supabase_read_only_user login bypassrls;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option;
grant pg_create_subscription to postgres;
grant pg_read_all_data to supabase_etl_admin, supabase_read_only_user;
grant authenticator to supabase_storage_admin;
grant anon, authenticated, service_role to supabase_realtime_admin;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_storage_admin set search_path = storage;
alter role supabase_realtime_admin set search_path = realtime;

alter database postgres owner to postgres;
grant all on database postgres to dashboard_user;
-- On Supabase, supautils lets `postgres` set this parameter.
grant set on parameter session_replication_role to postgres;
grant set on parameter log_min_messages to supabase_realtime_admin;
grant create on database postgres to supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin;

-- public ----------------------------------------------------------------------------------------------------------

grant usage on schema public to postgres, anon, authenticated, service_role;

-- The default privileges of projects created before May 2026. tests/support/host-database.ts revokes some of them to
-- get the defaults of newer projects.
do $$
declare
  creator text;
  kind text;
begin
  foreach creator in array array['supabase_admin', 'postgres'] loop
    foreach kind in array array['tables', 'functions', 'sequences'] loop
      execute format('alter default privileges for role %I in schema public grant all on %s
                        to postgres, anon, authenticated, service_role', creator, kind);
    end loop;
  end loop;
end
$$;

-- extensions ------------------------------------------------------------------------------------------------------

create schema extensions authorization postgres;
grant all on schema extensions to dashboard_user;
grant usage on schema extensions to anon, authenticated, service_role, supabase_realtime_admin;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
create extension pg_stat_statements with schema extensions;
alter default privileges for role supabase_admin in schema extensions grant all on tables to postgres;
alter default privileges for role supabase_admin in schema extensions grant all on functions to postgres;

-- vault -----------------------------------------------------------------------------------------------------------

create schema vault authorization supabase_admin;
grant usage on schema vault to postgres, service_role;

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text unique,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create view vault.decrypted_secrets as select s.*, s.secret as decrypted_secret from vault.secrets s;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid language sql security definer set search_path = ''
as $$
  insert into vault.secrets (secret, name, description) values (new_secret, new_name, new_description) returning id
$$;

create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void language sql security definer set search_path = ''
as $$
  update vault.secrets s
  set secret = coalesce(new_secret, s.secret), name = coalesce(new_name, s.name),
      description = coalesce(new_description, s.description), updated_at = now()
  where s.id = secret_id
$$;

grant select, delete, truncate, references on vault.secrets, vault.decrypted_secrets to postgres;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
revoke execute on all functions in schema vault from public;
grant execute on all functions in schema vault to postgres, service_role;

-- cron, net -------------------------------------------------------------------------------------------------------

-- On Supabase, the extensions pg_cron and pg_net create these schemas.
create schema cron authorization supabase_admin;
grant usage on schema cron to postgres with grant option;
create schema net authorization supabase_admin;
grant usage on schema net to supabase_functions_admin, postgres, anon, authenticated, service_role;

-- auth ------------------------------------------------------------------------------------------------------------

create schema auth authorization supabase_admin;
grant all on schema auth to supabase_auth_admin, dashboard_user;
grant usage on schema auth to postgres, anon, authenticated, service_role, supabase_realtime_admin;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on functions to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on sequences to postgres, dashboard_user;

set role supabase_auth_admin;

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new',
  'email_change_token_current', 'phone_change_token');

create table auth.schema_migrations (version varchar(255) primary key);

create table auth.users (
  instance_id uuid,
  id uuid primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0,
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where not is_sso_user;

create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(),
  unique (provider_id, provider)
);

create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text
);
create index on auth.sessions (user_id);

create table auth.refresh_tokens (
  instance_id uuid,
  id bigserial primary key,
  token varchar(255) unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions (id) on delete cascade
);

create table auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null,
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now(),
  unique (user_id, token_type)
);

create table auth.audit_log_entries (
  instance_id uuid,
  id uuid primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default ''
);

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''),
                  nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;

do $$
declare
  name text;
begin
  foreach name in array array['users', 'identities', 'sessions', 'refresh_tokens', 'one_time_tokens',
                              'audit_log_entries', 'schema_migrations'] loop
    execute format('alter table auth.%I enable row level security', name);
  end loop;
end
$$;
revoke all on auth.schema_migrations from dashboard_user, postgres;
grant select on auth.schema_migrations to postgres with grant option;

reset role;

-- storage ---------------------------------------------------------------------------------------------------------

create schema storage authorization supabase_admin;
grant all on schema storage to supabase_storage_admin, dashboard_user;
grant usage on schema storage to postgres with grant option;
grant usage on schema storage to anon, authenticated, service_role;
alter default privileges for role postgres in schema storage
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema storage
  grant all on sequences to postgres, anon, authenticated, service_role;

set role supabase_storage_admin;

create table storage.migrations (
  id integer primary key,
  name varchar(100) not null unique,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD'
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  unique (bucket_id, name)
);

create function storage.operation() returns text language sql stable
as $$ select current_setting('storage.operation', true) $$;

alter table storage.migrations enable row level security;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;

reset role;

-- realtime --------------------------------------------------------------------------------------------------------

create schema realtime authorization supabase_admin;
grant all on schema realtime to supabase_realtime_admin with grant option;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to anon, authenticated, service_role;
grant create, usage on schema public to supabase_realtime_admin;
alter default privileges for role supabase_admin in schema realtime grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema realtime grant all on functions to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema realtime grant all on sequences to postgres, dashboard_user;

set role supabase_realtime_admin;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at)
) partition by range (inserted_at);

-- Supabase creates one partition per day. Here, the default partition is enough.
create table realtime.messages_all partition of realtime.messages default;

alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;

create function realtime.topic() returns text language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (message_id, jsonb_build_object('id', message_id) || payload, event, topic, private, 'broadcast');
exception
  when others then raise warning 'The message was not sent: %', sqlerrm;
end
$$;

reset role;
