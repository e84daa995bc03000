import { join } from 'node:path'
import type { DataApiConfig } from '../data-api/config.ts'
import type { GatewayConfig } from '../gateway/config.ts'
import type { LiteConfig } from '../lite/config.ts'
import type { Log } from '../shared/log.ts'
import { httpUrl } from '../shared/loopback.ts'
import type { StudioConfig } from '../studio/config.ts'
import type { Ports } from './ports.ts'
import { encryptionKeys, type Secrets, serviceKeys } from './secrets.ts'
import type { Settings } from './settings.ts'
import { SupervisedProcess } from './supervised-process.ts'

/** The URLs of all services. */
export interface ServiceUrls {
  /** The gateway, as reached from this machine. */
  gateway: string
  lite: string
  dataApi: string
  internal: string
  mailbox: string
  studio: string
  /** The superuser's database URL. */
  database: string
}

export function buildServiceUrls(settings: Settings, secrets: Secrets, ports: Ports): ServiceUrls {
  return {
    gateway: httpUrl(settings.host, settings.port),
    lite: httpUrl('127.0.0.1', ports.lite),
    dataApi: httpUrl('127.0.0.1', ports.dataApi),
    internal: httpUrl('127.0.0.1', ports.internal),
    mailbox: `${httpUrl('127.0.0.1', ports.mailbox)}/${secrets.mailboxSecret}/`,
    studio: `${httpUrl('127.0.0.1', ports.studio)}/${secrets.studioSecret}/`,
    database: databaseUrlFor('postgres', secrets.superuserPassword, ports),
  }
}

/** Returns the database URL of a role. */
export function databaseUrlFor(role: string, password: string, ports: Ports): string {
  return `postgres://${role}:${password}@127.0.0.1:${ports.database}/postgres`
}

/**
 * How many requests per second one network may send to Auth. A session is refreshed every 20 minutes, so this is enough
 * for thousands of people behind one address.
 */
const authRate = 10

/**
 * How many requests per second one network may send to Storage. A page needs about 20 avatars and a cover image, once
 * per browser, so this is enough for hundreds of people behind one address.
 */
const storageRate = 200

interface StackContext {
  root: string
  settings: Settings
  /** Whether the database has the demo accounts, whose password is public. */
  demo: boolean
  secrets: Secrets
  ports: Ports
  urls: ServiceUrls
  log: Log
  onGiveUp: (message: string) => void
}

/** Supervises the process that runs `stack/<name>/main.ts`. */
function supervise(
  { root, settings, log, onGiveUp }: StackContext,
  name: string,
  heartbeatUrl: string,
  config: object,
  options: { env?: Record<string, string>; onGiveUp?: (message: string) => void } = {},
): SupervisedProcess {
  return new SupervisedProcess({
    name,
    script: join(root, 'stack', name, 'main.ts'),
    heartbeatUrl,
    heartbeatTimeoutMs: settings.heartbeatTimeoutMs,
    config,
    env: {},
    cwd: root,
    log,
    onGiveUp,
    ...options,
  })
}

/** Creates the process that runs Auth, Storage and the mailbox. */
export function createLiteProcess(context: StackContext): SupervisedProcess {
  const { root, settings, secrets, ports, urls } = context
  const config: LiteConfig = {
    logLevel: settings.logLevel,
    root,
    dataDir: settings.dataDir,
    databaseUrl: databaseUrlFor('lite', secrets.litePassword, ports),
    port: ports.lite,
    trustProxy: settings.trustProxy,
    mailbox: {
      port: ports.mailbox,
      secret: secrets.mailboxSecret,
      smtpUrl: settings.smtpUrl,
      publicUrl: settings.publicUrl,
      appName: settings.appName,
    },
    ...serviceKeys(secrets),
  }
  return supervise(context, 'lite', `${urls.lite}/health`, config)
}

/** Creates the process that runs the Data API. */
export function createDataApiProcess(context: StackContext): SupervisedProcess {
  const { root, settings, secrets, ports, urls } = context
  const config: DataApiConfig = {
    logLevel: settings.logLevel,
    root,
    databaseUrl: databaseUrlFor('lite', secrets.litePassword, ports),
    port: ports.dataApi,
    ...serviceKeys(secrets),
    trustProxy: settings.trustProxy,
    rateLimits: settings.rateLimits,
    cpuPercent: settings.dataApiCpuPercent,
  }
  return supervise(context, 'data-api', `${urls.dataApi}/health`, config)
}

/** Creates the process that runs the gateway, the edge functions and Realtime. */
export function createGatewayProcess(context: StackContext): SupervisedProcess {
  const { root, demo, settings, secrets, ports, urls } = context
  const config: GatewayConfig = {
    logLevel: settings.logLevel,
    root,
    host: settings.host,
    port: settings.port,
    internalPort: ports.internal,
    liteUrl: urls.lite,
    dataApiUrl: urls.dataApi,
    publicUrl: settings.publicUrl,
    demo,
    turnstile: settings.captcha === 'turnstile',
    trustProxy: settings.trustProxy,
    dataApiRate: settings.rateLimits ? settings.dataApiCpuPercent * 4 : null,
    authRate: settings.rateLimits ? authRate : null,
    storageRate: settings.rateLimits ? storageRate : null,
    accessLog: settings.accessLog,
    metricsToken: settings.metricsToken,
    realtime: {
      databaseUrl: databaseUrlFor('realtime_admin', secrets.realtimePassword, ports),
      ...serviceKeys(secrets),
      rateLimits: settings.rateLimits,
    },
  }
  const env = buildFunctionsEnv(context)
  return supervise(context, 'gateway', `${urls.internal}/health`, config, { env })
}

/**
 * Creates the process that runs the studio. Unlike the processes above, the studio connects to the database as the
 * superuser. If the studio keeps failing, the platform continues without it.
 */
export function createStudioProcess(context: StackContext): SupervisedProcess {
  const { root, settings, secrets, ports, urls, log } = context
  const config: StudioConfig = {
    logLevel: settings.logLevel,
    root,
    dataDir: settings.dataDir,
    appName: settings.appName,
    port: ports.studio,
    secret: secrets.studioSecret,
    databaseUrl: urls.database,
    gatewayUrl: urls.gateway,
    liteUrl: urls.lite,
    secretKey: secrets.secretKey,
  }
  // Without the secret, the response is 404, which the heartbeat accepts like any other response.
  return supervise(context, 'studio', httpUrl('127.0.0.1', ports.studio), config, {
    onGiveUp: (reason) => log.error('studio_stopped', { reason }),
  })
}

/** Returns the environment of the edge functions: the variables that Supabase sets, and Ovation's own. */
function buildFunctionsEnv({ settings, demo, secrets, ports, urls }: StackContext): Record<string, string> {
  const [encryptionKey, ...previousEncryptionKeys] = encryptionKeys(settings, secrets)
  const origins = [
    settings.publicUrl,
    urls.gateway,
    ...(settings.devOrigin ? [settings.devOrigin] : []),
    ...settings.allowedOrigins,
  ]
  return {
    ...settings.functionsEnv,
    SUPABASE_URL: urls.lite,
    PUBLIC_SUPABASE_URL: settings.publicUrl,
    PUBLIC_URL: settings.publicUrl,
    ALLOWED_ORIGINS: [...new Set(origins)].join(','),
    DATABASE_URL: databaseUrlFor('gateway', secrets.gatewayPassword, ports),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    JWT_SECRET: secrets.jwtSecret,
    PREVIOUS_JWT_SECRETS: JSON.stringify(secrets.previousJwtSecrets),
    ALTCHA_HMAC_KEY: secrets.altchaKey,
    // The gateway counts as a trusted proxy, too, because it appends its client's address to X-Forwarded-For.
    TRUST_PROXY: String(settings.trustProxy + 1),
    JOB_SECRET: secrets.jobSecret,
    DEMO_DATA: settings.demoData && demo ? 'on' : 'off',
    EMBEDDED_DATA_DIR: settings.dataDir,
    LOG_LEVEL: settings.logLevel,
    ENCRYPTION_KEY: encryptionKey,
    PREVIOUS_ENCRYPTION_KEYS: JSON.stringify(previousEncryptionKeys),
    MAIL_URL: urls.mailbox,
    EMBEDDED_HEALTH: JSON.stringify({
      auth: `${urls.lite}/health/auth`,
      storage: `${urls.lite}/health/storage`,
      realtime: `${urls.internal}/health/realtime`,
      dataApi: `${urls.dataApi}/health/data-api`,
    }),
  }
}
