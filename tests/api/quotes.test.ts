import { randomUUID } from 'node:crypto'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { sql, stack } from '../support/stack.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let author: TestUser
let quoter: TestUser
let reader: TestUser

beforeAll(async () => {
  ;({ author, quoter, reader } = await createUsers('author', 'quoter', 'reader'))
  await makeCreator(author)
})

const quote = (user: TestUser, quotedPostId: string, content = 'Look at this') =>
  createPost(user, { content, quotedPostId })

const readPost = async (user: TestUser | null, id: string) =>
  (await apiAs(user).get(`/api/posts/${id}`, Post)).body

const expectRefused = (user: TestUser, quotedPostId: string, status: number) =>
  apiAs(user).expectError('POST', '/api/posts', status, { body: { content: 'No', quotedPostId } })

/** Returns the `post_quotes` rows that a user or visitor can read through the Data API for a quoting post. */
async function listReferences(user: TestUser | null, postId: string): Promise<unknown[]> {
  const response = await call('GET', `/rest/v1/post_quotes?post_id=eq.${postId}`, {
    headers: { apikey: stack.publishableKey, ...authorizationHeader(user) },
  })
  expect(response.status).toBe(200)
  return z.array(z.unknown()).parse(await response.json())
}

/** Checks that users and visitors learn nothing about the post that `postId` quotes, not even its ID. */
async function expectUnavailable(postId: string, ...users: (TestUser | null)[]): Promise<void> {
  for (const user of users) {
    expect((await readPost(user, postId)).quotedPost).toEqual({ available: false })
    expect(await listReferences(user, postId)).toEqual([])
  }
}

const listQuoteNotifications = async (user: TestUser) =>
  (await apiAs(user).get('/api/notifications?filter=mentions', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'quote',
  )

describe('POST /api/posts with quotedPostId', () => {
  it('embeds the quoted post, but not a quote within it', async () => {
    const original = await createPost(author, 'The original')
    const first = await quote(quoter, original.id)
    expect(first.quotedPost).toMatchObject({
      available: true,
      id: original.id,
      user: { id: author.id },
      text: 'The original',
      locked: false,
      createdAt: original.createdAt,
    })
    expect(original).toMatchObject({ quotedPost: null, canQuote: true })
    const second = await quote(reader, first.id, 'And at this')
    expect(second.quotedPost).toMatchObject({ available: true, id: first.id, text: 'Look at this' })
    expect(second.quotedPost).not.toHaveProperty('quotedPost')
    expect((await readPost(null, second.id)).quotedPost).toEqual(second.quotedPost)
    expect(await listReferences(null, second.id)).toEqual([{ post_id: second.id, quoted_post_id: first.id }])
  })

  it('embeds only the public part of a premium post, even for its author', async () => {
    const premium = await createPost(author, {
      content: 'The secret text',
      isPremium: true,
      premiumPrice: 5,
      teaser: 'The teaser',
    })
    const { id } = await quote(quoter, premium.id)
    for (const user of [author, quoter, reader, null]) {
      const post = await readPost(user, id)
      expect(post.quotedPost).toMatchObject({ text: 'The teaser', locked: true, imageUrl: null })
      expect(JSON.stringify(post)).not.toContain('secret')
    }
  })

  it('embeds the name of a product together with the start of its description', async () => {
    const product = await createPost(author, 'Holds your tea')
    await sql`
      update public.posts set product = ${sql.json({ name: 'Stage mug', price: 24.5, storeUrl: 'https://store.example', category: null })}
      where id = ${product.id}`
    expect((await quote(quoter, product.id)).quotedPost).toMatchObject({
      text: 'Holds your tea',
      productName: 'Stage mug',
    })
  })

  it('returns the stored post when the request is repeated, even with another quoted post', async () => {
    const [original, other] = [await createPost(author, 'One'), await createPost(author, 'Two')]
    const id = randomUUID()
    const send = (quotedPostId: string | null, status: number) =>
      apiAs(quoter).post('/api/posts', Post, { id, content: 'Once', quotedPostId }, status)
    const { body } = await send(original.id, 201)
    for (const quotedPostId of [original.id, other.id, null, randomUUID()])
      expect((await send(quotedPostId, 200)).body.quotedPost).toEqual(body.quotedPost)
    await apiAs(quoter).expectError('PATCH', `/api/posts/${id}`, 400, { body: { quotedPostId: other.id } })
  })

  it('rejects posts that the user cannot see, and posts of profiles that are not public', async () => {
    const closed = await createUser()
    const follower = await createUser()
    const post = await createPost(closed, 'For followers')
    await sql`update public.profiles set visibility = 'followers' where id = ${closed.id}`
    await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${closed.id})`
    await expectRefused(quoter, post.id, 404)
    await expectRefused(quoter, randomUUID(), 404)
    expect(await expectRefused(follower, post.id, 403)).toMatchObject({
      message: "This post can't be quoted.",
    })
    expect((await readPost(follower, post.id)).canQuote).toBe(false)
    // Authors can quote their own posts, because both posts have the same audience.
    expect((await quote(closed, post.id)).quotedPost).toMatchObject({ id: post.id })
    const hidden = await createPost(quoter, 'Hidden')
    await sql`update public.posts set hidden = 'hidden' where id = ${hidden.id}`
    await expectRefused(quoter, hidden.id, 404)
    expect((await sql`select from public.posts where author_id = ${follower.id}`).count).toBe(0)
  })

  it('rejects posts of authors whose content is not discoverable, even for followers', async () => {
    const { owner, follower } = await createUsers('owner', 'follower')
    const post = await createPost(owner, 'Not for everyone')
    await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${owner.id})`
    await apiAs(owner).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
    for (const user of [follower, reader]) await expectRefused(user, post.id, 403)
    for (const user of [follower, reader, null]) expect((await readPost(user, post.id)).canQuote).toBe(false)
    const own = await quote(owner, post.id)
    expect((await readPost(reader, own.id)).quotedPost).toMatchObject({ text: 'Not for everyone' })
  })

  it('checks the quoted post before it uses the uploads', async () => {
    const imageUrl = `/api/media/${randomUUID()}`
    await apiAs(quoter).expectError('POST', '/api/posts', 404, {
      body: { content: 'No', quotedPostId: randomUUID(), imageUrl },
    })
  })

  it('cannot be bypassed through the Data API', async () => {
    const [post, other] = [await createPost(quoter, 'Mine'), await createPost(author, 'Theirs')]
    const response = await call('POST', '/rest/v1/post_quotes', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(quoter) },
      body: { post_id: post.id, quoted_post_id: other.id },
    })
    expect(response.status).toBe(403)
    expect((await readPost(quoter, post.id)).quotedPost).toBeNull()
  })
})

describe('a quoted post', () => {
  it('is not shown to users who have blocked its author or whom its author has blocked', async () => {
    for (const readerBlocks of [true, false]) {
      const original = await createPost(author, 'Blocked')
      const { id } = await quote(quoter, original.id)
      const [blocker, blocked] = readerBlocks ? [reader, author] : [author, reader]
      await apiAs(blocker).post(`/api/users/${blocked.id}/block`, BlockResponse)
      await expectUnavailable(id, reader)
      expect((await readPost(quoter, id)).quotedPost).toMatchObject({ text: 'Blocked' })
      await apiAs(blocker).expectNoContent('DELETE', `/api/users/${blocked.id}/block`)
    }
  })

  it('is not shown to anyone while its author or the author of the quote blocks the other', async () => {
    const writer = await createUser()
    const original = await createPost(writer, 'Before the block')
    const { id } = await quote(quoter, original.id)
    for (const [blocker, blocked] of [
      [writer, quoter],
      [quoter, writer],
    ] as const) {
      await apiAs(blocker).post(`/api/users/${blocked.id}/block`, BlockResponse)
      await expectUnavailable(id, quoter, reader, null)
      await apiAs(blocker).expectNoContent('DELETE', `/api/users/${blocked.id}/block`)
      expect((await readPost(null, id)).quotedPost).toMatchObject({ text: 'Before the block' })
    }
  })

  it('is shown only to its author and their followers once the author turns discoverability off', async () => {
    const [owner, follower] = [await createUser(), await createUser()]
    const original = await createPost(owner, 'Before')
    const { id } = await quote(quoter, original.id)
    await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${owner.id})`
    await apiAs(owner).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
    await expectUnavailable(id, quoter, reader, null)
    for (const user of [follower, owner])
      expect((await readPost(user, id)).quotedPost).toMatchObject({ text: 'Before' })
    const { body: feed } = await apiAs(reader).get('/api/posts', z.array(Post))
    expect(feed.find((post) => post.id === id)?.quotedPost).toEqual({ available: false })
  })

  it('is shown only to users who can view the profile of its author', async () => {
    const owner = await createUser()
    const original = await createPost(owner, 'Before')
    const { id } = await quote(quoter, original.id)
    await sql`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${owner.id})`
    await sql`update public.profiles set visibility = 'followers' where id = ${owner.id}`
    await expectUnavailable(id, quoter, null)
    expect((await readPost(reader, id)).quotedPost).toMatchObject({ text: 'Before' })
    await sql`update public.profiles set visibility = 'private' where id = ${owner.id}`
    await expectUnavailable(id, quoter, reader, null)
  })

  it('is not shown once moderators hide it or its author deletes it', async () => {
    const original = await createPost(author, 'Soon gone')
    const { id } = await quote(quoter, original.id)
    await sql`update public.posts set hidden = 'hidden' where id = ${original.id}`
    await expectUnavailable(id, quoter, reader, null)
    await sql`update public.posts set hidden = null where id = ${original.id}`
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${original.id}`)
    await expectUnavailable(id, quoter, reader, null, author)
  })

  it('is not shown once the account of its author is deleted', async () => {
    const deletedUser = await createUser()
    const original = await createPost(deletedUser, 'Goodbye')
    const { id } = await quote(quoter, original.id)
    await sql`delete from auth.users where id = ${deletedUser.id}`
    await expectUnavailable(id, quoter, null)
  })
})

describe('notifications about quotes', () => {
  it('are sent to the quoted author and link to the new post', async () => {
    const writer = await createUser()
    const original = await createPost(writer, 'Quote me')
    const { id } = await quote(quoter, original.id)
    await quote(writer, original.id)
    expect(await listQuoteNotifications(writer)).toMatchObject([
      { title: 'New quote', message: 'Test Person quoted your post.', href: `/post/${id}`, post: { id } },
    ])
    await apiAs(writer).patch('/api/settings/notifications', OwnUser, { newQuotes: false })
    await quote(quoter, original.id)
    expect(await listQuoteNotifications(writer)).toHaveLength(1)
    await apiAs(quoter).expectNoContent('DELETE', `/api/posts/${id}`)
    expect(await listQuoteNotifications(writer)).toEqual([])
  })

  it('are replaced by those about mentions if the new post mentions the author', async () => {
    const [writer, other] = [await createUser(), await createUser()]
    const original = await createPost(writer, 'Quote me')
    const { id } = await quote(quoter, original.id, `Both of you: @${writer.username} @${other.username}`)
    const list = async (user: TestUser) =>
      (await apiAs(user).get('/api/notifications?filter=mentions', z.array(Notification))).body
    for (const user of [writer, other])
      expect(await list(user)).toMatchObject([{ kind: 'mention', post: { id } }])
  })

  it('are not sent to authors who cannot see the new post', async () => {
    const [writer, closed] = [await createUser(), await createUser()]
    await sql`update public.profiles set visibility = 'followers' where id = ${closed.id}`
    const original = await createPost(writer, 'Quote me')
    await quote(closed, original.id)
    expect(await listQuoteNotifications(writer)).toEqual([])
  })
})
