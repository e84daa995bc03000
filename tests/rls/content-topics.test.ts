import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  type Visibility,
} from './database.ts'
import { insertComment, moderateSubject } from './moderation-helpers.ts'
import { insertPremiumPost } from './payment-helpers.ts'
import { subscribe } from './subscription-helpers.ts'

const viewers = ['visitor', 'stranger', 'follower', 'subscriber', 'blocked', 'owner', 'admin'] as const
type Viewer = (typeof viewers)[number]

const postTopic = (id: string) => `post:${id}`
const profileTopic = ({ id }: SessionUser) => `profile:${id}`

/** Returns whether a user may read or write a topic. Checks this as Realtime does, by reading or inserting a row. */
async function hasAccess(
  user: SessionUser | null,
  topic: string,
  action: 'read' | 'write',
): Promise<boolean> {
  const id = randomUUID()
  const role = user ? 'authenticated' : 'anon'
  const claims = user ? { sub: user.id, role, session_id: user.sessionId } : { role }
  let allowed = false
  await sql
    .begin(async (tx) => {
      if (action === 'read')
        await tx`insert into realtime.messages (id, topic, extension) values (${id}, ${topic}, 'broadcast')`
      await tx`select set_config('role', ${role}, true), set_config('realtime.topic', ${topic}, true),
        set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
        set_config('request.jwt.claim.sub', ${user?.id ?? ''}, true)`
      const rows = await (action === 'write'
        ? tx`insert into realtime.messages (topic, extension) values (${topic}, 'broadcast')`
        : tx`select from realtime.messages where id = ${id}`)
      allowed = rows.count > 0
      throw new Error('roll back')
    })
    .catch(() => undefined)
  return allowed
}

/** Deletes the events on a topic and returns them in order, without their IDs. */
async function takeEvents(topic: string): Promise<[string, unknown][]> {
  const rows = await sql<{ event: string; payload: Record<string, unknown> }[]>`
    with taken as (delete from realtime.messages where topic = ${topic} returning inserted_at, event, payload)
    select event, payload - 'id' as payload from taken order by inserted_at`
  return rows.map(({ event, payload }) => [event, payload])
}

let owner: SessionUser
let users: Record<Viewer, SessionUser | null>

/** Creates an owner with this profile visibility, and a user of each other kind. Sets `owner` and `users`. */
async function createViewers(visibility: Visibility) {
  const [stranger, follower, subscriber, blocked, admin] = await Promise.all([
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser({ admin: true }),
  ])
  owner = await insertUser({ creator: true })
  users = { visitor: null, stranger, follower, subscriber, blocked, owner, admin }
  await insertFollow(follower, owner)
  await subscribe(subscriber, owner)
  await insertBlock(owner, blocked)
  await sql`update public.profiles set visibility = ${visibility} where id = ${owner.id}`
}

/** Returns the viewers who can read a topic. */
async function listReaders(topic: string): Promise<Viewer[]> {
  const access = await Promise.all(viewers.map((viewer) => hasAccess(users[viewer], topic, 'read')))
  return viewers.filter((_, index) => access[index])
}

describe('the topics of posts and profiles', () => {
  const publicReaders: Viewer[] = ['stranger', 'follower', 'subscriber', 'owner', 'admin']

  it('can be read by users who can see the post and the profile', async () => {
    const expected: Record<Visibility, Viewer[]> = {
      public: publicReaders,
      followers: ['follower', 'owner', 'admin'],
      private: ['owner', 'admin'],
    }
    for (const visibility of ['public', 'followers', 'private'] as const) {
      await createViewers(visibility)
      const topics = [
        profileTopic(owner),
        postTopic(await insertPost(owner)),
        postTopic(await insertPremiumPost(owner, 5)),
      ]
      for (const topic of topics)
        expect([topic, await listReaders(topic)]).toEqual([topic, expected[visibility]])
    }
  })

  it('can be read only by the author once the post is hidden, and by nobody once it is removed', async () => {
    await createViewers('public')
    const admin = users.admin as SessionUser
    const expected = { hide: ['owner'], remove: [] }
    for (const decision of ['hide', 'remove'] as const) {
      const postId = await insertPost(owner)
      expect(await listReaders(postTopic(postId))).toEqual(publicReaders)
      await moderateSubject(admin, 'post', postId, decision)
      expect(await listReaders(postTopic(postId))).toEqual(expected[decision])
    }
  })

  it('are read-only, and require an active session, a known prefix and the well-formed ID of an existing post or profile', async () => {
    await createViewers('public')
    const topics = [profileTopic(owner), postTopic(await insertPost(owner))]
    for (const topic of topics) {
      for (const viewer of viewers)
        expect([topic, viewer, await hasAccess(users[viewer], topic, 'write')]).toEqual([
          topic,
          viewer,
          false,
        ])
      expect(await hasAccess({ ...owner, sessionId: randomUUID() }, topic, 'read')).toBe(false)
    }
    const id = owner.id
    for (const topic of [
      `post:${id}`,
      `post:${randomUUID()}`,
      `profile:${randomUUID()}`,
      `profile:${id.toUpperCase()}`,
      `profile:${id}:`,
      `profile: ${id}`,
      `profile`,
      'post:',
      `post:' or true --`,
      `access:${id}`,
      `profiles:${id}`,
    ])
      expect([topic, await hasAccess(owner, topic, 'read')]).toEqual([topic, false])
  })
})

describe('events about posts and profiles', () => {
  let author: SessionUser
  let fan: SessionUser
  let admin: SessionUser

  beforeAll(async () => {
    ;[author, fan, admin] = await Promise.all([
      insertUser({ creator: true }),
      insertUser(),
      insertUser({ admin: true }),
    ])
  })

  it('report each like, comment and repost in one event that contains only the new counts', async () => {
    const postId = await insertPost(author)
    const toggleLike = () => runAs(fan, (tx) => tx`select public.toggle_like(${postId})`)
    await toggleLike()
    expect(await takeEvents(postTopic(postId))).toEqual([['likes.changed', { likesCount: 1 }]])
    await runAs(fan, (tx) => tx`select private.set_reposted(${postId}, true)`)
    expect(await takeEvents(postTopic(postId))).toEqual([['reposts.changed', { repostsCount: 1 }]])
    const commentId = await insertComment(fan, postId, 'Secret text')
    const replyId = await insertComment(author, postId, 'Another one', commentId)
    await toggleLike()
    await moderateSubject(admin, 'comment', replyId, 'hide')
    await runAs(author, (tx) => tx`select private.delete_comment(${commentId})`)
    expect(await takeEvents(postTopic(postId))).toEqual([
      ['comments.changed', { likesCount: 1, commentsCount: 1 }],
      ['comments.changed', { likesCount: 1, commentsCount: 2 }],
      ['likes.changed', { likesCount: 0 }],
      ['comments.changed', { likesCount: 0, commentsCount: 1 }],
      ['comments.changed', { likesCount: 0, commentsCount: 0 }],
    ])
  })

  it('report that a post was edited, hidden or deleted, but do not include its content', async () => {
    const postId = await insertPremiumPost(author, 5)
    await takeEvents(profileTopic(author))
    await runAs(
      author,
      (tx) => tx`select private.edit_post(${postId}, '{"content": "Paid secret", "premiumPrice": 7}')`,
    )
    await moderateSubject(admin, 'post', postId, 'hide')
    await sql`delete from public.posts where id = ${postId}`
    expect(await takeEvents(postTopic(postId))).toEqual([
      ['post.changed', {}],
      ['access.changed', {}],
      ['post.deleted', {}],
    ])
    expect((await takeEvents(profileTopic(author))).filter(([event]) => event === 'posts.changed')).toEqual([
      ['posts.changed', {}],
      ['posts.changed', {}],
    ])
  })

  it('report a change to a quote when the quoted post is hidden, restored or deleted', async () => {
    const [quotedId, quoteId] = [await insertPost(author), randomUUID()]
    await runAs(
      fan,
      (tx) =>
        tx`select private.publish_quote(${quotedId}, ${quoteId}, 'Look', null, null, null, null, null, null)`,
    )
    await moderateSubject(admin, 'post', quotedId, 'hide')
    await sql`update public.posts set hidden = null where id = ${quotedId}`
    await sql`delete from public.posts where id = ${quotedId}`
    expect(await takeEvents(postTopic(quoteId))).toEqual(Array(3).fill(['post.changed', {}]))
  })

  it('report new posts, new counts and other changes to a profile, but not counts that the user hides', async () => {
    const events = async () => (await takeEvents(profileTopic(author))).map(([event]) => event)
    await events()
    await insertPost(author)
    expect((await events()).sort()).toEqual(['counts.changed', 'post.created'])
    await insertFollow(fan, author)
    expect(await events()).toEqual(['counts.changed'])
    await sql`update public.profiles set show_follower_count = false where id = ${author.id}`
    expect(await events()).toEqual(['profile.changed'])
    await sql`delete from public.follows where follower_id = ${fan.id}`
    expect(await events()).toEqual([])
    await sql`update public.profile_details set bio = 'New' where user_id = ${author.id}`
    expect(await events()).toEqual(['profile.changed'])
  })

  it('trigger an access check on the topics of a profile and its posts when the profile becomes less visible', async () => {
    const other = await insertUser()
    const topics = [
      profileTopic(other),
      postTopic(await insertPost(other)),
      postTopic(await insertPost(other)),
    ]
    const countAccessChecks = async () => {
      const taken = await Promise.all(topics.map(takeEvents))
      return taken.map((events) => events.filter(([event]) => event === 'access.changed').length)
    }
    const setVisibility = (visibility: Visibility) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${other.id}`
    await setVisibility('private')
    expect(await countAccessChecks()).toEqual([1, 1, 1])
    await setVisibility('public')
    expect(await countAccessChecks()).toEqual([0, 0, 0])
  })

  it('trigger an access check for users who lose access through a block, an unfollow or the removal of the admin role', async () => {
    const [ana, ben] = await Promise.all([insertUser({ visibility: 'followers' }), insertUser()])
    const countAccessChecks = async () =>
      Promise.all([ana, ben].map(async ({ id }) => (await takeEvents(`access:${id}`)).length))
    await insertFollow(ben, ana)
    expect(await countAccessChecks()).toEqual([0, 0])
    await sql`delete from public.follows where follower_id = ${ben.id}`
    expect(await countAccessChecks()).toEqual([0, 1])
    await insertBlock(ana, ben)
    expect(await countAccessChecks()).toEqual([1, 1])
    await sql`update public.profiles set is_admin = true where id = ${ben.id}`
    await sql`update public.profiles set is_admin = false where id = ${ben.id}`
    expect(await countAccessChecks()).toEqual([0, 1])
  })
})
