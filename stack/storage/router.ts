import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { z } from 'zod'
import { failureResponse } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'
import { type Caller, identifyCaller, verifyToken } from './caller.ts'
import { lockObjects, type NewObject, type ObjectRow, objectColumns, StorageDatabase } from './database.ts'
import { sendFile } from './download.ts'
import {
  alreadyExists,
  bucketNotEmpty,
  describeFailure,
  featureNotEnabled,
  fromDatabaseError,
  invalidRequest,
  invalidSignature,
  noSuchBucket,
  noSuchKey,
  StorageError,
  tooLarge,
} from './errors.ts'
import { FileStorage, objectMetadata, type StagedFile } from './file-storage.ts'
import { ListRequest, ListV2Request, listFolder, listObjects } from './listing.ts'
import { type ResumableContext, ResumableUploads, type Target } from './resumable-uploads.ts'
import { signUrl, uploadUrlLifetime, verifySignedUrl } from './signed-urls.ts'
import { openUploadBody, parseUserMetadata, readBody } from './upload-body.ts'
import {
  isValidBucketName,
  limitUpload,
  type Reservation,
  requireAllowedType,
  requireValidKey,
  SignedUploadLimit,
  UploadQuota,
} from './upload-limits.ts'

interface StorageOptions extends ServiceKeys {
  sql: Sql
  /** `DATA_DIR/storage`. */
  folder: string
  /** The size limit of files in buckets without their own, such as `500MiB`. */
  maxFileSize: string
  trustProxy: number
  log: Log
}

interface Context {
  request: Request
  caller: Caller
  /** The name that `storage.operation()` returns in policies. */
  operation: string
  /** The decoded parts of the path: the bucket and the object's name. */
  bucket: string
  name: string
}

type Handler = (context: Context) => Promise<Response>
interface Route {
  method: string
  path: RegExp
  operation: string
  handle: Handler
  /** Whether an invalid token counts as none. */
  allowsInvalidToken: boolean
}

const prefix = '/storage/v1'
const resumablePath = `${prefix}/upload/resumable`
const maxJsonBytes = 1024 * 1024

const exposedHeaders = [
  'Content-Range',
  'Content-Disposition',
  'ETag',
  'Accept-Ranges',
  'Location',
  'Tus-Complete',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ')

const fileSizeLimit = z.union([z.number().int().min(0), z.string()]).nullish()
const mimeTypes = z.array(z.string().regex(/^([\w!#$&^.+-]+|\*)\/([\w!#$&^.+-]+|\*)$/)).nullish()
const BucketRequest = z.object({
  id: z.string().optional(),
  name: z.string(),
  public: z.boolean().default(false),
  file_size_limit: fileSizeLimit,
  allowed_mime_types: mimeTypes,
})
const BucketChanges = z.object({
  public: z.boolean().optional(),
  file_size_limit: fileSizeLimit,
  allowed_mime_types: mimeTypes,
})
const BucketQuery = z.object({
  limit: z.coerce.number().int().min(1).default(100_000),
  offset: z.coerce.number().int().min(0).default(0),
  search: z.string().default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
})
const Names = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })
const expiresIn = z.number().int().min(1).max(1_000_000_000)
const SignRequest = z.object({ expiresIn })
const SignManyRequest = z.object({ expiresIn, paths: z.array(z.string()).min(1).max(1000) })
const MoveRequest = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().optional(),
  destinationKey: z.string(),
})

/** Serves `/storage/v1` with the routes, responses and rights of Supabase Storage. */
export async function createStorage(options: StorageOptions) {
  const { folder, maxFileSize, trustProxy, log } = options
  const database = new StorageDatabase(options.sql)
  const files = await FileStorage.open(folder)
  const [limit] = await options.sql<{ bytes: string }[]>`
    select pg_size_bytes(${maxFileSize.replace('iB', 'B')})::text as bytes`
  const resumable: ResumableUploads = await ResumableUploads.open({
    folder: join(folder, 'resumable'),
    path: resumablePath,
    maxBytes: Number(limit?.bytes),
    store: async (target, staged, version) => void (await storeStaged(staged, target, target, version)),
    fits: async ({ bucket, name }, size) =>
      size <= (await database.maxObjectBytes(bucket, name, maxFileSize)),
    hasVersion: ({ bucket, name }, version) => database.hasVersion(bucket, name, version),
    log,
  })
  const quota = new UploadQuota(database, (userId) => resumable.pendingBytes(userId))
  const signedUploads = new SignedUploadLimit()

  // Uploads ---------------------------------------------------------------------------------------------------------

  async function requireNameAndType(bucketId: string, name: string, contentType: string): Promise<void> {
    requireValidKey(name)
    requireAllowedType(await database.findBucket(bucketId), contentType)
  }

  /**
   * Returns how many bytes an object may have. Called after the caller's rights have been checked, because the limit
   * shows which files exist in the bucket of the API.
   */
  async function requireSize(bucketId: string, name: string, size: number): Promise<number> {
    const maxBytes = await database.maxObjectBytes(bucketId, name, maxFileSize)
    if (size > maxBytes) throw tooLarge()
    return maxBytes
  }

  async function storeStaged(
    staged: StagedFile,
    object: Omit<NewObject, 'metadata'>,
    type: { contentType: string; cacheControl: string },
    version: string,
  ): Promise<string> {
    const { bucket, name, owner } = object
    // The account and the limit may have changed since the upload began or its URL was signed.
    if (owner) await database.requireWriter(owner)
    await requireSize(bucket, name, staged.size)
    const header = await files.seal(staged, type)
    return await database.storeObject({ ...object, metadata: objectMetadata(header) }, version, () =>
      files.place(staged.path, bucket, name),
    )
  }

  /**
   * Receives the file in the body of a request.
   *
   * @param authorize checks the right to store it, before any of it is read. Called again if the form has further
   *   metadata after the file.
   */
  async function receiveUpload(
    request: Request,
    object: Pick<NewObject, 'bucket' | 'name' | 'owner' | 'upsert'>,
    authorize: (rights: Pick<NewObject, 'metadata' | 'userMetadata'>, isFirst: boolean) => Promise<void>,
  ): Promise<string> {
    const body = await openUploadBody(request)
    const { contentType } = body
    const isForm = /^multipart\//i.test(request.headers.get('content-type') ?? '')
    const declared = Number(request.headers.get('x-content-length') ?? 0)
    await requireNameAndType(object.bucket, object.name, contentType)
    const metadata = {
      mimetype: contentType,
      ...(declared > 0 ? { contentLength: declared } : {}),
    }
    await authorize({ metadata, userMetadata: body.userMetadata }, true)
    const maxBytes = await requireSize(object.bucket, object.name, isForm ? 0 : declared)
    const reservation = await quota.begin(object.owner)
    try {
      const staged = await files.stage(limitUpload(body.chunks, maxBytes, reservation))
      try {
        const { cacheControl, userMetadata } = await body.readFields()
        if (JSON.stringify(userMetadata) !== JSON.stringify(body.userMetadata)) {
          await authorize({ metadata, userMetadata }, false)
        }
        await reservation.confirm()
        const type = { contentType, cacheControl }
        return await storeStaged(staged, { ...object, userMetadata }, type, crypto.randomUUID())
      } catch (error) {
        await files.discard(staged)
        throw error
      }
    } finally {
      reservation.end()
    }
  }

  const upload: Handler = async ({ request, caller, operation, bucket, name }) => {
    const upsert = request.method === 'PUT' || request.headers.get('x-upsert') === 'true'
    const object = { bucket, name, owner: caller.userId, upsert }
    const id = await receiveUpload(request, object, (rights, isFirst) =>
      database.checkUpload(caller, operation, { ...object, ...rights }, isFirst),
    )
    return Response.json({ Id: id, Key: `${bucket}/${name}` })
  }

  const signUpload: Handler = async ({ request, caller, operation, bucket, name }) => {
    await request.body?.cancel()
    requireValidKey(name)
    await database.findBucket(bucket)
    const upsert = request.headers.get('x-upsert') === 'true'
    const userMetadata = parseUserMetadata(request.headers.get('x-metadata'), true)
    const object = { bucket, name, owner: caller.userId, upsert, metadata: {}, userMetadata }
    await database.checkUpload(caller, operation, object, true)
    const url = `${bucket}/${name}`
    const owner = caller.userId ? { owner: caller.userId } : {}
    const token = await signUrl(options, { url, scope: 'upload', upsert, ...owner }, uploadUrlLifetime)
    return Response.json({ url: `/object/upload/sign/${encodePath(url)}?token=${token}`, token })
  }

  const uploadSigned: Handler = async ({ request, bucket, name }) => {
    const token = new URL(request.url).searchParams.get('token')
    const { owner, upsert } = await verifySignedUrl(options, token, 'upload', bucket, name)
    await signedUploads.run(token ?? '', () =>
      receiveUpload(request, { bucket, name, owner, upsert }, async () => {
        // A second upload is rejected before its body is read. The row of a concurrent one makes this one fail later.
        if (!upsert) await requireUnused(bucket, name)
      }),
    )
    return Response.json({ Key: `${bucket}/${name}` })
  }

  async function requireUnused(bucket: string, name: string): Promise<void> {
    const rows = await options.sql`select from storage.objects where bucket_id = ${bucket} and name = ${name}`
    if (rows.length > 0) throw alreadyExists()
  }

  /** The checks of a resumable upload: those of `upload`, or of `uploadSigned` if the request has a signature. */
  async function resumableContext(request: Request, caller: Caller): Promise<ResumableContext> {
    const isSigned = new URL(request.url).pathname.startsWith(`${resumablePath}/sign`)
    const signature = request.headers.get('x-signature')
    if (isSigned && !(signature && (await verifyToken(signature, options)))) throw invalidSignature()
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const identity = caller.userId ?? (caller.role === 'anon' ? caller.network : '')
    const authorize = async (target: Target, size: number, isNew: boolean): Promise<Target> => {
      const { bucket, name, contentType } = target
      await requireNameAndType(bucket, name, contentType)
      if (isSigned) {
        const rights = await verifySignedUrl(options, signature, 'upload', bucket, name)
        if (!rights.upsert) await requireUnused(bucket, name)
        await requireSize(bucket, name, size)
        return { ...target, ...rights }
      }
      const owned = { ...target, owner: caller.userId }
      const metadata = { mimetype: contentType, contentLength: size }
      await database.checkUpload(caller, 'storage.tus.upload.create', { ...owned, metadata }, isNew)
      await requireSize(bucket, name, size)
      return owned
    }
    return {
      creator: isSigned ? `signature ${hash(signature ?? '')}` : `${caller.role} ${identity}`,
      replacesPrevious: isSigned,
      authorize,
      reserve: async (target, size, register) => {
        const reservation: Reservation = await quota.begin(target.owner)
        try {
          reservation.take(size)
          await reservation.confirm()
          // From now on, the upload is counted as pending.
          register()
        } finally {
          reservation.end()
        }
      },
    }
  }

  // Objects ---------------------------------------------------------------------------------------------------------

  async function isPublicBucket(caller: Caller, bucket: string): Promise<boolean> {
    const { public: isPublic } = await database.findBucket(bucket)
    // Without a key or a token, private buckets do not exist.
    if (!isPublic && caller.claims === null) throw noSuchBucket()
    return isPublic
  }

  async function findReadable({ caller, operation, bucket, name }: Context): Promise<ObjectRow> {
    return await database.findObject(caller, operation, bucket, name, await isPublicBucket(caller, bucket))
  }

  const download: Handler = async (context) => {
    const row = await findReadable(context)
    return await sendFile(files, context.request, row.bucket_id, row.name)
  }

  const downloadPublic: Handler = async ({ request, caller, operation, bucket, name }) => {
    if (!(await database.findBucket(bucket)).public) throw noSuchBucket()
    await database.findObject(caller, operation, bucket, name, true)
    return await sendFile(files, request, bucket, name)
  }

  const downloadSigned: Handler = async ({ request, caller, operation, bucket, name }) => {
    await verifySignedUrl(options, new URL(request.url).searchParams.get('token'), 'download', bucket, name)
    // The URL gives everybody who has it the right to read the object.
    await database.findObject(caller, operation, bucket, name, true)
    return await sendFile(files, request, bucket, name)
  }

  const info: Handler = async (context) => {
    const row = await findReadable(context)
    const stored = await files.head(row.bucket_id, row.name)
    if (!stored) throw noSuchKey()
    const { size, contentType, cacheControl, eTag } = stored.header
    return Response.json({
      id: row.id,
      name: row.name,
      version: row.version,
      bucket_id: row.bucket_id,
      size,
      content_type: contentType,
      cache_control: cacheControl,
      etag: eTag,
      metadata: row.user_metadata ?? {},
      last_modified: row.updated_at,
      created_at: row.created_at,
    })
  }

  const publicInfo: Handler = async (context) => {
    if (!(await database.findBucket(context.bucket)).public) throw noSuchBucket()
    return await info(context)
  }

  const list: Handler = async ({ request, caller, operation, bucket }) => {
    const body = await readJson(request, ListRequest)
    return Response.json(await database.asCaller(caller, operation, (tx) => listFolder(tx, bucket, body)))
  }

  const listV2: Handler = async ({ request, caller, operation, bucket }) => {
    const body = await readJson(request, ListV2Request)
    return Response.json(await database.asCaller(caller, operation, (tx) => listObjects(tx, bucket, body)))
  }

  /** Deletes objects that the caller may delete, and returns their rows. */
  async function deleteObjects(
    caller: Caller,
    operation: string,
    bucket: string,
    names: string[],
  ): Promise<ObjectRow[]> {
    const rows = await database.asCaller(
      caller,
      operation,
      (tx) => tx<ObjectRow[]>`
        delete from storage.objects where bucket_id = ${bucket} and name = any(${names}::text[])
        returning ${tx.unsafe(objectColumns)}`,
    )
    // A deletion that was interrupted after its rows were deleted can be repeated with the secret key.
    const removed = caller.role === 'service_role' ? names : rows.map(({ name }) => name)
    await database.removeFilesWithoutRow(bucket, removed, (name) => files.remove(bucket, name))
    return rows
  }

  const removeMany: Handler = async ({ request, caller, operation, bucket }) => {
    const { prefixes } = await readJson(request, Names)
    await database.findBucket(bucket)
    return Response.json(await deleteObjects(caller, operation, bucket, prefixes))
  }

  const removeOne: Handler = async ({ caller, operation, bucket, name }) => {
    const rows = await deleteObjects(caller, operation, bucket, [name])
    if (rows.length === 0) throw noSuchKey()
    return Response.json({ message: 'Successfully deleted' })
  }

  /**
   * Checks an object against the limits of the bucket that it is copied or moved to.
   *
   * @returns the file's header, and a function that copies the file, which fails if it has been replaced since
   */
  async function prepareCopy({ bucket_id: fromBucket, name: from }: ObjectRow, bucket: string, name: string) {
    const stored = await files.head(fromBucket, from)
    if (!stored) throw noSuchKey()
    const { contentType, size, eTag } = stored.header
    await requireNameAndType(bucket, name, contentType)
    await requireSize(bucket, name, size)
    const copyFile = async (): Promise<void> => {
      const current = await files.head(fromBucket, from)
      if (current?.header.eTag !== eTag)
        throw new StorageError(423, 'ResourceLocked', 'The resource is locked')
      await files.copy(fromBucket, from, bucket, name)
    }
    return { header: stored.header, copyFile }
  }

  const copy: Handler = async ({ request, caller, operation }) => {
    const {
      bucketId,
      sourceKey,
      destinationBucket: bucket = bucketId,
      destinationKey: name,
    } = await readJson(request, MoveRequest)
    requireValidKey(name)
    const source = await database.findObject(caller, operation, bucketId, sourceKey, false)
    const { header, copyFile } = await prepareCopy(source, bucket, name)
    const object: NewObject = {
      bucket,
      name,
      owner: caller.userId,
      upsert: request.headers.get('x-upsert') === 'true',
      // Not the metadata of the row: the file may have been replaced since the row was read.
      metadata: objectMetadata(header),
      userMetadata: source.user_metadata,
    }
    await database.checkUpload(caller, operation, object, true)
    const reservation = await quota.begin(caller.userId)
    try {
      reservation.take(header.size)
      await reservation.confirm()
      const id = await database.storeObject(object, crypto.randomUUID(), copyFile, [[bucketId, sourceKey]])
      return Response.json({ Id: id, Key: `${bucket}/${name}` })
    } finally {
      reservation.end()
    }
  }

  const move: Handler = async ({ request, caller, operation }) => {
    const {
      bucketId,
      sourceKey,
      destinationBucket: bucket = bucketId,
      destinationKey: name,
    } = await readJson(request, MoveRequest)
    requireValidKey(name)
    const source = await database.findObject(caller, operation, bucketId, sourceKey, false)
    if (bucket === bucketId && name === sourceKey) return Response.json({ message: 'Successfully moved' })
    const { copyFile } = await prepareCopy(source, bucket, name)
    await database.asCaller(caller, operation, async (tx) => {
      // Like an upload, because moving a file can publish it.
      if (caller.role === 'authenticated') await tx`select private.require_write()`
      await lockObjects(tx, [
        [bucketId, sourceKey],
        [bucket, name],
      ])
      const rows = await tx`
        update storage.objects
        set bucket_id = ${bucket}, name = ${name}, version = ${crypto.randomUUID()}, updated_at = now(),
            owner = coalesce(${caller.userId}::uuid, owner), owner_id = coalesce(${caller.userId}, owner_id)
        where bucket_id = ${bucketId} and name = ${sourceKey} returning id`
      if (rows.length === 0) throw noSuchKey()
      await copyFile()
    })
    await database.removeFilesWithoutRow(bucketId, [sourceKey], () => files.remove(bucketId, sourceKey))
    return Response.json({ message: 'Successfully moved' })
  }

  const signDownload: Handler = async ({ request, caller, operation, bucket, name }) => {
    const body = await readJson(request, SignRequest)
    await database.findBucket(bucket)
    await database.findObject(caller, operation, bucket, name, false)
    const url = `${bucket}/${name}`
    const token = await signUrl(options, { url, scope: 'download' }, body.expiresIn)
    // Not encoded: the client does that.
    return Response.json({ signedURL: `/object/sign/${url}?token=${token}` })
  }

  const signDownloads: Handler = async ({ request, caller, operation, bucket }) => {
    const body = await readJson(request, SignManyRequest)
    await database.findBucket(bucket)
    const rows = await database.asCaller(
      caller,
      operation,
      (tx) => tx<{ name: string }[]>`
        select name from storage.objects where bucket_id = ${bucket} and name = any(${body.paths}::text[])`,
    )
    const visible = new Set(rows.map(({ name }) => name))
    const signed = body.paths.map(async (path) => {
      const url = `${bucket}/${path}`
      if (!visible.has(path)) {
        const error = 'Either the object does not exist or you do not have access to it'
        return { error, path, signedURL: null }
      }
      const token = await signUrl(options, { url, scope: 'download' }, body.expiresIn)
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` }
    })
    return Response.json(await Promise.all(signed))
  }

  const refuseTransformation: Handler = () =>
    Promise.reject(
      featureNotEnabled(
        'Image transformations are not available in the embedded stack. Request the object without a transformation.',
      ),
    )

  // Buckets ---------------------------------------------------------------------------------------------------------

  const bucketColumns = `
    id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit, allowed_mime_types,
    created_at, updated_at`

  const listBuckets: Handler = async ({ request, caller, operation }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams)
    const { limit: rows, offset, search, sortColumn, sortOrder } = parseInput(BucketQuery, query)
    const buckets = await database.asCaller(
      caller,
      operation,
      (tx) => tx`
        select ${tx.unsafe(bucketColumns)} from storage.buckets
        where position(lower(${search}::text) in lower(name)) > 0
        order by ${tx.unsafe(`buckets.${sortColumn} ${sortOrder}`)}, id limit ${rows} offset ${offset}`,
    )
    return Response.json(buckets)
  }

  const getBucket: Handler = async ({ caller, operation, bucket }) => {
    const [row] = await database.asCaller(
      caller,
      operation,
      (tx) => tx`select ${tx.unsafe(bucketColumns)} from storage.buckets where id = ${bucket}`,
    )
    if (!row) throw noSuchBucket()
    return Response.json(row)
  }

  const createBucket: Handler = async ({ request, caller, operation }) => {
    const body = await readJson(request, BucketRequest)
    const id = body.id ?? body.name
    if (!isValidBucketName(id) || !isValidBucketName(body.name)) {
      throw new StorageError(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input')
    }
    await database.asCaller(
      caller,
      operation,
      (tx) => tx`
        insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
        values (${id}, ${body.name}, ${caller.userId}, ${caller.userId}, ${body.public},
                ${parseFileSize(body.file_size_limit)}, ${body.allowed_mime_types ?? null})`,
    )
    return Response.json({ name: body.name })
  }

  const updateBucket: Handler = async ({ request, caller, operation, bucket }) => {
    const body = await readJson(request, BucketChanges)
    const { public: isPublic, file_size_limit: size, allowed_mime_types: types } = body
    const rows = await database.asCaller(
      caller,
      operation,
      (tx) => tx`
        update storage.buckets
        set public = coalesce(${isPublic ?? null}, public),
            file_size_limit = case when ${size === undefined} then file_size_limit else ${parseFileSize(size)}::bigint end,
            allowed_mime_types = case when ${types === undefined} then allowed_mime_types else ${types ?? null}::text[] end,
            updated_at = now()
        where id = ${bucket} returning id`,
    )
    if (rows.length === 0) throw noSuchBucket()
    return Response.json({ message: 'Successfully updated' })
  }

  const deleteBucket: Handler = async ({ caller, operation, bucket }) => {
    try {
      const rows = await database.asCaller(
        caller,
        operation,
        (tx) => tx`delete from storage.buckets where id = ${bucket} returning id`,
      )
      if (rows.length === 0) throw noSuchBucket()
    } catch (error) {
      throw (error as { code?: string }).code === '23503' ? bucketNotEmpty() : error
    }
    return Response.json({ message: 'Successfully deleted' })
  }

  const emptyBucket: Handler = async ({ caller, operation, bucket }) => {
    await getBucket({ caller, operation, bucket } as Context)
    for (;;) {
      const rows = await database.asCaller(
        caller,
        operation,
        (tx) => tx<{ name: string }[]>`
          delete from storage.objects
          where id in (select id from storage.objects where bucket_id = ${bucket} limit 500) returning name`,
      )
      const names = rows.map(({ name }) => name)
      await database.removeFilesWithoutRow(bucket, names, (name) => files.remove(bucket, name))
      if (rows.length < 500) break
    }
    return Response.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' })
  }

  // Routes ----------------------------------------------------------------------------------------------------------

  const route = (
    methods: string,
    path: string,
    operation: string,
    handle: Handler,
    allowsInvalidToken = false,
  ) =>
    methods.split(' ').map((method): Route => {
      const pattern = path.replace(':bucket', '(?<bucket>[^/]+)').replace('*', '(?<name>.+)')
      return { method, path: new RegExp(`^${prefix}${pattern}$`), operation, handle, allowsInvalidToken }
    })

  // The first route that fits handles a request.
  const routes: Route[] = [
    ...route('GET', '/bucket/?', 'storage.bucket.list', listBuckets),
    ...route('POST', '/bucket/?', 'storage.bucket.create', createBucket),
    ...route('GET', '/bucket/:bucket', 'storage.bucket.get', getBucket),
    ...route('PUT', '/bucket/:bucket', 'storage.bucket.update', updateBucket),
    ...route('DELETE', '/bucket/:bucket', 'storage.bucket.delete', deleteBucket),
    ...route('POST', '/bucket/:bucket/empty', 'storage.bucket.empty', emptyBucket),
    ...route('POST', '/object/list/:bucket', 'storage.object.list', list),
    ...route('POST', '/object/list-v2/:bucket', 'storage.object.list_v2', listV2),
    ...route('POST', '/object/copy', 'storage.object.copy', copy),
    ...route('POST', '/object/move', 'storage.object.move', move),
    ...route('POST', '/object/upload/sign/:bucket/*', 'storage.object.sign_upload_url', signUpload),
    ...route('PUT', '/object/upload/sign/:bucket/*', 'storage.object.upload_signed', uploadSigned, true),
    ...route('POST', '/object/sign/:bucket', 'storage.object.sign_many', signDownloads),
    ...route('POST', '/object/sign/:bucket/*', 'storage.object.sign', signDownload),
    ...route('GET HEAD', '/object/sign/:bucket/*', 'storage.object.get_signed', downloadSigned, true),
    ...route('GET HEAD', '/object/public/:bucket/*', 'storage.object.get_public', downloadPublic, true),
    ...route('GET', '/object/info/public/:bucket/*', 'storage.object.info_public', publicInfo, true),
    ...route('GET', '/object/info/authenticated/:bucket/*', 'object.get_authenticated_info', info),
    ...route('GET', '/object/info/:bucket/*', 'object.get_authenticated_info', info, true),
    ...route('GET', '/object/authenticated/:bucket/*', 'storage.object.get_authenticated', download),
    ...route('HEAD', '/object/authenticated/:bucket/*', 'object.head_authenticated_info', download),
    ...route('GET', '/object/:bucket/*', 'storage.object.get_authenticated', download, true),
    ...route('HEAD', '/object/:bucket/*', 'object.head_authenticated_info', download, true),
    ...route('POST', '/object/:bucket/*', 'storage.object.upload', upload),
    ...route('PUT', '/object/:bucket/*', 'storage.object.upload_update', upload),
    ...route('DELETE', '/object/:bucket/*', 'storage.object.delete', removeOne),
    ...route('DELETE', '/object/:bucket', 'storage.object.delete_many', removeMany),
    ...route(
      'GET HEAD',
      '/render/image/(public|authenticated|sign)/:bucket/*',
      '',
      refuseTransformation,
      true,
    ),
  ]

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method'))
      return preflight(request)
    if (searchParams.has('versionId')) throw versionsNotEnabled()
    if (pathname === `${prefix}/status`) return Response.json({ status: 'ok' })
    if (pathname === resumablePath || pathname.startsWith(`${resumablePath}/`)) {
      const isSigned = pathname.startsWith(`${resumablePath}/sign`)
      const caller = await identifyCaller(request, options, trustProxy, isSigned)
      const context = await resumableContext(request, caller)
      if (!isSigned) return await resumable.handle(request, context)
      return await signedUploads.run(context.creator, () => resumable.handle(request, context))
    }
    for (const { method, path, operation, handle, allowsInvalidToken } of routes) {
      const match = method === request.method ? path.exec(pathname) : null
      if (!match) continue
      const caller = await identifyCaller(request, options, trustProxy, allowsInvalidToken)
      const [bucket, name] = [match.groups?.bucket, match.groups?.name].map((part) =>
        decodeURIComponent(part ?? ''),
      )
      return await handle({ request, caller, operation, bucket: bucket ?? '', name: name ?? '' })
    }
    const message = `Route ${request.method}:${pathname.slice(prefix.length)} not found`
    return Response.json({ message, error: 'Not Found', statusCode: '404' }, { status: 404 })
  }

  async function respondSafely(request: Request): Promise<Response> {
    try {
      return await respond(request)
    } catch (error) {
      const known = error instanceof StorageError ? error : fromDatabaseError(error)
      if (known) return known.toResponse()
      if (!request.signal.aborted) log.error('request_failed', { reason: errorMessage(error) })
      return failureResponse(describeFailure(error))
    }
  }

  return {
    async handle(request: Request): Promise<Response> {
      const response = await respondSafely(request)
      response.headers.set('access-control-allow-origin', '*')
      response.headers.set('access-control-expose-headers', exposedHeaders)
      return response
    },
    stop: () => resumable.stop(),
  }
}

/** Any website may call Storage, because browsers attach no credentials to these requests. */
function preflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': '86400',
    },
  })
}

/** Reads a small JSON body. @throws StorageError 400, 413 */
async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of readBody(request.body ?? [])) {
    size += chunk.length
    if (size > maxJsonBytes) throw tooLarge('request')
    chunks.push(chunk)
  }
  let value: unknown
  try {
    value = JSON.parse(await new Blob(chunks).text())
  } catch {
    throw invalidRequest('The body must be JSON.')
  }
  if (typeof value === 'object' && value !== null && ('versionId' in value || 'sourceVersionId' in value)) {
    throw versionsNotEnabled()
  }
  return parseInput(schema, value)
}

/** @throws StorageError 400 */
function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw invalidRequest(`${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is invalid'}`.trim())
}

const versionsNotEnabled = () => featureNotEnabled('Object versions are not available in the embedded stack.')

/** Returns a size limit in bytes. A text has a decimal unit, such as `20MB`. @throws StorageError 400 */
function parseFileSize(limit: number | string | null | undefined): number | null {
  if (limit === null || limit === undefined || typeof limit === 'number') return limit ?? null
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(limit) ?? []
  const factor = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 }[unit.toLowerCase()]
  if (!factor) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B')
  return Math.floor(Number(amount) * factor)
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
