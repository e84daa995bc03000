import { z } from 'zod'
import { Id } from './common.ts'
import { limits } from './limits.ts'

/** Texts that refuse a file, on the page and by the API alike. */
export const uploadTexts = {
  noImage: 'Please choose an image.',
  noVideo: 'Please choose a video.',
  imageType: 'Please select a JPG, PNG, or GIF image.',
  imageSize: 'Image must be less than 10MB',
  imagePixels: 'This image has too many pixels. Please choose a smaller one.',
  imageBroken: 'Failed to process the image. Please try a different image.',
  /** Of a profile picture or a cover. */
  ownImageType: 'Please select a JPG, PNG or GIF image.',
  ownImageSize: 'Please select an image smaller than 5MB.',
  videoType: 'Please select an MP4, WebM or QuickTime video.',
  videoSize: 'Video size must be less than 100MB.',
  videoMissing: 'The video has not arrived. Please upload it again.',
} as const

export const videoTypes = ['video/mp4', 'video/webm', 'video/quicktime'] as const
export const VideoType = z.enum(videoTypes, uploadTexts.videoType)
export type VideoType = z.infer<typeof VideoType>

/** What an uploaded picture answers: its address, and a blurred miniature of it as a `data:` address. */
export const ImageUpload = z.object({
  imageUrl: z.string(),
  placeholder: z.string(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
})
export type ImageUpload = z.infer<typeof ImageUpload>

export const VideoUpload = z.object({ videoUrl: z.string() })

/** A video that is about to be sent straight to Storage. `size` is in bytes. */
export const SignVideoRequest = z.object({
  type: VideoType,
  size: z.number().int().min(1, uploadTexts.noVideo).max(limits.video.maxBytes, uploadTexts.videoSize),
})
export type SignVideoRequest = z.infer<typeof SignVideoRequest>

/**
 * Where to send it: one `PUT` of the file's bytes to `uploadUrl`, with its type as `Content-Type`; again from the
 * start when the connection is lost. `videoUrl` is then what a post takes.
 */
export const SignedUpload = z.object({ id: Id, videoUrl: z.string(), uploadUrl: z.string() })
export type SignedUpload = z.infer<typeof SignedUpload>
