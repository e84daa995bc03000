import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  discardContinuousArchive,
  enableContinuousArchive,
  startContinuousArchive,
  walArchiveSettings,
} from './backup/continuous.ts'
import { openDestination } from './backup/destination.ts'
import { checkUnfinishedRestore } from './backup/restore.ts'
import { prepareDatabase } from './database/prepare.ts'
import { describeTestMoney } from './database/test-money.ts'
import { cleanUpAfterUpgrades, upgradeDatabase } from './database/upgrade.ts'
import { findBinaries } from './postgres/binaries.ts'
import { initCluster } from './postgres/init-cluster.ts'
import { findProcessUser } from './postgres/process-user.ts'
import { PostgresServer } from './postgres/server.ts'
import { waitForStdinEnd } from './shared/child-process.ts'
import { diskError, errorMessage, StartupError } from './shared/errors.ts'
import { exists } from './shared/files.ts'
import { createLog } from './shared/log.ts'
import { deleteHeldFiles } from './storage/held-files.ts'
import { startBackupSchedule } from './supervisor/backup-schedule.ts'
import { removeConnectionFile, writeConnectionFile } from './supervisor/connection-file.ts'
import { lockDataDirectory } from './supervisor/lock.ts'
import { keepLogFiles } from './supervisor/log-files.ts'
import { checkPort, pickPorts } from './supervisor/ports.ts'
import {
  buildServiceUrls,
  createDataApiProcess,
  createGatewayProcess,
  createLiteProcess,
  createStudioProcess,
} from './supervisor/processes.ts'
import { waitUntilReady } from './supervisor/ready.ts'
import { keepRecentErrors } from './supervisor/recent-errors.ts'
import { startSchedule } from './supervisor/schedule.ts'
import { loadSecrets } from './supervisor/secrets.ts'
import { readSettings } from './supervisor/settings.ts'

// Runs the supervisor, which starts PostgreSQL and the other processes of the embedded stack in order, keeps them
// running, and stops them in reverse order.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const print = (line: string): void => console.log(line)

/** Functions that run in reverse order when the stack stops. */
const cleanupSteps: (() => Promise<unknown> | unknown)[] = []
let stopping: Promise<never> | undefined

/** Stops everything that has been started, then exits the process. Later calls have no effect. */
function stop(exitCode: number, message?: string): Promise<never> {
  stopping ??= (async () => {
    if (message) console.error(message)
    for (const step of cleanupSteps.reverse()) await Promise.resolve(step()).catch(() => undefined)
    Deno.exit(exitCode)
  })()
  return stopping
}
const isStopping = (): boolean => stopping !== undefined
const onGiveUp = (message: string): void => void stop(1, message)

async function start(): Promise<void> {
  const settings = readSettings((name) => Deno.env.get(name), root)
  const { dataDir } = settings
  const log = createLog('supervisor', settings.logLevel)
  const lock = await lockDataDirectory(dataDir)
  cleanupSteps.push(() => lock.close())
  await keepRecentErrors(dataDir)
  cleanupSteps.push(await keepLogFiles(dataDir))
  await removeConnectionFile(dataDir)
  await checkPort(settings.host, settings.port)
  await checkUnfinishedRestore(dataDir)
  await cleanUpAfterUpgrades(dataDir)
  await deleteHeldFiles(join(dataDir, 'storage'))

  const secrets = await loadSecrets(dataDir, await exists(join(dataDir, 'postgres')))
  const ports = await pickPorts(dataDir, settings.port)
  const urls = buildServiceUrls(settings, secrets, ports)
  const [binaries, processUser] = await Promise.all([findBinaries(), findProcessUser()])
  if (!(await exists(join(dataDir, 'postgres')))) print('Creating the database …')
  // Stopping waits for initdb, because initdb must not keep writing after the lock is released.
  const initializing = initCluster(dataDir, binaries, processUser, secrets.superuserPassword)
  cleanupSteps.push(() => initializing)
  const directory = await initializing
  if (isStopping()) return

  const url = urls.database
  const { backup } = settings
  const destination = backup.to ? openDestination(backup.to, root, (name) => Deno.env.get(name)) : null
  const walSince = backup.wal ? await enableContinuousArchive(dataDir, processUser) : null
  if (!backup.wal) await discardContinuousArchive(dataDir)
  let stopArchiving: (() => Promise<void>) | undefined
  // Runs after the database has stopped, because stopping it completes the last WAL segment.
  cleanupSteps.push(() => stopArchiving?.())
  const database = new PostgresServer({
    binaries,
    processUser,
    directory,
    url,
    previousPassword: secrets.unfinishedRotation?.superuserPassword,
    log,
    port: ports.database,
    settings: backup.wal ? walArchiveSettings(dataDir) : {},
    heartbeatTimeoutMs: settings.heartbeatTimeoutMs,
    onGiveUp,
  })
  cleanupSteps.push(() => database.stop(6000))
  await database.start()
  if (backup.wal && destination) stopArchiving = startContinuousArchive(dataDir, destination, log)
  const upgrade = { root, dataDir, database, url, binaries, user: processUser, isStopping, print }
  const { demo } = await upgradeDatabase({ ...upgrade, archivesFirst: backup.beforeUpgrade }, () =>
    prepareDatabase(root, settings, secrets, url, print),
  )
  if (isStopping()) return

  const context = { root, settings, demo, secrets, ports, urls, log, onGiveUp }
  const factories = [createLiteProcess, createDataApiProcess, createGatewayProcess, createStudioProcess]
  for (const service of factories.map((create) => create(context))) {
    cleanupSteps.push(() => service.stop(4000))
    service.start()
  }
  await waitUntilReady(urls, isStopping)
  if (isStopping()) return

  if (destination) {
    const { minuteOfDay } = backup
    cleanupSteps.push(startBackupSchedule({ root, dataDir, destination, minuteOfDay, walSince, log }))
  }
  cleanupSteps.push(startSchedule(`${urls.internal}/jobs`, secrets.jobSecret, log))
  const writing = writeConnectionFile(dataDir, urls, secrets)
  cleanupSteps.push(async () => {
    await writing.catch(() => undefined)
    await removeConnectionFile(dataDir)
  })
  await writing
  if (isStopping()) return
  for (const warning of settings.warnings) print(warning)
  if (secrets.unfinishedRotation)
    print('The last key rotation was not completed: stop Ovation, then run npm run rotate-keys.')
  const testMoney = settings.payments === 'test' ? null : await describeTestMoney(urls.database)
  if (testMoney) print(`${testMoney} It cannot be paid out. To remove it, run npm run void-test-money.`)
  if (settings.smtpUrl) print('Mail is sent over SMTP.')
  // These URLs contain secrets, which must not end up in a log file.
  if (Deno.stdout.isTerminal()) {
    if (!settings.smtpUrl) print(`The mailbox is at ${urls.mailbox}`)
    print(`The studio is at ${urls.studio}`)
  } else {
    print(`The URLs of the mailbox and the studio are in ${join(dataDir, 'connection.json')}`)
  }
  print(`${settings.appName} is ready at ${settings.publicUrl}`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  Deno.addSignalListener(signal, () => void stop(0))
// A launcher such as `npm start` sets STACK_STARTER and keeps a pipe open on standard input. When the pipe closes, the
// launcher has exited, for example because its terminal was closed, and the stack must not outlive it.
if (Deno.env.get('STACK_STARTER') === 'pipe') {
  Deno.env.delete('STACK_STARTER')
  void waitForStdinEnd().then(() => stop(0))
}
try {
  await start()
} catch (error) {
  // A step that fails because the stack is being stopped is not reported.
  if (isStopping()) await stopping
  if (error instanceof StartupError) await stop(error.exitCode, error.message)
  if (/ENOSPC|EROFS|no space left|read-only file system/i.test(errorMessage(error))) {
    await stop(1, diskError('Ovation cannot write its data', error).message)
  }
  await stop(1, `Ovation could not start: ${errorMessage(error)}`)
}
