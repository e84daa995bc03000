import { createRoute } from '@hono/zod-openapi'
import { UnlockAnswer, UnlockRequest } from '../contract/post.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { unlockPost } from './unlock.ts'

export const paymentRoutes = createRouter()

paymentRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/unlock',
    tags: ['Payments'],
    summary: 'Pay for a premium post; paid once, however often it is sent',
    ...forPeople,
    request: { params: IdParam, ...takes(UnlockRequest) },
    responses: { 200: answers(UnlockAnswer, 'The post, open for good') },
  }),
  async (c) => {
    const { amount } = c.req.valid('json')
    return passJson(c, await unlockPost(c.var.user, c.req.valid('param').id, amount), 200)
  },
)
