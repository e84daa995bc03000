import { postEvents, postTopic, profileTopic } from '@contract/events.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isNotFound } from '@/lib/errors'
import { invalidateQueries } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import {
  affectedByPostEvent,
  affectedByUserEvent,
  queriesAffectedBy,
  refreshQueries,
} from '@/realtime/affected-queries'
import { useContentChannel, useUserChannel } from '@/realtime/channel-hooks'
import { batch } from '@/realtime/throttle'
import { useCurrentUser } from '@/session/session'
import {
  addPost,
  fetchNewestPosts,
  findPost,
  followingList,
  forYouList,
  latestPostTime,
  type PostPages,
  postKeys,
  postQuery,
  removeGonePost,
  updateListedPost,
  updatePost,
  userPostsList,
} from './api/posts'

/** The minimum time between two refetches of an open post, however popular it is. */
const refetchIntervalMs = 2000

/**
 * Keeps an open post, its counts and its comments up to date while mounted. Events contain only counts. Everything
 * else is refetched through the API. Nothing is refetched while a change that the user made to the post is in flight,
 * because the response could be older than the optimistic update.
 */
export function usePostRealtime(postId: string): void {
  const client = useQueryClient()
  const { user } = useCurrentUser()
  const refetch = useMemo(() => batchRefetches(client, postId), [client, postId])
  useEffect(() => refetch.stop, [refetch])
  useContentChannel(user ? postTopic(postId) : undefined, {
    onEvent: (event, payload) => {
      applyCounts(client, postId, event, payload)
      // An event that this version does not know could affect anything, so everything is refetched.
      refetch.add(event in affectedByPostEvent ? event : 'access.changed')
      // The response to a fetch in progress may be older than the event.
      if (client.isFetching({ queryKey: postKeys.detail(postId) }) > 0) refetch.add('post.changed')
    },
    // After the first join, a changed comment count shows whether events were missed since the post was fetched. After
    // a later join, everything is refetched.
    onJoined: (isFirst) => refetch.add(isFirst ? 'post.changed' : 'access.changed'),
    onLeft: () => refetch.add('access.changed'),
  })
}

/** Applies the counts in an event to the cached post, unless a change that the user made is still in flight. */
function applyCounts(client: QueryClient, postId: string, event: string, payload: unknown): void {
  if (event !== 'likes.changed' && event !== 'comments.changed' && event !== 'reposts.changed') return
  const { data: counts } = postEvents[event].safeParse(payload)
  if (counts && !isChanging(client, postId)) updatePost(client, postId, (post) => ({ ...post, ...counts }))
}

/** Returns a batch that collects events and refetches what they affect at most once per interval. */
function batchRefetches(client: QueryClient, postId: string) {
  const isOfPost = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] === postId
  // Refetching a list with many pages can take longer than the interval.
  const isBusy = () =>
    isChanging(client, postId) || client.isFetching({ queryKey: queryKeys.comments, predicate: isOfPost }) > 0
  return batch<string>(refetchIntervalMs, isBusy, (received) => {
    const events = [...received]
    const affectsComments = events.some((event) =>
      queriesAffectedBy(affectedByPostEvent, event).includes('comments'),
    )
    if (affectsComments) refreshQueries(client, ['comments'], isOfPost)
    // The other events contain the new counts, so the post need not be refetched.
    if (events.some((event) => !/^(likes|comments|reposts)/.test(event)))
      void refetchPost(client, postId, isOfPost)
  })
}

/**
 * Refetches a post and updates it in the lists. If the post is gone, its own page shows that; elsewhere, the post is
 * removed from the lists. Refetches the comments too if their count has changed.
 */
async function refetchPost(
  client: QueryClient,
  postId: string,
  isOfPost: (query: { queryKey: readonly unknown[] }) => boolean,
): Promise<void> {
  const before = findPost(client, postId)?.commentsCount
  const queryKey = postKeys.detail(postId)
  const isOnOwnPage = client.getQueryCache().find({ queryKey })?.isActive() === true
  try {
    if (isOnOwnPage) await client.invalidateQueries({ queryKey, exact: true })
    else await client.fetchQuery({ ...postQuery(postId), staleTime: 0 })
  } catch (error) {
    if (isNotFound(error)) removeGonePost(client, postId)
    return
  }
  const post = client.getQueryData(postQuery(postId).queryKey)
  if (!post || client.getQueryState(queryKey)?.status === 'error') return
  updateListedPost(client, postId, () => post)
  if (before !== undefined && post.commentsCount !== before)
    invalidateQueries(client, { queryKey: queryKeys.comments, predicate: isOfPost })
}

/** Returns whether a change that the user made to the post or to any comment is still in flight. */
function isChanging(client: QueryClient, postId: string): boolean {
  const scopes = [`like:${postId}`, `save:${postId}`, `repost:${postId}`, `unlock:${postId}`]
  return (
    client.isMutating({
      predicate: ({ options: { scope } }) =>
        scope !== undefined && (scopes.includes(scope.id) || /^(delete-)?comment:/.test(scope.id)),
    }) > 0
  )
}

/**
 * Adds the user's own new posts, for example from another tab or device, to the home feed while it is mounted. Unlike
 * posts by others, they appear without the user pressing a button.
 */
export function useOwnNewPosts(userId: string): void {
  const client = useQueryClient()
  const [wasCached] = useState(() => latestFeedTime(client) !== undefined)
  const showNewPosts = () => void showOwnNewPosts(client, userId).catch(() => undefined)
  useContentChannel(profileTopic(userId), {
    onEvent: (event) => {
      if (event === 'post.created') showNewPosts()
    },
    // A feed that was not cached has just been fetched and already contains the posts.
    onJoined: (isFirst) => {
      if (!isFirst || wasCached) showNewPosts()
    },
    onLeft: () => undefined,
  })
}

const homeFeeds = [forYouList, followingList]

const feedPages = (client: QueryClient) =>
  homeFeeds.flatMap(({ query }) => client.getQueryData<PostPages>(query.queryKey)?.pages ?? [])

/** Returns the time of the newest post in the cached home feeds, or undefined if there are no posts. */
const latestFeedTime = (client: QueryClient) => latestPostTime({ pages: feedPages(client), pageParams: [] })

/** Adds the user's posts that are newer than the cached home feeds. @throws if the request fails */
async function showOwnNewPosts(client: QueryClient, userId: string): Promise<void> {
  const latest = latestFeedTime(client)
  if (latest === undefined) return
  const { items } = await fetchNewestPosts(userPostsList(userId, true))
  for (const post of items.filter(({ createdAt }) => createdAt > latest).reverse()) {
    const isShown = feedPages(client).some((page) => page.items.some(({ id }) => id === post.id))
    if (!isShown) await addPost(client, post)
  }
}

/** Keeps the user's scheduled posts up to date while mounted. */
export function useScheduledPostsRealtime(userId: string): void {
  const client = useQueryClient()
  const refresh = () => refreshQueries(client, affectedByUserEvent['scheduled_posts.changed'])
  useUserChannel(userId, {
    onEvent: (event) => {
      if (event === 'scheduled_posts.changed') refresh()
    },
    onJoined: (isFirst) => {
      if (!isFirst) refresh()
    },
  })
}
