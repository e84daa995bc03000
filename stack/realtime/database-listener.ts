/**
 * Receives what the database sends: messages, which are rows of `realtime.messages`, and notifications about deleted
 * sessions and accounts. New messages are read every POLL_EVERY_MS, and immediately when `wake` is called. Also deletes
 * rows older than 72 hours.
 */

import postgres from 'postgres'
import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import type { Log } from '../shared/log.ts'
import { MessageReader } from './message-reader.ts'
import type { StoredMessage } from './stored-message.ts'

/**
 * How often new messages are read if `wake` is not called. Limits the delay of messages that are sent without a call to
 * `wake`, for example from the studio.
 */
const POLL_EVERY_MS = 100
const CHECK_EVERY_MS = 20_000
const CHECK_TIMEOUT_MS = 5_000
const CLEANUP_EVERY_MS = 3_600_000
const CLEANUP_BATCH = 5_000
const COUNT_CHANNELS = `select count(*)::int as channels from pg_listening_channels() c where c = 'realtime_ended'`
const BACKOFF_MS = [50, 200, 500, 1_000, 2_000, 5_000]

export type DatabaseEvents = {
  /** Returns whether the topic has members. */
  hasMembers(topic: string): boolean
  /** Called with each message on a topic with members, in the order of the sequence numbers. */
  onMessage(message: StoredMessage): void
  /** Called when a session or account has been deleted. */
  onEnded(kind: 'session' | 'user', id: string): void
  /**
   * Called when messages or notifications may have been lost, because the database could not be read or the listening
   * connection was lost. Notifications sent while the connection is down are never received.
   */
  onMessagesLost(): void
}

type ListenOptions = postgres.Options<Record<string, never>> & {
  onnotify(channel: string, payload: string): void
}

/** Listens to the database until `close` is called, and reconnects when the connection is lost. */
export class DatabaseListener {
  private readonly readerSql: postgres.Sql
  private readonly reader: MessageReader
  private listener: postgres.Sql | null = null
  private listening = false
  private closed = false
  private failures = 0
  private readonly readyCallbacks = new Set<() => void>()
  private readonly timers: ReturnType<typeof setInterval>[] = []
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined
  private pollTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly databaseUrl: string,
    private readonly events: DatabaseEvents,
    private readonly log: Log,
  ) {
    this.readerSql = postgres(databaseUrl, {
      // One connection for reads, and one for deleting old messages.
      max: 2,
      connect_timeout: 5,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      onclose: () => this.reader.connectionLost(),
      // The planner does not know that few rows are new, and might scan the table.
      connection: { application_name: 'ovation realtime reader', enable_seqscan: 'off' },
    })
    this.reader = new MessageReader(this.readerSql, events.hasMembers, events.onMessage, (error) => {
      if (this.closed) return
      this.log.error('realtime_messages_lost', { error: String(error) })
      this.events.onMessagesLost()
    })
  }

  /**
   * Starts listening.
   *
   * @throws Error when the first connection fails, or the schema is missing
   */
  async start(): Promise<void> {
    await this.reader.read()
    await this.connect()
    this.schedulePoll()
    this.timers.push(setInterval(() => void this.checkListener(), CHECK_EVERY_MS))
    this.timers.push(setInterval(() => void this.deleteOldMessages(), CLEANUP_EVERY_MS))
    void this.deleteOldMessages()
  }

  /** Returns whether messages and notifications are being received. */
  isListening(): boolean {
    return this.listening && this.reader.isHealthy()
  }

  /** Reads new messages immediately. Call it after a transaction that may have sent some. */
  wake(): void {
    if (!this.closed) this.flush().catch(() => {})
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
   * Waits until the messages of all committed transactions have been passed to `onMessage`, or reported as lost.
   *
   * @throws Error when the database is not available
   */
  flush(): Promise<void> {
    return this.reader.read()
  }

  /** Stops listening and closes the connections. */
  async close(): Promise<void> {
    this.closed = true
    this.listening = false
    clearTimeout(this.reconnectTimer)
    clearTimeout(this.pollTimer)
    for (const timer of this.timers) clearInterval(timer)
    await Promise.allSettled([this.listener?.end({ timeout: 1 }), this.readerSql.end({ timeout: 1 })])
  }

  private schedulePoll(): void {
    this.pollTimer = setTimeout(async () => {
      await this.flush().catch(() => {})
      if (!this.closed) this.schedulePoll()
    }, POLL_EVERY_MS)
  }

  private async connect(): Promise<void> {
    // Every attempt uses a new client, because the previous one would silently reconnect without listening again.
    const options: ListenOptions = {
      max: 1,
      connect_timeout: 5,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'ovation realtime listener' },
      onnotify: (_channel, payload) => this.onNotification(payload),
      onclose: () => this.onClosed(sql),
    }
    const sql: postgres.Sql = postgres(this.databaseUrl, options)
    this.listener = sql
    try {
      await sql.unsafe('listen realtime_ended')
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
    this.events.onMessagesLost()
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
    try {
      const [row] = await withTimeout(sql.unsafe<{ channels: number }[]>(COUNT_CHANNELS), CHECK_TIMEOUT_MS)
      if (row?.channels !== 1) throw new Error('not listening')
    } catch {
      this.onClosed(sql)
    }
  }

  private onNotification(payload: string): void {
    const [kind, id = ''] = payload.split(' ')
    this.events.onEnded(kind === 'user' ? 'user' : 'session', id)
  }

  private async deleteOldMessages(): Promise<void> {
    try {
      let deleted = CLEANUP_BATCH
      while (deleted === CLEANUP_BATCH && !this.closed) {
        const result = await this.readerSql`
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
