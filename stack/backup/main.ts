import { getPriority, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readVersion } from '../database/version.ts'
import { waitForStdinEnd } from '../shared/child-process.ts'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { formatBytes } from '../shared/format-bytes.ts'
import { readSettings } from '../supervisor/settings.ts'
import { backUp } from './backup.ts'
import { listArchives, openDestination, splitArchivePath } from './destination.ts'
import { minPassphraseLength } from './passphrase.ts'
import { type Progress, showProgress } from './progress.ts'
import { type RestoreResult, restore } from './restore.ts'

// `npm run backup` and `npm run restore`. The supervisor runs scheduled backups with this program, too.
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const env = (name: string): string | undefined => Deno.env.get(name)?.trim() || undefined
const readStackSettings = () => readSettings((name) => Deno.env.get(name), root)

const backupUsage = 'Usage: npm run backup -- [--to <folder or s3://bucket/prefix>] [--keep <number>]'
const restoreUsage =
  'Usage: npm run restore -- <archive, folder or s3://bucket/prefix> [--to-time <ISO 8601 time or "latest">]'

async function runBackup(args: string[]): Promise<void> {
  const { values } = parse(backupUsage, () =>
    parseArgs({ args, options: { to: { type: 'string' }, keep: { type: 'string' } } }),
  )
  const settings = readStackSettings()
  const { dataDir, backup } = settings
  if (values.keep !== undefined && !/^[1-9]\d{0,3}$/.test(values.keep)) throw new StartupError(backupUsage)
  const destination = openDestination(values.to ?? backup.to ?? `${dataDir}-backups`, root, env)
  const passphrase = backup.passphrase ?? (await askPassphrase(true))
  if (passphrase === null) {
    throw new StartupError(
      `A passphrase is needed to encrypt the secrets: set BACKUP_PASSPHRASE to one with at least ${minPassphraseLength} characters.`,
    )
  }
  // The platform has priority over its backup, but the backup must still make progress on a busy machine.
  const priority = 5
  if (getPriority() < priority) setPriority(priority)
  const progress = showCancellableProgress('Backing up')
  const startedAt = Date.now()
  const { name, size, removed } = await backUp({
    settings,
    version: await readVersion(root),
    destination,
    // BACKUP_KEEP is ignored if --to is given.
    keep: values.keep ? Number(values.keep) : values.to === undefined ? backup.keep : null,
    passphrase,
    onProgress: progress.update,
  }).finally(progress.end)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`Backed up ${dataDir} to ${destination.label}/${name} (${formatBytes(size)}, ${seconds} s).`)
  if (removed > 0) console.log(`Deleted ${removed} older ${removed === 1 ? 'archive' : 'archives'}.`)
}

async function runRestore(args: string[]): Promise<void> {
  const { values, positionals } = parse(restoreUsage, () =>
    parseArgs({ args, options: { 'to-time': { type: 'string' } }, allowPositionals: true }),
  )
  const [path] = positionals
  if (!path || positionals.length > 1) throw new StartupError(restoreUsage)
  const toTime = parseTime(values['to-time'])
  const { dataDir, port, backup } = readStackSettings()
  const split = splitArchivePath(path)
  const destination = openDestination(split.to, root, env)
  const name = split.name || (await listArchives(destination))[0]?.name
  if (!name) throw new StartupError(`${destination.label} has no backups.`)

  let progress: Progress | undefined
  const startedAt = Date.now()
  const result = await restore({
    dataDir,
    port,
    version: await readVersion(root),
    destination,
    name,
    toTime,
    passphrase: async () => {
      const passphrase = backup.passphrase ?? (await askPassphrase(false))
      if (passphrase !== null) return passphrase
      throw new StartupError('The secrets in the archive are encrypted: set BACKUP_PASSPHRASE.')
    },
    onStep: (label) => {
      progress?.end()
      progress = showCancellableProgress(label)
      return progress.update
    },
  }).finally(() => progress?.end())
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`Restored ${destination.label}/${name} to ${dataDir} in ${seconds} s.`)
  for (const line of describe(result, toTime)) console.log(line)
}

/** Returns the lines that describe what was restored. */
function describe({ header, manifest, ...result }: RestoreResult, toTime: Date | 'latest' | null): string[] {
  const { postgres, storage, mailbox } = manifest.sections
  const rows = Object.entries(result.rows).map(([label, count]) => `${count} ${label}`)
  const state =
    toTime === null
      ? `The state at ${manifest.finishedAt}`
      : `The state at ${toTime === 'latest' ? 'the end of the archived WAL' : toTime.toISOString()}, with ${result.walSegments} archived WAL segments`
  const lines = [
    `- ${state}, backed up with Ovation ${header.version}`,
    `- Database: ${formatBytes(postgres.bytes)}; ${rows.join(', ')}`,
  ]
  if (header.secrets) {
    lines.push(`- Files: ${storage.files} (${formatBytes(storage.bytes)}); mail: ${mailbox.files}; secrets`)
  }
  if (result.missingFiles > 0)
    lines.push(
      `- Warning: files that the database refers to but that could not be restored: ${result.missingFiles}.`,
    )
  if (result.unbalancedTransactions > 0)
    lines.push(
      `- Warning: transactions in the ledger that do not add up to zero: ${result.unbalancedTransactions}.`,
    )
  // An archive without secrets was made before an upgrade. This version would upgrade the restored database again.
  const next = header.secrets
    ? 'Start Ovation with npm start.'
    : 'Install the older version before you start Ovation.'
  return [...lines, next]
}

function parse<Result>(usage: string, read: () => Result): Result {
  try {
    return read()
  } catch {
    throw new StartupError(usage)
  }
}

function parseTime(text: string | undefined): Date | 'latest' | null {
  if (text === undefined) return null
  if (text === 'latest') return text
  const time = new Date(text)
  // A time without a zone would depend on the settings of this machine.
  if (Number.isNaN(time.getTime()) || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw new StartupError(`"${text}" is not a time: use a time such as 2026-01-31T12:00:00Z, or latest.`)
  }
  return time
}

/**
 * Asks for a passphrase on the terminal, without showing it.
 *
 * @param confirm whether to ask twice
 * @returns null if there is no terminal
 * @throws StartupError if the two answers differ, or the first is too short
 */
async function askPassphrase(confirm: boolean): Promise<string | null> {
  if (!Deno.stdin.isTerminal()) return null
  const passphrase = await readHidden('Passphrase: ')
  if (!confirm) return passphrase
  if (passphrase.length < minPassphraseLength) {
    throw new StartupError(`The passphrase is too short: use at least ${minPassphraseLength} characters.`)
  }
  if ((await readHidden('Passphrase again: ')) !== passphrase)
    throw new StartupError('The two passphrases differ.')
  return passphrase
}

async function readHidden(question: string): Promise<string> {
  const encoder = new TextEncoder()
  await Deno.stderr.write(encoder.encode(question))
  const typed: number[] = []
  const buffer = new Uint8Array(256)
  Deno.stdin.setRaw(true)
  try {
    for (;;) {
      const count = await Deno.stdin.read(buffer)
      for (const byte of buffer.subarray(0, count ?? 0)) {
        if (byte === 0x03) throw new StartupError('Cancelled.')
        if (byte === 0x0d || byte === 0x0a) return new TextDecoder().decode(new Uint8Array(typed))
        if (byte === 0x7f || byte === 0x08) typed.pop()
        else typed.push(byte)
      }
      if (count === null) return new TextDecoder().decode(new Uint8Array(typed))
    }
  } finally {
    Deno.stdin.setRaw(false)
    await Deno.stderr.write(encoder.encode('\n'))
  }
}

let cancelled = false
const cancel = (): void => {
  cancelled = true
}
// A signal makes the next progress update throw, so the command cleans up the same way as after an error.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) Deno.addSignalListener(signal, cancel)
Deno.addSignalListener('SIGINT', () => {
  // There are no progress updates while the destination does not respond, so a second Ctrl-C exits immediately.
  if (cancelled) Deno.exit(130)
  cancel()
})
// A scheduled backup is cancelled when the supervisor exits.
if (Deno.env.get('STACK_STARTER') === 'pipe') void waitForStdinEnd().then(cancel)

/** Shows progress. Once the command is cancelled, `update` throws. */
function showCancellableProgress(label: string): Progress {
  const progress = showProgress(label)
  const update: Progress['update'] = (done, total) => {
    if (cancelled) throw new StartupError('Cancelled.')
    progress.update(done, total)
  }
  return { ...progress, update }
}

const [command, ...args] = Deno.args
try {
  await (command === 'restore' ? runRestore(args) : runBackup(args))
  Deno.exit(0)
} catch (error) {
  const action = command === 'restore' ? 'restore' : 'backup'
  console.error(
    error instanceof StartupError ? error.message : `The ${action} failed: ${errorMessage(error)}`,
  )
  Deno.exit(1)
}
