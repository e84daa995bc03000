set local check_function_bodies = off;

CREATE INDEX messages_photos_idx ON public.messages USING btree (conversation_id, seq) WHERE (media_id IS NOT NULL);

create function private.thread_photos(other_user_id uuid, before_id uuid, max_rows integer)
returns table (id uuid, item text)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  thread record := private.find_thread(other_user_id);
  before_seq bigint := 9223372036854775807;
begin
  if before_id is not null then
    before_seq := (
      select m.seq from public.messages m where m.id = before_id and m.conversation_id = thread.conversation_id);
  end if;
  return query
    select m.id, json_build_object(
      'messageId', m.id, 'senderId', m.sender_id, 'createdAt', m.created_at, 'url', '/api/media/' || m.media_id,
      'width', m.media_width, 'height', m.media_height, 'placeholder', m.placeholder)::text
    from public.messages m
    where m.conversation_id = thread.conversation_id and m.media_id is not null and m.seq < before_seq
    order by m.seq desc limit max_rows;
end
$$;

grant execute on function private.thread_photos(uuid, uuid, integer) to authenticated;

create function private.own_sales_to(user_id uuid, test_money boolean) returns bigint
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(sum(p.amount_cents), 0)::bigint from public.payments p
    where p.payer_id = u.id and p.payee_id = auth.uid() and p.state = 'paid' and (p.provider = 'test') = test_money)
  from public.profiles u
  where u.id = own_sales_to.user_id
    and (select private.is_session_active()) and not (select private.are_blocked(own_sales_to.user_id, auth.uid()))
$$;

grant execute on function private.own_sales_to(uuid, boolean) to authenticated;

revoke execute on function private.thread_photos(uuid, uuid, integer), private.own_sales_to(uuid, boolean) from public;
