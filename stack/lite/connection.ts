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
    postgresOptions: { max: 12, idle_timeout: 60, connect_timeout: 10, onnotice: () => undefined },
  })
  if (!('ensureRlsContext' in connection)) {
    throw new Error('this version of @supabase/lite grants rights in another way: look at connection.ts')
  }
  Object.defineProperty(connection, 'ensureRlsContext', { value: () => Promise.resolve(true) })
  return connection
}
