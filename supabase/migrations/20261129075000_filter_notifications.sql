CREATE INDEX notifications_kind_idx ON public.notifications USING btree (user_id, kind, is_head, created_at DESC, id DESC);
