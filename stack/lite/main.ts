import { join } from 'node:path'
import { App } from '@supabase/lite'
import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'
import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import { htmlToText } from '../mailbox/mail.ts'
import { startMailbox } from '../mailbox/server.ts'
import { guardAuth } from '../shared/auth-access.ts'
import { badRequest } from '../shared/error-responses.ts'
import { clientAddress, trackForwardedRequest } from '../shared/forwarded-request.ts'
import { connectToDatabase, prepareStatements } from '../shared/lite-connection.ts'
import { hideDatabaseErrors, silenceConsole } from '../shared/lite-errors.ts'
import { guardLite } from '../shared/lite-guard.ts'
import { healthResponse, startLoopbackServer } from '../shared/loopback-server.ts'
import { exitIfStuck, setUpProcess } from '../shared/process-setup.ts'
import { replacePreviousKeys } from '../shared/service-keys.ts'
import { readSupabaseConfig } from '../shared/supabase-config.ts'
import { waitForDatabase } from '../shared/wait-for-database.ts'
import { createStorage } from '../storage/router.ts'
import type { LiteConfig } from './config.ts'
import { handleAuthRequest, hashPasswordsInWorkers } from './password-hashing.ts'

// Runs Auth, Storage and the mailbox. Auth and Storage each have their own connection pool.
const { config, log, onStop } = setUpProcess<LiteConfig>('lite')

silenceConsole()
hashPasswordsInWorkers()
const { api, auth, storage: storageConfig } = await readSupabaseConfig(config.root)
const mailbox = await startMailbox({ ...config.mailbox, folder: join(config.dataDir, 'mailbox') }, log)

await waitForDatabase(config.databaseUrl)
const authConnection = connectToDatabase(config.databaseUrl, 6)
prepareStatements(authConnection.driver)
const storageConnection = connectToDatabase(config.databaseUrl, 6)
const storage = await createStorage({
  ...config,
  sql: storageConnection.driver,
  folder: join(config.dataDir, 'storage'),
  maxFileSize: storageConfig.file_size_limit,
  log,
})
/** How long Auth waits for the mail server. Less than the limit of `exitIfStuck`. */
const mailTimeoutMs = 20_000
const authApp = new App({
  api: { schemas: ['public'], max_rows: api.max_rows },
  auth: {
    enabled: true,
    enable_signup: true,
    jwt_secret: config.jwtSecret,
    publishable_key: config.publishableKey,
    secret_key: config.secretKey,
    site_url: config.mailbox.publicUrl,
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
  // Storage is served by stack/storage.
  storage: { enabled: false },
  db: { migrations: { enabled: false } },
  connection: authConnection,
  options: {
    drivers: {
      email: {
        // The plain text is generated from the HTML of the template. The plain text that lite generates contains lite's
        // verification URL, which is blocked here. If it were not, a link scanner would use up the one-time token in
        // that URL.
        send: ({ to, subject, html }) =>
          withTimeout(
            mailbox.deliver({ to, subject, html: html ?? '', text: htmlToText(html ?? '') }),
            mailTimeoutMs,
          ),
      },
    },
  },
})
await authApp.init()

/** Checks that the tables of Auth or Storage are readable and, for Storage, that its directory is writable. */
async function checkHealth(service: string): Promise<void> {
  if (service === 'auth') {
    await authConnection.driver`select 1 from auth.users limit 1`
    return
  }
  await storageConnection.driver`select 1 from storage.objects limit 1`
  const probe = join(config.dataDir, 'storage', 'incoming', crypto.randomUUID())
  // On a full disk, an empty file can still be created.
  await Deno.writeFile(probe, new Uint8Array(64 * 1024)).finally(() => Deno.remove(probe))
}

const server = startLoopbackServer(config.port, log, (request) => {
  if (new URL(request.url).pathname === '/health') return new Response(null, { status: 204 })
  return trackForwardedRequest(request, () => respond(request))
})
log.info('server_started', { port: config.port })

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/storage/v1')) return await route(request, pathname)
  // The body is read before the timer of `exitIfStuck` starts, because clients may send it slowly or disconnect.
  const received = request.body ? await receive(request).catch(() => null) : request
  if (!received) return badRequest()
  return await route(received, pathname).finally(exitIfStuck(log))
}

/**
 * Returns the request with its body in memory, or null if the body is the JSON value `null`, for which lite would
 * return 500. The gateway limits the body to 1 MB.
 */
async function receive(request: Request): Promise<Request | null> {
  const body = await request.arrayBuffer()
  const isNull = body.byteLength < 100 && new TextDecoder().decode(body).trim() === 'null'
  return isNull ? null : new Request(request, { body })
}

async function route(request: Request, pathname: string): Promise<Response> {
  const [, service] = /^\/health\/(auth|storage)$/.exec(pathname) ?? []
  if (service) return await healthResponse(service, log, () => checkHealth(service))
  const rejection = guardLite(request, ['/auth/v1', '/storage/v1']) ?? guardAuth(request, config.secretKey)
  if (rejection) return rejection
  if (pathname.startsWith('/storage/v1')) return await storage.handle(request)
  const current = await replacePreviousKeys(request, config)
  // The API sends its client's address in X-Forwarded-For. Apart from the API, only programs on this machine can send
  // requests that hash a password.
  const network = networkPrefix(clientAddress(request, '', 1))
  return await handleAuthRequest(current, network, () =>
    hideDatabaseErrors(async () => await authApp.fetch(current), log),
  )
}

onStop(async () => {
  storage.stop()
  await Promise.all([server.stop(2000), mailbox.stop()])
  await Promise.all([authConnection, storageConnection].map(({ driver }) => driver.end({ timeout: 1 })))
})
