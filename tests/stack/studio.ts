import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSecretColumn } from '../../stack/studio/secrets.ts'
import { runScript } from '../../stack/studio/sql-runner.ts'
import type { Connection } from '../support/connection.ts'
import { insertAccount } from '../support/insert-account.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { type RawResponse, sendRawRequest } from './raw-request.ts'

// Not a test file: it defines the studio tests that gateway.test.ts runs on its stack.

const oldLog = '20250101T000000000Z.jsonl'
const fullLog = `${new Date(Date.now() - 1000).toISOString().replaceAll(/[-:.]/g, '')}.jsonl`

/** Writes two log files: one that is too old to keep, and one that is full. Must be called before the stack starts. */
export function prepareLogs(dataDir: string): void {
  const folder = join(dataDir, 'logs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, oldLog), '{}\n')
  const eightDaysAgo = Date.now() / 1000 - 8 * 24 * 60 * 60
  utimesSync(join(folder, oldLog), eightDaysAgo, eightDaysAgo)
  const time = new Date().toISOString()
  const line = JSON.stringify({
    time,
    level: 'warn',
    process: 'gateway',
    event: 'earlier_event',
    name: '<b>x</b>',
  })
  writeFileSync(join(folder, fullLog), `${'\0'.repeat(8 * 1024 * 1024)}\n${line}\n{"time":1}\n{"cut off`)
}

export function testStudio(dataDir: string, getConnection: () => Connection): void {
  describe('the studio', () => {
    let sql: postgres.Sql
    let port: number
    let cookie: string
    let basePath: string
    let origin: string

    const get = (path: string, headers: Record<string, string> = {}) =>
      sendRawRequest(port, basePath + path, { host: `127.0.0.1:${port}`, cookie, ...headers })
    const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      sendRawRequest(
        port,
        basePath + path,
        {
          host: `127.0.0.1:${port}`,
          cookie,
          origin,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        'POST',
        Buffer.from(new URLSearchParams(form).toString()),
      )
    const readToken = async () => /name="token" value="([^"]+)"/.exec((await get('/sql')).body)?.[1] ?? ''
    /** Runs a script in the SQL editor and returns the page. */
    const run = async (statement: string, allowsChanges = false) =>
      (await post('/sql', { statement, token: await readToken(), ...(allowsChanges && { changes: 'on' }) }))
        .body

    beforeAll(async () => {
      const connection = getConnection()
      sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
      const url = new URL(connection.studioUrl)
      port = Number(url.port)
      origin = `http://127.0.0.1:${port}`
      const { headers } = await sendRawRequest(port, url.pathname)
      cookie = String(headers['set-cookie']).split(';')[0] ?? ''
      basePath = String(headers.location)
      await sql.unsafe(`
        create schema "odd "" schema.";
        create table "odd "" schema."."<i>table</i>" (
          id int primary key, "<b>column</b>" text, api_key text, content bytea, "a.b" text);
        insert into "odd "" schema."."<i>table</i>" values
          (1, '<script>alert(1)</script>' || chr(8238) || 'gnp.exe' || chr(7), 'very-private', '\\x0001', 'x'),
          (2, repeat('m', 3000000), null, decode(repeat('00', 100000), 'hex'), null)`)
    })

    afterAll(async () => {
      await sql.unsafe('drop schema if exists "odd "" schema." cascade')
      await sql.end()
    })

    const pages = [
      ...['', '/sql', '/tables', '/tables?schema=auth', '/tables/private/settings', '/tables/auth/users'],
      ...['/tables/public/posts?view=structure', '/users', '/storage', '/logs', '/jobs', '/queries'],
    ]

    test('opens only at the secret URL', async () => {
      const { pathname } = new URL(getConnection().studioUrl)
      for (const path of [...pages, '/studio.css', '/nothing'])
        expect((await sendRawRequest(port, basePath + path)).status, path).toBe(404)
      const wrong = { cookie: `studio=${'x'.repeat(24)}` }
      expect((await get('', { cookie: wrong.cookie })).status).toBe(404)
      expect((await sendRawRequest(port, pathname, { host: 'evil.example' })).status).toBe(403)
      expect((await get('', { host: 'evil.example' })).status).toBe(403)
      const entry = await sendRawRequest(port, pathname)
      expect(entry.status).toBe(302)
      // Browsers send cookies to every port of a host. Servers on other ports do not receive this cookie, because its
      // path is secret.
      expect(basePath).toMatch(/^\/[\w-]{24}$/)
      expect(entry.headers['set-cookie']).toEqual([`${cookie}; Path=${basePath}; HttpOnly; SameSite=Strict`])
      expect(pathname).not.toContain(basePath)
      expect((await sendRawRequest(port, '/sql', { cookie })).status).toBe(404)
      expect((await sendRawRequest(Number(new URL(getConnection().apiUrl).port), pathname)).status).toBe(404)
    })

    test.each(pages)('shows %s without inline scripts or styles', async (path) => {
      const { status, headers, body } = await get(path)
      expect(status).toBe(200)
      expect(headers['content-security-policy']).toContain(
        "default-src 'none'; style-src 'self'; script-src 'self'",
      )
      expect(headers['cache-control']).toBe('no-store')
      expect(body.match(/<script[^>]*>/g)).toEqual([`<script src="${basePath}/studio.js" defer>`])
      expect(body).not.toMatch(new RegExp(`(href|action|src)="/(?!${basePath.slice(1)})`))
      expect(body).not.toMatch(/<style| style=| on\w+="/)
    })

    test('rejects forms from other origins and forms without the token', async () => {
      const form = { statement: 'create table public.forged ()', changes: 'on', token: await readToken() }
      const requests: Promise<RawResponse>[] = [
        post('/sql', form, { origin: 'http://127.0.0.1:1' }),
        post('/sql', form, { origin: 'null' }),
        post('/sql', form, { cookie: '' }),
        post('/sql', { ...form, token: '' }),
        post('/sql', { ...form, token: form.token.slice(1) }),
        sendRawRequest(
          port,
          `${basePath}/sql`,
          { cookie },
          'POST',
          Buffer.from(new URLSearchParams(form).toString()),
        ),
        get('', { origin: 'http://evil.example' }),
        post('/sql', { ...form, statement: 'x'.repeat(1_100_000) }),
      ]
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      expect(statuses).toEqual([403, 403, 404, 403, 403, 403, 403, 413])
      expect((await sql`select to_regclass('public.forged') as found`)[0]?.found).toBeNull()
    })

    test('runs SQL in a read-only transaction that no statement can leave', async () => {
      const target = '"odd "" schema."."<i>table</i>"'
      const body = await run(`select count(*) as total from ${target}; show transaction_read_only`)
      expect(body).toMatch(/Done in/)
      expect(body).toMatch(/<bdi>2<\/bdi>[\s\S]*<bdi>on<\/bdi>/)
      expect(await run(`delete from ${target}`)).toContain('read-only transaction')
      expect(await run(`select 1; delete from ${target}`)).toContain('Nothing was changed')
      for (const exit of [
        'commit',
        '/* /* */ */ -- x\nROLLBACK',
        'end',
        'begin read write',
        'copy x to stdout',
      ])
        expect(await run(`${exit}; delete from ${target}`)).toContain('role="alert"')
      const allow = 'set default_transaction_read_only = off'
      // A carriage return ends a comment, too.
      expect(await run(`${allow}; --\rcommit /*\n x */; delete from ${target}`)).toContain('Remove COMMIT')
      expect(await run(`do $$ begin commit; delete from ${target}; end $$`)).toContain('invalid transaction')
      expect(await run(`set transaction read write; delete from ${target}`)).toContain('role="alert"')
      expect(await run(`set default_transaction_read_only = off; delete from ${target}`)).toContain(
        'role="alert"',
      )
      expect(await sql.unsafe(`select 1 from ${target}`)).toHaveLength(2)
    })

    test('changes data if changes are allowed, and logs the commands without their values', async () => {
      const target = '"odd "" schema."."<i>table</i>"'
      expect(
        await run(
          `insert into ${target} values (3, 'private data'); update ${target} set id = 4 where id = 3`,
          true,
        ),
      ).toMatch(/INSERT 1<[\s\S]*UPDATE 1</)
      expect(await run(`delete from ${target} where id = 4; select * from nowhere`, true)).toContain(
        'rolled back',
      )
      expect(await sql.unsafe(`select id from ${target} where id = 4`)).toHaveLength(1)
      expect(await run('vacuum public.posts', true)).toContain('VACUUM')
      await expect.poll(readLogs).toContain('"commands":["INSERT 1","UPDATE 1"]')
      expect(readLogs()).toContain('"event":"studio_sql_executed"')
      expect(readLogs()).not.toContain('private data')
    })

    test('completes a statement that changes data, although at most 500 rows are shown', async () => {
      await sql.unsafe('create table "odd "" schema.".calls (n int)')
      await sql.unsafe(`create function "odd "" schema.".record(n int) returns int language sql as
        'insert into "odd "" schema.".calls values (n) returning n'`)
      const body = await run('select "odd "" schema.".record(n) from generate_series(1, 1200) n', true)
      expect(body).toContain('1,200 rows. The first 500 are shown.')
      expect(body.match(/<tr>/g)).toHaveLength(501)
      expect(await sql.unsafe('select 1 from "odd "" schema.".calls')).toHaveLength(1200)
      expect(await run('select generate_series(1, 100000000)')).toContain('More than 500 rows.')
      expect(await run('explain select 1')).toContain('Result')
    })

    test('ends a script that turned the timeout off', async () => {
      const { databaseUrl } = getConnection()
      const script = 'set statement_timeout = 0; select pg_sleep(60) as endless'
      const { failure, results } = await runScript(databaseUrl, script, false, 1000)
      expect(failure?.message).toBe('The script took too long and was terminated.')
      expect(results).toHaveLength(1)
      const isRunning = () => sql`
        select from pg_stat_activity where query like '%as endless' and pid <> pg_backend_pid()`
      await expect.poll(isRunning).toHaveLength(0)
    })

    test('shows errors, and where in the script they are', async () => {
      const body = await run("select '😀';\r\nselect 1,\r\n  nothing_here from public.posts")
      expect(body).toContain('column &quot;nothing_here&quot; does not exist')
      expect(body).toContain('Line 3, column 3')
      expect(await run(' -- nothing')).toContain('Enter a statement.')
      expect(await run('select pg_sleep(0); select')).toContain('Done in')
      expect(await run('select 1 where \0 = 1')).toContain('role="alert"')
      expect(await run('select 1;'.repeat(1001))).toContain('at most 1,000 statements')
    })

    test('shows hostile values safely and truncates long values', async () => {
      const path = `/tables/${encodeURIComponent('odd " schema.')}/${encodeURIComponent('<i>table</i>')}`
      const bodies = [
        (await get(path)).body,
        await run('select * from "odd "" schema."."<i>table</i>" order by id'),
      ]
      for (const body of bodies) {
        expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u{202E}gnp.exe\\u{0007}')
        expect(body).toContain('&lt;b&gt;column&lt;/b&gt;')
        expect(body).not.toMatch(/<script>|<b>column|<i>table|\u202e/)
        expect(body).toContain('3.0 MB total')
        expect(body).not.toContain('very-private')
        expect(body.length).toBeLessThan(20_000)
      }
      expect((await get(`${path}?view=structure`)).body).toContain('&lt;b&gt;column&lt;/b&gt;')
      const filtered = await get(`${path}?column=${encodeURIComponent('a.b')}&contains=X`)
      expect(filtered.body).toContain('\\u{202E}')
      expect(filtered.body).not.toContain('3.0 MB total')
      expect((await get(`${path}?column=api_key&contains=zzz`)).body).not.toContain('No rows match')
      for (const missing of [
        '/tables/public/nothing',
        '/tables/pg_catalog/pg_authid',
        '/users/x',
        '/storage/nothing',
      ])
        expect((await get(missing)).status, missing).toBe(404)
    })

    test('hides password hashes, tokens and keys', async () => {
      const person = { username: 'studio_user', email: 'studio@example.test', password: 'correct horse' }
      const id = await insertAccount(sql, {
        ...person,
        fullName: 'Studio User',
        phoneNumber: '+1 555 0100 200',
      })
      await sql`update auth.users set recovery_token = 'recovery-abc' where id = ${id}`
      const [session] = await sql<{ id: string }[]>`
        insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), ${id}, now(), now())
        returning id`
      await sql`
        insert into auth.refresh_tokens (id, user_id, session_id, token, parent, revoked, created_at, updated_at)
        select 'refresh ' || n, ${id}, ${session?.id ?? ''}, 'refresh-token-of-the-session-' || n,
               case when n > 1 then 'refresh-token-of-the-session-' || (n - 1) end, n = 1, now(), now()
        from generate_series(1, 2) n`
      const [stored] = await sql<{ hash: string; salt: string }[]>`
        select encrypted_password as hash, (select value #>> '{}' from private.settings where key = 'address_salt') as salt
        from auth.users where id = ${id}`
      const bodies = await Promise.all([
        get('/users').then(({ body }) => body),
        get(`/users/${id}`).then(({ body }) => body),
        get('/tables/auth/users').then(({ body }) => body),
        get('/tables/private/settings').then(({ body }) => body),
        get('/tables/auth/refresh_tokens').then(({ body }) => body),
        run('select *, encrypted_password as harmless from auth.users; select * from private.settings'),
        run('select t.id, t.harmless from (select id, parent as harmless from auth.refresh_tokens) t'),
      ])
      for (const body of bodies) {
        expect(body).toMatch(/studio@example\.test|rate_limits|refresh 2/)
        for (const secret of [stored?.hash ?? '?', stored?.salt ?? '?', 'recovery-abc', 'refresh-token-of'])
          expect(body).not.toContain(secret)
      }
      const columns = await sql<{ table: string; name: string; quoted: string }[]>`
        select n.nspname || '.' || c.relname as table, a.attname as name, format('%I.%I', n.nspname, c.relname) as quoted
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
          and n.nspname in ('auth', 'private', 'public', 'storage')`
      const isShown = ({ table, name }: { table: string; name: string }) => !isSecretColumn(table, name)
      const shown = columns.filter(isShown)
      expect(
        shown
          .map(({ name }) => name)
          .filter((name) => /secret|token|password|salt|hmac|signature/.test(name))
          .sort(),
      ).toEqual(['input_tokens', 'output_tokens', 'path_tokens', 'refresh_token_counter'])
      // Columns with harmless names must not contain the values of hidden columns.
      const valuesOf = ({ name, quoted }: { name: string; quoted: string }) =>
        `select "${name}"::text as value from ${quoted}`
      const hidden = columns.filter((column) => !isShown(column)).map(valuesOf)
      const revealing = shown.map(
        (column) =>
          `select '${column.table}.${column.name}' as name where exists
             (select from (${valuesOf(column)}) v join hidden h using (value) where length(value) > 12)`,
      )
      expect(
        await sql.unsafe(
          `with hidden as materialized (${hidden.join(' union ')}) ${revealing.join(' union all ')}`,
        ),
      ).toEqual([])
      await sql`delete from auth.sessions where user_id = ${id}`
    })

    test('finds users, and ends one session or all of them', async () => {
      const [user] = await sql<
        { id: string }[]
      >`select id from auth.users where email = 'studio@example.test'`
      const id = user?.id ?? expect.fail('There is no user.')
      const sessions = await sql<{ id: string }[]>`
        insert into auth.sessions (id, user_id, user_agent, ip, created_at, updated_at)
        select gen_random_uuid(), ${id}, '<em>Browser</em> ' || n, '203.0.113.7', now(), now() from generate_series(1, 3) n
        returning id`
      for (const search of ['STUDIO@', 'studio_u', id, id.toUpperCase()])
        expect((await get(`/users?search=${encodeURIComponent(search)}`)).body, search).toContain(
          `/users/${id}`,
        )
      // Users choose their email addresses, so an address can begin with the ID of another user.
      const imitator = await insertAccount(sql, {
        username: 'studio_imitator',
        email: `${id}@example.test`,
        password: 'correct horse',
        fullName: 'Studio Imitator',
        phoneNumber: '+1 555 0100 201',
      })
      await sql`update auth.users set last_sign_in_at = now() where id = ${imitator}`
      expect((await get(`/users/${id}`)).body).toMatch(/<h1><bdi>studio@example\.test/)
      expect((await get('/users?search=%25%00')).body).toContain('No users match')
      const page = (await get(`/users/${id}`)).body
      expect(page).toContain('&lt;em&gt;Browser&lt;/em&gt;')
      const count = async () => (await sql`select from auth.sessions where user_id = ${id}`).count
      const token = await readToken()
      const session = sessions[0]?.id ?? ''
      expect((await post(`/users/${crypto.randomUUID()}/end-session`, { session, token })).status).toBe(303)
      expect(await count()).toBe(3)
      // Simulates a double click.
      for (let click = 0; click < 2; click++)
        expect((await post(`/users/${id}/end-session`, { session, token })).status).toBe(303)
      expect(await count()).toBe(2)
      expect((await post(`/users/${id}/end-session`, { session: "' or 1=1", token })).status).toBe(404)
      expect((await post(`/users/${id}/end-sessions`, { token })).status).toBe(303)
      expect(await count()).toBe(0)
      await expect.poll(() => readLogs().match(/"event":"studio_sessions?_ended"/g)).toHaveLength(2)
    })

    test('lists and downloads stored files without displaying them', async () => {
      const client = createTestClient(getConnection(), null, getConnection().secretKey)
      await client.storage.createBucket('studio files', { public: false })
      const name = "folder/o'k (1) & x.html"
      const page = new Blob(['<script>alert(1)</script>'], { type: 'text/html' })
      expect((await client.storage.from('studio files').upload(name, page)).error).toBeNull()
      expect((await get('/storage')).body).toContain('/storage/studio%20files')
      expect((await get('/storage/studio%20files')).body).toContain('folder=folder')
      const folder = (await get('/storage/studio%20files?folder=folder')).body
      const href = /href="([^"]+)" download/.exec(folder)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const file = await get(href.slice(basePath.length))
      expect(file.body).toBe('<script>alert(1)</script>')
      expect(file.headers['content-type']).toBe('application/octet-stream')
      expect(file.headers['content-disposition']).toMatch(
        /^attachment; filename\*=UTF-8''o%27k%20%281%29%20%26%20x\.html$/,
      )
      for (const path of ['../../x', '../../bucket/studio files', './x', '..'])
        expect(
          (await get(`/storage/studio%20files/file?name=${encodeURIComponent(path)}`)).status,
          path,
        ).toBe(404)
    })

    test('filters logs by process, level and text, and deletes old files', async () => {
      expect(existsSync(join(dataDir, 'logs', oldLog))).toBe(false)
      const files = readdirSync(join(dataDir, 'logs')).sort()
      expect(files).toHaveLength(2)
      expect(statSync(join(dataDir, 'logs', files[1] ?? '')).mode & 0o777).toBe(0o600)
      await expect.poll(readLogs).toContain('"event":"server_started"')
      const started = (await get('/logs?process=lite&level=info&text=SERVER_started')).body
      expect(started).toContain('server_started')
      expect(started).not.toContain('request_completed')
      const warnings = (await get('/logs?level=warn&follow=1')).body
      expect(warnings).toContain('earlier_event')
      expect(warnings).toContain('name=&lt;b&gt;x&lt;/b&gt;')
      expect(warnings).not.toContain('server_started')
      expect(warnings).toContain('http-equiv="refresh" content="5"')
      expect((await get('/logs?text=nothing-like-this')).body).toContain('No lines match.')
      expect((await get(`/logs?before=${fullLog}:1`)).body).toContain('No lines match.')
      expect((await get('/logs?before=../../secrets.json:1')).body).toContain('No lines match.')
      for (const number of ['1e300', 'x', '-1'])
        expect((await get(`/logs?before=${fullLog}:${number}`)).status, number).toBe(200)
    })

    test('shows slow statements without their values and resets the statistics', async () => {
      await sql.unsafe("select 'statistic-secret', pg_sleep(0.05) as studio_statistic")
      await sql.unsafe("create role studio_role password 'role-secret'; drop role studio_role")
      const body = (await get('/queries?order=max')).body
      expect(body).toContain('studio_statistic')
      expect(body).not.toMatch(/statistic-secret|role-secret/)
      expect((await post('/queries/reset', { token: await readToken() })).status).toBe(303)
      expect((await get('/queries?order=max')).body).not.toContain('studio_statistic')
      // If a statement is running during a reset, PostgreSQL records it with its values, so the page must hide them.
      const other = postgres(getConnection().databaseUrl, { max: 1 })
      const script = "select 'editor-secret', pg_sleep(2) as from_editor"
      const literals = String.raw`'one-secret', E'it\'s-secret', $a$dollar-secret$a$`
      const running = [
        run(script),
        other.unsafe(`select ${literals}, pg_sleep(2) as from_elsewhere`).execute(),
      ]
      const countRunning = async () => {
        const [row] = await sql`
          select count(*)::int4 as count from pg_stat_activity
          where state = 'active' and query like '%pg_sleep(2) as from_%' and pid <> pg_backend_pid()`
        return row?.count
      }
      await expect.poll(countRunning).toBe(2)
      await post('/queries/reset', { token: await readToken() })
      await Promise.all(running)
      await other.end()
      const laterPage = (await get('/queries')).body
      expect(laterPage).toContain('from_elsewhere')
      expect(laterPage).not.toMatch(/-secret/)
      const recorded = await sql`select from extensions.pg_stat_statements where query like '%from_editor'`
      expect(recorded).toHaveLength(0)
      const [privileges] = await sql<{ allowed: boolean }[]>`
        select has_table_privilege('authenticated', 'extensions.pg_stat_statements', 'select')
          or has_function_privilege('anon', 'extensions.pg_stat_statements(boolean)', 'execute') as allowed`
      expect(privileges?.allowed).toBe(false)
    })

    const readLogs = () =>
      readdirSync(join(dataDir, 'logs'))
        .filter((name) => name !== fullLog)
        .map((name) => readFileSync(join(dataDir, 'logs', name), 'utf8'))
        .join('')
  })
}
