import { createRoute } from '@hono/zod-openapi'
import { Post } from '../contract/post.ts'
import { CreateProductRequest } from '../contract/product.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeopleBut } from '../http/app.ts'
import { requirePublish } from '../posts/queries.ts'
import { createProduct } from './queries.ts'

export const productRoutes = createRouter()

productRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/products',
    tags: ['Posts'],
    summary: 'Publish a post that offers a product in a store elsewhere; the same id again stores nothing',
    ...forPeopleBut((user) => requirePublish(user, false)),
    request: takes(CreateProductRequest),
    responses: {
      201: answers(Post, 'The new post'),
      200: answers(Post, 'The post stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await createProduct(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)
