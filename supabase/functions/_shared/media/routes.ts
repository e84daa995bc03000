import { createRoute } from '@hono/zod-openapi'
import { SignedUpload, SignVideoRequest } from '../contract/media.ts'
import { answers, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { signVideo } from './sign.ts'

const tags = ['Media']

export const mediaRoutes = createRouter()

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
