// Copies the benchmark's data from the stack's database into Parse Server's tables, with the indexes that an app on
// Parse would create: Parse itself creates only the primary keys of an app's classes.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'

/** Returns SQL for the Parse object ID (ten characters) of a row of the stack. @param {string} id a SQL expression */
const parseIdSql = (id) =>
  `left(translate(encode(decode(md5(${id}::text), 'hex'), 'base64'), '+/', 'ab'), 10)`

/** Returns the Parse object ID of a row of the stack. @param {string} id */
export const toParseId = (id) =>
  createHash('md5').update(id).digest('base64').replaceAll('+', 'a').replaceAll('/', 'b').slice(0, 10)

/** Returns a user's session token in Parse. @param {string} userId the user's ID in the stack */
export const toParseSessionToken = (userId) => `r:${toParseId(userId)}`

const everyone = `array['*']`
/** @param {string} id */
const only = (id) => `array[${parseIdSql(id)}]`
/** SQL for the users who may read a post of the profile `u`: everyone, the author's followers, or the author. */
const postReaders = `case u.visibility when 'public' then ${everyone}
  else ${only('u.id')} || case u.visibility when 'followers' then
    array(select ${parseIdSql('f.follower_id')} from public.follows f where f.followee_id = u.id) else '{}' end end`

/**
 * The columns of Parse's tables, as SQL on the stack's database.
 *
 * @type {{ table: string, columns: Record<string, string>, from: string }[]}
 */
const copies = [
  {
    table: '_User',
    columns: {
      objectId: parseIdSql('u.id'),
      username: 'u.username',
      createdAt: 'u.created_at',
      updatedAt: 'u.created_at',
      _rperm: only('u.id'),
      _wperm: only('u.id'),
    },
    from: 'public.profiles u',
  },
  {
    table: '_Session',
    columns: {
      objectId: parseIdSql('u.id'),
      user: parseIdSql('u.id'),
      sessionToken: `'r:' || ${parseIdSql('u.id')}`,
      expiresAt: `now() + interval '1 year'`,
      createdAt: 'now()',
      updatedAt: 'now()',
      _rperm: `'{}'::text[]`,
      _wperm: `'{}'::text[]`,
    },
    from: `public.profiles u join auth.users a on a.id = u.id and a.email like 'bench%'`,
  },
  {
    table: 'Profile',
    columns: {
      objectId: parseIdSql('u.id'),
      username: 'u.username',
      fullName: 'u.full_name',
      bio: 'd.bio',
      isCreator: 'u.is_creator',
      followers: 'c.followers',
      following: 'c.following',
      posts: 'c.posts',
      createdAt: 'u.created_at',
      updatedAt: 'u.created_at',
      _rperm: everyone,
      _wperm: only('u.id'),
    },
    from: `public.profiles u join public.profile_details d on d.user_id = u.id
           join public.profile_counts c on c.user_id = u.id`,
  },
  relation('Follow', 'public.follows', 'follower_id', 'followee_id'),
  relation('Block', 'public.blocks', 'blocker_id', 'blocked_id'),
  {
    table: 'Post',
    columns: {
      objectId: parseIdSql('p.id'),
      author: parseIdSql('u.id'),
      content: 'p.content',
      teaser: 'p.teaser',
      imageUrl: `'/files/' || p.media_id`,
      mediaType: 'p.media_type',
      mediaWidth: 'p.media_width',
      mediaHeight: 'p.media_height',
      placeholder: 'p.placeholder',
      altText: 'p.alt_text',
      isPremium: 'p.is_premium',
      price: 'p.premium_price',
      likesCount: 'p.likes_count',
      commentsCount: 'p.comments_count',
      createdAt: 'p.created_at',
      updatedAt: 'p.created_at',
      _rperm: postReaders,
      _wperm: only('u.id'),
    },
    from: 'public.posts p join public.profiles u on u.id = p.author_id',
  },
  {
    table: 'PremiumContent',
    columns: {
      objectId: parseIdSql('c.post_id'),
      post: parseIdSql('c.post_id'),
      content: 'c.content',
      imageUrl: `'/files/' || c.media_id`,
      altText: 'c.alt_text',
      createdAt: 'now()',
      updatedAt: 'now()',
      _rperm: `${only('c.author_id')} || array(select ${parseIdSql('n.user_id')} from public.unlocks n where n.post_id = c.post_id)`,
      _wperm: only('c.author_id'),
    },
    from: 'public.premium_contents c',
  },
  {
    table: 'Like',
    columns: {
      objectId: parseIdSql(`l.post_id || ':' || l.user_id`),
      user: parseIdSql('l.user_id'),
      post: parseIdSql('l.post_id'),
      createdAt: 'l.created_at',
      updatedAt: 'l.created_at',
      _rperm: only('l.user_id'),
      _wperm: only('l.user_id'),
    },
    from: 'public.likes l',
  },
  {
    table: 'Conversation',
    columns: {
      objectId: parseIdSql('c.id'),
      pair: `least(pair.a, pair.b) || ':' || greatest(pair.a, pair.b)`,
      low: 'least(pair.a, pair.b)',
      high: 'greatest(pair.a, pair.b)',
      lastSender: parseIdSql('m.sender_id'),
      lastContent: 'm.content',
      lastMessageAt: 'm.created_at',
      createdAt: 'c.created_at',
      updatedAt: 'm.created_at',
      unreadLow: `(select unread_count from public.conversation_members r where r.conversation_id = c.id and ${parseIdSql('r.user_id')} = least(pair.a, pair.b))`,
      unreadHigh: `(select unread_count from public.conversation_members r where r.conversation_id = c.id and ${parseIdSql('r.user_id')} = greatest(pair.a, pair.b))`,
      _rperm: 'array[pair.a, pair.b]',
      _wperm: `'{}'::text[]`,
    },
    from: `public.conversations c join public.messages m on m.conversation_id = c.id and m.seq = c.last_seq,
      lateral (select ${parseIdSql('c.user_low')} collate "C" as a, ${parseIdSql('c.user_high')} collate "C" as b) pair`,
  },
  {
    table: 'Message',
    columns: {
      objectId: parseIdSql('m.id'),
      conversation: parseIdSql('m.conversation_id'),
      sender: parseIdSql('m.sender_id'),
      receiver: parseIdSql('m.receiver_id'),
      content: 'm.content',
      createdAt: 'm.created_at',
      updatedAt: 'm.created_at',
      _rperm: `array[${parseIdSql('m.sender_id')}, ${parseIdSql('m.receiver_id')}]`,
      _wperm: `'{}'::text[]`,
    },
    from: 'public.messages m',
  },
]

const indexes = `
  create index on "_Session" ("sessionToken");
  create index on "Profile" ("username");
  create index on "Block" ("from"); create index on "Block" ("to");
  create index on "Follow" ("from"); create index on "Follow" ("to");
  create index on "Post" ("createdAt" desc); create index on "Post" ("author", "createdAt" desc);
  create index on "Post" using gin (to_tsvector('english', "content"));
  create index on "PremiumContent" ("post");
  create index on "Like" ("user", "post"); create index on "Save" ("user", "post");
  create index on "Conversation" ("pair");
  create index on "Conversation" ("low", "lastMessageAt" desc); create index on "Conversation" ("high", "lastMessageAt" desc);
  create index on "Message" ("conversation", "createdAt" desc);`

/**
 * Describes how to copy a table of pairs of users, such as `public.follows`.
 *
 * @param {string} table
 * @param {string} source
 * @param {string} from
 * @param {string} to
 */
function relation(table, source, from, to) {
  return {
    table,
    columns: {
      objectId: parseIdSql(`r.${from} || ':' || r.${to}`),
      from: parseIdSql(`r.${from}`),
      to: parseIdSql(`r.${to}`),
      createdAt: 'now()',
      updatedAt: 'now()',
      _rperm: only(`r.${from}`),
      _wperm: only(`r.${from}`),
    },
    from: `${source} r`,
  }
}

/**
 * Copies the data and creates the indexes.
 *
 * @param {string} stackUrl the database URL of the stack's superuser
 * @param {string} parseUrl the database URL of Parse Server, which has created its tables
 */
export async function fillParse(stackUrl, parseUrl) {
  const options = { max: 1, onnotice: () => {} }
  const parse = postgres(parseUrl, options)
  try {
    for (const { table, columns, from } of copies) {
      // Opens a new connection for each table, because the driver leaves the socket paused if reading was faster than
      // writing.
      const stack = postgres(stackUrl, options)
      const names = Object.keys(columns).map((name) => `"${name}"`)
      const rows = `select ${Object.values(columns).join(', ')} from ${from}`
      try {
        const source = await stack.unsafe(`copy (${rows}) to stdout`).readable()
        const target = await parse.unsafe(`copy "${table}" (${names.join(', ')}) from stdin`).writable()
        await pipeline(source, target)
      } finally {
        await stack.end({ timeout: 0 })
      }
    }
    await parse.unsafe(indexes)
    await parse.unsafe('vacuum (freeze, analyze)')
  } finally {
    await parse.end({ timeout: 1 })
  }
}
