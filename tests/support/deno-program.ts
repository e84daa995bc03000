import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { deno, root } from '../../scripts/lib/paths.mjs'

const evalArgs = (program: string) => ['eval', '--no-lock', '--quiet', '--ext=ts', program]

/** Runs a TypeScript program with Deno, and returns what it prints. @throws Error with the exit code as `code` */
export const evalDeno = (program: string, env: Record<string, string> = {}) =>
  promisify(execFile)(deno, evalArgs(program), { cwd: root, env: { ...process.env, ...env } })

/**
 * Starts a TypeScript program with Deno and waits for the first line that it prints. `stop` ends the program's standard
 * input and waits until the program has exited.
 */
export async function startDeno(program: string) {
  const child = spawn(deno, evalArgs(program), { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const firstLine = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('close', () => reject(new Error('The program did not start.')))
  })
  const stop = async () => {
    child.stdin.end()
    await closed
  }
  return { firstLine, child, stop }
}
