-- Allows notifications about reposts and scheduled posts. This is a migration of its own, because notifications are also
-- written in transactions that have locked a post, so no other table may be locked after this one.

set local lock_timeout = '5s';

DROP INDEX "public"."notifications_once_key";

ALTER TABLE "public"."notifications" DROP CONSTRAINT "notifications_kind_check";

ALTER TABLE "public"."notifications" ADD CONSTRAINT "notifications_kind_check" CHECK ((kind = ANY (ARRAY['follow'::text, 'follow_request'::text, 'follow_accepted'::text, 'like'::text, 'comment'::text, 'reply'::text, 'mention'::text, 'quote'::text, 'repost'::text, 'reaction'::text, 'unlock'::text, 'subscription'::text, 'tip'::text, 'message'::text, 'sign_in'::text, 'admin'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'scheduled_post'::text, 'new_post'::text, 'access_token'::text])));

CREATE UNIQUE INDEX notifications_once_key ON public.notifications USING btree (user_id, kind, actor_id, post_id, comment_id, message_id) NULLS NOT DISTINCT WHERE (kind <> ALL (ARRAY['sign_in'::text, 'admin'::text, 'tip'::text, 'subscription'::text, 'payout'::text, 'creator_pro'::text, 'moderation'::text, 'report'::text, 'auto_post'::text, 'scheduled_post'::text, 'new_post'::text, 'access_token'::text]));
