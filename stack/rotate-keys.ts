import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentArchiveSettings } from './backup/continuous.ts'
import { checkUnfinishedRestore } from './backup/restore.ts'
import { setSuperuserPassword } from './database/bootstrap.ts'
import { reencryptDatabase } from './database/reencrypt.ts'
import { cleanUpAfterUpgrades, requireUpgraded } from './database/upgrade.ts'
import { findBinaries } from './postgres/binaries.ts'
import { findProcessUser } from './postgres/process-user.ts'
import { PostgresServer } from './postgres/server.ts'
import { errorMessage, StartupError } from './shared/errors.ts'
import { exists, writeFileAtomic } from './shared/files.ts'
import { createLog } from './shared/log.ts'
import { lockDataDirectory } from './supervisor/lock.ts'
import { pickPorts } from './supervisor/ports.ts'
import { buildServiceUrls } from './supervisor/processes.ts'
import {
  encryptionKeys,
  loadSecrets,
  type RotatableKey,
  rotatableKeys,
  rotateSecrets,
  type Secrets,
  saveSecrets,
} from './supervisor/secrets.ts'
import { readEncryptionKey, readSettings, type Settings } from './supervisor/settings.ts'

// Replaces the keys in DATA_DIR/secrets.json, and updates the passwords and encrypted values in the database.
// secrets.json is written before the database changes, and also keeps the old keys that the database may still need, so
// a killed run loses nothing: the stack can start with this file, and the next run finishes the rotation.
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const readVariable = (name: string): string | undefined => Deno.env.get(name)?.trim() || undefined
const print = (line: string): void => console.log(line)
const allKeys = Object.keys(rotatableKeys) as RotatableKey[]
const isRotatableKey = (name: string): name is RotatableKey => name in rotatableKeys

/** @throws StartupError for an unknown argument, or for `--revoke` with `--hosted` or without the `jwt` key */
function parseArguments(args: string[]): { keys: RotatableKey[]; revoke: boolean; hosted: boolean } {
  const flags = args.filter((argument) => argument.startsWith('-'))
  const names = args.filter((argument) => !argument.startsWith('-'))
  const unknown =
    flags.find((flag) => !['--revoke', '--hosted'].includes(flag)) ??
    names.find((name) => !isRotatableKey(name))
  if (unknown) {
    throw new StartupError(
      `${unknown} is unknown. The keys are ${allKeys.join(', ')}; the options are --revoke and --hosted.`,
    )
  }
  const keys = allKeys.filter((key) => names.length === 0 || names.includes(key))
  const [revoke, hosted] = [flags.includes('--revoke'), flags.includes('--hosted')]
  if (revoke && (hosted || !keys.includes('jwt'))) {
    throw new StartupError(
      '--revoke rejects tokens that were signed with the previous JWT secret. Use it only with the key jwt and without --hosted: npm run rotate-keys -- jwt --revoke. Nothing was changed.',
    )
  }
  return { keys, revoke, hosted }
}

type Counts = Awaited<ReturnType<typeof reencryptDatabase>>

const describeCounts = ({ reencrypted, unreadable }: Counts): string =>
  `values re-encrypted: ${reencrypted}${
    unreadable > 0 ? `; values that none of the known keys can decrypt, left as they are: ${unreadable}` : ''
  }`

/** Re-encrypts the values in a Supabase project's database. This command does not rotate the project's other keys. */
async function rotateHosted(keys: RotatableKey[]): Promise<void> {
  const url = readVariable('DATABASE_URL')
  const current = readEncryptionKey(readVariable, 'ENCRYPTION_KEY')
  const previous = readEncryptionKey(readVariable, 'PREVIOUS_ENCRYPTION_KEY')
  if (keys.join() !== 'encryption')
    throw new StartupError(
      'With --hosted, only the encryption key can be rotated: pass `encryption --hosted`.',
    )
  if (!url || !URL.canParse(url) || !current || !previous) {
    throw new StartupError(
      '--hosted needs DATABASE_URL (for the postgres role), ENCRYPTION_KEY and PREVIOUS_ENCRYPTION_KEY.',
    )
  }
  print(`encryption: ${describeCounts(await reencryptDatabase(url, [current, previous]))}.`)
  print('Remove PREVIOUS_ENCRYPTION_KEY from the secrets of the functions.')
}

/**
 * Starts the database, makes it use the new keys, and stops it. The caller must have locked the data directory.
 *
 * @param old the secrets that the database uses now
 * @param save stores the new secrets; called before the database changes
 * @throws StartupError if the database has not been upgraded to this version. If the upgrade came after the rotation
 *   and failed, undoing it would restore a database that still uses the old keys.
 */
async function updateDatabase(
  settings: Settings,
  old: Secrets,
  secrets: Secrets,
  save: () => Promise<void>,
): Promise<Counts> {
  const { dataDir } = settings
  const ports = await pickPorts(dataDir, settings.port)
  const [oldUrl, url] = [old, secrets].map((each) => buildServiceUrls(settings, each, ports).database) as [
    string,
    string,
  ]
  const database = new PostgresServer({
    binaries: await findBinaries(),
    processUser: await findProcessUser(),
    directory: join(dataDir, 'postgres'),
    port: ports.database,
    url: oldUrl,
    previousPassword: old.unfinishedRotation?.superuserPassword,
    settings: await currentArchiveSettings(dataDir),
    log: createLog('rotate-keys', 'warn'),
  })
  const onSignal = (): void => void database.stop(6000).finally(() => Deno.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) Deno.addSignalListener(signal, onSignal)
  try {
    await database.start()
    await requireUpgraded(root, dataDir, oldUrl)
    await save()
    await setSuperuserPassword(url, secrets.unfinishedRotation?.superuserPassword)
    return await reencryptDatabase(url, encryptionKeys(settings, secrets))
  } finally {
    await database.stop(30_000)
  }
}

async function rotate(keys: RotatableKey[], revoke: boolean): Promise<void> {
  const settings = readSettings((name) => Deno.env.get(name), root)
  const { dataDir } = settings
  const path = join(dataDir, 'secrets.json')
  if (!(await exists(path))) throw new StartupError(`There are no keys yet: ${path} does not exist.`)
  const { uid } = await Deno.stat(path)
  if (uid !== null && uid !== Deno.uid()) {
    throw new StartupError(
      `Run this command as the user who owns ${path}. Otherwise, Ovation would not be able to read the new file.`,
    )
  }
  const lock = await lockDataDirectory(dataDir)
  await checkUnfinishedRestore(dataDir)
  // Completes an interrupted undo of a failed upgrade. During an undo, the database can be missing from its directory,
  // and the rotation would then replace the keys without updating the database.
  await cleanUpAfterUpgrades(dataDir)
  const old = await loadSecrets(dataDir, true)
  const isResumed = old.unfinishedRotation !== undefined
  // A key that is set in the environment is replaced by the operator, not by this command.
  const generated = settings.encryptionKey ? keys.filter((key) => key !== 'encryption') : keys
  const secrets = isResumed ? old : rotateSecrets(old, generated, revoke)
  const copy = join(dataDir, `secrets-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
  const save = async (): Promise<void> => {
    if (isResumed || generated.length === 0) return
    await writeFileAtomic(copy, await Deno.readTextFile(path))
    await saveSecrets(dataDir, secrets)
  }
  const usesDatabase = keys.includes('encryption') || keys.includes('database')
  let counts = { reencrypted: 0, unreadable: 0 }
  if ((isResumed || usesDatabase) && (await exists(join(dataDir, 'postgres')))) {
    counts = await updateDatabase(settings, old, secrets, save)
    // All values that can be decrypted are now encrypted with the current key.
    delete secrets.previousEncryptionKeys
  } else await save()
  delete secrets.unfinishedRotation
  await saveSecrets(dataDir, secrets)
  lock.close()

  if (isResumed) {
    print(`Finished the interrupted rotation; ${describeCounts(counts)}.`)
    print('No other keys were replaced: run the command again to replace them.')
    return
  }
  for (const key of keys) print(`${key}: ${describeResult(key, settings, counts, revoke)}.`)
  if (generated.length === 0) return
  print(`The new keys are in ${path} and take effect at the next start.`)
  print(`The replaced keys are in ${copy}. Older backups may need them: keep the file with those backups.`)
  print('Make a new backup now.')
}

function describeResult(key: RotatableKey, settings: Settings, counts: Counts, revoke: boolean): string {
  switch (key) {
    case 'encryption': {
      const what = settings.encryptionKey
        ? 'not replaced, because ENCRYPTION_KEY is set in the environment'
        : 'replaced'
      return `${what}; ${describeCounts(counts)}`
    }
    case 'jwt':
      return revoke
        ? 'replaced; older tokens are rejected, and browsers renew their sessions'
        : 'replaced; tokens signed with the previous secret are accepted until they expire, for two hours at most'
    case 'publishable':
      return 'replaced; the previous key is accepted for 30 days'
    case 'secret':
    case 'jobs':
      return 'replaced; programs that use the previous one need the new one from connection.json'
    case 'database':
      return 'passwords replaced'
    case 'captcha':
      return 'replaced; unfinished captchas have to be solved again'
    case 'addresses':
      return 'secret URLs of the mailbox and the studio replaced'
  }
}

try {
  const { keys, revoke, hosted } = parseArguments(Deno.args)
  await (hosted ? rotateHosted(keys) : rotate(keys, revoke))
} catch (error) {
  console.error(
    error instanceof StartupError ? error.message : `The keys could not be rotated: ${errorMessage(error)}`,
  )
  Deno.exit(1)
}
