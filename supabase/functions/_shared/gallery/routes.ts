import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { GalleryItem } from '../contract/gallery.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage } from '../http/answers.ts'
import { createRouter, forPeople, forSenders } from '../http/app.ts'
import { unauthorized } from '../http/errors.ts'
import { IdParam, PathId } from '../http/params.ts'
import { addToGallery } from './add.ts'
import * as queries from './queries.ts'

const tags = ['Gallery']

export const galleryRoutes = createRouter()

galleryRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/media-gallery',
    tags,
    summary: 'What somebody shows in their gallery, the newest first; your own without `userId`',
    request: { query: PageQuery.extend({ userId: PathId.optional() }) },
    responses: { 200: answers(z.array(GalleryItem), 'A page of items; none where the profile is not open') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const userId = query.userId ?? c.var.caller?.userId
    if (userId === undefined) throw unauthorized()
    return passPage(c, await queries.listGallery(c.var.caller, userId, rangeOf(query, limits.page.gallery)))
  },
)

galleryRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/media-gallery',
    tags,
    summary: 'Add a JPEG, PNG, GIF, MP4, WebM or QuickTime file of up to 10 MB; pictures lose their metadata',
    ...forSenders,
    // Only described here: the form is read as it comes in.
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              media: { type: 'string', format: 'binary' },
              title: { type: 'string', maxLength: limits.gallery.title },
              description: { type: 'string', maxLength: limits.gallery.description },
              id: { type: 'string', format: 'uuid' },
            },
            required: ['media'],
          },
        },
      },
    },
    responses: {
      200: answers(GalleryItem, 'It was there, under the `id` that you sent'),
      201: answers(GalleryItem, 'The new item'),
    },
  }),
  async (c) => {
    const { item, isNew } = await addToGallery(c.var.user, c.req.raw)
    return isNew ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

galleryRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/media-gallery/{id}',
    tags,
    summary: 'Delete one of your items; it can be brought back for ten minutes',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is no longer shown' } },
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
    summary: 'Bring back an item that you deleted within the last ten minutes',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(GalleryItem, 'The item, at its place') },
  }),
  async (c) => passJson(c, await queries.restoreItem(c.var.user, c.req.valid('param').id), 200),
)
