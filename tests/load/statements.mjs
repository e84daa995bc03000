// Run by Deno, as the functions are: makes the API's own code ask for one page of the feed and prints, as JSON, every
// statement that it sent, so that what is measured straight on the database is what the API runs and stays it.
// FEED_CALLER is the caller whose values are told apart from the constants.

/** @param {string} path below the functions' shared folder; computed, so that Node's type check does not follow */
const shared = (path) => import(new URL(`../../supabase/functions/_shared/${path}`, import.meta.url).href)

const caller = JSON.parse(process.env.FEED_CALLER ?? '{}')
const { pool } = await shared('db/pool.ts')
const { rangeOf } = await shared('db/page.ts')
const { limits } = await shared('contract/limits.ts')
const { listPosts } = await shared('posts/queries.ts')

/** @type {{ text: string, values: unknown[] }[]} */
const sent = []
pool.options.debug = (
  /** @type {number} */ _connection,
  /** @type {string} */ text,
  /** @type {unknown[]} */ values,
) => sent.push({ text, values })
const page = await listPosts(caller, rangeOf({}, limits.page.posts))
await pool.end()
console.log(JSON.stringify({ sent, posts: JSON.parse(page.items).length }))
