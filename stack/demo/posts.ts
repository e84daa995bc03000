import type { TransactionSql } from 'postgres'
import { creatorPosts } from './content/creator-posts.ts'
import { premiumPosts } from './content/premium-posts.ts'
import { type Product, productPosts } from './content/product-posts.ts'
import { quotes, recentPosts } from './content/recent-posts.ts'
import { userPosts } from './content/user-posts.ts'
import { type DemoUser, demoUsers } from './content/users.ts'
import { creatorUsername, idOf, userIdOf } from './ids.ts'
import type { DemoPicture } from './pictures.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import { dayMs, daysBefore, hourMs } from './time.ts'

export interface DemoPost {
  id: string
  author: string
  content: string
  /** Whether the post has a picture of its author's theme. Has no effect if the author has no theme. */
  hasPicture: boolean
  /** US dollars. A post with a price is premium: everyone sees its teaser, but its content has to be unlocked. */
  price?: number
  teaser?: string
  /** Whether a subscription to the author includes the post. */
  included?: boolean
  /** Whether the post shows how many users unlocked it. */
  showsUnlocks?: boolean
  /** Whether the post is at the top of its author's profile. */
  pinned?: boolean
  product?: Product
  /** The id of the post that the post quotes. */
  quotedId?: string
  writer?: 'ai'
  at: Date
  editedAt?: Date
}

/** Creates the posts of all users, by author and oldest first, then the premium posts, recent posts and quotes. */
export function makePosts(now: Date): DemoPost[] {
  const premium = premiumPosts.map(({ age, hasPicture = false, ...post }) => ({
    ...post,
    id: idOf('post', `${post.author} paid ${age}`),
    hasPicture,
    at: daysBefore(now, age),
  }))
  const recent = recentPosts.map(([author, hoursAgo, content]) => {
    const id = idOf('post', `${author} week ${hoursAgo}`)
    const at = new Date(now.getTime() - hoursAgo * hourMs)
    return { id, author, content, hasPicture: drawHasPicture(id), at }
  })
  const quoting = quotes.map(([author, hoursAgo, quoted, content]) => ({
    id: idOf('post', `${author} week ${hoursAgo}`),
    author,
    content,
    hasPicture: false,
    quotedId: idOf('post', quoted),
    at: new Date(now.getTime() - hoursAgo * hourMs),
  }))
  return [...demoUsers.flatMap((user) => makeUserPosts(user, now)), ...premium, ...recent, ...quoting]
}

export const makeProductPosts = (now: Date): DemoPost[] =>
  productPosts.map(([daysAgo, content, product]) => ({
    id: idOf('post', `${creatorUsername} product ${product.name}`),
    author: creatorUsername,
    content,
    hasPicture: false,
    product,
    at: daysBefore(now, daysAgo),
  }))

function makeUserPosts(user: DemoUser, now: Date): DemoPost[] {
  const texts = user.theme ? creatorPosts[user.theme] : (userPosts[user.username] ?? [])
  const times = drawTimes(texts, user, now.getTime(), createRandom(seedOf(user.username)))
  return texts.map((text, index) => {
    const id = idOf('post', `${user.username} ${index}`)
    const at = new Date(times[index] ?? now)
    return {
      id,
      author: user.username,
      content: text.replace(/^\+ /, ''),
      // Only creators' posts have pictures.
      hasPicture:
        user.theme !== undefined && at >= daysBefore(now, user.pictured ?? user.joined) && drawHasPicture(id),
      at,
    }
  })
}

const drawHasPicture = (id: string): boolean => createRandom(seedOf(`pictured ${id}`)).chance(0.6)

/**
 * Returns random times for a user's posts since registration, oldest first. Recent posts are more frequent. A post that
 * starts with `+ ` continues the previous one and follows it within about a day.
 */
function drawTimes(texts: string[], { joined, theme }: DemoUser, now: number, random: Random): number[] {
  const startCount = texts.filter((text) => !text.startsWith('+ ')).length
  const startTimes: number[] = []
  for (let index = 0; index < startCount; index++) {
    const fraction = (startCount - index - random.between(0, 0.7)) / startCount
    const ago = (joined - 0.5) * fraction ** 1.7 * dayMs
    const recent = random.between(0.7, 26) * hourMs
    // The newest post of each creator is at most 26 hours old, so that the feed starts with new posts.
    const time = now - (theme && index === startCount - 1 ? recent : Math.max(ago, recent))
    const daytime = avoidNight(time, random)
    // Posts from the last 36 hours keep their time.
    startTimes.push(time > now - 1.5 * dayMs ? time : daytime)
  }
  startTimes.sort((a, b) => a - b)

  const times: number[] = []
  let start = -1
  for (const text of texts) {
    if (!text.startsWith('+ ')) times.push(startTimes[++start] ?? now)
    else {
      const previous = times.at(-1) ?? now
      const gap = (startTimes[start + 1] ?? now) - previous
      times.push(previous + Math.min(random.between(3, 26) * hourMs, gap * 0.5))
    }
  }
  return times
}

/** Moves most times between 01:00 and 05:00 UTC back by 4 to 12 hours. */
function avoidNight(time: number, random: Random): number {
  const [earlierMs, keepsTime] = [random.between(4, 12) * hourMs, random.chance(0.15)]
  const hour = new Date(time).getUTCHours()
  return hour >= 5 || hour < 1 || keepsTime ? time : time - earlierMs
}

/** Inserts the posts with `private.insert_post`, as the API's functions do, then sets their remaining values. */
export async function insertPosts(
  tx: TransactionSql,
  posts: DemoPost[],
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
    select count(private.insert_post(r.author, r.author, r.id, r.content, r.price, r.teaser, r.media, null, null, r.alt,
      r.writer))
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, author uuid, content text, price numeric, teaser text,
      media uuid, alt text, writer text)`
  await tx`
    update public.posts p set created_at = r.at, edited_at = r."editedAt",
      included_in_subscription = coalesce(r.included, false), unlocks_count = case when r."showsUnlocks" then 0 end,
      pinned = coalesce(r.pinned, false), is_quote = r."quotedId" is not null,
      product = case when r.product is not null then private.validated_product(r.product ->> 'name',
        (r.product ->> 'price')::numeric, r.product ->> 'storeUrl', r.product ->> 'category') end
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, included boolean, "showsUnlocks" boolean,
      pinned boolean, "quotedId" uuid, product jsonb, at timestamptz, "editedAt" timestamptz)
    where p.id = r.id`
  await tx`
    insert into public.post_quotes (post_id, quoted_post_id)
    select r.id, r."quotedId" from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, "quotedId" uuid)
    where r."quotedId" is not null`
  await tx`
    insert into public.post_tags (post_id, tag, author_id, created_at)
    select p.id, tag, p.author_id, p.created_at
    from public.posts p, unnest(private.extract_tags(private.post_public_text(p))) tag`
}
