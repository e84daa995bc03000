set local lock_timeout = '5s';

CREATE POLICY "comment_likes_active_session" ON "public"."comment_likes" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_session_active() AS is_session_active)) WITH CHECK (( SELECT private.is_session_active() AS is_session_active));

CREATE POLICY "comment_likes_delete" ON "public"."comment_likes" FOR DELETE TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "comment_likes_insert" ON "public"."comment_likes" FOR INSERT TO "authenticated" WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.can_write() AS can_write) AND ( SELECT true
   FROM public.comments c
  WHERE ((c.id = comment_likes.comment_id) AND ((c.parent_comment_id IS NULL) OR (EXISTS ( SELECT
           FROM public.comments o
          WHERE (o.id = c.parent_comment_id))))))));

CREATE POLICY "comment_likes_select" ON "public"."comment_likes" FOR SELECT TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));
