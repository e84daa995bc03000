import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statfsSync } from 'node:fs'
import type postgres from 'postgres'

/** A file system of limited size for DATA_DIR. */
export interface SmallDisk {
  /** The path at which the test, which runs outside the mount namespace, sees the file system. */
  outsideDir: string
  /** The arguments to put before a command to run it in the mount namespace. */
  launcher: string[]
  /** Shrinks the file system to its used size, so that no file can grow. */
  fill: () => Promise<void>
  free: () => Promise<void>
  discard: () => void
}

const size = '8g'

/**
 * Mounts an in-memory file system at `path`, in new user and mount namespaces, which need no privileges.
 *
 * @returns null if this system does not allow unprivileged namespaces
 */
export async function mountSmallDisk(path: string): Promise<SmallDisk | null> {
  mkdirSync(path)
  // The namespaces exist as long as the process that runs this script. The process exits when its standard input
  // closes, which also happens if the test is killed.
  const script = `mount -t tmpfs -o size=${size},mode=700 tmpfs "$0" && echo mounted && exec cat`
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, path]
  const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  if (!(await isMounted(holder))) return null
  const enter = ['nsenter', '--user', '--mount', '--preserve-credentials', '--target', `${holder.pid}`]
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  // The stack runs as the same user as it would without namespaces.
  const launcher = [...enter, 'unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  if (!succeeds([...launcher, 'true'])) {
    holder.kill('SIGKILL')
    return null
  }
  const outsideDir = `/proc/${holder.pid}/root${path}`
  const resize = (bytes: number | string) => {
    if (!succeeds([...enter, 'mount', '-o', `remount,size=${bytes}`, 'tmpfs', path]))
      throw new Error('The file system could not be resized.')
  }
  return {
    outsideDir,
    launcher,
    fill: async () => {
      for (let attempt = 1; ; attempt++) {
        const { blocks, bfree, bsize } = statfsSync(outsideDir)
        try {
          return resize((blocks - bfree) * bsize)
        } catch (error) {
          // A file grew after the used size was read, so the new size is too small.
          if (attempt === 20) throw error
        }
      }
    },
    free: async () => resize(size),
    discard: () => {
      holder.kill('SIGKILL')
    },
  }
}

async function isMounted(holder: ChildProcess): Promise<boolean> {
  const output = holder.stdout && once(holder.stdout, 'data')
  const ended = Promise.race([once(holder, 'exit'), once(holder, 'error')])
  return await Promise.race([Promise.resolve(output).then(() => true), ended.then(() => false)])
}

function succeeds([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** The tables whose inserts fail while a full disk is simulated. */
const tables = [
  'private.health_probe',
  'public.messages',
  'public.posts',
  'public.comments',
  'public.payments',
]

/**
 * Returns functions that simulate a full disk on systems that do not allow unprivileged namespaces: inserts into
 * `tables` fail with PostgreSQL's error for a full disk.
 */
export function simulateFullDisk(connect: () => postgres.Sql): Pick<SmallDisk, 'fill' | 'free'> {
  return {
    fill: async () => {
      const sql = connect()
      await sql.unsafe(`create or replace function private.fail_insert() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
      for (const table of tables)
        await sql.unsafe(
          `create trigger fail_insert before insert on ${table} execute function private.fail_insert()`,
        )
    },
    free: async () => {
      for (const table of tables) await connect().unsafe(`drop trigger if exists fail_insert on ${table}`)
    },
  }
}
