import { useRef } from 'react'

/** Milliseconds after which a failed submission has been drawn. */
const drawn = 50

/**
 * Sends a form once, however often it is submitted while the answer is on its way. `send` tells the person itself
 * how it went. A focus that was lost with the disabled button goes back there, unless a wrong field has it by then.
 */
export function useSubmitOnce<Values>(send: (values: Values) => Promise<unknown>) {
  const running = useRef(false)
  return async (values: Values): Promise<void> => {
    if (running.current) return
    running.current = true
    const from = document.activeElement
    try {
      await send(values)
    } catch {
      setTimeout(() => {
        if (from instanceof HTMLElement && document.activeElement === document.body) from.focus()
      }, drawn)
    } finally {
      running.current = false
    }
  }
}
