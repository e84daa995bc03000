import { sessionCookieName } from '@contract/session-cookie.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { reportReachability } from '@/lib/api'
import { getConfig } from '@/lib/config'
import { fieldsOf } from '@/lib/json'
import { retryDelay, socketRetryDelaysMs } from '@/lib/retry'
import { storedSession, waitForStoredSession } from './cookie'
import workerUrl from './heartbeat-worker.js?url&no-inline'

let client: Promise<SupabaseClient> | null = null

/**
 * Returns the page's Supabase client, which keeps the session in first-party cookies, renews it, and opens the realtime
 * socket. It is loaded on first use, because the landing page does not need it.
 */
export function getSupabase(): Promise<SupabaseClient> {
  client ??= createClient().catch((error: unknown) => {
    client = null
    throw error
  })
  return client
}

async function createClient(): Promise<SupabaseClient> {
  const [{ createBrowserClient }, config] = await Promise.all([import('@supabase/ssr'), getConfig()])
  return createBrowserClient(config.supabaseUrl, config.supabaseKey, {
    cookieOptions: {
      name: sessionCookieName,
      path: '/',
      sameSite: 'lax',
      secure: location.protocol === 'https:',
    },
    auth: { detectSessionInUrl: false },
    global: { fetch: authFetch },
    realtime: {
      // Browsers throttle the timers of hidden pages, but not those of workers. By default, the client creates the
      // worker from a blob. A file of the app does not depend on `blob:` in the Content Security Policy.
      worker: typeof Worker !== 'undefined',
      workerUrl,
      // The random factor keeps all open pages from reconnecting at the same moment after the server has been down.
      reconnectAfterMs: (attempt: number) =>
        retryDelay(socketRetryDelaysMs, attempt - 1) * (0.5 + Math.random()),
      heartbeatCallback: (status) => {
        if (status === 'ok') reportReachability(true)
      },
    },
  })
}

const renewalLockName = 'ovation-renewal'
/** The timeout of a renewal request in milliseconds. Other tabs wait until the renewal has ended. */
const renewalTimeoutMs = 15_000
/** Milliseconds to wait for the client to store the new session before the next tab may renew it. */
const storeTimeoutMs = 5000

/**
 * The `fetch` of the Supabase client. A refresh token can be used only once: after a short grace period, reusing it
 * ends the session in all tabs. Tabs therefore renew one after the other, and a tab that waited gets the session that
 * another tab has received. The client signs the user out when a renewal is rejected, so only a clear rejection by Auth
 * is passed on to it.
 */
export const authFetch: typeof fetch = async (input, init) => {
  const token = getRefreshToken(input, init)
  if (token === null) return await fetch(input, init)
  const renew = async () => renewedByOtherTab(token) ?? (await requestRenewal(input, init))
  if (!('locks' in navigator)) return await renew()
  return await new Promise<Response>((resolve, reject) => {
    navigator.locks
      .request(renewalLockName, async () => {
        const response = await renew()
        resolve(response)
        // The client replaces the token in the cookie after this function has returned the response.
        if (response.ok)
          await waitForStoredSession((session) => session?.refreshToken !== token, storeTimeoutMs)
      })
      .catch(reject)
  })
}

/** Returns the refresh token of a renewal request, or null for other requests. */
function getRefreshToken(input: RequestInfo | URL, init: RequestInit | undefined): string | null {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (!url.pathname.endsWith('/auth/v1/token')) return null
  if (url.searchParams.get('grant_type') !== 'refresh_token' || typeof init?.body !== 'string') return null
  const { refresh_token: token } = fieldsOf(JSON.parse(init.body))
  return typeof token === 'string' ? token : null
}

/** Returns a response with the session that another tab received while this one was waiting, or null. */
function renewedByOtherTab(token: string): Response | null {
  const session = storedSession()
  if (!session || session.refreshToken === token || session.expiresAt <= Date.now()) return null
  return Response.json(session.response)
}

async function requestRenewal(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> {
  const response = await fetch(input, {
    ...init,
    signal: init?.signal ?? AbortSignal.timeout(renewalTimeoutMs),
  })
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (isJson && (response.ok || [400, 401, 403].includes(response.status))) return response
  // A rate limit, a server error or a captive portal. The client retries later after a 503.
  await response.body?.cancel()
  return Response.json({ message: 'Auth does not respond' }, { status: 503 })
}
