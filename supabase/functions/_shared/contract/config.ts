import { z } from 'zod'
import { CaptchaProvider } from './auth.ts'

export const Config = z.object({
  supabaseUrl: z.string(),
  supabaseKey: z.string(),
  captcha: z.object({ provider: CaptchaProvider, siteKey: z.string().optional() }),
  payments: z.enum(['test', 'stripe', 'off']),
  appName: z.string(),
  /** The platform's fee on future sales, read at most one minute ago. Omitted while the database cannot be reached. */
  platformFeePercent: z.number().min(0).max(100).optional(),
  /** Accounts for one-click sign-in. Omitted on an instance without demo data. */
  demoAccounts: z.array(z.object({ email: z.string(), password: z.string(), label: z.string() })).optional(),
})
export type Config = z.infer<typeof Config>

const Check = z.enum(['ok', 'failing'])
export const Health = z.object({
  status: z.enum(['ok', 'failing']),
  checks: z.object({ database: Check, auth: Check, storage: Check, realtime: Check, dataApi: Check }),
  /** The jobs whose last run failed. Omitted if there are none. They do not affect `status`. */
  failingJobs: z.array(z.string()).optional(),
})
export type Health = z.infer<typeof Health>
