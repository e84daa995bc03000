import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'

/**
 * lite's way to the database.
 *
 * On its first request lite would grant everything in every schema that uses row-level security to `anon`,
 * `authenticated` and `service_role`, and so undo what the migrations grant. It must not: the step is
 * replaced by its answer ("policies are in force"). The role it signs in as could not grant anyway.
 */
export function connect(url: string): PostgresConnection {
  const connection = createPostgresConnection({
    url,
    postgresOptions: {
      max: 12,
      idle_timeout: 60,
      connect_timeout: 10,
      // Milliseconds, as hosted projects allow signed-in people: what takes longer is given up, and the database free again.
      connection: { statement_timeout: 8000 },
      onnotice: () => undefined,
      types: {
        json: { to: 114, from: [114], serialize: toJson, parse: JSON.parse },
        jsonb: { to: 3802, from: [3802], serialize: toJson, parse: JSON.parse },
      },
    },
  })
  if (!('ensureRlsContext' in connection)) {
    throw new Error('this version of @supabase/lite grants rights in another way: look at connection.ts')
  }
  Object.defineProperty(connection, 'ensureRlsContext', { value: () => Promise.resolve(true) })
  return connection
}

/**
 * lite hands objects over as JSON already, which its driver would then store as one JSON string:
 * `raw_user_meta_data ->> 'username'` would be null, where Supabase has the name.
 */
function toJson(value: unknown): string {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    try {
      JSON.parse(value)
      return value
    } catch {
      // A text that only begins like JSON.
    }
  }
  return JSON.stringify(value)
}
