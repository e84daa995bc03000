import { request } from 'node:http'

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request without normalizing the path or restricting the headers, as `fetch` would. */
export function sendRawRequest(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        outgoing.destroy()
      })
    })
    outgoing.on('error', reject)
    // Tests of oversized bodies declare a length without sending a body. The gateway responds to the headers alone.
    if (headers['content-length']) outgoing.flushHeaders()
    else outgoing.end()
  })
}
