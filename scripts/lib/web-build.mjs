import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fail } from './errors.mjs'
import { modules, root } from './paths.mjs'
import { run } from './run.mjs'

/** The files and directories that the web app is built from. */
const sources = [
  'web',
  'supabase/functions/_shared/contract',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const dist = join(root, 'dist')
/** The name of the file in dist/ that contains the hash of the sources. */
const hashFile = '.sources'
/** Contains one directory per build, named after the build's process id. */
const drafts = join(modules, '.ovation-web')

const compressible = new Set([
  '.html',
  '.js',
  '.css',
  '.json',
  '.svg',
  '.txt',
  '.webmanifest',
  '.ico',
  '.wasm',
])
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * @param {string} path
 * @returns {string[]} the files in a directory, recursively, in a fixed order; none if it does not exist
 */
function listFiles(path) {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)]))
}

function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    const files = source.includes('.') ? (existsSync(path) ? [path] : []) : listFiles(path)
    for (const file of files)
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  // vitest.config.ts imports vite.config.ts, which sets VITE_APP_NAME to this default. The default is added here, so
  // that a test does not cause a rebuild.
  const variables = Object.entries({ VITE_APP_NAME: 'Ovation', ...process.env }).filter(
    ([name, value]) => name.startsWith('VITE_') && value !== '',
  )
  hash.update(JSON.stringify(variables.sort(([a], [b]) => (a < b ? -1 : 1))))
  return hash.digest('hex')
}

/** Deletes the output of builds that were killed. */
function removeOldDrafts() {
  for (const name of existsSync(drafts) ? readdirSync(drafts) : []) {
    if (name === String(process.pid) || !isRunning(Number(name))) {
      rmSync(join(drafts, name), { recursive: true, force: true })
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Builds the web app into dist/, unless it is up to date. */
export async function ensureWebBuild() {
  const hash = hashSources()
  if (existsSync(join(dist, hashFile)) && readFileSync(join(dist, hashFile), 'utf8') === hash) return
  console.log('Building the web app …')
  // Builds into another directory, then renames it to dist/: an interrupted build leaves dist/ unchanged.
  removeOldDrafts()
  const draft = join(drafts, String(process.pid))
  mkdirSync(draft, { recursive: true })
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn']
  // Vitest sets NODE_ENV to `test`, with which Vite would build the development version of React.
  const env = { NO_COLOR: '1', NODE_ENV: 'production' }
  const { code, output } = await run(process.execPath, args, { env })
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    fail(`Could not build the web app:\n${output.trim()}`)
  }
  await compressFolder(draft)
  writeFileSync(join(draft, hashFile), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(draft, dist)
}

/**
 * Writes `name.br` and `name.gz` next to each file that compression makes smaller, so that the server does not have to
 * compress during a request.
 *
 * @param {string} folder
 */
async function compressFolder(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(files.map(compressFile))
}

/** @param {string} path */
async function compressFile(path) {
  const bytes = readFileSync(path)
  const [brotli, zipped] = await Promise.all([
    toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ])
  if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli)
  if (zipped.length < bytes.length) writeFileSync(`${path}.gz`, zipped)
}
