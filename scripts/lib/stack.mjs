import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { deno, root } from './paths.mjs'

/** Read when this process starts, because it changes when the parent exits. */
const parentPid = process.ppid

/**
 * Starts the stack. The stack stops when this process stops: signals are forwarded, and if this process exits in
 * another way, the pipe to the stack's standard input closes. If npm started this process, the stack also stops when
 * npm exits: npm forwards neither SIGHUP nor, of course, SIGKILL.
 *
 * @param {Record<string, string>} [env] variables in addition to the environment of this process
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
  // Without npm, the parent may be a shell that exits after starting the stack in the background.
  if (process.env.npm_lifecycle_event) {
    const watch = setInterval(() => {
      if (process.ppid === parentPid) return
      clearInterval(watch)
      child.kill('SIGTERM')
    }, 500)
    watch.unref()
  }
  return child
}

/**
 * Waits for the stack to exit and returns its exit code.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function waitForExit(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Could not start the stack: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
