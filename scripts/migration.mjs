import './lib/node-version.mjs'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { mixesPolicies } from './lib/policies.mjs'
import { startTestStack } from './lib/test-stack.mjs'

// `npm run migration <name>`: drafts the next migration from the difference between supabase/migrations and
// supabase/schemas, and prints it. If there are no migrations yet, it writes the whole schema as the first one.

const folder = join(root, 'supabase', 'migrations')
const [name = ''] = process.argv.slice(2)
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  fail('Usage: npm run migration <name>, for example npm run migration add_post_language')
}

/**
 * Writes one migration file per script, and prints the scripts unless they are very long.
 *
 * @param {string[]} scripts
 */
function write(scripts) {
  mkdirSync(folder, { recursive: true })
  const now = Date.now()
  for (const [index, script] of scripts.entries()) {
    const time = new Date(now + index * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
    const file = join(folder, `${time}_${name}${index === 0 ? '' : `_${index + 1}`}.sql`)
    writeFileSync(file, script)
    if (script.length < 100_000) console.log(script)
    console.log(
      `Drafted ${relative(root, file)}. Review it: a rename is drafted as a drop, and data is not migrated.`,
    )
    if (mixesPolicies(script))
      console.warn(
        'The migration changes policies. On some Supabase projects, this locks the tables of Auth until the migration ends, so nobody can sign in. Move the policies to a short migration of their own, after this one; see docs/guides/change-the-database.md.',
      )
  }
}

try {
  await ensurePackages()
  await ensureBinaries()
  // Not imported at the top of the file, because its packages may be missing when this file is loaded.
  const { diffDatabases, draftMigration, readSchema, withSchemaDatabase } = await import('./lib/schema.mjs')
  if (readdirSync(folder, { withFileTypes: true }).length === 0) {
    write([`-- The whole schema, generated from supabase/schemas.\n\n${await readSchema()}`])
  } else {
    const stack = await startTestStack({ DEMO_DATA: 'off', LOG_LEVEL: 'error' })
    try {
      const { databaseUrl } = stack.connection
      await withSchemaDatabase(databaseUrl, async (schemaUrl) => {
        const difference = await diffDatabases(databaseUrl, schemaUrl)
        if (difference === '')
          console.log('The migrations already produce the schema: there is nothing to draft.')
        else write(await draftMigration(databaseUrl, schemaUrl))
      })
    } finally {
      await stack.stop()
    }
  }
} catch (error) {
  fail(`Could not draft the migration: ${errorMessage(error)}`)
}
