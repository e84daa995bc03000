-- What admins do, for good: append-only, each row with the hash of the one before it, so that a row which was changed
-- or removed shows.

create table public.audit_entries (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  actor_id uuid not null,
  action text not null check (char_length(action) between 1 and 60),
  -- The person it was done to, and the thing it was done to.
  target_id uuid,
  subject text,
  -- What changed, without secrets.
  change jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null unique
);
comment on table public.audit_entries is 'Written by private.audit alone. People are ids without a foreign key.';
create index audit_entries_target_id_idx on public.audit_entries (target_id, id desc) where target_id is not null;
create index audit_entries_actor_id_idx on public.audit_entries (actor_id, id desc);

alter table public.audit_entries enable row level security;
revoke all on public.audit_entries from anon, authenticated, service_role;
grant select on public.audit_entries to authenticated, service_role;
create policy audit_entries_alive on public.audit_entries as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
-- Admins read all of it; a person what was done to them.
create policy audit_entries_select on public.audit_entries for select to authenticated
  using (target_id = (select auth.uid()) or (select private.is_admin()));

create trigger audit_is_append_only before update or delete on public.audit_entries
  for each row execute function private.refuse_ledger_change();
create trigger audit_is_not_emptied before truncate on public.audit_entries
  for each statement execute function private.refuse_ledger_change();

-- What is hashed of a row: all of it, in one way of writing it.
create function private.audit_text(entry public.audit_entries) returns text
language sql stable security definer set search_path = '' set timezone = 'UTC'
as $$
  select jsonb_build_array(entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject,
                           entry.change, encode(entry.previous_hash, 'hex'))::text
$$;

-- Writes what an admin did. In the transaction that does it, as its last step: rows are written one after the other.
create function private.audit(
  actor uuid, done text, person uuid default null, thing text default null, changed jsonb default '{}'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry public.audit_entries;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', 0));
  entry.id := nextval(pg_get_serial_sequence('public.audit_entries', 'id'));
  entry.created_at := clock_timestamp();
  entry.actor_id := actor;
  entry.action := done;
  entry.target_id := person;
  entry.subject := thing;
  entry.change := changed;
  entry.previous_hash := coalesce((select e.hash from public.audit_entries e order by e.id desc limit 1), ''::bytea);
  insert into public.audit_entries (id, created_at, actor_id, action, target_id, subject, change, previous_hash, hash)
  overriding system value
  values (entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject, entry.change,
          entry.previous_hash, sha256(convert_to(private.audit_text(entry), 'UTF8')));
end
$$;

-- The first row that is not as it was written, or before which one is missing; null when all is well. That rows at the
-- end are missing shows only beside a copy of the last hash.
create function private.check_audit() returns bigint
language sql stable security definer set search_path = ''
as $$
  select c.id from (
    select e.id, e.hash, e.previous_hash, lag(e.hash) over (order by e.id) as before,
           sha256(convert_to(private.audit_text(e), 'UTF8')) as is_now
    from public.audit_entries e) c
  where c.is_now <> c.hash or c.previous_hash <> coalesce(c.before, ''::bytea)
  order by c.id limit 1
$$;
grant execute on function private.check_audit() to service_role;

-- For calls of admins: refuses everybody else, before anything of what they sent is looked at.
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if not private.is_admin() then
    raise exception 'Only admins may do this.' using errcode = 'PT403', detail = 'forbidden';
  end if;
end
$$;
grant execute on function private.require_admin() to authenticated;

revoke execute on all functions in schema private from public;
