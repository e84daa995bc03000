import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresConnection } from '@supabase/lite/postgres'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'

/** A table, column, foreign key or another part of the database. `fk_def` is the definition of a foreign key. */
interface Entry {
  schema?: string
  fk_def?: string
}

/** The lists whose entries belong to a schema, without the types: a column can have a type of any schema. */
const listsOfSchema = [
  'tables',
  'views',
  'columns',
  'indexes',
  'foreign_keys',
  'primary_keys',
  'unique_constraints',
  'check_constraints',
  'functions',
  'comments',
  'partitions',
] as const

type Introspection = Partial<Record<(typeof listsOfSchema)[number], Entry[]>>

interface Hooks {
  introspect: (options: { useCache: boolean }) => Promise<{ tables: unknown[] }>
  writeCachedIntrospection: (introspection: Introspection, options: unknown) => Promise<void>
}

/**
 * Hides all other schemas from lite. It finds foreign keys and columns by the name of the table alone, so that
 * `public.messages` and `realtime.messages` would be the same table to it, and an embedded table a list of partitions.
 *
 * @returns a function that reads the schema again; requests use the previous one until it has been read
 */
export function exposeSchema(connection: PostgresConnection, exposed: string): () => Promise<void> {
  const hooks = connection as unknown as Hooks
  const { writeCachedIntrospection } = hooks
  if (typeof hooks.introspect !== 'function' || typeof writeCachedIntrospection !== 'function') {
    throw new Error('this version of @supabase/lite reads the schema in another way: see schema-cache.ts')
  }
  hooks.writeCachedIntrospection = async (introspection, options) => {
    for (const list of listsOfSchema) {
      const entries = introspection[list]?.filter(
        (entry) => entry.schema === exposed && !refersElsewhere(entry),
      )
      // The callers of `introspect` get the same object, so it is changed in place.
      if (entries) introspection[list] = entries
    }
    await writeCachedIntrospection.call(connection, introspection, options)
  }
  return async () => {
    // lite logs an error, keeps the previous schema and returns an empty one.
    const { tables } = await hooks.introspect({ useCache: false })
    if (tables.length === 0) throw new Error('the schema could not be read')
  }
}

/**
 * Returns whether a foreign key refers to a table of another schema. PostgreSQL writes the names of such tables with their
 * schema, because only `public` is in the search path.
 */
const refersElsewhere = ({ fk_def = '' }: Entry): boolean =>
  /\bREFERENCES ("([^"]|"")+"|[^\s".(]+)\./.test(fk_def)

/** Milliseconds in which further requests to reload are combined, because a migration can send many. */
const debounceMs = 100
const retryMs = 1000

/**
 * Calls `reload` after each `notify pgrst`, as PostgREST does, and whenever the connection that listens was lost, because
 * notifications may have been missed. One call runs at a time, and is repeated until it succeeds.
 */
export async function reloadOnNotify(
  driver: PostgresConnection['driver'],
  reload: () => Promise<void>,
  log: Log,
): Promise<void> {
  let isRequested = false
  let isRunning = false
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    while (isRequested) {
      await delay(debounceMs)
      isRequested = false
      try {
        await reload()
        log.info('schema_reloaded')
      } catch (error) {
        log.warn('schema_reload_failed', { reason: errorMessage(error) })
        isRequested = true
        await delay(retryMs)
      }
    }
    isRunning = false
  }
  const request = (): void => {
    isRequested = true
    void run()
  }
  let isFirst = true
  // The driver listens again after a lost connection, and then calls the last function.
  await driver.listen('pgrst', request, () => {
    if (!isFirst) request()
    isFirst = false
  })
}
