import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exists } from '../shared/durable.ts'
import { Sentence } from '../shared/sentence.ts'
import type { Secrets } from '../supervisor/secrets.ts'
import type { Settings } from '../supervisor/settings.ts'
import { bootstrap, openLogins } from './bootstrap.ts'
import { withSuperuser } from './client.ts'
import { migrate } from './migrate.ts'
import { recall, remember } from './state.ts'

/** What `stack/demo/seed.ts` gives. */
type SeedDemo = (context: { databaseUrl: string; log: (message: string) => void }) => Promise<void>

/**
 * Brings a running database to where the platform can work with it. Every step finds out by itself whether
 * it is needed, so that a start that was killed half-way is finished by the next one.
 *
 * @param url the superuser's address
 * @param say prints a line of progress
 */
export async function prepareDatabase(
  root: string,
  settings: Settings,
  secrets: Secrets,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  await bootstrap(root, url)
  await migrate(root, settings.dataDir, url, say)
  await openLogins(url, { gateway: secrets.gatewayPassword, lite: secrets.litePassword })
  await applySettings(url, settings)
  await demo(root, settings, url, say)
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

async function demo(
  root: string,
  settings: Settings,
  url: string,
  say: (line: string) => void,
): Promise<void> {
  const seeded = (await withSuperuser(url, (sql) => recall(sql, 'demo'))) !== null
  if (seeded && settings.exposed) {
    throw new Sentence(
      `${settings.dataDir} holds demo accounts, whose password is known: use another DATA_DIR, or npm run reset.`,
    )
  }
  const script = join(root, 'stack', 'demo', 'seed.ts')
  if (seeded || !settings.demoData || !(await exists(script))) return
  say('Making the demo data …')
  const { seedDemo }: { seedDemo: SeedDemo } = await import(pathToFileURL(script).href)
  await seedDemo({ databaseUrl: url, log: say })
  await withSuperuser(url, (sql) => remember(sql, 'demo', new Date().toISOString()))
}
