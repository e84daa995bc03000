import { limits } from '../contract/limits.ts'
import { type SqlFragment, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { userCardFields, userCardFieldsForUser, userCardOf } from '../users/presenter.ts'

/**
 * Returns SQL for the joins that `postJson` needs for the post `p`: its author `u` and, for a signed-in caller, its
 * paid content `paid`. The policy on `premium_contents` decides whether `paid` exists: only for the author, a buyer, or
 * a subscriber whose subscription includes the post. `p.is_premium` in the subquery skips the lookup for free posts,
 * which have no such row. `offset 0` forces a lookup per post: on a new site, where the table is small, the planner
 * would otherwise choose to scan it, which evaluates its policy for posts that are not on the page.
 */
export const postJoins = (caller: Caller | null) =>
  caller
    ? sql`join public.profiles u on u.id = p.author_id
          left join lateral (
            select c.* from public.premium_contents c where p.is_premium and c.post_id = p.id offset 0
          ) paid on true`
    : sql`join public.profiles u on u.id = p.author_id`

/**
 * Returns SQL for the fields that depend on a signed-in caller. Likes and saves are scalar subqueries, which look up
 * one row per post: with `exists`, the planner may choose a plan that reads every like and save of the caller.
 */
const callerFields = ({ userId }: Caller) => sql`
  'liked', coalesce((select true from public.likes l
                     where l.post_id = p.id and l.user_id = ${userId}::text::uuid), false),
  'saved', coalesce((select true from public.saves s
                     where s.post_id = p.id and s.user_id = ${userId}::text::uuid), false),
  'reposted', p.reposts_count > 0 and private.has_reposted(p.id),
  'locked', p.is_premium and paid.post_id is null,
  'paymentPending', p.is_premium and paid.post_id is null and exists (
    select from public.payments m
    where m.payer_id = ${userId}::text::uuid and m.post_id = p.id and m.state = 'pending'
      and m.provider_reference is not null),
  'mine', p.author_id = ${userId}::text::uuid,
  'viewsCount', case when p.author_id = ${userId}::text::uuid then private.count_post_views(p.id) end,
  'canQuote', p.hidden is null
    and ((u.visibility = 'public' and u.content_discoverable) or p.author_id = ${userId}::text::uuid),
  'content', coalesce(paid.content, p.content), 'altText', coalesce(paid.alt_text, p.alt_text),
  'imageUrl', case when p.media_type = 'image' then '/api/media/' || coalesce(paid.media_id, p.media_id) end,
  'videoUrl', case when p.media_type = 'video' then '/api/media/' || coalesce(paid.media_id, p.media_id) end,
  'posterUrl', '/api/media/' || coalesce(paid.poster_id, p.poster_id)`

/**
 * SQL for the fields in `callerFields`, but for a visitor. The row of a premium post contains no paid content, so none
 * has to be omitted.
 */
const visitorFields = sql`
  'liked', false, 'saved', false, 'reposted', false, 'locked', p.is_premium, 'paymentPending', false, 'mine', false,
  'viewsCount', null,
  'canQuote', p.hidden is null and u.visibility = 'public'
    and (select true from private.discoverable_profiles d where d.id = p.author_id) is true,
  'content', p.content, 'altText', p.alt_text,
  'imageUrl', case when p.media_type = 'image' then '/api/media/' || p.media_id end,
  'videoUrl', case when p.media_type = 'video' then '/api/media/' || p.media_id end,
  'posterUrl', '/api/media/' || p.poster_id`

/**
 * SQL for the `QuotedPost` of the post `p`. It calls a function, because a join or subquery would make the query slower
 * even if no post on the page is a quote.
 */
const quotedPost = sql`case when p.is_quote then
  coalesce(private.quoted_post(p.id, ${limits.quotedText}::integer), '{"available": false}'::json) end`

/** Returns SQL for the `repostedBy` of a post that a user reposted. */
export const repostedBy = (userId: SqlFragment, time: SqlFragment) =>
  sql`json_build_object('user', ${userCardOf(userId)}, 'at', ${time})`

/**
 * Returns SQL for a `Post` as JSON text, built from the post `p` and the tables in `postJoins`.
 *
 * @param repost SQL for the post's `repostedBy`
 */
export const postJson = (caller: Caller | null, repost = sql`null`) => sql`json_build_object(
  'id', p.id, 'userId', p.author_id, 'user', json_build_object(${caller ? userCardFieldsForUser : userCardFields}), 'teaser', p.teaser,
  'mediaType', p.media_type, 'placeholder', p.placeholder,
  'mediaWidth', p.media_width, 'mediaHeight', p.media_height,
  'isPremium', p.is_premium, 'premiumPrice', p.premium_price,
  'includedInSubscription', p.included_in_subscription, 'mediaDuration', p.media_duration,
  'paidTextLength', p.paid_text_length, 'unlocksCount', p.unlocks_count,
  'product', case when p.product is not null then
    json_build_object('name', p.product -> 'name', 'price', p.product -> 'price', 'storeUrl', p.product -> 'storeUrl',
                      'category', p.product -> 'category') end,
  'madeByAi', p.made_by is not null, 'hidden', p.hidden is not null, 'pinned', p.pinned,
  'likesCount', p.likes_count, 'commentsCount', p.comments_count, 'repostsCount', p.reposts_count,
  'repostedBy', ${repost},
  'createdAt', p.created_at, 'editedAt', p.edited_at, 'quotedPost', ${quotedPost},
  ${caller ? callerFields(caller) : visitorFields})::text`
