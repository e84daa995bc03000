import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { root } from './paths.mjs'

/**
 * Runs a program to its end and keeps what it says, to be shown only if it fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, shell?: boolean, gently?: boolean }} [options] gently: it takes
 *   only the time that nothing else on the machine wants
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
    // Right away: the threads that it begins later take after the one that began them.
    if (options.gently && child.pid) leaveRoom(child.pid)
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** @param {number} pid */
function leaveRoom(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Over already, or not ours to say: then it runs as anything else.
  }
}
