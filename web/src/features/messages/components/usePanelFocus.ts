import { type RefObject, useEffect, useRef } from 'react'

/** Attributes that mark a conversation's row for `usePanelFocus`. */
export const conversationRowAttribute = (otherUserId: string) => ({ 'data-conversation': otherUserId })

/** Attributes that mark the thread's header for `usePanelFocus`. */
export const threadHeaderAttributes = { 'data-conversation-head': true, tabIndex: -1 }
const headerSelector = '[data-conversation-head]'

/**
 * Moves the focus when the list and the open conversation replace each other, as they do on phones: to the thread's
 * header and back to the conversation's row or, if that is not rendered, to the list.
 *
 * @param openUserId the other user of the open conversation
 */
export function usePanelFocus(
  openUserId: string | null,
  listRef: RefObject<HTMLElement | null>,
  threadRef: RefObject<HTMLElement | null>,
): void {
  const previousUserId = useRef(openUserId)
  useEffect(() => {
    const lastUserId = previousUserId.current
    previousUserId.current = openUserId
    const [from, to] = openUserId
      ? [listRef.current, threadRef.current]
      : [threadRef.current, listRef.current]
    if (lastUserId === openUserId || !from || !to || isVisible(from) || to.contains(document.activeElement))
      return
    const rowSelector = lastUserId && `[data-conversation="${CSS.escape(lastUserId)}"]`
    const selector = openUserId ? headerSelector : rowSelector
    const target = selector ? to.querySelector<HTMLElement>(selector) : null
    ;(target ?? to).focus()
  }, [openUserId, listRef, threadRef])
}

const isVisible = (element: HTMLElement) => element.getClientRects().length > 0
