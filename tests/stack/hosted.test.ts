import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImageUpload } from '@contract/media.ts'
import { SignJWT } from 'jose'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deno, modules, root } from '../../scripts/lib/paths.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { runSupabaseCli } from '../../stack/database/supabase-cli.mjs'
import { readConnection } from '../support/connection.ts'
import { type HostDatabase, startHostDatabase } from '../support/host-database.ts'
import { type LocalServer, listen } from '../support/listen.ts'
import { createPng, fileForm } from '../support/media-files.ts'
import { startPackageRegistry } from '../support/package-registry.ts'
import { readSoakOptions } from '../support/soak.ts'
import { createTempDir } from '../support/stack-process.ts'

// Rehearses a deployment to Supabase: applies the migrations with the real CLI to a database like that of a
// Supabase project, and runs the functions with only the files in `supabase/functions`. See
// docs/decisions/042-rehearsal-of-the-host.md.

// The `hosted` suite of `npm run test:soak` runs all access tests that need only a database, with the default
// privileges of an older project. The `long` suite runs only a few of these tests, with the default privileges of a new
// project.
const isSoak = readSoakOptions().minutes !== null
const folder = createTempDir()
const gatewayPassword = 'gateway-password'
const jwtSecret = 'a-secret-of-at-least-32-characters'

let database: HostDatabase
let sql: postgres.Sql
let push: Awaited<ReturnType<typeof runSupabaseCli>>

beforeAll(async () => {
  database = await startHostDatabase(join(folder, 'database'), isSoak ? 'older' : 'new')
  sql = postgres(database.url, { max: 4, onnotice: () => undefined })
  // Like supautils on Supabase, lets `postgres` manage the policies of `realtime.messages`, which it does not own.
  await database.asPlatform(`
    create role policy_manager;
    grant policy_manager to postgres;
    alter table realtime.messages owner to policy_manager`)
  process.env.JOBS_URL = 'https://project.example/functions/v1/jobs'
  process.env.JOB_SECRET = 'the secret of the jobs'
  push = await runSupabaseCli(['db', 'push', '--include-seed', '--yes'], database.url, join(folder, 'cli'))
  await database.asPlatform(`
    alter table realtime.messages owner to supabase_realtime_admin;
    drop owned by policy_manager;
    drop role policy_manager`)
  await sql.unsafe(`alter role gateway login password '${gatewayPassword}'`)
  // Simulates a site whose jobs have run. Otherwise, the first roll-up would start with data from two years ago.
  await sql`insert into private.rollups (name, done_at) values ('days', now())`
})

afterAll(async () => {
  await sql?.end()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a database like that of a Supabase project', () => {
  it('accepts the migrations, the reference data and the secrets from the CLI, without a superuser', async () => {
    expect(push).toMatchObject({ code: 0 })
    const [state] = await sql`
      select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser,
        (select count(*)::int from supabase_migrations.schema_migrations) as migrations,
        (select array_agg(id order by id) from storage.buckets) as buckets,
        (select array_agg(name order by name) from vault.secrets) as secrets`
    expect(state).toEqual({
      role: 'postgres',
      superuser: false,
      migrations: readdirSync(join(root, 'supabase', 'migrations')).length,
      buckets: ['avatars', 'media'],
      secrets: ['job_secret', 'jobs_url'],
    })
  })

  it('has the same permissions as the embedded database', async () => {
    const embedded = postgres(readConnection().databaseUrl, { max: 1, onnotice: () => undefined })
    const [host, own] = await Promise.all([readPermissions(sql), readPermissions(embedded)]).finally(() =>
      embedded.end(),
    )
    expect(own.length).toBeGreaterThan(500)
    const isExpected = (line: string) => justifiedDifferences.some((pattern) => pattern.test(line))
    expect(host.filter((line) => !own.includes(line) && !isExpected(line))).toEqual([])
    expect(own.filter((line) => !host.includes(line) && !isExpected(line))).toEqual([])
    for (const pattern of justifiedDifferences) {
      expect([pattern, [...host, ...own].some((line) => pattern.test(line))]).toEqual([pattern, true])
    }
  })

  it('passes access tests that need only a database', { timeout: 600_000 }, async () => {
    // The tests need these privileges for their own statements, but do not test them.
    await database.asPlatform(`
      grant delete on realtime.messages to postgres;
      grant set on parameter deadlock_timeout to postgres`)
    const connection = join(folder, 'connection.json')
    writeFileSync(connection, JSON.stringify({ databaseUrl: database.url }))
    writeFileSync(join(folder, 'secrets.json'), '{}')
    const files = isSoak ? rlsTests : ['privileges', 'write-access', 'hidden-content', 'content-topics']
    const { code, output } = await run(
      process.execPath,
      [
        join(modules, 'vitest', 'vitest.mjs'),
        'run',
        '--project=rls and api',
        ...files.map((name) => `tests/rls/${name}.test.ts`),
      ],
      { env: { OVATION_CONNECTION: connection, NO_COLOR: '1' } },
    )
    expect(output).toMatch(new RegExp(`Test Files +${files.length} passed`))
    expect(code).toBe(0)
  })
})

const justifiedDifferences = [
  // Storage grants every privilege on its tables. No API runs statements that need these three privileges.
  /^(anon|authenticated|service_role) may (truncate|references|trigger) on storage\.(buckets|objects)$/,
  // The embedded `postgres` is a superuser, so it needs neither memberships nor privileges.
  /^role postgres is a member of (anon|authenticated|service_role|gateway): /,
  /^schema public: usage for postgres$/,
  // These roles are not members of any other role, so there is nothing to inherit.
  /^role (anon|authenticated|service_role): inherits [tf], /,
]

/** The tests that call the API, the Data API or the jobs of a whole stack. */
const needsStack =
  /^(analytics|auto-posting-slots|data-api|profile-matrix|profile-visibility|subscription-renewals)\./

const rlsTests = readdirSync(join(root, 'tests', 'rls'))
  .filter((name) => name.endsWith('.test.ts') && !needsStack.test(name))
  .map((name) => name.replace('.test.ts', ''))

/** Returns a line for each permission in our schemas, and one for each privilege of our roles on the host's tables. */
async function readPermissions(connection: postgres.Sql): Promise<string[]> {
  const rows = await connection<{ line: string }[]>`
    with schemas as (
      select n.oid, n.nspname from pg_namespace n where n.nspname in ('public', 'private')
    ), roles as (
      select r.oid, r.rolname from pg_roles r
      where r.rolname in ('anon', 'authenticated', 'service_role', 'gateway', 'postgres')
      union all select 0, 'PUBLIC'
    ), objects as (
      select 'schema ' || n.nspname as name, n.nspowner as owner, n.nspacl as acl
      from pg_namespace n join schemas s using (oid)
      union all
      select format('%s %I.%I', case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
                    s.nspname, c.relname), c.relowner,
             coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
      from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select format('column %I.%I.%I', s.nspname, c.relname, a.attname), c.relowner, a.attacl
      from pg_attribute a join pg_class c on c.oid = a.attrelid join schemas s on s.oid = c.relnamespace
      where a.attacl is not null
      union all
      select 'function ' || p.oid::regprocedure, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
      from pg_proc p join schemas s on s.oid = p.pronamespace
      where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    )
    select format('%s is owned by %s', o.name, o.owner::regrole) as line from objects o
    union all
    select format('%s: %s for %s', o.name, string_agg(lower(a.privilege_type), ', ' order by a.privilege_type), r.rolname)
    from objects o cross join lateral aclexplode(o.acl) a join roles r on r.oid = a.grantee
    where a.grantee <> o.owner group by o.name, r.rolname
    union all
    select format('default privileges in %s on %s: %s for %s', coalesce(s.nspname, 'all schemas'), d.defaclobjtype,
                  string_agg(lower(a.privilege_type), ', ' order by a.privilege_type), r.rolname)
    from pg_default_acl d left join schemas s on s.oid = d.defaclnamespace
    cross join lateral aclexplode(d.defaclacl) a join roles r on r.oid = a.grantee
    where d.defaclrole = 'postgres'::regrole and (d.defaclnamespace = 0 or s.oid is not null) and r.rolname <> 'postgres'
    group by s.nspname, d.defaclobjtype, r.rolname
    union all
    select format('table %I.%I: row-level security %s', s.nspname, c.relname, c.relrowsecurity)
    from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind in ('r', 'p')
    union all
    select format('policy %I.%I %s: %s %s to %s using %s with check %s', schemaname, tablename, policyname, permissive,
                  cmd, roles, qual, with_check)
    from pg_policies
    union all
    select format('function %s: security definer %s, settings %s', p.oid::regprocedure, p.prosecdef, p.proconfig)
    from pg_proc p join schemas s on s.oid = p.pronamespace
    where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('trigger %s on %s calls %s', t.tgname, t.tgrelid::regclass, t.tgfoid::regprocedure)
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid join schemas s on s.oid = p.pronamespace
    union all
    select format('role %s: inherits %s, bypasses policies %s, settings %s', r.rolname, r.rolinherit, r.rolbypassrls,
                  (select array_agg(setting order by setting) from unnest(r.rolconfig) setting))
    from pg_roles r join roles on roles.oid = r.oid where r.rolname <> 'postgres'
    union all
    select format('role %s is a member of %s: inherit %s, set %s, admin %s', member.rolname, role.rolname,
                  m.inherit_option, m.set_option, m.admin_option)
    from pg_auth_members m join roles member on member.oid = m.member join roles role on role.oid = m.roleid
    union all
    select format('%s may %s on %s', r.rolname, lower(privilege), t.name)
    from (values ('auth.users'), ('auth.sessions'), ('auth.refresh_tokens'), ('auth.identities'),
                 ('storage.buckets'), ('storage.objects'), ('realtime.messages')) as t (name)
    cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
    join roles r on r.rolname not in ('postgres', 'PUBLIC')
    where to_regclass(t.name) is not null and has_table_privilege(r.oid, to_regclass(t.name), privilege)`
  return rows.map(({ line }) => line.replace(/\s+/g, ' ')).sort()
}

describe('the functions with only the files in supabase/functions', () => {
  const project = join(folder, 'project')
  const functions = join(project, 'supabase', 'functions')
  const files = ['api', 'jobs', 'pages'].map((name) => join(functions, name, 'index.ts'))
  let registry: Awaited<ReturnType<typeof startPackageRegistry>>
  let supabase: LocalServer
  let env: Record<string, string>

  beforeAll(async () => {
    mkdirSync(project)
    cpSync(join(root, 'supabase', 'functions'), functions, { recursive: true })
    // The edge runtime has no workers.
    writeFileSync(
      join(functions, 'isolate.ts'),
      `Reflect.deleteProperty(globalThis, 'Worker')
       export { default } from './api/index.ts'`,
    )
    registry = await startPackageRegistry()
    // Replaces Storage and the endpoints that the health checks call, and accepts every request.
    supabase = await listen(
      createServer((request, response) => {
        request.resume().on('end', () => response.end('{}'))
      }),
    )
    const gatewayUrl = new URL(database.url)
    gatewayUrl.username = 'gateway'
    gatewayUrl.password = gatewayPassword
    env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      DENO_DIR: join(folder, 'deno'),
      DENO_NO_UPDATE_CHECK: '1',
      NPM_CONFIG_REGISTRY: registry.url,
      SB_EXECUTION_ID: randomUUID(),
      SUPABASE_URL: supabase.url,
      SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_test"}',
      SUPABASE_SECRET_KEYS: '{"default":"sb_secret_test"}',
      SUPABASE_JWKS: '{"keys":[]}',
      JWT_SECRET: jwtSecret,
      DATABASE_URL: gatewayUrl.href,
      DATABASE_POOL_SIZE: '3',
      PUBLIC_URL: 'https://ovation.example',
      CAPTCHA_PROVIDER: 'none',
      JOB_SECRET: 'the secret of the jobs',
      ENCRYPTION_KEY: 'a key that encrypts what is stored',
    }
  })

  afterAll(() => Promise.all([registry?.stop(), supabase?.stop()]))

  it('have valid types', async () => {
    const { code, output } = await run(deno, ['check', '--quiet', '--no-lock', ...files], {
      cwd: functions,
      env,
    })
    expect({ code, output }).toEqual({ code: 0, output: '' })
  })

  // The edge runtime is based on Deno 2.1, in which some modules of Node lack exports. A function that imports a
  // missing export does not start. Before you add an export to this list, check it with `npx deno@2.1.4 eval`.
  it('import only exports of Node modules that the edge runtime has', () => {
    const imports = readdirSync(functions, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap(
        (name) => readFileSync(join(functions, name), 'utf8').match(/^import .* from 'node:.*'$/gm) ?? [],
      )
      .flatMap((line) => {
        const [, names = '', module] = /^import (.*) from '(.*)'$/.exec(line) ?? []
        return names.split(/[{},\s]+/).map((name) => (name ? `${module} ${name}` : ''))
      })
    expect([...new Set(imports)].filter(Boolean).sort()).toEqual([
      'node:async_hooks AsyncLocalStorage',
      'node:buffer Buffer',
      'node:crypto createHash',
      'node:crypto randomBytes',
      'node:crypto timingSafeEqual',
      'node:fs fs',
      'node:fs/promises readFile',
      'node:net isIP',
      'node:path join',
      'node:stream Duplex',
      'node:stream Readable',
      'node:util promisify',
      'node:zlib gzipSync',
    ])
  })

  it('start, read the database as the caller, and process an image', async () => {
    const servers = await Promise.all(['isolate.ts', 'jobs/index.ts', 'pages/index.ts'].map(serve))
    try {
      const [api = '', jobs = '', pages = ''] = servers.map(({ url }) => url)
      const health = await fetch(`${api}/api/health`)
      expect({ status: health.status, body: await health.json() }).toMatchObject({ status: 200 })
      expect((await fetch(`${jobs}/jobs/media`, { method: 'POST' })).status).toBe(401)
      expect((await fetch(`${pages}/pages/post/1`, { method: 'POST' })).status).toBe(405)

      const token = await insertUser()
      const headers = { Authorization: `Bearer ${token}` }
      expect((await fetch(`${api}/api/posts`)).status).toBe(200)
      expect((await fetch(`${api}/api/auth/user`)).status).toBe(401)
      const user = await fetch(`${api}/api/auth/user`, { headers })
      expect(await user.json()).toMatchObject({ username: 'hosted_user' })

      const body = fileForm('image', createPng({ width: 2000, height: 10 }))
      const uploaded = await fetch(`${api}/api/upload`, { method: 'POST', headers, body })
      expect(ImageUpload.parse(await uploaded.json())).toMatchObject({ width: 1600, height: 8 })
    } finally {
      for (const { stop } of servers) stop()
    }
  })

  async function serve(entry: string): Promise<{ url: string; stop: () => void }> {
    const port = await freePort()
    const args = ['serve', '-A', '--no-lock', '--quiet', '--host=127.0.0.1', `--port=${port}`, entry]
    const child = spawn(deno, args, { cwd: functions, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const url = `http://127.0.0.1:${port}`
    const deadline = Date.now() + 60_000
    while (!(await fetch(url).catch(() => null))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL')
        throw new Error(`${entry} did not start: ${output}`)
      }
      await sleep(50)
    }
    return { url, stop: () => void child.kill('SIGKILL') }
  }

  /** Inserts a user with a session, as Auth would, and returns an access token. */
  async function insertUser(): Promise<string> {
    const [id, sessionId] = [randomUUID(), randomUUID()]
    const metadata = sql.json({
      username: 'hosted_user',
      full_name: 'Hosted User',
      phone_number: '+1 555 0100 200',
      adult_confirmed: true,
    })
    await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, 'hosted@example.test', ${metadata})`
    await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${id})`
    return await new SignJWT({ role: 'authenticated', session_id: sessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(id)
      .setAudience('authenticated')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(jwtSecret))
  }
})
