import postgres from 'postgres'

export type Sql = postgres.Sql

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
