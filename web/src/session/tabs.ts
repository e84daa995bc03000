import { fieldsOf } from '@/lib/json'
import { isPageExiting, startPageExit } from '@/lib/leave-guard'
import { clearSessionCookie, storedSession, waitForStoredSession } from './cookie'
import { redirectAfterIdle, redirectToLogin } from './login-redirect'

/** A message to the other tabs. `userId` is null if nobody is signed in any more. */
interface SessionMessage {
  userId: string | null
  /** The session ended without a sign-out. Each tab redirects to the login page, which leads back to the tab's page. */
  ended?: boolean
  /** The session ended because the user had been idle for this many minutes. */
  idle?: number
}

const channelName = 'ovation-session'
/** Milliseconds to wait for another tab's cookies after its message has arrived. */
const cookieDelayMs = 2000

/** The id of the user whose data this page shows, or null for visitors. */
let watchedUserId: string | null = null
let channel: BroadcastChannel | null = null
let isListening = false
const signInListeners = new Set<() => void>()

/**
 * Reloads or leaves this page when another tab signs the user out or signs another user in. Only a new document is
 * certain to contain no data of the previous user.
 */
export function watchSession(userId: string): void {
  watchedUserId = userId
  listen()
}

/** Calls `listener` on a visitor's page when a user signs in from another tab. Returns a function that removes it. */
export function onSignInElsewhere(listener: () => void): () => void {
  listen()
  signInListeners.add(listener)
  return () => void signInListeners.delete(listener)
}

/** Sends the signed-in user's id to the other tabs, or null after signing out. */
export function broadcastSession(userId: string | null): void {
  broadcast({ userId })
}

/** Ends the session in all tabs after the server has refused to renew it. */
export function endSessionInAllTabs(): void {
  clearSessionCookie()
  if (!isPageExiting()) broadcast({ userId: null, ended: true })
}

/** Notifies the other tabs that the user was signed out after being idle for `minutes`. */
export function broadcastIdleSignOut(minutes: number): void {
  broadcast({ userId: null, idle: minutes })
}

function broadcast(message: SessionMessage): void {
  watchedUserId = message.userId
  openChannel()?.postMessage(message)
}

/**
 * Listens to the other tabs. Also checks the cookie when the page becomes visible or is restored from the back/forward
 * cache.
 */
function listen(): void {
  if (isListening || typeof window === 'undefined') return
  isListening = true
  openChannel()
  const checkCookie = () => onMessage({ userId: storedSession()?.userId ?? null })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkCookie()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) checkCookie()
  })
}

function openChannel(): BroadcastChannel | null {
  if (!channel && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(channelName)
    channel.onmessage = (event: MessageEvent<unknown>) => {
      const message = parseMessage(event.data)
      if (message) onMessage(message)
    }
  }
  return channel
}

/** Returns null if `data` is not a message of this version of the app. */
function parseMessage(data: unknown): SessionMessage | null {
  const { userId, ended, idle } = fieldsOf(data)
  if (typeof userId !== 'string' && userId !== null) return null
  if (typeof ended !== 'boolean' && ended !== undefined) return null
  if (typeof idle !== 'number' && idle !== undefined) return null
  return { userId, ended, idle }
}

function onMessage({ userId, ended, idle }: SessionMessage): void {
  if (watchedUserId === null) {
    if (userId !== null) void notifySignIn(userId)
    return
  }
  if (userId === watchedUserId) return
  watchedUserId = userId
  if (userId !== null) {
    window.location.reload()
  } else if (idle !== undefined) {
    redirectAfterIdle(idle)
  } else if (ended) {
    redirectToLogin()
  } else {
    startPageExit()
    window.location.assign('/')
  }
}

/** Calls the listeners once the cookies of the other tab have arrived, which may take longer than its message. */
async function notifySignIn(userId: string): Promise<void> {
  await waitForStoredSession((session) => session?.userId === userId, cookieDelayMs)
  for (const listener of signInListeners) listener()
}
