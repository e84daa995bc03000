import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, Sentence } from '../shared/sentence.ts'
import { withSuperuser } from './client.ts'
import { recall, remember } from './state.ts'

/**
 * Brings the database to where a Supabase project begins: roles, extensions, the schemas of Realtime, Auth
 * and Storage. Safe to repeat; what is already there is left alone.
 *
 * @param root the project's folder
 * @param url the superuser's address of the database
 */
export async function bootstrap(root: string, url: string): Promise<void> {
  const here = join(root, 'stack', 'database')
  const [roles, services, realtime, afterAuth] = await Promise.all([
    Deno.readTextFile(join(here, 'bootstrap.sql')),
    Deno.readTextFile(join(here, 'services.sql')),
    Deno.readTextFile(join(root, 'stack', 'realtime', 'bootstrap.sql')),
    Deno.readTextFile(join(root, 'stack', 'realtime', 'after-auth.sql')),
  ])
  await withSuperuser(url, async (sql) => {
    await sql.unsafe(roles).simple()
    await sql.unsafe(realtime).simple()
    const wanted = await servicesVersion(root, services)
    if ((await recall(sql, 'services')) !== wanted) await provision(root, url)
    const [made] = await sql<{ all: boolean }[]>`
      select to_regclass('auth.users') is not null and to_regclass('auth.sessions') is not null
        and to_regclass('storage.buckets') is not null and to_regclass('storage.objects') is not null as all`
    if (!made?.all) throw new Sentence('The schemas of Auth and Storage could not be made.')
    await sql.unsafe(services).simple()
    await sql.unsafe(afterAuth).simple()
    await remember(sql, 'services', wanted)
  })
}

/** Sets the passwords of the login roles, by their names. After the migrations, which may speak of `gateway` too. */
export async function openLogins(url: string, passwords: Record<string, string>): Promise<void> {
  await withSuperuser(url, async (sql) => {
    // Passwords are hexadecimal (see secrets.ts); this statement takes no parameters.
    for (const [role, password] of Object.entries(passwords)) {
      if (!/^[0-9a-f]+$/.test(password))
        throw new Sentence(`The password of ${role} in secrets.json is not valid.`)
      await sql.unsafe(`alter role ${role} login password '${password}'`)
    }
  })
}

/** Changes when another version of lite, or another `services.sql`, has to be applied. */
async function servicesVersion(root: string, services: string): Promise<string> {
  const manifest = await Deno.readTextFile(join(root, 'node_modules', '@supabase', 'lite', 'package.json'))
  const { version } = JSON.parse(manifest) as { version: string }
  return `${version} ${createHash('sha256').update(services).digest('hex').slice(0, 16)}`
}

/** In a process of its own: lite is large, and the supervisor has no other use for it. */
async function provision(root: string, url: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'lite', 'provision.ts')],
    cwd: root,
    env: { PROVISION_DATABASE_URL: url },
    stdin: 'null',
    stdout: 'null',
    stderr: 'piped',
  }).output()
  if (success) return
  const reason =
    new TextDecoder()
      .decode(stderr)
      .split('\n')
      .find((line) => /error/i.test(line)) ?? ''
  throw new Sentence(`The schemas of Auth and Storage could not be made. ${messageOf(reason)}`.trim())
}
