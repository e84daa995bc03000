import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deno, root } from '../../scripts/lib/paths.mjs'
import type { Connection } from './connection.ts'
import { killProcessTree, listDescendants } from './processes.ts'

/** A stack that a test starts for itself. */
export interface StackProcess {
  process: ChildProcess
  port: number
  dataDir: string
  /** Returns everything printed so far on stdout and stderr. */
  output: () => string
  /** Waits for the stack to write connection.json. Rejects if the process exits first, or after 2 minutes. */
  ready: () => Promise<Connection>
  /** Resolves to the exit code when the process ends. */
  ended: Promise<number | null>
}

export function createTempDir(): string {
  return mkdtempSync(join(tmpdir(), 'ovation-test-'))
}

/**
 * Starts the supervisor without the other steps of `npm start`. The supervisor exits when the test process exits.
 *
 * @param launcher a command, such as `env`, that replaces its process with the command given as its last arguments
 */
export function startStack(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  launcher: string[] = [],
): StackProcess {
  const command = [deno, 'run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'main.ts')]
  const [program = deno, ...args] = [...launcher, ...command]
  const child = spawn(program, args, spawnOptions(dataDir, port, { STACK_STARTER: 'pipe', ...env }))
  return watchStack(child, dataDir, port)
}

/** Starts a stack with `npm start`. The returned `process` is that of npm. */
export function startWithNpm(dataDir: string, port: number): StackProcess {
  return watchStack(spawn('npm', ['start'], spawnOptions(dataDir, port, {})), dataDir, port)
}

function spawnOptions(dataDir: string, port: number, env: Record<string, string>) {
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DEMO_DATA: 'off',
    NODE_ENV: '',
  }
  return {
    cwd: root,
    env: { ...process.env, ...settings, ...env },
    stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
  }
}

/** Watches the process of a stack that a test started without the functions above. */
export function watchStack(child: ChildProcess, dataDir: string, port: number): StackProcess {
  let output = ''
  const append = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const path = join(dataDir, 'connection.json')
  const ready = async (): Promise<Connection> => {
    const deadline = Date.now() + 120_000
    while (Date.now() < deadline) {
      if (hasEnded(child)) throw new Error(`The stack exited: ${output}`)
      // A killed stack leaves its connection.json behind until the next stack removes the file.
      const connection = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Connection) : undefined
      if (connection && isSameOrDescendant(child.pid ?? 0, connection.pid)) return connection
      await sleep(50)
    }
    throw new Error(`The stack did not start within 2 minutes: ${output}`)
  }
  return { process: child, port, dataDir, output: () => output, ready, ended }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function isSameOrDescendant(parent: number, pid: number): boolean {
  return pid === parent || listDescendants(parent).some((process) => process.pid === pid)
}

/** Kills every process of a stack, as a power failure would, and waits until its port is closed. */
export async function killStack(stack: StackProcess): Promise<void> {
  killProcessTree(stack.process.pid ?? 0)
  await stack.ended
  const deadline = Date.now() + 10_000
  while (await isPortOpen(stack.port)) {
    if (Date.now() > deadline) throw new Error(`Port ${stack.port} is still open.`)
    await sleep(50)
  }
}

function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const finish = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}

/** Stops the stack that a test started, if it is running, and deletes its data. */
export async function discardStack(stack: StackProcess | undefined, dataDir: string): Promise<void> {
  if (stack && !hasEnded(stack.process)) {
    stack.process.kill('SIGTERM')
    await stack.ended
  }
  rmSync(dataDir, { recursive: true, force: true })
}

/** Waits until a stack has refused to start, and returns its exit code and the lines it printed. */
export async function waitForStartupFailure(
  stack: StackProcess,
): Promise<{ code: number | null; lines: string[] }> {
  const code = await stack.ended
  return { code, lines: stack.output().trim().split('\n') }
}

/** Sends a request to a stack, and returns the response's status and, from its JSON body, `code` and `checks`. */
export async function sendTo(
  { apiUrl, publishableKey }: Connection,
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { apikey: publishableKey, 'content-type': 'application/json', ...headers },
    ...init,
  })
  const { code, checks } = await response.json()
  return { status: response.status, code, checks }
}

/** Retries `work` until it succeeds. @throws the last error after `timeoutMs` */
export async function eventually<Result>(work: () => Promise<Result>, timeoutMs = 60_000): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}
