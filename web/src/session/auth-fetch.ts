import { z } from 'zod'
import { storedSession } from './cookie'

const lockName = 'ovation-renewal'
/** Milliseconds that Auth may take for a renewal, while other tabs wait for it. */
const patience = 15_000
/** Milliseconds that the client may take to store the answer before the next tab has its turn: it takes a few. */
const storing = 5000

const RenewalBody = z.object({ refresh_token: z.string() })

/**
 * `fetch` for the Supabase client. A refresh token is good once, and one that is shown again later ends the session
 * in every tab: so the tabs of a browser renew one after the other, and one that comes late is given what the one
 * before it received. Only a clear word of Auth counts as a refusal, since the client signs out upon it.
 */
export const authFetch: typeof fetch = async (input, init) => {
  const token = renewedToken(input, init)
  if (token === null) return await fetch(input, init)
  const attempt = async () => storedInstead(token) ?? (await ask(input, init))
  if (!('locks' in navigator)) return await attempt()
  return await new Promise<Response>((resolve, reject) => {
    navigator.locks
      .request(lockName, async () => {
        const response = await attempt()
        resolve(response)
        if (response.ok) await stored(token)
      })
      .catch(reject)
  })
}

/** The refresh token that a call shows; null for every other call. */
function renewedToken(input: RequestInfo | URL, init: RequestInit | undefined): string | null {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (!url.pathname.endsWith('/auth/v1/token')) return null
  if (url.searchParams.get('grant_type') !== 'refresh_token' || typeof init?.body !== 'string') return null
  const body = RenewalBody.safeParse(JSON.parse(init.body))
  return body.success ? body.data.refresh_token : null
}

/** What another tab received while this one waited for its turn. */
function storedInstead(token: string): Response | null {
  const session = storedSession()
  if (!session || session.refreshToken === token || session.expiresAt <= Date.now()) return null
  return Response.json(session.answer)
}

async function ask(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> {
  const response = await fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(patience) })
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (isJson && (response.ok || [400, 401, 403].includes(response.status))) return response
  // Too many calls, a server in trouble, a hotel's sign-in page: the client tries again later upon a 503.
  await response.body?.cancel()
  return Response.json({ message: 'Auth does not answer' }, { status: 503 })
}

/** Resolves when the client has stored what it got for `token`, or has had time enough. */
async function stored(token: string): Promise<void> {
  const until = Date.now() + storing
  while (storedSession()?.refreshToken === token && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
