import { join } from 'node:path'
import { diskError, errorMessage, StartupError } from '../shared/errors.ts'
import { exists, syncDirectory } from '../shared/files.ts'
import type { Binaries } from './binaries.ts'
import { commandAsUser, type ProcessUser } from './process-user.ts'

/**
 * Creates the database cluster if it does not exist. The cluster is created in another directory that is then renamed,
 * so a stack that is killed halfway leaves nothing that looks like a database.
 *
 * @param superuser the name of the cluster's first role
 * @returns the cluster's directory
 * @throws StartupError if the cluster cannot be created
 */
export async function initCluster(
  dataDir: string,
  binaries: Binaries,
  user: ProcessUser,
  password: string,
  superuser = 'postgres',
): Promise<string> {
  const directory = join(dataDir, 'postgres')
  if (await exists(directory)) return directory
  const staging = join(dataDir, 'postgres.new')
  const passwordFile = join(dataDir, 'postgres.password')
  try {
    await Deno.remove(staging, { recursive: true }).catch(() => undefined)
    await Deno.writeTextFile(passwordFile, password, { mode: 0o600 })
    if (user.kind === 'user') {
      // The system user must be able to traverse DATA_DIR, but not to list it.
      await Deno.chmod(dataDir, 0o711)
      await Deno.mkdir(staging, { mode: 0o700 })
      await Deno.chown(staging, user.uid, user.gid)
      await Deno.chown(passwordFile, user.uid, user.gid)
    }
    const { success, stderr } = await commandAsUser(
      user,
      binaries.initdb,
      [
        `--pgdata=${staging}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // With the built-in collation, indexes stay valid on other machines and after upgrades of the C library.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
      ],
      { stdin: 'null', stdout: 'null', stderr: 'piped', env: { LC_ALL: 'C' }, cwd: dataDir },
    ).output()
    if (!success) throw new Error(firstErrorLine(new TextDecoder().decode(stderr)))
    await Deno.rename(staging, directory)
    await syncDirectory(dataDir)
    return directory
  } catch (error) {
    if (/ENOSPC|no space|quota|read-only|permission denied/i.test(errorMessage(error))) {
      throw diskError('Cannot create the database', error)
    }
    throw new StartupError(`Cannot create the database: ${errorMessage(error)}`)
  } finally {
    await Deno.remove(passwordFile).catch(() => undefined)
  }
}

function firstErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => /error|fatal|could not/i.test(line))
  return lines[0] ?? output.trim().split('\n').at(-1) ?? 'initdb failed'
}
