import { median, quantile } from './report.mjs'

/**
 * @typedef {{ rate: number, count: number, medianMs: number, p99Ms: number, clientCpuMicros: number }} LoadResult
 *   `rate` is in operations per second; `clientCpuMicros` is the CPU time that the load process itself needs per
 *   operation
 */

/** A round fails if its failures exceed this share of its successful operations. */
const maxFailureShare = 0.05

/**
 * Runs the command loop of a load process. The parent sends the configuration once, then any number of commands. For
 * each command, the process runs the load for the given time and replies with a `LoadResult`.
 *
 * @template Config
 * @param {(config: Config) => Promise<(() => Promise<void>)[]>} prepare returns one function per connection, which
 *   runs one operation each time it is called
 */
export function serveLoadCommands(prepare) {
  /** @type {(() => Promise<void>)[]} */
  let workers = []
  const reply = (/** @type {object} */ message) => process.send?.(message)
  process.on(
    'message',
    (/** @type {{ config?: Config, seconds?: number, maxOperations?: number }} */ command) => {
      const work = command.config
        ? prepare(command.config).then((prepared) => {
            workers = prepared
            reply({ ready: true })
          })
        : runRound(workers, command.seconds ?? 1, command.maxOperations).then(reply)
      work.catch((error) => reply({ failure: error instanceof Error ? error.message : String(error) }))
    },
  )
  process.on('disconnect', () => process.exit(0))
}

/**
 * Runs all workers for the given time.
 *
 * @param {(() => Promise<void>)[]} workers
 * @param {number} seconds
 * @param {number} [maxOperations] ends the round early after this many operations
 * @returns {Promise<LoadResult>}
 */
async function runRound(workers, seconds, maxOperations = Number.POSITIVE_INFINITY) {
  let started = 0
  /** @type {number[]} */
  const times = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  let failures = 0
  /** @type {unknown} */
  let lastError
  await Promise.all(
    workers.map(async (work) => {
      while (performance.now() < end && started++ < maxOperations) {
        const startedWork = performance.now()
        try {
          await work()
          times.push(performance.now() - startedWork)
        } catch (error) {
          failures += 1
          lastError = error
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    }),
  )
  // Tolerates a few failures, because requests can time out on a busy machine.
  if (failures > times.length * maxFailureShare) throw lastError
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate: times.length / elapsedSeconds,
    count: times.length,
    medianMs: median(times),
    p99Ms: quantile(times, 0.99),
    clientCpuMicros: (user + system) / times.length,
  }
}
