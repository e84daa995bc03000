import type { NewObject, StorageDatabase } from './database.ts'
import { tooLarge } from './errors.ts'
import { type FileHeader, type FileStorage, objectMetadata, type StagedFile } from './file-storage.ts'
import { openUploadBody } from './upload-body.ts'
import { limitUpload, requireAllowedType, requireValidKey, type UploadQuota } from './upload-limits.ts'

/** Receives files and stores them as objects. */
export class Uploads {
  /** @param maxFileSize the file size limit of every bucket, such as `500MiB`; a bucket may have a lower one */
  constructor(
    private readonly database: StorageDatabase,
    private readonly files: FileStorage,
    private readonly quota: UploadQuota,
    private readonly maxFileSize: string,
  ) {}

  /** Checks the name and the type of a new object. @throws StorageError 400, 404 or 415 */
  async requireNameAndType(bucketId: string, name: string, contentType: string): Promise<void> {
    requireValidKey(name)
    requireAllowedType(await this.database.findBucket(bucketId), contentType)
  }

  /**
   * Checks an object's size and returns the size limit in bytes. Call it only after the caller's rights have been
   * checked, because the limit reveals which files exist in the `media` bucket.
   *
   * @throws StorageError 413
   */
  async requireSize(bucketId: string, name: string, size: number): Promise<number> {
    const maxBytes = await this.database.maxObjectBytes(bucketId, name, this.maxFileSize)
    if (size > maxBytes) throw tooLarge()
    return maxBytes
  }

  /** Stores a received file as an object, and returns the id of its row. */
  async store(
    staged: StagedFile,
    object: Omit<NewObject, 'metadata'>,
    { contentType, cacheControl }: Pick<FileHeader, 'contentType' | 'cacheControl'>,
    version: string,
  ): Promise<string> {
    const { bucket, name, owner } = object
    // The account and the limit may have changed since the upload began or its URL was signed.
    if (owner) await this.database.requireWriter(owner)
    await this.requireSize(bucket, name, staged.size)
    const header = await this.files.seal(staged, { contentType, cacheControl })
    return await this.database.storeObject({ ...object, metadata: objectMetadata(header) }, version, () =>
      this.files.place(staged.path, bucket, name),
    )
  }

  /**
   * Receives the file in the body of a request.
   *
   * @param authorize checks that the caller may store the file. Called before any of the file is read, and again if
   *   form fields after the file change the metadata.
   */
  async receive(
    request: Request,
    object: Pick<NewObject, 'bucket' | 'name' | 'owner' | 'upsert'>,
    authorize: (values: Pick<NewObject, 'metadata' | 'userMetadata'>, isFirst: boolean) => Promise<void>,
  ): Promise<string> {
    const body = await openUploadBody(request)
    const { contentType } = body
    const isForm = /^multipart\//i.test(request.headers.get('content-type') ?? '')
    const declared = Number(request.headers.get('x-content-length') ?? 0)
    await this.requireNameAndType(object.bucket, object.name, contentType)
    const metadata = {
      mimetype: contentType,
      ...(declared > 0 ? { contentLength: declared } : {}),
    }
    await authorize({ metadata, userMetadata: body.userMetadata }, true)
    const maxBytes = await this.requireSize(object.bucket, object.name, isForm ? 0 : declared)
    const reservation = await this.quota.begin(object.owner)
    try {
      const staged = await this.files.stage(limitUpload(body.chunks, maxBytes, reservation))
      try {
        const { cacheControl, userMetadata } = await body.readFields()
        if (JSON.stringify(userMetadata) !== JSON.stringify(body.userMetadata)) {
          await authorize({ metadata, userMetadata }, false)
        }
        await reservation.confirm()
        const type = { contentType, cacheControl }
        return await this.store(staged, { ...object, userMetadata }, type, crypto.randomUUID())
      } catch (error) {
        await this.files.discard(staged)
        throw error
      }
    } finally {
      reservation.end()
    }
  }
}
