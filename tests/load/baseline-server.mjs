import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { deno, root } from '../../scripts/lib/paths.mjs'

/**
 * Starts the baseline server on a stack's database, in its own schema.
 *
 * @param {string} databaseUrl the database URL of the superuser
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function startBaselineServer(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`create schema baseline`
    await sql`
      create table baseline.messages (
        id uuid primary key, sender_id uuid not null, receiver_id uuid not null, content text not null,
        created_at timestamptz not null default clock_timestamp())`
  } finally {
    await sql.end()
  }
  const script = fileURLToPath(new URL('baseline-server-process.mjs', import.meta.url))
  const args = ['run', '--allow-all', '--no-lock', '--quiet', script, databaseUrl]
  const child = spawn(deno, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => void child.kill('SIGTERM')
  process.once('exit', stop)
  const port = await new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    child.stdout.once('data', (line) => resolve(Number(line)))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The baseline server exited early.')))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}
