import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { supabase } from '../../stack/database/supabase-cli.mjs'
import { deno, modules, root } from './paths.mjs'
import { run } from './run.mjs'

/**
 * @typedef {{ name: string, problems: string }} Result problems is '' when all is well
 */

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<Result>}
 */
async function tool(name, program, args, env = {}) {
  // Tests may run beside it, and wait only so long.
  const { code, output } = await run(program, args, { env: { NO_COLOR: '1', ...env }, gently: true })
  return { name, problems: code === 0 ? '' : output.trim() }
}

/** @param {string} name @param {string} script @param {string[]} args */
const node = (name, script, args) => tool(name, process.execPath, [join(modules, script), ...args])

/**
 * Without what Deno remembers of earlier checks: where only a part is looked at anew, TypeScript sometimes gives up on
 * types that it takes in a whole check (TS2589).
 * @param {string[]} paths
 */
async function denoTypes(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-deno-'))
  try {
    return await tool('types of stack and functions', deno, ['check', '--quiet', ...paths], {
      DENO_DIR: folder,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} args @returns {string[] | null} the lines that git says; null where it has nothing to say */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null
}

/**
 * @param {string[]} stamps of the migrations that are there
 * @returns {string[]} those that are new, yet come before one that others have applied already: where they do, they
 *   would be refused. What others have is what the main branch has, or where there is none the commit before this one
 */
function tooEarly(stamps) {
  const [base = 'HEAD^'] = git('merge-base', 'HEAD', 'origin/main') ?? []
  const paths = git('ls-tree', '--name-only', base, 'supabase/migrations/') ?? []
  const known = paths.map((path) => (path.split('/').at(-1) ?? '').slice(0, 14))
  const newest = known.sort().at(-1) ?? ''
  return stamps.filter((stamp) => !known.includes(stamp) && stamp < newest)
}

/** @returns {Result} migrations are named by a growing time, one statement of order for every machine */
function migrationOrder() {
  const files = readdirSync(join(root, 'supabase', 'migrations'))
  const wrong = files.filter((file) => !/^\d{14}_[a-z0-9_]+\.sql$/.test(file))
  const stamps = files.map((file) => file.slice(0, 14))
  const twice = stamps.filter((stamp, index) => stamps.indexOf(stamp) !== index)
  return {
    name: 'migrations',
    problems: [
      ...wrong.map((file) => `Badly named: ${file}`),
      ...twice.map((stamp) => `Twice: ${stamp}`),
      ...tooEarly(stamps).map((stamp) => `New, but before one that is applied already: ${stamp}`),
    ].join('\n'),
  }
}

/** @returns {Result} the functions' import map names the versions that package.json pins */
function pinnedAlike() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const maps = ['deno.json', 'supabase/functions/deno.json']
  const problems = maps.flatMap((map) =>
    Object.values(
      /** @type {Record<string, string>} */ (JSON.parse(readFileSync(join(root, map), 'utf8')).imports),
    )
      .map((target) => /^npm:\/?(@?[^@]+)@([^/]+)/.exec(target))
      .filter((match) => match && dependencies[match[1] ?? ''] !== match[2])
      .map((match) => `${map}: ${match?.[0]} is not what package.json pins`),
  )
  return { name: 'pinned versions', problems: problems.join('\n') }
}

/**
 * What needs nothing running: format and lint, types, dead code, migration order, equal versions. The longest of them,
 * the types, uses one core: the others come beside it.
 * @returns {Promise<Result[]>}
 */
export async function staticChecks() {
  const functions = ['api', 'jobs'].map((name) => `supabase/functions/${name}/index.ts`)
  const [types, others] = await Promise.all([
    node('types of web, tests and scripts', 'typescript/bin/tsc', ['--noEmit', '-p', '.']),
    shortChecks(functions),
  ])
  return [types, ...others, migrationOrder(), pinnedAlike()]
}

/** @param {string[]} functions where each edge function begins */
async function shortChecks(functions) {
  return [
    await node('format and lint', '@biomejs/biome/bin/biome', ['ci', '.']),
    await denoTypes(['stack', ...functions]),
    await node('dead code', 'knip/bin/knip.js', ['--no-progress']),
  ]
}

/**
 * What is asked of a running database: the advisors' lints, and whether the generated types are current.
 * @param {string} databaseUrl the superuser's address
 * @returns {Promise<Result[]>}
 */
export async function databaseChecks(databaseUrl) {
  const advisors = await supabase(['db', 'advisors', '--level', 'info'], databaseUrl)
  const start = advisors.stdout.indexOf('[')
  const found = start < 0 ? [] : JSON.parse(advisors.stdout.slice(start))
  // A fresh database has used none of its indexes yet.
  const told = found.filter((/** @type {{ name: string }} */ lint) => lint.name !== 'unused_index')
  const problems = told.map(
    (/** @type {{ level: string, name: string, detail: string }} */ lint) =>
      `${lint.level} ${lint.name}: ${lint.detail}`,
  )
  if (advisors.code !== 0) problems.push(advisors.stderr.trim())
  const types = await supabase(['gen', 'types', '--lang', 'typescript'], databaseUrl)
  const current = readFileSync(join(root, 'supabase/functions/_shared/db/database.types.ts'), 'utf8')
  return [
    { name: 'database advisors', problems: problems.join('\n') },
    {
      name: 'generated types',
      problems:
        types.stdout === current
          ? ''
          : 'database.types.ts is not current: run node scripts/types.mjs <database url>',
    },
  ]
}

/** @param {Result[]} results prints one line each, with what is wrong below it; @returns {number} how many failed */
export function report(results) {
  for (const { name, problems } of results) {
    console.log(
      problems === '' ? `  ok    ${name}` : `  FAIL  ${name}\n${problems.replace(/^/gm, '        ')}`,
    )
  }
  return results.filter(({ problems }) => problems !== '').length
}
