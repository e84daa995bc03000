/** How long a request may go without a byte moving before its answer begins, in milliseconds. */
const idleLimit = 60_000

export class BodyTooLarge extends Error {}
export class IdleTooLong extends Error {}

/** A request's body under watch, and the signal that ends what is done with it. */
export interface WatchedBody {
  body: ReadableStream<Uint8Array> | null
  signal: AbortSignal
  /** The answer has begun: from here on the sending side decides how long it takes. */
  answered(): void
  /** Why the request was cut off, if it was. */
  readonly failure: BodyTooLarge | IdleTooLong | undefined
}

/** Whether a request already says that it is larger than `limit` bytes. */
export function announcesTooMuch(request: Request, limit: number): boolean {
  return Number(request.headers.get('content-length') ?? '0') > limit
}

/**
 * Passes a body on while counting its bytes, so that one without a length cannot be endless either, and cuts
 * off a request in which nothing moves.
 */
export function watchBody(request: Request, limit: number): WatchedBody {
  const controller = new AbortController()
  let failure: BodyTooLarge | IdleTooLong | undefined
  const fail = (error: BodyTooLarge | IdleTooLong): void => {
    failure ??= error
    controller.abort(failure)
  }
  let timer = setTimeout(() => fail(new IdleTooLong()), idleLimit)
  const touch = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => fail(new IdleTooLong()), idleLimit)
  }
  request.signal.addEventListener('abort', () => {
    clearTimeout(timer)
    controller.abort(request.signal.reason)
  })

  let received = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, target) {
      received += chunk.length
      if (received > limit) {
        fail(new BodyTooLarge())
        target.error(failure)
        return
      }
      touch()
      target.enqueue(chunk)
    },
  })
  return {
    body: request.body ? request.body.pipeThrough(counter) : null,
    signal: controller.signal,
    answered: () => clearTimeout(timer),
    get failure() {
      return failure
    },
  }
}
