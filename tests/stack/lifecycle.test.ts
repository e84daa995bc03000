import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import {
  discard,
  killStack,
  npmStart,
  root,
  type Stack,
  startStack,
  temporaryFolder,
} from '../support/own-stack.ts'
import { alive, descendants, kill } from '../support/processes.ts'
import { eventually, refusal } from './support.ts'

const dataDir = temporaryFolder()
let port: number
let stack: Stack

/** One query on a connection of its own, as the superuser. */
async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe<Row[]>(text))]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function isHealthy(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/health`)
  expect(answer.status).toBe(200)
}

function partOf(started: Stack, script: string): number {
  const found = descendants(started.process.pid ?? 0).find(({ command }) => command.includes(script))
  if (!found) throw new Error(`${script} does not run`)
  return found.pid
}

beforeAll(async () => {
  port = await freePort()
  stack = startStack(dataDir, port)
  await stack.ready()
})

afterAll(async () => {
  await discard(stack, dataDir)
})

test('says where it is, once, and keeps its data to its user', async () => {
  await eventually(async () => expect(stack.output()).toMatch(/is ready at/))
  const said = stack
    .output()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
  expect(said.at(-1)).toBe(`Ovation is ready at http://127.0.0.1:${port}`)
  expect(said.filter((line) => line.includes('is ready at'))).toHaveLength(1)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  for (const name of ['connection.json', 'secrets.json'])
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  await isHealthy()
})

test('a second start on the same DATA_DIR is refused in one sentence', async () => {
  const { code, lines } = await refusal(startStack(dataDir, await freePort()))
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/already running/)
  await isHealthy()
})

test('a taken port is refused in one sentence', async () => {
  const other = temporaryFolder()
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const address = holder.address()
  const taken = typeof address === 'object' && address ? address.port : 0
  const { code, lines } = await refusal(startStack(other, taken))
  holder.close()
  expect(code).toBe(1)
  expect(lines).toEqual([`Port ${taken} is taken by another program: stop it, or set PORT to a free one.`])
  await discard(undefined, other)
})

test('a DATA_DIR that cannot be written is refused in one sentence', async () => {
  const other = temporaryFolder()
  const target = join(other, 'data')
  mkdirSync(target)
  let started: Stack
  if (process.getuid?.() === 0) {
    // Permissions do not hold root back, a read-only file system does.
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
    const { code, lines } = await refusal(started)
    expect(lines).toEqual([`Cannot write to DATA_DIR (${target}): permission denied.`])
    expect(code).toBe(1)
  }
  await discard(undefined, other)
})

test('wrong settings are refused in one sentence each', async () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: 'http' }, /^PORT is "http" but must be a whole number/],
    [{ DEMO_DATA: 'on', PUBLIC_URL: 'https://ovation.example' }, /^DEMO_DATA=on is refused/],
    [{ DEMO_DATA: 'on', HOST: '0.0.0.0' }, /^DEMO_DATA=on is refused/],
    [{ HOST: '0.0.0.0' }, /^HOST is "0.0.0.0", which others may reach: set PUBLIC_URL/],
    [{ CAPTCHA_PROVIDER: 'turnstile' }, /^CAPTCHA_PROVIDER=turnstile needs TURNSTILE_SITE_KEY/],
    [{ SMTP_URL: 'smtp:secret' }, /^SMTP_URL must look like/],
  ]
  const other = temporaryFolder()
  const results = await Promise.all(
    wrong.map(async ([env]) => refusal(startStack(join(other, 'data'), await freePort(), env))),
  )
  for (const [index, { code, lines }] of results.entries()) {
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(wrong[index]?.[1] ?? /^$/)
  }
  expect(existsSync(join(other, 'data'))).toBe(false)
  await discard(undefined, other)
})

test('an old Node is refused in one sentence', () => {
  const pretend = 'Object.defineProperty(process.versions, "node", { value: "18.20.0" })'
  const script = `${pretend}; await import(${JSON.stringify(join(root, 'scripts', 'start.mjs'))})`
  const ask = () =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' })
  expect(ask).toThrow('Ovation needs Node 20.19 or newer; this is 18.20.0.')
})

test('parts that are killed come back, PostgreSQL among them', async () => {
  const { databaseUrl } = await stack.ready()
  for (const part of ['stack/lite/main.ts', 'stack/gateway/main.ts', 'bin/postgres']) {
    const before = partOf(stack, part)
    kill(before, 'SIGKILL')
    await eventually(async () => {
      expect(partOf(stack, part)).not.toBe(before)
      await query(databaseUrl, 'select 1')
      await isHealthy()
    })
  }
  expect(stack.process.exitCode).toBeNull()
})

test('kill -9 of everything loses no acknowledged row, and the next start recovers by itself', async () => {
  const { databaseUrl } = await stack.ready()
  await query(databaseUrl, 'create table public.kept (id integer primary key)')
  await query(databaseUrl, 'insert into public.kept select generate_series(1, 500)')
  await killStack(stack)

  stack = startStack(dataDir, port)
  const again = await stack.ready()
  const [row] = await query<{ count: string }>(again.databaseUrl, 'select count(*) from public.kept')
  expect(row?.count).toBe('500')
  await isHealthy()
})

test('a killed supervisor takes its parts along, and the database it leaves is taken over', async () => {
  const { databaseUrl } = await stack.ready()
  const parts = descendants(stack.process.pid ?? 0)
  const server = parts.find(({ command }) => command.includes('bin/postgres'))
  await query(databaseUrl, 'insert into public.kept values (501)')
  kill(stack.process.pid ?? 0, 'SIGKILL')
  await stack.ended
  expect(alive(server?.pid ?? 0)).toBe(true)

  stack = startStack(dataDir, port)
  const again = await stack.ready()
  const [row] = await query<{ count: string }>(again.databaseUrl, 'select count(*) from public.kept')
  expect(row?.count).toBe('501')
  await eventually(async () => expect(parts.filter(({ pid }) => alive(pid))).toEqual([]))
})

test('SIGTERM ends everything cleanly', async () => {
  const parts = descendants(stack.process.pid ?? 0)
  expect(parts.length).toBeGreaterThan(3)
  stack.process.kill('SIGTERM')
  expect(await stack.ended).toBe(0)
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  expect(parts.filter(({ pid }) => alive(pid))).toEqual([])
})

test('npm start takes no step twice, and passes Ctrl-C on', async () => {
  stack = npmStart(dataDir, port)
  await stack.ready()
  await eventually(async () => expect(stack.output()).toMatch(/is ready at/))
  expect(stack.output()).not.toMatch(/Making|Applying|Installing/)
  stack.process.kill('SIGINT')
  expect(await stack.ended).toBe(0)
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(false)
})

test('SIGTERM in the middle of the first start leaves nothing that runs or writes', async () => {
  const other = temporaryFolder()
  const first = startStack(other, await freePort())
  await eventually(async () => expect(existsSync(join(other, 'postgres.new', 'base'))).toBe(true))
  const parts = descendants(first.process.pid ?? 0)
  expect(parts.some(({ command }) => command.includes('initdb'))).toBe(true)
  first.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(parts.filter(({ pid }) => alive(pid))).toEqual([])
  expect(existsSync(join(other, 'postgres.new'))).toBe(false)
  await discard(first, other)
})

test('a migration that was changed after it was applied is not passed over', async () => {
  stack = startStack(dataDir, port)
  const { databaseUrl } = await stack.ready()
  await query(
    databaseUrl,
    `update ovation_stack.state set value = to_jsonb(replace(value #>> '{}', '":"', '":"other')) where key = 'migrations'`,
  )
  stack.process.kill('SIGTERM')
  await stack.ended
  const { code, lines } = await refusal(startStack(dataDir, port))
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^Migration \d{14}, .* was changed or removed after it was applied to .* npm run reset/,
  )
})

test('a file of secrets that is lost is missed, not replaced', async () => {
  const kept = join(dataDir, 'secrets.json')
  execFileSync('mv', [kept, `${kept}.away`])
  const { code, lines } = await refusal(startStack(dataDir, port))
  execFileSync('mv', [`${kept}.away`, kept])
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/secrets\.json is missing/)
})
