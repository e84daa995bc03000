CREATE INDEX comments_top_idx ON public.comments USING btree (post_id, likes_count DESC, created_at DESC, id DESC) WHERE (parent_comment_id IS NULL);
