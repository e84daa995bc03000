import { join } from 'node:path'
import type { Sql } from 'postgres'
import { failureResponse } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'
import { bucketRoutes } from './bucket-routes.ts'
import { identifyCaller } from './caller.ts'
import { StorageDatabase } from './database.ts'
import { describeFailure, fromDatabaseError, StorageError } from './errors.ts'
import { FileStorage } from './file-storage.ts'
import { versionsNotEnabled } from './json-body.ts'
import { objectRoutes } from './object-routes.ts'
import { resumableContext } from './resumable-context.ts'
import { ResumableUploads } from './resumable-uploads.ts'
import { prefix, type StorageContext } from './routes.ts'
import { signedUrlRoutes } from './signed-url-routes.ts'
import { SignedUploadLimit, UploadQuota } from './upload-limits.ts'
import { Uploads } from './uploads.ts'

interface StorageOptions extends ServiceKeys {
  sql: Sql
  /** `DATA_DIR/storage`. */
  folder: string
  /** The file size limit for all buckets, such as `500MiB`, unless a bucket's own limit is lower. */
  maxFileSize: string
  trustProxy: number
  log: Log
}

const resumablePath = `${prefix}/upload/resumable`

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

/** Serves `/storage/v1` like Supabase Storage. docs/reference/supabase-compatibility.md lists the differences. */
export async function createStorage(options: StorageOptions) {
  const { folder, maxFileSize, trustProxy, log } = options
  const database = new StorageDatabase(options.sql)
  const files = await FileStorage.open(folder)
  const [limit] = await options.sql<{ bytes: string }[]>`
    select pg_size_bytes(${maxFileSize.replace('iB', 'B')})::text as bytes`
  const quota = new UploadQuota(database, (userId) => resumable.pendingBytes(userId))
  const uploads = new Uploads(database, files, quota, maxFileSize)
  const resumable: ResumableUploads = await ResumableUploads.open({
    folder: join(folder, 'resumable'),
    path: resumablePath,
    maxBytes: Number(limit?.bytes),
    store: async (target, staged, version) => void (await uploads.store(staged, target, target, version)),
    isSizeAllowed: async ({ bucket, name }, size) =>
      size <= (await database.maxObjectBytes(bucket, name, maxFileSize)),
    hasVersion: ({ bucket, name }, version) => database.hasVersion(bucket, name, version),
    log,
  })
  const signedUploads = new SignedUploadLimit()
  const context: StorageContext = { keys: options, database, files, uploads, quota, signedUploads }
  // The first route that matches handles the request.
  const routes = [...bucketRoutes(context), ...signedUrlRoutes(context), ...objectRoutes(context)]

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method'))
      return preflight(request)
    if (searchParams.has('versionId')) throw versionsNotEnabled()
    if (pathname === `${prefix}/status`) return Response.json({ status: 'ok' })
    if (pathname === resumablePath || pathname.startsWith(`${resumablePath}/`)) {
      const isSigned = pathname.startsWith(`${resumablePath}/sign`)
      const caller = await identifyCaller(request, options, trustProxy, isSigned)
      const checks = await resumableContext(context, request, caller, isSigned)
      if (!isSigned) return await resumable.handle(request, checks)
      return await signedUploads.run(checks.creator, () => resumable.handle(request, checks))
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

/**
 * Returns the response to a CORS preflight. All origins may call Storage, because it uses no cookies: a page must
 * already have the token or key that it sends.
 */
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
