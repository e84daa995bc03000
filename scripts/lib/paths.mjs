import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const modules = join(root, 'node_modules')
export const deno = join(modules, 'deno', process.platform === 'win32' ? 'deno.exe' : 'deno')
