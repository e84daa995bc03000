import { createRoute, z } from '@hono/zod-openapi'
import { Id, PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { CreatePostRequest, LikeAnswer, Post, SaveAnswer } from '../contract/post.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdentifierParam, IdParam } from '../http/params.ts'
import * as queries from './queries.ts'

const tags = ['Posts']

export const postRoutes = createRouter()

postRoutes.openapi(
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
    return passPage(c, await queries.listPosts(c.var.caller, range))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts',
    tags,
    summary: 'Publish a post; the same id again stores nothing',
    ...forPeople,
    request: takes(CreatePostRequest),
    responses: {
      201: answers(Post, 'The new post'),
      200: answers(Post, 'The post stored under this id before'),
    },
  }),
  async (c) => {
    const { created, item } = await queries.createPost(c.var.user, c.req.valid('json'))
    return created ? passJson(c, item, 201) : passJson(c, item, 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/{id}',
    tags,
    summary: 'One post',
    request: { params: IdParam },
    responses: { 200: answers(Post, 'The post') },
  }),
  async (c) => passJson(c, await queries.readPost(c.var.caller, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/posts/{id}',
    tags,
    summary: 'Delete one of your own posts',
    ...forPeople,
    request: { params: IdParam },
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await queries.deletePost(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/like',
    tags,
    summary: 'Like a post, or take the like back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(LikeAnswer, 'The state after it') },
  }),
  async (c) => c.json(await queries.toggleLike(c.var.user, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/save',
    tags,
    summary: 'Save a post, or take that back',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(SaveAnswer, 'The state after it') },
  }),
  async (c) => c.json(await queries.toggleSave(c.var.user, c.req.valid('param').id), 200),
)

postRoutes.openapi(
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
    return passPage(c, await queries.listPostsOf(c.var.caller, c.req.valid('param').identifier, range))
  },
)

postRoutes.openapi(
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
    passPage(c, await queries.listDiscovered(c.var.user, rangeOf(c.req.valid('query'), limits.page.posts))),
)

postRoutes.openapi(
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
    passPage(c, await queries.listSaved(c.var.user, rangeOf(c.req.valid('query'), limits.page.posts))),
)

postRoutes.openapi(
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
    passPage(c, await queries.listLikedIds(c.var.user, rangeOf(c.req.valid('query'), limits.page.ids))),
)
