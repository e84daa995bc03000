import { intervals } from '@contract/intervals.ts'
import { safeReturnPath } from '@contract/return-path.ts'
import { isUnauthorized } from '@/lib/api'
import { isPageExiting, startPageExit } from '@/lib/page-exit'
import { paths, serverPaths } from '@/lib/paths'
import { setFlashToast } from '@/ui/flash-toast'
import { toast } from '@/ui/toaster'

/** Says that the session is over and goes to the sign-in page; many failing calls at once do it once. */
export function redirectIfUnauthorized(error: unknown): void {
  if (isUnauthorized(error)) redirectToLogin()
}

/**
 * The same for a screen that finds nobody signed in. Signing in leads back to the place that was left; the browser's
 * way back leads to the one before it, as this one would only send people to sign in again.
 */
export function redirectToLogin(): void {
  if (isPageExiting()) return
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    tone: 'destructive',
  })
  startPageExit()
  const address = loginUrl(window.location)
  setTimeout(() => {
    window.location.replace(address)
  }, intervals.redirectDelayMs)
}

/**
 * Goes to the sign-in page because nobody was there for so many minutes; it says so, and leads back here. Whoever comes
 * back reads it, however late.
 */
export function redirectAfterIdle(minutes: number): void {
  startPageExit()
  const away = minutes < 60 ? `${minutes} minutes` : minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  setFlashToast({
    title: 'You were signed out',
    description: `Nobody was here for ${away}, as you chose in Settings → Security.`,
  })
  window.location.replace(loginUrl(window.location))
}

/** Takes a visitor who wants to do something to the sign-in page, which leads back here. */
export function openLoginPage(): void {
  window.location.assign(loginUrl(window.location))
}

/** Where somebody signs in who is to come back to `place`; the home page needs no mention. */
export function loginUrl(place: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const next = safeReturnPath(`${place.pathname}${place.search}${place.hash}`)
  if (!next || next === paths.home.getHref()) return serverPaths.login
  return `${serverPaths.login}?next=${encodeURIComponent(next)}`
}
