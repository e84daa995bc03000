-- The rule of paid content, asked as one function instead of two subqueries with policies of their own: a page of the
-- feed then pays for it only where a post is premium.

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
grant execute on function private.may_read_premium(uuid, uuid) to authenticated, service_role;

drop policy premium_contents_select on public.premium_contents;
create policy premium_contents_select on public.premium_contents for select to authenticated
  using (private.may_read_premium(post_id, author_id));
