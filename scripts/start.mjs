import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { fail, messageOf } from './lib/fail.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { ended, spawnStack } from './lib/stack.mjs'
import { ensureWeb } from './lib/web.mjs'

// `npm start`: sets up whatever is missing, then runs the platform until it is stopped.
try {
  readEnvFile()
  await ensurePackages()
  await ensureBinaries()
  await ensureWeb()
} catch (error) {
  fail(`Ovation could not be set up: ${messageOf(error)}`)
}
process.exit(await ended(spawnStack()))
