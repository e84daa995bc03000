import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { secrets, stack } from './stack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A function in a process of its own, with other settings, on the database and Auth of the running stack. */
export type OwnApi = { url: string /** All that it has logged. */; said(): string; stop(): void }

/** The database, for the role that the API signs in as. */
export function gatewayUrl(): string {
  const address = new URL(stack.databaseUrl)
  address.username = 'gateway'
  address.password = secrets.gatewayPassword
  return address.toString()
}

/** Where the API finds Auth, the Data API and Storage. */
export function supabaseUrl(): string {
  const ports = JSON.parse(
    readFileSync(join(dirname(process.env.OVATION_CONNECTION ?? ''), 'ports.json'), 'utf8'),
  ) as { lite: number }
  return `http://127.0.0.1:${ports.lite}`
}

function settings(): Record<string, string> {
  return {
    SUPABASE_URL: supabaseUrl(),
    PUBLIC_URL: stack.apiUrl,
    DATABASE_URL: gatewayUrl(),
    // Several may run at once beside the stack's own, on a database whose connections are counted.
    DATABASE_POOL_SIZE: '4',
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: stack.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: stack.secretKey }),
    JWT_SECRET: secrets.jwtSecret,
    ALTCHA_HMAC_KEY: secrets.altchaKey,
    JOB_SECRET: stack.jobSecret,
    ENCRYPTION_KEY: secrets.encryptionKey,
  }
}

function run(port: number, changes: Record<string, string>, name = 'api'): ChildProcess {
  const deno = join(root, 'node_modules', 'deno', 'deno')
  const entry = join('supabase', 'functions', name, 'index.ts')
  return spawn(deno, ['serve', '-A', '--no-lock', '--host', '127.0.0.1', '--port', String(port), entry], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings(), ...changes },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Asked to end, Deno waits for its connections to the database, which close a minute later: two dozen were left at times. */
const end = (child: ChildProcess): void => void child.kill('SIGKILL')

/** Starts the function `api` and waits until it answers. */
export const startApi = (changes: Record<string, string>): Promise<OwnApi> => start(changes, 'api')

/** The same for the function `jobs`. */
export const startJobs = (changes: Record<string, string>): Promise<OwnApi> => start(changes, 'jobs')

async function start(changes: Record<string, string>, name: 'api' | 'jobs'): Promise<OwnApi> {
  const port = await freePort()
  const child = run(port, changes, name)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 30_000
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      end(child)
      throw new Error(`The API did not start: ${said}`)
    }
    const answer = await fetch(`${url}/${name}/config`).catch(() => null)
    if (answer && (answer.ok || name === 'jobs')) return { url, said: () => said, stop: () => end(child) }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What it says when it refuses to start; fails when it starts. */
export async function whyNotStarted(changes: Record<string, string>): Promise<string> {
  const child = run(await freePort(), changes)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const code = await new Promise((resolve) => {
    const tooLong = setTimeout(() => end(child), 20_000)
    child.once('exit', (exit) => {
      clearTimeout(tooLong)
      resolve(exit)
    })
  })
  if (code === 0 || code === null) throw new Error(`The API started: ${said}`)
  return said
}
