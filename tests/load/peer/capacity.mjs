// Computes the capacity of a machine from the CPU time per action.
import { formatInteger } from '../report.mjs'
import { withSql } from '../stack.mjs'

/**
 * @typedef {{ messages: number, posts: number, likes: number }} RowBytes the bytes per row, including its index entries
 */

/** How many times per minute an active user performs an action, by the name of the comparison row that measures it. */
const actionsPerMinute = {
  feed: 2,
  // Sends one message.
  senders: 1,
  like: 1,
  thread: 1,
  conversations: 0.5,
  'user-posts': 0.5,
  // An open page polls the counts of unread notifications and messages every 30 seconds.
  unread: 4,
  'sign-in': 0.02,
  upload: 0.02,
}
const cores = 8
/** The share of the CPU time to plan for; the rest is reserved for peaks, jobs and backups. */
const share = 0.7

/**
 * Returns the bytes per row, from a filled database.
 *
 * @param {string} databaseUrl
 * @returns {Promise<RowBytes>}
 */
export async function measureRowBytes(databaseUrl) {
  return await withSql(databaseUrl, async (sql) => {
    const [row] = await sql`
      select (pg_total_relation_size('public.messages') / (select count(*) from public.messages))::int as messages,
             ((pg_total_relation_size('public.posts') + pg_total_relation_size('private.post_search'))
              / (select count(*) from public.posts))::int as posts,
             (pg_total_relation_size('public.likes') / (select count(*) from public.likes))::int as likes`
    return { messages: row?.messages, posts: row?.posts, likes: row?.likes }
  })
}

/**
 * Returns the capacity as Markdown, or an empty string if one of the required rows was not measured.
 *
 * @param {import('./compare.mjs').Result[]} results
 * @param {RowBytes} bytes
 */
export function formatCapacity(results, bytes) {
  const actions = Object.entries(actionsPerMinute).map(([name, perMinute]) => {
    const result = results.find((candidate) => candidate.name === name)
    if (!result) return null
    const database = result.databaseMs.ours
    return { title: result.title, perMinute, database, other: result.cpuMs.ours - database }
  })
  if (!actions.every((action) => action !== null)) return ''
  const perSecond = (/** @type {'database' | 'other'} */ part) =>
    actions.reduce((sum, action) => sum + (action.perMinute / 60) * action[part], 0)
  // The gateway runs JavaScript on one core, and PostgreSQL uses the others. All CPU time outside the database
  // counts toward the gateway's core.
  const limits = {
    'the gateway (one core)': (share * 1000) / perSecond('other'),
    [`the database (${cores - 1} cores)`]: (share * 1000 * (cores - 1)) / perSecond('database'),
  }
  const [[bottleneck, users] = ['', 0]] = Object.entries(limits).sort(([, a], [, b]) => a - b)
  const messagesPerSecond = (users * actionsPerMinute.senders) / 60
  const message = actions.find((_action, index) => Object.keys(actionsPerMinute)[index] === 'senders')
  const messagesOnly = message
    ? Math.min((share * 1000) / message.other, (share * 1000 * (cores - 1)) / message.database)
    : 0
  // Assumes that the average load of a day is a fifth of its peak.
  const messagesPerMonth = (messagesPerSecond / 5) * 86_400 * 30
  return [
    '| action | CPU outside the database | CPU in the database | per active user per minute |',
    '| --- | ---: | ---: | ---: |',
    ...actions.map(
      ({ title, other, database, perMinute }) =>
        `| ${title} | ${other.toFixed(2)} ms | ${database.toFixed(2)} ms | ${perMinute} |`,
    ),
    '',
    `On ${cores} cores at ${share * 100}%: ${Object.entries(limits)
      .map(([name, count]) => `${name} supports ${formatInteger(count)} active users`)
      .join(
        ' and ',
      )}. So ${formatInteger(users)} users can be active at the same time, and ${bottleneck} is the first limit. They send ${formatInteger(messagesPerSecond)} messages per second; a machine that handles only messages can send ${formatInteger(messagesOnly)}.`,
    '',
    `A message takes ${formatInteger(bytes.messages)} bytes with its indexes, a post ${formatInteger(bytes.posts)} bytes and a like ${formatInteger(bytes.likes)} bytes. If the load averages a fifth of the peak over the day, messages take ${formatInteger((messagesPerMonth * bytes.messages) / 1e9)} GB per month.`,
  ].join('\n')
}
