import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { ApiError, invalidField } from '../http/errors.ts'
import { broken, Words } from './words.ts'

/** Bytes around a file: the borders of the form, and fields that nobody reads. */
const overhead = 64 * 1024

/** What a form must have, and the words for what is wrong with it. */
type Wanted = {
  /** The field of the file. */
  field: string
  maxBytes: number
  /** There is no file in it. */
  none: string
  /** It has more than `maxBytes`. */
  tooLarge: string
  /** Milliseconds within which all of it must have come in. */
  within: number
}

/** The same for a form with texts beside its file: for each field of one, what is said when it is too long to be read. */
type WantedWithWords = Wanted & { words: Readonly<Record<string, string>> }

type OpenForm = {
  /**
   * The file's bytes, in chunks. Reading them throws ApiError 400 when the form is no form, ends too early or takes too
   * long, 413 with more than `maxBytes`.
   */
  file: AsyncGenerator<Uint8Array, void>
  /**
   * The texts, those behind the file too: to be asked for when the file has been read to its end.
   *
   * @throws ApiError 400 as reading the file does, and for a text that is too long or was sent twice
   */
  words: () => Promise<Record<string, string>>
}

/**
 * The file in a multipart form, as it comes in: read to its end or left by `return`, it never lies in memory whole.
 * What somebody called it and what they say it is, is not looked at.
 *
 * @returns its bytes, as `OpenForm` has them
 * @throws ApiError 400, 413 where the length says it before anything is read, 415 for another kind of body
 */
export async function openForm(request: Request, wanted: Wanted): Promise<AsyncGenerator<Uint8Array, void>> {
  return (await open(request, { ...wanted, words: {} }, false)).file
}

/**
 * The same for a form that has texts beside its file, in any order. What is left of it behind the file is read only
 * when the texts are asked for.
 *
 * @throws ApiError 400, 413, 415
 */
export async function openFormWithWords(request: Request, wanted: WantedWithWords): Promise<OpenForm> {
  return await open(request, wanted, true)
}

async function open(
  request: Request,
  { field, maxBytes, none, tooLarge, within, words }: WantedWithWords,
  goesOn: boolean,
): Promise<OpenForm> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(415, 'The file must be sent as multipart/form-data.')
  }
  if (Number(request.headers.get('content-length') ?? '0') > maxBytes + overhead) {
    throw new ApiError(413, tooLarge)
  }
  const parser = parserOf(type)
  const most = maxBytes + overhead
  const source = Readable.from(bodyOf(request, within, most, tooLarge), { objectMode: false })
  const texts = new Words(parser, source, words)
  const found = new Promise<BusboyFileStream | null>((resolve, reject) => {
    let isFound = false
    parser.on('file', (name, stream) => {
      if (name === field && !isFound) resolve(stream)
      else stream.on('error', () => undefined).resume()
      isFound ||= name === field
    })
    parser.on('finish', () => resolve(null))
    parser.on('error', reject)
    source.on('error', reject)
  })
  source.pipe(parser)
  const file = await found.catch((error) => {
    source.destroy()
    throw error instanceof ApiError ? error : broken(error)
  })
  if (file) return { file: bytesOf(file, source, { maxBytes, tooLarge, goesOn }), words: () => texts.all() }
  source.destroy()
  throw invalidField(field, none)
}

/**
 * The body as it comes in; one that comes so slowly that it never looks idle is ended too, and one that is larger than
 * the form with its file may be.
 */
async function* bodyOf(
  request: Request,
  within: number,
  most: number,
  tooLarge: string,
): AsyncGenerator<Uint8Array, void> {
  const reader = request.body?.getReader()
  if (!reader) return
  const leave = () => reader.cancel().catch(() => undefined)
  let isLate = false
  let received = 0
  const timer = setTimeout(() => {
    isLate = true
    void leave()
  }, within)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) throw new ApiError(400, 'The upload took too long. Please try again.')
      if (done) return
      received += value.length
      if (received > most) throw new ApiError(413, tooLarge)
      yield value
    }
  } finally {
    clearTimeout(timer)
    await leave()
  }
}

/**
 * The chunks of the file. No more of the request is taken in when reading them ends, unless it ends well and the form
 * `goesOn`.
 */
async function* bytesOf(
  file: BusboyFileStream,
  source: Readable,
  { maxBytes, tooLarge, goesOn }: { maxBytes: number; tooLarge: string; goesOn: boolean },
): AsyncGenerator<Uint8Array, void> {
  // The connection broke: the parser would wait for more.
  source.on('error', (error) => file.destroy(error))
  let received = 0
  let isWhole = false
  try {
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      received += chunk.length
      if (received > maxBytes) throw new ApiError(413, tooLarge)
      yield chunk
    }
    isWhole = true
  } catch (error) {
    throw error instanceof ApiError ? error : broken(error)
  } finally {
    if (!isWhole || !goesOn) source.destroy()
  }
}

/**
 * The whole of what `openForm` gives.
 *
 * @param hold told how many bytes each chunk has before it is kept; what it throws ends the reading
 */
export async function readWhole(
  chunks: AsyncIterable<Uint8Array>,
  hold: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(await collect(chunks, hold)).arrayBuffer())
}

async function collect(
  chunks: AsyncIterable<Uint8Array>,
  hold: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunks) {
    hold(chunk.length)
    parts.push(new Uint8Array(chunk))
  }
  return parts
}

function parserOf(type: string) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 4, fields: 20, fieldSize: 4096, parts: 24, headerPairs: 50, headerSize: 8192 },
    })
  } catch (error) {
    // It names no border between its parts.
    throw broken(error)
  }
}
