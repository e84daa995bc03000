/**
 * Messages the database sends: a notification carries a row, or names one too large for it that is then read, and
 * hands it on. Also hears of deleted sessions and accounts, and clears rows past their 72 hours.
 */
import postgres from 'postgres'
import type { Log } from '../shared/log.ts'
import { readAnnouncement, type StoredMessage } from './announcement.ts'

const CHECK_EVERY_MS = 20_000
const CHECK_TIMEOUT_MS = 5_000
const CLEAN_EVERY_MS = 3_600_000
const CLEAN_BATCH = 5_000
const READ_BATCH = 200
const LISTENING = `select count(*)::int as heard from pg_listening_channels() c
  where c in ('realtime_messages', 'realtime_ended')`
const BACKOFF_MS = [50, 200, 500, 1_000, 2_000, 5_000]

export type FeedEvents = {
  /** Whether anybody listens on this topic. */
  wanted(topic: string): boolean
  /** A row, in the order the database announced it. */
  message(message: StoredMessage): void
  ended(kind: 'session' | 'user', id: string): void
  /** The connection that listens is gone: what is sent until it is back will never be announced. */
  lost(): void
}

type ListenOptions = postgres.Options<Record<string, never>> & {
  onnotify(channel: string, payload: string): void
}

/** Listens until closed; reconnects by itself. */
export class Feed {
  private readonly reader: postgres.Sql
  private listener: postgres.Sql | null = null
  private listening = false
  private closed = false
  private failures = 0
  /** What was announced behind a row that is being read; the id alone where it is to be read itself. */
  private waiting: (StoredMessage | string)[] = []
  private reading = false
  private readonly whenListening = new Set<() => void>()
  private readonly timers: ReturnType<typeof setInterval>[] = []
  private retry: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly databaseUrl: string,
    private readonly events: FeedEvents,
    private readonly log: Log,
  ) {
    this.reader = postgres(databaseUrl, {
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'ovation realtime reader' },
    })
  }

  /** Begins to listen. Throws when the database cannot be reached the first time, or lacks the schema. */
  async start(): Promise<void> {
    await this.reader`select id from realtime.messages limit 0`
    await this.connect()
    this.timers.push(setInterval(() => void this.checkListener(), CHECK_EVERY_MS))
    this.timers.push(setInterval(() => void this.clean(), CLEAN_EVERY_MS))
    void this.clean()
  }

  /** Whether messages are heard right now. */
  isListening(): boolean {
    return this.listening
  }

  /** Waits until messages are heard; false when that takes longer than `timeoutMs`. */
  ready(timeoutMs: number): Promise<boolean> {
    if (this.listening) return Promise.resolve(true)
    return new Promise((resolve) => {
      const heard = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.whenListening.delete(heard)
        resolve(false)
      }, timeoutMs)
      this.whenListening.add(heard)
    })
  }

  /** Stops listening and ends the connections. */
  async close(): Promise<void> {
    this.closed = true
    this.listening = false
    clearTimeout(this.retry)
    for (const timer of this.timers) clearInterval(timer)
    await Promise.allSettled([this.listener?.end({ timeout: 1 }), this.reader.end({ timeout: 1 })])
  }

  private async connect(): Promise<void> {
    // A client of its own for every attempt: a lost one cannot come back by itself, unheard.
    const options: ListenOptions = {
      max: 1,
      connect_timeout: 5,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'ovation realtime listener' },
      onnotify: (channel, payload) => this.heard(channel, payload),
      onclose: () => this.dropped(sql),
    }
    const sql: postgres.Sql = postgres(this.databaseUrl, options)
    this.listener = sql
    try {
      await sql.unsafe('listen realtime_messages; listen realtime_ended')
    } catch (error) {
      if (this.listener === sql) this.listener = null
      void sql.end({ timeout: 0 }).catch(() => {})
      throw error
    }
    if (this.closed || this.listener !== sql) return
    this.listening = true
    this.failures = 0
    for (const heard of this.whenListening) heard()
    this.whenListening.clear()
  }

  private dropped(sql: postgres.Sql): void {
    if (this.closed || this.listener !== sql || !this.listening) return
    this.listening = false
    this.listener = null
    void sql.end({ timeout: 0 }).catch(() => {})
    this.reconnect()
    this.log.warn('realtime: the listening connection is lost')
    this.events.lost()
  }

  private reconnect(): void {
    if (this.closed) return
    const delay = BACKOFF_MS[Math.min(this.failures, BACKOFF_MS.length - 1)]
    this.failures += 1
    this.retry = setTimeout(() => {
      this.connect().then(
        () => this.log.info('realtime: listening again'),
        () => this.reconnect(),
      )
    }, delay)
  }

  /** A connection can die without a word, or be another by now that listens to nothing: asks it what it hears. */
  private async checkListener(): Promise<void> {
    const sql = this.listener
    if (!sql || !this.listening) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS)
    })
    try {
      const [row] = await Promise.race([sql.unsafe<{ heard: number }[]>(LISTENING), late])
      if (row?.heard !== 2) throw new Error('it does not listen')
    } catch {
      this.dropped(sql)
    } finally {
      clearTimeout(timer)
    }
  }

  private heard(channel: string, payload: string): void {
    if (channel === 'realtime_ended') {
      const [kind, id = ''] = payload.split(' ')
      this.events.ended(kind === 'user' ? 'user' : 'session', id)
      return
    }
    const announced = readAnnouncement(payload)
    if (!announced || !this.events.wanted(announced.topic)) return
    if (announced.message && !this.reading) {
      this.events.message(announced.message)
      return
    }
    this.waiting.push(announced.message ?? announced.id)
    if (!this.reading) void this.readWaiting()
  }

  /** Reads what was announced, all that gathered meanwhile in one query, and keeps the order. */
  private async readWaiting(): Promise<void> {
    this.reading = true
    try {
      while (this.waiting.length > 0 && !this.closed) {
        await this.read(this.waiting.splice(0, READ_BATCH))
      }
    } catch (error) {
      // What could not be read is as lost as what was not heard.
      this.log.error('realtime: messages could not be read', { error: String(error) })
      this.waiting = []
      this.events.lost()
    } finally {
      this.reading = false
    }
  }

  private async read(announced: (StoredMessage | string)[]): Promise<void> {
    const ids = announced.filter((one) => typeof one === 'string')
    const byId = ids.length > 0 ? await this.select(ids) : new Map<string, StoredMessage>()
    for (const one of announced) {
      const message = typeof one === 'string' ? byId.get(one) : one
      if (message) this.events.message(message)
    }
  }

  private async select(ids: string[]): Promise<Map<string, StoredMessage>> {
    const rows = await this.reader<(Omit<StoredMessage, 'bytes'> & { bytes: Uint8Array | null })[]>`
      select id, topic, event, binary_payload as bytes,
        (case
          when jsonb_typeof(payload) = 'object' and not payload ? 'id'
            then payload || jsonb_build_object('id', id)
          else coalesce(payload, '{}')
        end)::text as payload
      from realtime.messages where id = any(${uuidArray(ids)}::uuid[])`
    return new Map(rows.map((row) => [row.id, { ...row, bytes: row.bytes && new Uint8Array(row.bytes) }]))
  }

  private async clean(): Promise<void> {
    try {
      let deleted = CLEAN_BATCH
      while (deleted === CLEAN_BATCH && !this.closed) {
        const result = await this.reader`
          delete from realtime.messages where (id, inserted_at) in (
            select id, inserted_at from realtime.messages
            where inserted_at < localtimestamp - interval '72 hours' limit ${CLEAN_BATCH})`
        deleted = result.count
      }
    } catch (error) {
      this.log.warn('realtime: old messages could not be deleted', { error: String(error) })
    }
  }
}

/** The array as PostgreSQL reads it, so that no connection has to learn its types first. */
function uuidArray(ids: string[]): string {
  return `{${ids.join(',')}}`
}
