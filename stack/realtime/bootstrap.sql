-- The schema `realtime` as the app's migrations expect to find it. Run by the superuser before those
-- migrations, once the roles anon, authenticated and service_role exist. Safe to run at every start.

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

-- A plain table where Supabase partitions by day: one machine holds at most 72 hours of rows, a delete
-- by index clears them, and a missing partition can never swallow a message. The primary key keeps
-- Supabase's shape, so that nothing written against it has to change.
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

-- Serves the hourly clean-up.
create index if not exists messages_inserted_at_idx on realtime.messages (inserted_at);

-- Policies on this table decide who may join and send, so without a policy nobody may.
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- The server signs in as this role. It is above the policies on its own table and nothing else, and tries
-- the rights of callers by becoming them.
grant usage on schema realtime to realtime_admin;
grant select, insert, update, delete on realtime.messages to realtime_admin;

-- The topic a policy is asked about. Without a search_path of its own, so that it can be inlined.
create or replace function realtime.topic() returns text
language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '')::text $$;

-- Sends a message from the database. An error is only a warning: it must never break the transaction
-- that sends. It runs as its caller, so a trigger function that calls it is security definer.
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
  -- An assignment is worked out at once, where `perform` would run a query.
  policy_topic text;
begin
  policy_topic := set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, topic, extension, payload, event, private)
  values (
    message_id,
    send.topic,
    'broadcast',
    case
      when send.payload ? 'id' then send.payload
      else jsonb_set(send.payload, '{id}', to_jsonb(message_id))
    end,
    send.event,
    send.private
  );
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- Tells the server of a row: its id and topic, and on lines of their own its event and payload, where these fit: a
-- notification holds 8,000 bytes. What does not fit the server reads, if somebody listens to the topic; one that is
-- longer than any name may be has no listener. Nobody listens to what is not private.
create or replace function realtime.notify_message() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  head text := new.id || ' ' || left(new.topic, 300);
  whole text := head || e'\n' || new.event || e'\n' || new.payload::text;
begin
  perform pg_notify(
    'realtime_messages',
    case when octet_length(whole) < 7900 and new.payload ? 'id' and strpos(new.topic || new.event, e'\n') = 0
      then whole else head end
  );
  return null;
end
$$;

-- The rows by which rights are tried carry no event and tell nobody.
create or replace trigger notify_message
  after insert on realtime.messages
  for each row
  when (new.extension = 'broadcast' and new.event is not null and new.private)
  execute function realtime.notify_message();

-- Tells the server to close what a deleted session or account has open; after-auth.sql attaches it.
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

revoke execute on function realtime.notify_message(), realtime.sessions_ended() from public;
