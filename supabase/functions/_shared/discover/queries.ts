import type { TrendingTag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import type { User } from '../contract/user.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { joined, user } from '../users/columns.ts'

type Item<T> = { item: JsonText<T> }

const toList = <T>(rows: readonly Item<T>[]): JsonText<T[]> => `[${rows.map((row) => row.item).join(',')}]`

/** What people posted about in the last 7 days, the most people first, as the job counted it last. */
export async function listTrendingTags(caller: Caller): Promise<JsonText<TrendingTag[]>> {
  return toList(
    await asUser(
      caller,
      (tx) => tx<Item<TrendingTag>[]>`
        select json_build_object('tag', t.tag, 'posts', t.posts, 'people', t.people)::text as item
        from private.list_trending_tags(${limits.trendingTags}::int) with ordinality t(tag, posts, people, place)
        order by t.place`,
    ),
  )
}

/** Other creators: by what people did with their posts in the last 7 days, then by sign-up. */
export async function listFeaturedCreators(caller: Caller, most: number): Promise<JsonText<User[]>> {
  return toList(
    await asUser(
      caller,
      (tx) => tx<Item<User>[]>`
        select ${user(caller)} as item
        from private.list_featured_creators(${most}::int) found
        join public.profiles u on u.id = found.person_id ${joined(caller)}
        order by found.place`,
    ),
  )
}
