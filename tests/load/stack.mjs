import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'

/**
 * @typedef {{ connectionFile: string, connection: { apiUrl: string, databaseUrl: string, jobsUrl: string,
 *   jobSecret: string, metricsUrl: string, publishableKey: string } }} Stack a running stack
 */

/**
 * Returns the secrets of a stack.
 *
 * @param {Pick<Stack, 'connectionFile'>} stack
 * @returns {{ jwtSecret: string, gatewayPassword: string }}
 */
export const readSecrets = ({ connectionFile }) =>
  JSON.parse(readFileSync(join(dirname(connectionFile), 'secrets.json'), 'utf8'))

/**
 * Runs `work` with a connection to a database, and closes the connection afterwards.
 *
 * @template Result
 * @param {string} databaseUrl
 * @param {(sql: postgres.Sql) => Promise<Result>} work
 */
export async function withSql(databaseUrl, work) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Returns the URL of a stack's Realtime socket. @param {{ apiUrl: string, publishableKey: string }} connection */
export const realtimeUrl = ({ apiUrl, publishableKey }) =>
  `${apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`
