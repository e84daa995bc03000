import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request. Unlike `fetch`, does not normalize the path or restrict the headers. Decompresses a gzip body. */
export function sendRawRequest(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body: Buffer | null = null,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    // For some methods, such as DELETE, Node would send the body without a Content-Length.
    const allHeaders = body ? { ...headers, 'content-length': String(body.length) } : headers
    const options = { host: '127.0.0.1', port, path, method, headers: allHeaders, agent: false }
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0
        const text = (isCompressed ? gunzipSync(bytes) : bytes).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
        outgoing.destroy()
      })
    })
    outgoing.on('error', reject)
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('The server sent nothing for 20 seconds.')))
    // Tests of oversized bodies declare a length without sending a body. The gateway responds to the headers alone.
    if (headers['content-length']) outgoing.flushHeaders()
    else outgoing.end(body)
  })
}
