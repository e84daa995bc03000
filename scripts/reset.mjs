import './lib/node-version.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readEnvFile } from './lib/env-file.mjs'
import { fail } from './lib/fail.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { deno, root } from './lib/paths.mjs'

// `npm run reset`: deletes the database, the uploads and the mails of DATA_DIR; the next start makes a fresh
// database and demo data. Asks first; `-- --yes` answers for you.
readEnvFile()
const folder = resolve(root, process.env.DATA_DIR || '.data')
if (!existsSync(folder)) {
  console.log(`There is nothing to delete: ${folder} does not exist.`)
  process.exit(0)
}
if (!process.argv.includes('--yes')) {
  if (!process.stdin.isTTY)
    fail('Nobody is there to ask: run npm run reset -- --yes to delete without a question.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Delete the database, uploads and mails in ${folder}? Type yes: `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') fail('Nothing was deleted.')
}
await ensurePackages()
await ensureBinaries()
const args = ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'reset.ts')]
const { status } = spawnSync(deno, args, { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
console.log(
  `Deleted what was stored in ${folder}: the next npm start makes a fresh database, and demo data where that is on.`,
)
