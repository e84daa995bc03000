-- Premium posts: the paid content, and unlocks (purchases of single posts). The price and the teaser are columns of
-- public.posts (30_posts.sql).
--
-- * The paid content can be read by the author, by users who have unlocked the post and, if the author included the
--   post in subscriptions, by active subscribers. All of them must also be able to view the author's profile.
-- * When moderators hide or remove a post, its paid content is hidden in the same way.
-- * The comments on a premium post can be read only by users who can read its paid content.
-- * An unlock is bought with a payment (50_payments.sql): private.begin_unlock creates the payment, and
--   private.settle_unlock stores the unlock when the payment is settled.

-- Paid content -------------------------------------------------------------------------------------------------
-- The paid content of premium posts, in a separate table so that no query or realtime event on posts can reveal it.
create table public.premium_contents (
  post_id uuid primary key references public.posts (id) on delete cascade,
  author_id uuid not null references public.profiles (id) on delete cascade, -- see private.check_premium_author
  content text not null default '' check (char_length(content) <= 5000),
  media_id uuid references public.media (id),
  poster_id uuid references public.media (id), -- preview image of a video
  alt_text text check (char_length(alt_text) <= 500)
);

-- An upload belongs to at most one post. The policies of media use these indexes to find the post.
create unique index premium_contents_media_id_key on public.premium_contents (media_id);

create unique index premium_contents_poster_id_key on public.premium_contents (poster_id);

create index premium_contents_author_id_idx on public.premium_contents (author_id);

alter table public.premium_contents enable row level security;

-- Requires an active session.
create policy premium_contents_active_session on public.premium_contents as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- The author and everyone with paid access can read the content.
create policy premium_contents_select on public.premium_contents for select to authenticated
  using ((select true from private.readable_premium_posts r where r.id = post_id));

revoke all on public.premium_contents from anon, authenticated, service_role;
grant select on public.premium_contents to authenticated;
grant all on public.premium_contents to service_role;

-- Rejects a row whose author is not the post's author, because private.readable_premium_posts checks only the post's
-- author.
create function private.check_premium_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = new.post_id and p.author_id = new.author_id) then
    raise exception 'Premium content must have the same author as its post.' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_premium_author before insert or update of post_id, author_id on public.premium_contents
  for each row execute function private.check_premium_author();

-- Includes one of the caller's premium posts in subscriptions to the caller. Called in the transaction that publishes
-- the post. A repeated call does not overwrite a later edit.
create function private.set_included_in_subscription(target_post_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set included_in_subscription = true
  where p.id = target_post_id and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and private.can_write()
$$;

grant execute on function private.set_included_in_subscription(uuid) to authenticated;

-- Lets everyone see how many users have unlocked one of the caller's premium posts. Called in the transaction that
-- publishes the post. A repeated call does not overwrite a later edit.
create function private.show_unlocks(target_post_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set unlocks_count = (select count(*) from public.unlocks u where u.post_id = p.id)
  where p.id = target_post_id and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and p.unlocks_count is null and private.can_write()
$$;

grant execute on function private.show_unlocks(uuid) to authenticated;

-- Unlocks ------------------------------------------------------------------------------------------------------
create table public.unlocks (
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  payment_id uuid not null references public.payments (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, post_id)
);

create index unlocks_post_id_idx on public.unlocks (post_id);

create index unlocks_payment_id_idx on public.unlocks (payment_id);

-- For the job that counts recent unlocks (trending).
create index unlocks_created_at_idx on public.unlocks (created_at);

alter table public.unlocks enable row level security;

-- Requires an active session.
create policy unlocks_active_session on public.unlocks as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Buyers see their own unlocks.
create policy unlocks_select on public.unlocks for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.unlocks from anon, authenticated, service_role;
grant select on public.unlocks to authenticated, service_role;

-- Updates the unlock count of a post whose author shows that count. The post's row must be locked before the rows of
-- its unlocks.
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

-- Access -------------------------------------------------------------------------------------------------------
-- Returns whether a user, not necessarily the caller, is entitled to all content of a post. Every user is entitled to a
-- free post; only the author, buyers and, if the post is included in subscriptions, subscribers are entitled to a
-- premium post. Does not check whether the user may see the post.
create function private.has_paid_access(target_user_id uuid, target_post_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
           select from public.posts p
           where p.id = target_post_id and (not p.is_premium or p.author_id = target_user_id
             or (p.included_in_subscription and private.is_subscribed(target_user_id, p.author_id))))
      or exists (select from public.unlocks u where u.user_id = target_user_id and u.post_id = target_post_id)
$$;

-- The premium posts whose paid content the caller may read: their own, those that they have unlocked and, if included
-- in subscriptions, those of creators to whom they are subscribed. A caller who has paid but can no longer view the
-- author's profile cannot read the content. This is a view and not a function, because the policy of premium_contents
-- can look up a single row in it: that costs less than a function call per row and makes the planner avoid a scan of
-- premium_contents. The view runs with its owner's privileges, so it checks `hidden` itself, as the policy of posts
-- does.
create view private.readable_premium_posts as
  select p.id
  from public.posts p
  where p.is_premium
    and (p.hidden is null or (p.hidden = 'hidden' and p.author_id = (select auth.uid())))
    and (p.author_id = (select auth.uid())
         or (select true from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
         or (p.included_in_subscription and private.is_subscribed_to(p.author_id)))
    and (select true from private.viewable_profiles v where v.id = p.author_id);

grant select on private.readable_premium_posts to authenticated;

-- Unlocking ----------------------------------------------------------------------------------------------------
-- Serializes the payments of one user for one post, or for the photo of one message, until the end of the transaction.
create function private.lock_purchase(payer_id uuid, item_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('unlock:' || payer_id::text || item_id::text, 0)) $$;

-- Returns the price of a post for the caller in cents, or null if there is nothing to pay: the post is free, the
-- caller's own, unlocked, or included in the caller's subscription. Raises an error if the caller cannot write or
-- cannot see the post. If there is something to pay, also raises an error if the author's account is read-only or
-- `amount` (in US dollars) is not the current price.
create function private.unlock_price(target_post_id uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  target_post public.posts;
begin
  perform private.require_write();
  select * into target_post from public.posts p where p.id = target_post_id;
  if not found or not private.can_view_profile(target_post.author_id)
     or (target_post.hidden is not null
         and (target_post.hidden = 'removed' or target_post.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if private.has_paid_access(auth.uid(), target_post_id) then return null; end if;
  if exists (select from public.accounts a
             where a.user_id = target_post.author_id and a.read_only_reason is not null) then
    raise exception 'This post can''t be unlocked right now. Try again later.'
      using errcode = 'PT403', detail = 'payment_failed';
  end if;
  if amount is distinct from target_post.premium_price then
    raise exception 'The price of this post is now $%.', to_char(target_post.premium_price, 'FM990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  return (target_post.premium_price * 100)::integer;
end
$$;

grant execute on function private.unlock_price(uuid, numeric) to authenticated;

-- Creates the caller's payment for a post and returns its id, or null if there is nothing to pay. `amount` is the
-- price in US dollars that the caller agreed to. Idempotent: returns the pending payment if there is one, updated to
-- that price. The API then replaces a checkout page that was opened for another price.
create function private.begin_unlock(target_post_id uuid, amount numeric, payment_provider text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  price_cents integer;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('unlocks', uid, 60, '1 minute');
  perform private.lock_purchase(uid, target_post_id);
  price_cents := private.unlock_price(target_post_id, amount);
  if price_cents is null then return null; end if;
  return private.begin_unlock_payment(
    (select p.author_id from public.posts p where p.id = target_post_id), target_post_id, null, price_cents,
    payment_provider);
end
$$;

grant execute on function private.begin_unlock(uuid, numeric, text) to authenticated;

-- Returns the id of the caller's pending payment for a post, or for the photo of a message, after setting its price.
-- Creates the payment if there is none. The calling function has locked the purchase.
create function private.begin_unlock_payment(
  seller_id uuid, target_post_id uuid, target_message_id uuid, price_cents integer, payment_provider text
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pending public.payments;
begin
  select * into pending from public.payments p
  where p.payer_id = auth.uid() and p.state = 'pending'
    and (p.post_id = target_post_id or p.message_id = target_message_id) for update;
  if not found then
    insert into public.payments (kind, payer_id, payee_id, post_id, message_id, amount_cents, fee_cents, provider)
    values ('unlock', auth.uid(), seller_id, target_post_id, target_message_id, price_cents,
            private.platform_fee_cents(price_cents), payment_provider)
    returning * into pending;
  elsif pending.provider_reference is null then
    -- No provider has been called for this payment yet, so the payment switches to the current provider.
    update public.payments p
    set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents), provider = payment_provider,
        created_at = clock_timestamp()
    where p.id = pending.id;
  elsif pending.amount_cents <> price_cents then
    update public.payments p set amount_cents = price_cents, fee_cents = private.platform_fee_cents(price_cents)
    where p.id = pending.id;
  end if;
  return pending.id;
end
$$;

-- Stores the unlock that a confirmed payment has bought, and notifies the author. Returns false if the payment has to
-- be refunded instead, because the post or the payer no longer exists, the post has been hidden, or the payer has
-- already unlocked it.
create function private.settle_unlock(paid public.payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id and p.hidden is null for no key update) then
    return false;
  end if;
  -- Lock the author's counters before the payer's profile, in the same order as account deletion.
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
