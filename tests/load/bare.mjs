import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { deno, root } from '../../scripts/lib/paths.mjs'

/**
 * Starts the bare server on a stack's own database, in a schema of its own.
 *
 * @param {string} databaseUrl the superuser's address
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function startBare(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`create schema bare`
    await sql`
      create table bare.messages (
        id uuid primary key, sender_id uuid not null, receiver_id uuid not null, content text not null,
        created_at timestamptz not null default clock_timestamp())`
  } finally {
    await sql.end()
  }
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url))
  const args = ['run', '--allow-all', '--no-lock', '--quiet', script, databaseUrl]
  const child = spawn(deno, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => void child.kill('SIGTERM')
  process.once('exit', stop)
  const port = await new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    child.stdout.once('data', (line) => resolve(Number(line)))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The bare server ended early.')))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}
