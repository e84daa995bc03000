import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { readConnection, readSecrets } from './connection.ts'

const stack = readConnection()
const secrets = readSecrets()

/** An edge function with its own process and settings. It uses the shared stack's database, Auth and Storage. */
export type FunctionServer = {
  url: string
  /** Returns everything that the function has logged. */
  output(): string
  stop(): void
}

/** Returns the database URL for the role that the API uses. */
export function gatewayDatabaseUrl(): string {
  const url = new URL(stack.databaseUrl)
  url.username = 'gateway'
  url.password = secrets.gatewayPassword
  return url.toString()
}

/** Returns the URL of Auth and Storage. */
export function supabaseUrl(): string {
  const ports = JSON.parse(
    readFileSync(join(dirname(process.env.OVATION_CONNECTION ?? ''), 'ports.json'), 'utf8'),
  ) as { lite: number }
  return `http://127.0.0.1:${ports.lite}`
}

function defaultSettings(): Record<string, string> {
  return {
    SUPABASE_URL: supabaseUrl(),
    PUBLIC_URL: stack.apiUrl,
    DATABASE_URL: gatewayDatabaseUrl(),
    // Several servers run alongside the stack's own, and the database allows a limited number of connections.
    DATABASE_POOL_SIZE: '4',
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: stack.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: stack.secretKey }),
    JWT_SECRET: secrets.jwtSecret,
    ALTCHA_HMAC_KEY: secrets.altchaKey,
    JOB_SECRET: stack.jobSecret,
    ENCRYPTION_KEY: secrets.encryptionKey,
  }
}

function spawnFunction(port: number, settings: Record<string, string>, name = 'api'): ChildProcess {
  const entry = join('supabase', 'functions', name, 'index.ts')
  return spawn(deno, ['serve', '-A', '--no-lock', '--host', '127.0.0.1', '--port', String(port), entry], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...defaultSettings(), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * Kills the process. After SIGTERM, Deno would wait a minute for its idle database connections to close, and dozens of
 * connections could accumulate.
 */
const stop = (child: ChildProcess): void => void child.kill('SIGKILL')

/** Starts the `api` function and waits until it responds. */
export const startApiServer = (settings: Record<string, string>): Promise<FunctionServer> =>
  start(settings, 'api')

/** Starts the `jobs` function and waits until it responds. */
export const startJobsServer = (settings: Record<string, string>): Promise<FunctionServer> =>
  start(settings, 'jobs')

/** Starts the `pages` function and waits until it responds. */
export const startPagesServer = (settings: Record<string, string>): Promise<FunctionServer> =>
  start(settings, 'pages')

async function start(
  settings: Record<string, string>,
  name: 'api' | 'jobs' | 'pages',
): Promise<FunctionServer> {
  const port = await freePort()
  const child = spawnFunction(port, settings, name)
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 30_000
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      stop(child)
      throw new Error(`The function ${name} did not start: ${output}`)
    }
    const response = await fetch(`${url}/${name}/config`).catch(() => null)
    if (response && (response.ok || name !== 'api'))
      return { url, output: () => output, stop: () => stop(child) }
    await sleep(50)
  }
}

/** Returns what the API logs when these settings prevent it from starting. @throws Error if the API starts */
export async function getApiStartupError(settings: Record<string, string>): Promise<string> {
  const child = spawnFunction(await freePort(), settings)
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise((resolve) => {
    const timeout = setTimeout(() => stop(child), 20_000)
    child.once('exit', (exit) => {
      clearTimeout(timeout)
      resolve(exit)
    })
  })
  if (code === 0 || code === null) throw new Error(`The API started: ${output}`)
  return output
}
