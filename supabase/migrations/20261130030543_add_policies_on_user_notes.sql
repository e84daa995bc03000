set local lock_timeout = '5s';

-- Requires an active session; an access token also needs the `messages` scope.
create policy user_notes_active_session on public.user_notes as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Only the author can read a note.
create policy user_notes_select on public.user_notes for select to authenticated
  using (author_id = (select auth.uid()));
