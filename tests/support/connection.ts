import { readFileSync } from 'node:fs'

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

/** The stack under test. Throws when OVATION_CONNECTION names none. */
export function readConnection(): Connection {
  const path = process.env.OVATION_CONNECTION
  if (!path)
    throw new Error('OVATION_CONNECTION must name the connection.json of a running stack (npm test sets it).')
  return JSON.parse(readFileSync(path, 'utf8')) as Connection
}
