import { resolve } from 'node:path'
import { minPassphraseLength } from '../backup/passphrase.ts'
import { StartupError } from '../shared/errors.ts'
import { type LogLevel, logLevels } from '../shared/log.ts'
import { httpUrl, isLoopback } from '../shared/loopback.ts'

/** The validated environment of the embedded stack. `.env.example` documents the variables that operators set. */
export interface Settings {
  host: string
  port: number
  dataDir: string
  demoData: boolean
  /** Whether other machines can reach this stack: HOST is not loopback, or PUBLIC_URL is set. */
  exposed: boolean
  /** The public origin, without a trailing slash. */
  publicUrl: string
  /** The origin of the Vite development server; null if there is none. */
  devOrigin: string | null
  /** Additional origins whose pages may use the API. */
  allowedOrigins: string[]
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  smtpUrl: string | null
  encryptionKey: string | null
  previousEncryptionKey: string | null
  captcha: 'altcha' | 'turnstile' | 'none'
  rateLimits: boolean
  /** The share of the CPU time that the Data API may use, in percent. */
  dataApiCpuPercent: number
  /** How long a process may take to respond to a heartbeat check. */
  heartbeatTimeoutMs: number
  payments: 'test' | 'stripe' | 'off'
  /** The platform's fee on each sale, in percent. */
  platformFeePercent: number
  /** Whether accounts are read-only until their email address is confirmed. */
  requireEmailConfirmation: boolean
  logLevel: LogLevel
  /** Whether each request is logged. */
  accessLog: boolean
  /** The token that authorizes `GET /metrics` on the public port; null turns the endpoint off there. */
  metricsToken: string | null
  appName: string
  /** Lines to print at startup about settings that are risky in production. */
  warnings: string[]
  backup: BackupSettings
  /** Environment variables for the edge functions, including default values. */
  functionsEnv: Record<string, string>
}

interface BackupSettings {
  /** The folder or bucket for scheduled backups; null if none are scheduled. */
  to: string | null
  /** When the daily backup starts, in minutes after midnight UTC. */
  minuteOfDay: number
  /** How many scheduled backups are kept. */
  keep: number
  passphrase: string | null
  /** Whether WAL is archived continuously. */
  wal: boolean
  /** Whether the database is backed up before it is upgraded. */
  beforeUpgrade: boolean
}

type Environment = (name: string) => string | undefined

/**
 * Reads and validates the settings.
 *
 * @param read returns the value of a variable; an empty value counts as unset
 * @param root the directory against which a relative DATA_DIR is resolved
 * @throws StartupError for the first invalid variable
 */
export function readSettings(read: Environment, root: string): Settings {
  const get: Environment = (name) => read(name)?.trim() || undefined
  const host = get('HOST') ?? '127.0.0.1'
  if (!/^[\w.:[\]-]+$/.test(host)) throw invalid('HOST', host, 'an IP address or host name of this machine')
  const port = readInteger(get, 'PORT', 3000, 1, 65535)
  const givenUrl = readOrigin(get, 'PUBLIC_URL')
  const devOrigin = readOrigin(get, 'DEV_ORIGIN')
  const exposed = !isLoopback(host) || givenUrl !== null
  const captcha = readOneOf(get, 'CAPTCHA_PROVIDER', ['altcha', 'turnstile', 'none'] as const, 'altcha')
  const payments = readOneOf(
    get,
    'PAYMENTS_PROVIDER',
    ['test', 'stripe', 'off'] as const,
    // Test money on a public site would look like real earnings.
    exposed ? 'off' : 'test',
  )
  if (captcha === 'turnstile')
    requireVariables(get, 'CAPTCHA_PROVIDER=turnstile', ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'])
  if (payments === 'stripe')
    requireVariables(get, 'PAYMENTS_PROVIDER=stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  for (const name of ['TURNSTILE_VERIFY_URL', 'STRIPE_API_BASE', 'OPENAI_BASE_URL']) readUrl(get, name)
  const encryptionKey = readEncryptionKey(get, 'ENCRYPTION_KEY')
  const previousEncryptionKey = readEncryptionKey(get, 'PREVIOUS_ENCRYPTION_KEY')
  const metricsToken = get('METRICS_TOKEN') ?? null
  if (metricsToken !== null && metricsToken.length < 16) {
    throw new StartupError('METRICS_TOKEN is too short: use at least 16 characters.')
  }
  const demoData = readDemoData(get, exposed)
  // The API rejects unknown origins, so without PUBLIC_URL it would reject every browser on another machine.
  if (!isLoopback(host) && givenUrl === null) {
    throw new StartupError(
      `HOST is "${host}", which other machines can reach: set PUBLIC_URL to the address that people open in their browsers.`,
    )
  }
  const smtpUrl = readSmtpUrl(get)
  const rateLimits = readOneOf(get, 'RATE_LIMITS', ['on', 'off'] as const, 'on') === 'on'
  const appName = get('VITE_APP_NAME') ?? 'Ovation'
  const warnings = [
    captcha === 'none' && 'CAPTCHA_PROVIDER=none: anyone can register without a captcha.',
    exposed &&
      payments === 'test' &&
      'PAYMENTS_PROVIDER=test: people on this public server can unlock paid content without paying. Use stripe or off in production.',
    exposed &&
      smtpUrl === null &&
      'SMTP_URL is not set: emails, such as password resets, go to this server’s own mailbox and are not delivered.',
    !rateLimits && 'RATE_LIMITS=off: rate limits are disabled.',
  ].filter((warning) => warning !== false)

  return {
    host,
    port,
    dataDir: resolve(root, get('DATA_DIR') ?? '.data'),
    demoData,
    exposed,
    publicUrl: givenUrl ?? devOrigin ?? httpUrl(host, port),
    devOrigin,
    allowedOrigins: readOrigins(get, 'ALLOWED_ORIGINS'),
    trustProxy: readInteger(get, 'TRUST_PROXY', 0, 0, 9),
    smtpUrl,
    encryptionKey,
    previousEncryptionKey,
    captcha,
    payments,
    rateLimits,
    dataApiCpuPercent: readInteger(get, 'DATA_API_CPU_PERCENT', 15, 1, 100),
    heartbeatTimeoutMs: 1000 * readInteger(get, 'HEARTBEAT_TIMEOUT_SECONDS', 10, 1, 600),
    platformFeePercent: readPercent(get, 'PLATFORM_FEE_PERCENT', 10),
    requireEmailConfirmation: readOneOf(get, 'REQUIRE_EMAIL_CONFIRMATION', ['0', '1'] as const, '0') === '1',
    accessLog: readOneOf(get, 'ACCESS_LOG', ['on', 'off'] as const, 'on') === 'on',
    metricsToken,
    logLevel: readOneOf(get, 'LOG_LEVEL', logLevels, 'info') as LogLevel,
    appName,
    warnings,
    backup: readBackupSettings(get),
    functionsEnv: {
      CAPTCHA_PROVIDER: captcha,
      PAYMENTS_PROVIDER: payments,
      APP_NAME: appName,
      ...pickDefined(get, [
        'TURNSTILE_SITE_KEY',
        'TURNSTILE_SECRET_KEY',
        'TURNSTILE_VERIFY_URL',
        'STRIPE_SECRET_KEY',
        'STRIPE_WEBHOOK_SECRET',
        'STRIPE_API_BASE',
        'OPENAI_BASE_URL',
      ]),
    },
  }
}

/** Returns those of the named variables that are set, with their values. */
function pickDefined(get: Environment, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (get(name) ? [[name, get(name) ?? '']] : [])))
}

function invalid(name: string, value: string, expected: string): StartupError {
  return new StartupError(`${name} is "${value}" but must be ${expected}.`)
}

function readInteger(get: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = get(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw invalid(name, text, `a whole number from ${min} to ${max}`)
  }
  return value
}

function readPercent(get: Environment, name: string, fallback: number): number {
  const text = get(name)
  if (text === undefined) return fallback
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > 100) throw invalid(name, text, 'a number from 0 to 100')
  return Number(text)
}

function readOneOf<Value extends string>(
  get: Environment,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const text = get(name)
  if (text === undefined) return fallback
  const found = values.find((value) => value === text)
  if (found === undefined) throw invalid(name, text, `one of ${values.join(', ')}`)
  return found
}

function readUrl(get: Environment, name: string): URL | null {
  const text = get(name)
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(name, text, 'a URL that begins with http:// or https://')
  return url
}

function readOrigin(get: Environment, name: string): string | null {
  const url = readUrl(get, name)
  if (url && (url.pathname !== '/' || url.search || url.hash || url.username)) {
    throw invalid(name, get(name) ?? '', 'a URL without a path, such as https://example.com')
  }
  return url?.origin ?? null
}

/** Reads a comma-separated list of origins. */
function readOrigins(get: Environment, name: string): string[] {
  const parts = (get(name) ?? '').split(',').map((part) => part.trim())
  return parts.flatMap((part) => (part && readOrigin(() => part, name)) || [])
}

function readSmtpUrl(get: Environment): string | null {
  const text = get('SMTP_URL')
  if (text === undefined) return null
  // The value may contain a password, so the message does not repeat it.
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text) || !new URL(text).hostname) {
    throw new StartupError(
      'SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.',
    )
  }
  return text
}

/** @throws StartupError if the key is too short */
export function readEncryptionKey(get: Environment, name: string): string | null {
  const key = get(name) ?? null
  if (key !== null && key.length < 32) {
    throw new StartupError(`${name} is too short: use at least 32 characters.`)
  }
  return key
}

function requireVariables(get: Environment, setting: string, names: string[]): void {
  const missing = names.filter((name) => get(name) === undefined)
  if (missing.length > 0) throw new StartupError(`${setting} needs ${missing.join(' and ')}.`)
}

function readBackupSettings(get: Environment): BackupSettings {
  const to = get('BACKUP_TO') ?? null
  if (to) requireVariables(get, 'BACKUP_TO', ['BACKUP_PASSPHRASE'])
  const passphrase = get('BACKUP_PASSPHRASE') ?? null
  if (passphrase !== null && passphrase.length < minPassphraseLength)
    throw new StartupError(`BACKUP_PASSPHRASE is too short: use at least ${minPassphraseLength} characters.`)
  const at = get('BACKUP_AT') ?? '03:30'
  const time = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at)
  if (!time) throw invalid('BACKUP_AT', at, 'a time such as 03:30')
  const wal = readOneOf(get, 'BACKUP_WAL', ['on', 'off'] as const, 'off') === 'on'
  if (wal) requireVariables(get, 'BACKUP_WAL=on', ['BACKUP_TO'])
  return {
    to,
    minuteOfDay: Number(time[1]) * 60 + Number(time[2]),
    keep: readInteger(get, 'BACKUP_KEEP', 14, 1, 9999),
    passphrase,
    wal,
    beforeUpgrade: readOneOf(get, 'UPGRADE_BACKUP', ['on', 'off'] as const, 'on') === 'on',
  }
}

/**
 * Returns whether the demo data is enabled.
 *
 * @throws StartupError if it is enabled on an exposed stack, because the password of the demo accounts is public
 */
function readDemoData(get: Environment, exposed: boolean): boolean {
  const isOn = readOneOf(get, 'DEMO_DATA', ['on', 'off'] as const, exposed ? 'off' : 'on') === 'on'
  if (isOn && exposed) {
    throw new StartupError(
      'DEMO_DATA=on is not allowed when PUBLIC_URL is set or HOST is not loopback: the demo accounts have a publicly known password.',
    )
  }
  return isOn
}
