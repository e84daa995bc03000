import { createRoute } from '@hono/zod-openapi'
import { limits } from '../contract/limits.ts'
import {
  ImageUpload,
  SignedUpload,
  SignVideoRequest,
  StorageUsage,
  VideoUpload,
  VoiceUpload,
} from '../contract/media.ts'
import { createRouter, requireUser, requireUserForUpload } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { jsonBody, jsonResponse } from '../http/responses.ts'
import { createVideoUpload } from './direct-video-upload.ts'
import { uploadImage } from './image-upload.ts'
import { fileUploadBody } from './multipart-form.ts'
import { uploadProfileImage } from './profile-images.ts'
import { readStorageUsage, setProfileImage } from './queries.ts'
import { serveMedia } from './serve-media.ts'
import { uploadVideo } from './video-upload.ts'
import { uploadVoice } from './voice-upload.ts'

const tags = ['Media']

export const mediaRoutes = createRouter()

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload',
    tags,
    summary: 'Upload a JPEG, PNG or GIF of up to 10 MB; its metadata is removed',
    ...requireUserForUpload,
    ...fileUploadBody('image'),
    responses: { 201: jsonResponse(ImageUpload, 'The URL to use in a post') },
  }),
  async (c) => c.json(await uploadImage(c.var.user, c.req.raw), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload-video',
    tags,
    summary: 'Upload an MP4, WebM or QuickTime video of up to 100 MB',
    ...requireUserForUpload,
    ...fileUploadBody('video'),
    responses: { 201: jsonResponse(VideoUpload, 'The URL to use in a post') },
  }),
  async (c) => c.json(await uploadVideo(c.var.user, c.req.raw), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload-video/sign',
    tags,
    summary: 'Get an upload URL for a video of up to 100 MB; the video is checked when a post uses it',
    ...requireUser,
    request: jsonBody(SignVideoRequest),
    responses: { 201: jsonResponse(SignedUpload, 'The upload URL, and the URL to use in a post') },
  }),
  async (c) => c.json(await createVideoUpload(c.var.user, c.req.valid('json')), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload-voice',
    tags,
    summary: 'Upload an MP4 or WebM recording of up to 5 MB for a voice message',
    ...requireUserForUpload,
    ...fileUploadBody(
      'voice',
      {
        seconds: {
          type: 'number',
          description: `The duration; used if the file does not state it, and limited to the range from 1 to ${limits.voice.maxSeconds}`,
        },
        levels: {
          type: 'string',
          pattern: `^[0-9a-f]{${limits.voice.levels}}$`,
          description: 'The loudness over time, as one hexadecimal digit per section of the recording',
        },
      },
      ['voice', 'seconds'],
    ),
    responses: { 201: jsonResponse(VoiceUpload, 'The URL to use in a message, and the duration') },
  }),
  async (c) => c.json(await uploadVoice(c.var.user, c.req.raw), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/media/{id}',
    tags,
    summary: 'Get an upload that you may see, or a range of it',
    request: { params: IdParam },
    responses: {
      200: { description: 'The whole file' },
      206: { description: 'The requested range' },
      304: { description: 'The file matches `If-None-Match`' },
      416: { description: 'The range is outside the file' },
    },
  }),
  async (c) => await serveMedia(c.var.caller, c.req.valid('param').id, c.req.raw),
)

mediaRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/account/storage',
    tags,
    summary: 'Get the amount of storage that your uploads use, and your quota',
    ...requireUser,
    responses: { 200: jsonResponse(StorageUsage, 'The used storage and the quota, in bytes') },
  }),
  async (c) => c.json(await readStorageUsage(c.var.user), 200),
)

const profileImages = [
  { kind: 'profile', path: '/upload/profile-image', name: 'profile image' },
  { kind: 'background', path: '/upload/background-image', name: 'background image' },
] as const

for (const { kind, path, name } of profileImages) {
  mediaRoutes.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: `Upload a JPEG, PNG or GIF of up to 5 MB as your ${name}; its metadata is removed`,
      ...requireUserForUpload,
      ...fileUploadBody('image'),
      responses: { 201: jsonResponse(ImageUpload, 'The public URL of the image') },
    }),
    async (c) => c.json(await uploadProfileImage(c.var.user, kind, c.req.raw), 201),
  )
  mediaRoutes.openapi(
    createRoute({
      method: 'delete',
      path,
      tags,
      summary: `Remove your ${name}`,
      ...requireUser,
      responses: { 204: { description: `The ${name} was removed` } },
    }),
    async (c) => {
      await setProfileImage(c.var.user, kind, null)
      return c.body(null, 204)
    },
  )
}
