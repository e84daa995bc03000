import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { GalleryItem } from '../contract/gallery.ts'
import { limits } from '../contract/limits.ts'
import { createRouter, requireUser, requireUserForUpload } from '../http/app.ts'
import { unauthorized } from '../http/errors.ts'
import { IdParam, PathId, pageRange } from '../http/params.ts'
import { jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { fileUploadBody } from '../media/multipart-form.ts'
import { addGalleryItem } from './add-item.ts'
import * as queries from './queries.ts'

const tags = ['Gallery']

export const galleryRoutes = createRouter()

galleryRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/media-gallery',
    tags,
    summary: "List a user's gallery, newest first. Omit `userId` to list your own",
    request: { query: PageQuery.extend({ userId: PathId.optional() }) },
    responses: {
      200: jsonResponse(z.array(GalleryItem), 'A page of items; empty if you may not view the profile'),
    },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const userId = query.userId ?? c.var.caller?.userId
    if (userId === undefined) throw unauthorized()
    return sendPage(c, await queries.listGallery(c.var.caller, userId, pageRange(query, limits.page.gallery)))
  },
)

galleryRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/media-gallery',
    tags,
    summary:
      'Add a JPEG, PNG, GIF, MP4, WebM or QuickTime file of up to 10 MB; metadata is removed from images',
    ...requireUserForUpload,
    ...fileUploadBody('media', {
      title: { type: 'string', maxLength: limits.gallery.titleMax },
      description: { type: 'string', maxLength: limits.gallery.descriptionMax },
      id: { type: 'string', format: 'uuid' },
    }),
    responses: {
      200: jsonResponse(GalleryItem, 'The existing item with the `id` that you sent'),
      201: jsonResponse(GalleryItem, 'The new item'),
    },
  }),
  async (c) => {
    const { item, isNew } = await addGalleryItem(c.var.user, c.req.raw)
    return isNew ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

galleryRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/media-gallery/{id}',
    tags,
    summary: 'Delete one of your items; it can be restored for ten minutes',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The item is deleted' } },
  }),
  async (c) => {
    await queries.deleteItem(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

galleryRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/media-gallery/{id}/restore',
    tags,
    summary: 'Restore an item that you deleted within the last ten minutes',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(GalleryItem, 'The restored item') },
  }),
  async (c) => sendJson(c, await queries.restoreItem(c.var.user, c.req.valid('param').id), 200),
)
