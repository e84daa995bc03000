import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { isPageExiting } from './page-exit'
import { markUnsaved } from './unsaved-changes'

/** The question whether to leave a screen with something that is not saved. */
export interface LeaveGuard {
  /** Somebody wants to leave: a dialog is to ask them. */
  asking: boolean
  stay: () => void
  leave: () => void
}

/**
 * Keeps people on a screen while something of it is `unsaved`, until they have answered: within the app by a dialog, which
 * the screen draws, by the browser's own words where the document itself is left, and by the question of who signs out.
 * A change of the query alone leaves nothing. Once there is nothing unsaved any more, who wanted to leave does.
 */
export function useLeaveGuard(unsaved: boolean): LeaveGuard {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  const asking = blocker.state === 'blocked'
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => {
      // A session that is over takes its page with it.
      if (!isPageExiting()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    const release = markUnsaved()
    return () => {
      window.removeEventListener('beforeunload', ask)
      release()
    }
  }, [unsaved])
  /** The question that was answered by leaving: doing so twice would go back two steps. */
  const left = useRef<typeof blocker>(undefined)
  const leave = () => {
    if (left.current === blocker) return
    left.current = blocker
    blocker.proceed?.()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `leave` is another one at every drawing
  useEffect(() => {
    if (asking && !unsaved) leave()
  }, [asking, unsaved])
  return { asking, stay: () => blocker.reset?.(), leave }
}
