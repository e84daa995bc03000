import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt, SignJWT } from 'jose'
import type postgres from 'postgres'
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../support/connection.ts'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { createTempDir } from '../support/stack-process.ts'
import { createStackUser } from '../support/stack-users.ts'
import { createTestClient } from '../support/supabase-client.ts'
import type { TestUser } from '../support/users.ts'

// Runs the real client, supabase-js, against the embedded Storage. tests/stack/supabase-compatibility.test.ts compares
// the backticked names in the test titles with docs/reference/supabase-compatibility.md.

const bucket = 'albums'
const people = ['owner', 'stranger', 'blocked', 'visitor', 'service'] as const
type Person = (typeof people)[number]

let stack: IsolatedStack
let connection: Connection
let sql: postgres.Sql
let users: Record<'owner' | 'stranger' | 'blocked', TestUser>
let clients: Record<Person, SupabaseClient>

beforeAll(async () => {
  stack = await startIsolatedStack({ CAPTCHA_PROVIDER: 'none' })
  ;({ connection, sql } = stack)
  const create = () => createStackUser(connection, sql)
  users = { owner: await create(), stranger: await create(), blocked: await create() }
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${users.owner.id}, ${users.blocked.id})`
  clients = {
    owner: createTestClient(connection, users.owner.token),
    stranger: createTestClient(connection, users.stranger.token),
    blocked: createTestClient(connection, users.blocked.token),
    visitor: createTestClient(connection),
    service: createTestClient(connection, null, connection.secretKey),
  }
  await sql`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (${bucket}, ${bucket}, false, 1000000, array['text/plain', 'image/*']),
           ('tiny', 'tiny', false, 10, null), ('images', 'images', false, null, array['image/png']),
           ('open', 'open', true, null, null), ('guests', 'guests', false, 1000, null)`
  // A file belongs to the user whose ID is the name of its top-level folder. Files in the `shared` folder inside it are
  // visible to everyone whom that user has not blocked.
  await sql.unsafe(`
    create function public.is_blocked_by(owner_id text) returns boolean language sql stable security definer
      return exists (select from public.blocks b where b.blocker_id::text = owner_id and b.blocked_id = auth.uid());
    create policy own_files on storage.objects for all to authenticated
      using ((storage.foldername(name))[1] = auth.uid()::text);
    create policy shared_files on storage.objects for select to anon, authenticated
      using (bucket_id = 'albums' and (storage.foldername(name))[2] = 'shared'
             and not public.is_blocked_by((storage.foldername(name))[1]));
    create policy tagged on storage.objects as restrictive for insert to authenticated
      with check (coalesce(user_metadata ->> 'tag', '') <> 'forbidden');
    create policy guests on storage.objects for insert to anon with check (bucket_id = 'guests');
  `)
})

beforeEach(async () => {
  await sql`delete from private.rate_limits`
})

afterAll(() => stack?.discard())

const files = (person: Person, name = bucket) => clients[person].storage.from(name)
let nameCount = 0
const ownName = (folder = 'private', extension = 'txt') =>
  `${users.owner.id}/${folder}/file-${nameCount++}.${extension}`
const text = (content: string) => new Blob([content], { type: 'text/plain' })

/** Stores a file as the owner and returns its name. */
async function store(name: string, content = 'content', options = {}): Promise<string> {
  const { error } = await files('owner').upload(name, content, { contentType: 'text/plain', ...options })
  expect(error).toBeNull()
  return name
}

async function read(name: string, person: Person = 'owner', from = bucket): Promise<string | null> {
  const { data } = await files(person, from).download(name)
  return data && (await data.text())
}

/** Returns the people for whom a call succeeds. */
async function allowed(call: (person: Person) => PromiseLike<{ error: unknown }>): Promise<string[]> {
  const results = await Promise.all(
    people.map(async (person) => [person, (await call(person)).error] as const),
  )
  return results.filter(([, error]) => error === null).map(([person]) => person)
}

const allButBlocked = ['owner', 'stranger', 'visitor', 'service']
const onlyOwner = ['owner', 'service']

/** Returns the HTTP status of an error from supabase-js or tus-js-client. */
const httpStatus = (error: unknown) =>
  error instanceof DetailedError ? error.originalResponse?.getStatus() : (error as { status?: number }).status

/** Returns the `statusCode` in the body of an error response, or undefined if the call succeeded. */
const statusOf = ({ error }: { error: unknown }) => (error as { statusCode?: string } | null)?.statusCode

const defaultQuota = 5 * 1024 ** 3
const setQuota = (bytes: number) =>
  sql`select private.set_setting('storage_quota_bytes', ${String(bytes)}::text::jsonb)`

/** Signs the claims of a signed URL with the stack's JWT secret. */
async function signToken(claims: Record<string, unknown>, expiresAt: number): Promise<string> {
  const { jwtSecret } = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as {
    jwtSecret: string
  }
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(jwtSecret))
}

/** Lists the temporary files of uploads in progress. */
const incomingFiles = () => readdirSync(join(stack.dataDir, 'storage', 'incoming'))
const partialFiles = () => [...readdirSync(join(stack.dataDir, 'storage', 'resumable')), ...incomingFiles()]

describe('calls of supabase-js', () => {
  test('`upload` accepts every kind of body, and replaces a file only with upsert', async () => {
    const path = join(createTempDir(), 'file.txt')
    writeFileSync(path, 'streamed')
    const form = new FormData()
    form.append('', text('in a form'), 'file.txt')
    const bodies: [string, Parameters<ReturnType<typeof files>['upload']>[1]][] = [
      ['blob', text('blob')],
      ['file', new File(['file'], 'name.txt', { type: 'text/plain' })],
      ['in a form', form],
      ['buffer', Buffer.from('buffer')],
      ['array buffer', new TextEncoder().encode('array buffer').buffer],
      ['streamed', createReadStream(path)],
      ['web stream', text('web stream').stream()],
      ['text', 'text'],
    ]
    for (const [content, body] of bodies) {
      const name = ownName()
      const { data, error } = await files('owner').upload(name, body, { contentType: 'text/plain' })
      expect([content, error]).toEqual([content, null])
      expect(data).toMatchObject({ path: name, fullPath: `${bucket}/${name}`, id: expect.any(String) })
      expect(await read(name)).toBe(content)
    }
    const name = await store(ownName(), 'first')
    expect(statusOf(await files('owner').upload(name, 'second', { contentType: 'text/plain' }))).toBe('409')
    expect(await read(name)).toBe('first')
    await store(name, 'second', { upsert: true })
    expect(await read(name)).toBe('second')
    expect(partialFiles()).toEqual([])
  })

  test('`update` replaces a file', async () => {
    const name = await store(ownName(), 'first')
    expect((await files('owner').update(name, text('second'))).error).toBeNull()
    expect(await read(name)).toBe('second')
    expect(await allowed((person) => files(person).update(name, text('third')))).toEqual(onlyOwner)
  })

  test('`info` and `exists` describe a file that the caller may see', async () => {
    const name = await store(ownName('shared'), 'content', { metadata: { a: 1 }, cacheControl: '60' })
    const { data } = await files('stranger').info(name)
    expect(data).toMatchObject({
      name,
      bucketId: bucket,
      size: 7,
      contentType: 'text/plain',
      cacheControl: 'max-age=60',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      metadata: { a: 1 },
    })
    const hidden = await store(ownName())
    for (const [file, who] of [
      [name, allButBlocked],
      [hidden, onlyOwner],
    ] as const) {
      expect(await allowed((person) => files(person).info(file))).toEqual(who)
      expect(await allowed((person) => files(person).exists(file))).toEqual(who)
    }
    expect((await files('stranger').exists(hidden)).data).toBe(false)
  })

  test('`download` sends a file to those who may see it', async () => {
    const shared = await store(ownName('shared'))
    const hidden = await store(ownName())
    expect(await allowed((person) => files(person).download(shared))).toEqual(allButBlocked)
    expect(await allowed((person) => files(person).download(hidden))).toEqual(onlyOwner)
    const stream = await files('owner').download(hidden).asStream()
    expect(await new Response(stream.data).text()).toBe('content')
    // To others, a hidden file looks the same as a missing one.
    const [existing, missing] = [
      await files('stranger').info(hidden),
      await files('stranger').info(ownName()),
    ]
    expect(existing.error).toMatchObject({ message: 'Object not found' })
    expect(missing.error).toMatchObject({ message: 'Object not found' })
  })

  test('`download` with `transform` is refused with an explanation', async () => {
    const name = await store(ownName('shared'))
    const { error } = await files('owner').download(name, { transform: { width: 10 } })
    expect(error?.message).toContain('not available in the embedded stack')
  })

  test('`versionId` is refused with an explanation', async () => {
    const name = await store(ownName('shared'))
    for (const { error } of [
      await files('owner').download(name, { versionId: 'x' }),
      await files('owner').info(name, { versionId: 'x' }),
      await files('owner').createSignedUrl(name, 60, { versionId: 'x' }),
    ])
      expect(error?.message).toContain('Object versions are not available')
  })

  test('`getPublicUrl` works for public buckets only', async () => {
    await files('service', 'open').upload('a b.txt', 'public', { contentType: 'text/plain' })
    const fetchUrl = (url: string) => fetch(url).then((response) => response.text())
    expect(await fetchUrl(files('visitor', 'open').getPublicUrl('a b.txt').data.publicUrl)).toBe('public')
    const { publicUrl } = files('visitor', 'open').getPublicUrl('a b.txt', { download: 'c.txt' }).data
    expect((await fetch(publicUrl)).headers.get('content-disposition')).toContain('filename=c.txt')
    const shared = await store(ownName('shared'))
    expect(await fetchUrl(files('visitor').getPublicUrl(shared).data.publicUrl)).toContain('Bucket not found')
  })

  test('`createSignedUrl` and `createSignedUrls` sign URLs only for files that the caller may see', async () => {
    const shared = await store(ownName('shared', 'a b.txt'), 'signed')
    const hidden = await store(ownName())
    expect(await allowed((person) => files(person).createSignedUrl(shared, 60))).toEqual(allButBlocked)
    expect(await allowed((person) => files(person).createSignedUrl(hidden, 60))).toEqual(onlyOwner)
    const { data } = await files('stranger').createSignedUrl(shared, 60, { download: 'x.txt' })
    const response = await fetch(data?.signedUrl ?? '')
    expect([await response.text(), response.headers.get('content-disposition')]).toEqual([
      'signed',
      "attachment; filename=x.txt; filename*=UTF-8''x.txt",
    ])
    const many = await files('stranger').createSignedUrls([shared, hidden], 60)
    expect(many.data?.map(({ path, error }) => [path, error === null])).toEqual([
      [shared, true],
      [hidden, false],
    ])
    expect(await (await fetch(many.data?.[0]?.signedUrl ?? '')).text()).toBe('signed')
  })

  test('`createSignedUploadUrl` and `uploadToSignedUrl` let others store one file, once', async () => {
    const name = ownName()
    expect(await allowed((person) => files(person).createSignedUploadUrl(ownName()))).toEqual(onlyOwner)
    const { data } = await files('owner').createSignedUploadUrl(name)
    const token = data?.token ?? ''
    for (const other of [ownName(), `${name}x`, `../${name}`]) {
      expect((await files('visitor').uploadToSignedUrl(other, token, text('other'))).error).not.toBeNull()
    }
    expect((await files('visitor').uploadToSignedUrl(name, token, text('sent'))).error).toBeNull()
    expect(statusOf(await files('visitor').uploadToSignedUrl(name, token, text('again')))).toBe('409')
    expect(await read(name)).toBe('sent')
    const [row] = await sql`select owner_id from storage.objects where name = ${name}`
    expect(row?.owner_id).toBe(users.owner.id)
    const upsert = await files('owner').createSignedUploadUrl(name, { upsert: true })
    expect(
      (await files('visitor').uploadToSignedUrl(name, upsert.data?.token ?? '', text('new'))).error,
    ).toBeNull()
    expect(await read(name)).toBe('new')
  })

  test('`list` returns the files and folders in a folder', async () => {
    const folder = `${users.owner.id}/tree`
    for (const name of ['b.txt', 'a.txt', 'sub/c.txt', 'sub/deep/d.txt', '100.txt', '100x.txt']) {
      await store(`${folder}/${name}`, 'x')
    }
    const names = async (...args: Parameters<ReturnType<typeof files>['list']>) =>
      (await files('owner').list(...args)).data?.map(({ name }) => name)
    expect(await names(folder)).toEqual(['sub', '100.txt', '100x.txt', 'a.txt', 'b.txt'])
    expect(await names(`${folder}/sub`)).toEqual(['deep', 'c.txt'])
    expect(await names(folder, { limit: 2, offset: 1 })).toEqual(['100.txt', '100x.txt'])
    expect(await names(folder, { search: 'B' })).toEqual(['b.txt'])
    expect(await names(folder, { search: '%' })).toEqual([])
    expect(await names(folder, { sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'sub',
      'b.txt',
      'a.txt',
      '100x.txt',
      '100.txt',
    ])
    const { data } = await files('owner').list(folder, { search: 'a' })
    expect(data).toMatchObject([{ name: 'a.txt', id: expect.any(String), metadata: { size: 1 } }])
    const counts = people.map(async (person) => (await files(person).list(folder)).data?.length)
    expect(await Promise.all(counts)).toEqual([5, 0, 0, 0, 5])
  })

  test('`listV2` lists in pages that stay correct while files are added', async () => {
    const folder = `${users.owner.id}/pages/`
    for (const name of ['b', 'd', 'f', 'x/1', 'x/2']) await store(`${folder}${name}`)
    const page = async (cursor?: string) => {
      const options = { prefix: folder, with_delimiter: true, limit: 2, ...(cursor ? { cursor } : {}) }
      const { data, error } = await files('owner').listV2(options)
      expect(error).toBeNull()
      const found = [...(data?.objects ?? []), ...(data?.folders ?? [])]
      return { names: found.map(({ name }) => name.slice(folder.length)), next: data?.nextCursor }
    }
    const first = await page()
    expect(first.names).toEqual(['b', 'd'])
    await store(`${folder}a`)
    const second = await page(first.next)
    expect(second.names).toEqual(['f', 'x/'])
    expect(second.next).toBeUndefined()
    expect(statusOf(await files('owner').listV2({ prefix: folder, cursor: 'x' }))).toBe('400')
    const counts = people.map(async (person) => {
      return (await files(person).listV2({ prefix: folder })).data?.objects.length
    })
    expect(await Promise.all(counts)).toEqual([6, 0, 0, 0, 6])
  })

  test('`copy` needs permission to read the file and to store the copy', async () => {
    const shared = await store(ownName('shared'), 'original', { metadata: { kept: true } })
    expect(await allowed((person) => files(person).copy(shared, ownName()))).toEqual(onlyOwner)
    const copy = `${users.stranger.id}/copy.txt`
    const { data } = await files('stranger').copy(shared, copy)
    expect(data?.path).toBe(`${bucket}/${copy}`)
    expect((await files('stranger').info(copy)).data).toMatchObject({ metadata: { kept: true } })
    expect(statusOf(await files('stranger').copy(await store(ownName()), `${users.stranger.id}/b.txt`))).toBe(
      '404',
    )
    expect(statusOf(await files('blocked').copy(shared, `${users.blocked.id}/b.txt`))).toBe('404')
    // The copy is independent of the original.
    await store(shared, 'changed', { upsert: true })
    expect(await read(copy, 'stranger')).toBe('original')
  })

  test('`copy` to a file with the same content leaves no temporary file after both are deleted', async () => {
    const [from, to] = [await store(ownName()), ownName()]
    for (const target of [to, to, from]) {
      const { status } = await fetch(`${connection.apiUrl}/storage/v1/object/copy`, {
        method: 'POST',
        headers: { ...headersOf('owner'), 'x-upsert': 'true' },
        body: JSON.stringify({ bucketId: bucket, sourceKey: from, destinationKey: target }),
      })
      expect(status).toBe(200)
    }
    await files('owner').remove([from, to])
    expect(incomingFiles()).toEqual([])
  })

  test('`move` renames a file of the caller, and never replaces another', async () => {
    const [from, to, taken] = [await store(ownName('shared')), ownName(), await store(ownName())]
    for (const person of ['stranger', 'blocked', 'visitor'] as const) {
      expect((await files(person).move(from, `${users.stranger.id}/mine.txt`)).error).not.toBeNull()
    }
    expect(statusOf(await files('owner').move(from, taken))).toBe('409')
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${users.owner.id}`
    expect(statusOf(await files('owner').move(from, to))).toBe('403')
    await sql`update public.accounts set read_only_reason = null where user_id = ${users.owner.id}`
    expect((await files('owner').move(from, to)).error).toBeNull()
    expect([await read(from), await read(to), await read(taken)]).toEqual([null, 'content', 'content'])
  })

  test('`move` counts the file against the quota of a new owner', async () => {
    const user = await createStackUser(connection, sql)
    const own = createTestClient(connection, user.token).storage.from(bucket)
    const [given, kept, target] = ['given', 'kept', 'target'].map((name) => `${user.id}/${name}.txt`) as [
      string,
      string,
      string,
    ]
    for (const [client, name] of [
      [files('service'), given],
      [own, kept],
    ] as const) {
      expect((await client.upload(name, Buffer.alloc(700), { contentType: 'text/plain' })).error).toBeNull()
    }
    await setQuota(1000)
    expect((await own.move(given, target)).error).toMatchObject({ status: 403 })
    expect((await own.move(kept, `${user.id}/renamed.txt`)).error).toBeNull()
    await setQuota(1400)
    expect((await own.move(given, target)).error).toBeNull()
    await setQuota(defaultQuota)
  })

  test('`remove` deletes only files that the caller may delete', async () => {
    const [first, second] = [await store(ownName('shared')), await store(ownName())]
    for (const person of ['stranger', 'blocked', 'visitor'] as const) {
      expect((await files(person).remove([first, second])).data).toEqual([])
    }
    const { data } = await files('owner').remove([first, second, 'missing'])
    expect(data?.map(({ name }) => name).sort()).toEqual([first, second].sort())
    expect(await read(first)).toBeNull()
  })

  test('`createBucket`, `listBuckets`, `getBucket`, `updateBucket`, `emptyBucket` and `deleteBucket` work', async () => {
    const service = clients.service.storage
    const create = (person: Person) =>
      clients[person].storage.createBucket(`b-${person}`, { public: false, fileSizeLimit: '1kb' })
    expect(await allowed(create)).toEqual(['service'])
    expect((await service.getBucket('b-service')).data).toMatchObject({
      public: false,
      file_size_limit: 1000,
    })
    expect(statusOf(await clients.owner.storage.getBucket('b-service'))).toBe('404')
    expect((await clients.owner.storage.listBuckets()).data).toEqual([])
    const listed = async (options: Parameters<typeof service.listBuckets>[0]) =>
      (await service.listBuckets(options)).data?.map(({ id }) => id)
    expect(await listed({ search: 'B-S' })).toEqual(['b-service'])
    expect(await listed({ sortColumn: 'name', sortOrder: 'desc', limit: 2, offset: 1 })).toEqual([
      'open',
      'media',
    ])
    const changes = { public: true, allowedMimeTypes: ['image/png'] }
    expect(await allowed((person) => clients[person].storage.updateBucket('b-service', changes))).toEqual([
      'service',
    ])
    expect((await service.listBuckets()).data?.find(({ id }) => id === 'b-service')).toMatchObject({
      public: true,
      file_size_limit: 1000,
      allowed_mime_types: ['image/png'],
    })
    await service.from('b-service').upload('a.png', 'x', { contentType: 'image/png' })
    expect(statusOf(await service.deleteBucket('b-service'))).toBe('409')
    expect(await allowed((person) => clients[person].storage.emptyBucket('b-service'))).toEqual(['service'])
    expect(await allowed((person) => clients[person].storage.deleteBucket('b-service'))).toEqual(['service'])
    expect(statusOf(await service.createBucket('../x'))).toBe('400')
  })
})

describe('the Storage API', () => {
  test('serves ranges and conditional requests', async () => {
    const name = await store(ownName(), '0123456789')
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${connection.apiUrl}/storage/v1/object/${bucket}/${name}`, {
        method,
        headers: { authorization: `Bearer ${users.owner.token}`, ...headers },
      })
    const whole = await get({})
    const [etag, modified] = [whole.headers.get('etag') ?? '', whole.headers.get('last-modified') ?? '']
    expect(await whole.text()).toBe('0123456789')
    const range = await get({ range: 'bytes=2-4', 'if-range': etag })
    expect([range.status, range.headers.get('content-range'), await range.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect((await get({ range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200)
    expect((await get({ range: 'bytes=10-' })).status).toBe(416)
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': '"other"', 'if-modified-since': modified })).status).toBe(200)
    expect((await get({ 'if-modified-since': modified })).status).toBe(304)
    const head = await get({}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      '10',
      etag,
    ])
  })

  test('rejects invalid tokens, ended sessions and signed URLs that expired or have another purpose', async () => {
    const name = await store(ownName('shared'))
    const url = `${bucket}/${name}`
    const [future, past] = [1, -1].map((sign) => Math.floor(Date.now() / 1000) + sign * 60) as [
      number,
      number,
    ]
    const fetchSigned = async (token: string) =>
      (await fetch(`${connection.apiUrl}/storage/v1/object/sign/${url}?token=${token}`)).status
    expect(await fetchSigned(await signToken({ url, scope: 'download' }, future))).toBe(200)
    for (const token of [
      await signToken({ url, scope: 'download' }, past),
      await signToken({ url, scope: 'upload' }, future),
      await signToken({ url: `${url}x`, scope: 'download' }, future),
      users.owner.token,
      '',
    ])
      expect(await fetchSigned(token)).toBe(400)
    const uploadName = ownName()
    const upload = { url: `${bucket}/${uploadName}`, scope: 'upload', upsert: true }
    const uploadSigned = async (token: string) =>
      (await files('visitor').uploadToSignedUrl(uploadName, token, text('x'))).error
    expect(await uploadSigned(await signToken(upload, past))).not.toBeNull()
    expect(await uploadSigned(await signToken(upload, future))).toBeNull()
    // The token of a signed URL is not an access token.
    const bearer = createTestClient(connection, await signToken({ url, scope: 'download' }, future))
    expect((await bearer.storage.from(bucket).list(users.owner.id)).error).not.toBeNull()

    const ended = await createStackUser(connection, sql)
    const client = createTestClient(connection, ended.token).storage.from(bucket)
    expect((await client.list(ended.id)).error).toBeNull()
    await sql`delete from auth.sessions where id = ${String(decodeJwt(ended.token).session_id)}`
    expect((await client.list(ended.id)).error).toMatchObject({ status: 401 })
  })

  test('checks policies against metadata in any part of a request', async () => {
    const withMetadataLast = new FormData()
    withMetadataLast.append('', text('form'), 'file.txt')
    for (const body of ['text', text('blob'), withMetadataLast]) {
      const name = ownName()
      const options = { contentType: 'text/plain', metadata: { tag: 'forbidden' } }
      expect(statusOf(await files('owner').upload(name, body, options))).toBe('403')
      expect(await read(name)).toBeNull()
    }
  })

  test('rejects incomplete forms, deeply nested metadata and headers that are too long', async () => {
    const file = 'content-disposition: form-data; name="f"; filename="a.txt"\r\ncontent-type: text/plain'
    const incomplete = `--B\r\n${file}\r\n\r\nincomplete`
    const formHeaders = { 'content-type': 'multipart/form-data; boundary=B' }
    const nested = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const metadata = `--B\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n${nested}\r\n`
    for (const [person, headers, body] of [
      ['visitor', formHeaders, incomplete],
      ['owner', formHeaders, incomplete],
      ['owner', formHeaders, `${metadata}--B\r\n${file}\r\n\r\nx\r\n--B--`],
      ['owner', { 'content-type': 'text/plain', 'cache-control': 'x'.repeat(5000) }, 'x'],
    ] as const) {
      const { status } = await fetch(`${connection.apiUrl}/storage/v1/object/${bucket}/${ownName()}`, {
        method: 'POST',
        headers: { ...headersOf(person), ...headers },
        body,
      })
      expect(status).toBe(400)
    }
    await store(ownName())
  })

  test('checks policies against the declared size', async () => {
    await sql`
      create policy small on storage.objects as restrictive for insert to authenticated
      with check ((metadata ->> 'contentLength')::int < 1000)`
    for (const way of ['body', 'form', 'resumable'] as const) {
      expect([way, await attempt(way, { name: ownName() })]).toEqual([way, null])
      expect(await attempt(way, { name: ownName(), content: Buffer.alloc(1000, 'x') })).not.toBeNull()
    }
    await sql`drop policy small on storage.objects`
  })

  test('does not reveal through size limits which files exist', async () => {
    const path = `${users.owner.id}/hidden.mp4`
    await sql`
      insert into public.media (id, owner_id, kind, content_type, bytes, path)
      values (gen_random_uuid(), ${users.owner.id}, 'video', 'video/mp4', 10, ${path})`
    for (const name of [path, `${users.owner.id}/missing.mp4`]) {
      const error = await attempt('resumable', { person: 'stranger', to: 'media', name, type: 'video/mp4' })
      expect([name, httpStatus(error)]).toEqual([name, 403])
    }
  })

  test('responds to preflights from other origins', async () => {
    const response = await fetch(`${connection.apiUrl}/storage/v1/upload/resumable`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'tus-resumable, upload-offset',
      },
    })
    expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'tus-resumable, upload-offset',
    ])
  })
})

// All ways to upload: a plain body, a form, a signed URL, a resumable upload, and a resumable upload to a signed URL.
const ways = ['body', 'form', 'signed', 'resumable', 'resumable signed'] as const

interface Attempt {
  person?: Person
  to?: string
  name: string
  content?: Buffer
  type?: string
  upsert?: boolean
}

/** Uploads a file in one of these ways. Returns the error, or null. */
async function attempt(way: (typeof ways)[number], options: Attempt): Promise<unknown> {
  const {
    person = 'owner',
    to = bucket,
    name,
    content = Buffer.from('content'),
    type = 'text/plain',
  } = options
  const { upsert = false } = options
  if (way === 'body' || way === 'form') {
    const body = way === 'body' ? content : new Blob([new Uint8Array(content)], { type })
    return (await files(person, to).upload(name, body, { contentType: type, upsert })).error
  }
  if (way === 'resumable') return await sendResumable(person, options).catch((error) => error)
  const signed = await files(person, to).createSignedUploadUrl(name, { upsert })
  const token = signed.data?.token
  if (!token) return signed.error
  if (way === 'signed') {
    return (await files('visitor', to).uploadToSignedUrl(name, token, content, { contentType: type })).error
  }
  return await sendResumable('visitor', options, { headers: { 'x-signature': token } }).catch(
    (error) => error,
  )
}

const headersOf = (person: Person): Record<string, string> => ({
  apikey: person === 'service' ? connection.secretKey : connection.publishableKey,
  ...(person === 'visitor' || person === 'service' ? {} : { authorization: `Bearer ${users[person].token}` }),
})

function createUpload(
  person: Person,
  { to = bucket, name, content = Buffer.from('content'), type = 'text/plain', upsert = false }: Attempt,
  options: Partial<UploadOptions>,
): Upload {
  const { headers = {}, ...rest } = options
  const path = headers['x-signature'] ? '/sign' : ''
  return new Upload(content, {
    endpoint: `${connection.apiUrl}/storage/v1/upload/resumable${path}`,
    retryDelays: null,
    headers: { ...headersOf(person), ...(upsert ? { 'x-upsert': 'true' } : {}), ...headers },
    metadata: {
      bucketName: to,
      objectName: name,
      contentType: type,
      cacheControl: '3600',
      metadata: '{"a":1}',
    },
    ...rest,
  })
}

function sendResumable(person: Person, upload: Attempt, options: Partial<UploadOptions> = {}): Promise<null> {
  return new Promise((resolve, reject) => {
    createUpload(person, upload, { ...options, onSuccess: () => resolve(null), onError: reject }).start()
  })
}

/** Uploads a file as the owner, with the given metadata. */
const sendWithMetadata = (name: string, metadata: string) =>
  sendResumable(
    'owner',
    { name },
    { metadata: { bucketName: bucket, objectName: name, contentType: 'text/plain', metadata } },
  )

const tusHeaders = (person: Person) => ({ ...headersOf(person), 'tus-resumable': '1.0.0' })

/** Creates a resumable upload without sending any of the file. */
async function createResumable(person: Person, attempt: Attempt): Promise<Response> {
  const { to = bucket, name, content = Buffer.alloc(0), type = 'text/plain' } = attempt
  const encode = (value: string) => Buffer.from(value).toString('base64')
  return await fetch(`${connection.apiUrl}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      ...tusHeaders(person),
      'upload-length': String(content.length),
      'upload-metadata': `bucketName ${encode(to)},objectName ${encode(name)},contentType ${encode(type)}`,
    },
  })
}

/** Sends only the first `bytes` bytes of a file, and returns the URL of the unfinished upload. */
async function sendPart(person: Person, attempt: Attempt, bytes: number): Promise<string> {
  const { content = Buffer.alloc(0) } = attempt
  const created = await createResumable(person, attempt)
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`)
  const url = new URL(created.headers.get('location') ?? '', connection.apiUrl).href
  const patched = await fetch(url, {
    method: 'PATCH',
    headers: {
      ...tusHeaders(person),
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(content.subarray(0, bytes)),
  })
  expect(patched.status).toBe(204)
  return url
}

describe.each(ways)('a %s upload', (way) => {
  test('stores a file for a user with permission, and for nobody else', async () => {
    const name = ownName()
    expect(await attempt(way, { name })).toBeNull()
    expect(await read(name)).toBe('content')
    const [row] = await sql`select owner_id, metadata from storage.objects where name = ${name}`
    expect(row).toMatchObject({ owner_id: users.owner.id, metadata: { size: 7, mimetype: 'text/plain' } })
    for (const person of ['stranger', 'blocked', 'visitor'] as const) {
      expect(await attempt(way, { person, name: ownName() })).not.toBeNull()
    }
  })

  test('replaces a file only with upsert', async () => {
    const name = await store(ownName(), 'first')
    expect(await attempt(way, { name })).not.toBeNull()
    expect(await read(name)).toBe('first')
    expect(await attempt(way, { name, upsert: true })).toBeNull()
    expect(await read(name)).toBe('content')
  })

  test('rejects invalid names, wrong types, and files that are too large', async () => {
    const own = `${users.owner.id}/x`
    for (const name of [
      `${own}/../../other`,
      `${own}/./a`,
      `${own}//a`,
      `/${own}`,
      `${own}/\\..\\a`,
      '..',
      `${own}/é`,
    ]) {
      // If the dots were not encoded, the client would resolve them itself.
      const sent = way === 'resumable' ? name : encodeURIComponent(name)
      expect([name, await attempt(way, { person: 'service', name: sent })]).not.toEqual([name, null])
    }
    expect(await sql`select from storage.objects where name like '%..%' or name like '%//%'`).toHaveLength(0)
    expect(await attempt(way, { name: ownName(), type: 'text/html' })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), type: 'application/pdf' })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), to: 'images', type: 'image/png' })).toBeNull()
    expect(await attempt(way, { name: ownName(), to: 'images', type: 'image/pngx' })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), content: Buffer.alloc(1_000_001, 'x') })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), to: 'tiny', content: Buffer.alloc(10) })).toBeNull()
    expect(await attempt(way, { name: ownName(), to: 'tiny', content: Buffer.alloc(11) })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), to: 'missing' })).not.toBeNull()
  })

  test('counts against the quota and the rate limit of the account, which must be allowed to write', async () => {
    const { id } = users.owner
    const [usage] = await sql<{ used: number }[]>`
      select coalesce(sum((metadata ->> 'size')::bigint), 0)::int as used from storage.objects where owner_id = ${id}`
    await setQuota((usage?.used ?? 0) + 1000)
    expect(await attempt(way, { name: ownName(), content: Buffer.alloc(1001, 'x') })).not.toBeNull()
    expect(await attempt(way, { name: ownName(), content: Buffer.alloc(900, 'x') })).toBeNull()
    expect(await attempt(way, { name: ownName(), content: Buffer.alloc(900, 'x') })).not.toBeNull()
    await setQuota(defaultQuota)

    await sql`update private.rate_limits set hits = 60 where bucket = 'uploads' and subject = ${id}`
    expect(httpStatus(await attempt(way, { name: ownName() }))).toBe(429)
    await sql`delete from private.rate_limits`
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${id}`
    expect(httpStatus(await attempt(way, { name: ownName() }))).toBe(403)
    await sql`update public.accounts set read_only_reason = null where user_id = ${id}`
    expect(await attempt(way, { name: ownName() })).toBeNull()
    expect(partialFiles().filter((name) => !name.endsWith('.json'))).toEqual([])
  })
})

describe('TUS uploads', () => {
  const content = Buffer.alloc(300_000, 'abc')

  test('are `resumable uploads`: they continue after a lost connection and after a crash of the stack', async () => {
    const name = ownName()
    const url = await sendPart('owner', { name, content }, 100_000)
    expect(await read(name)).toBeNull()
    const tooLarge = await sendPart('owner', { name: ownName(), to: 'open', content }, 1000)
    await sql`update storage.buckets set file_size_limit = 5 where id = 'open'`
    await stack.kill()
    await stack.restart()
    await sql`update storage.buckets set file_size_limit = null where id = 'open'`
    // When the stack starts, it removes unfinished uploads that exceed the current size limit.
    const { status } = await fetch(tooLarge, {
      method: 'HEAD',
      headers: { ...headersOf('owner'), 'tus-resumable': '1.0.0' },
    })
    expect(status).toBe(404)
    const offset = await fetch(url, {
      method: 'HEAD',
      headers: { ...headersOf('owner'), 'tus-resumable': '1.0.0' },
    })
    expect([offset.status, offset.headers.get('upload-offset')]).toEqual([200, '100000'])
    await sendResumable('owner', { name, content }, { uploadUrl: url, chunkSize: 90_000 })
    expect(await read(name)).toBe(content.toString())
    // A client that did not receive the response to its last chunk resumes an upload that is already finished.
    await sendResumable('owner', { name, content }, { uploadUrl: url })
    expect((await files('owner').info(name)).data).toMatchObject({ cacheControl: 'no-cache', size: 300_000 })
  })

  test('keep the bytes that arrived before the client disconnected', async () => {
    const name = ownName()
    const url = await new Promise<string>((resolve, reject) => {
      const upload = createUpload(
        'owner',
        { name, content },
        {
          chunkSize: 100_000,
          onError: reject,
          onChunkComplete: () => {
            void upload.abort().then(() => resolve(upload.url ?? ''))
          },
        },
      )
      upload.start()
    })
    await sendResumable('owner', { name, content }, { uploadUrl: url })
    expect(await read(name)).toBe(content.toString())
    expect((await files('owner').info(name)).data).toMatchObject({
      cacheControl: 'max-age=3600',
      metadata: { a: 1 },
    })
  })

  test('are accessible only to their creator', async () => {
    const url = await sendPart('owner', { name: ownName('shared'), content }, 1000)
    for (const person of ['stranger', 'blocked', 'visitor', 'service'] as const) {
      const headers = { ...headersOf(person), 'tus-resumable': '1.0.0' }
      const patch = { ...headers, 'upload-offset': '1000', 'content-type': 'application/offset+octet-stream' }
      expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(404)
      expect((await fetch(url, { method: 'PATCH', headers: patch, body: 'x' })).status).toBe(404)
      expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(404)
      const signed = url.replace('/resumable/', '/resumable/sign/')
      expect((await fetch(signed, { method: 'DELETE', headers })).status).toBe(400)
    }
    for (const id of ['..%2f..%2fsecrets.json', '../../secrets.json', 'x', crypto.randomUUID()]) {
      const path = `${connection.apiUrl}/storage/v1/upload/resumable/${id}`
      const headers = { ...headersOf('owner'), 'tus-resumable': '1.0.0' }
      expect((await fetch(path, { method: 'HEAD', headers })).status).toBeGreaterThanOrEqual(400)
    }
    const headers = { ...headersOf('owner'), 'tus-resumable': '1.0.0' }
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204)
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(404)
  })

  test('are rejected if the permission or the session is lost before they end', async () => {
    const user = await createStackUser(connection, sql)
    users.stranger = user
    const url = await sendPart('stranger', { name: `${user.id}/a.txt`, content }, 1000)
    const resume = () => {
      const headers = { ...headersOf('stranger'), 'tus-resumable': '1.0.0', 'upload-offset': '1000' }
      const body = new Uint8Array(content.subarray(1000))
      return fetch(url, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/offset+octet-stream' },
        body,
      })
    }
    await sql`create policy nobody on storage.objects as restrictive for insert to authenticated with check (false)`
    expect((await resume()).status).toBe(403)
    await sql`drop policy nobody on storage.objects`
    await sql`delete from auth.sessions where user_id = ${user.id}`
    expect((await resume()).status).toBe(401)
    expect(await sql`select from storage.objects where name = ${`${user.id}/a.txt`}`).toHaveLength(0)
  })

  test('count the declared size against the quota until they end', async () => {
    const user = await createStackUser(connection, sql)
    users.stranger = user
    await setQuota(500000)
    const url = await sendPart('stranger', { name: `${user.id}/a.txt`, content }, 1000)
    await expect(sendPart('stranger', { name: `${user.id}/b.txt`, content }, 1)).rejects.toThrow('403')
    const plain = createTestClient(connection, user.token).storage.from(bucket)
    expect(
      (await plain.upload(`${user.id}/c.txt`, content, { contentType: 'text/plain' })).error,
    ).not.toBeNull()
    await fetch(url, { method: 'DELETE', headers: { ...headersOf('stranger'), 'tus-resumable': '1.0.0' } })
    expect((await plain.upload(`${user.id}/c.txt`, content, { contentType: 'text/plain' })).error).toBeNull()
    await setQuota(defaultQuota)
  })

  test('delete the metadata from their record when they end', async () => {
    const name = ownName()
    const readRecords = () => {
      const folder = join(stack.dataDir, 'storage', 'resumable')
      const records = readdirSync(folder).filter((file) => file.endsWith('.json'))
      return records
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .filter((text) => text.includes(name))
    }
    const upload = createUpload('owner', { name, content }, {})
    await new Promise((resolve, reject) => {
      Object.assign(upload.options, { onSuccess: resolve, onError: reject })
      upload.start()
    })
    const head = await fetch(upload.url ?? '', { method: 'HEAD', headers: tusHeaders('owner') })
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, String(content.length)])
    expect(head.headers.get('upload-metadata')).toBeNull()
    expect(readRecords()).toHaveLength(1)
    expect(readRecords()[0]).not.toContain('"metadata"')
    expect((await files('owner').info(name)).data?.metadata).toEqual({ a: 1 })
  })

  test('keep metadata of many kilobytes', async () => {
    const [name, metadata] = [ownName(), { text: 'x'.repeat(20_000) }]
    await sendWithMetadata(name, JSON.stringify(metadata))
    expect((await files('owner').info(name)).data?.metadata).toEqual(metadata)
  })

  test('are refused if their metadata is nested too deeply', async () => {
    const nested = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    const error = await sendWithMetadata(ownName(), nested).catch((reason) => reason)
    expect(httpStatus(error)).toBe(400)
  })

  test('are limited to 100 unfinished ones per account', async () => {
    const user = await createStackUser(connection, sql)
    users.stranger = user
    const create = async (count: number) => {
      await sql`delete from private.rate_limits`
      const upload = { name: `${user.id}/a.txt`, content: Buffer.from('x') }
      return await Promise.all(Array.from({ length: count }, () => createResumable('stranger', upload)))
    }
    const created = [...(await create(50)), ...(await create(50))]
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await create(1))[0]?.status).toBe(429)
    for (const { headers } of created) {
      const url = new URL(headers.get('location') ?? '', connection.apiUrl)
      expect((await fetch(url, { method: 'DELETE', headers: tusHeaders('stranger') })).status).toBe(204)
    }
    expect((await create(1))[0]?.status).toBe(201)
  })

  test('need a length, and accept no more bytes than declared', async () => {
    const name = ownName()
    const deferred = { uploadLengthDeferred: true, uploadSize: undefined }
    await expect(sendResumable('owner', { name }, deferred as never)).rejects.toThrow()
    const url = await sendPart('owner', { name, content: Buffer.from('0123456789') }, 5)
    const headers = { ...headersOf('owner'), 'tus-resumable': '1.0.0', 'upload-offset': '5' }
    const patch = { ...headers, 'content-type': 'application/offset+octet-stream' }
    expect((await fetch(url, { method: 'PATCH', headers: patch, body: 'x'.repeat(6) })).status).toBe(413)
    expect((await fetch(url, { method: 'PATCH', headers: patch, body: '56789' })).status).toBe(204)
    expect(await read(name)).toBe('0123456789')
  })
})

describe('uploads to one signed URL', () => {
  const signed = async () => {
    const name = `${crypto.randomUUID()}.txt`
    const { data } = await files('service', 'open').createSignedUploadUrl(name, { upsert: true })
    return { name, token: data?.token ?? '' }
  }
  const put = (name: string, token: string, body: ReadableStream, signal?: AbortSignal) =>
    fetch(`${connection.apiUrl}/storage/v1/object/upload/sign/open/${name}?token=${token}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body,
      duplex: 'half',
      ...(signal ? { signal } : {}),
    } as RequestInit)

  test('replace each other if they are resumable', async () => {
    const { name, token } = await signed()
    const encode = (value: string) => Buffer.from(value).toString('base64')
    const before = partialFiles().length
    for (let n = 0; n < 4; n++) {
      const { status } = await fetch(`${connection.apiUrl}/storage/v1/upload/resumable/sign`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'x-signature': token,
          'upload-length': '1000',
          'upload-metadata': `bucketName ${encode('open')},objectName ${encode(name)}`,
        },
      })
      expect(status).toBe(201)
    }
    expect(partialFiles().length - before).toBe(2)
  })

  test('are rejected while the account that created the URL is read-only', async () => {
    const name = ownName()
    const { data } = await files('owner').createSignedUploadUrl(name)
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${users.owner.id}`
    const { error } = await files('visitor').uploadToSignedUrl(name, data?.token ?? '', text('late'))
    await sql`update public.accounts set read_only_reason = null where user_id = ${users.owner.id}`
    expect([httpStatus(error), await read(name)]).toEqual([403, null])
  })

  test('are limited to three at a time', async () => {
    const { name, token } = await signed()
    const controller = new AbortController()
    const endless = () => new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('x')) })
    const requests = [1, 2, 3, 4].map(() => put(name, token, endless(), controller.signal))
    expect((await Promise.race(requests)).status).toBe(429)
    controller.abort()
    await Promise.allSettled(requests)
    await expect.poll(incomingFiles).toEqual([])
  })

  test('are checked against the size limit again when they end', async () => {
    const { name, token } = await signed()
    let finish = (): void => undefined
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.from('content'))
        finish = () => stream.close()
      },
    })
    const response = put(name, token, body)
    await expect.poll(incomingFiles).toHaveLength(1)
    await sql`update storage.buckets set file_size_limit = 5 where id = 'open'`
    finish()
    expect(await (await response).json()).toMatchObject({ statusCode: '413' })
    await sql`update storage.buckets set file_size_limit = null where id = 'open'`
    expect(incomingFiles()).toEqual([])
  })
})

describe('visitors whom a policy allows to upload', () => {
  test('are rate-limited', async () => {
    const upload = (name: string) =>
      files('visitor', 'guests').upload(name, 'x', { contentType: 'text/plain' })
    expect((await upload('a.txt')).error).toBeNull()
    await sql`update private.rate_limits set hits = 60 where bucket = 'uploads'`
    expect((await upload('b.txt')).error).toMatchObject({ status: 429 })
  })
})

describe('concurrent uploads', () => {
  test('to the same name store exactly one of the files', async () => {
    const name = ownName()
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (content) => [
        content,
        await attempt('form', { name, content: Buffer.from(content) }),
      ]),
    )
    const stored = results.filter(([, error]) => error === null)
    expect(stored).toHaveLength(1)
    expect(await read(name)).toBe(stored[0]?.[0])
  })

  test('of one user together stay within the quota', async () => {
    const user = await createStackUser(connection, sql)
    await setQuota(250000)
    const own = createTestClient(connection, user.token).storage.from(bucket)
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
          own.upload(`${user.id}/${n}.txt`, Buffer.alloc(100_000), { contentType: 'text/plain' }),
        ),
      )
      expect(results.filter(({ error }) => error === null).length).toBeLessThanOrEqual(2)
      await sql`delete from storage.objects where owner_id = ${user.id}`
    }
    await setQuota(defaultQuota)
  })
})
