import { limits } from '../contract/limits.ts'
import { uploadErrors } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { detectVideoType, videoHeaderBytes } from './file-types.ts'
import { discardPendingMedia, finishUpload, readVideoDuration } from './media-store.ts'
import { mediaUrl } from './media-url.ts'
import { openFileForm } from './multipart-form.ts'
import { consumeUploadLimit, insertPendingMedia } from './queries.ts'
import { storagePath, storageTimeoutMs, storeFile } from './storage.ts'

/** Time limit for receiving the whole video. */
const receiveTimeoutMs = 1_800_000

/**
 * Streams a video from the request to Storage. Its type is checked before the first byte is stored.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503; an unfinished upload is discarded
 */
export async function uploadVideo(caller: Caller, request: Request): Promise<{ videoUrl: string }> {
  await consumeUploadLimit(caller)
  const chunks = await openFileForm(request, {
    field: 'video',
    maxBytes: limits.video.maxBytes,
    timeoutMs: receiveTimeoutMs,
    missingMessage: uploadErrors.noVideo,
    tooLargeMessage: uploadErrors.videoSize,
  })
  try {
    const header = await readHeader(chunks)
    const type = detectVideoType(header)
    if (!type) throw new ApiError(415, uploadErrors.videoType)
    const id = crypto.randomUUID()
    const path = storagePath(caller, id, type)
    // The total size is not known yet.
    await insertPendingMedia(caller, { id, type, bytes: header.length, path })
    const upload = new UploadStream(header, chunks)
    try {
      await storeFile(path, type, upload.stream, AbortSignal.any([request.signal, upload.stalled]))
      if (request.signal.aborted) throw unavailable(request.signal.reason)
      const seconds = await readVideoDuration(path, upload.bytes, type)
      await finishUpload(id, path, upload.bytes, type, seconds)
    } catch (error) {
      await discardPendingMedia(id, [path])
      throw upload.error ?? error
    } finally {
      upload.stopTimer()
    }
    return { videoUrl: mediaUrl(id) }
  } finally {
    await chunks.return()
  }
}

/** Reads at least `videoHeaderBytes` bytes, or the whole file if it is shorter. */
async function readHeader(chunks: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  let header = new Uint8Array()
  while (header.length < videoHeaderBytes) {
    const { value, done } = await chunks.next()
    if (done || !value) break
    const longer = new Uint8Array(header.length + value.length)
    longer.set(header)
    longer.set(value, header.length)
    header = longer
  }
  return header
}

/**
 * The body of a request to Storage. It counts its bytes and keeps the error of its source, because `fetch` only reports
 * that the stream failed.
 */
class UploadStream {
  bytes = 0
  error: unknown
  readonly stream: ReadableStream<Uint8Array>
  readonly #stall = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(header: Uint8Array, rest: AsyncGenerator<Uint8Array, void>) {
    let first: Uint8Array | null = header
    this.stream = new ReadableStream({
      pull: async (controller) => {
        // The time that the client takes for the next chunk is limited by the form's timeout.
        this.stopTimer()
        try {
          const chunk = first ?? (await rest.next()).value
          first = null
          this.#timer = setTimeout(
            () => this.#stall.abort(new Error('Storage stopped accepting data')),
            storageTimeoutMs,
          )
          if (!chunk) {
            controller.close()
            return
          }
          this.bytes += chunk.length
          controller.enqueue(chunk)
        } catch (error) {
          this.error = error
          controller.error(error)
        }
      },
      cancel: async () => {
        await rest.return()
      },
    })
  }

  /**
   * A signal that aborts if Storage does not accept a chunk in time, or does not respond in time after the last one.
   */
  get stalled(): AbortSignal {
    return this.#stall.signal
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
  }
}
