import { z } from '@hono/zod-openapi'
import { limits } from '../contract/limits.ts'
import type { Post } from '../contract/post.ts'
import { SearchQuery } from '../contract/search.ts'
import { type Page, parseCursor } from '../db/page.ts'
import { toJsonArray } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { invalidField } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { postJoins, postJson } from './presenter.ts'

export const PostSearchQuery = SearchQuery.extend({ cursor: z.string().max(200).optional() })
type PostSearchQuery = z.infer<typeof PostSearchQuery>

/**
 * A position in the results: the post before the window (see `searchPosts`), and the last returned post's place in the
 * window.
 */
type PostSearchCursor = { at: string | null; id: string | null; place: number }

/** Parses a cursor. @throws ApiError 400 if it is malformed */
function parseSearchCursor(cursor: string | undefined): PostSearchCursor {
  if (cursor === undefined || cursor === '') return { at: null, id: null, place: 0 }
  const [, start, place] = /^(.+)_(\d{1,3})$/.exec(cursor) ?? []
  const key = parseCursor(start ?? '')
  if (!key) throw invalidField('cursor', 'This cursor is not valid.')
  return { at: key.at, id: key.id, place: Number(place) }
}

type Row = { item: string; place: number; window: string; next: string | null }

/**
 * Searches the public text and product names of the posts that the caller can find. The matches are divided into
 * windows of 100, newest first, and in each window, the best match comes first: see `private.search_posts`. The last
 * page of a window may contain fewer posts than requested.
 */
export async function searchPosts(caller: Caller, query: PostSearchQuery): Promise<Page<Post>> {
  const { at, id, place } = parseSearchCursor(query.cursor)
  const { limit = limits.page.posts } = query
  const rows = await asUser(
    caller,
    (tx) => tx<Row[]>`
      select ${postJson(caller)} as item, found.place, found.this_window as window, found.next_window as next
      from private.search_posts(
        ${query.q}::text, ${at}::text::timestamptz, ${id}::text::uuid, ${place}::int, ${limit + 1}::int
      ) found
      join public.posts p on p.id = found.post_id ${postJoins(caller)}
      order by found.place`,
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextWindow = last?.next ? `${last.next}_0` : null
  return {
    items: toJsonArray(page),
    next: last && rows.length > limit ? `${last.window}_${last.place}` : nextWindow,
  }
}
