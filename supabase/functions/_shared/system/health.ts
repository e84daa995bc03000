import type { Health } from '../contract/config.ts'
import { env } from '../env.ts'
import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asAnon, asService } from '../http/run-as.ts'
import { withTimeout } from '../with-timeout.ts'
import { cached } from './cached.ts'

/** Time limit for each check. */
const timeoutMs = 2000
/** A result is reused for this long, so that many callers cause only one check a second. */
const cacheMs = 1000
/** The cache period and time limit for the database's test write. Both are longer, because writes wait for the disk. */
const writeCacheMs = 10_000
const writeTimeoutMs = 4000

type CheckResult = Health['checks'][keyof Health['checks']]

/** Checks whether the database, Auth, Storage, Realtime and the Data API work. */
export const checkHealth = cached(cacheMs, async (): Promise<Health> => {
  const [database, auth, storage, realtime, dataApi, failingJobs] = await Promise.all([
    toResult(checkDatabase()),
    toResult(requestHealth(env.health.auth)),
    toResult(requestHealth(env.health.storage)),
    toResult(requestHealth(env.health.realtime)),
    toResult(requestHealth(env.health.dataApi)),
    withTimeout(readFailingJobs(), timeoutMs).catch(() => []),
  ])
  const checks = { database, auth, storage, realtime, dataApi }
  return {
    status: Object.values(checks).every((check) => check === 'ok') ? 'ok' : 'failing',
    checks,
    ...(failingJobs.length > 0 ? { failingJobs } : {}),
  }
})

/** Returns the jobs whose last run failed. A failed job does not fail the health check, because the API still works. */
async function readFailingJobs(): Promise<string[]> {
  const rows = await asService((tx) => tx<{ name: string }[]>`select private.failing_jobs() as name`)
  return rows.map(({ name }) => name)
}

/** Checks that the database answers and can write, which it cannot if the disk is full. @throws Error */
async function checkDatabase() {
  await withTimeout(
    asAnon((tx) => tx`select 1`),
    timeoutMs,
  )
  await withTimeout(probeWrite(), writeTimeoutMs)
}

const probeWrite = cached(writeCacheMs, async () => {
  try {
    await asService((tx) => tx`select private.probe_write()`)
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined
    log('warn', 'health_check_failed', { service: 'database', code })
    throw error
  }
})

/** Checks a service's health endpoint. @throws Error if it does not respond with a 2xx status in time */
async function requestHealth(url: string) {
  const response = await fetch(url, {
    headers: { apikey: env.publishableKey },
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${response.status}`)
}

const toResult = (check: Promise<unknown>): Promise<CheckResult> =>
  check.then(
    () => 'ok',
    () => 'failing',
  )
