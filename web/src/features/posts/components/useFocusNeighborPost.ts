import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** Frames until a dialog that was open over a post has gone with it, and so has its hold on the focus. */
const patience = 20

/**
 * Gives the focus to what is nearest when a post leaves the page with the focus in it, or in a dialog that it opened:
 * the post after it, else the one before, else what they stand in. Gives the handlers for the post.
 */
export function useFocusNeighborPost(article: RefObject<HTMLElement | null>) {
  /** The path of the page on which the focus came in; null while it is elsewhere. */
  const heldOn = useRef<string | null>(null)
  useLayoutEffect(() => {
    const post = article.current
    return () => {
      const path = heldOn.current
      // It still stands in the page here.
      if (post && path !== null) focusFirst(placesNear(post), post, path, patience)
    }
  }, [article])
  return {
    // By way of React these also tell of the post's dialogs, which stand elsewhere in the page.
    onFocus: () => {
      heldOn.current = window.location.pathname
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) heldOn.current = null
      // It went nowhere: with the post, to a dialog of the post, or because an empty place was pressed.
      else
        requestAnimationFrame(() => {
          const isNowhere = document.activeElement === document.body && !isDialogOpen()
          if (isNowhere && article.current?.isConnected) heldOn.current = null
        })
    },
  }
}

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null

function placesNear(post: HTMLElement): HTMLElement[] {
  const feed = post.closest('[role=feed]')
  const all = [...(feed?.querySelectorAll<HTMLElement>('article') ?? [])]
  const at = all.indexOf(post)
  const around: HTMLElement[] = []
  for (let box = post.parentElement; box && box !== document.body; box = box.parentElement) around.push(box)
  return [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse(), ...around]
}

function focusFirst(places: HTMLElement[], gone: HTMLElement, path: string, frames: number): void {
  requestAnimationFrame(() => {
    // Another page sees to its own.
    if (window.location.pathname !== path) return
    const isBusy = gone.isConnected || isDialogOpen()
    if (isBusy && frames > 0) {
      focusFirst(places, gone, path, frames - 1)
      return
    }
    if (document.activeElement !== document.body || gone.isConnected) return
    const place = places.find((one) => one.isConnected)
    if (!place) return
    place.tabIndex = -1
    place.focus({ preventScroll: true })
  })
}
