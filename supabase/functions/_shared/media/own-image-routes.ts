import { createRoute } from '@hono/zod-openapi'
import { ImageUpload } from '../contract/media.ts'
import { answers } from '../http/answers.ts'
import { createRouter, forPeople, forSenders } from '../http/app.ts'
import { fileForm } from './file-form.ts'
import { removeOwnImage, uploadOwnImage } from './own-images.ts'

const tags = ['Media']

export const ownImageRoutes = createRouter()

const kinds = [
  { which: 'profile', path: '/upload/profile-image', what: 'profile picture' },
  { which: 'background', path: '/upload/background-image', what: 'cover' },
] as const

for (const { which, path, what } of kinds) {
  ownImageRoutes.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: `Upload a JPEG, PNG or GIF of up to 5 MB as your ${what}; it loses its metadata`,
      ...forSenders,
      ...fileForm('image'),
      responses: { 201: answers(ImageUpload, 'Its address, which anybody may open') },
    }),
    async (c) => c.json(await uploadOwnImage(c.var.user, which, c.req.raw), 201),
  )
  ownImageRoutes.openapi(
    createRoute({
      method: 'delete',
      path,
      tags,
      summary: `Take your ${what} away`,
      ...forPeople,
      responses: { 204: { description: 'There is none any more' } },
    }),
    async (c) => {
      await removeOwnImage(c.var.user, which)
      return c.body(null, 204)
    },
  )
}
