-- The rule of paid content, asked as one function instead of two subqueries with policies of their own: a page of the
-- feed then pays for it only where a post is premium. It asks who the author is open to, not the post: whatever comes
-- to hide a single post must be asked here too.

create function private.may_read_premium(post uuid, author uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if author is distinct from uid
     and not exists (select from public.unlocks u where u.user_id = uid and u.post_id = post) then
    return false;
  end if;
  -- Having paid opens nothing that its author no longer shows.
  return private.can_view(author);
end
$$;
revoke execute on function private.may_read_premium(uuid, uuid) from public;
grant execute on function private.may_read_premium(uuid, uuid) to authenticated;

drop policy premium_contents_select on public.premium_contents;
create policy premium_contents_select on public.premium_contents for select to authenticated
  using (private.may_read_premium(post_id, author_id));

-- The rule asks the author whom the content names, so that is the post's own.
create function private.check_premium_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = new.post_id and p.author_id = new.author_id) then
    raise exception 'Paid content belongs to the author of its post.' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke execute on function private.check_premium_author() from public;
create trigger check_premium_author before insert or update of post_id, author_id on public.premium_contents
  for each row execute function private.check_premium_author();
