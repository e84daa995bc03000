import { uploadTexts } from '../contract/media.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Picture } from './picture.ts'
import type { PictureAnswer, PictureJob } from './worker.ts'

/** Milliseconds that one picture may take; those of 50 megapixels take about five seconds, more on a busy machine. */
const longest = 25_000
/**
 * Milliseconds that one waits for its turn at most. With the time for making it and for storing it, that is less than
 * the minute after which a caller is told that nobody answers.
 */
const patience = 12_000
/** Milliseconds after which a worker without work is let go, with the memory that it grew to. */
const idle = 30_000
/** Pictures that wait for their turn at most; each holds its bytes in memory meanwhile. */
const mostWaiting = 24
/** One processor is left to everything else. */
const mostWorkers = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1))
/**
 * Deno cannot stop a worker in the middle of a loop: one that takes too long is given up, but it counts until it has
 * come to its end. As many may stand in for such ones.
 */
const mostStandIns = 1

type Turn = (worker: PictureWorker) => void

const resting: PictureWorker[] = []
const waiting = new Set<Turn>()
const employed = new Set<PictureWorker>()

/**
 * Decodes a picture and writes it anew, away from the thread that answers calls where the runtime has workers, and in
 * place where it has none.
 *
 * @param job its bytes leave this thread
 * @param signal nobody waits for it any more: it gives up its turn
 * @throws ApiError 400 for a picture that cannot be decoded or takes too long, 413 for too many pixels, 503 when too
 *   many wait already, or the signal came
 */
export async function makePicture(job: PictureJob, signal: AbortSignal): Promise<Picture> {
  if (signal.aborted) throw unavailable(signal.reason)
  const answer = await (hasWorkers() ? inWorker(job, signal) : inPlace(job))
  if (signal.aborted) throw unavailable(signal.reason)
  if (answer === 'pixels') throw new ApiError(413, uploadTexts.imagePixels)
  if (answer === 'broken') throw new ApiError(400, uploadTexts.imageBroken)
  return answer
}

/** Supabase's own runtime has none, and says so by leaving the name out. */
const hasWorkers = () => typeof Worker === 'function' && !('EdgeRuntime' in globalThis)

async function inPlace({ bytes, type, size, longSide }: PictureJob): Promise<PictureAnswer> {
  const { loadPictures, remake } = await import('./picture.ts')
  try {
    await loadPictures()
    return remake(bytes, type, size, longSide)
  } catch (error) {
    log('error', 'picture_failed', { reason: error instanceof Error ? error.name : '' })
    return 'broken'
  }
}

async function inWorker(job: PictureJob, signal: AbortSignal): Promise<PictureAnswer> {
  const worker = await takeWorker(signal)
  try {
    return await worker.work(job)
  } finally {
    giveBack(worker)
  }
}

function takeWorker(signal: AbortSignal): PictureWorker | Promise<PictureWorker> {
  const ready = resting.pop() ?? employ()
  if (ready) return ready
  if (waiting.size >= mostWaiting) throw unavailable(new Error('Too many pictures wait'))
  return new Promise((resolve, reject) => {
    const over = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const leave = () => {
      waiting.delete(turn)
      reject(unavailable(over.reason))
    }
    const turn: Turn = (worker) => {
      over.removeEventListener('abort', leave)
      resolve(worker)
    }
    over.addEventListener('abort', leave)
    waiting.add(turn)
  })
}

/** A new worker, null where there are enough. */
function employ(): PictureWorker | null {
  const late = [...employed].filter((worker) => worker.late).length
  if (employed.size - late >= mostWorkers || employed.size >= mostWorkers + mostStandIns) return null
  const worker = new PictureWorker((gone) => {
    employed.delete(gone)
    const at = resting.indexOf(gone)
    if (at >= 0) resting.splice(at, 1)
    callNext(employ)
  })
  employed.add(worker)
  return worker
}

function giveBack(worker: PictureWorker): void {
  if (worker.gone || worker.late) {
    callNext(employ)
  } else if (!callNext(() => worker)) {
    resting.push(worker)
    worker.rest()
  }
}

/** Hands a worker to whoever waits longest; false when nobody waits. */
function callNext(find: () => PictureWorker | null): boolean {
  const [next] = waiting
  if (!next) return false
  const worker = find()
  if (worker) {
    waiting.delete(next)
    next(worker)
  }
  return true
}

/** A worker that does one picture at a time. It goes when it breaks down, takes too long, or has nothing to do. */
class PictureWorker {
  gone = false
  /** It was given up, and has not come to its end. */
  late = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #answer: ((answer: PictureAnswer) => void) | undefined
  readonly #worker: Worker
  readonly #onGone: (worker: PictureWorker) => void

  constructor(onGone: (worker: PictureWorker) => void) {
    this.#onGone = onGone
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', (event: MessageEvent<PictureAnswer>) => {
      clearTimeout(this.#timer)
      if (this.late) this.#leave()
      else this.#answer?.(event.data)
    })
    this.#worker.addEventListener('error', (event) => {
      // Else it would end the whole process.
      event.preventDefault()
      log('warn', 'picture_worker_ended', { reason: 'it broke down' })
      this.#leave()
      this.#answer?.('broken')
    })
  }

  work(job: PictureJob): Promise<PictureAnswer> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#giveUp(), longest)
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

  #giveUp(): void {
    log('warn', 'picture_worker_ended', { reason: 'it took too long' })
    this.late = true
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
