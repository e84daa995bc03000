-- Limits which events a joining client may have replayed; see supabase/schemas/44_realtime.sql.
create policy ovation_replay on realtime.messages as restrictive for select to authenticated
  using (event is null
         or split_part(topic, ':', 1) not in ('user', 'conversation', 'post', 'profile', 'access')
         or (topic like 'user:%'
             and event in ('notification.created', 'notification.read', 'follow.changed', 'profile.changed')));
