import { Comment } from '@contract/comment.ts'
import { ChatMessage } from '@contract/message.ts'
import { AdminCase, BulkDecisionAnswer, type DecisionRequest, Report } from '@contract/moderation.ts'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { z } from 'zod'
import { as, call } from './api.ts'
import { createPeople, type Person } from './people.ts'
import { sql, stack } from './stack.ts'

/** Two admins, a creator and two who report. */
export async function moderated() {
  const people = await createPeople('boss', 'deputy', 'author', 'fan', 'second')
  const { boss, deputy, author } = people
  await sql`update public.profiles set is_admin = true where id = any (${[boss.id, deputy.id]})`
  await sql`update public.profiles set is_creator = true where id = ${author.id}`
  return people
}

export const reason = 'It breaks our rules'
type Kind = 'post' | 'comment' | 'message' | 'user'

export const publish = async (who: Person, content: string, extra: Record<string, unknown> = {}) =>
  (await as(who).post('/api/posts', Post, { content, ...extra }, 201)).body.id
export const remark = async (who: Person, on: string, content: string) =>
  (await as(who).post(`/api/posts/${on}/comments`, Comment, { content }, 201)).body.id
export const say = async (from: Person, to: Person, content: string) =>
  (await as(from).post('/api/messages', ChatMessage, { receiverId: to.id, content }, 201)).body.id

export const report = (
  who: Person,
  kind: Kind,
  id: string,
  more: Record<string, unknown> = {},
  status = 201,
) => as(who).post('/api/reports', Report, { kind, id, reason: 'spam', ...more }, status)
/** The cases about somebody, as an admin sees them. */
export const casesOf = (admin: Person, person: Person, query = '') =>
  as(admin).all(`/api/admin/cases?personId=${person.id}${query}`, z.array(AdminCase))
export const decide = async (admin: Person, ids: string[], decision: DecisionRequest) =>
  (await as(admin).post('/api/admin/cases/decide', BulkDecisionAnswer, { ids, decision })).body
export const moderate = async (admin: Person, kind: Kind, id: string, decision: DecisionRequest) =>
  (await as(admin).post('/api/admin/moderate', AdminCase, { kind, id, decision })).body

/** What somebody was notified of, the newest first. */
export const news = async (who: Person, kind: string) =>
  (await as(who).all('/api/notifications', z.array(Notification)))
    .filter((one) => one.kind === kind)
    .map(({ title, message, href }) => ({ title, message, href }))

const headersOf = (who: Person | null): Record<string, string> =>
  who ? { Authorization: `Bearer ${who.token}` } : {}
/** What an address answers somebody. */
export const statusOf = async (who: Person | null, address: string) =>
  (await call('GET', address, { headers: headersOf(who) })).status
export const readPost = (people: (Person | null)[], id: string) =>
  Promise.all(people.map((who) => statusOf(who, `/api/posts/${id}`)))
/** How many rows the Data API gives somebody. */
export async function restOf(who: Person, query: string): Promise<number> {
  const answer = await call('GET', `/rest/v1/${query}`, {
    headers: { apikey: stack.publishableKey, ...headersOf(who) },
  })
  return z.array(z.unknown()).parse(await answer.json()).length
}
