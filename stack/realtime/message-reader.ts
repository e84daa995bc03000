/**
 * Reads the messages that the database sends, which are rows of `realtime.messages`. The table is the source of truth:
 * a read returns everything that has been committed since the previous read, by any writer, so a late read loses
 * nothing.
 *
 * Timestamps and sequence numbers do not identify the new rows, because transactions do not always commit in the order
 * in which they wrote. Snapshots do: a row is new if the previous read could not see its transaction. New rows are
 * sorted by sequence number. If one transaction waits for another, for example because both send a message to the same
 * conversation, the waiting one has the higher numbers, and a read that sees it also sees the other.
 */
import type postgres from 'postgres'
import {
  MESSAGE_COLUMNS,
  type MessageRow,
  PAYLOAD_COLUMN,
  type StoredMessage,
  toStoredMessage,
} from './stored-message.ts'

const BATCH = 500
/** Larger messages are read one by one, and only if their topic has members. */
const MAX_INLINE_BYTES = 8192

/** If there are no new messages, a read returns one row in which all columns except `snapshot` are null. */
type NewRow = { snapshot: string; sequence: string | null } & Omit<MessageRow, 'payload'> & {
    payload: string | null
  }

export class MessageReader {
  /** The snapshot of the previous read; null before the first read, and after a failed read or a lost connection. */
  private snapshot: string | null = null
  private running: Promise<void> | null = null
  private next: Promise<void> | null = null

  /**
   * @param hasMembers returns whether a topic has members
   * @param onMessage called with each message on a topic with members, in order
   * @param onLost called when a read fails or the connection is lost. Messages may then be lost, because the next read
   *   only takes a new snapshot. It cannot continue from the old one, because a database that has crashed may reuse the
   *   IDs of transactions that it lost.
   */
  constructor(
    private readonly sql: postgres.Sql,
    private readonly hasMembers: (topic: string) => boolean,
    private readonly onMessage: (message: StoredMessage) => void,
    private readonly onLost: (error: unknown) => void,
  ) {}

  /** Returns whether the last read succeeded and no connection has been lost since. */
  isHealthy(): boolean {
    return this.snapshot !== null
  }

  /** Must be called when a connection has been lost. A read in progress fails by itself. */
  connectionLost(): void {
    if (this.running || this.snapshot === null) return
    this.snapshot = null
    this.onLost(new Error('The connection was lost'))
  }

  /**
   * Passes on the messages that were committed since the previous read, including all that were committed before the
   * call. The first read, and the first after `onLost`, only takes a snapshot. Calls during a read share the next read.
   *
   * @throws Error when the database is not available
   */
  read(): Promise<void> {
    if (this.running) {
      const read = () => {
        this.next = null
        return this.read()
      }
      this.next ??= this.running.then(read, read)
      return this.next
    }
    this.running = this.readNew().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async readNew(): Promise<void> {
    const previous = this.snapshot
    try {
      this.snapshot = previous === null ? await this.readSnapshot() : await this.readSince(previous)
    } catch (error) {
      this.snapshot = null
      if (previous !== null) this.onLost(error)
      throw error
    }
  }

  private async readSnapshot(): Promise<string | null> {
    const [row] = await this.sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
    return row?.snapshot ?? null
  }

  /** Passes on the messages that were committed after a snapshot. Returns the snapshot of this read. */
  private async readSince(previous: string): Promise<string | null> {
    let current: string | null = null
    let sequence: string | null = '0'
    while (sequence !== null) {
      const rows: NewRow[] = await this.readBatch(previous, current, sequence)
      current ??= rows[0]?.snapshot ?? null
      for (const row of rows) if (row.sequence !== null) await this.passOn(row)
      sequence = rows.length === BATCH ? (rows.at(-1)?.sequence ?? null) : null
    }
    return current
  }

  /**
   * Returns the next rows in the order of their sequence numbers.
   *
   * @param current the snapshot of the first batch, or null in the first batch
   */
  private readBatch(previous: string, current: string | null, sequence: string): Promise<NewRow[]> {
    return this.sql<NewRow[]>`
      select read.snapshot::text as snapshot, found.*
      from (select pg_current_snapshot() as snapshot) read
      left join lateral (
        select sequence::text, id, topic, event,
               case when is_small then binary_payload end as bytes,
               case when is_small then ${this.sql.unsafe(PAYLOAD_COLUMN)} end as payload
        from (
          select m.*, coalesce(pg_column_size(payload), 0) + coalesce(pg_column_size(binary_payload), 0)
            <= ${MAX_INLINE_BYTES} as is_small
          from realtime.messages m
          where (transaction_id >= pg_snapshot_xmax(${previous}::text::pg_snapshot)
                 or transaction_id = any(array(select pg_snapshot_xip(${previous}::text::pg_snapshot))))
            and sequence > ${sequence}::text::bigint
            and pg_visible_in_snapshot(transaction_id, coalesce(${current}::text::pg_snapshot, pg_current_snapshot()))
            and extension = 'broadcast' and private and event is not null
          order by sequence limit ${BATCH}
        ) m
      ) found on true
      order by found.sequence::bigint`
  }

  private async passOn({ payload, ...row }: NewRow): Promise<void> {
    if (!this.hasMembers(row.topic)) return
    if (payload !== null) {
      this.onMessage(toStoredMessage({ ...row, payload }))
      return
    }
    const [large] = await this.sql<MessageRow[]>`
      select ${this.sql.unsafe(MESSAGE_COLUMNS)} from realtime.messages where id = ${row.id}`
    if (large) this.onMessage(toStoredMessage(large))
  }
}
