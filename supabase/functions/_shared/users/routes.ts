import { createRoute, z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { NotificationSettingsRequest } from '../contract/notification-settings.ts'
import { PrivacyRequest, ProfileRequest, SecurityRequest } from '../contract/settings.ts'
import { OwnUser, User, UserDetails, UserStats } from '../contract/user.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { clientAddress } from '../http/client.ts'
import { confirmWrite } from '../http/live.ts'
import { networkOf } from '../http/network.ts'
import { IdentifierParam } from '../http/params.ts'
import { takeSearch } from '../limits/queries.ts'
import { changeProfile } from './profile.ts'
import * as queries from './queries.ts'
import { SearchQuery, searchPeople } from './search.ts'
import { changeNotifications, changePrivacy, changeSecurity } from './settings.ts'

const tags = ['People']

export const userRoutes = createRouter()

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users',
    tags,
    summary: 'The directory: other people, by sign-up',
    ...forPeople,
    request: { query: PageQuery },
    responses: { 200: answers(z.array(User), 'A page of people') },
  }),
  async (c) =>
    passPage(c, await queries.listDirectory(c.var.user, rangeOf(c.req.valid('query'), limits.page.users))),
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/search',
    tags,
    summary: 'People by name or username, the closest first, whatever the order of words and accents',
    ...forPeople,
    request: { query: SearchQuery },
    responses: { 200: answers(z.array(User), 'A page of people; empty for an empty text') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    if (query.q === '') return passPage<User>(c, { items: '[]', next: null })
    await takeSearch(c.var.user, networkOf(clientAddress(c.req.raw.headers)))
    return passPage(c, await searchPeople(c.var.user, query))
  },
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}',
    tags,
    summary: 'One person, by id or username',
    request: { params: IdentifierParam },
    responses: { 200: answers(UserDetails, 'The person as the caller may see them') },
  }),
  async (c) => passJson(c, await queries.readUser(c.var.caller, c.req.valid('param').identifier), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/users/{identifier}/stats',
    tags,
    summary: 'Somebody’s counts; null where they are hidden',
    request: { params: IdentifierParam },
    responses: { 200: answers(UserStats, 'The counts') },
  }),
  async (c) => c.json(await queries.readStats(c.var.caller, c.req.valid('param').identifier), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/privacy',
    tags,
    summary: 'Change what others may see and do',
    ...forPeople,
    request: takes(PrivacyRequest),
    responses: { 200: answers(OwnUser, 'Your record after it') },
  }),
  async (c) => passJson(c, await changePrivacy(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/notifications',
    tags,
    summary: 'Change which news you want, and how they come',
    ...forPeople,
    request: takes(NotificationSettingsRequest),
    responses: { 200: answers(OwnUser, 'Your record after it') },
  }),
  async (c) => passJson(c, await changeNotifications(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/settings/security',
    tags,
    summary: 'Change after which time without a sign of you your pages sign you out',
    ...forPeople,
    request: takes(SecurityRequest),
    responses: { 200: answers(OwnUser, 'Your record after it') },
  }),
  async (c) => passJson(c, await changeSecurity(c.var.user, c.req.valid('json')), 200),
)

userRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/profile',
    tags,
    summary: 'Change your profile, all of it or a part; another email address is confirmed by mail first',
    ...forPeopleBut(confirmWrite),
    request: takes(ProfileRequest),
    responses: { 200: answers(OwnUser, 'Your record after it') },
  }),
  async (c) => passJson(c, await changeProfile(c.var.user, c.req.valid('json')), 200),
)
