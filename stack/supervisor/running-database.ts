import { join } from 'node:path'
import { currentArchiveSettings } from '../backup/continuous.ts'
import { findBinaries } from '../postgres/binaries.ts'
import { findProcessUser } from '../postgres/process-user.ts'
import { PostgresServer } from '../postgres/server.ts'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { readTextIfExists } from '../shared/files.ts'
import { createLog } from '../shared/log.ts'
import { lockDataDirectory } from './lock.ts'
import { pickPorts } from './ports.ts'
import { databaseUrlFor } from './processes.ts'
import { loadSecrets } from './secrets.ts'

/**
 * Runs `work` with the superuser's database URL. If the database is not running, starts it for `work`.
 *
 * @param gatewayPort the gateway's port, which is not picked for the database
 */
export async function withDatabase<Result>(
  dataDir: string,
  gatewayPort: number,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  let lock: Deno.FsFile
  try {
    lock = await lockDataDirectory(dataDir)
  } catch (error) {
    const connection = await readTextIfExists(join(dataDir, 'connection.json'))
    if (connection) return await work(JSON.parse(connection).databaseUrl)
    if (/already running/.test(errorMessage(error)))
      throw new StartupError('Ovation is starting or stopping: try again when it is ready.')
    throw error
  }
  try {
    const secrets = await loadSecrets(dataDir, true)
    const ports = await pickPorts(dataDir, gatewayPort)
    const url = databaseUrlFor('postgres', secrets.superuserPassword, ports)
    const database = new PostgresServer({
      binaries: await findBinaries(),
      processUser: await findProcessUser(),
      directory: join(dataDir, 'postgres'),
      url,
      previousPassword: secrets.unfinishedRotation?.superuserPassword,
      settings: await currentArchiveSettings(dataDir),
      log: createLog('backup', 'warn'),
      port: ports.database,
    })
    try {
      await database.start()
      return await work(url)
    } finally {
      await database.stop(30_000)
    }
  } finally {
    lock.close()
  }
}
