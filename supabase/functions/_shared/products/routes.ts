import { createRoute } from '@hono/zod-openapi'
import { Post } from '../contract/post.ts'
import { CreateProductRequest } from '../contract/product.ts'
import { createRouter, requireUserAnd } from '../http/app.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import { requireCanPublish } from '../posts/queries.ts'
import { createProduct } from './queries.ts'

export const productRoutes = createRouter()

productRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/products',
    tags: ['Posts'],
    summary:
      'Publish a post that offers a product in an external store. Idempotent: a repeated `id` returns the stored post',
    ...requireUserAnd((user) => requireCanPublish(user, false)),
    request: jsonBody(CreateProductRequest),
    responses: {
      201: jsonResponse(Post, 'The new post'),
      200: jsonResponse(Post, 'The post that is already stored under this id'),
    },
  }),
  async (c) => {
    const { created, item } = await createProduct(c.var.user, c.req.valid('json'))
    return created ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)
