import { limits } from '@contract/limits.ts'
import { type RefObject, useEffect } from 'react'
import { flushViews, recordView } from './report-views'
import { isPostVisible } from './view-log'

/** Every card that is watched, with its post; those in sight, with the timer of their second while the page is visible. */
const posts = new Map<Element, string>()
const inSight = new Map<Element, ReturnType<typeof setTimeout> | undefined>()
let observer: IntersectionObserver | undefined

function startSecond(card: Element): void {
  const postId = posts.get(card)
  clearTimeout(inSight.get(card))
  const waits = postId !== undefined && document.visibilityState === 'visible'
  inSight.set(card, waits ? setTimeout(recordView, limits.views.visibleMs, postId) : undefined)
}

function forget(card: Element): void {
  clearTimeout(inSight.get(card))
  inSight.delete(card)
}

/** One for all cards of the page, made with the first of them. */
function observerOfAll(): IntersectionObserver {
  if (observer) return observer
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      for (const card of [...inSight.keys()]) startSecond(card)
      return
    }
    for (const timer of inSight.values()) clearTimeout(timer)
    flushViews()
  })
  window.addEventListener('pagehide', flushViews)
  observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!isPostVisible(entry)) forget(entry.target)
        else if (!inSight.has(entry.target)) startSecond(entry.target)
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5] },
  )
  return observer
}

/** Has a post counted as seen once its card was on the screen for a second; one's own never. Draws nothing again. */
export function useViewTracking(
  card: RefObject<Element | null>,
  { id, mine }: { id: string; mine: boolean },
): void {
  useEffect(() => {
    const element = card.current
    if (!element || mine) return
    posts.set(element, id)
    observerOfAll().observe(element)
    return () => {
      observerOfAll().unobserve(element)
      posts.delete(element)
      forget(element)
    }
  }, [card, id, mine])
}
