import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './paths.mjs'

/**
 * Runs the Supabase CLI on a database. The password goes by the environment: on the command line every user
 * of the machine could read it.
 *
 * @param {string} modules the folder node_modules
 * @param {string[]} args
 * @param {string} databaseUrl
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function supabase(modules, args, databaseUrl) {
  const address = new URL(databaseUrl)
  const password = decodeURIComponent(address.password)
  address.password = ''
  address.searchParams.set('sslmode', 'disable')
  const script = join(modules, 'supabase', 'dist', 'supabase.js')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args, `--remote=${address}`, '--agent=no'], {
      cwd: root,
      env: {
        ...process.env,
        PGPASSWORD: password,
        SUPABASE_TELEMETRY_DISABLED: '1',
        SUPABASE_NO_UPDATE_NOTIFIER: '1',
        DO_NOT_TRACK: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (/** @type {Buffer} */ chunk) => {
      stderr += chunk.toString()
    })
    child.on('error', (error) => resolve({ code: 1, stdout, stderr: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
