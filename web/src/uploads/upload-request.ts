import type { z } from 'zod'
import { assertOk, parseResponse, sendRequest, sendWithSession } from '@/lib/api'
import { recordBackgroundWork } from '@/session/activity'

/** What an upload tells while it goes on, and how it is stopped. */
export interface UploadOptions {
  signal?: AbortSignal
  /** How much has been sent, from 0 to 1. */
  onProgress?: (part: number) => void
}

/** Milliseconds without a byte sent, or an answer, after which a connection counts as lost. */
const stalledAfter = 60_000

/**
 * Uploads a file to the API as the field `field` of a form.
 *
 * @param fields other fields of the form, which precede the file
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

/** Uploads a file to a signed URL, which may be on another site, so that it gets no cookies. */
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
 * One request with a body whose progress is told, which `fetch` cannot. Rejects with what `fetch` would: a
 * `TypeError` without a connection, the signal's reason when it was stopped.
 *
 * @param headers `Content-Type` is left to the browser for a `FormData`
 */
export function sendUpload(
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
    const stop = () => xhr.abort()
    const settle = (action: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      action()
    }
    const alive = () => {
      recordBackgroundWork()
      clearTimeout(timer)
      timer = setTimeout(stop, stalledAfter)
    }
    const lost = () =>
      settle(() => reject(signal?.aborted ? signal.reason : new TypeError('The connection was lost.')))

    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = (event) => {
      alive()
      if (event.lengthComputable && event.total > 0) onProgress?.(event.loaded / event.total)
    }
    xhr.onload = () => settle(() => resolve(answerOf(xhr)))
    xhr.onerror = lost
    xhr.onabort = lost
    signal?.addEventListener('abort', stop, { once: true })
    alive()
    xhr.send(body)
  })
}

/** Statuses whose answer has no body, not even an empty one. */
const bodiless = [204, 205, 304]

function answerOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  const body = bodiless.includes(xhr.status) ? null : xhr.responseText
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers })
}
