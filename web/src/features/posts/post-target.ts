import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { isShortcut } from '@/ui/keyboard-shortcut'

/** Elements in which a click does not open the post: those that handle clicks themselves, and the comments. */
const ownClickTargets = 'a, button, input, textarea, select, label, video, iframe, [data-comments]'

/** The shortcut keys that press a button, each with that button's `data-action`. */
const actionKeys: Partial<Record<string, string>> = { l: 'like', s: 'save', t: 'repost' }

const hasSelection = () => window.getSelection()?.isCollapsed === false

/**
 * Makes a post in a list clickable: a click on its text or on empty space opens its page. Handles the shortcut keys
 * of a focused post: `l` likes it, `s` saves it, `t` opens the menu to repost it, `r` replies to it, `o` and Enter open
 * it. On the post's own page (`large`), `l`, `s`, `t` and `r` also work while the post is not focused. The listeners
 * are native, because React events would also bubble up from the post's menus and dialogs.
 */
export function usePostTarget(
  article: RefObject<HTMLElement | null>,
  { postId, large, onReply }: { postId: string; large: boolean; onReply: () => void },
): void {
  const navigate = useNavigate()
  const reply = useEffectEvent(onReply)
  useEffect(() => {
    const element = article.current
    if (!element) return
    const href = paths.post.getHref(postId)
    const listeners = new AbortController()
    const { signal } = listeners

    // A click that finishes or clears a text selection must not open the post.
    let hadSelection = false
    const onPointerDown = () => {
      hadSelection = hasSelection()
    }
    const onClick = (event: MouseEvent) => {
      const isOwnTarget = event.target instanceof Element && event.target.closest(ownClickTargets)
      if (isOwnTarget || hadSelection || hasSelection() || event.shiftKey || event.altKey) return
      if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener')
      else navigate(href)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || !isShortcut(event)) return
      const action = actionKeys[event.key]
      if (action) element.querySelector<HTMLElement>(`[data-action=${action}]`)?.click()
      else if (event.key === 'r') reply()
      else if (!large && (event.key === 'o' || (event.key === 'Enter' && event.target === element)))
        navigate(href)
      else return
      // Otherwise, `r` would be typed into the comment box that `onReply` focuses.
      event.preventDefault()
    }

    if (large) {
      document.addEventListener('keydown', onKeyDown, { signal })
    } else {
      element.addEventListener('pointerdown', onPointerDown, { signal })
      element.addEventListener('click', onClick, { signal })
      element.addEventListener('keydown', onKeyDown, { signal })
    }
    return () => listeners.abort()
  }, [article, postId, large, navigate])
}
