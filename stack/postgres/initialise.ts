import { join } from 'node:path'
import { exists, syncDirectory } from '../shared/durable.ts'
import { diskSentence, messageOf, Sentence } from '../shared/sentence.ts'
import type { Binaries } from './binaries.ts'
import { commandAs, type Identity } from './identity.ts'

/**
 * Makes the database cluster where there is none. It is made beside its place and then renamed, so that a
 * start that was killed in the middle leaves nothing that looks like a database.
 *
 * @returns the data directory
 */
export async function initialise(
  dataDir: string,
  binaries: Binaries,
  identity: Identity,
  password: string,
): Promise<string> {
  const place = join(dataDir, 'postgres')
  if (await exists(place)) return place
  const draft = join(dataDir, 'postgres.new')
  const passwordFile = join(dataDir, 'postgres.password')
  try {
    await Deno.remove(draft, { recursive: true }).catch(() => undefined)
    await Deno.writeTextFile(passwordFile, password, { mode: 0o600 })
    if (identity.kind === 'user') {
      // The system user has to pass through DATA_DIR, though it cannot list it.
      await Deno.chmod(dataDir, 0o711)
      await Deno.mkdir(draft, { mode: 0o700 })
      await Deno.chown(draft, identity.uid, identity.gid)
      await Deno.chown(passwordFile, identity.uid, identity.gid)
    }
    const { success, stderr } = await commandAs(
      identity,
      binaries.initdb,
      [
        `--pgdata=${draft}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own collation: indexes mean the same on every machine and after every upgrade of its C library.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
      ],
      { stdin: 'null', stdout: 'null', stderr: 'piped', env: { LC_ALL: 'C' }, cwd: dataDir },
    ).output()
    if (!success) throw new Error(lastWords(new TextDecoder().decode(stderr)))
    await Deno.rename(draft, place)
    await syncDirectory(dataDir)
    return place
  } catch (error) {
    if (/ENOSPC|no space|quota|read-only|permission denied/i.test(messageOf(error))) {
      throw diskSentence('Cannot make the database', error)
    }
    throw new Sentence(`Cannot make the database: ${messageOf(error)}`)
  } finally {
    await Deno.remove(passwordFile).catch(() => undefined)
  }
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => /error|fatal|could not/i.test(line))
  return lines[0] ?? output.trim().split('\n').at(-1) ?? 'initdb failed'
}
