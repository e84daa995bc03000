import { setPriority } from 'node:os'
import { App } from '@supabase/lite'
import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import { badRequest, gatewayTimeout } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import { clientAddress, trackForwardedRequest } from '../shared/forwarded-request.ts'
import { hideDatabaseErrors, silenceConsole } from '../shared/lite-errors.ts'
import { guardLite } from '../shared/lite-guard.ts'
import { healthResponse, startLoopbackServer } from '../shared/loopback-server.ts'
import { exitIfStuck, setUpProcess } from '../shared/process-setup.ts'
import { replacePreviousKeys } from '../shared/service-keys.ts'
import { readSupabaseConfig } from '../shared/supabase-config.ts'
import { waitForDatabase } from '../shared/wait-for-database.ts'
import { Admission, admissionLimits } from './admission.ts'
import type { DataApiConfig } from './config.ts'
import { connectDataApi, lowPriority } from './connection.ts'
import { completeError, forceExactCount, replaceHeadAndRange } from './postgrest-compatibility.ts'
import type { SimpleRead } from './prepared-reads.ts'
import { currentRequest, type DataApiRequest } from './request.ts'

// Runs the Data API in its own process with its own connection pool, so that expensive queries do not slow down
// anything else. Its process and its database backends have a lower priority than the rest of the platform.
const { config, log, onStop } = setUpProcess<DataApiConfig>('data-api')
silenceConsole()
setPriority(lowPriority)

const { api } = await readSupabaseConfig(config.root)
const cores = navigator.hardwareConcurrency
const limits = admissionLimits(cores, config.cpuPercent)
await waitForDatabase(config.databaseUrl)
const { connection, reads, cancel, runPrepared, end } = await connectDataApi(
  config,
  // One more than the number of requests that can run at the same time, so that queries can be cancelled while the
  // other connections are busy.
  limits.running.visitor + limits.running.user + 1,
  api.max_rows,
  new Admission(limits, config.rateLimits),
  log,
)
const app = new App({
  connection,
  options: { server: { middlewares: [skipUserLookup] } },
  api: { schemas: ['public'], max_rows: api.max_rows },
  auth: {
    enabled: true,
    jwt_secret: config.jwtSecret,
    publishable_key: config.publishableKey,
    secret_key: config.secretKey,
  },
  db: { migrations: { enabled: false } },
})
await app.init()

/**
 * Prevents lite from reading the user and the session before each request. lite verifies the token anyway, and
 * `private.check_data_api_request` checks the session.
 */
async function skipUserLookup(
  context: { set: (name: string, value: unknown) => void },
  next: () => Promise<void>,
): Promise<void> {
  context.set('authService', { repo: { findUserById: () => null } })
  await next()
}

/** The maximum size of a response, in bytes. */
const maxResponseBytes = 5_000_000
const responseTooLarge = () => badRequest('The response is larger than 5 MB. Request fewer rows or columns.')

const malformedSelect = () =>
  Response.json(
    { code: 'PGRST100', message: 'failed to parse select parameter', details: 'Missing closing quote' },
    { status: 400 },
  )

/** PostgreSQL's code for a query that has taken too long or was cancelled. */
const queryCanceled = '57014'
/** The SQLSTATE that `private.check_data_api_request` raises if the caller's session has ended. */
const requestRefused = 'PGRST'

/** Handles one request. Cancels its query if the client disconnects. */
async function respond(request: Request, current: DataApiRequest): Promise<Response> {
  const onAbort = () =>
    void cancel(current).catch((error) => log.warn('cancel_failed', { reason: errorMessage(error) }))
  request.signal.addEventListener('abort', onAbort)
  try {
    // lite would commit the changes but report that it rolled them back.
    if (/\btx\s*=\s*rollback\b/i.test(request.headers.get('prefer') ?? '')) {
      return badRequest('rollback() is not supported. Nothing was changed.')
    }
    const read = await reads.find(request)
    const prepared = read ? await respondPrepared(read, request, current) : null
    if (prepared) return prepared
    const translated = replaceHeadAndRange(forceExactCount(await replacePreviousKeys(request, config)))
    const recorder = read ? reads.record(read) : null
    current.recording = recorder?.recording
    const response = await currentRequest.run(current, () => app.fetch(translated))
    if (current.rejection) return current.rejection
    if (response.status >= 500) return await toErrorResponse(response, request)
    const body = await response.arrayBuffer()
    if (body.byteLength > maxResponseBytes) return responseTooLarge()
    recorder?.save(response, body)
    return new Response(response.body === null || request.method === 'HEAD' ? null : body, response)
  } finally {
    request.signal.removeEventListener('abort', onAbort)
    leave(current)
  }
}

/** Releases the request's slots in `Admission`. Its backend can then run other queries, which must not be cancelled. */
function leave(current: DataApiRequest): void {
  current.backend = undefined
  current.leave?.()
  current.leave = undefined
}

/** Runs a read if it is prepared. Returns null if it is not, or if it fails with an error that lite has to report. */
async function respondPrepared(
  { prepared, ...read }: SimpleRead,
  request: Request,
  current: DataApiRequest,
): Promise<Response | null> {
  if (!prepared) return null
  try {
    const response = await runPrepared({ ...read, prepared }, current)
    const body = await response.arrayBuffer()
    return body.byteLength > maxResponseBytes ? responseTooLarge() : new Response(body, response)
  } catch (error) {
    if (request.signal.aborted) return gatewayTimeout()
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === queryCanceled) {
      log.warn('query_timed_out', { path: new URL(request.url).pathname })
      return gatewayTimeout()
    }
    // If the caller's session has ended, the prepared read is still valid.
    if (code !== requestRefused) reads.forget(read.key)
    leave(current)
    return null
  }
}

/** Returns the response to a query that failed in the database. */
async function toErrorResponse(response: Response, request: Request): Promise<Response> {
  const text = await response.clone().text()
  if (request.signal.aborted) return gatewayTimeout()
  const path = new URL(request.url).pathname
  if (/57014|canceling statement/.test(text)) {
    log.warn('query_timed_out', { path })
    return gatewayTimeout()
  }
  // lite reports this syntax error, unlike all others, as an internal error.
  if (/Missing closing quote at position \d+/.test(text)) return malformedSelect()
  const hidden = await hideDatabaseErrors(() => response, log)
  if (hidden.status >= 500) log.error('query_failed', { path, status: hidden.status })
  return hidden
}

/** Checks that a query runs. Bypasses the queue, so that callers cannot make the check fail by filling the queue. */
const checkHealth = (): Promise<Response> =>
  healthResponse('data-api', log, () =>
    connection.driver`select 1 from public.profiles limit 1`.finally(exitIfStuck(log)),
  )

const server = startLoopbackServer(config.port, log, (request, peer) => {
  const { pathname } = new URL(request.url)
  if (pathname === '/health') return new Response(null, { status: 204 })
  if (pathname === '/health/data-api') return checkHealth()
  return trackForwardedRequest(request, async ({ requestId }) => {
    const rejection = guardLite(request, ['/rest/v1'])
    if (rejection) return await completeError(rejection)
    const network = networkPrefix(clientAddress(request, peer, config.trustProxy + 1))
    return await completeError(await respond(request, { signal: request.signal, network, id: requestId }))
  })
})
log.info('server_started', { port: config.port })

onStop(async () => {
  await server.stop(2000)
  await end()
})
