import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Sentence } from '../shared/sentence.ts'
import { withSuperuser } from './client.ts'
import { recall, remember } from './state.ts'

/**
 * Applies supabase/migrations with the real `supabase db push`, when they are not those applied last.
 *
 * @param say prints a line of progress
 */
export async function migrate(
  root: string,
  dataDir: string,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  const hash = await hashMigrations(join(root, 'supabase', 'migrations'))
  if (hash === null) return
  if ((await withSuperuser(url, (sql) => recall(sql, 'migrations'))) === hash) return
  say('Applying the migrations …')
  await push(root, dataDir, url)
  await withSuperuser(url, (sql) => remember(sql, 'migrations', hash))
}

async function hashMigrations(folder: string): Promise<string | null> {
  const names: string[] = []
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.isFile && entry.name.endsWith('.sql')) names.push(entry.name)
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null
    throw error
  }
  if (names.length === 0) return null
  const hash = createHash('sha256')
  for (const name of names.sort())
    hash
      .update(name)
      .update('\0')
      .update(await Deno.readFile(join(folder, name)))
  return hash.digest('hex')
}

async function push(root: string, dataDir: string, url: string): Promise<void> {
  // The password goes by the environment, not on the command line, where every user of the machine could read it.
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  address.searchParams.set('sslmode', 'disable')
  const { success, stdout, stderr } = await new Deno.Command('node', {
    args: [
      join(root, 'node_modules', 'supabase', 'dist', 'supabase.js'),
      'db',
      'push',
      `--remote=${address}`,
      '--yes',
      '--agent=no',
    ],
    cwd: root,
    env: {
      PGPASSWORD: password,
      SUPABASE_HOME: join(dataDir, 'cli'),
      SUPABASE_TELEMETRY_DISABLED: '1',
      SUPABASE_NO_UPDATE_NOTIFIER: '1',
      SUPABASE_NO_KEYRING: '1',
      DO_NOT_TRACK: '1',
    },
    stdin: 'null',
    stdout: 'piped',
    stderr: 'piped',
  }).output()
  if (success) return
  const output = `${new TextDecoder().decode(stdout)}\n${new TextDecoder().decode(stderr)}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  const reason = output
    .filter((line) => /error|failed|remote migration/i.test(line))
    .slice(-3)
    .join(' ')
  throw new Sentence(`The migrations could not be applied. ${reason || output.slice(-3).join(' ')}`)
}
