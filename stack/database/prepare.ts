import { join } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import type { Secrets } from '../supervisor/secrets.ts'
import type { Settings } from '../supervisor/settings.ts'
import { bootstrap, setLoginPasswords } from './bootstrap.ts'
import { withSuperuser } from './client.ts'
import { migrate } from './migrate.ts'

/**
 * Brings a running database to where the platform can work with it. Every step finds out by itself whether
 * it is needed, so that a start that was killed half-way is finished by the next one.
 *
 * @param url the superuser's address
 * @param say prints a line of progress
 * @returns whether the demo accounts are there
 */
export async function prepareDatabase(
  root: string,
  settings: Settings,
  secrets: Secrets,
  url: string,
  say: (line: string) => void,
): Promise<{ demo: boolean }> {
  await bootstrap(root, url)
  await migrate(root, settings.dataDir, url, say)
  await setLoginPasswords(url, {
    gateway: secrets.gatewayPassword,
    lite: secrets.litePassword,
    realtime_admin: secrets.realtimePassword,
  })
  await applySettings(url, settings)
  return { demo: await demo(settings, secrets, url, say) }
}

/** What SQL has to know of the environment is written to the database's own settings. */
async function applySettings(url: string, settings: Settings): Promise<void> {
  await withSuperuser(url, async (sql) => {
    await sql`select private.set_setting('rate_limits', ${sql.json(settings.rateLimits)}),
                     private.set_setting('platform_fee_percent', ${sql.json(settings.platformFeePercent)})`
  })
}

/**
 * Makes the demo data where it is wanted and nobody is there yet.
 *
 * @returns whether the demo accounts, whose password everybody knows, are in this database
 */
async function demo(
  settings: Settings,
  secrets: Secrets,
  url: string,
  say: (line: string) => void,
): Promise<boolean> {
  const find = () =>
    withSuperuser(url, async (sql) => {
      const [row] = await sql<{ demo: boolean; people: boolean }[]>`
        select exists (select from auth.users u where u.email = 'creator@demo.test') as demo,
               exists (select from auth.users) as people`
      return row ?? { demo: false, people: false }
    })
  const found = await find()
  if (found.demo && settings.exposed) {
    throw new StartupError(
      `${settings.dataDir} holds demo accounts, whose password is known: use another DATA_DIR, or npm run reset.`,
    )
  }
  if (found.people || !settings.demoData) return found.demo
  say('Making the demo data …')
  // Loaded only where it is made: nothing else of the stack needs it.
  const [{ seedDemo }, { withDemoStorage }] = await Promise.all([
    import('../demo/seed.ts'),
    import('../demo/storage.ts'),
  ])
  await withDemoStorage(url, join(settings.dataDir, 'storage'), (storage) =>
    seedDemo({
      databaseUrl: url,
      encryptionKey: settings.encryptionKey ?? secrets.encryptionKey,
      log: say,
      storage,
    }),
  )
  return (await find()).demo
}
