import { Buffer } from 'node:buffer'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'

type PostgresOptions = NonNullable<Parameters<typeof createPostgresConnection>[0]['postgresOptions']>

/**
 * Creates lite's database connection.
 *
 * On its first request, lite would grant all privileges in every schema with row-level security to `anon`,
 * `authenticated` and `service_role`, overriding the migrations' grants. That step is replaced by a function that only
 * reports that row-level security is enabled. lite's database role could not grant anything anyway.
 *
 * @param options further options of the driver
 */
export function connectToDatabase(
  url: string,
  maxConnections: number,
  options: PostgresOptions = {},
): PostgresConnection {
  const connection = createPostgresConnection({
    url,
    postgresOptions: {
      max: maxConnections,
      connect_timeout: 10,
      // The driver must close neither old connections nor idle ones (`idle_timeout` is off by default): a call of
      // `reserve` that is waiting for such a connection would never settle (porsager/postgres#1195).
      max_lifetime: null,
      // In milliseconds. The Data API uses the timeout of the caller's role instead, if the role has one.
      connection: { statement_timeout: 8000 },
      onnotice: () => undefined,
      types: {
        json: { to: 114, from: [114], serialize: toJson, parse: JSON.parse },
        jsonb: { to: 3802, from: [3802], serialize: toJson, parse: JSON.parse },
        bytea: { to: 17, from: [17], serialize: toBytes, parse: fromBytes },
      },
      ...options,
    },
  })
  if (!('ensureRlsContext' in connection)) {
    throw new Error(
      'this version of @supabase/lite grants privileges in a different way: see lite-connection.ts',
    )
  }
  Object.defineProperty(connection, 'ensureRlsContext', { value: () => Promise.resolve(true) })
  return connection
}

/**
 * Makes the driver prepare the statements of lite's Auth. Otherwise, every execution would take two round trips, and
 * the statement would be planned each time. There are only a few different statements, because values are passed as
 * parameters.
 */
export function prepareStatements(driver: PostgresConnection['driver']): void {
  const reserve = driver.reserve.bind(driver)
  driver.reserve = async () => {
    const connection = await reserve()
    const run = connection.unsafe.bind(connection)
    connection.unsafe = (text, values, options) => run(text, values, { prepare: true, ...options })
    return connection
  }
}

/**
 * Serializes a JSON parameter. lite passes objects as JSON text, which its driver would encode again and store as one
 * JSON string: `raw_user_meta_data ->> 'username'` would then be null.
 */
function toJson(value: unknown): string {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    try {
      JSON.parse(value)
      return value
    } catch {
      // A plain string that begins like JSON.
    }
  }
  return JSON.stringify(value)
}

/** Serializes bytes. Clients send them in PostgreSQL's text format, which the driver would encode again. */
const toBytes = (value: string | Uint8Array): string =>
  typeof value === 'string' ? value : `\\x${Buffer.from(value).toString('hex')}`

const fromBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
