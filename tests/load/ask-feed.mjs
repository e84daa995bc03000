// Run by Deno, as the functions are: makes the API's own code ask for one page of the feed, several times, as the
// caller in FEED_CALLER. Whoever listens at DATABASE_URL learns what it runs.

/** @param {string} path below the functions' shared folder; computed, so that Node's type check does not follow */
const shared = (path) => import(new URL(`../../supabase/functions/_shared/${path}`, import.meta.url).href)

const { rangeOf } = await shared('db/page.ts')
const { limits } = await shared('contract/limits.ts')
const { listPosts } = await shared('posts/lists.ts')

const caller = JSON.parse(process.env.FEED_CALLER ?? '{}')
let posts = 0
// The first times prepare the statements; the last is what every later call sends.
for (let time = 0; time < 4; time++) {
  const page = await listPosts(caller, rangeOf({}, limits.page.posts))
  posts = JSON.parse(page.items).length
}
console.log(posts)
process.exit(0)
