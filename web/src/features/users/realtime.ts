import { profileTopic, userEvents } from '@contract/events.ts'
import type { User } from '@contract/user.ts'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { queryKeys } from '@/lib/query-client'
import { pendingProfileChanges, useSyncOwnUserCard } from '@/profile/own-profile'
import {
  affectedByProfileEvent,
  affectedByUserEvent,
  queriesAffectedBy,
  refreshQueries,
} from '@/realtime/affected-queries'
import { useContentChannel, useUserChannel } from '@/realtime/channel-hooks'
import { batch } from '@/realtime/throttle'
import { useCurrentUser } from '@/session/session'
import { applyFollowStatus, pendingFollowCount } from './api'

/** Keeps the cached users up to date while a user is signed in. Renders nothing; the shell mounts it once. */
export function UsersRealtime() {
  const { user } = useCurrentUser()
  useUsersRealtime(user?.id)
  useSyncOwnUserCard(user)
  return null
}

/** The maximum time between a page's first requests and its first join of the user's channel. */
const maxJoinDelayMs = 10_000

/** Updates the cache when events report changes to follow relations or to the user's own profile. */
function useUsersRealtime(userId: string | undefined): void {
  const client = useQueryClient()
  const refresh = (event: 'profile.changed' | 'follow.changed', fetchedBefore = Number.POSITIVE_INFINITY) => {
    refreshQueries(client, affectedByUserEvent[event], ({ queryKey, state }) => {
      // The response to a pending change will be newer than the event.
      if (queryKey[0] === queryKeys.currentUser[0] && pendingProfileChanges(client) > 0) return false
      return state.dataUpdatedAt < fetchedBefore
    })
  }
  useUserChannel(userId, {
    // The first join does not refetch the data that the page has just fetched.
    onJoined: (isFirst) => refresh('profile.changed', isFirst ? Date.now() - maxJoinDelayMs : undefined),
    onEvent: (event, payload) => {
      // `profile.changed` also reports that a Creator Pro plan was paid for or cancelled, or has ended.
      if (event === 'profile.changed') refresh(event)
      if (event !== 'follow.changed') return
      const parsed = userEvents['follow.changed'].safeParse(payload)
      if (parsed.success) {
        const { userId: otherId, status } = parsed.data
        if (pendingFollowCount(client, otherId) > 0) return
        applyFollowStatus(client, otherId, status)
      }
      refresh(event)
    },
  })
}

/** The minimum time between two refetches of an open profile, however popular the user is. */
const profileRefetchIntervalMs = 2000

/**
 * Keeps an open profile, its counts and the number of its new posts up to date while mounted.
 *
 * @param user undefined while there is no profile that the viewer can see
 */
export function useProfileRealtime(user: User | undefined): void {
  const client = useQueryClient()
  const { user: viewer } = useCurrentUser()
  const profileId = user?.id
  const refetch = useMemo(() => {
    const isFollowing = () => profileId !== undefined && pendingFollowCount(client, profileId) > 0
    return batch<string>(profileRefetchIntervalMs, isFollowing, (events) => {
      if (profileId === undefined) return
      const names = new Set([...events].flatMap((event) => queriesAffectedBy(affectedByProfileEvent, event)))
      refreshQueries(client, [...names], isQueryOfProfile(client, profileId))
    })
  }, [client, profileId])
  useEffect(() => refetch.stop, [refetch])
  useContentChannel(viewer && profileId ? profileTopic(profileId) : undefined, {
    // The viewer's own new posts appear in the list instead of being announced.
    onEvent: (event) =>
      refetch.add(event === 'post.created' && viewer?.id === profileId ? 'posts.changed' : event),
    onJoined: (isFirst) => {
      if (!isFirst) for (const event of ['access.changed', 'post.created']) refetch.add(event)
    },
    onLeft: () => refetch.add('access.changed'),
  })
}

/**
 * Returns a predicate for the queries of a profile. Their keys contain the profile's id, except that the key of the
 * user's details contains the identifier from the URL.
 */
function isQueryOfProfile(client: QueryClient, profileId: string) {
  return ({ queryKey }: { queryKey: QueryKey }) => {
    // The second element is the serialized key of the list (`hashKey`), which contains the profile's id.
    if (queryKey[0] === queryKeys.newPosts[0]) return String(queryKey[1]).includes(profileId)
    if (queryKey[1] !== queryKeys.userDetails[1]) return queryKey.includes(profileId)
    return client.getQueryData<User>(queryKey)?.id === profileId
  }
}
