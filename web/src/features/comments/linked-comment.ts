import type { LinkedComment } from '@contract/comment.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { closestScrollPane } from '@/ui/KeepReadingPosition'
import { linkedCommentQuery, refetchComments } from './api'

const hashPattern = /^#comment-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Returns the comment that the URL links to, with its parent if it is a reply. Following the link again refetches the
 * comments.
 *
 * @param enabled whether the post is shown on its own page
 * @returns `isGone`: whether the comment no longer exists or the user cannot see it
 */
export function useLinkedComment(
  postId: string,
  enabled: boolean,
): { linked: LinkedComment | undefined; isGone: boolean } {
  const client = useQueryClient()
  const { hash, key } = useLocation()
  const id = enabled ? hashPattern.exec(hash)?.[1] : undefined
  const { data } = useQuery({ ...linkedCommentQuery(postId, id ?? ''), enabled: id !== undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `key` means that the link was followed again
  useEffect(() => {
    if (id !== undefined) refetchComments(client, postId)
  }, [client, postId, id, key])
  return { linked: data ?? undefined, isGone: id !== undefined && data === null }
}

/** The location keys and comment ids that the page has already scrolled to, so that each visit scrolls only once. */
const shownLocations = new Set<string>()

/** If a comment takes longer than this to load, the page does not scroll to it: the user has probably moved on. */
const revealTimeoutMs = 3_000

/** The comment to scroll into view as soon as it is rendered, unless that is after `expiresAt`. */
let commentToReveal: { id: string; expiresAt: number } | null = null

/**
 * Scrolls an element into view. In the pane beside a post, scrolls only the pane: `scrollIntoView` would also move the
 * page behind the sticky pane.
 */
export function scrollToComment(element: HTMLElement, block: 'center' | 'nearest'): void {
  const pane = closestScrollPane(element)
  if (!pane) {
    element.scrollIntoView({ block })
    return
  }
  const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()]
  if (block === 'nearest' && inner.top >= outer.top && inner.bottom <= outer.bottom) return
  pane.scrollTop += inner.top - outer.top - Math.max(0, (outer.height - inner.height) / 2)
}

/** Scrolls as far as necessary to show a comment that the user has sent, which may still have to be loaded. */
export function revealComment(commentId: string): void {
  const row = document.getElementById(`comment-${commentId}`)
  if (row) scrollToComment(row, 'nearest')
  commentToReveal = row ? null : { id: commentId, expiresAt: performance.now() + revealTimeoutMs }
}

/**
 * Scrolls to a comment, focuses it and highlights it each time the user follows a link to it. Going back to the page
 * restores the scroll position instead.
 */
export function useLinkTarget(commentId: string) {
  const ref = useRef<HTMLLIElement>(null)
  const { hash, key } = useLocation()
  const isTarget = hash === `#comment-${commentId}`
  useEffect(() => {
    if (commentToReveal?.id !== commentId) return
    if (performance.now() < commentToReveal.expiresAt) revealComment(commentId)
    commentToReveal = null
  }, [commentId])
  useEffect(() => {
    const row = ref.current
    const location = `${key} ${commentId}`
    if (!isTarget || !row || shownLocations.has(location)) return
    shownLocations.add(location)
    scrollToComment(row, 'center')
    row.focus({ preventScroll: true })
    // Replays the highlight if it has already faded.
    for (const animation of row.getAnimations({ subtree: true })) animation.play()
  }, [isTarget, key, commentId])
  return { ref, isTarget }
}
