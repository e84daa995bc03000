import { DatabaseUnavailableError, toDatabaseError } from '../../supabase/functions/_shared/db/errors.ts'
import { waitForStdinEnd } from './child-process.ts'
import { errorMessage } from './errors.ts'
import { createLog, type Log, type LogLevel } from './log.ts'

/** The environment variable in which the supervisor passes the configuration to a child process. */
export const processConfigVariable = 'STACK_PROCESS_CONFIG'

/** The exit code of a process that cannot handle the loss of a database connection. The supervisor restarts it. */
export const databaseLostExitCode = 75

/**
 * Returns whether an uncaught error is the one that the PostgreSQL driver throws outside of any call if a connection is
 * lost between two statements of a transaction. The connection cannot be used again.
 */
function isLostConnection(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /\(reading 'write'\)[\s\S]*\/postgres\//.test(`${error.message}\n${error.stack}`)
  )
}

const tickMs = 5000
/**
 * After how many ticks (30 seconds) a request's database connection counts as lost. Working connections respond sooner.
 * Ticks are counted, because a time limit would also expire while the machine is asleep.
 */
const stuckAfterTicks = 6

/**
 * Ends the process unless the returned function is called in time. If a connection is lost, the driver may never settle
 * the query on it, and the connection is then missing from the pool.
 */
export function exitIfStuck(log: Log): () => void {
  let ticks = 0
  const timer = setInterval(() => {
    ticks++
    if (ticks === stuckAfterTicks) exitToReconnect(log)
  }, tickMs)
  return () => clearInterval(timer)
}

/** Ends the process, because it cannot recover from a lost database connection. The supervisor restarts it. */
function exitToReconnect(log: Log): never {
  log.warn('database_connection_lost')
  Deno.exit(databaseLostExitCode)
}

/**
 * Sets up a child process of the supervisor: reads its configuration, makes it exit when the supervisor exits, and logs
 * uncaught errors. The configuration contains secrets, so its environment variable is deleted once it has been read.
 *
 * @returns `onStop` registers the function that runs before the process exits because of SIGTERM or because the
 *   supervisor has exited. Until `onStop` is called, the process counts as starting and exits on an unhandled rejection
 */
export function setUpProcess<Config extends { logLevel: LogLevel }>(
  name: string,
): { config: Config; log: Log; onStop: (stop: () => Promise<void>) => void } {
  const json = Deno.env.get(processConfigVariable)
  if (!json) {
    console.error('This program is started by the supervisor: run npm start.')
    Deno.exit(1)
  }
  Deno.env.delete(processConfigVariable)
  const config: Config = JSON.parse(json)
  const log = createLog(name, config.logLevel)

  let stopping: Promise<void> | undefined
  let isStarting = true
  let stop = (): Promise<void> => Promise.resolve()
  const exit = (): Promise<void> => {
    stopping ??= stop().catch((error) => log.warn('shutdown_failed', { reason: errorMessage(error) }))
    return stopping.then(() => Deno.exit(0))
  }

  Deno.addSignalListener('SIGTERM', () => void exit())
  // The supervisor keeps a pipe open on standard input for as long as it runs.
  void waitForStdinEnd().then(exit)

  globalThis.addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    if (isStarting && toDatabaseError(event.reason) instanceof DatabaseUnavailableError) exitToReconnect(log)
    log.error('rejection_unhandled', { reason: errorMessage(event.reason) })
    // Otherwise, the process would run without ever serving a request.
    if (isStarting) Deno.exit(1)
  })
  globalThis.addEventListener('error', (event) => {
    event.preventDefault()
    if (isLostConnection(event.error)) exitToReconnect(log)
    log.error('error_uncaught', { reason: errorMessage(event.error) })
    Deno.exit(1)
  })
  return {
    config,
    log,
    onStop: (handler) => {
      isStarting = false
      stop = handler
    },
  }
}
