import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { requireSeparator } from './lib/npm-options.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { runProgram } from './lib/stack.mjs'

// `npm run backup` and `npm run restore`: back up the data in DATA_DIR, and restore a backup to an empty DATA_DIR.
requireSeparator(['to', 'keep', 'to-time'])
readEnvFile()
await ensurePackages()
await ensureBinaries()
process.exit(await runProgram('stack/backup/main.ts', ...process.argv.slice(2)))
