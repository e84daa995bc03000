import { request } from 'node:http'
import { pause, type Stack } from '../support/own-stack.ts'

/** The lines that a refused start leaves, and its exit code. */
export async function refusal(started: Stack): Promise<{ code: number | null; lines: string[] }> {
  const code = await started.ended
  return { code, lines: started.output().trim().split('\n') }
}

/** Tries until it works, and fails with the last reason after `milliseconds`. */
export async function eventually<Result>(
  work: () => Promise<Result>,
  milliseconds = 20_000,
): Promise<Result> {
  const until = Date.now() + milliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > until) throw error
      await pause(50)
    }
  }
}

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A request with exactly this path and these headers: `fetch` would tidy up both. */
export function raw(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body })
        sent.destroy()
      })
    })
    sent.on('error', reject)
    // A length that is announced and not kept is answered before anything else is sent.
    if (headers['content-length']) sent.flushHeaders()
    else sent.end()
  })
}
