import { createServer, type Server } from 'node:http'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { supabaseUrl } from './own-api.ts'

/** What happens to a call on its way to Auth: nothing, two seconds go by, the line breaks, or Auth answers this instead. */
type Fate = 'pass' | 'slow' | 'lost' | { status: number; body: unknown }

/** Stands between an API and Auth. `fate` decides for each call, by `POST recover` and the like. */
export type AuthProxy = { url: string; fate: (call: string) => Fate; stop(): void }

/** Starts it; at first everything passes. */
export async function startAuthProxy(): Promise<AuthProxy> {
  const port = await freePort()
  const proxy: AuthProxy = {
    url: `http://127.0.0.1:${port}`,
    fate: () => 'pass',
    stop: () => void server.close(),
  }
  const server: Server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const path = url.replace('/auth/v1/', '').split('?')[0]
    const fate = proxy.fate(`${method} ${path}`)
    if (fate === 'lost') return void request.socket.destroy()
    let body = ''
    for await (const chunk of request) body += chunk
    if (fate === 'slow') await new Promise((resolve) => setTimeout(resolve, 2000))
    else if (fate !== 'pass') {
      response.writeHead(fate.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(fate.body))
      return
    }
    const { apikey, authorization } = headers
    const answer = await fetch(`${supabaseUrl()}${url}`, {
      method,
      headers: {
        apikey: String(apikey),
        'Content-Type': 'application/json',
        'User-Agent': String(headers['user-agent']),
        ...(authorization ? { Authorization: authorization } : {}),
      },
      ...(body ? { body } : {}),
    })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return proxy
}
