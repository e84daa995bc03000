import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { isWrongPassword, withSuperuser } from './client.ts'
import { readState, writeState } from './state.ts'

/**
 * Creates what a new Supabase project has: roles, extensions, and the schemas of Realtime, Auth and Storage.
 * Idempotent.
 *
 * @param root the project directory
 * @param url the superuser's database URL
 * @throws StartupError if the schemas of Auth and Storage cannot be created
 */
export async function bootstrap(root: string, url: string): Promise<void> {
  const folder = join(root, 'stack', 'database')
  const [roles, services, realtime, sessionTriggers] = await Promise.all([
    Deno.readTextFile(join(folder, 'bootstrap.sql')),
    Deno.readTextFile(join(folder, 'services.sql')),
    Deno.readTextFile(join(root, 'stack', 'realtime', 'bootstrap.sql')),
    Deno.readTextFile(join(root, 'stack', 'realtime', 'session-triggers.sql')),
  ])
  await withSuperuser(url, async (sql) => {
    await sql.unsafe(roles).simple()
    await sql.unsafe(realtime).simple()
    const version = await servicesVersion(root, services)
    if ((await readState(sql, 'services')) !== version) await provision(root, url)
    const [row] = await sql<{ complete: boolean }[]>`
      select to_regclass('auth.users') is not null and to_regclass('auth.sessions') is not null
        and to_regclass('storage.buckets') is not null and to_regclass('storage.objects') is not null as complete`
    if (!row?.complete) throw new StartupError('The schemas of Auth and Storage could not be created.')
    await sql.unsafe(services).simple()
    await sql.unsafe(sessionTriggers).simple()
    await writeState(sql, 'services', version)
  })
}

/**
 * Sets the passwords of the login roles. Runs after the migrations, which also alter the `gateway` role.
 *
 * @param passwords the passwords by role name
 * @throws StartupError if a password is not hexadecimal
 */
export async function setLoginPasswords(url: string, passwords: Record<string, string>): Promise<void> {
  await withSuperuser(url, async (sql) => {
    // `alter role` takes no parameters. Passwords are hexadecimal (see secrets.ts), so they need no escaping.
    for (const [role, password] of Object.entries(passwords)) {
      if (!/^[0-9a-f]+$/.test(password))
        throw new StartupError(`The password of ${role} in secrets.json is not valid.`)
      await sql.unsafe(`alter role ${role} login password '${password}'`)
    }
  })
}

/**
 * Sets the superuser's password to the one in `url`, if a key rotation was interrupted before it changed the database.
 *
 * @param previousPassword the password that the database may still have
 * @throws StartupError if the database accepts neither password
 */
export async function setSuperuserPassword(url: string, previousPassword: string | undefined): Promise<void> {
  try {
    await withSuperuser(url, (sql) => sql`select 1`)
    return
  } catch (error) {
    if (!isWrongPassword(error)) throw error
  }
  const mismatch = new StartupError(
    'The superuser password in secrets.json is not the password of the database: restore the secrets.json that belongs to this database.',
  )
  if (previousPassword === undefined) throw mismatch
  const previousUrl = new URL(url)
  const { password } = previousUrl
  previousUrl.password = previousPassword
  try {
    await setLoginPasswords(previousUrl.href, { postgres: password })
  } catch (error) {
    throw isWrongPassword(error) ? mismatch : error
  }
}

/**
 * Returns a string that changes when the Auth and Storage schemas must be created again: the version of lite and a hash
 * of `services.sql`.
 */
async function servicesVersion(root: string, services: string): Promise<string> {
  const manifest = await Deno.readTextFile(join(root, 'node_modules', '@supabase', 'lite', 'package.json'))
  const { version } = JSON.parse(manifest) as { version: string }
  return `${version} ${createHash('sha256').update(services).digest('hex').slice(0, 16)}`
}

/** Creates the Auth and Storage schemas in a separate process, so that the supervisor does not load lite. */
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
  throw new StartupError(
    `The schemas of Auth and Storage could not be created. ${errorMessage(reason)}`.trim(),
  )
}

// Scripts and tests run this file as a program to prepare an empty database (scripts/lib/schema.mjs).
if (import.meta.main) {
  await bootstrap(join(import.meta.dirname ?? '.', '..', '..'), Deno.env.get('DATABASE_URL') ?? '')
}
