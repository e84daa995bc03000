import './lib/node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readEnvFile } from './lib/env-file.mjs'
import { requireSeparator } from './lib/npm-options.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { deno, root } from './lib/paths.mjs'
import { waitForExit } from './lib/stack.mjs'

// `npm run backup` and `npm run restore`: back up the data in DATA_DIR, and restore a backup to an empty DATA_DIR.
requireSeparator(['to', 'keep', 'to-time'])
readEnvFile()
await ensurePackages()
await ensureBinaries()
const program = join(root, 'stack', 'backup', 'main.ts')
const args = ['run', '--allow-all', '--no-lock', '--quiet', program, ...process.argv.slice(2)]
const child = spawn(deno, args, { cwd: root, stdio: 'inherit' })
process.on('SIGTERM', () => child.kill('SIGTERM'))
// The terminal also sends these signals to the child. This process ignores them and waits while the child cleans up.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
process.exit(await waitForExit(child))
