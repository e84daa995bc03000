import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/** Texts that refuse a file of the gallery, on the page and by the API alike. */
export const galleryTexts = {
  none: 'Please choose a file.',
  type: 'Only images and videos are allowed',
  size: 'File must be less than 10MB',
  title: 'A title can have at most 100 characters.',
  description: 'A description can have at most 500 characters.',
} as const

/** What the form of `POST /api/media-gallery` tells beside its file, `media`. */
export const GalleryWords = z.object({
  /** Made by the client: sent again, for want of an answer, the item is there once. */
  id: z.uuid().toLowerCase().optional(),
  title: z.string().trim().max(limits.gallery.title, galleryTexts.title).default(''),
  description: z.string().trim().max(limits.gallery.description, galleryTexts.description).default(''),
})
export type GalleryWords = z.infer<typeof GalleryWords>

export const GalleryItem = z.object({
  id: Id,
  userId: Id,
  mediaType: z.enum(['image', 'video']),
  mediaUrl: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** A blurred miniature as a `data:` address, and the size in pixels; null for videos. */
  placeholder: z.string().nullable(),
  width: z.number().int().min(1).nullable(),
  height: z.number().int().min(1).nullable(),
  createdAt: Timestamp,
})
export type GalleryItem = z.infer<typeof GalleryItem>
