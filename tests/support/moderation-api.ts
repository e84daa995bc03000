import {
  AdminCase,
  BulkDecisionResponse,
  type DecisionRequest,
  Report,
  type SubjectKind,
} from '@contract/moderation.ts'
import { Notification } from '@contract/notification.ts'
import { z } from 'zod'
import { apiAs, authorizationHeader, call, getStatus } from './api.ts'
import { stack } from './stack.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from './users.ts'

/**
 * Creates two admins (`boss`, `deputy`), a creator (`author`) and two users who report content (`fan`, `secondFan`).
 */
export async function createModerationUsers() {
  const users = await createUsers('boss', 'deputy', 'author', 'fan', 'secondFan')
  const { boss, deputy, author } = users
  await makeAdmin(boss, deputy)
  await makeCreator(author)
  return users
}

export const decisionReason = 'It breaks our rules'

export const reportContent = (
  user: TestUser,
  kind: SubjectKind,
  id: string,
  extra: Record<string, unknown> = {},
  status = 201,
) => apiAs(user).post('/api/reports', Report, { kind, id, reason: 'spam', ...extra }, status)

/**
 * Returns the moderation cases about a user, as an admin sees them.
 *
 * @param query more query parameters, starting with `&`
 */
export const listCases = (admin: TestUser, user: TestUser, query = '') =>
  apiAs(admin).getAllPages(`/api/admin/cases?personId=${user.id}${query}`, z.array(AdminCase))

export const decideCases = async (admin: TestUser, ids: string[], decision: DecisionRequest) =>
  (await apiAs(admin).post('/api/admin/cases/decide', BulkDecisionResponse, { ids, decision })).body

/** Applies a decision to content or a user. No report is necessary. */
export const moderateContent = async (
  admin: TestUser,
  kind: SubjectKind,
  id: string,
  decision: DecisionRequest,
) => (await apiAs(admin).post('/api/admin/moderate', AdminCase, { kind, id, decision })).body

/** Returns the title, message, link and details of a user's notifications of one kind, newest first. */
export const listNotifications = async (user: TestUser, kind: string) =>
  (await apiAs(user).getAllPages('/api/notifications', z.array(Notification)))
    .filter((notification) => notification.kind === kind)
    .map(({ title, message, href, details }) => ({ title, message, href, details }))

/** Returns the HTTP status that each viewer gets for a post. */
export const getPostStatuses = (viewers: (TestUser | null)[], id: string) =>
  Promise.all(viewers.map((viewer) => getStatus(viewer, `/api/posts/${id}`)))

/** Returns how many rows a Data API query returns for a user. */
export async function countDataApiRows(user: TestUser, query: string): Promise<number> {
  const response = await call('GET', `/rest/v1/${query}`, {
    headers: { apikey: stack.publishableKey, ...authorizationHeader(user) },
  })
  return z.array(z.unknown()).parse(await response.json()).length
}
