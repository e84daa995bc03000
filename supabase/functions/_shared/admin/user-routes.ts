import { createRoute, z } from '@hono/zod-openapi'
import {
  AdminProfileRequest,
  AdminUser,
  AdminUsersQuery,
  RemoveUserRequest,
  SuspendUserRequest,
  ToggleCreatorRequest,
} from '../contract/admin.ts'
import { totalCountHeader } from '../contract/headers.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { jsonBody, jsonResponse, optionalJsonBody, sendJson, sendPage } from '../http/responses.ts'
import { listUsers, readUser } from './queries.ts'
import { approveUser, editUser, removeUser, setCreator, suspendUser, unsuspendUser } from './user-actions.ts'

const tags = ['Admin']

export const adminUserRoutes = createRouter()

const changedUserResponse = { 200: jsonResponse(AdminUser, 'The changed user') }

adminUserRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/users',
    tags,
    summary:
      'List all users, newest first by default; `search` matches name, username and email; admins only',
    ...requireUser,
    request: { query: AdminUsersQuery },
    responses: {
      200: {
        ...jsonResponse(z.array(AdminUser), 'A page of users'),
        headers: z.object({ [totalCountHeader]: z.string().describe('The number of matching users') }),
      },
    },
  }),
  async (c) => {
    const page = await listUsers(c.var.user, c.req.valid('query'))
    c.header(totalCountHeader, String(page.total))
    return sendPage(c, page)
  },
)

adminUserRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/users/{id}',
    tags,
    summary: 'Get a user with all details that admins may see; admins only',
    ...requireUser,
    request: { params: IdParam },
    responses: { 200: jsonResponse(AdminUser, 'The user') },
  }),
  async (c) => sendJson(c, await readUser(c.var.user, c.req.valid('param').id), 200),
)

adminUserRoutes.openapi(
  createRoute({
    method: 'put',
    path: '/admin/users/{id}/profile',
    tags,
    summary: 'Edit the profile of any user, including admins; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(AdminProfileRequest) },
    responses: changedUserResponse,
  }),
  async (c) => sendJson(c, await editUser(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

adminUserRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/approve',
    tags,
    summary: 'Approve an account; repeating the call has no effect; admins only; audited',
    ...requireUser,
    request: { params: IdParam },
    responses: changedUserResponse,
  }),
  async (c) => sendJson(c, await approveUser(c.var.user, c.req.valid('param').id), 200),
)

adminUserRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/users/{id}',
    tags,
    summary: 'Permanently delete an account; the user is notified by email; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...optionalJsonBody(RemoveUserRequest) },
    responses: { 204: { description: 'Removed' } },
  }),
  async (c) => {
    await removeUser(c.var.user, c.req.valid('param').id, c.req.valid('json'))
    return c.body(null, 204)
  },
)

adminUserRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/toggle-creator',
    tags,
    summary: 'Set or, without a body, toggle the creator status of a user; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...optionalJsonBody(ToggleCreatorRequest) },
    responses: changedUserResponse,
  }),
  async (c) => {
    const { isCreator } = c.req.valid('json')
    return sendJson(c, await setCreator(c.var.user, c.req.valid('param').id, isCreator), 200)
  },
)

adminUserRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/suspend',
    tags,
    summary:
      'Make an account read-only, with or without an end date; the user sees the reason; admins only; audited',
    ...requireUser,
    request: { params: IdParam, ...jsonBody(SuspendUserRequest) },
    responses: changedUserResponse,
  }),
  async (c) => sendJson(c, await suspendUser(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

adminUserRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/users/{id}/suspend',
    tags,
    summary: 'Lift a suspension early; admins only; audited',
    ...requireUser,
    request: { params: IdParam },
    responses: changedUserResponse,
  }),
  async (c) => sendJson(c, await unsuspendUser(c.var.user, c.req.valid('param').id), 200),
)
