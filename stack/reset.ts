import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endLeftover } from './postgres/leftover.ts'
import { createLog } from './shared/log.ts'
import { diskSentence, Sentence } from './shared/sentence.ts'
import { takeDataDirectory } from './supervisor/lock.ts'
import { readSettings } from './supervisor/settings.ts'

/**
 * Deletes what the platform has stored in DATA_DIR: database, uploads, mails. Secrets stay, so that keys
 * handed to scripts keep working. Refuses while the stack runs.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
try {
  const { dataDir } = readSettings((name) => Deno.env.get(name), root)
  const lock = await takeDataDirectory(dataDir)
  await endLeftover(join(dataDir, 'postgres'), createLog('reset', 'warn'))
  for (const name of ['connection.json', 'postgres', 'postgres.new', 'storage', 'mailbox']) {
    await Deno.remove(join(dataDir, name), { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound))
        throw diskSentence(`Cannot delete ${join(dataDir, name)}`, error)
    })
  }
  lock.close()
} catch (error) {
  if (!(error instanceof Sentence)) throw error
  console.error(error.message)
  Deno.exit(1)
}
