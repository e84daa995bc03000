// The `npm run bench -- --peer` command: prints the table of docs/performance.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { compareFeedWithItsSql } from '../feed.mjs'
import { formatInteger } from '../report.mjs'
import { onSignal } from '../signals.mjs'
import { formatCapacity, measureRowBytes } from './capacity.mjs'
import { measureRow, rowNames, startServers } from './compare.mjs'
import { hostileEnv, measureHostile } from './hostile.mjs'
import { describeRun, formatTable } from './table.mjs'

/**
 * @typedef {import('./compare.mjs').Options & { markdown?: string }} Options `markdown` is a file for the results
 * @typedef {import('./table.mjs').OwnResult} OwnResult
 */

/** The size of the data set for the `hostile` row, which has its own servers because its stack needs rate limits. */
const hostileSize = { users: 2000, posts: 20_000 }

/**
 * Runs the named rows, or all of them, and prints the table. A failed row does not stop the others. A signal does, and
 * nothing is written then.
 *
 * @param {string[]} names
 * @param {Record<string, string>} env the environment of a stack without rate limits
 * @param {Options} options
 * @returns {Promise<boolean>} whether every row could be measured
 */
export async function runPeer(names, env, options) {
  const chosen = names.length > 0 ? names : [...rowNames, 'hostile']
  const unknown = chosen.filter((name) => ![...rowNames, 'hostile'].includes(name))
  if (unknown.length > 0)
    throw new Error(`There is no row ${unknown.join(', ')}: choose from ${rowNames.join(', ')}, hostile.`)
  const loadBefore = loadavg()[0] ?? 0
  /** @type {import('./compare.mjs').Result[]} */
  const results = []
  /** @type {OwnResult[]} */
  const ownResults = []
  /** @type {string[]} */
  const failures = []
  let capacity = ''
  /** @type {string | undefined} */
  let postgresVersion
  let isStopped = false
  const removeHandler = onSignal(() => {
    isStopped = true
  })
  const attempt = async (/** @type {string} */ name, /** @type {() => Promise<void>} */ measure) => {
    if (isStopped) return
    console.log(`Measuring ${name} …`)
    await measure().catch((error) => {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      console.log(failures.at(-1))
    })
  }
  const compared = chosen.filter((name) => rowNames.includes(name))
  if (compared.length > 0) {
    const servers = await startServers(env, options)
    postgresVersion = servers.postgresVersion
    try {
      const bytes = await measureRowBytes(servers.stack.connection.databaseUrl)
      for (const name of compared) {
        await attempt(name, async () => {
          const result = await measureRow(name, servers, options)
          results.push(result)
          console.log(formatTable([result], []).split('\n').at(2))
        })
      }
      if (compared.includes('feed')) {
        await attempt('the feed and its SQL', async () => {
          const { api, database } = await compareFeedWithItsSql(servers.stack, options)
          ownResults.push({
            title: 'home feed, relative to its SQL alone',
            value: `${(api / database).toFixed(2)} (${formatInteger(api)}/s, its SQL alone ${formatInteger(database)}/s)`,
            goal: '≥ 0.5',
            met: api >= 0.5 * database,
          })
        })
      }
      capacity = formatCapacity(results, bytes)
    } finally {
      await servers.stop()
    }
  }
  if (chosen.includes('hostile')) {
    await attempt('hostile', async () => {
      const servers = await startServers({ ...env, ...hostileEnv }, { ...options, ...hostileSize })
      ownResults.push(...(await measureHostile(servers, options).finally(servers.stop)))
    })
  }
  removeHandler()
  if (isStopped) return false
  const run = describeRun(options, { postgresVersion, loadBefore })
  const sections = { table: `${formatTable(results, ownResults)}\n\n${run}`, capacity }
  console.log(`\n${Object.values(sections).join('\n\n')}`)
  for (const failure of failures) console.log(`FAILED: ${failure}`)
  if (options.markdown) writeMarkdown(options.markdown, sections)
  return failures.length === 0
}

/**
 * Writes the sections into a file, each between the comments `<!-- name -->` and `<!-- /name -->`. A file without the
 * comment `<!-- table -->` is overwritten.
 *
 * @param {string} file
 * @param {Record<string, string>} sections
 */
function writeMarkdown(file, sections) {
  let text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (!text.includes('<!-- table -->'))
    text = '<!-- table -->\n<!-- /table -->\n\n<!-- capacity -->\n<!-- /capacity -->\n'
  for (const [name, section] of Object.entries(sections)) {
    if (section === '') continue
    const pattern = new RegExp(`(<!-- ${name} -->).*(<!-- /${name} -->)`, 's')
    text = text.replace(pattern, (_all, start, end) => `${start}\n\n${section}\n\n${end}`)
  }
  writeFileSync(file, text)
}
