// Parse Server, configured and programmed as a backend for this app. Node runs this file with the folder in which
// Parse Server is installed, the database URL and a port as its arguments. Prints "ready". Uploads and logs are written
// into the working directory.
//
// The app follows the conventions of Parse and uses its fastest options:
// - Class-level permissions: clients can find and get objects, and create messages. All other writes go through Cloud
//   Code.
// - Objects have ACLs. A message is readable by its two users. A post is readable by everyone, by its author's
//   followers or only by its author. `_User` is private (the default), and the `Profile` class contains what others see
//   of a user.
// - Cloud Code returns what a screen needs from several classes (a feed page with its likes, saves and unlocks). Lists
//   from one class (conversations, threads) are class queries, which are faster.
// - Cloud Code calls Parse directly instead of over HTTP (`directAccess`), passwords are hashed natively
//   (`@node-rs/bcrypt`), and every list query has an index. By default, the connection pool
//   is as large as that of our stack.
// - A trigger processes uploaded images with sharp, the usual image library for Node.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder = '', databaseUrl = '', port = ''] = process.argv
const require = createRequire(join(folder, 'package.json'))
// The names are not literals in `require`, because the type checker cannot find these packages.
const [{ ParseServer }, FilesAdapter, express, sharp] = [
  'parse-server',
  '@parse/fs-files-adapter',
  'express',
  'sharp',
].map((name) => require(name))

const readOnly = { find: { requiresAuthentication: true }, get: { requiresAuthentication: true } }
const profilePointer = { type: 'Pointer', targetClass: 'Profile' }
const postPointer = { type: 'Pointer', targetClass: 'Post' }
const [string, number, boolean, date] = ['String', 'Number', 'Boolean', 'Date'].map((type) => ({ type }))

const classes = {
  Profile: {
    username: string,
    fullName: string,
    imageUrl: string,
    bio: string,
    isCreator: boolean,
    followers: number,
    following: number,
    posts: number,
  },
  Block: { from: profilePointer, to: profilePointer },
  Post: {
    author: profilePointer,
    content: string,
    teaser: string,
    imageUrl: string,
    mediaType: string,
    mediaWidth: number,
    mediaHeight: number,
    placeholder: string,
    altText: string,
    isPremium: boolean,
    price: number,
    likesCount: number,
    commentsCount: number,
  },
  PremiumContent: { post: postPointer, content: string, imageUrl: string, altText: string },
  Follow: { from: profilePointer, to: profilePointer },
  Like: { user: profilePointer, post: postPointer },
  Save: { user: profilePointer, post: postPointer },
  Conversation: {
    pair: string,
    low: profilePointer,
    high: profilePointer,
    lastSender: profilePointer,
    lastContent: string,
    lastMessageAt: date,
    unreadLow: number,
    unreadHigh: number,
  },
  Message: {
    conversation: { type: 'Pointer', targetClass: 'Conversation' },
    sender: profilePointer,
    receiver: profilePointer,
    content: string,
  },
}

const server = new ParseServer({
  appId: 'app',
  masterKey: 'master',
  serverURL: `http://127.0.0.1:${port}/parse`,
  databaseURI: `${databaseUrl}?poolSize=16`,
  allowClientClassCreation: false,
  schema: {
    definitions: Object.entries(classes).map(([className, fields]) => ({
      className,
      fields,
      classLevelPermissions: {
        ...readOnly,
        count: {},
        update: {},
        delete: {},
        addField: {},
        create: className === 'Message' ? { requiresAuthentication: true } : {},
        protectedFields: { '*': [] },
      },
    })),
  },
  cloud: registerCloudCode,
  liveQuery: { classNames: ['Message'] },
  filesAdapter: new FilesAdapter(),
  fileUpload: { enableForAuthenticatedUser: true },
  maxUploadSize: '20mb',
  logLevel: 'error',
  silent: true,
})
await server.start()
const app = express()
app.use('/parse', server.app)
const http = app.listen(Number(port), '127.0.0.1', () => console.log('ready'))
// By default, Node closes connections after 5 idle seconds. The pauses between the measurements of one server can be
// about as long.
http.keepAliveTimeout = 60_000
await ParseServer.createLiveQueryServer(http)

/** @param {any} Parse the SDK of Cloud Code */
async function registerCloudCode(Parse) {
  const master = { useMasterKey: true }
  const pointer = (/** @type {string} */ name, /** @type {string} */ id) =>
    Parse.Object.createWithoutData.call(Parse.Object.extend(name), id)
  const profile = (/** @type {string} */ id) => pointer('Profile', id)
  const query = (/** @type {string} */ name) => new Parse.Query(name)

  /** Returns the profiles that a user blocked or that blocked the user. @param {string} id */
  const blockedProfiles = async (id) => {
    const me = profile(id)
    const blocks = await Parse.Query.or(query('Block').equalTo('from', me), query('Block').equalTo('to', me))
      .limit(1000)
      .find({ ...master, json: true })
    return blocks.map((/** @type {any} */ { from, to }) =>
      profile(from.objectId === id ? to.objectId : from.objectId),
    )
  }

  /** Returns a page of posts with the user's likes, saves and unlocks. @param {any} posts @param {any} user */
  const listPosts = async (posts, user) => {
    const session = { sessionToken: user.getSessionToken() }
    const page = await posts
      .include('author')
      .limit(10)
      .find({ ...session, json: true })
    const pointers = page.map((/** @type {any} */ { objectId }) => pointer('Post', objectId))
    const premium = page.filter((/** @type {any} */ post) => post.isPremium)
    const me = profile(user.id)
    const [likes, saves, contents] = await Promise.all([
      query('Like')
        .equalTo('user', me)
        .containedIn('post', pointers)
        .select('post')
        .find({ ...master, json: true }),
      query('Save')
        .equalTo('user', me)
        .containedIn('post', pointers)
        .select('post')
        .find({ ...master, json: true }),
      premium.length > 0
        ? query('PremiumContent')
            .containedIn(
              'post',
              premium.map((/** @type {any} */ { objectId }) => pointer('Post', objectId)),
            )
            .find({ ...session, json: true })
        : [],
    ])
    const ids = (/** @type {any[]} */ rows) => new Set(rows.map(({ post }) => post.objectId))
    const [liked, saved] = [ids(likes), ids(saves)]
    const unlocked = new Map(contents.map((/** @type {any} */ row) => [row.post.objectId, row]))
    return page.map((/** @type {any} */ post) => ({
      ...post,
      liked: liked.has(post.objectId),
      saved: saved.has(post.objectId),
      locked: post.isPremium && !unlocked.has(post.objectId),
      ...(unlocked.has(post.objectId) && { content: unlocked.get(post.objectId).content }),
    }))
  }

  /** @typedef {{ user: { id: string }, params: { author: string, post: string, text: string } }} PeerRequest */

  /**
   * Defines a function for signed-in users.
   *
   * @param {string} name
   * @param {(request: PeerRequest) => Promise<unknown>} run
   */
  const define = (name, run) => Parse.Cloud.define(name, run, { requireUser: true })

  define('feed', async ({ user }) =>
    listPosts(
      query('Post')
        .notContainedIn('author', await blockedProfiles(user.id))
        .descending('createdAt'),
      user,
    ),
  )
  define('discover', async ({ user }) => {
    const hidden = [...(await blockedProfiles(user.id)), profile(user.id)]
    return listPosts(query('Post').notContainedIn('author', hidden).descending('createdAt'), user)
  })
  define('userPosts', ({ user, params }) =>
    listPosts(query('Post').equalTo('author', profile(params.author)).descending('createdAt'), user),
  )
  define('search', async ({ user, params }) => {
    const hidden = await blockedProfiles(user.id)
    const posts = query('Post').fullText('content', params.text).notContainedIn('author', hidden)
    return listPosts(posts.descending('createdAt'), user)
  })
  define('unreadCount', async ({ user }) => {
    const me = profile(user.id)
    const rows = await Parse.Query.or(
      query('Conversation').equalTo('low', me).greaterThan('unreadLow', 0),
      query('Conversation').equalTo('high', me).greaterThan('unreadHigh', 0),
    )
      .select('low', 'unreadLow', 'unreadHigh')
      .find({ ...master, json: true })
    return rows.reduce(
      (/** @type {number} */ sum, /** @type {any} */ row) =>
        sum + (row.low.objectId === user.id ? row.unreadLow : row.unreadHigh),
      0,
    )
  })
  define('toggleLike', async ({ user, params }) => {
    const [me, post] = [profile(user.id), pointer('Post', params.post)]
    const like = await query('Like').equalTo('user', me).equalTo('post', post).first(master)
    if (like) await like.destroy(master)
    else await new (Parse.Object.extend('Like'))({ user: me, post }).save(null, master)
    post.increment('likesCount', like ? -1 : 1)
    await post.save(null, master)
    return { liked: !like }
  })

  Parse.Cloud.beforeSave('Message', async (/** @type {any} */ { object, user, context }) => {
    if (!user || !object.isNew()) throw new Parse.Error(Parse.Error.OPERATION_FORBIDDEN, 'Not allowed')
    const receiver = object.get('receiver')
    const content = object.get('content')
    if (!content?.trim() || content.length > 5000)
      throw new Parse.Error(Parse.Error.VALIDATION_ERROR, 'Invalid text')
    const me = profile(user.id)
    const [low, high] = user.id < receiver.id ? [me, receiver] : [receiver, me]
    const pair = `${low.id}:${high.id}`
    const [block, found] = await Promise.all([
      Parse.Query.or(
        query('Block').equalTo('from', me).equalTo('to', receiver),
        query('Block').equalTo('from', receiver).equalTo('to', me),
      ).first(master),
      query('Conversation').equalTo('pair', pair).first(master),
    ])
    if (block) throw new Parse.Error(Parse.Error.OBJECT_NOT_FOUND, 'Recipient not found')
    const acl = new Parse.ACL()
    for (const id of [user.id, receiver.id]) acl.setReadAccess(id, true)
    let conversation = found
    if (!conversation) {
      conversation = new (Parse.Object.extend('Conversation'))({
        pair,
        low,
        high,
        unreadLow: 0,
        unreadHigh: 0,
      })
      conversation.setACL(acl)
      await conversation.save(null, master)
    }
    object.set({ sender: me, conversation })
    object.setACL(acl)
    context.unread = low.id === user.id ? 'unreadHigh' : 'unreadLow'
  })
  Parse.Cloud.beforeSave(Parse.File, async (/** @type {any} */ { file }) => {
    const source = Buffer.from(await file.getData(), 'base64')
    const [image, placeholder] = await Promise.all([
      sharp(source).rotate().keepIccProfile().jpeg({ quality: 87 }).toBuffer(),
      sharp(source).rotate().resize(22, 22, { fit: 'inside' }).blur(0.8).webp({ quality: 40 }).toBuffer(),
    ])
    const stored = new Parse.File(file.name(), image, 'image/jpeg')
    stored.setMetadata({ placeholder: `data:image/webp;base64,${placeholder.toString('base64')}` })
    return stored
  })
  Parse.Cloud.afterSave('Message', async (/** @type {any} */ { object, context }) => {
    const conversation = object.get('conversation')
    conversation.set({
      lastSender: object.get('sender'),
      lastContent: object.get('content'),
      lastMessageAt: object.createdAt,
    })
    conversation.increment(context.unread)
    await conversation.save(null, master)
  })
}
