import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchBody } from '../../stack/gateway/request-body.ts'
import { responseTimeoutMs } from '../../stack/gateway/timeouts.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const timeoutMs = 60_000
const chunk = new Uint8Array(10)

/** Returns a watched request and the writer that sends its body. */
function createSlowRequest(limit = 1000) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const init = { method: 'POST', body: readable, duplex: 'half' }
  const watched = watchBody(new Request('http://ovation.example/api/posts', init), limit)
  return { watched, writer: writable.getWriter() }
}

/** Returns the status and code of the error response, if any, and whether the request's handler was aborted. */
async function outcomeOf({ errorResponse, signal }: ReturnType<typeof watchBody>) {
  const response = errorResponse()
  const { code } = response ? await response.json() : { code: undefined }
  return { status: response?.status, code, aborted: signal.aborted }
}

const pending = { status: undefined, code: undefined, aborted: false }
const requestTimeout = { status: 408, code: 'request_timeout', aborted: true }
const responseTimeout = { status: 504, code: 'unavailable', aborted: true }

describe('watchBody', () => {
  it('responds with 408 and closes the connection when a streamed body stalls', async () => {
    const { watched, writer } = createSlowRequest()
    const read = new Response(watched.stream()).text().catch(() => undefined)
    await writer.write(chunk)
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    await writer.write(chunk)
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    expect(await outcomeOf(watched)).toEqual(pending)
    await vi.advanceTimersByTimeAsync(1)
    expect(watched.errorResponse()?.headers.get('connection')).toBe('close')
    expect(await outcomeOf(watched)).toEqual(requestTimeout)
    await writer.abort()
    await read
  })

  it('responds with 408 when a streamed body arrives at less than 500 bytes per second', async () => {
    const send = async (bytesPerChunk: number) => {
      const { watched, writer } = createSlowRequest(1_000_000)
      const read = new Response(watched.stream()).text().catch(() => undefined)
      for (let i = 0; i < 8; i++) {
        await writer.write(new Uint8Array(bytesPerChunk)).catch(() => undefined)
        await vi.advanceTimersByTimeAsync(30_000)
      }
      const outcome = await outcomeOf(watched)
      await writer.abort().catch(() => undefined)
      await read
      return outcome
    }
    expect(await send(1)).toEqual(requestTimeout)
    expect(await send(600 * 30)).toEqual(pending)
  })

  it('responds with 408 when a buffered body stalls, and with 504 when its response is late', async () => {
    const { watched, writer } = createSlowRequest()
    const read = watched.readAll().catch(() => undefined)
    await writer.write(chunk)
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(await outcomeOf(watched)).toEqual(requestTimeout)
    await writer.abort()
    await read
    const other = createSlowRequest()
    const bytes = other.watched.readAll()
    await other.writer.write(chunk)
    await other.writer.close()
    expect(await bytes).toEqual(chunk)
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(await outcomeOf(other.watched)).toEqual(responseTimeout)
  })

  it('responds with 504 when the response does not start within the timeout after the body', async () => {
    const { watched, writer } = createSlowRequest()
    const read = new Response(watched.stream()).text()
    await writer.write(chunk)
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    await writer.close()
    expect((await read).length).toBe(chunk.length)
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    expect(await outcomeOf(watched)).toEqual(pending)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcomeOf(watched)).toEqual(responseTimeout)
    const withoutBody = watchBody(new Request('http://ovation.example/api/posts'), 1000)
    expect(withoutBody.stream()).toBeNull()
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(await outcomeOf(withoutBody)).toEqual(responseTimeout)
  })

  it('waits longer for the response, but not for the body, of a request that may delete an account', async () => {
    const startRequest = (method: string, path: string, body: BodyInit) => {
      const init = { method, body, duplex: 'half' }
      const request = new Request(`http://ovation.example${path}`, init)
      const watched = watchBody(request, 1000, responseTimeoutMs(method, path))
      return { watched, read: new Response(watched.stream()).text().catch(() => undefined) }
    }
    const deleting = startRequest('DELETE', '/api/account', '{}')
    const removing = startRequest('DELETE', '/api/admin/users/00000000-0000-4000-8000-000000000000', '{}')
    const deciding = startRequest('POST', '/api/admin/moderate', '{}')
    const other = startRequest('DELETE', '/api/posts', '{}')
    const stuck = startRequest(
      'DELETE',
      '/api/account',
      new TransformStream<Uint8Array, Uint8Array>().readable,
    )
    await Promise.all([deleting.read, removing.read, deciding.read, other.read])
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(await outcomeOf(other.watched)).toEqual(responseTimeout)
    expect(await outcomeOf(stuck.watched)).toEqual(requestTimeout)
    // The database may take up to two minutes (`account/account-deletion.ts`).
    await vi.advanceTimersByTimeAsync(65_000)
    for (const { watched } of [deleting, removing, deciding])
      expect(await outcomeOf(watched)).toEqual(pending)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await outcomeOf(deleting.watched)).toEqual(responseTimeout)
  })

  it('does not abort once the response has started, even if the body continues', async () => {
    const { watched, writer } = createSlowRequest()
    const read = new Response(watched.stream()).text()
    await writer.write(chunk)
    watched.responseStarted()
    await writer.write(chunk)
    await writer.close()
    await read
    await vi.advanceTimersByTimeAsync(2 * timeoutMs)
    expect(await outcomeOf(watched)).toEqual(pending)
  })

  it('responds with 413 when a streamed body exceeds the limit', async () => {
    const { watched, writer } = createSlowRequest(15)
    const read = new Response(watched.stream()).text().catch(() => undefined)
    await writer.write(chunk)
    await writer.write(chunk).catch(() => undefined)
    await read
    expect(await outcomeOf(watched)).toEqual({ status: 413, code: 'payload_too_large', aborted: true })
  })
})
