import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { handleApiCall, parseForm, textAt } from './fake-stripe-api.ts'
import { StripeError, StripeState } from './fake-stripe-state.ts'
import type { CheckoutSession, StripeEvent, Subscription } from './fake-stripe-types.ts'
import { listen } from './listen.ts'

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const button = (action: string, label: string, hidden = '') =>
  `<form method="post" action="${escapeHtml(action)}">${hidden}<button>${label}</button></form>`

/** Returns the page on which a customer pays or cancels. */
const payPage = ({ id, amount_total, interval_count }: CheckoutSession) =>
  page(
    'Local checkout',
    `<p>$${(amount_total / 100).toFixed(2)}${interval_count > 1 ? ` every ${interval_count} months` : interval_count === 1 ? ' a month' : ''}</p>
     ${button(`/pay/${id}/pay`, 'Pay')}${button(`/pay/${id}/cancel`, 'Cancel')}`,
  )

const closedPage = page('Local checkout', '<p>This page is closed.</p>')

/** Returns the billing portal page, on which a customer cancels subscriptions. */
const portalPage = (subscriptions: Subscription[], returnUrl: string) =>
  page(
    'Local billing',
    `${subscriptions
      .map(({ id, status, cancel_at_period_end }) =>
        cancel_at_period_end || status === 'canceled'
          ? `<p>${id} ends</p>`
          : button('', 'Cancel', `<input type="hidden" name="subscription" value="${id}">`),
      )
      .join('')}<a href="${escapeHtml(returnUrl)}">Back</a>`,
  )

/**
 * A local server with the parts of Stripe's API that the app uses. The app calls it through Stripe's SDK. The server
 * also has checkout and portal pages, and sends webhook events that are signed as Stripe signs them.
 */
export type FakeStripe = {
  url: string
  /** The environment variables that make the API and jobs functions use this server. */
  env: {
    PAYMENTS_PROVIDER: 'stripe'
    STRIPE_SECRET_KEY: string
    STRIPE_WEBHOOK_SECRET: string
    STRIPE_API_BASE: string
  }
  state: StripeState
  /** The method and path of every API request that the server received. */
  calls: string[]
  /** Sets whether the server is down. While down, it responds to every API request with 503. */
  setDown(down: boolean): void
  /** Sets the webhook URL. From then on, actions on the pages deliver their events there immediately. */
  setWebhookUrl(url: string): void
  /** Sends one webhook event. `changes` overrides the signing secret, the timestamp and the body. */
  sendEvent(
    event: StripeEvent,
    changes?: { secret?: string; timestamp?: number; body?: string },
  ): Promise<Response>
  /** Sends every unsent event in order. @throws Error if a response is not 200 */
  sendPendingEvents(): Promise<void>
  stop(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const state = new StripeState()
  const calls: string[] = []
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const webhookSecret = `whsec_${randomUUID().replaceAll('-', '')}`
  const signer = new Stripe(secretKey)
  const idempotentResponses = new Map<string, { fingerprint: string; body: string }>()
  const sentEventIds = new Set<string>()
  let down = false
  let webhookUrl = ''

  const sendEvent: FakeStripe['sendEvent'] = async (event, changes = {}) => {
    sentEventIds.add(event.id)
    const payload = JSON.stringify(event)
    const header = signer.webhooks.generateTestHeaderString({
      payload,
      secret: changes.secret ?? webhookSecret,
      ...(changes.timestamp ? { timestamp: changes.timestamp } : {}),
    })
    return await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': header },
      body: changes.body ?? payload,
    })
  }
  const sendPendingEvents = async () => {
    for (const event of [...state.events]) {
      if (sentEventIds.has(event.id)) continue
      const response = await sendEvent(event)
      if (response.status !== 200)
        throw new Error(`The webhook returned ${response.status} for ${event.type}: ${await response.text()}`)
      await response.body?.cancel()
    }
  }

  /**
   * Handles an API request. A request that repeats an idempotency key gets the first response, or fails if its
   * parameters differ.
   */
  function handleIdempotently(request: IncomingMessage, requestUrl: URL, text: string): string {
    const key = request.headers['idempotency-key']
    const fingerprint = `${request.method} ${requestUrl.pathname} ${text}`
    const firstResponse = idempotentResponses.get(String(key))
    if (firstResponse && firstResponse.fingerprint !== fingerprint)
      throw new StripeError(400, 'idempotency_key_reused', undefined, 'idempotency_error')
    if (firstResponse) return firstResponse.body
    const body = JSON.stringify(
      handleApiCall({ state, url }, request.method ?? '', requestUrl, parseForm(text)),
    )
    if (typeof key === 'string') idempotentResponses.set(key, { fingerprint, body })
    return body
  }

  async function handlePage(
    request: IncomingMessage,
    requestUrl: URL,
    response: ServerResponse,
  ): Promise<void> {
    const [, kind, id = '', action] = requestUrl.pathname.split('/')
    if (kind === 'portal') {
      const subscriptions = [...state.subscriptions.values()].filter(({ customer }) => customer === id)
      if (request.method === 'POST')
        state.setCancelAtPeriodEnd(textAt(parseForm(await readBody(request)), 'subscription'), true)
      if (webhookUrl) await sendPendingEvents()
      response.writeHead(200, { 'Content-Type': 'text/html' })
      return void response.end(portalPage(subscriptions, requestUrl.searchParams.get('back') ?? ''))
    }
    const session = state.session(id)
    if (request.method === 'POST') {
      if (action === 'pay') state.payCheckout(id)
      if (webhookUrl) await sendPendingEvents()
      response.writeHead(303, { Location: action === 'pay' ? session.success_url : session.cancel_url })
      return void response.end()
    }
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(session.status === 'open' ? payPage(session) : closedPage)
  }

  const server = createServer(async (request, response) => {
    const requestUrl = new URL(request.url ?? '/', 'http://stripe')
    try {
      if (!requestUrl.pathname.startsWith('/v1/')) return await handlePage(request, requestUrl, response)
      calls.push(`${request.method} ${requestUrl.pathname}`)
      if (down) {
        response.writeHead(503, { 'Content-Type': 'application/json', 'Stripe-Should-Retry': 'false' })
        return void response.end('{"error":{"type":"api_error","message":"down"}}')
      }
      const text = await readBody(request)
      if (request.headers.authorization !== `Bearer ${secretKey}`)
        throw new StripeError(401, 'invalid_api_key')
      const body = handleIdempotently(request, requestUrl, text)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(body)
    } catch (error) {
      const stripeError =
        error instanceof StripeError ? error : new StripeError(500, 'broken', undefined, 'api_error')
      response.writeHead(stripeError.status, {
        'Content-Type': 'application/json',
        'Stripe-Should-Retry': 'false',
      })
      response.end(JSON.stringify(stripeError.body))
    }
  })
  const { url, stop } = await listen(server)

  return {
    url,
    env: {
      PAYMENTS_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: url,
    },
    state,
    calls,
    setDown: (value) => {
      down = value
    },
    setWebhookUrl: (value) => {
      webhookUrl = value
    },
    sendEvent,
    sendPendingEvents,
    stop,
  }
}
