import { useCallback, useSyncExternalStore } from 'react'
import { breakpoints } from './theme'

/** Returns whether the window is at least as wide as a breakpoint, for differences that CSS cannot express. */
export function useMinWidth(breakpoint: keyof typeof breakpoints): boolean {
  const query = `(min-width: ${breakpoints[breakpoint]})`
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
