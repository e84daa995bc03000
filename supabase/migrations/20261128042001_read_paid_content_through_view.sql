-- Waits for transactions that read paid content, and makes others wait meanwhile.
set local lock_timeout = '5s';

alter policy premium_contents_select on public.premium_contents
  using ((select true from private.readable_premium_posts r where r.id = post_id));

drop function private.can_read_premium(uuid, uuid);
