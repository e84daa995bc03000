import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Connection } from '../support/connection.ts'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What the stack adds to connection.json for the supervisor's own use. */
export type StackConnection = Connection & { jobsUrl: string }

export interface Stack {
  process: ChildProcess
  port: number
  dataDir: string
  /** Everything printed so far, both streams. */
  output: () => string
  /** Resolves when connection.json is there; fails when the process ends before. */
  ready: () => Promise<StackConnection>
  /** The exit code. */
  ended: Promise<number | null>
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'ovation-test-'))
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts the supervisor as `npm start` does, without the steps before it. */
export function startStack(dataDir: string, port: number, env: Record<string, string> = {}): Stack {
  const args = ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'main.ts')]
  return watch(
    spawn(join(root, 'node_modules', 'deno', 'deno'), args, options(dataDir, port, env)),
    dataDir,
    port,
  )
}

/** Starts the whole of `npm start`. */
export function npmStart(dataDir: string, port: number): Stack {
  const args = [join(root, 'scripts', 'start.mjs')]
  return watch(spawn(process.execPath, args, options(dataDir, port, {})), dataDir, port)
}

function options(dataDir: string, port: number, env: Record<string, string>) {
  return {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO_DATA: 'off', NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
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
  const ready = async (): Promise<StackConnection> => {
    const until = Date.now() + 60_000
    while (Date.now() < until) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the stack ended: ${output}`)
      // A stack that was killed leaves its file behind until the next one clears it away.
      const connection = existsSync(path)
        ? (JSON.parse(readFileSync(path, 'utf8')) as StackConnection)
        : undefined
      if (connection && isBelow(child.pid ?? 0, connection.pid)) return connection
      await pause(50)
    }
    throw new Error(`the stack did not become ready: ${output}`)
  }
  return { process: child, port, dataDir, output: () => output, ready, ended }
}

function isBelow(parent: number, pid: number): boolean {
  return pid === parent || descendants(parent).some((process) => process.pid === pid)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Tries until it works, and fails with the last reason after `milliseconds`. */
export async function eventually<Result>(
  work: () => Promise<Result>,
  milliseconds = 20_000,
): Promise<Result> {
  const until = Date.now() + milliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > until) throw error
      await pause(50)
    }
  }
}

/** All processes below one, with the words they were started with. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .trim()
    .split('\n')
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .map((found) => ({ pid: Number(found?.[1]), parent: Number(found?.[2]), command: found?.[3] ?? '' }))
  const below = (parent: number): { pid: number; command: string }[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  return below(pid)
}

/** Whether a process runs; one that has ended and only waits to be counted does not. */
export function alive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    return !state.trim().startsWith('Z')
  } catch {
    return false
  }
}

/** Kills a process and everything below it, at once and without warning. */
export function killTree(pid: number): void {
  for (const each of [pid, ...descendants(pid).map((process) => process.pid)]) kill(each, 'SIGKILL')
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

/** Ends what a test started, however the test went, and removes its data. */
export async function discard(stack: Stack | undefined, dataDir: string): Promise<void> {
  if (stack && stack.process.exitCode === null && stack.process.signalCode === null) {
    stack.process.kill('SIGTERM')
    await stack.ended
  }
  rmSync(dataDir, { recursive: true, force: true })
}

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A request with exactly this path and these headers: `fetch` would tidy up both. */
export function raw(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}
