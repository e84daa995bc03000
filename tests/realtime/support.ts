/** What the Realtime tests share: people, real clients and ways to wait for what they hear. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import postgres from 'postgres'
import { afterAll } from 'vitest'
import { readConnection } from '../support/connection.ts'
import { transport } from './transport.ts'

const PATIENCE_MS = 5_000

export type Vsn = '1.0.0' | '2.0.0'
export const versions: Vsn[] = ['1.0.0', '2.0.0']

/** The running stack. */
export const stack = readConnection()
const secretsPath = join(dirname(process.env.OVATION_CONNECTION ?? ''), 'secrets.json')
// Tokens are signed here, so that one can be short-lived; the stack keeps the secret beside its address.
const { jwtSecret } = JSON.parse(readFileSync(secretsPath, 'utf8')) as { jwtSecret: string }

/** The database, as its superuser. */
export const sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => undefined })

/** The address of the socket, for frames that no client would send. */
export function socketUrl(vsn: string, apikey = stack.publishableKey): string {
  return `${stack.apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${encodeURIComponent(apikey)}&vsn=${vsn}`
}

/** One sign-in of somebody. */
type Session = { sessionId: string; token(secondsToLive?: number): Promise<string> }

/** Somebody with an account and a living session. */
export type Person = Session & { id: string; newSession(): Promise<Session> }

const people: string[] = []
const clients: SupabaseClient[] = []

afterAll(async () => {
  await Promise.all(clients.map((client) => client.removeAllChannels()))
  if (people.length > 0) await sql`delete from auth.users where id = any(${people}::uuid[])`
  await sql.end()
})

/** Makes an account and a session in the database; both are gone when the file is done. */
export async function createPerson(): Promise<Person> {
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
  people.push(id)
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
    .sign(new TextEncoder().encode(jwtSecret))
}

/** Two people who have written to each other: on the topic they share both may show that they are here. */
export async function createTalkers(): Promise<[Person, Person]> {
  const [one, other] = await Promise.all([createPerson(), createPerson()])
  await haveWritten(one, other)
  await haveWritten(other, one)
  return [one, other]
}

/** Makes somebody one who has written to the other before: nothing is told of it now, as of a message. */
export async function haveWritten(from: Person, to: Person): Promise<void> {
  const [low, high] = from.id < to.id ? [from.id, to.id] : [to.id, from.id]
  await sql`
    with thread as (insert into public.conversations as c (user_low, user_high) values (${low}, ${high})
                    on conflict (user_low, user_high) do update set last_seq = c.last_seq returning id)
    insert into public.conversation_members (user_id, other_id, conversation_id, has_written)
    select ${from.id}, ${to.id}, id, true from thread`
}

/** Sends a message. */
export async function write(from: Person, to: Person): Promise<void> {
  await sql`insert into public.messages (sender_id, receiver_id, content) values (${from.id}, ${to.id}, 'hello')`
}

/** The key of the operator's own programs, which every policy lets pass. */
export const operator = stack.secretKey

/** The private topic that two people share. */
export function conversationTopic(one: Person, other: Person): string {
  return `conversation:${[one.id, other.id].sort().join(':')}`
}

/** A supabase-js client whose token can be changed; without one it is a visitor. */
export type TestClient = { supabase: SupabaseClient; use(token: string): Promise<void> }

export async function connect(vsn: Vsn, token: string | null = null): Promise<TestClient> {
  let current = token
  const supabase = createClient(stack.apiUrl, stack.publishableKey, {
    realtime: { transport, vsn },
    accessToken: async () => current,
    auth: { persistSession: false },
  })
  clients.push(supabase)
  await supabase.realtime.setAuth()
  return {
    supabase,
    async use(next) {
      current = next
      await supabase.realtime.setAuth()
    },
  }
}

/** A list that grows, and can be waited on. */
export class Heard<T> {
  readonly all: T[] = []
  private readonly waiting = new Set<() => void>()

  readonly add = (item: T): void => {
    this.all.push(item)
    for (const wake of [...this.waiting]) wake()
  }

  /** The first item that fits, heard already or within the time. */
  async until(fits: (item: T) => boolean, timeoutMs = PATIENCE_MS): Promise<T> {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = this.all.find(fits)
      if (found !== undefined) return found
      await this.more(deadline - Date.now())
    }
  }

  /** Waits until `count` items were heard. */
  async count(count: number, timeoutMs = PATIENCE_MS): Promise<T[]> {
    const deadline = Date.now() + timeoutMs
    while (this.all.length < count) await this.more(deadline - Date.now())
    return this.all
  }

  private more(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer)
        this.waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(
        () => {
          this.waiting.delete(wake)
          reject(new Error(`waited in vain; heard ${JSON.stringify(this.all)}`))
        },
        Math.max(0, timeoutMs),
      )
      this.waiting.add(wake)
    })
  }
}

type Status = { status: string; error: string | undefined }
type Options = NonNullable<Parameters<SupabaseClient['channel']>[1]>['config']
type BroadcastMessage = { event: string; payload: unknown; meta?: { id: string } }

/** A channel with everything it hears. */
export type Listening = {
  channel: RealtimeChannel
  statuses: Heard<Status>
  broadcasts: Heard<BroadcastMessage>
  system: Heard<{ message: string; status: string }>
}

/** Subscribes, privately unless `config` says otherwise, and records; does not wait. */
export function listen(client: TestClient, topic: string, config: Options = {}): Listening {
  const channel = client.supabase.channel(topic, { config: { private: true, ...config } })
  const statuses = new Heard<Status>()
  const broadcasts = new Heard<BroadcastMessage>()
  const system = new Heard<{ message: string; status: string }>()
  channel.on('broadcast', { event: '*' }, (message) => broadcasts.add(message as unknown as BroadcastMessage))
  channel.on('system', {}, (message) => system.add(message))
  channel.subscribe((status, error) => statuses.add({ status, error: error?.message }))
  return { channel, statuses, broadcasts, system }
}

/** Subscribes, and waits until that is done. */
export async function subscribed(
  client: TestClient,
  topic: string,
  config: Options = {},
): Promise<Listening> {
  const listening = listen(client, topic, config)
  await listening.statuses.until(({ status }) => status === 'SUBSCRIBED')
  return listening
}

/** A topic that no other test uses, and nobody but an operator may. */
export function newTopic(): string {
  return `test:${randomUUID()}`
}

/** Sends from the database, as a trigger of the app would. */
export async function sendFromDatabase(
  topic: string,
  event: string,
  payload: postgres.JSONValue,
): Promise<void> {
  await sql`select realtime.send(${sql.json(payload)}, ${event}, ${topic}, true)`
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
