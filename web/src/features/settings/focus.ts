import { useEffect, useRef } from 'react'

/**
 * Moves the focus from the button of a row that is about to be removed to the next row, or to the heading with the id
 * `headingId`. Does nothing if the focus has moved outside the row.
 */
export function focusNextRow(button: HTMLElement | null, headingId: string): void {
  const row = button?.closest('li')
  const active = document.activeElement
  if (active !== document.body && !row?.contains(active)) return
  nextRowFocusTarget(button, headingId)?.focus()
}

/** Returns the first enabled button of the next row, or the heading with the id `headingId`. */
export function nextRowFocusTarget(button: HTMLElement | null, headingId: string): HTMLElement | null {
  const next = button?.closest('li')?.nextElementSibling?.querySelector<HTMLElement>('button:enabled')
  return next ?? document.getElementById(headingId)
}

/**
 * Focuses the target when an operation completes, because the button that started it was disabled or removed and lost
 * the focus. Does nothing if the focus has moved elsewhere.
 */
export function useRestoreFocus(pending: boolean, target: () => HTMLElement | null): void {
  const wasPending = useRef(pending)
  useEffect(() => {
    const isDone = wasPending.current && !pending
    wasPending.current = pending
    if (isDone && document.activeElement === document.body) target()?.focus({ preventScroll: true })
  })
}
