import { type LoginRequest, LoginResponse } from '@contract/auth.ts'
import { intervals } from '@contract/intervals.ts'
import { OwnUser } from '@contract/user.ts'
import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { ApiError, api } from '@/lib/api'
import { clearOutbox, countOutbox } from '@/lib/outbox-store'
import { paths, serverPaths } from '@/lib/paths'
import { invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { queryKeys } from '@/lib/query-keys'
import { reachability } from '@/lib/reachability'
import { clearUserStorage } from '@/lib/storage'
import { hasUnsavedChanges } from '@/lib/unsaved-changes'
import { setFlashToast } from '@/ui/flash-toast'
import './renewal'
import { cancelPageExit, startPageExit } from '@/lib/page-exit'
import { recordActivity } from './activity'
import { clearSessionCookie, hasSessionCookie, storedSession } from './cookie'
import { redirectAfterIdle, redirectIfUnauthorized } from './login-redirect'
import { getSupabase } from './supabase-client'
import { broadcastIdleSignOut, broadcastSession, onSignInElsewhere, watchSession } from './tabs'

/**
 * The person signed in, or null. Refresh it by invalidating after the person's record changed. An answer that did
 * not come is asked for again by itself. A session that ends while its page is open is an error: the cache then
 * says so and leads to the sign-in page, and the page keeps its shape until it is left.
 */
export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  queryFn: async ({ signal }): Promise<OwnUser | null> => {
    try {
      if (!hasSessionCookie()) throw new ApiError(401, 'Unauthorized')
      const user = await api.get('/api/auth/user', OwnUser, { signal })
      watchSession(user.id)
      return user
    } catch (error) {
      const isNobody = error instanceof ApiError && error.status === 401
      if (isNobody && !queryClient.getQueryData(queryKeys.currentUser)) return null
      throw error
    }
  },
  refetchInterval: (query) => (query.state.status === 'error' ? intervals.pollMs : false),
})

/** An answer that depends on who asks. The person's own entry is kept apart: screens that stay are watching it. */
function isPersonal({ queryKey }: Query): boolean {
  return queryKey[0] !== queryKeys.config[0] && queryKey[0] !== queryKeys.currentUser[0]
}

/** Refetches the signed-in user. */
export async function refetchCurrentUser(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey })
}

/**
 * Lets a visitor's page learn that somebody signed in in another tab: what it shows is read again for them, and
 * stays where it is meanwhile. Returns how to stop.
 */
export function watchSignIns(): () => void {
  return onSignInElsewhere(async () => {
    await refetchCurrentUser()
    if (queryClient.getQueryData(currentUserQuery.queryKey))
      invalidateQueries(queryClient, { predicate: isPersonal })
  })
}

reachability.subscribe((now, before) => {
  const failed = queryClient.getQueryState(currentUserQuery.queryKey)?.status === 'error'
  if (failed && now.reachable && !before.reachable) void refetchCurrentUser()
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
    retry: () => void refetchCurrentUser(),
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
  const { user, session } = await api.post('/api/auth/login', form, LoginResponse)
  const supabase = await getSupabase()
  await runSessionChangeHandlers()
  const { error } = await supabase.auth.setSession(session)
  if (error) throw error
  await queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: isPersonal })
  queryClient.setQueryData(currentUserQuery.queryKey, user)
  recordActivity(user.id)
  watchSession(user.id)
  broadcastSession(user.id)
  return user
}

const sessionChangeHandlers = new Set<() => Promise<void>>()

/** Registers what has to end before the session changes: at sign-in, sign-out and account deletion. */
export function onSessionChange(handler: () => Promise<void>): void {
  sessionChangeHandlers.add(handler)
}

async function runSessionChangeHandlers(): Promise<void> {
  await Promise.all([...sessionChangeHandlers].map((handler) => handler()))
}

const leavers = new Set<() => void>()

/** Has `stop` called before somebody signs out, for what would go on calling. Returns how to take that back. */
export function onSignOut(stop: () => void): () => void {
  leavers.add(stop)
  return () => void leavers.delete(stop)
}

/**
 * Asks somebody who wants to sign out whether they mind what would be `lost`: how many messages wait, and whether
 * something of the profile is not saved; null while nobody is asked. A dialog shows it and calls `answer`.
 */
export const useSignOutConfirmation = create<{
  lost: { unsent: number; unsaved: boolean } | null
  answer: (leave: boolean) => void
}>(() => ({ lost: null, answer: () => undefined }))

/** True if nothing would be lost by signing out, or its writer does not mind. */
async function mayForget(userId: string): Promise<boolean> {
  const unsent = await countOutbox(userId)
  const unsaved = hasUnsavedChanges(userId)
  if (unsent === 0 && !unsaved) return true
  // Who asks again while the question stands has not answered it.
  useSignOutConfirmation.getState().answer(false)
  return new Promise((resolve) => {
    const answer = (leave: boolean) => {
      useSignOutConfirmation.setState({ lost: null, answer: () => undefined })
      resolve(leave)
    }
    useSignOutConfirmation.setState({ lost: { unsent, unsaved }, answer })
  })
}

/** Milliseconds that somebody who leaves waits for a server that does not answer. */
const leavingPatience = 5000

/**
 * Signs out here and in every other tab, forgets what the person left in this browser, and goes to `/api/logout`,
 * which ends what is left on the server. The page is left, and with it every cache and channel.
 * Asks first where messages would be lost that are not sent yet, or changes that are not saved.
 */
export async function signOut(): Promise<void> {
  const session = storedSession()
  if (session && !(await mayForget(session.userId))) return
  startPageExit()
  for (const stop of leavers) stop()
  const late = new Promise<void>((resolve) => setTimeout(resolve, leavingPatience))
  await Promise.race([endSession().catch(() => undefined), late])
  // Whoever leaves is gone from this browser, whatever the server said.
  clearSessionCookie()
  if (session) {
    clearUserStorage(session.userId)
    await Promise.race([clearOutbox(session.userId), late])
  }
  broadcastSession(null)
  window.location.assign(serverPaths.logout)
}

/**
 * Signs out here and in every other tab because nobody was there for so many minutes. Nobody chose that, so what was
 * written and not sent or saved stays in this browser, under the person's own key, and signing in leads back here. Files
 * that were chosen do not stay.
 */
export async function signOutAfterIdle(minutes: number): Promise<void> {
  startPageExit()
  for (const stop of leavers) stop()
  const late = new Promise<void>((resolve) => setTimeout(resolve, leavingPatience))
  await Promise.race([endSession().catch(() => undefined), late])
  clearSessionCookie()
  broadcastIdleSignOut(minutes)
  redirectAfterIdle(minutes)
}

/**
 * Leaves for good: has the account deleted, and every session with it, then holds nothing of the person any more, here or
 * in another tab. Throws what `remove` throws; the page stays then.
 */
export async function deleteAccountAndSignOut(userId: string, remove: () => Promise<void>): Promise<void> {
  // The sockets of an account that is gone close before its answer is here, and would have the page say so.
  startPageExit()
  try {
    await remove()
  } catch (error) {
    cancelPageExit()
    redirectIfUnauthorized(error)
    throw error
  }
  for (const stop of leavers) stop()
  await queryClient.cancelQueries()
  clearSessionCookie()
  clearUserStorage(userId)
  const late = new Promise<void>((resolve) => setTimeout(resolve, leavingPatience))
  await Promise.race([
    Promise.all([runSessionChangeHandlers(), clearOutbox(userId)]).catch(() => undefined),
    late,
  ])
  broadcastSession(null)
  setFlashToast({ title: 'Your account is deleted', description: 'You are signed out everywhere. Farewell.' })
  window.location.assign(paths.home.getHref())
}

async function endSession(): Promise<void> {
  await queryClient.cancelQueries()
  await runSessionChangeHandlers()
  const { error } = await (await getSupabase()).auth.signOut({ scope: 'local' })
  // With the cookies still there, the API can end it.
  if (error) await fetch(serverPaths.logout, { redirect: 'manual' })
}

/**
 * After something that may have ended this browser's session on the server: finds out, and if so holds nothing of it
 * any more. Says nothing and leads nowhere, as the page that asks is one for visitors.
 */
export async function clearSessionIfEnded(): Promise<void> {
  if (!hasSessionCookie()) return
  try {
    await api.get('/api/auth/user', OwnUser)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return
    await queryClient.cancelQueries()
    queryClient.removeQueries({ predicate: isPersonal })
    queryClient.setQueryData(currentUserQuery.queryKey, null)
  }
}
