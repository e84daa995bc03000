import type { TransactionSql } from 'postgres'
import type { DemoComment } from './comments.ts'
import type { DemoConversation } from './conversations.ts'
import type { Fan } from './fans.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import { idOf } from './numbers.ts'
import type { DemoPost } from './posts.ts'
import { newcomers, newcomersComments, newcomersMessages, newcomersPosts } from './texts/newcomers.ts'

const [minute, day] = [60_000, 86_400_000]

/** As quiet as fans are: neither found nor suggested. */
export const makeNewcomers = (): Fan[] =>
  newcomers.map(({ username, name, joined, bio = '' }) => ({
    username,
    name,
    bio,
    joined,
    discoverable: false,
    inDirectory: false,
    noPicture: true,
    age: null,
    country: null,
  }))

export const makeNewcomersPosts = (now: Date): DemoPost[] =>
  newcomersPosts.map(({ name, author, age, text }) => ({
    id: idOf('post', name),
    author,
    content: text,
    pictured: false,
    at: new Date(now.getTime() - age * day),
  }))

export const makeNewcomersComments = (now: Date): DemoComment[] =>
  newcomersComments.map(({ name, author, post, age, text }) => ({
    id: idOf('comment', name),
    post: idOf('post', post),
    author,
    parent: null,
    content: text,
    at: new Date(now.getTime() - age * day),
  }))

/** One minute from line to line; nobody answered. */
export const makeNewcomersTalks = (now: Date): DemoConversation[] =>
  newcomersMessages.map(({ from, to, age, lines }) => ({
    id: idOf('conversation', `${from} ${to}`),
    between: [from, to],
    messages: lines.map((content, index) => ({
      id: idOf('message', `${from} ${to} ${index}`),
      sender: from,
      receiver: to,
      seq: index + 1,
      content,
      at: new Date(now.getTime() - age * day + index * minute),
      reactions: [],
      pictured: false,
      version: 0,
    })),
    unread: 0,
    changes: 0,
  }))

/** What they say of themselves, and when they changed what they wrote. */
export async function updateNewcomers(tx: TransactionSql, now: Date): Promise<void> {
  const said = newcomers.map(({ username, bio }) => ({ id: uidOf(username), bio: bio ?? null }))
  await tx`
    update public.profile_details d set bio = r.bio
    from jsonb_to_recordset(${rowsOf(said)}::text::jsonb) as r (id uuid, bio text) where d.user_id = r.id`
  const edits = newcomersPosts.flatMap(({ name, edited }) =>
    edited === undefined ? [] : [{ id: idOf('post', name), at: new Date(now.getTime() - edited * day) }],
  )
  await tx`
    update public.posts p set edited_at = r.at
    from jsonb_to_recordset(${rowsOf(edits)}::text::jsonb) as r (id uuid, at timestamptz) where p.id = r.id`
}
