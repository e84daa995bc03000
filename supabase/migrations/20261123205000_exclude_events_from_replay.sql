-- Excludes events from the replay of a topic; see supabase/schemas/44_realtime.sql.
create policy ovation_replay on realtime.messages as restrictive for select to authenticated
  using (event is null
         or event not in ('message.created', 'message.changed', 'reaction.changed', 'counts.changed'));
