import { z } from 'zod'
import { captchaProviders } from './contract/auth.ts'

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((url) => url.replace(/\/+$/, ''))
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const databaseHint =
  "postgres://gateway:…@host/database, after `alter role gateway login password '…'` in the database"
const needed = (hint: string) => z.string(`is missing: ${hint}`).min(1, `is missing: ${hint}`)

/**
 * The database's address, for the login role that can only become whom it serves. With any other, a statement that
 * lost its transaction would run with rights of its own, past every policy.
 */
const gatewayAddress = needed(databaseHint).refine(
  (text) => URL.canParse(text) && /^gateway(\.|$)/.test(new URL(text).username),
  `must sign in as the role gateway: ${databaseHint}`,
)

/** `{"default":"sb_…"}` as Supabase hands keys to its functions. */
const defaultKey = needed('JSON with a "default" key').transform((text, context) => {
  try {
    const keys: unknown = JSON.parse(text)
    const key = z.object({ default: z.string().min(1) }).parse(keys)
    return key.default
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON like {"default":"sb_…"}' })
    return z.NEVER
  }
})

const json = <T extends z.ZodType>(shape: T, hint: string) =>
  z.string().transform((text, context): z.output<T> => {
    try {
      return shape.parse(JSON.parse(text))
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON: ${hint}` })
      return z.NEVER
    }
  })

const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

const Environment = z.object({
  SUPABASE_URL: address,
  PUBLIC_SUPABASE_URL: address.optional(),
  PUBLIC_URL: address,
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim().replace(/\/+$/, ''))
        .filter(Boolean),
    ),
  DATABASE_URL: gatewayAddress,
  DATABASE_POOL_SIZE: z.coerce.number('must be a number').int().min(1).max(200).default(16),
  SUPABASE_PUBLISHABLE_KEYS: defaultKey,
  SUPABASE_SECRET_KEYS: defaultKey,
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SUPABASE_JWKS: json(Jwks, '{"keys":[…]}').optional(),
  CAPTCHA_PROVIDER: z.enum(captchaProviders, 'must be altcha, turnstile or none').default('altcha'),
  ALTCHA_HMAC_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  TURNSTILE_SITE_KEY: z.string().optional(),
  TURNSTILE_SECRET_KEY: z.string().optional(),
  TURNSTILE_VERIFY_URL: z.url().default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  TRUST_PROXY: z.coerce.number('must be a number').int().min(0).max(10).default(1),
  JOB_SECRET: needed('a secret of its own for the scheduled jobs').min(
    16,
    'must have at least 16 characters',
  ),
  DEMO_DATA: onOff.default(false),
  APP_NAME: z.string().min(1).default('Ovation'),
  PAYMENTS_PROVIDER: z.enum(['test', 'stripe', 'off'], 'must be test, stripe or off').default('off'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  ENCRYPTION_KEY: needed('a secret of its own, for what is stored encrypted').min(
    32,
    'must have at least 32 characters',
  ),
  MAIL_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be like smtps://user:password@host:465?from=hello@example.com',
    })
    .optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  EMBEDDED_HEALTH: json(
    z.object({ auth: z.url(), storage: z.url(), realtime: z.url() }),
    '{"auth":url,"storage":url,"realtime":url}',
  ).optional(),
})

/** What must be there because of what else is there, a line for each. */
function missingTogether(given: Record<string, string | undefined>): string[] {
  const provider = given.CAPTCHA_PROVIDER ?? 'altcha'
  const needs: [boolean, string, string][] = [
    [!given.JWT_SECRET && !given.SUPABASE_JWKS, 'JWT_SECRET', 'set it, or SUPABASE_JWKS, to check sessions'],
    [
      provider === 'altcha' && !given.ALTCHA_HMAC_KEY,
      'ALTCHA_HMAC_KEY',
      'CAPTCHA_PROVIDER=altcha signs with it',
    ],
    [
      provider === 'turnstile' && !given.TURNSTILE_SITE_KEY,
      'TURNSTILE_SITE_KEY',
      'pages show Turnstile with it',
    ],
    [
      provider === 'turnstile' && !given.TURNSTILE_SECRET_KEY,
      'TURNSTILE_SECRET_KEY',
      'Turnstile is asked with it',
    ],
    [
      given.PAYMENTS_PROVIDER === 'stripe' && !given.STRIPE_SECRET_KEY,
      'STRIPE_SECRET_KEY',
      'PAYMENTS_PROVIDER=stripe asks Stripe with it',
    ],
    [
      given.PAYMENTS_PROVIDER === 'stripe' && !given.STRIPE_WEBHOOK_SECRET,
      'STRIPE_WEBHOOK_SECRET',
      'what Stripe tells is checked with it',
    ],
  ]
  return needs.filter(([missing]) => missing).map(([, name, why]) => `  ${name} is missing: ${why}`)
}

/**
 * Reads the functions' settings.
 *
 * @throws Error with one line for each setting that is missing or wrong; values are never repeated in it.
 */
function parseEnv(source: Record<string, string | undefined>) {
  // An empty variable means the same as an absent one, as in a .env file with nothing behind the sign.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  const wrong = parsed.error?.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`) ?? []
  const lines = [...wrong, ...missingTogether(given)]
  if (!parsed.success || lines.length > 0) {
    throw new Error(`The functions cannot start, because of these settings:\n${lines.join('\n')}`)
  }
  const value = parsed.data
  return {
    supabaseUrl: value.SUPABASE_URL,
    publicSupabaseUrl: value.PUBLIC_SUPABASE_URL ?? value.SUPABASE_URL,
    /** Where people open the site, for links in mails; without a slash at the end. */
    publicUrl: value.PUBLIC_URL,
    /** Origins that a browser may send state-changing calls from. */
    origins: new Set([new URL(value.PUBLIC_URL).origin, ...value.ALLOWED_ORIGINS]),
    databaseUrl: value.DATABASE_URL,
    /** Connections that this process opens at most. */
    databasePoolSize: value.DATABASE_POOL_SIZE,
    publishableKey: value.SUPABASE_PUBLISHABLE_KEYS,
    secretKey: value.SUPABASE_SECRET_KEYS,
    jwtSecret: value.JWT_SECRET,
    jwks: value.SUPABASE_JWKS,
    captcha: {
      provider: value.CAPTCHA_PROVIDER,
      altchaKey: value.ALTCHA_HMAC_KEY ?? '',
      turnstileSiteKey: value.TURNSTILE_SITE_KEY,
      turnstileSecret: value.TURNSTILE_SECRET_KEY ?? '',
      turnstileVerifyUrl: value.TURNSTILE_VERIFY_URL,
    },
    /** Which address of `X-Forwarded-For`, counted from the right, is the client's; 0 trusts none. */
    trustProxy: value.TRUST_PROXY,
    jobSecret: value.JOB_SECRET,
    demoData: value.DEMO_DATA,
    appName: value.APP_NAME,
    payments: value.PAYMENTS_PROVIDER,
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY ?? '',
      webhookSecret: value.STRIPE_WEBHOOK_SECRET ?? '',
      /** Where Stripe's API is, where it is not Stripe's own address. */
      apiBase: value.STRIPE_API_BASE,
    },
    /** Where the AI provider's API is, where it is not OpenAI's own address. */
    openaiBaseUrl: value.OPENAI_BASE_URL,
    /** For what is stored encrypted. */
    encryptionKey: value.ENCRYPTION_KEY,
    /** How mail leaves: handed over to `url`, else by SMTP; not at all without either. */
    mail: { url: value.MAIL_URL, smtpUrl: value.SMTP_URL },
    logLevel: value.LOG_LEVEL,
    health: value.EMBEDDED_HEALTH ?? {
      auth: `${value.SUPABASE_URL}/auth/v1/health`,
      storage: `${value.SUPABASE_URL}/storage/v1/status`,
      realtime: `${value.SUPABASE_URL}/realtime/v1/api/ping`,
    },
  }
}

export type Settings = ReturnType<typeof parseEnv>

/** The settings of this process, read once when the function is loaded. */
export const env: Settings = parseEnv(Deno.env.toObject())
