import postgres from 'postgres'

export type Sql = postgres.Sql

/** Returns whether the server rejected the password of a connection. */
export function isWrongPassword(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '28P01'
}

/** Runs `work` on a short-lived connection as the superuser. Connecting times out after ten seconds. */
export async function withSuperuser<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
