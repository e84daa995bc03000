import { useLayoutEffect, useRef } from 'react'
import { type Location, ScrollRestoration, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { storedSession } from '@/session/cookie'

/** Screens that one goes back and forth between: each is found again where it was left, by its link too. */
const kept: string[] = [paths.home.path, paths.discover.path]

/** Screens that are whole as soon as they are there. */
const whole: string[] = [paths.terms.path, paths.privacy.path]

/** Tells this document from the ones before it in the tab. */
const documentId = String(performance.timeOrigin)

/**
 * Two persons at one browser, or a visitor's `/`, have nothing to do with each other's place. Nor has a document with
 * the one before it: what it has read so far is not high enough to go back to a place in it.
 */
function placeOf({ pathname, key }: Location): string {
  const userId = kept.includes(pathname) ? storedSession()?.userId : undefined
  if (userId) return `${documentId} ${userId} ${pathname}`
  return whole.includes(pathname) ? key : `${documentId} ${key}`
}

/** Where a screen is scrolled to: new ones begin at the top, old ones where they were left. */
export function ScrollManager() {
  return (
    <>
      <ScrollRestoration getKey={placeOf} />
      <TopAgain />
    </>
  )
}

/** The link of the screen that is open leads to its top. */
function TopAgain() {
  const location = useLocation()
  const last = useRef(location)
  useLayoutEffect(() => {
    const before = last.current
    last.current = location
    if (before.key === location.key || before.pathname !== location.pathname) return
    if (before.search === location.search && kept.includes(location.pathname)) window.scrollTo({ top: 0 })
  }, [location])
  return null
}
