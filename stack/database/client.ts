import postgres from 'postgres'

export type Sql = postgres.Sql

/** A short-lived connection of the superuser, for the steps of a start. Times out rather than hangs. */
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
