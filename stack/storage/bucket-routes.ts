import { z } from 'zod'
import { bucketNotEmpty, invalidRequest, noSuchBucket, StorageError } from './errors.ts'
import { parseInput, readJson } from './json-body.ts'
import { type Handler, type Route, route, type StorageContext } from './routes.ts'
import { isValidBucketName } from './upload-limits.ts'

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

const bucketColumns = `
  id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  created_at, updated_at`

/** Returns the routes that list and change buckets. */
export function bucketRoutes({ database, files }: StorageContext): Route[] {
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

  const emptyBucket: Handler = async (context) => {
    const { caller, operation, bucket } = context
    await getBucket(context)
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
    // The same message as in Supabase Storage, although the bucket is already empty.
    return Response.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' })
  }

  return [
    ...route('GET', '/bucket/?', 'storage.bucket.list', listBuckets),
    ...route('POST', '/bucket/?', 'storage.bucket.create', createBucket),
    ...route('GET', '/bucket/:bucket', 'storage.bucket.get', getBucket),
    ...route('PUT', '/bucket/:bucket', 'storage.bucket.update', updateBucket),
    ...route('DELETE', '/bucket/:bucket', 'storage.bucket.delete', deleteBucket),
    ...route('POST', '/bucket/:bucket/empty', 'storage.bucket.empty', emptyBucket),
  ]
}

/** Returns a size limit in bytes. A string ends with a decimal unit, as in `20MB`. @throws StorageError 400 */
function parseFileSize(limit: number | string | null | undefined): number | null {
  if (limit === null || limit === undefined || typeof limit === 'number') return limit ?? null
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(limit) ?? []
  const factor = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 }[unit.toLowerCase()]
  if (!factor) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B')
  return Math.floor(Number(amount) * factor)
}
