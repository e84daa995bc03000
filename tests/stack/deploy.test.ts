import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modules, root } from '../../scripts/lib/paths.mjs'
import { mixesPolicies } from '../../scripts/lib/policies.mjs'
import { type LocalServer, listen } from '../support/listen.ts'
import { createTempDir } from '../support/stack-process.ts'

// Runs `npm run deploy` in a copy of this repository against a fake Supabase project. The fake project consists of a
// program that replaces the Supabase CLI and records the calls to it, and of a server for the URLs that the script
// requests itself. The responses of a real project are not tested.

const folder = createTempDir()
const project = join(folder, 'project')
const calls = join(folder, 'calls.jsonl')
const answers = join(folder, 'answers.json')
const ref = 'abcdefghijklmnopqrst'
const publicUrl = 'https://ovation.example'
let supabase: LocalServer
let jwks: unknown
/** The response of `/api/health`. */
let health: unknown

/** The fake CLI. It records its arguments and environment, and takes its responses from the `answers` file. */
const fakeCli = `
  import { appendFileSync, readFileSync } from 'node:fs'
  const args = process.argv.slice(2)
  const answers = JSON.parse(readFileSync(${JSON.stringify(answers)}, 'utf8'))
  const option = args.find((arg) => arg === '--env-file' || arg === '--file')
  const file = option ? readFileSync(args[args.indexOf(option) + 1], 'utf8') : undefined
  const { PUBLIC_URL, JOBS_URL, JOB_SECRET, TURNSTILE_SECRET_KEY } = process.env
  appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ args, file, env: { PUBLIC_URL, JOBS_URL, JOB_SECRET, TURNSTILE_SECRET_KEY } }) + '\\n')
  const name = args.slice(0, 2).join(' ')
  if (answers.failing === name) { console.error('the project refuses'); process.exit(1) }
  console.error('Target: project demo · production')
  if (name === 'projects api-keys') console.log(JSON.stringify({ keys: answers.keys }))
  if (name === 'config diff') console.log(JSON.stringify({ changes: answers.config }))
  if (name === 'secrets list') console.log(JSON.stringify({ secrets: answers.secrets }))
  if (name === 'db query' && args.includes('--read-only'))
    console.log(JSON.stringify(/from supabase_migrations/.test(args.join(' ')) ? answers.migrations : [answers.database]))`

/** Replaces a package in the copy with a program. */
function replacePackage(name: string, script: string, program: string) {
  const target = join(project, 'node_modules', name)
  rmSync(target, { recursive: true })
  mkdirSync(join(target, script, '..'), { recursive: true })
  cpSync(join(modules, name, 'package.json'), join(target, 'package.json'))
  writeFileSync(join(target, script), program)
}

const migrations = readdirSync(join(root, 'supabase', 'migrations')).sort()
const settings: Record<string, string> = {
  PUBLIC_URL: publicUrl,
  DATABASE_URL: 'postgres://gateway:pass-word@127.0.0.1:9/postgres',
  JOB_SECRET: 'a secret for the jobs',
  ENCRYPTION_KEY: 'a key that encrypts what is stored',
  TURNSTILE_SITE_KEY: 'site-key',
  TURNSTILE_SECRET_KEY: 'turnstile#secret',
  SMTP_URL: 'smtps://user:word@mail.example:465?from=hello@ovation.example',
  PROXY_SECRET: 'the-secret-of-the-host',
  VITE_APP_NAME: 'Encore',
  WEB_DEPLOY_COMMAND: `node -e "require('fs').appendFileSync('${calls}', JSON.stringify({ args: ['upload'] }) + String.fromCharCode(10))"`,
}

function prepare(changes: Record<string, string> = {}, changedAnswers: object = {}) {
  const all = { ...settings, PUBLIC_SUPABASE_URL: supabase.url, ...changes }
  writeFileSync(
    join(project, '.env.hosted'),
    Object.entries(all)
      .map(([name, value]) => `${name}=${value.includes('#') ? `'${value}'` : value}\n`)
      .join(''),
  )
  writeFileSync(
    answers,
    JSON.stringify({
      secrets: [],
      keys: [
        { name: 'default', type: 'publishable' },
        { name: 'default', type: 'secret' },
      ],
      config: [
        { path: ['auth', 'site_url'], class: 'update', local: publicUrl, remote: 'http://localhost:3000' },
        { path: ['db', 'major_version'], class: 'local_only', local: 17, remote: null },
      ],
      migrations: [],
      database: { version: 17, has_history: false, extensions: 3 },
      ...changedAnswers,
    }),
  )
  rmSync(calls, { force: true })
}

/** Runs `npm run deploy` without blocking this process, which has to respond as the fake server. */
function deploy(...options: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['scripts/deploy.mjs', ...options], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })
}

type Call = { args: string[]; file?: string; env: Record<string, string> }
const recordedCalls = (): Call[] =>
  existsSync(calls)
    ? readFileSync(calls, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Call)
    : []

/** Returns the calls that change something, as `command` or `command subcommand`. */
const changes = () =>
  recordedCalls()
    .filter(
      ({ args }) => !args.includes('--read-only') && !['list', 'api-keys', 'diff'].includes(args[1] ?? ''),
    )
    .map(({ args }) => args.slice(0, 2).join(' '))

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')

beforeAll(async () => {
  const skipped = /stack\/demo|locales|\.temp/
  for (const name of [
    'scripts',
    'stack',
    'supabase',
    'web/src',
    'package.json',
    'package-lock.json',
    'deno.json',
  ])
    cpSync(join(root, name), join(project, name), { recursive: true, filter: (path) => !skipped.test(path) })
  mkdirSync(join(project, 'node_modules'))
  for (const name of readdirSync(modules))
    symlinkSync(join(modules, name), join(project, 'node_modules', name))
  replacePackage('supabase', 'dist/supabase.js', fakeCli)
  const html = '<html></html>'
  replacePackage(
    'vite',
    'bin/vite.js',
    `import { writeFileSync } from 'node:fs'
     writeFileSync(process.argv[process.argv.indexOf('--outDir') + 1] + '/index.html', '${html}' + process.env.VITE_PUBLIC_URL + process.env.VITE_APP_NAME)`,
  )
  mkdirSync(join(project, 'supabase', '.temp'))
  writeFileSync(join(project, 'supabase', '.temp', 'project-ref'), ref)
  const server = createServer((request, response) => {
    const found = request.url?.endsWith('jwks.json')
      ? jwks
      : request.url?.endsWith('/api/health')
        ? health
        : null
    response.statusCode = found === health ? 503 : found ? 200 : 404
    response.end(JSON.stringify(found))
  })
  supabase = await listen(server)
})

beforeEach(() => {
  jwks = { keys: [{ kty: 'EC', kid: 'current' }] }
  health = { status: 'failing', checks: { database: 'ok', realtime: 'failing' } }
})

afterAll(async () => {
  await supabase?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run deploy', () => {
  it('deploys the database, secrets, configuration, functions and web app in this order', async () => {
    prepare()
    const { code, output } = await deploy('--yes')
    expect([code, output]).toEqual([0, expect.stringContaining(`${publicUrl}/api/admin/whoami`)])
    expect(changes()).toEqual([
      'db push',
      'db query',
      'secrets set',
      'config push',
      'functions deploy',
      'upload',
    ])
    const [push, role, secrets, config, functions] = recordedCalls().filter(({ args }) =>
      args.includes('--yes'),
    )
    expect(push?.args).toEqual(['db', 'push', '--remote', '--include-seed', '--yes', '--agent=no'])
    expect(push?.env).toMatchObject({
      JOBS_URL: `${supabase.url}/functions/v1/jobs`,
      JOB_SECRET: settings.JOB_SECRET,
    })
    expect(role?.file).toContain("alter role gateway login password 'SCRAM-SHA-256$4096:")
    expect(config?.env).toMatchObject({ PUBLIC_URL: publicUrl, TURNSTILE_SECRET_KEY: 'turnstile#secret' })
    expect(functions?.args.slice(2)).toEqual(['api', 'jobs', 'pages', '--use-api', '--yes', '--agent=no'])
    expect(secrets?.file?.split('\n')).toEqual(
      expect.arrayContaining([
        "TURNSTILE_SECRET_KEY='turnstile#secret'",
        "DATABASE_POOL_SIZE='3'",
        "APP_NAME='Encore'",
      ]),
    )
    expect(secrets?.file).not.toMatch(/VITE_|WEB_DEPLOY_COMMAND/)
    // Other users of the machine can see command lines, and output may be stored, so neither may contain a secret.
    const visible = `${JSON.stringify(recordedCalls().map(({ args }) => args))}\n${output}`
    for (const name of ['JOB_SECRET', 'ENCRYPTION_KEY', 'PROXY_SECRET', 'TURNSTILE_SECRET_KEY'])
      expect(visible).not.toContain(settings[name])
    expect(visible).not.toContain('pass-word')
    const dist = join(project, 'dist')
    expect(readFileSync(join(dist, 'index.html'), 'utf8')).toContain(`${publicUrl}Encore`)
    expect(readFileSync(join(dist, '_headers'), 'utf8')).toContain(`${supabase.url} ws://127.0.0.1`)
    // The web app is public, so it must not contain PROXY_SECRET.
    for (const name of readdirSync(dist))
      expect(readFileSync(join(dist, name), 'utf8'), name).not.toContain(settings.PROXY_SECRET)
    for (const name of ['nginx.conf', 'Caddyfile']) {
      expect(readFileSync(join(project, 'hosting', name), 'utf8')).toContain(settings.PROXY_SECRET)
      expect(statSync(join(project, 'hosting', name)).mode & 0o077).toBe(0)
    }
  })

  it('lists only new migrations and new or changed secrets when it is repeated, and requires confirmation', async () => {
    const deployed = migrations.slice(0, -1).map((name) => ({ version: name.split('_')[0] }))
    const { WEB_DEPLOY_COMMAND: _command, VITE_APP_NAME: name, ...functionSettings } = settings
    const stored = {
      ...functionSettings,
      DATABASE_POOL_SIZE: '3',
      CAPTCHA_PROVIDER: 'turnstile',
      APP_NAME: name ?? '',
    }
    const secrets = Object.entries({
      ...stored,
      PUBLIC_SUPABASE_URL: supabase.url,
      JOB_SECRET: 'another',
    }).map(([name, value]) => ({ name, value: sha256(value) }))
    prepare(
      { STRIPE_API_BASE: 'https://stripe.example' },
      { database: { version: 17, has_history: true, extensions: 3 }, migrations: deployed, secrets },
    )
    const { code, output } = await deploy('--check')
    expect([code, changes()]).toEqual([0, []])
    expect(output).toContain(`1. Database: new migrations: ${migrations.at(-1)};`)
    expect(output).toContain('not encrypted: DATABASE_URL lacks ?sslmode=require')
    expect(output).toContain('3. Secrets: new: STRIPE_API_BASE; changed: JOB_SECRET\n')
    expect(output).toContain(`changes auth.site_url from "http://localhost:3000" to "${publicUrl}"\n`)
    const unconfirmed = await deploy()
    expect([unconfirmed.code, changes()]).toEqual([1, []])
    expect(unconfirmed.output).toContain('Cannot ask for confirmation without a terminal')
  })

  it('lists all problems and deploys nothing', async () => {
    jwks = { keys: [] }
    prepare(
      {
        DATABASE_URL: `postgres://gateway.${ref}:word@aws-0-eu-central-1.pooler.supabase.com:6543/postgres`,
        SMTP_URL: 'smtp://user:word@mail.example:587',
        TURNSTILE_SECRET_KEY: '',
        JOB_SECRET: 'short',
        DEMO_DATA: 'on',
      },
      {
        database: { version: 15, has_history: true, extensions: 2 },
        migrations: [{ version: '20990101000000' }],
        keys: [
          { name: 'anon', type: 'legacy' },
          { name: 'default', type: 'secret' },
        ],
      },
    )
    const { code, output } = await deploy('--yes')
    expect([code, changes()]).toEqual([1, []])
    for (const problem of [
      'DATABASE_URL uses the transaction mode of the shared pooler',
      'The project has no publishable API key named default',
      'SMTP_URL uses a port that Supabase blocks',
      'TURNSTILE_SECRET_KEY is missing',
      'JOB_SECRET must have at least 16 characters',
      'JWT_SECRET is missing: SUPABASE_JWKS contains no keys',
      'DEMO_DATA must be off',
      'PostgreSQL 15',
      'lacks pg_cron',
      '20990101000000',
    ])
      expect(output).toContain(problem)
    prepare({ PUBLIC_URL: 'http://ovation.example' })
    expect((await deploy('--yes')).output).toContain('PUBLIC_URL must begin with https://')
    prepare({ PUBLIC_URL: 'ovation.example/app' })
    expect(await deploy('--yes')).toMatchObject({
      code: 1,
      output: expect.stringContaining('PUBLIC_URL must be a URL'),
    })
  })

  it('refuses settings from another project, and a different encryption key', async () => {
    const other = 'zyxwvutsrqponmlkjihg'
    const stored = [{ name: 'ENCRYPTION_KEY', value: sha256('the key that the project already has') }]
    prepare(
      {
        DATABASE_URL: `postgres://gateway.${other}:word@aws-0-eu-central-1.pooler.supabase.com:5432/postgres`,
      },
      { secrets: stored },
    )
    const { code, output } = await deploy('--yes')
    expect([code, changes()]).toEqual([1, []])
    expect(output).toContain(`DATABASE_URL belongs to the project ${other}, but ${ref} is linked`)
    expect(output).toContain('ENCRYPTION_KEY is not the current key of the project')
  })

  it('accepts a different encryption key together with the previous one', async () => {
    const stored = [{ name: 'ENCRYPTION_KEY', value: sha256('the key that the project already has') }]
    prepare(
      { PREVIOUS_ENCRYPTION_KEY: 'the key that the project already has' },
      { secrets: [...stored, { name: 'STRIPE_API_BASE', value: sha256('https://stripe.example') }] },
    )
    const rotation = await deploy('--check')
    expect([rotation.code, rotation.output]).toEqual([0, expect.stringContaining('changed: ENCRYPTION_KEY;')])
    expect(rotation.output).toContain('although they are not in .env.hosted: STRIPE_API_BASE\n')
  })

  it('stops at a step that fails', async () => {
    prepare({}, { failing: 'config push' })
    const { code, output } = await deploy('--yes')
    expect([code, changes()]).toEqual([1, ['db push', 'db query', 'secrets set', 'config push']])
    expect(output).toContain('The step "Configuration" failed')
  })

  it('does not upload the web app if the functions cannot use the database', async () => {
    health = { status: 'failing', checks: { database: 'failing' } }
    prepare()
    const { code, output } = await deploy('--yes')
    expect([code, changes().at(-1)]).toEqual([1, 'functions deploy'])
    expect(output).toContain('it cannot use the database')
  })

  it('builds the web app without a Supabase project', async () => {
    prepare({ PROXY_SECRET: '' })
    expect(await deploy('--web', '--check')).toMatchObject({ code: 0 })
    expect(recordedCalls()).toEqual([])
    expect(readFileSync(join(project, 'dist', '_redirects'), 'utf8')).toContain(
      `/api/*  ${supabase.url}/functions/v1/api/:splat  200!`,
    )
  })

  it('uses only options that the Supabase CLI supports', () => {
    const used = {
      'db push': ['--remote', '--include-seed'],
      'db query': ['--remote', '--read-only', '--file'],
      'secrets set': ['--env-file'],
      'secrets list': ['--output-format'],
      'projects api-keys': ['--output-format'],
      'config diff': ['--output-format'],
      'config push': ['--yes'],
      'functions deploy': ['--use-api', '--agent'],
    }
    for (const [command, options] of Object.entries(used)) {
      const { stdout } = spawnSync(
        process.execPath,
        [join(modules, 'supabase', 'dist', 'supabase.js'), ...command.split(' '), '--help'],
        { encoding: 'utf8', env: { ...process.env, HOME: folder, SUPABASE_TELEMETRY_DISABLED: '1' } },
      )
      for (const option of options) expect(stdout, command).toContain(` ${option}`)
    }
  })
})

describe('a drafted migration', () => {
  it('is reported if it changes policies together with something else', () => {
    const policy = 'create policy "Everybody" on public.posts for select using (true);'
    expect(
      mixesPolicies(`set local lock_timeout = '5s';\n-- Why\n${policy}\ndrop policy old on public.posts;`),
    ).toBe(false)
    expect(mixesPolicies(`${policy}\nalter table public.posts add column language text;`)).toBe(true)
    expect(
      mixesPolicies('create function f() returns void as $x$ drop policy p on t; $x$ language sql;'),
    ).toBe(false)
    expect(mixesPolicies('alter table public.posts add column language text; -- create policy')).toBe(false)
  })
})
