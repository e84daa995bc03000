set local check_function_bodies = off;

CREATE INDEX subscriptions_active_creator_id_idx ON public.subscriptions USING btree (creator_id, subscriber_id) WHERE (state = 'active'::text);

create or replace function private.list_filtered_conversations(
  list_filter text, after_message_at timestamptz, after_partner_id uuid, max_rows integer
) returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz, unread_count integer,
                 has_written boolean)
language plpgsql stable security definer rows 30 set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  after_at timestamptz := coalesce(after_message_at, 'infinity');
  after_id uuid := coalesce(after_partner_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.can_use_messages() then return; end if;
  if list_filter = 'unread' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and m.unread_count > 0 and (m.last_message_at, m.partner_id) < (after_at, after_id)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  elsif list_filter = 'requests' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and not m.has_written and (m.last_message_at, m.partner_id) < (after_at, after_id)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  elsif list_filter = 'subscribers' then
    return query
      select m.partner_id, m.last_message_id, m.last_message_at, m.unread_count, m.has_written
      from public.conversation_members m
      where m.user_id = uid and (m.last_message_at, m.partner_id) < (after_at, after_id)
        and m.partner_id in (
          select s.subscriber_id from public.subscriptions s where s.creator_id = uid and s.state = 'active')
        and private.is_subscribed(m.partner_id, uid)
      order by m.last_message_at desc, m.partner_id desc limit max_rows;
  end if;
end
$$;
