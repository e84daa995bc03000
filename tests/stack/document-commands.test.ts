import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEnv } from '../../scripts/lib/env-file.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { ensureWebBuild } from '../../scripts/lib/web-build.mjs'
import type { Connection } from '../support/connection.ts'
import { blockOf, documentAt, documents, inlineCode, installGuide } from '../support/documents.ts'
import { startFakeS3 } from '../support/fake-s3-server.ts'
import { insertAccount } from '../support/insert-account.ts'
import { isRunning } from '../support/processes.ts'
import { createTempDir, eventually } from '../support/stack-process.ts'

// Runs the commands in the documents' `sh` blocks in the order in which an operator needs them, on one stack with the
// settings from the guide "Install on a server". The SQL statements in `sql` blocks and in the text run in transactions
// that are rolled back. Blocks marked `no-test` are not run and must be listed in `notRun`.

const server = 'changes a server, as root'
const development = 'is for developers: it runs the checks, the tests or Vite, or drafts a migration'
const supabase = 'needs a project on Supabase'
const notRun = [
  ['CONTRIBUTING.md', 'npm run dev', development],
  ['CONTRIBUTING.md', 'npm run test:soak', development],
  ['README.md', 'npm start', `Getting started has the same command; npm test ${development}`],
  ['docs/getting-started.md', 'npm run dev', development],
  ['docs/getting-started.md', 'npm run check', development],
  ['docs/guides/back-up-and-restore.md', 'npm run restore', 'backup.test.ts restores to points in time'],
  ['docs/guides/change-the-database.md', 'npm run migration', development],
  ['docs/guides/change-the-database.md', 'OVATION_CONNECTION=.data/connection.json', development],
  ['docs/guides/deploy-to-supabase.md', 'npx supabase', supabase],
  ['docs/guides/deploy-to-supabase.md', 'install -m 600', supabase],
  ['docs/guides/deploy-to-supabase.md', 'echo "DATABASE_CA=', supabase],
  [
    'docs/guides/deploy-to-supabase.md',
    'npm run deploy',
    `${supabase}; deploy.test.ts runs it with a fake project`,
  ],
  ['docs/guides/deploy-to-supabase.md', 'select vault.create_secret', supabase],
  ['docs/guides/install-on-a-server.md', 'curl -fsSL https://deb.nodesource.com', server],
  ['docs/guides/install-on-a-server.md', 'sudo useradd', server],
  ['docs/guides/install-on-a-server.md', 'sudo install', server],
  ['docs/guides/install-on-a-server.md', 'sudo cp', `${server}; systemd.test.ts runs the unit`],
  ['docs/guides/install-on-a-server.md', 'sudo caddy', server],
  ['docs/guides/install-on-a-server.md', 'sudo ufw', server],
  ['docs/guides/install-on-a-server.md', 'cd /opt/ovation', `${server}; another guide has the same command`],
  ['docs/guides/install-on-a-server.md', 'sudo apt', server],
  ['docs/guides/use-the-studio.md', 'ssh -L', 'needs another computer'],
  ['docs/guides/install-on-a-server.md', 'sudo systemctl', server],
  ['docs/guides/monitor.md', 'journalctl', 'needs systemd; monitoring.test.ts checks the log lines'],
  ['docs/guides/move-to-supabase.md', 'sudo -Hu ovation', 'needs pg_dump and root'],
  ['docs/guides/plan-capacity.md', 'npm run bench', 'takes minutes'],
  ['docs/performance.md', 'npm run bench', 'takes minutes, and installs Parse Server'],
  ['docs/guides/respond-to-incidents.md', 'systemctl status', server],
  ['docs/guides/respond-to-incidents.md', 'df -h', server],
  ['docs/guides/respond-to-incidents.md', 'sudo ss', server],
  ['docs/guides/respond-to-incidents.md', 'sudo nft', server],
  ['docs/guides/respond-to-incidents.md', 'sudo install', server],
  ['docs/guides/respond-to-incidents.md', 'sudo systemctl', server],
  ['docs/guides/respond-to-incidents.md', 'sudo sh', server],
  ['docs/guides/rotate-keys.md', 'npm run rotate-keys', 'rotate-keys.test.ts runs it on a stopped stack'],
  ['docs/guides/upgrade.md', 'sudo systemctl', server],
  ['docs/guides/upgrade.md', 'mv .data/postgres', 'upgrade.test.ts goes back to an older version'],
] as const

const folder = createTempDir()

/** Adds a program to the directory that is first in the PATH of the commands. */
const writeProgram = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 })

describe('the commands in the documents', () => {
  const dataDir = join(folder, 'data')
  const backups = join(folder, 'backups')
  const started = join(folder, 'pids')
  const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
  const metricsToken = 'a-token-for-metrics'
  const admin = { email: 'you@example.com', username: 'ada', fullName: 'Ada' }
  const ids = { user: '', payment: randomUUID() }
  let port: number
  let s3: Awaited<ReturnType<typeof startFakeS3>>
  let connection: Connection
  let sql: postgres.Sql
  const done = new Set<string>()

  beforeAll(async () => {
    await ensureWebBuild()
    s3 = await startFakeS3(credentials)
    port = await freePort()
    mkdirSync(backups)
    // Replaces npm: `start` runs in the background, with a different port for a different DATA_DIR, and the commands
    // that ask for confirmation get `--yes`.
    const npm = `#!/bin/sh
      PATH=${JSON.stringify(process.env.PATH)}
      case "$*" in
      start)
        [ "$DATA_DIR" = ${JSON.stringify(dataDir)} ] || export PORT=${await freePort()}
        npm start > "$DATA_DIR.log" 2>&1 < /dev/null &
        echo $! >> ${JSON.stringify(started)}
        until [ -f "$DATA_DIR/connection.json" ]; do
          kill -0 $! || { cat "$DATA_DIR.log" >&2; exit 1; }
          sleep 0.1
        done ;;
      *make-admin*|*void-test-money*) exec npm "$@" --yes ;;
      *) exec npm "$@" ;;
      esac`
    writeProgram('npm', npm)
    // Replaces curl on machines that do not have it.
    const curl = `#!/usr/bin/env node
      const args = process.argv.slice(2)
      const headers = args.filter((_, index) => args[index - 1] === '-H').map((header) => header.split(': '))
      const method = args.some((arg) => /^-[a-zA-Z]*I/.test(arg)) ? 'HEAD' : 'GET'
      fetch(args.at(-1), { method, headers }).then(async (response) => {
        if (method === 'HEAD') for (const header of response.headers) console.log(header.join(': '))
        else console.log(await response.text())
        process.exitCode = response.ok ? 0 : 22
      })`
    if (spawnSync('curl', ['--version']).error) writeProgram('curl', curl)
    await runBlock('docs/getting-started.md', 'npm start')
    connection = JSON.parse(readFileSync(join(dataDir, 'connection.json'), 'utf8'))
    sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
    ids.user = await insertAccount(sql, {
      ...admin,
      phoneNumber: '+1 555 0100 200',
      password: 'correct-horse',
    })
  })

  afterAll(async () => {
    await sql?.end()
    const pids = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n').map(Number) : []
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGTERM')
    await eventually(async () => expect(pids.filter(isRunning)).toEqual([]))
    await s3?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Replaces the example values in a command with the values of this test. */
  const fill = (text: string): string =>
    text
      .replaceAll('https://ovation.example', `http://127.0.0.1:${port}`)
      .replaceAll(/ovation-\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz/g, () => readdirSync(backups).sort().at(-1) ?? '')
      .replaceAll('/mnt/backups', backups)
      .replaceAll('/srv/ovation', join(folder, 'restored'))
      .replaceAll('https://s3.example.com', s3.url)
      .replace('AWS_ACCESS_KEY_ID=…', `AWS_ACCESS_KEY_ID=${credentials.accessKeyId}`)
      .replace('AWS_SECRET_ACCESS_KEY=…', `AWS_SECRET_ACCESS_KEY=${credentials.secretAccessKey}`)

  /** Runs the commands of a block in a shell and returns what they print. */
  function run(text: string): Promise<string> {
    const settings = parseEnv(blockOf(installGuide, 'ini'))
    // The settings of the web app are left out, because they would trigger a new build.
    const stackSettings = Object.entries(settings).filter(([name]) => !name.startsWith('VITE_'))
    const env = {
      ...process.env,
      ...Object.fromEntries(stackSettings),
      NODE_ENV: '',
      PATH: [folder, process.env.PATH].join(delimiter),
      DATA_DIR: dataDir,
      PORT: String(port),
      BACKUP_PASSPHRASE: 'correct horse battery',
      METRICS_TOKEN: metricsToken,
    }
    return new Promise((resolve, reject) => {
      execFile('sh', ['-euc', fill(text)], { cwd: root, env }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${text}\n${stdout}${stderr}`))
        else resolve(`${stdout}${stderr}`)
      })
    })
  }

  /** Runs the `sh` block that starts with `start`. The document must contain exactly one such block. */
  async function runBlock(path: string, start: string): Promise<string> {
    const found = documentAt(path).blocks.filter(({ info, text }) => info === 'sh' && text.startsWith(start))
    expect(found, `${path}: ${start}`).toHaveLength(1)
    const text = found[0]?.text ?? ''
    done.add(text)
    return await run(text)
  }

  it('make the first admin', async () => {
    const output = await runBlock('docs/guides/moderate-a-community.md', 'npm run make-admin')
    expect(output).toContain('@ada (Ada, you@example.com) registered on 20')
    expect(output).toContain('@ada (Ada, you@example.com) is now an admin.')
    expect(await sql`select is_admin from public.profiles where id = ${ids.user}`).toEqual([
      { is_admin: true },
    ])
    expect(await run('npm run make-admin -- YOU@example.com')).toContain('is already an admin.')
    await expect(run('npm run make-admin -- nobody@example.com')).rejects.toThrow(
      'No account has the email nobody@example.com.',
    )
    await expect(run('npm run make-admin')).rejects.toThrow('Usage: npm run make-admin -- <email>')
  })

  it('ask for confirmation before they make an admin', async () => {
    await sql`update public.profiles set is_admin = false where id = ${ids.user}`
    await sql`update public.accounts set email_confirmed_at = null where user_id = ${ids.user}`
    await expect(run('node scripts/make-admin.mjs you@example.com')).rejects.toThrow(
      /The email address is not confirmed.*\n.*Cannot ask for confirmation without a terminal: use npm run make-admin -- <email> --yes\./s,
    )
    await sql`update public.accounts set email_confirmed_at = now() where user_id = ${ids.user}`
    expect(await sql`select is_admin from public.profiles where id = ${ids.user}`).toEqual([
      { is_admin: false },
    ])
  })

  it('check the health and metrics of the site', async () => {
    expect(await runBlock('docs/guides/install-on-a-server.md', 'curl -fsS')).toMatch(
      /"status":"ok"[\s\S]*strict-transport-security: max-age=/,
    )
    expect(await runBlock('docs/guides/respond-to-incidents.md', 'curl')).toContain('"database":"ok"')
    expect(await runBlock('docs/guides/monitor.md', 'curl')).toContain('ovation_health{part="database"} 1')
  })

  it('remove test money', async () => {
    expect(await runBlock('docs/guides/accept-payments.md', 'npm run void')).toContain(
      'No creator has test money.',
    )
  })

  it('back up and restore', async () => {
    const guide = 'docs/guides/back-up-and-restore.md'
    expect(await runBlock(guide, 'npm run backup')).toContain(`Backed up ${dataDir} to ${backups}/ovation-`)
    expect(await runBlock(guide, 'export AWS')).toContain(
      `Backed up ${dataDir} to s3://my-bucket/ovation/ovation-`,
    )
    expect(await runBlock(guide, 'DATA_DIR=')).toContain(`Restored`)
    const restored = JSON.parse(readFileSync(join(folder, 'restored', 'connection.json'), 'utf8'))
    const health = await fetch(`${restored.apiUrl}/api/health`)
    expect([restored.apiUrl === connection.apiUrl, health.status]).toEqual([false, 200])
  })

  it('are all run or listed in `notRun`', () => {
    const marked = documents.flatMap(({ path, blocks }) =>
      blocks.filter(({ info }) => info.endsWith(' no-test')).map(({ text }) => ({ path, text })),
    )
    const missing = marked.filter(
      ({ path, text }) => !notRun.some(([file, start]) => file === path && text.startsWith(start)),
    )
    expect(missing).toEqual([])
    const unused = notRun.filter(
      ([file, start]) => !marked.some(({ path, text }) => file === path && text.startsWith(start)),
    )
    expect(unused).toEqual([])
    const remaining = documents.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ info, text }) => info === 'sh' && !done.has(text))
        .map(({ line, text }) => `${path}:${line} ${text}`),
    )
    expect(remaining).toEqual([])
    // A curl command must be in a block, because inline commands are not run.
    const inline = documents.flatMap((document) =>
      inlineCode(document).filter((code) => code.startsWith('curl ')),
    )
    expect(inline).toEqual([])
  })

  it('include only SQL statements that work', async () => {
    await sql`update public.profiles set is_creator = true where id = ${ids.user}`
    const session = randomUUID()
    const fan = await insertAccount(sql, {
      fullName: 'Bob',
      username: 'bob',
      email: 'them@example.com',
      phoneNumber: '+1 555 0100 201',
      password: 'correct-horse',
    })
    await sql.begin(async (tx) => {
      const claims = JSON.stringify({ sub: fan, role: 'authenticated', session_id: session })
      await tx`insert into auth.sessions (id, user_id) values (${session}, ${fan})`
      await tx`select set_config('request.jwt.claims', ${claims}, true)`
      await tx`select private.begin_tip(${ids.payment}, ${ids.user}, 100, 'test')`
      await tx`select private.settle_payment(${ids.payment}, ${`test_${ids.payment}`})`
    })
    await sql`select private.ban_email('them@example.com')`
    const statements = documents.flatMap((document) => [
      ...document.blocks
        .filter(({ info }) => info === 'sql')
        .map(({ text, line }) => ({ text, at: `${document.path}:${line}` })),
      ...inlineCode(document)
        .filter((code) => /^(select|update|delete from) \S/.test(code) && !/\b(cron|vault)\./.test(code))
        .map((text) => ({ text, at: document.path })),
    ])
    expect(statements.length).toBeGreaterThan(15)
    for (const { text, at } of statements) {
      const filled = text
        .replaceAll(/refund_payment\('[0-9a-f-]+'\)/g, `refund_payment('${ids.payment}')`)
        .replaceAll("'<user id>'", `'${ids.user}'`)
      const rollback = new Error('rollback')
      const transaction = sql.begin(async (tx) => {
        await tx.unsafe(filled)
        throw rollback
      })
      await expect(transaction, `${at}\n${text}`).rejects.toBe(rollback)
    }
  })
})
