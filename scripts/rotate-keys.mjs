import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { requireSeparator } from './lib/npm-options.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { runProgram } from './lib/stack.mjs'

// `npm run rotate-keys`: replaces the keys and passwords in DATA_DIR/secrets.json that `rotatableKeys` in
// stack/supervisor/secrets.ts lists. Ovation must be stopped. The arguments are passed to stack/rotate-keys.ts.
requireSeparator(['revoke', 'hosted'])
readEnvFile()
await ensurePackages()
await ensureBinaries()
process.exit(await runProgram('stack/rotate-keys.ts', ...process.argv.slice(2)))
