import { z } from 'zod'
import type { Caller } from './caller.ts'
import { lockObjects, type NewObject, type ObjectRow, objectColumns } from './database.ts'
import { sendFile } from './download.ts'
import { featureNotEnabled, noSuchBucket, noSuchKey, StorageError } from './errors.ts'
import { objectMetadata } from './file-storage.ts'
import { readJson } from './json-body.ts'
import { ListRequest, ListV2Request, listFolder, listObjects } from './listing.ts'
import { type Handler, type Route, route, type StorageContext, type StorageRequest } from './routes.ts'
import { requireValidKey } from './upload-limits.ts'

const Names = z.object({ prefixes: z.array(z.string()).min(1).max(1000) })
const MoveRequest = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().optional(),
  destinationKey: z.string(),
})

/** Returns the routes that read, upload, list, copy, move and delete objects. */
export function objectRoutes({ database, files, uploads, quota }: StorageContext): Route[] {
  const upload: Handler = async ({ request, caller, operation, bucket, name }) => {
    const upsert = request.method === 'PUT' || request.headers.get('x-upsert') === 'true'
    const object = { bucket, name, owner: caller.userId, upsert }
    const id = await uploads.receive(request, object, (values, isFirst) =>
      database.checkUpload(caller, operation, { ...object, ...values }, isFirst),
    )
    return Response.json({ Id: id, Key: `${bucket}/${name}` })
  }

  async function isPublicBucket(caller: Caller, bucket: string): Promise<boolean> {
    const { public: isPublic } = await database.findBucket(bucket)
    // To a caller without a valid key or token, a private bucket looks like a missing one.
    if (!isPublic && caller.claims === null) throw noSuchBucket()
    return isPublic
  }

  async function findReadable({ caller, operation, bucket, name }: StorageRequest): Promise<ObjectRow> {
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
    // With the secret key, repeating an interrupted deletion also removes files whose rows are already deleted.
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
   * @returns the file's header, and a function that copies the file, or fails if the file was replaced in the meantime
   */
  async function prepareCopy({ bucket_id: fromBucket, name: from }: ObjectRow, bucket: string, name: string) {
    const stored = await files.head(fromBucket, from)
    if (!stored) throw noSuchKey()
    const { contentType, size, eTag } = stored.header
    await uploads.requireNameAndType(bucket, name, contentType)
    await uploads.requireSize(bucket, name, size)
    const copyFile = async (): Promise<void> => {
      const current = await files.head(fromBucket, from)
      if (current?.header.eTag !== eTag)
        throw new StorageError(423, 'ResourceLocked', 'The resource is locked')
      await files.copy(fromBucket, from, bucket, name)
    }
    return { header: stored.header, copyFile }
  }

  /** Reads a request to copy or move an object, and checks that the caller may read the object. */
  async function readMove({ request, caller, operation }: StorageRequest) {
    const { bucketId, sourceKey, destinationBucket, destinationKey } = await readJson(request, MoveRequest)
    requireValidKey(destinationKey)
    const source = await database.findObject(caller, operation, bucketId, sourceKey, false)
    return { bucketId, sourceKey, source, bucket: destinationBucket ?? bucketId, name: destinationKey }
  }

  const copy: Handler = async (context) => {
    const { request, caller, operation } = context
    const { bucketId, sourceKey, source, bucket, name } = await readMove(context)
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
    const id = await quota.reserve(caller.userId, header.size, () =>
      database.storeObject(object, crypto.randomUUID(), copyFile, [[bucketId, sourceKey]]),
    )
    return Response.json({ Id: id, Key: `${bucket}/${name}` })
  }

  const move: Handler = async (context) => {
    const { caller, operation } = context
    const { bucketId, sourceKey, source, bucket, name } = await readMove(context)
    if (bucket === bucketId && name === sourceKey) return Response.json({ message: 'Successfully moved' })
    const { header, copyFile } = await prepareCopy(source, bucket, name)
    const moveObject = () =>
      database.asCaller(caller, operation, async (tx) => {
        // Requires write access, like an upload, because moving a file can publish it.
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
    // The caller becomes the owner of the file, so the file counts against their quota.
    await quota.reserve(source.owner_id === caller.userId ? null : caller.userId, header.size, moveObject)
    await database.removeFilesWithoutRow(bucketId, [sourceKey], () => files.remove(bucketId, sourceKey))
    return Response.json({ message: 'Successfully moved' })
  }

  const refuseTransformation: Handler = () =>
    Promise.reject(
      featureNotEnabled(
        'Image transformations are not available in the embedded stack. Request the object without a transformation.',
      ),
    )

  return [
    ...route('POST', '/object/list/:bucket', 'storage.object.list', list),
    ...route('POST', '/object/list-v2/:bucket', 'storage.object.list_v2', listV2),
    ...route('POST', '/object/copy', 'storage.object.copy', copy),
    ...route('POST', '/object/move', 'storage.object.move', move),
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
}
