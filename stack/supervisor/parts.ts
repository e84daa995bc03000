import { join } from 'node:path'
import type { GatewayConfig } from '../gateway/config.ts'
import type { LiteConfig } from '../lite/config.ts'
import type { Log } from '../shared/log.ts'
import { httpAddress } from '../shared/loopback.ts'
import { PartProcess } from './part-process.ts'
import type { Ports } from './ports.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The addresses of everything that runs. */
export interface Addresses {
  /** Where the gateway listens, as this machine reaches it. */
  gateway: string
  lite: string
  internal: string
  mailbox: string
  studio: string
  /** The superuser's. */
  database: string
}

export function addressesOf(settings: Settings, secrets: Secrets, ports: Ports): Addresses {
  return {
    gateway: httpAddress(settings.host, settings.port),
    lite: httpAddress('127.0.0.1', ports.lite),
    internal: httpAddress('127.0.0.1', ports.internal),
    mailbox: `${httpAddress('127.0.0.1', ports.mailbox)}/${secrets.mailboxSecret}/`,
    studio: `${httpAddress('127.0.0.1', ports.studio)}/${secrets.studioSecret}/`,
    database: databaseAddress('postgres', secrets.superuserPassword, ports),
  }
}

function databaseAddress(role: string, password: string, ports: Ports): string {
  return `postgres://${role}:${password}@127.0.0.1:${ports.database}/postgres`
}

interface PartContext {
  root: string
  settings: Settings
  /** The demo accounts are there: the sign-in page may offer them. */
  demo: boolean
  secrets: Secrets
  ports: Ports
  addresses: Addresses
  log: Log
  onGiveUp: (sentence: string) => void
}

/** Auth, Data API, Storage, mailbox and studio. */
export function litePart({ root, settings, secrets, ports, log, onGiveUp }: PartContext): PartProcess {
  const config: LiteConfig = {
    logLevel: settings.logLevel,
    root,
    dataDir: settings.dataDir,
    databaseUrl: databaseAddress('lite', secrets.litePassword, ports),
    port: ports.lite,
    mailbox: {
      port: ports.mailbox,
      secret: secrets.mailboxSecret,
      smtpUrl: settings.smtpUrl,
      publicUrl: settings.publicUrl,
      appName: settings.appName,
    },
    studio: { port: ports.studio, secret: secrets.studioSecret },
    siteUrl: settings.publicUrl,
    jwtSecret: secrets.jwtSecret,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
  }
  return new PartProcess({
    name: 'lite',
    script: join(root, 'stack', 'lite', 'main.ts'),
    config: { ...config },
    env: {},
    cwd: root,
    log,
    onGiveUp,
  })
}

/** The server, with the edge functions in it. */
export function gatewayPart({
  root,
  settings,
  demo,
  secrets,
  ports,
  addresses,
  log,
  onGiveUp,
}: PartContext): PartProcess {
  const config: GatewayConfig = {
    logLevel: settings.logLevel,
    root,
    host: settings.host,
    port: settings.port,
    internalPort: ports.internal,
    liteUrl: addresses.lite,
    publicUrl: settings.publicUrl,
    turnstile: settings.captcha === 'turnstile',
    trustProxy: settings.trustProxy,
    realtime: {
      databaseUrl: databaseAddress('realtime_admin', secrets.realtimePassword, ports),
      jwtSecret: secrets.jwtSecret,
      publishableKey: secrets.publishableKey,
      secretKey: secrets.secretKey,
      rateLimits: settings.rateLimits,
    },
  }
  return new PartProcess({
    name: 'gateway',
    script: join(root, 'stack', 'gateway', 'main.ts'),
    config: { ...config },
    env: functionsEnvironment(settings, demo, secrets, ports, addresses),
    cwd: root,
    log,
    onGiveUp,
  })
}

/** What the edge functions read: the same names that a Supabase project sets, and ours. */
function functionsEnvironment(
  settings: Settings,
  demo: boolean,
  secrets: Secrets,
  ports: Ports,
  addresses: Addresses,
): Record<string, string> {
  const origins = [settings.publicUrl, addresses.gateway, ...(settings.devOrigin ? [settings.devOrigin] : [])]
  return {
    ...settings.forFunctions,
    SUPABASE_URL: addresses.lite,
    PUBLIC_SUPABASE_URL: settings.publicUrl,
    PUBLIC_URL: settings.publicUrl,
    ALLOWED_ORIGINS: [...new Set(origins)].join(','),
    DATABASE_URL: databaseAddress('gateway', secrets.gatewayPassword, ports),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    JWT_SECRET: secrets.jwtSecret,
    ALTCHA_HMAC_KEY: secrets.altchaKey,
    RATE_LIMITS: settings.rateLimits ? 'on' : 'off',
    // The gateway appends the address of whoever is connected to it, so there is one more hop to count.
    TRUST_PROXY: String(settings.trustProxy + 1),
    JOB_SECRET: secrets.jobSecret,
    DEMO_DATA: settings.demoData && demo ? 'on' : 'off',
    LOG_LEVEL: settings.logLevel,
    ENCRYPTION_KEY: settings.encryptionKey ?? secrets.encryptionKey,
    MAIL_URL: addresses.mailbox,
    EMBEDDED_HEALTH: JSON.stringify({
      auth: `${addresses.lite}/health/auth`,
      storage: `${addresses.lite}/health/storage`,
      realtime: `${addresses.internal}/health/realtime`,
    }),
  }
}
