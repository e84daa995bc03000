import { z } from 'zod'
import { storedSession } from './sessionCookie'

const Announcement = z.object({ userId: z.string().nullable() })
const channelName = 'ovation-session'

let watched: string | null = null
let channel: BroadcastChannel | null = null
let listening = false

/**
 * Keeps this page true to whoever is signed in in this browser. When another tab signs out, or somebody else signs
 * in there, the page is left: a new document is the one sure way to hold nothing of the person before.
 */
export function watchSession(userId: string): void {
  watched = userId
  if (listening || typeof window === 'undefined') return
  listening = true
  openChannel()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') compare(storedSession()?.userId ?? null)
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) compare(storedSession()?.userId ?? null)
  })
}

/** Tells the other tabs who is signed in now; null for nobody. */
export function announceSession(userId: string | null): void {
  watched = userId
  openChannel()?.postMessage({ userId })
}

function openChannel(): BroadcastChannel | null {
  if (!channel && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(channelName)
    channel.onmessage = (event: MessageEvent<unknown>) => {
      const heard = Announcement.safeParse(event.data)
      if (heard.success) compare(heard.data.userId)
    }
  }
  return channel
}

function compare(now: string | null): void {
  if (watched === null || now === watched) return
  watched = now
  if (now === null) window.location.assign('/')
  else window.location.reload()
}
