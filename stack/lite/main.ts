import { join } from 'node:path'
import { App, setExperimental } from '@supabase/lite'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { htmlToText } from '../mailbox/mail.ts'
import { startMailbox } from '../mailbox/server.ts'
import { internalError } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import { setUpProcess } from '../shared/process-setup.ts'
import { startStudio } from '../studio/server.ts'
import type { LiteConfig } from './config.ts'
import { connectToDatabase } from './connection.ts'
import { openFileStorage } from './file-storage.ts'
import { forceExactCount, guard, hideDatabaseErrors } from './guard.ts'
import { handleRangeRequest } from './range-requests.ts'

// Runs Auth, the Data API, Storage, the mailbox and the studio.
const { config, log, onStop } = setUpProcess<LiteConfig>('lite')

// lite logs statements and email addresses to the console, which must not be recorded.
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) console[level] = () => undefined

/** The settings in supabase/config.toml that apply to the embedded stack too. */
const SupabaseConfig = z.object({
  api: z.object({ max_rows: z.number() }),
  auth: z.object({
    jwt_expiry: z.number(),
    refresh_token_reuse_interval: z.number(),
    minimum_password_length: z.number(),
    email: z.object({
      max_frequency: z.string(),
      otp_length: z.number(),
      otp_expiry: z.number(),
      template: z.object({ recovery: z.object({ subject: z.string(), content_path: z.string() }) }),
    }),
  }),
  storage: z.object({ file_size_limit: z.string() }),
})

const {
  api,
  auth,
  storage: storageConfig,
} = SupabaseConfig.parse(parse(await Deno.readTextFile(join(config.root, 'supabase', 'config.toml'))))
const mailbox = await startMailbox({ ...config.mailbox, folder: join(config.dataDir, 'mailbox') }, log)

setExperimental('storage', true)
const connection = connectToDatabase(config.databaseUrl)
const maxFileSize = storageConfig.file_size_limit
const storage = await openFileStorage(join(config.dataDir, 'storage'), async (bucket) => {
  const [row] = await connection.driver<{ bytes: string }[]>`
    select coalesce(b.file_size_limit, pg_size_bytes(${maxFileSize.replace('iB', 'B')}))::text as bytes
    from storage.buckets b where b.id = ${bucket}`
  return Number(row?.bytes ?? 0)
})

const settings = {
  connection,
  api: { schemas: ['public'], max_rows: api.max_rows },
  auth: {
    enabled: true,
    enable_signup: true,
    jwt_secret: config.jwtSecret,
    publishable_key: config.publishableKey,
    secret_key: config.secretKey,
    site_url: config.siteUrl,
    jwt_expiry: auth.jwt_expiry,
    enable_refresh_token_rotation: true,
    refresh_token_reuse_interval: auth.refresh_token_reuse_interval,
    minimum_password_length: auth.minimum_password_length,
    email: {
      enable_signup: true,
      enable_confirmations: false,
      double_confirm_changes: true,
      max_frequency: auth.email.max_frequency,
      otp_length: auth.email.otp_length,
      otp_expiry: auth.email.otp_expiry,
      template: {
        recovery: {
          subject: auth.email.template.recovery.subject,
          content_path: join(config.root, auth.email.template.recovery.content_path),
        },
      },
    },
  },
  storage: { enabled: true, file_size_limit: maxFileSize },
  db: { migrations: { enabled: false } },
}

const app = new App({
  ...settings,
  options: {
    drivers: {
      email: {
        // The plain text is generated from the HTML of the template. lite's own plain text links to its verification
        // URL, which is blocked here and whose one-time token a link scanner would use up.
        send: ({ to, subject, html }) =>
          mailbox.deliver({ to, subject, html: html ?? '', text: htmlToText(html ?? '') }),
      },
    },
  },
})
app._storageAdapter = storage
await app.init()

const studioApp = new App({ ...settings, studio: { enabled: true }, options: { server: { admin: true } } })
studioApp._storageAdapter = storage
await studioApp.init()

/** Checks that the tables of Auth or Storage are readable and, for Storage, that its directory is writable. */
async function checkHealth(service: string): Promise<Response> {
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
    log.warn('health_check_failed', { service, reason: errorMessage(error) })
    return Response.json({ status: 'failing' }, { status: 503 })
  }
}

const server = Deno.serve(
  {
    hostname: '127.0.0.1',
    port: config.port,
    onListen: () => log.info('server_started', { port: config.port }),
    onError: (error) => {
      log.error('request_failed', { reason: errorMessage(error) })
      return internalError()
    },
  },
  async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/health/')) return checkHealth(pathname.slice('/health/'.length))
    const rejection = guard(request, config.secretKey)
    if (rejection) return rejection
    return await hideDatabaseErrors(
      await handleRangeRequest(request, () => app.fetch(forceExactCount(request))),
    )
  },
)
const studio = startStudio(
  { ...config.studio, root: config.root },
  (request, peerAddress) => studioApp.fetch(request, { peerAddress }),
  log,
)

onStop(async () => {
  const timeout = new Promise((resolve) => setTimeout(resolve, 2000))
  await Promise.race([Promise.all([server.shutdown(), mailbox.stop(), studio.shutdown()]), timeout])
  await connection.driver.end({ timeout: 1 })
})
