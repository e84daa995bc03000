import { join } from 'node:path'
import { App, setExperimental } from '@supabase/lite'
import { startMailbox } from '../mailbox/server.ts'
import { toText } from '../mailbox/text.ts'
import { failed } from '../shared/answers.ts'
import { enterPart } from '../shared/part.ts'
import { messageOf } from '../shared/sentence.ts'
import { startStudio } from '../studio/server.ts'
import type { LiteConfig } from './config.ts'
import { connect } from './connection.ts'
import { openFiles } from './files.ts'
import { guard, inPlainWords, withoutEstimates } from './guard.ts'
import { withRanges } from './ranges.ts'
import { numberOf, parseToml, textOf } from './toml.ts'

/** Auth, Data API and Storage, with the mailbox and the studio beside them. */
const { config, log, onStop } = enterPart<LiteConfig>('lite')

// The library tells the console of statements and of people's addresses: nobody is to read that.
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) console[level] = () => undefined

const toml = parseToml(await Deno.readTextFile(join(config.root, 'supabase', 'config.toml')))
const mailbox = await startMailbox({ ...config.mailbox, folder: join(config.dataDir, 'mailbox') }, log)

setExperimental('storage', true)
const connection = connect(config.databaseUrl)
const mostEver = textOf(toml, 'storage.file_size_limit', '500MiB')
const files = await openFiles(join(config.dataDir, 'storage'), async (bucket) => {
  const [row] = await connection.driver<{ most: string }[]>`
    select coalesce(b.file_size_limit, pg_size_bytes(${mostEver.replace('iB', 'B')}))::text as most
    from storage.buckets b where b.id = ${bucket}`
  return Number(row?.most ?? 0)
})

const settings = {
  connection,
  api: { schemas: ['public'], max_rows: numberOf(toml, 'api.max_rows', 1000) },
  auth: {
    enabled: true,
    enable_signup: true,
    jwt_secret: config.jwtSecret,
    publishable_key: config.publishableKey,
    secret_key: config.secretKey,
    site_url: config.siteUrl,
    jwt_expiry: numberOf(toml, 'auth.jwt_expiry', 1200),
    enable_refresh_token_rotation: true,
    refresh_token_reuse_interval: numberOf(toml, 'auth.refresh_token_reuse_interval', 10),
    minimum_password_length: numberOf(toml, 'auth.minimum_password_length', 6),
    email: {
      enable_signup: true,
      enable_confirmations: false,
      double_confirm_changes: true,
      max_frequency: textOf(toml, 'auth.email.max_frequency', '1s'),
      otp_length: numberOf(toml, 'auth.email.otp_length', 10),
      otp_expiry: numberOf(toml, 'auth.email.otp_expiry', 3600),
      template: {
        recovery: {
          subject: textOf(toml, 'auth.email.template.recovery.subject', 'Reset your password'),
          content_path: join(config.root, textOf(toml, 'auth.email.template.recovery.content_path', '')),
        },
      },
    },
  },
  storage: { enabled: true, file_size_limit: mostEver },
  db: { migrations: { enabled: false } },
}

const app = new App({
  ...settings,
  options: {
    drivers: {
      email: {
        // The library's text part links to its own verification address, which is shut, and which a mail
        // scanner would spend: the text is made from the template's page instead.
        send: ({ to, subject, html }) =>
          mailbox.deliver({ to, subject, html: html ?? '', text: toText(html ?? '') }),
      },
    },
  },
})
app._storageAdapter = files
await app.init()

const studioApp = new App({ ...settings, studio: { enabled: true }, options: { server: { admin: true } } })
studioApp._storageAdapter = files
await studioApp.init()

/** Probed by GET /api/health: the service's tables can be read, and storage's folder can be written. */
async function health(service: string): Promise<Response> {
  try {
    if (service === 'auth') await connection.driver`select 1 from auth.users limit 1`
    else if (service === 'storage') {
      await connection.driver`select 1 from storage.objects limit 1`
      const probe = join(config.dataDir, 'storage', 'incoming', crypto.randomUUID())
      await Deno.writeTextFile(probe, '')
      await Deno.remove(probe)
    } else return new Response(null, { status: 404 })
    return Response.json({ status: 'ok' })
  } catch (error) {
    log.warn('not healthy', { service, reason: messageOf(error) })
    return Response.json({ status: 'failing' }, { status: 503 })
  }
}

const server = Deno.serve(
  {
    hostname: '127.0.0.1',
    port: config.port,
    onListen: () => log.info('listening', { port: config.port }),
    onError: (error) => {
      log.error('request failed', { reason: messageOf(error) })
      return failed()
    },
  },
  async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/health/')) return health(pathname.slice('/health/'.length))
    const refused = guard(request, config.secretKey)
    if (refused) return refused
    return await inPlainWords(await withRanges(request, () => app.fetch(withoutEstimates(request))))
  },
)
const studio = startStudio(
  { ...config.studio, root: config.root },
  (request, peerAddress) => studioApp.fetch(request, { peerAddress }),
  log,
)

onStop(async () => {
  const grace = new Promise((resolve) => setTimeout(resolve, 2000))
  await Promise.race([Promise.all([server.shutdown(), mailbox.stop(), studio.shutdown()]), grace])
  await connection.driver.end({ timeout: 1 })
})
