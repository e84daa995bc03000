import './lib/node-version.mjs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readEnvFile } from './lib/env-file.mjs'
import { requireSeparator } from './lib/npm-options.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { deno, root } from './lib/paths.mjs'

// `npm run rotate-keys`: replaces the keys and passwords in DATA_DIR/secrets.json that `rotatableKeys` in
// stack/supervisor/secrets.ts lists. Ovation must be stopped. The arguments are passed to stack/rotate-keys.ts.
requireSeparator(['revoke', 'hosted'])
readEnvFile()
await ensurePackages()
await ensureBinaries()
const program = join(root, 'stack', 'rotate-keys.ts')
const args = ['run', '--allow-all', '--no-lock', '--quiet', program, ...process.argv.slice(2)]
const { status } = spawnSync(deno, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
