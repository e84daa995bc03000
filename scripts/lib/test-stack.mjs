import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnStack, waitForExit } from './stack.mjs'

/**
 * Returns a free loopback port between 12000 and 19999. Stacks pick their internal ports above this range, and the
 * operating system assigns even higher ones to outgoing connections, so neither takes the port before the caller uses
 * it.
 *
 * @returns {Promise<number>}
 */
export function freePort() {
  const port = 12_000 + randomInt(8000)
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

/**
 * Starts a stack in a temporary directory. `stop` stops the stack and deletes the directory.
 *
 * @param {Record<string, string>} [env] variables in addition to the environment of this process
 * @returns {Promise<{ connectionFile: string, connection: { apiUrl: string, databaseUrl: string, jobsUrl: string,
 *   jobSecret: string, metricsUrl: string, publishableKey: string, secretKey: string }, stop: () => Promise<void> }>}
 * @throws {Error} if the stack exits or has not started within three minutes
 */
export async function startTestStack(env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-'))
  const dataDir = join(folder, 'data')
  const connectionFile = join(dataDir, 'connection.json')
  const child = spawnStack({
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    // Queries take longer on a busy machine, and the tests would then exceed the default limit.
    DATA_API_CPU_PERCENT: '100',
    ...env,
  })
  let exited = false
  const exit = waitForExit(child).then(() => {
    exited = true
  })
  const stop = async () => {
    if (!exited) child.kill('SIGTERM')
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + 180_000
  while (!existsSync(connectionFile)) {
    if (exited || Date.now() > deadline) {
      await stop()
      throw new Error('The stack did not start.')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { connectionFile, connection: JSON.parse(readFileSync(connectionFile, 'utf8')), stop }
}
