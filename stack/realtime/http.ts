/** Broadcasts by plain HTTP: a batch, or one message named by its address. */
import { networkOf } from '../../supabase/functions/_shared/http/network.ts'
import type { Identity } from './auth.ts'
import type { Services } from './channel.ts'
import { PRIVATE_ONLY } from './join.ts'
import { broadcastBytes, RateTable } from './limits.ts'
import { type Broadcast, broadcastBody, isLarger } from './protocol.ts'
import { isObject, type JsonObject } from './types.ts'

const BATCH = /\/api\/broadcast\/?$/
const SINGLE = /\/api\/broadcast\/([^/]+)\/events\/([^/]+)\/?$/
const HEALTH = /\/api\/(?:health|ping)\/?$/
const MAX_NAME_BYTES = 246
const TOO_LARGE = 'Payload size exceeds tenant limit'

// Callers prove themselves by a header that no browser adds by itself, so any origin may ask.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
}

type Message = { topic: string; event: string; broadcast: Broadcast }

/** A request that is refused, with its status. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Answers the HTTP side of Realtime. */
export class HttpSide {
  private readonly callers: RateTable

  /** @param healthy whether the server hears the database */
  constructor(
    private readonly services: Services,
    private readonly healthy: () => Promise<boolean>,
  ) {
    this.callers = new RateTable(services.limits.eventsPerSecond)
  }

  /** Answers any request, made from `address`; never throws. */
  async handle(request: Request, address: string): Promise<Response> {
    try {
      return await this.route(request, address)
    } catch (error) {
      if (error instanceof Refused)
        return answer(error.status, { error: error.message, message: error.message })
      this.services.log.error('realtime: a request failed', { error: String(error) })
      return answer(500, { message: 'Internal error' })
    }
  }

  private async route(request: Request, address: string): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
    if (HEALTH.test(url.pathname) && request.method === 'GET') {
      return (await this.healthy()) ? answer(200, { status: 'ok' }) : answer(503, { status: 'unavailable' })
    }
    const single = SINGLE.exec(url.pathname)
    if (!single && !BATCH.test(url.pathname)) throw new Refused(404, 'Not found')
    if (request.method !== 'POST') throw new Refused(405, 'Method not allowed')
    const identity = await this.authenticate(request)
    const { limits } = this.services
    const most = broadcastBytes(identity, limits)
    // Of a person's batch no more is read than could be sent.
    const bodyBytes = single ? most : Math.min(limits.payloadBytes, most * limits.eventsPerSecond)
    const bytes = await readBody(request, bodyBytes)
    if (single) {
      const message = readSingle(url, single[1] ?? '', single[2] ?? '', request, bytes)
      this.limit(identity, address, 1)
      if (!(await this.mayWrite(identity, message))) throw new Refused(403, 'Unauthorized')
      this.send(message)
    } else {
      await this.sendBatch(identity, address, readBatch(bytes, most))
    }
    return new Response(null, { status: 202, headers: CORS })
  }

  /** As upstream, a batch leaves out what its caller may not send, and says nothing of it. */
  private async sendBatch(identity: Identity, address: string, messages: Message[]): Promise<void> {
    this.limit(identity, address, messages.length)
    const allowed = new Map<string, boolean>()
    for (const message of messages) {
      if (!allowed.has(message.topic)) {
        allowed.set(message.topic, await this.mayWrite(identity, message))
      }
    }
    for (const message of messages) if (allowed.get(message.topic)) this.send(message)
  }

  private async authenticate(request: Request): Promise<Identity> {
    const bearer = /^bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const token = bearer?.trim() ?? request.headers.get('apikey')
    if (!token) throw new Refused(401, 'API key is missing')
    const result = await this.services.authenticator.check(token)
    if ('refusal' in result) throw new Refused(401, result.refusal.message)
    return result.identity
  }

  /** Visitors are told apart by their network. The secret key is the operator's own program and is not held back. */
  private limit(identity: Identity, address: string, count: number): void {
    if (identity.role === 'service_role') return
    const { eventsPerSecond } = this.services.limits
    if (count > eventsPerSecond) throw new Refused(422, `a batch holds at most ${eventsPerSecond} messages`)
    if (!this.callers.take(identity.userId ?? networkOf(address), count)) {
      throw new Refused(429, 'You have exceeded your rate limit')
    }
  }

  private async mayWrite(identity: Identity, message: Message): Promise<boolean> {
    if (identity.role === 'service_role') return true
    return await this.services.rights.writable(identity, message.topic, 'broadcast')
  }

  private send({ topic, broadcast }: Message): void {
    this.services.registry.find(topic)?.relay(broadcast)
  }
}

const publicTopic = () => new Refused(403, PRIVATE_ONLY)

function readSingle(
  url: URL,
  topic: string,
  event: string,
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
): Message {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const names = { topic: checkName('topic', decode(topic)), event: checkName('event', decode(event)) }
  if (url.searchParams.get('private') !== 'true') throw publicTopic()
  if (type === 'application/octet-stream') {
    return { ...names, broadcast: { kind: 'binary', event: names.event, bytes } }
  }
  if (type !== 'application/json') throw new Refused(415, 'Unsupported media type')
  const body = broadcastBody(names.event, JSON.stringify(parse(bytes)))
  return { ...names, broadcast: { kind: 'json', body } }
}

/** @param most bytes that one broadcast may have */
function readBatch(bytes: Uint8Array, most: number): Message[] {
  const body = parse(bytes)
  const messages = isObject(body) ? body.messages : null
  if (!Array.isArray(messages) || messages.length === 0) throw new Refused(422, "messages can't be blank")
  return messages.map((message: unknown) => {
    if (!isObject(message)) throw new Refused(422, 'a message must be a map')
    const { payload } = message
    const topic = checkName('topic', message.topic)
    const event = checkName('event', message.event)
    if (!isObject(payload)) throw new Refused(422, 'payload is invalid')
    if (message.private !== true) throw publicTopic()
    const broadcast: Broadcast = { kind: 'json', body: broadcastBody(event, JSON.stringify(payload)) }
    if (isLarger(broadcast, most)) throw new Refused(422, TOO_LARGE)
    return { topic, event, broadcast }
  })
}

/** A part of the address as it was meant; null when it is not well formed. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

function checkName(what: string, name: unknown): string {
  if (typeof name !== 'string' || name === '') throw new Refused(422, `${what} can't be blank`)
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) throw new Refused(422, `${what} is too long`)
  return name
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refused(400, 'Malformed JSON')
  }
}

/** Reads the body, and no more of it than `limit` bytes. */
async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  if (request.body) {
    for await (const part of request.body) {
      size += part.length
      if (size > limit) throw new Refused(413, TOO_LARGE)
      parts.push(part)
    }
  }
  const whole = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

function answer(status: number, body: JsonObject): Response {
  return Response.json(body, { status, headers: CORS })
}
