import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { limits } from '@contract/limits.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { parseEnv } from '../../scripts/lib/env-file.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { evalDeno } from '../support/deno-program.ts'
import {
  blockOf,
  documentAt,
  documents,
  guides,
  inlineCode,
  installGuide,
  type ProjectDocument,
} from '../support/documents.ts'
import { createTempDir } from '../support/stack-process.ts'

// Checks the links, names and configuration files in the documents. document-commands.test.ts runs the commands.

const folder = createTempDir()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the anchors of a document, as GitHub derives them from the headings. */
const anchorsOf = ({ prose }: ProjectDocument) =>
  [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

function readSources(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs|sql|toml|html)$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
}

describe('documents', () => {
  it('have links to files and headings that exist', () => {
    const broken = documents.flatMap((document) =>
      [...document.prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? document.path : relative(root, join(root, dirname(document.path), path))
        if (!existsSync(join(root, target))) return [`${document.path}: ${link}`]
        if (anchor === undefined) return []
        return anchorsOf(documentAt(target)).includes(anchor) ? [] : [`${document.path}: ${link}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('list every guide in the index', () => {
    const index = documentAt('docs/README.md').prose
    const missing = guides.filter(({ path }) => !index.includes(`(${relative('docs', path)})`))
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('name npm scripts and programs that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const reference = documentAt('docs/reference/commands.md').prose
    const unknown = documents.flatMap((document) => {
      const text = [...inlineCode(document), ...document.blocks.map((block) => block.text)].join('\n')
      const names = [...text.matchAll(/\bnpm (?:run ([a-z][\w-]*)|(start|test))\b/g)].map(
        ([, script, builtIn]) => script ?? builtIn ?? '',
      )
      const files = [...text.matchAll(/\bnode (scripts\/[\w./-]+)/g)].map(([, file = '']) => file)
      return [
        ...names.filter((name) => !(name in scripts)),
        ...files.filter((file) => !existsSync(join(root, file))),
      ].map((name) => `${document.path}: ${name}`)
    })
    expect(unknown).toEqual([])
    const undocumented = Object.keys(scripts).filter(
      (name) => !reference.includes(`\`npm run ${name}`) && !reference.includes(`\`npm ${name}\``),
    )
    expect(undocumented).toEqual([])
  })

  it('name environment variables that exist', () => {
    const sources = ['stack', 'scripts', 'supabase', 'web', 'tests'].map(readSources).join('\n')
    const reference = documentAt('docs/reference/environment.md')
    const documented = new Set(
      [...reference.prose.matchAll(/^\| (`.*?)\s+\|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      ),
    )
    expect(documented.size).toBeGreaterThan(40)
    // A variable exists only if the code reads or sets it.
    expect(
      [...documented].filter((name) => !new RegExp(`['"\`.%]${name}\\b|\\b${name}:`).test(sources)),
    ).toEqual([])
    const unknown = [...guides, documentAt('docs/getting-started.md')].flatMap((document) => {
      const shell = document.blocks.filter(({ info }) => /^(sh|ini)/.test(info)).map(({ text }) => text)
      const names = [...inlineCode(document), ...shell]
        .join('\n')
        .matchAll(/(?<![\w<])[A-Z]+(?:_[A-Z]+)+(?![\w(])/g)
      return [...names].filter(([name]) => !documented.has(name)).map(([name]) => `${document.path}: ${name}`)
    })
    expect(unknown).toEqual([])
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const inExample = [...example.matchAll(/^#(\w+)=/gm)].map(([, name = '']) => name)
    expect(inExample.filter((name) => !documented.has(name))).toEqual([])
  })

  it('name log events, metrics, tables and columns that exist', () => {
    const sources = ['stack', 'scripts', 'supabase', 'web/src'].map(readSources)
    // monitoring.test.ts compares this list with the metrics of a stack.
    const metrics = documentAt('docs/reference/metrics.md').prose
    const words = new Set([...sources, metrics].join('\n').match(/\w+/g))
    // These names belong to Caddy, nginx, PostgreSQL and npm.
    const foreign =
      /^(max_size|lb_try_duration|proxy_\w+|gzip_types|pg_stat_activity|session_replication_role|node_modules)$/
    const unknown = guides.flatMap((document) =>
      inlineCode(document)
        .flatMap((code) => code.match(/(?<![\w/.<])[a-z]+(?:_[a-z]+)+(?![\w])/g) ?? [])
        .filter((word) => !words.has(word) && !foreign.test(word))
        .map((word) => `${document.path}: ${word}`),
    )
    expect(unknown).toEqual([])
  })

  it('name the job of each queue that has an alert', () => {
    const monitor = documentAt('docs/guides/monitor.md')
    const [, queues = ''] = /queue=~"([^"]+)"/.exec(monitor.blocks.map(({ text }) => text).join('\n')) ?? []
    const [advice = ''] = /^\| `QueueLong` .*$/m.exec(monitor.prose) ?? []
    const missing = queues
      .split('|')
      .filter(
        (queue) => !advice.includes(`\`${queue}\``) && !advice.includes(`\`${queue.replace('_', '-')}\``),
      )
    expect([queues.length > 0, missing]).toEqual([true, []])
  })

  it('have shell commands with valid syntax', () => {
    for (const { path, blocks } of documents) {
      for (const { info, text, line } of blocks.filter((block) => block.info.split(' ')[0] === 'sh')) {
        const { status, stderr } = spawnSync('sh', ['-n'], {
          input: text.replaceAll(/<[a-z ]+>/g, 'placeholder'),
          encoding: 'utf8',
        })
        expect([status, stderr], `${path}:${line} (${info})`).toEqual([0, ''])
      }
    }
  })
})

describe('the configuration in "Install on a server"', () => {
  const settings = parseEnv(blockOf(installGuide, 'ini'))
  const host = new URL(settings.PUBLIC_URL ?? '').hostname
  const unit = readFileSync(join(root, 'docs/ovation.service'), 'utf8')

  it('is accepted by the stack', async () => {
    const backups = parseEnv(blockOf(documentAt('docs/guides/back-up-and-restore.md'), 'ini'))
    const env = { ...settings, ...backups, BACKUP_PASSPHRASE: 'correct horse battery' }
    const { stdout, stderr } = await evalDeno(`
      import { readSettings } from ${JSON.stringify(join(root, 'stack', 'supervisor', 'settings.ts'))}
      const env = ${JSON.stringify(env)}
      const { host, port, publicUrl, trustProxy, demoData, warnings } = readSettings((name) => env[name], '/')
      console.log(JSON.stringify({ host, port, publicUrl, trustProxy, demoData, warnings }))`)
    expect(stderr).toBe('')
    const loopback = { host: '127.0.0.1', port: 3000, demoData: false, warnings: [] }
    expect(JSON.parse(stdout)).toEqual({ ...loopback, publicUrl: `https://${host}`, trustProxy: 1 })
  })

  it('has a systemd unit for the same directories and user', () => {
    const sections = [...unit.matchAll(/^\[(\w+)\]$/gm)].map(([, name]) => name)
    expect(sections).toEqual(['Unit', 'Service', 'Install'])
    expect(unit.split('\n').filter((line) => !/^(#.*|\[\w+\]|[A-Z]\w*=.*|)$/.test(line))).toEqual([])
    expect(unit).toContain(`\nEnvironment=DATA_DIR=${settings.DATA_DIR}\n`)
    const commands = installGuide.blocks.map(({ text }) => text).join('\n')
    for (const name of ['WorkingDirectory', 'User'])
      expect(commands).toContain(new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1])
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', 'docs/ovation.service'], {
      cwd: root,
      encoding: 'utf8',
    })
    // On machines without systemd, only the syntax is checked.
    if (!error) expect([status, stderr.match(/.*ovation\.service.*/g)]).toEqual([0, null])
  })

  it('has a Caddyfile that forwards even the largest uploads', () => {
    const caddyfile = blockOf(installGuide, 'caddyfile')
    expectBalanced(caddyfile)
    expect(caddyfile).toMatch(new RegExp(`^${host} \\{$`, 'm'))
    expect(caddyfile).toMatch(/^\treverse_proxy 127\.0\.0\.1:3000 \{$/m)
    const [, megabytes] = /max_size (\d+)MB$/m.exec(caddyfile) ?? []
    expect(Number(megabytes) * 1e6).toBeGreaterThan(limits.video.maxBytes + 1e6)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, caddyfile)
    const adapt = ['adapt', '--config', file, '--adapter', 'caddyfile']
    const { error, status, stderr } = spawnSync('caddy', adapt, { encoding: 'utf8' })
    // On machines without Caddy, only the syntax is checked.
    if (!error) expect(status, stderr).toBe(0)
  })

  it('has a site for nginx that forwards even the largest uploads and waits for slow calls', async () => {
    const { responseTimeoutMs }: { responseTimeoutMs: (method: string, path: string) => number } =
      await import(join(root, 'stack', 'gateway', 'timeouts.ts'))
    const site = blockOf(installGuide, 'nginx')
    expectBalanced(site)
    expect(site.split('\n').filter((line) => !/^\s*([^\s].*[;{]|\}|)$/.test(line))).toEqual([])
    expect(site).toContain(`server_name ${host};`)
    expect(site).toContain('proxy_pass http://127.0.0.1:3000;')
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(site) ?? []
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(limits.video.maxBytes + 1e6)
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(site) ?? []
    expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(responseTimeoutMs('DELETE', '/api/account'))
  })
})

function expectBalanced(text: string): void {
  let depth = 0
  for (const brace of text.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  expect(depth).toBe(0)
}
