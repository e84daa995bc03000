import { z } from 'zod'
import { isPageExiting, startPageExit } from '@/lib/page-exit'
import { clearSessionCookie, storedSession } from './cookie'
import { redirectAfterIdle, redirectToLogin } from './login-redirect'

/**
 * `ended`: nobody chose to sign out, so everybody wants to come back to where they are. `idle`: the same, because nobody
 * was there for so many minutes.
 */
const Announcement = z.object({
  userId: z.string().nullable(),
  ended: z.boolean().optional(),
  idle: z.number().optional(),
})
type Announcement = z.infer<typeof Announcement>
const channelName = 'ovation-session'
/** Milliseconds by which a tab's cookies may reach another later than its word of them: they come at once. */
const cookieDelay = 2000

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
  listen()
}

/** Has `arrived` called when somebody signed in elsewhere while nobody is signed in here. Returns how to stop. */
export function onSignInElsewhere(arrived: () => void): () => void {
  listen()
  newcomers.add(arrived)
  return () => void newcomers.delete(arrived)
}

/** To the other tabs, and to what changed in the browser while nobody looked at this page. */
function listen(): void {
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

/** Tells the other tabs who is signed in now; null for nobody. */
export function broadcastSession(userId: string | null): void {
  announce({ userId })
}

/** The server refuses to renew this browser's session: it is over for every tab, and none need ask again. */
export function endSessionInAllTabs(): void {
  clearSessionCookie()
  if (!isPageExiting()) announce({ userId: null, ended: true })
}

/** Tells the other tabs that nobody was there for so many minutes, and that nobody is signed in any more. */
export function broadcastIdleSignOut(minutes: number): void {
  announce({ userId: null, idle: minutes })
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

function hear({ userId, ended, idle }: Announcement): void {
  if (watched === null) {
    if (userId !== null) void welcome(userId)
    return
  }
  if (userId === watched) return
  watched = userId
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

/** Browsers pass on what a tab writes into its cookies in their own time: the news may be here before them. */
async function welcome(userId: string): Promise<void> {
  const until = Date.now() + cookieDelay
  while (storedSession()?.userId !== userId && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const arrived of newcomers) arrived()
}
