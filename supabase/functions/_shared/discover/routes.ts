import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { FeaturedCreator, Tag, TopicMatch, TrendingTag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import { SearchQuery } from '../contract/search.ts'
import { User } from '../contract/user.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { jsonResponse, sendJson } from '../http/responses.ts'
import { consumeSearchLimit } from '../rate-limits.ts'
import * as queries from './queries.ts'

const tags = ['Discover']

export const discoverRoutes = createRouter()

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/trending-hashtags',
    tags,
    summary: 'List the trending hashtags of the last 7 days, those with the most authors first',
    ...requireUser,
    responses: {
      200: jsonResponse(z.array(TrendingTag), 'The hashtags, each with its number of posts and of authors'),
    },
  }),
  async (c) => sendJson(c, await queries.listTrendingTags(c.var.user), 200),
)

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/featured-creators',
    tags,
    summary: 'List other creators by engagement in the last 7 days; those whom you follow come last',
    ...requireUser,
    request: { query: PageQuery.pick({ limit: true }) },
    responses: { 200: jsonResponse(z.array(FeaturedCreator), 'The creators') },
  }),
  async (c) => {
    const { limit = limits.featuredCreators } = c.req.valid('query')
    return sendJson(c, await queries.listFeaturedCreators(c.var.user, limit), 200)
  },
)

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/topics/search',
    tags,
    summary: 'Search topics, best match first; case, accents and underscores are ignored',
    ...requireUser,
    request: { query: SearchQuery },
    responses: {
      200: jsonResponse(
        z.array(TopicMatch),
        'The topics, each with its number of posts, counted only up to 20',
      ),
    },
  }),
  async (c) => {
    const { q, limit = limits.page.topics } = c.req.valid('query')
    if (q === '') return sendJson<TopicMatch[], 200>(c, '[]', 200)
    await consumeSearchLimit(c.var.user, c.req.raw.headers)
    return sendJson(c, await queries.searchTopics(c.var.user, q, limit), 200)
  },
)

discoverRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/topics/{tag}/people',
    tags,
    summary: 'List other users who posted about a topic recently, creators first',
    ...requireUser,
    request: { params: z.object({ tag: Tag }) },
    responses: { 200: jsonResponse(z.array(User), 'The users; empty for an unknown topic') },
  }),
  async (c) => sendJson(c, await queries.listTopicAuthors(c.var.user, c.req.valid('param').tag), 200),
)
