/** The maximum size of a response. A completion is typically a few thousand bytes long. */
const maxResponseBytes = 256 * 1024

export class ResponseTooLargeError extends Error {}

/**
 * Creates a `fetch` function for the OpenAI SDK, whose own timeout does not cover the response body. Here the timeout
 * covers the whole response, and the size of the body is limited. Redirects fail, so that the API key is not sent to
 * another host. If a response is too large, the call fails with a `ResponseTooLargeError`.
 */
export function createBoundedFetch(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    init?.signal?.throwIfAborted()
    const controller = new AbortController()
    const abort = () => controller.abort(init?.signal?.reason)
    const timer = setTimeout(abort, timeoutMs)
    init?.signal?.addEventListener('abort', abort)
    try {
      const { signal } = controller
      const response = await fetch(input, { ...init, redirect: 'error', signal })
      const body = await readBody(response.body, signal)
      // The constructor of `Response` rejects a body with these statuses.
      const hasNoBody = [101, 204, 205, 304].includes(response.status)
      const headers = new Headers(response.headers)
      // `fetch` has already decoded the body.
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
      return new Response(hasNoBody ? null : body, { status: response.status, headers })
    } finally {
      clearTimeout(timer)
      init?.signal?.removeEventListener('abort', abort)
    }
  }
}

async function readBody(stream: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = stream?.getReader()
  // In Node.js, where the tests run, garbage collection can detach the signal of a `fetch` call from the response
  // body, so this listener cancels the body itself.
  signal.addEventListener('abort', () => reader?.cancel().catch(() => {}))
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    bytes += chunk.value.length
    if (bytes > maxResponseBytes) {
      await reader?.cancel()
      throw new ResponseTooLargeError('The response is too large')
    }
    chunks.push(new Uint8Array(chunk.value))
  }
  signal.throwIfAborted()
  return new Blob(chunks)
}
