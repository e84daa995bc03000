import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a running stack writes to `DATA_DIR/connection.json` once it is ready. */
export interface Connection {
  apiUrl: string
  /** The superuser's address. */
  databaseUrl: string
  publishableKey: string
  secretKey: string
  jobSecret: string
  /** Where the scheduled jobs are called. */
  jobsUrl: string
  mailUrl: string
  studioUrl: string
  pid: number
}

/** What a stack keeps beside it, for tests that sign a token or a challenge of their own. */
export interface Secrets {
  jwtSecret: string
  altchaKey: string
  encryptionKey: string
  gatewayPassword: string
}

/** The stack under test. Throws when OVATION_CONNECTION names none. */
export function readConnection(): Connection {
  return JSON.parse(readFileSync(connectionFile(), 'utf8')) as Connection
}

/** The secrets of the stack under test. Throws when OVATION_CONNECTION names none. */
export function readSecrets(): Secrets {
  return JSON.parse(readFileSync(join(dirname(connectionFile()), 'secrets.json'), 'utf8')) as Secrets
}

function connectionFile(): string {
  const path = process.env.OVATION_CONNECTION
  if (!path)
    throw new Error('OVATION_CONNECTION must name the connection.json of a running stack (npm test sets it).')
  return path
}
