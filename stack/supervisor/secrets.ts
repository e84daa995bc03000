import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { diskError, StartupError } from '../shared/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../shared/files.ts'

/** The secrets that the stack generates for itself. Passwords are hexadecimal, so URLs need no escaping. */
export interface Secrets {
  superuserPassword: string
  gatewayPassword: string
  litePassword: string
  realtimePassword: string
  jwtSecret: string
  publishableKey: string
  secretKey: string
  jobSecret: string
  encryptionKey: string
  altchaKey: string
  mailboxSecret: string
  studioSecret: string
}

const generators: { [Name in keyof Secrets]: () => string } = {
  superuserPassword: hex,
  gatewayPassword: hex,
  litePassword: hex,
  realtimePassword: hex,
  jwtSecret: hex,
  publishableKey: () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secretKey: () => `sb_secret_${randomBytes(24).toString('base64url')}`,
  jobSecret: hex,
  encryptionKey: hex,
  altchaKey: hex,
  mailboxSecret: () => randomBytes(18).toString('base64url'),
  studioSecret: () => randomBytes(18).toString('base64url'),
}

function hex(): string {
  return randomBytes(32).toString('hex')
}

/**
 * Reads DATA_DIR/secrets.json and adds the secrets it lacks. The file is on disk before any secret is used, so a
 * crash never leaves a database with an unknown password.
 *
 * @param databaseExists whether there is a database, which cannot be opened with new secrets
 * @throws StartupError if the file is damaged or cannot be written, or if it is missing although the database exists
 */
export async function loadSecrets(dataDir: string, databaseExists: boolean): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const text = await readTextIfExists(path)
  if (text === null && databaseExists) {
    throw new StartupError(`${path} is missing: restore it from a backup, or start over with npm run reset.`)
  }
  const stored = text === null ? {} : parse(text, path)
  const secrets = { ...stored } as Partial<Secrets>
  for (const [name, generate] of generatorEntries()) {
    if (typeof secrets[name] !== 'string') secrets[name] = generate()
  }
  const complete = secrets as Secrets
  if (JSON.stringify(complete) !== JSON.stringify(stored)) {
    try {
      await writeFileAtomic(path, `${JSON.stringify(complete, null, 2)}\n`)
    } catch (error) {
      throw diskError(`Cannot write ${path}`, error)
    }
  }
  return complete
}

function generatorEntries(): [keyof Secrets, () => string][] {
  return Object.entries(generators) as [keyof Secrets, () => string][]
}

function parse(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Handled below, together with JSON that is not an object.
  }
  throw new StartupError(`${path} is damaged: restore it from a backup, or start over with npm run reset.`)
}
