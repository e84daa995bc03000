-- Scheduled posts: posts that are published at a time that their author has chosen.
--
-- * A scheduled post is stored here, not in `posts`, so queries on posts do not have to exclude it. Only its author
--   sees it.
-- * The client chooses the id. The published post has the same id, so a repeated request has no effect.
-- * The `scheduled-posts` job publishes the due posts in order of their scheduled times, each in a transaction of its
--   own. The transaction inserts the post and deletes the row here, so a post is published once, even after a crash.
-- * The checks for a new post run twice: when the post is scheduled and when it is published. If it can't be published,
--   `failure` says why, and the author is notified once. The row is kept until the author deletes it or the post
--   is published.
-- * While the author's account is read-only, the post waits for up to a day.
-- * Lock order: the author's follows (private.follows_lock_key), the scheduled post, then as for a new post.
-- See docs/decisions/060-scheduled-posts.md.

create table public.scheduled_posts (
  id uuid primary key,
  author_id uuid not null references public.profiles (id) on delete cascade,
  publish_at timestamptz not null,
  content text not null default '' check (char_length(content) <= 5000),
  premium_price numeric(5, 2) check (premium_price between 0.01 and 999.99), -- US dollars; null for a free post
  teaser text check (char_length(teaser) <= 500),
  included_in_subscription boolean not null default false,
  show_unlocks boolean not null default false,
  media_id uuid references public.media (id),
  poster_id uuid references public.media (id), -- preview image of a video
  alt_text text check (char_length(alt_text) <= 500),
  -- Not a foreign key: if the quoted post is deleted, the post must not be published without it.
  quoted_post_id uuid,
  -- Why the post was not published; null while it waits.
  failure text check (failure in (
    'account_restricted', 'creators_only', 'email_unconfirmed', 'media_unavailable', 'quote_unavailable', 'other')),
  created_at timestamptz not null default clock_timestamp(),
  check (premium_price is not null or (teaser is null and not included_in_subscription and not show_unlocks)),
  check (media_id is not null or (poster_id is null and alt_text is null))
);

comment on table public.scheduled_posts is 'Posts that are published later, at a time that their author has chosen.';

create index scheduled_posts_author_id_idx on public.scheduled_posts (author_id, publish_at, id);

create index scheduled_posts_due_idx on public.scheduled_posts (publish_at, id) where failure is null;

-- An upload belongs to at most one post. private.is_media_used uses these indexes to find the post.
create unique index scheduled_posts_media_id_key on public.scheduled_posts (media_id);

create unique index scheduled_posts_poster_id_key on public.scheduled_posts (poster_id);

alter table public.scheduled_posts enable row level security;

-- Requires an active session.
create policy scheduled_posts_active_session on public.scheduled_posts as restrictive for all to authenticated
  using ((select private.is_session_active())) with check ((select private.is_session_active()));

-- Only the author sees a scheduled post.
create policy scheduled_posts_select on public.scheduled_posts for select to authenticated
  using (author_id = (select auth.uid()));

-- Authors can delete their scheduled posts, even from a read-only account.
create policy scheduled_posts_delete on public.scheduled_posts for delete to authenticated
  using (author_id = (select auth.uid()));

revoke all on public.scheduled_posts from anon, authenticated, service_role;
-- Users can insert and update rows only through functions.
grant select, delete on public.scheduled_posts to authenticated;
grant all on public.scheduled_posts to service_role;

create trigger enqueue_orphan_check after delete on public.scheduled_posts for each row
  when (old.media_id is not null or old.poster_id is not null) execute function private.enqueue_orphan_check();

create trigger reject_reused_id before insert on public.scheduled_posts
  for each row execute function private.reject_reused_id('post');

-- Sends an event to the author's open pages when one of the author's scheduled posts changes.
create function private.broadcast_scheduled_posts_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_to_user(
    case when tg_op = 'DELETE' then old.author_id else new.author_id end, 'scheduled_posts.changed', '{}');
  return null;
end
$$;

create trigger broadcast_scheduled_posts_changed after insert or update or delete on public.scheduled_posts
  for each row execute function private.broadcast_scheduled_posts_changed();

-- Scheduling -------------------------------------------------------------------------------------------------------
-- Raises an error unless a post may be scheduled for this time: between 5 minutes and 365 days from now.
create function private.require_publish_time(publish_time timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lower limit allows half a minute for clock differences and slow requests.
  if publish_time < clock_timestamp() + interval '4 minutes 30 seconds' then
    raise exception 'Choose a time at least 5 minutes from now.' using errcode = 'PT400';
  end if;
  if publish_time > clock_timestamp() + interval '365 days' then
    raise exception 'Choose a time within the next year.' using errcode = 'PT400';
  end if;
end
$$;

-- Schedules a post by the caller. The parameters from `quoted_id` to `alt_description` are those of
-- private.publish_quote; `quoted_id` is null if the post is not a quote. Does nothing if the caller has already
-- scheduled or published a post with this id.
create function private.schedule_post(
  new_post_id uuid, publish_time timestamptz, quoted_id uuid, content_text text, price numeric, teaser_text text,
  image_id uuid, video_id uuid, poster_image_id uuid, alt_description text, is_included boolean, shows_unlocks boolean
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  is_paid boolean := price is not null;
  upload_id uuid := coalesce(image_id, video_id);
  stored_author_id uuid;
begin
  perform private.require_can_publish(is_paid);
  -- Keeps the account from being deleted until the end of the transaction: see private.lock_account_dependents.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  -- A retry waits here for the first request, as in private.insert_post.
  perform pg_advisory_xact_lock(hashtextextended('post:' || new_post_id::text, 0));
  stored_author_id := coalesce((select s.author_id from public.scheduled_posts s where s.id = new_post_id),
                               (select p.author_id from public.posts p where p.id = new_post_id));
  if stored_author_id = uid then return; end if;
  if stored_author_id is not null then
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
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
$$;

grant execute on function private.schedule_post(
  uuid, timestamptz, uuid, text, numeric, text, uuid, uuid, uuid, text, boolean, boolean) to authenticated;

-- Edits one of the caller's scheduled posts. `changes` can contain the keys of private.edit_post other than `product`,
-- and also `publishAt` and `quotedPostId`. The only value allowed for `quotedPostId` is null, which removes the quote.
-- If a post could not be published, a new time schedules it again.
create function private.edit_scheduled_post(target_id uuid, changes jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  old_post public.scheduled_posts;
  new_content text;
  new_quoted_id uuid;
begin
  perform private.require_write();
  -- As in private.schedule_post.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
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
$$;

grant execute on function private.edit_scheduled_post(uuid, jsonb) to authenticated;

-- Publishing -------------------------------------------------------------------------------------------------------
-- Publishes a scheduled post that the transaction has locked. Raises an error if the post can no longer be published.
-- Does not check whether the account is read-only: the calling functions must.
create function private.publish_scheduled(scheduled public.scheduled_posts) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  is_paid boolean := scheduled.premium_price is not null;
  media_kind text := (select m.kind from public.media m where m.id = scheduled.media_id);
  quoted public.posts;
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
    raise exception 'This ID is already in use.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.posts p
  set included_in_subscription = scheduled.included_in_subscription,
      unlocks_count = case when scheduled.show_unlocks then 0 end
  where p.id = scheduled.id and (scheduled.included_in_subscription or scheduled.show_unlocks);
  if scheduled.quoted_post_id is not null then
    perform private.notify_about_quote(scheduled.id, scheduled.author_id, quoted.author_id);
  end if;
end
$$;

-- Publishes one of the caller's scheduled posts now. Does nothing if it has already been published.
create function private.publish_scheduled_post(target_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  scheduled public.scheduled_posts;
begin
  perform private.require_write();
  -- As in private.schedule_post.
  perform pg_advisory_xact_lock_shared(private.follows_lock_key(uid));
  select * into scheduled from public.scheduled_posts s where s.id = target_id and s.author_id = uid for update;
  if found then
    perform private.publish_scheduled(scheduled);
  elsif not exists (select from public.posts p where p.id = target_id and p.author_id = uid) then
    raise exception 'Scheduled post not found' using errcode = 'PT404';
  end if;
end
$$;

grant execute on function private.publish_scheduled_post(uuid) to authenticated;

-- Returns how long a post of a read-only account waits before it fails.
create function private.scheduled_post_grace() returns interval
language sql immutable parallel safe set search_path = ''
as $$ select interval '1 day' $$;

-- Returns the id of the post to publish next, or null if none is due. Omits posts that wait because their author's
-- account is read-only, and the posts in `skipped_ids`.
create function private.next_due_post(skipped_ids uuid[]) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select s.id from public.scheduled_posts s
  where s.failure is null and s.publish_at <= (select clock_timestamp()) and s.id <> all (skipped_ids)
    and (s.publish_at <= (select clock_timestamp()) - private.scheduled_post_grace()
         or exists (select from public.accounts a where a.user_id = s.author_id and a.read_only_reason is null))
  order by s.publish_at, s.id limit 1
$$;

grant execute on function private.next_due_post(uuid[]) to service_role;

-- Publishes a post that is due, and returns 'published'. If it can't be published, stores the reason, notifies the
-- author and returns 'failed'. Returns 'skipped' if the post is not due, is being edited, or waits because its
-- author's account is read-only. Temporary errors, such as a deadlock, are raised, so that the job tries again.
create function private.publish_due_post(target_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
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
    raise exception 'Another transaction has locked the author''s account.' using errcode = 'lock_not_available';
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
$$;

grant execute on function private.publish_due_post(uuid) to service_role;
