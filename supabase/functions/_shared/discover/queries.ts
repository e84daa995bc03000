import type { FeaturedCreator, TopicMatch, TrendingTag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import type { User } from '../contract/user.ts'
import { type JsonText, sql, toJsonArray } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { asUser } from '../http/run-as.ts'
import { followedBy, userFields, userJoins, userJson } from '../users/presenter.ts'

type ItemRow<T> = { item: JsonText<T> }

/**
 * Lists the trending hashtags of the last 7 days, as of the last run of the `trending` job. Hashtags with the most
 * authors come first.
 */
export async function listTrendingTags(caller: Caller): Promise<JsonText<TrendingTag[]>> {
  return toJsonArray(
    await asUser(
      caller,
      (tx) => tx<ItemRow<TrendingTag>[]>`
        select json_build_object('tag', t.tag, 'posts', t.posts, 'people', t.people)::text as item
        from private.list_trending_tags(${limits.trendingTags}::int) with ordinality t(tag, posts, people, place)
        order by t.place`,
    ),
  )
}

/**
 * Lists other users who posted about a topic recently and chose to be discoverable: creators first, and those with the
 * most posts about it first within each group.
 *
 * @param tag in any letter case, without `#`
 */
export async function listTopicAuthors(caller: Caller, tag: string): Promise<JsonText<User[]>> {
  return toJsonArray(
    await asUser(
      caller,
      (tx) => tx<ItemRow<User>[]>`
        select ${userJson(caller)} as item
        from private.list_topic_authors(${tag}::text, ${limits.topicAuthors}::int) found
        join public.profiles u on u.id = found.user_id ${userJoins(caller)}
        order by found.place`,
    ),
  )
}

/** SQL for the `photos` of the creator `u`. */
const newestPhotos = sql`(
  select coalesce(json_agg(json_build_object(
    'imageUrl', '/api/media/' || photo.media_id, 'placeholder', photo.placeholder) order by photo.place), '[]')
  from private.list_newest_photos(u.id, ${limits.creatorPhotos}::int)
    with ordinality photo(media_id, placeholder, place))`

/**
 * Lists other creators who chose to be discoverable. Those whom the caller follows come last. Both groups are sorted by
 * how much engagement the creators' posts had in the last 7 days, as of the last run of the `trending` job, then by
 * registration date, oldest first. Each kind of engagement (like, save, comment, unlock) counts once per user and post.
 *
 * @param maxRows the maximum number of creators
 */
export async function listFeaturedCreators(
  caller: Caller,
  maxRows: number,
): Promise<JsonText<FeaturedCreator[]>> {
  return toJsonArray(
    await asUser(
      caller,
      (tx) => tx<ItemRow<FeaturedCreator>[]>`
        select json_build_object(${userFields(caller)}, 'postsCount', counts.posts, 'followersCount', counts.followers,
                                 'followedBy', ${followedBy(sql`found.place`)}, 'photos', ${newestPhotos})::text as item
        from private.list_featured_creators(${maxRows}::int) found
        join public.profiles u on u.id = found.user_id ${userJoins(caller)}
        left join public.profile_counts counts on counts.user_id = u.id
        order by found.place`,
    ),
  )
}

/**
 * Searches topics, best match first; see `private.search_topics`. Counts only the posts that the caller can find, and
 * omits topics without such posts.
 *
 * @param maxRows the maximum number of topics
 */
export async function searchTopics(
  caller: Caller,
  query: string,
  maxRows: number,
): Promise<JsonText<TopicMatch[]>> {
  return toJsonArray(
    await asUser(
      caller,
      (tx) => tx<ItemRow<TopicMatch>[]>`
        select json_build_object('tag', t.tag, 'posts', t.posts)::text as item
        from private.search_topics(${query}::text, ${maxRows}::int, ${limits.topicPostsCountCap}::int)
          with ordinality t(tag, posts, place)
        order by t.place`,
    ),
  )
}
