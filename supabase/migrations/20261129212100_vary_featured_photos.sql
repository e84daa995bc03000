set local check_function_bodies = off;

create or replace function private.list_newest_photos(target_user_id uuid, max_rows integer)
returns table (media_id uuid, placeholder text)
language plpgsql stable security definer rows 3 set search_path = ''
as $$
begin
  if not private.is_session_active() or not private.can_view_profile(target_user_id) then return; end if;
  return query
    select photo.media_id, photo.placeholder
    from (select latest.*, row_number() over (partition by coalesce(latest.alt_text, latest.id::text)
                                              order by latest.created_at desc, latest.id desc) as turn
          from (select p.* from public.posts p where p.author_id = target_user_id
                order by p.created_at desc, p.id desc limit 30) latest
          where latest.media_type = 'image' and latest.media_id is not null and not latest.is_premium
            and latest.hidden is null) photo
    order by photo.turn, photo.created_at desc, photo.id desc limit max_rows;
end
$$;
