import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { root } from './paths.mjs'

/**
 * Runs a program and returns its exit code and the last 20,000 characters of its output (stdout and stderr together).
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, shell?: boolean, lowPriority?: boolean }} [options]
 *   lowPriority: runs at a low CPU priority
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      shell: options.shell ?? false,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Set immediately, because threads inherit the priority when they are created.
    if (options.lowPriority && child.pid) lowerPriority(child.pid)
    let output = ''
    const collect = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** @param {number} pid */
function lowerPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has exited, or changing the priority is not permitted.
  }
}
