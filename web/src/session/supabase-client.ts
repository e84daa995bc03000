import { sessionCookieName } from '@contract/auth.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { getConfig } from '@/lib/config'
import { reportReachability } from '@/lib/reachability'
import { authFetch } from './auth-fetch'
import workerUrl from './heartbeat-worker.js?url&no-inline'

let client: Promise<SupabaseClient> | null = null

/**
 * The one Supabase client of the page: it keeps the session in first-party cookies, renews it, and holds the
 * realtime socket. Loaded on first use, because a visitor's landing page needs none of it.
 */
export function getSupabase(): Promise<SupabaseClient> {
  client ??= create().catch((error: unknown) => {
    client = null
    throw error
  })
  return client
}

async function create(): Promise<SupabaseClient> {
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
      // Timers of a hidden page are slowed down, a worker's are not. Its file is our own, so that the page's
      // policy need not allow scripts from blobs.
      worker: typeof Worker !== 'undefined',
      workerUrl,
      // Not all pages at the same moment when a server comes back.
      reconnectAfterMs: (tries: number) => ([1000, 2000, 5000][tries - 1] ?? 10_000) * (0.5 + Math.random()),
      heartbeatCallback: (status) => {
        if (status === 'ok') reportReachability(true)
      },
    },
  })
}
