import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { compressJson } from '../../stack/gateway/compression.ts'

const long = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, content: 'One of many posts' })))

interface Options {
  method?: string
  acceptEncoding?: string
  body?: string
  status?: number
  headers?: Record<string, string>
}

async function compress(path: string, options: Options = {}) {
  const { method = 'GET', acceptEncoding = 'gzip, deflate, br', body = long, status = 200 } = options
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { 'accept-encoding': acceptEncoding },
  })
  const headers = { 'content-type': 'application/json', vary: 'Cookie', ...options.headers }
  const response = await compressJson(
    request,
    new URL(request.url).pathname,
    new Response(body, { status, headers }),
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const encoding = response.headers.get('content-encoding')
  return { encoding, vary: response.headers.get('vary'), length: bytes.length, response, bytes }
}

describe('compressJson', () => {
  test.each([
    '/api/posts?limit=10',
    '/api/topics/art/posts',
    '/api/users/1d9a2c1e-0000-4000-8000-000000000000',
    '/api/user/saved-posts',
    '/api/messages/1d9a2c1e-0000-4000-8000-000000000000',
    '/rest/v1/posts?select=id,content',
    '/rest/v1/posts?select=id,author:profiles!posts_author_id_fkey(username,profile_counts(*)),...likes!inner(*)',
  ])('compresses %s', async (path) => {
    const { encoding, vary, length, bytes } = await compress(path)
    expect([encoding, vary]).toEqual(['gzip', 'Cookie, Accept-Encoding'])
    expect(length).toBeLessThan(long.length / 3)
    expect(gunzipSync(bytes).toString()).toBe(long)
  })

  test.each([
    // These responses may contain secrets or private text together with text that somebody else chose.
    '/api/auth/user',
    '/api/auth/sessions',
    '/api/messages/conversations',
    '/api/messages/search?q=a',
    '/api/notifications',
    '/api/account/export',
    '/api/payouts',
    '/api/admin/users',
    '/rest/v1/messages?select=*',
    '/rest/v1/conversations',
    '/rest/v1/rpc/anything',
    '/rest/v1/profiles?select=*,messages(*)',
    '/rest/v1/posts?select=*,premium_contents(*)',
    '/rest/v1/posts?select=id,profiles!fk(username,payouts(*))',
    '/rest/v1/posts?select=id,author_id(*)',
    '/rest/v1/posts?select=id&select=p:payouts%28*%29',
    '/auth/v1/user',
  ])('does not compress %s', async (path) => {
    const { encoding, vary, bytes } = await compress(path)
    expect([encoding, vary, bytes.toString()]).toEqual([null, 'Cookie', long])
  })

  test('compresses a large response as a stream', async () => {
    const body = JSON.stringify('A long text. '.repeat(100_000))
    const { encoding, bytes } = await compress('/api/posts', { body })
    expect(encoding).toBe('gzip')
    expect(gunzipSync(bytes).toString()).toBe(body)
  })

  test('uses gzip only if the client accepts it, and adds Accept-Encoding to Vary', async () => {
    for (const acceptEncoding of ['', 'br', 'gzip;q=0', 'identity', '*;q=0']) {
      const { encoding, vary, bytes } = await compress('/api/posts', { acceptEncoding })
      expect([acceptEncoding, encoding, vary, bytes.toString()]).toEqual([
        acceptEncoding,
        null,
        'Cookie, Accept-Encoding',
        long,
      ])
    }
    expect((await compress('/api/posts', { acceptEncoding: 'br;q=1, *;q=0.1' })).encoding).toBe('gzip')
  })

  test('does not compress a small response', async () => {
    const { encoding, bytes } = await compress('/api/posts', { body: '[]' })
    expect([encoding, bytes.toString()]).toEqual([null, '[]'])
  })

  test.each<[string, Options]>([
    ['responses to other methods', { method: 'POST' }],
    ['errors', { status: 404 }],
    ['other content types', { headers: { 'content-type': 'text/event-stream' } }],
    ['files to download', { headers: { 'content-disposition': 'attachment' } }],
    ['responses with an ETag, which would have to change', { headers: { etag: '"1"' } }],
    ['responses that are already compressed', { headers: { 'content-encoding': 'br' } }],
  ])('does not compress %s', async (_, options) => {
    const { bytes, vary } = await compress('/api/posts', options)
    expect([bytes.toString(), vary]).toEqual([long, 'Cookie'])
  })

  test('keeps the status and the other headers', async () => {
    const headers = { 'content-range': '0-99/200', 'content-length': String(long.length) }
    const { response } = await compress('/rest/v1/posts', { status: 206, headers })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, '0-99/200'])
    expect(response.headers.get('content-length')).not.toBe(String(long.length))
  })
})
