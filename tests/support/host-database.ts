import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { startDeno } from './deno-program.ts'

const password = 'host-password'

/**
 * Revokes the default privileges that Supabase projects created since May 2026 do not have. In those projects, the Data
 * API does not expose new objects that `postgres` creates in `public`.
 */
const newDefaults = `
  alter default privileges for role postgres in schema public
    revoke select, insert, update, delete on tables from anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    revoke usage, select on sequences from anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    revoke execute on functions from anon, authenticated, service_role`

/** An embedded database like that of a Supabase project (tests/stack/supabase-project.sql), without our migrations. */
export interface HostDatabase {
  /** The database URL for the operator's role `postgres`, which is not a superuser. */
  url: string
  /** Runs statements as the platform's superuser. */
  asPlatform(statements: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the database.
 *
 * @param dataDir a directory that does not exist yet
 * @param age whether the project has the default privileges of new or of older projects
 */
export async function startHostDatabase(dataDir: string, age: 'new' | 'older'): Promise<HostDatabase> {
  const port = await freePort()
  const urlOf = (role: string) => `postgres://${role}:${password}@127.0.0.1:${port}/postgres`
  const folder = join(root, 'stack')
  const program = `
    import { findBinaries } from '${folder}/postgres/binaries.ts'
    import { initCluster } from '${folder}/postgres/init-cluster.ts'
    import { findProcessUser } from '${folder}/postgres/process-user.ts'
    import { PostgresServer } from '${folder}/postgres/server.ts'
    import { waitForStdinEnd } from '${folder}/shared/child-process.ts'
    import { createLog } from '${folder}/shared/log.ts'
    await Deno.mkdir('${dataDir}', { recursive: true })
    const binaries = await findBinaries()
    const processUser = await findProcessUser()
    const directory = await initCluster('${dataDir}', binaries, processUser, '${password}', 'supabase_admin')
    const server = new PostgresServer({
      binaries, processUser, directory, port: ${port}, url: '${urlOf('supabase_admin')}',
      settings: { fsync: 'off' }, log: createLog('host', 'error'), onGiveUp: () => Deno.exit(1),
    })
    await server.start()
    console.log('ready')
    await waitForStdinEnd()
    await server.stop(10_000)`
  const { stop } = await startDeno(program)
  const platform = postgres(urlOf('supabase_admin'), { max: 1, onnotice: () => undefined })
  await platform.unsafe(readFileSync(join(root, 'tests', 'stack', 'supabase-project.sql'), 'utf8')).simple()
  if (age === 'new') await platform.unsafe(newDefaults).simple()
  await platform.unsafe(`alter role postgres password '${password}'`)
  return {
    url: urlOf('postgres'),
    asPlatform: async (statements) => {
      await platform.unsafe(statements).simple()
    },
    stop: async () => {
      await platform.end()
      await stop()
    },
  }
}
