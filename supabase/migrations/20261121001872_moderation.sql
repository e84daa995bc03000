-- Moderation: what people report is gathered in cases, one for each thing; an admin decides a case once; the person
-- concerned is told why, and may appeal once; who reported hears what became of it.

create table public.moderation_cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('post', 'comment', 'message', 'user')),
  subject_id uuid not null,
  -- Whose it is. People are ids without a foreign key: a case outlives the accounts in it.
  person_id uuid not null,
  -- What it looked like when it was reported, and when it was decided about, the oldest first: another one each time
  -- that it had changed.
  snapshots jsonb not null default '[]',
  -- Uploads in it: admins may see them, and they are kept while the case is open.
  media_ids uuid[] not null default '{}',
  reports integer not null default 0 check (reports >= 0),
  -- 'open', 'decided', 'appealed', 'closed' after the appeal.
  state text not null default 'open' check (state in ('open', 'decided', 'appealed', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  -- The last report, or appeal: what a queue is ordered by.
  moved_at timestamptz not null default clock_timestamp(),
  decision text check (decision in ('dismiss', 'warn', 'hide', 'remove', 'suspend')),
  -- What the person is told.
  reason text check (char_length(reason) between 1 and 400),
  suspended_until timestamptz,
  -- This case hid the thing: an appeal that is granted shows it again.
  hid boolean not null default false,
  decided_by uuid,
  decided_at timestamptz,
  -- The client's own id of a decision that was made straight at a thing: sent again, it is the same one.
  request_id uuid,
  appeal text check (char_length(appeal) between 1 and 1000),
  appealed_at timestamptz,
  appeal_outcome text check (appeal_outcome in ('upheld', 'overturned')),
  appeal_answer text check (char_length(appeal_answer) between 1 and 400),
  appeal_decided_by uuid,
  appeal_decided_at timestamptz,
  check ((state = 'open') = (decision is null)),
  check ((decision is null) = (decided_at is null)),
  check ((appeal is null) = (appealed_at is null)),
  check ((appeal_outcome is null) = (appeal_decided_at is null))
);
comment on table public.moderation_cases is 'Read by admins, and once decided by the person concerned. Written by the functions below alone.';
create unique index moderation_cases_open_key on public.moderation_cases (kind, subject_id) where state = 'open';
create unique index moderation_cases_request_key on public.moderation_cases (decided_by, request_id)
  where request_id is not null;
create index moderation_cases_state_idx on public.moderation_cases (state, moved_at desc, id desc);
create index moderation_cases_moved_at_idx on public.moderation_cases (moved_at desc, id desc);
create index moderation_cases_person_id_idx on public.moderation_cases (person_id, decided_at desc, id desc);
create index moderation_cases_subject_idx on public.moderation_cases (kind, subject_id);
create index moderation_cases_media_ids_idx on public.moderation_cases using gin (media_ids);

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references public.moderation_cases (id) on delete cascade,
  reporter_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  reason text not null check (reason in
    ('spam', 'harassment', 'hate', 'violence', 'sexual', 'minor', 'self_harm', 'illegal', 'impersonation', 'other')),
  note text check (char_length(note) between 1 and 1000),
  created_at timestamptz not null default clock_timestamp(),
  -- 'acted', or 'dismissed'.
  outcome text check (outcome in ('acted', 'dismissed')),
  decided_at timestamptz,
  unique (case_id, reporter_id),
  check ((outcome is null) = (decided_at is null))
);
create index reports_reporter_id_idx on public.reports (reporter_id, created_at desc, id desc);

alter table public.moderation_cases enable row level security;
alter table public.reports enable row level security;
revoke all on public.moderation_cases, public.reports from anon, authenticated, service_role;
-- Not how many reports there were, and since when, nor which admin decided: that is for admins, through
-- private.case_inside.
grant select (id, kind, subject_id, person_id, snapshots, media_ids, state, moved_at, decision, reason, suspended_until, hid,
              decided_at, appeal, appealed_at, appeal_outcome, appeal_answer, appeal_decided_at)
  on public.moderation_cases to authenticated;
grant select on public.reports to authenticated;
grant select on public.moderation_cases, public.reports to service_role;

create policy moderation_cases_alive on public.moderation_cases as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy moderation_cases_select on public.moderation_cases for select to authenticated
  using ((person_id = (select auth.uid()) and state <> 'open' and decision <> 'dismiss') or (select private.is_admin()));
create policy reports_alive on public.reports as restrictive for all to authenticated
  using ((select private.session_alive())) with check ((select private.session_alive()));
create policy reports_select on public.reports for select to authenticated
  using (reporter_id = (select auth.uid()) or (select private.is_admin()));

-- The rest of it, for admins.
create function private.case_inside(
  case_id uuid, out reports integer, out created_at timestamptz, out decided_by uuid, out appeal_decided_by uuid
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then return; end if;
  select c.reports, c.created_at, c.decided_by, c.appeal_decided_by
  into case_inside.reports, case_inside.created_at, case_inside.decided_by, case_inside.appeal_decided_by
  from public.moderation_cases c where c.id = case_id;
end
$$;
grant execute on function private.case_inside(uuid) to authenticated;

-- The log names who did something, and what of a person was looked at: it is for admins. What people see of what was done
-- to them is told by the API.
drop policy audit_entries_select on public.audit_entries;
create policy audit_entries_select on public.audit_entries for select to authenticated
  using ((select private.is_admin()));

-- News about it.
alter table public.notifications drop constraint notifications_kind_check;
alter table public.notifications add constraint notifications_kind_check check (kind in (
  'follow', 'follow_request', 'follow_accepted', 'like', 'comment', 'reply', 'mention', 'reaction', 'unlock',
  'subscription', 'tip', 'message', 'sign_in', 'admin', 'payout', 'creator_pro', 'moderation', 'report', 'auto_post'));
drop index public.notifications_once_key;
create unique index notifications_once_key
  on public.notifications (user_id, kind, actor_id, post_id, comment_id, message_id) nulls not distinct
  where kind not in ('sign_in', 'admin', 'tip', 'subscription', 'payout', 'creator_pro', 'moderation', 'report', 'auto_post');

-- What is hidden ----------------------------------------------------------------------------------------------

-- 'hidden': its author still sees it, marked. 'removed': nobody does, until an appeal or the job that deletes it.
-- Of a comment also 'with_parent': it is a reply to one that is hidden.
alter table public.posts add column hidden text check (hidden in ('hidden', 'removed'));
alter table public.comments add column hidden text check (hidden in ('hidden', 'removed', 'with_parent'));

drop policy posts_select on public.posts;
create policy posts_select on public.posts for select to anon, authenticated
  using ((select true from private.viewable_profiles v where v.id = author_id)
         and (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid()))));

drop policy comments_select on public.comments;
create policy comments_select on public.comments for select to authenticated
  using (
    (hidden is null or (hidden = 'hidden' and author_id = (select auth.uid())))
    and (author_id is null or author_id <> all ((select private.blocked_ids())::uuid[]))
    and (select true from public.posts p
         where p.id = post_id and (not p.is_premium or p.author_id = (select auth.uid())
           or exists (select from public.unlocks u where u.user_id = (select auth.uid()) and u.post_id = p.id)
           or (p.included_in_subscription and private.subscribes_to(p.author_id))))
  );
drop policy comments_select_anon on public.comments;
create policy comments_select_anon on public.comments for select to anon
  using (hidden is null and (select true from public.posts p where p.id = post_id and not p.is_premium));

-- What is paid of a hidden post is as hidden.
create or replace function private.may_read_premium(post uuid, author uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  if author is distinct from uid
     and not exists (select from public.unlocks u where u.user_id = uid and u.post_id = post)
     -- Most posts are not included: then nothing is asked of subscriptions.
     and not exists (select from public.posts p
                     where p.id = post and p.included_in_subscription and private.is_subscribed(uid, author)) then
    return false;
  end if;
  if exists (select from public.posts p where p.id = post and p.hidden is not null
             and (p.hidden = 'removed' or author is distinct from uid)) then
    return false;
  end if;
  -- Having paid opens nothing that its author no longer shows.
  return private.can_view(author);
end
$$;

-- Refuses to do something with a post or a comment that the caller's policies hide, for functions that work past them:
-- what is hidden is as if it were not there.
create function private.before_comment_on_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is null then return new; end if;
  if exists (select from public.posts p where p.id = new.post_id and p.hidden is not null
             and (p.hidden = 'removed' or p.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if new.parent_comment_id is not null and exists (
    select from public.comments c where c.id = new.parent_comment_id and c.hidden is not null) then
    raise exception 'Comment not found' using errcode = 'PT404';
  end if;
  return new;
end
$$;
-- Triggers run by name: behind before_comment_insert, which holds the post.
create trigger before_comment_on_hidden before insert on public.comments
  for each row execute function private.before_comment_on_hidden();

create or replace function private.quote_unlock(post uuid, amount numeric) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  sold public.posts;
begin
  perform private.require_write();
  select * into sold from public.posts p where p.id = post;
  if not found or not private.can_view(sold.author_id)
     or (sold.hidden is not null and (sold.hidden = 'removed' or sold.author_id <> auth.uid())) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if private.may_read_paid(auth.uid(), post) then return null; end if;
  if exists (select from public.accounts a where a.user_id = sold.author_id and a.read_only_reason is not null) then
    raise exception 'This post cannot be bought at the moment.' using errcode = 'PT403', detail = 'payment_failed';
  end if;
  if amount is distinct from sold.premium_price then
    raise exception 'This post costs $% now.', to_char(sold.premium_price, 'FM990.00')
      using errcode = 'PT400', detail = 'amount_mismatch';
  end if;
  return (sold.premium_price * 100)::integer;
end
$$;

create or replace function private.require_own_post(post uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  author uuid := (select p.author_id from public.posts p where p.id = post and p.hidden is distinct from 'removed');
begin
  perform private.require_write();
  if author is null or not private.can_view(author)
     or (author <> auth.uid() and exists (select from public.posts p where p.id = post and p.hidden is not null)) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  if author <> auth.uid() then
    raise exception 'Only its author can edit a post.' using errcode = 'PT403';
  end if;
  if exists (select from public.posts p where p.id = post and p.hidden is not null) then
    raise exception 'This post was hidden by the moderators: it cannot be edited.' using errcode = 'PT403';
  end if;
end
$$;

-- Counts tell of what is shown: what is hidden leaves them, and what is deleted then has left them already.
create function private.on_post_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if step = 0 then return null; end if;
  update public.profile_counts c set posts = greatest(0, c.posts + step) where c.user_id = new.author_id;
  if step < 0 then
    delete from public.post_tags t where t.post_id = new.id;
  else
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select new.id, tag, new.author_id, new.created_at from unnest(private.tags_in(private.public_text(new))) tag
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger on_post_hidden after update of hidden on public.posts
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_post_hidden();
drop trigger on_post_changed on public.posts;
create trigger on_post_made after insert on public.posts
  for each row execute function private.on_post_changed();
-- Edited while it was being hidden, it has no topics and tells nobody.
drop trigger on_post_written on public.posts;
create trigger on_post_written after insert or update of content, teaser on public.posts
  for each row when (new.hidden is null) execute function private.on_post_written();
create trigger on_post_deleted after delete on public.posts
  for each row when (old.hidden is null) execute function private.on_post_changed();

create function private.on_comment_hidden() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case when new.hidden is null then 1 when old.hidden is null then -1 else 0 end;
begin
  if step = 0 then return null; end if;
  update public.posts p set comments_count = greatest(0, p.comments_count + step) where p.id = new.post_id;
  update public.comments c set replies_count = greatest(0, c.replies_count + step) where c.id = new.parent_comment_id;
  return null;
end
$$;
create trigger on_comment_hidden after update of hidden on public.comments
  for each row when (old.hidden is distinct from new.hidden) execute function private.on_comment_hidden();
drop trigger on_comment_changed on public.comments;
create trigger on_comment_made after insert on public.comments
  for each row execute function private.on_comment_changed();
create trigger on_comment_deleted after delete on public.comments
  for each row when (old.hidden is null) execute function private.on_comment_changed();

-- A message of which nothing is left for its two people, as when it is taken back; kept here until it is shown again, or
-- for good gone.
create table private.hidden_messages (
  message_id uuid primary key references public.messages (id) on delete cascade,
  content text not null,
  reply_to_id uuid references public.messages (id) on delete set null,
  media_id uuid references public.media (id) on delete set null,
  media_width integer,
  media_height integer,
  placeholder text,
  reactions jsonb not null,
  edited_at timestamptz,
  hidden_at timestamptz not null default clock_timestamp()
);
create index hidden_messages_media_id_idx on private.hidden_messages (media_id) where media_id is not null;
create index hidden_messages_reply_to_id_idx on private.hidden_messages (reply_to_id) where reply_to_id is not null;

-- Uploads that an open case shows are not deleted meanwhile.
create function private.is_held(upload uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.moderation_cases c
                 where c.media_ids @> array[upload] and c.state in ('open', 'appealed'))
$$;

create or replace function private.is_used(upload uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.posts p where p.media_id = upload)
      or exists (select from public.posts p where p.poster_id = upload)
      or exists (select from public.premium_contents c where c.media_id = upload)
      or exists (select from public.premium_contents c where c.poster_id = upload)
      or exists (select from public.messages m where m.media_id = upload)
      or exists (select from public.gallery_items g where g.media_id = upload)
      or exists (select from private.hidden_messages h where h.media_id = upload)
      or private.is_held(upload)
$$;

drop policy media_select on public.media;
create policy media_select on public.media for select to authenticated
  using (
    owner_id = (select auth.uid())
    or exists (select from public.posts p where p.media_id = media.id)
    or exists (select from public.posts p where p.poster_id = media.id)
    or exists (select from public.premium_contents c where c.media_id = media.id)
    or exists (select from public.premium_contents c where c.poster_id = media.id)
    or exists (select from public.messages m where m.media_id = media.id)
    or exists (select from public.gallery_items g where g.media_id = media.id)
    or ((select private.is_admin())
        and exists (select from public.moderation_cases c where c.media_ids @> array[media.id]))
  );

create or replace function private.delete_message(message uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages := private.message_to_change(message);
begin
  if old.sender_id <> auth.uid() then
    raise exception 'Only its sender can delete a message.' using errcode = 'PT403';
  end if;
  if old.deleted_at is not null then return; end if;
  perform private.enforce_rate('message changes', auth.uid(), 120, '1 minute');
  perform private.empty_message(old);
  if private.is_held(old.media_id) then return; end if;
  delete from public.media m where m.id = old.media_id;
end
$$;

-- Leaves nothing of a message but its place and number, for both people. Its conversation is held.
create function private.empty_message(old public.messages) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  changed public.messages;
begin
  update public.messages m
  set content = '', deleted_at = clock_timestamp(), edited_at = null, reply_to_id = null, media_id = null,
      media_width = null, media_height = null, placeholder = null, reactions = '[]',
      version = private.next_change(old.conversation_id)
  where m.id = old.id
  returning * into changed;
  -- Nobody is written to about what is no longer there.
  update public.conversation_members r set unread_since = (
    select m.created_at from public.messages m
    where m.conversation_id = r.conversation_id and m.seq > r.last_read_seq and m.receiver_id = r.user_id
      and m.deleted_at is null
    order by m.seq limit 1)
  where r.user_id = old.receiver_id and r.other_id = old.sender_id and r.unread_count > 0
    and r.last_read_seq < old.seq;
  -- As everywhere: a person's counts are held before their notifications change.
  perform private.lock_counters(array[old.sender_id, old.receiver_id]);
  delete from public.notifications n where n.message_id = old.id;
  perform private.tell_message_change(changed, 'message.changed');
end
$$;

-- Takes back what others were told of a post, or of comments, that are hidden: the links lead nowhere. `also` are people
-- whose counts the caller needs next: all are held at once, in their order.
create function private.withdraw_news(of_post uuid, of_comments uuid[], author uuid, also uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.lock_counters(also || array(
    select n.user_id from public.notifications n where n.post_id = of_post and n.user_id <> author
    union select n.user_id from public.notifications n where n.comment_id = any (of_comments)));
  delete from public.notifications n where n.post_id = of_post and n.user_id <> author;
  delete from public.notifications n where n.comment_id = any (of_comments);
end
$$;

-- Hides a thing, in one of the two ways. False where there was nothing to hide: it is gone, or hidden already. `also` as
-- above.
create function private.hide_thing(thing_kind text, thing uuid, how text, also uuid[]) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old public.messages;
  under uuid;
  whose uuid;
begin
  if thing_kind = 'post' then
    update public.posts p set hidden = how where p.id = thing and p.hidden is null returning p.author_id into whose;
    if not found then return false; end if;
    perform private.withdraw_news(thing, '{}', whose, also);
    return true;
  elsif thing_kind = 'comment' then
    select c.post_id into under from public.comments c where c.id = thing;
    perform from public.posts p where p.id = under for no key update;
    -- Hidden with what it replies to, it stays so when that is shown again.
    update public.comments c set hidden = how where c.id = thing and (c.hidden is null or c.hidden = 'with_parent');
    if not found then return false; end if;
    update public.comments c set hidden = 'with_parent' where c.parent_comment_id = thing and c.hidden is null;
    perform private.withdraw_news(null, array(
      select c.id from public.comments c where thing in (c.id, c.parent_comment_id)), null, also);
    return true;
  elsif thing_kind = 'message' then
    select m.conversation_id into under from public.messages m where m.id = thing;
    perform from public.conversations c where c.id = under for no key update;
    select * into old from public.messages m where m.id = thing and m.deleted_at is null;
    if not found then return false; end if;
    insert into private.hidden_messages (message_id, content, reply_to_id, media_id, media_width, media_height, placeholder,
                                         reactions, edited_at)
    values (old.id, old.content, old.reply_to_id, old.media_id, old.media_width, old.media_height, old.placeholder,
            old.reactions, old.edited_at);
    perform private.empty_message(old);
    return true;
  end if;
  return false;
end
$$;

-- Shows it again.
create function private.show_thing(thing_kind text, thing uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept private.hidden_messages;
  changed public.messages;
  under uuid;
begin
  if thing_kind = 'post' then
    update public.posts p set hidden = null where p.id = thing and p.hidden is not null;
  elsif thing_kind = 'comment' then
    select c.post_id into under from public.comments c where c.id = thing;
    perform from public.posts p where p.id = under for no key update;
    update public.comments c
    set hidden = case when exists (select from public.comments o where o.id = c.parent_comment_id and o.hidden is not null)
                      then 'with_parent' end
    where c.id = thing and c.hidden is not null;
    update public.comments c set hidden = null where c.parent_comment_id = thing and c.hidden = 'with_parent';
  elsif thing_kind = 'message' then
    select m.conversation_id into under from public.messages m where m.id = thing;
    perform from public.conversations c where c.id = under for no key update;
    delete from private.hidden_messages h where h.message_id = thing returning * into kept;
    if not found then return; end if;
    update public.messages m
    set content = kept.content, deleted_at = null, edited_at = kept.edited_at, reply_to_id = kept.reply_to_id,
        media_id = kept.media_id, media_width = kept.media_width, media_height = kept.media_height,
        placeholder = kept.placeholder, reactions = kept.reactions, version = private.next_change(m.conversation_id)
    where m.id = thing
    returning * into changed;
    perform private.tell_message_change(changed, 'message.changed');
  end if;
end
$$;

-- Reporting ---------------------------------------------------------------------------------------------------

-- What a thing looks like now: {"personId", "media": [ids], "seen": {…}}; null where it is gone, or hidden. With
-- `even_hidden`, what is hidden is there.
create function private.snapshot_of(thing_kind text, thing uuid, even_hidden boolean default false) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case thing_kind
    when 'post' then (
      select jsonb_build_object('personId', p.author_id,
        'media', to_jsonb(array_remove(array[coalesce(c.media_id, p.media_id), coalesce(c.poster_id, p.poster_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object(
          'content', coalesce(c.content, p.content), 'teaser', p.teaser, 'mediaType', p.media_type,
          'mediaId', coalesce(c.media_id, p.media_id), 'posterId', coalesce(c.poster_id, p.poster_id),
          'altText', coalesce(c.alt_text, p.alt_text), 'premiumPrice', p.premium_price, 'product', p.product,
          'madeBy', p.made_by, 'createdAt', p.created_at, 'editedAt', p.edited_at)))
      from public.posts p left join public.premium_contents c on c.post_id = p.id
      where p.id = thing and (even_hidden or p.hidden is null))
    when 'comment' then (
      select jsonb_build_object('personId', c.author_id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('content', c.content, 'postId', c.post_id,
          'parentCommentId', c.parent_comment_id, 'createdAt', c.created_at)))
      from public.comments c where c.id = thing and c.author_id is not null and (even_hidden or c.hidden is null))
    when 'message' then (
      select jsonb_build_object('personId', m.sender_id,
        'media', to_jsonb(array_remove(array[coalesce(h.media_id, m.media_id)], null)),
        'seen', jsonb_strip_nulls(jsonb_build_object('content', coalesce(h.content, m.content), 'mediaType',
          case when coalesce(h.media_id, m.media_id) is not null then 'image' end,
          'mediaId', coalesce(h.media_id, m.media_id),
          'createdAt', m.created_at, 'editedAt', coalesce(h.edited_at, m.edited_at))))
      from public.messages m left join private.hidden_messages h on h.message_id = m.id and even_hidden
      where m.id = thing and (m.deleted_at is null or h.message_id is not null))
    when 'user' then (
      select jsonb_build_object('personId', p.id, 'media', '[]'::jsonb,
        'seen', jsonb_strip_nulls(jsonb_build_object('username', p.username, 'fullName', p.full_name, 'bio', d.bio,
          'profileImageUrl', p.profile_image_url, 'backgroundImageUrl', d.background_image_url,
          'website', t.website, 'createdAt', p.created_at)))
      from public.profiles p join public.profile_details d on d.user_id = p.id
      join public.profile_about t on t.user_id = p.id where p.id = thing) end;
end
$$;

-- What became of a case's thing since it was last seen there: 'same', 'changed' or 'gone'; and whether it is hidden, by
-- this case or another one, or as a comment under a post that is. For admins.
create function private.case_since(case_id uuid, out since text, out hidden boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  c public.moderation_cases;
  looks jsonb;
begin
  if not private.is_admin() then return; end if;
  select * into c from public.moderation_cases m where m.id = case_id;
  looks := private.snapshot_of(c.kind, c.subject_id, true);
  since := case
    when looks is null then 'gone'
    when looks -> 'seen' = c.snapshots -> -1 -> 'seen' then 'same'
    else 'changed' end;
  hidden := looks is not null and (private.snapshot_of(c.kind, c.subject_id) is null or exists (
    select from public.comments m join public.posts p on p.id = m.post_id
    where c.kind = 'comment' and m.id = c.subject_id and p.hidden is not null));
end
$$;
grant execute on function private.case_since(uuid) to authenticated;

-- Keeps how the thing of a case that is held looks now, where that is new: of 20 looks and more the first and the last.
create function private.keep_looks(c public.moderation_cases) returns public.moderation_cases
language plpgsql volatile security definer set search_path = ''
as $$
declare
  looks jsonb := private.snapshot_of(c.kind, c.subject_id, true);
  kept public.moderation_cases;
begin
  if looks is null or looks -> 'seen' = c.snapshots -> -1 -> 'seen' then return c; end if;
  if jsonb_array_length(c.snapshots) >= 20 then c.snapshots := c.snapshots - -1; end if;
  update public.moderation_cases m
  -- The person concerned may read it once it is decided, and is not to learn when exactly it was reported.
  set snapshots = c.snapshots || jsonb_build_object('at', date_trunc('hour', clock_timestamp()), 'seen', looks -> 'seen'),
      media_ids = array(select distinct u from unnest(
        m.media_ids || array(select jsonb_array_elements_text(looks -> 'media')::uuid)) u)
  where m.id = c.id
  returning * into kept;
  return kept;
end
$$;

-- The open case about a thing, made where there is none, and held. It shows how the thing looks now.
create function private.open_case(thing_kind text, thing uuid) returns public.moderation_cases
language plpgsql volatile security definer set search_path = ''
as $$
declare
  looks jsonb := private.snapshot_of(thing_kind, thing);
  opened public.moderation_cases;
begin
  if looks is not null then
    insert into public.moderation_cases as c (kind, subject_id, person_id)
    values (thing_kind, thing, (looks ->> 'personId')::uuid)
    on conflict (kind, subject_id) where state = 'open' do update set moved_at = clock_timestamp()
    returning * into opened;
    -- Looked at again: an admin may have decided while this waited.
    looks := private.snapshot_of(thing_kind, thing);
  end if;
  if looks is null then
    raise exception '%', case thing_kind when 'user' then 'User not found' else initcap(thing_kind) || ' not found' end
      using errcode = 'PT404';
  end if;
  return private.keep_looks(opened);
end
$$;

-- Stores a report of the caller's; the same person reports one thing once while its case is open. Answers its id, and
-- whether it is new. What the caller may see is asked before, by private.file_report.
create function private.store_report(thing_kind text, thing uuid, why text, said text, out report uuid, out made boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  opened public.moderation_cases;
begin
  perform private.require_session();
  perform private.enforce_rate('reports', uid, 30, '1 hour');
  opened := private.open_case(thing_kind, thing);
  if opened.person_id = uid then
    raise exception 'This is your own.' using errcode = 'PT400';
  end if;
  insert into public.reports as r (case_id, reporter_id, kind, subject_id, reason, note)
  values (opened.id, uid, thing_kind, thing, why, nullif(btrim(said), ''))
  on conflict (case_id, reporter_id) do nothing
  returning r.id into report;
  made := found;
  if made then
    update public.moderation_cases c set reports = c.reports + 1 where c.id = opened.id;
  else
    select r.id into report from public.reports r where r.case_id = opened.id and r.reporter_id = uid;
  end if;
end
$$;

-- Reports what the caller sees: under their own rights, so what they may not see is not there. A read-only account may
-- report, too, and so may whoever blocked the person.
create function private.file_report(thing_kind text, thing uuid, why text, said text, out report uuid, out made boolean)
language plpgsql volatile set search_path = ''
as $$
begin
  if not coalesce(case thing_kind
    when 'post' then exists (select from public.posts p where p.id = thing)
    when 'comment' then exists (select from public.comments c where c.id = thing)
    when 'message' then exists (select from public.messages m where m.id = thing and m.receiver_id = auth.uid())
    when 'user' then exists (select from public.profiles p where p.id = thing)
      or exists (select from public.blocks b where b.blocked_id = thing and b.blocker_id = auth.uid()) end, false) then
    raise exception '%', case thing_kind when 'user' then 'User not found' else initcap(thing_kind) || ' not found' end
      using errcode = 'PT404';
  end if;
  select s.report, s.made into file_report.report, file_report.made
  from private.store_report(thing_kind, thing, why, said) s;
end
$$;
grant execute on function private.file_report(text, uuid, text, text),
  private.store_report(text, uuid, text, text) to authenticated;

-- Deciding ----------------------------------------------------------------------------------------------------

-- Keeps a person from changing anything, `days` long, or with null until it is lifted; a suspension that lasts longer
-- stays as it is. Answers until when. For private.decide_case.
create function private.suspend_account(person uuid, days integer, why text, because_of uuid) returns timestamptz
language sql volatile security definer set search_path = ''
as $$
  update public.accounts a
  set suspended_at = clock_timestamp(), suspended_until = clock_timestamp() + make_interval(days => days),
      suspension_reason = btrim(why), suspension_case = because_of
  where a.user_id = person
    and (a.suspended_at is null
      or a.suspended_until < coalesce(clock_timestamp() + make_interval(days => days), 'infinity'));
  -- Another address, asked for before, would be the one that is barred when they leave.
  delete from private.email_changes e where e.user_id = person;
  select a.suspended_until from public.accounts a where a.user_id = person
$$;

-- What a person is told of a decision.
create function private.decision_words(thing_kind text, decided text, until timestamptz, why text) returns text
language sql stable set search_path = ''
as $$
  select case decided
    when 'warn' then 'You were warned about your ' || case thing_kind when 'user' then 'profile' else thing_kind end
    when 'hide' then 'Your ' || thing_kind || ' was hidden'
    when 'remove' then 'Your ' || thing_kind || ' was removed'
    else 'Your account was suspended' || coalesce(to_char(until at time zone 'UTC', '" until" FMDD FMMonth YYYY'), '') end
    || ': ' || why
$$;

-- Decides an open case, once: 'dismiss', 'warn', 'hide', 'remove', 'suspend' (`days` long, with null until it is lifted;
-- `hide_too` hides the thing as well). A person is not hidden; removed, their account goes, as in private.remove_person.
-- The person is told `why`, and who reported that it was looked at. Answers the address of an account that was removed.
create function private.decide_case(
  case_id uuid, decided text, why text, days integer, hide_too boolean, give_up boolean
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  c public.moderation_cases;
  until timestamptz;
  hid_it boolean := false;
  address text;
  reporters uuid[];
  reporter record;
begin
  perform private.require_admin();
  select * into c from public.moderation_cases m where m.id = case_id for update;
  if not found then raise exception 'Case not found' using errcode = 'PT404'; end if;
  if c.state <> 'open' then
    raise exception 'This case was decided already.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if c.person_id = uid then
    raise exception 'Another admin has to decide about you.' using errcode = 'PT403', detail = 'target_is_admin';
  end if;
  if decided <> 'dismiss' and private.is_blank(why) then
    raise exception 'Please say why: the person is told.' using errcode = 'PT400';
  end if;
  if c.kind = 'user' and decided = 'hide' then
    raise exception 'A person cannot be hidden: warn, suspend or remove them.' using errcode = 'PT400';
  end if;
  if decided = 'suspend' or (decided = 'remove' and c.kind = 'user') then
    perform private.require_manageable(c.person_id);
  end if;

  reporters := array(select r.reporter_id from public.reports r where r.case_id = c.id);
  -- A report shows its case what is paid for, too: it is no way for an admin to look, and nobody is told.
  if decided = 'dismiss' and uid = any (reporters) and exists (
       select from public.profiles p where p.is_admin and p.id not in (uid, c.person_id)) then
    raise exception 'Another admin has to dismiss what you reported.' using errcode = 'PT403';
  end if;
  if decided in ('hide', 'remove') and c.kind <> 'user' or (decided = 'suspend' and hide_too) then
    hid_it := private.hide_thing(c.kind, c.subject_id, case decided when 'remove' then 'removed' else 'hidden' end,
                                 reporters || c.person_id);
  end if;
  -- Who answers an appeal sees what was decided about.
  c := private.keep_looks(c);
  if decided = 'remove' and c.kind = 'user' then
    -- With everybody whose counts change because of it, in one order.
    perform private.hold_what_goes(c.person_id, reporters);
    select a.email into address from public.accounts a where a.user_id = c.person_id for update;
    perform private.remove_account(c.person_id, give_up);
    perform private.bar_address(address);
  end if;
  perform private.lock_counters(reporters || c.person_id);
  if decided = 'suspend' then
    until := private.suspend_account(c.person_id, days, why, c.id);
  end if;

  update public.moderation_cases m
  set state = 'decided', decision = decided, reason = nullif(btrim(why), ''), suspended_until = until, hid = hid_it,
      decided_by = uid, decided_at = clock_timestamp(), moved_at = clock_timestamp()
  where m.id = c.id;
  update public.reports r
  set outcome = case decided when 'dismiss' then 'dismissed' else 'acted' end, decided_at = clock_timestamp()
  where r.case_id = c.id;
  for reporter in
    select r.reporter_id from public.reports r join public.profiles p on p.id = r.reporter_id
    where r.case_id = c.id order by r.reporter_id
  loop
    perform private.notify_person(reporter.reporter_id, null, 'report', said => case decided
      when 'dismiss' then 'We looked at what you reported, and found that it may stay.'
      else 'We looked at what you reported, and acted. Thank you.' end);
  end loop;
  if decided <> 'dismiss' and exists (select from public.profiles p where p.id = c.person_id) then
    perform private.notify_person(c.person_id, null, 'moderation',
                                  said => private.decision_words(c.kind, decided, until, btrim(why)));
  end if;
  perform private.release_media(c.id);
  -- What came to nothing was not done to anybody: the person concerned hears nothing of it.
  perform private.audit(uid, 'case.' || decided, case when decided <> 'dismiss' then c.person_id end, c.id::text,
    jsonb_strip_nulls(jsonb_build_object('kind', c.kind, 'subjectId', c.subject_id, 'reason', nullif(btrim(why), ''),
                                         'until', until, 'hid', hid_it)));
  return address;
end
$$;

-- The same about a thing that nobody need have reported. Answers the case, and the address as above; to the same
-- `request` of the same admin once more, the case alone.
create function private.moderate(
  thing_kind text, thing uuid, decided text, why text, days integer, hide_too boolean, give_up boolean,
  request uuid default null, out case_id uuid, out address text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  made public.moderation_cases;
begin
  perform private.require_admin();
  if request is not null then
    -- Sent again while it is on its way, it waits, and finds itself decided.
    perform pg_advisory_xact_lock(hashtextextended('moderate:' || auth.uid() || request, 0));
    select * into made from public.moderation_cases c where c.decided_by = auth.uid() and c.request_id = request;
    if found then
      if (made.kind, made.subject_id, made.decision, made.reason)
         is distinct from (thing_kind, thing, decided, nullif(btrim(why), '')) then
        raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
      end if;
      case_id := made.id;
      return;
    end if;
  end if;
  -- Looking alone is no deed: nobody would be told of it.
  if decided = 'dismiss' then raise exception 'There is nothing to dismiss.' using errcode = 'PT400'; end if;
  -- What two people write each other is for an admin only once one of them reported it.
  if thing_kind = 'message' and not exists (
       select from public.moderation_cases c where c.kind = 'message' and c.subject_id = thing and c.state = 'open')
     and not exists (
       select from public.messages m join public.conversations v on v.id = m.conversation_id
       where m.id = thing and auth.uid() in (v.user_low, v.user_high)) then
    raise exception 'Message not found' using errcode = 'PT404';
  end if;
  case_id := (private.open_case(thing_kind, thing)).id;
  address := private.decide_case(case_id, decided, why, days, hide_too, give_up);
  update public.moderation_cases c set request_id = request where c.id = case_id and request is not null;
end
$$;

-- The person concerned disagrees: once, and within 30 days.
create function private.appeal_case(case_id uuid, words text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  c public.moderation_cases;
begin
  perform private.require_session();
  perform private.enforce_rate('reports', auth.uid(), 30, '1 hour');
  select * into c from public.moderation_cases m
  where m.id = case_id and m.person_id = auth.uid() and m.state <> 'open' and m.decision <> 'dismiss' for update;
  if not found then raise exception 'Decision not found' using errcode = 'PT404'; end if;
  if private.is_blank(words) then raise exception 'Please say why you disagree.' using errcode = 'PT400'; end if;
  if c.appealed_at is not null then
    raise exception 'You have appealed against this already.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if c.decided_at < clock_timestamp() - interval '30 days' then
    raise exception 'An appeal is possible for 30 days.' using errcode = 'PT409', detail = 'conflict';
  end if;
  update public.moderation_cases m
  set state = 'appealed', appeal = btrim(words), appealed_at = clock_timestamp(), moved_at = clock_timestamp()
  where m.id = c.id;
end
$$;
grant execute on function private.appeal_case(uuid, text) to authenticated;

-- Whether the caller may answer the appeal of a case decided by `decider` about `person`: no admin answers about
-- themselves, nor, where there is another, who decided.
create function private.may_answer(decider uuid, person uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_admin() and person <> auth.uid() and (decider is distinct from auth.uid() or not exists (
    select from public.profiles p where p.is_admin and p.id not in (auth.uid(), person)))
$$;
grant execute on function private.may_answer(uuid, uuid) to authenticated;

-- Answers an appeal, for good. Granted (`overturn`), what the case hid is shown again and its suspension ends.
create function private.decide_appeal(case_id uuid, overturn boolean, answer text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  c public.moderation_cases;
begin
  perform private.require_admin();
  select * into c from public.moderation_cases m where m.id = case_id for update;
  if not found then raise exception 'Case not found' using errcode = 'PT404'; end if;
  if c.state <> 'appealed' then
    raise exception 'There is no appeal to answer.' using errcode = 'PT409', detail = 'conflict';
  end if;
  if not private.may_answer(c.decided_by, c.person_id) then
    raise exception 'Another admin has to answer this appeal.' using errcode = 'PT403';
  end if;
  if private.is_blank(answer) then
    raise exception 'Please say why: the person is told.' using errcode = 'PT400';
  end if;
  if overturn and c.hid then perform private.show_thing(c.kind, c.subject_id); end if;
  perform private.lock_counters(array[c.person_id]);
  if overturn then
    update public.accounts a
    set suspended_at = null, suspended_until = null, suspension_reason = null, suspension_case = null
    where a.user_id = c.person_id and a.suspension_case = c.id;
    delete from private.barred_addresses b where b.case_id = c.id;
  end if;
  update public.moderation_cases m
  set state = 'closed', appeal_outcome = case when overturn then 'overturned' else 'upheld' end,
      appeal_answer = btrim(answer), appeal_decided_by = uid, appeal_decided_at = clock_timestamp(),
      moved_at = clock_timestamp(), hid = m.hid and not overturn
  where m.id = c.id;
  if exists (select from public.profiles p where p.id = c.person_id) then
    perform private.notify_person(c.person_id, null, 'moderation', said => case when overturn
      then 'Your appeal was granted: ' else 'Your appeal was turned down: ' end || btrim(answer));
  end if;
  perform private.release_media(c.id);
  perform private.audit(uid, 'appeal.' || case when overturn then 'grant' else 'refuse' end, c.person_id, c.id::text,
                        jsonb_build_object('answer', btrim(answer)));
end
$$;

-- Uploads of a case that is no longer open are looked at again: in nobody's use, they go.
create function private.release_media(case_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.loose_media (media_id, due)
  select m.id, clock_timestamp() from public.moderation_cases c join public.media m on m.id = any (c.media_ids)
  where c.id = case_id
  on conflict (media_id) do update set due = excluded.due
$$;

grant execute on function private.decide_case(uuid, text, text, integer, boolean, boolean),
  private.moderate(text, uuid, text, text, integer, boolean, boolean, uuid),
  private.decide_appeal(uuid, boolean, text) to authenticated;

-- What the clock does: suspensions that are over end; what was removed goes for good after 30 days, unless an appeal is
-- open or was granted, and so does what is kept of a hidden message, which nobody sees any more; how somebody's profile
-- looked goes with them.
create function private.tidy_moderation() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.moderation_cases[] := array(
    select c from public.moderation_cases c
    where c.hid and (c.decision = 'remove' or c.kind = 'message') and c.state in ('decided', 'closed')
      and c.decided_at < clock_timestamp() - interval '30 days'
    order by c.decided_at limit 200 for update skip locked);
  things uuid[] := array(select d.subject_id from unnest(due) d);
  going uuid[] := array(select p.id from public.posts p where p.id = any (things) and p.hidden = 'removed');
  unsaid uuid[] := array(select m.id from public.comments m where m.id = any (things) and m.hidden = 'removed');
begin
  -- Held as everywhere: posts, counts of posts, counts of news, each in one order.
  perform from public.posts p
  where p.id = any (going) or p.id in (select m.post_id from public.comments m where m.id = any (unsaid))
  order by p.id for update;
  perform from public.profile_counts c
  where c.user_id in (select p.author_id from public.posts p where p.id = any (going))
  order by c.user_id for no key update;
  perform private.lock_counters(array(
    select n.user_id from public.notifications n where n.post_id = any (going)
    union select n.user_id from public.notifications n where n.comment_id in (
      select m.id from public.comments m where m.id = any (unsaid) or m.parent_comment_id = any (unsaid))));
  delete from public.posts p where p.id = any (going);
  delete from public.comments m where m.id = any (unsaid);
  insert into private.loose_media (media_id, due)
  select h.media_id, clock_timestamp() from private.hidden_messages h
  where h.message_id = any (things) and h.media_id is not null
  on conflict (media_id) do update set due = excluded.due;
  delete from private.hidden_messages h where h.message_id = any (things);
  update public.moderation_cases m set hid = false where m.id in (select d.id from unnest(due) d);
  delete from private.barred_addresses b where b.until < clock_timestamp();
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (
    select o.id from public.moderation_cases o
    where o.kind = 'user' and o.snapshots <> '[]' and not exists (select from public.profiles p where p.id = o.person_id)
    for update skip locked);
  return jsonb_build_object('deleted', cardinality(due), 'lifted', private.lift_suspensions());
end
$$;
grant execute on function private.tidy_moderation() to service_role;
create index moderation_cases_hid_idx on public.moderation_cases (decided_at) where hid and state in ('decided', 'closed');

-- Leaving -----------------------------------------------------------------------------------------------------

-- How somebody's profile looked goes with it. A case that is being decided is passed over, as that may wait for us: the
-- job takes it.
create function private.on_profile_gone_cases() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.moderation_cases c set snapshots = '[]'
  where c.id in (select o.id from public.moderation_cases o where o.person_id = old.id and o.kind = 'user'
                 for update skip locked);
  return null;
end
$$;
create trigger on_profile_gone_cases after delete on public.profiles
  for each row execute function private.on_profile_gone_cases();

-- `told` are people who are told of it: their counts are held with the others.
drop function private.hold_what_goes(uuid);
drop function private.hold_counted(uuid, uuid[]);
create function private.hold_counted(person uuid, others uuid[] default '{}', told uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.profile_counts c
  where c.user_id in (select person
                      union select unnest(others)
                      union select f.followee_id from public.follows f where f.follower_id = person
                      union select f.follower_id from public.follows f where f.followee_id = person)
  order by c.user_id for no key update;
  perform private.lock_counters(told || array(
    select person
    union select n.user_id from public.notifications n where n.actor_id = person
    union select n.user_id from public.notifications n join public.posts p on p.id = n.post_id
          where p.author_id = person
    union select p.author_id from public.likes l join public.posts p on p.id = l.post_id where l.user_id = person
    union select f.followee_id from public.follows f where f.follower_id = person
    union select r.followee_id from public.follow_requests r where r.follower_id = person));
end
$$;
create function private.hold_what_goes(person uuid, told uuid[] default '{}') returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.hold_written(person);
  perform from public.creator_plans s where s.user_id = person and s.state <> 'ended' for update;
  perform from public.subscriptions s
  where s.state <> 'ended' and person in (s.subscriber_id, s.creator_id)
  order by s.id for update;
  perform private.hold_counted(person, array(
    select s.creator_id from public.subscriptions s where s.subscriber_id = person and s.state <> 'ended'), told);
end
$$;

-- What is hidden is as if it were not there -------------------------------------------------------------------

create or replace function private.begin_tip(
  tip uuid, creator uuid, amount numeric, payment_provider text, said text default null, post uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  begun public.payments;
begin
  perform private.require_write();
  perform private.enforce_rate('tips', uid, 30, '1 minute');
  perform private.lock_pair(uid, creator);
  select * into begun from public.payments p where p.id = tip;
  if found then
    if begun.kind <> 'tip' or begun.payer_id <> uid or begun.payee_id <> creator
       or begun.amount_cents <> amount * 100 then
      raise exception 'This id is taken.' using errcode = 'PT409';
    end if;
    return begun.id;
  end if;
  perform private.require_tippable(creator);
  if amount not between 1 and 500 or amount <> round(amount, 2) then
    raise exception 'Please enter an amount between $1.00 and $500.00.' using errcode = 'PT400';
  end if;
  if post is not null and not exists (
    select from public.posts p where p.id = post and p.author_id = creator and p.hidden is null) then
    raise exception 'Post not found' using errcode = 'PT404';
  end if;
  insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, provider, note, about_post_id)
  values (tip, 'tip', uid, creator, (amount * 100)::integer, private.fee_of((amount * 100)::integer),
          payment_provider, nullif(btrim(said), ''), post);
  return tip;
end
$$;

-- Paid for elsewhere while the post was being hidden, it is given back.
create or replace function private.settle_unlock(paid payments) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (select from public.posts p where p.id = paid.post_id and p.hidden is null for key share) then
    return false;
  end if;
  perform private.lock_counters(array[paid.payee_id]);
  if not exists (select from public.profiles p where p.id = paid.payer_id for key share)
     or exists (select from public.unlocks u where u.user_id = paid.payer_id and u.post_id = paid.post_id) then
    return false;
  end if;
  insert into public.unlocks (user_id, post_id, payment_id) values (paid.payer_id, paid.post_id, paid.id);
  perform private.notify_person(paid.payee_id, paid.payer_id, 'unlock', paid.post_id);
  return true;
end
$$;

create or replace function private.include_post(post uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.posts p set included_in_subscription = true
  where p.id = post and p.author_id = auth.uid() and p.hidden is null and p.is_premium and p.edited_at is null
    and private.may_write()
$$;

create or replace function private.delete_comment(comment uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
  said public.comments;
  post_author uuid;
begin
  if not private.session_alive() then
    raise exception 'This session has been ended.' using errcode = '42501';
  end if;
  select * into said from public.comments c
  where c.id = comment and (c.hidden is null or (c.hidden = 'hidden' and c.author_id = uid));
  select p.author_id into post_author from public.posts p where p.id = said.post_id;
  if uid is distinct from said.author_id and uid is distinct from post_author then
    if said.id is null or not private.can_view(post_author) or not private.may_read_paid(uid, said.post_id) then
      raise exception 'Comment not found' using errcode = 'PT404';
    end if;
    raise exception 'Only its author, or the author of the post, can delete a comment.' using errcode = 'PT403';
  end if;
  -- Its replies are locked with it, behind the post: as when they were written.
  perform from public.posts p where p.id = said.post_id for no key update;
  perform private.lock_counters(array(
    select n.user_id from public.notifications n where n.comment_id = comment
    union select n.user_id from public.comments c join public.notifications n on n.comment_id = c.id
          where c.parent_comment_id = comment));
  delete from public.comments c where c.id = comment;
end
$$;

create or replace function private.record_views(seen uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  uid uuid := auth.uid();
begin
  perform private.require_session();
  perform private.enforce_rate('views', uid, 120, '1 minute');
  insert into private.view_events (viewer_id, post_id, hour)
  select uid, p.id, date_trunc('hour', now(), 'UTC')
  from (select distinct s.id from unnest(seen[1:50]) s(id)) named
  join public.posts p on p.id = named.id
  join private.viewable_profiles v on v.id = p.author_id
  where p.author_id <> uid and p.hidden is null
  -- In one order, so that two pages of theirs do not wait for each other in a circle.
  order by p.id
  on conflict do nothing;
end
$$;

create or replace function private.refresh_trending() returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  since timestamptz := now() - interval '7 days';
  tags integer;
  creators integer;
begin
  -- One at a time.
  perform pg_advisory_xact_lock(hashtextextended('refresh_trending', 0));
  delete from private.trending_tags;
  insert into private.trending_tags (tag, posts, people)
  select t.tag, count(*), count(distinct t.author_id)
  from public.post_tags t
  join public.profiles p on p.id = t.author_id and p.content_discoverable and p.visibility = 'public'
  join public.accounts a on a.user_id = p.id and a.read_only_reason is null
  where t.created_at > since
  group by t.tag order by 3 desc, 2 desc, 1 limit 50;
  get diagnostics tags = row_count;

  delete from private.creator_scores;
  insert into private.creator_scores (user_id, score)
  -- A person counts once for each thing they did with a post.
  select p.author_id, count(*)
  from (
    select l.post_id, l.user_id, 'like' from public.likes l where l.created_at > since
    union select s.post_id, s.user_id, 'save' from public.saves s where s.created_at > since
    union select c.post_id, c.author_id, 'comment' from public.comments c where c.created_at > since and c.hidden is null
    union select u.post_id, u.user_id, 'unlock' from public.unlocks u where u.created_at > since
  ) done (post_id, person_id, what)
  join public.posts p on p.id = done.post_id
  join public.profiles u on u.id = p.author_id and u.is_creator
  where done.person_id <> p.author_id and p.hidden is null
  group by p.author_id;
  get diagnostics creators = row_count;
  return jsonb_build_object('tags', tags, 'creators', creators);
end
$$;

create or replace function private.roll_up_days(most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  last_done timestamptz;
  since date;
  until date;
  from_time timestamptz;
  to_time timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('roll-up', 0));
  select r.done_at into last_done from private.roll_ups r where r.name = 'days';
  since := least(today,
                 ((coalesce(last_done, now() - interval '731 days') - interval '2 hours') at time zone 'UTC')::date);
  until := least(today, since + greatest(2, most) - 1);
  from_time := since::timestamp at time zone 'UTC';
  to_time := (until + 1)::timestamp at time zone 'UTC';
  create temporary table rolled_days on commit drop as
  select c.creator_id, (c.at at time zone 'UTC')::date as day,
         count(*) filter (where c.what = 'like')::integer as likes,
         count(*) filter (where c.what = 'comment')::integer as comments,
         count(*) filter (where c.what = 'follow')::integer as followers,
         count(*) filter (where c.what = 'subscription')::integer as subscribers
  from (
    select p.author_id as creator_id, l.created_at as at, 'like' as what
    from public.likes l join public.posts p on p.id = l.post_id
    where l.created_at >= from_time and l.created_at < to_time and l.user_id <> p.author_id
    union all
    select p.author_id, c.created_at, 'comment'
    from public.comments c join public.posts p on p.id = c.post_id
    where c.created_at >= from_time and c.created_at < to_time and c.author_id is distinct from p.author_id
      and c.hidden is null
    union all
    select f.followee_id, f.created_at, 'follow'
    from public.follows f where f.created_at >= from_time and f.created_at < to_time
    union all
    select s.creator_id, s.started_at, 'subscription'
    from public.subscriptions s join public.profiles p on p.id = s.creator_id
    where s.started_at >= from_time and s.started_at < to_time) c
  group by 1, 2;
  perform private.hold_creators(array(select r.creator_id from pg_temp.rolled_days r));
  update public.creator_days d set likes = 0, comments = 0, followers = 0, subscribers = 0
  where d.day between since and until and (d.likes, d.comments, d.followers, d.subscribers) <> (0, 0, 0, 0)
    and not exists (select from pg_temp.rolled_days r where r.creator_id = d.creator_id and r.day = d.day);
  insert into public.creator_days as d (creator_id, day, likes, comments, followers, subscribers)
  select r.creator_id, r.day, r.likes, r.comments, r.followers, r.subscribers
  from pg_temp.rolled_days r join public.profiles p on p.id = r.creator_id order by 1, 2
  on conflict (creator_id, day) do update set likes = excluded.likes, comments = excluded.comments,
    followers = excluded.followers, subscribers = excluded.subscribers
  where (d.likes, d.comments, d.followers, d.subscribers)
     is distinct from (excluded.likes, excluded.comments, excluded.followers, excluded.subscribers);
  drop table pg_temp.rolled_days;
  -- Done with it is two hours after its end.
  insert into private.roll_ups as r (name, done_at) values ('days', least(now(), to_time + interval '2 hours'))
  on conflict (name) do update set done_at = excluded.done_at;
  return today - until;
end
$$;

-- Ids come from clients, and are free again once what had them is deleted. Not one that a case is about: the case would
-- be about something else, by somebody else.
create function private.refuse_known_id() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.moderation_cases c where c.kind = tg_argv[0] and c.subject_id = new.id) then
    raise exception 'This id is taken.' using errcode = 'PT409', detail = 'conflict';
  end if;
  return new;
end
$$;
create trigger refuse_known_id before insert on public.posts
  for each row execute function private.refuse_known_id('post');
create trigger refuse_known_id before insert on public.comments
  for each row execute function private.refuse_known_id('comment');

revoke execute on all functions in schema private from public;
