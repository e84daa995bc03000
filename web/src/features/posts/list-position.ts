import type { PostBlockKeys } from './post-blocks'

/** Where a reader was in a list when they left it, and how high its stretches were. */
export interface ListPosition {
  /** How the list is cut. */
  keys: PostBlockKeys
  /** Heights in pixels by the stretch's key, as last drawn. */
  heights: Map<string, number>
  /** The stretches that were in sight, drawn at once on return. */
  inSight: Set<string>
  /** The first post in sight and how far below the window's upper edge it began. */
  anchor: { postId: string; top: number; scrollY: number } | null
}

const places = new Map<string, ListPosition>()

/** What is remembered of a list, by the hash of its key; an empty record at first. Kept until the page is left. */
export function getListPosition(list: string): ListPosition {
  const known = places.get(list)
  if (known) return known
  const made: ListPosition = { keys: new Map(), heights: new Map(), inSight: new Set(), anchor: null }
  places.set(list, made)
  return made
}

/** Notes what of the list in `root` is in sight. To be called while its elements still stand in the page. */
export function saveListPosition(place: ListPosition, root: HTMLElement): void {
  place.inSight.clear()
  place.anchor = null
  for (const stretch of root.querySelectorAll<HTMLElement>('[data-stretch]')) {
    const { top, bottom } = stretch.getBoundingClientRect()
    if (bottom <= 0) continue
    if (top >= window.innerHeight) break
    if (stretch.dataset.stretch !== undefined) place.inSight.add(stretch.dataset.stretch)
    if (place.anchor) continue
    for (const post of stretch.querySelectorAll<HTMLElement>('[data-post]')) {
      const at = post.getBoundingClientRect()
      if (at.bottom <= 0) continue
      place.anchor = { postId: post.dataset.post ?? '', top: at.top, scrollY: window.scrollY }
      break
    }
  }
}

/**
 * After the browser went back to the old scroll position: what stands above may have another height now, so that the
 * post that was in sight is put where it was. A list that was begun anew meanwhile is shown from its top. Does nothing
 * where the reader did not come back to that place.
 */
export function restoreListPosition({ anchor, inSight }: ListPosition, root: HTMLElement): void {
  if (!anchor || window.scrollY === 0) return
  const atEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1
  if (!atEnd && Math.abs(window.scrollY - anchor.scrollY) > 1) return
  const stretches = [...root.querySelectorAll<HTMLElement>('[data-stretch]')]
  if (!stretches.some(({ dataset }) => inSight.has(dataset.stretch ?? ''))) {
    window.scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const post = root.querySelector(`[data-post="${CSS.escape(anchor.postId)}"]`)
  const off = post ? post.getBoundingClientRect().top - anchor.top : 0
  if (Math.abs(off) > 0.5) window.scrollBy({ top: off, behavior: 'instant' })
}
