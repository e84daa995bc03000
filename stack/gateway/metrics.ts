import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { bearerToken } from '../../supabase/functions/_shared/http/bearer-token.ts'
import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import type { CompletedRequest } from '../../supabase/functions/_shared/http/request-context.ts'
import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import { forbidden, notFound } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { hasLoopbackHost } from '../shared/loopback.ts'

/** What each metrics request reads: functions of the API, which runs in this process, and the number of sockets. */
type Sources = Pick<
  typeof import('../../supabase/functions/_shared/system/status.ts'),
  'readDatabaseStatus' | 'readLedgerImbalance' | 'readDisk' | 'readLastBackup'
> &
  Pick<typeof import('../../supabase/functions/_shared/system/health.ts'), 'checkHealth'> &
  Pick<typeof import('../../supabase/functions/_shared/db/pool.ts'), 'poolUse'> & {
    /** Returns how many sockets Realtime has open. */
    socketCount(): number
  }

interface Metrics {
  /** Records a request. */
  observe(request: CompletedRequest): void
  /** Returns the metrics to programs on this machine. */
  respondLocally(request: Request): Promise<Response>
  /** Returns the metrics to a client with the token; 404 for any other client, or if the settings contain no token. */
  respondToToken(request: Request): Promise<Response>
}

/** How long a metrics request waits for the database. Prometheus gives up after ten seconds. */
const readTimeoutMs = 3000
/** How long a metrics request waits for a check of the ledger. */
const ledgerWaitMs = 1000

/** Creates the metrics of this process in Prometheus' text format. `docs/reference/metrics.md` lists them. */
export function createMetrics(sources: Sources, token: string | null, log: Log): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'ovation_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'ovation_http_request_duration_seconds',
    help: 'Time until the response started, by route.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const gauges = createGauges(registry)

  const readDatabase = async (): Promise<void> => {
    const { database, statusRead } = gauges
    for (const each of Object.values(database)) each.reset()
    statusRead.set(0)
    const status = await withTimeout(
      sources.readDatabaseStatus(),
      readTimeoutMs,
      'The database did not respond in time',
    )
    statusRead.set(1)
    for (const { role, state, count } of status.connections) database.connections.set({ role, state }, count)
    database.maxConnections.set(status.maxConnections)
    database.notifyQueue.set(status.notifyQueue)
    for (const [name, length] of Object.entries(status.queues)) database.queue.set({ queue: name }, length)
    for (const { name: job, running, every, doneAt, seconds, failures } of status.jobs) {
      database.jobRunning.set({ job }, running ? 1 : 0)
      database.jobInterval.set({ job }, every)
      database.jobSuccess.set({ job }, doneAt === null ? 0 : Date.parse(doneAt) / 1000)
      if (seconds !== null) database.jobDuration.set({ job }, seconds)
      database.jobFailures.set({ job }, failures)
    }
  }

  // Checking a large ledger can take longer than a metrics request waits for it. The request then gets the previous
  // result.
  gauges.imbalance.set(Number.NaN)
  const readImbalance = async (): Promise<void> => {
    const reading = sources.readLedgerImbalance().then((cents) => gauges.imbalance.set(cents ?? Number.NaN))
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, ledgerWaitMs))])
  }

  const render = async (): Promise<string> => {
    const { size, inUse, waiting } = sources.poolUse()
    gauges.pool.set({ state: 'in_use' }, inUse)
    gauges.pool.set({ state: 'free' }, size - inUse)
    gauges.poolWaiting.set(waiting)
    gauges.sockets.set(sources.socketCount())
    gauges.memory.set(Deno.memoryUsage().rss)
    const results = await Promise.allSettled([
      readDatabase(),
      readImbalance(),
      sources.readDisk().then((disk) => {
        if (!disk) return
        gauges.diskFree.set(disk.freeBytes)
        gauges.diskSize.set(disk.totalBytes)
      }),
      sources.readLastBackup().then((backup) => {
        const seconds = backup?.lastAt ? Date.parse(backup.lastAt) / 1000 : 0
        gauges.lastBackup.set(backup ? seconds : Number.NaN)
      }),
      sources.checkHealth().then(({ checks }) => {
        for (const [part, result] of Object.entries(checks))
          gauges.health.set({ part }, result === 'ok' ? 1 : 0)
      }),
    ])
    for (const result of results) {
      if (result.status === 'rejected')
        log.warn('metrics_incomplete', { reason: errorMessage(result.reason) })
    }
    return await registry.metrics()
  }

  let rendering: Promise<string> | null = null
  const respond = async (): Promise<Response> => {
    // Simultaneous requests share one result: while one of them reads the database, the gauges are reset and
    // incomplete.
    rendering ??= render().finally(() => {
      rendering = null
    })
    return new Response(await rendering, { headers: { 'content-type': registry.contentType } })
  }

  return {
    observe({ method, route, status, ms }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, ms / 1000)
    },
    // Prevents DNS rebinding: a web page whose host name resolves to 127.0.0.1 must not read the metrics.
    respondLocally: async (request) => (hasLoopbackHost(request) ? await respond() : forbidden()),
    respondToToken: async (request) => {
      const given = bearerToken(request.headers.get('authorization')) ?? ''
      return token !== null && equalsInConstantTime(given, token) ? await respond() : notFound()
    },
  }
}

/** Creates the gauges, whose values are read for each metrics request. */
function createGauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `ovation_${name}`, help, labelNames, registers: [registry] })
  return {
    health: gauge('health', '1 if the part passes its health check, otherwise 0.', ['part']),
    statusRead: gauge('database_status_read', '1 if the metrics of the database could be read, otherwise 0.'),
    /** The gauges that are read from the database. */
    database: {
      connections: gauge('database_connections', 'Connections to the database.', ['role', 'state']),
      maxConnections: gauge('database_connections_max', 'Maximum number of connections to the database.'),
      notifyQueue: gauge(
        'database_notify_queue_ratio',
        "How full PostgreSQL's notification queue is, from 0 to 1.",
      ),
      queue: gauge('queue_length', 'Items that are due and have not been processed.', ['queue']),
      jobRunning: gauge('job_running', '1 while the job runs, otherwise 0.', ['job']),
      jobInterval: gauge('job_interval_seconds', 'Time between two runs of the job.', ['job']),
      jobSuccess: gauge('job_last_success_timestamp_seconds', 'End of the last successful run.', ['job']),
      jobDuration: gauge('job_last_duration_seconds', 'Duration of the last run that ended.', ['job']),
      jobFailures: gauge('job_consecutive_failures', 'Failed runs since the last successful one.', ['job']),
    },
    pool: gauge('database_pool_connections', 'Connections in the API pool.', ['state']),
    poolWaiting: gauge('database_pool_waiting', 'Calls waiting for a connection from the API pool.'),
    sockets: gauge('realtime_sockets', 'Open WebSockets.'),
    diskFree: gauge('disk_free_bytes', 'Free space on the disk with DATA_DIR.'),
    diskSize: gauge('disk_size_bytes', 'Size of the disk with DATA_DIR.'),
    lastBackup: gauge('last_backup_timestamp_seconds', 'End of the last successful backup.'),
    imbalance: gauge('ledger_imbalance_cents', 'Ledger imbalance in cents. Must be 0.'),
    memory: gauge('process_resident_memory_bytes', 'Memory of the gateway process.'),
  }
}
