import { uploadErrors } from '../contract/media.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { ImageJob, ImageJobResult, ProcessedImage } from './image-processing.ts'

/** Time limit for processing one image. 50 megapixels take about five seconds, and longer on a busy machine. */
const jobTimeoutMs = 25_000
/**
 * Time limit for waiting for a worker. The limits for waiting, processing and storing add up to less than the 60
 * seconds that the gateway waits for a response.
 */
const queueTimeoutMs = 12_000
/** Time after which an idle worker is terminated to free its memory. */
const idleTimeoutMs = 30_000
/** Maximum number of images that can wait for a worker. Each holds its bytes in memory. */
const maxWaiting = 24
/** At most two. If possible, one processor is left for everything else. */
const maxWorkers = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1))
/**
 * The number of additional workers that may replace timed-out ones. Deno cannot stop a worker in the middle of a loop,
 * so a worker that has timed out keeps running until its job ends.
 */
const maxReplacements = 1

type Waiter = (worker: ImageWorker) => void

const workers = new Set<ImageWorker>()
const idleWorkers: ImageWorker[] = []
const waiters = new Set<Waiter>()

/**
 * Sanitizes an image in a worker, or on this thread if the runtime has no workers.
 *
 * @param job its bytes are transferred to the worker
 * @param signal aborts the wait for a worker
 * @throws ApiError 400 if the image cannot be decoded or takes too long; 413 if it has too many pixels; 503 if too many
 *   images are waiting, no worker becomes free in time or the signal aborts
 */
export async function sanitizeInWorker(job: ImageJob, signal: AbortSignal): Promise<ProcessedImage> {
  if (signal.aborted) throw unavailable(signal.reason)
  const result = await (hasWorkers() ? runInWorker(job, signal) : runOnThisThread(job))
  if (signal.aborted) throw unavailable(signal.reason)
  if (result === 'pixels') throw new ApiError(413, uploadErrors.imagePixels)
  if (result === 'broken') throw new ApiError(400, uploadErrors.imageBroken)
  return result
}

/** Returns whether the runtime has workers. Supabase's edge runtime has none. */
const hasWorkers = () => typeof Worker === 'function' && !('EdgeRuntime' in globalThis)

async function runOnThisThread({ bytes, type, size, options }: ImageJob): Promise<ImageJobResult> {
  const { loadImageMagick, sanitizeImage } = await import('./image-processing.ts')
  try {
    await loadImageMagick(compileDecoder())
    return sanitizeImage(bytes, type, size, options)
  } catch (error) {
    log('error', 'image_processing_failed', { reason: error instanceof Error ? error.name : '' })
    return 'broken'
  }
}

let compiling: Promise<WebAssembly.Module> | undefined

/** Compiles the decoder once. All workers share the result, so a new one starts in a fraction of the time. */
function compileDecoder(): Promise<WebAssembly.Module> {
  compiling ??= (async () => {
    // Without a node_modules folder, Deno before 2.2 resolves only the main module of a package, here `dist/index.js`.
    const mainModule = import.meta.resolve('@imagemagick/magick-wasm')
    return await WebAssembly.compile(await Deno.readFile(new URL('x86/magick.wasm', mainModule)))
  })().catch((error) => {
    // The next image tries again.
    compiling = undefined
    throw error
  })
  return compiling
}

/**
 * Starts a worker if none is running. Call it while an image is being received, so that the worker is ready in time.
 */
export function warmUpImageWorker(): void {
  const worker = hasWorkers() && workers.size === 0 ? startWorker() : null
  if (worker) releaseWorker(worker)
}

async function runInWorker(job: ImageJob, signal: AbortSignal): Promise<ImageJobResult> {
  const worker = await acquireWorker(signal)
  try {
    return await worker.run(job)
  } finally {
    releaseWorker(worker)
  }
}

function acquireWorker(signal: AbortSignal): ImageWorker | Promise<ImageWorker> {
  const worker = idleWorkers.pop() ?? startWorker()
  if (worker) return worker
  if (waiters.size >= maxWaiting) throw unavailable(new Error('Too many images are waiting for a worker'))
  return new Promise((resolve, reject) => {
    const abortOrTimeout = AbortSignal.any([signal, AbortSignal.timeout(queueTimeoutMs)])
    const stopWaiting = () => {
      waiters.delete(waiter)
      reject(unavailable(abortOrTimeout.reason))
    }
    const waiter: Waiter = (freeWorker) => {
      abortOrTimeout.removeEventListener('abort', stopWaiting)
      resolve(freeWorker)
    }
    abortOrTimeout.addEventListener('abort', stopWaiting)
    waiters.add(waiter)
  })
}

/** Starts a worker. Returns null if the maximum number is already running. */
function startWorker(): ImageWorker | null {
  const timedOutCount = [...workers].filter((worker) => worker.isTimedOut).length
  if (workers.size - timedOutCount >= maxWorkers || workers.size >= maxWorkers + maxReplacements) return null
  const worker = new ImageWorker((terminated) => {
    workers.delete(terminated)
    const index = idleWorkers.indexOf(terminated)
    if (index >= 0) idleWorkers.splice(index, 1)
    serveNextWaiter(startWorker)
  })
  workers.add(worker)
  return worker
}

function releaseWorker(worker: ImageWorker): void {
  if (worker.isTerminated || worker.isTimedOut) {
    serveNextWaiter(startWorker)
  } else if (!serveNextWaiter(() => worker)) {
    idleWorkers.push(worker)
    worker.startIdleTimer()
  }
}

/**
 * Gives a worker, if one is available, to the waiter that has waited longest. Returns false if there are no waiters.
 */
function serveNextWaiter(getWorker: () => ImageWorker | null): boolean {
  const [next] = waiters
  if (!next) return false
  const worker = getWorker()
  if (worker) {
    waiters.delete(next)
    next(worker)
  }
  return true
}

/** A worker that processes one image at a time. It is terminated after a crash, a timed-out job or an idle period. */
class ImageWorker {
  isTerminated = false
  /** Whether its job has timed out but is still running. */
  isTimedOut = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #resolveJob: ((result: ImageJobResult) => void) | undefined
  readonly #worker: Worker
  /** Resolved once the compiled decoder has been sent. */
  readonly #started: Promise<void>
  readonly #onTerminated: (worker: ImageWorker) => void

  constructor(onTerminated: (worker: ImageWorker) => void) {
    this.#onTerminated = onTerminated
    this.#worker = new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' })
    this.#started = compileDecoder().then((compiled) => this.#worker.postMessage(compiled))
    // `run` reports the failure.
    this.#started.catch(() => this.#terminate())
    this.#worker.addEventListener('message', (event: MessageEvent<ImageJobResult>) => {
      clearTimeout(this.#timer)
      if (this.isTimedOut) this.#terminate()
      else this.#resolveJob?.(event.data)
    })
    this.#worker.addEventListener('error', (event) => {
      // An unhandled error in a worker would end the whole process.
      event.preventDefault()
      log('warn', 'image_worker_ended', { reason: 'crashed' })
      this.#terminate()
      this.#resolveJob?.('broken')
    })
  }

  run(job: ImageJob): Promise<ImageJobResult> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#timeOut(), jobTimeoutMs)
    return new Promise((resolve, reject) => {
      this.#resolveJob = resolve
      this.#started.then(() => this.#worker.postMessage(job, [job.bytes.buffer])).catch(reject)
    })
  }

  startIdleTimer(): void {
    this.#timer = setTimeout(() => this.#terminate(), idleTimeoutMs)
    Deno.unrefTimer(Number(this.#timer))
  }

  #timeOut(): void {
    log('warn', 'image_worker_ended', { reason: 'timed out' })
    this.isTimedOut = true
    this.#resolveJob?.('broken')
  }

  #terminate(): void {
    if (this.isTerminated) return
    this.isTerminated = true
    clearTimeout(this.#timer)
    this.#worker.terminate()
    this.#onTerminated(this)
  }
}
