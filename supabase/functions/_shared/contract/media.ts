import { z } from 'zod'
import { Id } from './common.ts'
import { limits } from './limits.ts'

/** Error messages for uploads, shared by the web app and the API. */
export const uploadErrors = {
  noImage: 'Please choose an image.',
  noVideo: 'Please choose a video.',
  noVoice: 'Please record a voice message.',
  imageType: 'Please select a JPG, PNG, or GIF image.',
  imageSize: 'Image must be less than 10MB',
  imagePixels: 'This image has too many pixels. Please choose a smaller one.',
  imageBroken: 'Failed to process the image. Please try a different image.',
  /** For avatars and cover images. */
  ownImageType: 'Please select a JPG, PNG or GIF image.',
  ownImageSize: 'Please select an image smaller than 5MB.',
  videoType: 'Please select an MP4, WebM or QuickTime video.',
  videoSize: 'Video size must be less than 100MB.',
  voiceType: 'A voice message must be an MP4 or WebM recording.',
  voiceSize: 'A voice message must be less than 5MB.',
  videoMissing: 'The video was not uploaded completely. Please upload it again.',
} as const

export const videoTypes = ['video/mp4', 'video/webm', 'video/quicktime'] as const
export const VideoType = z.enum(videoTypes, uploadErrors.videoType)
export type VideoType = z.infer<typeof VideoType>

/** An uploaded image: its URL, and a tiny blurred version as a `data:` URL. */
export const ImageUpload = z.object({
  imageUrl: z.string(),
  placeholder: z.string(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
})
export type ImageUpload = z.infer<typeof ImageUpload>

export const VideoUpload = z.object({ videoUrl: z.string() })

/** What the client reports about the recording of a voice message. */
export const VoiceFields = z.object({
  /** The duration, rounded and clamped to the range from 1 to `limits.voice.maxSeconds`. */
  seconds: z.coerce
    .number('Please provide the duration in seconds.')
    .transform((seconds) => Math.min(limits.voice.maxSeconds, Math.max(1, Math.round(seconds)))),
  /** The loudness over time, as one hexadecimal digit per section of the recording. */
  levels: z
    .string()
    .regex(
      new RegExp(`^[0-9a-f]{${limits.voice.levels}}$`),
      'Please provide the levels as hexadecimal digits.',
    )
    .optional(),
})
export type VoiceFields = z.infer<typeof VoiceFields>

export const VoiceUpload = z.object({ voiceUrl: z.string(), seconds: z.number().int().min(1) })
export type VoiceUpload = z.infer<typeof VoiceUpload>

/** How many bytes the account's uploads use, and how many they may use. */
export const StorageUsage = z.object({
  usedBytes: z.number().int().min(0),
  quotaBytes: z.number().int().min(0),
})
export type StorageUsage = z.infer<typeof StorageUsage>

/** A video that the client will upload directly to Storage. `size` is in bytes. */
export const SignVideoRequest = z.object({
  type: VideoType,
  size: z.number().int().min(1, uploadErrors.noVideo).max(limits.video.maxBytes, uploadErrors.videoSize),
})
export type SignVideoRequest = z.infer<typeof SignVideoRequest>

/**
 * A signed upload. The client sends the file in one `PUT` to `uploadUrl` with its type as `Content-Type`, and starts
 * over if the connection is lost. After the upload, `videoUrl` can be used in a post.
 */
export const SignedUpload = z.object({ id: Id, videoUrl: z.string(), uploadUrl: z.string() })
export type SignedUpload = z.infer<typeof SignedUpload>
