import type { TransactionSql } from 'postgres'
import type { DemoComment } from './comments.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import type { DemoUnlock } from './paid.ts'
import type { DemoPicture } from './pictures/posts.ts'
import type { DemoPost } from './posts.ts'

/** The posts with their pictures; what is paid for lies apart from what everybody reads. */
export async function insertPosts(
  tx: TransactionSql,
  posts: DemoPost[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const rows = rowsOf(
    posts.map((post) => {
      const picture = pictures.get(post.id)
      return { ...post, ...picture, id: post.id, media: picture?.id, author: uidOf(post.author) }
    }),
  )
  await tx`
    insert into public.media
      (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder, created_at)
    select r.media, r.author, 'image', 'ready', r.path, 'image/png', r.bytes, r.width, r.height, r.placeholder, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (media uuid, author uuid, path text, bytes bigint,
      width integer, height integer, placeholder text, at timestamptz)
    where r.media is not null`
  await tx`
    insert into public.posts (id, author_id, content, is_premium, premium_price, teaser, media_type, media_width,
      media_height, placeholder, media_id, alt_text, included_in_subscription, created_at)
    select r.id, r.author, case when r.price is null then r.content else '' end, r.price is not null, r.price, r.teaser,
      case when r.media is not null then 'image' end, r.width, r.height, r.placeholder,
      case when r.price is null then r.media end, case when r.price is null then r.alt end,
      coalesce(r.included, false), r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, author uuid, content text, price numeric, teaser text,
      media uuid, width integer, height integer, placeholder text, alt text, included boolean, at timestamptz)`
  await tx`
    insert into public.premium_contents (post_id, author_id, content, media_id, alt_text)
    select r.id, r.author, r.content, r.media, r.alt
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, author uuid, content text, price numeric, media uuid,
      alt text)
    where r.price is not null`
  await tx`
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select p.id, tag, p.author_id, p.created_at
    from public.posts p, unnest(private.tags_in(private.public_text(p))) tag`
}

/** Who paid for what: each payment, and what it opened. */
export async function insertUnlocks(tx: TransactionSql, unlocks: DemoUnlock[]): Promise<void> {
  const rows = rowsOf(
    unlocks
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .map((unlock) => ({ ...unlock, user: uidOf(unlock.user), author: uidOf(unlock.author) })),
  )
  await tx`
    insert into public.payments (id, kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state,
      created_at, settled_at)
    select r.payment, 'unlock', r.user, r.author, r.post, r.cents, r.fee, 'test', 'paid', r.at, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (payment uuid, "user" uuid, author uuid, post uuid,
      cents integer, fee integer, at timestamptz)`
  await tx`
    insert into public.unlocks (user_id, post_id, payment_id, created_at)
    select r.user, r.post, r.payment, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r ("user" uuid, post uuid, payment uuid, at timestamptz)`
}

export async function insertComments(tx: TransactionSql, comments: DemoComment[]): Promise<void> {
  await tx`
    insert into public.comments (id, post_id, author_id, parent_comment_id, content, created_at)
    select r.id, r.post, r.author, r.parent, r.content, r.at
    from jsonb_to_recordset(${rowsOf(comments.map((one) => ({ ...one, author: uidOf(one.author) })))}::text::jsonb)
      as r (id uuid, post uuid, author uuid, parent uuid, content text, at timestamptz)`
}
