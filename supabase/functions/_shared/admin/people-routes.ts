import { createRoute, z } from '@hono/zod-openapi'
import {
  AdminProfileRequest,
  AdminUser,
  AdminUsersQuery,
  RemoveUserRequest,
  SuspendUserRequest,
  ToggleCreatorRequest,
  totalCountHeader,
} from '../contract/admin.ts'
import { answers, passJson, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { IdParam } from '../http/params.ts'
import { approve, remove, setCreator, suspend, unsuspend } from './deeds.ts'
import { editPerson } from './edit.ts'
import { listPeople, readPerson } from './people.ts'

const tags = ['Admin']

/** What admins see of people, and do with them. */
export const peopleRoutes = createRouter()

/** A JSON body that may be left out. */
const mayTake = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: false, content: { 'application/json': { schema } } },
})
const now = { 200: answers(AdminUser, 'The person as they are now') }

peopleRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/users',
    tags,
    summary: 'Everybody, the newest first; `search` looks in name, username and email; for admins',
    ...forPeople,
    request: { query: AdminUsersQuery },
    responses: {
      200: {
        ...answers(z.array(AdminUser), 'A page of people'),
        headers: z.object({ [totalCountHeader]: z.string().describe('How many there are in all') }),
      },
    },
  }),
  async (c) => {
    const page = await listPeople(c.var.user, c.req.valid('query'))
    c.header(totalCountHeader, String(page.total))
    return passPage(c, page)
  },
)

peopleRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/users/{id}',
    tags,
    summary: 'One person, with everything that admins may know; for admins',
    ...forPeople,
    request: { params: IdParam },
    responses: { 200: answers(AdminUser, 'The person') },
  }),
  async (c) => passJson(c, await readPerson(c.var.user, c.req.valid('param').id), 200),
)

peopleRoutes.openapi(
  createRoute({
    method: 'put',
    path: '/admin/users/{id}/profile',
    tags,
    summary: 'Change somebody’s profile, another admin’s too; for admins, audited',
    ...forPeople,
    request: { params: IdParam, ...takes(AdminProfileRequest) },
    responses: now,
  }),
  async (c) => passJson(c, await editPerson(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

peopleRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/approve',
    tags,
    summary: 'Vouch for an account; again, it changes nothing; for admins, audited',
    ...forPeople,
    request: { params: IdParam },
    responses: now,
  }),
  async (c) => passJson(c, await approve(c.var.user, c.req.valid('param').id), 200),
)

peopleRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/users/{id}',
    tags,
    summary: 'Remove an account for good, with all that is in it; they get a mail; for admins, audited',
    ...forPeople,
    request: { params: IdParam, ...mayTake(RemoveUserRequest) },
    responses: { 204: { description: 'It is gone' } },
  }),
  async (c) => {
    await remove(c.var.user, c.req.valid('param').id, c.req.valid('json'))
    return c.body(null, 204)
  },
)

peopleRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/toggle-creator',
    tags,
    summary: 'Make somebody a creator, or no longer one; for admins, audited',
    ...forPeople,
    request: { params: IdParam, ...mayTake(ToggleCreatorRequest) },
    responses: now,
  }),
  async (c) => {
    const { isCreator } = c.req.valid('json')
    return passJson(c, await setCreator(c.var.user, c.req.valid('param').id, isCreator), 200)
  },
)

peopleRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/users/{id}/suspend',
    tags,
    summary: 'Keep somebody from changing anything for a time; they are told why; for admins, audited',
    ...forPeople,
    request: { params: IdParam, ...takes(SuspendUserRequest) },
    responses: now,
  }),
  async (c) => passJson(c, await suspend(c.var.user, c.req.valid('param').id, c.req.valid('json')), 200),
)

peopleRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/users/{id}/suspend',
    tags,
    summary: 'End a suspension before its time; for admins, audited',
    ...forPeople,
    request: { params: IdParam },
    responses: now,
  }),
  async (c) => passJson(c, await unsuspend(c.var.user, c.req.valid('param').id), 200),
)
