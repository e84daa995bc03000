import { setSessionRenewal } from '@/lib/api'
import { storedSession } from './cookie'
import { endSessionInAllTabs } from './tabs'

/** `refused`: the session is over. `unreachable`: nobody could say; it may be alive. */
export type RenewalResult = 'renewed' | 'refused' | 'unreachable'

/** Milliseconds; a token that ends within this time is renewed before the next call. */
const renewBefore = 20_000

/** What the client calls an answer by which Auth itself refuses. */
const refusals = ['AuthApiError', 'AuthSessionMissingError']

/** Renews a session that is about to end, so that a call after a night's sleep does not read as signed out. */
export async function ensureFreshSession(): Promise<void> {
  const session = storedSession()
  if (!session || session.expiresAt - Date.now() > renewBefore) return
  try {
    const { getSupabase } = await import('./supabase-client')
    await (await getSupabase()).auth.getSession()
  } catch {
    // The call itself will tell what is wrong.
  }
}

let renewing: Promise<RenewalResult> | null = null

/** Asks for a new token after a refusal, once for all calls that wait for it. */
export function renewSession(): Promise<RenewalResult> {
  renewing ??= renew()
    .catch((): RenewalResult => 'unreachable')
    .finally(() => {
      renewing = null
    })
  return renewing
}

async function renew(): Promise<RenewalResult> {
  const before = storedSession()
  if (!before) return 'refused'
  const { getSupabase } = await import('./supabase-client')
  const { data, error } = await (await getSupabase()).auth.refreshSession()
  if (data.session) return 'renewed'
  const now = storedSession()
  // Another tab was quicker: its token is the one to go on with.
  if (now && now.refreshToken !== before.refreshToken) return 'renewed'
  if (!error || !refusals.includes(error.name)) return 'unreachable'
  endSessionInAllTabs()
  return 'refused'
}

setSessionRenewal({ ensureFresh: ensureFreshSession, renew: renewSession })
