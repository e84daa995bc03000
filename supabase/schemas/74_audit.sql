-- Audit log: the record of what admins do.
--
-- - The log is append-only and a hash chain: every entry contains the hash of the entry before it, so a changed or
--   missing entry can be detected. Entries missing at the end can be detected only by comparing the last hash with a
--   copy that is kept elsewhere.
-- - Functions append entries with private.write_audit_entry. Appending takes a lock that is held until the end of the
--   transaction, so they take all other locks first.

create table public.audit_entries (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  actor_id uuid not null,
  action text not null check (char_length(action) between 1 and 60),
  -- The user whom the action affects.
  target_id uuid,
  -- What the action affects: the id of a case, payout or post, or the key of a setting.
  subject text,
  -- Details of the change, without secrets.
  change jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null unique
);

comment on table public.audit_entries is
  'Written only by private.write_audit_entry. The ids of users have no foreign keys, because entries outlive accounts.';

create index audit_entries_target_id_idx on public.audit_entries (target_id, id desc) where target_id is not null;

create index audit_entries_actor_id_idx on public.audit_entries (actor_id, id desc);

-- For the filters of the audit page.
create index audit_entries_action_idx on public.audit_entries (action, id desc);

create index audit_entries_created_at_idx on public.audit_entries (created_at);

alter table public.audit_entries enable row level security;

-- Requires an active session.
create policy audit_entries_active_session on public.audit_entries as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Only admins read the log.
create policy audit_entries_select on public.audit_entries for select to authenticated
  using ((select private.is_admin()));

revoke all on public.audit_entries from anon, authenticated, service_role;
grant select on public.audit_entries to authenticated, service_role;

create trigger audit_is_append_only before update or delete on public.audit_entries
  for each row execute function private.reject_append_only_change();

create trigger audit_is_not_truncated before truncate on public.audit_entries
  for each statement execute function private.reject_append_only_change();

-- Writing ---------------------------------------------------------------------------------------------------------

-- Returns the text that is hashed for an entry: all columns but the hash itself. The fixed time zone keeps the format
-- of the timestamp the same in every session.
create function private.audit_entry_text(entry public.audit_entries) returns text
language sql stable security definer set search_path = '' set timezone = 'UTC'
as $$
  select jsonb_build_array(entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject,
                           entry.change, encode(entry.previous_hash, 'hex'))::text
$$;

-- Appends an entry. Call it in the transaction that performs the action, after all other locks are taken: the advisory
-- lock is held until commit, so that entries are appended one at a time.
create function private.write_audit_entry(
  actor_user_id uuid, action_name text, target_user_id uuid default null, subject_ref text default null,
  details jsonb default '{}'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry public.audit_entries;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', 0));
  entry.id := nextval(pg_get_serial_sequence('public.audit_entries', 'id'));
  entry.created_at := clock_timestamp();
  entry.actor_id := actor_user_id;
  entry.action := action_name;
  entry.target_id := target_user_id;
  entry.subject := subject_ref;
  entry.change := details;
  entry.previous_hash := coalesce((select e.hash from public.audit_entries e order by e.id desc limit 1), ''::bytea);
  insert into public.audit_entries (id, created_at, actor_id, action, target_id, subject, change, previous_hash, hash)
  overriding system value
  values (entry.id, entry.created_at, entry.actor_id, entry.action, entry.target_id, entry.subject, entry.change,
          entry.previous_hash, sha256(convert_to(private.audit_entry_text(entry), 'UTF8')));
end
$$;

-- Verification ----------------------------------------------------------------------------------------------------

-- Returns the id of the first entry that was changed or whose predecessor is missing, or null if the chain is intact.
create function private.verify_audit_chain() returns bigint
language sql stable security definer set search_path = ''
as $$
  select c.id from (
    select e.id, e.hash, e.previous_hash, lag(e.hash) over (order by e.id) as preceding_hash,
           sha256(convert_to(private.audit_entry_text(e), 'UTF8')) as computed_hash
    from public.audit_entries e) c
  where c.computed_hash <> c.hash or c.previous_hash <> coalesce(c.preceding_hash, ''::bytea)
  order by c.id limit 1
$$;

grant execute on function private.verify_audit_chain() to service_role;

-- Returns the state of the log for admins: the number of entries, the last hash (for a copy that is kept elsewhere),
-- and the id of the first broken entry, or null.
create function private.audit_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'entries', (select count(*) from public.audit_entries),
    'lastHash', (select encode(e.hash, 'hex') from public.audit_entries e order by e.id desc limit 1),
    'brokenAt', private.verify_audit_chain());
end
$$;

grant execute on function private.audit_status() to authenticated;
