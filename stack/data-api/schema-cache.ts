import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresConnection } from '@supabase/lite/postgres'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'

/** A table, column, foreign key or other object. `fk_def` is the definition of a foreign key. */
interface Entry {
  schema?: string
  fk_def?: string
}

/**
 * The lists that are filtered by schema. The list of types is not filtered, because a column can have a type from any
 * schema.
 */
const filteredLists = [
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

type Introspection = Partial<Record<(typeof filteredLists)[number], Entry[]>>

interface Hooks {
  introspect: (options: { useCache: boolean }) => Promise<{ tables: unknown[] }>
  writeCachedIntrospection: (introspection: Introspection, options: unknown) => Promise<void>
}

/**
 * Hides all schemas except `public` from lite, which looks up foreign keys and columns by table name alone: it would
 * confuse `public.messages` with `realtime.messages` and its partitions.
 *
 * @returns a function that reloads the schema; requests use the previous one until the new one is loaded
 */
export function exposeSchema(connection: PostgresConnection, exposed: string): () => Promise<void> {
  const hooks = connection as unknown as Hooks
  const { writeCachedIntrospection } = hooks
  if (typeof hooks.introspect !== 'function' || typeof writeCachedIntrospection !== 'function') {
    throw new Error('this version of @supabase/lite reads the schema in a different way: see schema-cache.ts')
  }
  hooks.writeCachedIntrospection = async (introspection, options) => {
    for (const list of filteredLists) {
      const entries = introspection[list]?.filter(
        (entry) => entry.schema === exposed && !refersToOtherSchema(entry),
      )
      // All callers of `introspect` share this object, so it is changed in place.
      if (entries) introspection[list] = entries
    }
    await writeCachedIntrospection.call(connection, introspection, options)
  }
  return async () => {
    // On failure, lite logs an error, keeps the previous schema and returns an empty one.
    const { tables } = await hooks.introspect({ useCache: false })
    if (tables.length === 0) throw new Error('the schema could not be read')
  }
}

/**
 * Returns whether a foreign key refers to a table in another schema. PostgreSQL qualifies the names of such tables,
 * because their schemas are not in the search path.
 */
const refersToOtherSchema = ({ fk_def = '' }: Entry): boolean =>
  /\bREFERENCES ("([^"]|"")+"|[^\s".(]+)\./.test(fk_def)

/** Reload requests within this time are combined, because a migration can send many. */
const debounceMs = 100
const retryMs = 1000

/**
 * Calls `reload` after each `notify pgrst`, as PostgREST does, and whenever a lost listening connection is restored,
 * because notifications may have been missed. Calls do not overlap, and a failed call is retried until it succeeds.
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
  // The driver calls the second callback whenever it starts to listen, including after a lost connection.
  await driver.listen('pgrst', request, () => {
    if (!isFirst) request()
    isFirst = false
  })
}
