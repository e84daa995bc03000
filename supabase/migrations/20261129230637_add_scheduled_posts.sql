set local check_function_bodies = off;

CREATE TABLE "public"."scheduled_posts" ("id" uuid NOT NULL, "author_id" uuid NOT NULL, "publish_at" timestamp with time zone NOT NULL, "content" text NOT NULL DEFAULT ''::text, "premium_price" numeric(5,2), "teaser" text, "included_in_subscription" boolean NOT NULL DEFAULT false, "show_unlocks" boolean NOT NULL DEFAULT false, "media_id" uuid, "poster_id" uuid, "alt_text" text, "quoted_post_id" uuid, "failure" text, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "scheduled_posts_alt_text_check" CHECK ((char_length(alt_text) <= 500)), CONSTRAINT "scheduled_posts_check1" CHECK (((media_id IS NOT NULL) OR ((poster_id IS NULL) AND (alt_text IS NULL)))), CONSTRAINT "scheduled_posts_check" CHECK (((premium_price IS NOT NULL) OR ((teaser IS NULL) AND (NOT included_in_subscription) AND (NOT show_unlocks)))), CONSTRAINT "scheduled_posts_content_check" CHECK ((char_length(content) <= 5000)), CONSTRAINT "scheduled_posts_failure_check" CHECK ((failure = ANY (ARRAY['account_restricted'::text, 'creators_only'::text, 'email_unconfirmed'::text, 'media_unavailable'::text, 'quote_unavailable'::text, 'other'::text]))), CONSTRAINT "scheduled_posts_pkey" PRIMARY KEY (id), CONSTRAINT "scheduled_posts_premium_price_check" CHECK (((premium_price >= 0.01) AND (premium_price <= 999.99))), CONSTRAINT "scheduled_posts_teaser_check" CHECK ((char_length(teaser) <= 500)));

ALTER TABLE "public"."scheduled_posts" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.broadcast_scheduled_posts_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_to_user(
    case when tg_op = 'DELETE' then old.author_id else new.author_id end, 'scheduled_posts.changed', '{}');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.edit_scheduled_post(target_id uuid, changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  old_post public.scheduled_posts;
  new_content text;
  new_quoted_id uuid;
begin
  perform private.require_write();
  select * into old_post from public.scheduled_posts s where s.id = target_id and s.author_id = uid for update;
  if not found then raise exception 'Scheduled post not found' using errcode = 'PT404'; end if;
  perform private.require_can_publish(old_post.premium_price is not null);
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  if old_post.premium_price is null
     and (changes ?| array['premiumPrice', 'includedInSubscription', 'showUnlocks']
          or coalesce(changes ->> 'teaser', '') <> '') then
    raise exception 'Only premium posts can have a price or a teaser, or be included in subscriptions.'
      using errcode = 'PT400';
  end if;
  new_content := coalesce(changes ->> 'content', old_post.content);
  if private.is_blank(new_content) and old_post.media_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  new_quoted_id := case when not changes ? 'quotedPostId' then old_post.quoted_post_id end;
  if changes ? 'publishAt' then
    perform private.require_publish_time((changes ->> 'publishAt')::timestamptz);
    if new_quoted_id is not null then perform private.lock_quotable_post(uid, new_quoted_id); end if;
  end if;
  update public.scheduled_posts s
  set content = new_content,
      teaser = case when changes ? 'teaser' then nullif(changes ->> 'teaser', '') else s.teaser end,
      alt_text = case when s.media_id is not null and changes ? 'altText' then nullif(changes ->> 'altText', '')
                      else s.alt_text end,
      premium_price = coalesce((changes ->> 'premiumPrice')::numeric, s.premium_price),
      included_in_subscription =
        coalesce((changes ->> 'includedInSubscription')::boolean, s.included_in_subscription),
      show_unlocks = coalesce((changes ->> 'showUnlocks')::boolean, s.show_unlocks),
      quoted_post_id = new_quoted_id,
      publish_at = coalesce((changes ->> 'publishAt')::timestamptz, s.publish_at),
      failure = case when not changes ? 'publishAt' then s.failure end
  where s.id = target_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_media_used(upload_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.posts p where p.media_id = upload_id)
      or exists (select from public.posts p where p.poster_id = upload_id)
      or exists (select from public.premium_contents c where c.media_id = upload_id)
      or exists (select from public.premium_contents c where c.poster_id = upload_id)
      or exists (select from public.scheduled_posts s where s.media_id = upload_id)
      or exists (select from public.scheduled_posts s where s.poster_id = upload_id)
      or exists (select from public.messages m where m.media_id = upload_id)
      or exists (select from public.gallery_items g where g.media_id = upload_id)
      or exists (select from private.hidden_messages h where h.media_id = upload_id)
      or private.is_media_in_open_case(upload_id)
$function$;

CREATE OR REPLACE FUNCTION private.lock_quotable_post(quoting_user_id uuid, quoted_id uuid)
 RETURNS public.posts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  quoted public.posts;
begin
  select * into quoted from public.posts p where p.id = quoted_id for key share;
  if quoted.id is null or quoted.hidden is not null
     or not private.can_user_view_profile(quoting_user_id, quoted.author_id) then
    raise exception 'The post you are quoting is not available.'
      using errcode = 'PT404', detail = 'quote_unavailable';
  end if;
  if quoted.author_id <> quoting_user_id and not exists (
       select from private.discoverable_profiles p where p.id = quoted.author_id and p.visibility = 'public') then
    raise exception 'This post can''t be quoted.' using errcode = 'PT403', detail = 'quote_unavailable';
  end if;
  return quoted;
end
$function$;

CREATE OR REPLACE FUNCTION private.next_due_post(skipped_ids uuid[])
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id from public.scheduled_posts s
  where s.failure is null and s.publish_at <= (select clock_timestamp()) and s.id <> all (skipped_ids)
    and (s.publish_at <= (select clock_timestamp()) - private.scheduled_post_grace()
         or exists (select from public.accounts a where a.user_id = s.author_id and a.read_only_reason is null))
  order by s.publish_at, s.id limit 1
$function$;

CREATE OR REPLACE FUNCTION private.publish_due_post(target_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid := (select s.author_id from public.scheduled_posts s where s.id = target_id);
  scheduled public.scheduled_posts;
  problem text;
  state text;
  code text;
begin
  if owner_id is null then return 'skipped'; end if;
  -- Does not wait for the deletion of the account, because waiting would delay the posts of other users.
  if not pg_try_advisory_xact_lock_shared(private.follows_lock_key(owner_id)) then
    raise exception 'The author''s account is locked.' using errcode = 'lock_not_available';
  end if;
  -- Does not wait for an edit that is in progress either.
  select * into scheduled from public.scheduled_posts s
  where s.id = target_id and s.failure is null and s.publish_at <= clock_timestamp() for update skip locked;
  if not found then return 'skipped'; end if;
  if exists (select from public.accounts a where a.user_id = owner_id and a.read_only_reason is null) then
    begin
      perform private.publish_scheduled(scheduled);
      return 'published';
    exception when others then
      get stacked diagnostics state = returned_sqlstate, code = pg_exception_detail;
      -- These are errors that our functions raise, invalid data and violated constraints. A retry would fail again.
      if state !~ '^(PT4|22|23)' then raise; end if;
      problem := case when code in ('creators_only', 'email_unconfirmed', 'quote_unavailable') then code
                      when code = 'media_not_usable' then 'media_unavailable' else 'other' end;
    end;
  elsif scheduled.publish_at > clock_timestamp() - private.scheduled_post_grace() then
    return 'skipped';
  else
    problem := 'account_restricted';
  end if;
  update public.scheduled_posts s set failure = problem where s.id = target_id;
  perform private.create_notification(owner_id, null, 'scheduled_post');
  return 'failed';
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_scheduled(scheduled public.scheduled_posts)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_paid boolean := scheduled.premium_price is not null;
  media_kind text := (select m.kind from public.media m where m.id = scheduled.media_id);
  quoted public.posts;
  mentioned_ids uuid[];
  recipient_id uuid;
begin
  if is_paid and not exists (select from public.profiles p where p.id = scheduled.author_id and p.is_creator) then
    raise exception 'Only creators can publish premium posts.' using errcode = 'PT403', detail = 'creators_only';
  end if;
  if is_paid and not private.is_email_confirmed(scheduled.author_id) then
    raise exception 'Confirm your email address first.' using errcode = 'PT403', detail = 'email_unconfirmed';
  end if;
  -- Deleted first, because the id and the uploads can be used only once.
  delete from public.scheduled_posts s where s.id = scheduled.id;
  -- Posts are locked before profile counts.
  if scheduled.quoted_post_id is not null then
    quoted := private.lock_quotable_post(scheduled.author_id, scheduled.quoted_post_id);
  end if;
  if not private.insert_post(
       scheduled.author_id, scheduled.author_id, scheduled.id, scheduled.content, scheduled.premium_price,
       scheduled.teaser, case when media_kind = 'image' then scheduled.media_id end,
       case when media_kind = 'video' then scheduled.media_id end, scheduled.poster_id, scheduled.alt_text,
       quoted_id => scheduled.quoted_post_id) then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.posts p
  set included_in_subscription = scheduled.included_in_subscription,
      unlocks_count = case when scheduled.show_unlocks then 0 end
  where p.id = scheduled.id and (scheduled.included_in_subscription or scheduled.show_unlocks);
  if quoted.id is null then return; end if;
  mentioned_ids := private.mentioned_users(
    (select private.post_public_text(p) from public.posts p where p.id = scheduled.id), scheduled.id, false);
  -- Lock all counters together: see private.lock_user_counters.
  perform private.lock_user_counters(mentioned_ids || quoted.author_id);
  foreach recipient_id in array mentioned_ids loop
    perform private.create_notification(recipient_id, scheduled.author_id, 'mention', scheduled.id);
  end loop;
  if private.can_user_view_profile(quoted.author_id, scheduled.author_id) and not exists (
       select from public.notifications n
       where n.user_id = quoted.author_id and n.kind = 'mention' and n.post_id = scheduled.id) then
    perform private.create_notification(quoted.author_id, scheduled.author_id, 'quote', scheduled.id);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_scheduled_post(target_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  scheduled public.scheduled_posts;
begin
  perform private.require_write();
  -- Keeps the account from being deleted until the end of the transaction: see private.lock_account_dependents.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  select * into scheduled from public.scheduled_posts s where s.id = target_id and s.author_id = uid for update;
  if found then
    perform private.publish_scheduled(scheduled);
  elsif not exists (select from public.posts p where p.id = target_id and p.author_id = uid) then
    raise exception 'Scheduled post not found' using errcode = 'PT404';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reject_scheduled_id()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.scheduled_posts s where s.id = new.id) then
    raise exception 'This post is already scheduled.' using errcode = 'PT409', detail = 'conflict';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_publish_time(publish_time timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The lower limit allows half a minute for clock differences and slow requests.
  if publish_time < clock_timestamp() + interval '4 minutes 30 seconds' then
    raise exception 'Choose a time at least 5 minutes from now.' using errcode = 'PT400';
  end if;
  if publish_time > clock_timestamp() + interval '365 days' then
    raise exception 'Choose a time within the next year.' using errcode = 'PT400';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.schedule_post(new_post_id uuid, publish_time timestamp with time zone, quoted_id uuid, content_text text, price numeric, teaser_text text, image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, is_included boolean, shows_unlocks boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  uid uuid := auth.uid();
  is_paid boolean := price is not null;
  upload_id uuid := coalesce(image_id, video_id);
  stored_author_id uuid;
begin
  perform private.require_can_publish(is_paid);
  -- A retry waits here for the first request, as in private.insert_post.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  stored_author_id := coalesce((select s.author_id from public.scheduled_posts s where s.id = new_post_id),
                               (select p.author_id from public.posts p where p.id = new_post_id));
  if stored_author_id = uid then return; end if;
  if stored_author_id is not null then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  perform private.require_publish_time(publish_time);
  perform private.enforce_rate_limit('posts', uid, 30, '1 minute');
  -- Serializes requests by the same author, so that they cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('scheduled_posts:' || uid::text, 0));
  if (select count(*) from public.scheduled_posts s where s.author_id = uid) >= 100 then
    raise exception 'You can have at most 100 scheduled posts.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if private.is_blank(content_text) and upload_id is null then
    raise exception 'Please enter some content or add an image/video for your post.' using errcode = 'PT400';
  end if;
  if quoted_id is not null then perform private.lock_quotable_post(uid, quoted_id); end if;
  if upload_id is not null then
    perform private.claim_media(upload_id, case when image_id is not null then 'image' else 'video' end);
    if image_id is null and poster_image_id is not null then
      perform private.claim_media(poster_image_id, 'image');
    end if;
  end if;
  insert into public.scheduled_posts (id, author_id, publish_at, content, premium_price, teaser,
                                      included_in_subscription, show_unlocks, media_id, poster_id, alt_text,
                                      quoted_post_id)
  values (new_post_id, uid, publish_time, content_text, price, case when is_paid then nullif(teaser_text, '') end,
          is_paid and is_included, is_paid and shows_unlocks, upload_id,
          case when image_id is null and video_id is not null then poster_image_id end,
          case when upload_id is not null then nullif(alt_description, '') end, quoted_id);
end
$function$;

CREATE OR REPLACE FUNCTION private.scheduled_post_grace()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select interval '1 day' $function$;

ALTER TABLE "public"."scheduled_posts" ADD CONSTRAINT "scheduled_posts_author_id_fkey" FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

ALTER TABLE "public"."scheduled_posts" ADD CONSTRAINT "scheduled_posts_media_id_fkey" FOREIGN KEY (media_id) REFERENCES public.media(id);

ALTER TABLE "public"."scheduled_posts" ADD CONSTRAINT "scheduled_posts_poster_id_fkey" FOREIGN KEY (poster_id) REFERENCES public.media(id);

CREATE INDEX scheduled_posts_author_id_idx ON public.scheduled_posts USING btree (author_id, publish_at, id);

CREATE INDEX scheduled_posts_due_idx ON public.scheduled_posts USING btree (publish_at, id) WHERE (failure IS NULL);

CREATE UNIQUE INDEX scheduled_posts_media_id_key ON public.scheduled_posts USING btree (media_id);

CREATE UNIQUE INDEX scheduled_posts_poster_id_key ON public.scheduled_posts USING btree (poster_id);

CREATE TRIGGER reject_scheduled_id BEFORE INSERT ON public.posts FOR EACH ROW EXECUTE FUNCTION private.reject_scheduled_id();

CREATE TRIGGER broadcast_scheduled_posts_changed AFTER INSERT OR DELETE OR UPDATE ON public.scheduled_posts FOR EACH ROW EXECUTE FUNCTION private.broadcast_scheduled_posts_changed();

CREATE TRIGGER enqueue_orphan_check AFTER DELETE ON public.scheduled_posts FOR EACH ROW WHEN (((old.media_id IS NOT NULL) OR (old.poster_id IS NOT NULL))) EXECUTE FUNCTION private.enqueue_orphan_check();

CREATE TRIGGER require_write_scope BEFORE INSERT OR DELETE OR UPDATE ON public.scheduled_posts FOR EACH STATEMENT EXECUTE FUNCTION private.require_write_scope();

COMMENT ON TABLE "public"."scheduled_posts" IS 'Posts that are published later, at a time that their author has chosen.';

REVOKE ALL ON FUNCTION "private"."broadcast_scheduled_posts_changed"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."broadcast_scheduled_posts_changed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."edit_scheduled_post"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."edit_scheduled_post"(uuid, jsonb) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."lock_quotable_post"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_quotable_post"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."next_due_post"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."next_due_post"(uuid[]) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."publish_due_post"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."publish_due_post"(uuid) TO "postgres", "service_role";

REVOKE ALL ON FUNCTION "private"."publish_scheduled"(public.scheduled_posts) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."publish_scheduled"(public.scheduled_posts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."publish_scheduled_post"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."publish_scheduled_post"(uuid) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."reject_scheduled_id"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."reject_scheduled_id"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_publish_time"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_publish_time"(timestamp with time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."schedule_post"(uuid, timestamp with time zone, uuid, text, numeric, text, uuid, uuid, uuid, text, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."schedule_post"(uuid, timestamp with time zone, uuid, text, numeric, text, uuid, uuid, uuid, text, boolean, boolean) TO "authenticated", "postgres";

REVOKE ALL ON FUNCTION "private"."scheduled_post_grace"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."scheduled_post_grace"() TO "postgres";

GRANT DELETE, SELECT ON TABLE "public"."scheduled_posts" TO "authenticated";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."scheduled_posts" TO "postgres", "service_role";

-- Written by hand, because drafts leave out scheduled jobs.
do $$
declare
  job record;
begin
  if (select count(*) from pg_available_extensions e where e.name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3 then
    return;
  end if;
  for job in select * from (values ('scheduled-posts', '* * * * *')) as listed(name, minutes) loop
    perform cron.schedule('ovation-' || job.name, job.minutes, format($job$
      select net.http_post(
        url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'jobs_url') || '/%s?scheduled=1',
        headers := jsonb_build_object('Authorization', 'Bearer ' ||
          (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'job_secret')),
        timeout_milliseconds := 600000)
      where exists (select from vault.decrypted_secrets s where s.name = 'jobs_url')
    $job$, job.name));
  end loop;
end
$$;
