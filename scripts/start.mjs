import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { spawnStack, stopWithNpm, waitForExit } from './lib/stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm start`: sets up what is missing, then runs the platform until it is stopped.
stopWithNpm()
try {
  readEnvFile()
  await ensurePackages()
  await ensureBinaries()
  await ensureWebBuild()
} catch (error) {
  fail(`Could not set up Ovation: ${errorMessage(error)}`)
}
process.exit(await waitForExit(spawnStack()))
