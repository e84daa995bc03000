import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { TrendingTag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import { User } from '../contract/user.ts'
import { answers, passJson } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import * as queries from './queries.ts'

const tags = ['Discover']

export const discoverRoutes = createRouter()

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/trending-hashtags',
    tags,
    summary: 'Topics of the last 7 days, those used by most people first',
    ...forPeople,
    responses: {
      200: answers(z.array(TrendingTag), 'The topics, and how many posts by how many people each has'),
    },
  }),
  async (c) => passJson(c, await queries.listTrendingTags(c.var.user), 200),
)

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/featured-creators',
    tags,
    summary: 'Other creators, those whose posts moved most people in the last 7 days first',
    ...forPeople,
    request: { query: PageQuery.pick({ limit: true }) },
    responses: { 200: answers(z.array(User), 'The creators') },
  }),
  async (c) => {
    const { limit = limits.featuredCreators } = c.req.valid('query')
    return passJson(c, await queries.listFeaturedCreators(c.var.user, limit), 200)
  },
)
