import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { deno, root } from './paths.mjs'

/**
 * Starts the stack. It ends with this process: signals are passed on, and the pipe on its standard input
 * tells it of any other end.
 *
 * @param {Record<string, string>} [env] beside the environment of this process
 */
export function spawnStack(env = {}) {
  const args = ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'main.ts')]
  const child = spawn(deno, args, {
    cwd: root,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', ...env, STACK_STARTER: 'pipe' },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  return child
}

/**
 * Resolves with the exit code of the stack.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function ended(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`The stack could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
