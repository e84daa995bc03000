import type { z } from 'zod'
import { assertOk, parseResponse, sendRequest, sendWithSession } from '@/lib/api'
import { recordBackgroundWork } from '@/session/idle'

interface UploadOptions {
  signal?: AbortSignal
  /** Called with the percentage that has been sent, as a whole number. */
  onProgress?: (percent: number) => void
}

/** Milliseconds without progress or a response after which the connection counts as lost. */
const stallTimeoutMs = 60_000

/**
 * Uploads a file to the API as the form field `field`.
 *
 * @param fields other form fields, which are sent before the file
 */
export async function uploadFile<T>(
  path: string,
  field: string,
  file: File,
  schema: z.ZodType<T>,
  { fields = {}, ...options }: UploadOptions & { fields?: Record<string, string> } = {},
): Promise<T> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append(field, file)
  const attempt = () => sendUpload('POST', path, form, { accept: 'application/json' }, options)
  return parseResponse(await sendWithSession(attempt, path, options), schema, path, options)
}

/** Uploads a file to a signed URL. If the URL is on another origin, the request has no cookies. */
export async function putFile(
  url: string,
  file: Blob,
  type: string,
  options: UploadOptions = {},
): Promise<void> {
  const attempt = () => sendUpload('PUT', url, file, { 'content-type': type }, options)
  await assertOk(await sendRequest(attempt, options.signal))
}

/**
 * Sends a request that reports upload progress, which `fetch` does not support. Rejects like `fetch`: with a
 * `TypeError` if the connection fails, and with the signal's reason if it is aborted.
 *
 * @param headers must not contain `Content-Type` for a `FormData` body, because the browser sets it
 */
function sendUpload(
  method: string,
  url: string,
  body: Blob | FormData,
  headers: Record<string, string>,
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const xhr = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = () => xhr.abort()
    const settle = (action: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      action()
    }
    const restartTimeout = () => {
      recordBackgroundWork()
      clearTimeout(timer)
      timer = setTimeout(abort, stallTimeoutMs)
    }
    const fail = () =>
      settle(() => reject(signal?.aborted ? signal.reason : new TypeError('The connection was lost.')))

    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (event) => {
      restartTimeout()
      if (event.lengthComputable && event.total > 0) {
        onProgress?.(Math.floor((event.loaded / event.total) * 100))
      }
    }
    xhr.onload = () => settle(() => resolve(toResponse(xhr)))
    xhr.onerror = fail
    xhr.onabort = fail
    signal?.addEventListener('abort', abort, { once: true })
    restartTimeout()
    xhr.send(body)
  })
}

/** For these statuses, `new Response` throws if there is a body, even an empty one. */
const statusesWithoutBody = [204, 205, 304]

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  const body = statusesWithoutBody.includes(xhr.status) ? null : xhr.responseText
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers })
}
