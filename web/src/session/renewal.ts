import { setSessionRenewal } from '@/lib/api'
import { storedSession } from './cookie'
import { getSupabase } from './supabase-client'
import { endSessionInAllTabs } from './tabs'

/** `refused`: the session has ended. `unreachable`: Auth did not respond, so the session may still be valid. */
type RenewalResult = 'renewed' | 'refused' | 'unreachable'

/** A token that expires within this many milliseconds is renewed before the next request. */
const renewBeforeMs = 20_000

/** The names of the client's errors for a renewal that Auth has rejected. */
const refusalErrorNames = ['AuthApiError', 'AuthSessionMissingError']

/**
 * Renews a token that is about to expire, so that the next request does not fail with 401. Returns the refresh token of
 * the session, or null if there is none.
 */
async function ensureFreshSession(): Promise<string | null> {
  const session = storedSession()
  if (!session || session.expiresAt - Date.now() > renewBeforeMs) return session?.refreshToken ?? null
  try {
    await (await getSupabase()).auth.getSession()
  } catch {
    // The request itself will fail and report the error.
  }
  return storedSession()?.refreshToken ?? null
}

let renewal: Promise<RenewalResult> | null = null

/**
 * Renews the session after a 401. Concurrent calls share one renewal.
 *
 * @param refreshToken the refresh token of the rejected session. If the cookie already has another, nothing is renewed.
 */
export function renewSession(refreshToken: string | null): Promise<RenewalResult> {
  renewal ??= requestRenewal(refreshToken)
    .catch((): RenewalResult => 'unreachable')
    .finally(() => {
      renewal = null
    })
  return renewal
}

async function requestRenewal(refreshToken: string | null): Promise<RenewalResult> {
  const before = storedSession()
  if (!before) return 'refused'
  if (before.refreshToken !== refreshToken) return 'renewed'
  const { data, error } = await (await getSupabase()).auth.refreshSession()
  if (data.session) return 'renewed'
  const now = storedSession()
  // Another tab has renewed the session in the meantime.
  if (now && now.refreshToken !== before.refreshToken) return 'renewed'
  if (!error || !refusalErrorNames.includes(error.name)) return 'unreachable'
  endSessionInAllTabs()
  return 'refused'
}

setSessionRenewal({ ensureFresh: ensureFreshSession, renew: renewSession })
