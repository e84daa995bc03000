// The baseline server, called "bare floor" in docs/performance.md. It uses the same runtime and the same database as
// the stack. For each row of the table in that document, it does the least possible work: one HTTP request, one query
// (two for a sign-in) as the superuser (no policies, no triggers, no validation) and, for a message, one WebSocket
// frame. Deno runs this file with the database URL and a folder for uploads as its arguments. The server prints its
// port on one line.
import { verify } from '@node-rs/argon2'
import postgres from 'postgres'

/**
 * @typedef {{ onmessage: (event: { data: string }) => void, onclose: () => void, send(text: string): void }} Socket
 * @typedef {{
 *   args: string[],
 *   serve(options: { hostname: string, port: number, onListen(address: { port: number }): void },
 *         handler: (request: Request) => Response | Promise<Response>): unknown,
 *   upgradeWebSocket(request: Request): { socket: Socket, response: Response },
 *   writeFile(path: string, data: Uint8Array): Promise<void>,
 * }} DenoLike
 * @typedef {{ json: string | null }[]} Rows
 */

// The type checker treats this file as Node code.
const { Deno: deno } = /** @type {{ Deno: DenoLike }} */ (/** @type {unknown} */ (globalThis))
const [databaseUrl = '', uploads = '.'] = deno.args
const sql = postgres(databaseUrl, { max: 16, fetch_types: false, onnotice: () => {} })
/** @type {Map<string, Socket>} sockets by user ID */
const sockets = new Map()

const userJson = sql`json_build_object('id', u.id, 'username', u.username, 'fullName', u.full_name,
  'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator)`

/** Returns SQL for a post as JSON, with its author and the fields that depend on the caller. @param {string} caller */
const postJson = (caller) => sql`json_build_object(
  'id', p.id, 'user', ${userJson}, 'content', p.content, 'teaser', p.teaser, 'mediaType', p.media_type,
  'imageUrl', '/api/media/' || p.media_id, 'mediaWidth', p.media_width, 'mediaHeight', p.media_height,
  'placeholder', p.placeholder, 'altText', p.alt_text, 'isPremium', p.is_premium, 'premiumPrice', p.premium_price,
  'likesCount', p.likes_count, 'commentsCount', p.comments_count, 'createdAt', p.created_at,
  'liked', exists (select from public.likes l where l.post_id = p.id and l.user_id = ${caller}),
  'saved', exists (select from public.saves s where s.post_id = p.id and s.user_id = ${caller}),
  'locked', p.is_premium and p.author_id <> ${caller}
            and not exists (select from public.unlocks n where n.post_id = p.id and n.user_id = ${caller}))`

/** @type {Record<string, (caller: string, other: string) => PromiseLike<Rows>>} one query for each path */
const queries = {
  '/feed': (caller) => sql`
    select json_agg(${postJson(caller)})::text as json from (
      select * from public.posts order by created_at desc, id desc limit 10) p
    join public.profiles u on u.id = p.author_id`,
  '/discover': (caller) => sql`
    select json_agg(${postJson(caller)})::text as json from (
      select * from public.posts where author_id <> ${caller} order by created_at desc, id desc limit 10) p
    join public.profiles u on u.id = p.author_id`,
  '/user-posts': (caller, other) => sql`
    select json_agg(${postJson(caller)})::text as json from (
      select * from public.posts where author_id = ${other} order by created_at desc, id desc limit 10) p
    join public.profiles u on u.id = p.author_id`,
  '/search': (caller, word) => sql`
    select json_agg(${postJson(caller)})::text as json from (
      select p.* from private.post_search s join public.posts p on p.id = s.post_id
      where s.words @@ ${word}::tsquery order by s.created_at desc limit 10) p
    join public.profiles u on u.id = p.author_id`,
  '/thread': (_caller, conversation) => sql`
    select json_agg(json_build_object(
      'id', m.id, 'senderId', m.sender_id, 'receiverId', m.receiver_id, 'content', m.content, 'seq', m.seq,
      'createdAt', m.created_at, 'reactions', m.reactions))::text as json
    from (select * from public.messages where conversation_id = ${conversation} order by seq desc limit 50) m`,
  '/conversations': (caller) => sql`
    select json_agg(json_build_object('otherUser', ${userJson}, 'unreadCount', c.unread_count,
      'lastMessage', json_build_object('id', m.id, 'content', m.content, 'createdAt', m.created_at)))::text as json
    from (select * from public.conversation_members where user_id = ${caller}
          order by last_message_at desc limit 30) c
    join public.profiles u on u.id = c.partner_id join public.messages m on m.id = c.last_message_id`,
  '/unread-count': (caller) => sql`
    select json_build_object('count', c.unread_messages)::text as json
    from public.user_counters c where c.user_id = ${caller}`,
  '/newest-posts': () => sql`
    select json_agg(json_build_object('id', p.id, 'author_id', p.author_id, 'content', p.content,
      'created_at', p.created_at, 'likes_count', p.likes_count))::text as json
    from (select * from public.posts order by created_at desc, id desc limit 10) p`,
  '/own-conversations': (caller) => sql`
    select json_agg(c)::text as json
    from (select partner_id, last_message_at, unread_count from public.conversation_members
          where user_id = ${caller} order by last_message_at desc limit 30) c`,
  '/profile': (_caller, other) => sql`
    select json_build_object('id', u.id, 'username', u.username, 'full_name', u.full_name, 'followers', c.followers,
      'following', c.following, 'posts', c.posts)::text as json
    from public.profiles u join public.profile_counts c on c.user_id = u.id where u.id = ${other}`,
}

/** Stores a message and sends it to the receiver's socket. @param {Request} request */
async function sendMessage(request) {
  const { id = crypto.randomUUID(), senderId, receiverId, content } = await request.json()
  const [row] = await sql`
    insert into baseline.messages (id, sender_id, receiver_id, content)
    values (${id}, ${senderId}, ${receiverId}, ${content})
    returning id, content, created_at`
  sockets.get(receiverId)?.send(JSON.stringify({ message: row }))
  return Response.json(row, { status: 201 })
}

/** Adds or removes a like, and updates the like count. @param {Request} request */
async function toggleLike(request) {
  const { userId, postId } = await request.json()
  const [row] = await sql`
    with removed as (delete from baseline.likes where post_id = ${postId} and user_id = ${userId} returning 1),
    added as (insert into baseline.likes (post_id, user_id)
              select ${postId}, ${userId} where not exists (select from removed) on conflict do nothing returning 1)
    insert into baseline.like_counts (post_id, likes) values (${postId}, 1)
    on conflict (post_id) do update set likes = like_counts.likes + (select count(*) from added)
                                                - (select count(*) from removed)
    returning likes`
  return Response.json(row)
}

/** Compares a password with its Argon2id hash, and stores a session. @param {Request} request */
async function signIn(request) {
  const { email, password } = await request.json()
  const [account] = await sql`select encrypted_password as hash from auth.users where email = ${email}`
  if (!account || !(await verify(account.hash, password))) return Response.json({}, { status: 401 })
  const [row] = await sql`insert into baseline.sessions (email) values (${email}) returning id`
  return Response.json(row)
}

/** Stores a file and its row. @param {Request} request */
async function upload(request) {
  const id = crypto.randomUUID()
  await deno.writeFile(`${uploads}/${id}`, new Uint8Array(await request.arrayBuffer()))
  await sql`insert into baseline.uploads (id) values (${id})`
  return Response.json({ id }, { status: 201 })
}

/** @type {Record<string, (request: Request) => Promise<Response>>} */
const writes = { '/message': sendMessage, '/like': toggleLike, '/sign-in': signIn, '/upload': upload }

deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) }, async (request) => {
  if (request.headers.get('upgrade') === 'websocket') {
    const { socket, response } = deno.upgradeWebSocket(request)
    socket.onmessage = ({ data }) => {
      sockets.set(data, socket)
      socket.send('{}')
    }
    return response
  }
  const { pathname, searchParams } = new URL(request.url)
  const write = writes[pathname]
  if (write) return await write(request)
  const [row] =
    (await queries[pathname]?.(searchParams.get('caller') ?? '', searchParams.get('other') ?? '')) ?? []
  return new Response(row?.json ?? '[]', { headers: { 'Content-Type': 'application/json' } })
})
