import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import type { Connection } from './connection.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A stack that one test starts, kills and starts again, always at the same address and with the same data. */
export class OwnStack {
  readonly folder = mkdtempSync(join(tmpdir(), 'ovation-own-'))
  private child: ChildProcess | undefined
  private readonly env: Record<string, string>

  private constructor(port: number) {
    this.env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(this.folder, 'data'),
      DEMO_DATA: 'off',
      LOG_LEVEL: 'error',
    }
  }

  /** A stack at a free port, running and ready. */
  static async start(): Promise<OwnStack> {
    const stack = new OwnStack(await freePort())
    await stack.start()
    return stack
  }

  get connection(): Connection {
    return JSON.parse(readFileSync(join(this.folder, 'data', 'connection.json'), 'utf8')) as Connection
  }

  /** Starts it (again) and waits until it is ready. */
  async start(): Promise<void> {
    rmSync(join(this.folder, 'data', 'connection.json'), { force: true })
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: root,
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    })
    this.child = child
    const deadline = Date.now() + 120_000
    while (!existsSync(join(this.folder, 'data', 'connection.json'))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error('The stack did not become ready.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  /** Ends every process of it at once, as a power cut would. */
  kill(): void {
    if (this.child?.pid) process.kill(-this.child.pid, 'SIGKILL')
  }

  /** Ends it in order and removes its data. */
  async remove(): Promise<void> {
    const child = this.child
    if (child?.pid && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}
