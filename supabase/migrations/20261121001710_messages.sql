-- Messages that can be answered, reacted to, edited and taken back, and that carry pictures.
--
-- What happens to a message after it was sent is numbered within its conversation (`version`), as messages themselves
-- are: whoever was away asks for the changes after the last one they know.

alter table public.conversations add column last_change bigint not null default 0;
comment on column public.conversations.last_change is 'Edits, deletions and reactions so far: the number of the last one.';

alter table public.messages drop constraint messages_content_check;
alter table public.messages
  add column version bigint not null default 0,
  add column edited_at timestamptz,
  add column deleted_at timestamptz,
  add column reply_to_id uuid references public.messages (id) on delete set null,
  add column media_id uuid references public.media (id),
  add column media_width integer check (media_width > 0),
  add column media_height integer check (media_height > 0),
  add column placeholder text,
  -- [{"emoji", "userId"}], the oldest first: sixteen at most, written by private.react_to_message alone.
  add column reactions jsonb not null default '[]',
  -- What a search compares, made once: folding five thousand texts takes longer than reading them.
  add column search_text text not null generated always as (private.fold(content)) stored,
  add check (char_length(content) <= 5000);
comment on column public.messages.version is 'The number of its last change within the conversation; 0 while there was none.';

-- That this person has written to the other one at all: who only received shows nothing of being here.
alter table public.conversation_members add column has_written boolean not null default false;
update public.conversation_members r set has_written = true
where exists (select from public.messages m where m.conversation_id = r.conversation_id and m.sender_id = r.user_id);

create index messages_reply_to_id_idx on public.messages (reply_to_id) where reply_to_id is not null;
-- Who may read an upload is asked of what refers to it.
create unique index messages_media_id_key on public.messages (media_id) where media_id is not null;
create index messages_changes_idx on public.messages (conversation_id, version) where version > 0;
-- A search within one person's messages: theirs are few among all, and the index knows both conditions.
create index messages_search_idx on public.messages
  using gin ((array[sender_id, receiver_id]), search_text extensions.gin_trgm_ops);

grant insert (reply_to_id, media_id) on public.messages to authenticated;
-- As the lists of what somebody sent and received, the latest first.
drop index public.messages_sender_id_idx, public.messages_receiver_id_idx;
create index messages_sender_id_idx on public.messages (sender_id, created_at desc, id desc);
create index messages_receiver_id_idx on public.messages (receiver_id, created_at desc, id desc);

-- Uploads -----------------------------------------------------------------------------------------------------

-- An upload belongs to one post or one message.
create or replace function private.take_media(upload uuid, wanted_kind text) returns public.media
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken public.media;
begin
  select * into taken from public.media m
  where m.id = upload and m.owner_id = auth.uid() and m.kind = wanted_kind and m.state = 'ready'
  for update;
  if not found
     or exists (select from public.posts p where upload in (p.media_id, p.poster_id))
     or exists (select from public.premium_contents c where upload in (c.media_id, c.poster_id))
     or exists (select from public.messages m where m.media_id = upload) then
    raise exception 'This upload cannot be used. Please choose the file again.'
      using errcode = 'PT400', detail = 'media_not_usable';
  end if;
  return taken;
end
$$;

create or replace function private.sweep_media(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  loose uuid;
  looked_at integer := 0;
begin
  for loose in
    select l.media_id from private.loose_media l where l.due <= clock_timestamp()
    order by l.due limit most for update skip locked
  loop
    begin
      delete from public.media m
      where m.id = loose
        and not exists (select from public.posts p where p.media_id = loose)
        and not exists (select from public.posts p where p.poster_id = loose)
        and not exists (select from public.premium_contents c where c.media_id = loose)
        and not exists (select from public.premium_contents c where c.poster_id = loose)
        and not exists (select from public.messages s where s.media_id = loose);
    exception when foreign_key_violation then
      -- A post or a message that took it was committed in between.
      null;
    end;
    delete from private.loose_media l where l.media_id = loose;
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end
$$;

-- What goes with somebody's account changes rows of many people. All of it is held before the account is, and in the
-- order in which everybody else holds it: they come to the person's own row last, by what refers to it.
create function private.hold_what_goes(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.hold_written(person);
  perform private.hold_counted(person);
end
$$;

create function private.hold_written(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = person)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = person
                 union select l.post_id from public.likes l where l.user_id = person
                 union select c.post_id from public.comments c where c.author_id = person)
  order by p.id for update;
end
$$;

-- `others`: more people whose counts it changes.
create function private.hold_counted(person uuid, others uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile_counts c
  where c.user_id in (select person
                      union select unnest(others)
                      union select f.followee_id from public.follows f where f.follower_id = person
                      union select f.follower_id from public.follows f where f.followee_id = person)
  order by c.user_id for no key update;
  perform private.lock_counters(array(
    select person
    union select n.user_id from public.notifications n where n.actor_id = person
    union select n.user_id from public.notifications n join public.posts p on p.id = n.post_id
          where p.author_id = person
    union select p.author_id from public.likes l join public.posts p on p.id = l.post_id where l.user_id = person
    union select f.followee_id from public.follows f where f.follower_id = person
    union select r.followee_id from public.follow_requests r where r.follower_id = person));
end
$$;

create function private.before_user_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_what_goes(old.id);
  return old;
end
$$;
create trigger before_user_deleted before delete on auth.users
  for each row execute function private.before_user_deleted();

-- What somebody who goes wrote to others stays with those; their pictures go with their other files, which is a change
-- of the message as any other.
create function private.before_profile_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_what_goes(old.id);
  update public.messages m
  set media_id = null, placeholder = null, version = private.next_change(m.conversation_id)
  where m.media_id in (select u.id from public.media u where u.owner_id = old.id);
  return old;
end
$$;
create trigger before_profile_deleted before delete on public.profiles
  for each row execute function private.before_profile_deleted();

drop policy media_select on public.media;
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
    or exists (select from public.messages m where m.media_id = media.id)
  );

-- Sending -----------------------------------------------------------------------------------------------------

-- Says in words why the caller may not write to somebody.
create function private.require_message_to(receiver uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  refusal text := private.message_refusal(receiver);
begin
  if refusal is null then return; end if;
  raise exception '%', case refusal
      when 'recipient_not_found' then 'Recipient not found'
      when 'direct_messages_disabled' then 'This user has disabled direct messages'
      else 'This account is read-only.' end
    using errcode = case refusal when 'recipient_not_found' then 'PT404' else 'PT403' end, detail = refusal;
end
$$;

-- A message as its two people see it. With the caller's own rights: what is quoted is read under the policies.
create or replace function private.message_json(message public.messages, is_read boolean) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  quoted jsonb;
begin
  if message.reply_to_id is not null then
    select jsonb_build_object(
      'id', q.id, 'seq', q.seq, 'senderId', q.sender_id, 'content', left(q.content, 200),
      'hasImage', q.media_id is not null, 'deleted', q.deleted_at is not null) into quoted
    from public.messages q where q.id = message.reply_to_id;
  end if;
  return jsonb_build_object(
    'id', message.id, 'seq', message.seq, 'senderId', message.sender_id, 'receiverId', message.receiver_id,
    'content', message.content, 'createdAt', message.created_at, 'isRead', is_read,
    'version', message.version, 'editedAt', message.edited_at, 'deleted', message.deleted_at is not null,
    'imageUrl', '/api/media/' || message.media_id, 'imageWidth', message.media_width,
    'imageHeight', message.media_height, 'placeholder', message.placeholder,
    'replyTo', quoted, 'reactions', message.reactions);
end
$$;

-- Changes -----------------------------------------------------------------------------------------------------

-- One of the caller's messages or one to the caller, with its conversation locked until the end: changes are numbered
-- in the order in which they become visible.
create function private.message_to_change(message uuid) returns public.messages
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  found_message public.messages;
begin
  if not private.session_alive() then
    raise exception 'This session has been ended.' using errcode = '42501';
  end if;
  perform from public.conversations c
  where c.id = (select m.conversation_id from public.messages m
                where m.id = message and uid in (m.sender_id, m.receiver_id))
  for no key update;
  if not found then raise exception 'Message not found' using errcode = 'PT404'; end if;
  select * into found_message from public.messages m where m.id = message;
  return found_message;
end
$$;

-- Tells both people of a changed message.
create function private.tell_message_change(changed public.messages, event text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_read boolean := coalesce((
    select changed.seq <= r.last_read_seq from public.conversation_members r
    where r.user_id = changed.receiver_id and r.other_id = changed.sender_id), false);
  message jsonb := private.message_json(changed, is_read);
begin
  perform private.tell(changed.receiver_id, event,
                       jsonb_build_object('message', message, 'otherUserId', changed.sender_id));
  -- Within a block neither learns when the other is here.
  if is_read and private.are_blocked(changed.sender_id, changed.receiver_id) then
    message := message || '{"isRead": false}';
  end if;
  perform private.tell(changed.sender_id, event,
                       jsonb_build_object('message', message, 'otherUserId', changed.receiver_id));
end
$$;

create function private.next_change(conversation uuid) returns bigint
language sql volatile security definer set search_path = ''
as $$
  update public.conversations c set last_change = c.last_change + 1 where c.id = conversation returning c.last_change
$$;

-- Changes what one of the caller's messages says, within a quarter of an hour after it was sent.
create function private.edit_message(message uuid, written text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.message_to_change(message);
  changed public.messages;
begin
  perform private.require_edit(message);
  if old.media_width is null and private.is_blank(written) then
    raise exception 'Please write a message.' using errcode = 'PT400';
  end if;
  -- Its constraint would say so with the text itself.
  if char_length(written) > 5000 then
    raise exception 'A message can have at most 5000 characters.' using errcode = 'PT400';
  end if;
  if written = old.content then return; end if;
  perform private.enforce_rate('message changes', auth.uid(), 120, '1 minute');
  update public.messages m
  set content = written, edited_at = clock_timestamp(), version = private.next_change(old.conversation_id)
  where m.id = message
  returning * into changed;
  perform private.tell_message_change(changed, 'message.changed');
end
$$;

-- Takes one of the caller's messages back, for both people: its place and number stay, nothing of it does. Also
-- towards somebody who may no longer be written to.
create function private.delete_message(message uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.message_to_change(message);
  changed public.messages;
begin
  if old.sender_id <> auth.uid() then
    raise exception 'Only its sender can delete a message.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then return; end if;
  perform private.enforce_rate('message changes', auth.uid(), 120, '1 minute');
  update public.messages m
  set content = '', deleted_at = clock_timestamp(), edited_at = null, reply_to_id = null, media_id = null,
      media_width = null, media_height = null, placeholder = null, reactions = '[]',
      version = private.next_change(old.conversation_id)
  where m.id = message
  returning * into changed;
  delete from public.media m where m.id = old.media_id;
  -- Nobody is written to about what is no longer there.
  update public.conversation_members r set unread_since = (
    select m.created_at from public.messages m
    where m.conversation_id = r.conversation_id and m.seq > r.last_read_seq and m.receiver_id = r.user_id
      and m.deleted_at is null
    order by m.seq limit 1)
  where r.user_id = old.receiver_id and r.other_id = old.sender_id and r.unread_count > 0
    and r.last_read_seq < old.seq;
  -- As everywhere: a person's counts are held before their notifications change.
  perform private.lock_counters(array[old.sender_id, old.receiver_id]);
  delete from public.notifications n where n.message_id = message;
  perform private.tell_message_change(changed, 'message.changed');
end
$$;

-- Reacts to a message of the caller's conversations, or takes that reaction back; answers all its reactions.
create function private.react_to_message(message uuid, sign text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old public.messages := private.message_to_change(message);
  changed public.messages;
  mine jsonb := jsonb_build_object('emoji', sign, 'userId', uid);
  adding boolean := not old.reactions @> jsonb_build_array(mine);
begin
  if sign is null or sign <> all ('{👍,❤️,😂,😮,😢,😡,👏,🔥}') then
    raise exception 'Please choose one of the offered reactions.' using errcode = 'PT400';
  end if;
  perform private.require_react(message);
  perform private.enforce_rate('message changes', uid, 120, '1 minute');
  update public.messages m
  set version = private.next_change(old.conversation_id),
      reactions = case when adding then old.reactions || mine else
        (select coalesce(jsonb_agg(r.one order by r.place), '[]')
         from jsonb_array_elements(old.reactions) with ordinality as r(one, place) where r.one <> mine) end
  where m.id = message
  returning * into changed;
  if old.sender_id <> uid then
    -- Whoever changes somebody's notifications holds their counts first: here too, or two could wait for each other.
    perform from public.user_counters c where c.user_id = old.sender_id for update;
    if adding then
      perform private.notify_person(old.sender_id, uid, 'reaction', message => message);
    elsif not changed.reactions @> jsonb_build_array(jsonb_build_object('userId', uid)) then
      perform private.withdraw_notification(old.sender_id, uid, 'reaction', message => message);
    end if;
  end if;
  perform private.tell_message_change(changed, 'reaction.changed');
  return changed.reactions;
end
$$;

-- Search ------------------------------------------------------------------------------------------------------

-- The caller's messages that contain a text, accents and case aside: ids, the latest first. With its owner's rights,
-- because a condition that row-level security does not trust would be asked of every message.
--
-- The latest 2,500 sent and 2,500 received are read as they are: what is said often is found among them, and an index
-- would bring all of it. Only what is older comes from the index, which knows no text of fewer than three characters:
-- such a one is looked for among those 5,000 alone.
create function private.find_messages(searched text, after_time timestamptz, after_id uuid, most integer)
returns table (id uuid, created_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  folded text := private.fold(btrim(searched));
  pattern text := '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%';
  from_time timestamptz := coalesce(after_time, 'infinity');
  from_id uuid := coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  -- Down to here, but not at it, both kinds have been read.
  edge timestamptz;
  found_among_latest integer;
begin
  if not private.session_alive() or private.is_blank(folded) then return; end if;
  edge := greatest(
    (select m.created_at from public.messages m
     where m.sender_id = uid and (m.created_at, m.id) < (from_time, from_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1),
    (select m.created_at from public.messages m
     where m.receiver_id = uid and (m.created_at, m.id) < (from_time, from_id)
     order by m.created_at desc, m.id desc offset 2499 limit 1));
  return query
    with latest as materialized (
      select m.id, m.created_at, m.search_text from public.messages m
      where m.sender_id = uid and (m.created_at, m.id) < (from_time, from_id)
        and m.created_at > coalesce(edge, '-infinity')
      union all
      select m.id, m.created_at, m.search_text from public.messages m
      where m.receiver_id = uid and (m.created_at, m.id) < (from_time, from_id)
        and m.created_at > coalesce(edge, '-infinity')
    )
    select l.id, l.created_at from latest l
    where l.search_text like pattern
    order by l.created_at desc, l.id desc
    limit most;
  get diagnostics found_among_latest = row_count;
  if edge is null or found_among_latest >= most or char_length(folded) < 3 then return; end if;
  return query
    select m.id, m.created_at from public.messages m
    where array[m.sender_id, m.receiver_id] @> array[uid] and m.search_text like pattern
      and m.created_at <= edge and (m.created_at, m.id) < (from_time, from_id)
    order by m.created_at desc, m.id desc
    limit most - found_among_latest;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.message_json(public.messages, boolean), private.edit_message(uuid, text),
  private.delete_message(uuid), private.react_to_message(uuid, text),
  private.find_messages(text, timestamptz, uuid, integer) to authenticated;
