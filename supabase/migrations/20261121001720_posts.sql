-- An author marks what their subscribers get, and a trending topic says by how many people it is one.

comment on column public.posts.included_in_subscription is
  'Marked by its author for their subscribers. It opens nothing as long as nobody can subscribe, so no screen offers it.';

-- Changes what `changes` names of one of the caller's posts: content, teaser, altText, premiumPrice,
-- includedInSubscription.
create or replace function private.edit_post(post uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old public.posts;
  paid public.premium_contents;
  written text;
  described text;
begin
  perform private.require_own_post(post);
  select * into old from public.posts p where p.id = post for update;
  if not found then raise exception 'Post not found' using errcode = 'PT404'; end if;
  perform private.enforce_rate('posts', uid, 30, '1 minute');
  if not old.is_premium
     and (changes ? 'premiumPrice' or changes ? 'includedInSubscription' or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'This post is free: it has no price and no teaser, and no subscription is needed.'
      using errcode = 'PT400';
  end if;
  select * into paid from public.premium_contents c where c.post_id = post;
  written := coalesce(changes ->> 'content', paid.content, old.content);
  described := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                    else coalesce(paid.alt_text, old.alt_text) end;
  if private.is_blank(written) and old.media_type is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if old.is_premium then
    update public.premium_contents c
    set content = written, alt_text = case when old.media_type is not null then described end
    where c.post_id = post;
  end if;
  update public.posts p
  set content = case when old.is_premium then '' else written end,
      alt_text = case when not old.is_premium and old.media_type is not null then described end,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else p.teaser end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, p.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, p.included_in_subscription),
      edited_at = clock_timestamp()
  where p.id = post;
end
$$;

-- Topics rank by people, so that both numbers are told.
drop function private.list_trending_tags(integer);
create function private.list_trending_tags(max_rows integer) returns table (tag text, posts integer, people integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.session_alive() then return; end if;
  return query select t.tag, t.posts, t.people from private.trending_tags t
               order by t.people desc, t.posts desc, t.tag limit max_rows;
end
$$;
revoke execute on function private.list_trending_tags(integer) from public;
grant execute on function private.list_trending_tags(integer) to authenticated;
