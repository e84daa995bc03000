-- Replaces the index of unread notifications, so that it also serves the counts for each filter. This is a migration of
-- its own, because notifications are also written in transactions that have locked other tables.

set local lock_timeout = '5s';

DROP INDEX "public"."notifications_unread_idx";

CREATE INDEX notifications_unread_idx ON public.notifications USING btree (user_id, kind) WHERE (read_at IS NULL);
