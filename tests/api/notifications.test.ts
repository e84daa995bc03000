import { randomUUID } from 'node:crypto'
import { Comment } from '@contract/comment.ts'
import { Count } from '@contract/common.ts'
import { ChatMessage, ReactionsResponse } from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import { LikeResponse, Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Notifications = z.array(Notification)
const visitor = apiAs(null)
let receiver: TestUser
let actor: TestUser

beforeAll(async () => {
  ;({ receiver, actor } = await createUsers('receiver', 'actor'))
})

const list = async (person: TestUser) => (await apiAs(person).get('/api/notifications', Notifications)).body
const unread = async (person: TestUser) =>
  (await apiAs(person).get('/api/notifications/unread-count', Count)).body.count

describe('notifications', () => {
  it('tell of each kind of event, in words, with whom and where to', async () => {
    const post = (await apiAs(receiver).post('/api/posts', Post, { content: 'Hello' }, 201)).body
    await apiAs(actor).post(`/api/posts/${post.id}/like`, LikeResponse)
    await apiAs(actor).post('/api/messages', ChatMessage, { receiverId: receiver.id, content: 'Hi' }, 201)
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    await apiAs(receiver).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    const told = await list(receiver)
    expect(told.map(({ kind, title, message, href }) => ({ kind, title, message, href }))).toEqual([
      {
        kind: 'follow_request',
        title: 'Follow request',
        message: 'Test Person asked to follow you.',
        href: `/profile/${actor.username}`,
      },
      {
        kind: 'message',
        title: 'New message',
        message: 'Test Person sent you a message.',
        href: `/messages?user=${actor.id}`,
      },
      {
        kind: 'like',
        title: 'New like',
        message: 'Test Person liked your post.',
        href: `/post/${post.id}`,
      },
    ])
    expect(told.every(({ relatedUser, isRead }) => relatedUser?.id === actor.id && !isRead)).toBe(true)
    await apiAs(receiver).expectNoContent('POST', `/api/user/follow-requests/${actor.id}/accept`)
    expect((await list(actor)).map(({ kind, message }) => ({ kind, message }))).toEqual([
      { kind: 'follow_accepted', message: 'Test Person accepted your follow request.' },
    ])
    expect(await list(actor)).toHaveLength(await unread(actor))
  })

  it('are read one by one, each once, by their receiver', async () => {
    const [first, ...others] = await list(receiver)
    expect(await unread(receiver)).toBe(others.length + 1)
    await apiAs(actor).expectError('POST', `/api/notifications/${first?.id}/read`, 404)
    for (const time of [1, 2]) {
      const { body } = await apiAs(receiver).post(`/api/notifications/${first?.id}/read`, Count)
      expect([time, body]).toEqual([time, { count: others.length }])
    }
    expect((await list(receiver)).map(({ isRead }) => isRead)).toEqual([true, ...others.map(() => false)])
    expect(await unread(receiver)).toBe(others.length)
  })

  it('come page by page', async () => {
    const paged = await apiAs(receiver).getAllPages('/api/notifications?limit=1', Notifications)
    expect(paged).toEqual(await list(receiver))
  })

  it('are one’s own', async () => {
    await visitor.expectError('GET', '/api/notifications', 401)
    await visitor.expectError('GET', '/api/notifications/unread-count', 401)
    await visitor.expectError('POST', `/api/notifications/${randomUUID()}/read`, 401)
    const body = await apiAs(receiver).expectError('POST', `/api/notifications/${randomUUID()}/read`, 404)
    expect(body.message).toBe('Notification not found')
  })
})

describe('notifications of what was said', () => {
  let author: TestUser
  let fan: TestUser
  let third: TestUser
  let foe: TestUser
  beforeAll(async () => {
    ;({ author, fan, third, foe } = await createUsers('author', 'fan', 'third', 'foe'))
    await sql`update public.profiles set is_creator = true where id = ${author.id}`
    await apiAs(author).patch('/api/settings/notifications', OwnUser, { groupNotifications: false })
    await apiAs(author).post(`/api/users/${foe.id}/block`, BlockResponse)
  })

  const publish = async (fields: Record<string, unknown>) =>
    (await apiAs(author).post('/api/posts', Post, fields, 201)).body.id
  const say = async (who: TestUser, post: string, content: string, parentCommentId?: string) =>
    (await apiAs(who).post(`/api/posts/${post}/comments`, Comment, { content, parentCommentId }, 201)).body.id
  /** What somebody is told of a post, the oldest first. */
  const toldOf = async (who: TestUser, post: string) =>
    (await list(who))
      .filter(({ href }) => href.startsWith(`/post/${post}`))
      .map(({ title, message, href }) => [title, message.replace('Test Person ', ''), href])
      .reverse()

  it('lead to the comment, and each person hears of it once', async () => {
    const post = await publish({ content: `Look, @${third.username.toUpperCase()} and @${author.username}!` })
    const first = await say(fan, post, `Great, @${author.username}, @${fan.username}`)
    await say(author, post, `Thanks @${fan.username}`, first)
    await say(third, post, `@${fan.username} @${author.username} indeed`, first)
    const alone = await say(fan, post, `@${third.username} @${third.username} @nobody_of_this_name`)
    const link = (comment: string) => `/post/${post}#comment-${comment}`
    expect(await toldOf(author, post)).toEqual([
      ['New comment', 'commented on your post.', link(first)],
      // What is in a reply is found under what it replies to.
      ['New comment', 'commented on your post.', link(first)],
      ['New comment', 'commented on your post.', link(alone)],
    ])
    expect(await toldOf(fan, post)).toEqual([
      ['New reply', 'replied to your comment.', link(first)],
      ['New reply', 'replied to your comment.', link(first)],
    ])
    expect(await toldOf(third, post)).toEqual([
      ['New mention', 'mentioned you in a post.', `/post/${post}`],
      ['New mention', 'mentioned you in a comment.', link(alone)],
    ])
    // What is deleted is told of no more, nor are its replies.
    const before = await unread(fan)
    await apiAs(fan).expectNoContent('DELETE', `/api/comments/${first}`)
    expect([await toldOf(fan, post), await unread(fan)]).toEqual([[], before - 2])
    expect(await toldOf(author, post)).toHaveLength(1)
  })

  it('of a mention come when it is written later, once', async () => {
    const post = await publish({ content: 'Nobody is named here' })
    for (const content of [`Now @${fan.username} is`, `And @${fan.username} still`]) {
      await apiAs(author).patch(`/api/posts/${post}`, Post, { content })
    }
    expect(await toldOf(fan, post)).toEqual([['New mention', 'mentioned you in a post.', `/post/${post}`]])
  })

  it('do not reach who may not read it, nor tell of what is paid for', async () => {
    const everybody = `@${fan.username} @${third.username} @${foe.username} mail@${fan.username} x@${third.username}`
    const sold = await publish({
      content: `Hidden, @${third.username}`,
      teaser: `For @${fan.username}`,
      isPremium: true,
      premiumPrice: 2,
    })
    expect([await toldOf(fan, sold), await toldOf(third, sold)]).toEqual([
      [['New mention', 'mentioned you in a post.', `/post/${sold}`]],
      [],
    ])
    await apiAs(author).patch(`/api/posts/${sold}`, Post, { content: `Hidden still, @${third.username}` })
    await apiAs(fan).post(`/api/posts/${sold}/unlock`, UnlockResponse, { amount: 2 })
    // A comment of a locked post is for those who paid.
    const paid = await say(author, sold, everybody)
    expect(await toldOf(third, sold)).toEqual([])
    expect((await toldOf(fan, sold)).at(-1)).toEqual([
      'New mention',
      'mentioned you in a comment.',
      `/post/${sold}#comment-${paid}`,
    ])
    expect((await toldOf(author, sold)).at(-1)).toEqual([
      'Post unlocked',
      'unlocked your post.',
      `/post/${sold}`,
    ])

    await sql`update public.profiles set visibility = 'followers' where id = ${author.id}`
    await sql`insert into public.follows (follower_id, followee_id) values (${third.id}, ${author.id})`
    const shown = await publish({ content: everybody })
    expect((await toldOf(third, shown)).map(([title]) => title)).toEqual(['New mention'])
    for (const one of [fan, foe]) expect(await toldOf(one, shown)).toEqual([])
    // Who was answered, but no longer sees the post, is not told either.
    const post = await publish({ content: 'For followers' })
    const asked = await say(third, post, 'May I?')
    await sql`delete from public.follows where follower_id = ${third.id}`
    await say(author, post, `Yes @${third.username}`, asked)
    expect(await toldOf(third, post)).toEqual([])
    const [stored] = await sql`
      select count(*)::int as told from public.notifications where user_id = ${foe.id} and actor_id = ${author.id}`
    expect(stored?.told).toBe(0)
  })
})

describe('notifications in groups', () => {
  const path = '/api/settings/notifications'
  let star: TestUser
  let ana: TestUser
  let others: TestUser[]
  beforeAll(async () => {
    const made = await createUsers('star', 'ana', 'bea', 'cem')
    ;({ star, ana } = made)
    others = [made.bea, made.cem]
    await sql`update public.profiles set first_name = 'Ana', last_name = null where id = ${ana.id}`
  })

  it('are one, with the latest of them and a number; ungrouped each is its own', async () => {
    const post = (await apiAs(star).post('/api/posts', Post, { content: 'Hello' }, 201)).body.id
    for (const fan of others) await apiAs(fan).post(`/api/posts/${post}/like`, LikeResponse)
    await apiAs(ana).post(`/api/posts/${post}/like`, LikeResponse)
    for (const fan of [...others, ana]) await apiAs(fan).post(`/api/users/${star.id}/follow`, FollowResponse)
    await apiAs(others[1] ?? ana).post(`/api/users/${star.id}/follow`, FollowResponse)
    const told = await list(star)
    expect(
      told.map(({ message, othersCount, relatedUser }) => [message, othersCount, relatedUser?.id]),
    ).toEqual([
      ['Ana and 1 other started following you.', 1, ana.id],
      ['Ana and 2 others liked your post.', 2, ana.id],
    ])
    expect(await unread(star)).toBe(2)

    const { body } = await apiAs(star).patch(path, OwnUser, { groupNotifications: false })
    expect(body.notificationSettings.groupNotifications).toBe(false)
    const single = await list(star)
    expect(single.map(({ kind, othersCount }) => [kind, othersCount])).toEqual([
      ['follow', 0],
      ['follow', 0],
      ['like', 0],
      ['like', 0],
      ['like', 0],
    ])
    expect(await unread(star)).toBe(5)
    expect(await apiAs(star).getAllPages('/api/notifications?limit=2', Notifications)).toEqual(single)
    await apiAs(star).patch(path, OwnUser, { groupNotifications: true })
    expect([await list(star), await unread(star)]).toEqual([told, 2])
    expect(await apiAs(star).getAllPages('/api/notifications?limit=1', Notifications)).toEqual(told)
  })

  it('are read as one, on two pages at once; and all of them at once', async () => {
    const [follows, likes] = await list(star)
    const read = () => apiAs(star).post(`/api/notifications/${likes?.id}/read`, Count)
    expect((await Promise.all([read(), read(), read()])).map(({ body }) => body.count)).toEqual([1, 1, 1])
    expect((await list(star)).map(({ isRead }) => isRead)).toEqual([false, true])
    await apiAs(star).patch(path, OwnUser, { groupNotifications: false })
    expect(await unread(star)).toBe(2)
    await apiAs(ana).expectError('POST', `/api/notifications/${follows?.id}/read`, 404)
    expect((await apiAs(star).post(`/api/notifications/${follows?.id}/read`, Count)).body).toEqual({
      count: 1,
    })
    await apiAs(star).patch(path, OwnUser, { groupNotifications: true })
    for (const _ of [1, 2]) {
      expect((await apiAs(star).post('/api/notifications/read-all', Count)).body).toEqual({ count: 0 })
    }
    expect((await list(star)).every(({ isRead }) => isRead)).toBe(true)
    await visitor.expectError('POST', '/api/notifications/read-all', 401)
  })

  it('have words and a place for what comes without a post, too', async () => {
    await sql`delete from public.notifications where user_id = ${star.id}`
    const tell = (kind: string, actor: string | null, said: string | null) =>
      sql`select private.notify_person(${star.id}, ${actor}, ${kind}, said => ${said})`
    await tell('admin', null, 'Your picture was removed.')
    await tell('sign_in', null, 'Chrome on Linux')
    await tell('tip', ana.id, null)
    await tell('subscription', ana.id, null)
    const sent = await apiAs(star).post(
      '/api/messages',
      ChatMessage,
      { receiverId: ana.id, content: 'Hi' },
      201,
    )
    await apiAs(ana).post(`/api/messages/${sent.body.id}/reactions`, ReactionsResponse, { emoji: '🔥' })
    const told = await list(star)
    expect(told.map(({ title, message, href }) => [title, message, href])).toEqual([
      ['New reaction', 'Ana reacted to your message.', `/messages?user=${ana.id}`],
      ['New subscriber', 'Ana subscribed to you.', `/profile/${ana.username}`],
      ['New tip', 'Ana sent you a tip.', `/profile/${ana.username}`],
      ['New sign-in', 'New sign-in to your account from Chrome on Linux.', '/settings?tab=security'],
      ['A message from the team', 'Your picture was removed.', '/notifications'],
    ])
    expect(told.map(({ relatedUser }) => relatedUser?.id ?? null)).toEqual([
      ana.id,
      ana.id,
      ana.id,
      null,
      null,
    ])
  })
})
