import { spawn } from 'node:child_process'
import { deno, denoRun, root } from './paths.mjs'

/** @type {import('node:child_process').ChildProcess | undefined} */
let stack

/**
 * Stops this process and its stack when npm, which started this process, exits: npm does not forward SIGHUP and cannot
 * forward SIGKILL. Does nothing without npm, because the parent may be a shell that exits after starting the stack in
 * the background.
 */
export function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const npmPid = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npmPid) return
    clearInterval(watch)
    if (stack) stack.kill('SIGTERM')
    else process.exit(1)
  }, 500)
  watch.unref()
}

/**
 * Starts the stack. The stack stops when this process stops: signals are forwarded, and if this process exits in any
 * other way, the pipe to the stack's standard input closes.
 *
 * @param {Record<string, string>} [env] variables in addition to the environment of this process
 */
export function spawnStack(env = {}) {
  const child = spawn(deno, denoRun('stack/main.ts'), {
    cwd: root,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', ...env, STACK_STARTER: 'pipe' },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  stack = child
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  return child
}

/**
 * Runs a program of the stack in this terminal and returns its exit code.
 *
 * @param {string} program
 * @param {string[]} args
 */
export function runProgram(program, ...args) {
  const child = spawn(deno, denoRun(program, ...args), { cwd: root, stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // The terminal also sends these signals to the child. This process ignores them and waits while the child cleans up.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  return waitForExit(child)
}

/**
 * Waits for the stack, or another child process, to exit. Returns its exit code, or 1 if a signal ended it or it did
 * not start. Prints the signal or the error.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function waitForExit(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Could not start the process: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      const reason = signal === 'SIGKILL' ? ' The machine may have run out of memory.' : ''
      if (signal) console.error(`The process was terminated by ${signal}.${reason}`)
      resolve(code ?? 1)
    })
  })
}
