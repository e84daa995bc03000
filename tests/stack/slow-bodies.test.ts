import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchBody } from '../../stack/gateway/body.ts'
import { patienceFor } from '../../stack/gateway/patience.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const patience = 60_000
const some = new Uint8Array(10)

/** A request whose body is sent by hand, what watches it, and what has come of it so far. */
function slowRequest(limit = 1000) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const init = { method: 'POST', body: readable, duplex: 'half' }
  const watched = watchBody(new Request('http://ovation.example/api/posts', init), limit)
  return { watched, writer: writable.getWriter() }
}

/** What the caller is told, and whether what is done with the request was ended. */
async function endOf({ refusal, signal }: ReturnType<typeof watchBody>) {
  const answer = refusal()
  const { code } = answer ? await answer.json() : { code: undefined }
  return { status: answer?.status, code, ended: signal.aborted }
}

const open = { status: undefined, code: undefined, ended: false }
const stalled = { status: 408, code: 'request_timeout', ended: true }
const late = { status: 504, code: 'unavailable', ended: true }

test('a body that stops coming is the caller’s doing: 408, and nothing more is read from them', async () => {
  const { watched, writer } = slowRequest()
  const read = new Response(watched.watch()).text().catch(() => undefined)
  await writer.write(some)
  await vi.advanceTimersByTimeAsync(patience - 1)
  await writer.write(some)
  await vi.advanceTimersByTimeAsync(patience - 1)
  expect(await endOf(watched)).toEqual(open)
  await vi.advanceTimersByTimeAsync(1)
  expect(watched.refusal()?.headers.get('connection')).toBe('close')
  expect(await endOf(watched)).toEqual(stalled)
  await writer.abort()
  await read
})

test('so is a short one, which is taken in whole', async () => {
  const { watched, writer } = slowRequest()
  const read = watched.whole().catch(() => undefined)
  await writer.write(some)
  await vi.advanceTimersByTimeAsync(patience)
  expect(await endOf(watched)).toEqual(stalled)
  await writer.abort()
  await read
  const other = slowRequest()
  const came = other.watched.whole()
  await other.writer.write(some)
  await other.writer.close()
  expect(await came).toEqual(some)
  await vi.advanceTimersByTimeAsync(patience)
  expect(await endOf(other.watched)).toEqual(late)
})

test('an answer that does not come is the server’s: 504, and its wait begins with the end of the body', async () => {
  const { watched, writer } = slowRequest()
  const read = new Response(watched.watch()).text()
  await writer.write(some)
  await vi.advanceTimersByTimeAsync(patience - 1)
  await writer.close()
  expect((await read).length).toBe(some.length)
  await vi.advanceTimersByTimeAsync(patience - 1)
  expect(await endOf(watched)).toEqual(open)
  await vi.advanceTimersByTimeAsync(1)
  expect(await endOf(watched)).toEqual(late)
  const asked = watchBody(new Request('http://ovation.example/api/posts'), 1000)
  expect(asked.watch()).toBeNull()
  await vi.advanceTimersByTimeAsync(patience)
  expect(await endOf(asked)).toEqual(late)
})

test('deleting an account is waited for as long as the database may take for it, its body no longer than any', async () => {
  const begin = (method: string, path: string, body: BodyInit) => {
    const init = { method, body, duplex: 'half' }
    const request = new Request(`http://ovation.example${path}`, init)
    const watched = watchBody(request, 1000, patienceFor(method, path))
    return { watched, read: new Response(watched.watch()).text().catch(() => undefined) }
  }
  const deleting = begin('DELETE', '/api/account', '{}')
  const removing = begin('DELETE', '/api/admin/users/00000000-0000-4000-8000-000000000000', '{}')
  const deciding = begin('POST', '/api/admin/moderate', '{}')
  const other = begin('DELETE', '/api/posts', '{}')
  const stuck = begin('DELETE', '/api/account', new TransformStream<Uint8Array, Uint8Array>().readable)
  await Promise.all([deleting.read, removing.read, deciding.read, other.read])
  await vi.advanceTimersByTimeAsync(patience)
  expect(await endOf(other.watched)).toEqual(late)
  expect(await endOf(stuck.watched)).toEqual(stalled)
  // What `account/delete.ts` allows the database.
  await vi.advanceTimersByTimeAsync(65_000)
  for (const { watched } of [deleting, removing, deciding]) expect(await endOf(watched)).toEqual(open)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(await endOf(deleting.watched)).toEqual(late)
})

test('an answer that has begun is not cut off, though the body ends or goes on behind it', async () => {
  const { watched, writer } = slowRequest()
  const read = new Response(watched.watch()).text()
  await writer.write(some)
  watched.answered()
  await writer.write(some)
  await writer.close()
  await read
  await vi.advanceTimersByTimeAsync(2 * patience)
  expect(await endOf(watched)).toEqual(open)
})

test('one that goes on for too long is 413, however slowly it comes', async () => {
  const { watched, writer } = slowRequest(15)
  const read = new Response(watched.watch()).text().catch(() => undefined)
  await writer.write(some)
  await writer.write(some).catch(() => undefined)
  await read
  expect(await endOf(watched)).toEqual({ status: 413, code: 'payload_too_large', ended: true })
})
