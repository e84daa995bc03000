import { createRoute } from '@hono/zod-openapi'
import { Config, Health } from '../contract/config.ts'
import { env } from '../env.ts'
import { answers } from '../http/answers.ts'
import { createRouter } from '../http/app.ts'
import { readHealth } from './health.ts'

const tags = ['System']

const demoAccounts = [
  { email: 'creator@demo.test', password: 'ovation-demo', label: 'Creator' },
  { email: 'fan@demo.test', password: 'ovation-demo', label: 'Fan' },
  { email: 'admin@demo.test', password: 'ovation-demo', label: 'Admin' },
]

const config: Config = {
  supabaseUrl: env.publicSupabaseUrl,
  supabaseKey: env.publishableKey,
  captcha: {
    provider: env.captcha.provider,
    ...(env.captcha.provider === 'turnstile' && env.captcha.turnstileSiteKey
      ? { siteKey: env.captcha.turnstileSiteKey }
      : {}),
  },
  payments: env.payments,
  appName: env.appName,
  ...(env.demoData ? { demoAccounts } : {}),
}

export const systemRoutes = createRouter()

systemRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/config',
    tags,
    summary: 'What a client needs to know of this instance',
    responses: { 200: answers(Config, 'The configuration') },
  }),
  (c) => c.json(config, 200),
)

systemRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/health',
    tags,
    summary: 'Whether every part answers',
    responses: { 200: answers(Health, 'All do'), 503: answers(Health, 'Some do not') },
  }),
  async (c) => {
    const health = await readHealth()
    return health.status === 'ok' ? c.json(health, 200) : c.json(health, 503)
  },
)
