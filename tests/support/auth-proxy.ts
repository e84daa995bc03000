import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { supabaseUrl } from './function-server.ts'
import { listen } from './listen.ts'

/**
 * What the proxy does with a request: forward it, forward it after 2 seconds, drop the connection, forward it and drop
 * the response, or respond with this status and body without forwarding it.
 */
type ProxyAction = 'pass' | 'delay' | 'drop' | 'drop response' | { status: number; body: unknown }

/** A proxy between an API and Auth. `actionFor` picks the action for each call, such as `POST recover`. */
export type AuthProxy = { url: string; actionFor: (call: string) => ProxyAction; stop(): void }

/** Starts a proxy that forwards everything until `actionFor` is replaced. */
export async function startAuthProxy(): Promise<AuthProxy> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const path = url.replace('/auth/v1/', '').split('?')[0]
    const action = proxy.actionFor(`${method} ${path}`)
    if (action === 'drop') return void request.socket.destroy()
    let body = ''
    for await (const chunk of request) body += chunk
    if (action === 'delay') await sleep(2000)
    else if (typeof action === 'object') {
      response
        .writeHead(action.status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(action.body))
      return
    }
    const { apikey, authorization } = headers
    const forwarded = await fetch(`${supabaseUrl()}${url}`, {
      method,
      headers: {
        apikey: String(apikey),
        'Content-Type': 'application/json',
        'User-Agent': String(headers['user-agent']),
        ...(authorization ? { Authorization: authorization } : {}),
      },
      ...(body ? { body } : {}),
    })
    if (action === 'drop response') return void request.socket.destroy()
    response.writeHead(forwarded.status, { 'Content-Type': 'application/json' }).end(await forwarded.text())
  })
  const { url, stop } = await listen(server)
  const proxy: AuthProxy = { url, stop, actionFor: () => 'pass' }
  return proxy
}
