import { GalleryFields, type GalleryItem, galleryErrors } from '../contract/gallery.ts'
import { limits } from '../contract/limits.ts'
import type { VideoType } from '../contract/media.ts'
import type { JsonText } from '../db/sql.ts'
import { parseFormFields } from '../http/app.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import { detectImageType, detectVideoType, type ImageType, videoHeaderBytes } from '../media/file-types.ts'
import { processImage } from '../media/image-upload.ts'
import { discardUnusedMedia, storeMedia } from '../media/media-store.ts'
import { openFileFormWithTextFields, readAllBytes } from '../media/multipart-form.ts'
import { withUploadSlot } from '../media/runtime-limits.ts'
import { findOwnItem, insertItem } from './queries.ts'

/** The timeout for receiving the whole form. */
const receiveTimeoutMs = 300_000

/** The type of a file, detected from its content. */
type DetectedType = { kind: 'image'; type: ImageType } | { kind: 'video'; type: VideoType }

/**
 * Adds an image or a video with its title and description to the caller's gallery. The request is checked completely
 * before anything is stored, and if a later step fails, the stored file is discarded. Repeating a request with the same
 * id returns the existing item.
 *
 * @throws ApiError 400, 401, 403, 409, 413, 415, 429, 503
 */
export async function addGalleryItem(
  caller: Caller,
  request: Request,
): Promise<{ item: JsonText<GalleryItem>; isNew: boolean }> {
  return await withUploadSlot(caller, async (slot) => {
    const { bytes, textFields } = await readForm(request, slot.reserveBytes)
    slot.markReceived()
    const detected = detectType(bytes)
    if (!detected) throw new ApiError(415, galleryErrors.type)
    const { id = crypto.randomUUID(), title, description } = parseFormFields(GalleryFields, textFields)
    const existing = textFields.id === undefined ? null : await findOwnItem(caller, id)
    if (existing) return { item: existing, isNew: false }
    const { kind, type } = detected
    const file = kind === 'image' ? await processImage(bytes, type, request.signal) : { bytes }
    const mediaId = await storeMedia(caller, type, file, request.signal)
    try {
      const item = await insertItem(caller, { id, mediaId, kind, title, description })
      return { item, isNew: true }
    } catch (error) {
      await discardUnusedMedia(mediaId)
      // A concurrent request with the same id may have inserted the item first.
      const first = error instanceof ApiError && error.status === 409 ? await findOwnItem(caller, id) : null
      if (first) return { item: first, isNew: false }
      throw error
    }
  })
}

async function readForm(request: Request, reserveBytes: (count: number) => void) {
  const form = await openFileFormWithTextFields(request, {
    field: 'media',
    maxBytes: limits.gallery.maxBytes,
    timeoutMs: receiveTimeoutMs,
    missingMessage: galleryErrors.none,
    tooLargeMessage: galleryErrors.size,
    tooLongMessages: {
      id: 'This ID is not valid.',
      title: galleryErrors.title,
      description: galleryErrors.description,
    },
  })
  const bytes = await readAllBytes(form.file, reserveBytes)
  const textFields = await form.readTextFields()
  if (bytes.length === 0) throw invalidField('media', galleryErrors.none)
  return { bytes, textFields }
}

function detectType(bytes: Uint8Array): DetectedType | null {
  const imageType = detectImageType(bytes)
  if (imageType) return { kind: 'image', type: imageType }
  const videoType = detectVideoType(bytes.subarray(0, videoHeaderBytes))
  return videoType && { kind: 'video', type: videoType }
}
