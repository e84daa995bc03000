import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { EncryptionKeys } from '../../supabase/functions/_shared/encryption.ts'
import { diskError, StartupError } from '../shared/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../shared/files.ts'
import type { PreviousSecret, ServiceKeys } from '../shared/service-keys.ts'
import type { Settings } from './settings.ts'

/** The secrets that the stack generates for itself. Passwords are hexadecimal, so they need no escaping in URLs. */
interface GeneratedSecrets {
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

export interface Secrets extends GeneratedSecrets {
  previousJwtSecrets: PreviousSecret[]
  previousPublishableKeys: PreviousSecret[]
  /** The replaced secrets that the database may still use, until `npm run rotate-keys` has finished. */
  unfinishedRotation?: { superuserPassword?: string; encryptionKey?: string }
  /** In a restored backup, the keys other than `encryptionKey` that stored values may be encrypted with. */
  previousEncryptionKeys?: string[]
}

const generators: { [Name in keyof GeneratedSecrets]: () => string } = {
  superuserPassword: randomHex,
  gatewayPassword: randomHex,
  litePassword: randomHex,
  realtimePassword: randomHex,
  jwtSecret: randomHex,
  publishableKey: () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secretKey: () => `sb_secret_${randomBytes(24).toString('base64url')}`,
  jobSecret: randomHex,
  encryptionKey: randomHex,
  altchaKey: randomHex,
  mailboxSecret: () => randomBytes(18).toString('base64url'),
  studioSecret: () => randomBytes(18).toString('base64url'),
}

function randomHex(): string {
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
  secrets.previousJwtSecrets = stillAccepted(secrets.previousJwtSecrets)
  secrets.previousPublishableKeys = stillAccepted(secrets.previousPublishableKeys)
  const complete = secrets as Secrets
  if (JSON.stringify(complete) !== JSON.stringify(stored)) await saveSecrets(dataDir, complete)
  return complete
}

/** Replaces DATA_DIR/secrets.json. Only its owner can read the new file. */
export async function saveSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  try {
    await writeFileAtomic(path, `${JSON.stringify(secrets, null, 2)}\n`)
  } catch (error) {
    throw diskError(`Cannot write ${path}`, error)
  }
}

const stillAccepted = (secrets: PreviousSecret[] = []): PreviousSecret[] =>
  secrets.filter(({ until }) => until > Date.now())

/** Returns the keys with which the services check their callers. */
export function serviceKeys(secrets: Secrets): ServiceKeys {
  const { jwtSecret, publishableKey, secretKey, previousJwtSecrets, previousPublishableKeys } = secrets
  return { jwtSecret, publishableKey, secretKey, previousJwtSecrets, previousPublishableKeys }
}

/** Returns the current encryption key, followed by the other keys with which stored values may be encrypted. */
export function encryptionKeys(
  settings: Pick<Settings, 'encryptionKey' | 'previousEncryptionKey'>,
  secrets: Secrets,
): EncryptionKeys {
  const current = settings.encryptionKey ?? secrets.encryptionKey
  const others = [
    settings.previousEncryptionKey,
    secrets.unfinishedRotation?.encryptionKey,
    // Values from before ENCRYPTION_KEY was set in the environment are encrypted with this key.
    secrets.encryptionKey,
    ...(secrets.previousEncryptionKeys ?? []),
  ].filter((key): key is string => typeof key === 'string' && key !== current)
  return [current, ...others]
}

/** The secrets that `npm run rotate-keys` replaces for each of its arguments. */
export const rotatableKeys = {
  encryption: ['encryptionKey'],
  jwt: ['jwtSecret'],
  publishable: ['publishableKey'],
  secret: ['secretKey'],
  jobs: ['jobSecret'],
  database: ['superuserPassword', 'gatewayPassword', 'litePassword', 'realtimePassword'],
  captcha: ['altchaKey'],
  addresses: ['mailboxSecret', 'studioSecret'],
} as const satisfies Record<string, (keyof GeneratedSecrets)[]>

export type RotatableKey = keyof typeof rotatableKeys

/**
 * How long tokens signed with a replaced secret are accepted. Session tokens are valid for 20 minutes and signed upload
 * URLs for two hours. Signed download URLs that are valid for longer stop working before they expire.
 */
const tokenLifetimeMs = 2 * 60 * 60 * 1000
/**
 * How long a replaced publishable key is accepted. Pages that were opened before the rotation send it until they are
 * reloaded.
 */
const openPageLifetimeMs = 30 * 24 * 60 * 60 * 1000

/**
 * Returns secrets with new values for the given keys.
 *
 * @param revoke whether tokens that are signed with the current JWT secret become invalid immediately
 */
export function rotateSecrets(secrets: Secrets, keys: readonly RotatableKey[], revoke: boolean): Secrets {
  const rotated = { ...secrets }
  for (const name of keys.flatMap((key) => rotatableKeys[key])) rotated[name] = generators[name]()
  if (keys.includes('jwt')) {
    rotated.previousJwtSecrets = revoke
      ? []
      : [...secrets.previousJwtSecrets, expiring(secrets.jwtSecret, tokenLifetimeMs)]
  }
  if (keys.includes('publishable')) {
    const previous = expiring(secrets.publishableKey, openPageLifetimeMs)
    rotated.previousPublishableKeys = [...secrets.previousPublishableKeys, previous]
  }
  const unfinished = {
    ...(keys.includes('database') && { superuserPassword: secrets.superuserPassword }),
    ...(keys.includes('encryption') && { encryptionKey: secrets.encryptionKey }),
  }
  if (Object.keys(unfinished).length > 0) rotated.unfinishedRotation = unfinished
  return rotated
}

const expiring = (secret: string, lifetimeMs: number): PreviousSecret => ({
  secret,
  until: Date.now() + lifetimeMs,
})

function generatorEntries(): [keyof GeneratedSecrets, () => string][] {
  return Object.entries(generators) as [keyof GeneratedSecrets, () => string][]
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
