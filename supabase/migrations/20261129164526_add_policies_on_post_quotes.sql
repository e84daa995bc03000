set local lock_timeout = '5s';

CREATE POLICY "post_quotes_active_session" ON "public"."post_quotes" AS RESTRICTIVE FOR ALL TO "authenticated" USING (( SELECT private.is_session_active() AS is_session_active)) WITH CHECK (( SELECT private.is_session_active() AS is_session_active));

CREATE POLICY "post_quotes_select" ON "public"."post_quotes" FOR SELECT TO "anon", "authenticated" USING ((( SELECT true
   FROM public.posts p
  WHERE (p.id = post_quotes.post_id)) AND ( SELECT true
   FROM public.posts q
  WHERE (q.id = post_quotes.quoted_post_id)) AND private.is_quote_shown(post_id, quoted_post_id)));
