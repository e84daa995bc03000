import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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
 * Writes `name.br` and `name.gz` beside every file of a folder that gets smaller by it, once and as small as
 * can be, so that the server never compresses while somebody waits.
 *
 * @param {string} folder
 */
export async function compressFolder(folder) {
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
