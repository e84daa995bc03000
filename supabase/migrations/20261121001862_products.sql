-- Products: a post that says what can be bought in a store elsewhere. Its description is the post's text.

-- On the post's own row, so that a feed pays nothing for it: {"name", "price", "storeUrl", "category"}. Written by
-- private.publish_product and private.edit_post alone: clients may write three columns of a post, and this is none of
-- them.
alter table public.posts
  add column product jsonb,
  add check (product is null or (
    not is_premium and jsonb_typeof(product) = 'object'
    and char_length(product ->> 'name') between 1 and 100
    and (product ->> 'price')::numeric between 0.01 and 99999.99
    and private.is_web_address(product ->> 'storeUrl')
    and coalesce(char_length(product ->> 'category'), 1) between 1 and 60));
-- The check is asked of every post that its author writes directly, whatever is in it.
grant execute on function private.is_web_address(text) to authenticated;

-- A product as its post's row holds it. An address with a name to sign in with leads elsewhere than it seems to.
create function private.product_of(product_name text, price numeric, store_url text, product_category text) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if private.is_blank(product_name) or price is null or private.is_blank(store_url) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if not private.is_web_address(store_url) or store_url ~ '^https?://[^/?#]*@' then
    raise exception 'Please enter a valid store URL.' using errcode = 'PT400';
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'name', btrim(product_name), 'price', round(price, 2), 'storeUrl', store_url,
    'category', case when not private.is_blank(product_category) then btrim(product_category) end));
end
$$;

-- Stores a product of the caller. False when a post of this id is stored already.
create function private.publish_product(
  post uuid, product_name text, described text, price numeric, store_url text, product_category text,
  image uuid default null, image_words text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  offered jsonb;
begin
  perform private.require_write();
  if private.is_blank(described) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  offered := private.product_of(product_name, price, store_url, product_category);
  if not private.publish_post(post, described, null, null, image, null, null, image_words) then return false; end if;
  update public.posts p set product = offered where p.id = post;
  return true;
end
$$;
grant execute on function private.publish_product(uuid, text, text, numeric, text, text, uuid, text) to authenticated;

-- Changes what `changes` names of one of the caller's posts: content, teaser, altText, premiumPrice,
-- includedInSubscription, and of a product all of `product` (name, price, storeUrl, category).
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
  if old.product is null and changes ? 'product' then
    raise exception 'This post offers no product.' using errcode = 'PT400';
  end if;
  select * into paid from public.premium_contents c where c.post_id = post;
  written := coalesce(changes ->> 'content', paid.content, old.content);
  described := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                    else coalesce(paid.alt_text, old.alt_text) end;
  if private.is_blank(written) and old.product is not null then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
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
      product = case when changes ? 'product' then private.product_of(
                  changes #>> '{product,name}', (changes #>> '{product,price}')::numeric,
                  changes #>> '{product,storeUrl}', changes #>> '{product,category}') else p.product end,
      edited_at = clock_timestamp()
  where p.id = post;
end
$$;

revoke execute on all functions in schema private from public;
