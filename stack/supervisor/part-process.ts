import { endChild } from '../shared/child.ts'
import { linesOf } from '../shared/lines.ts'
import type { Log } from '../shared/log.ts'

/** How long a part must have run for its earlier deaths to be forgotten. */
const settled = 60_000
/** Pauses before each restart, in milliseconds; after the last one the stack gives up. */
const pauses = [100, 500, 1000, 2000, 4000]

export interface PartOptions {
  name: string
  /** The script that Deno runs. */
  script: string
  /** Handed over in STACK_PART; see `enterPart`. */
  config: Record<string, unknown>
  env: Record<string, string>
  cwd: string
  log: Log
  /** Called once, with one sentence, when the part has died too often. */
  onGiveUp: (sentence: string) => void
}

/** A child process that is started again when it dies. */
export class PartProcess {
  #child: Deno.ChildProcess | undefined
  #stopping = false
  #deaths = 0
  #lastLine = ''

  constructor(private readonly options: PartOptions) {}

  start(): void {
    const { name, script, config, env, cwd, log, onGiveUp } = this.options
    const child = new Deno.Command(Deno.execPath(), {
      args: ['run', '--allow-all', '--no-lock', '--quiet', '--unstable-no-legacy-abort', script],
      cwd,
      env: { ...env, STACK_PART: JSON.stringify(config) },
      stdin: 'piped',
      stdout: 'null',
      stderr: 'piped',
      // A group of its own: Ctrl-C is for the supervisor, which stops the parts in their order.
      detached: true,
    }).spawn()
    this.#child = child
    const started = Date.now()
    const drained = this.#drain(child.stderr)
    void child.status.then(async ({ code, signal }) => {
      await drained
      this.#child = undefined
      if (this.#stopping) return
      if (Date.now() - started > settled) this.#deaths = 0
      const pause = pauses[this.#deaths++]
      log.warn('a part ended', { name, code, signal, restarts: pause !== undefined })
      if (pause === undefined) {
        onGiveUp(`The ${name} part keeps failing${this.#lastLine ? `: ${this.#lastLine}` : '.'}`)
        return
      }
      setTimeout(() => {
        if (!this.#stopping) this.start()
      }, pause)
    })
  }

  /** Asks the part to end, and after `grace` milliseconds makes it. */
  async stop(grace: number): Promise<void> {
    this.#stopping = true
    if (this.#child) await endChild(this.#child, 'SIGTERM', 'SIGKILL', grace)
  }

  /** Log lines pass as they are; anything else (a library's words, a stack trace) only as debug output. */
  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    const { name, log } = this.options
    for await (const line of linesOf(stream)) {
      if (line.startsWith('{"time":')) {
        if (line.includes('"level":"error"')) this.#lastLine = reasonOf(line)
        passOn(line)
      } else if (line.trim() !== '') {
        if (/^error/i.test(line)) this.#lastLine = line.trim().slice(0, 200)
        log.debug('output', { of: name, line: line.slice(0, 500) })
      }
    }
  }
}

function reasonOf(line: string): string {
  try {
    const { message, reason }: { message?: string; reason?: string } = JSON.parse(line)
    return [message, reason].filter((word) => word).join(': ')
  } catch {
    return ''
  }
}

function passOn(line: string): void {
  try {
    Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`))
  } catch {
    // Nobody reads stderr any more.
  }
}
