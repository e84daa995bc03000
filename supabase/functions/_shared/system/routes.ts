import { createRoute } from '@hono/zod-openapi'
import { SeenClientAddress, SystemStatus } from '../contract/admin.ts'
import { Config, Health } from '../contract/config.ts'
import { env } from '../env.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { findClientAddress, forwardedHops } from '../http/client-address.ts'
import { networkPrefix } from '../http/network-prefix.ts'
import { jsonResponse } from '../http/responses.ts'
import { checkHealth } from './health.ts'
import { readPlatformFee } from './platform-fee.ts'
import { readSystemStatus } from './status.ts'

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
    summary: 'Get the configuration that clients need',
    responses: { 200: jsonResponse(Config, 'The configuration') },
  }),
  async (c) => {
    const platformFeePercent = await readPlatformFee()
    return c.json({ ...config, ...(platformFeePercent !== undefined && { platformFeePercent }) }, 200)
  },
)

systemRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/health',
    tags,
    summary: 'Check whether all services respond',
    responses: {
      200: jsonResponse(Health, 'All services respond'),
      503: jsonResponse(Health, 'A service does not respond'),
    },
  }),
  async (c) => {
    const health = await checkHealth()
    return health.status === 'ok' ? c.json(health, 200) : c.json(health, 503)
  },
)

systemRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/system',
    tags: ['Admin'],
    summary: 'Get the health, queues, database connections, disk space and last errors; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(SystemStatus, 'The state of the instance') },
  }),
  // `adminsOnly` has checked that the caller is an admin. The status is read as the service role, because no policy
  // lets users read it.
  async (c) => c.json(await readSystemStatus(), 200),
)

systemRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/whoami',
    tags: ['Admin'],
    summary: 'Get your IP address as the server determines it, to check the proxy settings; admins only',
    ...requireUser,
    responses: { 200: jsonResponse(SeenClientAddress, 'The address, and where it comes from') },
  }),
  (c) => {
    const { headers } = c.req.raw
    const { address, source } = findClientAddress(headers)
    // Limits the response, because a client may send any number of hops.
    const forwardedFor = forwardedHops(headers).slice(-20)
    return c.json({ address, network: networkPrefix(address), source, forwardedFor }, 200)
  },
)
