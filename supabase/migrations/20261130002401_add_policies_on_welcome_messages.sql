set local lock_timeout = '5s';

CREATE POLICY "welcome_messages_active_session" ON "public"."welcome_messages" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.can_use_messages() AS can_use_messages)) WITH CHECK (( SELECT private.can_use_messages() AS can_use_messages));

CREATE POLICY "welcome_messages_select" ON "public"."welcome_messages" FOR SELECT TO "authenticated" USING ((creator_id = ( SELECT auth.uid() AS uid)));
