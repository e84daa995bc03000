/** Handles broadcasts over HTTP: a batch, or one message whose topic and event are in the URL. */
import { bearerToken } from '../../supabase/functions/_shared/http/bearer-token.ts'
import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import type { Identity } from '../shared/authenticator.ts'
import { RateLimiter } from '../shared/rate-limiter.ts'
import type { Services } from './channel.ts'
import { PRIVATE_ONLY } from './join.ts'
import { maxBroadcastBytes } from './limits.ts'
import { type Broadcast, broadcastBody, CANNOT_PERSIST, concat, isBroadcastLargerThan } from './protocol.ts'
import { isObject, type JsonObject } from './types.ts'

const BATCH = /\/api\/broadcast\/?$/
const SINGLE = /\/api\/broadcast\/([^/]+)\/events\/([^/]+)\/?$/
const HEALTH = /\/api\/(?:health|ping)\/?$/
const MAX_NAME_BYTES = 246
const TOO_LARGE = 'Payload size exceeds tenant limit'

// Callers authenticate with a header that browsers never add automatically, so any origin may call this API.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
}

type Message = { topic: string; event: string; broadcast: Broadcast }

/** An error with the HTTP status of its response. */
class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Handles the HTTP requests of Realtime. */
export class HttpApi {
  private readonly rateLimiter: RateLimiter

  /** @param isHealthy the health check of the server */
  constructor(
    private readonly services: Services,
    private readonly isHealthy: () => Promise<boolean>,
  ) {
    this.rateLimiter = new RateLimiter(services.limits.eventsPerSecond)
  }

  /** Handles a request from `address`. Never throws. */
  async handle(request: Request, address: string): Promise<Response> {
    try {
      return await this.route(request, address)
    } catch (error) {
      if (error instanceof HttpError)
        return respond(error.status, { error: error.message, message: error.message })
      this.services.log.error('realtime_request_failed', { error: String(error) })
      return respond(500, { message: 'Internal error' })
    }
  }

  private async route(request: Request, address: string): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
    if (HEALTH.test(url.pathname) && request.method === 'GET') {
      return (await this.isHealthy())
        ? respond(200, { status: 'ok' })
        : respond(503, { status: 'unavailable' })
    }
    const single = SINGLE.exec(url.pathname)
    if (!single && !BATCH.test(url.pathname)) throw new HttpError(404, 'Not found')
    if (request.method !== 'POST') throw new HttpError(405, 'Method not allowed')
    const identity = await this.authenticate(request)
    const { limits } = this.services
    const broadcastBytes = maxBroadcastBytes(identity, limits)
    // The largest batch that the limits allow.
    const batchBytes = Math.min(limits.payloadBytes, broadcastBytes * limits.eventsPerSecond)
    const bytes = await readBody(request, single ? broadcastBytes : batchBytes)
    if (single) {
      const message = readSingle(url, single[1] ?? '', single[2] ?? '', request, bytes)
      this.checkRateLimit(identity, address, 1)
      if (!(await this.mayWrite(identity, message))) throw new HttpError(403, 'Unauthorized')
      this.send(message)
    } else {
      await this.sendBatch(identity, address, readBatch(bytes, broadcastBytes))
    }
    return new Response(null, { status: 202, headers: CORS })
  }

  /** Sends a batch. Messages that the caller may not send are skipped silently, as in Supabase. */
  private async sendBatch(identity: Identity, address: string, messages: Message[]): Promise<void> {
    this.checkRateLimit(identity, address, messages.length)
    const allowed = new Map<string, boolean>()
    for (const message of messages) {
      if (!allowed.has(message.topic)) {
        allowed.set(message.topic, await this.mayWrite(identity, message))
      }
    }
    for (const message of messages) if (allowed.get(message.topic)) this.send(message)
  }

  private async authenticate(request: Request): Promise<Identity> {
    const token = bearerToken(request.headers.get('authorization')) ?? request.headers.get('apikey')
    if (!token) throw new HttpError(401, 'API key is missing')
    const result = await this.services.authenticator.check(token)
    if ('rejection' in result) throw new HttpError(401, result.rejection.message)
    return result.identity
  }

  /** Applies the rate limit of the account, or of the network if there is no account. The secret key is not limited. */
  private checkRateLimit(identity: Identity, address: string, count: number): void {
    if (identity.role === 'service_role') return
    const { eventsPerSecond } = this.services.limits
    if (count > eventsPerSecond) throw new HttpError(422, `a batch has at most ${eventsPerSecond} messages`)
    if (!this.rateLimiter.take(identity.userId ?? networkPrefix(address), count)) {
      throw new HttpError(429, 'You have exceeded your rate limit')
    }
  }

  private async mayWrite(identity: Identity, message: Message): Promise<boolean> {
    if (identity.role === 'service_role') return true
    return await this.services.permissions.canWrite(identity, message.topic, 'broadcast')
  }

  private send({ topic, broadcast }: Message): void {
    this.services.registry.find(topic)?.relay(broadcast)
  }
}

const publicTopicError = () => new HttpError(403, PRIVATE_ONLY)

function readSingle(
  url: URL,
  topic: string,
  event: string,
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
): Message {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const names = {
    topic: checkName('topic', decodeSegment(topic)),
    event: checkName('event', decodeSegment(event)),
  }
  if (url.searchParams.get('private') !== 'true') throw publicTopicError()
  if (url.searchParams.has('persist') || url.searchParams.has('persist[ttl]')) {
    throw new HttpError(422, CANNOT_PERSIST)
  }
  if (type === 'application/octet-stream') {
    return { ...names, broadcast: { kind: 'binary', event: names.event, bytes } }
  }
  if (type !== 'application/json') throw new HttpError(415, 'Unsupported media type')
  const body = broadcastBody(names.event, JSON.stringify(parseJson(bytes)))
  return { ...names, broadcast: { kind: 'json', body } }
}

/** Parses a batch. @param maxBytes the limit for each broadcast @throws HttpError 400, 403, 422 */
function readBatch(bytes: Uint8Array, maxBytes: number): Message[] {
  const body = parseJson(bytes)
  const messages = isObject(body) ? body.messages : null
  if (!Array.isArray(messages) || messages.length === 0) throw new HttpError(422, "messages can't be blank")
  return messages.map((message: unknown) => {
    if (!isObject(message)) throw new HttpError(422, 'a message must be a map')
    const { payload } = message
    const topic = checkName('topic', message.topic)
    const event = checkName('event', message.event)
    if (!isObject(payload)) throw new HttpError(422, 'payload is invalid')
    if (message.private !== true) throw publicTopicError()
    const broadcast: Broadcast = { kind: 'json', body: broadcastBody(event, JSON.stringify(payload)) }
    if (isBroadcastLargerThan(broadcast, maxBytes)) throw new HttpError(422, TOO_LARGE)
    return { topic, event, broadcast }
  })
}

/** Decodes a segment of the URL. Returns null if the segment is malformed. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

function checkName(field: string, name: unknown): string {
  if (typeof name !== 'string' || name === '') throw new HttpError(422, `${field} can't be blank`)
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) throw new HttpError(422, `${field} is too long`)
  return name
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new HttpError(400, 'Malformed JSON')
  }
}

/** Reads the body. @throws HttpError 413 if the body has more than `limit` bytes */
async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  if (request.body) {
    for await (const part of request.body) {
      size += part.length
      if (size > limit) throw new HttpError(413, TOO_LARGE)
      parts.push(part)
    }
  }
  return concat(parts)
}

function respond(status: number, body: JsonObject): Response {
  return Response.json(body, { status, headers: CORS })
}
