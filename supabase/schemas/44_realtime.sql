-- Events for open pages: Realtime Broadcast on private topics.
--
-- * `user:<user id>` can be read by that user. Only the database writes to it.
-- * `conversation:<lower user id>:<higher user id>` can be read by either of its two users, as long as they are allowed
--   to message the other. A client can broadcast presence and typing there once its user has sent a message in the
--   conversation.
-- * `post:<post id>` can be read by users who can see the post, and `profile:<user id>` by users who can view the
--   profile. Only the database writes to them, and their events contain only counts that all readers may see. Pages
--   fetch everything else through the API, where row-level security applies.
-- * `access:<user id>` cannot be joined. The `access.changed` event there concerns all topics that the user has joined.
--
-- Realtime checks the policies below when a client joins a topic and when its token is refreshed. The embedded
-- Realtime server also checks all members of a topic immediately when it receives the `access.changed` event there,
-- and all topics of a user when it receives the event on `access:<user id>`.

-- Topics -----------------------------------------------------------------------------------------------------------
-- Returns the topic of the conversation between two users.
create function private.conversation_topic(a uuid, b uuid) returns text
language sql immutable set search_path = ''
as $$ select 'conversation:' || least(a::text, b::text) || ':' || greatest(a::text, b::text) $$;

-- Returns whether the caller may join a topic as one of the two users of a conversation.
create function private.can_join_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid text := auth.uid()::text;
  parts text[] := string_to_array(topic, ':');
  other_user_id text;
begin
  if uid is null or array_length(parts, 1) <> 3 or parts[1] <> 'conversation' or parts[2] >= parts[3] then
    return false;
  end if;
  if parts[2] = uid then
    other_user_id := parts[3];
  elsif parts[3] = uid then
    other_user_id := parts[2];
  else
    return false;
  end if;
  if other_user_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  return private.message_refusal(other_user_id::uuid) is null;
end
$$;

grant execute on function private.can_join_conversation(text) to authenticated;

-- Returns whether the caller may read a topic: their own, or that of a conversation that they may join.
create function private.can_read_topic(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return topic = 'user:' || auth.uid()::text or private.can_join_conversation(topic);
end
$$;

grant execute on function private.can_read_topic(text) to authenticated;

-- Returns whether the caller may read the topic of a post or a profile. Runs with the caller's privileges, so that the
-- policies of posts apply.
create function private.can_read_content_topic(topic text) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  kind text := split_part(topic, ':', 1);
  target_id text := substr(topic, length(kind) + 2);
begin
  if target_id is null or target_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then return false; end if;
  if kind = 'post' then return exists (select from public.posts p where p.id = target_id::uuid); end if;
  if kind = 'profile' then
    return exists (select from private.viewable_profiles v where v.id = target_id::uuid);
  end if;
  return false;
end
$$;

grant execute on function private.can_read_content_topic(text) to authenticated;

-- Returns whether the caller may broadcast (presence, typing) on a topic: only in a conversation in which they have
-- sent a message themselves.
create function private.can_broadcast_to_conversation(topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  other_user_id uuid;
begin
  if not coalesce(private.can_join_conversation(topic), false) then return false; end if;
  other_user_id := case when split_part(topic, ':', 2) = uid::text then split_part(topic, ':', 3)
                        else split_part(topic, ':', 2) end;
  return exists (select from public.conversation_members m
                 where m.user_id = uid and m.partner_id = other_user_id and m.has_written);
end
$$;

grant execute on function private.can_broadcast_to_conversation(text) to authenticated;

-- Policies ---------------------------------------------------------------------------------------------------------
-- Requires an active session that was opened by signing in. Access tokens are excluded, because a user's topic receives
-- all of their events, including those outside the token's scopes.
create policy ovation_active_session on realtime.messages as restrictive for all to authenticated
  using ((select private.is_sign_in_session_active())) with check ((select private.is_sign_in_session_active()));

-- Users receive events on their own topic and on those of conversations that they may join.
create policy ovation_select on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and (select private.can_read_topic((select realtime.topic()))));

-- Users receive the events of posts and profiles that they can see.
create policy ovation_select_content on realtime.messages for select to authenticated
  using (extension = 'broadcast' and (select private.can_read_content_topic((select realtime.topic()))));

-- Limits which of the app's events are replayed to a joining client: only those on the user's own topic that cannot
-- become outdated and contain no content. Other events are not replayed: since they were sent, a message may have been
-- edited or deleted, or a block may have been created, and a user who can see a post or profile now might not have been
-- allowed to see it then. The policy does not affect topics that the app does not use. It does not affect the delivery
-- of new events either, because for that, Realtime checks the policies with rows whose `event` is null. On Supabase,
-- replay does not apply policies to individual events, so this policy has no effect there.
create policy ovation_replay on realtime.messages as restrictive for select to authenticated
  using (event is null
         or split_part(topic, ':', 1) not in ('user', 'conversation', 'post', 'profile', 'access')
         or (topic like 'user:%'
             and event in ('notification.created', 'notification.read', 'follow.changed', 'profile.changed')));

-- Users broadcast in conversations in which they have sent a message.
create policy ovation_insert on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence')
              and (select private.can_broadcast_to_conversation((select realtime.topic()))));

-- Sending events ---------------------------------------------------------------------------------------------------
-- Sends an event to a user's open pages. Realtime stores and delivers the event; an error in Realtime never fails the
-- transaction.
create function private.broadcast_to_user(recipient_id uuid, event text, payload jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send(payload, event, 'user:' || recipient_id::text, true);
end
$$;

-- Makes the embedded Realtime server check all topics that a user has joined, because the user may have lost access.
create function private.recheck_access(user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'access.changed', 'access:' || user_id::text, true);
end
$$;

-- Sends `access.changed` on the topics of a user's 200 latest conversations, because the user may have lost or gained
-- access to them.
create function private.recheck_conversations(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'access.changed', private.conversation_topic(m.user_id, m.partner_id), true)
  from (select m.user_id, m.partner_id from public.conversation_members m where m.user_id = target_user_id
        order by m.last_message_at desc limit 200) m;
end
$$;

-- Sends an event to open pages that show a post.
create function private.broadcast_to_post(post_id uuid, event text, payload jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send(payload, event, 'post:' || post_id::text, true);
end
$$;

-- Sends an event to open pages that show a profile. The event has no payload, because the user may hide their counts.
create function private.broadcast_to_profile(user_id uuid, event text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', event, 'profile:' || user_id::text, true);
end
$$;

-- Sends `post.changed` to open pages that show quotes of a post: to the topics of up to 200 quotes.
create function private.broadcast_to_quotes(quoted_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_post(quote.post_id, 'post.changed')
  from (select x.post_id from public.post_quotes x where x.quoted_post_id = quoted_id limit 200) quote;
end
$$;

-- Sends events about a changed post. If the post was hidden or restored, sends them to the topics of the post, its
-- quotes and the author's profile; if it was pinned or unpinned, only to the profile's topic; otherwise, only to the
-- post's topic. Comments, likes and reposts change the post's counts, so they are covered too.
create function private.broadcast_post_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.hidden is distinct from new.hidden then
    perform private.broadcast_to_post(new.id, 'access.changed');
    perform private.broadcast_to_quotes(new.id);
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.pinned <> new.pinned then
    perform private.broadcast_to_profile(new.author_id, 'posts.changed');
  elsif old.comments_count <> new.comments_count then
    perform private.broadcast_to_post(new.id, 'comments.changed', jsonb_build_object(
      'likesCount', new.likes_count, 'commentsCount', new.comments_count));
  elsif old.likes_count <> new.likes_count then
    perform private.broadcast_to_post(new.id, 'likes.changed', jsonb_build_object('likesCount', new.likes_count));
  elsif old.reposts_count <> new.reposts_count then
    perform private.broadcast_to_post(new.id, 'reposts.changed', jsonb_build_object('repostsCount', new.reposts_count));
  else
    perform private.broadcast_to_post(new.id, 'post.changed');
  end if;
  return null;
end
$$;

create trigger broadcast_post_changed after update on public.posts
  for each row when (old.* is distinct from new.*) execute function private.broadcast_post_changed();

create function private.broadcast_post_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_profile(new.author_id, 'post.created');
  return null;
end
$$;

create trigger broadcast_post_created after insert on public.posts
  for each row when (new.hidden is null) execute function private.broadcast_post_created();

-- Runs before the post is deleted, because the references to it in `post_quotes` are deleted with it.
create function private.broadcast_quoted_post_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_quotes(old.id);
  return old;
end
$$;

create trigger broadcast_quoted_post_deleted before delete on public.posts
  for each row execute function private.broadcast_quoted_post_deleted();

-- Runs once per statement, so that deleting an account sends only one event to the pages that show its profile.
create function private.broadcast_posts_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_post(d.id, 'post.deleted') from deleted_posts d;
  perform private.broadcast_to_profile(a.author_id, 'posts.changed')
  from (select distinct d.author_id from deleted_posts d) a;
  return null;
end
$$;

create trigger broadcast_posts_deleted after delete on public.posts referencing old table as deleted_posts
  for each statement execute function private.broadcast_posts_deleted();

-- Sends `counts.changed` unless the user hides their counts: in that case, the event would reveal when somebody follows
-- them.
create function private.broadcast_counts_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.profiles p where p.id = new.user_id and p.show_follower_count) then
    perform private.broadcast_to_profile(new.user_id, 'counts.changed');
  end if;
  return null;
end
$$;

create trigger broadcast_counts_changed after update of posts, followers, following, subscribers on public.profile_counts
  for each row when (old.* is distinct from new.*) execute function private.broadcast_counts_changed();
