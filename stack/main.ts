import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareDatabase } from './database/prepare.ts'
import { findBinaries } from './postgres/binaries.ts'
import { findIdentity } from './postgres/identity.ts'
import { initialise } from './postgres/initialise.ts'
import { PostgresServer } from './postgres/server.ts'
import { exists } from './shared/durable.ts'
import { createLog } from './shared/log.ts'
import { diskSentence, messageOf, Sentence } from './shared/sentence.ts'
import { removeConnection, writeConnection } from './supervisor/connection.ts'
import { takeDataDirectory } from './supervisor/lock.ts'
import { addressesOf, gatewayPart, litePart } from './supervisor/parts.ts'
import { checkPort, pickPorts } from './supervisor/ports.ts'
import { waitUntilReady } from './supervisor/ready.ts'
import { startSchedule } from './supervisor/schedule.ts'
import { loadSecrets } from './supervisor/secrets.ts'
import { readSettings } from './supervisor/settings.ts'
import { watchStarter } from './supervisor/starter.ts'

/**
 * The supervisor: starts PostgreSQL and the other processes of the embedded stack in their order, keeps them
 * running, and stops them in reverse.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const say = (line: string): void => console.log(line)

/** What has to be undone, newest first. */
const undo: (() => Promise<unknown> | unknown)[] = []
let ending: Promise<never> | undefined

/** Stops everything that has been started and ends the process. Only the first call counts. */
function end(code: number, sentence?: string): Promise<never> {
  ending ??= (async () => {
    if (sentence) console.error(sentence)
    for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined)
    Deno.exit(code)
  })()
  return ending
}
const stopped = (): boolean => ending !== undefined
const giveUp = (sentence: string): void => void end(1, sentence)

async function start(): Promise<void> {
  const settings = readSettings((name) => Deno.env.get(name), root)
  const { dataDir } = settings
  const log = createLog('supervisor', settings.logLevel)
  const lock = await takeDataDirectory(dataDir)
  undo.push(() => lock.close())
  await removeConnection(dataDir)
  await checkPort(settings.host, settings.port)

  const secrets = await loadSecrets(dataDir, await exists(join(dataDir, 'postgres')))
  const ports = await pickPorts(dataDir, settings.port)
  const addresses = addressesOf(settings, secrets, ports)
  const [binaries, identity] = await Promise.all([findBinaries(), findIdentity()])
  if (!(await exists(join(dataDir, 'postgres')))) say('Making the database …')
  // A stop waits for it: what it starts must not go on writing when the lock is gone.
  const making = initialise(dataDir, binaries, identity, secrets.superuserPassword)
  undo.push(() => making)
  const directory = await making
  if (stopped()) return

  const url = addresses.database
  const database = new PostgresServer({
    binaries,
    identity,
    directory,
    url,
    log,
    port: ports.database,
    onGiveUp: giveUp,
  })
  undo.push(() => database.stop(6000))
  await database.start()
  const { demo } = await prepareDatabase(root, settings, secrets, url, say)
  if (stopped()) return

  const context = { root, settings, demo, secrets, ports, addresses, log, onGiveUp: giveUp }
  for (const part of [litePart(context), gatewayPart(context)]) {
    undo.push(() => part.stop(4000))
    part.start()
  }
  await waitUntilReady(addresses, stopped)
  if (stopped()) return

  undo.push(startSchedule(`${addresses.internal}/jobs`, secrets.jobSecret, log))
  const writing = writeConnection(dataDir, addresses, secrets)
  undo.push(async () => {
    await writing.catch(() => undefined)
    await removeConnection(dataDir)
  })
  await writing
  if (stopped()) return
  if (settings.captcha === 'none') say('CAPTCHA_PROVIDER=none: anyone may sign up without a captcha.')
  if (!settings.rateLimits) say('RATE_LIMITS=off: nothing is limited.')
  say(settings.smtpUrl ? 'Mail is sent by SMTP.' : `The mailbox is at ${addresses.mailbox}`)
  say(`The studio is at ${addresses.studio}`)
  say(`${settings.appName} is ready at ${settings.publicUrl}`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  Deno.addSignalListener(signal, () => void end(0))
watchStarter(() => void end(0))
try {
  await start()
} catch (error) {
  // A stop while starting makes steps fail: that is no news.
  if (stopped()) await ending
  if (error instanceof Sentence) await end(1, error.message)
  if (/ENOSPC|EROFS|no space left|read-only file system/i.test(messageOf(error))) {
    await end(1, diskSentence('Ovation cannot write its data', error).message)
  }
  await end(1, `Ovation could not start: ${messageOf(error)}`)
}
