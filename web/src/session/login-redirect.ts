import { intervals } from '@contract/intervals.ts'
import { safeReturnPath } from '@contract/return-path.ts'
import { t } from '@lingui/core/macro'
import { isUnauthorized } from '@/lib/errors'
import { isPageExiting, startPageExit } from '@/lib/leave-guard'
import { paths, serverPaths } from '@/lib/paths'
import { toast } from '@/ui/toaster'
import { storeIdleSignOut } from './idle-sign-out'

/** Redirects to the login page after a 401. Several failed requests cause only one redirect. */
export function redirectIfUnauthorized(error: unknown): void {
  if (isUnauthorized(error)) redirectToLogin()
}

/**
 * Shows a toast and redirects to the login page. Signing in leads back to the current page. The redirect replaces the
 * current history entry, because going back to it would redirect to the login page again.
 */
export function redirectToLogin(): void {
  if (isPageExiting()) return
  toast({
    title: t`Unauthorized`,
    description: t`You are logged out. Logging in again...`,
    tone: 'destructive',
  })
  startPageExit()
  const url = loginUrl(window.location)
  setTimeout(() => {
    window.location.replace(url)
  }, intervals.redirectDelayMs)
}

/**
 * Redirects to the login page after an idle timeout of `minutes`. Signing in leads back to the current page. The login
 * page shows the reason.
 */
export function redirectAfterIdle(minutes: number): void {
  startPageExit()
  storeIdleSignOut(minutes)
  window.location.replace(loginUrl(window.location))
}

/** Opens the login page for a visitor. Signing in leads back to the current page. */
export function openLoginPage(): void {
  window.location.assign(loginUrl(window.location))
}

/** Returns the URL of the login page that leads back to `location` after signing in. */
export function loginUrl(location: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const next = safeReturnPath(`${location.pathname}${location.search}${location.hash}`)
  if (!next || next === paths.home.getHref()) return serverPaths.login
  return `${serverPaths.login}?next=${encodeURIComponent(next)}`
}
