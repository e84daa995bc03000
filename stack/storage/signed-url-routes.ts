import { z } from 'zod'
import { sendFile } from './download.ts'
import { readJson } from './json-body.ts'
import { type Handler, type Route, route, type StorageContext } from './routes.ts'
import { signUrl, uploadUrlLifetime, verifySignedUrl } from './signed-urls.ts'
import { parseUserMetadata } from './upload-body.ts'
import { requireValidKey } from './upload-limits.ts'

const expiresIn = z.number().int().min(1).max(1_000_000_000)
const SignRequest = z.object({ expiresIn })
const SignManyRequest = z.object({ expiresIn, paths: z.array(z.string()).min(1).max(1000) })

/** Returns the routes that sign URLs, and the routes that signed URLs point to. */
export function signedUrlRoutes({ keys, database, files, uploads, signedUploads }: StorageContext): Route[] {
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
    const token = await signUrl(keys, { url, scope: 'upload', upsert, ...owner }, uploadUrlLifetime)
    return Response.json({ url: `/object/upload/sign/${encodePath(url)}?token=${token}`, token })
  }

  const uploadSigned: Handler = async ({ request, bucket, name }) => {
    const token = new URL(request.url).searchParams.get('token')
    const { owner, upsert } = await verifySignedUrl(keys, token, 'upload', bucket, name)
    await signedUploads.run(token ?? '', () =>
      uploads.receive(request, { bucket, name, owner, upsert }, async () => {
        // Rejects a second upload before its body is read. If uploads run concurrently, only the first can store its
        // row.
        if (!upsert) await database.requireUnused(bucket, name)
      }),
    )
    return Response.json({ Key: `${bucket}/${name}` })
  }

  const downloadSigned: Handler = async ({ request, caller, operation, bucket, name }) => {
    await verifySignedUrl(keys, new URL(request.url).searchParams.get('token'), 'download', bucket, name)
    // Anyone who has the URL may read the object.
    await database.findObject(caller, operation, bucket, name, true)
    return await sendFile(files, request, bucket, name)
  }

  const signDownload: Handler = async ({ request, caller, operation, bucket, name }) => {
    const body = await readJson(request, SignRequest)
    await database.findBucket(bucket)
    await database.findObject(caller, operation, bucket, name, false)
    const url = `${bucket}/${name}`
    const token = await signUrl(keys, { url, scope: 'download' }, body.expiresIn)
    // Not encoded, because the client encodes the URL.
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
      const token = await signUrl(keys, { url, scope: 'download' }, body.expiresIn)
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` }
    })
    return Response.json(await Promise.all(signed))
  }

  return [
    ...route('POST', '/object/upload/sign/:bucket/*', 'storage.object.sign_upload_url', signUpload),
    ...route('PUT', '/object/upload/sign/:bucket/*', 'storage.object.upload_signed', uploadSigned, true),
    ...route('POST', '/object/sign/:bucket', 'storage.object.sign_many', signDownloads),
    ...route('POST', '/object/sign/:bucket/*', 'storage.object.sign', signDownload),
    ...route('GET HEAD', '/object/sign/:bucket/*', 'storage.object.get_signed', downloadSigned, true),
  ]
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
