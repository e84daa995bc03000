// A load process that replays the feed's transaction directly on the database, on many connections in parallel.
import { serveLoadCommands } from './load-worker.mjs'
import { encodeExecute, encodeSimpleQuery, PostgresConnection } from './postgres-wire.mjs'

/**
 * @typedef {import('./query-recorder.mjs').Statement} Statement
 * @typedef {{ url: string, connections: number, batches: Statement[][][] }} Config `batches` has one list per caller
 */

serveLoadCommands(async (/** @type {Config} */ config) => {
  const names = new Map()
  for (const statement of config.batches.flat(2)) {
    if (statement.values && !names.has(statement.text)) names.set(statement.text, `s${names.size}`)
  }
  const encode = (/** @type {Statement} */ { text, values }) =>
    values ? encodeExecute(names.get(text), values) : encodeSimpleQuery(text)
  const callers = config.batches.map((batches) =>
    batches.map((batch) => ({ bytes: Buffer.concat(batch.map(encode)), readyCount: batch.length })),
  )
  const connections = await Promise.all(
    Array.from({ length: config.connections }, async () => {
      const connection = await PostgresConnection.open(config.url)
      for (const [text, name] of names) await connection.prepare(name, text)
      return connection
    }),
  )
  let next = 0
  return connections.map((connection) => async () => {
    const batches = callers[next++ % callers.length] ?? []
    for (const { bytes, readyCount } of batches) await connection.send(bytes, readyCount)
  })
})
