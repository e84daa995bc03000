import { StartupError } from '../shared/errors.ts'

/**
 * The operating system user that PostgreSQL runs as. PostgreSQL refuses to run as root. If the stack runs as root,
 * PostgreSQL runs in a user namespace (`unshare`), where it sees itself as another user while its files still belong to
 * root. If that is not possible, PostgreSQL runs as the system user `postgres`.
 */
export type ProcessUser =
  | { kind: 'self' }
  | { kind: 'namespace' }
  | { kind: 'user'; uid: number; gid: number }

const namespaceArguments = ['--user', '--map-user=1000', '--map-group=1000']

/**
 * Picks the user that PostgreSQL runs as. Creates the system user `postgres` if it is needed and missing.
 *
 * @throws StartupError if PostgreSQL cannot run as any user
 */
export async function findProcessUser(): Promise<ProcessUser> {
  if (Deno.uid() !== 0) return { kind: 'self' }
  if (await succeeds('unshare', [...namespaceArguments, 'true'])) return { kind: 'namespace' }
  let ids = await postgresUser()
  if (!ids) {
    await succeeds('groupadd', ['--system', 'postgres'])
    await succeeds('useradd', ['--system', '--gid', 'postgres', '--no-create-home', 'postgres'])
    ids = await postgresUser()
  }
  if (ids) return { kind: 'user', ...ids }
  throw new StartupError(
    'PostgreSQL cannot run as root on this machine: start Ovation as another user, or create a system user named postgres.',
  )
}

/** Returns a command that runs as `user`, in a process group of its own, so that Ctrl-C does not reach it. */
export function commandAsUser(
  user: ProcessUser,
  program: string,
  args: string[],
  options: Deno.CommandOptions,
): Deno.Command {
  const detached = { ...options, detached: true }
  if (user.kind === 'namespace') {
    // unshare replaces itself with the program, so the process id stays the same.
    return new Deno.Command('unshare', { ...detached, args: [...namespaceArguments, '--', program, ...args] })
  }
  if (user.kind === 'user') {
    return new Deno.Command(program, { ...detached, args, uid: user.uid, gid: user.gid })
  }
  return new Deno.Command(program, { ...detached, args })
}

async function succeeds(program: string, args: string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(program, { args, stdout: 'null', stderr: 'null' }).output()
    return success
  } catch {
    return false
  }
}

async function postgresUser(): Promise<{ uid: number; gid: number } | null> {
  const [uid, gid] = await Promise.all([id('-u'), id('-g')])
  return uid === null || gid === null ? null : { uid, gid }
}

async function id(flag: string): Promise<number | null> {
  try {
    const { success, stdout } = await new Deno.Command('id', {
      args: [flag, 'postgres'],
      stderr: 'null',
    }).output()
    return success ? Number(new TextDecoder().decode(stdout)) : null
  } catch {
    return null
  }
}
