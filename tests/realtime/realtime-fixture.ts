import { randomUUID } from 'node:crypto'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import type postgres from 'postgres'
import { afterAll } from 'vitest'
import { deleteAccounts } from '../support/deadlocks.ts'
import { secrets, sql, stack } from '../support/stack.ts'
import { webSocketTransport } from '../support/supabase-client.ts'

const defaultTimeoutMs = 5_000

export type ProtocolVersion = '1.0.0' | '2.0.0'
export const protocolVersions: ProtocolVersion[] = ['1.0.0', '2.0.0']

/** Returns the WebSocket URL, for tests that send frames that no real client would send. */
export function socketUrl(vsn: string, apikey = stack.publishableKey): string {
  return `${stack.apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${encodeURIComponent(apikey)}&vsn=${vsn}`
}

/** A user's session. `token` returns an access token for it, valid for `secondsToLive` seconds. */
type Session = { sessionId: string; token(secondsToLive?: number): Promise<string> }

/** A user with an active session. */
export type RealtimeUser = Session & { id: string; newSession(): Promise<Session> }

const userIds: string[] = []
const clients: SupabaseClient[] = []

afterAll(async () => {
  await Promise.all(clients.map((client) => client.removeAllChannels()))
  await deleteAccounts(sql, userIds)
})

/** Inserts a user and a session. Both are deleted when all tests in the file have run. */
export async function createRealtimeUser(): Promise<RealtimeUser> {
  const id = randomUUID()
  const username = `rt_${id.slice(0, 8)}`
  const metadata = {
    username,
    full_name: 'Realtime Tester',
    phone_number: '+15550000000',
    adult_confirmed: true,
  }
  await sql`
    insert into auth.users (id, aud, role, email, raw_user_meta_data)
    values (${id}, 'authenticated', 'authenticated', ${`${username}@realtime.test`}, ${sql.json(metadata)})`
  await sql`update public.accounts set email_confirmed_at = now() where user_id = ${id}`
  userIds.push(id)
  return { id, ...(await createSession(id)), newSession: () => createSession(id) }
}

async function createSession(userId: string): Promise<Session> {
  const sessionId = randomUUID()
  await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`
  return { sessionId, token: (secondsToLive = 600) => signToken(userId, sessionId, secondsToLive) }
}

async function signToken(sub: string, sessionId: string, secondsToLive: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return await new SignJWT({ role: 'authenticated', aud: 'authenticated', session_id: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt(now)
    .setExpirationTime(now + secondsToLive)
    .sign(new TextEncoder().encode(secrets.jwtSecret))
}

/** Creates two users who have messaged each other, so that both may use broadcast and presence on their topic. */
export async function createConversationPartners(): Promise<[RealtimeUser, RealtimeUser]> {
  const [first, second] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
  await recordFirstMessage(first, second)
  await recordFirstMessage(second, first)
  return [first, second]
}

/** Records that a user has messaged another user, without sending the events for a new message. */
export async function recordFirstMessage(from: RealtimeUser, to: RealtimeUser): Promise<void> {
  const [low, high] = from.id < to.id ? [from.id, to.id] : [to.id, from.id]
  await sql`
    with thread as (insert into public.conversations as c (user_low, user_high) values (${low}, ${high})
                    on conflict (user_low, user_high) do update set last_seq = c.last_seq returning id)
    insert into public.conversation_members (user_id, partner_id, conversation_id, has_written)
    select ${from.id}, ${to.id}, id, true from thread`
}

/** Inserts a message. Triggers then send the events for a new message. */
export async function insertMessage(from: RealtimeUser, to: RealtimeUser): Promise<void> {
  await sql`insert into public.messages (sender_id, receiver_id, content) values (${from.id}, ${to.id}, 'hello')`
}

/** The secret key, which bypasses every policy. */
export const secretKey = stack.secretKey

/** Returns the private topic of the conversation between two users. */
export function conversationTopic(first: RealtimeUser, second: RealtimeUser): string {
  return `conversation:${[first.id, second.id].sort().join(':')}`
}

/** A supabase-js client whose token can be changed. A client without a token acts as a visitor. */
export type TestClient = { supabase: SupabaseClient; setToken(token: string): Promise<void> }

/** Creates a client. Its channels are removed when all tests in the file have run. */
export async function connectClient(vsn: ProtocolVersion, token: string | null = null): Promise<TestClient> {
  let current = token
  const supabase = createClient(stack.apiUrl, stack.publishableKey, {
    realtime: { transport: webSocketTransport, vsn },
    accessToken: async () => current,
    auth: { persistSession: false },
  })
  clients.push(supabase)
  await supabase.realtime.setAuth()
  return {
    supabase,
    async setToken(next) {
      current = next
      await supabase.realtime.setAuth()
    },
  }
}

/** A list of received items that tests can wait on. */
export class RecordedItems<T> {
  readonly all: T[] = []
  private readonly waiters = new Set<() => void>()

  readonly add = (item: T): void => {
    this.all.push(item)
    for (const wake of [...this.waiters]) wake()
  }

  /** Returns the first matching item, waiting for it if necessary. */
  async waitFor(matches: (item: T) => boolean, timeoutMs = defaultTimeoutMs): Promise<T> {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = this.all.find(matches)
      if (found !== undefined) return found
      await this.waitForNext(deadline - Date.now())
    }
  }

  /** Waits until there are at least `count` items, and returns all items. */
  async waitForCount(count: number, timeoutMs = defaultTimeoutMs): Promise<T[]> {
    const deadline = Date.now() + timeoutMs
    while (this.all.length < count) await this.waitForNext(deadline - Date.now())
    return this.all
  }

  private waitForNext(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer)
        this.waiters.delete(wake)
        resolve()
      }
      const timer = setTimeout(
        () => {
          this.waiters.delete(wake)
          reject(new Error(`Timed out. Received: ${JSON.stringify(this.all)}`))
        },
        Math.max(0, timeoutMs),
      )
      this.waiters.add(wake)
    })
  }
}

type Status = { status: string; error: string | undefined }
type Options = NonNullable<Parameters<SupabaseClient['channel']>[1]>['config']
type BroadcastMessage = { event: string; payload: unknown; meta?: { id: string } }

/** A channel, and the statuses, broadcasts and system messages that it has received. */
export type RecordedChannel = {
  channel: RealtimeChannel
  statuses: RecordedItems<Status>
  broadcasts: RecordedItems<BroadcastMessage>
  system: RecordedItems<{ message: string; status: string }>
}

/**
 * Subscribes to a channel and records its messages, without waiting for the subscription. The channel is private unless
 * `config` says otherwise.
 */
export function openChannel(client: TestClient, topic: string, config: Options = {}): RecordedChannel {
  const channel = client.supabase.channel(topic, { config: { private: true, ...config } })
  const statuses = new RecordedItems<Status>()
  const broadcasts = new RecordedItems<BroadcastMessage>()
  const system = new RecordedItems<{ message: string; status: string }>()
  channel.on('broadcast', { event: '*' }, (message) => broadcasts.add(message as unknown as BroadcastMessage))
  channel.on('system', {}, (message) => system.add(message))
  channel.subscribe((status, error) => statuses.add({ status, error: error?.message }))
  return { channel, statuses, broadcasts, system }
}

/** Subscribes to a channel and waits until it is subscribed. */
export async function subscribeToChannel(
  client: TestClient,
  topic: string,
  config: Options = {},
): Promise<RecordedChannel> {
  const recorded = openChannel(client, topic, config)
  await recorded.statuses.waitFor(({ status }) => status === 'SUBSCRIBED')
  return recorded
}

/** Returns a unique topic that can be used only with the secret key. */
export function newTopic(): string {
  return `test:${randomUUID()}`
}

/** Broadcasts from the database, as triggers do. */
export async function sendFromDatabase(
  topic: string,
  event: string,
  payload: postgres.JSONValue,
): Promise<void> {
  await sql`select realtime.send(${sql.json(payload)}, ${event}, ${topic}, true)`
}
