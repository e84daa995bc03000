import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSupabaseCli } from '../../stack/database/supabase-cli.mjs'
import { longTests } from './long-tests.mjs'
import { deno, modules, root } from './paths.mjs'
import { run } from './run.mjs'

/**
 * @typedef {{ name: string, problems: string }} Result `problems` is '' if the check passed
 */

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<Result>}
 */
async function runTool(name, program, args, env = {}) {
  const { code, output } = await run(program, args, { env: { NO_COLOR: '1', ...env } })
  return { name, problems: code === 0 ? '' : output.trim() || `exited with code ${code}` }
}

/** @param {string} name @param {string} script @param {string[]} args */
const runNodeTool = (name, script, args) => runTool(name, process.execPath, [join(modules, script), ...args])

/**
 * Type-checks with an empty cache: if only some files are checked again, TypeScript sometimes reports TS2589 for types
 * that pass in a full check.
 *
 * @param {string[]} paths
 */
async function checkDenoTypes(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-deno-'))
  try {
    return await runTool('types of stack and functions', deno, ['check', '--quiet', ...paths], {
      DENO_DIR: folder,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} args @returns {string[] | null} git's output by line; null if git fails */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null
}

/**
 * Finds new migrations with an earlier timestamp than a published one: databases to which the published migration has
 * been applied would reject them. A migration is published if the merge base with the main branch of `origin` contains
 * it or, without such a branch, if the previous commit does.
 *
 * @param {string[]} times the times of all migrations
 * @returns {string[]} the times of the misplaced migrations
 */
function findMisplaced(times) {
  const [base = 'HEAD^'] = git('merge-base', 'HEAD', 'origin/main') ?? []
  const paths = git('ls-tree', '--name-only', base, 'supabase/migrations/') ?? []
  const published = paths.map((path) => (path.split('/').at(-1) ?? '').slice(0, 14))
  const newest = published.sort().at(-1) ?? ''
  return times.filter((time) => !published.includes(time) && time < newest)
}

/** @returns {Result} whether the names of migrations are valid, their times are unique, and new migrations come last */
function checkMigrationOrder() {
  const files = readdirSync(join(root, 'supabase', 'migrations'))
  const misnamed = files.filter((file) => !/^\d{14}_[a-z0-9_]+\.sql$/.test(file))
  const times = files.map((file) => file.slice(0, 14))
  const duplicates = times.filter((time, index) => times.indexOf(time) !== index)
  return {
    name: 'migrations',
    problems: [
      ...misnamed.map((file) => `Invalid name: ${file}`),
      ...duplicates.map((time) => `Duplicate time: ${time}`),
      ...findMisplaced(times).map((time) => `New, but earlier than a published migration: ${time}`),
    ].join('\n'),
  }
}

/** @returns {Result} whether Deno's import maps name the versions that package.json pins */
function checkPinnedVersions() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const maps = ['deno.json', 'supabase/functions/deno.json']
  const problems = maps.flatMap((map) =>
    Object.values(
      /** @type {Record<string, string>} */ (JSON.parse(readFileSync(join(root, map), 'utf8')).imports),
    )
      .map((target) => /^npm:\/?(@?[^@]+)@([^/]+)/.exec(target))
      .filter((match) => match && dependencies[match[1] ?? ''] !== match[2])
      .map((match) => `${map}: ${match?.[0]} differs from package.json`),
  )
  return { name: 'pinned versions', problems: problems.join('\n') }
}

/**
 * Checks that every file in `longTests` exists. If a file is renamed without updating the list, `npm test` no longer
 * skips it.
 *
 * @returns {Result}
 */
function checkLongTests() {
  const missing = Object.values(longTests)
    .flat()
    .filter((file) => !existsSync(join(root, file)))
  return { name: 'long tests', problems: missing.map((file) => `Missing: ${file}`).join('\n') }
}

/** @param {string} message @returns {string} the placeholders and tags of a message, sorted, without duplicates */
function placeholders(message) {
  // The lookbehind skips a plural form that consists of one word, such as "{Post}" in "one {Post}".
  const found = message.match(/(?<!\b(?:one|other|=\d+) )\{\w+(?=\}|, (?:plural|select))|<\/?\d+\/?>/g) ?? []
  return [...new Set(found)].sort().join(' ')
}

/**
 * Checks that each message is translated with the same placeholders and that no translation is unused.
 *
 * @returns {Promise<Result>}
 */
async function checkTranslations() {
  // Not imported at the top of the file, because these packages may be missing when it is loaded.
  const [{ getConfig }, { getCatalogs }] = await Promise.all([
    import('@lingui/conf'),
    import('@lingui/cli/api'),
  ])
  const config = getConfig({ cwd: root })
  const problems = []
  for (const catalog of await getCatalogs(config)) {
    const texts = (await catalog.collect()) ?? {}
    for (const locale of config.locales) {
      const translations = (await catalog.read(locale)) ?? {}
      for (const [id, { message = id }] of Object.entries(texts)) {
        const { translation = '' } = translations[id] ?? {}
        if (translation === '') problems.push(`${locale}: no translation: ${message}`)
        else if (placeholders(message) !== placeholders(translation))
          problems.push(`${locale}: different placeholders: ${message} → ${translation}`)
      }
      const unused = Object.keys(translations).filter((id) => !(id in texts))
      problems.push(...unused.map((id) => `${locale}: not in the code: ${translations[id]?.message ?? id}`))
    }
  }
  if (problems.length > 0)
    problems.push('Run `npm run messages`, then translate the new messages in web/src/locales.')
  return { name: 'translations', problems: problems.join('\n') }
}

/**
 * Runs the checks that need no stack: format and lint, types, dead code, translations, migration order, pinned
 * versions, and the list of long tests. tsc, the slowest check, is limited to one thread to save CPU time. The checks
 * by other tools run in parallel with it.
 *
 * @returns {Promise<Result[]>}
 */
export async function staticChecks() {
  const functions = ['api', 'jobs', 'pages'].map((name) => `supabase/functions/${name}/index.ts`)
  const [types, others] = await Promise.all([
    runNodeTool('types of web, tests and scripts', 'typescript/bin/tsc', [
      '--noEmit',
      '-p',
      '.',
      '--singleThreaded',
    ]),
    runShortChecks(functions),
  ])
  return [types, ...others, checkMigrationOrder(), checkPinnedVersions(), checkLongTests()]
}

/** @param {string[]} functions the entry files of the edge functions */
async function runShortChecks(functions) {
  return [
    await runNodeTool('format and lint', '@biomejs/biome/bin/biome', ['ci', '.']),
    await checkDenoTypes(['stack', ...functions]),
    await runNodeTool('dead code', 'knip/bin/knip.js', ['--no-progress']),
    await checkTranslations(),
  ]
}

/**
 * Runs the database advisors on a database to which all migrations have been applied, and checks that the migrations
 * produce the declarative schema.
 *
 * @param {string} databaseUrl the superuser's database URL
 * @returns {Promise<Result[]>}
 */
export async function databaseChecks(databaseUrl) {
  const advisors = await runSupabaseCli(['db', 'advisors', '--level', 'info'], databaseUrl)
  const start = advisors.stdout.indexOf('[')
  const found = start < 0 ? [] : JSON.parse(advisors.stdout.slice(start))
  // A new database has not used its indexes yet.
  const lints = found.filter((/** @type {{ name: string }} */ lint) => lint.name !== 'unused_index')
  const problems = lints.map(
    (/** @type {{ level: string, name: string, detail: string }} */ lint) =>
      `${lint.level} ${lint.name}: ${lint.detail}`,
  )
  if (advisors.code !== 0) problems.push(advisors.stderr.trim())
  return [
    { name: 'database advisors', problems: problems.join('\n') },
    { name: 'migrations produce the schema', problems: await compareWithSchema(databaseUrl) },
  ]
}

/** @param {string} databaseUrl */
async function compareWithSchema(databaseUrl) {
  // Not imported at the top of the file, because its packages may be missing when this file is loaded.
  const { diffDatabases, withSchemaDatabase } = await import('./schema.mjs')
  const difference = await withSchemaDatabase(databaseUrl, (url) => diffDatabases(databaseUrl, url))
  return difference === ''
    ? ''
    : `${difference}\nRun npm run migration <name> to draft the missing migration.`
}

/**
 * Checks that no process of a stack has exited or stopped responding since the stack started.
 *
 * @param {string} dataDir the stack's DATA_DIR
 * @returns {Result} with the log lines about such processes as problems
 */
export function stackProcessCheck(dataDir) {
  const folder = join(dataDir, 'logs')
  const lines = readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
  const problems = lines.filter((line) =>
    /"event":"(process_exited|process_hung|postgres_exited|database_connection_lost)"/.test(line),
  )
  return { name: 'processes of the stack', problems: problems.join('\n') }
}

/**
 * Checks that the landing page and the feed download no more than their budgets allow.
 *
 * @param {string} origin the origin of a stack without captcha and rate limits, which serves the built web app
 * @param {string} browserPath
 * @returns {Promise<Result>}
 */
export async function loadBudgetCheck(origin, browserPath) {
  // Not imported at the top of the file, because these packages may be missing when it is loaded.
  const [{ chromium }, { createFeedReader, findExceededBudgets, measureDownloads }] = await Promise.all([
    import('playwright'),
    import('../../tests/load/page-load.mjs'),
  ])
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const visitor = await browser.newContext()
    const reader = await browser.newContext({ storageState: await createFeedReader(browser, origin) })
    const problems = [
      ...findExceededBudgets('landing', await measureDownloads(visitor, origin, 'landing')),
      ...findExceededBudgets('feed', await measureDownloads(reader, origin, 'feed')),
    ]
    return { name: 'downloads of landing page and feed', problems: problems.join('\n') }
  } finally {
    await browser.close()
  }
}

/**
 * Prints one line per result, with its problems below it.
 *
 * @param {Result[]} results
 * @returns {number} how many failed
 */
export function report(results) {
  for (const { name, problems } of results) {
    console.log(
      problems === '' ? `  ok    ${name}` : `  FAIL  ${name}\n${problems.replace(/^/gm, '        ')}`,
    )
  }
  return results.filter(({ problems }) => problems !== '').length
}
