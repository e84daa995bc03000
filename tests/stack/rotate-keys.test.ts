import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createCipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { encryptedPrefix } from '../../supabase/functions/_shared/encryption.ts'
import type { Connection } from '../support/connection.ts'
import { insertAccount } from '../support/insert-account.ts'
import { killProcess, killProcessTree, listDescendants } from '../support/processes.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  type StackProcess,
  startStack,
  waitForStartupFailure,
} from '../support/stack-process.ts'
import { createTestClient } from '../support/supabase-client.ts'

/** The generated values of secrets.json. */
type Secrets = Record<string, string> & { unfinishedRotation?: Record<string, string> }

const dataDir = createTempDir()
const secretsFile = join(dataDir, 'secrets.json')
const email = 'creator@example.test'
const password = 'correct horse'
const bankDetails = { type: 'bank', account: '1234567890', routing: '021000021', holder: 'Test Person' }
/** The number of payout methods: enough that re-encrypting their details takes more than one batch. */
const methodCount = 600
let port: number
let stack: StackProcess
let connection: Connection
let userId: string
let payoutId: string
let session: { access_token: string; refresh_token: string }
let uploadPath: string
let original: Secrets

const readSecrets = (): Secrets => JSON.parse(readFileSync(secretsFile, 'utf8')) as Secrets

/** Encrypts text in the format used before keys had IDs. Uses Node's crypto module instead of Ovation's own code. */
function encryptV1(text: string, key: string, purpose: string, owner: string): string {
  const nonce = randomBytes(12)
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
  const cipher = createCipheriv('aes-256-gcm', derived, nonce).setAAD(Buffer.from(`v1.${purpose}.${owner}`))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${nonce.toString('base64url')}.${ciphertext.toString('base64url')}`
}

async function start(): Promise<void> {
  stack = startStack(dataDir, port, { CAPTCHA_PROVIDER: 'none', RATE_LIMITS: 'off' })
  connection = await stack.ready()
  await eventually(async () => expect(stack.output()).toContain('is ready at'))
}

async function stop(): Promise<void> {
  stack.process.kill('SIGTERM')
  await stack.ended
}

/** Starts a script. `output` returns what it has printed so far, and `ended` resolves to its exit code. */
function runScript(name: string, args: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'scripts', name), ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { pid: child.pid ?? 0, output: () => output, ended }
}

const rotateKeys = (args: string[], env: Record<string, string> = {}) =>
  runScript('rotate-keys.mjs', args, env)

async function withDatabase<Result>(
  url: string,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function databaseUrl(role: string, rolePassword = ''): string {
  const { database } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as { database: number }
  return `postgres://${role}:${rolePassword}@127.0.0.1:${database}/postgres`
}

/** Counts the stored values by their prefix: the format version and, from v2 on, the ID of the key. */
async function countValues(sql: postgres.Sql): Promise<Record<string, number>> {
  const rows = await sql<{ prefix: string; count: number }[]>`
    select case when starts_with(v.secret, 'v1.') then 'v1.' else left(v.secret, 12) end as prefix,
           count(*)::integer as count
    from (select d.secret from private.payout_method_details d
          union all select d.secret from private.payout_destinations d
          union all select k.secret from private.ai_key k) v group by 1`
  return Object.fromEntries(rows.map(({ prefix, count }) => [prefix, count]))
}

async function api(method: string, path: string, token: string, body?: unknown) {
  const response = await fetch(`${connection.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

async function service(path: string, apikey: string, token: string) {
  const response = await fetch(`${connection.apiUrl}${path}`, {
    headers: { apikey, authorization: `Bearer ${token}` },
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

/** Renews a session as an open page does. */
async function renew(apikey: string, refreshToken: string) {
  const response = await fetch(`${connection.apiUrl}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  return { status: response.status, body: (await response.json()) as typeof session }
}

/** Joins the user's channel and returns the status of the subscription. */
async function joinChannel(apikey: string, token: string): Promise<string> {
  const client = createTestClient(connection, null, apikey)
  await client.realtime.setAuth(token)
  try {
    return await new Promise((resolve) => {
      client.channel(`user:${userId}`, { config: { private: true } }).subscribe((status) => resolve(status))
    })
  } finally {
    await client.removeAllChannels()
  }
}

/** Checks that the signed-in admin can read the payout's details and the API key. */
async function expectReadable(token: string, apiKey: string): Promise<void> {
  expect(await api('POST', `/api/admin/payouts/${payoutId}/details`, token)).toMatchObject({
    status: 200,
    body: { details: bankDetails },
  })
  expect(await api('POST', '/api/admin/openai-key/reveal', token)).toEqual({ status: 200, body: { apiKey } })
}

beforeAll(async () => {
  port = await freePort()
  await start()
  original = readSecrets()
  await withDatabase(connection.databaseUrl, async (sql) => {
    const form = {
      fullName: 'Test Person',
      username: 'key_tester',
      email,
      phoneNumber: '+15550100200',
      password,
    }
    userId = await insertAccount(sql, form)
    await sql`select private.grant_admin(${email})`
    payoutId = randomUUID()
    const key = original.encryptionKey ?? ''
    const details = () => encryptV1(JSON.stringify(bankDetails), key, 'payout-details', userId)
    const secrets = Array.from({ length: methodCount }, details)
    await sql`
      with method as (
        insert into public.payout_methods (user_id, type, name, masked)
        select ${userId}::uuid, 'bank', 'Bank ' || n, '•••• 7890' from generate_series(1, ${methodCount}::int) n
        returning id)
      insert into private.payout_method_details (method_id, secret)
      select m.id, s.secret from (select id, row_number() over () as n from method) m
      join unnest(${secrets}::text[]) with ordinality as s (secret, n) using (n)`
    await sql`
      insert into public.payouts (id, user_id, kind, amount_cents, method_type, method_name, method_masked)
      values (${payoutId}, ${userId}, 'instant', 5000, 'bank', 'Bank', '•••• 7890')`
    await sql`insert into private.payout_destinations (payout_id, secret) values (${payoutId}, ${details()})`
    await sql`
      insert into private.ai_key (secret, mask, set_by)
      values (${encryptV1('sk-original', key, 'ai-key', 'instance')}, 'sk-…', ${userId})`
  })
  const signIn = await api('POST', '/api/auth/login', '', { email, password, recaptcha: 'none' })
  session = (signIn.body as { session: typeof session }).session
  const signed = await fetch(`${connection.apiUrl}/storage/v1/object/upload/sign/avatars/file`, {
    method: 'POST',
    headers: { apikey: connection.secretKey, 'x-upsert': 'true' },
  })
  const { token } = (await signed.json()) as { token: string }
  uploadPath = `/storage/v1/object/upload/sign/avatars/file?token=${token}`
})

afterAll(async () => {
  await discardStack(stack, dataDir)
})

describe('npm run rotate-keys', () => {
  it('fails with a one-line message if the stack is running or the arguments are invalid, and changes nothing', async () => {
    for (const [args, message] of [
      [[], /already running/],
      [['encryption', 'jwts'], /^jwts is unknown/],
      [['jwt', '--hosted'], /only the encryption key can be rotated/],
      [['database', '--revoke'], /^--revoke .* only with the key jwt/],
      [['encryption', '--hosted', '--revoke'], /^--revoke .* only with the key jwt/],
    ] as const) {
      const run = rotateKeys([...args])
      expect(await run.ended).toBe(1)
      expect(run.output().trim().split('\n')).toEqual([expect.stringMatching(message)])
    }
    // npm treats an option without `--` before it as its own.
    const npm = spawnSync('npm', ['run', '--silent', 'rotate-keys', '--revoke'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
      encoding: 'utf8',
    })
    expect([npm.status, npm.stderr]).toEqual([1, expect.stringContaining('npm run rotate-keys -- --revoke')])
    expect(readSecrets()).toEqual(original)
  })

  it('loses nothing when it is killed after it has stored the new keys', async () => {
    const before = connection
    await expectReadable(session.access_token, 'sk-original')
    await stop()
    chmodSync(secretsFile, 0o644)
    const run = rotateKeys([])
    await eventually(async () => expect(readSecrets().unfinishedRotation).toBeDefined())
    killProcessTree(run.pid)
    await run.ended
    const secrets = readSecrets()
    for (const [name, value] of Object.entries(original)) {
      if (typeof value === 'string') expect([name, secrets[name]]).not.toEqual([name, value])
    }
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600)

    await start()
    expect(stack.output()).toContain('npm run rotate-keys')
    const { access_token: token } = session
    const { publishableKey } = before
    expect(connection.publishableKey).not.toBe(publishableKey)
    // A page that was opened before the rotation uses the old token and the old publishable key.
    expect(await api('GET', '/api/auth/user', token)).toMatchObject({ status: 200, body: { id: userId } })
    for (const path of [`/rest/v1/payout_methods?select=id&limit=1`, '/auth/v1/user', '/storage/v1/bucket']) {
      expect([path, await service(path, publishableKey, token)]).toMatchObject([path, { status: 200 }])
      expect([path, await service(path, connection.publishableKey, token)]).toMatchObject([
        path,
        { status: 200 },
      ])
    }
    const rows = await service('/rest/v1/payout_methods?select=id&limit=1', publishableKey, token)
    expect(rows.body).toHaveLength(1)
    expect(await joinChannel(publishableKey, token)).toBe('SUBSCRIBED')
    const upload = await fetch(`${connection.apiUrl}${uploadPath}`, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: 'file',
    })
    expect(upload.status).toBe(200)
    const renewed = await renew(publishableKey, session.refresh_token)
    expect(renewed.status).toBe(200)
    expect(await api('GET', '/api/auth/user', renewed.body.access_token)).toMatchObject({ status: 200 })
    session = renewed.body

    await expectReadable(token, 'sk-original')
    expect(
      (await api('POST', '/api/admin/openai-key', token, { apiKey: `sk-${'n'.repeat(40)}` })).status,
    ).toBe(200)
    await expectReadable(token, `sk-${'n'.repeat(40)}`)
  })

  it('makes the stack reject the previous secret key, job secret and database passwords', async () => {
    const old = await service('/rest/v1/payout_methods?select=id', original.secretKey ?? '', '')
    expect(old.status).toBe(401)
    const runJob = async (secret = '') => {
      const headers = { authorization: `Bearer ${secret}` }
      return (await fetch(`${connection.jobsUrl}/media`, { method: 'POST', headers })).status
    }
    expect(await runJob(original.jobSecret)).toBe(401)
    expect(await runJob(connection.jobSecret)).toBe(200)
    const secrets = readSecrets()
    for (const [role, name] of [
      ['postgres', 'superuserPassword'],
      ['gateway', 'gatewayPassword'],
      ['lite', 'litePassword'],
      ['realtime_admin', 'realtimePassword'],
    ] as const) {
      const connect = (rolePassword = '') =>
        withDatabase(databaseUrl(role, rolePassword), (sql) => sql`select 1`)
      await expect(connect(original[name])).rejects.toMatchObject({ code: '28P01' })
      await connect(secrets[name])
    }
  })

  it('continues a rotation that was killed after the first batch, and prints no key', async () => {
    // Pauses the run after its first batch.
    await withDatabase(connection.databaseUrl, async (sql) => {
      await sql.unsafe(`
        create function private.pause() returns trigger language plpgsql as $$
        begin
          if exists (select from private.payout_method_details d where starts_with(d.secret, 'v2.')) then
            perform pg_sleep(120);
          end if;
          return null;
        end $$;
        create trigger pause before update on private.payout_method_details
          for each statement execute function private.pause()`)
    })
    await stop()
    const secrets = readSecrets()
    const prefix = await encryptedPrefix(secrets.encryptionKey ?? '')
    const killed = rotateKeys([])
    const counts = await eventually(async () => {
      const found = await withDatabase(databaseUrl('postgres', secrets.superuserPassword), countValues)
      expect(found[prefix]).toBeGreaterThan(100)
      return found
    })
    expect(counts['v1.']).toBeGreaterThan(0)
    const second = rotateKeys([])
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(/already running/)
    // Kills only rotate-keys.ts. PostgreSQL, which that program started, keeps running.
    for (const { pid, command } of listDescendants(killed.pid))
      if (command.includes('rotate-keys.ts')) killProcess(pid, 'SIGKILL')
    await killed.ended
    // The trigger would pause the next run, too.
    await withDatabase(databaseUrl('postgres', secrets.superuserPassword), async (sql) => {
      await sql`select pg_terminate_backend(a.pid) from pg_stat_activity a where a.wait_event = 'PgSleep'`
      await sql`drop function private.pause cascade`
    })

    const run = rotateKeys([])
    expect([await run.ended, run.output()]).toEqual([
      0,
      expect.stringMatching(/^Finished the interrupted rotation/m),
    ])
    // The values of the first batch are not re-encrypted.
    expect(run.output()).toContain(`values re-encrypted: ${counts['v1.']}.`)
    const { unfinishedRotation, ...unchanged } = secrets
    expect(readSecrets()).toEqual(unchanged)
    const copies = readdirSync(dataDir).filter((name) => /^secrets-.*\.json$/.test(name))
    expect(copies).toHaveLength(1)
    const copy = join(dataDir, copies[0] ?? '')
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toMatchObject({ encryptionKey: original.encryptionKey })
    for (const value of [...Object.values(original), ...Object.values(secrets)]) {
      if (typeof value === 'string') expect(killed.output() + run.output()).not.toContain(value)
    }
  })

  it('makes the stack reject older tokens immediately with --revoke, without ending sessions', async () => {
    const run = rotateKeys(['jwt', '--revoke'])
    expect([await run.ended, run.output()]).toEqual([0, expect.stringMatching(/^jwt: replaced/)])
    expect(run.output()).not.toMatch(/^(encryption|database|secret):/m)
    const expired = [{ secret: original.publishableKey, until: Date.now() }]
    writeFileSync(secretsFile, JSON.stringify({ ...readSecrets(), previousPublishableKeys: expired }))
    await start()
    expect(readSecrets().previousPublishableKeys).toEqual([])
    expect((await renew(original.publishableKey ?? '', session.refresh_token)).status).toBe(401)
    expect(stack.output()).not.toContain('npm run rotate-keys')
    const { access_token: token } = session
    expect((await api('GET', '/api/auth/user', token)).status).toBe(401)
    for (const path of ['/rest/v1/payout_methods?select=id', '/auth/v1/user']) {
      expect([401, 403]).toContain((await service(path, connection.publishableKey, token)).status)
    }
    expect(await joinChannel(connection.publishableKey, token)).toBe('CHANNEL_ERROR')
    const renewed = await renew(connection.publishableKey, session.refresh_token)
    expect(renewed.status).toBe(200)
    session = renewed.body
    await expectReadable(session.access_token, `sk-${'n'.repeat(40)}`)
    const prefix = await encryptedPrefix(readSecrets().encryptionKey ?? '')
    expect(await withDatabase(connection.databaseUrl, countValues)).toEqual({ [prefix]: methodCount + 2 })
  })

  it('encrypts values with a key from the environment, with and without --hosted, and keeps unreadable values', async () => {
    const key = randomBytes(32).toString('hex')
    const previous = readSecrets().encryptionKey ?? ''
    await withDatabase(connection.databaseUrl, async (sql) => {
      await sql`update private.ai_key set secret = ${encryptV1('sk-lost', key.slice(1), 'ai-key', 'instance')}`
    })
    const env = {
      DATABASE_URL: connection.databaseUrl,
      ENCRYPTION_KEY: key,
      PREVIOUS_ENCRYPTION_KEY: previous,
    }
    const run = rotateKeys(['encryption', '--hosted'], env)
    expect([await run.ended, run.output()]).toEqual([0, expect.stringMatching(/again: 601; .*: 1\./)])
    expect(await withDatabase(connection.databaseUrl, countValues)).toEqual({
      [await encryptedPrefix(key)]: methodCount + 1,
      'v1.': 1,
    })
    await stop()
    const own = rotateKeys(['encryption'], {
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      PREVIOUS_ENCRYPTION_KEY: key,
    })
    expect([await own.ended, own.output()]).toEqual([
      0,
      expect.stringMatching(/^encryption: not replaced.* 601;/),
    ])
    expect(readSecrets().encryptionKey).toBe(previous)
  })

  it('completes an interrupted undo of an upgrade, but replaces no keys until the database is upgraded', async () => {
    await start()
    await withDatabase(connection.databaseUrl, async (sql) => {
      const [state] = await sql<{ value: string }[]>`
        select value #>> '{}' as value from ovation_stack.state where key = 'migrations'`
      const applied = Object.entries(JSON.parse(state?.value ?? '') as object).sort()
      const incomplete = JSON.stringify(Object.fromEntries(applied.slice(0, -1)))
      await sql`update ovation_stack.state set value = to_jsonb(${incomplete}::text) where key = 'migrations'`
    })
    await stop()
    const before = readSecrets()
    // Simulates a process that was killed while it was restoring the database.
    const undo = join(dataDir, 'undo-upgrade.tmp')
    mkdirSync(undo)
    mkdirSync(join(dataDir, 'postgres.failed'))
    renameSync(join(dataDir, 'postgres'), join(undo, 'postgres'))
    const run = rotateKeys([])
    expect([await run.ended, run.output()]).toEqual([
      1,
      expect.stringMatching(/^The database has not been upgraded.* Nothing was changed\.\n$/),
    ])
    expect(readSecrets()).toEqual(before)
    expect(readdirSync(dataDir)).toContain('postgres')
  })

  it('leaves the data in a state in which a backup includes all encryption keys, even if the rotation is interrupted', async () => {
    const current = readSecrets()
    writeFileSync(
      secretsFile,
      JSON.stringify({
        ...current,
        superuserPassword: randomBytes(32).toString('hex'),
        unfinishedRotation: { superuserPassword: current.superuserPassword },
      }),
    )
    const backups = join(dataDir, 'backups')
    const restored = join(dataDir, 'restored')
    const encryptionKey = randomBytes(32).toString('hex')
    const env = { BACKUP_PASSPHRASE: 'correct horse battery staple', ENCRYPTION_KEY: encryptionKey }
    const backup = runScript('backup.mjs', ['backup', '--to', backups], env)
    expect([await backup.ended, backup.output()]).toEqual([0, expect.stringContaining('Backed up')])
    const restore = runScript('backup.mjs', ['restore', backups], { ...env, DATA_DIR: restored })
    expect([await restore.ended, restore.output()]).toEqual([0, expect.stringContaining('Restored')])
    expect(JSON.parse(readFileSync(join(restored, 'secrets.json'), 'utf8'))).toMatchObject({
      encryptionKey,
      previousEncryptionKeys: [current.encryptionKey],
    })
  })

  it('keeps a copy of the replaced secrets, which the current database does not accept', async () => {
    const [copy = ''] = readdirSync(dataDir).filter((name) => /^secrets-.*\.json$/.test(name))
    copyFileSync(join(dataDir, copy), secretsFile)
    const { code, lines } = await waitForStartupFailure(startStack(dataDir, port))
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^The superuser password in secrets.json is not the password of the database/),
    ])
  })
})
