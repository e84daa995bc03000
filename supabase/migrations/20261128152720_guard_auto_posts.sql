-- Personal access tokens read no drafts or runs of automatic posts through the Data API, as in the API.
DROP POLICY "auto_post_drafts_active_session" ON "public"."auto_post_drafts";

DROP POLICY "auto_post_runs_active_session" ON "public"."auto_post_runs";

CREATE POLICY "auto_post_drafts_active_session" ON "public"."auto_post_drafts" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)) WITH CHECK (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active));

CREATE POLICY "auto_post_runs_active_session" ON "public"."auto_post_runs" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active)) WITH CHECK (( SELECT private.is_sign_in_session_active() AS is_sign_in_session_active));
