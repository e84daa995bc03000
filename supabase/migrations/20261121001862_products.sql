-- Products: a post that says what can be bought in a store elsewhere. Its description is the post's text.

-- On the post's own row, so that a feed pays nothing for it: {"name", "price", "storeUrl", "category"}. Written by
-- private.publish_product alone: clients may write three columns of a post, and this is none of them.
alter table public.posts
  add column product jsonb,
  add check (product is null or (
    not is_premium and jsonb_typeof(product) = 'object'
    and char_length(product ->> 'name') between 1 and 100
    and (product ->> 'price')::numeric between 0.01 and 99999.99
    and private.is_web_address(product ->> 'storeUrl')
    and coalesce(char_length(product ->> 'category'), 1) between 1 and 60));

-- Stores a product of the caller. False when a post of this id is stored already.
create function private.publish_product(
  post uuid, product_name text, described text, price numeric, store_url text, product_category text,
  image uuid default null, image_words text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_write();
  if private.is_blank(product_name) or private.is_blank(described) or price is null or private.is_blank(store_url) then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if not private.is_web_address(store_url) then
    raise exception 'Please enter a valid store URL.' using errcode = 'PT400';
  end if;
  if not private.publish_post(post, described, null, null, image, null, null, image_words) then return false; end if;
  update public.posts p
  set product = jsonb_strip_nulls(jsonb_build_object(
    'name', btrim(product_name), 'price', round(price, 2), 'storeUrl', store_url,
    'category', nullif(btrim(product_category), '')))
  where p.id = post;
  return true;
end
$$;
grant execute on function private.publish_product(uuid, text, text, numeric, text, text, uuid, text) to authenticated;

revoke execute on all functions in schema private from public;
