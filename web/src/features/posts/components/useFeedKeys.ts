import { type RefObject, useEffect } from 'react'
import { isShortcut } from '@/ui/shortcuts'

/** `j` and `k` walk from post to post; not while somebody types or a dialog is open. */
export function useFeedKeys(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || !isShortcut(event)) return
      const articles = [...(root.current?.querySelectorAll<HTMLElement>('article') ?? [])]
      const at = articles.findIndex((article) => article.contains(document.activeElement))
      const next = event.key === 'j' ? Math.max(at + 1, firstBelowTop(articles, at)) : at - 1
      const target = articles[next]
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

/** Where nothing is focused yet: the first post that is on the screen. */
function firstBelowTop(articles: HTMLElement[], at: number): number {
  if (at >= 0) return 0
  return Math.max(
    0,
    articles.findIndex((article) => article.getBoundingClientRect().top >= 0),
  )
}
