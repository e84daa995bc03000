create or replace function private.own_view_sources(first_day date, last_day date) returns table (source text, views integer)
language sql stable security definer rows 9 set search_path = ''
as $$
  select case when d.views >= 5 then d.source else 'other' end, sum(d.views)::integer
  from private.creator_view_sources d
  where d.creator_id = auth.uid() and d.day between first_day and last_day
    and d.day < ((now() - interval '2 hours') at time zone 'UTC')::date and private.is_session_active()
  group by 1
$$;
