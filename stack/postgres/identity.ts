import { Sentence } from '../shared/sentence.ts'

/**
 * As whom PostgreSQL runs. It refuses to run as root, so for root there are two ways around: a user
 * namespace, in which the process believes to be another user while its files stay root's own and private
 * (`unshare`); or else the system user `postgres`.
 */
export type Identity = { kind: 'self' } | { kind: 'namespace' } | { kind: 'user'; uid: number; gid: number }

const namespaceArguments = ['--user', '--map-user=1000', '--map-group=1000']

export async function findIdentity(): Promise<Identity> {
  if (Deno.uid() !== 0) return { kind: 'self' }
  if (await succeeds('unshare', [...namespaceArguments, 'true'])) return { kind: 'namespace' }
  let ids = await postgresUser()
  if (!ids) {
    await succeeds('groupadd', ['--system', 'postgres'])
    await succeeds('useradd', ['--system', '--gid', 'postgres', '--no-create-home', 'postgres'])
    ids = await postgresUser()
  }
  if (ids) return { kind: 'user', ...ids }
  throw new Sentence(
    'PostgreSQL does not run as root here: start Ovation as an ordinary user, or make a system user named postgres.',
  )
}

/** A command that runs `program` as that identity, in a process group of its own so that Ctrl-C leaves it alone. */
export function commandAs(
  identity: Identity,
  program: string,
  args: string[],
  options: Deno.CommandOptions,
): Deno.Command {
  const detached = { ...options, detached: true }
  if (identity.kind === 'namespace') {
    // unshare becomes the program itself: the process id stays the same.
    return new Deno.Command('unshare', { ...detached, args: [...namespaceArguments, '--', program, ...args] })
  }
  if (identity.kind === 'user') {
    return new Deno.Command(program, { ...detached, args, uid: identity.uid, gid: identity.gid })
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
