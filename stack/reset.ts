import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recentErrorsFile } from '../supabase/functions/_shared/http/recent-errors.ts'
import { lastBackupFile } from '../supabase/functions/_shared/system/last-backup.ts'
import { continuousArchiveNames } from './backup/continuous.ts'
import { preUpgradeFolder } from './backup/destination.ts'
import { restoreFolder } from './backup/restore.ts'
import { undoNames } from './database/upgrade.ts'
import { stopOrphanedServer } from './postgres/orphaned-server.ts'
import { diskError, StartupError } from './shared/errors.ts'
import { createLog } from './shared/log.ts'
import { lockDataDirectory } from './supervisor/lock.ts'
import { readSettings } from './supervisor/settings.ts'

// Deletes the database, the database archives, uploads, mail and logs in DATA_DIR. Keeps the secrets, so that keys used
// in scripts remain valid. Fails while the stack is running.
const dataNames = [
  ...['connection.json', 'postgres', 'postgres.new', 'storage', 'mailbox', 'logs'],
  ...[
    restoreFolder,
    preUpgradeFolder,
    ...undoNames,
    ...continuousArchiveNames,
    lastBackupFile,
    recentErrorsFile,
  ],
]
const root = dirname(dirname(fileURLToPath(import.meta.url)))
try {
  const { dataDir } = readSettings((name) => Deno.env.get(name), root)
  const lock = await lockDataDirectory(dataDir)
  await stopOrphanedServer(join(dataDir, 'postgres'), createLog('reset', 'warn'))
  for (const name of dataNames) {
    await Deno.remove(join(dataDir, name), { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound))
        throw diskError(`Cannot delete ${join(dataDir, name)}`, error)
    })
  }
  lock.close()
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  Deno.exit(1)
}
