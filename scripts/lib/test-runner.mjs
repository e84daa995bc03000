import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { modules, root } from './paths.mjs'

/**
 * Runs a test runner in Node.
 *
 * @param {string} script the runner's path in node_modules
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>} the runner's exit code
 */
export function runTestRunner(script, args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(modules, script), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
