import { type RefObject, useEffect, useRef } from 'react'

/** Marks a conversation's row, for whoever looks for it. */
export const conversationRowAttribute = (otherUserId: string) => ({ 'data-conversation': otherUserId })

/** Marks a conversation's head, in the same way. */
export const threadHeaderAttributes = { 'data-conversation-head': true, tabIndex: -1 }
const headSelector = '[data-conversation-head]'

/**
 * On a phone the open conversation takes the list's place, and the list the conversation's: the focus, which would
 * vanish with what had it, goes along. It goes to the conversation's head, and back to the row it came from or, where
 * that is gone, to the list.
 *
 * @param open the id of whom the open conversation is with
 */
export function usePanelFocus(
  open: string | null,
  list: RefObject<HTMLElement | null>,
  thread: RefObject<HTMLElement | null>,
): void {
  const before = useRef(open)
  useEffect(() => {
    const last = before.current
    before.current = open
    const [from, to] = open ? [list.current, thread.current] : [thread.current, list.current]
    if (last === open || !from || !to || isShown(from) || to.contains(document.activeElement)) return
    const place = open ? headSelector : last ? `[data-conversation="${CSS.escape(last)}"]` : null
    const found = place === null ? null : to.querySelector<HTMLElement>(place)
    ;(found ?? to).focus()
  }, [open, list, thread])
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0
