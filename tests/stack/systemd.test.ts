import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { ensureWebBuild } from '../../scripts/lib/web-build.mjs'
import { isRunning, listDescendants } from '../support/processes.ts'
import { createTempDir, discardStack, type StackProcess, watchStack } from '../support/stack-process.ts'

const stateDir = createTempDir()
let stack: StackProcess | undefined

beforeAll(ensureWebBuild)

afterAll(async () => {
  await discardStack(stack, stateDir)
})

/** Returns the values of a setting in docs/ovation.service, with the unit's directories replaced by the test's. */
function readSetting(name: string): string[] {
  return readFileSync(join(root, 'docs', 'ovation.service'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))
    .map((value) => value.replace('/opt/ovation', root).replace('/var/lib/ovation', stateDir))
}

test('the systemd unit starts the stack, and SIGTERM to its main process stops every process in time', async () => {
  const [command = '', ...args] = (readSetting('ExecStart')[0] ?? '').split(' ')
  const port = await freePort()
  const environment = Object.fromEntries(readSetting('Environment').map((line) => line.split('=', 2)))
  // systemd passes no other variables. On a server, these settings would be in .env. The VITE_ variables must match the
  // existing build of the web app.
  const vite = Object.entries(process.env).filter(([name]) => name.startsWith('VITE_'))
  const settings = { ...Object.fromEntries(vite), PORT: String(port), DEMO_DATA: 'off' }
  const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const child = spawn(command, args, {
    cwd: readSetting('WorkingDirectory')[0],
    env: { ...environment, ...settings, PATH: path },
    // systemd connects standard input to /dev/null and starts the service in a new session.
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  stack = watchStack(child, environment.DATA_DIR ?? '', port)
  await stack.ready()
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)

  expect(readSetting('KillMode')).toEqual(['mixed'])
  const processes = listDescendants(child.pid ?? 0)
  expect(processes.length).toBeGreaterThan(3)
  const stoppedAt = Date.now()
  child.kill('SIGTERM')
  expect(await stack.ended).toBe(0)
  expect(Date.now() - stoppedAt).toBeLessThan(Number(readSetting('TimeoutStopSec')[0]) * 1000)
  expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([])
})
