import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { withSql } from './stack.mjs'

/**
 * Starts the baseline server on a stack's database, with a separate schema for its writes.
 *
 * @param {string} databaseUrl the database URL of the superuser
 * @returns {Promise<{ url: string, pid: number, stop: () => void }>}
 */
export async function startBaselineServer(databaseUrl) {
  await withSql(databaseUrl, async (sql) => {
    await sql.unsafe(`
      create schema baseline;
      create table baseline.messages (
        id uuid primary key, sender_id uuid not null, receiver_id uuid not null, content text not null,
        created_at timestamptz not null default clock_timestamp());
      create table baseline.likes (post_id uuid, user_id uuid, primary key (post_id, user_id));
      create table baseline.like_counts (post_id uuid primary key, likes integer not null);
      create table baseline.sessions (id uuid primary key default gen_random_uuid(), email text not null);
      create table baseline.uploads (id uuid primary key);
    `)
  })
  const uploads = mkdtempSync(join(tmpdir(), 'ovation-uploads-'))
  const script = fileURLToPath(new URL('baseline-server-process.mjs', import.meta.url))
  const args = ['run', '--allow-all', '--no-lock', '--quiet', script, databaseUrl, uploads]
  const child = spawn(deno, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => {
    child.kill('SIGTERM')
    rmSync(uploads, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const port = await new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    child.stdout.once('data', (line) => resolve(Number(line)))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('The baseline server exited early.')))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}
