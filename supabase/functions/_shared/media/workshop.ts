import { uploadTexts } from '../contract/media.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Picture } from './picture.ts'
import type { PictureAnswer, PictureJob } from './worker.ts'

/** Milliseconds that one picture may take; those of 50 megapixels take about five seconds, more on a busy machine. */
const longest = 30_000
/** Milliseconds after which a worker without work is let go, with the memory that it grew to. */
const idle = 30_000
/** Pictures that wait for their turn at most; each holds its bytes in memory meanwhile. */
const mostWaiting = 24
/** One processor is left to everything else. */
const mostWorkers = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1))

type Turn = (worker: PictureWorker) => void

const resting: PictureWorker[] = []
const waiting: Turn[] = []
let employed = 0

/**
 * Decodes a picture and writes it anew, away from the thread that answers calls where the runtime has workers, and in
 * place where it has none.
 *
 * @param job its bytes leave this thread
 * @throws ApiError 400 for a picture that cannot be decoded or takes too long, 413 for too many pixels, 503 when too
 *   many wait already
 */
export async function makePicture(job: PictureJob): Promise<Picture> {
  const answer = await (hasWorkers() ? inWorker(job) : inPlace(job))
  if (answer === 'pixels') throw new ApiError(413, uploadTexts.imagePixels)
  if (answer === 'broken') throw new ApiError(400, uploadTexts.imageBroken)
  return answer
}

/** Supabase's own runtime has none, and says so by leaving the name out. */
const hasWorkers = () => typeof Worker === 'function' && !('EdgeRuntime' in globalThis)

async function inPlace({ bytes, type, size }: PictureJob): Promise<PictureAnswer> {
  const { loadPictures, remake } = await import('./picture.ts')
  try {
    await loadPictures()
    return remake(bytes, type, size)
  } catch (error) {
    log('error', 'picture_failed', { reason: error instanceof Error ? error.name : '' })
    return 'broken'
  }
}

async function inWorker(job: PictureJob): Promise<PictureAnswer> {
  const worker = await takeWorker()
  try {
    return await worker.work(job)
  } finally {
    giveBack(worker)
  }
}

function takeWorker(): PictureWorker | Promise<PictureWorker> {
  const rested = resting.pop()
  if (rested) return rested
  if (employed < mostWorkers) return employ()
  if (waiting.length >= mostWaiting) throw unavailable(new Error('Too many pictures wait'))
  return new Promise((resolve) => waiting.push(resolve))
}

function employ(): PictureWorker {
  employed += 1
  return new PictureWorker((gone) => {
    employed -= 1
    const at = resting.indexOf(gone)
    if (at >= 0) resting.splice(at, 1)
  })
}

function giveBack(worker: PictureWorker): void {
  const next = waiting.shift()
  if (next) next(worker.gone ? employ() : worker)
  else if (!worker.gone) {
    resting.push(worker)
    worker.rest()
  }
}

/** A worker that does one picture at a time. It goes when it breaks down, takes too long, or has nothing to do. */
class PictureWorker {
  gone = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #answer: ((answer: PictureAnswer) => void) | undefined
  readonly #worker: Worker
  readonly #onGone: (worker: PictureWorker) => void

  constructor(onGone: (worker: PictureWorker) => void) {
    this.#onGone = onGone
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', (event: MessageEvent<PictureAnswer>) => {
      clearTimeout(this.#timer)
      this.#answer?.(event.data)
    })
    this.#worker.addEventListener('error', (event) => {
      // Else it would end the whole process.
      event.preventDefault()
      this.#fail('it broke down')
    })
  }

  work(job: PictureJob): Promise<PictureAnswer> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail('it took too long'), longest)
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#worker.postMessage(job, [job.bytes.buffer])
    })
  }

  /** Nothing to do for now. */
  rest(): void {
    this.#timer = setTimeout(() => this.#leave(), idle)
    Deno.unrefTimer(Number(this.#timer))
  }

  #fail(reason: string): void {
    log('warn', 'picture_worker_ended', { reason })
    this.#leave()
    this.#answer?.('broken')
  }

  #leave(): void {
    if (this.gone) return
    this.gone = true
    clearTimeout(this.#timer)
    this.#worker.terminate()
    this.#onGone(this)
  }
}
