import { resolve } from 'node:path'
import { type LogLevel, logLevels } from '../shared/log.ts'
import { httpAddress, isLoopback } from '../shared/loopback.ts'
import { Sentence } from '../shared/sentence.ts'

/** The environment of the embedded stack, checked. `.env.example` says what each variable means. */
export interface Settings {
  host: string
  port: number
  dataDir: string
  demoData: boolean
  /** Whether this stack may be reached by, or is meant for, others than this machine's user. */
  exposed: boolean
  /** Origin that people use, without a slash at the end. */
  publicUrl: string
  /** Vite's origin while developing. */
  devOrigin: string | null
  trustProxy: number
  smtpUrl: string | null
  encryptionKey: string | null
  captcha: 'altcha' | 'turnstile' | 'none'
  rateLimits: boolean
  /** The platform's share of what creators sell, in percent. */
  platformFeePercent: number
  logLevel: LogLevel
  appName: string
  /** What the functions get as they are, defaults filled in. */
  forFunctions: Record<string, string>
}

type Environment = (name: string) => string | undefined

/**
 * @param read one variable; an empty one counts as unset
 * @param root what a relative DATA_DIR is relative to
 * @throws Sentence naming the first variable that is wrong
 */
export function readSettings(read: Environment, root: string): Settings {
  const get: Environment = (name) => read(name)?.trim() || undefined
  const host = get('HOST') ?? '127.0.0.1'
  if (!/^[\w.:[\]-]+$/.test(host)) throw wrong('HOST', host, 'an address or name of this machine')
  const port = whole(get, 'PORT', 3000, 1, 65535)
  const givenUrl = origin(get, 'PUBLIC_URL')
  const devOrigin = origin(get, 'DEV_ORIGIN')
  const exposed = !isLoopback(host) || givenUrl !== null
  const captcha = oneOf(get, 'CAPTCHA_PROVIDER', ['altcha', 'turnstile', 'none'] as const, 'altcha')
  const payments = oneOf(get, 'PAYMENTS_PROVIDER', ['test', 'stripe', 'off'] as const, 'test')
  if (captcha === 'turnstile')
    need(get, 'CAPTCHA_PROVIDER=turnstile', ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'])
  if (payments === 'stripe')
    need(get, 'PAYMENTS_PROVIDER=stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  for (const name of ['TURNSTILE_VERIFY_URL', 'STRIPE_API_BASE', 'OPENAI_BASE_URL']) address(get, name)
  const encryptionKey = get('ENCRYPTION_KEY') ?? null
  if (encryptionKey !== null && encryptionKey.length < 32) {
    throw new Sentence('ENCRYPTION_KEY is too short: use at least 32 characters.')
  }
  const demo = demoData(get, exposed)
  // Pages and calls name the address they were opened at: at any other than this they would all be refused.
  if (!isLoopback(host) && givenUrl === null) {
    throw new Sentence(`HOST is "${host}", which others may reach: set PUBLIC_URL to the address they open.`)
  }
  const appName = get('APP_NAME') ?? get('VITE_APP_NAME') ?? 'Ovation'

  return {
    host,
    port,
    dataDir: resolve(root, get('DATA_DIR') ?? '.data'),
    demoData: demo,
    exposed,
    publicUrl: givenUrl ?? devOrigin ?? httpAddress(host, port),
    devOrigin,
    trustProxy: whole(get, 'TRUST_PROXY', 0, 0, 9),
    smtpUrl: smtp(get),
    encryptionKey,
    captcha,
    rateLimits: oneOf(get, 'RATE_LIMITS', ['on', 'off'] as const, 'on') === 'on',
    platformFeePercent: percent(get, 'PLATFORM_FEE_PERCENT', 10),
    logLevel: oneOf(get, 'LOG_LEVEL', logLevels, 'info') as LogLevel,
    appName,
    forFunctions: {
      CAPTCHA_PROVIDER: captcha,
      PAYMENTS_PROVIDER: payments,
      APP_NAME: appName,
      ...given(get, [
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

/** Those variables that are set. */
function given(get: Environment, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (get(name) ? [[name, get(name) ?? '']] : [])))
}

function wrong(name: string, value: string, expected: string): Sentence {
  return new Sentence(`${name} is "${value}" but must be ${expected}.`)
}

function whole(get: Environment, name: string, fallback: number, least: number, most: number): number {
  const text = get(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw wrong(name, text, `a whole number from ${least} to ${most}`)
  }
  return value
}

function percent(get: Environment, name: string, fallback: number): number {
  const text = get(name)
  if (text === undefined) return fallback
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > 100) throw wrong(name, text, 'a number from 0 to 100')
  return Number(text)
}

function oneOf<Value extends string>(
  get: Environment,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const text = get(name)
  if (text === undefined) return fallback
  const found = values.find((value) => value === text)
  if (found === undefined) throw wrong(name, text, `one of ${values.join(', ')}`)
  return found
}

function address(get: Environment, name: string): URL | null {
  const text = get(name)
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrong(name, text, 'an address that begins with http:// or https://')
  return url
}

function origin(get: Environment, name: string): string | null {
  const url = address(get, name)
  if (url && (url.pathname !== '/' || url.search || url.hash || url.username)) {
    throw wrong(name, get(name) ?? '', 'an address without a path, such as https://example.com')
  }
  return url?.origin ?? null
}

function smtp(get: Environment): string | null {
  const text = get('SMTP_URL')
  if (text === undefined) return null
  // The value may hold a password, so the sentence does not repeat it.
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text) || !new URL(text).hostname) {
    throw new Sentence(
      'SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.',
    )
  }
  return text
}

function need(get: Environment, because: string, names: string[]): void {
  const missing = names.filter((name) => get(name) === undefined)
  if (missing.length > 0) throw new Sentence(`${because} needs ${missing.join(' and ')}.`)
}

/** Demo accounts have a password that everybody knows: never where others can reach them. */
function demoData(get: Environment, exposed: boolean): boolean {
  const asked = oneOf(get, 'DEMO_DATA', ['on', 'off'] as const, exposed ? 'off' : 'on') === 'on'
  if (asked && exposed) {
    throw new Sentence(
      'DEMO_DATA=on is refused when PUBLIC_URL is set or HOST is not loopback: the demo accounts have a known password.',
    )
  }
  return asked
}
