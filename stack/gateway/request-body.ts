import { gatewayTimeout, payloadTooLarge, requestTimeout } from '../shared/error-responses.ts'
import { minBytesPerSecond, stallTimeoutMs } from './timeouts.ts'

/** Bodies up to this size are read in one piece, which is cheaper than streaming and needs little memory. */
const smallBodyBytes = 64 * 1024

/** Methods whose requests have no body. */
const methodsWithoutBody = ['GET', 'HEAD']

class BodyTooLargeError extends Error {}
class IdleTimeoutError extends Error {
  /** Whether the whole body had arrived. If so, the response timed out, not the request. */
  readonly bodyReceived: boolean

  constructor(bodyReceived: boolean) {
    super('idle timeout')
    this.bodyReceived = bodyReceived
  }
}

/** A request body whose limits are enforced, and the signal that aborts the handling of the request. */
export interface WatchedBody {
  /** Returns the body as a stream, to be read once. Every chunk restarts the timeout. */
  stream(): ReadableStream<Uint8Array> | null
  /** Reads the body in one piece. Only for a body that is declared as small (`isSmallBody`). */
  readAll(): Promise<Uint8Array<ArrayBuffer> | null>
  signal: AbortSignal
  /** Stops the timeout. A response that has started may take any amount of time. */
  responseStarted(): void
  /** Returns the response for a request that exceeded a limit, or undefined for any other request. */
  errorResponse(): Response | undefined
}

/** Returns whether a request declares a body larger than `limit` bytes. */
export function declaresTooLarge(request: Request, limit: number): boolean {
  return Number(request.headers.get('content-length') ?? '0') > limit
}

/**
 * Returns whether a request declares a body small enough to be read in one piece. The body cannot be longer than
 * declared.
 */
export function isSmallBody(request: Request): boolean {
  const length = request.headers.get('content-length')
  return length !== null && Number(length) <= smallBodyBytes && !request.headers.has('transfer-encoding')
}

/**
 * Counts the bytes of a body while it is read, because its length is not always declared. Aborts an idle or slow
 * request.
 *
 * @param limit the maximum number of bytes
 * @param timeoutMs how long the response may take once the body has been received
 */
export function watchBody(request: Request, limit: number, timeoutMs = stallTimeoutMs): WatchedBody {
  const controller = new AbortController()
  let failure: BodyTooLargeError | IdleTimeoutError | undefined
  const fail = (error: BodyTooLargeError | IdleTimeoutError): void => {
    failure ??= error
    controller.abort(failure)
  }
  const hasBody = !methodsWithoutBody.includes(request.method)
  let bodyReceived = !hasBody
  const startTimer = () =>
    setTimeout(() => fail(new IdleTimeoutError(bodyReceived)), bodyReceived ? timeoutMs : stallTimeoutMs)
  let timer = startTimer()
  let hasResponse = false
  const restartTimer = (): void => {
    clearTimeout(timer)
    if (!hasResponse) timer = startTimer()
  }
  request.signal.addEventListener('abort', () => {
    clearTimeout(timer)
    controller.abort(request.signal.reason)
  })

  let received = 0
  const startedAt = performance.now()
  const isTooSlow = (): boolean =>
    performance.now() - startedAt > stallTimeoutMs + (received / minBytesPerSecond) * 1000
  const createCounter = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform(chunk, target) {
        received += chunk.length
        if (received > limit) {
          fail(new BodyTooLargeError())
          target.error(failure)
          return
        }
        if (isTooSlow()) {
          fail(new IdleTimeoutError(false))
          target.error(failure)
          return
        }
        restartTimer()
        target.enqueue(chunk)
      },
      flush() {
        bodyReceived = true
        restartTimer()
      },
    })
  return {
    stream() {
      const body = hasBody ? request.body : null
      if (!body && !bodyReceived) {
        bodyReceived = true
        restartTimer()
      }
      return body?.pipeThrough(createCounter()) ?? null
    },
    async readAll() {
      if (!hasBody) return null
      const bytes = await request.bytes()
      bodyReceived = true
      restartTimer()
      return bytes.length > 0 ? bytes : null
    },
    signal: controller.signal,
    responseStarted() {
      hasResponse = true
      clearTimeout(timer)
    },
    errorResponse() {
      if (failure instanceof IdleTimeoutError)
        return failure.bodyReceived ? gatewayTimeout() : requestTimeout()
      return failure && payloadTooLarge()
    },
  }
}
