import type { Post } from '../contract/post.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asCaller, asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { named, userNotFound } from '../users/queries.ts'
import { joined, post } from './presenter.ts'

type Piece = ReturnType<typeof sql>

/** Where a page goes on: behind the row whose time and id the page before gave out. */
const older = ({ after }: Range, time: Piece, id: Piece) =>
  after ? sql`and (${time}, ${id}) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``

const createdAt: Piece = sql`p.created_at`
const postId: Piece = sql`p.id`

/** All posts that the caller may see, the newest first. One walk down one index, whatever their number. */
export async function listPosts(caller: Caller | null, range: Range): Promise<Page<Post>> {
  const rows = await asCaller(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(createdAt, postId)} as key
      from public.posts p ${joined(caller)}
      where true ${older(range, createdAt, postId)}
      order by p.created_at desc, p.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Posts by others who let theirs be discovered, as far as the caller may see them, the newest first. The same walk as
 * the feed's.
 */
export async function listDiscovered(caller: Caller, range: Range): Promise<Page<Post>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(createdAt, postId)} as key
      from public.posts p ${joined(caller)}
      where u.content_discoverable and p.author_id <> ${caller.userId}::text::uuid
        ${older(range, createdAt, postId)}
      order by p.created_at desc, p.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** One person's posts, as far as the caller may see them, the newest first. */
export async function listPostsOf(
  caller: Caller | null,
  identifier: string,
  range: Range,
): Promise<Page<Post>> {
  const [people, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${named(identifier)}`,
    tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(createdAt, postId)} as key
      from public.posts p ${joined(caller)}
      where p.author_id = (
          -- Asked once: under the policy alone, all posts of somebody who shows none would be looked at.
          select u.id from public.profiles u where ${named(identifier)} and private.can_view(u.id))
        ${older(range, createdAt, postId)}
      order by p.created_at desc, p.id desc ${window(range)}`,
  ])
  if (people.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/**
 * Posts with a tag in what everybody may read of them, as far as the caller may see them, the newest first.
 *
 * @param tag in any case
 */
export async function listPostsOfTopic(
  caller: Caller | null,
  tag: string,
  range: Range,
): Promise<Page<Post>> {
  const time: Piece = sql`t.created_at`
  const id: Piece = sql`t.post_id`
  const rows = await asCaller(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(time, id)} as key
      from public.post_tags t join public.posts p on p.id = t.post_id ${joined(caller)}
      where t.tag = private.tag_of(${tag}::text) ${older(range, time, id)}
      order by t.created_at desc, t.post_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

const chosenAt: Piece = sql`k.created_at`
const chosenId: Piece = sql`k.post_id`

/** The posts the caller saved and may still see, the latest saved first. */
export async function listSaved(caller: Caller, range: Range): Promise<Page<Post>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(chosenAt, chosenId)} as key
      from public.saves k join public.posts p on p.id = k.post_id ${joined(caller)}
      where k.user_id = ${caller.userId}::text::uuid ${older(range, chosenAt, chosenId)}
      order by k.created_at desc, k.post_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** Ids of the posts the caller likes, the latest first. */
export async function listLikedIds(caller: Caller, range: Range): Promise<Page<string>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select to_json(k.post_id)::text as item, ${keyOf(chosenAt, chosenId)} as key
      from public.likes k
      where k.user_id = ${caller.userId}::text::uuid ${older(range, chosenAt, chosenId)}
      order by k.created_at desc, k.post_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}
