import './lib/node-version.mjs'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { confirm } from './lib/confirm.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { runProgram } from './lib/stack.mjs'

// `npm run reset`: deletes the database, uploads, mail and logs in DATA_DIR, so that the next start creates a new
// database. Asks for confirmation, unless called with `-- --yes`.
readEnvFile()
const folder = resolve(root, process.env.DATA_DIR || '.data')
if (!existsSync(folder)) {
  console.log(`There is nothing to delete: ${folder} does not exist.`)
  process.exit(0)
}
await confirm(`Delete the database, uploads, mail and logs in ${folder}?`, {
  command: 'npm run reset -- --yes',
  refused: 'Nothing was deleted.',
})
await ensurePackages()
await ensureBinaries()
const code = await runProgram('stack/reset.ts')
if (code !== 0) process.exit(code)
console.log(
  `Deleted the database, uploads, mail and logs in ${folder}. The next npm start creates a new database, with demo data if DEMO_DATA is on.`,
)
