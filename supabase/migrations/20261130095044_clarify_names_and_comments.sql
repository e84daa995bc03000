set local check_function_bodies = off;

DROP FUNCTION "private"."delete_expired_drafts"();

DROP FUNCTION "private"."deleted_payment_customers"(integer);

DROP FUNCTION "private"."require_own_post"(uuid);

CREATE OR REPLACE FUNCTION private.begin_tip(tip_id uuid, creator_id uuid, amount numeric, payment_provider text, message text DEFAULT NULL::text, tipped_post_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  existing public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate_limit('tips', uid, 30, '1 minute');
  perform private.lock_relation(uid, creator_id);
  select * into existing from public.payments p where p.id = tip_id;
  if found then
    if existing.kind <> 'tip' or existing.payer_id <> uid or existing.payee_id <> creator_id
       or existing.amount_cents <> amount * 100 then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    -- If no provider has been called for this payment yet, the payment switches to the current provider.
    update public.payments p set provider = payment_provider
    where p.id = tip_id and p.state = 'pending' and p.provider_reference is null and p.provider <> payment_provider;
    return existing.id;
  end if;
  perform private.require_can_tip(creator_id);
  if amount not between 1 and 500 or amount <> round(amount, 2) then
    raise exception 'Please enter an amount between $1.00 and $500.00.' using errcode = 'PT400';
  end if;
  if tipped_post_id is not null and not exists (
    select from public.posts p where p.id = tipped_post_id and p.author_id = creator_id and p.hidden is null) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, provider, note, about_post_id)
  values (tip_id, 'tip', uid, creator_id, (amount * 100)::integer,
          private.platform_fee_cents((amount * 100)::integer), payment_provider, nullif(btrim(message), ''), tipped_post_id);
  return tip_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.edit_post(target_post_id uuid, changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  old_post public.posts;
  old_premium public.premium_contents;
  new_content text;
  new_alt_text text;
begin
  perform private.require_can_edit_post(target_post_id);
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
$function$;

CREATE OR REPLACE FUNCTION private.end_auto_run(ended_run_id uuid, run_outcome text, run_detail text, written_text text, run_usage jsonb, as_of timestamp with time zone, slot_token uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.auto_post_runs;
  final_outcome text := run_outcome;
  final_detail text := run_detail;
  needs_review boolean;
  new_id uuid := gen_random_uuid();
begin
  -- Locks in the same order as account deletion, to avoid deadlocks: the profile's counts before the rows that depend
  -- on the profile.
  perform from public.profile_counts c
  where c.user_id = (select x.user_id from public.auto_post_runs x where x.id = ended_run_id) for no key update;
  select * into r from public.auto_post_runs x where x.id = ended_run_id for update;
  if not found or r.outcome is not null then return 'lost'; end if;
  if written_text is not null and r.kind <> 'preview' then
    if r.kind = 'slot' then
      update private.auto_post_slots s set state = 'done', token = null, claimed_until = null
      where s.user_id = r.user_id and s.day = r.day and s.nth = r.nth and s.token = slot_token and s.state = 'running';
      if not found then
        final_outcome := 'lost';
        final_detail := 'The worker no longer held this slot.';
      end if;
    end if;
    if final_outcome <> 'lost' and not private.can_auto_post(r.user_id) then
      final_outcome := 'refused';
      final_detail := 'Auto-posting is no longer on for this creator.';
    end if;
    if final_outcome not in ('lost', 'refused') then
      select t.approve_auto_posts into needs_review from public.profile_about t where t.user_id = r.user_id;
      if needs_review then
        insert into public.auto_post_drafts (id, user_id, content) values (new_id, r.user_id, written_text);
        final_outcome := 'drafted';
        perform private.lock_user_counters(array[r.user_id]);
        perform private.create_notification(r.user_id, null, 'auto_post',
          detail => 'An AI-written draft is ready for your review.');
      else
        perform private.insert_post(r.user_id, r.user_id, new_id, written_text, null, null, null, null, null, null, 'ai');
        final_outcome := 'published';
      end if;
      update private.auto_posting_settings x set last_auto_post = as_of where x.user_id = r.user_id;
    end if;
  end if;
  update public.auto_post_runs x
  set ended_at = clock_timestamp(), outcome = final_outcome, detail = left(final_detail, 500),
      prompt = run_usage -> 'prompt', answer = left(run_usage ->> 'answer', 10000),
      input_tokens = coalesce((run_usage ->> 'inputTokens')::integer, 0),
      output_tokens = coalesce((run_usage ->> 'outputTokens')::integer, 0),
      cost_micros = coalesce((run_usage ->> 'costMicros')::bigint, 0),
      calls = coalesce((run_usage ->> 'calls')::integer, 0),
      post_id = case when final_outcome = 'published' then new_id end,
      draft_id = case when final_outcome = 'drafted' then new_id end
  where x.id = ended_run_id;
  return final_outcome;
end
$function$;

CREATE OR REPLACE FUNCTION private.payment_customers_to_delete(max_rows integer)
 RETURNS TABLE(provider text, reference text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.provider, c.reference from private.payment_customers c
  where not exists (select from public.profiles p where p.id = c.user_id) limit max_rows
$function$;

CREATE OR REPLACE FUNCTION private.require_can_edit_post(target_post_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  post_author_id uuid := (
    select p.author_id from public.posts p where p.id = target_post_id and p.hidden is distinct from 'removed');
begin
  perform private.require_write();
  if post_author_id is null or not private.can_view_profile(post_author_id)
     or (post_author_id <> auth.uid()
         and exists (select from public.posts p where p.id = target_post_id and p.hidden is not null)) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if post_author_id <> auth.uid() then
    raise exception 'Only the author can edit a post.' using errcode = 'PT403';
  end if;
  if exists (select from public.posts p where p.id = target_post_id and p.hidden is not null) then
    raise exception 'Moderators hid this post, so you can''t edit it.' using errcode = 'PT403';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_post_pinned(target_post_id uuid, new_pinned boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
begin
  if new_pinned or not exists (
       select from public.posts p
       where p.id = target_post_id and p.author_id = uid and p.hidden is distinct from 'removed') then
    perform private.require_can_edit_post(target_post_id);
  else
    perform private.require_write();
  end if;
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Without this lock, two concurrent calls would both find no other pinned post.
  perform pg_advisory_xact_lock(hashtextextended('pinned_post:' || uid::text, 0));
  perform from public.posts p
  where p.author_id = uid and (p.pinned or p.id = target_post_id) order by p.id for update;
  update public.posts p set pinned = false
  where p.author_id = uid and p.pinned and (p.id <> target_post_id) = new_pinned;
  if new_pinned then
    update public.posts p set pinned = true where p.id = target_post_id and p.author_id = uid and not p.pinned;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tidy_auto_posting()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  expired_drafts integer;
  deleted_runs integer;
begin
  update public.auto_post_drafts f set state = 'expired', decided_at = clock_timestamp()
  where f.state = 'waiting' and f.created_at < (select clock_timestamp()) - private.draft_lifetime();
  get diagnostics expired_drafts = row_count;
  delete from public.auto_post_drafts f where f.created_at < (select clock_timestamp()) - interval '90 days';
  delete from public.auto_post_runs r where r.started_at < (select clock_timestamp()) - interval '90 days';
  get diagnostics deleted_runs = row_count;
  delete from private.auto_post_slots s where s.day < current_date - 90;
  return jsonb_build_object('drafts', expired_drafts, 'runs', deleted_runs);
end
$function$;

COMMENT ON COLUMN "public"."subscriptions"."periods" IS 'The number of months paid for since started_at: a payment for three months adds three.';

COMMENT ON TABLE "public"."auto_post_drafts" IS 'AI-written posts for their creators to review, kept for 90 days. A published draft becomes a post with the same id.';

REVOKE ALL ON FUNCTION "private"."payment_customers_to_delete"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."payment_customers_to_delete"(integer) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."require_can_edit_post"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_can_edit_post"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."tidy_auto_posting"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."tidy_auto_posting"() TO "postgres", "service_role";

-- The reason of older runs gets the new text, because the app translates it.
update public.auto_post_runs set detail = 'The worker no longer held this slot.'
where detail = 'Another worker took over this slot.';
