import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { NotificationSettingsRequest } from '../contract/notification-settings.ts'
import {
  HomeRequest,
  PrivacyRequest,
  ProfileRequest,
  SecurityRequest,
  UsernameAvailability,
  UsernameQuery,
} from '../contract/settings.ts'
import { OwnUser, User, UserDetails, UserStats } from '../contract/user.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { IdentifierParam, pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson, sendPage } from '../http/responses.ts'
import { requireWriteAccess } from '../http/run-as.ts'
import { consumeSearchLimit } from '../rate-limits.ts'
import * as queries from './queries.ts'
import { searchUsers, UserSearchQuery } from './search.ts'
import { updateProfile } from './update-profile.ts'

const tags = ['Users']

export const userRoutes = createRouter()

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users',
    tags,
    summary: 'List the other users in the directory, in order of registration',
    ...requireUser,
    request: { query: PageQuery },
    responses: { 200: jsonResponse(z.array(User), 'A page of users') },
  }),
  async (c) =>
    sendPage(c, await queries.listDirectory(c.var.user, pageRange(c.req.valid('query'), limits.page.users))),
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/search',
    tags,
    summary:
      'Search users by name, username and bio, closest match first; word order, case and accents are ignored',
    ...requireUser,
    request: { query: UserSearchQuery },
    responses: { 200: jsonResponse(z.array(User), 'A page of users; empty for an empty query') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    if (query.q === '') return sendPage<User>(c, { items: '[]', next: null })
    await consumeSearchLimit(c.var.user, c.req.raw.headers)
    return sendPage(c, await searchUsers(c.var.user, query))
  },
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/username-availability',
    tags,
    summary: 'Check whether you can change your username to this one',
    ...requireUser,
    request: { query: UsernameQuery },
    responses: { 200: jsonResponse(UsernameAvailability, 'Why you cannot, or null if you can') },
  }),
  async (c) => {
    await consumeSearchLimit(c.var.user, c.req.raw.headers)
    return c.json(await queries.checkUsername(c.var.user, c.req.valid('query').username), 200)
  },
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}',
    tags,
    summary: 'Get a user by id or username',
    request: { params: IdentifierParam },
    responses: { 200: jsonResponse(UserDetails, 'The user as you may see them') },
  }),
  async (c) => sendJson(c, await queries.readUser(c.var.caller, c.req.valid('param').identifier), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/stats',
    tags,
    summary: "Get a user's counts; null if they are hidden from you",
    request: { params: IdentifierParam },
    responses: { 200: jsonResponse(UserStats, 'The counts') },
  }),
  async (c) => c.json(await queries.readStats(c.var.caller, c.req.valid('param').identifier), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/privacy',
    tags,
    summary: 'Update your privacy settings',
    ...requireUser,
    request: jsonBody(PrivacyRequest),
    responses: { 200: jsonResponse(OwnUser, 'Your updated record') },
  }),
  async (c) => sendJson(c, await queries.updatePrivacySettings(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/notifications',
    tags,
    summary: 'Update which notifications you receive, and how',
    ...requireUser,
    request: jsonBody(NotificationSettingsRequest),
    responses: { 200: jsonResponse(OwnUser, 'Your updated record') },
  }),
  async (c) => sendJson(c, await queries.updateNotificationSettings(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/home',
    tags,
    summary: 'Choose the tabs of your home feed, in addition to “For you” and “Following”',
    ...requireUser,
    request: jsonBody(HomeRequest),
    responses: { 200: jsonResponse(OwnUser, 'Your updated record') },
  }),
  async (c) => sendJson(c, await queries.updateHomeSettings(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/security',
    tags,
    summary: 'Update your session timeout: how long you can be inactive before the web app signs you out',
    ...requireUser,
    request: jsonBody(SecurityRequest),
    responses: { 200: jsonResponse(OwnUser, 'Your updated record') },
  }),
  async (c) => sendJson(c, await queries.updateSecuritySettings(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/user/onboarded',
    tags,
    summary: 'Record that you have finished or skipped the welcome steps, so that they are not shown again',
    ...requireUser,
    responses: { 204: { description: 'Recorded' } },
  }),
  async (c) => {
    await queries.finishOnboarding(c.var.user)
    return c.body(null, 204)
  },
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/profile',
    tags,
    summary:
      'Update all or part of your profile; a new email address takes effect when you have confirmed it',
    ...requireUserAnd(requireWriteAccess),
    request: jsonBody(ProfileRequest),
    responses: { 200: jsonResponse(OwnUser, 'Your updated record') },
  }),
  async (c) => sendJson(c, await updateProfile(c.var.user, c.req.valid('json')), 200),
)
