import { limits } from '../contract/limits.ts'
import { uploadTexts } from '../contract/media.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { openForm } from './form.ts'
import { headBytes, videoTypeOf } from './kinds.ts'
import { beginMedia, dropMedia, finishMedia, pathOf, takeUpload } from './rows.ts'
import { addressOf } from './sign.ts'
import { patience, storeFile } from './storage.ts'

/** Milliseconds for all of a video to come in. */
const within = 1_800_000

/**
 * Passes a video on to Storage as it comes in. It is looked at before the first byte of it is stored.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503; whatever it is, nothing is left behind
 */
export async function uploadVideo(caller: Caller, request: Request): Promise<{ videoUrl: string }> {
  await takeUpload(caller)
  const form = { field: 'video', maxBytes: limits.video.maxBytes, within }
  const texts = { none: uploadTexts.noVideo, tooLarge: uploadTexts.videoSize }
  const chunks = await openForm(request, { ...form, ...texts })
  try {
    const head = await readHead(chunks)
    const type = videoTypeOf(head)
    if (!type) throw new ApiError(415, uploadTexts.videoType)
    const id = crypto.randomUUID()
    const path = pathOf(caller, id, type)
    // How many there will be is not known yet.
    await beginMedia(caller, { id, type, bytes: head.length, path })
    const passing = new Passing(head, chunks)
    try {
      await storeFile(path, type, passing.stream, AbortSignal.any([request.signal, passing.stalled]))
      if (request.signal.aborted) throw unavailable(request.signal.reason)
      await finishMedia(id, passing.bytes, type)
    } catch (error) {
      await dropMedia(id, [path])
      throw passing.failure ?? error
    } finally {
      passing.end()
    }
    return { videoUrl: addressOf(id) }
  } finally {
    await chunks.return()
  }
}

/** The first bytes, `headBytes` of them or a little more where there are as many. */
async function readHead(chunks: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  let head = new Uint8Array()
  while (head.length < headBytes) {
    const { value, done } = await chunks.next()
    if (done || !value) break
    const longer = new Uint8Array(head.length + value.length)
    longer.set(head)
    longer.set(value, head.length)
    head = longer
  }
  return head
}

/** What is passed on: counted, and remembered how it failed, as Storage would only tell that it did. */
class Passing {
  bytes = 0
  failure: unknown
  readonly stream: ReadableStream<Uint8Array>
  readonly #stall = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(head: Uint8Array, rest: AsyncGenerator<Uint8Array, void>) {
    let first: Uint8Array | null = head
    this.stream = new ReadableStream({
      pull: async (target) => {
        // How long the sender takes for the next part is for the form to bound.
        this.end()
        try {
          const chunk = first ?? (await rest.next()).value
          first = null
          this.#timer = setTimeout(() => this.#stall.abort(new Error('Storage takes nothing in')), patience)
          if (!chunk) {
            target.close()
            return
          }
          this.bytes += chunk.length
          target.enqueue(chunk)
        } catch (error) {
          this.failure = error
          target.error(error)
        }
      },
      cancel: async () => {
        await rest.return()
      },
    })
  }

  /** Storage has neither taken the next part nor, after the last one, answered in time. */
  get stalled(): AbortSignal {
    return this.#stall.signal
  }

  /** Waits for Storage no longer. */
  end(): void {
    clearTimeout(this.#timer)
  }
}
