import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const script = join(root, 'node_modules', 'supabase', 'dist', 'supabase.js')

/**
 * Runs the project's Supabase CLI against a database. Works both in the stack (Deno) and in scripts (Node). The
 * password is passed in the environment, because every user of the machine can read command lines. Nothing is written
 * to the user's home directory or keyring.
 *
 * @param {string[]} args
 * @param {string} databaseUrl
 * @param {string} [home] the directory in which the CLI stores its own files
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function runSupabaseCli(args, databaseUrl, home = join(root, 'node_modules', '.ovation-cli')) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.set('sslmode', 'disable')
  const runtimeArgs = 'Deno' in globalThis ? ['run', '--allow-all', '--no-lock', '--quiet', script] : [script]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...runtimeArgs, ...args, `--remote=${url}`, '--agent=no'], {
      cwd: root,
      env: {
        ...process.env,
        PGPASSWORD: password,
        SUPABASE_HOME: home,
        SUPABASE_NO_KEYRING: '1',
        SUPABASE_TELEMETRY_DISABLED: '1',
        SUPABASE_NO_UPDATE_NOTIFIER: '1',
        DO_NOT_TRACK: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (/** @type {Uint8Array} */ chunk) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (/** @type {Uint8Array} */ chunk) => {
      stderr += chunk.toString()
    })
    child.on('error', (/** @type {Error} */ error) => resolve({ code: 1, stdout, stderr: error.message }))
    child.on('close', (/** @type {number | null} */ code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
