/**
 * How high each card was when it was last drawn, by post id. A card that is skipped while out of sight takes this
 * much room, so that a long list keeps its length, and going back finds the old place.
 */
const heights = new Map<string, number>()
const guess = 180

const observer =
  typeof ResizeObserver === 'undefined'
    ? null
    : new ResizeObserver((entries) => {
        for (const entry of entries) {
          const id = entry.target instanceof HTMLElement ? entry.target.dataset.post : undefined
          // Without the border: the reserved room is that of the content.
          const height = entry.contentBoxSize[0]?.blockSize ?? 0
          if (id && height > 0) heights.set(id, height)
        }
      })

/** The room to reserve for a card, as CSS takes it. */
export function reservedHeight(postId: string): string {
  return `auto ${heights.get(postId) ?? guess}px`
}

/** Remembers the height of the card in `element` (which carries `data-post`) for as long as it is there. */
export function rememberHeight(element: HTMLElement | null): (() => void) | undefined {
  if (!element || !observer) return undefined
  observer.observe(element)
  return () => observer.unobserve(element)
}
