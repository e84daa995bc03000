import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const modules = join(root, 'node_modules')
export const deno = join(modules, 'deno', process.platform === 'win32' ? 'deno.exe' : 'deno')

/**
 * Returns Deno's arguments for running a program.
 *
 * @param {string} program its path in the project directory
 * @param {string[]} args
 */
export const denoRun = (program, ...args) => [
  ...['run', '--allow-all', '--no-lock', '--quiet'],
  join(root, program),
  ...args,
]
