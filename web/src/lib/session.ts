import { LoginAnswer, type LoginRequest } from '@contract/auth.ts'
import { limits } from '@contract/limits.ts'
import { OwnUser } from '@contract/user.ts'
import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, api } from './api'
import { queryClient } from './queryClient'
import { queryKeys } from './queryKeys'
import { reachability } from './reachability'
import { leaveAllChannels } from './realtime/channels'
import { hasSessionCookie, storedSession } from './sessionCookie'
import { announceSession, watchSession } from './sessionWatch'
import { getSupabase } from './supabase'
import { startLeaving } from './unauthorized'
import { forgetUser, unsentPrefix, userStorage } from './userStorage'

/**
 * The person signed in, or null. Refresh it by invalidating after the person's record changed. An answer that did
 * not come is asked for again by itself.
 */
export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  queryFn: async ({ signal }): Promise<OwnUser | null> => {
    if (!hasSessionCookie()) return nobody()
    try {
      const user = await api.get('/api/auth/user', OwnUser, { signal })
      watchSession(user.id)
      return user
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return nobody()
      throw error
    }
  },
  refetchInterval: (query) => (query.state.status === 'error' ? limits.pollInterval : false),
})

/** A session that ended by itself: what the person before was shown is not for whoever sits here now. */
function nobody(): null {
  if (queryClient.getQueryData(currentUserQuery.queryKey)) {
    queryClient.removeQueries({ predicate: isPersonal, type: 'inactive' })
    void queryClient.resetQueries({ predicate: isPersonal })
  }
  return null
}

/** An answer that depends on who asks. The person's own entry is kept apart: screens that stay are watching it. */
function isPersonal({ queryKey }: Query): boolean {
  return queryKey[0] !== queryKeys.config[0] && queryKey[0] !== queryKeys.currentUser[0]
}

/** Asks again who is signed in. */
function askAgain(): void {
  void queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey })
}

reachability.subscribe((now, before) => {
  const failed = queryClient.getQueryState(currentUserQuery.queryKey)?.status === 'error'
  if (failed && now.reachable && !before.reachable) askAgain()
})

/** Who is signed in, as far as the page knows. */
export interface CurrentUser {
  user: OwnUser | null
  /** True until the first answer. */
  isLoading: boolean
  isAuthenticated: boolean
  /** This browser holds a session, but the server did not say whose: show neither a visitor's page nor a sign-in. */
  failed: boolean
  /** Asks again, after `failed`. */
  retry: () => void
}

export function useCurrentUser(): CurrentUser {
  const { data, isPending, isError } = useQuery(currentUserQuery)
  return {
    user: data ?? null,
    isLoading: isPending,
    isAuthenticated: Boolean(data),
    failed: isError && !data && hasStoredSession(),
    retry: askAgain,
  }
}

/** This browser holds a session, which the server has yet to confirm: do not show a visitor's page meanwhile. */
export function hasStoredSession(): boolean {
  return storedSession() !== null
}

/**
 * Signs in and keeps the session in the browser's cookies. Everything cached before, as visitor or as somebody
 * else, is dropped. Throws an `ApiError` with the server's sentence when refused.
 */
export async function signIn(form: LoginRequest): Promise<OwnUser> {
  const { user, session } = await api.post('/api/auth/login', form, LoginAnswer)
  const supabase = await getSupabase()
  await leaveAllChannels()
  const { error } = await supabase.auth.setSession(session)
  if (error) throw error
  await queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: isPersonal })
  queryClient.setQueryData(currentUserQuery.queryKey, user)
  watchSession(user.id)
  announceSession(user.id)
  return user
}

const leavers = new Set<() => void>()

/** Has `stop` called before somebody signs out, for what would go on calling. Returns how to take that back. */
export function onSignOut(stop: () => void): () => void {
  leavers.add(stop)
  return () => void leavers.delete(stop)
}

/** True if nothing would be lost by signing out, or its writer does not mind. */
function mayForget(userId: string): boolean {
  const unsent = userStorage(userId).names(unsentPrefix).length
  if (unsent === 0) return true
  const what = unsent === 1 ? 'A message has' : `${unsent} messages have`
  return window.confirm(`${what} not been sent yet and will be lost. Log out?`)
}

/**
 * Signs out here and in every other tab, forgets what the person left in this browser, and goes to `/api/logout`,
 * which ends what is left on the server. The page is left, and with it every cache and channel.
 * Asks first where messages would be lost that are not sent yet.
 */
export async function signOut(): Promise<void> {
  const session = storedSession()
  if (session && !mayForget(session.userId)) return
  startLeaving()
  for (const stop of leavers) stop()
  try {
    await queryClient.cancelQueries()
    await leaveAllChannels()
    await (await getSupabase()).auth.signOut({ scope: 'local' })
  } catch {
    // Without a server the cookies are gone all the same, and `/api/logout` ends the rest.
  }
  if (session) forgetUser(session.userId)
  announceSession(null)
  window.location.assign('/api/logout')
}
