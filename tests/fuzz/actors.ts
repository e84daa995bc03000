import type postgres from 'postgres'
import type { Connection } from '../support/connection.ts'
import { createPng, fileForm } from '../support/media-files.ts'
import { createStackUser } from '../support/stack-users.ts'
import type { TestUser } from '../support/users.ts'

/** The users who send the requests, and the IDs of their resources. */
export interface Actors {
  users: Record<'user' | 'creator' | 'admin', TestUser>
  /** The IDs, keyed by the path segment that precedes them, such as `posts`. */
  ids: Record<string, string[]>
  mediaUrls: string[]
}

/** Creates the users and, through the API, a few resources of each kind. */
export async function createActors(connection: Connection, sql: postgres.Sql): Promise<Actors> {
  const [user, creator, admin] = await Promise.all([
    createStackUser(connection, sql),
    createStackUser(connection, sql, { isCreator: true }),
    createStackUser(connection, sql, { isAdmin: true }),
  ])
  const send = async (sender: TestUser, path: string, body?: unknown): Promise<Record<string, string>> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${connection.apiUrl}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${sender.token}`,
        ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return await response.json()
  }
  const createImageForm = () => fileForm('image', createPng({ width: 40, height: 30 }))
  const posts = await Promise.all([
    send(user, '/api/posts', { content: 'First #post' }),
    send(creator, '/api/posts', { content: 'Free' }),
    send(creator, '/api/posts', { content: 'Paid', isPremium: true, premiumPrice: 2 }),
  ])
  const [userPost, creatorPost] = posts
  await send(user, `/api/users/${creator.id}/follow`)
  const [comment, message, upload] = await Promise.all([
    send(user, `/api/posts/${creatorPost?.id}/comments`, { content: 'A comment' }),
    send(user, '/api/messages', { receiverId: creator.id, content: 'A message' }),
    send(creator, '/api/upload', createImageForm()),
    send(user, `/api/users/${creator.id}/tip`, { amount: 80 }),
    send(creator, '/api/reports', { kind: 'post', id: userPost?.id, reason: 'spam' }),
  ])
  const select = async (query: string) =>
    (await sql.unsafe<{ id: string }[]>(query, [[user.id, creator.id, admin.id]])).map(({ id }) => id)
  const [tips, media, cases, notifications, sessions] = await Promise.all([
    select('select id from public.payments where payer_id = any($1::uuid[])'),
    select('select id from public.media where owner_id = any($1::uuid[])'),
    select(
      'select id from public.moderation_cases where $1::uuid[] is not null order by created_at desc limit 2',
    ),
    select('select id from public.notifications where user_id = any($1::uuid[])'),
    select('select id from auth.sessions where user_id = any($1::uuid[])'),
  ])
  return {
    users: { user, creator, admin },
    ids: {
      users: [user.id, creator.id, admin.id],
      posts: posts.map(({ id = '' }) => id),
      comments: [comment.id ?? ''],
      messages: [message.id ?? '', user.id, creator.id],
      topics: ['post'],
      'follow-requests': [user.id],
      tips,
      media,
      cases,
      notifications,
      sessions,
    },
    mediaUrls: [upload.imageUrl ?? ''],
  }
}
