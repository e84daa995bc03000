-- More causes to notify of: comments, replies, mentions and unlocks.

alter table public.notifications drop constraint notifications_kind_check;
alter table public.notifications add constraint notifications_kind_check check (kind in (
  'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'unlock', 'message'));
alter table public.notifications add column comment_id uuid;
create index notifications_comment_id_idx on public.notifications (comment_id);
drop index public.notifications_once_key;
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id) nulls not distinct;

drop function private.notify_person(uuid, uuid, text, uuid);
create function private.notify_person(
  receiver uuid, actor uuid, notification_kind text, post uuid default null, comment uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if receiver = actor or private.are_blocked(receiver, actor) then return; end if;
  insert into public.notifications (user_id, actor_id, kind, post_id, comment_id)
  values (receiver, actor, notification_kind, post, comment)
  on conflict do nothing;
end
$$;

-- Whether somebody, who need not be the caller, may see what `owner` posts: the rule of private.viewable_profiles.
create function private.may_see(viewer uuid, owner uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return viewer = owner or exists (
    select from public.profiles p
    where p.id = owner and not private.are_blocked(viewer, owner)
      and (p.visibility = 'public' or (p.visibility = 'followers' and exists (
        select from public.follows f where f.follower_id = viewer and f.followee_id = owner))));
end
$$;

-- Tells the people whom a text names with @username, as far as they may read it: the first ten. A comment is part of
-- what is paid for; of a post, only its public text comes here. `told` have heard of it for another reason.
create function private.notify_mentioned(
  written text, actor uuid, post uuid, comment uuid default null, told uuid[] default '{}'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  owner uuid := (select p.author_id from public.posts p where p.id = post);
  person uuid;
begin
  for person in
    select p.id
    from (select lower(m[1]) as name, min(place) as place
          from regexp_matches(written, '(?<![[:alnum:]_@#/&])@([A-Za-z0-9_]{3,30})(?![A-Za-z0-9_])', 'g')
            with ordinality as found(m, place)
          group by 1 order by 2 limit 10) named
    join public.profiles p on lower(p.username) = named.name
    where p.id <> all (told) and private.may_see(p.id, owner)
      and (comment is null or private.may_read_paid(p.id, post))
  loop
    perform private.notify_person(person, actor, 'mention', post, comment);
  end loop;
end
$$;

revoke execute on all functions in schema private from public;
