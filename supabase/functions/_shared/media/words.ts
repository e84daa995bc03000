import type { Readable } from 'node:stream'
import type { Busboy } from '@fastify/busboy'
import { ApiError, invalidField } from '../http/errors.ts'

/** What is said of a form that is none, or ends too early. */
export const broken = (cause: unknown) => new ApiError(400, 'The form could not be read.', { cause })

/**
 * The texts of a form, as the parser comes upon them. The parser goes on by itself; what it finds, and how it ends, is
 * kept until somebody asks.
 */
export class Words {
  readonly #found: Record<string, string> = {}
  readonly #end: Promise<void>
  readonly #source: Readable
  #problem: ApiError | undefined

  /** @param tooLong the fields that are wanted, and what is said of a text that is too long to be read */
  constructor(
    parser: InstanceType<typeof Busboy>,
    source: Readable,
    tooLong: Readonly<Record<string, string>>,
  ) {
    this.#source = source
    parser.on('field', (name, value, _nameCut, isCut) => {
      const said = Object.hasOwn(tooLong, name) ? tooLong[name] : undefined
      // Nobody reads it.
      if (said === undefined) return
      if (isCut) this.#problem ??= invalidField(name, said)
      if (Object.hasOwn(this.#found, name)) this.#problem ??= invalidField(name, 'This was sent twice.')
      // A form has every line end in two characters, whatever was typed.
      this.#found[name] = value.replaceAll('\r\n', '\n')
    })
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => {
        this.#problem ??= new ApiError(400, 'The form has too many parts.')
      })
    }
    this.#end = new Promise((resolve, reject) => {
      parser.on('finish', resolve)
      parser.on('error', reject)
      source.on('error', reject)
    })
    // Of a form whose texts nobody wants, nobody hears how it ended.
    this.#end.catch(() => undefined)
  }

  /**
   * All of them, once the form has ended; no more of the request is taken in then.
   *
   * @throws ApiError 400 for a form that ends badly, a text that is too long or was sent twice; 413
   */
  async all(): Promise<Record<string, string>> {
    try {
      await this.#end
    } catch (error) {
      throw error instanceof ApiError ? error : broken(error)
    } finally {
      this.#source.destroy()
    }
    if (this.#problem) throw this.#problem
    return this.#found
  }
}
