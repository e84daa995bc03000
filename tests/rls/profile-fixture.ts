import type { AboutVisibility } from '@contract/about.ts'
import { GalleryItem } from '@contract/gallery.ts'
import { FollowResponse, OwnUser } from '@contract/user.ts'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost, sendMessage, subscribe } from '../support/content-api.ts'
import { createPng, fileForm } from '../support/media-files.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

export const viewerKinds = ['visitor', 'stranger', 'follower', 'blocked', 'owner', 'admin'] as const
export type Viewer = (typeof viewerKinds)[number]

/** The owner of a profile, the users who view the profile, and the profile's content. */
export type ProfileFixture = {
  owner: TestUser
  usersByViewer: Record<Viewer, TestUser | null>
  postId: string
  postImageUrl: string
  galleryImageUrl: string
  /** The paths of both images in Storage. */
  storagePaths: string[]
}

/** Values that only this profile has, so that any response can be searched for leaks. */
export const profileTexts = {
  post: 'With a picture',
  bio: 'A bio with unique text',
  cover: '/storage/v1/object/public/avatars/nobody/cover.png',
  phone: '+1 555 0199 777',
  country: 'NZ',
}
/** The values of the About fields, in the form that the API stores and returns. */
export const aboutValues = {
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

/** The setting that shows or hides each field. */
export const visibilitySwitches: Record<keyof typeof aboutValues, keyof AboutVisibility> = {
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
export const aboutFields = Object.keys(aboutValues) as (keyof typeof aboutValues)[]

/** Creates an owner with data in every part of the profile, mostly through the API. */
export async function createProfileFixture(): Promise<ProfileFixture> {
  const { owner, stranger, follower, blocked, admin, fan, asker, other } = await createUsers(
    'owner',
    'stranger',
    'follower',
    'blocked',
    'admin',
    'fan',
    'asker',
    'other',
  )
  await makeAdmin(admin)
  await makeCreator(owner, other)
  await sql`update public.profile_details set background_image_url = ${profileTexts.cover} where user_id = ${owner.id}`
  const profile = {
    ...aboutValues,
    bio: profileTexts.bio,
    country: profileTexts.country,
    phoneNumber: profileTexts.phone,
  }
  const follow = (user: TestUser) => apiAs(user).post(`/api/users/${owner.id}/follow`, FollowResponse)
  const sendHello = (from: TestUser, to: TestUser) => sendMessage(from, to, 'Hello')
  const [, , , post, item] = await Promise.all([
    apiAs(owner).patch('/api/profile', OwnUser, profile),
    subscribe(fan, owner),
    subscribe(owner, other),
    publishPost(owner),
    addToGallery(owner),
  ])
  await Promise.all([follow(fan), follow(follower), follow(blocked)])
  await apiAs(owner).post(`/api/users/${other.id}/follow`, FollowResponse)
  for (const partner of [follower, blocked, admin]) {
    await sendHello(partner, owner)
    await sendHello(owner, partner)
  }
  await sql`insert into public.follow_requests (follower_id, followee_id) values (${asker.id}, ${owner.id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${owner.id}, ${blocked.id})`
  const media = await sql<{ path: string }[]>`select path from public.media where owner_id = ${owner.id}`
  return {
    owner,
    usersByViewer: { visitor: null, stranger, follower, blocked, owner, admin },
    postId: post.id,
    postImageUrl: post.imageUrl ?? '',
    galleryImageUrl: item.mediaUrl,
    storagePaths: media.map(({ path }) => path),
  }
}

async function publishPost(owner: TestUser) {
  const { imageUrl } = await uploadImage(owner)
  return await createPost(owner, { content: profileTexts.post, imageUrl })
}

async function addToGallery(owner: TestUser) {
  const form = fileForm('media', createPng({ width: 7, height: 7 }))
  const headers = authorizationHeader(owner)
  const response = await call('POST', '/api/media-gallery', { headers, form })
  return GalleryItem.parse(await response.json())
}
