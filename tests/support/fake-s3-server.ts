import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()
/** Encodes text as Signature Version 4 requires, which differs from encodeURIComponent in a few characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * Starts a server with the part of the S3 API that backups use. It keeps objects in memory, and verifies the signature
 * (AWS Signature Version 4) and the hash of every request that it handles.
 */
export async function startFakeS3(credentials: { accessKeyId: string; secretAccessKey: string }) {
  const objects = new Map<string, { content: Buffer; modified: Date }>()
  const uploads = new Map<string, Map<number, Buffer>>()
  /** How many of the next writes and downloads fail with 503 or a lost connection, to test retries. */
  let failures = 0
  /** How many of the next writes and downloads get no response or only half of one, to test timeouts. */
  let stalls = 0

  function verify(request: IncomingMessage, url: URL, body: Buffer): string | null {
    const match =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        request.headers.authorization ?? '',
      )
    if (!match) return 'AccessDenied'
    const [, accessKeyId, day = '', region = '', signedHeaders = '', signature] = match
    if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId'
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
    if (!signedHeaders.split(';').includes('x-amz-content-sha256')) return 'AccessDenied'
    const query = [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&')
    const headers = signedHeaders
      .split(';')
      .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
      .join('')
    const canonical = [request.method, url.pathname, query, headers, signedHeaders, sha256(body)].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
    const key = [region, 's3', 'aws4_request'].reduce<Buffer>(
      (parent, part) => hmac(parent, part),
      hmac(`AWS4${credentials.secretAccessKey}`, day),
    )
    return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
  }

  function list(bucket: string, url: URL): string {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/${prefix}`) && name > after)
      .filter((name) => !name.slice(`${bucket}/${prefix}`.length).includes('/'))
      .sort()
    // A page has only two objects, so that the tests also cover paging.
    const page = names.slice(0, 2)
    const contents = page.map((name) => {
      const object = objects.get(name)
      const key = name.slice(bucket.length + 1)
      return `<Contents><Key>${key}</Key><LastModified>${object?.modified.toISOString()}</LastModified><Size>${object?.content.length}</Size></Contents>`
    })
    const next = names.length > 2 ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
  }

  function answer(request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
    const name = decodeURIComponent(url.pathname.slice(1))
    const upload = uploads.get(url.searchParams.get('uploadId') ?? '')
    if (request.method === 'GET' && url.searchParams.has('list-type'))
      return void response.end(list(name.replace(/\/$/, ''), url))
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return void response.end(`<r><UploadId>${id}</UploadId></r>`)
    }
    if (request.method === 'PUT' && upload) {
      upload.set(Number(url.searchParams.get('partNumber')), body)
      return void response.setHeader('etag', `"${sha256(body).slice(0, 32)}"`).end()
    }
    if (request.method === 'POST' && upload) {
      const parts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)]
      const contents = parts.map(([, number, tag]) => {
        const part = upload.get(Number(number))
        if (!part || sha256(part).slice(0, 32) !== tag) throw new Error('a part does not match')
        return part
      })
      objects.set(name, { content: Buffer.concat(contents), modified: new Date() })
      uploads.delete(url.searchParams.get('uploadId') ?? '')
      return void response.end('<CompleteMultipartUploadResult/>')
    }
    if (request.method === 'DELETE') {
      if (upload) uploads.delete(url.searchParams.get('uploadId') ?? '')
      else objects.delete(name)
      return void response.writeHead(204).end()
    }
    if (request.method === 'PUT') {
      objects.set(name, { content: body, modified: new Date() })
      return void response.end()
    }
    const object = objects.get(name)
    if (!object) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    const etag = `"${sha256(object.content).slice(0, 32)}"`
    if ((request.headers['if-match'] ?? etag) !== etag) return void response.writeHead(412).end()
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const content = object.content.subarray(start)
    response.writeHead(request.headers.range ? 206 : 200, { 'content-length': content.length, etag })
    if (stalls-- > 0) response.write(content.subarray(0, content.length / 2))
    else if (failures-- > 0) {
      // The connection is lost halfway.
      response.write(content.subarray(0, content.length / 2), () => response.destroy())
    } else response.end(content)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' && stalls-- > 0) return
    if (request.method !== 'GET' && failures-- > 0) return void response.writeHead(503).end()
    const problem = verify(request, url, body)
    if (problem) return void response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`)
    answer(request, response, url, body)
  })
  const { url, stop } = await listen(server)
  return {
    url,
    objects,
    uploads,
    /** Makes the next `count` writes or downloads fail. List requests never fail. */
    failNext: (count: number) => {
      failures = count
    },
    /** Leaves the next `count` writes or downloads without a complete response. */
    stallNext: (count: number) => {
      stalls = count
    },
    stop,
  }
}
