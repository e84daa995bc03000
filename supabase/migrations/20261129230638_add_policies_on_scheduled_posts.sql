set local lock_timeout = '5s';

CREATE POLICY "scheduled_posts_active_session" ON "public"."scheduled_posts" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_session_active() AS is_session_active)) WITH CHECK (( SELECT private.is_session_active() AS is_session_active));

CREATE POLICY "scheduled_posts_delete" ON "public"."scheduled_posts" FOR DELETE TO "authenticated" USING ((author_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "scheduled_posts_select" ON "public"."scheduled_posts" FOR SELECT TO "authenticated" USING ((author_id = ( SELECT auth.uid() AS uid)));
