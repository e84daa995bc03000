/**
 * @typedef {{ rate: number, median: number, p99: number, clientCpu: number }} Round a second; milliseconds; and the
 *   microseconds of processor time that the client itself spent on each
 */

/**
 * The part of a load process that does not depend on what it loads: it gets its configuration and then the order to
 * work for some seconds, as often as wanted, and answers each with a `Round`.
 *
 * @template Config
 * @param {(config: Config) => Promise<(() => Promise<void>)[]>} prepare answers one function for each connection,
 *   which does one piece of work
 */
export function answerOrders(prepare) {
  /** @type {(() => Promise<void>)[]} */
  let workers = []
  const say = (/** @type {object} */ answer) => process.send?.(answer)
  process.on('message', (/** @type {{ config?: Config, seconds?: number }} */ order) => {
    const work = order.config
      ? prepare(order.config).then((made) => {
          workers = made
          say({ ready: true })
        })
      : round(workers, order.seconds ?? 1).then(say)
    work.catch((error) => say({ failure: error instanceof Error ? error.message : String(error) }))
  })
  process.on('disconnect', () => process.exit(0))
}

/**
 * @param {(() => Promise<void>)[]} workers
 * @param {number} seconds
 * @returns {Promise<Round>}
 */
async function round(workers, seconds) {
  /** @type {number[]} */
  const times = []
  const cpu = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    workers.map(async (work) => {
      for (let now = performance.now(); now < end; ) {
        await work()
        const after = performance.now()
        times.push(after - now)
        now = after
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? 0
  return {
    rate: times.length / took,
    median: at(0.5),
    p99: at(0.99),
    clientCpu: (user + system) / times.length,
  }
}
