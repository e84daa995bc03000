import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { listen } from '../support/listen.ts'
import { isRunning, killProcess, listDescendants } from '../support/processes.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  killStack,
  type StackProcess,
  startStack,
  startWithNpm,
  waitForStartupFailure,
} from '../support/stack-process.ts'

const dataDir = createTempDir()
let port: number
let stack: StackProcess

/** Runs one query on a new connection, as the superuser. */
async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe<Row[]>(text))]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function expectHealthy(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`)
  expect(response.status).toBe(200)
}

/** Returns the ID of the stack's process whose command line contains `script`. */
function findProcess(started: StackProcess, script: string): number {
  const found = listDescendants(started.process.pid ?? 0).find(({ command }) => command.includes(script))
  if (!found) throw new Error(`${script} is not running.`)
  return found.pid
}

const lastWeeksLog = join(
  dataDir,
  'logs',
  `${new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString().replaceAll(/[-:.]/g, '')}.jsonl`,
)

beforeAll(async () => {
  mkdirSync(join(dataDir, 'logs'))
  writeFileSync(lastWeeksLog, '{}\n')
  port = await freePort()
  stack = startStack(dataDir, port)
  await stack.ready()
})

afterAll(async () => {
  await discardStack(stack, dataDir)
})

test('starting the stack prints its URL once and creates data that only the user running it can read', async () => {
  await eventually(async () => expect(stack.output()).toMatch(/is ready at/))
  const lines = stack
    .output()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
  expect(lines.at(-1)).toBe(`Ovation is ready at http://127.0.0.1:${port}`)
  expect(lines.filter((line) => line.includes('is ready at'))).toHaveLength(1)
  // The output is not a terminal, so it may be stored. It names only the file that contains the secret URLs.
  const { mailUrl, studioUrl } = await stack.ready()
  expect(stack.output()).toContain(join(dataDir, 'connection.json'))
  for (const url of [mailUrl, studioUrl]) expect(stack.output()).not.toContain(new URL(url).pathname)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  for (const name of ['connection.json', 'secrets.json'])
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  await expectHealthy()
})

test('starting the stack creates a new log file if the last one is more than a week old', async () => {
  await eventually(async () => expect(readdirSync(join(dataDir, 'logs'))).toHaveLength(2))
  expect(readFileSync(lastWeeksLog, 'utf8')).toBe('{}\n')
})

test('starting a second stack with the same DATA_DIR fails with one line', async () => {
  const { code, lines } = await waitForStartupFailure(startStack(dataDir, await freePort()))
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/already running/)
  await expectHealthy()
})

test('starting the stack on a port that is in use fails with one line', async () => {
  const other = createTempDir()
  const { port: usedPort, stop } = await listen(createServer())
  const { code, lines } = await waitForStartupFailure(startStack(other, usedPort))
  await stop()
  expect(code).toBe(1)
  expect(lines).toEqual([`Port ${usedPort} is taken by another program: stop it, or set PORT to a free one.`])
  await discardStack(undefined, other)
})

test('starting the stack with a read-only DATA_DIR fails with one line', async () => {
  const other = createTempDir()
  const target = join(other, 'data')
  mkdirSync(target)
  let started: StackProcess
  if (process.getuid?.() === 0) {
    // Root ignores file permissions but not a read-only file system.
    const script = `mount -t tmpfs -o ro tmpfs "$DATA_DIR" && exec "${root}/node_modules/deno/deno" run --allow-all --no-lock --quiet "${root}/stack/main.ts"`
    const child = spawn('unshare', ['--mount', 'sh', '-c', script], {
      cwd: root,
      env: { ...process.env, DATA_DIR: target, PORT: String(await freePort()), DEMO_DATA: 'off' },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect(output.trim()).toBe(`Cannot write to DATA_DIR (${target}): the file system is read-only.`)
    expect(code).toBe(1)
  } else {
    chmodSync(target, 0o555)
    started = startStack(target, await freePort())
    const { code, lines } = await waitForStartupFailure(started)
    expect(lines).toEqual([`Cannot write to DATA_DIR (${target}): permission denied.`])
    expect(code).toBe(1)
  }
  await discardStack(undefined, other)
})

test('starting the stack with an invalid setting fails with one line', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: 'http' }, /^PORT is "http" but must be a whole number/],
    [{ DEMO_DATA: 'on', PUBLIC_URL: 'https://ovation.example' }, /^DEMO_DATA=on is not allowed/],
    [{ DEMO_DATA: 'on', HOST: '0.0.0.0' }, /^DEMO_DATA=on is not allowed/],
    [{ HOST: '0.0.0.0' }, /^HOST is "0.0.0.0", which other machines can reach: set PUBLIC_URL/],
    [{ CAPTCHA_PROVIDER: 'turnstile' }, /^CAPTCHA_PROVIDER=turnstile needs TURNSTILE_SITE_KEY/],
    [{ SMTP_URL: 'smtp:secret' }, /^SMTP_URL must look like/],
  ]
  const other = createTempDir()
  const results = await Promise.all(
    cases.map(async ([env]) => waitForStartupFailure(startStack(join(other, 'data'), await freePort(), env))),
  )
  for (const [index, { code, lines }] of results.entries()) {
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(cases[index]?.[1] ?? /^$/)
  }
  expect(existsSync(join(other, 'data'))).toBe(false)
  await discardStack(undefined, other)
})

test('starting the stack with an old version of Node fails with one line', () => {
  const fakeVersion = 'Object.defineProperty(process.versions, "node", { value: "18.20.0" })'
  const script = `${fakeVersion}; await import(${JSON.stringify(join(root, 'scripts', 'start.mjs'))})`
  const start = () =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' })
  expect(start).toThrow('Ovation needs Node 20.19 or newer; this is 18.20.0.')
})

test('the npm scripts report which signal terminated the process that they started', () => {
  const module = JSON.stringify(join(root, 'scripts', 'lib', 'stack.mjs'))
  const script = `
    import { spawn } from 'node:child_process'
    import { waitForExit } from ${module}
    process.exit(await waitForExit(spawn('sh', ['-c', 'kill -9 $$'])))`
  const args = ['--input-type=module', '--eval', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const message = 'The process was terminated by SIGKILL. The machine may have run out of memory.\n'
  expect([status, stderr]).toEqual([1, message])
})

test.each(['SIGTERM', 'SIGINT'])(
  'an npm script that receives %s waits for its program to end',
  async (signal) => {
    const program = join(dataDir, 'program.ts')
    writeFileSync(
      program,
      `Deno.addSignalListener('SIGTERM', () => Deno.exit(3))
     setTimeout(() => Deno.exit(4), 1000)
     console.log('started')`,
    )
    const script = `
    import { runProgram } from ${JSON.stringify(join(root, 'scripts', 'lib', 'stack.mjs'))}
    process.exit(await runProgram(${JSON.stringify(relative(root, program))}))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    child.stdout.once('data', () => child.kill(signal as NodeJS.Signals))
    // The script does not forward SIGINT, because a terminal sends it to the program, too.
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect(code).toBe(signal === 'SIGTERM' ? 3 : 4)
  },
)

test('the supervisor restarts killed processes, including PostgreSQL', async () => {
  const { databaseUrl } = await stack.ready()
  for (const script of ['stack/lite/main.ts', 'stack/gateway/main.ts', 'bin/postgres']) {
    const before = findProcess(stack, script)
    killProcess(before, 'SIGKILL')
    await eventually(async () => {
      expect(findProcess(stack, script)).not.toBe(before)
      await query(databaseUrl, 'select 1')
      await expectHealthy()
    })
  }
  expect(stack.process.exitCode).toBeNull()
})

test('starting after kill -9 of every process recovers every committed row', async () => {
  const { databaseUrl } = await stack.ready()
  await query(databaseUrl, 'create table public.acknowledged_rows (id integer primary key)')
  await query(databaseUrl, 'insert into public.acknowledged_rows select generate_series(1, 500)')
  await killStack(stack)

  stack = startStack(dataDir, port)
  const again = await stack.ready()
  const [row] = await query<{ count: string }>(
    again.databaseUrl,
    'select count(*) from public.acknowledged_rows',
  )
  expect(row?.count).toBe('500')
  await expectHealthy()
})

test('starting after kill -9 of the supervisor stops the remaining processes and keeps committed rows', async () => {
  const { databaseUrl } = await stack.ready()
  const processes = listDescendants(stack.process.pid ?? 0)
  const server = processes.find(({ command }) => command.includes('bin/postgres'))
  await query(databaseUrl, 'insert into public.acknowledged_rows values (501)')
  killProcess(stack.process.pid ?? 0, 'SIGKILL')
  await stack.ended
  expect(isRunning(server?.pid ?? 0)).toBe(true)

  stack = startStack(dataDir, port)
  const again = await stack.ready()
  const [row] = await query<{ count: string }>(
    again.databaseUrl,
    'select count(*) from public.acknowledged_rows',
  )
  expect(row?.count).toBe('501')
  await eventually(async () => expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([]))
})

test('SIGTERM stops every process and removes connection.json', async () => {
  const processes = listDescendants(stack.process.pid ?? 0)
  expect(processes.length).toBeGreaterThan(3)
  stack.process.kill('SIGTERM')
  expect(await stack.ended).toBe(0)
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([])
})

test.each([
  ['SIGINT', 'npm'],
  ['SIGTERM', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGKILL', 'node'],
] as const)(
  'npm start repeats no completed step, and sending %s to %s alone stops every process',
  async (signal, target) => {
    stack = startWithNpm(dataDir, port)
    await stack.ready()
    await eventually(async () => expect(stack.output()).toMatch(/is ready at/))
    expect(stack.output()).not.toMatch(/Creating|Making|Applying|Installing/)
    const npm = stack.process.pid ?? 0
    const processes = listDescendants(npm)
    expect(processes.length).toBeGreaterThan(4)
    killProcess(target === 'npm' ? npm : findProcess(stack, 'scripts/start.mjs'), signal)
    await stack.ended
    await eventually(async () => expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([]))
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(false)
    // PostgreSQL was shut down, not killed.
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  },
)

test('SIGTERM during the first start leaves no process and no incomplete database', async () => {
  const other = createTempDir()
  const first = startStack(other, await freePort())
  await eventually(async () => expect(existsSync(join(other, 'postgres.new', 'base'))).toBe(true))
  const processes = listDescendants(first.process.pid ?? 0)
  expect(processes.some(({ command }) => command.includes('initdb'))).toBe(true)
  first.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([])
  expect(existsSync(join(other, 'postgres.new'))).toBe(false)
  await discardStack(first, other)
})

test('the stack does not start if an applied migration was changed', async () => {
  stack = startStack(dataDir, port)
  const { databaseUrl } = await stack.ready()
  await query(
    databaseUrl,
    `update ovation_stack.state set value = to_jsonb(replace(value #>> '{}', '":"', '":"other')) where key = 'migrations'`,
  )
  stack.process.kill('SIGTERM')
  await stack.ended
  const { code, lines } = await waitForStartupFailure(startStack(dataDir, port))
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^Migrations were changed or removed after they were applied to .*: [\d, ]+\. .* npm run reset/,
  )
})

test('the stack does not start if the secrets.json of an existing database is missing', async () => {
  const secretsPath = join(dataDir, 'secrets.json')
  execFileSync('mv', [secretsPath, `${secretsPath}.away`])
  const { code, lines } = await waitForStartupFailure(startStack(dataDir, port))
  execFileSync('mv', [`${secretsPath}.away`, secretsPath])
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/secrets\.json is missing/)
})
