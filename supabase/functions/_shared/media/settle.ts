import { uploadTexts } from '../contract/media.ts'
import { asUser } from '../db/run.ts'
import { env } from '../env.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/** The id in the address of an upload, `/api/media/<id>` with or without this site before it; null for any other. */
export function mediaIdOf(address: string): string | null {
  const origin = [...env.origins].find((one) => address.startsWith(`${one}/`)) ?? ''
  const match = /^\/api\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(
    address.slice(origin.length),
  )
  return match?.[1]?.toLowerCase() ?? null
}

/** Has a video that the caller sent straight to Storage looked at before a post takes it. */
export async function settleVideo(caller: Caller, id: string): Promise<void> {
  const pending = await asUser(
    caller,
    (tx) => tx`select from public.media m
               where m.id = ${id}::text::uuid and m.owner_id = ${caller.userId}::text::uuid
                 and m.kind = 'video' and m.state = 'pending'`,
  )
  if (pending.count > 0) throw new ApiError(400, uploadTexts.videoMissing, { code: 'media_not_usable' })
}
