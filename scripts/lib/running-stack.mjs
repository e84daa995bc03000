import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEnvFile } from './env-file.mjs'
import { fail } from './errors.mjs'
import { ensurePackages } from './packages.mjs'
import { root } from './paths.mjs'

/**
 * Connects to the database of the running stack as the superuser. Exits if `connection.json` does not exist, which
 * means that the stack is not running.
 *
 * @returns {Promise<import('postgres').Sql>}
 */
export async function connectToRunningStack() {
  readEnvFile()
  const connectionFile = join(resolve(root, process.env.DATA_DIR || '.data'), 'connection.json')
  if (!existsSync(connectionFile)) {
    fail(`Ovation is not running: ${connectionFile} does not exist. Start it with npm start first.`)
  }
  await ensurePackages()
  // Not imported at the top of the file, because the package may be missing when this file is loaded.
  const { default: postgres } = await import('postgres')
  const { databaseUrl } = JSON.parse(readFileSync(connectionFile, 'utf8'))
  return postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
}
