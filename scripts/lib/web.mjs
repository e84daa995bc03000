import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compressFolder } from './compress.mjs'
import { fail } from './fail.mjs'
import { modules, root } from './paths.mjs'
import { run } from './run.mjs'

/** What the web app is built from. */
const sources = [
  'web',
  'supabase/functions/_shared/contract',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const dist = join(root, 'dist')
const record = '.sources'
/** A folder for each build that is under way, named after its process. */
const drafts = join(modules, '.ovation-web')

/**
 * @param {string} path
 * @returns {string[]} the files below a folder, or the file itself, in a fixed order
 */
function filesOf(path) {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]))
}

function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    const files = source.includes('.') ? (existsSync(path) ? [path] : []) : filesOf(path)
    for (const file of files)
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  const build = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))
  hash.update(JSON.stringify(build.sort(([a], [b]) => (a < b ? -1 : 1))))
  return hash.digest('hex')
}

/** Clears away what builds left behind that were killed. */
function removeOldDrafts() {
  for (const name of existsSync(drafts) ? readdirSync(drafts) : []) {
    if (name === String(process.pid) || !runs(Number(name))) {
      rmSync(join(drafts, name), { recursive: true, force: true })
    }
  }
}

/** @param {number} pid */
function runs(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Builds the web app into dist/ when what is there was built from something else. */
export async function ensureWeb() {
  const wanted = hashSources()
  if (existsSync(join(dist, record)) && readFileSync(join(dist, record), 'utf8') === wanted) return
  console.log('Building the web app …')
  // Built beside its place and then moved: a build that was interrupted leaves nothing half done.
  removeOldDrafts()
  const draft = join(drafts, String(process.pid))
  mkdirSync(draft, { recursive: true })
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn']
  const { code, output } = await run(process.execPath, args, { env: { NO_COLOR: '1' } })
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    fail(`The web app could not be built:\n${output.trim()}`)
  }
  await compressFolder(draft)
  writeFileSync(join(draft, record), wanted)
  rmSync(dist, { recursive: true, force: true })
  renameSync(draft, dist)
}
