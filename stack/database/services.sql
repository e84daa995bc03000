-- Runs after lite (@supabase/lite) has created the schemas auth and storage. Replaces what differs from Supabase, and
-- adds the grants that the roles have on Supabase.

-- lite's versions of these functions read only the older of the two settings that contain the caller's claims.
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;

create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )::text
$$;

grant usage on schema auth, storage to anon, authenticated, service_role;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

grant usage on schema auth, storage to lite;
grant select, insert, update, delete on all tables in schema auth, storage to lite;
grant usage, select on all sequences in schema auth, storage to lite;

-- Storage sums the sizes of a user's files to enforce the quota.
create index if not exists objects_owner_id_idx on storage.objects (owner_id) where owner_id is not null;
