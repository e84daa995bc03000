import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { onSignal } from './signals.mjs'

/**
 * Runs `npm start` until the stack is ready, then stops the stack.
 *
 * @param {string} project the project's directory
 * @param {string} dataDir
 * @returns {Promise<number>} milliseconds from the command to the ready line
 * @throws {Error} with the output, if `npm start` exits before that line
 */
export async function measureStart(project, dataDir) {
  const { ms, stop } = await startProject(project, dataDir)
  await stop()
  return ms
}

/**
 * Runs `npm start` and waits until the stack is ready.
 *
 * @param {string} project the project's directory
 * @param {string} dataDir
 * @param {Record<string, string>} [variables] variables in addition to the environment of this process
 * @returns {Promise<{ ms: number, stop: () => Promise<void> }>} milliseconds from the command to the ready line
 * @throws {Error} with the output, if `npm start` exits before that line
 */
export async function startProject(project, dataDir, variables = {}) {
  const address = { DATA_DIR: dataDir, PORT: String(await freePort()), HOST: '127.0.0.1' }
  const env = { ...process.env, ...address, ...variables }
  const npm = process.env.npm_execpath
  const startedAt = performance.now()
  const child = npm?.endsWith('npm-cli.js')
    ? spawn(process.execPath, [npm, 'start'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', ['start'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      })
  const closed = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  const ready = new Promise((/** @type {(ms: number) => void} */ resolve, reject) => {
    const onOutput = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
      if (/ is ready at http/.test(output)) resolve(performance.now() - startedAt)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`npm start exited early:\n${output.trim()}`)))
  })
  // npm does not forward every signal, so the signal is sent to the stack itself.
  const terminate = () => {
    const connection = join(dataDir, 'connection.json')
    if (existsSync(connection)) process.kill(JSON.parse(readFileSync(connection, 'utf8')).pid, 'SIGTERM')
    else child.kill('SIGTERM')
  }
  const removeHandler = onSignal(terminate)
  const stop = async () => {
    removeHandler()
    if (child.exitCode === null && child.signalCode === null) terminate()
    await closed
  }
  try {
    return { ms: await ready, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Clones the committed state of the project.
 *
 * @param {string} project
 * @param {string} target a directory that does not exist yet
 */
export function cloneProject(project, target) {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', project, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
