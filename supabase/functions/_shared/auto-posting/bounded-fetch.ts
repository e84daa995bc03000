/** Bytes of an answer at most: a completion has a few thousand. */
const mostBytes = 256 * 1024

/** The answer has more bytes than any that makes sense. */
export class HugeAnswer extends Error {}

/**
 * `fetch` for a client that itself stops its clock once an answer has begun: the time covers the whole body, its size is
 * bounded, and no redirect is followed, so that the key goes where it was meant to go.
 *
 * @param time milliseconds until the end of the answer
 */
export function boundedFetch(time: number): typeof fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(time), ...(init?.signal ? [init.signal] : [])]
    const answer = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) })
    const body = await readAll(answer.body)
    const empty = [101, 204, 205, 304].includes(answer.status)
    const headers = new Headers(answer.headers)
    // The body is plain by now.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
    return new Response(empty ? null : body, { status: answer.status, headers })
  }
}

async function readAll(stream: ReadableStream<Uint8Array> | null): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = stream?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > mostBytes) {
      await reader?.cancel()
      throw new HugeAnswer('The answer has too many bytes')
    }
    parts.push(new Uint8Array(part.value))
  }
  return new Blob(parts)
}
