import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { onSignal } from './signals.mjs'

/**
 * Runs `npm start` until it says that it is ready, then ends it.
 *
 * @param {string} project the folder of the project
 * @param {string} dataDir
 * @returns {Promise<number>} milliseconds from the command to the ready line
 * @throws {Error} with what it said, when it ends before it is ready
 */
export async function timeStart(project, dataDir) {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()), HOST: '127.0.0.1' }
  const npm = process.env.npm_execpath
  const began = performance.now()
  const child = npm?.endsWith('npm-cli.js')
    ? spawn(process.execPath, [npm, 'start'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', ['start'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      })
  const gone = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  const ready = new Promise((/** @type {(ms: number) => void} */ resolve, reject) => {
    const listen = (/** @type {Buffer} */ chunk) => {
      said += chunk.toString()
      if (/ is ready at http/.test(said)) resolve(performance.now() - began)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`npm start ended early:\n${said.trim()}`)))
  })
  // npm stands in between, and does not pass every signal on: the stack itself is asked to end.
  const end = () => {
    const connection = join(dataDir, 'connection.json')
    if (existsSync(connection)) process.kill(JSON.parse(readFileSync(connection, 'utf8')).pid, 'SIGTERM')
    else child.kill('SIGTERM')
  }
  const off = onSignal(end)
  try {
    return await ready
  } finally {
    off()
    if (child.exitCode === null && child.signalCode === null) end()
    await gone
  }
}

/**
 * Copies what is committed, as `git clone` gives it to anybody.
 * @param {string} project
 * @param {string} target a folder that does not exist yet
 */
export function clone(project, target) {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', project, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
