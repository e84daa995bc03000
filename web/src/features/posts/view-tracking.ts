import type { ViewSource, ViewsRequest } from '@contract/analytics.ts'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { type RefObject, useEffect } from 'react'
import { api } from '@/lib/api'
import { screenAt } from '@/lib/paths'
import { getPreviousPath, isOpenedFromNotification, isPreviousPathLost } from '@/lib/previous-path'
import { queryClient, queryKeys } from '@/lib/query-client'

/** Post ids of all observed cards. */
const observedPosts = new Map<Element, string>()
/** Visible cards, each with the timer that records its view. Timers run only while the page is visible. */
const visibleCards = new Map<Element, ReturnType<typeof setTimeout> | undefined>()
let observer: IntersectionObserver | undefined

/** Records a view of a post once its card has been on the screen for a second. Ignores the user's own posts. */
export function useViewTracking(
  card: RefObject<Element | null>,
  { id, mine }: { id: string; mine: boolean },
): void {
  useEffect(() => {
    const element = card.current
    if (!element || mine) return
    observedPosts.set(element, id)
    sharedObserver().observe(element)
    return () => {
      sharedObserver().unobserve(element)
      observedPosts.delete(element)
      stopTimer(element)
    }
  }, [card, id, mine])
}

/** Returns the observer that all cards on the page share. Creates it for the first card. */
function sharedObserver(): IntersectionObserver {
  if (observer) return observer
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      for (const card of [...visibleCards.keys()]) startTimer(card)
      return
    }
    for (const timer of visibleCards.values()) clearTimeout(timer)
    flushViews()
  })
  window.addEventListener('pagehide', flushViews)
  observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!isPostVisible(entry)) stopTimer(entry.target)
        else if (!visibleCards.has(entry.target)) startTimer(entry.target)
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5] },
  )
  return observer
}

function startTimer(card: Element): void {
  const postId = observedPosts.get(card)
  clearTimeout(visibleCards.get(card))
  const isCounting = postId !== undefined && document.visibilityState === 'visible'
  visibleCards.set(card, isCounting ? setTimeout(recordView, limits.views.visibleMs, postId) : undefined)
}

function stopTimer(card: Element): void {
  clearTimeout(visibleCards.get(card))
  visibleCards.delete(card)
}

const viewsPath = '/api/views'
const log = createViewLog()
let reportTimer: ReturnType<typeof setTimeout> | undefined

/** The screens that are sources of views. */
const screenSources: Partial<Record<string, ViewSource>> = {
  home: 'home',
  profile: 'profile',
  discover: 'discover',
  search: 'search',
  topic: 'topic',
  messages: 'message',
  notifications: 'notification',
}

const sourceOf = (path: string): ViewSource => screenSources[screenAt(path) ?? ''] ?? 'other'

/** Returns where the user found the posts on the screen. For a post's own page, this is where they opened it from. */
function viewSource(): ViewSource {
  const { pathname } = window.location
  if (screenAt(pathname) !== 'post') return sourceOf(pathname)
  if (isOpenedFromNotification()) return 'notification'
  const previousPath = getPreviousPath()
  if (previousPath !== null) return sourceOf(previousPath)
  return isPreviousPathLost() ? 'other' : 'link'
}

/** Queues the current user's view of a post for the next report. Visitors' views are not reported. */
function recordView(postId: string): void {
  const user = queryClient.getQueryData<OwnUser | null>(queryKeys.currentUser)
  if (!user || !log.add({ userId: user.id, postId, source: viewSource(), now: Date.now() })) return
  if (log.size() >= limits.views.maxPosts) reportViews()
  else reportTimer ??= setTimeout(reportViews, limits.views.reportIntervalMs)
}

/** Sends all queued views. If a request fails, its views are not counted. */
function reportViews(): void {
  sendBatches((batch) => api.command('POST', viewsPath, batch))
}

/** Sends all queued views with `keepalive`, so that the requests outlive the page. */
function flushViews(): void {
  sendBatches((batch) =>
    fetch(viewsPath, {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    }),
  )
}

function sendBatches(send: (batch: ViewsRequest) => Promise<unknown>): void {
  clearTimeout(reportTimer)
  reportTimer = undefined
  for (let batch = takeBatch(); batch; batch = takeBatch()) send(batch).catch(() => undefined)
}

const takeBatch = () => log.take(limits.views.maxPosts)

const hourMs = 60 * 60_000

/** Queues viewed posts, each at most once per clock hour, because the server counts no more views than that. */
interface ViewLog {
  /** Adds a view at `now` (epoch milliseconds). Returns false if the post was already viewed in this hour. */
  add(view: { userId: string; postId: string; source: ViewSource; now: number }): boolean
  /** Dequeues up to `max` posts with the same source, oldest first. Returns null if the queue is empty. */
  take(max: number): ViewsRequest | null
  /** Returns the number of queued posts. */
  size(): number
}

export function createViewLog(): ViewLog {
  let currentUserId: string | null = null
  let currentHour = Number.NaN
  const viewed = new Set<string>()
  const queues = new Map<ViewSource, string[]>()
  return {
    add({ userId, postId, source, now }) {
      // Another user has signed in on the same page: discard the previous user's views.
      if (userId !== currentUserId) {
        currentUserId = userId
        viewed.clear()
        queues.clear()
      }
      const hour = Math.floor(now / hourMs)
      if (hour !== currentHour) {
        currentHour = hour
        viewed.clear()
      }
      if (viewed.has(postId)) return false
      viewed.add(postId)
      queues.set(source, [...(queues.get(source) ?? []), postId])
      return true
    },
    take(max) {
      const [first] = queues
      if (!first) return null
      const [source, queue] = first
      const postIds = queue.splice(0, max)
      if (queue.length === 0) queues.delete(source)
      return { postIds, source }
    },
    size: () => [...queues.values()].flat().length,
  }
}

/** The part of an `IntersectionObserverEntry` that shows how much of a post is visible. Heights are in pixels. */
interface PostIntersection {
  intersectionRatio: number
  intersectionRect: { height: number }
  rootBounds: { height: number } | null
}

/** Returns whether at least half of a post is on the screen, or a tall post fills at least half of the screen. */
export function isPostVisible({
  intersectionRatio,
  intersectionRect,
  rootBounds,
}: PostIntersection): boolean {
  if (intersectionRatio >= 0.5) return true
  return rootBounds !== null && rootBounds.height > 0 && intersectionRect.height >= rootBounds.height / 2
}
