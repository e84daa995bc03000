import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readIfThere, writeDurably } from '../shared/durable.ts'
import { diskSentence, Sentence } from '../shared/sentence.ts'

/** Everything secret that the stack makes for itself. Passwords are hexadecimal, so that they fit into addresses. */
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

const makers: { [Name in keyof Secrets]: () => string } = {
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
 * Reads DATA_DIR/secrets.json, making what is missing in it. The file is on the disk before anything is
 * made with it, so that a crash never leaves a database whose password nobody knows.
 *
 * @param databaseExists a database without its secrets cannot be opened, and new ones would not fit
 */
export async function loadSecrets(dataDir: string, databaseExists: boolean): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const text = await readIfThere(path)
  if (text === null && databaseExists) {
    throw new Sentence(`${path} is missing: bring it back from a backup, or start over with npm run reset.`)
  }
  const stored = text === null ? {} : parse(text, path)
  const secrets = { ...stored } as Partial<Secrets>
  for (const [name, make] of entries()) {
    if (typeof secrets[name] !== 'string') secrets[name] = make()
  }
  const complete = secrets as Secrets
  if (JSON.stringify(complete) !== JSON.stringify(stored)) {
    try {
      await writeDurably(path, `${JSON.stringify(complete, null, 2)}\n`)
    } catch (error) {
      throw diskSentence(`Cannot write ${path}`, error)
    }
  }
  return complete
}

function entries(): [keyof Secrets, () => string][] {
  return Object.entries(makers) as [keyof Secrets, () => string][]
}

function parse(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Said below, once for both ways of being wrong.
  }
  throw new Sentence(`${path} is damaged: bring it back from a backup, or start over with npm run reset.`)
}
