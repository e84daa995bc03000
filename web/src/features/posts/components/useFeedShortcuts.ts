import { type RefObject, useEffect } from 'react'
import { isShortcut } from '@/ui/keyboard-shortcut'

/** `j` and `k` walk from post to post; not while somebody types or a dialog is open. */
export function useFeedShortcuts(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || !isShortcut(event)) return
      const target = nextPost([...(root.current?.querySelectorAll<HTMLElement>('article') ?? [])], event.key)
      if (!target) return
      event.preventDefault()
      target.tabIndex = -1
      target.focus({ preventScroll: true })
      target.scrollIntoView({ block: 'center' })
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [root])
}

/** From the post with the focus; where there is none, or it was scrolled away, from what is on the screen. */
function nextPost(articles: HTMLElement[], key: 'j' | 'k'): HTMLElement | undefined {
  const at = articles.findIndex((article) => article.contains(document.activeElement))
  const focused = articles[at]
  if (focused && isOnScreen(focused)) return articles[key === 'j' ? at + 1 : at - 1]
  if (key === 'j') return articles.find((article) => article.getBoundingClientRect().top >= 0)
  return articles.findLast((article) => article.getBoundingClientRect().top < 0)
}

function isOnScreen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
