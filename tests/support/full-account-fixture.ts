import { randomUUID } from 'node:crypto'
import { GoalsResponse, Payout, PayoutMethod } from '@contract/earnings.ts'
import { ReactionsResponse } from '@contract/message.ts'
import { LikeResponse, RepostResponse, SaveResponse, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser, PostAlertsResponse } from '@contract/user.ts'
import { apiAs } from './api.ts'
import { createComment, createPost, sendMessage } from './content-api.ts'
import { backdateEarnings, tip } from './creators.ts'
import { sql } from './stack.ts'
import { uploadImage } from './uploads.ts'
import { createUsers, makeCreator, type TestUser } from './users.ts'

/** A user with data in most parts of the product, and the users they interacted with. */
export type FullAccount = {
  owner: TestUser
  /** The owner and the friend follow, message, like and pay each other. */
  friend: TestUser
  /** Blocked by the owner. */
  blockedUser: TestUser
  /** Messaged the owner, then blocked them. */
  blocker: TestUser
  /** IDs of the rows that the tests look for. */
  ids: Record<
    'post' | 'premium' | 'friendsPost' | 'friendsPremium' | 'comment' | 'message' | 'answer' | 'gallery',
    string
  >
  /** URLs of the owner's uploads: in a post, in a message, in the gallery, and unused. */
  uploads: string[]
}

const idOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** Creates the account and its data, mostly through the API. */
export async function createFullAccount(): Promise<FullAccount> {
  const { owner, friend, blockedUser, blocker } = await createUsers(
    'owner',
    'friend',
    'blockedUser',
    'blocker',
  )
  await makeCreator(owner, friend)
  const [postImage = '', messageImage = '', galleryImage = '', unusedImage = ''] = await Promise.all(
    Array.from({ length: 4 }, async () => (await uploadImage(owner)).imageUrl),
  )
  await apiAs(owner).patch('/api/profile', OwnUser, {
    bio: 'A bio to be found',
    livesIn: 'Marker Town',
    country: 'SI',
    phoneNumber: '+386 1 555 0199',
    email: `new-${owner.email}`,
  })
  for (const [user, livesIn] of [
    [friend, 'Friends Secret'],
    [blockedUser, 'Blocked User Secret'],
    [blocker, 'Blocker Secret'],
  ] as const) {
    await apiAs(user).patch('/api/profile', OwnUser, { livesIn, bio: `${livesIn} bio` })
  }
  const { id: post } = await createPost(owner, {
    content: 'A post to be found #markertag',
    imageUrl: postImage,
  })
  const { id: premium } = await createPost(owner, {
    content: 'Paid words to be found',
    isPremium: true,
    premiumPrice: 70,
  })
  const { id: friendsPost } = await createPost(friend, 'A friend wrote this')
  const { id: friendsPremium } = await createPost(friend, {
    content: 'Sold by a friend',
    isPremium: true,
    premiumPrice: 5,
  })
  const { id: comment } = await createComment(owner, friendsPost, 'A comment to be found')
  await createComment(friend, post, 'A friend’s comment')
  for (const [user, postId] of [
    [owner, friendsPost],
    [friend, post],
  ] as const) {
    await apiAs(user).post(`/api/posts/${postId}/like`, LikeResponse)
    await apiAs(user).post(`/api/posts/${postId}/save`, SaveResponse)
    await apiAs(user).post(`/api/posts/${postId}/repost`, RepostResponse)
  }
  for (const user of [owner, friend]) await apiAs(user).post(`/api/comments/${comment}/like`, LikeResponse)
  await apiAs(owner).post(`/api/users/${friend.id}/follow`, FollowResponse)
  await apiAs(friend).post(`/api/users/${owner.id}/follow`, FollowResponse)
  for (const [user, author] of [
    [owner, friend],
    [friend, owner],
  ] as const) {
    const choice = { postAlerts: 'highlights' }
    await apiAs(user).put(`/api/users/${author.id}/post-alerts`, PostAlertsResponse, choice)
  }
  const { id: message } = await sendMessage(owner, friend, {
    content: 'A message to be found',
    imageUrl: messageImage,
  })
  const { id: answer } = await sendMessage(friend, owner, 'An answer to be found')
  await apiAs(owner).post(`/api/messages/${answer}/reactions`, ReactionsResponse, { emoji: '🔥' })
  await sendMessage(blocker, owner, 'A message from the blocker')
  await apiAs(friend).post(`/api/posts/${premium}/unlock`, UnlockResponse, { amount: 70 })
  await requestPayout(owner, friend)
  await apiAs(owner).post(`/api/posts/${friendsPremium}/unlock`, UnlockResponse, { amount: 5 })
  await apiAs(owner).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
  await apiAs(blocker).post(`/api/users/${owner.id}/block`, BlockResponse)
  // Inserts the requests directly, because public profiles get no follow requests through the API. Both requests are
  // between the owner and the friend, because the other two users have blocked the owner or are blocked by them.
  await sql`insert into public.follow_requests (follower_id, followee_id)
            values (${owner.id}, ${friend.id}), (${friend.id}, ${owner.id})`
  const gallery = randomUUID()
  await sql`insert into public.gallery_items (id, user_id, media_id, title, description)
            values (${gallery}, ${owner.id}, ${idOf(galleryImage)}, 'A title to be found', 'In words')`
  await sql`
    insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, periods, started_at, period_end)
    select s, c, 'active', 999, 1, now(), now() + interval '1 month'
    from (values (${owner.id}::uuid, ${friend.id}::uuid), (${friend.id}::uuid, ${owner.id}::uuid)) x(s, c)`
  await sql`insert into public.mass_messages (id, creator_id, content, recipients, sent, finished_at)
            values (${randomUUID()}, ${owner.id}, 'A mass message to be found', 1, 1, now())`
  await sql`insert into public.welcome_messages (creator_id, content)
            values (${owner.id}, 'A welcome message to be found')`
  await sql`insert into public.user_notes (author_id, user_id, content)
            values (${owner.id}, ${friend.id}, 'A private note to be found'), (${friend.id}, ${owner.id}, 'A note by the friend')`
  await sql`insert into public.scheduled_posts (id, author_id, publish_at, content)
            values (${randomUUID()}, ${owner.id}, now() + interval '1 day', 'A scheduled post to be found')`
  await sql`select private.record_device(${owner.id}, 'A device to be found')`
  await sql`insert into private.last_seen (user_id) values (${owner.id}) on conflict do nothing`
  return {
    owner,
    friend,
    blockedUser,
    blocker,
    ids: { post, premium, friendsPost, friendsPremium, comment, message, answer, gallery },
    uploads: [postImage, messageImage, galleryImage, unusedImage],
  }
}

/** Saves a payout method, requests a payout of $54 (a cleared $60 tip minus the platform fee) and sets a goal. */
async function requestPayout(owner: TestUser, friend: TestUser) {
  await apiAs(owner).post(
    '/api/payouts/methods',
    PayoutMethod,
    { name: 'A method to be found', details: { type: 'paypal', email: 'paid@example.com' } },
    201,
  )
  await tip(friend, owner, 60)
  await backdateEarnings(owner, '8 days')
  await apiAs(owner).post('/api/payouts', Payout, { amount: 54 }, 201)
  await apiAs(owner).patch('/api/earnings/goals', GoalsResponse, { subscribers: 77 })
}
