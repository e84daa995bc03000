import postgres from 'postgres'
import { setSuperuserPassword } from '../database/bootstrap.ts'
import { isWrongPassword } from '../database/client.ts'
import { killChild, readLines, stopChild } from '../shared/child-process.ts'
import { diskError, errorMessage, StartupError } from '../shared/errors.ts'
import { exists } from '../shared/files.ts'
import { watchHeartbeat } from '../shared/heartbeat.ts'
import type { Log } from '../shared/log.ts'
import type { Binaries } from './binaries.ts'
import { serverOptions } from './options.ts'
import { stopOrphanedServer } from './orphaned-server.ts'
import { commandAsUser, type ProcessUser } from './process-user.ts'

export interface ServerOptions {
  binaries: Binaries
  processUser: ProcessUser
  /** The cluster's directory, created by `initCluster`. */
  directory: string
  port: number
  /** The superuser's database URL. */
  url: string
  /** The superuser password that the database may still have if a key rotation was interrupted. */
  previousPassword: string | undefined
  log: Log
  /** Server settings in addition to those in `options.ts`. */
  settings?: Record<string, string>
  /** How long a heartbeat check may take. The default is 10 seconds. */
  heartbeatTimeoutMs?: number
  /** Called with a message for the operator when the server has exited and cannot be restarted. */
  onGiveUp?: (message: string) => void
}

/** How many times in a row the server is restarted if it never runs for longer than `stableAfterMs`. */
const maxRestarts = 5
const stableAfterMs = 60_000

/** PostgreSQL's SSLRequest message: its length and the request code. */
const sslRequest = new Uint8Array([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Runs PostgreSQL as a child process and restarts it when it exits or stops responding. */
export class PostgresServer {
  #child: Deno.ChildProcess | undefined
  #stopHeartbeat: () => void = () => undefined
  #stopping = false
  #restarts = 0
  /** The last five error messages. */
  #errors: string[] = []
  /** Resolves when the server's output has been read to the end. */
  #drained: Promise<void> = Promise.resolve()

  constructor(private readonly options: ServerOptions) {}

  /**
   * Starts the server and waits until it accepts queries. If crash recovery is needed, also waits for that to finish.
   *
   * @throws StartupError if the server cannot start, or the superuser's password is wrong
   */
  async start(): Promise<void> {
    const { directory, log } = this.options
    if (!(await exists(directory))) throw new StartupError(`the directory ${directory} does not exist.`)
    await stopOrphanedServer(directory, log)
    // Retries for a while, because the backends of a killed server need a moment to release its shared memory.
    for (let attempt = 0; ; attempt++) {
      const child = this.#spawn()
      const state = await Promise.race([
        this.#waitUntilReady(child),
        child.status.then(() => 'exited' as const),
      ])
      if (state === 'ready') {
        this.#watch(child)
        return
      }
      this.#child = undefined
      await this.#drained
      const errors = this.#errors.join(' ')
      if (this.#stopping) throw new StartupError('PostgreSQL was stopped while it was starting.')
      if (/no space left|read-only file system/i.test(errors))
        throw diskError('PostgreSQL cannot start', errors)
      if (attempt >= 40 || !/still in use|another postmaster|shared memory/i.test(errors)) {
        throw new StartupError(`PostgreSQL cannot start: ${this.#errors.at(-1) ?? 'it reported no error'}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /**
   * Stops the server with a fast shutdown: open transactions are rolled back, and committed data is flushed. If the
   * server is still running after `graceMs`, forces an immediate shutdown; the next start then runs crash recovery.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#stopHeartbeat()
    if (this.#child) await stopChild(this.#child, 'SIGINT', 'SIGQUIT', graceMs)
  }

  #spawn(): Deno.ChildProcess {
    const { binaries, processUser, directory, port, settings } = this.options
    this.#errors = []
    const args = ['-D', directory, ...serverOptions(port, settings)]
    const child = commandAsUser(processUser, binaries.postgres, args, {
      stdin: 'null',
      stdout: 'null',
      stderr: 'piped',
      env: { LC_ALL: 'C' },
      cwd: directory,
    }).spawn()
    this.#child = child
    this.#drained = this.#drain(child.stderr)
    return child
  }

  async #waitUntilReady(child: Deno.ChildProcess): Promise<'ready' | 'exited'> {
    while (this.#child === child) {
      const sql = postgres(this.options.url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
      try {
        await sql`select 1`
        return 'ready'
      } catch (error) {
        // The server does not check passwords until it accepts queries, so a wrong password means that it is ready.
        if (isWrongPassword(error)) {
          await setSuperuserPassword(this.options.url, this.options.previousPassword)
          return 'ready'
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        await sql.end({ timeout: 1 })
      }
    }
    return 'exited'
  }

  /**
   * Resolves if the server responds to a new connection. Sends only an SSLRequest, which the server answers with one
   * byte regardless of its state. Does not use the driver, which can throw an uncaught error when a connection is lost.
   */
  async #checkResponse(signal: AbortSignal): Promise<void> {
    const connection = await Deno.connect({ hostname: '127.0.0.1', port: this.options.port })
    const close = () => connection.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      await connection.write(sslRequest)
      if ((await connection.read(new Uint8Array(1))) === null) throw new Error('no response')
    } finally {
      signal.removeEventListener('abort', close)
      if (!signal.aborted) close()
    }
  }

  #watch(child: Deno.ChildProcess): void {
    const startedAt = Date.now()
    this.#stopHeartbeat = watchHeartbeat(
      (signal) => this.#checkResponse(signal),
      () => {
        this.options.log.error('process_hung', { name: 'postgres' })
        killChild(child, 'SIGKILL')
      },
      this.options.heartbeatTimeoutMs ?? 10_000,
    )
    void child.status.then(async ({ code, signal }) => {
      this.#stopHeartbeat()
      this.#child = undefined
      if (this.#stopping) return
      if (Date.now() - startedAt > stableAfterMs) this.#restarts = 0
      this.options.log.error('postgres_exited', { code, signal, restarts: this.#restarts < maxRestarts })
      if (this.#restarts++ >= maxRestarts) {
        this.options.onGiveUp?.(
          `PostgreSQL keeps failing${this.#errors.length ? `: ${this.#errors.at(-1)}` : '.'}`,
        )
        return
      }
      try {
        await this.start()
        this.options.log.info('postgres_restarted')
      } catch (error) {
        if (!this.#stopping)
          this.options.onGiveUp?.(`PostgreSQL could not be restarted: ${errorMessage(error)}`)
      }
    })
  }

  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const line of readLines(stream)) {
      // "2026-01-01 00:00:00.000 UTC [123] FATAL:  message"
      const match = line.match(/\b(FATAL|PANIC|ERROR|WARNING):\s+(.*)$/)
      const message = match?.[2]
      // While the server recovers, it reports "the database system is starting up" on every connection attempt.
      if (!match || !message || /the database system is/.test(message)) continue
      this.#errors = [...this.#errors.slice(-4), message]
      this.options.log.debug('postgres_error_logged', { severity: match[1], message })
    }
  }
}
