import { createRoute, z } from '@hono/zod-openapi'
import type { HonoRequest } from 'hono'
import { Count, Id, PageQuery } from '../contract/common.ts'
import { DiscoverPostsQuery, Tag } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import {
  CreatePostRequest,
  EditPostRequest,
  FeedNewCountQuery,
  FeedQuery,
  LikeResponse,
  NewCountQuery,
  Post,
  RepostResponse,
  SaveResponse,
  UserPostsQuery,
} from '../contract/post.ts'
import { ScheduledPost } from '../contract/scheduled-post.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { unauthorized } from '../http/errors.ts'
import { IdentifierParam, IdParam, pageRange, pathId, validTime } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { consumeSearchLimit } from '../rate-limits.ts'
import * as queries from './queries.ts'
import { schedulePost } from './scheduled-posts.ts'
import { PostSearchQuery, searchPosts } from './search.ts'

const tags = ['Posts']

export const postRoutes = createRouter()

/** Returns whether a body, valid or not, asks for a premium post. */
async function isPremiumRequest(request: HonoRequest): Promise<boolean> {
  const body: unknown = await request.json().catch(() => null)
  return typeof body === 'object' && body !== null && 'isPremium' in body && body.isPremium === true
}

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts',
    tags,
    summary: 'Publish or schedule a post. Idempotent: a repeated `id` returns the stored post',
    ...requireUserAnd(async (user, c) => queries.requireCanPublish(user, await isPremiumRequest(c.req))),
    request: jsonBody(CreatePostRequest),
    responses: {
      201: jsonResponse(Post, 'The new post'),
      200: jsonResponse(Post, 'The post that is already stored under this id'),
      202: jsonResponse(ScheduledPost, 'The scheduled post, if `publishAt` is set'),
    },
  }),
  async (c) => {
    const { publishAt, ...post } = c.req.valid('json')
    if (publishAt) {
      const stored = await schedulePost(c.var.user, post, validTime('publishAt', publishAt))
      return stored.published ? sendJson(c, stored.item, 200) : sendJson(c, stored.item, 202)
    }
    const { created, item } = await queries.createPost(c.var.user, post)
    return created ? sendJson(c, item, 201) : sendJson(c, item, 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts',
    tags,
    summary:
      'List the posts in a feed, newest first. The `following` and `subscriptions` feeds require signing in. The `following` feed lists a reposted post once, at the time of its latest repost by a user whom you follow',
    request: { query: FeedQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const { caller } = c.var
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.posts)
    const until = validTime('until', query.until)
    if (query.feed === 'for-you') return sendPage(c, await queries.listHomeFeed(caller, range, until))
    if (!caller) throw unauthorized()
    const listPosts = query.feed === 'following' ? queries.listFollowingPosts : queries.listSubscriptionPosts
    return sendPage(c, await listPosts(caller, range, until))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/new-count',
    tags,
    summary: 'Count the posts by other users in a feed since a given time, up to 99',
    ...requireUser,
    request: { query: FeedNewCountQuery },
    responses: { 200: jsonResponse(Count, 'The number of new posts') },
  }),
  async (c) => {
    const { feed, since } = c.req.valid('query')
    return c.json(await queries.countNewPosts(c.var.user, feed, validTime('since', since)), 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/search',
    tags,
    summary: 'Search the public text and product names of posts; case and accents are ignored',
    description:
      'The matches are listed in groups of 100, newest first. Within a group, the best match comes first.',
    ...requireUser,
    request: { query: PostSearchQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts; empty for an empty query') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    if (query.q === '') return sendPage<Post>(c, { items: '[]', next: null })
    await consumeSearchLimit(c.var.user, c.req.raw.headers)
    return sendPage(c, await searchPosts(c.var.user, query))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/posts/new-count',
    tags,
    summary: 'Count a user’s posts since a given time, up to 99; your own are not counted',
    request: { params: IdentifierParam, query: NewCountQuery },
    responses: { 200: jsonResponse(Count, 'The number of new posts') },
  }),
  async (c) => {
    const since = validTime('since', c.req.valid('query').since)
    const { identifier } = c.req.valid('param')
    return c.json(await queries.countNewPostsByUser(c.var.caller, identifier, since), 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/posts/{id}',
    tags,
    summary: 'Get a post',
    request: { params: IdParam },
    responses: { 200: jsonResponse(Post, 'The post') },
  }),
  async (c) => sendJson(c, await queries.readPost(c.var.caller, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/posts/{id}',
    tags,
    summary: 'Edit one of your own posts; omitted fields stay unchanged',
    ...requireUserAnd((user, c) => queries.requireCanEditPost(user, pathId(c))),
    request: { params: IdParam, ...jsonBody(EditPostRequest) },
    responses: { 200: jsonResponse(Post, 'The edited post') },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return sendJson(c, await queries.editPost(c.var.user, id, c.req.valid('json')), 200)
  },
)

postRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/posts/{id}',
    tags,
    summary: 'Delete one of your own posts',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The post was deleted' } },
  }),
  async (c) => {
    await queries.deletePost(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

for (const pinned of [true, false]) {
  postRoutes.openapi(
    createRoute({
      method: pinned ? 'put' : 'delete',
      path: '/posts/{id}/pin',
      tags,
      summary: pinned
        ? 'Pin one of your own posts to the top of your profile, in place of any other'
        : 'Unpin one of your own posts',
      ...requireUser,
      request: { params: IdParam },
      responses: { 204: { description: pinned ? 'The post is pinned' : 'The post is not pinned' } },
    }),
    async (c) => {
      await queries.setPostPinned(c.var.user, c.req.valid('param').id, pinned)
      return c.body(null, 204)
    },
  )
}

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/like',
    tags,
    summary: 'Like a post, or remove your like',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(LikeResponse, 'Whether you now like the post, and its number of likes') },
  }),
  async (c) => c.json(await queries.toggleLike(c.var.user, c.req.valid('param').id), 200),
)

for (const method of ['post', 'delete'] as const) {
  postRoutes.openapi(
    createRoute({
      method,
      path: '/posts/{id}/repost',
      tags,
      summary: method === 'post' ? 'Repost a post. Idempotent' : 'Undo your repost of a post. Idempotent',
      ...requireUser,
      request: { params: IdParam },
      responses: {
        200: jsonResponse(RepostResponse, 'Whether you have reposted the post, and its number of reposts'),
      },
    }),
    async (c) =>
      c.json(await queries.setReposted(c.var.user, c.req.valid('param').id, method === 'post'), 200),
  )
}

postRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/posts/{id}/save',
    tags,
    summary: 'Save a post, or remove it from your saved posts',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(SaveResponse, 'Whether the post is now saved') },
  }),
  async (c) => c.json(await queries.toggleSave(c.var.user, c.req.valid('param').id), 200),
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/posts',
    tags,
    summary:
      'List a user’s posts: the pinned post, then the others, newest first. With `kind` or `q`, only those that match, newest first. `q` requires signing in',
    request: { params: IdentifierParam, query: UserPostsQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const { caller } = c.var
    const { kind, q, ...query } = c.req.valid('query')
    const { identifier } = c.req.valid('param')
    const range = pageRange(query, limits.page.posts)
    const until = validTime('until', query.until)
    if (q) {
      if (!caller) throw unauthorized()
      await consumeSearchLimit(caller, c.req.raw.headers)
    }
    return sendPage(
      c,
      kind || q
        ? await queries.filterPostsByUser(caller, identifier, range, { kind, q, until })
        : await queries.listPostsByUser(caller, identifier, range, until),
    )
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/reposts',
    tags,
    summary: 'List the posts that a user reposted, most recently reposted first',
    request: { params: IdentifierParam, query: PageQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.posts)
    return sendPage(c, await queries.listReposts(c.var.caller, c.req.valid('param').identifier, range))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/discover/posts',
    tags,
    summary: 'List posts by other users who made their content discoverable, newest or most popular first',
    description:
      'With `sort=popular`, the order changes when the `trending` job runs. A client that is paging through the list at that time may get a post twice or miss one.',
    ...requireUser,
    request: { query: DiscoverPostsQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const { topic, sort, ...query } = c.req.valid('query')
    const range = pageRange(query, limits.page.posts)
    return sendPage(c, await queries.listDiscoverablePosts(c.var.user, range, { topic, sort }))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/saved-posts',
    tags,
    summary: 'List your saved posts, most recently saved first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.posts)
    return sendPage(c, await queries.listSavedPosts(c.var.user, range))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/liked-posts/details',
    tags,
    summary: 'List the posts you like, most recently liked first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.posts)
    return sendPage(c, await queries.listLikedPosts(c.var.user, range))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/user/liked-posts',
    tags,
    summary: 'List the ids of the posts you like, most recently liked first',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(Id), 'A page of post ids') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.ids)
    return sendPage(c, await queries.listLikedPostIds(c.var.user, range))
  },
)

postRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/topics/{tag}/posts',
    tags,
    summary: 'List the posts with a hashtag, newest first',
    request: { params: z.object({ tag: Tag }), query: PageQuery },
    responses: { 200: jsonResponse(z.array(Post), 'A page of posts') },
  }),
  async (c) => {
    const range = pageRange(c.req.valid('query'), limits.page.posts)
    return sendPage(c, await queries.listPostsByTag(c.var.caller, c.req.valid('param').tag, range))
  },
)
