import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import { withSuperuser } from './client.ts'
import { readState, writeState } from './state.ts'
import { runSupabaseCli } from './supabase-cli.mjs'

/** What migrations contain: the hash of each by its version, the time in front of its name. */
type Hashes = Record<string, string>

/**
 * Applies those of supabase/migrations that this database does not have, with the real `supabase db push`.
 *
 * @param url the superuser's address
 * @param say prints a line of progress
 * @throws Sentence when a migration was changed after it was applied: the database would silently stay as it was
 */
export async function migrate(
  root: string,
  dataDir: string,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  const found = await hashMigrations(join(root, 'supabase', 'migrations'))
  const applied = toHashes(await withSuperuser(url, (sql) => readState(sql, 'migrations')))
  const changed = Object.keys(applied).filter((version) => found[version] !== applied[version])
  if (changed.length > 0) {
    throw new StartupError(
      `Migration ${changed.join(', ')} was changed or removed after it was applied to ${dataDir}: write the change as a new migration, or start over with npm run reset.`,
    )
  }
  if (Object.keys(found).every((version) => version in applied)) return
  say('Applying the migrations …')
  await push(dataDir, url)
  await withSuperuser(url, (sql) => writeState(sql, 'migrations', JSON.stringify(found)))
}

async function hashMigrations(folder: string): Promise<Hashes> {
  const hashes: Hashes = {}
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith('.sql')) continue
    const content = await Deno.readFile(join(folder, name))
    hashes[name.split('_')[0] ?? name] = createHash('sha256').update(content).digest('hex')
  }
  return hashes
}

function toHashes(remembered: string | null): Hashes {
  return remembered?.startsWith('{') ? JSON.parse(remembered) : {}
}

async function push(dataDir: string, url: string): Promise<void> {
  const { code, stdout, stderr } = await runSupabaseCli(['db', 'push', '--yes'], url, join(dataDir, 'cli'))
  if (code === 0) return
  const output = `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  const reason = output
    .filter((line) => /error|failed|remote migration/i.test(line))
    .slice(-3)
    .join(' ')
  throw new StartupError(`The migrations could not be applied. ${reason || output.slice(-3).join(' ')}`)
}
