import { Conversation } from '@contract/message.ts'
import { UserDetails, UserStats } from '@contract/user.ts'
import { z } from 'zod'
import { authorizationHeader, call } from '../support/api.ts'
import { stack } from '../support/stack.ts'
import {
  aboutFields,
  aboutValues,
  type ProfileFixture,
  profileTexts,
  type Viewer,
} from './profile-fixture.ts'

/** Maps the name of each part of a profile to whether the viewer can read it. */
export type ProfileAccess = Record<string, boolean>

/** Returns which parts of the profile a viewer can read through the API. */
export async function readThroughApi(fixture: ProfileFixture, viewer: Viewer): Promise<ProfileAccess> {
  const { owner, postId } = fixture
  const bodies: string[] = []
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> => {
    const response = await call('GET', path, { headers: authorizationHeader(fixture.usersByViewer[viewer]) })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${path} returned ${response.status}: ${text}`)
    bodies.push(text)
    return response.ok ? schema.parse(JSON.parse(text)) : null
  }
  const list = (path: string) => get(path, z.array(z.object({ id: z.string() })))
  const [user, stats, posts, singlePost, gallery, followers, following, conversations] = await Promise.all([
    get(`/api/users/${owner.username}`, UserDetails),
    get(`/api/users/${owner.id}/stats`, UserStats),
    list(`/api/users/${owner.id}/posts`),
    get(`/api/posts/${postId}`, z.object({ content: z.string() })),
    list(`/api/media-gallery?userId=${owner.id}`),
    list(`/api/users/${owner.id}/followers`),
    list(`/api/users/${owner.id}/following`),
    get('/api/messages/conversations', z.array(Conversation.pick({ otherUserId: true, presence: true }))),
  ])
  const conversation = conversations?.find(({ otherUserId }) => otherUserId === owner.id)
  const { hasReposts: _, ...counts } = stats ?? {}
  const access: ProfileAccess = {
    username: user?.username === owner.username,
    bio: user?.bio === profileTexts.bio,
    cover: user?.backgroundImageUrl === profileTexts.cover,
    counts:
      stats?.posts === 1 && stats.following === 1 && stats.subscribers === 1 && (stats.followers ?? 0) > 0,
    'any count': Object.values(counts).some((count) => count !== null),
    followers: (followers?.length ?? 0) > 0,
    following: (following?.length ?? 0) > 0,
    posts: posts?.length === 1,
    'single post': singlePost?.content === profileTexts.post,
    gallery: gallery?.length === 1,
    'online status': conversation?.presence.online ?? false,
    'email, phone or country': [owner.email, profileTexts.phone, `"${profileTexts.country}"`].some((secret) =>
      bodies.some((text) => text.includes(secret)),
    ),
  }
  for (const field of aboutFields) access[field] = user?.[field] === aboutValues[field]
  return access
}

/**
 * Returns whether a viewer can read the post image and the gallery image through the API, and whether the viewer can
 * read either file directly from Storage.
 */
export async function readMediaFiles(fixture: ProfileFixture, viewer: Viewer): Promise<ProfileAccess> {
  const headers = authorizationHeader(fixture.usersByViewer[viewer])
  const isReadable = async (path: string) => {
    const response = await call('GET', path, { headers: { apikey: stack.publishableKey, ...headers } })
    await response.body?.cancel()
    return response.ok
  }
  const endpoints = ['object', 'object/authenticated', 'object/public']
  const [canReadPostImage, canReadGalleryImage, ...canReadDirectly] = await Promise.all([
    isReadable(fixture.postImageUrl),
    isReadable(fixture.galleryImageUrl),
    ...fixture.storagePaths.flatMap((path) =>
      endpoints.map((endpoint) => isReadable(`/storage/v1/${endpoint}/media/${path}`)),
    ),
  ])
  return {
    'post image': canReadPostImage,
    'gallery image': canReadGalleryImage,
    'files directly from Storage': canReadDirectly.includes(true),
  }
}

/** Returns which of the owner's data a viewer can read through the Data API. */
export async function readThroughDataApi(fixture: ProfileFixture, viewer: Viewer): Promise<ProfileAccess> {
  const { id } = fixture.owner
  // Every user can read their own follows, so the query excludes the viewer's follow.
  const exceptOwnFollow = ['visitor', 'owner'].includes(viewer)
    ? ''
    : `&follower_id=neq.${fixture.usersByViewer[viewer]?.id}`
  const tables: Record<string, string> = {
    'name and avatar': `profiles?id=eq.${id}&select=username,profile_image_url`,
    'bio and cover': `profile_details?user_id=eq.${id}`,
    counts: `profile_counts?user_id=eq.${id}`,
    'About, including hidden fields': `profile_about?user_id=eq.${id}`,
    'email and phone': `accounts?user_id=eq.${id}&select=email,phone_number`,
    settings: `user_settings?user_id=eq.${id}`,
    'unread counts': `user_counters?user_id=eq.${id}`,
    notifications: `notifications?user_id=eq.${id}`,
    posts: `posts?author_id=eq.${id}`,
    gallery: `gallery_items?user_id=eq.${id}`,
    uploads: `media?owner_id=eq.${id}`,
    followers: `follows?followee_id=eq.${id}${exceptOwnFollow}`,
    'follow requests': `follow_requests?followee_id=eq.${id}`,
    blocks: `blocks?blocker_id=eq.${id}`,
    subscriptions: `subscriptions?subscriber_id=eq.${id}&select=id`,
    subscribers: `subscriptions?creator_id=eq.${id}&select=id`,
    payments: `payments?payer_id=eq.${id}`,
    'ledger entries': `ledger_entries?user_id=eq.${id}`,
  }
  const headers = { apikey: stack.publishableKey, ...authorizationHeader(fixture.usersByViewer[viewer]) }
  const access: ProfileAccess = {}
  // The requests are sequential, because the Data API rejects too many concurrent ones.
  for (const [name, query] of Object.entries(tables)) {
    const path = query.includes('&select=') ? query : `${query}&select=*`
    const response = await call('GET', `/rest/v1/${path}`, { headers })
    const body: unknown = await response.json()
    if (response.status === 429 || response.status >= 500) throw new Error(`${path}: ${response.status}`)
    access[name] = Array.isArray(body) && body.length > 0
  }
  return access
}
