import { randomUUID } from 'node:crypto'
import { Comment } from '@contract/comment.ts'
import { Count } from '@contract/common.ts'
import { ChatMessage, ReactionsResponse, UnlockPhotoResponse } from '@contract/message.ts'
import { Notification, UnreadNotifications } from '@contract/notification.ts'
import { LikeResponse, Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createComment, createPost, sendMessage, subscribe } from '../support/content-api.ts'
import { tip } from '../support/creators.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Notifications = z.array(Notification)
const visitor = apiAs(null)
let receiver: TestUser
let actor: TestUser

beforeAll(async () => {
  ;({ receiver, actor } = await createUsers('receiver', 'actor'))
})

const list = async (user: TestUser) => (await apiAs(user).get('/api/notifications', Notifications)).body
const unread = async (user: TestUser) =>
  (await apiAs(user).get('/api/notifications/unread-count', Count)).body.count

describe('the notifications API', () => {
  it('returns the text, actor and link of each notification', async () => {
    const post = await createPost(receiver, 'Hello')
    await apiAs(actor).post(`/api/posts/${post.id}/like`, LikeResponse)
    await sendMessage(actor, receiver, 'Hi')
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    await apiAs(receiver).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
    await apiAs(actor).post(`/api/users/${receiver.id}/follow`, FollowResponse)
    const listed = await list(receiver)
    expect(listed.map(({ kind, title, message, href }) => ({ kind, title, message, href }))).toEqual([
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
    expect(listed.every(({ relatedUser, isRead }) => relatedUser?.id === actor.id && !isRead)).toBe(true)
    await apiAs(receiver).expectNoContent('POST', `/api/user/follow-requests/${actor.id}/accept`)
    expect((await list(actor)).map(({ kind, message }) => ({ kind, message }))).toEqual([
      { kind: 'follow_accepted', message: 'Test Person accepted your follow request.' },
    ])
    expect(await list(actor)).toHaveLength(await unread(actor))
  })

  it('marks a notification as read once, for the recipient only', async () => {
    const [first, ...others] = await list(receiver)
    expect(await unread(receiver)).toBe(others.length + 1)
    await apiAs(actor).expectError('POST', `/api/notifications/${first?.id}/read`, 404)
    for (const attempt of [1, 2]) {
      const { body } = await apiAs(receiver).post(`/api/notifications/${first?.id}/read`, Count)
      expect([attempt, body]).toEqual([attempt, { count: others.length }])
    }
    expect((await list(receiver)).map(({ isRead }) => isRead)).toEqual([true, ...others.map(() => false)])
    expect(await unread(receiver)).toBe(others.length)
  })

  it('returns the same list page by page as in one response', async () => {
    const paged = await apiAs(receiver).getAllPages('/api/notifications?limit=1', Notifications)
    expect(paged).toEqual(await list(receiver))
  })

  it('lists only the notifications that match a filter, with cursors and offsets', async () => {
    const all = await list(receiver)
    const kindsOf = (notifications: Notification[]) => notifications.map(({ kind }) => kind)
    const filtered = async (filter: string) =>
      kindsOf((await apiAs(receiver).get(`/api/notifications?filter=${filter}`, Notifications)).body)
    expect([await filtered('likes'), await filtered('comments')]).toEqual([['like'], []])
    await sql`
      insert into public.notifications (user_id, actor_id, kind, detail)
      select ${receiver.id}, ${actor.id}, kind, '$5.00' from unnest(array['tip', 'subscription', 'tip']) kind`
    expect(await filtered('payments')).toEqual(['tip', 'subscription', 'tip'])
    const paged = await apiAs(receiver).getAllPages(
      '/api/notifications?filter=payments&limit=1',
      Notifications,
    )
    expect(kindsOf(paged)).toEqual(['tip', 'subscription', 'tip'])
    const { body } = await apiAs(receiver).get('/api/notifications?filter=payments&offset=1', Notifications)
    expect(body).toEqual(paged.slice(1))
    await sql`delete from public.notifications where user_id = ${receiver.id} and kind in ('tip', 'subscription')`
    expect(await list(receiver)).toEqual(all)
    for (const filter of ['', 'like', 'all']) {
      await apiAs(receiver).expectError('GET', `/api/notifications?filter=${filter}`, 400)
    }
  })

  it('rejects visitors and unknown notifications', async () => {
    await visitor.expectError('GET', '/api/notifications', 401)
    await visitor.expectError('GET', '/api/notifications/unread-count', 401)
    await visitor.expectError('GET', '/api/notifications/unread-count?byFilter=true', 401)
    await apiAs(receiver).expectError('GET', '/api/notifications/unread-count?byFilter=yes', 400)
    await visitor.expectError('POST', `/api/notifications/${randomUUID()}/read`, 401)
    const body = await apiAs(receiver).expectError('POST', `/api/notifications/${randomUUID()}/read`, 404)
    expect(body.message).toBe('Notification not found')
  })
})

describe('notifications about comments and mentions', () => {
  let author: TestUser
  let fan: TestUser
  let mentioned: TestUser
  let blockedUser: TestUser
  beforeAll(async () => {
    ;({ author, fan, mentioned, blockedUser } = await createUsers(
      'author',
      'fan',
      'mentioned',
      'blockedUser',
    ))
    await makeCreator(author)
    await apiAs(author).patch('/api/settings/notifications', OwnUser, { groupNotifications: false })
    await apiAs(author).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
  })

  const publish = async (fields: object) => (await createPost(author, fields)).id
  /** Returns a user's notifications about a post, oldest first. */
  const notificationsAbout = async (user: TestUser, postId: string) =>
    (await list(user))
      .filter(({ href }) => href.startsWith(`/post/${postId}`))
      .map(({ title, message, href }) => [title, message.replace('Test Person ', ''), href])
      .reverse()

  it('link to the comment, and reach each user at most once per comment', async () => {
    const postId = await publish({
      content: `Look, @${mentioned.username.toUpperCase()} and @${author.username}!`,
    })
    const { id: first } = await createComment(fan, postId, `Great, @${author.username}, @${fan.username}`)
    const { id: thanks } = await createComment(author, postId, `Thanks @${fan.username}`, first)
    const { id: indeed } = await createComment(
      mentioned,
      postId,
      `@${fan.username} @${author.username} indeed`,
      first,
    )
    const { id: separateComment } = await createComment(
      fan,
      postId,
      `@${mentioned.username} @${mentioned.username} @nobody_by_this_name`,
    )
    const link = (commentId: string) => `/post/${postId}#comment-${commentId}`
    expect(await notificationsAbout(author, postId)).toEqual([
      ['New comment', 'commented on your post.', link(first)],
      ['New comment', 'commented on your post.', link(indeed)],
      ['New comment', 'commented on your post.', link(separateComment)],
    ])
    expect(await notificationsAbout(fan, postId)).toEqual([
      ['New reply', 'replied to your comment.', link(thanks)],
      ['New reply', 'replied to your comment.', link(indeed)],
    ])
    expect(await notificationsAbout(mentioned, postId)).toEqual([
      ['New mention', 'mentioned you in a post.', `/post/${postId}`],
      ['New mention', 'mentioned you in a comment.', link(separateComment)],
    ])
    expect((await list(mentioned)).map(({ details }) => details)).toEqual([
      { mentionedIn: 'comment' },
      { mentionedIn: 'post' },
    ])
    // Deleting a comment deletes the notifications about the comment and about its replies.
    const before = await unread(fan)
    await apiAs(fan).expectNoContent('DELETE', `/api/comments/${first}`)
    expect([await notificationsAbout(fan, postId), await unread(fan)]).toEqual([[], before - 2])
    expect(await notificationsAbout(author, postId)).toHaveLength(1)
  })

  it('are sent once when an edit adds a mention', async () => {
    const postId = await publish({ content: 'Nobody is named here' })
    for (const content of [`Now @${fan.username} is`, `And @${fan.username} still`]) {
      await apiAs(author).patch(`/api/posts/${postId}`, Post, { content })
    }
    expect(await notificationsAbout(fan, postId)).toEqual([
      ['New mention', 'mentioned you in a post.', `/post/${postId}`],
    ])
  })

  it('do not reach users who cannot read the text, and reveal no premium content', async () => {
    const mentions = `@${fan.username} @${mentioned.username} @${blockedUser.username} mail@${fan.username} x@${mentioned.username}`
    const soldPost = await publish({
      content: `Hidden, @${mentioned.username}`,
      teaser: `For @${fan.username}`,
      isPremium: true,
      premiumPrice: 2,
    })
    expect([await notificationsAbout(fan, soldPost), await notificationsAbout(mentioned, soldPost)]).toEqual([
      [['New mention', 'mentioned you in a post.', `/post/${soldPost}`]],
      [],
    ])
    await apiAs(author).patch(`/api/posts/${soldPost}`, Post, {
      content: `Hidden still, @${mentioned.username}`,
    })
    await apiAs(fan).post(`/api/posts/${soldPost}/unlock`, UnlockResponse, { amount: 2 })
    // Of these users, only the fan has bought the post and can read the comment.
    const { id: paidComment } = await createComment(author, soldPost, mentions)
    expect(await notificationsAbout(mentioned, soldPost)).toEqual([])
    expect((await notificationsAbout(fan, soldPost)).at(-1)).toEqual([
      'New mention',
      'mentioned you in a comment.',
      `/post/${soldPost}#comment-${paidComment}`,
    ])
    expect((await notificationsAbout(author, soldPost)).at(-1)).toEqual([
      'Post unlocked',
      'unlocked your post.',
      `/post/${soldPost}`,
    ])

    await sql`update public.profiles set visibility = 'followers' where id = ${author.id}`
    await sql`insert into public.follows (follower_id, followee_id) values (${mentioned.id}, ${author.id})`
    const followersPost = await publish({ content: mentions })
    expect((await notificationsAbout(mentioned, followersPost)).map(([title]) => title)).toEqual([
      'New mention',
    ])
    for (const user of [fan, blockedUser]) expect(await notificationsAbout(user, followersPost)).toEqual([])
    // A reply does not notify a user who can no longer see the post.
    const postId = await publish({ content: 'For followers' })
    const { id: question } = await createComment(mentioned, postId, 'May I?')
    await sql`delete from public.follows where follower_id = ${mentioned.id}`
    await createComment(author, postId, `Yes @${mentioned.username}`, question)
    expect(await notificationsAbout(mentioned, postId)).toEqual([])
    const [stored] = await sql`
      select count(*)::int as count from public.notifications where user_id = ${blockedUser.id} and actor_id = ${author.id}`
    expect(stored?.count).toBe(0)
  })
})

describe('a notification', () => {
  let author: TestUser
  let fan: TestUser
  let follower: TestUser
  beforeAll(async () => {
    const users = await createUsers('author', 'fan', 'follower')
    ;({ author, fan, follower } = users)
    await makeCreator(author)
  })

  const postAbout = async (user: TestUser, postId: string) =>
    (await list(user)).find(({ href }) => href.startsWith(`/post/${postId}`))?.post
  const publish = async (fields: object) => (await createPost(author, fields)).id

  it('contains the start of its post for the author, but only the teaser for users without access', async () => {
    const premium = {
      isPremium: true,
      premiumPrice: 2,
      content: 'Paid words',
      teaser: `Free, @${fan.username}`,
    }
    const postId = await publish(premium)
    expect(await postAbout(fan, postId)).toEqual({
      id: postId,
      text: `Free, @${fan.username}`,
      imageUrl: null,
      placeholder: null,
    })
    await apiAs(follower).post(`/api/posts/${postId}/like`, LikeResponse)
    expect((await postAbout(author, postId))?.text).toBe('Paid words')
    const noTeaser = await publish({ ...premium, teaser: `@${fan.username}`, content: 'Still paid' })
    await apiAs(author).patch(`/api/posts/${noTeaser}`, Post, { teaser: null })
    expect((await postAbout(fan, noTeaser))?.text).toBe('')
    // A buyer can read the post until the purchase is refunded.
    await apiAs(fan).post(`/api/posts/${postId}/unlock`, UnlockResponse, { amount: 2 })
    expect((await postAbout(fan, postId))?.text).toBe('Paid words')
    await sql`delete from public.unlocks where user_id = ${fan.id} and post_id = ${postId}`
    expect((await postAbout(fan, postId))?.text).toBe(`Free, @${fan.username}`)
  })

  it('no longer contains its post once the recipient cannot see the post', async () => {
    const long = `@${fan.username} ${'words '.repeat(50)}`
    const postId = await publish({ content: long })
    expect((await postAbout(fan, postId))?.text).toBe(long.slice(0, 140))
    await sql`update public.posts set hidden = 'hidden' where id = ${postId}`
    expect(await postAbout(fan, postId)).toBeNull()
    await sql`update public.posts set hidden = null where id = ${postId}`
    await sql`update public.profiles set visibility = 'private' where id = ${author.id}`
    expect(await postAbout(fan, postId)).toBeNull()
    await sql`update public.profiles set visibility = 'public' where id = ${author.id}`
    expect(await postAbout(fan, postId)).toMatchObject({ id: postId })
    await apiAs(author).post(`/api/users/${fan.id}/block`, BlockResponse)
    for (const { post: seen, actors, follower } of await list(fan)) {
      expect([seen, actors, follower]).toEqual([null, [], null])
    }
  })

  it('contains the start of its comment while the recipient can read the comment', async () => {
    const postId = await publish({ content: 'Premium', isPremium: true, premiumPrice: 2, teaser: 'Free' })
    await apiAs(follower).post(`/api/posts/${postId}/unlock`, UnlockResponse, { amount: 2 })
    const content = `@${follower.username} ${'words '.repeat(50)}`
    const commentId = (await createComment(author, postId, content)).id
    const commentText = async () =>
      (await list(follower)).find(({ href }) => href.endsWith(`#comment-${commentId}`))?.commentText
    expect(await commentText()).toBe(content.slice(0, 140))
    await sql`update public.comments set hidden = 'hidden' where id = ${commentId}`
    expect(await commentText()).toBeNull()
    await sql`update public.comments set hidden = null where id = ${commentId}`
    await sql`delete from public.unlocks where user_id = ${follower.id} and post_id = ${postId}`
    expect(await commentText()).toBeNull()
  })

  it('contains the comment that the recipient can like or reply to, unless the notification is about a like', async () => {
    const postId = await publish({ content: 'Answer here' })
    const commentPath = `/api/posts/${postId}/comments`
    const { id } = (await apiAs(follower).post(commentPath, Comment, { content: 'Question' }, 201)).body
    const notifiedComment = async (user: TestUser, commentId: string) =>
      (await list(user)).find(({ href }) => href.endsWith(`#comment-${commentId}`))?.comment
    const comment = { id, postId, parentCommentId: null, likesCount: 0, liked: false }
    expect(await notifiedComment(author, id)).toEqual(comment)
    await apiAs(author).post(`/api/comments/${id}/like`, LikeResponse)
    expect(await notifiedComment(author, id)).toEqual({ ...comment, likesCount: 1, liked: true })
    expect(await notifiedComment(follower, id)).toBeNull()
    const answer = { content: 'Answer', parentCommentId: id }
    const reply = (await apiAs(author).post(commentPath, Comment, answer, 201)).body
    expect(await notifiedComment(follower, reply.id)).toMatchObject({ id: reply.id, parentCommentId: id })
    await sql`update public.comments set hidden = 'hidden' where id = ${reply.id}`
    expect(await notifiedComment(follower, reply.id)).toBeNull()
  })

  it('does not contain the text of a reply to a user who has blocked the recipient', async () => {
    const { asker, replier } = await createUsers('asker', 'replier')
    const postId = await publish({ content: 'Open to all' })
    const addComment = async (user: TestUser, content: string, parentCommentId?: string) =>
      (await createComment(user, postId, content, parentCommentId)).id
    const reply = await addComment(
      replier,
      `Ask @${follower.username}`,
      await addComment(asker, 'Who knows?'),
    )
    const commentText = async () =>
      (await list(follower)).find(({ href }) => href.endsWith(`#comment-${reply}`))?.commentText
    expect(await commentText()).toBe(`Ask @${follower.username}`)
    await apiAs(asker).post(`/api/users/${follower.id}/block`, BlockResponse)
    expect(await commentText()).toBeNull()
  })

  it("about a new follower contains the follower and the recipient's follow status", async () => {
    const follow = () => apiAs(follower).post(`/api/users/${author.id}/follow`, FollowResponse)
    const followNotification = async () => (await list(author)).find(({ kind }) => kind === 'follow')
    await follow()
    expect(await followNotification()).toMatchObject({
      follower: { id: follower.id, followStatus: 'none', profileVisibility: 'public' },
      actors: [{ id: follower.id }],
    })
    await apiAs(author).post(`/api/users/${follower.id}/follow`, FollowResponse)
    expect((await followNotification())?.follower?.followStatus).toBe('following')
    expect((await list(follower)).find(({ kind }) => kind === 'follow')?.follower?.followStatus).toBe(
      'following',
    )
    expect(await list(fan)).not.toContainEqual(expect.objectContaining({ kind: 'follow' }))
  })
})

describe('notifications about sales', () => {
  it('tell only the seller what the buyers paid, not counting refunds', async () => {
    const { seller, ana, bea, cem } = await createUsers('seller', 'ana', 'bea', 'cem')
    await makeCreator(seller)
    const publish = async (premiumPrice: number) =>
      (await createPost(seller, { content: 'Paid', teaser: 'Free', isPremium: true, premiumPrice })).id
    const unlock = (user: TestUser, postId: string, amount: number) =>
      apiAs(user).post(`/api/posts/${postId}/unlock`, UnlockResponse, { amount })
    const [postId, other] = [await publish(7.5), await publish(100)]
    await unlock(ana, postId, 7.5)
    await apiAs(seller).patch(`/api/posts/${postId}`, Post, { premiumPrice: 9 })
    await unlock(bea, postId, 9)
    // Purchases of another post are not part of the group, even those by the same buyer.
    await unlock(ana, other, 100)
    await tip(ana, seller, 12.5, 'Not $3.00')
    await subscribe(cem, seller)
    await apiAs(cem).post(`/api/posts/${postId}/like`, LikeResponse)
    await apiAs(cem).post(`/api/users/${seller.id}/follow`, FollowResponse)
    const amounts = async (query = '') =>
      (await apiAs(seller).get(`/api/notifications${query}`, Notifications)).body.map(
        ({ kind, othersCount, amount }) => [kind, othersCount, amount],
      )
    const sales = [
      ['subscription', 0, 9.99],
      ['tip', 0, 12.5],
      ['unlock', 0, 100],
      ['unlock', 1, 16.5],
    ]
    expect(await amounts()).toEqual([['follow', 0, null], ['like', 0, null], ...sales])
    expect(await amounts('?filter=payments')).toEqual(sales)

    const notificationSettings = '/api/settings/notifications'
    await apiAs(seller).patch(notificationSettings, OwnUser, { groupNotifications: false })
    expect((await amounts('?filter=payments')).slice(2)).toEqual([
      ['unlock', 0, 100],
      ['unlock', 0, 9],
      ['unlock', 0, 7.5],
    ])
    await apiAs(seller).patch(notificationSettings, OwnUser, { groupNotifications: true })

    await sql`
      select private.refund_payment(id) from public.payments
      where payee_id = ${seller.id} and (kind = 'subscription' or payer_id = ${bea.id} or post_id = ${other})`
    expect((await amounts('?filter=payments')).map(([, , amount]) => amount)).toEqual([null, 12.5, null, 7.5])

    // Unlocked photos form one group, even if one buyer unlocked several.
    const unlockPhoto = async (price: number) => {
      const { imageUrl } = await uploadImage(seller)
      const photo = { receiverId: ana.id, imageUrl, price }
      const { id } = (await apiAs(seller).post('/api/messages', ChatMessage, photo, 201)).body
      await apiAs(ana).post(`/api/messages/${id}/unlock`, UnlockPhotoResponse, { amount: price })
    }
    const latest = async () => (await list(seller))[0]
    await unlockPhoto(5)
    expect(await latest()).toMatchObject({
      title: 'Photo unlocked',
      amount: 5,
      details: { unlocked: 'photo' },
    })
    await unlockPhoto(20)
    expect(await latest()).toMatchObject({
      title: 'Photos unlocked',
      message: 'Test Person unlocked your photos.',
      othersCount: 0,
      amount: 25,
      details: { unlocked: 'photos' },
    })
    await apiAs(seller).patch(notificationSettings, OwnUser, { groupNotifications: false })
    expect(await latest()).toMatchObject({ title: 'Photo unlocked', amount: 20 })
    await apiAs(seller).patch(notificationSettings, OwnUser, { groupNotifications: true })

    // The buyers get no amounts, not even in a notification from the seller about the same post.
    await sql`select private.create_notification(${ana.id}, ${seller.id}, 'unlock', ${postId})`
    for (const user of [ana, bea, cem]) {
      expect((await list(user)).map(({ amount }) => amount)).not.toContainEqual(expect.any(Number))
    }
  })
})

describe('notification groups', () => {
  const path = '/api/settings/notifications'
  let star: TestUser
  let ana: TestUser
  let others: TestUser[]
  beforeAll(async () => {
    const users = await createUsers('star', 'ana', 'bea', 'cem')
    ;({ star, ana } = users)
    others = [users.bea, users.cem]
    await sql`update public.profiles set first_name = 'Ana', last_name = null where id = ${ana.id}`
  })

  const noneUnread = { comments: 0, mentions: 0, likes: 0, followers: 0, payments: 0 }
  const unreadByFilter = async () =>
    (await apiAs(star).get('/api/notifications/unread-count?byFilter=true', UnreadNotifications)).body
      .byFilter

  it('show the latest actor and the number of others, and become separate notifications when grouping is off', async () => {
    const postId = (await createPost(star, 'Hello')).id
    for (const fan of others) await apiAs(fan).post(`/api/posts/${postId}/like`, LikeResponse)
    await apiAs(ana).post(`/api/posts/${postId}/like`, LikeResponse)
    for (const fan of [...others, ana]) await apiAs(fan).post(`/api/users/${star.id}/follow`, FollowResponse)
    await apiAs(others[1] ?? ana).post(`/api/users/${star.id}/follow`, FollowResponse)
    const listed = await list(star)
    expect(
      listed.map(({ message, othersCount, relatedUser }) => [message, othersCount, relatedUser?.id]),
    ).toEqual([
      ['Ana and 1 other started following you.', 1, ana.id],
      ['Ana and 2 others liked your post.', 2, ana.id],
    ])
    expect(await unread(star)).toBe(2)
    expect(await unreadByFilter()).toEqual({ ...noneUnread, likes: 1, followers: 1 })
    // A group lists each of its actors once, latest first, and has no single follower to follow back.
    const [bea, cem] = others
    expect(listed.map(({ actors }) => actors.map(({ id }) => id))).toEqual([
      [ana.id, bea?.id],
      [ana.id, cem?.id, bea?.id],
    ])
    expect(listed.map(({ follower, post }) => [follower, post?.text])).toEqual([
      [null, undefined],
      [null, 'Hello'],
    ])

    const { body } = await apiAs(star).patch(path, OwnUser, { groupNotifications: false })
    expect(body.notificationSettings.groupNotifications).toBe(false)
    const ungrouped = await list(star)
    expect(ungrouped.map(({ kind, othersCount }) => [kind, othersCount])).toEqual([
      ['follow', 0],
      ['follow', 0],
      ['like', 0],
      ['like', 0],
      ['like', 0],
    ])
    expect(await unread(star)).toBe(5)
    expect(await unreadByFilter()).toEqual({ ...noneUnread, likes: 3, followers: 2 })
    expect(await apiAs(star).getAllPages('/api/notifications?limit=2', Notifications)).toEqual(ungrouped)
    await apiAs(star).patch(path, OwnUser, { groupNotifications: true })
    expect([await list(star), await unread(star)]).toEqual([listed, 2])
    expect(await apiAs(star).getAllPages('/api/notifications?limit=1', Notifications)).toEqual(listed)
  })

  it('are marked as read together, even by parallel requests, and one request marks all groups as read', async () => {
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
    expect(await unreadByFilter()).toEqual(noneUnread)
    await visitor.expectError('POST', '/api/notifications/read-all', 401)
  })

  /** Creates a notification for `star` with the given detail text. */
  const notify = (kind: string, actor: string | null, detail: string | null) =>
    sql`select private.create_notification(${star.id}, ${actor}, ${kind}, detail => ${detail})`

  it('with a single event contain text and a link, even without a post', async () => {
    await sql`delete from public.notifications where user_id = ${star.id}`
    await notify('admin', null, 'Your picture was removed.')
    await notify('sign_in', null, 'Chrome on Linux')
    await notify('tip', ana.id, null)
    await notify('subscription', ana.id, null)
    const sent = await sendMessage(star, ana, 'Hi')
    await apiAs(ana).post(`/api/messages/${sent.id}/reactions`, ReactionsResponse, { emoji: '🔥' })
    const listed = await list(star)
    expect(listed.map(({ title, message, href }) => [title, message, href])).toEqual([
      ['New reaction', 'Ana reacted to your message.', `/messages?user=${ana.id}`],
      ['New subscriber', 'Ana subscribed to you.', `/profile/${ana.username}`],
      ['New tip', 'Ana sent you a tip.', `/profile/${ana.username}`],
      ['New sign-in', 'New sign-in to your account from Chrome on Linux.', '/settings/security'],
      ['A message from the team', 'Your picture was removed.', '/notifications'],
    ])
    expect(listed.map(({ relatedUser }) => relatedUser?.id ?? null)).toEqual([
      ana.id,
      ana.id,
      ana.id,
      null,
      null,
    ])
  })

  it('with a single event contain its details as separate fields', async () => {
    await sql`delete from public.notifications where user_id = ${star.id}`
    const detailsOf = async (kind: string, actor: string | null, detail: string | null) => {
      await notify(kind, actor, detail)
      return (await list(star))[0]?.details
    }
    expect(await detailsOf('tip', ana.id, null)).toEqual({})
    expect(await detailsOf('tip', ana.id, '$12.50')).toEqual({ amount: 12.5 })
    expect(await detailsOf('tip', ana.id, '$3.00: Bravo: $5.00\nmore')).toEqual({
      amount: 3,
      note: 'Bravo: $5.00\nmore',
    })
    expect(await detailsOf('payout', null, 'paid $1234.00')).toEqual({ payout: 'paid', amount: 1234 })
    expect(await detailsOf('payout', null, 'failed $50.00: Closed: 1:2')).toEqual({
      payout: 'failed',
      amount: 50,
      note: 'Closed: 1:2',
    })
    expect(await detailsOf('sign_in', null, 'Chrome on Linux')).toEqual({
      device: 'Chrome on Linux',
      browser: 'Chrome',
      system: 'Linux',
    })
    expect(await detailsOf('sign_in', null, 'Windows')).toEqual({ device: 'Windows' })
    expect(await detailsOf('sign_in', null, 'an unknown device')).toEqual({})
    expect(await detailsOf('mention', ana.id, null)).toEqual({ mentionedIn: 'post' })
    expect(await detailsOf('admin', null, 'The team paid $5.00: thanks')).toEqual({})
  })
})
