-- Private notes: what a user has written down about another user, shown in the details of their conversation.

create table public.user_notes (
  author_id uuid not null references public.profiles (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null check (char_length(content) between 1 and 1000),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (author_id, user_id)
);

comment on table public.user_notes is 'A user''s private note about another user. Nobody else can read it, not even admins.';

-- For deleting the account of the user whom the notes are about.
create index user_notes_user_id_idx on public.user_notes (user_id);

alter table public.user_notes enable row level security;
revoke all on public.user_notes from anon, authenticated, service_role;
-- Only private.set_user_note writes to this table.
grant select on public.user_notes to authenticated;

-- Requires an active session; an access token also needs the `messages` scope.
create policy user_notes_active_session on public.user_notes as restrictive for all to authenticated
  using ((select private.can_use_messages())) with check ((select private.can_use_messages()));

-- Only the author can read a note.
create policy user_notes_select on public.user_notes for select to authenticated
  using (author_id = (select auth.uid()));

-- Sets the caller's note about a user. Blank text deletes it. Unless `previous_content` is null, the stored note must
-- equal it; an empty string means that there is no note.
create function private.set_user_note(target_user_id uuid, new_content text, previous_content text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  stored_content text;
begin
  if not private.can_use_messages() then
    raise exception 'Your session has ended. Sign in again.' using errcode = '42501';
  end if;
  perform private.require_write();
  perform private.enforce_rate_limit('user notes', uid, 60, '1 minute');
  perform pg_advisory_xact_lock(hashtextextended('user_note:' || uid::text || target_user_id::text, 0));
  select n.content into stored_content from public.user_notes n
  where n.author_id = uid and n.user_id = target_user_id;
  -- A repeated request finds its own text stored, and succeeds.
  if coalesce(stored_content, '') not in (previous_content, btrim(new_content)) then
    raise exception 'This note was changed elsewhere.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(new_content) then
    delete from public.user_notes n where n.author_id = uid and n.user_id = target_user_id;
    return;
  end if;
  insert into public.user_notes (author_id, user_id, content)
  select uid, p.id, btrim(new_content) from public.profiles p where p.id = target_user_id
  on conflict (author_id, user_id) do update set content = excluded.content, updated_at = clock_timestamp();
  if not found then raise exception 'User not found' using errcode = 'PT404'; end if;
end
$$;

grant execute on function private.set_user_note(uuid, text, text) to authenticated;
