import { createHash } from 'node:crypto'
import { type Caller, verifyToken } from './caller.ts'
import { invalidSignature } from './errors.ts'
import type { ResumableContext, Target } from './resumable-uploads.ts'
import type { StorageContext } from './routes.ts'
import { verifySignedUrl } from './signed-urls.ts'

/**
 * Returns the context of a request for a resumable upload. The upload is subject to the same checks as one that is
 * sent in a single request.
 *
 * @param isSigned whether the request's path is the one for uploads with a signed URL
 */
export async function resumableContext(
  { keys, database, uploads, quota }: StorageContext,
  request: Request,
  caller: Caller,
  isSigned: boolean,
): Promise<ResumableContext> {
  const signature = request.headers.get('x-signature')
  if (isSigned && !(signature && (await verifyToken(signature, keys)))) throw invalidSignature()
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const identity = caller.userId ?? (caller.role === 'anon' ? caller.network : '')
  const authorize = async (target: Target, size: number, isNew: boolean): Promise<Target> => {
    const { bucket, name, contentType } = target
    await uploads.requireNameAndType(bucket, name, contentType)
    if (isSigned) {
      const claims = await verifySignedUrl(keys, signature, 'upload', bucket, name)
      if (!claims.upsert) await database.requireUnused(bucket, name)
      await uploads.requireSize(bucket, name, size)
      return { ...target, ...claims }
    }
    const owned = { ...target, owner: caller.userId }
    const metadata = { mimetype: contentType, contentLength: size }
    await database.checkUpload(caller, 'storage.tus.upload.create', { ...owned, metadata }, isNew)
    await uploads.requireSize(bucket, name, size)
    return owned
  }
  return {
    creator: isSigned ? `signature ${hash(signature ?? '')}` : `${caller.role} ${identity}`,
    isLimited: caller.role !== 'service_role',
    replacesPrevious: isSigned,
    authorize,
    // The reservation ends after `register`, because a registered upload counts as pending.
    reserve: (target, size, register) => quota.reserve(target.owner, size, register),
  }
}
