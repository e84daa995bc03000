import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { invalidRequest, tooLarge } from './errors.ts'

/** The maximum size of the client's custom metadata, in bytes. */
const maxMetadataBytes = 64 * 1024
/** The maximum nesting depth of the metadata. Neither the database nor `JSON.stringify` accepts unlimited depth. */
const maxMetadataDepth = 100

type UserMetadata = Record<string, unknown> | null

/** The file in a request body. */
interface UploadBody {
  contentType: string
  /** The metadata that was sent before the file. */
  userMetadata: UserMetadata
  chunks: AsyncIterable<Uint8Array>
  /** Returns the other fields of the form. Must be called after the chunks have been read. */
  readFields: () => Promise<{ cacheControl: string; userMetadata: UserMetadata }>
}

/**
 * Opens the body of an upload as a stream: the body itself, or the first file of a multipart form, which supabase-js
 * sends for a Blob, File or FormData. The name of the form field does not matter.
 *
 * @throws StorageError 400 if the request is invalid; 413 if the metadata or a form field is too large
 */
export async function openUploadBody(request: Request): Promise<UploadBody> {
  const { headers } = request
  const type = headers.get('content-type') ?? 'application/octet-stream'
  if (/^multipart\/form-data\s*;/i.test(type)) return await openForm(request, type)
  const userMetadata = parseUserMetadata(headers.get('x-metadata'), true)
  const cacheControl = headers.get('cache-control') ?? 'no-cache'
  if (cacheControl.length > 255) throw invalidRequest('The Cache-Control header is too long.')
  return {
    contentType: type,
    userMetadata,
    chunks: readBody(request.body ?? []),
    readFields: () => Promise.resolve({ cacheControl, userMetadata }),
  }
}

/** Returns the `Cache-Control` header for the number of seconds that a client sent. */
export const toCacheControl = (seconds: string | null | undefined): string =>
  /^\d{1,10}$/.test(seconds ?? '') ? `max-age=${seconds}` : 'no-cache'

/**
 * Parses the metadata that a client attaches to an object.
 *
 * @throws StorageError 400 if it is not a JSON object or is nested too deeply; 413 if it is too large
 */
export function parseUserMetadata(text: string | null | undefined, isBase64: boolean): UserMetadata {
  if (!text) return null
  if (text.length > maxMetadataBytes) throw tooLarge('user_metadata')
  let value: unknown
  try {
    value = JSON.parse(isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text)
  } catch {
    // Reported below.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The metadata must be a JSON object.')
  }
  if (isDeeper(value, maxMetadataDepth)) throw invalidRequest('The metadata is nested too deeply.')
  return value as Record<string, unknown>
}

/** Returns whether a JSON value has more than `depth` levels. */
const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1)))

async function openForm(request: Request, type: string): Promise<UploadBody> {
  const parser = createParser(type)
  const source = Readable.from(request.body ?? [], { objectMode: false })
  const fields = new Map<string, string>()
  parser.on('field', (name, value, _isNameTruncated, isTruncated) => {
    if (isTruncated) parser.destroy(tooLarge(name === 'metadata' ? 'user_metadata' : 'form'))
    fields.set(name, value)
  })
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve)
    parser.on('error', reject)
    source.on('error', reject)
  })
  // Avoids an unhandled rejection. The functions that read the form throw the error.
  ended.catch(() => undefined)
  const firstFile = new Promise<{ stream: BusboyFileStream; mimeType: string } | null>((resolve, reject) => {
    let hasFile = false
    parser.on('file', (_name, stream, _fileName, _encoding, mimeType) => {
      // If the form is incomplete, the parser emits an error on the file's stream, possibly before the stream is read.
      // If the connection is lost, the parser emits no error.
      stream.on('error', (error) => stream.destroy(error))
      source.on('error', (error) => stream.destroy(error))
      if (hasFile) stream.resume()
      else resolve({ stream, mimeType })
      hasFile = true
    })
    ended.then(() => resolve(null), reject)
  })
  source.pipe(parser)
  const file = await firstFile.catch((error) => {
    source.destroy()
    throw unreadable(error)
  })
  if (!file) throw invalidRequest('No content provided')
  const readMetadata = () => parseUserMetadata(fields.get('metadata') ?? fields.get('userMetadata'), false)
  return {
    contentType: fields.get('contentType') || file.mimeType || 'application/octet-stream',
    userMetadata: readMetadata(),
    chunks: readFile(file.stream, source),
    readFields: async () => {
      await ended.catch((error) => {
        throw unreadable(error)
      })
      return { cacheControl: toCacheControl(fields.get('cacheControl')), userMetadata: readMetadata() }
    },
  }
}

function createParser(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: 4,
        fields: 20,
        fieldSize: maxMetadataBytes,
        parts: 24,
        headerPairs: 50,
        headerSize: 8192,
      },
    })
  } catch (error) {
    // The content type has no boundary.
    throw unreadable(error)
  }
}

/** Yields the chunks of a body. @throws StorageError 400 if it is incomplete, for example after a disconnect */
export async function* readBody(
  body: AsyncIterable<Uint8Array<ArrayBuffer>> | [],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body
  } catch (error) {
    throw unreadable(error)
  }
}

/** Yields the chunks of the file. If the caller stops early, the rest of the form is not read. */
async function* readFile(file: BusboyFileStream, source: Readable): AsyncGenerator<Uint8Array> {
  let isComplete = false
  try {
    yield* readBody(file as AsyncIterable<Uint8Array<ArrayBuffer>>)
    isComplete = true
  } finally {
    if (!isComplete) source.destroy()
  }
}

const unreadable = (error: unknown) => {
  if (error instanceof Error && 'statusCode' in error) return error
  return Object.assign(invalidRequest('The body of the request could not be read.'), { cause: error })
}
