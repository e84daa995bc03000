// A process of its own: replays the feed's transaction straight on the database, with many connections at once.
import { answerOrders } from './orders.mjs'
import { Connection, execute, simple } from './postgres-wire.mjs'

/**
 * @typedef {import('./recorder.mjs').Statement} Statement
 * @typedef {{ url: string, connections: number, flights: Statement[][][] }} Config flights: one list for each caller
 */

answerOrders(async (/** @type {Config} */ config) => {
  const names = new Map()
  for (const statement of config.flights.flat(2)) {
    if (statement.values && !names.has(statement.text)) names.set(statement.text, `s${names.size}`)
  }
  const bytesOf = (/** @type {Statement} */ { text, values }) =>
    values ? execute(names.get(text), values) : simple(text)
  const callers = config.flights.map((flights) =>
    flights.map((flight) => ({ bytes: Buffer.concat(flight.map(bytesOf)), answers: flight.length })),
  )
  const connections = await Promise.all(
    Array.from({ length: config.connections }, async () => {
      const connection = await Connection.open(config.url)
      for (const [text, name] of names) await connection.prepare(name, text)
      return connection
    }),
  )
  let next = 0
  return connections.map((connection) => async () => {
    const flights = callers[next++ % callers.length] ?? []
    for (const { bytes, answers } of flights) await connection.send(bytes, answers)
  })
})
