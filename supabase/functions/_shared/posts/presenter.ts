import { sql } from '../db/page.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'

/**
 * What a `Post` is read from, behind the post `p`: its author `u` and, for somebody signed in, what is paid for in it
 * (`paid`, absent where the caller has neither written nor paid for it, nor reads it as a subscriber: its own policy
 * decides). A free post has no such row, and the condition in the subquery has none looked up.
 */
export const joined = (caller: Caller | null) =>
  caller
    ? sql`join public.profiles u on u.id = p.author_id
          left join lateral (select c.* from public.premium_contents c where p.is_premium and c.post_id = p.id) paid
            on true`
    : sql`join public.profiles u on u.id = p.author_id`

/**
 * What differs by who reads: a visitor has liked nothing, and nothing is theirs. Looked up post by post: `exists`
 * would let the planner read everything that somebody ever liked.
 */
const ofCaller = ({ userId }: Caller) => sql`
  'liked', coalesce((select true from public.likes l
                     where l.post_id = p.id and l.user_id = ${userId}::text::uuid), false),
  'saved', coalesce((select true from public.saves s
                     where s.post_id = p.id and s.user_id = ${userId}::text::uuid), false),
  'locked', p.is_premium and paid.post_id is null,
  'paymentPending', p.is_premium and paid.post_id is null and exists (
    select from public.payments m
    where m.payer_id = ${userId}::text::uuid and m.post_id = p.id and m.state = 'pending'
      and m.provider_reference is not null),
  'mine', p.author_id = ${userId}::text::uuid,
  'content', coalesce(paid.content, p.content), 'altText', coalesce(paid.alt_text, p.alt_text),
  'imageUrl', case when p.media_type = 'image' then '/api/media/' || coalesce(paid.media_id, p.media_id) end,
  'videoUrl', case when p.media_type = 'video' then '/api/media/' || coalesce(paid.media_id, p.media_id) end,
  'posterUrl', '/api/media/' || coalesce(paid.poster_id, p.poster_id)`

/** The row of a premium post holds nothing that is paid for. */
const ofVisitor = sql`
  'liked', false, 'saved', false, 'locked', p.is_premium, 'paymentPending', false, 'mine', false,
  'content', p.content, 'altText', p.alt_text,
  'imageUrl', case when p.media_type = 'image' then '/api/media/' || p.media_id end,
  'videoUrl', case when p.media_type = 'video' then '/api/media/' || p.media_id end,
  'posterUrl', '/api/media/' || p.poster_id`

/** A `Post` as JSON text, of the post `p` and the tables that `joined` brings. */
export const post = (caller: Caller | null) => sql`json_build_object(
  'id', p.id, 'userId', p.author_id, 'user', json_build_object(${card}), 'teaser', p.teaser,
  'mediaType', p.media_type, 'placeholder', p.placeholder,
  'mediaWidth', p.media_width, 'mediaHeight', p.media_height,
  'isPremium', p.is_premium, 'premiumPrice', p.premium_price,
  'includedInSubscription', p.included_in_subscription,
  'product', case when p.product is not null then
    json_build_object('name', p.product -> 'name', 'price', p.product -> 'price', 'storeUrl', p.product -> 'storeUrl',
                      'category', p.product -> 'category') end,
  'madeByAi', p.made_by is not null, 'hidden', p.hidden is not null,
  'likesCount', p.likes_count, 'commentsCount', p.comments_count,
  'createdAt', p.created_at, 'editedAt', p.edited_at, ${caller ? ofCaller(caller) : ofVisitor})::text`
