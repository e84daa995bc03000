-- A premium post may be marked as part of what its author's subscribers get.

alter table public.posts
  add column included_in_subscription boolean not null default false,
  add check (is_premium or not included_in_subscription);
