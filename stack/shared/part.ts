import { createLog, type Log, type LogLevel } from './log.ts'
import { messageOf } from './sentence.ts'

/**
 * What every child process of the supervisor does first: takes its configuration (handed over in one
 * variable that is then forgotten, so that nothing loaded later finds it in the environment), ends when the
 * supervisor is gone, and turns stray errors into log lines.
 *
 * @param stop called once at SIGTERM, or when the supervisor has died; the process ends after it
 */
export function enterPart<Config extends { logLevel: LogLevel }>(
  name: string,
): { config: Config; log: Log; onStop: (stop: () => Promise<void>) => void } {
  const handed = Deno.env.get('STACK_PART')
  if (!handed) {
    console.error('This is a part of the stack: start it with npm start.')
    Deno.exit(1)
  }
  Deno.env.delete('STACK_PART')
  const config: Config = JSON.parse(handed)
  const log = createLog(name, config.logLevel)

  let stopping: Promise<void> | undefined
  let stop = (): Promise<void> => Promise.resolve()
  const end = (): Promise<void> => {
    stopping ??= stop().catch((error) => log.warn('stopping was not clean', { reason: messageOf(error) }))
    return stopping.then(() => Deno.exit(0))
  }

  Deno.addSignalListener('SIGTERM', () => void end())
  void supervisorGone().then(end)

  globalThis.addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    log.error('unhandled rejection', { reason: messageOf(event.reason) })
  })
  globalThis.addEventListener('error', (event) => {
    event.preventDefault()
    log.error('unhandled error', { reason: messageOf(event.error) })
    Deno.exit(1)
  })
  return {
    config,
    log,
    onStop: (next) => {
      stop = next
    },
  }
}

/** Standard input is a pipe from the supervisor: its end means that the supervisor is gone, however it went. */
async function supervisorGone(): Promise<void> {
  const buffer = new Uint8Array(256)
  try {
    while ((await Deno.stdin.read(buffer)) !== null) {
      // Nothing is ever sent; only the end counts.
    }
  } catch {
    // A broken pipe is an end too.
  }
}
