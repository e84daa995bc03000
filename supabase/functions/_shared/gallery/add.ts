import { type GalleryItem, GalleryWords, galleryTexts } from '../contract/gallery.ts'
import { limits } from '../contract/limits.ts'
import type { VideoType } from '../contract/media.ts'
import type { JsonText } from '../http/answers.ts'
import { checkTexts } from '../http/app.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { openFormWithWords, readWhole } from '../media/form.ts'
import { remakeImage } from '../media/image.ts'
import { headBytes, type ImageType, imageTypeOf, videoTypeOf } from '../media/kinds.ts'
import { takePlace } from '../media/places.ts'
import { dropUnused, takeUpload } from '../media/rows.ts'
import { storeMedia } from '../media/store.ts'
import { findOwnItem, insertItem } from './queries.ts'

/** Milliseconds for all of a file to come in. */
const within = 300_000

/** What a file is by its content. */
type Found = { kind: 'image'; type: ImageType } | { kind: 'video'; type: VideoType }

type Added = { item: JsonText<GalleryItem>; isNew: boolean }

/**
 * Takes a picture or a video with its words into the caller's gallery. All of it is looked at before anything is
 * stored; whatever fails then takes back what was. Sent again with the same id, it answers what is there.
 *
 * @throws ApiError 400, 401, 403, 409, 413, 415, 429, 503
 */
export async function addToGallery(caller: Caller, request: Request): Promise<Added> {
  await takeUpload(caller)
  const place = takePlace(caller.userId)
  try {
    const { bytes, words } = await readForm(request, place.hold)
    place.arrive()
    const found = typeOf(bytes)
    if (!found) throw new ApiError(415, galleryTexts.type)
    const { id = crypto.randomUUID(), title, description } = checkTexts(GalleryWords, words)
    const before = words.id === undefined ? null : await findOwnItem(caller, id)
    if (before) return { item: before, isNew: false }
    const file = found.kind === 'image' ? await remakeImage(bytes, found.type, request.signal) : { bytes }
    const upload = await storeMedia(caller, found.type, file, request.signal)
    try {
      const item = await insertItem(caller, { id, upload, kind: found.kind, title, description })
      return { item, isNew: true }
    } catch (error) {
      await dropUnused(upload)
      // The same form may have come twice at once, and the other one was the first.
      const first = error instanceof ApiError && error.status === 409 ? await findOwnItem(caller, id) : null
      if (first) return { item: first, isNew: false }
      throw error
    }
  } finally {
    place.leave()
  }
}

async function readForm(request: Request, hold: (bytes: number) => void) {
  const form = await openFormWithWords(request, {
    field: 'media',
    maxBytes: limits.gallery.maxBytes,
    within,
    none: galleryTexts.none,
    tooLarge: galleryTexts.size,
    words: { id: 'This is no id.', title: galleryTexts.title, description: galleryTexts.description },
  })
  const bytes = await readWhole(form.file, hold)
  const words = await form.words()
  if (bytes.length === 0) throw invalidField('media', galleryTexts.none)
  return { bytes, words }
}

function typeOf(bytes: Uint8Array): Found | null {
  const image = imageTypeOf(bytes)
  if (image) return { kind: 'image', type: image }
  const video = videoTypeOf(bytes.subarray(0, headBytes))
  return video && { kind: 'video', type: video }
}
