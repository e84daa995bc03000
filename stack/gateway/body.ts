import { stalled, timedOut, tooLarge } from '../shared/answers.ts'

/** How long a request may go without a byte of its body moving, and then without an answer, in milliseconds. */
const idleLimit = 60_000

/** Bytes of a body that is taken in whole: that costs less than watching it pass, and hardly any memory. */
const small = 64 * 1024

/** Methods whose requests have no body. */
const bodiless = ['GET', 'HEAD']

class BodyTooLarge extends Error {}
class IdleTooLong extends Error {
  /** The whole body was there: it is the answer that did not come. */
  readonly bodyCame: boolean

  constructor(bodyCame: boolean) {
    super('nothing moved for too long')
    this.bodyCame = bodyCame
  }
}

/** A request's body under watch, and the signal that ends what is done with it. */
export interface WatchedBody {
  /** The body as it comes, to be read once: every byte that moves counts, and puts the end of the wait off. */
  watch(): ReadableStream<Uint8Array> | null
  /** The same in one piece, for a body that is announced as short (`isSmall`). */
  whole(): Promise<Uint8Array<ArrayBuffer> | null>
  signal: AbortSignal
  /** The answer has begun: from here on the sending side decides how long it takes. */
  answered(): void
  /** What the caller is told where the request was cut off. */
  refusal(): Response | undefined
}

/** Whether a request already says that it is larger than `limit` bytes. */
export function announcesTooMuch(request: Request, limit: number): boolean {
  return Number(request.headers.get('content-length') ?? '0') > limit
}

/** Whether a request announces so short a body that it can be taken in whole; no more than that can follow. */
export function isSmall(request: Request): boolean {
  const announced = request.headers.get('content-length')
  return announced !== null && Number(announced) <= small && !request.headers.has('transfer-encoding')
}

/**
 * Passes a body on while counting its bytes, so that one without a length cannot be endless either, and cuts
 * off a request in which nothing moves.
 *
 * @param patience milliseconds that the answer may take once the body is there
 */
export function watchBody(request: Request, limit: number, patience = idleLimit): WatchedBody {
  const controller = new AbortController()
  let failure: BodyTooLarge | IdleTooLong | undefined
  const fail = (error: BodyTooLarge | IdleTooLong): void => {
    failure ??= error
    controller.abort(failure)
  }
  const hasBody = !bodiless.includes(request.method)
  let bodyCame = !hasBody
  const wait = () => setTimeout(() => fail(new IdleTooLong(bodyCame)), bodyCame ? patience : idleLimit)
  let timer = wait()
  let isAnswered = false
  const touch = (): void => {
    clearTimeout(timer)
    if (!isAnswered) timer = wait()
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
      flush() {
        bodyCame = true
        touch()
      },
    })
  return {
    watch() {
      const body = hasBody ? request.body : null
      if (!body && !bodyCame) {
        bodyCame = true
        touch()
      }
      return body?.pipeThrough(counter()) ?? null
    },
    async whole() {
      if (!hasBody) return null
      const bytes = await request.bytes()
      bodyCame = true
      touch()
      return bytes.length > 0 ? bytes : null
    },
    signal: controller.signal,
    answered() {
      isAnswered = true
      clearTimeout(timer)
    },
    refusal() {
      if (failure instanceof IdleTooLong) return failure.bodyCame ? timedOut() : stalled()
      return failure && tooLarge()
    },
  }
}
