import { limits } from '@contract/limits.ts'
import { toast } from '@/ui/toaster'

let leaving = false

/** Signing out goes to a page of its own: calls refused meanwhile say nothing and lead nowhere. */
export function startLeaving(): void {
  leaving = true
}

/** True for the error of a call made without a living session. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('401:') && error.message.includes('Unauthorized')
}

/** Says that the session is over and goes to the sign-in page; many failing calls at once do it once. */
export function handleUnauthorized(error: unknown): void {
  if (isUnauthorized(error)) redirectToLogin()
}

/** The same for a screen that finds nobody signed in. */
export function redirectToLogin(): void {
  if (leaving) return
  leaving = true
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    tone: 'destructive',
  })
  setTimeout(() => {
    window.location.assign('/api/login')
  }, limits.redirectDelay)
}

// A page taken back out of the browser's history must be able to leave again.
if (typeof window !== 'undefined') {
  window.addEventListener('pageshow', () => {
    leaving = false
  })
}
