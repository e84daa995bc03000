import { useEffect, useRef } from 'react'

/**
 * Moves the focus on once something is done: the button that began it was disabled meanwhile and lost it, or has gone.
 * Not where somebody has moved on.
 */
export function useRestoreFocus(pending: boolean, target: () => HTMLElement | null): void {
  const before = useRef(pending)
  useEffect(() => {
    const isDone = before.current && !pending
    before.current = pending
    if (isDone && document.activeElement === document.body) target()?.focus({ preventScroll: true })
  })
}
