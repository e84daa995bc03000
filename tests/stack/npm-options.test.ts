import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { createTempDir } from '../support/stack-process.ts'

// npm treats an option without `--` before it as its own and does not pass it to the command. The command would then do
// something else, for example back up to the default folder.
const folder = createTempDir()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['backup', '--to', join(folder, 'backups')],
  ['backup', '--keep', '1'],
  ['restore', '--to-time', 'latest'],
  ['rotate-keys', '--revoke'],
])('npm run %s refuses %s without -- before it', (command, option, ...values) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', command, option, ...values], {
    cwd: root,
    env: { ...process.env, DATA_DIR: join(folder, 'data'), BACKUP_PASSPHRASE: 'correct horse battery' },
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining(`Write -- before the options: npm run ${command} -- ${option} …`),
  ])
})
