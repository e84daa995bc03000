import { z } from 'zod'
import { captchaProviders } from './contract/auth.ts'
import type { EncryptionKeys } from './encryption.ts'
import type { TokenSecret } from './http/token-secrets.ts'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
const baseUrl = httpUrl.transform((url) => url.replace(/\/+$/, ''))
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const databaseHint =
  "postgres://gateway:…@host/database, after running `alter role gateway login password '…'` in the database"
const required = (hint: string) => z.string(`is missing: ${hint}`).min(1, `is missing: ${hint}`)

/**
 * The database URL must connect as `gateway`, a role without privileges that can only switch to `anon`,
 * `authenticated` or `service_role`. With any other role, a statement that runs outside its transaction would run with
 * that role's privileges and could bypass row-level security.
 */
const gatewayDatabaseUrl = required(databaseHint).refine(
  (text) => URL.canParse(text) && /^gateway(\.|$)/.test(new URL(text).username),
  `must connect as the role "gateway": ${databaseHint}`,
)

/** Parses `{"default":"sb_…"}`, the format in which Supabase passes keys to functions. */
const defaultKey = required('JSON with a "default" key').transform((text, context) => {
  try {
    const keys: unknown = JSON.parse(text)
    const key = z.object({ default: z.string().min(1) }).parse(keys)
    return key.default
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON like {"default":"sb_…"}' })
    return z.NEVER
  }
})

const json = <T extends z.ZodType>(schema: T, hint: string) =>
  z.string().transform((text, context): z.output<T> => {
    try {
      return schema.parse(JSON.parse(text))
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON: ${hint}` })
      return z.NEVER
    }
  })

const Keys = z.array(z.looseObject({ kty: z.string() }))
const Jwks = z.union([z.object({ keys: Keys }), Keys.transform((keys) => ({ keys }))])

/** Supabase passes an empty key set to the functions of a project that signs tokens with a shared secret. */
const hasKeys = (jwks: z.infer<typeof Jwks> | undefined) => (jwks?.keys.length ?? 0) > 0

/** A private key as `npx supabase gen signing-key` writes it, alone or in an array. */
const SigningKey = z.preprocess(
  (value) => (Array.isArray(value) ? value[0] : value),
  z.looseObject({
    kty: z.enum(['EC', 'RSA']),
    alg: z.enum(['ES256', 'RS256']),
    d: z.string(),
    kid: z.string().optional(),
  }),
)

const Environment = z.object({
  SUPABASE_URL: baseUrl,
  PUBLIC_SUPABASE_URL: baseUrl.optional(),
  PUBLIC_URL: baseUrl,
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim().replace(/\/+$/, ''))
        .filter(Boolean),
    ),
  DATABASE_URL: gatewayDatabaseUrl,
  DATABASE_CA: z.base64('must be a base64-encoded PEM certificate').optional(),
  DATABASE_POOL_SIZE: z.coerce.number('must be a number').int().min(1).max(200).default(16),
  SUPABASE_PUBLISHABLE_KEYS: defaultKey,
  SUPABASE_SECRET_KEYS: defaultKey,
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  JWT_SIGNING_KEY: json(SigningKey, '{"kty":"EC","alg":"ES256","d":"…",…}').optional(),
  PREVIOUS_JWT_SECRETS: json(
    z.array(z.object({ secret: z.string(), until: z.number() })),
    '[{"secret":"…","until":1767225600000}]',
  ).optional(),
  SUPABASE_JWKS: json(Jwks, '{"keys":[…]}').optional(),
  CAPTCHA_PROVIDER: z.enum(captchaProviders, 'must be altcha, turnstile or none').default('altcha'),
  ALTCHA_HMAC_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  TURNSTILE_SITE_KEY: z.string().optional(),
  TURNSTILE_SECRET_KEY: z.string().optional(),
  TURNSTILE_VERIFY_URL: z.url().default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  TRUST_PROXY: z.coerce.number('must be a number').int().min(0).max(10).default(1),
  // `npm run deploy` also writes the secret to the configuration of static hosts, where it must not need quoting.
  PROXY_SECRET: z
    .string()
    .regex(
      /^[\w.~+/=-]{16,}$/,
      'must have at least 16 characters, and only letters, digits and . _ ~ + / = -',
    )
    .optional(),
  CLIENT_ADDRESS_HEADER: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a header')
    .default('X-Client-Address'),
  JOB_SECRET: required('a secret for the scheduled jobs').min(16, 'must have at least 16 characters'),
  DEMO_DATA: onOff.default(false),
  APP_NAME: z.string().min(1).default('Ovation'),
  PAYMENTS_PROVIDER: z.enum(['test', 'stripe', 'off'], 'must be test, stripe or off').default('off'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: httpUrl.optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  ENCRYPTION_KEY: required('a secret for encrypting stored data').min(32, 'must have at least 32 characters'),
  PREVIOUS_ENCRYPTION_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  PREVIOUS_ENCRYPTION_KEYS: json(z.array(z.string()), '["…"]').default([]),
  MAIL_URL: httpUrl.optional(),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must look like smtps://user:password@host:465?from=hello@example.com',
    })
    .optional(),
  EMBEDDED_DATA_DIR: z.string().optional(),
  ISOLATE_LIMITS: onOff.optional(),
  // Supabase's edge runtime sets it in each isolate.
  SB_EXECUTION_ID: z.string().optional(),
  ACCESS_LOG: onOff.default(true),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  EMBEDDED_HEALTH: json(
    z.object({ auth: z.url(), storage: z.url(), realtime: z.url(), dataApi: z.url() }),
    '{"auth":url,"storage":url,"realtime":url,"dataApi":url}',
  ).optional(),
})

/** Returns a line for each missing variable that is required because of another variable's value. */
function findMissingDependencies(given: Record<string, string | undefined>): string[] {
  const jwks = Environment.shape.SUPABASE_JWKS.safeParse(given.SUPABASE_JWKS)
  const captcha = given.CAPTCHA_PROVIDER ?? 'altcha'
  const payments = given.PAYMENTS_PROVIDER
  const dependencies: [isRequired: boolean, name: string, reason: string][] = [
    [
      !given.SUPABASE_JWKS,
      'JWT_SECRET',
      'set JWT_SECRET or SUPABASE_JWKS so that the API can verify sessions',
    ],
    [
      Boolean(given.SUPABASE_JWKS) && jwks.success && !hasKeys(jwks.data),
      'JWT_SECRET',
      'SUPABASE_JWKS contains no keys, so sessions are signed with a shared secret',
    ],
    [captcha === 'altcha', 'ALTCHA_HMAC_KEY', 'CAPTCHA_PROVIDER=altcha signs challenges with it'],
    [captcha === 'turnstile', 'TURNSTILE_SITE_KEY', 'CAPTCHA_PROVIDER=turnstile needs it to show the widget'],
    [captcha === 'turnstile', 'TURNSTILE_SECRET_KEY', 'CAPTCHA_PROVIDER=turnstile verifies tokens with it'],
    [payments === 'stripe', 'STRIPE_SECRET_KEY', 'PAYMENTS_PROVIDER=stripe calls Stripe with it'],
    [payments === 'stripe', 'STRIPE_WEBHOOK_SECRET', 'PAYMENTS_PROVIDER=stripe verifies webhooks with it'],
  ]
  return dependencies
    .filter(([isRequired, name]) => isRequired && !given[name])
    .map(([, name, reason]) => `  ${name} is missing: ${reason}`)
}

/**
 * Parses the environment variables of the functions.
 *
 * @throws Error with one line per variable that is missing or invalid. The message never contains a value.
 */
function parseEnv(source: Record<string, string | undefined>) {
  // A variable with an empty value counts as absent: a .env file may have nothing after the equals sign.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  const schemaProblems =
    parsed.error?.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`) ?? []
  const problems = [...schemaProblems, ...findMissingDependencies(given)]
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The functions cannot start. Check these environment variables:\n${problems.join('\n')}`)
  }
  const value = parsed.data
  return {
    supabaseUrl: value.SUPABASE_URL,
    publicSupabaseUrl: value.PUBLIC_SUPABASE_URL ?? value.SUPABASE_URL,
    /** The URL of the site without a trailing slash, for links in emails. */
    publicUrl: value.PUBLIC_URL,
    /** Origins whose pages may read responses and send state-changing requests. */
    origins: new Set([new URL(value.PUBLIC_URL).origin, ...value.ALLOWED_ORIGINS]),
    databaseUrl: value.DATABASE_URL,
    /** CA certificates in PEM, for `sslmode=require` in the database URL. */
    databaseCa: value.DATABASE_CA ? [atob(value.DATABASE_CA)] : [],
    /** The maximum number of database connections of this process. */
    databasePoolSize: value.DATABASE_POOL_SIZE,
    publishableKey: value.SUPABASE_PUBLISHABLE_KEYS,
    secretKey: value.SUPABASE_SECRET_KEYS,
    /**
     * The key that signs the JWTs that are issued in exchange for personal access tokens. If it is not set, `jwtSecret`
     * signs them. Without either, personal access tokens cannot be exchanged.
     */
    jwtSigningKey: value.JWT_SIGNING_KEY,
    jwtSecret: value.JWT_SECRET,
    /** The shared secrets that session tokens may be signed with. */
    jwtSecrets: [
      ...(value.JWT_SECRET ? [{ secret: value.JWT_SECRET }] : []),
      ...(value.PREVIOUS_JWT_SECRETS ?? []),
    ] as TokenSecret[],
    jwks: hasKeys(value.SUPABASE_JWKS) ? value.SUPABASE_JWKS : undefined,
    captcha: {
      provider: value.CAPTCHA_PROVIDER,
      altchaKey: value.ALTCHA_HMAC_KEY ?? '',
      turnstileSiteKey: value.TURNSTILE_SITE_KEY,
      turnstileSecret: value.TURNSTILE_SECRET_KEY ?? '',
      turnstileVerifyUrl: value.TURNSTILE_VERIFY_URL,
    },
    /** The position of the client's address in `X-Forwarded-For`, counted from the right; 0 to ignore the header. */
    trustProxy: value.TRUST_PROXY,
    /** A proxy that sends this secret may set the client's address in `clientAddressHeader`. */
    proxySecret: value.PROXY_SECRET,
    clientAddressHeader: value.CLIENT_ADDRESS_HEADER,
    jobSecret: value.JOB_SECRET,
    demoData: value.DEMO_DATA,
    appName: value.APP_NAME,
    payments: value.PAYMENTS_PROVIDER,
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY ?? '',
      webhookSecret: value.STRIPE_WEBHOOK_SECRET ?? '',
      /** The base URL of a server that is used instead of Stripe's API. */
      apiBase: value.STRIPE_API_BASE,
    },
    /** The base URL of an API that is used instead of OpenAI's. */
    openaiBaseUrl: value.OPENAI_BASE_URL,
    /** The keys that encrypt stored data; see `encryption.ts`. */
    encryptionKeys: [
      value.ENCRYPTION_KEY,
      ...(value.PREVIOUS_ENCRYPTION_KEY ? [value.PREVIOUS_ENCRYPTION_KEY] : []),
      ...value.PREVIOUS_ENCRYPTION_KEYS,
    ] as EncryptionKeys,
    /** Mail is sent to `url` with POST if it is set, otherwise by SMTP. Without either, no mail is sent. */
    mail: { url: value.MAIL_URL, smtpUrl: value.SMTP_URL },
    /** The embedded stack's data directory. */
    dataDir: value.EMBEDDED_DATA_DIR,
    /**
     * Whether the functions run in an isolate with 2 s of CPU time and 256 MB of memory, which limits the size of the
     * images that they can decode.
     */
    isolateLimits: value.ISOLATE_LIMITS ?? value.SB_EXECUTION_ID !== undefined,
    /** Whether each request is logged. */
    accessLog: value.ACCESS_LOG,
    logLevel: value.LOG_LEVEL,
    health: value.EMBEDDED_HEALTH ?? {
      auth: `${value.SUPABASE_URL}/auth/v1/health`,
      storage: `${value.SUPABASE_URL}/storage/v1/status`,
      realtime: `${value.SUPABASE_URL}/realtime/v1/api/ping`,
      // PostgREST has no health check on its public port, so this is a query that visitors may run.
      dataApi: `${value.SUPABASE_URL}/rest/v1/profiles?select=id&limit=1`,
    },
  }
}

export type Env = ReturnType<typeof parseEnv>

/** The settings of this process, parsed once when the function is loaded. */
export const env: Env = parseEnv(Deno.env.toObject())
