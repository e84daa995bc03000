import type { Options } from 'browser-image-compression'

/** The limits of a compressed image. */
export interface ImageTarget {
  /** The maximum length of the longer side in pixels. */
  maxSide: number
  maxMegabytes: number
  /** JPEG quality from 0 to 1. */
  quality: number
}

/** The message to the worker. */
export interface CompressionRequest {
  file: File
  options: Options
}

/** Compresses an image to a JPEG within `target`: in a worker or, if that is not possible, on the main thread. */
export async function compressImage(file: File, target: ImageTarget, signal: AbortSignal): Promise<File> {
  const options: Options = {
    maxWidthOrHeight: target.maxSide,
    maxSizeMB: target.maxMegabytes,
    initialQuality: target.quality,
    fileType: 'image/jpeg',
    useWebWorker: false,
  }
  const request = { file, options }
  const compressed =
    (await compressInWorker(request, signal)) ?? (await compressOnMainThread(request, signal))
  return new File([compressed], 'picture.jpg', { type: 'image/jpeg' })
}

async function compressOnMainThread(
  { file, options }: CompressionRequest,
  signal: AbortSignal,
): Promise<Blob> {
  const { default: imageCompression } = await import('browser-image-compression')
  return imageCompression(file, { ...options, signal })
}

/** Returns undefined if workers have no canvas (Safari before 16.4) or the compression fails in the worker. */
async function compressInWorker(request: CompressionRequest, signal: AbortSignal): Promise<Blob | undefined> {
  if (typeof OffscreenCanvas === 'undefined') return
  signal.throwIfAborted()
  const worker = new Worker(new URL('./compress-image.worker.ts', import.meta.url), { type: 'module' })
  const listeners = new AbortController()
  try {
    return await new Promise<Blob | undefined>((resolve, reject) => {
      const options = { signal: listeners.signal }
      worker.addEventListener('message', ({ data }) => resolve(getFile(data)), options)
      worker.addEventListener('error', () => resolve(undefined), options)
      signal.addEventListener('abort', () => reject(signal.reason), options)
      worker.postMessage(request)
    })
  } finally {
    listeners.abort()
    worker.terminate()
  }
}

function getFile(message: unknown): Blob | undefined {
  const file = typeof message === 'object' && message !== null && 'file' in message ? message.file : undefined
  return file instanceof Blob ? file : undefined
}
