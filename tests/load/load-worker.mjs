/**
 * @typedef {{ rate: number, count: number, medianMs: number, p99Ms: number, clientCpuMicros: number }} LoadResult `rate` is operations
 *   per second, `clientCpuMicros` the CPU time of the load process itself per operation
 */

/**
 * Runs the command loop of a load process. The parent sends the configuration once, then any number of commands that
 * each run the load for some seconds and are answered with a `LoadResult`.
 *
 * @template Config
 * @param {(config: Config) => Promise<(() => Promise<void>)[]>} prepare returns a function for each connection that
 *   runs one operation
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
 * Runs all workers for some seconds.
 *
 * @param {(() => Promise<void>)[]} workers
 * @param {number} seconds
 * @param {number} [maxOperations] ends the round early
 * @returns {Promise<LoadResult>}
 */
async function runRound(workers, seconds, maxOperations = Number.POSITIVE_INFINITY) {
  let started = 0
  /** @type {number[]} */
  const times = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  await Promise.all(
    workers.map(async (work) => {
      for (let now = performance.now(); now < end && started++ < maxOperations; ) {
        await work()
        const after = performance.now()
        times.push(after - now)
        now = after
      }
    }),
  )
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const quantile = (/** @type {number} */ fraction) => times[Math.floor(times.length * fraction)] ?? 0
  return {
    rate: times.length / elapsedSeconds,
    count: times.length,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    clientCpuMicros: (user + system) / times.length,
  }
}
