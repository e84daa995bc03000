import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { answer, parse, textAt } from './stripe-api.ts'
import { Books, Refusal } from './stripe-books.ts'
import type { Event } from './stripe-objects.ts'
import { closedPage, payPage, portalPage } from './stripe-pages.ts'

/**
 * A small local server that speaks the parts of Stripe's API that are used here, with pages where somebody pays, and
 * webhooks that are signed as Stripe signs them. The functions talk to it with Stripe's own SDK.
 */
export type LocalStripe = {
  url: string
  /** What the functions need to use it. */
  env: {
    PAYMENTS_PROVIDER: 'stripe'
    STRIPE_SECRET_KEY: string
    STRIPE_WEBHOOK_SECRET: string
    STRIPE_API_BASE: string
  }
  books: Books
  /** Every call it answered: method and path. */
  calls: string[]
  /** While true, every call fails as if Stripe were down. */
  setDown(down: boolean): void
  /** Where webhooks go. What happens on its pages is told there at once. */
  tellTo(webhook: string): void
  /** Sends one event, signed with the secret of the webhook, now, or as `changes` say. */
  send(event: Event, changes?: { secret?: string; timestamp?: number; body?: string }): Promise<Response>
  /** Sends every event that was not sent yet, in order; each has to be taken. */
  sendAll(): Promise<void>
  stop(): Promise<void>
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Starts it on a free port, or on `port`. */
export async function startStripe(port = 0): Promise<LocalStripe> {
  const books = new Books()
  const calls: string[] = []
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const webhookSecret = `whsec_${randomUUID().replaceAll('-', '')}`
  const signer = new Stripe(secretKey)
  const once = new Map<string, { wish: string; body: string }>()
  const sent = new Set<string>()
  let down = false
  let webhook = ''
  let url = ''

  const send: LocalStripe['send'] = async (event, changes = {}) => {
    sent.add(event.id)
    const payload = JSON.stringify(event)
    const header = signer.webhooks.generateTestHeaderString({
      payload,
      secret: changes.secret ?? webhookSecret,
      ...(changes.timestamp ? { timestamp: changes.timestamp } : {}),
    })
    return await fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': header },
      body: changes.body ?? payload,
    })
  }
  const sendAll = async () => {
    for (const event of [...books.events]) {
      if (sent.has(event.id)) continue
      const answer = await send(event)
      if (answer.status !== 200)
        throw new Error(`${event.type} was answered ${answer.status}: ${await answer.text()}`)
      await answer.body?.cancel()
    }
  }

  /** The same call under the same key is answered as the first time; another one under it is refused. */
  function answerOnce(request: IncomingMessage, at: URL, text: string): string {
    const key = request.headers['idempotency-key']
    const wish = `${request.method} ${at.pathname} ${text}`
    const before = once.get(String(key))
    if (before && before.wish !== wish)
      throw new Refusal(400, 'idempotency_key_reused', undefined, 'idempotency_error')
    if (before) return before.body
    const body = JSON.stringify(answer({ books, url }, request.method ?? '', at, parse(text)))
    if (typeof key === 'string') once.set(key, { wish, body })
    return body
  }

  async function page(request: IncomingMessage, at: URL, response: ServerResponse): Promise<void> {
    const [, kind, id = '', action] = at.pathname.split('/')
    if (kind === 'portal') {
      const held = [...books.subscriptions.values()].filter(({ customer }) => customer === id)
      if (request.method === 'POST')
        books.cancelAtEnd(textAt(parse(await read(request)), 'subscription'), true)
      if (webhook) await sendAll()
      response.writeHead(200, { 'Content-Type': 'text/html' })
      return void response.end(portalPage(held, at.searchParams.get('back') ?? ''))
    }
    const session = books.session(id)
    if (request.method === 'POST') {
      if (action === 'pay') books.pay(id)
      if (webhook) await sendAll()
      response.writeHead(303, { Location: action === 'pay' ? session.success_url : session.cancel_url })
      return void response.end()
    }
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(session.status === 'open' ? payPage(session) : closedPage)
  }

  const server = createServer(async (request, response) => {
    const at = new URL(request.url ?? '/', 'http://stripe')
    try {
      if (!at.pathname.startsWith('/v1/')) return await page(request, at, response)
      calls.push(`${request.method} ${at.pathname}`)
      if (down) {
        response.writeHead(503, { 'Content-Type': 'application/json', 'Stripe-Should-Retry': 'false' })
        return void response.end('{"error":{"type":"api_error","message":"down"}}')
      }
      const text = await read(request)
      if (request.headers.authorization !== `Bearer ${secretKey}`) throw new Refusal(401, 'invalid_api_key')
      const body = answerOnce(request, at, text)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(body)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'broken', undefined, 'api_error')
      response.writeHead(refusal.status, {
        'Content-Type': 'application/json',
        'Stripe-Should-Retry': 'false',
      })
      response.end(JSON.stringify(refusal.body))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    env: {
      PAYMENTS_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: url,
    },
    books,
    calls,
    setDown: (is) => {
      down = is
    },
    tellTo: (address) => {
      webhook = address
    },
    send,
    sendAll,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
