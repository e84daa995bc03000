set local lock_timeout = '5s';

CREATE POLICY "reposts_active_session" ON "public"."reposts" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_session_active() AS is_session_active)) WITH CHECK (( SELECT private.is_session_active() AS is_session_active));

CREATE POLICY "reposts_select" ON "public"."reposts" FOR SELECT TO "anon", "authenticated" USING (((user_id = ( SELECT auth.uid() AS uid)) OR private.is_repost_shown(post_id, user_id)));
