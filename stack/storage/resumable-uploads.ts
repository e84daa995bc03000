import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, MemoryLocker, Server, Upload } from '@tus/server'
import { failureResponse } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import { syncDirectory, writeAll, writeFileAtomic } from '../shared/files.ts'
import type { Log } from '../shared/log.ts'
import { isUuid } from '../shared/uuid.ts'
import type { NewObject } from './database.ts'
import { describeFailure, fromDatabaseError, invalidRequest, rateLimited, StorageError } from './errors.ts'
import { headerBytes, type StagedFile } from './file-storage.ts'
import { parseUserMetadata, toCacheControl } from './upload-body.ts'

/** How long an upload is kept after its creation. Once it is finished, only its record is kept. */
const lifetimeMs = 24 * 3_600_000
const cleanUpIntervalMs = 600_000
/** How many unfinished uploads one caller may have. The metadata of each, up to 64 kB, is kept in memory. */
const maxUnfinished = 100

/** The object that a resumable upload creates. */
export interface Target extends Omit<NewObject, 'metadata'> {
  contentType: string
  cacheControl: string
}

/** The record of an upload, stored next to its data. */
interface UploadRecord {
  id: string
  size: number
  createdAt: string
  /** The metadata that the client sent in `Upload-Metadata`; missing if the upload is finished. */
  metadata?: Record<string, string | null>
  target: Target
  /** Identifies the caller who created the upload. Only the same caller can continue it. */
  creator: string
  isFinished: boolean
}

/** The caller of a request, and the checks that depend on the caller. */
export interface ResumableContext {
  /** Identifies the caller. */
  creator: string
  /** Whether the number of the caller's unfinished uploads is limited. */
  isLimited: boolean
  /** Whether a new upload replaces the caller's previous one. True for signed URLs, which can be used repeatedly. */
  replacesPrevious: boolean
  /**
   * Checks that the caller may store the object, and counts a new upload against the caller's rate limit. Returns the
   * target with its owner.
   */
  authorize: (target: Target, size: number, isNew: boolean) => Promise<Target>
  /** Counts the declared size against the quota of the target's owner, and then calls `register`. */
  reserve: (target: Target, size: number, register: () => void) => Promise<void>
}

interface ResumableOptions {
  /** The folder for uploads in progress. */
  folder: string
  path: string
  maxBytes: number
  /** Stores a complete file as an object. */
  store: (target: Target, file: StagedFile, version: string) => Promise<void>
  /** Returns whether an object may have this size. */
  isSizeAllowed: (target: Target, size: number) => Promise<boolean>
  /** Returns whether the upload whose ID is `version` has been stored as an object. */
  hasVersion: (target: Target, version: string) => Promise<boolean>
  log: Log
}

/**
 * Receives resumable uploads with the TUS protocol, as Supabase does. The data is written to a file in the format of
 * stored files, so completing an upload only writes the header and renames the file. Uploads can continue after a
 * restart.
 */
export class ResumableUploads {
  readonly #options: ResumableOptions
  readonly #store: ResumableStore
  readonly #server: Server
  readonly #contexts = new WeakMap<object, ResumableContext>()
  readonly #finishing = new Map<string, Promise<void>>()
  readonly #timer: ReturnType<typeof setInterval>

  private constructor(options: ResumableOptions, store: ResumableStore) {
    this.#options = options
    this.#store = store
    this.#server = new Server({
      path: options.path,
      datastore: store,
      locker: new MemoryLocker(),
      maxSize: options.maxBytes,
      disableTerminationForFinishedUploads: true,
      namingFunction: () => crypto.randomUUID(),
      // A relative URL, because the client may use a host name that this process does not know.
      generateUrl: (request, { path, id }) =>
        `${path}${new URL(request.url).pathname.endsWith('/sign') ? '/sign' : ''}/${id}`,
      getFileIdFromRequest: (_request, id = '') => (isUuid(id) ? id : undefined),
      onIncomingRequest: (request, id) => this.#authorize(request, id),
      onUploadCreate: (request, upload) => this.#create(request, upload),
      onUploadFinish: async (_request, { id }) => {
        await this.#finish(id)
        return { headers: { 'Tus-Complete': '1' } }
      },
      onResponseError: (_request, error) => this.#describe(error),
    })
    this.#timer = setInterval(() => void this.#cleanUp(), cleanUpIntervalMs)
  }

  static async open(options: ResumableOptions): Promise<ResumableUploads> {
    const store = await ResumableStore.open(options.folder)
    const uploads = new ResumableUploads(options, store)
    await uploads.#cleanUp()
    return uploads
  }

  /** Returns the total declared size, in bytes, of a user's uploads in progress. */
  pendingBytes(userId: string): number {
    return this.#store.pendingBytes(userId)
  }

  async handle(request: Request, context: ResumableContext): Promise<Response> {
    this.#contexts.set(request, context)
    return await this.#server.handleWeb(request)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #contextOf(request: object): ResumableContext {
    const context = this.#contexts.get(request)
    if (!context) throw new Error('the request has no caller')
    return context
  }

  /** Checks a request for an existing upload. To everyone but its creator, the upload appears not to exist. */
  async #authorize(request: { method: string }, id: string): Promise<void> {
    // A new upload is checked after its metadata has been parsed.
    if (request.method === 'POST') return
    const record = this.#store.find(id)
    const context = this.#contextOf(request)
    if (!record || record.creator !== context.creator) throw ERRORS.FILE_NOT_FOUND
    if (request.method === 'DELETE' || record.isFinished) return
    // After the last byte arrived, the process or the database may have failed before the object was stored.
    if (await this.#store.isComplete(id)) await this.#finish(id)
    else if (request.method === 'PATCH') await context.authorize(record.target, record.size, false)
  }

  async #create(request: { headers: Headers }, upload: Upload): Promise<Pick<Upload, 'metadata'>> {
    const context = this.#contextOf(request)
    const { id, size, metadata = {} } = upload
    if (size === undefined) throw invalidRequest('Upload-Length is required')
    const announced = parseTarget(metadata, request.headers.get('x-upsert') === 'true')
    const target = await context.authorize(announced, size, true)
    const isOwn = ({ creator }: UploadRecord) => creator === context.creator
    if (context.isLimited && this.#store.unfinished().filter(isOwn).length >= maxUnfinished)
      throw rateLimited()
    const createdAt = new Date().toISOString()
    upload.creation_date = createdAt
    await context.reserve(target, size, () =>
      this.#store.register({
        id,
        size,
        createdAt,
        metadata,
        target,
        creator: context.creator,
        isFinished: false,
      }),
    )
    if (context.replacesPrevious) await this.#store.removeBefore(id)
    return { metadata }
  }

  /** Stores a complete upload as an object, exactly once. */
  #finish(id: string): Promise<void> {
    const running = this.#finishing.get(id) ?? this.#storeObject(id)
    this.#finishing.set(id, running)
    return running.finally(() => this.#finishing.delete(id))
  }

  async #storeObject(id: string): Promise<void> {
    const record = this.#store.find(id)
    if (!record) throw ERRORS.FILE_NOT_FOUND
    if (record.isFinished) return
    const path = this.#store.pathOf(id)
    const eTag = `"${id.replaceAll('-', '')}"`
    try {
      if (await this.#store.hasFile(id)) {
        await this.#options.store(record.target, { path, size: record.size, eTag }, id)
      } else if (!(await this.#options.hasVersion(record.target, id))) {
        await this.#store.remove(id)
        throw ERRORS.FILE_NO_LONGER_EXISTS
      }
    } catch (error) {
      // A retry would fail as well.
      if (toStorageError(error)) await this.#store.remove(id)
      throw error
    }
    await this.#store.markFinished(record)
  }

  async #cleanUp(): Promise<void> {
    try {
      await this.#store.deleteExpired()
      // Removes uploads that now exceed their size limit, for example because the row in `public.media` that set the
      // limit has been deleted.
      for (const { id, target, size } of this.#store.unfinished()) {
        if (!(await this.#options.isSizeAllowed(target, size)) && this.#store.find(id))
          await this.#store.remove(id)
      }
    } catch (error) {
      this.#options.log.warn('upload_cleanup_failed', { reason: errorMessage(error) })
    }
  }

  #describe(error: unknown): { status_code: number; body: string } | undefined {
    if (typeof error === 'object' && error !== null && 'status_code' in error) return undefined
    const known = toStorageError(error)
    if (known) return { status_code: known.statusCode, body: known.message }
    this.#options.log.error('request_failed', { reason: errorMessage(error) })
    const { status } = failureResponse(describeFailure(error))
    return { status_code: status, body: 'The upload could not be stored. Please try again.' }
  }
}

const toStorageError = (error: unknown): StorageError | null =>
  error instanceof StorageError ? error : fromDatabaseError(error)

/** Returns the object that a client announces with `Upload-Metadata`. @throws StorageError 400, 413 */
function parseTarget(metadata: NonNullable<UploadRecord['metadata']>, upsert: boolean): Target {
  const { bucketName, objectName, contentType, cacheControl } = metadata
  if (!bucketName || !objectName) throw invalidRequest('Upload-Metadata needs bucketName and objectName')
  return {
    bucket: bucketName,
    name: objectName,
    owner: null,
    upsert,
    userMetadata: parseUserMetadata(metadata.metadata, false),
    contentType: contentType || 'application/octet-stream',
    cacheControl: toCacheControl(cacheControl),
  }
}

/** Stores uploads in progress as files: `<id>` contains a header block and the data, and `<id>.json` the record. */
class ResumableStore extends DataStore {
  readonly #records = new Map<string, UploadRecord>()

  private constructor(private readonly folder: string) {
    super()
    this.extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']
  }

  static async open(folder: string): Promise<ResumableStore> {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    const store = new ResumableStore(folder)
    const names = new Set<string>()
    for await (const { name } of Deno.readDir(folder)) names.add(name)
    for (const name of names) {
      const id = name.replace(/\.json$/, '')
      if (isUuid(id) && names.has(`${id}.json`)) {
        if (name !== id) store.register(JSON.parse(await Deno.readTextFile(join(folder, name))))
      } else await Deno.remove(join(folder, name), { recursive: true })
    }
    return store
  }

  find(id: string): UploadRecord | undefined {
    return this.#records.get(id)
  }

  register(record: UploadRecord): void {
    this.#records.set(record.id, record)
  }

  unfinished(): UploadRecord[] {
    return [...this.#records.values()].filter(({ isFinished }) => !isFinished)
  }

  pathOf(id: string): string {
    return join(this.folder, id)
  }

  pendingBytes(userId: string): number {
    const own = this.unfinished().filter(({ target }) => target.owner === userId)
    return own.reduce((bytes, { size }) => bytes + size, 0)
  }

  async hasFile(id: string): Promise<boolean> {
    return (await this.#fileSize(id)) !== null
  }

  async isComplete(id: string): Promise<boolean> {
    const record = this.#records.get(id)
    if (!record || record.isFinished) return false
    const size = await this.#fileSize(id)
    return size === null || size === record.size
  }

  /** Removes the uploads that the creator of this upload started before it. */
  async removeBefore(id: string): Promise<void> {
    const { creator } = this.#require(id)
    const ids = [...this.#records.keys()]
    for (const earlier of ids.slice(0, ids.indexOf(id))) {
      if (this.#records.get(earlier)?.creator === creator) await this.remove(earlier)
    }
  }

  /** Marks an upload as finished, and discards its metadata. */
  async markFinished({ metadata: _metadata, ...record }: UploadRecord): Promise<void> {
    if (!this.#records.has(record.id)) return
    const finished = { ...record, target: { ...record.target, userMetadata: null }, isFinished: true }
    this.register(finished)
    await this.#save(finished)
  }

  override async create(upload: Upload): Promise<Upload> {
    const record = this.#require(upload.id)
    try {
      const file = await Deno.open(this.pathOf(record.id), { write: true, createNew: true, mode: 0o600 })
      await file.truncate(headerBytes).finally(() => file.close())
      await this.#save(record)
    } catch (error) {
      await this.remove(record.id).catch(() => undefined)
      throw error
    }
    return upload
  }

  /** Appends to the data. If the connection is lost, keeps what has arrived. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    this.#require(id)
    const file = await Deno.open(this.pathOf(id), { write: true })
    let position = offset
    let failure: unknown
    try {
      await file.seek(headerBytes + offset, Deno.SeekMode.Start)
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        // Keep reading: leaving the loop would replace an error such as a full disk with an AbortError.
        if (failure) continue
        await writeAll(file, chunk).then(
          () => (position += chunk.length),
          (error) => (failure = error),
        )
      }
      if (failure) throw failure
      await file.sync()
    } finally {
      file.close()
    }
    return position
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata, createdAt, isFinished } = this.#require(id)
    const offset = isFinished ? size : await this.#fileSize(id)
    if (offset === null) throw ERRORS.FILE_NO_LONGER_EXISTS
    return new Upload({ id, size, offset, metadata, creation_date: createdAt })
  }

  override async remove(id: string): Promise<void> {
    this.#require(id)
    this.#records.delete(id)
    for (const path of [`${this.pathOf(id)}.json`, this.pathOf(id)]) {
      await Deno.remove(path).catch((error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error
      })
    }
  }

  override async deleteExpired(): Promise<number> {
    const due = Date.now() - lifetimeMs
    const expired = [...this.#records.values()].filter(({ createdAt }) => Date.parse(createdAt) < due)
    for (const { id } of expired) await this.remove(id)
    return expired.length
  }

  override getExpiration(): number {
    return lifetimeMs
  }

  #require(id: string): UploadRecord {
    const record = this.#records.get(id)
    if (!record) throw ERRORS.FILE_NOT_FOUND
    return record
  }

  async #save(record: UploadRecord): Promise<void> {
    await writeFileAtomic(`${this.pathOf(record.id)}.json`, JSON.stringify(record))
    await syncDirectory(this.folder)
  }

  /** Returns how many bytes of the content have arrived, or null if there is no file. */
  async #fileSize(id: string): Promise<number | null> {
    try {
      return (await Deno.stat(this.pathOf(id))).size - headerBytes
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null
      throw error
    }
  }
}
