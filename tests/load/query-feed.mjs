// Reads one page of the feed several times with the API's own code, as the caller described by FEED_CALLER. Like the
// functions, this file runs in Deno. The query recorder at DATABASE_URL records the statements.

/**
 * Imports a shared module of the functions. Because the path is computed, the type checker does not check the module.
 *
 * @param {string} path
 */
const importShared = (path) =>
  import(new URL(`../../supabase/functions/_shared/${path}`, import.meta.url).href)

const { pageRange } = await importShared('http/params.ts')
const { limits } = await importShared('contract/limits.ts')
const { listHomeFeed } = await importShared('posts/queries.ts')

const caller = JSON.parse(process.env.FEED_CALLER ?? '{}')
let posts = 0
// The first reads prepare the statements. The last one sends the same statements as any later read would.
for (let read = 0; read < 4; read++) {
  const page = await listHomeFeed(caller, pageRange({}, limits.page.posts))
  posts = JSON.parse(page.items).length
}
console.log(posts)
process.exit(0)
