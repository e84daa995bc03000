import { createRoute } from '@hono/zod-openapi'
import { ImageUpload, SignedUpload, SignVideoRequest, VideoUpload } from '../contract/media.ts'
import { answers, takes } from '../http/answers.ts'
import { createRouter, forPeople, forSenders } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { fileForm } from './file-form.ts'
import { uploadImage } from './image.ts'
import { serveMedia } from './serve.ts'
import { signVideo } from './sign.ts'
import { uploadVideo } from './video.ts'

const tags = ['Media']

export const mediaRoutes = createRouter()

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload',
    tags,
    summary: 'Upload a JPEG, PNG or GIF of up to 10 MB; it loses its metadata',
    ...forSenders,
    ...fileForm('image'),
    responses: { 201: answers(ImageUpload, 'Its address, for a post to take') },
  }),
  async (c) => c.json(await uploadImage(c.var.user, c.req.raw), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload-video',
    tags,
    summary: 'Upload an MP4, WebM or QuickTime video of up to 100 MB',
    ...forSenders,
    ...fileForm('video'),
    responses: { 201: answers(VideoUpload, 'Its address, for a post to take') },
  }),
  async (c) => c.json(await uploadVideo(c.var.user, c.req.raw), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/upload-video/sign',
    tags,
    summary: 'Ask where to send a video of up to 100 MB; it is looked at when a post takes it',
    ...forPeople,
    request: takes(SignVideoRequest),
    responses: { 201: answers(SignedUpload, 'Where to send it, and the address that a post takes then') },
  }),
  async (c) => c.json(await signVideo(c.var.user, c.req.valid('json')), 201),
)

mediaRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/media/{id}',
    tags,
    summary: 'The bytes of an upload that you may see, or the part of them that `Range` names',
    request: { params: IdParam },
    responses: {
      200: { description: 'The whole of it' },
      206: { description: 'The part that was asked for' },
      304: { description: 'The one that `If-None-Match` names' },
      416: { description: 'It has no such part' },
    },
  }),
  async (c) => await serveMedia(c.var.caller, c.req.valid('param').id, c.req.raw),
)
