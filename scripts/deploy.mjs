import './lib/node-version.mjs'
import { execFile, spawn } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { confirm } from './lib/confirm.mjs'
import { parseEnvFile } from './lib/env-file.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import {
  checkAddresses,
  checkFunctionSettings,
  checkProject,
  readHostedSettings,
  readLinkedRef,
  sha256,
} from './lib/hosted-settings.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { deno, denoRun, modules, root } from './lib/paths.mjs'
import { changesPolicies } from './lib/policies.mjs'
import { run } from './lib/run.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm run deploy`: deploys to the linked Supabase project with the settings in .env.hosted. Before changing anything,
// it runs all the checks and shows what it will do. It can be run again at any time. See
// docs/guides/deploy-to-supabase.md.
//
// --check  stops after showing what a deployment would do
// --web    only builds the web app and the configuration for static hosts, and runs WEB_DEPLOY_COMMAND if it is set;
//          needs no linked project
// --yes    does not ask for confirmation

const options = process.argv.slice(2)
const unknown = options.filter((option) => !['--check', '--web', '--yes'].includes(option))
if (unknown.length > 0) fail(`Unknown option: ${unknown.join(' ')}. Options: --check, --web, --yes.`)

const execute = promisify(execFile)
const functions = ['api', 'jobs', 'pages']
const migrations = join(root, 'supabase', 'migrations')
const cli = join(modules, 'supabase', 'dist', 'supabase.js')

const given = parseEnvFile(join(root, '.env.hosted'))
if (!given) fail('The file .env.hosted is missing: see docs/guides/deploy-to-supabase.md.')
const ref = readLinkedRef()
const settings = readHostedSettings(given, ref)
const { publicUrl, supabaseUrl, secrets, webCommand } = settings
/** The environment variables for the Supabase CLI, including those that supabase/config.toml reads. */
const cliEnv = {
  ...process.env,
  ...given,
  PUBLIC_URL: publicUrl,
  JOBS_URL: `${supabaseUrl}/functions/v1/jobs`,
}

/**
 * Runs the Supabase CLI and returns its output.
 *
 * @param {string[]} args
 */
async function askCli(...args) {
  try {
    const { stdout } = await execute(
      process.execPath,
      [cli, ...args, '--output-format', 'json', '--agent=no'],
      {
        cwd: root,
        env: cliEnv,
      },
    )
    return JSON.parse(stdout)
  } catch (error) {
    const { stderr = '' } = /** @type {{ stderr?: string }} */ (error)
    throw new Error(`supabase ${args.slice(0, 2).join(' ')} failed: ${stderr.trim() || errorMessage(error)}`)
  }
}

/**
 * Runs a step and shows its output.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {boolean} [shell]
 */
function runStep(program, args, shell = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: cliEnv,
      shell,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(`it exited with code ${code}`)),
    )
  })
}

/** @param {string[]} args */
const runCli = (...args) => runStep(process.execPath, [cli, ...args, '--yes', '--agent=no'])

/** Builds the web app and writes the configuration for static hosts to dist/ and hosting/. */
async function buildWebApp() {
  Object.assign(process.env, settings.build)
  await ensureWebBuild()
  const site = {
    publicUrl,
    supabaseUrl,
    turnstile: secrets.CAPTCHA_PROVIDER === 'turnstile',
    proxySecret: secrets.PROXY_SECRET ?? null,
    clientAddressHeader: secrets.CLIENT_ADDRESS_HEADER ?? 'X-Client-Address',
  }
  const args = denoRun('stack/hosting/main.ts', join(root, 'dist'), join(root, 'hosting'))
  const { code, output } = await run(deno, args, { env: { HOSTED_SITE: JSON.stringify(site) } })
  if (code !== 0) throw new Error(output.trim())
}

/** @param {string} sql */
const readRows = (sql) => askCli('db', 'query', '--remote', '--read-only', sql)

/** Returns the pending migrations, and any problems with the project's database. */
async function inspectDatabase() {
  const [state] = await readRows(
    `select current_setting('server_version_num')::int / 10000 as version,
       to_regclass('supabase_migrations.schema_migrations') is not null as has_history,
       (select count(*)::int from pg_available_extensions
        where name in ('pg_cron', 'pg_net', 'supabase_vault')) as extensions`,
  )
  /** @type {string[]} */
  const applied = state.has_history
    ? (await readRows('select version from supabase_migrations.schema_migrations order by version')).map(
        (/** @type {{ version: string }} */ row) => row.version,
      )
    : []
  const files = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const versions = files.map((name) => name.split('_')[0] ?? '')
  const foreign = applied.filter((version) => !versions.includes(version))
  const problems = []
  if (state.version !== 17)
    problems.push(`The project runs PostgreSQL ${state.version}, but Ovation needs 17`)
  if (state.extensions !== 3)
    problems.push('The project lacks pg_cron, pg_net or supabase_vault, which the scheduled jobs need')
  if (foreign.length > 0)
    problems.push(`The project has migrations that are not in supabase/migrations: ${foreign.join(', ')}`)
  return { problems, pending: files.filter((_, index) => !applied.includes(versions[index] ?? '')) }
}

/**
 * Compares the secrets in .env.hosted with the project's secrets by their digests: the CLI does not list the values.
 */
async function findChangedSecrets() {
  /** @type {{ secrets: { name: string, value: string }[] }} */
  const answer = await askCli('secrets', 'list')
  const digests = new Map(answer.secrets.map(({ name, value }) => [name, value]))
  const names = Object.keys(secrets)
  const changed = names.filter(
    (name) => digests.has(name) && digests.get(name) !== sha256(secrets[name] ?? ''),
  )
  const losesKey =
    changed.includes('ENCRYPTION_KEY') &&
    digests.get('ENCRYPTION_KEY') !== sha256(secrets.PREVIOUS_ENCRYPTION_KEY ?? '')
  return {
    added: names.filter((name) => !digests.has(name)),
    changed,
    onlyInProject: [...digests.keys()].filter((name) => !names.includes(name) && !/^SUPABASE_/.test(name)),
    problems: losesKey
      ? [
          'ENCRYPTION_KEY is not the current key of the project, so the functions could not decrypt stored secrets, such as payout details. Use the current key, or also set PREVIOUS_ENCRYPTION_KEY to the current key; see docs/guides/rotate-keys.md',
        ]
      : [],
  }
}

/** Returns any problems with the project's API keys. The functions read the keys named `default`. */
async function checkApiKeys() {
  /** @type {{ keys: { name: string, type?: string | null }[] }} */
  const { keys } = await askCli('projects', 'api-keys')
  return ['publishable', 'secret']
    .filter((type) => !keys.some((key) => key.type === type && key.name === 'default'))
    .map(
      (type) =>
        `The project has no ${type} API key named default: create it under Project Settings → API Keys`,
    )
}

/** Returns the settings that `supabase config push` will change. The CLI hides the values of secrets. */
async function findChangedConfig() {
  /** @type {{ changes: { path: string[], class: string, local: unknown, remote: unknown }[] }} */
  const { changes } = await askCli('config', 'diff')
  return changes
    .filter((change) => change.class === 'update')
    .map(
      ({ path, local, remote }) =>
        `${path.join('.')} from ${JSON.stringify(remote)} to ${JSON.stringify(local)}`,
    )
}

/**
 * Writes `text` to a temporary file, and runs the Supabase CLI with the file's path as the last argument. If the text
 * were itself an argument, every user of this computer could read it.
 *
 * @param {string[]} args
 * @param {string} text
 */
async function runCliWithFile(args, text) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-deploy-'))
  try {
    const file = join(folder, 'input')
    writeFileSync(file, text, { mode: 0o600 })
    await runCli(...args, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} names */
const setSecrets = (names) =>
  runCliWithFile(
    ['secrets', 'set', '--env-file'],
    names.map((name) => `${name}='${secrets[name]}'\n`).join(''),
  )

/**
 * Returns the SCRAM hash that PostgreSQL stores for a password. The hash is sent instead of the password, because
 * statements may appear in logs.
 *
 * @param {string} password
 */
function hashPassword(password) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
  const keyOf = (/** @type {string} */ name) => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`
}

/** Tries to connect to the database with DATABASE_URL. Returns the error message, or null on success. */
async function tryDatabaseUrl() {
  const { default: postgres } = await import('postgres')
  const sql = postgres(secrets.DATABASE_URL ?? '', {
    max: 1,
    prepare: false,
    connect_timeout: 15,
    // Encrypts the connection if the server supports it, because this computer may be on an untrusted network.
    ssl: 'prefer',
  })
  try {
    await sql`select 1`
    return null
  } catch (error) {
    return errorMessage(error)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Sets the password of the `gateway` role to the one in DATABASE_URL, unless the role can already sign in with it. */
async function ensureGatewayPassword() {
  if ((await tryDatabaseUrl()) === null) return console.log('The gateway role can already sign in.')
  const password = decodeURIComponent(new URL(secrets.DATABASE_URL ?? '').password)
  const statement = `alter role gateway login password '${hashPassword(password)}'`
  await runCliWithFile(['db', 'query', '--remote', '--file'], statement)
  const reason = await tryDatabaseUrl()
  if (reason === null) return
  console.warn(
    `This computer cannot connect with DATABASE_URL, so the new password was not tested: ${reason}`,
  )
}

/**
 * Waits until the `api` function responds and can reach the database. The function does not start if one of its
 * settings is invalid.
 */
async function waitForApi() {
  const url = `${supabaseUrl}/functions/v1/api/health`
  let reason = ''
  for (let attempt = 0; attempt < 6; attempt += 1) {
    try {
      // The status is 503 if any service fails, but the deployment depends only on the database.
      const response = await fetch(url, { signal: AbortSignal.timeout(15_000) })
      const { checks } = /** @type {{ checks?: { database: string } }} */ (await response.json())
      if (checks?.database === 'ok') return
      reason = checks ? 'it cannot use the database' : `the status is ${response.status}`
    } catch (error) {
      reason = errorMessage(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
  throw new Error(`${url} did not report a working database (${reason}); see the function's log`)
}

/** Returns the steps that change the project, in order. Exits if the checks find a problem. */
async function planSteps() {
  if (!/^[a-z]{20}$/.test(ref ?? ''))
    return fail('No project is linked: run npx supabase link --project-ref <ref>.')
  const [database, secretChanges, keyProblems, changedConfig] = await Promise.all([
    inspectDatabase(),
    findChangedSecrets(),
    checkApiKeys(),
    findChangedConfig(),
  ]).catch((error) => fail(`Could not read the state of the project: ${errorMessage(error)}`))
  const problems = [
    ...checkProject(settings, ref),
    ...(await checkFunctionSettings(settings)),
    ...keyProblems,
    ...database.problems,
    ...secretChanges.problems,
  ]
  if (problems.length > 0) failWith(problems)
  const { pending } = database
  const { added, changed, onlyInProject } = secretChanges
  const policies = pending.filter((name) => changesPolicies(readFileSync(join(migrations, name), 'utf8')))
  const secretNames = [...added, ...changed]
  /** @type {{ title: string, detail: string[], run: () => Promise<unknown> }[]} */
  const steps = [
    {
      title: 'Database',
      detail: [
        pending.length > 0 ? `new migrations: ${pending.join(', ')}` : 'no new migrations',
        "reference data and the jobs' secrets",
        ...(policies.length > 0
          ? [
              `these migrations change policies and may block sign-in while they run, usually for a few seconds: ${policies.join(', ')}`,
            ]
          : []),
      ],
      run: () => runCli('db', 'push', '--remote', '--include-seed'),
    },
    {
      title: 'Gateway role',
      detail: [
        'sets its password to the one in DATABASE_URL if it is different',
        ...(/[?&]sslmode=require\b/.test(secrets.DATABASE_URL ?? '')
          ? []
          : ['its connection is not encrypted: DATABASE_URL lacks ?sslmode=require']),
      ],
      run: ensureGatewayPassword,
    },
    {
      title: 'Secrets',
      detail: [
        added.length > 0 ? `new: ${added.join(', ')}` : 'none new',
        changed.length > 0 ? `changed: ${changed.join(', ')}` : 'none changed',
        ...(onlyInProject.length > 0
          ? [`remain set, although they are not in .env.hosted: ${onlyInProject.join(', ')}`]
          : []),
      ],
      run: async () => {
        if (secretNames.length > 0) await setSecrets(secretNames)
      },
    },
    {
      title: 'Configuration',
      detail: [
        'supabase/config.toml and its secrets',
        changedConfig.length > 0 ? `changes ${changedConfig.join(', ')}` : 'no other settings change',
      ],
      run: () => runCli('config', 'push'),
    },
    {
      title: 'Functions',
      detail: [functions.join(', ')],
      run: async () => {
        await runCli('functions', 'deploy', ...functions, '--use-api')
        await waitForApi()
      },
    },
  ]
  return steps
}

/**
 * @param {string[]} problems
 * @returns {never}
 */
function failWith(problems) {
  return fail(
    `Nothing was deployed. Fix these problems first:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  )
}

try {
  await ensurePackages()
  await ensureBinaries()
  const addressProblems = checkAddresses(settings)
  if (addressProblems.length > 0) failWith(addressProblems)
  const steps = options.includes('--web') ? [] : await planSteps()
  // Build the web app before changing the Supabase project, because the build can fail.
  await buildWebApp()
  steps.push({
    title: 'Web app',
    detail: [webCommand ? `runs ${webCommand}` : 'is in dist/ and has to be uploaded to the static host'],
    run: async () => {
      if (webCommand) await runStep(webCommand, [], true)
    },
  })
  console.log(`\nProject ${ref ?? '(none)'} at ${supabaseUrl}, site ${publicUrl}`)
  for (const [index, { title, detail }] of steps.entries()) {
    console.log(`${index + 1}. ${title}: ${detail.join('; ')}`)
  }
  if (options.includes('--check')) process.exit(0)
  await confirm('\nDeploy?', { command: 'npm run deploy -- --yes', refused: 'Nothing was deployed.' })
  for (const [index, { title, run: runAction }] of steps.entries()) {
    console.log(`\n${index + 1}. ${title}`)
    await runAction().catch((error) =>
      fail(
        `The step "${title}" failed: ${errorMessage(error)}. The later steps did not run. Fix the problem, then deploy again.`,
      ),
    )
  }
  console.log('\nDeployed. The configuration for static hosts is in hosting/ and dist/.')
  console.log(`Sign in as an admin and open ${publicUrl}/api/admin/whoami: it must show your own IP address.`)
} catch (error) {
  fail(`Could not deploy: ${errorMessage(error)}`)
}
