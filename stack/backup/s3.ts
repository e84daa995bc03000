import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { errorMessage, StartupError } from '../shared/errors.ts'

/**
 * The size of each part of an upload. S3 allows 10,000 parts, so an archive can be up to 312 GiB in size. Some
 * providers require parts of equal size.
 */
const partBytes = 32 * 1024 * 1024
const attempts = 5
/**
 * The timeout for a request, including the request body and the response body. A download that takes longer is
 * resumed.
 */
const requestTimeoutMs = 600_000

/**
 * Opens a prefix in a bucket of S3 or S3-compatible storage. Credentials and endpoint come from the environment
 * variables that the AWS tools use.
 *
 * @param location s3://bucket or s3://bucket/prefix
 */
export function openS3(
  location: string,
  env: (name: string) => string | undefined,
  timeoutMs: number = requestTimeoutMs,
) {
  const { client, bucketUrl, prefix } = readBucket(location, env)
  const urlOf = (name: string, query = ''): string => `${bucketUrl}/${prefix}${name}${query}`
  const send = createSender(client, location, timeoutMs)

  const writeParts = async (
    name: string,
    parts: AsyncIterator<Bytes, void>,
    first: Bytes,
  ): Promise<number> => {
    const created = await (await send('POST', urlOf(name, '?uploads='))).text()
    const id = encodeURIComponent(readTag(created, 'UploadId') ?? '')
    try {
      const tags: string[] = []
      let size = 0
      let part: Bytes | undefined = first
      while (part) {
        const query = `?partNumber=${tags.length + 1}&uploadId=${id}`
        const response = await send('PUT', urlOf(name, query), { body: part })
        await response.body?.cancel()
        tags.push(response.headers.get('etag') ?? '')
        size += part.length
        const next = await parts.next()
        part = next.done ? undefined : next.value
      }
      const list = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const body = new TextEncoder().encode(
        `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
      )
      const completed = await (await send('POST', urlOf(name, `?uploadId=${id}`), { body })).text()
      // S3 can report a failure of this request with status 200.
      if (completed.includes('<Error>'))
        throw new StartupError(`${location}: ${readTag(completed, 'Message')}`)
      return size
    } catch (error) {
      await send('DELETE', urlOf(name, `?uploadId=${id}`)).catch(() => undefined)
      throw error
    }
  }

  return {
    label: location,
    async list(folder: string) {
      const objects: { name: string; size: number; modified: Date }[] = []
      let token = ''
      do {
        const continuation = token && `&continuation-token=${encodeURIComponent(token)}`
        const path = encodeURIComponent(`${prefix}${folder}`)
        const response = await send(
          'GET',
          `${bucketUrl}/?list-type=2&delimiter=%2F&prefix=${path}${continuation}`,
        )
        const text = await response.text()
        for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          objects.push({
            name: (readTag(object, 'Key') ?? '').slice(prefix.length),
            size: Number(readTag(object, 'Size')),
            modified: new Date(readTag(object, 'LastModified') ?? 0),
          })
        }
        token = readTag(text, 'NextContinuationToken') ?? ''
      } while (token)
      return objects
    },
    async write(name: string, content: ReadableStream<Uint8Array>): Promise<number> {
      const parts = splitIntoParts(content)
      try {
        const { value: first = new Uint8Array() } = await parts.next()
        if (first.length === partBytes) return await writeParts(name, parts, first)
        await (await send('PUT', urlOf(name), { body: first })).body?.cancel()
        return first.length
      } finally {
        await parts.return()
      }
    },
    read: async (name: string) => ReadableStream.from(await download(location, urlOf(name), send)),
    async remove(name: string): Promise<void> {
      await (await send('DELETE', urlOf(name))).body?.cancel()
    },
  }
}

type Bytes = Uint8Array<ArrayBuffer>

interface RequestOptions {
  body?: Bytes
  headers?: Record<string, string>
}

type Send = (method: string, url: string, options?: RequestOptions) => Promise<Response>

/** @throws StartupError if the URL is invalid, or if a variable is invalid or missing */
function readBucket(
  location: string,
  env: (name: string) => string | undefined,
): { client: AwsClient; bucketUrl: string; prefix: string } {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(location)
  if (!match)
    throw new StartupError(
      `"${location}" is not a valid bucket URL: use s3://bucket/prefix, with letters, digits, . _ - and / in the prefix.`,
    )
  const accessKeyId = env('AWS_ACCESS_KEY_ID')
  const secretAccessKey = env('AWS_SECRET_ACCESS_KEY')
  if (!accessKeyId || !secretAccessKey)
    throw new StartupError(`${location} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  const region = env('AWS_REGION') || 'us-east-1'
  const endpoint = env('AWS_ENDPOINT_URL_S3') || `https://s3.${region}.amazonaws.com`
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new StartupError('AWS_ENDPOINT_URL_S3 must be a URL that begins with http:// or https://.')
  const sessionToken = env('AWS_SESSION_TOKEN')
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    service: 's3',
    region,
    // `createSender` retries instead, because aws4fetch does not retry lost connections.
    retries: 0,
  })
  const bucketUrl = `${endpoint.replace(/\/$/, '')}/${match[1]}`
  return { client, bucketUrl, prefix: match[2] ? `${match[2].replace(/^\/|\/$/g, '')}/` : '' }
}

/**
 * Returns a function that sends requests and retries them after lost connections, timeouts, server errors and status
 * 429.
 */
function createSender(client: AwsClient, location: string, timeoutMs: number): Send {
  return async (method, url, { body, headers = {} } = {}) => {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    for (let attempt = 1; ; attempt++) {
      let problem: string
      try {
        const response = await client.fetch(url, {
          method,
          // The server verifies the hash, which detects corruption in transit.
          headers: { ...headers, 'x-amz-content-sha256': hash },
          ...(body ? { body } : {}),
          signal: AbortSignal.timeout(timeoutMs),
        })
        if (response.ok) return response
        const text = await response.text()
        const code = readTag(text, 'Code') ?? ''
        problem = `${response.status} ${code} ${readTag(text, 'Message') ?? ''}`.trim()
        if (response.status < 500 && response.status !== 429 && code !== 'RequestTimeout')
          throw new StartupError(`${location}: ${problem}`)
      } catch (error) {
        if (error instanceof StartupError) throw error
        problem = errorMessage(error)
      }
      if (attempt === attempts) throw new StartupError(`${location}: ${problem}`)
      await new Promise((done) => setTimeout(done, 250 * 4 ** attempt * Math.random()))
    }
  }
}

/** Starts a download and returns the object's content. @throws StartupError if the server does not send its size */
async function download(location: string, url: string, send: Send): Promise<AsyncGenerator<Uint8Array>> {
  const response = await send('GET', url)
  const { headers } = response
  if (!headers.has('content-length'))
    throw new StartupError(`${location}: the server did not send the size of ${url}.`)
  return resumeDownload(response, Number(headers.get('content-length')), location, url, send)
}

/**
 * Yields the object's content. Reconnects after a lost connection, at most `attempts` times in a row without progress.
 */
async function* resumeDownload(
  first: Response,
  size: number,
  location: string,
  url: string,
  send: Send,
): AsyncGenerator<Uint8Array> {
  // If the object was replaced during the download, the ETag does not match, and the request fails with 412. A weak
  // ETag never matches.
  const etag = first.headers.get('etag')?.startsWith('W/') ? null : first.headers.get('etag')
  let response = first
  let received = 0
  for (let losses = 0; received < size; ) {
    try {
      for await (const chunk of response.body ?? []) {
        received += chunk.length
        losses = 0
        yield chunk
      }
    } catch (error) {
      if (losses === attempts) throw error
    }
    if (received >= size) return
    if (losses++ === attempts) throw new StartupError(`${location}: the connection was lost.`)
    const range = `bytes=${received}-`
    response = await send('GET', url, { headers: etag ? { range, 'if-match': etag } : { range } })
    if (response.status !== 206)
      throw new StartupError(`${location}: the server does not support resuming downloads.`)
  }
}

/** Splits a stream into parts of `partBytes`; the last one may be shorter. */
async function* splitIntoParts(content: ReadableStream<Uint8Array>): AsyncGenerator<Bytes, void, void> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  for await (let chunk of content) {
    while (chunk.length > 0) {
      const taken = chunk.subarray(0, partBytes - filled)
      part.set(taken, filled)
      filled += taken.length
      chunk = chunk.subarray(taken.length)
      if (filled === partBytes) {
        yield part
        part = new Uint8Array(partBytes)
        filled = 0
      }
    }
  }
  if (filled > 0) yield part.slice(0, filled)
}

/** Returns the text of the first element with the given name in an XML document. */
function readTag(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  if (text === undefined) return null
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
