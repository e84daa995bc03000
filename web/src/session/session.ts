import './renewal'
import type { LoginRequest, LoginResponse } from '@contract/auth.ts'
import { intervals } from '@contract/intervals.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { api } from '@/lib/api'
import { ApiError } from '@/lib/errors'
import { cancelPageExit, hasUnsavedChanges, startPageExit } from '@/lib/leave-guard'
import { paths, serverPaths } from '@/lib/paths'
import { invalidateQueries } from '@/lib/query-cache'
import { queryClient, queryKeys } from '@/lib/query-client'
import { clearUserStorage } from '@/lib/storage'
import { setFlashToast } from '@/ui/toaster'
import { clearSessionCookie, hasSessionCookie, storedSession } from './cookie'
import { recordActivity } from './idle'
import { redirectAfterIdle, redirectIfUnauthorized } from './login-redirect'
import { clearOutbox, countOutbox } from './outbox-store'
import { getSupabase } from './supabase-client'
import { broadcastIdleSignOut, broadcastSession, onSignInElsewhere, watchSession } from './tabs'

// Not imported above: every page loads this file, and zod is large.
const loadOwnUser = async () => (await import('@contract/user.ts')).OwnUser
const loadLoginResponse = async () => (await import('@contract/auth.ts')).LoginResponse

/**
 * The signed-in user, or null. Invalidate this query after the user's record has changed. A failed request is retried
 * automatically. If the session ends while the page is open, the query fails with 401, which redirects to the login
 * page; until then the page keeps showing the user's data.
 */
export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  queryFn: async ({ signal }): Promise<OwnUser | null> => {
    try {
      if (!hasSessionCookie()) throw new ApiError(401, 'Unauthorized')
      const user = await api.get('/api/auth/user', loadOwnUser, { signal })
      watchSession(user.id)
      return user
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.status === 401
      if (isSignedOut && !queryClient.getQueryData(queryKeys.currentUser)) return null
      throw error
    }
  },
  refetchInterval: (query) => (query.state.status === 'error' ? intervals.pollMs : false),
})

/** The signed-in user, as far as the page knows. */
interface CurrentUser {
  user: OwnUser | null
  /** True until the first response. */
  isLoading: boolean
  isAuthenticated: boolean
  /** There is a session, but the request for its user failed. Show neither the visitor's page nor a login form. */
  failed: boolean
  /** Repeats the failed request. */
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

/** Returns whether the browser has a session, which the server may not have confirmed yet. */
export function hasStoredSession(): boolean {
  return storedSession() !== null
}

/** Refetches the signed-in user. */
export async function refetchCurrentUser(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey })
}

/**
 * Returns whether a query's data depends on the user. Excludes the query for the current user, because mounted screens
 * observe it.
 */
function dependsOnUser({ queryKey }: Query): boolean {
  return queryKey[0] !== queryKeys.config[0] && queryKey[0] !== queryKeys.currentUser[0]
}

/**
 * Refetches a visitor's page when a user signs in from another tab. In the meantime, the page keeps showing its data.
 * Returns a function that stops watching.
 */
export function watchSignIns(): () => void {
  return onSignInElsewhere(async () => {
    await refetchCurrentUser()
    if (queryClient.getQueryData(currentUserQuery.queryKey))
      invalidateQueries(queryClient, { predicate: dependsOnUser })
  })
}

/**
 * Signs in.
 *
 * @throws ApiError if the server rejects the credentials
 */
export async function signIn(form: LoginRequest): Promise<OwnUser> {
  return startSession(await api.post('/api/auth/login', form, loadLoginResponse))
}

/** Stores a new session from the server in cookies, and clears the data of the visitor or previous user. */
export async function startSession({ user, session }: LoginResponse): Promise<OwnUser> {
  const supabase = await getSupabase()
  await runSessionChangeHandlers()
  const { error } = await supabase.auth.setSession(session)
  if (error) throw error
  await queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: dependsOnUser })
  queryClient.setQueryData(currentUserQuery.queryKey, user)
  recordActivity(user.id)
  watchSession(user.id)
  broadcastSession(user.id)
  return user
}

const sessionChangeHandlers = new Set<() => Promise<void>>()

/** Registers a handler that runs before the session changes: at sign-in, at sign-out and after account deletion. */
export function onSessionChange(handler: () => Promise<void>): void {
  sessionChangeHandlers.add(handler)
}

async function runSessionChangeHandlers(): Promise<void> {
  await Promise.all([...sessionChangeHandlers].map((handler) => handler()))
}

const signOutHandlers = new Set<() => void>()

/**
 * Runs `handler` before the user is signed out, or right after their account has been deleted. Used to stop anything
 * that would continue to send requests. Returns a function that removes the handler.
 */
export function onSignOut(handler: () => void): () => void {
  signOutHandlers.add(handler)
  return () => void signOutHandlers.delete(handler)
}

function runSignOutHandlers(): void {
  for (const handler of signOutHandlers) handler()
}

/** What signing out would delete. */
export interface SignOutLoss {
  unsentMessages: number
  unsavedChanges: boolean
}

/**
 * The state of `SignOutDialog`, which asks for confirmation if signing out would delete something. `loss` is null while
 * the dialog is closed.
 */
export const useSignOutConfirmation = create<{
  loss: SignOutLoss | null
  answer: (confirmed: boolean) => void
}>(() => ({ loss: null, answer: () => undefined }))

/** Returns true if signing out deletes nothing or if the user confirms it. */
async function confirmSignOut(userId: string): Promise<boolean> {
  const unsentMessages = await countOutbox(userId)
  const unsavedChanges = hasUnsavedChanges(userId)
  if (unsentMessages === 0 && !unsavedChanges) return true
  // Cancels an earlier confirmation that is still open.
  useSignOutConfirmation.getState().answer(false)
  return new Promise((resolve) => {
    const answer = (confirmed: boolean) => {
      useSignOutConfirmation.setState({ loss: null, answer: () => undefined })
      resolve(confirmed)
    }
    useSignOutConfirmation.setState({ loss: { unsentMessages, unsavedChanges }, answer })
  })
}

/** Milliseconds that signing out waits for a server that does not respond. */
const signOutTimeoutMs = 5000

const signOutTimeout = () => new Promise<void>((resolve) => setTimeout(resolve, signOutTimeoutMs))

/**
 * Signs out in all tabs, deletes the user's data in this browser, and opens `/api/logout`, which clears the remaining
 * cookies. Loading another page also discards all caches and channels. Asks for confirmation first if unsent messages
 * or unsaved changes would be lost.
 */
export async function signOut(): Promise<void> {
  const session = storedSession()
  if (session && !(await confirmSignOut(session.userId))) return
  startPageExit()
  runSignOutHandlers()
  const timeout = signOutTimeout()
  await Promise.race([endSession().catch(() => undefined), timeout])
  // Sign out in this browser even if the server did not respond.
  clearSessionCookie()
  if (session) {
    clearUserStorage(session.userId)
    await Promise.race([clearOutbox(session.userId), timeout])
  }
  broadcastSession(null)
  window.location.assign(serverPaths.logout)
}

/**
 * Signs out in all tabs after the user has been idle for `minutes`. Because the user did not choose to sign out, drafts
 * and unsent messages stay in this browser under the user's id, and signing in leads back to this page. Chosen files
 * are lost.
 */
export async function signOutAfterIdle(minutes: number): Promise<void> {
  startPageExit()
  runSignOutHandlers()
  await Promise.race([endSession().catch(() => undefined), signOutTimeout()])
  clearSessionCookie()
  broadcastIdleSignOut(minutes)
  redirectAfterIdle(minutes)
}

/**
 * Deletes the account with `deleteAccount`, then the user's data in this browser, and signs out in all tabs. If
 * `deleteAccount` fails, the user stays on the page.
 *
 * @throws the error that `deleteAccount` throws
 */
export async function deleteAccountAndSignOut(
  userId: string,
  deleteAccount: () => Promise<void>,
): Promise<void> {
  // The server closes the realtime channels before it responds, which must not look like a lost connection.
  startPageExit()
  try {
    await deleteAccount()
  } catch (error) {
    cancelPageExit()
    redirectIfUnauthorized(error)
    throw error
  }
  runSignOutHandlers()
  await queryClient.cancelQueries()
  clearSessionCookie()
  clearUserStorage(userId)
  await Promise.race([
    Promise.all([runSessionChangeHandlers(), clearOutbox(userId)]).catch(() => undefined),
    signOutTimeout(),
  ])
  broadcastSession(null)
  setFlashToast({
    title: t`Your account was deleted`,
    description: t`You’ve been signed out on all devices. Thanks for being here.`,
  })
  window.location.assign(paths.home.getHref())
}

async function endSession(): Promise<void> {
  await queryClient.cancelQueries()
  await runSessionChangeHandlers()
  const { error } = await (await getSupabase()).auth.signOut({ scope: 'local' })
  // If the client could not end the session, the API can, because the cookies still exist.
  if (error) await fetch(serverPaths.logout, { redirect: 'manual' })
}

/**
 * Clears the session's cached data if the server has ended the session, for example because of a password reset. Does
 * not redirect or show a toast, because it is called on a page for visitors.
 */
export async function clearSessionIfEnded(): Promise<void> {
  if (!hasSessionCookie()) return
  try {
    await api.get('/api/auth/user', loadOwnUser)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return
    await queryClient.cancelQueries()
    queryClient.removeQueries({ predicate: dependsOnUser })
    queryClient.setQueryData(currentUserQuery.queryKey, null)
  }
}
