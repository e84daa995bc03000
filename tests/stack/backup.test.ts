import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, type TarEntry, unpackTar } from 'modern-tar'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { mountSmallDisk } from '../faults/small-disk.ts'
import type { Connection } from '../support/connection.ts'
import { startFakeS3 } from '../support/fake-s3-server.ts'
import { createPng } from '../support/media-files.ts'
import { listDescendants } from '../support/processes.ts'
import { loadRelease, readTables, releases, withStoppedDatabase } from '../support/release-data.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  type StackProcess,
  startStack,
  waitForStartupFailure,
} from '../support/stack-process.ts'

// These imports are dynamic, because the tests are type-checked without Deno's types.
const { readArchive }: { readArchive: (stream: ReadableStream, handlers: unknown) => Promise<unknown> } =
  await import(join(root, 'stack', 'backup', 'archive.ts'))
type OpenS3 = (to: string, env: (name: string) => string | undefined, timeoutMs?: number) => Bucket
const { openS3 }: { openS3: OpenS3 } = await import(join(root, 'stack', 'backup', 's3.ts'))

interface Bucket {
  list: (folder: string) => Promise<{ name: string }[]>
  write: (name: string, content: ReadableStream) => Promise<number>
  read: (name: string) => Promise<ReadableStream>
  remove: (name: string) => Promise<void>
}

const folder = createTempDir()
const dataDir = join(folder, 'data')
const backups = join(folder, 'backups')
const passphrase = 'correct horse battery staple'
const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
const adaId = '00000000-0000-4000-8000-000000000001'
const bobId = '00000000-0000-4000-8000-000000000002'

let s3: Awaited<ReturnType<typeof startFakeS3>>
let stack: StackProcess
let connection: Connection
let sql: postgres.Sql

/** Returns the environment variables for the stack and the commands. */
const env = (changes: Record<string, string> = {}): Record<string, string> => ({
  DATA_DIR: dataDir,
  BACKUP_PASSPHRASE: passphrase,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_ENDPOINT_URL_S3: s3.url,
  ...changes,
})

const program = join(root, 'scripts', 'backup.mjs')

interface CommandResult {
  code: number
  output: string
}

/**
 * Runs `npm run backup` or `npm run restore`.
 *
 * @param launcher the arguments to put before the command, such as those that run it in another mount namespace
 */
function runCommand(
  args: string[],
  changes: Record<string, string> = {},
  launcher: string[] = [],
): Promise<CommandResult> {
  const options = { cwd: root, env: { ...process.env, ...env(changes) } }
  const [file = '', ...rest] = [...launcher, process.execPath, program, ...args]
  return new Promise((resolve) => {
    execFile(file, rest, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    )
  })
}

/** Restores to a new DATA_DIR. Checks that `npm run restore` fails and leaves no data. Returns its last output line. */
async function failToRestore(archive: string, changes: Record<string, string> = {}): Promise<string> {
  const target = join(folder, randomUUID())
  const { code, output } = await runCommand(['restore', archive], { DATA_DIR: target, ...changes })
  expect(code).toBe(1)
  expect(readdirSync(target)).toEqual(['lock'])
  expect(output).not.toContain(passphrase)
  return output.trim().split('\n').at(-1) ?? ''
}

/** Returns the names of the stored files and the hashes of their contents. */
function readFiles(from: string): Record<string, string> {
  const storage = join(from, 'storage')
  const names = readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/[0-9a-f]{64}$/.test(name),
  )
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(storage, name)))
      .digest('hex')
  return Object.fromEntries(names.sort().map((name) => [name, hash(name)]))
}

/** Uploads an image, or deletes it. */
async function callStorage(
  method: 'POST' | 'DELETE',
  name: string,
  size = { width: 300, height: 200 },
): Promise<void> {
  const isUpload = method === 'POST'
  const response = await fetch(
    `${connection.apiUrl}/storage/v1/object/avatars${isUpload ? `/${name}` : ''}`,
    {
      method,
      headers: {
        apikey: connection.secretKey,
        'content-type': isUpload ? 'image/png' : 'application/json',
        'x-upsert': 'true',
      },
      body: isUpload ? new Uint8Array(createPng(size)) : JSON.stringify({ prefixes: [name] }),
    },
  )
  if (!response.ok) throw new Error(await response.text())
}

/** Begins and settles a tip from Bob to Ada. */
async function tip(id: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      select set_config('request.jwt.claims', ${JSON.stringify({
        sub: bobId,
        role: 'authenticated',
        session_id: '10000000-0000-4000-8000-000000000002',
      })}, true)`
    await tx`select private.settle_payment(private.begin_tip(${id}, ${adaId}, 2, 'test', 'During the backup'))`
  })
}

/**
 * Writes posts, tips and files, and deletes some of the files, until stopped. Adds each successful write to
 * `acknowledged`.
 */
function startLoad() {
  const acknowledged = { posts: [] as string[], tips: [] as string[], files: [] as string[] }
  const deleted: string[] = []
  let stopped = false
  const repeat = async (work: () => Promise<void>) => {
    while (!stopped) await work()
  }
  const loops = [
    repeat(async () => {
      const id = randomUUID()
      await sql`insert into public.posts (id, author_id, content) values (${id}, ${adaId}, ${`Post ${id}`})`
      acknowledged.posts.push(id)
      await sleep(5)
    }),
    repeat(async () => {
      const id = randomUUID()
      await tip(id)
      acknowledged.tips.push(id)
      await sleep(20)
    }),
    repeat(async () => {
      const name = `${randomUUID()}.png`
      await callStorage('POST', name)
      acknowledged.files.push(name)
      if (acknowledged.files.length % 2 === 0) {
        const victim = acknowledged.files[deleted.length] ?? ''
        deleted.push(victim)
        await callStorage('DELETE', victim)
      }
    }),
  ]
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}

/** Returns the names of the archives in a folder of the bucket. */
const listArchives = (prefix: string) =>
  [...s3.objects.keys()].filter((name) => name.startsWith(`${prefix}ovation-`))

const archivePath = () => {
  const [name = ''] = readdirSync(backups).sort()
  return join(backups, name)
}

beforeAll(async () => {
  s3 = await startFakeS3(credentials)
  mkdirSync(dataDir)
  await withStoppedDatabase(dataDir, (_, url) => loadRelease(url, releases.at(-1) ?? ''))
  // Simulates a stack that was restarted with WAL archiving on, and was stopped before its next backup.
  const earlier = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replaceAll(':', '-')
  const content = Buffer.from('made before WAL was archived')
  s3.objects.set(`backups/ovation/ovation-${earlier}Z.tar.gz`, { content, modified: new Date() })
  writeFileSync(
    join(dataDir, 'wal-archive.json'),
    JSON.stringify({ id: 'before', startedAt: new Date().toISOString() }),
  )
  stack = startStack(
    dataDir,
    await freePort(),
    env({ BACKUP_TO: 's3://backups/ovation', BACKUP_WAL: 'on', UPGRADE_BACKUP: 'off', RATE_LIMITS: 'off' }),
  )
  connection = await stack.ready()
  sql = postgres(connection.databaseUrl, { max: 4, onnotice: () => undefined })
})

afterAll(async () => {
  await sql?.end()
  await discardStack(stack, folder)
  await s3?.stop()
})

describe('a backup', () => {
  let atStart: ReturnType<typeof startLoad>['acknowledged']
  let atEnd: Record<string, string[]>
  let filesAtEnd: Record<string, string>
  let secrets: string
  /** A time after the load. */
  let time: Date
  /** The ID of a post that was published after `time`. */
  const latePost = randomUUID()

  it('starts immediately if the newest archive is older than the start of WAL archiving', async () => {
    await eventually(async () => expect(stack.output()).toContain('"backup_finished"'))
    expect(listArchives('backups/ovation/')).toHaveLength(2)
    // The archive from before WAL archiving is an hour old.
    await eventually(async () => {
      const metrics = await (await fetch(connection.metricsUrl)).text()
      const seconds = Number(/^ovation_last_backup_timestamp_seconds (.*)$/m.exec(metrics)?.[1])
      expect(seconds).toBeGreaterThan(Date.now() / 1000 - 1800)
    })
  })

  it('writes an archive while the stack keeps working', async () => {
    const load = startLoad()
    await eventually(async () => expect(load.acknowledged.files.length).toBeGreaterThan(10))
    atStart = structuredClone(load.acknowledged)
    const running = runCommand(['backup', '--to', backups])
    const commandLines = listDescendants(process.pid).map(({ command }) => command)
    const { code, output } = await running
    expect(load.acknowledged.posts.length).toBeGreaterThan(atStart.posts.length)
    await load.stop()
    expect(output).toMatch(/^Backed up .* to .*ovation-.*Z\.tar\.gz \(\d.*MB, \d+ s\)\.$/m)
    expect(code).toBe(0)
    expect(`${output}${stack.output()}${commandLines.join()}`).not.toContain(passphrase)
    expect(commandLines.join()).not.toContain(credentials.secretAccessKey)
    expect(readdirSync(backups)).toHaveLength(1)
  })

  it('is followed by an archived copy of each file that is stored or replaced', async () => {
    const hash = createHash('sha256')
      .update(JSON.stringify(['avatars', 'again.png']))
      .digest('hex')
    const path = join(dataDir, 'storage', hash.slice(0, 2), hash)
    const findCopy = () => [...s3.objects].find(([name]) => name.endsWith(`-${hash}`))?.[1].content
    await callStorage('POST', 'again.png')
    await eventually(async () => expect(findCopy()).toEqual(readFileSync(path)))
    const { code } = await runCommand(['backup', '--to', 's3://backups/ovation'])
    expect(code).toBe(0)
    const first = readFileSync(path)
    await callStorage('POST', 'again.png', { width: 200, height: 300 })
    expect(readFileSync(path)).not.toEqual(first)
    await eventually(async () => expect(findCopy()).toEqual(readFileSync(path)))
  })

  it('rejects a second backup at the same time', async () => {
    const [first, second] = await Promise.all([
      runCommand(['backup', '--to', join(folder, 'first')]),
      runCommand(['backup', '--to', join(folder, 'second')]),
    ])
    expect([first.code, second.code].sort()).toEqual([0, 1])
    expect(`${first.output}${second.output}`).toContain('A backup is already running.')
  })

  it('ends with an error if the folder cannot be written to', async () => {
    const to = join(archivePath(), 'folder')
    const { code, output } = await runCommand(['backup', '--to', to])
    expect(output).toContain(`Cannot write ${to}`)
    expect(code).toBe(1)
    expect(existsSync(join(dataDir, 'storage', 'held'))).toBe(false)
  })

  it('leaves nothing on a full disk', async () => {
    const to = join(folder, 'small')
    const disk = await mountSmallDisk(to)
    if (!disk)
      console.log('This system does not allow mounts in a user namespace, so a full disk is not tested.')
    const inside = disk?.outsideDir ?? to
    // The file system can be filled only if it contains a file.
    writeFileSync(join(inside, 'other'), 'x')
    try {
      await disk?.fill()
      const { code, output } = await runCommand(['backup', '--to', to], {}, disk?.launcher)
      if (disk) expect(output).toMatch(/^Cannot write .*: the disk is full\.$/m)
      expect(code).toBe(disk ? 1 : 0)
      expect(readdirSync(inside)).toHaveLength(disk ? 1 : 2)
    } finally {
      disk?.discard()
    }
  })

  it('of a stopped stack deletes all archives but the newest with --keep 1', async () => {
    const [now] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
    time = now?.now ?? new Date(0)
    await sleep(20)
    await sql`insert into public.posts (id, author_id, content) values (${latePost}, ${adaId}, 'Too late')`
    await sql.end()
    stack.process.kill('SIGTERM')
    await stack.ended
    // The first upload request fails and must be retried.
    s3.failNext(1)
    for (const expected of ['Backed up', 'Deleted 1 older archive.']) {
      const { output } = await runCommand(['backup', '--to', 's3://backups/stopped', '--keep', '1'])
      expect(output).toContain(expected)
    }
    expect(listArchives('backups/stopped/')).toHaveLength(1)
    secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8')
    atEnd = await withStoppedDatabase(dataDir, (db) => readTables(db))
    filesAtEnd = readFiles(dataDir)
    rmSync(dataDir, { recursive: true })
  })

  it('can be restored again after a restore was killed while it moved the data', async () => {
    const leftover = join(dataDir, 'storage', '00', '0'.repeat(64))
    for (const path of [dirname(leftover), join(dataDir, 'restore.tmp')]) mkdirSync(path, { recursive: true })
    writeFileSync(leftover, 'left over')
    writeFileSync(join(dataDir, 'restore.tmp', 'moving'), '')
    const { code, lines } = await waitForStartupFailure(startStack(dataDir, await freePort()))
    expect(lines).toEqual([`A restore to ${dataDir} was interrupted: run npm run restore again.`])
    expect(code).toBe(1)
    const { output } = await runCommand(['restore', backups])
    expect(output).toMatch(
      /^Restored .*\n- The state at .*\n- Database: .* ledger entries.*\n- Files: \d+ .*secrets\n/m,
    )
    expect(output).not.toMatch(/Warning/)
    expect(existsSync(leftover)).toBe(false)
    expect(readdirSync(dataDir)).not.toContain('restore.tmp')
  })

  it('contains every table, every file and a balanced ledger', async () => {
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets)
    const restored = await withStoppedDatabase(dataDir, async (db) => {
      const unbalanced = await db`
        select transaction_id from public.ledger_entries group by transaction_id having sum(amount_cents) <> 0`
      expect(unbalanced).toHaveLength(0)
      const posts = await db<{ id: string }[]>`select id from public.posts`
      const tips = await db<{ id: string }[]>`select id from public.payments where state = 'paid'`
      expect(posts.map(({ id }) => id)).toEqual(expect.arrayContaining(atStart.posts))
      expect(tips.map(({ id }) => id)).toEqual(expect.arrayContaining(atStart.tips))
      const objects = await db<{ name: string }[]>`select name from storage.objects`
      for (const { name } of objects) {
        const key = createHash('sha256')
          .update(JSON.stringify(['avatars', name]))
          .digest('hex')
        expect(existsSync(join(dataDir, 'storage', key.slice(0, 2), key))).toBe(true)
      }
      return await readTables(db)
    })
    // The load only adds rows to these tables, so the archive has a subset of the rows at the end of the load.
    const growing = ['public.posts', 'public.payments', 'public.ledger_transactions', 'public.ledger_entries']
    for (const table of growing)
      expect(atEnd[table]).toEqual(expect.arrayContaining(restored[table] ?? ['none']))
    expect(Object.keys(restored)).toEqual(Object.keys(atEnd))
    for (const table of [
      'auth.users',
      'public.profiles',
      'public.follows',
      'public.messages',
      'public.reports',
    ])
      expect(restored[table]).toEqual(atEnd[table])
    for (const [name, hash] of Object.entries(readFiles(dataDir)))
      if (filesAtEnd[name]) expect(hash).toBe(filesAtEnd[name])
    rmSync(dataDir, { recursive: true })
  })

  it('can be restored, with archived WAL, to the state at a given time', async () => {
    const restoreAt = (text: string) => runCommand(['restore', 's3://backups/ovation', '--to-time', text])
    const [tooEarly, withoutZone] = await Promise.all([
      restoreAt('2020-01-01T00:00:00Z'),
      restoreAt('2026-01-31T12:00'),
    ])
    expect(tooEarly.output).toMatch(/restore an earlier one, or choose a later time/)
    expect(withoutZone.output).toMatch(/is not a time/)
    // Rounded up to the next millisecond, because JavaScript dates have no microseconds.
    const { output } = await restoreAt(new Date(time.getTime() + 1).toISOString())
    expect(output).toMatch(/- The state at 20.*Z, with [1-9]\d* archived WAL segments/)
    const restored = await withStoppedDatabase(
      dataDir,
      (db) => db<{ id: string }[]>`select id from public.posts`,
    )
    const ids = restored.map(({ id }) => id)
    expect(ids).toHaveLength((atEnd['public.posts']?.length ?? 0) - 1)
    expect(ids).not.toContain(latePost)
    rmSync(dataDir, { recursive: true })
  })

  it('can be restored, with archived WAL, to the latest state', async () => {
    // The first three download requests are interrupted.
    s3.failNext(3)
    const { code, output } = await runCommand(['restore', 's3://backups/ovation', '--to-time', 'latest'])
    expect(output).toMatch(/- The state at the end of the archived WAL, with [1-9]\d* archived WAL segments/)
    expect(code).toBe(0)
    const restored = await withStoppedDatabase(dataDir, (db) => readTables(db))
    for (const [table, rows] of Object.entries(atEnd)) expect([table, restored[table]]).toEqual([table, rows])
    expect(readFiles(dataDir)).toMatchObject(filesAtEnd)
  })

  it('can be used by the stack after it is restored', async () => {
    stack = startStack(dataDir, await freePort())
    const { apiUrl } = await stack.ready()
    expect((await fetch(`${apiUrl}/api/health`)).status).toBe(200)
    stack.process.kill('SIGTERM')
    await stack.ended
  })
})

describe('a bucket', () => {
  const bytes = randomBytes(33 * 1024 * 1024)
  const open = (changes: Record<string, string> = {}, timeoutMs?: number) => {
    const variables = env(changes)
    return openS3('s3://backups/unit/', (name) => variables[name], timeoutMs)
  }

  it('receives large objects in parts, and stores nothing if an upload fails', async () => {
    const bucket = open()
    s3.failNext(1)
    expect(await bucket.write('large', new Blob([bytes]).stream())).toBe(bytes.length)
    expect(s3.objects.get('backups/unit/large')?.content.equals(bytes)).toBe(true)
    let isFirst = true
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isFirst) controller.enqueue(new Uint8Array(bytes))
        else controller.error(new Error('the source failed'))
        isFirst = false
      },
    })
    await expect(bucket.write('failed', failing)).rejects.toThrow('the source failed')
    expect(s3.uploads.size).toBe(0)
    expect(s3.objects.has('backups/unit/failed')).toBe(false)
  })

  it('lists the objects on all pages, and continues a download that is interrupted', async () => {
    const bucket = open()
    for (const name of ['a', 'b', 'c']) await bucket.write(name, new Blob([name]).stream())
    expect((await bucket.list('')).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'large'])
    s3.failNext(2)
    const received = await new Response(await bucket.read('large')).arrayBuffer()
    expect(bytes.equals(new Uint8Array(received))).toBe(true)
    await bucket.remove('large')
    expect(await bucket.list('')).toHaveLength(3)
  })

  it('retries a request that gets no response, and continues a download that stalls', async () => {
    const bucket = open({}, 500)
    s3.stallNext(1)
    await bucket.write('a', new Blob(['again']).stream())
    s3.stallNext(1)
    expect(await new Response(await bucket.read('a')).text()).toBe('again')
  })

  it('rejects a download of an object whose size is unknown or that is replaced in the meantime', async () => {
    const bucket = open()
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('content'))
    await expect(bucket.read('a')).rejects.toThrow(/did not send the size of .*backups.unit.a/)
    await bucket.write('a', new Blob(['first']).stream())
    s3.failNext(1)
    const content = await bucket.read('a')
    await bucket.write('a', new Blob(['second']).stream())
    await expect(new Response(content).text()).rejects.toThrow('412')
  })

  it('rejects wrong or missing credentials and invalid names', async () => {
    const message = 's3://backups/unit/: 403 SignatureDoesNotMatch'
    await expect(open({ AWS_SECRET_ACCESS_KEY: 'wrong' }).list('')).rejects.toThrow(message)
    expect(() => open({ AWS_SECRET_ACCESS_KEY: '' })).toThrow(
      /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    )
    expect(() => openS3('s3://backups/a b', () => undefined)).toThrow(/is not a valid bucket/)
  })
})

describe('npm run restore', () => {
  const json = (value: unknown) => JSON.stringify(value)
  let header: Record<string, unknown>

  const fileEntry = (name: string, content: string): TarEntry => ({
    header: { name, size: content.length, type: 'file' },
    body: content,
  })

  /** Returns an archive that begins with the description from a real archive, with `changes` applied. */
  async function makeArchive(entries: TarEntry[], changes: Record<string, unknown> = {}): Promise<Buffer> {
    const description = fileEntry('backup.json', json({ ...header, ...changes }))
    return gzipSync(await packTar([description, ...entries]), { level: 1 })
  }

  /** Runs `npm run restore` with an archive of these bytes, and checks that the command fails. */
  function failToRestoreBytes(bytes: Buffer): Promise<string> {
    const path = join(folder, `${randomUUID()}.tar.gz`)
    writeFileSync(path, bytes)
    return failToRestore(path)
  }

  /** Reads an archive as a restore does, but writes no files. Returns the names of the files, or the error message. */
  async function readFileNames(bytes: Buffer): Promise<string[] | string> {
    const names: string[] = []
    return await readArchive(new Blob([new Uint8Array(bytes)]).stream(), {
      onHeader: async () => 'the signing key',
      onDirectory: async () => undefined,
      async onFile(name: string, body: ReadableStream) {
        names.push(name)
        await new Response(body).arrayBuffer()
      },
      onProgress: () => undefined,
    }).then(
      () => names,
      (error: Error) => error.message,
    )
  }

  beforeAll(async () => {
    const [description] = await unpackTar(gunzipSync(readFileSync(archivePath())), {
      filter: ({ name }) => name === 'backup.json',
    })
    header = JSON.parse(new TextDecoder().decode(description?.data))
  })

  it('rejects a folder that already has data, and leaves it unchanged', async () => {
    const before = readdirSync(dataDir).sort()
    const { code, output } = await runCommand(['restore', archivePath()])
    expect(output).toContain(`${dataDir} already has data (storage)`)
    expect(code).toBe(1)
    expect(readdirSync(dataDir).sort()).toEqual(before)
  })

  it('leaves no data if the passphrase is wrong or missing, or if the archive is damaged', async () => {
    const bytes = readFileSync(archivePath())
    // Flips a bit of the uncompressed data. In the compressed data, this could have no effect: a changed back-reference
    // into a run of zeros yields the same zeros.
    const altered = gunzipSync(bytes)
    const position = altered.findIndex((byte, index) => index > altered.length >> 1 && byte !== 0)
    altered[position] = (altered[position] ?? 0) ^ 1
    const [wrong, missing, ...damaged] = await Promise.all([
      failToRestore(archivePath(), { BACKUP_PASSPHRASE: 'another passphrase' }),
      failToRestore(archivePath(), { BACKUP_PASSPHRASE: '' }),
      failToRestoreBytes(bytes.subarray(0, bytes.length - 100)),
      failToRestoreBytes(gzipSync(altered)),
      failToRestoreBytes(await makeArchive([fileEntry('postgres/../../evil', 'x')])),
    ])
    expect(wrong).toMatch(/^The passphrase is wrong, or the archive is damaged/)
    expect(missing).toBe('The secrets in the archive are encrypted: set BACKUP_PASSPHRASE.')
    // The message depends on the position of the damage.
    for (const message of damaged) expect(message).toMatch(/^The archive is (damaged|incomplete)/)
    expect(existsSync(join(folder, 'evil'))).toBe(false)
  })

  it('rejects an archive that is incompatible with this version, has no secrets or is too large for the disk', async () => {
    const [version, postgresMajor, withoutSecrets, space] = await Promise.all(
      [{ version: '9.0.0' }, { postgresMajor: 99 }, { secrets: null }, { databaseBytes: 1e18 }].map(
        async (changes) => failToRestoreBytes(await makeArchive([], changes)),
      ),
    )
    expect(version).toMatch(/^The archive was made by Ovation 9\.0\.0, but this is .*: update Ovation first/)
    expect(postgresMajor).toMatch(/^The archive is from PostgreSQL 99/)
    expect(withoutSecrets).toMatch(
      /^The archive contains only a database, so it can only be restored from .*before-upgrade\.$/,
    )
    expect(space).toMatch(/^Restoring needs \d+ TB, but .* has .*B free\.$/)
    expect(await readFileNames(await makeArchive([], { format: 2 }))).toBe(
      'The archive was made by a newer version of Ovation.',
    )
  })

  it('rejects links and unexpected paths, such as those that lead out of the folder', async () => {
    const names = ['../evil', '/etc/evil', 'postgres/a\\b', 'elsewhere/file', 'storage/./..', 'storage']
    for (const name of names) {
      expect(await readFileNames(await makeArchive([fileEntry(name, 'x')]))).toBe(
        `The archive is damaged or incomplete: unexpected entry: ${name}.`,
      )
    }
    const link: TarEntry = { header: { name: 'storage/link', size: 0, type: 'symlink', linkname: '/etc' } }
    expect(await readFileNames(await makeArchive([link]))).toMatch(/unexpected symlink/)
  })

  it('rejects an archive that is incomplete or was altered', async () => {
    const content = '17\n'
    const none = { files: 0, bytes: 0, sha256: createHash('sha256').digest('hex') }
    const sha256 = createHash('sha256')
      .update(`postgres/PG_VERSION\0${content.length}\0${content}`)
      .digest('hex')
    const sections = { postgres: { files: 1, bytes: content.length, sha256 }, storage: none, mailbox: none }
    const sign = (key: string) =>
      createHmac('sha256', key)
        .update(json([header, sections]))
        .digest('hex')
    const readSignedArchive = async (text: string, key: string) => {
      const manifest = json({ finishedAt: '', sections, signature: sign(key) })
      const entries = [fileEntry('postgres/PG_VERSION', text), fileEntry('manifest.json', manifest)]
      return await readFileNames(await makeArchive(entries))
    }
    expect(await readSignedArchive(content, 'the signing key')).toEqual(['postgres/PG_VERSION'])
    expect(await readSignedArchive(content, 'another key')).toBe(
      'The archive was altered: its signature does not match.',
    )
    expect(await readSignedArchive('18\n', 'the signing key')).toBe(
      'The archive is damaged: the checksum of postgres does not match.',
    )
    expect(await readFileNames(await makeArchive([fileEntry('postgres/PG_VERSION', content)]))).toBe(
      'The archive is incomplete: its end is missing.',
    )
    expect(await readFileNames(gzipSync(await packTar([fileEntry('a', 'b')])))).toBe(
      'This file is not a backup of Ovation.',
    )
    expect(await readFileNames(Buffer.from('no archive'))).toMatch(/^The archive is damaged or incomplete/)
  })
})

describe('an interrupted backup', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no archive after %s', async (signal) => {
    const to = join(folder, signal)
    const child: ChildProcess = spawn(process.execPath, [program, 'backup', '--to', to], {
      cwd: root,
      env: { ...process.env, ...env() },
      stdio: 'ignore',
    })
    await eventually(async () => expect(readdirSync(to)).toHaveLength(1))
    const worker = listDescendants(child.pid ?? 0).find(({ command }) => command.includes('backup/main.ts'))
    process.kill(signal === 'SIGTERM' ? (child.pid ?? 0) : (worker?.pid ?? 0), signal)
    await new Promise((resolve) => child.on('close', resolve))
    const left = readdirSync(to).map((name) => name.replace(/.*gz/, ''))
    expect(left).toEqual(signal === 'SIGKILL' ? ['.partial'] : [])
    // The next backup stops the database server that the killed backup left behind.
    if (signal === 'SIGKILL') {
      const { output } = await runCommand(['backup', '--to', to])
      expect(output).toContain('Backed up')
    }
  })
})
