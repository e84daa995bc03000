-- Creates the `realtime` schema as the migrations expect it. Run by the superuser before the migrations, once the
-- roles anon, authenticated, service_role and realtime_admin exist. Idempotent, because it runs at every start.

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

-- Supabase partitions this table by day. A plain table is enough here: rows older than 72 hours are deleted every hour,
-- an index makes that fast, and no partition can be missing on insert. The primary key is the same as on Supabase, so
-- code written for Supabase works unchanged.
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp without time zone not null default now(),
  inserted_at timestamp without time zone not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at)
);

-- Used by the hourly cleanup.
create index if not exists messages_inserted_at_idx on realtime.messages (inserted_at);

-- Used by replay.
create index if not exists messages_topic_idx on realtime.messages (topic, inserted_at)
  where extension = 'broadcast' and private;

-- The server finds new messages by the transaction that sent them, and sorts them by a number from a sequence: see
-- message-reader.ts. The defaults are set after the columns are added, so that existing rows, which have already been
-- sent, are not rewritten.
create sequence if not exists realtime.messages_sequence;
grant usage on sequence realtime.messages_sequence to anon, authenticated, service_role, realtime_admin;
alter table realtime.messages add column if not exists transaction_id xid8;
alter table realtime.messages add column if not exists sequence bigint;
alter table realtime.messages alter column transaction_id set default pg_current_xact_id();
alter table realtime.messages alter column sequence set default nextval('realtime.messages_sequence');

create index if not exists messages_transaction_id_idx on realtime.messages (transaction_id)
  where extension = 'broadcast' and private;

-- After a restore from a dump, transaction ids start over, so old rows could look new.
update realtime.messages set transaction_id = null
where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) and extension = 'broadcast' and private;

-- Policies on this table decide who may join and send. Without a policy, only service_role can.
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- The server signs in as realtime_admin. This role bypasses the policies on realtime.messages and has no privileges on
-- other tables. To check a caller's permissions, the server switches to the caller's role.
grant usage on schema realtime to realtime_admin;
grant select, insert, update, delete on realtime.messages to realtime_admin;

-- Returns the topic that a policy is evaluated for. Sets no search_path, so that it can be inlined.
create or replace function realtime.topic() returns text
language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '')::text $$;

-- Sends a message from the database. Errors become warnings, so they never abort the sending transaction. Runs as its
-- caller, so a trigger function that calls it must be security definer. `inserted_at` is the time of the call, not of
-- the transaction, so that replay keeps the order of the messages of one transaction.
create or replace function realtime.send(
  payload jsonb,
  event text,
  topic text,
  private boolean default true
) returns void
language plpgsql
set search_path = ''
as $$
declare
  message_id uuid := gen_random_uuid();
  -- An assignment is evaluated directly, whereas `perform` would run a query.
  policy_topic text;
begin
  policy_topic := set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, topic, extension, payload, event, private, inserted_at)
  values (
    message_id,
    send.topic,
    'broadcast',
    case
      when send.payload ? 'id' then send.payload
      else jsonb_set(send.payload, '{id}', to_jsonb(message_id))
    end,
    send.event,
    send.private,
    clock_timestamp()
  );
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- Like `realtime.send`, but sends a binary payload. Clients with protocol 1.0.0 do not receive it.
create or replace function realtime.send_binary(
  payload bytea,
  event text,
  topic text,
  private boolean default true
) returns void
language plpgsql
set search_path = ''
as $$
declare
  policy_topic text;
begin
  policy_topic := set_config('realtime.topic', send_binary.topic, true);
  insert into realtime.messages (topic, extension, binary_payload, event, private, inserted_at)
  values (
    send_binary.topic,
    'broadcast',
    send_binary.payload,
    send_binary.event,
    send_binary.private,
    clock_timestamp()
  );
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- Sends a row change from a trigger, with the row before and after the change. As on Supabase, an error here, such as
-- an unknown operation, aborts the transaction, because it means that the trigger has a bug, not that delivery failed.
create or replace function realtime.broadcast_changes(
  topic_name text,
  event_name text,
  operation text,
  table_name text,
  table_schema text,
  new record,
  old record,
  level text default 'ROW'
) returns void
language plpgsql
set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation is null or operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object(
      'operation', operation, 'schema', table_schema, 'table', table_name, 'record', new, 'old_record', old),
    event_name,
    topic_name);
exception
  when others then
    raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

-- Earlier versions announced each row with NOTIFY. A transaction with a notification holds a global lock until its
-- commit has been written to disk, so only one such transaction could commit at a time.
drop trigger if exists notify_message on realtime.messages;
drop function if exists realtime.notify_message();

-- Notifies the server to close the sockets of a deleted session or account. Attached in session-triggers.sql.
create or replace function realtime.sessions_ended() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_notify(
    'realtime_ended',
    case when tg_table_name = 'users' then 'user' else 'session' end || ' ' || old.id
  );
  return null;
end
$$;

revoke execute on function realtime.sessions_ended() from public;
