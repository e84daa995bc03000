import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The contents of `DATA_DIR/connection.json`, which a stack writes when it has started. */
export interface Connection {
  apiUrl: string
  /** The superuser's database URL. */
  databaseUrl: string
  publishableKey: string
  secretKey: string
  jobSecret: string
  /** The URL of the `jobs` function. */
  jobsUrl: string
  /** The URL of the metrics endpoint, which needs no token. */
  metricsUrl: string
  mailUrl: string
  studioUrl: string
  pid: number
}

/** The secrets that tests read from secrets.json, which a stack writes next to connection.json. */
export interface Secrets {
  jwtSecret: string
  altchaKey: string
  encryptionKey: string
  gatewayPassword: string
}

/** Returns the connection of the stack under test. @throws when OVATION_CONNECTION is not set */
export function readConnection(): Connection {
  return JSON.parse(readFileSync(connectionFile(), 'utf8')) as Connection
}

/** Returns the secrets of the stack under test. @throws when OVATION_CONNECTION is not set */
export function readSecrets(): Secrets {
  return JSON.parse(readFileSync(join(dirname(connectionFile()), 'secrets.json'), 'utf8')) as Secrets
}

function connectionFile(): string {
  const path = process.env.OVATION_CONNECTION
  if (!path)
    throw new Error(
      'OVATION_CONNECTION must be the path of a running stack’s connection.json. npm test sets it.',
    )
  return path
}
