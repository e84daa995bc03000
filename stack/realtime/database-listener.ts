/**
 * Receives the messages that the database sends. A notification contains the message or, if the message is binary or
 * too large, only its id and topic; the row is then read. Also reports deleted sessions and accounts, and deletes rows
 * older than 72 hours.
 */
import postgres from 'postgres'
import type { Log } from '../shared/log.ts'
import { MESSAGE_COLUMNS, type MessageRow, type StoredMessage, toStoredMessage } from './stored-message.ts'

const CHECK_EVERY_MS = 20_000
const CHECK_TIMEOUT_MS = 5_000
const CLEANUP_EVERY_MS = 3_600_000
const CLEANUP_BATCH = 5_000
const READ_BATCH = 200
const COUNT_CHANNELS = `select count(*)::int as channels from pg_listening_channels() c
  where c in ('realtime_messages', 'realtime_ended')`
const BACKOFF_MS = [50, 200, 500, 1_000, 2_000, 5_000]

/** Before the id of a call of `flush`, in its notification. */
const flushPrefix = 'flush '

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A notification of a new row. If it does not contain the message, `message` is null and the row must be read. */
type MessageNotification = { id: string; topic: string; message: StoredMessage | null }

export type DatabaseEvents = {
  /** Returns whether the topic has members. */
  hasMembers(topic: string): boolean
  /** Called with each message on a topic with members, in the order of the notifications. */
  onMessage(message: StoredMessage): void
  /** Called when a session or account was deleted. */
  onEnded(kind: 'session' | 'user', id: string): void
  /**
   * Called when messages are lost, because rows could not be read or the listening connection was lost. Messages sent
   * while the connection is down are never received.
   */
  onMessagesLost(): void
}

type ListenOptions = postgres.Options<Record<string, never>> & {
  onnotify(channel: string, payload: string): void
}

/** Listens to the database until `close` is called, and reconnects when the connection is lost. */
export class DatabaseListener {
  private readonly reader: postgres.Sql
  private listener: postgres.Sql | null = null
  private listening = false
  private closed = false
  private failures = 0
  /**
   * Messages announced while a row is being read, in order; an id represents a row that has not been read yet, and a
   * function is called in its turn.
   */
  private pending: (StoredMessage | string | (() => void))[] = []
  private reading = false
  /** Calls of `flush` that wait for their notification, by its id. */
  private readonly flushes = new Map<string, () => void>()
  private readonly readyCallbacks = new Set<() => void>()
  private readonly timers: ReturnType<typeof setInterval>[] = []
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly databaseUrl: string,
    private readonly events: DatabaseEvents,
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

  /**
   * Starts listening.
   *
   * @throws Error when the first connection fails, or the schema is missing
   */
  async start(): Promise<void> {
    await this.reader`select id from realtime.messages limit 0`
    await this.connect()
    this.timers.push(setInterval(() => void this.checkListener(), CHECK_EVERY_MS))
    this.timers.push(setInterval(() => void this.deleteOldMessages(), CLEANUP_EVERY_MS))
    void this.deleteOldMessages()
  }

  /** Returns whether notifications are being received. */
  isListening(): boolean {
    return this.listening
  }

  /** Waits until notifications are being received. Returns false if that takes longer than `timeoutMs`. */
  ready(timeoutMs: number): Promise<boolean> {
    if (this.listening) return Promise.resolve(true)
    return new Promise((resolve) => {
      const onReady = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.readyCallbacks.delete(onReady)
        resolve(false)
      }, timeoutMs)
      this.readyCallbacks.add(onReady)
    })
  }

  /**
   * Waits until the messages of all transactions that have been committed are passed on, or lost. PostgreSQL delivers
   * notifications in the order of the commits.
   *
   * @throws Error when the database is not available
   */
  async flush(): Promise<void> {
    const id = crypto.randomUUID()
    const flushed = new Promise<void>((resolve) => this.flushes.set(id, resolve))
    try {
      await this.reader`select pg_notify('realtime_messages', ${flushPrefix + id})`
      if (this.listening) await flushed
    } finally {
      this.flushes.delete(id)
    }
  }

  /** Stops listening and closes the connections. */
  async close(): Promise<void> {
    this.closed = true
    this.listening = false
    clearTimeout(this.reconnectTimer)
    for (const timer of this.timers) clearInterval(timer)
    await Promise.allSettled([this.listener?.end({ timeout: 1 }), this.reader.end({ timeout: 1 })])
  }

  private async connect(): Promise<void> {
    // Every attempt uses a new client, because postgres.js would silently reconnect a lost one without listening again.
    const options: ListenOptions = {
      max: 1,
      connect_timeout: 5,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'ovation realtime listener' },
      onnotify: (channel, payload) => this.onNotification(channel, payload),
      onclose: () => this.onClosed(sql),
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
    for (const onReady of this.readyCallbacks) onReady()
    this.readyCallbacks.clear()
  }

  private onClosed(sql: postgres.Sql): void {
    if (this.closed || this.listener !== sql || !this.listening) return
    this.listening = false
    this.listener = null
    void sql.end({ timeout: 0 }).catch(() => {})
    this.reconnect()
    this.log.warn('realtime_listener_lost')
    this.loseMessages()
  }

  private reconnect(): void {
    if (this.closed) return
    const delayMs = BACKOFF_MS[Math.min(this.failures, BACKOFF_MS.length - 1)]
    this.failures += 1
    this.reconnectTimer = setTimeout(() => {
      this.connect().then(
        () => this.log.info('realtime_listener_restored'),
        () => this.reconnect(),
      )
    }, delayMs)
  }

  /** Checks that the connection is alive and listening. It can die silently, or reconnect without listening. */
  private async checkListener(): Promise<void> {
    const sql = this.listener
    if (!sql || !this.listening) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no response')), CHECK_TIMEOUT_MS)
    })
    try {
      const [row] = await Promise.race([sql.unsafe<{ channels: number }[]>(COUNT_CHANNELS), timeout])
      if (row?.channels !== 2) throw new Error('not listening')
    } catch {
      this.onClosed(sql)
    } finally {
      clearTimeout(timer)
    }
  }

  private onNotification(channel: string, payload: string): void {
    if (channel === 'realtime_ended') {
      const [kind, id = ''] = payload.split(' ')
      this.events.onEnded(kind === 'user' ? 'user' : 'session', id)
      return
    }
    if (payload.startsWith(flushPrefix)) {
      const onFlushed = this.flushes.get(payload.slice(flushPrefix.length))
      if (onFlushed && this.reading) this.pending.push(onFlushed)
      else onFlushed?.()
      return
    }
    const notification = parseNotification(payload)
    if (!notification || !this.events.hasMembers(notification.topic)) return
    if (notification.message && !this.reading) {
      this.events.onMessage(notification.message)
      return
    }
    this.pending.push(notification.message ?? notification.id)
    if (!this.reading) void this.deliverPending()
  }

  /** Delivers the pending messages in order. Rows that have accumulated are read in one query. */
  private async deliverPending(): Promise<void> {
    this.reading = true
    try {
      while (this.pending.length > 0 && !this.closed) {
        await this.deliver(this.pending.splice(0, READ_BATCH))
      }
    } catch (error) {
      // Messages that cannot be read are lost, just like those sent while the connection was down.
      this.log.error('realtime_messages_lost', { error: String(error) })
      this.pending = []
      this.loseMessages()
    } finally {
      this.reading = false
    }
  }

  private loseMessages(): void {
    for (const onFlushed of this.flushes.values()) onFlushed()
    this.events.onMessagesLost()
  }

  private async deliver(batch: typeof this.pending): Promise<void> {
    const ids = batch.filter((item) => typeof item === 'string')
    const byId = ids.length > 0 ? await this.readRows(ids) : new Map<string, StoredMessage>()
    for (const item of batch) {
      if (typeof item === 'function') {
        item()
        continue
      }
      const message = typeof item === 'string' ? byId.get(item) : item
      if (message) this.events.onMessage(message)
    }
  }

  private async readRows(ids: string[]): Promise<Map<string, StoredMessage>> {
    const rows = await this.reader<MessageRow[]>`
      select ${this.reader.unsafe(MESSAGE_COLUMNS)} from realtime.messages where id = any(${uuidArray(ids)}::uuid[])`
    return new Map(rows.map((row) => [row.id, toStoredMessage(row)]))
  }

  private async deleteOldMessages(): Promise<void> {
    try {
      let deleted = CLEANUP_BATCH
      while (deleted === CLEANUP_BATCH && !this.closed) {
        const result = await this.reader`
          delete from realtime.messages where (id, inserted_at) in (
            select id, inserted_at from realtime.messages
            where inserted_at < localtimestamp - interval '72 hours' limit ${CLEANUP_BATCH})`
        deleted = result.count
      }
    } catch (error) {
      this.log.warn('realtime_cleanup_failed', { error: String(error) })
    }
  }
}

/** Parses a notification from `realtime.notify_message()`. Returns null if it has another format. */
function parseNotification(text: string): MessageNotification | null {
  const first = text.indexOf('\n')
  const second = first < 0 ? -1 : text.indexOf('\n', first + 1)
  const head = first < 0 ? text : text.slice(0, first)
  const space = head.indexOf(' ')
  const id = head.slice(0, space)
  const topic = head.slice(space + 1)
  if (!UUID.test(id)) return null
  if (second < 0) return { id, topic, message: null }
  const [event, payload] = [text.slice(first + 1, second), text.slice(second + 1)]
  return { id, topic, message: { id, topic, event, payload, bytes: null } }
}

/** Returns an array literal: with `fetch_types` off, postgres.js cannot serialize arrays itself. */
function uuidArray(ids: string[]): string {
  return `{${ids.join(',')}}`
}
