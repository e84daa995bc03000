import { z } from 'zod'
import { type Sql, sql } from '../db/sql.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { unauthorized } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService, asUser, requireSession } from '../http/run-as.ts'
import { selectOwnUser } from '../users/queries.ts'
import { conversations, exportSections, messagesIn, singleRecords } from './export-queries.ts'
import type { ExportSource } from './export-sources.ts'

/** The number of items that are read at a time. */
const pageSize = 500

/**
 * Exports the data that the caller created and the data that is stored about them, as one JSON object. Most of the data
 * is streamed, so memory use stays low. The last field is `"complete":true`; if reading fails, the response is aborted
 * before that field.
 *
 * @throws ApiError 401; 403 for an access token; 429 after 6 exports in an hour
 */
export async function exportAccount(
  caller: Caller,
): Promise<{ fileName: string; stream: ReadableStream<Uint8Array> }> {
  const selects = singleRecords(caller)
  const [, [own], [account], [notes], [sessions]] = await asUser(caller, (tx) => [
    tx`select private.consume_export_limit()`,
    selectOwnUser(tx, caller.userId),
    selects.account(tx),
    selects.notes(tx),
    selects.sessions(tx),
  ])
  if (!own || !account || !notes || !sessions) throw unauthorized()
  const { username } = Username.parse(JSON.parse(own.item))
  const exportedAt = new Date().toISOString()
  const about = JSON.stringify({ site: env.publicUrl, app: env.appName, format: 1, exportedAt })
  const head =
    `{"about":${about},\n"profile":${own.item},\n"account":${account.item},\n` +
    `"notes":${notes.item},\n"sessions":${sessions.item}`
  return {
    fileName: `ovation-data-${username}-${exportedAt.slice(0, 10)}.json`,
    stream: toStream(writeExport(caller, head)),
  }
}

const Username = z.object({ username: z.string() })
const Conversation = z.looseObject({ id: z.string() })

async function* writeExport(caller: Caller, head: string): AsyncGenerator<string> {
  yield head
  for (const [name, source] of Object.entries(exportSections(caller))) {
    yield `,\n"${name}":[`
    yield* writeItems(caller, source)
    yield ']'
  }
  yield ',\n"conversations":['
  let isFirst = true
  for await (const page of readPages(caller, conversations(caller))) {
    for (const conversation of page) {
      // The messages are inserted before the closing brace.
      yield `${isFirst ? '' : ','}\n${conversation.slice(0, -1)},"messages":[`
      isFirst = false
      yield* writeItems(caller, messagesIn(caller, Conversation.parse(JSON.parse(conversation)).id))
      yield ']}'
    }
  }
  yield '],\n"complete":true}\n'
}

/** Yields the items of a source as JSON text, separated by commas. */
async function* writeItems(caller: Caller, source: ExportSource): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of readPages(caller, source)) {
    if (page.length === 0) continue
    yield `${isFirst ? '' : ','}\n${page.join(',\n')}`
    isFirst = false
  }
}

type Row = { item: string; key: string }

/** Reads the items of a source, one page at a time. Every page requires an active session. */
async function* readPages(caller: Caller, source: ExportSource): AsyncGenerator<string[]> {
  for (let lastKey: string | null = null; ; ) {
    const rows: Row[] = await readPage(caller, source, lastKey)
    yield rows.map(({ item }) => item)
    lastKey = rows.at(-1)?.key ?? null
    if (lastKey === null || rows.length < pageSize) return
  }
}

async function readPage(caller: Caller, source: ExportSource, lastKey: string | null): Promise<Row[]> {
  const select = (tx: Sql) => tx<Row[]>`
    select (${source.item})::text as item, ${source.key} as key from ${source.from}
    ${lastKey === null ? sql`` : sql`and ${source.after(lastKey)}`}
    order by ${source.order} limit ${pageSize}::int`
  if (!source.bypassesPolicies) return await asUser(caller, select)
  await requireSession(caller)
  return await asService(select)
}

/**
 * Turns chunks of text into a stream that reads the next chunk only on demand. An error aborts the response, so that
 * nobody mistakes a partial export for a complete one.
 */
function toStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          log('warn', 'export_failed', { kind: error instanceof Error ? error.name : undefined })
          controller.error(error)
        }
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 2 },
  )
}
