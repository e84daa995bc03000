import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exists } from '../shared/durable.ts'
import { Sentence } from '../shared/sentence.ts'
import type { Secrets } from '../supervisor/secrets.ts'
import type { Settings } from '../supervisor/settings.ts'
import { bootstrap, openLogins } from './bootstrap.ts'
import { withSuperuser } from './client.ts'
import { migrate } from './migrate.ts'

// The demo is loaded only where it is made: nothing else of the stack needs it.
type Demo = typeof import('../demo/seed.ts')
type DemoStorage = typeof import('../demo/storage.ts')

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
  await openLogins(url, { gateway: secrets.gatewayPassword, lite: secrets.litePassword })
  await applySettings(url, settings)
  return { demo: await demo(root, settings, url, say) }
}

/** What SQL has to know of the environment is written to the database's own settings. */
async function applySettings(url: string, settings: Settings): Promise<void> {
  await withSuperuser(url, async (sql) => {
    const [there] = await sql<{ found: boolean }[]>`
      select to_regprocedure('private.set_setting(text, jsonb)') is not null as found`
    if (!there?.found) return
    await sql`select private.set_setting('rate_limits', ${sql.json(settings.rateLimits)})`
  })
}

/**
 * Makes the demo data where it is wanted and nobody is there yet.
 *
 * @returns whether the demo accounts, whose password everybody knows, are in this database
 */
async function demo(
  root: string,
  settings: Settings,
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
    throw new Sentence(
      `${settings.dataDir} holds demo accounts, whose password is known: use another DATA_DIR, or npm run reset.`,
    )
  }
  const folder = join(root, 'stack', 'demo')
  if (found.people || !settings.demoData || !(await exists(folder))) return found.demo
  say('Making the demo data …')
  const { seedDemo }: Demo = await import(pathToFileURL(join(folder, 'seed.ts')).href)
  const { withDemoStorage }: DemoStorage = await import(pathToFileURL(join(folder, 'storage.ts')).href)
  await withDemoStorage(url, join(settings.dataDir, 'storage'), (storage) =>
    seedDemo({ databaseUrl: url, log: say, storage }),
  )
  return (await find()).demo
}
