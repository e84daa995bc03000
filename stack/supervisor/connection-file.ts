import { join } from 'node:path'
import { writeFileAtomic } from '../shared/files.ts'
import type { Addresses } from './processes.ts'
import type { Secrets } from './secrets.ts'

/** Writes DATA_DIR/connection.json: the addresses and keys with which the operator's programs use a ready stack. */
export async function writeConnectionFile(
  dataDir: string,
  addresses: Addresses,
  secrets: Secrets,
): Promise<void> {
  const connection = {
    apiUrl: addresses.gateway,
    databaseUrl: addresses.database,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    jobSecret: secrets.jobSecret,
    jobsUrl: `${addresses.internal}/jobs`,
    mailUrl: addresses.mailbox,
    studioUrl: addresses.studio,
    pid: Deno.pid,
  }
  await writeFileAtomic(join(dataDir, 'connection.json'), `${JSON.stringify(connection, null, 2)}\n`)
}

/**
 * Removes DATA_DIR/connection.json. The file means that the stack is ready, so it is removed before anything stops. At
 * startup, removes one that a killed stack left behind.
 */
export async function removeConnectionFile(dataDir: string): Promise<void> {
  await Deno.remove(join(dataDir, 'connection.json')).catch(() => undefined)
}
