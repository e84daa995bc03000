import { createRoute } from '@hono/zod-openapi'
import { AdminPostRequest, AdminStats, InstanceSettings, InstanceSettingsRequest } from '../contract/admin.ts'
import { ImageUpload } from '../contract/media.ts'
import { Post } from '../contract/post.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople, forSenders } from '../http/app.ts'
import { fileForm } from '../media/file-form.ts'
import { storeProfileImage } from '../media/own-images.ts'
import { auditRoutes } from './audit-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { createPostFor } from './posts.ts'
import { changeSettings, readSettings } from './settings.ts'
import { readStats } from './stats.ts'

const tags = ['Admin']

/** Calls of admins; `adminsOnly` is the door before them. */
export const adminRoutes = createRouter()

adminRoutes.route('/', peopleRoutes)
adminRoutes.route('/', auditRoutes)

adminRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/stats',
    tags,
    summary: 'How many people, open cases and waiting payouts there are; for admins',
    ...forPeople,
    responses: { 200: answers(AdminStats, 'The numbers') },
  }),
  async (c) => passJson(c, await readStats(c.var.user), 200),
)

adminRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/create-post',
    tags,
    summary: 'Publish a post in a creator’s name; the same id again stores nothing; for admins, audited',
    ...forPeople,
    request: takes(AdminPostRequest),
    responses: {
      201: answers(Post, 'The new post, as you see it: a premium one is locked'),
      200: answers(Post, 'The post stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await createPostFor(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

const images = [
  { which: 'profile', path: '/admin/upload/profile-image', what: 'picture' },
  { which: 'background', path: '/admin/upload/background-image', what: 'cover' },
] as const

for (const { which, path, what } of images) {
  adminRoutes.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: `Upload a JPEG, PNG or GIF of up to 5 MB as the ${what} of somebody’s profile, for an edit of it within the hour; for admins`,
      ...forSenders,
      ...fileForm('image'),
      responses: { 201: answers(ImageUpload, 'Its address') },
    }),
    async (c) => c.json(await storeProfileImage(c.var.user, which, c.req.raw), 201),
  )
}

adminRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/settings',
    tags,
    summary: 'The switches of this instance; for admins',
    ...forPeople,
    responses: { 200: answers(InstanceSettings, 'All of them') },
  }),
  async (c) => passJson(c, await readSettings(c.var.user), 200),
)

adminRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/admin/settings',
    tags,
    summary: 'Turn switches of this instance; what is left out stays; for admins, audited',
    ...forPeople,
    request: takes(InstanceSettingsRequest),
    responses: { 200: answers(InstanceSettings, 'All of them as they are now') },
  }),
  async (c) => passJson(c, await changeSettings(c.var.user, c.req.valid('json')), 200),
)
