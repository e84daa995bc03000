import { type RefObject, useEffect } from 'react'

/** `j` and `k` walk from post to post; not while somebody types or a dialog is open. */
export function useFeedKeys(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'j' && event.key !== 'k') return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target))
        return
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

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=menu]') !== null
  )
}
