/** How long a request may go without a byte moving before its answer begins, in milliseconds. */
const idleLimit = 60_000

/** Bytes of a body that need not be watched: as little comes at once, or the request takes too long altogether. */
const small = 64 * 1024

export class BodyTooLarge extends Error {}
export class IdleTooLong extends Error {}

/** A request's body under watch, and the signal that ends what is done with it. */
export interface WatchedBody {
  /** The body, to be read once: every byte that moves counts, and puts the end of the wait off. */
  watch(): ReadableStream<Uint8Array> | null
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

/** Whether a request announces so short a body that it can be passed on as it came; no more than that can follow. */
export function isSmall(request: Request): boolean {
  const announced = request.headers.get('content-length')
  return announced !== null && Number(announced) <= small && !request.headers.has('transfer-encoding')
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
  const counter = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
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
    watch: () => request.body?.pipeThrough(counter()) ?? null,
    signal: controller.signal,
    answered: () => clearTimeout(timer),
    get failure() {
      return failure
    },
  }
}
