import type { SignedUpload, SignVideoRequest } from '../contract/media.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/session.ts'
import { extensions } from './kinds.ts'
import { beginMedia, dropMedia, pathOf, takeUpload } from './rows.ts'
import { signPlace } from './storage.ts'

/** The address of an upload, on this site. */
export const addressOf = (id: string) => `/api/media/${id}`

/**
 * Where the caller may send a video by themselves. It is pending until a post takes it (`settleVideo`).
 *
 * @throws ApiError 401, 403, 429, 503
 */
export async function signVideo(caller: Caller, { type, size }: SignVideoRequest): Promise<SignedUpload> {
  await takeUpload(caller)
  const id = crypto.randomUUID()
  const incomingPath = `${caller.userId}/${crypto.randomUUID()}.${extensions[type]}`
  await beginMedia(caller, { id, type, bytes: size, path: pathOf(caller, id, type), incomingPath })
  try {
    const place = await signPlace(incomingPath)
    // Where Storage is reached by the site's own address, a page need not know under which name it was opened.
    const isOwn = env.origins.has(new URL(env.publicSupabaseUrl).origin)
    return { id, videoUrl: addressOf(id), uploadUrl: isOwn ? place : `${env.publicSupabaseUrl}${place}` }
  } catch (error) {
    await dropMedia(id, [])
    throw error
  }
}
