-- Shows what locked premium posts contain: how long the text and the video are and, if the author wants, how many users
-- unlocked them.

alter table public.media add column duration_seconds integer check (duration_seconds > 0);

alter table public.posts
  add column media_duration integer check (media_duration > 0),
  add column paid_text_length integer,
  add column unlocks_count integer check (unlocks_count >= 0),
  add constraint posts_premium_facts_check check (is_premium or (paid_text_length is null and unlocks_count is null));

drop function private.finish_upload(uuid, bigint, text);

create function private.finish_upload(upload_id uuid, size_bytes bigint, mime_type text, seconds integer default null)
returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  upload public.media;
begin
  select * into upload from public.media m where m.id = upload_id for update;
  if not found then return false; end if;
  -- The size of a streamed file is only known now.
  if upload.state = 'pending' and size_bytes > upload.bytes then
    perform private.require_storage(upload.owner_id, size_bytes - upload.bytes);
  end if;
  if upload.incoming_path is not null then
    insert into private.file_deletion_queue (bucket, path, due_at)
    values ('media', upload.incoming_path, private.upload_url_expires_at(upload.created_at)) on conflict do nothing;
  end if;
  update public.media m set state = 'ready', bytes = size_bytes, content_type = mime_type, incoming_path = null,
                            duration_seconds = seconds
  where m.id = upload_id and m.state = 'pending';
  return true;
end
$$;

grant execute on function private.finish_upload(uuid, bigint, text, integer) to service_role;

create function private.approximate_length(paid_text text) returns integer
language sql immutable set search_path = ''
as $$
  select case when not private.is_blank(paid_text) then
    greatest(10, round(char_length(paid_text)::numeric, case when char_length(paid_text) < 1000 then -1 else -2 end))
  end::integer
$$;

create or replace function private.insert_post(
  post_author_id uuid, uploader_id uuid, new_post_id uuid, content_text text, price numeric, teaser_text text,
  image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, written_by text default null
) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  main_media public.media;
  poster public.media;
  is_paid boolean := price is not null;
begin
  -- A retry waits here for the first request, then finds the post stored.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  if exists (select from public.posts p where p.id = new_post_id) then return false; end if;
  if private.is_blank(content_text) and image_id is null and video_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if image_id is not null then
    main_media := private.claim_media_of(uploader_id, image_id, 'image');
  elsif video_id is not null then
    main_media := private.claim_media_of(uploader_id, video_id, 'video');
    if poster_image_id is not null then
      poster := private.claim_media_of(uploader_id, poster_image_id, 'image');
    end if;
  end if;
  if post_author_id <> uploader_id then
    update public.media m set owner_id = post_author_id where m.id in (main_media.id, poster.id);
  end if;

  insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, made_by,
                            media_type, media_width, media_height, media_duration, placeholder, media_id, poster_id,
                            alt_text, paid_text_length)
  values (new_post_id, post_author_id, case when is_paid then '' else content_text end, is_paid, price,
          case when is_paid then nullif(teaser_text, '') end, written_by,
          main_media.kind, coalesce(main_media.width, poster.width), coalesce(main_media.height, poster.height),
          main_media.duration_seconds, coalesce(main_media.placeholder, poster.placeholder),
          case when not is_paid then main_media.id end, case when not is_paid then poster.id end,
          case when not is_paid and main_media.id is not null then nullif(alt_description, '') end,
          case when is_paid then private.approximate_length(content_text) end)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if is_paid then
    insert into public.premium_contents (post_id, author_id, content, media_id, poster_id, alt_text)
    values (new_post_id, post_author_id, content_text, main_media.id, poster.id,
            case when main_media.id is not null then nullif(alt_description, '') end);
  end if;
  return true;
end
$$;

create or replace function private.edit_post(target_post_id uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old_post public.posts;
  old_premium public.premium_contents;
  new_content text;
  new_alt_text text;
begin
  perform private.require_own_post(target_post_id);
  select * into old_post from public.posts p where p.id = target_post_id for update;
  if not found then raise exception 'Post not found' using errcode = 'PT404'; end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  if not old_post.is_premium
     and (changes ?| array['premiumPrice', 'includedInSubscription', 'showUnlocks']
          or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'Only premium posts can have a price or a teaser, or be included in subscriptions.'
      using errcode = 'PT400';
  end if;
  if old_post.product is null and changes ? 'product' then
    raise exception 'This post has no product.' using errcode = 'PT400';
  end if;
  select * into old_premium from public.premium_contents c where c.post_id = target_post_id;
  new_content := coalesce(changes ->> 'content', old_premium.content, old_post.content);
  new_alt_text := case when changes ? 'altText' then nullif(changes ->> 'altText', '')
                       else coalesce(old_premium.alt_text, old_post.alt_text) end;
  if private.is_blank(new_content) and old_post.product is not null then
    raise exception 'Please fill in all required fields.' using errcode = 'PT400';
  end if;
  if private.is_blank(new_content) and old_post.media_type is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if old_post.is_premium then
    update public.premium_contents c
    set content = new_content, alt_text = case when old_post.media_type is not null then new_alt_text end
    where c.post_id = target_post_id;
  end if;
  update public.posts p
  set content = case when old_post.is_premium then '' else new_content end,
      alt_text = case when not old_post.is_premium and old_post.media_type is not null then new_alt_text end,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else p.teaser end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, p.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, p.included_in_subscription),
      paid_text_length = case when p.is_premium then private.approximate_length(new_content) end,
      unlocks_count = case (changes ->> 'showUnlocks')::boolean
        when true then (select count(*) from public.unlocks u where u.post_id = p.id)
        when false then null else p.unlocks_count end,
      product = case when changes ? 'product' then private.validated_product(
                  changes #>> '{product,name}', (changes #>> '{product,price}')::numeric,
                  changes #>> '{product,storeUrl}', changes #>> '{product,category}') else p.product end,
      edited_at = clock_timestamp()
  where p.id = target_post_id;
end
$$;

create function private.show_unlocks(target_post_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set unlocks_count = (select count(*) from public.unlocks u where u.post_id = p.id)
  where p.id = target_post_id and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and private.can_write()
$$;

grant execute on function private.show_unlocks(uuid) to authenticated;

create function private.on_unlock_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  update public.posts p set unlocks_count = greatest(0, p.unlocks_count + delta)
  where p.id = case when tg_op = 'INSERT' then new.post_id else old.post_id end and p.unlocks_count is not null;
  return null;
end
$$;

create trigger on_unlock_changed after insert or delete on public.unlocks
  for each row execute function private.on_unlock_changed();

create or replace function private.settle_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id and p.hidden is null for no key update) then
    return false;
  end if;
  -- The author's counters before the payer's profile: an account deletion locks them in this order.
  perform private.lock_user_counters(array[paid.payee_id]);
  if not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.create_notification(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;

create or replace function private.refund_payment(payment_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  payment public.payments;
begin
  select * into payment from public.payments p where p.id = payment_id;
  if not found then raise exception 'Payment not found' using errcode = 'PT404'; end if;
  if payment.provider = 'test' then perform private.lock_test_money(); end if;
  perform private.lock_payment(payment);
  -- Deleting the unlock changes the count of the post.
  perform from public.posts p where p.id = payment.post_id for no key update;
  update public.payments p set state = 'refunded' where p.id = payment.id and p.state = 'paid';
  if not found then return false; end if;
  delete from public.unlocks u where u.payment_id = payment.id;
  -- Refunding an earlier month does not end the current one.
  if payment.period_start is not null and not exists (
    select from public.payments p
    where (p.subscription_id = payment.subscription_id or p.plan_id = payment.plan_id) and p.state = 'paid'
      and p.period_start > (select r.period_start from public.payments r where r.id = payment.id)
  ) then
    perform private.end_subscription(payment.subscription_id);
    perform private.end_creator_plan(payment.plan_id);
  end if;
  perform private.book_payment(payment, -1);
  if payment.provider = 'test' then perform private.void_test_refund(payment); end if;
  return true;
end
$$;

create or replace function private.lock_user_conversations_and_posts(target_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.conversations c
  where c.id in (select m.conversation_id from public.conversation_members m where m.user_id = target_user_id)
  order by c.id for no key update;
  perform from public.posts p
  where p.id in (select o.id from public.posts o where o.author_id = target_user_id
                 union select l.post_id from public.likes l where l.user_id = target_user_id
                 union select u.post_id from public.unlocks u where u.user_id = target_user_id
                 union select c.post_id from public.comments c where c.author_id = target_user_id)
  order by p.id for update;
end
$$;

revoke execute on function private.finish_upload(uuid, bigint, text, integer), private.approximate_length(text),
  private.show_unlocks(uuid), private.on_unlock_changed() from public;

-- The length of the texts that are already published. The pages of these posts need no event.
alter table public.posts disable trigger broadcast_post_changed;

update public.posts p set paid_text_length = private.approximate_length(c.content)
from public.premium_contents c where c.post_id = p.id and not private.is_blank(c.content);

alter table public.posts enable trigger broadcast_post_changed;
