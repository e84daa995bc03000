import { Conversation } from '@contract/message.ts'
import { UserDetails, UserStats } from '@contract/user.ts'
import { z } from 'zod'
import { call } from '../support/api.ts'
import { stack } from '../support/stack.ts'
import { about, aboutFields, type Reader, type Scene, told } from './profile-scene.ts'

/** What a reader gets through a door: true for what is there. */
export type Got = Record<string, boolean>

const headersOf = ({ people }: Scene, reader: Reader): Record<string, string> => {
  const who = people[reader]
  return who ? { Authorization: `Bearer ${who.token}` } : {}
}

/** The calls of the API. */
export async function askApi(scene: Scene, reader: Reader): Promise<Got> {
  const { owner, post } = scene
  const texts: string[] = []
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> => {
    const answer = await call('GET', path, { headers: headersOf(scene, reader) })
    const text = await answer.text()
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}: ${text}`)
    texts.push(text)
    return answer.ok ? schema.parse(JSON.parse(text)) : null
  }
  const list = (path: string) => get(path, z.array(z.object({ id: z.string() })))
  const [user, stats, posts, one, gallery, followers, following, talks] = await Promise.all([
    get(`/api/users/${owner.username}`, UserDetails),
    get(`/api/users/${owner.id}/stats`, UserStats),
    list(`/api/users/${owner.id}/posts`),
    get(`/api/posts/${post}`, z.object({ content: z.string() })),
    list(`/api/media-gallery?userId=${owner.id}`),
    list(`/api/users/${owner.id}/followers`),
    list(`/api/users/${owner.id}/following`),
    get('/api/messages/conversations', z.array(Conversation.pick({ otherUserId: true, presence: true }))),
  ])
  const talk = talks?.find(({ otherUserId }) => otherUserId === owner.id)
  const got: Got = {
    'name and picture': user?.username === owner.username,
    bio: user?.bio === told.bio,
    cover: user?.backgroundImageUrl === told.cover,
    counts:
      stats?.posts === 1 && stats.following === 1 && stats.subscribers === 1 && (stats.followers ?? 0) > 0,
    'any of the counts': stats !== null && Object.values(stats).some((count) => count !== null),
    'who follows them': (followers?.length ?? 0) > 0,
    'whom they follow': (following?.length ?? 0) > 0,
    'their posts': posts?.length === 1,
    'one post': one?.content === told.post,
    'their gallery': gallery?.length === 1,
    'that they are online': talk?.presence.online ?? false,
    'email, phone or country': [owner.email, told.phone, `"${told.country}"`].some((secret) =>
      texts.some((text) => text.includes(secret)),
    ),
  }
  for (const field of aboutFields) got[field] = user?.[field] === about[field]
  return got
}

/** The files behind posts and gallery: by the API, and by Storage's own doors. */
export async function askStorage(scene: Scene, reader: Reader): Promise<Got> {
  const headers = headersOf(scene, reader)
  const isSent = async (path: string) => {
    const answer = await call('GET', path, { headers: { apikey: stack.publishableKey, ...headers } })
    await answer.body?.cancel()
    return answer.ok
  }
  const doors = ['object', 'object/authenticated', 'object/public']
  const [post, gallery, ...direct] = await Promise.all([
    isSent(scene.postPicture),
    isSent(scene.galleryPicture),
    ...scene.files.flatMap((file) => doors.map((door) => isSent(`/storage/v1/${door}/media/${file}`))),
  ])
  return {
    'the picture of a post': post,
    'the picture in the gallery': gallery,
    'a file past the API': direct.includes(true),
  }
}

/** Rows by the Data API, of what is the owner's. */
export async function askDataApi(scene: Scene, reader: Reader): Promise<Got> {
  const { id } = scene.owner
  // The reader's own edges are theirs: everybody reads those.
  const others = ['visitor', 'owner'].includes(reader) ? '' : `&follower_id=neq.${scene.people[reader]?.id}`
  const tables: Record<string, string> = {
    'name and picture': `profiles?id=eq.${id}`,
    'bio and cover': `profile_details?user_id=eq.${id}`,
    counts: `profile_counts?user_id=eq.${id}`,
    'About, with what is hidden': `profile_about?user_id=eq.${id}`,
    'email and phone': `accounts?user_id=eq.${id}&select=email,phone_number`,
    settings: `person_settings?user_id=eq.${id}`,
    'unread counts': `user_counters?user_id=eq.${id}`,
    notifications: `notifications?user_id=eq.${id}`,
    'their posts': `posts?author_id=eq.${id}`,
    'their gallery': `gallery_items?user_id=eq.${id}`,
    'their uploads': `media?owner_id=eq.${id}`,
    'who follows them': `follows?followee_id=eq.${id}${others}`,
    'who asked to': `follow_requests?followee_id=eq.${id}`,
    'whom they block': `blocks?blocker_id=eq.${id}`,
    'whom they subscribe to': `subscriptions?subscriber_id=eq.${id}&select=id`,
    'who subscribes to them': `subscriptions?creator_id=eq.${id}&select=id`,
    'what they paid': `payments?payer_id=eq.${id}`,
    'what they earned': `ledger_entries?person_id=eq.${id}`,
  }
  const headers = { apikey: stack.publishableKey, ...headersOf(scene, reader) }
  const got = await Promise.all(
    Object.entries(tables).map(async ([what, query]) => {
      const named = query.includes('&select=') ? query : `${query}&select=*`
      const answer = await call('GET', `/rest/v1/${named}`, { headers })
      const body: unknown = await answer.json()
      return [what, Array.isArray(body) && body.length > 0] as const
    }),
  )
  return Object.fromEntries(got)
}
