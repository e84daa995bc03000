import { randomUUID } from 'node:crypto'
import { Comment } from '@contract/comment.ts'
import { GoalsAnswer, Payout, PayoutMethod } from '@contract/earnings.ts'
import { ChatMessage, ReactionsAnswer } from '@contract/message.ts'
import { LikeAnswer, Post, SaveAnswer, UnlockAnswer } from '@contract/post.ts'
import { BlockAnswer, FollowAnswer, OwnUser } from '@contract/user.ts'
import { as } from './api.ts'
import { letPass, tip } from './earning.ts'
import { picture, uploadPicture } from './media.ts'
import { createPeople, type Person } from './people.ts'
import { sql } from './stack.ts'

/** Somebody who has used everything there is, with the people they met. */
export type Life = {
  owner: Person
  /** Writes, likes, pays and follows both ways with the owner. */
  friend: Person
  /** Blocked by the owner. */
  foe: Person
  /** Talked with the owner, then blocked them. */
  ghost: Person
  /** Ids of what is theirs, by what it is. */
  ids: Record<
    'post' | 'premium' | 'friendsPost' | 'friendsPremium' | 'comment' | 'message' | 'answer' | 'gallery',
    string
  >
  /** Addresses of the owner's uploads: of a post, of a message, in the gallery, and of nothing. */
  uploads: string[]
}

const id = (address: string) => address.slice(address.lastIndexOf('/') + 1)
const upload = async (person: Person) =>
  (await uploadPicture(person, picture({ width: 40, height: 30 }))).imageUrl
const say = async (from: Person, to: Person, content: string, imageUrl?: string) =>
  (await as(from).post('/api/messages', ChatMessage, { receiverId: to.id, content, imageUrl }, 201)).body.id

/** Lives it, through the API wherever that has a call. */
export async function live(): Promise<Life> {
  const { owner, friend, foe, ghost } = await createPeople('owner', 'friend', 'foe', 'ghost')
  await sql`update public.profiles set is_creator = true where id = any(${[owner.id, friend.id]})`
  const [ofPost = '', ofMessage = '', ofGallery = '', ofNothing = ''] = await Promise.all(
    Array.from({ length: 4 }, () => upload(owner)),
  )
  await as(owner).patch('/api/profile', OwnUser, {
    bio: 'A bio to be found',
    livesIn: 'Marker Town',
    country: 'SI',
    phoneNumber: '+386 1 555 0199',
    email: `new-${owner.email}`,
  })
  for (const [person, livesIn] of [
    [friend, 'Friends Secret'],
    [foe, 'Foes Secret'],
    [ghost, 'Ghosts Secret'],
  ] as const) {
    await as(person).patch('/api/profile', OwnUser, { livesIn, bio: `${livesIn} bio` })
  }
  const write = async (person: Person, body: Record<string, unknown>) =>
    (await as(person).post('/api/posts', Post, body, 201)).body.id
  const post = await write(owner, { content: 'A post to be found #markertag', imageUrl: ofPost })
  const premium = await write(owner, { content: 'Paid words to be found', isPremium: true, premiumPrice: 70 })
  const friendsPost = await write(friend, { content: 'A friend wrote this' })
  const friendsPremium = await write(friend, {
    content: 'Sold by a friend',
    isPremium: true,
    premiumPrice: 5,
  })
  const remark = async (person: Person, on: string, content: string) =>
    (await as(person).post(`/api/posts/${on}/comments`, Comment, { content }, 201)).body.id
  const comment = await remark(owner, friendsPost, 'A comment to be found')
  await remark(friend, post, 'A friend’s comment')
  for (const [who, on] of [
    [owner, friendsPost],
    [friend, post],
  ] as const) {
    await as(who).post(`/api/posts/${on}/like`, LikeAnswer)
    await as(who).post(`/api/posts/${on}/save`, SaveAnswer)
  }
  await as(owner).post(`/api/users/${friend.id}/follow`, FollowAnswer)
  await as(friend).post(`/api/users/${owner.id}/follow`, FollowAnswer)
  const message = await say(owner, friend, 'A message to be found', ofMessage)
  const answer = await say(friend, owner, 'An answer to be found')
  await as(owner).post(`/api/messages/${answer}/reactions`, ReactionsAnswer, { emoji: '🔥' })
  await say(ghost, owner, 'The ghost was here')
  await as(friend).post(`/api/posts/${premium}/unlock`, UnlockAnswer, { amount: 70 })
  await payOut(owner, friend)
  await as(owner).post(`/api/posts/${friendsPremium}/unlock`, UnlockAnswer, { amount: 5 })
  await as(owner).post(`/api/users/${foe.id}/block`, BlockAnswer)
  await as(ghost).post(`/api/users/${owner.id}/block`, BlockAnswer)
  // As between private profiles; with the friend, the one who is not in a block.
  await sql`insert into public.follow_requests (follower_id, followee_id)
            values (${owner.id}, ${friend.id}), (${friend.id}, ${owner.id})`
  const gallery = randomUUID()
  await sql`insert into public.gallery_items (id, user_id, media_id, title, description)
            values (${gallery}, ${owner.id}, ${id(ofGallery)}, 'A title to be found', 'In words')`
  await sql`
    insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, periods, started_at, period_end)
    select s, c, 'active', 999, 1, now(), now() + interval '1 month'
    from (values (${owner.id}::uuid, ${friend.id}::uuid), (${friend.id}::uuid, ${owner.id}::uuid)) x(s, c)`
  await sql`select private.note_device(${owner.id}, 'A device to be found')`
  await sql`insert into private.last_seen (user_id) values (${owner.id}) on conflict do nothing`
  return {
    owner,
    friend,
    foe,
    ghost,
    ids: { post, premium, friendsPost, friendsPremium, comment, message, answer, gallery },
    uploads: [ofPost, ofMessage, ofGallery, ofNothing],
  }
}

/** A tip of $60.00, which has cleared with everything before it and is being paid out; and what they aim at. */
async function payOut(owner: Person, friend: Person) {
  await as(owner).post(
    '/api/payouts/methods',
    PayoutMethod,
    { name: 'A method to be found', details: { type: 'paypal', email: 'paid@example.com' } },
    201,
  )
  await tip(friend, owner, 60)
  await letPass(owner, '8 days')
  await as(owner).post('/api/payouts', Payout, { amount: 54 }, 201)
  await as(owner).patch('/api/earnings/goals', GoalsAnswer, { subscribers: 77 })
}
