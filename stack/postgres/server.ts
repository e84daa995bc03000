import postgres from 'postgres'
import { endChild } from '../shared/child.ts'
import { exists } from '../shared/durable.ts'
import { linesOf } from '../shared/lines.ts'
import type { Log } from '../shared/log.ts'
import { diskSentence, messageOf, Sentence } from '../shared/sentence.ts'
import type { Binaries } from './binaries.ts'
import { commandAs, type Identity } from './identity.ts'
import { endLeftover } from './leftover.ts'
import { serverOptions } from './options.ts'

export interface ServerOptions {
  binaries: Binaries
  identity: Identity
  /** The cluster's directory, made by `initialise`. */
  directory: string
  port: number
  /** How the superuser signs in. */
  url: string
  log: Log
  /** Called with one sentence when the server has died and could not be brought back. */
  onGiveUp: (sentence: string) => void
}

/** How often in a row a dead server is started again. */
const mostRestarts = 5

/** PostgreSQL as a child process that is brought back when it dies. */
export class PostgresServer {
  #child: Deno.ChildProcess | undefined
  #stopping = false
  #restarts = 0
  #words: string[] = []

  constructor(private readonly options: ServerOptions) {}

  /** Starts the server and waits until it takes queries; after a crash that includes its recovery. */
  async start(): Promise<void> {
    const { directory, log } = this.options
    if (!(await exists(directory))) throw new Sentence(`the folder ${directory} is gone.`)
    await endLeftover(directory, log)
    // Backends of a killed server need a moment to let go of its shared memory.
    for (let attempt = 0; ; attempt++) {
      const child = this.#spawn()
      const answer = await Promise.race([this.#answers(child), child.status.then(() => 'ended' as const)])
      if (answer === 'ready') {
        this.#watch(child)
        return
      }
      this.#child = undefined
      const words = this.#words.join(' ')
      if (this.#stopping) throw new Sentence('PostgreSQL was stopped while it started.')
      if (/no space left|read-only file system/i.test(words))
        throw diskSentence('PostgreSQL cannot start', words)
      if (attempt >= 40 || !/still in use|another postmaster|shared memory/i.test(words)) {
        throw new Sentence(`PostgreSQL does not start: ${this.#words.at(-1) ?? 'it gave no reason'}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** Fast shutdown: open transactions are rolled back, everything committed is written out. */
  async stop(grace: number): Promise<void> {
    this.#stopping = true
    if (this.#child) await endChild(this.#child, 'SIGINT', 'SIGQUIT', grace)
  }

  #spawn(): Deno.ChildProcess {
    const { binaries, identity, directory, port } = this.options
    this.#words = []
    const child = commandAs(identity, binaries.postgres, ['-D', directory, ...serverOptions(port)], {
      stdin: 'null',
      stdout: 'null',
      stderr: 'piped',
      env: { LC_ALL: 'C' },
      cwd: directory,
    }).spawn()
    this.#child = child
    void this.#drain(child.stderr)
    return child
  }

  async #answers(child: Deno.ChildProcess): Promise<'ready' | 'ended'> {
    while (this.#child === child) {
      const sql = postgres(this.options.url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
      try {
        await sql`select 1`
        return 'ready'
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        await sql.end({ timeout: 1 })
      }
    }
    return 'ended'
  }

  #watch(child: Deno.ChildProcess): void {
    const started = Date.now()
    void child.status.then(async ({ code, signal }) => {
      this.#child = undefined
      if (this.#stopping) return
      if (Date.now() - started > 60_000) this.#restarts = 0
      this.options.log.error('PostgreSQL ended', { code, signal, restarts: this.#restarts < mostRestarts })
      if (this.#restarts++ >= mostRestarts) {
        this.options.onGiveUp(
          `PostgreSQL keeps ending${this.#words.length ? `: ${this.#words.at(-1)}` : '.'}`,
        )
        return
      }
      try {
        await this.start()
        this.options.log.info('PostgreSQL is back')
      } catch (error) {
        if (!this.#stopping)
          this.options.onGiveUp(`PostgreSQL could not be brought back: ${messageOf(error)}`)
      }
    })
  }

  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const line of linesOf(stream)) {
      // "2026-01-01 00:00:00.000 UTC [123] FATAL:  words"
      const found = line.match(/\b(FATAL|PANIC|ERROR|WARNING):\s+(.*)$/)
      const words = found?.[2]
      // While it recovers it says so at every knock.
      if (!found || !words || /the database system is/.test(words)) continue
      this.#words = [...this.#words.slice(-4), words]
      this.options.log.debug('PostgreSQL', { severity: found[1], words })
    }
  }
}
