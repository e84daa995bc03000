import type { TransactionSql } from 'postgres'
import { scheduledPosts } from './content/scheduled-posts.ts'
import { idOf, userIdOf } from './ids.ts'
import type { DemoPicture } from './pictures.ts'
import { dayMs, daysBefore, hourMs } from './time.ts'

interface DemoScheduledPost {
  id: string
  author: string
  content: string
  hasPicture: boolean
  price?: number
  teaser?: string
  publishAt: Date
  at: Date
}

export function makeScheduledPosts(now: Date): DemoScheduledPost[] {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  return scheduledPosts.map(({ inDays, hour, hasPicture = false, ...post }) => ({
    ...post,
    id: idOf('scheduled post', `${post.author} ${inDays}`),
    hasPicture,
    publishAt: new Date(midnight + inDays * dayMs + hour * hourMs),
    at: daysBefore(now, 0.3),
  }))
}

export async function insertScheduledPosts(
  tx: TransactionSql,
  posts: DemoScheduledPost[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const rows = JSON.stringify(
    posts.map((post) => ({
      ...post,
      author: userIdOf(post.author),
      media: pictures.get(post.id)?.id,
      alt: pictures.get(post.id)?.alt,
    })),
  )
  await tx`
    insert into public.scheduled_posts (id, author_id, publish_at, content, premium_price, teaser, media_id, alt_text,
      created_at)
    select r.id, r.author, r."publishAt", r.content, r.price, r.teaser, r.media, r.alt, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, author uuid, "publishAt" timestamptz, content text,
      price numeric, teaser text, media uuid, alt text, at timestamptz)`
}
