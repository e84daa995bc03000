import { createRoute } from '@hono/zod-openapi'
import { AdminPostRequest, AdminStats, InstanceSettings, InstanceSettingsRequest } from '../contract/admin.ts'
import { ImageUpload } from '../contract/media.ts'
import { Post } from '../contract/post.ts'
import { createRouter, requireUser, requireUserForUpload } from '../http/app.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import { fileUploadBody } from '../media/multipart-form.ts'
import { storeProfileImage } from '../media/profile-images.ts'
import { auditRoutes } from './audit-routes.ts'
import { createPostForUser } from './create-post.ts'
import { changeSettings, readSettings, readStats } from './queries.ts'
import { adminUserRoutes } from './user-routes.ts'

const tags = ['Admin']

/** Routes below `/admin`, which `adminsOnly` guards, and `/user/account-log`. */
export const adminRoutes = createRouter()

adminRoutes.route('/', adminUserRoutes)
adminRoutes.route('/', auditRoutes)

adminRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/stats',
    tags,
    summary:
      'Get statistics about users, and the numbers of open cases, open appeals and pending payouts; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(AdminStats, 'The statistics') },
  }),
  async (c) => sendJson(c, await readStats(c.var.user), 200),
)

adminRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/create-post',
    tags,
    summary:
      'Publish a post on behalf of a creator; a repeated id returns the stored post; admins only; audited',
    ...requireUser,
    request: jsonBody(AdminPostRequest),
    responses: {
      201: jsonResponse(Post, 'The new post as you see it: a premium post is locked'),
      200: jsonResponse(Post, 'The post that was stored earlier with this id'),
    },
  }),
  async (c) => {
    const { isNew, item } = await createPostForUser(c.var.user, c.req.valid('json'))
    return isNew ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

const imageRoutes = [
  { kind: 'profile', path: '/admin/upload/profile-image', label: 'profile image' },
  { kind: 'background', path: '/admin/upload/background-image', label: 'background image' },
] as const

for (const { kind, path, label } of imageRoutes) {
  adminRoutes.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: `Upload a JPEG, PNG or GIF of up to 5 MB as a user’s ${label}, to be saved with their profile within an hour; admins only`,
      ...requireUserForUpload,
      ...fileUploadBody('image'),
      responses: { 201: jsonResponse(ImageUpload, 'The uploaded image') },
    }),
    async (c) => c.json(await storeProfileImage(c.var.user, kind, c.req.raw), 201),
  )
}

adminRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/settings',
    tags,
    summary: 'Get the settings of this instance; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(InstanceSettings, 'All settings') },
  }),
  async (c) => sendJson(c, await readSettings(c.var.user), 200),
)

adminRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/admin/settings',
    tags,
    summary: 'Change settings of this instance; omitted ones stay unchanged; admins only; audited',
    ...requireUser,
    request: jsonBody(InstanceSettingsRequest),
    responses: { 200: jsonResponse(InstanceSettings, 'All settings after the change') },
  }),
  async (c) => sendJson(c, await changeSettings(c.var.user, c.req.valid('json')), 200),
)
