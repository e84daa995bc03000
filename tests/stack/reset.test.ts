import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { killProcess, listDescendants } from '../support/processes.ts'
import { createTempDir, discardStack, type StackProcess, startStack } from '../support/stack-process.ts'

const dataDir = createTempDir()
let stack: StackProcess

/** Runs `npm run reset` on a data directory and returns what it prints. @throws when it fails */
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
  await discardStack(stack, dataDir)
})

describe('npm run reset', () => {
  it('fails while the stack is running, without deleting anything', () => {
    expect(() => reset(dataDir, '--yes')).toThrow(/already running/)
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
  })

  it('deletes nothing without confirmation', async () => {
    stack.process.kill('SIGTERM')
    await stack.ended
    expect(() => reset(dataDir)).toThrow(/Cannot ask for confirmation/)
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
  })

  it('deletes the stored data and keeps the secrets', () => {
    const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8')
    writeFileSync(join(dataDir, 'recent-errors.jsonl'), '{}\n')
    expect(reset(dataDir, '--yes')).toContain(dataDir)
    for (const name of ['postgres', 'storage', 'mailbox', 'recent-errors.jsonl'])
      expect(existsSync(join(dataDir, name))).toBe(false)
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets)
  })

  it('does not create a missing data directory', () => {
    const missing = join(dataDir, 'missing')
    expect(reset(missing, '--yes')).toMatch(/nothing to delete/)
    expect(existsSync(missing)).toBe(false)
  })
})

describe('a running stack', () => {
  it('exits and reports the missing directory once when the database is deleted', async () => {
    const deletedDir = createTempDir()
    const started = startStack(deletedDir, await freePort(), { LOG_LEVEL: 'error' })
    await started.ready()
    const server = listDescendants(started.process.pid ?? 0).find(({ command }) =>
      command.includes('bin/postgres'),
    )
    rmSync(deletedDir, { recursive: true, force: true, maxRetries: 5 })
    killProcess(server?.pid ?? 0, 'SIGKILL')
    expect(await started.ended).toBe(1)
    const lines = started.output().trim().split('\n')
    expect(lines.filter((line) => line.includes(join(deletedDir, 'postgres')))).toEqual([
      `PostgreSQL could not be restarted: the directory ${join(deletedDir, 'postgres')} does not exist.`,
    ])
    await discardStack(started, deletedDir)
  })
})
