// Deno runs this file as it runs the functions. It makes the API's own code read one page of the feed several times, as
// the caller in FEED_CALLER. The query recorder at DATABASE_URL records the statements.

/**
 * Imports a shared module of the functions. The computed path keeps it out of Node's type check.
 *
 * @param {string} path
 */
const importShared = (path) =>
  import(new URL(`../../supabase/functions/_shared/${path}`, import.meta.url).href)

const { pageRange } = await importShared('http/params.ts')
const { limits } = await importShared('contract/limits.ts')
const { listPosts } = await importShared('posts/queries.ts')

const caller = JSON.parse(process.env.FEED_CALLER ?? '{}')
let posts = 0
// The first reads prepare the statements. The last one runs what every later call runs.
for (let read = 0; read < 4; read++) {
  const page = await listPosts(caller, pageRange({}, limits.page.posts))
  posts = JSON.parse(page.items).length
}
console.log(posts)
process.exit(0)
