import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from './errors.mjs'
import { deno, denoRun, root } from './paths.mjs'
import { run } from './run.mjs'

/** Matches the variables for the deployment itself and for the web build. All others are secrets of the functions. */
const nonSecretNames = /^(VITE_|SUPABASE_|WEB_DEPLOY_COMMAND$)/

/**
 * Returns the settings of a hosted deployment, with defaults.
 *
 * @param {Record<string, string>} given the variables of .env.hosted
 * @param {string | null} ref the linked project's ref, or null if no project is linked
 */
export function readHostedSettings(given, ref) {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const secrets = Object.fromEntries(Object.entries(set).filter(([name]) => !nonSecretNames.test(name)))
  const publicUrl = (set.PUBLIC_URL ?? '').replace(/\/+$/, '')
  return {
    publicUrl,
    supabaseUrl: (set.PUBLIC_SUPABASE_URL ?? (ref ? `https://${ref}.supabase.co` : '')).replace(/\/+$/, ''),
    /** The command that uploads dist/ to the static host. */
    webCommand: set.WEB_DEPLOY_COMMAND ?? null,
    /** @type {Record<string, string>} */
    secrets: {
      CAPTCHA_PROVIDER: 'turnstile',
      // Supabase starts several instances of a function, and its poolers accept only a few connections per role.
      DATABASE_POOL_SIZE: '3',
      ...(set.VITE_APP_NAME ? { APP_NAME: set.VITE_APP_NAME } : {}),
      ...secrets,
    },
    /** The variables for the build of the web app. */
    build: {
      ...Object.fromEntries(Object.entries(set).filter(([name]) => name.startsWith('VITE_'))),
      VITE_PUBLIC_URL: publicUrl,
    },
  }
}

/** @typedef {ReturnType<typeof readHostedSettings>} HostedSettings */

/**
 * Returns any problems with the URLs and the proxy settings. A deployment of the web app alone also needs these
 * settings.
 *
 * @param {HostedSettings} settings
 * @returns {string[]}
 */
export function checkAddresses({ publicUrl, supabaseUrl, secrets }) {
  const problems = []
  for (const [name, text] of [
    ['PUBLIC_URL', publicUrl],
    ['PUBLIC_SUPABASE_URL', supabaseUrl],
  ]) {
    const url = URL.canParse(text ?? '') ? new URL(text ?? '') : null
    if (!text) problems.push(`${name} is missing`)
    else if (url?.origin !== text) {
      problems.push(`${name} must be a URL without a path, such as https://ovation.example`)
    } else if (url.protocol !== 'https:' && !/^(localhost|127\.0\.0\.1)$/.test(url.hostname)) {
      problems.push(`${name} must begin with https://`)
    }
  }
  if (secrets.PROXY_SECRET && !/^[\w.~+/=-]{16,}$/.test(secrets.PROXY_SECRET))
    problems.push('PROXY_SECRET must have at least 16 characters, and only letters, digits and . _ ~ + / = -')
  if (secrets.CLIENT_ADDRESS_HEADER && !/^[\w-]+$/.test(secrets.CLIENT_ADDRESS_HEADER))
    problems.push('CLIENT_ADDRESS_HEADER must be the name of a header')
  return problems
}

/**
 * Returns a problem for each setting that belongs to a project other than the linked one, such as the staging project.
 *
 * @param {HostedSettings} settings
 * @param {string | null} ref the linked project's ref, or null if no project is linked
 * @returns {string[]}
 */
export function checkProject({ supabaseUrl, secrets }, ref) {
  return [
    ['DATABASE_URL', secrets.DATABASE_URL ?? ''],
    ['PUBLIC_SUPABASE_URL', supabaseUrl],
  ].flatMap(([name, text = '']) => {
    if (!URL.canParse(text)) return []
    const { username, hostname } = new URL(text)
    const [, urlRef] =
      /^\w+\.([a-z]{20})$/.exec(username) ?? /^(?:db\.)?([a-z]{20})\.supabase\.co$/.exec(hostname) ?? []
    return urlRef && urlRef !== ref ? [`${name} belongs to the project ${urlRef}, but ${ref} is linked`] : []
  })
}

/**
 * Returns any problems with the functions' settings, without contacting the project's database.
 *
 * @param {HostedSettings} settings
 * @returns {Promise<string[]>}
 */
export async function checkFunctionSettings({ supabaseUrl, secrets }) {
  const problems = []
  const { DATABASE_URL: databaseUrl = '', SMTP_URL: smtpUrl = '' } = secrets
  if (!secrets.TURNSTILE_SECRET_KEY)
    problems.push('TURNSTILE_SECRET_KEY is missing: supabase/config.toml turns on the captcha for Auth')
  if (URL.canParse(databaseUrl) && new URL(databaseUrl).password === '')
    problems.push(
      'DATABASE_URL needs a password: choose one, and the deployment will set it for the gateway role',
    )
  if (/\.pooler\.supabase\.com:6543\b/.test(databaseUrl))
    problems.push(
      'DATABASE_URL uses the transaction mode of the shared pooler, which loses replies: use port 5432, or the dedicated pooler',
    )
  if (/:(25|587)\b/.test(smtpUrl.replace(/^.*@/, ':')))
    problems.push('SMTP_URL uses a port that Supabase blocks: use smtps:// with port 465')
  if (secrets.DEMO_DATA === 'on')
    problems.push('DEMO_DATA must be off: the demo accounts have a public password')
  for (const [name, value] of Object.entries(secrets)) {
    if (value.includes("'")) problems.push(`${name} must not contain a single quote`)
  }
  let jwks
  try {
    const response = await fetch(`${supabaseUrl}/auth/v1/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(15_000),
    })
    if (!response.ok) throw new Error(`the status is ${response.status}`)
    jwks = await response.text()
  } catch (error) {
    return [...problems, `The public keys of ${supabaseUrl} could not be read: ${errorMessage(error)}`]
  }
  // env.ts validates the functions' environment when it is loaded.
  const { code, output } = await run(deno, denoRun('supabase/functions/_shared/env.ts'), {
    env: {
      ...secrets,
      SUPABASE_URL: supabaseUrl,
      SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable"}',
      SUPABASE_SECRET_KEYS: '{"default":"sb_secret"}',
      SUPABASE_JWKS: jwks,
      NO_COLOR: '1',
    },
  })
  if (code !== 0) {
    const lines = output.split('\n').filter((line) => /^ {2}[A-Z_]+ /.test(line))
    problems.push(...(lines.length > 0 ? lines.map((line) => line.trim()) : [output.trim()]))
  }
  return problems
}

/** Returns the ref of the project that `supabase link` has linked, or null. */
export function readLinkedRef() {
  const file = join(root, 'supabase', '.temp', 'project-ref')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

/** @param {string} value */
export const sha256 = (value) => createHash('sha256').update(value).digest('hex')
