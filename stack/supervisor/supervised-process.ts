import { killChild, readLines, stopChild } from '../shared/child-process.ts'
import { watchHeartbeat } from '../shared/heartbeat.ts'
import { type Log, writeStderrLine } from '../shared/log.ts'
import { databaseLostExitCode, processConfigVariable } from '../shared/process-setup.ts'

/** If a process ran longer than this, its restarts are counted from zero again. */
const stableAfterMs = 60_000
/** The delay before each restart. If the process exits again after the last restart, `onGiveUp` is called. */
const restartDelaysMs = [100, 500, 1000, 2000, 4000]

/** How old an error may be to count as the reason why a process exited. */
const reasonMaxAgeMs = 10_000

export interface SupervisedProcessOptions {
  name: string
  /** The script that Deno runs. */
  script: string
  /** A URL at which the process answers any GET request while it is working. */
  heartbeatUrl: string
  /** How long a response may take. After three missed checks in a row, the process is restarted. */
  heartbeatTimeoutMs: number
  /** Read by the child with `setUpProcess`. */
  config: object
  env: Record<string, string>
  cwd: string
  log: Log
  /** Called once, with a message for the operator, when the process has exited too often. */
  onGiveUp: (message: string) => void
}

/** Runs a child process and restarts it when it exits or no longer responds. */
export class SupervisedProcess {
  #child: Deno.ChildProcess | undefined
  #stopHeartbeat: () => void = () => undefined
  #stopping = false
  #exits = 0
  #lastError = { text: '', at: 0 }

  constructor(private readonly options: SupervisedProcessOptions) {}

  start(): void {
    const { name, script, heartbeatUrl, heartbeatTimeoutMs, config, env, cwd, log, onGiveUp } = this.options
    const child = new Deno.Command(Deno.execPath(), {
      args: ['run', '--allow-all', '--no-lock', '--quiet', '--unstable-no-legacy-abort', script],
      cwd,
      env: { NO_COLOR: '1', ...env, [processConfigVariable]: JSON.stringify(config) },
      stdin: 'piped',
      stdout: 'null',
      stderr: 'piped',
      // Creates a process group, because Ctrl-C must reach only the supervisor, which stops the processes in reverse
      // start order.
      detached: true,
    }).spawn()
    this.#child = child
    this.#lastError = { text: '', at: 0 }
    const startedAt = Date.now()
    const drained = this.#drain(child.stderr)
    this.#stopHeartbeat = watchHeartbeat(
      async (signal) => await (await fetch(heartbeatUrl, { signal })).body?.cancel(),
      () => {
        log.error('process_hung', { name })
        // A suspended process (SIGSTOP) would not react to SIGTERM.
        killChild(child, 'SIGKILL')
      },
      heartbeatTimeoutMs,
    )
    void child.status.then(async ({ code, signal }) => {
      this.#stopHeartbeat()
      await drained
      this.#child = undefined
      if (this.#stopping) return
      if (Date.now() - startedAt > stableAfterMs) this.#exits = 0
      // A process that lost its database connection is not at fault, so its exit is not counted. After the restart,
      // it waits for the database.
      const delayMs = code === databaseLostExitCode ? restartDelaysMs[0] : restartDelaysMs[this.#exits++]
      const { text, at } = this.#lastError
      const reason = Date.now() - at < reasonMaxAgeMs ? text : undefined
      log.warn('process_exited', { name, code, signal, reason, restarts: delayMs !== undefined })
      if (delayMs === undefined) {
        onGiveUp(`The process "${name}" keeps failing${reason ? `: ${reason}` : '.'}`)
        return
      }
      setTimeout(() => {
        if (!this.#stopping) this.start()
      }, delayMs)
    })
  }

  /** Sends the process SIGTERM, and SIGKILL if it is still running after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#stopHeartbeat()
    if (this.#child) await stopChild(this.#child, 'SIGTERM', 'SIGKILL', graceMs)
  }

  /** Forwards log lines unchanged. Logs everything else (a library's output, a stack trace) at debug level. */
  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    const { name, log } = this.options
    for await (const line of readLines(stream)) {
      if (line.startsWith('{"time":')) {
        if (line.includes('"level":"error"')) this.#lastError = { text: summarize(line), at: Date.now() }
        writeStderrLine(line)
      } else if (line.trim() !== '') {
        const { text } = this.#lastError
        // A Rust panic prints its location on one line and its message on the next.
        const start = text.endsWith(':') ? `${text} ` : /^error|panicked at|^# ?fatal/i.test(line) ? '' : null
        if (start !== null) this.#lastError = { text: `${start}${line.trim()}`.slice(0, 300), at: Date.now() }
        log.debug('output_received', { from: name, line: line.slice(0, 500) })
      }
    }
  }
}

/** Returns the event and the reason in a log line, or an empty string if the line is not valid JSON. */
function summarize(line: string): string {
  try {
    const { event, reason }: { event?: string; reason?: string } = JSON.parse(line)
    return [event, reason].filter((part) => part).join(': ')
  } catch {
    return ''
  }
}
