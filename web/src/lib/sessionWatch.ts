import { z } from 'zod'
import { clearSessionCookie, storedSession } from './sessionCookie'
import { isLeaving, redirectToLogin, startLeaving } from './unauthorized'

/** `ended`: nobody chose to sign out, so everybody wants to come back to where they are. */
const Announcement = z.object({ userId: z.string().nullable(), ended: z.boolean().optional() })
type Announcement = z.infer<typeof Announcement>
const channelName = 'ovation-session'

let watched: string | null = null
let channel: BroadcastChannel | null = null
let listening = false
const newcomers = new Set<() => void>()

/**
 * Keeps this page true to whoever is signed in in this browser. When another tab signs out, or somebody else signs
 * in there, the page is left: a new document is the one sure way to hold nothing of the person before.
 */
export function watchSession(userId: string): void {
  watched = userId
  if (listening || typeof window === 'undefined') return
  listening = true
  openChannel()
  const look = () => hear({ userId: storedSession()?.userId ?? null })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) look()
  })
}

/** Has `arrived` called when somebody signs in in another tab while nobody is signed in here. Returns how to stop. */
export function onSignedInElsewhere(arrived: () => void): () => void {
  openChannel()
  newcomers.add(arrived)
  return () => void newcomers.delete(arrived)
}

/** Tells the other tabs who is signed in now; null for nobody. */
export function announceSession(userId: string | null): void {
  announce({ userId })
}

/** The server refuses to renew this browser's session: it is over for every tab, and none need ask again. */
export function dropEndedSession(): void {
  clearSessionCookie()
  if (!isLeaving()) announce({ userId: null, ended: true })
}

function announce(news: Announcement): void {
  watched = news.userId
  openChannel()?.postMessage(news)
}

function openChannel(): BroadcastChannel | null {
  if (!channel && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(channelName)
    channel.onmessage = (event: MessageEvent<unknown>) => {
      const heard = Announcement.safeParse(event.data)
      if (heard.success) hear(heard.data)
    }
  }
  return channel
}

function hear({ userId, ended }: Announcement): void {
  if (watched === null) {
    if (userId !== null) for (const arrived of newcomers) arrived()
    return
  }
  if (userId === watched) return
  watched = userId
  if (userId !== null) {
    window.location.reload()
  } else if (ended) {
    redirectToLogin()
  } else {
    startLeaving()
    window.location.assign('/')
  }
}
