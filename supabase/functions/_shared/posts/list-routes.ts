import { createRoute, z } from '@hono/zod-openapi'
import { Id, PageQuery } from '../contract/common.ts'
import { Tag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import { Post } from '../contract/post.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passPage } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdentifierParam } from '../http/params.ts'
import * as lists from './lists.ts'

const tags = ['Posts']

export const postListRoutes = createRouter()

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts',
    tags,
    summary: 'All posts that the caller may see, the newest first',
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.posts)
    return passPage(c, await lists.listPosts(c.var.caller, range))
  },
)

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/posts',
    tags,
    summary: 'One person’s posts, the newest first',
    request: { params: IdentifierParam, query: PageQuery },
    responses: { 200: answers(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.posts)
    return passPage(c, await lists.listPostsOf(c.var.caller, c.req.valid('param').identifier, range))
  },
)

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/posts',
    tags,
    summary: 'Posts by others who let theirs be discovered, the newest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Post), 'A page of posts') },
  }),
  async (c) =>
    passPage(c, await lists.listDiscovered(c.var.user, rangeOf(c.req.valid('query'), limits.page.posts))),
)

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/saved-posts',
    tags,
    summary: 'The posts you saved, the latest saved first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Post), 'A page of posts') },
  }),
  async (c) =>
    passPage(c, await lists.listSaved(c.var.user, rangeOf(c.req.valid('query'), limits.page.posts))),
)

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/liked-posts',
    tags,
    summary: 'Ids of the posts you like, the latest first',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(Id), 'A page of ids') },
  }),
  async (c) =>
    passPage(c, await lists.listLikedIds(c.var.user, rangeOf(c.req.valid('query'), limits.page.ids))),
)

postListRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/topics/{tag}/posts',
    tags,
    summary: 'Posts with a hashtag, the newest first',
    request: { params: z.object({ tag: Tag }), query: PageQuery },
    responses: { 200: answers(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = rangeOf(c.req.valid('query'), limits.page.posts)
    return passPage(c, await lists.listPostsOfTopic(c.var.caller, c.req.valid('param').tag, range))
  },
)
