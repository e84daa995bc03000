import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { discard, root, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { descendants, kill } from '../support/processes.ts'

const dataDir = temporaryFolder()
let stack: Stack

/** Runs `npm run reset` on a folder of this test and answers what it printed. */
function reset(folder: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'scripts', 'reset.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: folder },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

beforeAll(async () => {
  stack = startStack(dataDir, await freePort())
  await stack.ready()
})

afterAll(async () => {
  await discard(stack, dataDir)
})

test('refuses while the stack runs, and deletes nothing', () => {
  expect(() => reset(dataDir, '--yes')).toThrow(/already running/)
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
})

test('asks first', async () => {
  stack.process.kill('SIGTERM')
  await stack.ended
  expect(() => reset(dataDir)).toThrow(/Nobody is there to ask/)
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
})

test('deletes what was stored, and keeps the secrets', () => {
  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8')
  expect(reset(dataDir, '--yes')).toContain(dataDir)
  for (const name of ['postgres', 'storage', 'mailbox']) expect(existsSync(join(dataDir, name))).toBe(false)
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets)
})

test('a stack whose database is deleted under it ends with one sentence', async () => {
  const gone = temporaryFolder()
  const started = startStack(gone, await freePort(), { LOG_LEVEL: 'error' })
  await started.ready()
  const server = descendants(started.process.pid ?? 0).find(({ command }) => command.includes('bin/postgres'))
  rmSync(gone, { recursive: true, force: true, maxRetries: 5 })
  kill(server?.pid ?? 0, 'SIGKILL')
  expect(await started.ended).toBe(1)
  const lines = started.output().trim().split('\n')
  expect(lines.filter((line) => line.includes(join(gone, 'postgres')))).toEqual([
    `PostgreSQL could not be brought back: the folder ${join(gone, 'postgres')} is gone.`,
  ])
  await discard(started, gone)
})

test('makes no folder where there was none', () => {
  const nowhere = join(dataDir, 'nowhere')
  expect(reset(nowhere, '--yes')).toMatch(/nothing to delete/)
  expect(existsSync(nowhere)).toBe(false)
})
