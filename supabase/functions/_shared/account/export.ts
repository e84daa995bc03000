import { z } from 'zod'
import { sql } from '../db/page.ts'
import { asService, asUser, type Sql } from '../db/run.ts'
import { env } from '../env.ts'
import { unauthorized } from '../http/errors.ts'
import { confirmSession } from '../http/live.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'
import { selectOwnUser } from '../users/queries.ts'
import { messagesOf, threads } from './conversations.ts'
import { records, sections } from './sections.ts'
import type { Source } from './sources.ts'

/** Items that are read, and lie in memory, at a time. */
const pageSize = 500

/**
 * Everything that the caller made or is known by, as one JSON object. It is read while it is sent, so that however much
 * there is, little of it lies in memory; its last field is `"complete":true`, and should a page of it fail on the way,
 * the answer breaks off before that.
 *
 * @throws ApiError 429 after 6 in an hour
 */
export async function exportAccount(
  caller: Caller,
): Promise<{ name: string; text: ReadableStream<Uint8Array> }> {
  const once = records(caller)
  const [, [own], [account], [notes], [sessions]] = await asUser(caller, (tx) => [
    tx`select private.take_export()`,
    selectOwnUser(tx, caller.userId),
    once.account(tx),
    once.notes(tx),
    once.sessions(tx),
  ])
  if (!own || !account || !notes || !sessions) throw unauthorized()
  const { username } = Named.parse(JSON.parse(own.item))
  const at = new Date().toISOString()
  const about = JSON.stringify({ site: env.publicUrl, app: env.appName, format: 1, exportedAt: at })
  const head =
    `{"about":${about},\n"profile":${own.item},\n"account":${account.item},\n` +
    `"notes":${notes.item},\n"sessions":${sessions.item}`
  return {
    name: `ovation-data-${username}-${at.slice(0, 10)}.json`,
    text: toStream(write(caller, head)),
  }
}

const Named = z.object({ username: z.string() })
const Thread = z.looseObject({ id: z.string() })

async function* write(caller: Caller, head: string): AsyncGenerator<string> {
  yield head
  for (const [name, source] of Object.entries(sections(caller))) {
    yield `,\n"${name}":[`
    yield* list(caller, source)
    yield ']'
  }
  yield ',\n"conversations":['
  let first = true
  for await (const page of pagesOf(caller, threads(caller))) {
    for (const thread of page) {
      // Its closing brace comes behind the messages.
      yield `${first ? '' : ','}\n${thread.slice(0, -1)},"messages":[`
      first = false
      yield* list(caller, messagesOf(caller, Thread.parse(JSON.parse(thread)).id))
      yield ']}'
    }
  }
  yield '],\n"complete":true}\n'
}

/** The items of a source, with commas between them. */
async function* list(caller: Caller, source: Source): AsyncGenerator<string> {
  let first = true
  for await (const page of pagesOf(caller, source)) {
    if (page.length === 0) continue
    yield `${first ? '' : ','}\n${page.join(',\n')}`
    first = false
  }
}

type Row = { item: string; key: string }

/** The items of a source, page by page. Each is read on its own, and only while the session lives. */
async function* pagesOf(caller: Caller, source: Source): AsyncGenerator<string[]> {
  for (let last: string | null = null; ; ) {
    const rows: Row[] = await readPage(caller, source, last)
    yield rows.map(({ item }) => item)
    last = rows.at(-1)?.key ?? null
    if (last === null || rows.length < pageSize) return
  }
}

async function readPage(caller: Caller, source: Source, last: string | null): Promise<Row[]> {
  const select = (tx: Sql) => tx<Row[]>`
    select (${source.item})::text as item, ${source.key} as key from ${source.from}
    ${last === null ? sql`` : sql`and ${source.after(last)}`}
    order by ${source.order} limit ${pageSize}::int`
  if (source.past === undefined) return await asUser(caller, select)
  await confirmSession(caller)
  return await asService(source.past, select)
}

/** Reads on only when what was read has been sent. An error breaks the answer off: nobody takes half of it for whole. */
function toStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          log('warn', 'export_broke_off', { kind: error instanceof Error ? error.name : undefined })
          controller.error(error)
        }
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 2 },
  )
}
