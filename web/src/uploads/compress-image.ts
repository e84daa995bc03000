import type { Options } from 'browser-image-compression'

/** What a picture is made smaller to: pixels of its longer side, megabytes, and the JPEG quality from 0 to 1. */
export interface ImageTarget {
  maxSide: number
  maxMegabytes: number
  quality: number
}

/** What the worker is told. */
export interface CompressionRequest {
  file: File
  options: Options
}

/** Makes a picture a JPEG no larger than `target`, in a worker where the browser can, else on the page. */
export async function compressImage(file: File, target: ImageTarget, signal: AbortSignal): Promise<File> {
  const options: Options = {
    maxWidthOrHeight: target.maxSide,
    maxSizeMB: target.maxMegabytes,
    initialQuality: target.quality,
    fileType: 'image/jpeg',
    useWebWorker: false,
  }
  const small = (await inWorker({ file, options }, signal)) ?? (await onPage({ file, options }, signal))
  return new File([small], 'picture.jpg', { type: 'image/jpeg' })
}

async function onPage({ file, options }: CompressionRequest, signal: AbortSignal): Promise<Blob> {
  const { default: imageCompression } = await import('browser-image-compression')
  return imageCompression(file, { ...options, signal })
}

/** Nothing where workers cannot draw (Safari before 16.4) or this picture does not work there. */
async function inWorker(order: CompressionRequest, signal: AbortSignal): Promise<Blob | undefined> {
  if (typeof OffscreenCanvas === 'undefined') return
  signal.throwIfAborted()
  const worker = new Worker(new URL('./compress-image.worker.ts', import.meta.url), { type: 'module' })
  const stopped = new AbortController()
  try {
    return await new Promise<Blob | undefined>((resolve, reject) => {
      const listening = { signal: stopped.signal }
      worker.addEventListener('message', ({ data }) => resolve(fileOf(data)), listening)
      worker.addEventListener('error', () => resolve(undefined), listening)
      signal.addEventListener('abort', () => reject(signal.reason), listening)
      worker.postMessage(order)
    })
  } finally {
    stopped.abort()
    worker.terminate()
  }
}

function fileOf(answer: unknown): Blob | undefined {
  const file = typeof answer === 'object' && answer !== null && 'file' in answer ? answer.file : undefined
  return file instanceof Blob ? file : undefined
}
