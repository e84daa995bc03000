import { randomUUID } from 'node:crypto'
import { Count } from '@contract/common.ts'
import { ChatMessage } from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import { LikeAnswer, Post } from '@contract/post.ts'
import { FollowAnswer, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { as } from '../support/api.ts'
import { createPeople, type Person } from '../support/people.ts'

const Notifications = z.array(Notification)
const visitor = as(null)
let receiver: Person
let actor: Person

beforeAll(async () => {
  ;({ receiver, actor } = await createPeople('receiver', 'actor'))
})

const list = async (person: Person) => (await as(person).get('/api/notifications', Notifications)).body
const unread = async (person: Person) =>
  (await as(person).get('/api/notifications/unread-count', Count)).body.count

describe('notifications', () => {
  it('tell of each kind of event, in words, with whom and where to', async () => {
    const post = (await as(receiver).post('/api/posts', Post, { content: 'Hello' }, 201)).body
    await as(actor).post(`/api/posts/${post.id}/like`, LikeAnswer)
    await as(actor).post('/api/messages', ChatMessage, { receiverId: receiver.id, content: 'Hi' }, 201)
    await as(actor).post(`/api/users/${receiver.id}/follow`, FollowAnswer)
    await as(actor).post(`/api/users/${receiver.id}/follow`, FollowAnswer)
    await as(receiver).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
    await as(actor).post(`/api/users/${receiver.id}/follow`, FollowAnswer)
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
    await as(receiver).done('POST', `/api/user/follow-requests/${actor.id}/accept`)
    expect((await list(actor)).map(({ kind, message }) => ({ kind, message }))).toEqual([
      { kind: 'follow_accepted', message: 'Test Person accepted your follow request.' },
    ])
    expect(await list(actor)).toHaveLength(await unread(actor))
  })

  it('are read one by one, each once, by their receiver', async () => {
    const [first, ...others] = await list(receiver)
    expect(await unread(receiver)).toBe(others.length + 1)
    await as(actor).refused('POST', `/api/notifications/${first?.id}/read`, 404)
    for (const time of [1, 2]) {
      const { body } = await as(receiver).post(`/api/notifications/${first?.id}/read`, Count)
      expect([time, body]).toEqual([time, { count: others.length }])
    }
    expect((await list(receiver)).map(({ isRead }) => isRead)).toEqual([true, ...others.map(() => false)])
    expect(await unread(receiver)).toBe(others.length)
  })

  it('come page by page', async () => {
    const paged = await as(receiver).all('/api/notifications?limit=1', Notifications)
    expect(paged).toEqual(await list(receiver))
  })

  it('are one’s own', async () => {
    await visitor.refused('GET', '/api/notifications', 401)
    await visitor.refused('GET', '/api/notifications/unread-count', 401)
    await visitor.refused('POST', `/api/notifications/${randomUUID()}/read`, 401)
    const body = await as(receiver).refused('POST', `/api/notifications/${randomUUID()}/read`, 404)
    expect(body.message).toBe('Notification not found')
  })
})
