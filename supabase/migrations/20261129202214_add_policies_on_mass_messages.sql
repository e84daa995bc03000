set local lock_timeout = '5s';

CREATE POLICY "mass_messages_active_session" ON "public"."mass_messages" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.can_use_messages() AS can_use_messages)) WITH CHECK (( SELECT private.can_use_messages() AS can_use_messages));

CREATE POLICY "mass_messages_select" ON "public"."mass_messages" FOR SELECT TO "authenticated" USING ((creator_id = ( SELECT auth.uid() AS uid)));
