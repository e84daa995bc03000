// The rows of the comparison, each with its goal and its requests to the three servers.
import { toParseId, toParseSessionToken } from './fill-parse.mjs'

/**
 * @typedef {import('../http-load.mjs').LoadRequest} LoadRequest
 * @typedef {import('../callers.mjs').Caller & { partnerId: string, conversationId: string, postAuthorId: string,
 *   postId: string }} RowCaller a caller with a conversation of more than one page, and an author and a post to view
 * @typedef {{ callers: RowCaller[], accounts: { email: string, password: string }[], publishableKey: string,
 *   jpeg: Buffer }} Data
 * @typedef {{ ours: LoadRequest[], parse: LoadRequest[], floor: LoadRequest[] }} Requests
 * @typedef {{ peer?: number, floor?: number, maxMs?: number }} Goal `peer` is the minimum ratio to Parse Server,
 *   `floor` the minimum ratio to the baseline server (called "bare floor" in the results), and `maxMs` the maximum
 *   median
 * @typedef {{ name: string, title: string, connections: number, goal: Goal, requests: (data: Data) => Requests,
 *   note?: string }} Row
 */

export const text = 'A message of average length, neither short nor long.'
const json = { 'Content-Type': 'application/json' }

/** @param {RowCaller} caller */
const ours = ({ token }) => ({ Authorization: `Bearer ${token}` })
/** @param {RowCaller} caller */
export const parseHeaders = ({ userId }) => ({
  'X-Parse-Application-Id': 'app',
  'X-Parse-Session-Token': toParseSessionToken(userId),
})
/** @param {string} className @param {string} id */
const pointer = (className, id) => ({ __type: 'Pointer', className, objectId: toParseId(id) })

/** @param {RowCaller} caller @param {string} path @param {object} [body] @returns {LoadRequest} */
const parsePost = (caller, path, body = {}) => ({
  method: 'POST',
  path: `/parse/${path}`,
  headers: { ...parseHeaders(caller), ...json },
  body: JSON.stringify(body),
})
/**
 * @param {RowCaller} caller
 * @param {string} path
 * @param {Record<string, string | object>} [query]
 * @returns {LoadRequest}
 */
const parseGet = (caller, path, query = {}) => {
  const values = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { path: `/parse/classes/${path}?${new URLSearchParams(values)}`, headers: parseHeaders(caller) }
}
/** @param {string} path @param {RowCaller} caller @param {string} [other] @returns {LoadRequest} */
const floorGet = (path, caller, other = '') => ({
  path: `${path}?${new URLSearchParams({ caller: caller.userId, other })}`,
})
/** @param {string} path @param {object} body @returns {LoadRequest} */
const floorPost = (path, body) => ({ method: 'POST', path, headers: json, body: JSON.stringify(body) })

/**
 * Returns a row's `requests` function, which creates the same kind of request for each caller, or only for each of the
 * first `count` callers.
 *
 * @param {(caller: RowCaller, index: number) => { [Server in keyof Requests]: LoadRequest }} each
 * @returns {(data: Data) => Requests}
 */
const perCaller =
  (each, count = Number.POSITIVE_INFINITY) =>
  ({ callers }) => {
    const requests = callers.slice(0, count).map(each)
    return {
      ours: requests.map((request) => request.ours),
      parse: requests.map((request) => request.parse),
      floor: requests.map((request) => request.floor),
    }
  }

/** Returns the requests that send a message to the caller's partner. @param {RowCaller} caller */
export const messageRequests = (caller, content = text) => ({
  ours: {
    method: 'POST',
    path: '/api/messages',
    headers: { ...ours(caller), ...json },
    body: JSON.stringify({ receiverId: caller.partnerId, content }),
  },
  parse: parsePost(caller, 'classes/Message', { receiver: pointer('Profile', caller.partnerId), content }),
  floor: floorPost('/message', { senderId: caller.userId, receiverId: caller.partnerId, content }),
})

/** @param {RowCaller} caller @param {string} path @param {string} publishableKey @returns {LoadRequest} */
const dataApi = (caller, path, publishableKey) => ({
  path: `/rest/v1/${path}`,
  headers: { ...ours(caller), apikey: publishableKey },
})

/** @param {Data} data @param {(caller: RowCaller) => { ours: string, parse: LoadRequest, floor: LoadRequest }} each */
const dataApiRequests = (data, each) =>
  perCaller((caller) => {
    const { ours: path, ...others } = each(caller)
    return { ours: dataApi(caller, path, data.publishableKey), ...others }
  })(data)

/** @type {Row[]} */
export const rows = [
  {
    name: 'feed',
    title: 'home feed',
    connections: 32,
    goal: { peer: 6 },
    requests: perCaller((caller) => ({
      ours: { path: '/api/posts', headers: ours(caller) },
      parse: parsePost(caller, 'functions/feed'),
      floor: floorGet('/feed', caller),
    })),
  },
  {
    name: 'feed-class',
    title: 'home feed, against a bare class query',
    connections: 32,
    goal: { peer: 1 },
    note: 'Parse returns posts with their authors, without likes, saves, blocks and unlocks',
    requests: perCaller((caller) => ({
      ours: { path: '/api/posts', headers: ours(caller) },
      parse: parseGet(caller, 'Post', { order: '-createdAt', limit: '10', include: 'author' }),
      floor: floorGet('/feed', caller),
    })),
  },
  {
    name: 'message',
    title: 'sending messages, one at a time',
    connections: 1,
    goal: { peer: 2 },
    requests: perCaller((caller) => messageRequests(caller)),
  },
  {
    name: 'senders',
    title: 'sending messages, 8 senders',
    connections: 8,
    goal: { peer: 4 },
    requests: perCaller((caller) => messageRequests(caller), 8),
  },
  {
    name: 'thread',
    title: 'a thread (50 messages)',
    connections: 16,
    goal: { peer: 2 },
    requests: perCaller((caller) => ({
      ours: { path: `/api/messages/${caller.partnerId}`, headers: ours(caller) },
      parse: parseGet(caller, 'Message', {
        where: { conversation: pointer('Conversation', caller.conversationId) },
        order: '-createdAt',
        limit: '50',
      }),
      floor: floorGet('/thread', caller, caller.conversationId),
    })),
  },
  {
    name: 'conversations',
    title: 'conversations',
    connections: 16,
    goal: { peer: 2 },
    requests: perCaller((caller) => ({
      ours: { path: '/api/messages/conversations', headers: ours(caller) },
      parse: parseGet(caller, 'Conversation', ownConversations(caller, 'low,high')),
      floor: floorGet('/conversations', caller),
    })),
  },
  {
    name: 'user-posts',
    title: 'posts of a user',
    connections: 16,
    goal: { peer: 1 },
    requests: perCaller((caller) => ({
      ours: { path: `/api/users/${caller.postAuthorId}/posts`, headers: ours(caller) },
      parse: parsePost(caller, 'functions/userPosts', { author: toParseId(caller.postAuthorId) }),
      floor: floorGet('/user-posts', caller, caller.postAuthorId),
    })),
  },
  {
    name: 'own-posts',
    title: 'own posts',
    connections: 16,
    goal: { peer: 1 },
    requests: perCaller((caller) => ({
      ours: { path: `/api/users/${caller.userId}/posts`, headers: ours(caller) },
      parse: parsePost(caller, 'functions/userPosts', { author: toParseId(caller.userId) }),
      floor: floorGet('/user-posts', caller, caller.userId),
    })),
  },
  {
    name: 'discover',
    title: 'discover',
    connections: 16,
    goal: { peer: 1 },
    requests: perCaller((caller) => ({
      ours: { path: '/api/discover/posts', headers: ours(caller) },
      parse: parsePost(caller, 'functions/discover'),
      floor: floorGet('/discover', caller),
    })),
  },
  {
    name: 'search',
    title: 'post search',
    connections: 16,
    goal: { peer: 1 },
    requests: perCaller((caller, index) => ({
      ours: { path: `/api/posts/search?q=subject${index % 100}`, headers: ours(caller) },
      parse: parsePost(caller, 'functions/search', { text: `subject${index % 100}` }),
      floor: floorGet('/search', caller, `subject${index % 100}`),
    })),
  },
  {
    name: 'unread',
    title: 'unread count',
    connections: 16,
    goal: { peer: 1 },
    requests: perCaller((caller) => ({
      ours: { path: '/api/messages/unread-count', headers: ours(caller) },
      parse: parsePost(caller, 'functions/unreadCount'),
      floor: floorGet('/unread-count', caller),
    })),
  },
  {
    name: 'like',
    title: 'liking and unliking a post',
    connections: 8,
    goal: { peer: 1 },
    requests: perCaller((caller) => ({
      ours: { method: 'POST', path: `/api/posts/${caller.postId}/like`, headers: ours(caller) },
      parse: parsePost(caller, 'functions/toggleLike', { post: toParseId(caller.postId) }),
      floor: floorPost('/like', { userId: caller.userId, postId: caller.postId }),
    })),
  },
  {
    name: 'sign-in',
    title: 'sign-in',
    connections: 8,
    goal: { peer: 1 },
    requests: ({ accounts }) => ({
      ours: accounts.map((account) => ({
        method: 'POST',
        path: '/api/auth/login',
        headers: json,
        body: JSON.stringify({ ...account, recaptcha: 'none' }),
      })),
      parse: accounts.map(({ email, password }) => ({
        method: 'POST',
        path: '/parse/login',
        headers: { 'X-Parse-Application-Id': 'app', ...json },
        body: JSON.stringify({ username: email, password }),
      })),
      floor: accounts.map((account) => floorPost('/sign-in', account)),
    }),
  },
  {
    name: 'data-posts',
    title: 'Data API: 10 newest posts',
    connections: 16,
    goal: { peer: 1 },
    requests: (data) =>
      dataApiRequests(data, (caller) => ({
        ours: 'posts?select=id,author_id,content,created_at,likes_count&order=created_at.desc&limit=10',
        parse: parseGet(caller, 'Post', {
          order: '-createdAt',
          limit: '10',
          keys: 'author,content,likesCount',
        }),
        floor: floorGet('/newest-posts', caller),
      })),
  },
  {
    name: 'data-conversations',
    title: 'Data API: own conversations',
    connections: 16,
    goal: { peer: 1 },
    requests: (data) =>
      dataApiRequests(data, (caller) => ({
        ours: `conversation_members?select=partner_id,last_message_at,unread_count&user_id=eq.${caller.userId}&order=last_message_at.desc&limit=30`,
        parse: parseGet(caller, 'Conversation', ownConversations(caller)),
        floor: floorGet('/own-conversations', caller),
      })),
  },
  {
    name: 'data-profile',
    title: 'Data API: a profile with counts',
    connections: 16,
    goal: { peer: 1 },
    requests: (data) =>
      dataApiRequests(data, (caller) => ({
        ours: `profiles?select=id,username,full_name,profile_counts(followers,following,posts)&id=eq.${caller.postAuthorId}`,
        parse: parseGet(caller, `Profile/${toParseId(caller.postAuthorId)}`),
        floor: floorGet('/profile', caller, caller.postAuthorId),
      })),
  },
  {
    name: 'upload',
    title: 'upload of a 2 MB JPEG',
    connections: 1,
    goal: { maxMs: 300 },
    note: 'ours and Parse remove the metadata and generate a placeholder; the floor stores the file unchanged',
    requests: ({ callers, jpeg }) => {
      const form = multipart(jpeg)
      const some = callers.slice(0, 20)
      return {
        ours: some.map((caller) => ({
          method: 'POST',
          path: '/api/upload',
          headers: { ...ours(caller), 'Content-Type': form.type },
          body: form.body,
        })),
        parse: some.map((caller) => ({
          method: 'POST',
          path: '/parse/files/photo.jpg',
          headers: { ...parseHeaders(caller), 'Content-Type': 'image/jpeg' },
          body: jpeg,
        })),
        floor: [{ method: 'POST', path: '/upload', headers: { 'Content-Type': 'image/jpeg' }, body: jpeg }],
      }
    },
  },
]

/** Returns the query for a caller's conversations. @param {RowCaller} caller @param {string} [include] */
function ownConversations({ userId }, include) {
  const me = pointer('Profile', userId)
  const where = { $or: [{ low: me }, { high: me }] }
  return { where, order: '-lastMessageAt', limit: '30', ...(include && { include }) }
}

/** Returns a form that contains the image, as a body with its content type. @param {Buffer} jpeg */
function multipart(jpeg) {
  const boundary = 'ovation-bench-form'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), jpeg, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
