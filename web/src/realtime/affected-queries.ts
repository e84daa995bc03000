/**
 * The cached queries that each realtime event affects. A test compares this data with docs/reference/page-updates.md.
 * Some events contain the new state, and their handlers update the cache instead of refetching. After most events on a
 * post's topic, the post is refetched and updated in the lists, instead of refetching the lists.
 */
import type { postEvents, profileEvents, userEvents } from '@contract/events.ts'
import type { NotificationKind } from '@contract/notification.ts'
import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import { invalidateQueries } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'

type QueryName = keyof typeof queryKeys
type AffectedQueries<Event extends string> = Readonly<Record<Event, readonly QueryName[]>>

/**
 * The queries that each event on the signed-in user's topic affects. `notification.created` also affects the queries in
 * `affectedByNotification`.
 */
export const affectedByUserEvent = {
  'message.created': ['messages'],
  'message.changed': ['messages'],
  'reaction.changed': ['messages'],
  'conversation.read': ['messages'],
  'mass_message.finished': ['messages'],
  'scheduled_posts.changed': ['scheduledPosts'],
  'notification.created': ['notifications'],
  'notification.read': ['notifications', 'followRequests'],
  'follow.changed': ['userDetails', 'userStats', 'feeds', 'newPosts'],
  'profile.changed': ['currentUser', 'creatorPro', 'userDetails', 'userStats'],
} as const satisfies AffectedQueries<keyof typeof userEvents>

/** The queries that each kind of new notification affects. */
export const affectedByNotification = {
  follow: ['userStats', 'userLists', 'conversationDetails'],
  follow_request: ['followRequests'],
  follow_accepted: ['postLists', 'postDetails'],
  like: ['postDetails', 'comments'],
  comment: ['postDetails', 'comments'],
  reply: ['postDetails', 'comments'],
  mention: ['postDetails', 'comments'],
  quote: [],
  repost: ['postDetails'],
  reaction: [],
  unlock: ['earnings', 'conversationDetails', 'linkedPostAccess'],
  subscription: ['earnings', 'userStats', 'conversationDetails', 'linkedPostAccess'],
  tip: ['earnings', 'conversationDetails'],
  message: [],
  sign_in: ['sessions'],
  access_token: ['accessTokens'],
  admin: ['accountLog'],
  payout: ['earnings'],
  creator_pro: ['creatorPro'],
  moderation: ['decisions', 'postLists', 'postDetails', 'comments'],
  report: ['reports'],
  auto_post: ['autoPosts'],
  scheduled_post: ['scheduledPosts'],
  new_post: ['newPosts'],
} as const satisfies AffectedQueries<NotificationKind>

/** The queries that each event on an open post's topic affects. */
export const affectedByPostEvent = {
  'likes.changed': ['postDetails', 'postLists'],
  'reposts.changed': ['postDetails', 'postLists'],
  'comments.changed': ['postDetails', 'postLists', 'comments'],
  'post.changed': ['postDetails', 'postLists'],
  'post.deleted': ['postDetails', 'postLists'],
  'access.changed': ['postDetails', 'postLists', 'comments'],
} as const satisfies AffectedQueries<keyof typeof postEvents | 'access.changed'>

/** The queries that each event on an open profile's topic affects. */
export const affectedByProfileEvent = {
  'profile.changed': ['userDetails', 'userStats'],
  'post.created': ['newPosts'],
  'posts.changed': ['profilePosts'],
  'counts.changed': ['userStats', 'userLists'],
  'access.changed': ['userDetails', 'userStats', 'profilePosts'],
} as const satisfies AffectedQueries<keyof typeof profileEvents | 'access.changed'>

/** Returns the queries that an event affects, or none for an unknown event. */
export function queriesAffectedBy(table: AffectedQueries<string>, event: string): readonly QueryName[] {
  return Object.hasOwn(table, event) ? (table[event] ?? []) : []
}

/** Refetches the given queries that are on the screen, and invalidates the others. */
export function refreshQueries(
  client: QueryClient,
  names: readonly QueryName[],
  predicate?: QueryFilters['predicate'],
): void {
  for (const name of names)
    invalidateQueries(client, { queryKey: queryKeys[name], ...(predicate && { predicate }) })
}
