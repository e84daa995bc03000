import { join } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import { encryptionKeys, type Secrets } from '../supervisor/secrets.ts'
import type { Settings } from '../supervisor/settings.ts'
import { bootstrap, setLoginPasswords } from './bootstrap.ts'
import { withSuperuser } from './client.ts'
import { migrate } from './migrate.ts'

/**
 * Prepares a running database for the platform. Every step is idempotent, so if the stack is killed during the
 * preparation, the next start completes it.
 *
 * @param url the superuser's database URL
 * @param log prints a line of progress
 * @returns whether the database has the demo accounts
 */
export async function prepareDatabase(
  root: string,
  settings: Settings,
  secrets: Secrets,
  url: string,
  log: (line: string) => void,
): Promise<{ demo: boolean }> {
  await bootstrap(root, url)
  await migrate(root, settings.dataDir, url, log)
  await setLoginPasswords(url, {
    gateway: secrets.gatewayPassword,
    lite: secrets.litePassword,
    realtime_admin: secrets.realtimePassword,
  })
  await applySettings(url, settings)
  return { demo: await prepareDemo(settings, secrets, url, log) }
}

/** Stores in `private.settings` the settings that SQL functions need. */
async function applySettings(url: string, settings: Settings): Promise<void> {
  await withSuperuser(url, async (sql) => {
    await sql`select private.set_setting('rate_limits', ${sql.json(settings.rateLimits)}),
                     private.set_setting('platform_fee_percent', ${sql.json(settings.platformFeePercent)}),
                     private.set_setting('require_email_confirmation', ${sql.json(settings.requireEmailConfirmation)})`
  })
}

/**
 * Creates the demo data if it is enabled and the database has no users.
 *
 * @returns whether the database has the demo accounts, whose password is public
 * @throws StartupError if the database has the demo accounts and the platform is exposed to other machines
 */
async function prepareDemo(
  settings: Settings,
  secrets: Secrets,
  url: string,
  log: (line: string) => void,
): Promise<boolean> {
  const { hasDemoAccounts, hasUsers } = await withSuperuser(url, async (sql) => {
    const [row] = await sql<{ hasDemoAccounts: boolean; hasUsers: boolean }[]>`
      select exists (select from auth.users u where u.email = 'creator@demo.test') as "hasDemoAccounts",
             exists (select from auth.users) as "hasUsers"`
    return row ?? { hasDemoAccounts: false, hasUsers: false }
  })
  if (hasDemoAccounts && settings.exposed) {
    throw new StartupError(
      `${settings.dataDir} has demo accounts, whose password is public. Use another DATA_DIR, or run npm run reset.`,
    )
  }
  if (hasUsers || !settings.demoData) return hasDemoAccounts
  log('Creating the demo data …')
  // Loaded only when needed, because most starts do not create the demo data.
  const [{ seedDemo }, { withDemoStorage }] = await Promise.all([
    import('../demo/seed.ts'),
    import('../demo/storage.ts'),
  ])
  await withDemoStorage(url, join(settings.dataDir, 'storage'), (storage) =>
    seedDemo({
      databaseUrl: url,
      encryptionKeys: encryptionKeys(settings, secrets),
      log,
      storage,
    }),
  )
  return true
}
