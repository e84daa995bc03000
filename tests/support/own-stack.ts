import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Connection } from './connection.ts'
import { descendants, killTree } from './processes.ts'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A stack that one test starts for itself. */
export interface Stack {
  process: ChildProcess
  port: number
  dataDir: string
  /** Everything printed so far, both streams. */
  output: () => string
  /** Resolves when connection.json is there; fails when the process ends before. */
  ready: () => Promise<Connection>
  /** The exit code. */
  ended: Promise<number | null>
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'ovation-test-'))
}

/** Starts the supervisor as `npm start` does, without the steps before it. It ends when the test's process does. */
export function startStack(dataDir: string, port: number, env: Record<string, string> = {}): Stack {
  const args = ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'main.ts')]
  const child = spawn(
    join(root, 'node_modules', 'deno', 'deno'),
    args,
    options(dataDir, port, { STACK_STARTER: 'pipe', ...env }),
  )
  return watch(child, dataDir, port)
}

/** Starts the whole of `npm start`. */
export function npmStart(dataDir: string, port: number): Stack {
  const args = [join(root, 'scripts', 'start.mjs')]
  return watch(spawn(process.execPath, args, options(dataDir, port, {})), dataDir, port)
}

function options(dataDir: string, port: number, env: Record<string, string>) {
  const own = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, DEMO_DATA: 'off', NODE_ENV: '' }
  return {
    cwd: root,
    env: { ...process.env, ...own, ...env },
    stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
  }
}

function watch(child: ChildProcess, dataDir: string, port: number): Stack {
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const path = join(dataDir, 'connection.json')
  const ready = async (): Promise<Connection> => {
    const until = Date.now() + 120_000
    while (Date.now() < until) {
      if (hasEnded(child)) throw new Error(`the stack ended: ${output}`)
      // A stack that was killed leaves its file behind until the next one clears it away.
      const connection = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Connection) : undefined
      if (connection && isBelow(child.pid ?? 0, connection.pid)) return connection
      await pause(50)
    }
    throw new Error(`the stack did not become ready: ${output}`)
  }
  return { process: child, port, dataDir, output: () => output, ready, ended }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function isBelow(parent: number, pid: number): boolean {
  return pid === parent || descendants(parent).some((process) => process.pid === pid)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Ends every process of a stack at once, as a power cut would; resolves when nobody answers at its port. */
export async function killStack(stack: Stack): Promise<void> {
  killTree(stack.process.pid ?? 0)
  await stack.ended
  const until = Date.now() + 10_000
  while (await answers(stack.port)) {
    if (Date.now() > until) throw new Error(`somebody still answers at port ${stack.port}`)
    await pause(50)
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}

/** Ends what a test started, however the test went, and removes its data. */
export async function discard(stack: Stack | undefined, dataDir: string): Promise<void> {
  if (stack && !hasEnded(stack.process)) {
    stack.process.kill('SIGTERM')
    await stack.ended
  }
  rmSync(dataDir, { recursive: true, force: true })
}
