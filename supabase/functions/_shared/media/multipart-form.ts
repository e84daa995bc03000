import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { ApiError, invalidField } from '../http/errors.ts'

/** Bytes allowed in a form in addition to its file, for boundaries, headers and other fields. */
const formOverheadBytes = 64 * 1024

type OpenApiSchema = { type: 'string' | 'number'; [keyword: string]: string | number }

/**
 * Documents a form with a file and other fields for `createRoute`. The form is not validated, because the handler
 * streams it.
 */
export const fileUploadBody = (
  field: string,
  otherProperties: Record<string, OpenApiSchema> = {},
  required = [field],
) => ({
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object' as const,
          properties: { [field]: { type: 'string' as const, format: 'binary' }, ...otherProperties },
          required,
        },
      },
    },
  },
})

/** The requirements for a form, and the messages for a form that does not meet them. */
type FileFormOptions = {
  /** The name of the file field. */
  field: string
  maxBytes: number
  missingMessage: string
  tooLargeMessage: string
  /** The timeout for receiving the whole form. */
  timeoutMs: number
}

/**
 * `tooLongMessages` maps the name of each expected text field to the message for a value that is too long. Other text
 * fields are ignored.
 */
type FileFormWithTextFieldsOptions = FileFormOptions & { tooLongMessages: Readonly<Record<string, string>> }

type FileForm = {
  /**
   * The chunks of the file. Reading them throws ApiError 400 if the form is malformed, ends early or takes too long,
   * and 413 for more than `maxBytes`.
   */
  file: AsyncGenerator<Uint8Array, void>
  /**
   * Returns the text fields, including those after the file. Must be called after the file has been read completely.
   *
   * @throws ApiError 400 or 413 as for the file; 400 if a field is too long or sent twice, or the form has too many
   *   parts
   */
  readTextFields: () => Promise<Record<string, string>>
}

/**
 * Opens the file in a multipart form as a stream, so that the whole file need not be in memory. The caller must
 * read it to the end or call `return`. The client's file name and content type are ignored.
 *
 * @throws ApiError 400; 413 if the declared length is too large; 415 if the body is not a multipart form
 */
export async function openFileForm(
  request: Request,
  options: FileFormOptions,
): Promise<AsyncGenerator<Uint8Array, void>> {
  return (await openForm(request, { ...options, tooLongMessages: {} }, false)).file
}

/**
 * Opens a multipart form with one file and text fields in any order. `readTextFields` also reads the rest of the form
 * after the file.
 *
 * @throws ApiError 400, 413, 415
 */
export async function openFileFormWithTextFields(
  request: Request,
  options: FileFormWithTextFieldsOptions,
): Promise<FileForm> {
  return await openForm(request, options, true)
}

async function openForm(
  request: Request,
  {
    field,
    maxBytes,
    missingMessage,
    tooLargeMessage,
    timeoutMs,
    tooLongMessages,
  }: FileFormWithTextFieldsOptions,
  readsPastFile: boolean,
): Promise<FileForm> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(415, 'The file must be sent as multipart/form-data.')
  }
  const maxFormBytes = maxBytes + formOverheadBytes
  if (Number(request.headers.get('content-length') ?? '0') > maxFormBytes) {
    throw new ApiError(413, tooLargeMessage)
  }
  const parser = createParser(type)
  const source = Readable.from(readBody(request, timeoutMs, maxFormBytes, tooLargeMessage), {
    objectMode: false,
  })
  const textFields = new TextFields(parser, source, tooLongMessages)
  const fileFound = new Promise<BusboyFileStream | null>((resolve, reject) => {
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
  const file = await fileFound.catch((error) => {
    source.destroy()
    throw error instanceof ApiError ? error : malformedForm(error)
  })
  if (file) {
    return {
      file: readFile(file, source, { maxBytes, tooLargeMessage, readsPastFile }),
      readTextFields: () => textFields.readAll(),
    }
  }
  source.destroy()
  throw invalidField(field, missingMessage)
}

/**
 * Reads the request body. The timeout applies to the whole body, because a client that sends slowly never triggers an
 * idle timeout.
 */
async function* readBody(
  request: Request,
  timeoutMs: number,
  maxBytes: number,
  tooLargeMessage: string,
): AsyncGenerator<Uint8Array, void> {
  const reader = request.body?.getReader()
  if (!reader) return
  const cancel = () => reader.cancel().catch(() => undefined)
  let isTimedOut = false
  let receivedBytes = 0
  const timer = setTimeout(() => {
    isTimedOut = true
    void cancel()
  }, timeoutMs)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isTimedOut) throw new ApiError(400, 'The upload took too long. Please try again.')
      if (done) return
      receivedBytes += value.length
      if (receivedBytes > maxBytes) throw new ApiError(413, tooLargeMessage)
      yield value
    }
  } finally {
    clearTimeout(timer)
    await cancel()
  }
}

/**
 * Reads the chunks of the file, then stops reading the request, unless the file is complete and `readsPastFile` is set.
 */
async function* readFile(
  file: BusboyFileStream,
  source: Readable,
  options: { maxBytes: number; tooLargeMessage: string; readsPastFile: boolean },
): AsyncGenerator<Uint8Array, void> {
  // Without this, the parser would wait for more data after the connection is lost.
  source.on('error', (error) => file.destroy(error))
  let receivedBytes = 0
  let isComplete = false
  try {
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      receivedBytes += chunk.length
      if (receivedBytes > options.maxBytes) throw new ApiError(413, options.tooLargeMessage)
      yield chunk
    }
    isComplete = true
  } catch (error) {
    throw error instanceof ApiError ? error : malformedForm(error)
  } finally {
    if (!isComplete || !options.readsPastFile) source.destroy()
  }
}

/**
 * Reads all chunks into one array.
 *
 * @param reserveBytes called with the size of each chunk before the chunk is kept; if it throws, reading stops
 */
export async function readAllBytes(
  chunks: AsyncIterable<Uint8Array>,
  reserveBytes: (count: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) {
    reserveBytes(chunk.length)
    parts.push(chunk)
  }
  // A copy, because a small Buffer shares its memory with others and could not be transferred to a worker.
  return new Uint8Array(Buffer.concat(parts))
}

function createParser(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 4, fields: 20, fieldSize: 4096, parts: 24, headerPairs: 50, headerSize: 8192 },
    })
  } catch (error) {
    // The content type has no boundary.
    throw malformedForm(error)
  }
}

const malformedForm = (cause: unknown) => new ApiError(400, 'The form could not be read.', { cause })

/**
 * Collects the text fields of a form as the parser finds them. The parser runs in the background, so errors are kept
 * until the text fields are read.
 */
class TextFields {
  readonly #values: Record<string, string> = {}
  readonly #end: Promise<void>
  readonly #source: Readable
  #error: ApiError | undefined

  constructor(
    parser: InstanceType<typeof Busboy>,
    source: Readable,
    tooLongMessages: Readonly<Record<string, string>>,
  ) {
    this.#source = source
    parser.on('field', (name, value, _isNameTruncated, isTruncated) => {
      const tooLongMessage = Object.hasOwn(tooLongMessages, name) ? tooLongMessages[name] : undefined
      if (tooLongMessage === undefined) return
      if (isTruncated) this.#error ??= invalidField(name, tooLongMessage)
      if (Object.hasOwn(this.#values, name)) this.#error ??= invalidField(name, 'Send this field only once.')
      // Browsers send every line break in a form as CRLF.
      this.#values[name] = value.replaceAll('\r\n', '\n')
    })
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => {
        this.#error ??= new ApiError(400, 'The form has too many parts.')
      })
    }
    this.#end = new Promise((resolve, reject) => {
      parser.on('finish', resolve)
      parser.on('error', reject)
      source.on('error', reject)
    })
    // Prevents an unhandled rejection if the text fields are never read.
    this.#end.catch(() => undefined)
  }

  /**
   * Waits for the end of the form, stops reading the request and returns the text fields.
   *
   * @throws ApiError 400 if the form is malformed or has too many parts, or a field is too long or sent twice;
   *   413 if the form is too large
   */
  async readAll(): Promise<Record<string, string>> {
    try {
      await this.#end
    } catch (error) {
      throw error instanceof ApiError ? error : malformedForm(error)
    } finally {
      this.#source.destroy()
    }
    if (this.#error) throw this.#error
    return this.#values
  }
}
