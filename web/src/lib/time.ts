import { useSyncExternalStore } from 'react'

const step = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // While nobody listened the clock stood still.
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, step)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, in milliseconds since 1970, told again every half minute: for texts such as '2 minutes ago'. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
