import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/** Error messages for gallery uploads, shared by the page and the API. */
export const galleryErrors = {
  none: 'Please choose a file.',
  type: 'Only images and videos are allowed',
  size: 'File must be less than 10MB',
  title: 'A title can have at most 100 characters.',
  description: 'A description can have at most 500 characters.',
} as const

/** The text fields of the form of `POST /api/media-gallery`, next to the file `media`. */
export const GalleryFields = z.object({
  /** Made by the client: a retried request adds the item once. */
  id: z.uuid().toLowerCase().optional(),
  title: z.string().trim().max(limits.gallery.titleMax, galleryErrors.title).default(''),
  description: z.string().trim().max(limits.gallery.descriptionMax, galleryErrors.description).default(''),
})
export type GalleryFields = z.infer<typeof GalleryFields>

export const GalleryItem = z.object({
  id: Id,
  userId: Id,
  mediaType: z.enum(['image', 'video']),
  mediaUrl: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** A tiny blurred image as a `data:` URL, and the size in pixels. Null for videos. */
  placeholder: z.string().nullable(),
  width: z.number().int().min(1).nullable(),
  height: z.number().int().min(1).nullable(),
  createdAt: Timestamp,
})
export type GalleryItem = z.infer<typeof GalleryItem>
