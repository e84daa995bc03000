import type { AboutShown } from '@contract/about.ts'
import { GalleryItem } from '@contract/gallery.ts'
import { ChatMessage } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import { SubscribeAnswer } from '@contract/subscription.ts'
import { FollowAnswer, OwnUser } from '@contract/user.ts'
import { as, call } from '../support/api.ts'
import { picture, uploadPicture } from '../support/media.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql } from '../support/stack.ts'

export const readers = ['visitor', 'stranger', 'follower', 'blocked', 'owner', 'admin'] as const
export type Reader = (typeof readers)[number]

/** The person whose things are read, everybody who reads, and what there is to be read. */
export type Scene = {
  owner: Person
  people: Record<Reader, Person | null>
  post: string
  postPicture: string
  galleryPicture: string
  /** Where Storage keeps both. */
  files: string[]
}

/** Everything that somebody can tell; each text is found nowhere else. */
export const told = {
  post: 'With a picture',
  bio: 'A bio of its own',
  cover: '/storage/v1/object/public/avatars/nobody/cover.png',
  phone: '+1 555 0199 777',
  country: 'NZ',
}
/** As the API stores them. */
export const about = {
  studiedAt: 'Studied somewhere',
  livesIn: 'Lives somewhere',
  fromLocation: 'Comes from somewhere',
  relationshipStatus: 'married',
  gender: 'female',
  age: 41,
  website: 'https://example.com/me',
  tiktokUrl: 'https://www.tiktok.com/@me',
  xUrl: 'https://x.com/me',
  instagramUrl: 'https://instagram.com/me',
  facebookUrl: 'https://facebook.com/me',
  pinterestUrl: 'https://pinterest.com/me',
  twitchUrl: 'https://twitch.tv/me',
  snapchatUrl: 'https://snapchat.com/add/me',
  youtubeUrl: 'https://youtube.com/@me',
  onlyfansUrl: 'https://onlyfans.com/me',
  fanfixUrl: 'https://fanfix.io/me',
} as const

/** Which switch hides which field. */
export const switches: Record<keyof typeof about, keyof AboutShown> = {
  studiedAt: 'showStudiedAt',
  livesIn: 'showLivesIn',
  fromLocation: 'showFrom',
  relationshipStatus: 'showRelationshipStatus',
  gender: 'showGender',
  age: 'showAge',
  website: 'showWebsite',
  tiktokUrl: 'showSocialLinks',
  xUrl: 'showSocialLinks',
  instagramUrl: 'showSocialLinks',
  facebookUrl: 'showSocialLinks',
  pinterestUrl: 'showSocialLinks',
  twitchUrl: 'showSocialLinks',
  snapchatUrl: 'showSocialLinks',
  youtubeUrl: 'showSocialLinks',
  onlyfansUrl: 'showSocialLinks',
  fanfixUrl: 'showSocialLinks',
}
export const aboutFields = Object.keys(about) as (keyof typeof about)[]

/** One owner with something of everything, all of it by the calls that people have for it. */
export async function setScene(): Promise<Scene> {
  const { owner, stranger, follower, blocked, admin, fan, asker, other } = await createPeople(
    'owner',
    'stranger',
    'follower',
    'blocked',
    'admin',
    'fan',
    'asker',
    'other',
  )
  await sql`update public.profiles set is_admin = true where id = ${admin.id}`
  await sql`update public.profiles set is_creator = true where id = any(${[owner.id, other.id]}::uuid[])`
  await sql`update public.profile_details set background_image_url = ${told.cover} where user_id = ${owner.id}`
  const profile = { ...about, bio: told.bio, country: told.country, phoneNumber: told.phone }
  const follow = (who: Person) => as(who).post(`/api/users/${owner.id}/follow`, FollowAnswer)
  const write = (from: Person, to: Person) =>
    as(from).post('/api/messages', ChatMessage, { receiverId: to.id, content: 'Hello' }, 201)
  const [, , , post, item] = await Promise.all([
    as(owner).patch('/api/profile', OwnUser, profile),
    as(fan).post('/api/subscriptions', SubscribeAnswer, { creatorId: owner.id }, 201),
    as(owner).post('/api/subscriptions', SubscribeAnswer, { creatorId: other.id }, 201),
    publish(owner),
    addToGallery(owner),
  ])
  await Promise.all([follow(fan), follow(follower), follow(blocked)])
  await as(owner).post(`/api/users/${other.id}/follow`, FollowAnswer)
  for (const who of [follower, blocked, admin]) {
    await write(who, owner)
    await write(owner, who)
  }
  await sql`insert into public.follow_requests (follower_id, followee_id) values (${asker.id}, ${owner.id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${owner.id}, ${blocked.id})`
  const files = await sql<{ path: string }[]>`select path from public.media where owner_id = ${owner.id}`
  const people = { visitor: null, stranger, follower, blocked, owner, admin }
  return {
    owner,
    people,
    post: post.id,
    postPicture: post.imageUrl ?? '',
    galleryPicture: item.mediaUrl,
    files: files.map(({ path }) => path),
  }
}

async function publish(owner: Person) {
  const { imageUrl } = await uploadPicture(owner, picture({ width: 9, height: 9 }))
  return (await as(owner).post('/api/posts', Post, { content: told.post, imageUrl }, 201)).body
}

async function addToGallery(owner: Person) {
  const form = new FormData()
  form.set('media', new Blob([new Uint8Array(picture({ width: 7, height: 7 }))]), 'one.png')
  const headers = { Authorization: `Bearer ${owner.token}` }
  const answer = await call('POST', '/api/media-gallery', { headers, form })
  return GalleryItem.parse(await answer.json())
}
