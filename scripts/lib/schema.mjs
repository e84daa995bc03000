import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { analyzeAndSort } from '@supabase/pg-topo'
import postgres from 'postgres'
import { deno, denoRun, modules, root } from './paths.mjs'
import { run } from './run.mjs'

// Reads the declarative schema (supabase/schemas) and compares it with a migrated database. See docs/decisions/018.

/**
 * Returns the statements of supabase/schemas as one script, in an order in which they can run. The files are written in
 * reading order: a policy may precede a table that it reads.
 */
export async function readSchema() {
  const folder = join(root, 'supabase', 'schemas')
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  // pg-topo confuses byte offsets with character offsets, so it gets ASCII text, in which they are equal. The
  // statements are then cut from the original text.
  const { ordered } = await analyzeAndSort(texts.map((text) => text.replace(/[^\x20-\x7e\n]/g, '?')))
  const statements = ordered.map(({ id, sql }) => {
    const text = texts[Number(/\d+/.exec(id.filePath)?.[0])] ?? ''
    const start = id.sourceOffset ?? 0
    return text.slice(start, start + sql.length).trim()
  })
  const lines = statements.map((statement) => (statement.endsWith(';') ? statement : `${statement};`))
  // Function bodies are not checked here, because they may call functions that are created later.
  return `set check_function_bodies = off;\n\n${lines.join('\n\n')}\n`
}

/**
 * Creates a database with the declarative schema, and passes its URL to a function. The database is dropped afterwards.
 *
 * @template T
 * @param {string} databaseUrl the superuser's URL of any existing database; the new one is created on the same server
 * @param {(schemaUrl: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withSchemaDatabase(databaseUrl, use) {
  const name = `schema_${randomUUID().replaceAll('-', '')}`
  const schemaUrl = new URL(databaseUrl)
  schemaUrl.pathname = `/${name}`
  const server = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    await server.unsafe(`create database ${name}`)
    try {
      await bootstrapDatabase(schemaUrl.href)
      await execute(schemaUrl.href, await readSchema())
      return await use(schemaUrl.href)
    } finally {
      await server.unsafe(`drop database ${name} with (force)`)
    }
  } finally {
    await server.end({ timeout: 2 })
  }
}

/**
 * Describes the differences between two databases: tables, columns, constraints, indexes, policies, grants, functions,
 * triggers, views and comments.
 *
 * @param {string} sourceUrl
 * @param {string} desiredUrl
 * @returns {Promise<string>} '' if there is no difference
 */
export async function diffDatabases(sourceUrl, desiredUrl) {
  const { code, output } = await pgDelta(['diff'], sourceUrl, desiredUrl)
  const text = withoutWarnings(output)
  if (/^No differences found/m.test(text)) return ''
  // pgdelta exits with 0 whether there are differences or not.
  return text === '' ? `pgdelta exited with code ${code} and no output` : text
}

/**
 * Drafts the SQL that turns one database into another.
 *
 * @param {string} sourceUrl
 * @param {string} desiredUrl
 * @returns {Promise<string[]>} one script, or several if some statements cannot run in a transaction with the others
 * @throws {Error} if pgdelta cannot plan the migration or render its SQL
 */
export async function draftMigration(sourceUrl, desiredUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-migration-'))
  try {
    const plan = join(folder, 'plan.json')
    const planned = await pgDelta(['plan', '--out', plan], sourceUrl, desiredUrl)
    if (planned.code !== 0 || !existsSync(plan)) throw new Error(withoutWarnings(planned.output))
    const base = join(folder, 'sql')
    const rendered = await run(process.execPath, [
      pgDeltaScript,
      'render',
      '--plan',
      plan,
      '--out',
      base,
      '--allow-drops',
    ])
    if (rendered.code !== 0 && rendered.code !== 3) throw new Error(withoutWarnings(rendered.output))
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Creates the roles, schemas and extensions that the database of a new Supabase project has.
 *
 * @param {string} databaseUrl
 */
async function bootstrapDatabase(databaseUrl) {
  const { code, output } = await run(deno, denoRun('stack/database/bootstrap.ts'), {
    env: { DATABASE_URL: databaseUrl, DENO_NO_UPDATE_CHECK: '1' },
  })
  if (code !== 0) throw new Error(`The database could not be bootstrapped. ${output.trim()}`)
}

/**
 * Runs an SQL script.
 *
 * @param {string} databaseUrl
 * @param {string} script
 */
async function execute(databaseUrl, script) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(script).simple()
  } finally {
    await sql.end({ timeout: 2 })
  }
}

const pgDeltaScript = join(modules, '@supabase', 'pg-delta', 'dist', 'cli', 'main.js')

/**
 * Runs pgdelta on two databases of one server. The password is passed in the environment, because every user on the
 * machine can read command lines.
 *
 * @param {string[]} args
 * @param {string} sourceUrl
 * @param {string} desiredUrl
 */
function pgDelta(args, sourceUrl, desiredUrl) {
  const source = new URL(sourceUrl)
  const desired = new URL(desiredUrl)
  const password = decodeURIComponent(source.password)
  source.password = ''
  desired.password = ''
  const databases = ['--profile', 'supabase', '--source', source.href, '--desired', desired.href]
  return run(process.execPath, [pgDeltaScript, ...args, ...databases], { env: { PGPASSWORD: password } })
}

/**
 * Removes warnings and progress lines from pgdelta's output. pgdelta warns about every dependency that its profile
 * leaves out.
 *
 * @param {string} output
 */
const withoutWarnings = (output) =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/WARNING \[|^Extracting /.test(line))
    .join('\n')
