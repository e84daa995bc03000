set local lock_timeout = '5s';

ALTER POLICY "subscriptions_select" ON "public"."subscriptions" USING (((subscriber_id = ( SELECT auth.uid() AS uid)) OR ((creator_id = ( SELECT auth.uid() AS uid)) AND (started_at IS NOT NULL))));

ALTER POLICY "notifications_select" ON "public"."notifications" USING (((user_id = ( SELECT auth.uid() AS uid)) AND ((kind <> 'new_post'::text) OR (EXISTS ( SELECT
   FROM private.visible_announced_posts(notifications.user_id, notifications.announcement_id, notifications.highlights_only) visible_announced_posts(posts, latest_post_id)))) AND ((message_id IS NULL) OR ( SELECT private.has_scope('messages'::text) AS has_scope))));
